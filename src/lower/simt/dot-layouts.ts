/**
 * Chooses how a dot is computed (wgmma where the target has it; mma.sync for 16-bit floats and bytes in tiles that fit its
 * instructions; else register-blocked multiply-adds), and the accumulator's layout.
 */
import type { SimtArch, SimtTarget } from '../../target/simt.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { type Dtype, type Float8, itemBytes } from '../../types/dtype.js'
import { bitsOf, bitsOfDim, copy, LayoutBuilder, laneBits, type ThreadLayout } from './layout.js'
import { padded, type SharedLayout, swizzledRows } from './shared-layout.js'
import { fitsWarpgroups, warpgroupLayout } from './wgmma-layouts.js'

export interface DotPlan {
  readonly node: TileNode
  readonly method: 'wgmma' | 'mma' | 'fma'
  readonly m: number
  readonly n: number
  readonly k: number
  readonly operand: Dtype
  /** The 8-bit float formats, when the operands are codes. */
  readonly codes: readonly [Float8, Float8] | undefined
  readonly accumulator: Dtype
  readonly acc: ThreadLayout
  /** The dim along which each operand is contiguous in shared memory. */
  readonly innerA: 0 | 1
  readonly innerB: 0 | 1
  readonly sharedA: SharedLayout
  readonly sharedB: SharedLayout
  /** For each bit of K in instruction order, the bit of the tiles' K: the summation order is free. */
  readonly depth: readonly number[]
}

/** Identifies an operand in shared memory: dots with equal keys share one copy. */
export const operandKey = ({ node, method, innerA, innerB, depth }: DotPlan, position: 0 | 1): string =>
  `${node.inputs[position]!.id}:${position}:${method}:${position === 0 ? innerA : innerB}:${depth}`

/** Required alignment in bytes of the operands in shared memory. */
export const operandAlignment = ({ method }: DotPlan): number => (method === 'wgmma' ? 1024 : 16)

/** The contiguous dim of an operand in global memory, traced through transposes to its load; the last dim by default. */
export type InnerDim = (operand: TileNode) => 0 | 1

const mmaDtypes: readonly Dtype[] = ['f64', 'f16', 'bf16', 'i8', 'u8']

/** True when tensor cores support a dot's dtypes and K. */
export function onMatrixUnit(dot: TileNode): boolean {
  const { dtype, shape } = tileType(dot.inputs[0]!)
  const { dtype: accumulator } = tileType(dot)
  const isTf32 = dot.op === 'dot' && dot.attrs.precision === 'tf32'
  return (
    (isTf32 || mmaDtypes.includes(dtype)) &&
    (dtype === 'f64' ? accumulator === 'f64' : accumulator === 'f32' || accumulator === 'i32') &&
    bitsOf(shape[1]!) >= bitsOf(32 / itemBytes(dtype))
  )
}

/** True when tensor cores multiply the codes of a dot's 8-bit floats directly, with the operands in this order or swapped. */
export function multipliesCodes(dot: TileNode, { arch }: SimtTarget): boolean {
  const [m, n] = tileType(dot).shape as [number, number]
  return arch.mmaF8 && onMatrixUnit(dot) && bitsOf(Math.max(m, n)) >= bitsOf(mmaRows)
}

/** M of one instruction. Tiles with fewer columns than its N = 8 compute columns redundantly. */
export const mmaRows = 16

interface DotChoices {
  /** Warps split only M, as far as there are enough rows. */
  readonly rowsOnly: boolean
  /** Operands may be turned by copies of single elements: there are enough warps to wait for them. */
  readonly turns: boolean
}

export function planDot(
  node: TileNode,
  arch: SimtArch,
  warpBits: number,
  innerDim: InnerDim,
  { rowsOnly, turns }: DotChoices,
): DotPlan {
  const [a, b, acc] = node.inputs.map(tileType) as [
    ReturnType<typeof tileType>,
    ReturnType<typeof tileType>,
    ReturnType<typeof tileType>,
  ]
  const [m, k] = a.shape as [number, number]
  const n = b.shape[1]!
  const fits = onMatrixUnit(node) && bitsOf(m) >= bitsOf(mmaRows)
  const bytes = itemBytes(a.dtype)
  // Fragments of bytes, and of fewer columns than fill 16 bytes, are read along K only; f32 fragments in both directions.
  // Of large blocks a thread reads four neighbouring rows and columns at a time, whose registers suit multiply-adds best.
  const isBlocked = turns && !fits && bytes >= 4 && bitsOf(m) + bitsOf(n) - laneBits - warpBits >= 2 * vectorBits
  const innerA = isBlocked ? 0 : fits && bytes === 1 ? 1 : innerDim(node.inputs[0]!)
  const innerB = isBlocked ? 1 : fits && (bytes === 1 || (bitsOf(n) < 3 && bytes < 4)) ? 0 : innerDim(node.inputs[1]!)
  const codes = node.op === 'dot' ? node.attrs.codes : undefined
  const depth = Array.from({ length: bitsOf(k) }, (_, bit) => bit)
  const plan = { node, m, n, k, codes, operand: a.dtype, accumulator: acc.dtype, innerA, innerB, depth }
  const shape = [m, n]
  const rows = (of: readonly [number, number], inner: 0 | 1, along: 0 | 1): SharedLayout => {
    if (!fits) return paddedRows(of, inner, bytes)
    // 64-bit operands: the 16 elements that half a warp loads, 4 along M or N by 4 along K, lie in different banks.
    if (bytes === 8) return padded(of, [inner, 1 - inner], 4)
    return bytes === 4 && inner !== along ? spreadRows(of, inner) : swizzledRows(of, inner, bytes)
  }
  const shared = { sharedA: rows([m, k], innerA, 1), sharedB: rows([k, n], innerB, 0) }
  if (fits && arch.warpgroup && fitsWarpgroups(plan, warpBits))
    return { ...plan, ...shared, method: 'wgmma', acc: warpgroupLayout(shape, warpBits) }
  if (fits) return { ...plan, ...shared, method: 'mma', acc: fragmentLayout(shape, warpBits, rowsOnly) }
  return { ...plan, ...shared, method: 'fma', acc: blockLayout(shape, warpBits, innerA === 0, innerB === 1) }
}

/** log2 of the neighbours that a thread of multiply-adds reads as one vector. */
const vectorBits = 2

/** f32 rows stored across K: the accesses of four k-steps to eight neighbours each use different banks. */
const spreadRows = (shape: readonly [number, number], inner: 0 | 1): SharedLayout =>
  padded(shape, [inner, 1 - inner], 8)

/** Rows along the dim `inner`, padded by 16 bytes: the elements of a column are in different banks. */
function paddedRows(shape: readonly [number, number], inner: 0 | 1, bytes: number): SharedLayout {
  return padded(shape, [inner, 1 - inner], shape[inner]! >= 8 ? Math.max(1, 16 / bytes) : 0)
}

/**
 * The m16n8 accumulator layout: lane / 4 is the row, lane mod 4 selects a pair of columns, two halves of 8 rows. With fewer
 * than 8 columns, several lanes hold copies of the same column; with one column, half of the registers remain (mma-dot.ts).
 */
function fragmentLayout(shape: readonly number[], warpBits: number, rowsOnly: boolean): ThreadLayout {
  const builder = new LayoutBuilder(shape, warpBits)
  const [rows, columns] = [bitsOfDim(shape, 0), bitsOfDim(shape, 1)]
  builder.registers.push(...columns.splice(0, 1))
  builder.lanes.push(...threadColumns(columns.splice(0, 2)), ...rows.splice(0, 3))
  builder.registers.push(rows.shift()!)
  if (rowsOnly) builder.warps.push(...rows.splice(Math.max(0, rows.length - warpBits)))
  builder.warps.push(...splitOver(rows, columns, builder.freeWarps, 1))
  builder.registers.push(...columns, ...rows)
  return builder.finish()
}

const threadColumns = ([low = copy, high = copy]: readonly number[]): number[] => [low, high]

/**
 * The left operand's m16k16 fragments for an accumulator's rows: like two adjacent accumulators. Null: warps split columns
 * too, so each warp lacks parts of the rows.
 */
export function leftFragments({ acc, m, n, k, operand, depth: order }: DotPlan): ThreadLayout | null {
  const shape = [m, k]
  const accRows = bitsOfDim([m, n], 0)
  const rows = bitsOfDim(shape, 0)
  const depth = order.map(bit => bitsOfDim(shape, 1)[bit]!)
  if (itemBytes(operand) !== 2 || acc.warps.some(bit => bit !== copy && !accRows.includes(bit))) return null
  const warps = acc.warps.map(bit => (bit === copy ? copy : rows[accRows.indexOf(bit)]!))
  const tiles = rows.slice(4).filter(bit => !warps.includes(bit))
  return {
    shape,
    registers: [depth[0]!, rows[3]!, depth[3]!, ...depth.slice(4), ...tiles],
    lanes: [depth[1]!, depth[2]!, rows[0]!, rows[1]!, rows[2]!],
    warps,
  }
}

/** Distributes the highest bits of rows and columns alternately over warps, so that a warp's part stays about square. */
function splitOver(rows: number[], columns: number[], count: number, moreColumns: number): number[] {
  const taken: number[] = []
  while (taken.length < count && rows.length + columns.length > 0) {
    const fromRows = columns.length === 0 || (rows.length > 0 && rows.length + 1 >= columns.length - moreColumns + 1)
    taken.push((fromRows ? rows : columns).pop()!)
  }
  return taken
}

/**
 * Register blocks for multiply-adds. Along a dim in which the operand is contiguous in memory, a thread holds four
 * neighbours, read as one vector. Along other dims, neighbours belong to neighbouring lanes, whose vectors along K are then in
 * different banks.
 */
function blockLayout(shape: readonly number[], warpBits: number, rowsRun: boolean, columnsRun: boolean): ThreadLayout {
  const builder = new LayoutBuilder(shape, warpBits)
  const [rows, columns] = [bitsOfDim(shape, 0), bitsOfDim(shape, 1)]
  let spare = Math.max(0, rows.length + columns.length - laneBits - warpBits)
  const take = (from: number[], count: number, to: number[]): void => void to.push(...from.splice(0, count))
  const vector = (from: number[], runs: boolean): void => {
    const count = runs ? Math.min(vectorBits, spare, from.length) : 0
    take(from, count, builder.registers)
    spare -= count
  }
  vector(columns, columnsRun)
  vector(rows, rowsRun)
  take(columns, 3, builder.lanes)
  take(rows, Math.min(2, builder.freeLanes), builder.lanes)
  take(rows, builder.freeLanes, builder.lanes)
  take(columns, builder.freeLanes, builder.lanes)
  builder.warps.push(...splitOver(rows, columns, builder.freeWarps, 0))
  builder.registers.push(...columns, ...rows)
  return builder.finish()
}
