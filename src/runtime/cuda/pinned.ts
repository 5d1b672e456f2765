/**
 * Page-locked host memory, for asynchronous copies by the device. Buffers are reused, since locking pages costs
 * milliseconds. Callers must not keep views of one: its memory is freed.
 */
import { formatBytes } from '../../base/units.js'
import { viewOf } from '../native.js'
import { relaxed } from './capture-mode.js'
import type { CudaContext } from './context.js'
import { CudaEvent } from './event.js'

/** CU_MEMHOSTALLOC_PORTABLE: for all devices. */
const portable = 1
const minBytes = 64 * 1024
const defaultCacheLimit = 256 * 1024 * 1024

export interface PinnedBuffer {
  readonly address: number
  readonly bytes: Uint8Array
  /** The event after which the device is done with it, set by its user. */
  readonly event: CudaEvent
}

export class PinnedPool {
  readonly #context: CudaContext
  readonly #cacheLimit: number
  readonly #free = new Map<number, PinnedBuffer[]>()
  #heldBytes = 0
  #cachedBytes = 0

  constructor(context: CudaContext, cacheLimitBytes = defaultCacheLimit) {
    this.#context = context
    this.#cacheLimit = cacheLimitBytes
  }

  /** Bytes locked now, those kept for reuse included. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  get cachedBytes(): number {
    return this.#cachedBytes
  }

  /** A buffer of at least `bytes`. Throws DeviceError when the system locks no more. */
  take(bytes: number): PinnedBuffer {
    const size = sizeClass(bytes)
    const reused = this.#free.get(size)?.pop()
    if (reused !== undefined) {
      this.#cachedBytes -= size
      return reused
    }
    const context = this.#context
    const call = context.enter()
    const result = relaxed(context, () => call.cuMemHostAlloc(context.out.address, size, portable))
    context.check(result, `locking ${formatBytes(size)} of host memory for copies`)
    this.#heldBytes += size
    const address = context.out.get(0)
    return { address, bytes: new Uint8Array(viewOf(address, size)), event: new CudaEvent(context) }
  }

  /** Takes a buffer back that no queued copy uses any more. */
  give(buffer: PinnedBuffer): void {
    const size = buffer.bytes.length
    if (this.#cachedBytes + size > this.#cacheLimit && !this.#context.capturing) {
      this.#heldBytes -= size
      this.#context.check(this.#context.enter().cuMemFreeHost(buffer.address), 'unlocking host memory')
      return
    }
    this.#cachedBytes += size
    const list = this.#free.get(size)
    if (list === undefined) this.#free.set(size, [buffer])
    else list.push(buffer)
  }
}

/** The next power of two. */
const sizeClass = (bytes: number): number => Math.max(minBytes, 2 ** Math.ceil(Math.log2(Math.max(1, bytes))))
