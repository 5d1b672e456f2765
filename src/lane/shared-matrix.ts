/**
 * Operands of the warpgroup's matrix instructions in shared memory, as the PTX ISA's matrix descriptors name them
 * ("wgmma": canonical layouts). A matrix is rows of `swizzle` bytes, eight of them to a group, in which the 16-byte pieces
 * of row r are XORed with r: address bits 4 to 6 (5, 4 for shorter rows) with bits 7 to 9.
 */
import type { Dtype } from '../types/dtype.js'

export interface SharedMatrix {
  /** Bytes of a row of the pattern. The memory must begin at a multiple of eight rows. */
  readonly swizzle: 32 | 64 | 128
  /** Rows run along k, or along m (n, for the right operand), which 16-bit elements alone may do. */
  readonly major: 'k' | 'mn'
  /** Bytes from one group of eight rows to the next. */
  readonly groupBytes: number
  /** Rows along m or n: bytes from where a row ends to where its elements go on; unused along k. */
  readonly panelBytes: number
}

/** What one instruction multiplies: m64 × n × `depth`, n = 8, 16, … 256. */
export interface WarpgroupForm {
  readonly depth: number
  readonly accumulator: 'f32' | 'i32'
}

export const warpgroupThreads = 128
/** Rows that the four warps of a warpgroup have together. */
export const warpgroupRows = 64

const forms: Partial<Record<Dtype, WarpgroupForm>> = {
  f16: { depth: 16, accumulator: 'f32' },
  bf16: { depth: 16, accumulator: 'f32' },
  i8: { depth: 32, accumulator: 'i32' },
  u8: { depth: 32, accumulator: 'i32' },
  f8e4m3: { depth: 32, accumulator: 'f32' },
  f8e5m2: { depth: 32, accumulator: 'f32' },
}

/** Null: no instruction multiplies them. */
export const warpgroupForm = (operand: Dtype): WarpgroupForm | null => forms[operand] ?? null

/** Columns of an accumulator with so many values in each thread. */
export const columnsOf = (accumulatorLanes: number): number => (accumulatorLanes * warpgroupThreads) / warpgroupRows

/** The address of a 16-byte piece after swizzling. */
export const swizzled = (address: number, { swizzle }: SharedMatrix): number =>
  address ^ (((address >> 7) & (swizzle / 16 - 1)) << 4)

/**
 * Where the piece lies (before swizzling, in bytes from the matrix' start) that holds element `at` along m or n and step
 * `k`, and the element's place in it.
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
