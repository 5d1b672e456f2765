/** A piece of GPU memory, and the lease on the chunk that backs it. */
import type { DeviceBlock } from '../device.js'
import type { OwnedBytes } from '../owners.js'
import type { Chunk } from './arena.js'
import type { Home } from './pool.js'
import type { CudaStream } from './stream.js'

/** One use of a chunk. The chunk returns when the lease is released and nothing pins it. */
export interface Lease {
  readonly id: number
  readonly chunk: Chunk
  readonly home: Home
  readonly owner: OwnedBytes
  /** The stream that wrote it last; null: its home's. */
  writer: CudaStream | null
  /** How far the writer must be for the data to be complete; null: its position when asked. */
  written: number | null
  /** How far each other stream that uses it must be to be done with it. */
  users: Map<CudaStream, number> | null
  /** Number of captured graphs that will use it again. */
  pins: number
  released: boolean
}

export const newLease = (id: number, chunk: Chunk, home: Home, owner: OwnedBytes): Lease => ({
  id,
  chunk,
  home,
  owner,
  writer: null,
  written: null,
  users: null,
  pins: 0,
  released: false,
})

/** Returns a lease's chunk, for its home's stream to take again. */
export function giveChunk({ chunk }: Lease): void {
  chunk.segment.arena.give(chunk)
}

/** The leases on chunks of a stream's share of a pool. */
export function* leasesIn({ small, large }: Home): Generator<Lease> {
  for (const arena of [small, large]) {
    for (const segment of arena.segments) {
      for (const chunk of segment.chunks()) if (chunk.user !== null) yield chunk.user as Lease
    }
  }
}

/** Orders the next work on `stream` after what other streams did to the memory. */
export function orderUse(lease: Lease, stream: CudaStream, write: boolean): void {
  const { home } = lease
  const writer = lease.writer ?? home.stream
  if (writer !== stream) stream.waitFor(writer, lease.written ?? writer.ticket)
  if (write) {
    if (home.stream !== stream) stream.waitFor(home.stream)
    if (lease.users !== null) for (const [user, ticket] of lease.users) stream.waitFor(user, ticket)
    home.pool.shared = true
    lease.users = null
  }
  markUse(lease, stream, write, stream.ticket + 1)
}

/** Records that `stream` uses the memory until it has done this many pieces of work. */
export function markUse(lease: Lease, stream: CudaStream, write: boolean, ticket: number): void {
  if (write) {
    lease.writer = stream
    lease.written = ticket
  }
  if (lease.home.stream === stream) return
  lease.home.pool.shared = true
  lease.users ??= new Map()
  lease.users.set(stream, ticket)
}

/** As `util.inspect.custom`. */
const inspectCustom = Symbol.for('nodejs.util.inspect.custom')

/** JavaScript cannot see this memory: copies go through `transfer.ts`. */
export class CudaBlock implements DeviceBlock {
  constructor(
    readonly address: number,
    readonly byteLength: number,
    readonly lease: Lease,
  ) {}

  /** The heap walk of `finalize.ts` hands out objects as inspected text only. */
  [inspectCustom](): string {
    return `${this.lease.id}`
  }
}
