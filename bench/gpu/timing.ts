/** Times on the device, measured as the peer measures its own: events around each call, L2 flushed in between, the median. */
import { scope } from 'tegula'
import { CacheFlusher } from '../../src/profile/cache-flusher.js'
import { EventTimer } from '../../src/profile/event-timer.js'
import { middle } from '../../src/profile/timing.js'
import { type CudaDevice, cudaDevice } from '../../src/runtime/cuda/device.js'

export interface TimingOptions {
  /** Empty the L2 cache before each call. Default true. */
  readonly flush?: boolean
  readonly warmup?: number
  readonly repeats?: number
}

/** A GPU is slower after idling, for both sides: calls run for this long before they are timed. */
const warmMs = 100

export class DeviceTimer {
  readonly device: CudaDevice = cudaDevice()
  readonly #timer = new EventTimer(this.device)
  readonly #flusher = new CacheFlusher(this.device)

  /** Median microseconds of one call on the device. */
  time(call: () => void, { flush = true, warmup = 10, repeats = 50 }: TimingOptions = {}): number {
    const started = performance.now()
    for (let i = 0; i < warmup || performance.now() - started < warmMs; i++) {
      scope(() => void call())
      this.device.synchronize()
    }
    // Tensors created by a call are freed after the clock has stopped.
    const sample = (): number => scope(() => ({ time: this.#timer.sample(call, flush ? this.#flusher : null) })).time
    return middle(Array.from({ length: repeats }, sample)) / 1000
  }

  /** Microseconds of a driver copy that moves as many bytes, read and written in total. */
  copy(bytes: number, options: TimingOptions = {}): number {
    return this.#timer.ofCopy(bytes, copy => this.time(copy, options))
  }

  /** Microseconds per call of many in a row, on the host's clock: the time that a program sees. */
  throughput(call: () => void, calls = 500): number {
    for (let i = 0; i < 50; i++) call()
    this.device.synchronize()
    const rounds = Array.from({ length: 7 }, () => {
      const started = performance.now()
      for (let i = 0; i < calls; i++) call()
      this.device.synchronize()
      return ((performance.now() - started) * 1000) / calls
    })
    return middle(rounds)
  }
}
