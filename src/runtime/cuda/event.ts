/** Events in a stream's work: to order streams, to know when work is done, and to time it on the device. */
import type { CudaContext } from './context.js'
import { results } from './results.js'

/** CUevent_flags */
const blockingSync = 1
const disableTiming = 2
/** How long a synchronous wait polls before it sleeps. */
const askingMs = 0.1

export interface EventOptions {
  /** Record times, for `millisecondsSince`. */
  readonly timing?: boolean
}

/** What an event needs to know of a stream. */
export interface RecordedStream {
  readonly handle: number
  readonly id: number
}

/** Unreachable events are destroyed. */
const unreachable = new FinalizationRegistry<{ context: CudaContext; handle: number }>(({ context, handle }) => {
  context.letGo(() => context.enter().cuEventDestroy(handle))
})

export class CudaEvent {
  readonly handle: number
  #mark = 0
  #stream = -1
  #known = false

  constructor(
    readonly context: CudaContext,
    { timing = false }: EventOptions = {},
  ) {
    // A blocking wait makes the device raise an interrupt, which would disturb timings.
    const flags = timing ? 0 : blockingSync | disableTiming
    context.check(context.enter().cuEventCreate(context.out.address, flags), 'making an event')
    this.handle = context.out.get(0)
    unreachable.register(this, { context, handle: this.handle })
  }

  /** Marks all work queued on `stream` until now. Recording again moves it. */
  record(stream: RecordedStream): void {
    const { context } = this
    context.check(context.enter().cuEventRecord(this.handle, stream.handle), 'recording an event')
    this.#mark = context.launches.mark
    this.#stream = stream.id
    this.#known = false
  }

  /** Whether the work before it is done (an event that was never recorded is). Throws DeviceError when it failed. */
  get done(): boolean {
    if (this.#known || this.#stream < 0) return true
    const { context } = this
    context.refuseInCapture('asking whether work is done')
    const result = context.enter().cuEventQuery(this.handle)
    if (result === results.notReady) return false
    context.check(result, 'asking whether work is done')
    this.markDone()
    return true
  }

  /**
   * Blocks this thread: polls first, since short work is done at once, then sleeps (waking up takes as long as many small
   * reads). Throws DeviceError when the work failed.
   */
  synchronize(): void {
    const { context } = this
    if (this.#known) return
    context.refuseInCapture('waiting for work')
    const end = performance.now() + askingMs
    do {
      if (this.done) return
    } while (performance.now() < end)
    context.check(context.enter().cuEventSynchronize(this.handle), 'waiting for work')
    this.markDone()
  }

  /** Call after having waited for it by other means. */
  markDone(): void {
    this.#known = true
    if (this.#stream >= 0) this.context.launches.done(this.#mark, this.#stream)
  }

  /** Time on the device between `start` and this; both were made with `timing` and are done. */
  millisecondsSince(start: CudaEvent): number {
    const { context } = this
    const result = context.enter().cuEventElapsedTime(context.out.address, start.handle, this.handle)
    context.check(result, 'taking the time between two events')
    return new Float32Array(context.out.buffer)[0]!
  }
}
