/** What all devices have in common, so that a tensor's storage can hold memory of any of them. */

import type { Block } from './block.js'

/** Maximum size in bytes of one Uint8Array in Node 20. */
export const maxArrayBytes = 2 ** 32

/** A piece of a device's memory. `Block` (block.ts) is one that JavaScript can see. */
export interface DeviceBlock {
  /** The address of its first byte on the device. Valid while the block is reachable and not released. */
  readonly address: number
  readonly byteLength: number
}

/** Bytes in JavaScript; a Uint8Array shows no more than `maxArrayBytes`. */
export interface HostBytes {
  readonly buffer: ArrayBufferLike
  readonly byteOffset: number
  readonly byteLength: number
}

/** Bytes in parts that a Uint8Array shows. */
export function* parts(data: HostBytes, partBytes = 2 ** 30): Generator<{ from: number; bytes: Uint8Array }> {
  for (let from = 0; from < data.byteLength; from += partBytes) {
    const bytes = Math.min(partBytes, data.byteLength - from)
    yield { from, bytes: new Uint8Array(data.buffer, data.byteOffset + from, bytes) }
  }
}

/**
 * A device's memory as tensors use it. Reads and writes are ordered after all work queued on the device before. Throws
 * DeviceError as the device does.
 */
export interface TensorMemory extends DeviceMemory {
  /** The block as JavaScript sees it if it shares memory with the device, else null. */
  shared(block: DeviceBlock): Block | null
  /** A copy of `bytes` bytes from byte `from` of a block: at most `maxArrayBytes`, which one typed array holds. */
  read(block: DeviceBlock, from: number, bytes: number): Uint8Array
  /** As `read`, without blocking. */
  readAsync(block: DeviceBlock, from: number, bytes: number): Promise<Uint8Array>
  /** Copies `data`, of any length, to byte `from` of a block; `data` may change afterwards. */
  write(block: DeviceBlock, from: number, data: HostBytes): void
  /** While `body` runs, captured writes are also executed once right after the capture, for uses outside of it. */
  lasting<R>(body: () => R): R
}

/** Allocates and frees memory. A block that is never released is freed when it is collected. */
export interface DeviceMemory<B extends DeviceBlock = DeviceBlock> {
  /**
   * A block of undefined content; `bytes` may be 0. `owner`: its purpose, where the device keeps accounts. Throws
   * DeviceError when out of memory.
   */
  allocate(bytes: number, owner?: string): B
  /** Frees a block at once; it may not be used afterwards. */
  release(block: B): void
}
