/** Timing by GPU events around a call, optionally after flushing the L2 cache. */
import type { CudaBlock } from '../runtime/cuda/block.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import type { CudaEvent } from '../runtime/cuda/event.js'
import type { CacheFlusher } from './cache-flusher.js'

export class EventTimer {
  readonly gpu: CudaDevice
  readonly #start: CudaEvent
  readonly #end: CudaEvent

  constructor(gpu: CudaDevice) {
    this.gpu = gpu
    this.#start = gpu.event({ timing: true })
    this.#end = gpu.event({ timing: true })
  }

  /**
   * Nanoseconds from when the device is ready for the call until it has finished the work. While the flush keeps the device
   * busy, a short call is queued completely, so its launch overhead is not measured. Throws DeviceError when the work failed.
   */
  sample(call: () => unknown, flusher: CacheFlusher | null): number {
    flusher?.flush()
    const { current } = this.gpu.streams
    this.#start.record(current)
    call()
    this.#end.record(current)
    this.#end.synchronize()
    return this.#end.millisecondsSince(this.#start) * 1e6
  }

  /** What `measure` returns for a copy by the driver that moves so many bytes, read and written in total. */
  ofCopy<R>(bytes: number, measure: (copy: () => void) => R): R {
    const { memory, transfers, streams } = this.gpu
    const half = Math.floor(bytes / 2)
    const [from, to] = [memory.allocate(half), memory.allocate(half)] as [CudaBlock, CudaBlock]
    try {
      return measure(() => transfers.copy(to, 0, from, 0, half, streams.current))
    } finally {
      for (const block of [from, to]) memory.release(block)
    }
  }
}
