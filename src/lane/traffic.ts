/**
 * Memory efficiency of a block of threads, counted during simulation. A warp's access to global memory costs the number of
 * 32-byte sectors that it touches. An access to shared memory costs its bank conflicts: the passes over the banks.
 */

/** One warp's access: the start address of each active thread's bytes, and their number. */
export interface WarpAccess {
  readonly addresses: readonly number[]
  readonly bytes: number
}

export interface Counts {
  /** Accesses by whole warps. */
  requests: number
  /** global: sectors touched; shared: passes over the banks. */
  cost: number
  /** The minimum cost of moving these bytes. */
  ideal: number
}

const sectorBytes = 32
const bankBytes = 4
const banks = 32

export class Traffic {
  readonly global: Counts = { requests: 0, cost: 0, ideal: 0 }
  readonly shared: Counts = { requests: 0, cost: 0, ideal: 0 }
  barriers = 0

  countGlobal({ addresses, bytes }: WarpAccess): void {
    const sectors = new Set<number>()
    for (const address of addresses) {
      for (let at = address; at < address + bytes; at += bankBytes) sectors.add(Math.floor(at / sectorBytes))
      sectors.add(Math.floor((address + bytes - 1) / sectorBytes))
    }
    const distinct = new Set(addresses).size * bytes
    add(this.global, sectors.size, Math.ceil(distinct / sectorBytes))
  }

  /** Hardware processes 16-byte accesses per quarter warp, 8-byte accesses per half warp. */
  countShared({ addresses, bytes }: WarpAccess): void {
    const perPass = Math.max(1, Math.floor((banks * bankBytes) / Math.max(bytes, bankBytes)))
    let [cost, ideal] = [0, 0]
    for (let first = 0; first < addresses.length; first += perPass) {
      cost += passes(addresses.slice(first, first + perPass), bytes)
      ideal++
    }
    add(this.shared, cost, ideal)
  }
}

function add(counts: Counts, cost: number, ideal: number): void {
  counts.requests++
  counts.cost += cost
  counts.ideal += ideal
}

/** Bank conflicts: the maximum number of distinct words in one bank. */
function passes(addresses: readonly number[], bytes: number): number {
  const wordsOf = new Map<number, Set<number>>()
  for (const address of addresses) {
    for (let word = Math.floor(address / bankBytes); word * bankBytes < address + bytes; word++) {
      const bank = word % banks
      const words = wordsOf.get(bank) ?? new Set()
      wordsOf.set(bank, words.add(word))
    }
  }
  return Math.max(1, ...[...wordsOf.values()].map(words => words.size))
}
