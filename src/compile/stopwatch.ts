/** Times of calls on a device, for choosing among ways to compute the same. */
import type { CudaDevice } from '../runtime/cuda/device.js'
import type { Tensor } from '../tensor/tensor.js'
import type { ComputeDevice } from './devices.js'

/** Nanoseconds per call, of so many calls that the clock's own grain does not show. */
export type Stopwatch = (call: () => readonly Tensor[]) => number

/** A sample lasts at least so long, by repeating the call. */
const leastSampleMs = 0.1
/** Calls queued between two events: the first ones hide what queueing costs. */
const queuedCalls = 10

export const stopwatchOf = (device: ComputeDevice): Stopwatch => (device.kind === 'cpu' ? onThisThread : onGpu(device))

const onThisThread: Stopwatch = call => {
  let calls = 0
  const started = performance.now()
  for (;;) {
    run(call)
    calls++
    const passed = performance.now() - started
    if (passed > leastSampleMs) return (passed * 1e6) / calls
  }
}

/** By the device's own clock, behind a call that keeps it busy while the others are queued. */
function onGpu(device: CudaDevice): Stopwatch {
  const [start, end] = [device.event({ timing: true }), device.event({ timing: true })]
  return call => {
    const { current } = device.streams
    run(call)
    start.record(current)
    for (let i = 0; i < queuedCalls; i++) run(call)
    end.record(current)
    end.synchronize()
    return (end.millisecondsSince(start) * 1e6) / queuedCalls
  }
}

function run(call: () => readonly Tensor[]): void {
  for (const result of call()) result.dispose()
}
