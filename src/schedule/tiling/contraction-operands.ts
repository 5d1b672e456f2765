/** Loads or computes blocks of a contraction's operands as matrices. */
import type { Access } from '../../loop/access.js'
import { dtypeOf, type LoopNode, type LoopNodeOf, nodesBehind, type TemplateNode } from '../../loop/ir.js'
import { mulSizes, type Size, sameSize } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { Dtype, TensorDtype } from '../../types/dtype.js'
import type { DotPolicy } from '../policy.js'
import type { Axis } from './axes.js'
import type { Evaluator } from './evaluate.js'
import { isWhole } from './tiling.js'

/** The dtype of the dot's operands: their own if the target multiplies it, else the accumulator's. */
export function operandDtype(
  { inputs, attrs }: TemplateNode<{ readonly accumulate: Dtype }>,
  { multiplied }: Pick<DotPolicy, 'multiplied'>,
): Dtype {
  const [a, b] = inputs.map(dtypeOf) as [Dtype, Dtype]
  return a === b && multiplied.has(a) ? a : attrs.params.accumulate
}

/** True when each axis' stride is a full run through the next one: the axes are contiguous with each other. */
const areOne = (factors: ReadonlyMap<Axis, Size>, group: readonly Axis[]): boolean =>
  group.every((axis, i) => {
    const [outer, factor] = [group[i - 1], factors.get(axis)]
    if (factor === undefined) return false
    return outer === undefined || sameSize(factors.get(outer) ?? 0, mulSizes(factor, axis.size))
  })

/** Makes blocks of the operands as matrices; each is 0 past the end of `k`. */
export class Operands {
  constructor(
    readonly evaluator: Evaluator,
    readonly dtype: Dtype,
    readonly k: readonly Axis[],
    /** Computed operands read the axes of k that are contiguous with each other as one dim. */
    readonly wide = false,
  ) {}

  /** The rows × columns block of `node` at `starts` along k, in the dtype of the dot's operands. */
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
        const full = evaluator.broadcast(value, evaluator.sorted([...value.axes, ...axes]))
        const wide = full.to(dtype).reshape(evaluator.shape(axes))
        // A select of 16-bit floats is computed in f32.
        return this.#maskDepth(node, axes, wide).to(dtype).reshape(shape)
      })
    })
  }

  /** Loads an operand whose several axes are contiguous with each other as a matrix; null: it is not of that form. */
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
    const tile = writer.t.load(view, evaluator.starts(groups), evaluator.lengths(groups))
    const place = (group: readonly Axis[]): number => evaluator.tiling.order.indexOf(group[0]!)
    const order = groups.map((_, d) => d).toSorted((a, b) => place(groups[a]!) - place(groups[b]!))
    const all = evaluator.sorted([...rows, ...columns])
    // Axes that the operand does not depend on would have to be broadcast.
    return all.every(axis => groups.some(group => group.includes(axis))) ? tile.transpose(order) : null
  }

  /** Loads axes of k that are contiguous with each other as one dim, for wider accesses, then splits them again. */
  #readWide(load: LoopNodeOf<'load'>): void {
    const { access } = load.attrs
    const { evaluator } = this
    const { writer } = evaluator
    const factors = writer.axes.factors(access.index)
    const group = this.k.filter(axis => factors.has(axis))
    if (group.length < 2 || access.windows !== undefined || !this.#isContiguousGroup(access, group)) return
    const { view, axes } = writer.mergedView(access, [group])
    const groups = axes.map(axis => (axis === group.at(-1) ? group : [axis]))
    const tile = writer.t.load(view, evaluator.starts(groups), evaluator.lengths(groups))
    const own = groups.flat()
    const ordered = evaluator.sorted(own)
    const apart = tile.reshape(evaluator.shape(own)).transpose(ordered.map(axis => own.indexOf(axis)))
    evaluator.bind(load, { tile: apart, axes: ordered })
  }

  /** True when the axes are contiguous with each other and all but the outermost are whole. */
  #isContiguousGroup(access: Access, axes: readonly Axis[]): boolean {
    const factors = this.evaluator.writer.axes.factors(access.index)
    return areOne(factors, axes) && axes.slice(1).every(axis => isWhole(axis, this.evaluator.extent(axis)))
  }

  /**
   * Masks k past its end. A plain load along k reads 0 there. An operand that is computed, or does not depend on k, may be
   * anything there, even infinite, which the other operand's 0 would turn into NaN.
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
      const mask = evaluator.broadcast({ tile: inside, axes: [axis] }, axes)
      return t.where(mask, masked, t.zeros(masked.shape, masked.dtype))
    }, tile)
  }
}

/** The access of an operand that is a load, or a cast of one. */
export function plainAccess(node: LoopNode): Access | null {
  if (node.op === 'load') return node.attrs.access
  return node.op === 'cast' ? plainAccess(node.inputs[0]!) : null
}
