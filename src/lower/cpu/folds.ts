/** Reductions and scans in a loop nest: the values that they carry from step to step, and the results that they store. */
import type { LaneNode } from '../../lane/ir.js'
import { isArgReduction, reductionIdentity } from '../../scalar/ops.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { type Dtype, dtypes, isFloat } from '../../types/dtype.js'
import { dtypeOf, type Fold } from '../shared/lanes.js'
import { isSingle } from '../shared/structure.js'
import { type AxisMap, identityMap } from './axes.js'
import type { Frame } from './frame.js'
import type { ReduceRoot, ScanRoot, ThinDotRoot } from './plan.js'
import type { State } from './state.js'

/** The direction of a fold: across the lanes of the vector axis, or along another axis with one column per lane. */
export type FoldForm = 'across' | 'down'

export interface Folding {
  /** Initial accumulators of one vector, in the frame where the fold starts (before the fold index exists). */
  start(frame: Frame, form: FoldForm): readonly LaneNode[]
  /** One step of the fold at the frame's point. */
  step(frame: Frame, form: FoldForm, carried: readonly LaneNode[]): readonly LaneNode[]
  /** Combines the accumulators of two vectors; only for folds across lanes. */
  merge(a: readonly LaneNode[], b: readonly LaneNode[]): readonly LaneNode[]
  /** Stores the result; the frame has all indices except the fold's. */
  finish(frame: Frame, form: FoldForm, carried: readonly LaneNode[]): void
}

export function foldingOf(state: State, root: ReduceRoot | ScanRoot | ThinDotRoot): Folding {
  switch (root.kind) {
    case 'reduce':
      return isArgReduction(root.node.attrs.fn) ? new ArgFold(state, root) : new PlainFold(state, root)
    case 'scan':
      return new ScanFold(state, root)
    case 'thinDot':
      return new ThinDotFold(state, root)
  }
}

/** The nest axes of a reduction's result. */
const keptAxes = (node: TileNode, axis: number): AxisMap =>
  identityMap(tileType(node).shape.length).filter(d => d !== axis)

function leave(frame: Frame, root: ReduceRoot, result: LaneNode): void {
  const { state } = frame.facts
  const { dtype } = tileType(root.node)
  if (root.buffer === null) state.setScalar(root.node, state.lanes.cast(result, dtype))
  else frame.writeBuffer(root.buffer, keptAxes(root.node.inputs[0]!, root.node.attrs.axis), result)
}

class PlainFold implements Folding {
  readonly #fn: Fold
  readonly #input: TileNode
  readonly #identity: LaneNode

  constructor(
    readonly state: State,
    readonly root: ReduceRoot,
  ) {
    this.#fn = root.node.attrs.fn as Fold
    this.#input = root.node.inputs[0]!
    const dtype = dtypes[tileType(this.#input).dtype].compute
    this.#identity = state.lanes.constant(dtype, reductionIdentity(root.node.attrs.fn, tileType(this.#input).dtype))
  }

  start(frame: Frame): LaneNode[] {
    return [this.state.lanes.spread(this.#identity, frame.lanes)]
  }

  step(frame: Frame, form: FoldForm, [sum]: readonly LaneNode[]): LaneNode[] {
    const { lanes } = this.state
    const element = frame.vector(this.#input, identityMap(tileType(this.#input).shape.length))
    const wide = lanes.cast(element, dtypes[tileType(this.#input).dtype].compute)
    return [lanes.map(this.#fn, sum!, form === 'across' ? frame.orOutside(wide, this.#identity) : wide)]
  }

  merge([a]: readonly LaneNode[], [b]: readonly LaneNode[]): LaneNode[] {
    return [this.state.lanes.map(this.#fn, a!, b!)]
  }

  finish(frame: Frame, form: FoldForm, [sum]: readonly LaneNode[]): void {
    leave(frame, this.root, form === 'across' ? this.state.lanes.fold(sum!, this.#fn) : sum!)
  }
}

/**
 * argmin and argmax: the best value so far and its index. Strict comparison keeps the first of equal values; the first NaN wins.
 * Indices within a tile are i32, so that a vector holds as many of them as f32 values.
 */
class ArgFold implements Folding {
  readonly #input: TileNode
  readonly #dtype: Dtype
  readonly #isMax: boolean

  constructor(
    readonly state: State,
    readonly root: ReduceRoot,
  ) {
    this.#input = root.node.inputs[0]!
    this.#dtype = dtypes[tileType(this.#input).dtype].compute
    this.#isMax = root.node.attrs.fn === 'argmax'
  }

  #identity(): LaneNode {
    return this.state.lanes.constant(
      this.#dtype,
      reductionIdentity(this.root.node.attrs.fn, tileType(this.#input).dtype),
    )
  }

  start(frame: Frame): LaneNode[] {
    const { lanes } = this.state
    return [lanes.spread(this.#identity(), frame.lanes), lanes.constant('i32', 0, frame.lanes)]
  }

  #isNaN(node: LaneNode): LaneNode | null {
    return dtypes[this.#dtype].kind === 'float' ? this.state.lanes.map('isnan', node) : null
  }

  step(frame: Frame, form: FoldForm, [best, at]: readonly LaneNode[]): LaneNode[] {
    const { lanes } = this.state
    const raw = lanes.cast(frame.vector(this.#input, identityMap(tileType(this.#input).shape.length)), this.#dtype)
    const element = form === 'across' ? frame.orOutside(raw, this.#identity()) : raw
    const index = lanes.spread(lanes.cast(frame.indices(this.root.node.attrs.axis), 'i32'), frame.lanes)
    const better = this.#better(element, best!)
    return [lanes.select(better, element, best!), lanes.select(better, index, at!)]
  }

  /** True when a value beats the best: not (value ≤ best), which also holds for NaN, unless the best is NaN. */
  #better(value: LaneNode, best: LaneNode): LaneNode {
    const { lanes } = this.state
    if (dtypes[this.#dtype].kind !== 'float') return lanes.map(this.#isMax ? 'gt' : 'lt', value, best)
    const worse = lanes.map(this.#isMax ? 'le' : 'ge', value, best)
    return lanes.and(lanes.map('not', worse), lanes.map('eq', best, best))
  }

  merge([a, i]: readonly LaneNode[], [b, j]: readonly LaneNode[]): LaneNode[] {
    const { lanes } = this.state
    const [aNaN, bNaN] = [this.#isNaN(a!), this.#isNaN(b!)]
    let better = this.#better(b!, a!)
    let equal = lanes.map('eq', a!, b!)
    if (aNaN !== null) equal = lanes.map('or', equal, lanes.and(bNaN!, aNaN))
    better = lanes.map('or', better, lanes.and(equal, lanes.map('lt', j!, i!)))
    return [lanes.select(better, b!, a!), lanes.select(better, j!, i!)]
  }

  /** Stores the index of the best element; of equal ones in different lanes the smallest index. */
  finish(frame: Frame, form: FoldForm, [best, at]: readonly LaneNode[]): void {
    const { lanes } = this.state
    if (form === 'down' || frame.lanes === 1) {
      leave(frame, this.root, lanes.cast(at!, 'i64'))
      return
    }
    const winner = lanes.spread(lanes.fold(best!, this.#isMax ? 'max' : 'min'), frame.lanes)
    let wins = lanes.map('eq', best!, winner)
    const [bestNaN, wonNaN] = [this.#isNaN(best!), this.#isNaN(winner)]
    if (bestNaN !== null) wins = lanes.map('or', wins, lanes.and(bestNaN, wonNaN!))
    const never = lanes.constant('i32', 2 ** 31 - 1, frame.lanes)
    leave(frame, this.root, lanes.cast(lanes.fold(lanes.select(wins, at!, never), 'min'), 'i64'))
  }
}

/**
 * A scan: each step's accumulator is an element of the result. Across the lanes, a vector of elements is combined in itself, then with
 * the last element of the vector before it.
 */
class ScanFold implements Folding {
  constructor(
    readonly state: State,
    readonly root: ScanRoot,
  ) {}

  start(frame: Frame): LaneNode[] {
    const { dtype } = tileType(this.root.node)
    const identity = this.state.lanes.constant(dtypes[dtype].compute, reductionIdentity(this.root.node.attrs.fn, dtype))
    return [this.state.lanes.spread(identity, frame.lanes)]
  }

  step(frame: Frame, form: FoldForm, [sum]: readonly LaneNode[]): LaneNode[] {
    const { lanes } = this.state
    const { node, buffer } = this.root
    const { fn, reverse } = node.attrs
    const { shape, dtype } = tileType(node)
    const axes = identityMap(shape.length)
    const element = lanes.cast(frame.vector(node.inputs[0]!, axes), dtypes[dtype].compute)
    const isAcross = form === 'across' && frame.lanes > 1
    const next = lanes.map(fn, sum!, isAcross ? this.#across(frame, element) : element)
    frame.writeBuffer(buffer, axes, next)
    if (!isAcross) return [next]
    return [lanes.spread(lanes.extract(next, reverse ? 0 : frame.lanes - 1), frame.lanes)]
  }

  /** A vector combined in itself; lanes outside of the row change nothing. */
  #across(frame: Frame, element: LaneNode): LaneNode {
    const { lanes } = this.state
    const { fn, reverse } = this.root.node.attrs
    const identity = lanes.constant(dtypeOf(element), reductionIdentity(fn, tileType(this.root.node).dtype))
    return lanes.prefix(frame.orOutside(element, identity), fn, reverse)
  }

  merge(): LaneNode[] {
    return []
  }

  finish(): void {}
}

/** acc[s, o] += small[s, k] · large[k, o] for the few rows s; the large operand is streamed once. */
class ThinDotFold implements Folding {
  readonly #rows: readonly number[]
  readonly #other: number

  constructor(
    readonly state: State,
    readonly root: ThinDotRoot,
  ) {
    this.#rows = identityMap(root.small.shape[0]!)
    this.#other = 1 - root.axis
  }

  /** Along K the sums start from the accumulator; across lanes it is added at the end. */
  start(frame: Frame, form: FoldForm): LaneNode[] {
    const { lanes } = this.state
    const { dtype } = this.root.buffer
    if (form === 'across') return this.#rows.map(() => lanes.constant(dtype, 0, frame.lanes))
    return this.#rows.map(row => lanes.spread(this.#access(frame, row, null)!, frame.lanes))
  }

  /** Adds one element of the large operand, times each row's factor, to the sums. */
  step(frame: Frame, form: FoldForm, sums: readonly LaneNode[]): LaneNode[] {
    const { lanes } = this.state
    const { large, small, axis, buffer } = this.root
    const zero = lanes.constant(buffer.dtype, 0)
    const raw = lanes.cast(frame.value(large.node, large.axes), buffer.dtype)
    const element = form === 'across' ? frame.orOutside(raw, zero) : raw
    const pointer = this.state.bufferPointer(small)
    return this.#rows.map(row => {
      const at = lanes.add(frame.index(axis), lanes.index(row * small.strides[0]!))
      const across = form === 'across' && frame.lanes > 1
      const factor = lanes.load(pointer, at, across ? frame.lanes : 1, across ? frame.point.count : null)
      return multiplyAdd(this.state, factor, element, sums[row]!)
    })
  }

  merge(a: readonly LaneNode[], b: readonly LaneNode[]): LaneNode[] {
    return a.map((sum, row) => this.state.lanes.add(sum, b[row]!))
  }

  finish(frame: Frame, form: FoldForm, sums: readonly LaneNode[]): void {
    const { lanes } = this.state
    for (const row of this.#rows) {
      const sum =
        form === 'across' ? lanes.add(this.#access(frame, row, null)!, lanes.fold(sums[row]!, 'add')) : sums[row]!
      this.#access(frame, row, sum)
    }
    const { node, buffer } = this.root
    if (isSingle(node)) this.state.setScalar(node, lanes.load(this.state.bufferPointer(buffer), lanes.index(0), 1))
  }

  /** Reads (value null) or writes the accumulator's elements of one row. */
  #access(frame: Frame, row: number, value: LaneNode | null): LaneNode | null {
    const { buffer, side } = this.root
    const [rowStride, otherStride] =
      side === 'b' ? [buffer.strides[0]!, buffer.strides[1]!] : [buffer.strides[1]!, buffer.strides[0]!]
    return frame.accessRow(buffer, { base: row * rowStride, axis: this.#other, stride: otherStride }, value)
  }
}

/** a·b + c, rounded once for floats. */
export function multiplyAdd(state: State, a: LaneNode, b: LaneNode, c: LaneNode): LaneNode {
  const { lanes } = state
  const float = isFloat(dtypeOf(c))
  return float ? lanes.map('fma', a, b, c) : lanes.add(c, lanes.mul(a, b))
}
