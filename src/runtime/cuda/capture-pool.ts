/** Memory that a captured graph works with: what was allocated in the capture, and what it uses from outside. */
import { type Lease, leasesIn, markUse } from './block.js'
import { Pool } from './pool.js'
import type { CudaStream } from './stream.js'

/** A use of memory from outside by captured work. */
interface OutsideUse {
  writes: boolean
  /** Who used it before; captured work has not run, so this holds again when the capture ends. */
  readonly before: Pick<Lease, 'writer' | 'written' | 'users'>
}

export class CapturePool {
  /** It stays with the graph, which uses it at each replay. */
  readonly pool = new Pool('graphs')
  /** Freed while another captured stream might still use them. */
  readonly freed: Lease[] = []
  readonly #outside = new Map<Lease, OutsideUse>()

  /** Keeps memory from outside as long as the graph lives. Call it before the use is ordered. */
  pin(lease: Lease, writes: boolean): void {
    if (lease.home.pool === this.pool) return
    const use = this.#outside.get(lease)
    if (use !== undefined) {
      use.writes ||= writes
      return
    }
    lease.pins++
    const { writer, written, users } = lease
    this.#outside.set(lease, { writes, before: { writer, written, users: users === null ? null : new Map(users) } })
  }

  /** The capture is over: nothing of it has happened yet. */
  restore(): void {
    for (const [lease, { before }] of this.#outside) Object.assign(lease, before)
  }

  /** The graph was queued on `stream`, as its latest work. */
  replayed(stream: CudaStream): void {
    const { pool } = this
    const { shared } = pool
    pool.shared = false
    for (const home of pool.homes) {
      home.stream = stream
      if (!shared) continue
      for (const lease of leasesIn(home)) Object.assign(lease, { users: null, writer: null, written: null })
    }
    for (const [lease, { writes }] of this.#outside) markUse(lease, stream, writes, stream.ticket)
  }

  /** The graph is gone. Returns the leases that were released meanwhile, for the allocator to free. */
  unpin(): Lease[] {
    const ended = [...this.#outside.keys()].filter(lease => --lease.pins === 0 && lease.released)
    this.#outside.clear()
    return ended
  }
}
