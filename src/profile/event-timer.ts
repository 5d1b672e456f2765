/** Timing by GPU events around a call, optionally after flushing the L2 cache. */
import type { CudaBlock } from '../runtime/cuda/block.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import type { CudaEvent } from '../runtime/cuda/event.js'
import { empty } from '../tensor/create.js'
import type { Tensor } from '../tensor/tensor.js'

/** Bytes that are overwritten to flush the L2 cache: four times the largest L2. */
const flushBytes = 256 * 2 ** 20

export class EventTimer {
  readonly gpu: CudaDevice
  readonly #start: CudaEvent
  readonly #end: CudaEvent
  /** The memory that a flush overwrites; null until it is needed. */
  #flushed: Tensor | null = null

  constructor(gpu: CudaDevice) {
    this.gpu = gpu
    this.#start = gpu.event({ timing: true })
    this.#end = gpu.event({ timing: true })
  }

  /**
   * Nanoseconds from when the device is ready for the call until it has finished the work. While the flush keeps the device
   * busy, a short call is queued completely, so its launch overhead is not measured. Throws DeviceError when the work failed.
   */
  sample(call: () => unknown, flush: boolean): number {
    if (flush) this.#flush()
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

  /** Allocates the memory for a flush; call it outside of the scope in which samples are taken. */
  prepareFlush(): void {
    this.#flushed ??= empty([flushBytes / 4], { dtype: 'i32', device: this.gpu.name })
  }

  #flush(): void {
    this.prepareFlush()
    this.#flushed?.zero_()
  }

  /** Frees the timer's memory. */
  dispose(): void {
    this.#flushed?.dispose()
    this.#flushed = null
  }
}
