/** Times of calls on a device, for choosing among ways to compute the same. */
import type { CudaDevice } from '../runtime/cuda/device.js'
import type { CudaEvent } from '../runtime/cuda/event.js'
import { zeros } from '../tensor/create.js'
import type { Tensor } from '../tensor/tensor.js'
import type { ComputeDevice } from './devices.js'

/** Nanoseconds per call, of so many calls that the clock's own grain does not show. */
export type Stopwatch = (call: () => readonly Tensor[]) => number

/** A sample lasts at least so long, by repeating the call. */
const leastSampleMs = 0.1
/** Calls that are queued before the first is waited for. */
const queuedCalls = 8

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

/**
 * By the device's own clock, and with nothing of the call in the device's cache, as in a program that does something else
 * between two calls.
 */
function onGpu(device: CudaDevice): Stopwatch {
  const { streams } = device
  const other = zeros([(2 * device.facts.l2Bytes) / 4], { dtype: 'i32', device: device.name })
  const event = (): CudaEvent => device.event({ timing: true })
  const pairs = Array.from({ length: queuedCalls }, () => ({ start: event(), end: event() }))
  return call => {
    const { current } = streams
    for (const { start, end } of pairs) {
      other.zero_()
      start.record(current)
      run(call)
      end.record(current)
    }
    const times = pairs.map(({ start, end }) => {
      end.synchronize()
      return end.millisecondsSince(start) * 1e6
    })
    return Math.min(...times)
  }
}

function run(call: () => readonly Tensor[]): void {
  for (const result of call()) result.dispose()
}
