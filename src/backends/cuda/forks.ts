/**
 * Runs steps of which some are independent: each of those runs on a separate stream of the pool, forked from the current one
 * and joined again. In a capture they become branches of the graph.
 */
import { type StepList, StepRange } from '../../runtime/cuda/steps.js'
import type { StreamSet } from '../../runtime/cuda/stream.js'
import type { PlanGroup } from '../../schedule/plan/plan.js'

interface Phase {
  readonly ranges: readonly StepRange[]
  /** The ranges run concurrently; otherwise there is one range. */
  readonly forked: boolean
}

export class ForkedSteps {
  readonly #phases: readonly Phase[]

  /** Of the list's steps, those from `begin` up to `stop`; default: all. */
  constructor(
    readonly streams: StreamSet,
    list: StepList,
    groups: readonly PlanGroup[],
    begin = 0,
    stop = list.length,
  ) {
    const phases: Phase[] = []
    let at = begin
    const inOrder = (end: number): void => {
      if (end > at) phases.push({ ranges: [new StepRange(list, at, end)], forked: false })
    }
    for (const { first, count } of groups) {
      if (first < begin || first >= stop) continue
      inOrder(first)
      const ranges = Array.from({ length: count }, (_, i) => new StepRange(list, first + i, first + i + 1))
      phases.push({ ranges, forked: true })
      at = first + count
    }
    inOrder(stop)
    this.#phases = phases
  }

  /** Queues the steps; work queued on the current stream afterwards waits for all of them. Throws DeviceError. */
  run(): void {
    const { current } = this.streams
    for (const { ranges, forked } of this.#phases) {
      if (!forked) for (const range of ranges) range.run(current)
      else this.#fork(ranges)
    }
  }

  /** Runs step ranges concurrently on streams of their own, then joins them to the current stream. */
  #fork(ranges: readonly StepRange[]): void {
    const { streams } = this
    const { current } = streams
    const used = ranges.map(() => streams.next())
    try {
      for (const [i, range] of ranges.entries()) {
        used[i]!.waitFor(current)
        range.run(used[i]!)
      }
    } finally {
      for (const stream of used) current.waitFor(stream)
    }
  }
}
