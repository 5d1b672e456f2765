/**
 * Streams: queues of work that the device runs in order. Work on two streams is ordered by events only. A stream counts
 * what was queued on it, so that waiting for another stream twice without new work in between costs nothing.
 */
import { ArgumentError, CaptureError, InternalError } from '../../base/errors.js'
import { requireSynchronous } from '../../base/synchronous.js'
import type { CudaContext } from './context.js'
import { CudaEvent } from './event.js'
import type { Launcher } from './launch-log.js'
import type { PinnedBuffer } from './pinned.js'
import { results } from './results.js'

/** CU_STREAM_NON_BLOCKING: not ordered with the legacy default stream. */
const nonBlocking = 1

/** A capture, which several streams may join. */
export interface CaptureState {
  /** The streams whose work is captured now. */
  readonly streams: Set<CudaStream>
  /** Work queued before the capture began; captured work runs after it anyway. */
  isBefore(stream: CudaStream): boolean
  /** Captured work of `launcher`: it must stay loaded, and a failing replay names it. */
  launched(launcher: Launcher): void
  /** Runs `body` when the capture ends, on the stream that it was made on. */
  afterwards(body: () => void): void
  /** A host buffer that each replay copies from again. */
  keepBuffer(buffer: PinnedBuffer): void
}

export class CudaStream {
  readonly handle: number
  /** Incremented with each piece of work queued here. */
  ticket = 0
  /** The capture that takes this stream's work, or null. */
  capture: CaptureState | null = null
  /** Tickets of other streams that this one already waits for. */
  readonly #waited = new Map<CudaStream, number>()
  #fence: CudaEvent | null = null

  constructor(
    readonly context: CudaContext,
    /** Small number, for the log of launches. */
    readonly id: number,
  ) {
    context.check(context.enter().cuStreamCreate(context.out.address, nonBlocking), 'making a stream')
    this.handle = context.out.get(0)
  }

  /** Call after queueing work. `launcher`: what to name when it fails; null for copies. */
  queued(launcher: Launcher | null): void {
    this.ticket++
    if (launcher === null) return
    if (this.capture !== null) {
      this.capture.launched(launcher)
      return
    }
    this.context.launches.record(launcher, this.id)
    if (this.context.synchronous) this.synchronize()
  }

  /** Work queued here from now on runs after what is queued on `other` now, or after its first `ticket` pieces of work. */
  waitFor(other: CudaStream, ticket = other.ticket): void {
    if (other === this || (this.#waited.get(other) ?? 0) >= ticket) return
    if (other.context !== this.context) throw new ArgumentError('waitFor: the streams are on different devices')
    if (this.capture !== null && other.capture === null && this.#isOutside(other, this.capture)) return
    other.#fence ??= new CudaEvent(this.context)
    other.#fence.record(other)
    this.wait(other.#fence)
    this.#waited.set(other, other.ticket)
    if (other.capture !== null && this.capture === null) this.#join(other.capture)
  }

  /** Joins the capture of `other`, in order after its work. */
  join(other: CudaStream): void {
    this.#waited.delete(other)
    this.waitFor(other, Number.POSITIVE_INFINITY)
  }

  /** Work queued here from now on runs after the event. */
  wait(event: CudaEvent): void {
    const { context } = this
    context.check(context.enter().cuStreamWaitEvent(this.handle, event.handle, 0), 'ordering two streams')
    this.ticket++ // whoever waits for this stream now waits for more than before
  }

  /** Whether all queued work is done. */
  get idle(): boolean {
    this.context.refuseInCapture('asking whether a stream is done')
    const result = this.context.enter().cuStreamQuery(this.handle)
    if (result === results.notReady) return false
    this.context.check(result, 'asking whether a stream is done')
    return true
  }

  /** Waits on this thread for all queued work. Throws DeviceError when it failed, CaptureError inside a capture. */
  synchronize(): void {
    this.context.refuseInCapture('waiting for a stream')
    const { context } = this
    const { mark } = context.launches
    context.check(context.enter().cuStreamSynchronize(this.handle), 'waiting for a stream')
    context.launches.done(mark, this.id)
  }

  /** Leaves its capture. Waits inside it do not order work outside. */
  leave(): void {
    this.capture = null
    this.#waited.clear()
  }

  #join(capture: CaptureState): void {
    this.capture = capture
    capture.streams.add(this)
  }

  #isOutside(other: CudaStream, capture: CaptureState): boolean {
    if (capture.isBefore(other)) return true
    throw new CaptureError('captureGraph: captured work would wait for work that was queued outside the capture', {
      fix: 'queue that work before captureGraph, or on a stream that takes part in it',
    })
  }
}

/** More streams gain nothing; callers get the same ones again. */
const poolSize = 32

/** A device's streams: the main one, the current one, and a pool. */
export class StreamSet {
  readonly main: CudaStream
  readonly #context: CudaContext
  readonly #all: CudaStream[]
  #current: CudaStream
  #next = 0
  /** The capture in progress, or null. */
  capture: CaptureState | null = null

  constructor(context: CudaContext) {
    this.#context = context
    this.main = new CudaStream(context, 0)
    this.#current = this.main
    this.#all = [this.main]
  }

  /** The default stream: of work that names no other. */
  get current(): CudaStream {
    return this.#current
  }

  get all(): readonly CudaStream[] {
    return this.#all
  }

  /** A stream of the pool, round-robin; created at the first use. */
  next(): CudaStream {
    const index = 1 + (this.#next++ % poolSize)
    if (index > this.#all.length) throw new InternalError(`stream ${index} of ${this.#all.length}`)
    this.#all[index] ??= new CudaStream(this.#context, index)
    return this.#all[index]
  }

  /**
   * Runs `body` with `stream` as the current one, which joins a capture in progress. Throws ArgumentError when `body`
   * returns a promise: the current stream applies only until `body` returns.
   */
  run<R>(stream: CudaStream, body: () => R): R {
    const outer = this.#current
    if (outer.capture !== null && stream.capture === null) stream.join(outer)
    this.#current = stream
    try {
      return requireSynchronous(
        body(),
        what =>
          new ArgumentError(`withStream: its function returned ${what}`, {
            fix: 'use a synchronous function; after an await, call withStream again for the next part',
          }),
      )
    } finally {
      this.#current = outer
    }
  }

  /** Work queued on `stream` from now on runs after all work queued on this device until now. */
  joinAll(stream: CudaStream): void {
    for (const other of this.#all) stream.waitFor(other)
  }
}
