/** What all devices have in common, so that a tensor's storage can hold memory of any of them. */

import type { Block } from './block.js'

/** The most bytes of one Uint8Array in Node 20. */
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
 * A device's memory as tensors use it. Reads see, and writes follow, all work that was given to the device before.
 * Throws DeviceError as the device does.
 */
export interface TensorMemory extends DeviceMemory {
  /** The block as JavaScript sees it where it shares memory with the device; null: they are apart. */
  shared(block: DeviceBlock): Block | null
  /** A copy of `bytes` bytes from byte `from` of a block: at most `maxArrayBytes`, which one typed array holds. */
  read(block: DeviceBlock, from: number, bytes: number): Uint8Array
  /** As `read`, without blocking. */
  readAsync(block: DeviceBlock, from: number, bytes: number): Promise<Uint8Array>
  /** Copies `data`, of any length, to byte `from` of a block; `data` may change afterwards. */
  write(block: DeviceBlock, from: number, data: HostBytes): void
  /** While `body` runs, writes that are captured are made once more right after the capture, for uses outside of it. */
  lasting<R>(body: () => R): R
}

/** Gives and takes memory. A block that is never released is freed when it is collected. */
export interface DeviceMemory<B extends DeviceBlock = DeviceBlock> {
  /**
   * A block of undefined content; `bytes` may be 0. `owner`: what it is for, where the device keeps accounts. Throws
   * DeviceError when memory ends.
   */
  allocate(bytes: number, owner?: string): B
  /** Gives a block back at once; nobody may use it afterwards. */
  release(block: B): void
}
