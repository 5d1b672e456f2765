/**
 * How long a group of products takes under each strategy, as far as its tiles tell: what `auto` chooses by. The rates are
 * round numbers of one multiprocessor or core of the usual kind, for packed operands; the choice rests on how tiles fill
 * the machine and on what launches cost. On an H200 four groups of NVFP4 took 22 to 211 µs in a graph's branches, and up to
 * 3 % longer in one kernel whose blocks claim tiles.
 */
import { productOf } from '../../scalar/size.js'
import type { ChosenStrategy, GroupEstimates, LaunchStep } from '../plan/plan.js'
import type { GroupRates } from '../policy.js'

interface Work {
  readonly tiles: number
  /** Nanoseconds that a unit works on one of them. */
  readonly each: number
}

/** null: the sizes are only known at the launch. */
export function estimateGroup(steps: readonly LaunchStep[], rates: GroupRates): GroupEstimates | null {
  const works = steps.map(step => workOf(step, rates))
  if (!works.every(work => work !== null)) return null
  const { units } = rates
  const apart = works.reduce((sum, { tiles, each }) => sum + Math.ceil(tiles / units) * each, 0)
  const together = makespan(works, units)
  const side = rates.concurrent ? together : apart
  const count = steps.length
  return {
    sequential: apart + count * rates.launch,
    streams: side + count * rates.fork,
    graph: side + count * rates.node + rates.graph,
    persistent: together * rates.claiming + rates.persistentLaunches * rates.launch,
  }
}

/** Up to this many tiles it is worked out who does which; beyond, the last ones matter little. */
const maxTiles = 4096

/** When the last unit is done: each takes the next tile, the longest first, when it has finished one. */
function makespan(works: readonly Work[], units: number): number {
  const longestFirst = works.toSorted((a, b) => b.each - a.each)
  const total = works.reduce((sum, { tiles, each }) => sum + tiles * each, 0)
  if (works.reduce((sum, { tiles }) => sum + tiles, 0) > maxTiles) return total / units + longestFirst[0]!.each / 2
  const busy = new Float64Array(units)
  for (const { tiles, each } of longestFirst) {
    for (let tile = 0; tile < tiles; tile++) {
      let next = 0
      for (let unit = 1; unit < units; unit++) if (busy[unit]! < busy[next]!) next = unit
      busy[next]! += each
    }
  }
  return busy.reduce((a, b) => Math.max(a, b))
}

function workOf({ grid, flops, bytes }: LaunchStep, rates: GroupRates): Work | null {
  const tiles = productOf(grid)
  if (typeof tiles !== 'number' || typeof flops !== 'number' || typeof bytes !== 'number') return null
  const [compute, memory] = [flops / rates.flopsPerNanosecond, bytes / rates.bytesPerNanosecond]
  return { tiles, each: Math.max(compute, memory) / tiles }
}

/** The least of the estimates; without any, one kernel where there are several. */
export function bestStrategy(estimates: GroupEstimates | null, count: number): ChosenStrategy {
  if (count === 1) return 'sequential'
  if (estimates === null) return 'persistent'
  const strategies = Object.keys(estimates) as ChosenStrategy[]
  return strategies.reduce((best, each) => (estimates[each] < estimates[best] ? each : best))
}
