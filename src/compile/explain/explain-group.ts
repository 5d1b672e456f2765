/** What became of products that were asked for together: their tiles and work as a whole, and how they run. */
import { evaluateSize, productOf } from '../../scalar/size.js'
import { type GroupEstimates, launchesAmong, type PlanGroup } from '../../schedule/plan/plan.js'
import type { MachineLimits } from '../limits.js'
import type { Stages } from '../pipeline.js'

/** What became of products that were asked for together. */
export interface GroupExplanation {
  /** The strategy that was asked for. */
  readonly asked: PlanGroup['asked']
  /** The one that was taken. */
  readonly strategy: PlanGroup['strategy']
  /** How many. */
  readonly products: number
  /** Program instances of all products. */
  readonly tiles: number
  /** How often these fill the multiprocessors (cores) of the device. */
  readonly waves: number
  /** Read and written at least. */
  readonly bytes: number
  /** Operations of the products; a multiply-add is two. */
  readonly flops: number
  /** Its products are of 16-bit floats. */
  readonly narrowProducts: boolean
  /** Nanoseconds under each strategy, as the cost model has it; null: the sizes were not known when it chose. */
  readonly estimates: GroupEstimates | null
  /** Streams and graphs are a GPU's. */
  readonly inOrder: boolean
  /** What the bytes need at the device's limits; null until limits are given (`against`). */
  readonly byteNanoseconds: number | null
  /** What the arithmetic needs there; null until limits are given. */
  readonly flopNanoseconds: number | null
}

export function explainGroups(
  { plan, target }: Pick<Stages, 'plan' | 'target'>,
  values: ReadonlyMap<string, number>,
  isNarrow: (launch: number) => boolean,
): GroupExplanation[] {
  const { rates } = target.policy
  return plan.groups.map(({ first, count, asked, strategy, estimates }) => {
    const steps = launchesAmong(plan.steps.slice(first, first + count))
    const sum = (of: (step: (typeof steps)[number]) => number): number => steps.reduce((all, step) => all + of(step), 0)
    const tiles = sum(({ grid }) => evaluateSize(productOf(grid), values))
    return {
      asked,
      strategy,
      products: count,
      tiles,
      waves: tiles / rates.units,
      bytes: sum(({ bytes }) => evaluateSize(bytes, values)),
      flops: sum(({ flops }) => evaluateSize(flops, values)),
      narrowProducts: isNarrow(launchesAmong(plan.steps.slice(0, first)).length),
      estimates,
      inOrder: !rates.concurrent && (strategy === 'streams' || strategy === 'graph'),
      byteNanoseconds: null,
      flopNanoseconds: null,
    }
  })
}

/** The same with the time that its work needs at measured limits. */
export function groupAgainst(group: GroupExplanation, limits: MachineLimits): GroupExplanation {
  const bandwidth = Math.max(limits.copyBytesPerNanosecond, limits.readBytesPerNanosecond)
  const { flopsPerNanosecond, matrixFlopsPerNanosecond = flopsPerNanosecond } = limits
  const rate = group.narrowProducts ? matrixFlopsPerNanosecond : flopsPerNanosecond
  return { ...group, byteNanoseconds: group.bytes / bandwidth, flopNanoseconds: group.flops / rate }
}
