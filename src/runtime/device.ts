/** What all devices have in common, so that a tensor's storage can hold memory of any of them. */

/** A piece of a device's memory. `Block` (block.ts) is one that JavaScript can see. */
export interface DeviceBlock {
  /** The address of its first byte on the device. Valid while the block is reachable and not released. */
  readonly address: number
  readonly byteLength: number
}

/**
 * A device's memory as tensors use it. Reads see, and writes follow, all work that was given to the device before.
 * Throws DeviceError as the device does.
 */
export interface TensorMemory extends DeviceMemory {
  /** The block's bytes where JavaScript shares them with the device; null: they are apart. */
  view(block: DeviceBlock): Uint8Array | null
  /** A copy of `bytes` bytes from byte `from` of a block. */
  read(block: DeviceBlock, from: number, bytes: number): Uint8Array
  /** As `read`, without blocking. */
  readAsync(block: DeviceBlock, from: number, bytes: number): Promise<Uint8Array>
  /** Copies `data` to byte `from` of a block; `data` may change afterwards. */
  write(block: DeviceBlock, from: number, data: Uint8Array): void
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
