/** Explains groups of independent GEMMs: their total tiles and work, and how they run. */
import { evaluateSize, productOf } from '../../scalar/size.js'
import { type GroupEstimates, launchesAmong, type PlanGroup } from '../../schedule/plan/plan.js'
import type { MachineLimits } from '../limits.js'
import type { Stages } from '../pipeline.js'

/** A group of independent GEMMs. */
export interface GroupExplanation {
  /** The requested strategy. */
  readonly asked: PlanGroup['asked']
  /** The strategy in use. */
  readonly strategy: PlanGroup['strategy']
  /** Number of GEMMs. */
  readonly products: number
  /** Program instances of all GEMMs. */
  readonly tiles: number
  /** Tiles per multiprocessor (CPU core) of the device. */
  readonly waves: number
  /** Minimum bytes read and written. */
  readonly bytes: number
  /** Operations of the GEMMs; a multiply-add is two. */
  readonly flops: number
  /** Its dots run on tensor cores; as `KernelExplanation.narrowProducts`. */
  readonly narrowProducts: boolean
  /** The cost model's nanoseconds for each strategy; null: the sizes were unknown. */
  readonly estimates: GroupEstimates | null
  /** The strategy needs streams or graphs and the device has none, so the GEMMs run one after another. */
  readonly inOrder: boolean
  /** Time to move the bytes at the device's bandwidth; null until limits are given (`against`). */
  readonly byteNanoseconds: number | null
  /** Time of the arithmetic at the device's peak rate; null until limits are given. */
  readonly flopNanoseconds: number | null
}

/** Tiles, waves, work and the choice of strategy for each group of launches. */
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

/** The explanation with the times that its work needs at measured limits. */
export function groupAgainst(group: GroupExplanation, limits: MachineLimits): GroupExplanation {
  const bandwidth = Math.max(limits.copyBytesPerNanosecond, limits.readBytesPerNanosecond)
  const { flopsPerNanosecond, matrixFlopsPerNanosecond = flopsPerNanosecond } = limits
  const rate = group.narrowProducts ? matrixFlopsPerNanosecond : flopsPerNanosecond
  return { ...group, byteNanoseconds: group.bytes / bandwidth, flopNanoseconds: group.flops / rate }
}
