/** GPU memory as tensors use it: reads and writes are queued on the stream that is current at the time. */
import { type DeviceBlock, type HostBytes, parts, type TensorMemory } from '../device.js'
import type { CudaBlock } from './block.js'
import type { CudaAllocator } from './memory.js'
import type { StreamSet } from './stream.js'
import type { Transfers } from './transfer.js'

export class StreamMemory implements TensorMemory {
  #isLasting = false

  constructor(
    readonly streams: StreamSet,
    readonly allocator: CudaAllocator,
    readonly transfers: Transfers,
  ) {}

  allocate(bytes: number, owner?: string): CudaBlock {
    return this.allocator.allocate(bytes, owner)
  }

  release(block: DeviceBlock): void {
    this.allocator.release(block as CudaBlock)
  }

  shared(): null {
    return null
  }

  read(block: DeviceBlock, from: number, bytes: number): Uint8Array {
    return this.transfers.downloadSync(block as CudaBlock, from, bytes, this.streams.current)
  }

  readAsync(block: DeviceBlock, from: number, bytes: number): Promise<Uint8Array> {
    return this.transfers.download(block as CudaBlock, from, bytes, this.streams.current)
  }

  write(block: DeviceBlock, from: number, data: HostBytes): void {
    for (const { from: at, bytes } of parts(data)) this.#writePart(block, from + at, bytes)
  }

  #writePart(block: DeviceBlock, from: number, data: Uint8Array): void {
    const { current } = this.streams
    this.transfers.upload(block as CudaBlock, from, data, current)
    if (!this.#isLasting || current.capture === null) return
    const copy = data.slice()
    current.capture.afterwards(() => this.write(block, from, copy))
  }

  lasting<R>(body: () => R): R {
    const outer = this.#isLasting
    this.#isLasting = true
    try {
      return body()
    } finally {
      this.#isLasting = outer
    }
  }
}
