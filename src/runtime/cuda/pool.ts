/** Pools of segments: the general one, and one for each captured graph. Within a pool each stream has its own arenas. */
import { Arena, chunkBytes, type Segment } from './arena.js'
import type { CudaStream } from './stream.js'

/** Blocks up to this size are cut from small segments, so that they do not pin large ones. */
export const smallBytes = 1 << 20
const smallSegmentBytes = 2 << 20
const largeSegmentBytes = 32 << 20
/** From this size a block gets a segment of its own, to the next multiple of `segmentStep`. */
const ownSegmentBytes = 10 << 20
const segmentStep = 2 << 20
const smallSplit = chunkBytes
const largeSplit = 64 << 10

/**
 * A stream's share of a pool. A freed block may be taken again at once: work on the stream runs in order. `stream` is
 * the one that its blocks were written on last: that of the latest replay, in a graph's pool.
 */
export class Home {
  readonly small = new Arena(smallSplit)
  readonly large = new Arena(largeSplit)

  constructor(
    readonly pool: Pool,
    public stream: CudaStream,
  ) {}

  arena(bytes: number): Arena {
    return bytes <= smallBytes ? this.small : this.large
  }
}

export class Pool {
  /** Whether a stream other than their home's used any of its blocks since this was last reset. */
  shared = false
  readonly #homes = new Map<CudaStream, Home>()

  constructor(
    /** What memory in it is counted as; null: by the owner of each block. */
    readonly owner: string | null,
  ) {}

  home(stream: CudaStream): Home {
    let home = this.#homes.get(stream)
    if (home === undefined) {
      home = new Home(this, stream)
      this.#homes.set(stream, home)
    }
    return home
  }

  get homes(): Home[] {
    return [...this.#homes.values()]
  }

  get arenas(): Arena[] {
    return this.homes.flatMap(({ small, large }) => [small, large])
  }

  get segments(): Segment[] {
    return this.arenas.flatMap(({ segments }) => [...segments])
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return this.arenas.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  get freeBytes(): number {
    return this.arenas.reduce((sum, { freeBytes }) => sum + freeBytes, 0)
  }
}

/** How much to ask the driver for, to serve a block of `bytes`. */
export function segmentBytes(bytes: number): number {
  if (bytes <= smallBytes) return smallSegmentBytes
  return bytes < ownSegmentBytes ? largeSegmentBytes : Math.ceil(bytes / segmentStep) * segmentStep
}
