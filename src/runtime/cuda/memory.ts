/**
 * GPU memory: segments from the driver, cut into blocks by our own arenas, so that an allocation makes no driver call and
 * can be captured. A block belongs to the stream that it was allocated on. Once freed, that stream can reuse it at once,
 * since its work runs in order; if other streams used it too, only after they are done with it.
 *
 * Blocks are freed by `release` or by the garbage collector. V8 does not see device memory as pressure, so the allocator
 * collects garbage before it grows far, and before it reports that it is out of memory.
 */
import { flag } from '../../base/env.js'
import { ArgumentError, DeviceError, InternalError } from '../../base/errors.js'
import { formatBytes } from '../../base/units.js'
import type { DeviceMemory } from '../device.js'
import { Owners } from '../owners.js'
import { type Chunk, chunkBytes, Segment } from './arena.js'
import { CudaBlock, giveChunk, type Lease, leasesIn, markUse, newLease, orderUse } from './block.js'
import { relaxed } from './capture-mode.js'
import { CapturePool } from './capture-pool.js'
import type { CudaContext } from './context.js'
import { CudaEvent } from './event.js'
import { BlockFinalizer } from './finalize.js'
import { type Home, Pool, segmentBytes } from './pool.js'
import { explainResult, results } from './results.js'
import type { CudaStream, StreamSet } from './stream.js'

export interface CudaMemoryStats {
  /** Bytes of blocks in use. */
  readonly allocatedBytes: number
  readonly peakAllocatedBytes: number
  /** Bytes kept for reuse. */
  readonly cachedBytes: number
  /** Bytes allocated from the driver: blocks, cache, and what pools of graphs keep. */
  readonly reservedBytes: number
  readonly peakReservedBytes: number
  /** Allocations since the start. */
  readonly allocations: number
  /** Bytes in use by owner, the largest first. */
  readonly byOwner: readonly { readonly owner: string; readonly bytes: number }[]
}

export interface CudaAllocatorOptions {
  /** Above this much in use, collect garbage before growing. Default: an eighth of the device, at least 1 GiB. */
  readonly collectAtBytes?: number
}

/** Waits for other streams before a chunk is reused. */
interface Pending {
  readonly lease: Lease
  readonly events: readonly CudaEvent[]
}

const gib = 1024 ** 3

export class CudaAllocator implements DeviceMemory<CudaBlock> {
  readonly #context: CudaContext
  readonly #streams: StreamSet
  readonly #general = new Pool(null)
  readonly #pools = new Set<Pool>([this.#general])
  readonly #owners = new Owners()
  readonly #minCollectAt: number
  readonly #finalizer: BlockFinalizer
  /** No caching: each block has a segment of exactly its size, freed with it. */
  readonly #uncached = !flag('cudaCache')
  #collectAt: number
  #pending: Pending[] = []
  /** Not in use now. */
  readonly #events: CudaEvent[] = []
  #capture: CapturePool | null = null
  #nextLease = 0
  #allocatedBytes = 0
  #peakAllocatedBytes = 0
  #reservedBytes = 0
  #peakReservedBytes = 0

  constructor(context: CudaContext, streams: StreamSet, options: CudaAllocatorOptions = {}) {
    this.#context = context
    this.#streams = streams
    this.#minCollectAt = options.collectAtBytes ?? Math.max(gib, context.memoryInfo().totalBytes / 8)
    this.#collectAt = this.#minCollectAt
    this.#finalizer = new BlockFinalizer(lease => this.#releaseCollected(lease))
  }

  /**
   * A block of `bytes` bytes on `stream` (default: the current one), 512-byte aligned, of undefined content; `bytes` may
   * be 0. `owner`: what it is for, in `stats()`. Throws DeviceError when memory ends, ArgumentError for no size.
   */
  allocate(bytes: number, owner = 'tensors', stream = this.#streams.current): CudaBlock {
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new ArgumentError(`allocate: ${bytes} is no number of bytes`)
    if (this.#pending.length > 0 && this.#capture === null) this.#reclaimDone()
    const size = bytes === 0 ? chunkBytes : Math.ceil(bytes / chunkBytes) * chunkBytes
    const pool = stream.capture !== null && this.#capture !== null ? this.#capture.pool : this.#general
    const home = pool.home(stream)
    const id = this.#nextLease++
    const ready = this.#uncached ? this.#own(home, size, bytes) : home.arena(size).take(size, null)
    const chunk = ready ?? this.#grow(home, size, bytes)
    const owned = this.#owners.get(pool.owner ?? owner)
    const lease = newLease(id, chunk, this.#homeOf(chunk, home), owned)
    chunk.user = lease
    if (lease.home !== home) markUse(lease, stream, true, stream.ticket + 1)
    owned.bytes += chunk.bytes
    this.#allocatedBytes += chunk.bytes
    if (this.#allocatedBytes > this.#peakAllocatedBytes) this.#peakAllocatedBytes = this.#allocatedBytes
    const block = new CudaBlock(chunk.address, bytes, lease)
    this.#finalizer.register(block, lease)
    return block
  }

  /** Frees a block. Work queued before may still use it. Throws InternalError when it was released before. */
  release(block: CudaBlock): void {
    const { lease } = block
    if (lease.released) throw new InternalError(`a block of ${block.byteLength} bytes was released twice`)
    this.#capture?.pin(lease, false)
    this.#release(lease)
  }

  /**
   * Call it before work on `stream` reads, or with `write` writes, a block: it orders the work after what other streams
   * did to the block, keeps the memory until the work is done, and, in a capture, as long as the graph lives. On
   * the block's own stream it costs nothing.
   */
  use(block: CudaBlock, stream: CudaStream, write = false): void {
    const { lease } = block
    if (lease.released) throw new InternalError(`a block of ${block.byteLength} bytes is used after its release`)
    if (this.#capture !== null && stream.capture !== null) this.#capture.pin(lease, write)
    orderUse(lease, stream, write)
  }

  /** Collects garbage, which takes milliseconds, and frees unreachable blocks. Returns the bytes freed. */
  collect(): number {
    const before = this.#allocatedBytes
    this.#finalizer.collect(() => this.#leases())
    this.#collectAt = Math.max(this.#minCollectAt, this.#allocatedBytes * 2)
    return before - this.#allocatedBytes
  }

  /** Frees all cached memory, after waiting for the device. Returns the bytes freed. */
  trim(): number {
    this.#context.synchronize()
    this.#reclaimDone()
    return this.#freeEmptySegments()
  }

  /** Peaks count from now on. */
  resetPeaks(): void {
    this.#peakAllocatedBytes = this.#allocatedBytes
    this.#peakReservedBytes = this.#reservedBytes
  }

  /** Bytes of blocks in use. */
  get allocatedBytes(): number {
    return this.#allocatedBytes
  }

  stats(): CudaMemoryStats {
    return {
      allocatedBytes: this.#allocatedBytes,
      peakAllocatedBytes: this.#peakAllocatedBytes,
      cachedBytes: this.#general.freeBytes,
      reservedBytes: this.#reservedBytes,
      peakReservedBytes: this.#peakReservedBytes,
      allocations: this.#nextLease,
      byOwner: this.#owners.list(),
    }
  }

  /** Accounts memory that the driver holds for `owner` (an instantiated graph), besides the blocks. */
  account(owner: string, bytes: number): void {
    this.#owners.get(owner).bytes += bytes
    this.#allocatedBytes += bytes
    this.#reservedBytes += bytes
  }

  /** From now on allocations on captured streams use a pool of their own. */
  beginCapture(): CapturePool {
    if (this.#capture !== null) throw new InternalError('a capture begins inside another one')
    this.#capture = new CapturePool()
    this.#pools.add(this.#capture.pool)
    return this.#capture
  }

  endCapture(): void {
    this.#capture?.restore()
    this.#capture = null
  }

  /** Call when the graph is destroyed: its memory is available again, in order after the work queued on `stream`. */
  closePool(capture: CapturePool, stream: CudaStream): void {
    for (const lease of capture.unpin()) this.#free(lease)
    for (const lease of capture.freed.splice(0)) this.#give(lease)
    this.#pools.delete(capture.pool)
    const target = this.#general.home(stream)
    for (const home of capture.pool.homes) {
      home.stream = stream
      for (const arena of [home.small, home.large]) {
        for (const segment of [...arena.segments]) {
          arena.remove(segment)
          ;(arena === home.small ? target.small : target.large).add(segment)
        }
      }
    }
  }

  #release(lease: Lease): void {
    lease.released = true
    if (lease.pins === 0) this.#free(lease)
  }

  /** From the garbage collector. */
  #releaseCollected(lease: Lease): void {
    if (!lease.released) this.#context.letGo(() => this.#release(lease))
  }

  #free(lease: Lease): void {
    const { chunk, owner, users } = lease
    owner.bytes -= chunk.bytes
    this.#allocatedBytes -= chunk.bytes
    if (users === null || this.#context.lost !== null) this.#give(lease)
    else if (this.#capture !== null) this.#capture.freed.push(lease)
    else {
      const events = [...users.keys()].map(user => this.#recordedEvent(user))
      this.#pending.push({ lease, events })
    }
  }

  #recordedEvent(stream: CudaStream): CudaEvent {
    const event = this.#events.pop() ?? new CudaEvent(this.#context)
    event.record(stream)
    return event
  }

  /** Reclaims the chunks that other streams are done with. */
  #reclaimDone(): void {
    this.#pending = this.#pending.filter(({ lease, events }) => {
      if (!events.every(event => event.done)) return true
      this.#events.push(...events)
      this.#give(lease)
      return false
    })
  }

  /** Reclaims all pending chunks at once: their streams wait for the others. */
  #reclaimAll(): void {
    for (const { lease, events } of this.#pending.splice(0)) {
      for (const event of events) lease.home.stream.wait(event)
      this.#events.push(...events)
      this.#give(lease)
    }
  }

  /** Memory when no free chunk fits: from other streams, after a garbage collection, or from a new segment. */
  #grow(home: Home, size: number, expected: number): Chunk {
    const arena = home.arena(size)
    const again = (): Chunk | null => arena.take(size, null)
    if (this.#capture === null) this.#reclaimAll()
    const ready = again() ?? this.#takeOver(home, size)
    if (ready !== null) return ready
    if (this.#allocatedBytes + size > this.#collectAt && this.collect() > 0) {
      const chunk = again()
      if (chunk !== null) return chunk
    }
    for (const makeRoom of this.#waysToMakeRoom()) {
      const segment = this.#newSegment(home, segmentBytes(size)) ?? this.#newSegment(home, size)
      if (segment !== null) arena.add(segment)
      const chunk = again()
      if (chunk !== null) return chunk
      makeRoom()
    }
    const borrowed = this.#capture === null ? this.#borrow(home, size) : null
    if (borrowed !== null) return borrowed
    throw this.#outOfMemory(expected)
  }

  /** Part of a segment that another stream still uses: the last resort, since it couples the two streams. */
  #borrow(home: Home, size: number): Chunk | null {
    for (const other of this.#general.homes) {
      const chunk = other.large.take(size, null) ?? other.small.take(size, null)
      if (chunk === null) continue
      home.stream.waitFor(other.stream)
      return chunk
    }
    return null
  }

  /** The home of a chunk: nearly always `expected`. */
  #homeOf(chunk: Chunk, expected: Home): Home {
    const { arena } = chunk.segment
    if (arena === expected.small || arena === expected.large) return expected
    return this.#general.homes.find(({ small, large }) => arena === small || arena === large)!
  }

  /** What to try, in order, when the driver is out of memory; the last entry is for the last try. */
  #waysToMakeRoom(): (() => void)[] {
    const collect = (): void => void this.collect()
    // Freeing memory waits for the device, which a capture forbids.
    if (this.#capture !== null) return [collect, () => {}]
    return [
      () => this.#freeEmptySegments(),
      () => {
        collect()
        this.#reclaimAll()
      },
      () => this.#freeEmptySegments(),
      () => {},
    ]
  }

  /** A segment that another stream does not need, ordered after that stream's work; replays run after all work anyway. */
  #takeOver(home: Home, size: number): Chunk | null {
    const kind = home.arena(size) === home.small ? 'small' : 'large'
    for (const other of this.#general.homes) {
      if (other === home || other[kind].freeBytes < size) continue
      for (const segment of other[kind].segments) {
        if (!segment.empty || segment.bytes < size) continue
        if (home.pool === this.#general) home.stream.waitFor(other.stream)
        other[kind].remove(segment)
        home[kind].add(segment)
        return home[kind].take(size, null)
      }
    }
    return null
  }

  /** Returns a lease's chunk to its arena; without caching, empty segments go back to the driver. */
  #give(lease: Lease): void {
    giveChunk(lease)
    const { segment } = lease.chunk
    if (
      !this.#uncached ||
      this.#context.lost !== null ||
      !segment.empty ||
      lease.home.pool !== this.#general ||
      this.#capture !== null
    )
      return
    segment.arena.remove(segment)
    this.#context.check(this.#context.enter().cuMemFree(segment.address), 'giving memory back')
    this.#reservedBytes -= segment.bytes
  }

  /** Memory of exactly `bytes` bytes for a block that counts as `size`; null when the driver has none left. */
  #own(home: Home, size: number, bytes: number): Chunk | null {
    const arena = home.arena(size)
    const segment = this.#newSegment(home, Math.max(1, bytes), size)
    if (segment === null) return null
    arena.add(segment)
    return arena.take(size, null)
  }

  #newSegment(home: Home, bytes: number, counted = bytes): Segment | null {
    const { out } = this.#context
    const call = this.#context.enter()
    const result = relaxed(this.#context, () => call.cuMemAlloc(out.address, bytes))
    if (result === results.outOfMemory) return null
    this.#context.check(result, `asking for ${formatBytes(bytes)} of memory`)
    this.#reservedBytes += counted
    if (this.#reservedBytes > this.#peakReservedBytes) this.#peakReservedBytes = this.#reservedBytes
    return new Segment(out.get(0), counted, home.arena(counted))
  }

  /** Returns segments without any allocation to the driver; returns their bytes. */
  #freeEmptySegments(): number {
    let freed = 0
    for (const arena of this.#general.arenas) {
      for (const segment of arena.segments) {
        if (!segment.empty) continue
        arena.remove(segment)
        this.#context.check(this.#context.enter().cuMemFree(segment.address), 'giving memory back')
        freed += segment.bytes
      }
    }
    this.#reservedBytes -= freed
    return freed
  }

  *#leases(): Generator<Lease> {
    for (const pool of this.#pools) {
      for (const home of pool.homes) {
        for (const lease of leasesIn(home)) if (!lease.released) yield lease
      }
    }
  }

  /** The error for an allocation of `expected` bytes, with the memory's state. */
  #outOfMemory(expected: number): DeviceError {
    const { freeBytes, totalBytes } = this.#context.memoryInfo()
    const { allocatedBytes, cachedBytes, byOwner } = this.stats()
    const largest = Math.max(0, ...this.#general.arenas.map(arena => arena.largestFree()))
    const owners = byOwner.map(({ owner, bytes }) => `${owner} ${formatBytes(bytes)}`).join(', ')
    const others = totalBytes - freeBytes - this.#reservedBytes
    return new DeviceError(
      `${this.#context.name}: no memory for ${formatBytes(expected)}: ${formatBytes(allocatedBytes)} allocated` +
        `${owners === '' ? '' : ` (${owners})`}, ${formatBytes(cachedBytes)} cached (largest piece ` +
        `${formatBytes(largest)}), ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free on the device, ` +
        `${formatBytes(Math.max(0, others))} held by the driver and other processes`,
      { fix: explainResult(results.outOfMemory).fix },
    )
  }
}
