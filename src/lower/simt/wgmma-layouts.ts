/** Selects the dots that run on wgmma, and the layouts of their operands and accumulators. */
import { type SharedMatrix, warpgroupForm, warpgroupRows } from '../../lane/shared-matrix.js'
import { type Dtype, type Float8, itemBytes } from '../../types/dtype.js'
import { bitsOf, bitsOfDim, LayoutBuilder, type ThreadLayout } from './layout.js'
import type { SharedLayout } from './shared-layout.js'

export interface DotSizes {
  readonly m: number
  readonly n: number
  readonly k: number
  readonly operand: Dtype
  readonly codes: readonly [Float8, Float8] | undefined
  readonly accumulator: Dtype
  /** The dim along which each operand is contiguous in shared memory. */
  readonly innerA: 0 | 1
  readonly innerB: 0 | 1
}

/** Limit on accumulator registers per thread: the other half is left for everything else, or for partial sums. */
const maxSums = 128
/** Columns of one instruction. */
const maxColumnBits = 8
export const maxInstructionColumns = 2 ** maxColumnBits
const warpBitsOfGroup = 2
/** The shortest row in shared memory that wgmma takes swizzled. */
const minRowBytes = 32

/** True when a dot's sizes and dtypes suit wgmma, and its accumulators fit in registers. */
export function fitsWarpgroups(sizes: DotSizes, warpBits: number): boolean {
  const { m, n, k, operand, codes, accumulator, innerA, innerB } = sizes
  const form = warpgroupForm(codes?.[0] ?? operand)
  if (form === null || form.accumulator !== accumulator || warpBits < warpBitsOfGroup) return false
  const [rowBits, columnBits] = [bitsOf(m), bitsOf(n)]
  const sums = 2 ** Math.max(0, rowBits + columnBits - 5 - warpBits)
  // Instructions read wider elements along K only.
  if (itemBytes(operand) > 2 && (innerA !== 1 || innerB !== 0)) return false
  const wideEnough = innerB === 0 || 2 ** columnBits * itemBytes(operand) >= minRowBytes
  return (
    rowBits >= bitsOf(warpgroupRows) &&
    columnBits >= 3 &&
    k > form.depth / 2 &&
    sums <= (codes === undefined ? maxSums : maxSums / 2) &&
    wideEnough
  )
}

/**
 * Accumulators of m64 × n: four warps by sixteen rows, each with adjacent m16n8 tiles. More warpgroups split the rows, then
 * the columns; the remaining rows are further registers.
 */
export function warpgroupLayout(shape: readonly number[], warpBits: number): ThreadLayout {
  const builder = new LayoutBuilder(shape, warpBits)
  const [rows, columns] = [bitsOfDim(shape, 0), bitsOfDim(shape, 1)]
  builder.registers.push(columns.shift()!)
  builder.lanes.push(...columns.splice(0, 2), ...rows.splice(0, 3))
  builder.registers.push(rows.shift()!)
  builder.warps.push(...rows.splice(0, warpBitsOfGroup))
  builder.warps.push(...rows.splice(Math.max(0, rows.length - builder.freeWarps)))
  builder.warps.push(...columns.splice(Math.max(0, columns.length - builder.freeWarps)))
  builder.warps.push(...rows.splice(Math.max(0, rows.length - builder.freeWarps)))
  // Columns beyond one instruction's N are further instructions, as rows are.
  builder.registers.push(...columns.splice(0, maxColumnBits - 3), ...columns, ...rows)
  return builder.finish()
}

/** The descriptor fields of an operand stored in `swizzledRows`. */
export function sharedMatrixOf({ shape }: SharedLayout, inner: 0 | 1, k: 0 | 1, bytes: number): SharedMatrix {
  const rowBytes = Math.min(128, 2 ** bitsOf(shape[inner]!) * bytes) as SharedMatrix['swizzle']
  return {
    swizzle: rowBytes,
    major: inner === k ? 'k' : 'mn',
    groupBytes: 8 * rowBytes,
    panelBytes: 2 ** bitsOf(shape[1 - inner]!) * rowBytes,
  }
}
