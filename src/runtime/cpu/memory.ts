/**
 * CPU memory. Blocks are pieces of ArrayBuffers, so V8 frees them, counts them, and collects under pressure even inside one
 * long synchronous loop. Small blocks are cut from a slab, whose address is queried once; large ones have a buffer of their
 * own. `release` caches the memory for the next block of its size: a program that disposes tensors reuses touched pages, and
 * lines that are still in the processor's cache, instead of fresh ones.
 *
 * The content of a new block is undefined: zeros, or what a previous block left.
 */
import { totalmem } from 'node:os'
import { ArgumentError, DeviceError, InternalError } from '../../base/errors.js'
import { keepInstance } from '../../base/resident.js'
import { type Block, blockAlignment } from '../block.js'
import { type DeviceBlock, type HostBytes, parts, type TensorMemory } from '../device.js'

export interface MemoryStats {
  /** Bytes allocated since the start, and number of blocks. */
  readonly allocatedBytes: number
  readonly allocatedBlocks: number
  /** Bytes freed by `release`. The rest is freed by the garbage collector, which is not counted. */
  readonly releasedBytes: number
  /** Bytes cached for reuse. */
  readonly cachedBytes: number
  /** Bytes of all ArrayBuffers in the process, including garbage that is not yet collected. */
  readonly heldBytes: number
  /** The highest `heldBytes` seen at growth. */
  readonly peakBytes: number
}

/** Hears of each block that is allocated and released. */
export interface BlockObserver {
  /** `owner`: what it is for. */
  allocated(block: Block, owner: string): void
  released(block: Block): void
}

export interface AllocatorOptions {
  readonly addressOf: (buffer: ArrayBuffer) => number
  /** Asks for huge pages in a range; called once per fresh large buffer. */
  readonly adviseHuge?: ((address: number, bytes: number) => void) | undefined
  /** Maximum bytes cached for reuse. */
  readonly cacheLimitBytes?: number
}

/** Up to this size a block is cut from a slab. */
const smallBytes = 4096
const slabBytes = 128 * 1024
/** Small pieces cached for reuse: each may keep a whole slab alive. */
const maxCachedSmall = 512
/** From this size on huge pages pay: a smaller block spans too few whole ones. */
const hugeBytes = 4 * 1024 * 1024
/** Size classes per power of two: at most 1/8 of a block is lost to rounding. */
const classesPerOctave = 8
/**
 * A training step takes the memory of its temporaries anew at each call. Fresh pages cost more than the work on them, so they must
 * fit: an eighth of what the process may have, at least 512 MB.
 */
const defaultCacheLimit = (): number => Math.max(512 * 1024 * 1024, processMemory() / 8)

/** Bytes that the process may have: the machine's, or those of its container. */
function processMemory(): number {
  const allowed = process.constrainedMemory?.() ?? 0 // 0, or more than there is: no limit
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem()
}
/** Growth between two checks of the process's memory. */
const peakSampleBytes = 32 * 1024 * 1024

/** Memory of one block: part of a slab, or a buffer with room for a whole size class after alignment. */
interface Piece {
  readonly buffer: ArrayBuffer
  readonly byteOffset: number
  readonly address: number
  readonly capacity: number
}

/** What it is made of is read from its piece, which outlives it: an address is a number on the heap. */
class PieceBlock implements Block {
  released = false

  constructor(
    readonly piece: Piece,
    readonly byteLength: number,
  ) {}

  get buffer(): ArrayBuffer {
    return this.piece.buffer
  }

  get byteOffset(): number {
    return this.piece.byteOffset
  }

  get address(): number {
    return this.piece.address
  }
}

keepInstance(new PieceBlock({ buffer: new ArrayBuffer(0), byteOffset: 0, address: 0, capacity: 0 }, 0))

export class Allocator implements TensorMemory {
  readonly #addressOf: (buffer: ArrayBuffer) => number
  readonly #adviseHuge: ((address: number, bytes: number) => void) | undefined
  readonly #cacheLimit: number
  readonly #free = new Map<number, Piece[]>()
  /** By capacity in units of the alignment. */
  readonly #freeSmall: readonly Piece[][] = Array.from({ length: smallBytes / blockAlignment + 1 }, () => [])
  #cachedSmall = 0
  #slab = new ArrayBuffer(0)
  #slabAddress = 0
  #slabUsed = slabBytes
  #allocatedBytes = 0
  #allocatedBlocks = 0
  #releasedBytes = 0
  #cachedBytes = 0
  #peakBytes = 0
  #growthSinceSample = 0
  #observer: BlockObserver | null = null

  constructor(options: AllocatorOptions) {
    this.#addressOf = options.addressOf
    this.#adviseHuge = options.adviseHuge
    this.#cacheLimit = options.cacheLimitBytes ?? defaultCacheLimit()
  }

  /**
   * A block of `bytes` bytes, 64-byte aligned, its content undefined; `bytes` may be 0. `owner`: what it is for, for whoever observes.
   * Throws DeviceError when out of memory, ArgumentError when `bytes` is no size.
   */
  allocate(bytes: number, owner = 'tensors'): Block {
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new ArgumentError(`allocate: ${bytes} is no number of bytes`)
    this.#allocatedBytes += bytes
    this.#allocatedBlocks++
    const block = bytes <= smallBytes ? this.#small(bytes) : this.#large(bytes)
    this.#observer?.allocated(block, owner)
    return block
  }

  /**
   * Frees a block at once; it may not be used afterwards. Without this call the garbage collector frees it. Throws
   * InternalError when the block was released before.
   */
  release(block: Block): void {
    this.#releasedBytes += block.byteLength
    const { piece } = block as PieceBlock
    if ((block as PieceBlock).released)
      throw new InternalError(`a block of ${block.byteLength} bytes was released twice`)
    ;(block as PieceBlock).released = true
    this.#observer?.released(block)
    if (piece.capacity > smallBytes) this.#cacheLarge(piece)
    else if (this.#cachedSmall < maxCachedSmall && piece.capacity <= this.#cacheLimit) {
      this.#freeSmall[piece.capacity / blockAlignment]!.push(piece)
      this.#cachedSmall++
      this.#cachedBytes += piece.capacity
    }
  }

  #cacheLarge(piece: Piece): void {
    if (piece.capacity > this.#cacheLimit) return
    while (this.#free.size > 0 && this.#cachedBytes + piece.capacity > this.#cacheLimit) this.#dropOldest()
    const list = this.#free.get(piece.capacity)
    if (list === undefined) this.#free.set(piece.capacity, [piece])
    else list.push(piece)
    this.#cachedBytes += piece.capacity
  }

  shared(block: DeviceBlock): Block {
    return block as Block
  }

  read(block: DeviceBlock, from: number, bytes: number): Uint8Array {
    const { buffer, byteOffset } = block as Block
    return new Uint8Array(buffer, byteOffset + from, bytes).slice()
  }

  async readAsync(block: DeviceBlock, from: number, bytes: number): Promise<Uint8Array> {
    return this.read(block, from, bytes)
  }

  write(block: DeviceBlock, from: number, data: HostBytes): void {
    const { buffer, byteOffset } = block as Block
    for (const { from: at, bytes } of parts(data))
      new Uint8Array(buffer, byteOffset + from + at, bytes.length).set(bytes)
  }

  /** The CPU has no captures. */
  lasting<R>(body: () => R): R {
    return body()
  }

  /** Tells `observer` of what is allocated and released from now on. Returns what ends it; what observed before then goes on. */
  observe(observer: BlockObserver): () => void {
    const before = this.#observer
    this.#observer = observer
    return () => {
      this.#observer = before
    }
  }

  /** Frees everything cached for reuse. */
  trim(): void {
    this.#free.clear()
    for (const list of this.#freeSmall) list.length = 0
    this.#cachedSmall = 0
    this.#cachedBytes = 0
  }

  /** Bytes allocated and not released; those that the garbage collector freed are among them. */
  get unreleasedBytes(): number {
    return this.#allocatedBytes - this.#releasedBytes
  }

  stats(): MemoryStats {
    const heldBytes = this.#samplePeak()
    return {
      allocatedBytes: this.#allocatedBytes,
      allocatedBlocks: this.#allocatedBlocks,
      releasedBytes: this.#releasedBytes,
      cachedBytes: this.#cachedBytes,
      heldBytes,
      peakBytes: this.#peakBytes,
    }
  }

  #small(bytes: number): Block {
    // An empty block has an address of its own too, since kernels and views may compare addresses.
    const capacity = bytes === 0 ? blockAlignment : (bytes + blockAlignment - 1) & -blockAlignment
    const cached = this.#freeSmall[capacity / blockAlignment]!
    if (cached.length === 0) return new PieceBlock(this.#cut(capacity), bytes)
    this.#cachedSmall--
    this.#cachedBytes -= capacity
    return new PieceBlock(cached.pop()!, bytes)
  }

  /** A piece of the current slab. */
  #cut(capacity: number): Piece {
    if (this.#slabUsed + capacity > slabBytes) this.#newSlab()
    const byteOffset = this.#slabUsed
    this.#slabUsed += capacity
    return { buffer: this.#slab, byteOffset, address: this.#slabAddress + byteOffset, capacity }
  }

  #newSlab(): void {
    this.#slab = this.#newBuffer(slabBytes + blockAlignment)
    this.#slabAddress = this.#addressOf(this.#slab)
    this.#slabUsed = paddingTo(this.#slabAddress)
  }

  /** A block of its own buffer: one of its size class that was freed before, or a new one. */
  #large(bytes: number): Block {
    const capacity = sizeClass(bytes)
    const list = this.#free.get(capacity)
    const reused = list?.pop()
    if (reused === undefined) return new PieceBlock(this.#newLarge(capacity), bytes)
    if (list?.length === 0) this.#free.delete(capacity)
    this.#cachedBytes -= capacity
    return new PieceBlock(reused, bytes)
  }

  #newLarge(capacity: number): Piece {
    const buffer = this.#newBuffer(capacity + blockAlignment)
    const start = this.#addressOf(buffer)
    const byteOffset = paddingTo(start)
    const address = start + byteOffset
    if (capacity >= hugeBytes) this.#adviseHuge?.(address, capacity)
    return { buffer, byteOffset, address, capacity }
  }

  /** A new buffer; if there is no memory for it, cached ones are freed first. Throws DeviceError. */
  #newBuffer(bytes: number): ArrayBuffer {
    this.#growthSinceSample += bytes
    if (this.#growthSinceSample > peakSampleBytes) this.#samplePeak()
    try {
      return uninitialised(bytes)
    } catch {
      this.trim() // what was put aside may make the room
    }
    try {
      return uninitialised(bytes)
    } catch (cause) {
      const held = process.memoryUsage().arrayBuffers
      throw new DeviceError(`cpu: no memory for ${bytes} bytes (${held} bytes of tensors are held)`, {
        fix: 'dispose of tensors that are no longer needed, wrap work in scope(), or use smaller batches',
        cause,
      })
    }
  }

  /** Frees the oldest cached buffer of the size that was requested longest ago. */
  #dropOldest(): void {
    for (const [capacity, list] of this.#free) {
      list.shift()
      this.#cachedBytes -= capacity
      if (list.length === 0) this.#free.delete(capacity)
      return
    }
  }

  #samplePeak(): number {
    this.#growthSinceSample = 0
    const held = process.memoryUsage().arrayBuffers
    if (held > this.#peakBytes) this.#peakBytes = held
    return held
  }
}

/** An ArrayBuffer of undefined content where node can make one (its Buffers have a largest size), else zeros. */
function uninitialised(bytes: number): ArrayBuffer {
  if (bytes < 2 ** 32 - 1) return Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer
  return new ArrayBuffer(bytes)
}

/** Bytes from `address` to the next multiple of the alignment. */
function paddingTo(address: number): number {
  return (blockAlignment - (address % blockAlignment)) % blockAlignment
}

/** The size that `bytes` is rounded up to, so that blocks of nearly the same size can reuse each other's buffers. */
function sizeClass(bytes: number): number {
  const octave = 2 ** Math.floor(Math.log2(bytes))
  const step = Math.max(blockAlignment, octave / classesPerOctave)
  return Math.ceil(bytes / step) * step
}
