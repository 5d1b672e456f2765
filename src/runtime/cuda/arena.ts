/**
 * A two-level segregated-fit allocator of chunks of large segments. Free chunks are kept in bins by size (eight per power of
 * two) with a bitmap of the nonempty bins, and a freed chunk merges with its free neighbours, so allocating and freeing take
 * constant time. It only does bookkeeping, and never calls a device.
 */
import { InternalError } from '../../base/errors.js'

/** Chunks are multiples of it, and so aligned to it, as segments are. */
export const chunkBytes = 512
const classBits = 3
const classes = 1 << classBits
/** Sizes up to 2^31 chunks. */
const binCount = (32 - classBits) * classes
const maxBytes = 2 ** 31 * chunkBytes
/** In the bin whose chunks may be too small, at most this many are tried. */
const looks = 8

/** A region of device memory got from the driver. */
export class Segment {
  readonly first: Chunk

  constructor(
    readonly address: number,
    readonly bytes: number,
    public arena: Arena,
  ) {
    this.first = new Chunk(this, 0, bytes)
  }

  /** Nothing of it is in use. */
  get empty(): boolean {
    return this.first.free && this.first.next === null
  }

  *chunks(): Generator<Chunk> {
    for (let chunk: Chunk | null = this.first; chunk !== null; chunk = chunk.next) yield chunk
  }
}

/** A piece of a segment, free or in use. */
export class Chunk {
  free = false
  /** Neighbours in memory. */
  previous: Chunk | null = null
  next: Chunk | null = null
  /** Neighbours in the bin, while free. */
  previousFree: Chunk | null = null
  nextFree: Chunk | null = null
  /** Its user; opaque to the arena. */
  user: unknown = null

  constructor(
    readonly segment: Segment,
    readonly offset: number,
    public bytes: number,
  ) {}

  get address(): number {
    return this.segment.address + this.offset
  }
}

/** The free chunks of a set of segments. */
export class Arena {
  readonly segments = new Set<Segment>()
  readonly #bins = new Array<Chunk | null>(binCount).fill(null)
  readonly #filled = new Uint32Array(Math.ceil(binCount / 32))
  #freeBytes = 0
  #bytes = 0

  constructor(
    /** A smaller remainder is not split off. */
    readonly splitBytes: number,
  ) {}

  /** Bytes of all segments. */
  get bytes(): number {
    return this.#bytes
  }

  get freeBytes(): number {
    return this.#freeBytes
  }

  /** Adds a segment, whose free chunks (all of a new one) become available. */
  add(segment: Segment): void {
    segment.arena = this
    this.segments.add(segment)
    this.#bytes += segment.bytes
    if (segment.first.next === null && segment.first.user === null) segment.first.free = true
    for (const chunk of segment.chunks()) if (chunk.free) this.#insert(chunk)
  }

  /** Removes a segment with its free chunks. */
  remove(segment: Segment): void {
    for (const chunk of segment.chunks()) if (chunk.free) this.#unlink(chunk)
    this.segments.delete(segment)
    this.#bytes -= segment.bytes
  }

  /** A chunk of at least `bytes` (a multiple of `chunkBytes`) for `user`, or null when no free one is large enough. */
  take(bytes: number, user: unknown): Chunk | null {
    const chunk = bytes < maxBytes ? this.#find(bytes) : null
    if (chunk === null) return null
    this.#unlink(chunk)
    chunk.free = false
    chunk.user = user
    if (chunk.bytes - bytes >= this.splitBytes) this.#split(chunk, bytes)
    return chunk
  }

  /** Takes a chunk back. Throws InternalError when it is free. */
  give(chunk: Chunk): void {
    if (chunk.free) throw new InternalError(`a chunk of ${chunk.bytes} bytes was freed twice`)
    chunk.user = null
    const { previous, next } = chunk
    let whole = chunk
    if (next?.free) {
      this.#unlink(next)
      absorb(chunk, next)
    }
    if (previous?.free) {
      this.#unlink(previous)
      absorb(previous, chunk)
      whole = previous
    }
    whole.free = true
    this.#insert(whole)
  }

  largestFree(): number {
    let largest = 0
    for (let chunk = this.#bins[this.#lastFilled()] ?? null; chunk !== null; chunk = chunk.nextFree) {
      largest = Math.max(largest, chunk.bytes)
    }
    return largest
  }

  #find(bytes: number): Chunk | null {
    const bin = binOf(bytes)
    // Chunks of this bin may be smaller than requested; those of later bins are not.
    let chunk = this.#bins[bin] ?? null
    for (let look = 0; chunk !== null && look < looks; look++) {
      if (chunk.bytes >= bytes) return chunk
      chunk = chunk.nextFree
    }
    const found = this.#nextFilled(bin + 1)
    return found < 0 ? null : this.#bins[found]!
  }

  #split(chunk: Chunk, bytes: number): void {
    const rest = new Chunk(chunk.segment, chunk.offset + bytes, chunk.bytes - bytes)
    rest.previous = chunk
    rest.next = chunk.next
    if (rest.next !== null) rest.next.previous = rest
    chunk.next = rest
    chunk.bytes = bytes
    rest.free = true
    this.#insert(rest)
  }

  #insert(chunk: Chunk): void {
    const bin = binOf(chunk.bytes)
    const head = this.#bins[bin] ?? null
    chunk.previousFree = null
    chunk.nextFree = head
    if (head !== null) head.previousFree = chunk
    this.#bins[bin] = chunk
    this.#filled[bin >> 5]! |= 1 << (bin & 31)
    this.#freeBytes += chunk.bytes
  }

  /** Removes a chunk from the free list of its size class. */
  #unlink(chunk: Chunk): void {
    const { previousFree, nextFree } = chunk
    if (nextFree !== null) nextFree.previousFree = previousFree
    if (previousFree !== null) previousFree.nextFree = nextFree
    else {
      const bin = binOf(chunk.bytes)
      this.#bins[bin] = nextFree
      if (nextFree === null) this.#filled[bin >> 5]! &= ~(1 << (bin & 31))
    }
    chunk.previousFree = null
    chunk.nextFree = null
    this.#freeBytes -= chunk.bytes
  }

  /** The first bin from `bin` on that holds a chunk, or -1. */
  #nextFilled(bin: number): number {
    for (let word = bin >> 5; word < this.#filled.length; word++) {
      const bits = this.#filled[word]! & (word === bin >> 5 ? -1 << (bin & 31) : -1)
      if (bits !== 0) return word * 32 + 31 - Math.clz32(bits & -bits)
    }
    return -1
  }

  #lastFilled(): number {
    for (let word = this.#filled.length - 1; word >= 0; word--) {
      const bits = this.#filled[word]!
      if (bits !== 0) return word * 32 + 31 - Math.clz32(bits)
    }
    return -1
  }
}

/** Merges `second` into `first`, its predecessor in memory. */
function absorb(first: Chunk, second: Chunk): void {
  first.bytes += second.bytes
  first.next = second.next
  if (first.next !== null) first.next.previous = first
}

/** The bin of a size: its power of two and the next three bits. */
function binOf(bytes: number): number {
  const chunks = bytes / chunkBytes
  if (chunks < classes) return chunks
  const power = 31 - Math.clz32(chunks)
  return ((power - classBits + 1) << classBits) | ((chunks >>> (power - classBits)) & (classes - 1))
}
