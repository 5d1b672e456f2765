/**
 * The indices that each root must visit, from the last root to the first: for a store, the indices inside its view; for a
 * stored value, the indices that its readers visit; for a fold, the indices where it is not the identity. Bounds thus become
 * loop ends instead of masks.
 */
import { reductionIdentity } from '../../scalar/ops.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import type { IndexForm } from '../shared/index-analysis.js'
import { indexIn, isSingle, isWithin, type ProgramPoint, type Scope, shapeOf } from '../shared/structure.js'
import { accessRange, conditionOf, identityMap, identityRange } from './axes.js'
import {
  type Access,
  type Buffer,
  type Cone,
  type ControlRoot,
  comparePoints,
  type DotRoot,
  type Facts,
  memoryOf,
  type Root,
  type ThinDotRoot,
} from './plan.js'
import {
  type AxisRange,
  bounded,
  intersect,
  join,
  rangeKey,
  restrict,
  roundUp,
  wholeAxis,
  wholeSpace,
} from './ranges.js'

/** Fixpoint iterations over a loop's body after which carried tiles are computed whole, as their ranges may grow forever. */
const maxIterations = 3

/** The ranges of all live roots; roots without an entry are dead. */
export function findRanges(
  facts: Facts,
  roots: ReadonlyMap<Scope, readonly Root[]>,
  cones: ReadonlyMap<Root, Cone>,
  aliases: ReadonlyMap<Buffer, Buffer>,
  slots: ReadonlyMap<TileNode, readonly (Buffer | null)[]>,
): Map<Root, readonly AxisRange[]> {
  const pass = new DemandPass(facts, roots, cones, aliases, slots)
  pass.scope(facts.structure.root)
  return pass.ranges
}

class DemandPass {
  readonly ranges = new Map<Root, readonly AxisRange[]>()
  readonly #demands = new Map<Buffer, readonly AxisRange[]>()

  constructor(
    readonly facts: Facts,
    readonly roots: ReadonlyMap<Scope, readonly Root[]>,
    readonly cones: ReadonlyMap<Root, Cone>,
    readonly aliases: ReadonlyMap<Buffer, Buffer>,
    readonly slots: ReadonlyMap<TileNode, readonly (Buffer | null)[]>,
  ) {}

  scope(scope: Scope): void {
    const list = this.roots.get(scope)!
    for (let i = list.length - 1; i >= 0; i--) this.#root(list[i]!)
  }

  /** Finds the ranges that a root computes, and passes the demand on to what it reads. */
  #root(root: Root): void {
    if (root.kind === 'control') {
      this.#control(root)
      return
    }
    const found = this.#rangesOf(root)
    if (found === null) return
    const ranges = found.map(range => restrict(range, form => this.#isKnownAt(form, root.point)))
    this.ranges.set(root, ranges)
    if (root.kind === 'dot') this.#needOperands(root, ranges)
    else if (root.kind === 'thinDot') this.#needSmallOperand(root, ranges)
    else if (root.kind === 'assign' && root.source !== null) this.#need(root.source, ranges)
    for (const access of this.cones.get(root)!.accesses) if (access.kind === 'buffer') this.#needAccess(access, ranges)
  }

  #control(root: ControlRoot): void {
    const scopes = root.node.blocks.map(block => this.facts.structure.scopes.get(block)!).reverse()
    const carried = this.slots.get(root.node)!.filter(buffer => buffer !== null)
    const key = (): string => carried.map(buffer => this.#demandOf(buffer)?.map(rangeKey).join() ?? '-').join(';')
    for (let iteration = 0; ; iteration++) {
      const before = key()
      for (const scope of scopes) this.scope(scope)
      if (root.node.op === 'if' || key() === before) return
      if (iteration >= maxIterations) for (const buffer of carried) this.#need(buffer, wholeSpace(buffer.shape))
    }
  }

  #demandOf(buffer: Buffer): readonly AxisRange[] | undefined {
    return this.#demands.get(memoryOf(this.aliases, buffer))
  }

  #need(buffer: Buffer, ranges: readonly AxisRange[]): void {
    const memory = memoryOf(this.aliases, buffer)
    const wanted = memory.shape.join() === buffer.shape.join() ? ranges : wholeSpace(memory.shape)
    const known = this.#demands.get(memory)
    this.#demands.set(memory, known === undefined ? wanted : known.map((range, axis) => join(range, wanted[axis]!)))
  }

  #needAccess({ node, axes }: Access, ranges: readonly AxisRange[]): void {
    const buffer = this.facts.buffers.get(node)!
    const wanted = buffer.shape.map((size, d) => {
      const range = axes[d]! < 0 ? undefined : ranges[axes[d]!]
      return range !== undefined && range.size === size ? range : wholeAxis(size)
    })
    this.#need(buffer, wanted)
  }

  /** The ranges that a root must compute, by what its users demand; null when nothing needs it. */
  #rangesOf(root: Exclude<Root, ControlRoot>): readonly AxisRange[] | null {
    const { index } = this.facts
    switch (root.kind) {
      case 'store':
        return accessRange(index, root.nodes[0]!, identityMap(root.space.length), root.space)
      case 'keep':
      case 'assign':
      case 'pack':
        return this.#demandOf(root.buffer) ?? null
      case 'reduce':
        return this.#reduceRanges(root.node, root.buffer)
      case 'scan': {
        const { axis, reverse } = root.node.attrs
        const demand = this.#demandOf(root.buffer)
        return (
          demand?.map((range, d) => (d !== axis ? range : reverse ? wholeAxis(range.size) : { ...range, lo: [] })) ??
          null
        )
      }
      case 'dot':
      case 'thinDot':
        return this.#dotRanges(root)
      case 'bins':
        return [root, ...root.placed].some(({ buffer }) => buffer !== null && this.#demandOf(buffer) !== undefined)
          ? wholeSpace(root.space)
          : null
      case 'indexed':
        return this.#indexedRanges(root.node, root.space)
      case 'single':
        return []
    }
  }

  /** A reduction runs over the demanded outputs and, along its axis, where elements may differ from the identity. */
  #reduceRanges(node: Extract<TileNode, { op: 'reduce' }>, buffer: Buffer | null): readonly AxisRange[] | null {
    const [input] = node.inputs as [TileNode]
    const { shape, dtype } = tileType(input)
    const { fn, axis } = node.attrs
    const demand = buffer === null ? wholeSpace(shape.filter((_, d) => d !== axis)) : this.#demandOf(buffer)
    if (demand === undefined) return null
    const identity = identityRange(
      this.facts.index,
      input,
      identityMap(shape.length),
      reductionIdentity(fn, dtype),
      shape,
    )
    return shape.map((_, d) => (d === axis ? identity[d]! : demand[d < axis ? d : d - 1]!))
  }

  /** The indices where the mask may hold; all indices for an atomic whose old values are used, since it returns zeros elsewhere. */
  #indexedRanges(node: TileNode, space: readonly number[]): readonly AxisRange[] {
    const whole = wholeSpace(space)
    if (node.op === 'atomic' && this.facts.structure.users.has(node)) return whole
    const { constraints } = conditionOf(this.facts.index, node.inputs.at(-1)!, identityMap(space.length))
    return whole.map((range, d) =>
      constraints
        .filter(({ axis }) => axis === d)
        .reduce((all, { lo, hi }) => intersect(all, bounded(this.facts.index, range.size, lo, hi)), range),
    )
  }

  /** The part of K where the operands are not both zero. */
  #innerRange(node: TileNode): AxisRange {
    const [a, b] = node.inputs as [TileNode, TileNode]
    const zeroOutside = (input: TileNode): AxisRange[] =>
      identityRange(this.facts.index, input, identityMap(2), 0, shapeOf(input))
    return { ...join(zeroOutside(a)[1]!, zeroOutside(b)[0]!), lo: [] }
  }

  /** A blocked dot: [rows, columns, K]. A thin one: the axes of its large operand. */
  #dotRanges(root: DotRoot | ThinDotRoot): readonly AxisRange[] | null {
    const demand = isSingle(root.node) ? wholeSpace(root.buffer.shape) : this.#demandOf(root.buffer)
    if (demand === undefined) return null
    const inner = this.#innerRange(root.node)
    const { index } = this.facts
    if (root.kind === 'dot')
      return [roundUp(index, demand[0]!, root.block.rows), roundUp(index, demand[1]!, root.block.columns), inner]
    return root.side === 'b' ? [inner, { ...demand[1]!, lo: [] }] : [{ ...demand[0]!, lo: [] }, inner]
  }

  #needOperands(root: DotRoot, [rows, columns, inner]: readonly AxisRange[]): void {
    this.#need(root.buffer, [rows!, columns!])
    this.#need(root.rows, root.rows.panel === null && !root.isAcross ? [rows!, inner!] : [inner!, rows!])
    this.#need(root.panels, [inner!, columns!])
  }

  /** Every step uses all rows of the small operand. */
  #needSmallOperand(root: ThinDotRoot, ranges: readonly AxisRange[]): void {
    const [rows, columns] = root.buffer.shape as [number, number]
    const inner = ranges[root.axis]!
    const other = ranges[1 - root.axis]!
    this.#need(root.buffer, root.side === 'b' ? [wholeAxis(rows), other] : [other, wholeAxis(columns)])
    this.#need(root.small, [wholeAxis(root.small.shape[0]!), inner])
  }

  #isKnownAt(form: IndexForm, point: ProgramPoint): boolean {
    return [...form.terms.keys()].every(atom => atom.kind === 'size' || this.#isComputedBefore(atom.node, point))
  }

  #isComputedBefore(node: TileNode, point: ProgramPoint): boolean {
    const known = this.facts.points.of(node)
    if (!isWithin(point.scope, known.scope)) return false
    if (known.scope === point.scope) return comparePoints(known, point) <= 0
    return known.index < indexIn(known.scope, point)
  }
}
