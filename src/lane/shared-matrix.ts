/**
 * wgmma operands in shared memory, as the PTX ISA's matrix descriptors define them ("wgmma": canonical layouts). A matrix is
 * stored in rows of `swizzle` bytes, in groups of eight rows. The 16-byte pieces of row r are XORed with r: address bits
 * 4 to 6 (5, 4 for shorter rows) with bits 7 to 9.
 */
import type { Dtype, Float8 } from '../types/dtype.js'

export interface SharedMatrix {
  /** Row length of the swizzle pattern in bytes. Memory must be aligned to eight rows. */
  readonly swizzle: 32 | 64 | 128
  /** Rows run along K, or along M (N for the right operand); the latter only for 16-bit elements. */
  readonly major: 'k' | 'mn'
  /** Stride in bytes between groups of eight rows. */
  readonly groupBytes: number
  /** For rows along M or N: stride in bytes between panels, in which a row continues; unused along K. */
  readonly panelBytes: number
}

/** The operands of `wgmma`. */
export type WarpgroupOperands = {
  /** Null: the operand is in registers. */
  readonly a: SharedMatrix | null
  readonly b: SharedMatrix
  /** Set when the operands are u8: the float formats of the codes. */
  readonly codes?: readonly [a: Float8, b: Float8]
}

/** Shape of one instruction: m64 × n × `depth`, n = 8, 16, … 256. */
export interface WarpgroupForm {
  readonly depth: number
  readonly accumulator: 'f32' | 'i32'
}

export const warpgroupThreads = 128
/** M of a warpgroup instruction, over its four warps. */
export const warpgroupRows = 64

const forms: Partial<Record<Dtype, WarpgroupForm>> = {
  f32: { depth: 8, accumulator: 'f32' },
  f16: { depth: 16, accumulator: 'f32' },
  bf16: { depth: 16, accumulator: 'f32' },
  i8: { depth: 32, accumulator: 'i32' },
  u8: { depth: 32, accumulator: 'i32' },
  f8e4m3: { depth: 32, accumulator: 'f32' },
  f8e5m2: { depth: 32, accumulator: 'f32' },
}

/** Null: no instruction supports this dtype. f32 is multiplied in tf32: the low bits of the fraction are ignored. */
export const warpgroupForm = (operand: Dtype): WarpgroupForm | null => forms[operand] ?? null

/** N of an accumulator with this many values per thread. */
export const columnsOf = (accumulatorLanes: number): number => (accumulatorLanes * warpgroupThreads) / warpgroupRows

/** The address of a 16-byte piece after swizzling. */
export const swizzled = (address: number, { swizzle }: SharedMatrix): number =>
  address ^ (((address >> 7) & (swizzle / 16 - 1)) << 4)

/**
 * Byte offset (before swizzling, from the matrix' start) of the 16-byte piece that holds element `at` along m or n and step
 * `k`, and the element's index in it.
 */
export function pieceOf(
  { swizzle, major, groupBytes, panelBytes }: SharedMatrix,
  elementBytes: number,
  at: number,
  k: number,
): { readonly offset: number; readonly element: number } {
  const [row, along] = major === 'k' ? [at, k] : [k, at]
  const bytes = along * elementBytes
  const panel = Math.floor(bytes / swizzle)
  const inRow = bytes % swizzle
  return {
    offset: (row >> 3) * groupBytes + (row & 7) * swizzle + panel * panelBytes + (inRow & ~15),
    element: (inRow & 15) / elementBytes,
  }
}
