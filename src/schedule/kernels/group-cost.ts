/**
 * Cost model of grouped launches, with which `auto` chooses a strategy. The rates are rough ones of one multiprocessor or
 * core, for packed operands; the choice depends on wave quantisation and on launch costs. On an H200 four groups of NVFP4
 * took 22 to 211 µs as branches of a graph, and up to 3 % longer in one persistent kernel.
 */
import { productOf } from '../../scalar/size.js'
import type { ChosenStrategy, GroupEstimates, LaunchStep } from '../plan/plan.js'
import type { GroupRates } from '../policy.js'

interface Work {
  readonly tiles: number
  /** Nanoseconds per tile on one unit. */
  readonly each: number
}

/** null: sizes are known only at the launch. */
export function estimateGroup(steps: readonly LaunchStep[], rates: GroupRates): GroupEstimates | null {
  const works = steps.map(step => workOf(step, rates))
  if (!works.every(work => work !== null)) return null
  const { units } = rates
  const sequential = works.reduce((sum, { tiles, each }) => sum + Math.ceil(tiles / units) * each, 0)
  const concurrent = makespan(works, units)
  const overlapped = rates.concurrent ? concurrent : sequential
  const count = steps.length
  return {
    sequential: sequential + count * rates.launch,
    streams: overlapped + count * rates.fork,
    graph: overlapped + count * rates.node + rates.graph,
    persistent: concurrent * rates.claiming + rates.persistentLaunches * rates.launch,
  }
}

/** Up to this many tiles the schedule is simulated; above, the last wave matters little. */
const maxTiles = 4096

/** When the last unit finishes, if each takes the next tile, the longest first, as soon as it is free. */
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

/** The cheapest strategy; without estimates, one persistent kernel for several matmuls. */
export function bestStrategy(estimates: GroupEstimates | null, count: number): ChosenStrategy {
  if (count === 1) return 'sequential'
  if (estimates === null) return 'persistent'
  const strategies = Object.keys(estimates) as ChosenStrategy[]
  return strategies.reduce((best, each) => (estimates[each] < estimates[best] ? each : best))
}
