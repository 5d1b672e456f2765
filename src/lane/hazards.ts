/**
 * Race detection in simulated launches. Every byte of memory records its last writer and readers with their time. Threads of a
 * block are unordered between two barriers, and blocks are always unordered, so two conflicting accesses by different
 * threads (at least one a write) have no defined result. Atomics do not race with each other.
 */

/** The accessing thread, and when. Epochs count barriers; they never repeat within a launch. */
export interface Access {
  readonly block: number
  readonly thread: number
  readonly epoch: number
  /** Number of warp-level barriers of the thread's warp within the epoch. */
  readonly warpEpoch: number
}

const none: Access = { block: -1, thread: -1, epoch: -1, warpEpoch: -1 }
const warpOf = (access: Access): number => access.thread >> 5

class Shadow {
  readonly writer: (Access | undefined)[] = []
  readonly isAtomic: boolean[] = []
  readonly reader: (Access | undefined)[] = []
  /** A second reader in the same epoch. */
  readonly other: (Access | undefined)[] = []
}

export class Hazards {
  readonly #shadows = new Map<ArrayBufferLike, Shadow>()
  /** Blocks whose writes are published: they executed a fence, then an atomic that other blocks can observe by an atomic. */
  readonly #published = new Set<number>()
  readonly #acquired = new Set<number>()
  readonly #fenced = new Set<number>()

  /** The access that a read of these bytes races with, described; or null. */
  read(memory: ArrayBufferLike, at: number, bytes: number, access: Access): string | null {
    const shadow = this.#shadow(memory)
    for (let byte = at; byte < at + bytes; byte++) {
      const problem = this.#races(access, shadow.writer[byte], 'writes')
      if (problem !== null) return problem
      const before = shadow.reader[byte]
      if (before !== undefined && before.epoch === access.epoch && before.thread !== access.thread) {
        const known = shadow.other[byte]
        if (known === undefined || known.epoch !== access.epoch || warpOf(known) === warpOf(before))
          shadow.other[byte] = access
      } else shadow.reader[byte] = access
    }
    return null
  }

  /** The access that a write of these bytes races with, described; or null. */
  write(memory: ArrayBufferLike, at: number, bytes: number, access: Access, atomic: boolean): string | null {
    const shadow = this.#shadow(memory)
    for (let byte = at; byte < at + bytes; byte++) {
      const both = atomic && shadow.isAtomic[byte] === true
      const problem =
        (both ? null : this.#races(access, shadow.writer[byte], 'writes')) ??
        this.#races(access, shadow.reader[byte], 'reads') ??
        this.#races(access, shadow.other[byte], 'reads')
      if (problem !== null) return problem
      shadow.writer[byte] = access
      shadow.isAtomic[byte] = atomic
    }
    return null
  }

  /** This block made its writes visible to the device. */
  fence(block: number): void {
    this.#fenced.add(block)
  }

  /** An atomic after a fence publishes a block's writes. An atomic also acquires the writes that other blocks published. */
  atomic(block: number): void {
    if (this.#fenced.has(block)) this.#published.add(block)
    this.#acquired.add(block)
  }

  #races(access: Access, before: Access = none, did: string): string | null {
    if (before === none) return null
    if (before.block !== access.block) {
      const ordered = this.#published.has(before.block) && this.#acquired.has(access.block)
      return ordered ? null : `which block ${before.block} ${did} in no defined order`
    }
    if (before.thread === access.thread || before.epoch !== access.epoch) return null
    if (warpOf(before) === warpOf(access) && before.warpEpoch !== access.warpEpoch) return null
    return `which thread ${before.thread} ${did} with no barrier in between`
  }

  #shadow(memory: ArrayBufferLike): Shadow {
    let shadow = this.#shadows.get(memory)
    if (shadow === undefined) {
      shadow = new Shadow()
      this.#shadows.set(memory, shadow)
    }
    return shadow
  }
}
