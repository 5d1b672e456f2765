/**
 * Unroll and jam. With one accumulator vector, each step of a fold would wait for the previous one. So the loops around the
 * fold are unrolled inside it, which gives independent accumulators, and shared operands are loaded once.
 */
import type { LaneNode } from '../../lane/ir.js'
import { identityMap } from './axes.js'
import type { Frame } from './frame.js'
import { NestWriter, Shared } from './loops.js'
import { NestFacts } from './nest-facts.js'
import type { Nest } from './nests.js'
import { constantExtent } from './ranges.js'
import type { State } from './state.js'

/** Concurrent accumulators: enough to hide latency, few enough for the registers. */
const maxSums = 8
/** The fold's body is repeated per accumulator: above this cost, the code size outweighs the gain. */
const maxCost = 320

/** Unroll-and-jam of the nest, or null where it does not pay. */
export function jammedOf(state: State, nest: Nest): JammedWriter | null {
  const { vectorAxis, innerAxis, lanes, unroll, padded, space } = nest
  if (vectorAxis < 0 || innerAxis < 0 || unroll > 1 || padded) return null
  if (nest.roots.some(root => root.kind !== 'reduce') || extentOf(nest, vectorAxis) !== lanes) return null
  const facts = new NestFacts(state, nest)
  const unchecked = nest.cones
    .flatMap(cone => cone.accesses)
    .every(
      access =>
        access.kind === 'buffer' || (access.kind === 'load' && facts.checksOf(access.node, access.axes).length === 0),
    )
  if (!unchecked) return null
  const cost = nest.cones.reduce((sum, cone) => sum + cone.cost, 1)
  const jammed: number[] = []
  let sums = nest.roots.length
  for (const axis of identityMap(space.length).toReversed()) {
    if (axis === vectorAxis || axis === innerAxis) continue
    const extent = extentOf(nest, axis)
    if (extent === null || extent * sums > maxSums || extent * sums * cost > maxCost) break
    sums *= extent
    jammed.unshift(axis)
  }
  return sums > nest.roots.length ? new JammedWriter(state, nest, jammed) : null
}

/** The indices of an axis that starts at 0 and has a known end. */
function extentOf({ ranges }: Nest, axis: number): number | null {
  const extent = constantExtent(ranges[axis]!)
  return extent === null || extent.lo !== 0 ? null : extent.hi
}

class JammedWriter extends NestWriter {
  /** The frame around the jammed loops. */
  #around: Frame | null = null

  constructor(
    state: State,
    nest: Nest,
    /** The axes that are looped inside the fold, outermost first: the last ones of `outer`. */
    readonly jammed: readonly number[],
  ) {
    super(state, nest)
  }

  /** At the jammed axis, emits its indices side by side (unroll and jam) instead of a loop. */
  protected override openOuter(level: number, frame: Frame): void {
    if (this.outer[level] !== this.jammed[0]) {
      super.openOuter(level, frame)
      return
    }
    this.#around = frame
    const [start, end] = [this.#start, this.state.lanes.index(this.nest.lanes)]
    const points = this.#spread(frame, axes => !axes.includes(this.nest.innerAxis))
    this.block(
      points.flatMap(point => this.units(point, start, end, 1, false)),
      'down',
    )
  }

  get #start(): LaneNode {
    return this.state.lanes.index(0)
  }

  /** Frames for all indices of the jammed axes; accesses that are `wanted` are hoisted as far out as possible. */
  #spread(frame: Frame, wanted: (axes: readonly number[]) => boolean): Frame[] {
    const { lanes } = this.state
    return this.jammed.reduce<Frame[]>(
      (frames, axis, i) => {
        const later = this.jammed.slice(i + 1)
        return frames.flatMap(outer =>
          identityMap(extentOf(this.nest, axis)!).map(at => {
            const inner = this.inside(outer, axis, lanes.index(at))
            const isOpen = (axes: readonly number[]): boolean => axes.every(each => inner.point.at[each] !== null)
            this.prefetch(
              inner,
              axes => wanted(axes) && axes.includes(axis) && !axes.some(each => later.includes(each)) && isOpen(axes),
            )
            return inner
          }),
        )
      },
      [frame],
    )
  }

  /** Loads the operands that all jammed loops share once per step, then those of the inner loops. */
  protected override stepFrames(frames: readonly Frame[], index: LaneNode): readonly Frame[] {
    const { innerAxis, vectorAxis } = this.nest
    const step = this.inside(this.#around!, innerAxis, index)
    const isCommon = (axes: readonly number[]): boolean =>
      axes.includes(innerAxis) && !axes.some(axis => this.jammed.includes(axis))
    this.prefetch(step, axes => isCommon(axes) && !axes.includes(vectorAxis))
    const change = { count: null, checked: false, block: this.#start, unit: 0 }
    const vector = this.inside(step, vectorAxis, this.#start, change)
    this.prefetch(vector, axes => isCommon(axes) && axes.includes(vectorAxis))
    const shared = this.#spread(vector, axes => axes.includes(innerAxis))
    return frames.map((frame, i) => this.inside(new Shared(frame, shared[i]!), innerAxis, index))
  }
}
