/**
 * Times of kernels on a GPU by events recorded around them, read when the work is done: where there is no CUPTI. A plan runs as a
 * CUDA graph of its own, one kernel after another.
 */
import type { PlanRun } from '../compile/execute/run-observer.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import type { CudaEvent } from '../runtime/cuda/event.js'
import type { StepList } from '../runtime/cuda/steps.js'
import type { TimedGraph } from '../runtime/cuda/timed-graph.js'
import { measureEventCost } from './cuda-limits.js'
import type { DeviceTime, KernelClock, TakeTime } from './kernel-clock.js'

/** Queued work and who wants to know its times: of the work between each two of its events. */
interface Pending {
  readonly events: readonly CudaEvent[]
  readonly take: (times: readonly DeviceTime[]) => void
}

/** Graphs of one list, used in turn, so that a launch need not wait for the one before it. */
interface Ring {
  readonly graphs: TimedGraph[]
  /** What is to be told of each graph's last launch; null: nothing. */
  readonly pending: (Pending | null)[]
  next: number
}

/** Short lists, as of eager ops, are launched often in a row. */
const ringOf = (steps: number): number => (steps <= 4 ? 16 : 2)

const costs = new WeakMap<CudaDevice, number>()
/** A kernel's time is not taken to be less than this share of what its events say. */
const leastShare = 0.25

export class EventClock implements KernelClock {
  readonly dividesGraphs = false
  readonly #base: CudaEvent
  readonly #rings = new Map<StepList, Ring>()
  /** Events that may be recorded again. */
  readonly #free: CudaEvent[] = []
  #pending: Pending[] = []
  readonly #cost: number

  /** Its zero is now: waits until the device has nothing to do. */
  constructor(readonly gpu: CudaDevice) {
    this.#cost = costs.get(gpu) ?? measureEventCost(gpu)
    costs.set(gpu, this.#cost)
    this.#base = gpu.event({ timing: true })
    gpu.synchronize()
    this.#base.record(gpu.streams.current)
    this.#base.synchronize()
  }

  plan(gpu: CudaDevice, { machine, first, end }: PlanRun, steps: StepList, takes: readonly TakeTime[]): void {
    if (first === 0 && end === steps.length) {
      this.#runSteps(steps, times => {
        for (const [i, time] of times.entries()) takes[i]!(time)
      })
      return
    }
    for (const [i, take] of takes.entries()) {
      const at = first + i
      this.kernels(gpu, [], () => machine.runSome(at, at + 1), [take])
    }
  }

  kernels(_gpu: CudaDevice, _names: readonly string[], run: () => void, [take]: readonly TakeTime[]): void {
    const { current } = this.gpu.streams
    const events = [0, 1].map(() => this.#free.pop() ?? this.gpu.event({ timing: true }))
    events[0]!.record(current)
    run()
    events[1]!.record(current)
    this.#pending.push({ events, take: ([time]) => take!(time!) })
  }

  /** Queues a list's steps on the current stream, one after another. `take` gets the times of each, when they are read. */
  #runSteps(list: StepList, take: Pending['take']): void {
    const ring = this.#rings.get(list) ?? { graphs: [], pending: [], next: 0 }
    this.#rings.set(list, ring)
    const at = ring.next
    ring.next = (at + 1) % ringOf(list.length)
    ring.graphs[at] ??= this.gpu.timedGraph(list)
    const graph = ring.graphs[at]
    if (ring.pending[at] != null) {
      graph.synchronize()
      this.#tell(ring.pending[at])
    }
    graph.launch(this.gpu.streams.current)
    ring.pending[at] = { events: graph.events, take }
  }

  read(): number {
    this.gpu.synchronize()
    for (const ring of this.#rings.values()) {
      for (const [at, pending] of ring.pending.entries()) {
        if (pending !== null) this.#tell(pending)
        ring.pending[at] = null
      }
    }
    for (const pending of this.#pending) {
      this.#tell(pending)
      this.#free.push(...pending.events)
    }
    this.#pending = []
    return 0
  }

  end(): void {}

  #tell({ events, take }: Pending): void {
    take(
      events.slice(1).map((end, i): DeviceTime => {
        const start = events[i]!
        const between = end.millisecondsSince(start) * 1e6
        const duration = Math.max(between - this.#cost, leastShare * between)
        return { start: start.millisecondsSince(this.#base) * 1e6, duration, alone: duration }
      }),
    )
  }
}
