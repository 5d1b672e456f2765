/** A piece of a device's memory that JavaScript can see. */
export interface Block {
  readonly buffer: ArrayBuffer
  readonly byteOffset: number
  readonly byteLength: number
  /** The address of the first byte: a multiple of `blockAlignment`. Valid while the block is reachable. */
  readonly address: number
}

/** Alignment of every block in bytes: a cache line, and the widest vector register. */
export const blockAlignment = 64
