/** A piece of a GPU's memory, and the lease on a chunk that stands behind it. */
import type { DeviceBlock } from '../device.js'
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
  /** How far the writer must be for the data to be there; null: as far as it is when somebody asks. */
  written: number | null
  /** Other streams than its home's that use it: how far they must be to be done with it. */
  users: Map<CudaStream, number> | null
  /** How many captured graphs will use it again. */
  pins: number
  released: boolean
}

/** Bytes in use for one purpose. */
export interface OwnedBytes {
  readonly name: string
  bytes: number
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
