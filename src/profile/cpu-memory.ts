/** The CPU's memory by owner while a profiler listens. Without one its allocator keeps no accounts, so that small ops stay cheap. */
import type { Block } from '../runtime/block.js'
import type { Allocator, BlockObserver } from '../runtime/cpu/memory.js'
import { type OwnedBytes, Owners } from '../runtime/owners.js'
import type { MemorySample } from './records.js'

/** What lay in memory when the profile began, garbage that was not collected yet included. */
export const beforeTheProfile = 'from before the profile'

export class CpuMemory implements BlockObserver {
  readonly #owners = new Owners()
  readonly #before: OwnedBytes
  /** Of blocks in use; not among them: from before. */
  readonly #ownerOf = new WeakMap<Block, OwnedBytes>()
  /** The garbage collector says what it freed when the event loop has its turn. */
  readonly #collected = new FinalizationRegistry<{ readonly owner: OwnedBytes; readonly bytes: number }>(
    ({ owner, bytes }) => {
      owner.bytes -= bytes
    },
  )
  readonly #end: () => void

  /** Listens until `end`. */
  constructor(allocator: Allocator) {
    this.#before = this.#owners.get(beforeTheProfile)
    const { heldBytes, cachedBytes } = allocator.stats()
    this.#before.bytes = Math.max(0, heldBytes - cachedBytes)
    this.#end = allocator.observe(this)
  }

  allocated(block: Block, owner: string): void {
    const owned = this.#owners.get(owner)
    owned.bytes += block.byteLength
    this.#ownerOf.set(block, owned)
    this.#collected.register(block, { owner: owned, bytes: block.byteLength }, block)
  }

  released(block: Block): void {
    const owned = this.#ownerOf.get(block)
    if (owned !== undefined) {
      owned.bytes -= block.byteLength
      this.#ownerOf.delete(block)
      this.#collected.unregister(block)
    } else this.#before.bytes = Math.max(0, this.#before.bytes - block.byteLength)
  }

  /** What is in use now. */
  now(): Pick<MemorySample, 'allocatedBytes' | 'byOwner'> {
    const byOwner = this.#owners.list()
    return { allocatedBytes: byOwner.reduce((sum, { bytes }) => sum + bytes, 0), byOwner }
  }

  end(): void {
    this.#end()
  }
}
