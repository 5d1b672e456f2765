/** Times on the device, taken as the peer takes its own: events around each call, caches emptied in between, the median. */
import type { Tensor } from 'tegula'
import { empty } from 'tegula'
import type { CudaBlock } from '../../src/runtime/cuda/block.js'
import { type CudaDevice, cudaDevice } from '../../src/runtime/cuda/device.js'
import type { CudaEvent } from '../../src/runtime/cuda/event.js'

const flushBytes = 256 * 2 ** 20

export interface TimingOptions {
  /** Empty the L2 cache before each call. Default true. */
  readonly flush?: boolean
  readonly warmup?: number
  readonly repeats?: number
}

export class DeviceTimer {
  readonly device: CudaDevice = cudaDevice()
  readonly #flush: Tensor = empty([flushBytes / 4], { dtype: 'i32', device: 'cuda' })
  readonly #start: CudaEvent = this.device.event({ timing: true })
  readonly #end: CudaEvent = this.device.event({ timing: true })

  /** Microseconds of one call on the device: the median. */
  time(call: () => void, { flush = true, warmup = 10, repeats = 50 }: TimingOptions = {}): number {
    for (let i = 0; i < warmup; i++) call()
    this.device.synchronize()
    const times = Array.from({ length: repeats }, () => {
      if (flush) this.#flush.zero_()
      const stream = this.device.streams.current
      this.#start.record(stream)
      call()
      this.#end.record(stream)
      this.#end.synchronize()
      return this.#end.millisecondsSince(this.#start) * 1000
    })
    return median(times)
  }

  /** Microseconds of a copy by the driver that moves as many bytes, read and written together. */
  copy(bytes: number, options: TimingOptions = {}): number {
    const { memory, transfers, streams } = this.device
    const half = Math.floor(bytes / 2)
    const [from, to] = [memory.allocate(half), memory.allocate(half)] as CudaBlock[]
    const us = this.time(() => transfers.copy(to!, 0, from!, 0, half, streams.current), options)
    for (const block of [from, to]) memory.release(block!)
    return us
  }

  /** Microseconds per call of many in a row, on the clock of the host: what a program sees. */
  throughput(call: () => void, calls = 500): number {
    for (let i = 0; i < 50; i++) call()
    this.device.synchronize()
    const rounds = Array.from({ length: 7 }, () => {
      const started = performance.now()
      for (let i = 0; i < calls; i++) call()
      this.device.synchronize()
      return ((performance.now() - started) * 1000) / calls
    })
    return median(rounds)
  }
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
