/**
 * Waits for events without blocking the event loop. Most reads finish within microseconds, so an event is first polled
 * between a few iterations of the event loop; then a thread of libuv's pool waits for it (through koffi), which costs
 * nothing on ours. The pool has four threads, which file and DNS access need too: at most two wait, and further events are
 * polled once a millisecond.
 */
import type { CudaContext } from './context.js'
import type { CudaEvent } from './event.js'
import { results } from './results.js'

/** How long an event is polled at each iteration of the event loop, in milliseconds. */
const eagerMs = 0.05
const pollMs = 1
const maxWorkers = 2

interface Waiting {
  readonly event: CudaEvent
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export class EventWaiter {
  readonly #context: CudaContext
  readonly #polled = new Set<Waiting>()
  #workers = 0
  /** False once the driver refused to wait on a thread without the context. */
  #workersAllowed = true
  #timer: NodeJS.Timeout | null = null

  constructor(context: CudaContext) {
    this.#context = context
  }

  /** Resolves when the event's work is done. Rejects with DeviceError when it failed. */
  async wait(event: CudaEvent): Promise<void> {
    const end = performance.now() + eagerMs
    while (!event.done) {
      if (performance.now() > end) return this.#waitLong(event)
      await new Promise(setImmediate)
    }
  }

  #waitLong(event: CudaEvent): Promise<void> {
    return new Promise((resolve, reject) => this.#place({ event, resolve, reject }))
  }

  #place(waiting: Waiting): void {
    if (this.#workersAllowed && this.#workers < maxWorkers) this.#waitOnWorker(waiting)
    else {
      this.#polled.add(waiting)
      this.#timer ??= setInterval(() => this.#poll(), pollMs)
    }
  }

  /** Waits on a worker thread of the native library. */
  #waitOnWorker(waiting: Waiting): void {
    this.#workers++
    this.#context.driver.waitForEvent(waiting.event.handle, result => {
      this.#workers--
      if (result === results.success) {
        waiting.event.markDone()
        waiting.resolve()
      } else if (result === results.invalidContext) {
        this.#workersAllowed = false
        this.#place(waiting)
      } else waiting.reject(this.#context.error(result, 'waiting for work'))
    })
  }

  /** Checks the polled events; stops the timer when none is left. */
  #poll(): void {
    for (const waiting of this.#polled) {
      try {
        if (!waiting.event.done) continue
        waiting.resolve()
      } catch (error) {
        waiting.reject(error)
      }
      this.#polled.delete(waiting)
    }
    if (this.#polled.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
