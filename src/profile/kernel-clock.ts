/** What times the kernels of a GPU while a profiler records. */
import type { PlanRun } from '../compile/execute/run-observer.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import type { StepList } from '../runtime/cuda/steps.js'

/** When a kernel ran: nanoseconds, on the GPU's clock since the clock was made. */
export interface DeviceTime {
  readonly start: number
  readonly duration: number
  /** Of the duration: while no kernel ran that had begun earlier. */
  readonly alone: number
}

/** Is given a kernel's time, if it ran; when the clock is read. */
export type TakeTime = (time: DeviceTime) => void

export interface KernelClock {
  /** Whether it tells the kernels of a captured graph apart. */
  readonly dividesGraphs: boolean
  /** Runs launches of a plan, whose steps are `steps`. `takes`: one for each launch from `first` up to `end`. */
  plan(gpu: CudaDevice, run: PlanRun, steps: StepList, takes: readonly TakeTime[]): void
  /** Runs what launches kernels of these names on the current stream; one that divides no graphs takes the time of one. */
  kernels(gpu: CudaDevice, names: readonly string[], run: () => void, takes: readonly TakeTime[]): void
  /** Waits for the devices, gives all times that are due, and ends. Returns of how many kernels there is none. */
  read(): number
  /** Ends without giving times. */
  end(): void
}

/** Kernels may overlap: each moment counts for the one that began first. In the order given. */
export function timesAlone(spans: readonly { readonly start: number; readonly end: number }[]): number[] {
  const alone = new Array<number>(spans.length).fill(0)
  let counted = Number.NEGATIVE_INFINITY
  for (const i of [...spans.keys()].sort((a, b) => spans[a]!.start - spans[b]!.start)) {
    const { start, end } = spans[i]!
    alone[i] = Math.max(0, end - Math.max(start, counted))
    counted = Math.max(counted, end)
  }
  return alone
}
