/** The fastest layout for a block access: lanes along the contiguous dim, up to 16 bytes per lane and access. */
import { storeEnds, type TileNode, tileType, viewType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import type { Facts } from './facts.js'
import { bitsOf, blocked, dimOfBit, dimStarts, type ThreadLayout, totalBits } from './layout.js'

/** A load or store of a block of `shape` at scalar offsets. */
export interface BlockAccess {
  readonly node: TileNode
  readonly view: TileNode
  readonly offsets: readonly TileNode[]
  /** A store's own end per dim; null: the view's end. */
  readonly ends: readonly TileNode[] | null
  readonly shape: readonly number[]
}

export function blockAccess(node: Extract<TileNode, { op: 'load' | 'store' }>): BlockAccess {
  const view = node.inputs[0]!
  const rank = viewType(view).sizes.length
  const shape = node.op === 'load' ? node.attrs.shape : tileType(node.inputs.at(-1)!).shape
  return { node, view, offsets: node.inputs.slice(1, rank + 1), ends: storeEnds(node), shape }
}

/** The dim with stride 1 in memory; null if none is known. */
export function contiguousDim({ view, shape }: BlockAccess): number | null {
  const { strides } = viewType(view)
  const dim = strides.findIndex((stride, d) => stride === 1 && shape[d]! > 1)
  return dim < 0 ? null : dim
}

/** Elements along the contiguous dim per vector access: a power of two, at most 16 bytes. */
function vectorElements(facts: Facts, access: BlockAccess): number {
  const { view, offsets, shape } = access
  const contiguous = contiguousDim(access)
  if (contiguous === null) return 1
  const bytes = itemBytes(viewType(view).dtype)
  let width = Math.min(16 / bytes, 2 ** bitsOf(shape[contiguous]!))
  width = Math.min(width, Math.max(1, facts.pointerBytes(view) / bytes), facts.divisor(offsets[contiguous]!))
  shape.forEach((size, d) => {
    if (d === contiguous || (size === 1 && facts.constant(offsets[d]!) === 0)) return
    width = Math.min(width, facts.strideDivisor(view, d) * (size === 1 ? facts.divisor(offsets[d]!) : 1))
  })
  return 2 ** Math.floor(Math.log2(Math.max(1, width)))
}

/** Register bits along the contiguous dim, lowest first, that one vector access covers. */
export function vectorRegisters(facts: Facts, access: BlockAccess, layout: ThreadLayout): number[] {
  const contiguous = contiguousDim(access)
  if (contiguous === null) return []
  const start = dimStarts(layout.shape)[contiguous]!
  const found: number[] = []
  const widest = bitsOf(vectorElements(facts, access))
  for (let bit = 0; bit < widest; bit++) {
    const place = layout.registers.indexOf(start + bit)
    if (place < 0) break
    found.push(place)
  }
  return found
}

/** Dims from smallest to largest stride, as far as strides are known; else row-major. */
function memoryOrder(access: BlockAccess): number[] {
  const { strides } = viewType(access.view)
  const dims = access.shape.map((_, d) => access.shape.length - 1 - d)
  const contiguous = contiguousDim(access)
  const known = dims.every(d => access.shape[d] === 1 || strides[d] !== null)
  const weight = (d: number): number => {
    if (d === contiguous) return 0
    return strides[d] === 0 || access.shape[d] === 1 ? Number.POSITIVE_INFINITY : Math.abs(strides[d] ?? 1)
  }
  if (known) return dims.sort((a, b) => Math.min(weight(a), 1e18) - Math.min(weight(b), 1e18))
  return contiguous === null ? dims : [contiguous, ...dims.filter(d => d !== contiguous)]
}

/** The layout in which the access takes the fewest and widest memory transactions. */
export function accessLayout(facts: Facts, access: BlockAccess, warpBits: number): ThreadLayout {
  return blocked(access.shape, memoryOrder(access), bitsOf(vectorElements(facts, access)), warpBits)
}

/**
 * Like `accessLayout`, but each access has at least the width of the narrowest cp.async, where the contiguous dim allows, and
 * at most 2^`most` elements.
 */
export function copyLayout(facts: Facts, access: BlockAccess, warpBits: number, most: number): ThreadLayout {
  const least = bitsOf(Math.max(1, minCopyBytes / itemBytes(viewType(access.view).dtype)))
  const vector = Math.min(most, bitsOf(vectorElements(facts, access)))
  return blocked(access.shape, memoryOrder(access), vector, warpBits, least)
}

/** Minimum size of a cp.async. */
const minCopyBytes = 4

/** Bytes of a memory sector, the unit of global-memory transactions. */
const sectorBytes = 32
/** A tile up to this many bytes stays in the L1 cache, so global memory is read once in any access order. */
const cachedBytes = 4096
/** For stores up to this many bytes, a layout conversion costs more than uncoalesced writes. */
const smallStore = 1024

const bytesOf = ({ view, shape }: BlockAccess): number => shape.reduce((a, b) => a * b, itemBytes(viewType(view).dtype))

/** True when the tile is so small that its register layout does not matter for speed. */
export const isSmall = (access: BlockAccess): boolean =>
  bytesOf(access) <= (access.node.op === 'load' ? cachedBytes : smallStore)

/** Rows up to this long are read by one thread each: a warp's rows are few lines of memory. */
const shortRow = 8

/** For a tile whose rows along `dim` are short and spread over lanes: a layout in which each thread has a row; else null. */
export function rowPerThread(layout: ThreadLayout | null, dim: number): ThreadLayout | null {
  if (layout === null) return null
  const { shape, lanes, warps } = layout
  const bits = bitsOf(shape[dim]!)
  const isSpread = lanes[0] !== undefined && lanes[0] >= 0 && dimOfBit(shape, lanes[0]).dim === dim
  const rest = totalBits(shape) - bits
  if (!isSpread || 2 ** bits > shortRow || rest < lanes.length + warps.length) return null
  const others = [...shape.keys()].filter(other => other !== dim).toReversed()
  return blocked(shape, [dim, ...others], bits, warps.length)
}

/** True when each thread reads whole short rows, and adjacent lanes adjacent ones. */
function readsRows({ node, shape }: BlockAccess, layout: ThreadLayout, contiguous: number): boolean {
  const bits = bitsOf(shape[contiguous]!)
  const start = dimStarts(shape)[contiguous]!
  const isRow = layout.registers.slice(0, bits).every((bit, i) => bit === start + i)
  return node.op === 'load' && 2 ** bits <= shortRow && isRow && layout.registers.length >= bits
}

/** True when the access is about as fast in this layout as in `accessLayout`. */
export function suits(access: BlockAccess, layout: ThreadLayout): boolean {
  const { view, shape } = access
  const bytes = itemBytes(viewType(view).dtype)
  const contiguous = contiguousDim(access)
  if (isSmall(access) || contiguous === null || readsRows(access, layout, contiguous)) return true
  const along = (bits: readonly number[]): number[] =>
    bits.filter(bit => bit >= 0 && dimOfBit(shape, bit).dim === contiguous).map(bit => dimOfBit(shape, bit).bit)
  const [registers, lanes] = [along(layout.registers), along(layout.lanes)]
  // The run that one warp instruction accesses: the registers of a vector, then the lanes.
  let run = 0
  while (registers.includes(run)) run++
  while (lanes.includes(run)) run++
  const whole = 2 ** bitsOf(shape[contiguous]!)
  return lanes.length >= Math.min(2, bitsOf(whole)) && 2 ** run * bytes >= Math.min(sectorBytes, whole * bytes)
}
