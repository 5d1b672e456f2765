/**
 * Copies between JavaScript and the device in chunks through page-locked memory, so that the CPU's and the device's copies
 * overlap. Reading never blocks the event loop, except in methods named Sync.
 */
import { CaptureError, DeviceError } from '../../base/errors.js'
import { addressOf, adviseHuge } from '../native.js'
import type { CudaBlock } from './block.js'
import type { CudaContext } from './context.js'
import type { CudaAllocator } from './memory.js'
import type { PinnedBuffer, PinnedPool } from './pinned.js'
import type { CaptureState, CudaStream } from './stream.js'
import type { EventWaiter } from './wait.js'

const chunkBytes = 4 << 20
/** Chunks in flight at a time. */
const depth = 3
const hugeBytes = 4 << 20

/** A chunk that the device works on. */
interface Flight {
  readonly buffer: PinnedBuffer
  readonly offset: number
  readonly bytes: number
}

export class Transfers {
  readonly #context: CudaContext
  readonly #allocator: CudaAllocator
  readonly #pinned: PinnedPool
  readonly #waiter: EventWaiter
  /** Buffers of uploads that may still be read, oldest first. */
  #uploading: Flight[] = []

  constructor(context: CudaContext, allocator: CudaAllocator, pinned: PinnedPool, waiter: EventWaiter) {
    this.#context = context
    this.#allocator = allocator
    this.#pinned = pinned
    this.#waiter = waiter
  }

  /**
   * Queues a copy of `data` to `byteOffset` of a block. `data` may be changed as soon as this returns; large data waits
   * on this thread for its last chunks but three. In a capture, each replay copies the same data again.
   */
  upload(block: CudaBlock, byteOffset: number, data: Uint8Array, stream: CudaStream): void {
    this.#allocator.use(block, stream, true)
    const address = block.address + byteOffset
    const { capture } = stream
    if (capture !== null) this.#uploadCaptured(address, data, stream, capture)
    else
      for (let offset = 0; offset < data.length; offset += chunkBytes) {
        this.#makeRoom()
        this.#uploadChunk(address, data, offset, stream)
      }
    stream.queued(null)
  }

  /** As `upload`, without ever waiting on this thread; neither `data` nor the block may be used until it resolves. */
  async uploadAsync(block: CudaBlock, byteOffset: number, data: Uint8Array, stream: CudaStream): Promise<void> {
    this.#context.refuseInCapture('an asynchronous upload')
    this.#allocator.use(block, stream, true)
    for (let offset = 0; offset < data.length; offset += chunkBytes) {
      if (this.#uploading.length >= depth) await this.#waiter.wait(this.#uploading[0]!.buffer.event)
      this.#recycle()
      this.#uploadChunk(block.address + byteOffset, data, offset, stream)
      stream.queued(null)
    }
  }

  /**
   * A copy of `bytes` bytes of a block as all work queued on `stream` until now leaves it, whatever is queued before
   * this resolves. Rejects with DeviceError when that work failed.
   */
  async download(block: CudaBlock, byteOffset: number, bytes: number, stream: CudaStream): Promise<Uint8Array> {
    refuse(this.#context)
    if (bytes <= chunkBytes * depth) return this.#downloadPieces(block, byteOffset, bytes, stream)
    // Later chunks are queued later: work queued meanwhile must not change what they read.
    const snapshot = this.#snapshot(block, byteOffset, bytes, stream)
    if (snapshot === null) return this.downloadSync(block, byteOffset, bytes, stream)
    try {
      return await this.#downloadPieces(snapshot, 0, bytes, stream)
    } finally {
      this.#allocator.release(snapshot)
    }
  }

  /** A copy on the device; null when out of memory. */
  #snapshot(block: CudaBlock, byteOffset: number, bytes: number, stream: CudaStream): CudaBlock | null {
    let copy: CudaBlock
    try {
      copy = this.#allocator.allocate(bytes, 'reads', stream)
    } catch (error) {
      if (!(error instanceof DeviceError) || this.#context.lost !== null) throw error
      return null
    }
    this.copy(copy, 0, block, byteOffset, bytes, stream)
    return copy
  }

  /** Downloads in pieces through pinned buffers, several in flight at a time. */
  async #downloadPieces(block: CudaBlock, byteOffset: number, bytes: number, stream: CudaStream): Promise<Uint8Array> {
    const { result, pieces, queue } = this.#beginDownload(block, byteOffset, bytes, stream)
    const flights: Flight[] = []
    try {
      for (let next = 0; next < pieces.length || flights.length > 0; ) {
        while (next < pieces.length && flights.length < depth) flights.push(queue(pieces[next++]!))
        await this.#waiter.wait(flights[0]!.buffer.event)
        this.#land(flights.shift()!, result)
      }
      return result
    } finally {
      this.#abandon(flights)
    }
  }

  /** As `download`, waiting on this thread. */
  downloadSync(block: CudaBlock, byteOffset: number, bytes: number, stream: CudaStream): Uint8Array {
    const { result, pieces, queue } = this.#beginDownload(block, byteOffset, bytes, stream)
    const flights: Flight[] = []
    try {
      for (let next = 0; next < pieces.length || flights.length > 0; ) {
        while (next < pieces.length && flights.length < depth) flights.push(queue(pieces[next++]!))
        flights[0]!.buffer.event.synchronize()
        this.#land(flights.shift()!, result)
      }
      return result
    } finally {
      this.#abandon(flights)
    }
  }

  /** Queues a copy within the device. */
  copy(
    target: CudaBlock,
    targetOffset: number,
    source: CudaBlock,
    sourceOffset: number,
    bytes: number,
    stream: CudaStream,
  ): void {
    this.#allocator.use(source, stream)
    this.#allocator.use(target, stream, true)
    if (bytes === 0) return
    const [to, from] = [target.address + targetOffset, source.address + sourceOffset]
    const result = this.#context.enter().cuMemcpyDtoDAsync(to, from, bytes, stream.handle)
    this.#context.check(result, 'copying memory')
    stream.queued(null)
  }

  /** Queues setting `bytes` bytes of a block to `value` (0 to 255). */
  fill(block: CudaBlock, byteOffset: number, bytes: number, value: number, stream: CudaStream): void {
    this.#allocator.use(block, stream, true)
    if (bytes === 0) return
    const result = this.#context.enter().cuMemsetD8Async(block.address + byteOffset, value, bytes, stream.handle)
    this.#context.check(result, 'filling memory')
    stream.queued(null)
  }

  /** Splits a download into pieces; `queue` starts the copy of one. */
  #beginDownload(block: CudaBlock, byteOffset: number, bytes: number, stream: CudaStream): Download {
    refuse(this.#context)
    this.#allocator.use(block, stream)
    const pieces: { offset: number; bytes: number }[] = []
    for (let offset = 0; offset < bytes; offset += chunkBytes) {
      pieces.push({ offset, bytes: Math.min(chunkBytes, bytes - offset) })
    }
    const queue = (piece: { offset: number; bytes: number }): Flight => {
      const context = this.#context
      const buffer = this.#pinned.take(piece.bytes)
      const source = block.address + byteOffset + piece.offset
      const result = context.enter().cuMemcpyDtoHAsync(buffer.address, source, piece.bytes, stream.handle)
      context.check(result, 'reading memory')
      stream.queued(null)
      buffer.event.record(stream)
      return { buffer, ...piece }
    }
    return { result: freshBytes(bytes), pieces, queue }
  }

  #land({ buffer, offset, bytes }: Flight, result: Uint8Array): void {
    result.set(buffer.bytes.subarray(0, bytes), offset)
    this.#pinned.give(buffer)
  }

  /** After an error the device may still write the buffers, so they are only recycled once it is done. */
  #abandon(flights: readonly Flight[]): void {
    this.#uploading.push(...flights)
  }

  #uploadChunk(address: number, data: Uint8Array, offset: number, stream: CudaStream): void {
    const context = this.#context
    const bytes = Math.min(chunkBytes, data.length - offset)
    const buffer = this.#pinned.take(bytes)
    buffer.bytes.set(data.subarray(offset, offset + bytes))
    const result = context.enter().cuMemcpyHtoDAsync(address + offset, buffer.address, bytes, stream.handle)
    context.check(result, 'writing memory')
    buffer.event.record(stream)
    this.#uploading.push({ buffer, offset, bytes })
  }

  #uploadCaptured(address: number, data: Uint8Array, stream: CudaStream, capture: CaptureState): void {
    if (data.length === 0) return
    const context = this.#context
    const buffer = this.#pinned.take(data.length)
    capture.keepBuffer(buffer)
    buffer.bytes.set(data)
    const result = context.enter().cuMemcpyHtoDAsync(address, buffer.address, data.length, stream.handle)
    context.check(result, 'writing memory')
  }

  #makeRoom(): void {
    if (this.#context.capturing) return // nothing may be waited for: take another buffer
    if (this.#uploading.length >= depth) this.#uploading[0]!.buffer.event.synchronize()
    this.#recycle()
  }

  #recycle(): void {
    while (this.#uploading.length > 0 && this.#uploading[0]!.buffer.event.done) {
      this.#pinned.give(this.#uploading.shift()!.buffer)
    }
  }
}

interface Download {
  readonly result: Uint8Array
  readonly pieces: readonly { offset: number; bytes: number }[]
  readonly queue: (piece: { offset: number; bytes: number }) => Flight
}

/** The destination of a copy in JavaScript. Large ones use huge pages, since most of a copy's time is page faults. */
function freshBytes(bytes: number): Uint8Array {
  if (bytes < hugeBytes) return new Uint8Array(bytes)
  const buffer = new ArrayBuffer(bytes)
  adviseHuge(addressOf(buffer), bytes)
  return new Uint8Array(buffer)
}

function refuse({ capturing }: CudaContext): void {
  if (!capturing) return
  throw new CaptureError('captureGraph: reading a tensor is not possible in a capture: nothing has run yet', {
    fix: 'return the tensor from the captured function, and read it after replay()',
  })
}
