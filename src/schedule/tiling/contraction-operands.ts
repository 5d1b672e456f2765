/** The operands of products as matrices: blocks of them, made on demand. */
import type { Access } from '../../loop/access.js'
import { dtypeOf, type LoopNode, type LoopNodeOf, nodesBehind } from '../../loop/ir.js'
import { mulSizes, type Size, sameSize } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { Dtype, TensorDtype } from '../../types/dtype.js'
import type { DotPolicy } from '../policy.js'
import type { Axis } from './axes.js'
import type { Evaluator } from './evaluate.js'
import { isWhole } from './tiling.js'

/** The dtype in which products are computed: what the operands are, where such are multiplied; else the sum's. */
export function operandDtype(
  { inputs, attrs: { accumulate } }: LoopNodeOf<'matmul' | 'attention'>,
  { multiplied }: DotPolicy,
): Dtype {
  const [a, b] = inputs.map(dtypeOf) as [Dtype, Dtype]
  return a === b && multiplied.has(a) ? a : accumulate
}

/** Stepping an axis is running through the one inside it. */
const areOne = (factors: ReadonlyMap<Axis, Size>, group: readonly Axis[]): boolean =>
  group.every((axis, i) => {
    const [outer, factor] = [group[i - 1], factors.get(axis)]
    if (factor === undefined) return false
    return outer === undefined || sameSize(factors.get(outer) ?? 0, mulSizes(factor, axis.size))
  })

/** Makes the operands' blocks as matrices; each is 0 past the end of `k`. */
export class Operands {
  constructor(
    readonly evaluator: Evaluator,
    readonly dtype: Dtype,
    readonly k: readonly Axis[],
    /** What computed operands read along several axes of k that lie in memory like one is read along that one. */
    readonly wide = false,
  ) {}

  /** The block of `node` at `starts` along k: its `rows` × `columns`, in the dtype that is multiplied. */
  matrix(
    node: LoopNode,
    rows: readonly Axis[],
    columns: readonly Axis[],
    shape: readonly [number, number],
    starts: readonly TileValue[],
  ): TileValue {
    const { evaluator } = this
    const dtype = this.dtype as TensorDtype
    return evaluator.scoped(() => {
      this.k.forEach((axis, i) => void evaluator.offsets.set(axis, starts[i]!))
      return evaluator.writer.t.emitter.builder.withOrigin(node.origin, () => {
        const flat = this.#flat(node, rows, columns)
        if (flat !== null) return flat.to(dtype).reshape(shape)
        const axes = evaluator.sorted([...rows, ...columns])
        if (this.wide) for (const load of nodesBehind([node])) if (load.op === 'load') this.#readWide(load)
        const value = evaluator.value(node)
        const full = evaluator.spread(value, evaluator.sorted([...value.axes, ...axes]))
        const wide = full.to(dtype).reshape(evaluator.shape(axes))
        // A choice of 16-bit floats is made in f32.
        return this.#maskDepth(node, axes, wide).to(dtype).reshape(shape)
      })
    })
  }

  /** A plain operand whose several axes lie in memory like one is read as a matrix; null: it is anything else. */
  #flat(node: LoopNode, rows: readonly Axis[], columns: readonly Axis[]): TileValue | null {
    if (rows.length <= 1 && columns.length <= 1) return null
    const access = plainAccess(node)
    if (access === null || access.windows !== undefined) return null
    const { evaluator } = this
    const { writer } = evaluator
    const merged = [rows, columns].filter(axes => axes.length > 1)
    if (!merged.every(axes => this.#isContiguousGroup(access, axes))) return null
    const { view, axes } = writer.mergedView(access, merged)
    const groups = axes.map(axis => merged.find(group => group.at(-1) === axis) ?? [axis])
    const tile = writer.t.load(
      view,
      groups.map(group => this.#start(group)),
      groups.map(group => group.reduce((all, axis) => all * evaluator.extent(axis), 1)),
    )
    const place = (group: readonly Axis[]): number => evaluator.tiling.order.indexOf(group[0]!)
    const order = groups.map((_, d) => d).toSorted((a, b) => place(groups[a]!) - place(groups[b]!))
    const all = evaluator.sorted([...rows, ...columns])
    // Axes that the operand does not depend on would have to be repeated.
    return all.every(axis => groups.some(group => group.includes(axis))) ? tile.transpose(order) : null
  }

  /** Reads in one dim what lies so, in accesses as wide as the dim allows; its elements have their own axes again. */
  #readWide(load: LoopNodeOf<'load'>): void {
    const { access } = load.attrs
    const { evaluator } = this
    const { writer } = evaluator
    const factors = writer.axes.factors(access.index)
    const group = this.k.filter(axis => factors.has(axis))
    if (group.length < 2 || access.windows !== undefined || !this.#isContiguousGroup(access, group)) return
    const { view, axes } = writer.mergedView(access, [group])
    const groups = axes.map(axis => (axis === group.at(-1) ? group : [axis]))
    const tile = writer.t.load(
      view,
      groups.map(each => this.#start(each)),
      groups.map(each => each.reduce((all, axis) => all * evaluator.extent(axis), 1)),
    )
    const own = groups.flat()
    const ordered = evaluator.sorted(own)
    const apart = tile.reshape(evaluator.shape(own)).transpose(ordered.map(axis => own.indexOf(axis)))
    evaluator.bind(load, { tile: apart, axes: ordered })
  }

  /** All but the outermost are whole, and stepping an axis is running through the one inside it. */
  #isContiguousGroup(access: Access, axes: readonly Axis[]): boolean {
    const factors = this.evaluator.writer.axes.factors(access.index)
    return areOne(factors, axes) && axes.slice(1).every(axis => isWhole(axis, this.evaluator.extent(axis)))
  }

  /** Where a block of merged axes starts: all but the outermost start at 0. */
  #start([outer, ...inner]: readonly Axis[]): TileValue {
    const offset = this.evaluator.offset(outer!)
    const step = inner.reduce((all, axis) => all * this.evaluator.extent(axis), 1)
    return step === 1 ? offset : offset.mul(step)
  }

  /**
   * Past the end of k a plain load along it reads 0. An operand that is computed, or that does not lie along k, may be
   * anything there, also infinite, which the other's 0 would turn into NaN; and the other may not be 0. It is masked.
   */
  #maskDepth(node: LoopNode, axes: readonly Axis[], tile: TileValue): TileValue {
    const { evaluator } = this
    const { t } = evaluator.writer
    const access = plainAccess(node)
    const read = access === null ? new Map<Axis, Size>() : evaluator.writer.axes.factors(access.index)
    return this.k.reduce((masked, axis) => {
      const extent = evaluator.extent(axis)
      if (read.has(axis)) return masked
      if (typeof axis.size === 'number' && axis.size % extent === 0) return masked
      const inside = t.iota(extent).add(evaluator.offset(axis)).lt(evaluator.writer.axisSize(axis))
      const mask = evaluator.spread({ tile: inside, axes: [axis] }, axes)
      return t.where(mask, masked, t.zeros(masked.shape, masked.dtype))
    }, tile)
  }
}

/** What an operand that is read from memory, perhaps as another dtype, reads. */
export function plainAccess(node: LoopNode): Access | null {
  if (node.op === 'load') return node.attrs.access
  return node.op === 'cast' ? plainAccess(node.inputs[0]!) : null
}
