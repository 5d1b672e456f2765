/**
 * Finds unreachable blocks, even in the middle of a synchronous loop. Finalizers usually run only between iterations of the
 * event loop, so a loop that allocates and drops tensors would never free memory. V8 can run them at once (`cleanupSome`) if
 * a flag is set before a context is made; so the registry is made in a context of its own. Where V8 has dropped that, a heap
 * walk finds the blocks that are left, ten times as slowly.
 */
import * as v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describeLiving } from '../../base/heap.js'
import { CudaBlock, type Lease } from './block.js'

interface Registry {
  register(block: CudaBlock, lease: Lease): void
  cleanupSome?(): void
}

interface Tools {
  readonly makeRegistry: (collected: (lease: Lease) => void) => Registry
  readonly collectGarbage: () => void
}

const flags = ['harmony-weak-refs-with-cleanup-some', 'expose-gc']

let tools: Tools | null = null

/** A registry that can be cleaned up at any time, and V8's garbage collector. */
function openTools(): Tools {
  if (tools !== null) return tools
  for (const flag of flags) v8.setFlagsFromString(`--${flag}`)
  try {
    tools = runInNewContext(
      '({ makeRegistry: collected => new FinalizationRegistry(collected), collectGarbage: () => gc() })',
    ) as Tools
  } finally {
    for (const flag of flags) v8.setFlagsFromString(`--no-${flag}`)
  }
  return tools
}

export class BlockFinalizer {
  readonly #collected: (lease: Lease) => void
  readonly #registry: Registry

  /** `collected` is called with the lease of each block that was collected, released or not. */
  constructor(collected: (lease: Lease) => void) {
    this.#collected = collected
    this.#registry = openTools().makeRegistry(collected)
  }

  register(block: CudaBlock, lease: Lease): void {
    this.#registry.register(block, lease)
  }

  /** Collects garbage and reports the unreachable blocks now. `leases`: those of all blocks. */
  collect(leases: () => Iterable<Lease>): void {
    if (this.#registry.cleanupSome !== undefined) {
      openTools().collectGarbage()
      this.#registry.cleanupSome()
      return
    }
    const found = describeLiving(CudaBlock)
    if (found === null) return // an old Node: finalizers run between turns only
    const living = new Set(found.map(Number))
    for (const lease of [...leases()]) if (!living.has(lease.id)) this.#collected(lease)
  }
}
