/** Memory of a captured graph: what was allocated during the capture, and what it uses from outside. */
import { type Lease, leasesIn, markUse } from './block.js'
import { Pool } from './pool.js'
import type { CudaStream } from './stream.js'

/** A use of memory from outside by captured work. */
interface OutsideUse {
  writes: boolean
  /** Its previous users; captured work has not run, so they are users again when the capture ends. */
  readonly before: Pick<Lease, 'writer' | 'written' | 'users'>
}

export class CapturePool {
  /** The graph uses it at each replay, so keeps it. */
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

  /** Ends the capture: none of its work has run yet. */
  restore(): void {
    for (const [lease, { before }] of this.#outside) Object.assign(lease, before)
  }

  /** Call after the graph was queued on `stream`. */
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

  /** Call when the graph is destroyed. Returns the leases that were released meanwhile, for the allocator to free. */
  unpin(): Lease[] {
    const ended = [...this.#outside.keys()].filter(lease => --lease.pins === 0 && lease.released)
    this.#outside.clear()
    return ended
  }
}
