/**
 * Left operands that are computed just before the dot (dequantised, scaled) and passed to wgmma in registers, so that they
 * need neither a shared-memory store nor a fence. Each thread computes its own fragments, of rows eight apart. The summation
 * order of K is free as long as both operands use the same one: it is chosen so that each thread reads a contiguous piece of
 * memory, and the right operand is stored to shared memory in that order.
 */
import { type TileNode, tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { blockAccess, contiguousDim } from './access.js'
import type { DotPlan } from './dot-layouts.js'
import { bitsOf, bitsOfDim, dimOfBit, laneBits, type ThreadLayout, totalBits } from './layout.js'
import { bitBefore, isRenaming, shapeOf } from './renaming.js'
import type { SharedLayout } from './shared-layout.js'

/** log2 of an instruction's K; bits 1 and 2 select a fragment's thread. */
const stepBits = 4
const threadBits = 2
/** Maximum bytes per thread of a contiguous piece of the right operand's row: larger pieces cause bank conflicts. */
const pieceBytes = 32

/** The order of K of a dot whose left operand is computed in registers. */
export interface DepthOrder {
  /** For each bit of K in instruction order, the bit of the operands' K. */
  readonly bits: readonly number[]
  /** Bits of K along which the left operand repeats its source, such as a block scale. */
  readonly repeated: readonly number[]
  /** The layout to compute the right operand in: each thread holds contiguous shared memory. Null: no preference. */
  readonly right: ThreadLayout | null
  /** The loads that threads read in contiguous pieces. */
  readonly loads: readonly TileNode[]
}

/** Null: memory is not contiguous along K. */
export function depthInFragments({ node, k, n, acc }: DotPlan): DepthOrder | null {
  const [left, right] = node.inputs as [TileNode, TileNode]
  const [own, other] = [alongMemory(left, 1), alongMemory(right, 0)]
  const read = own.bits
  if (bitsOf(k) < stepBits || read.length <= threadBits) return null
  const repeated = Array.from({ length: bitsOf(k) }, (_, bit) => bit).filter(bit => !read.includes(bit))
  const isAlike = String(own.bits) === String(other.bits) && own.bytes === other.bytes
  const piece = Math.min(read.length, bitsOf(pieceBytes / own.bytes))
  const layout = isAlike ? inPieces([k, n], read, { piece, repeated, warpBits: acc.warps.length }) : null
  // The threads of a fragment differ in the last bits of a piece, or of a row.
  const end = layout === null ? read.length : piece
  const threads = read.slice(end - threadBits, end)
  const [first, ...others] = read.filter(bit => !threads.includes(bit)) as [number, ...number[]]
  const loads = [own.load, other.load].filter(load => load !== null)
  return { bits: [first, ...threads, ...others, ...repeated], repeated, right: layout, loads }
}

interface Pieces {
  /** log2 of the elements of a piece. */
  readonly piece: number
  readonly repeated: readonly number[]
  readonly warpBits: number
}

/** A layout in which each thread holds pieces of rows of the right operand; null: there are too few elements per thread. */
function inPieces(shape: readonly number[], read: readonly number[], pieces: Pieces): ThreadLayout | null {
  const { piece, repeated, warpBits } = pieces
  const [depth, rows] = [bitsOfDim(shape, 0), bitsOfDim(shape, 1)]
  const inRows = depth.length + rows.length - repeated.length - laneBits - warpBits - piece
  if (inRows < 0 || piece <= threadBits) return null
  const rest = [...read.slice(piece).map(bit => depth[bit]!), ...rows.slice(0, rows.length - inRows)]
  return {
    shape,
    registers: [
      ...read.slice(0, piece).map(bit => depth[bit]!),
      ...rows.slice(rows.length - inRows),
      ...repeated.map(bit => depth[bit]!),
    ],
    lanes: rest.slice(0, laneBits),
    warps: rest.slice(laneBits),
  }
}

interface Along {
  /** Bits of K along which the largest load behind an operand is contiguous, lowest first. */
  readonly bits: readonly number[]
  /** Element size of that load. */
  readonly bytes: number
  readonly load: TileNode | null
}

/** The largest load behind an operand, and which of the operand's index bits along K are contiguous in its memory. */
function alongMemory(operand: TileNode, depthDim: 0 | 1): Along {
  const shape = shapeOf(operand)
  let largest: Along & { readonly size: number } = { size: 0, bits: [], bytes: 1, load: null }
  const visit = (node: TileNode, names: readonly (number | null)[]): void => {
    if (node.op === 'load') {
      const access = blockAccess(node)
      const [size, dim] = [totalBits(access.shape), contiguousDim(access)]
      if (size <= largest.size || dim === null) return
      const along = bitsOfDim(access.shape, dim).map(bit => names.indexOf(bit))
      const bits = along.filter(name => name >= 0 && dimOfBit(shape, name).dim === depthDim)
      const bytes = itemBytes(tileType(node).dtype)
      largest = { load: node, size, bytes, bits: bits.map(name => dimOfBit(shape, name).bit) }
    } else if (isRenaming(node)) {
      visit(
        node.inputs[0]!,
        names.map(name => (name === null ? null : bitBefore(node, name))),
      )
    } else if (node.op === 'map' || node.op === 'cast' || node.op === 'bitcast') {
      for (const input of node.inputs)
        if (input.type.kind === 'tile' && tileType(input).shape.length > 0) visit(input, names)
    }
  }
  visit(
    operand,
    Array.from({ length: totalBits(shape) }, (_, bit) => bit),
  )
  return largest
}

/** The dot with K in that order: instructions find the right operand's elements at the expected places. */
export function inOrder(plan: DotPlan, { bits }: DepthOrder): DotPlan {
  return { ...plan, depth: bits, sharedB: reordered(plan.sharedB, bits) }
}

/** The right operand's shared-memory layout with K in another order. */
export function reordered(layout: SharedLayout, depth: readonly number[]): SharedLayout {
  const bits = bitsOfDim(layout.shape, 0)
  const offsets = [...layout.offsets]
  for (const [i, bit] of depth.entries()) offsets[bits[bit]!] = layout.offsets[bits[i]!]!
  return { ...layout, offsets }
}

/** Fragments with registers in memory order: along K, then rows; repeated bits last. */
export function asRead(fragments: ThreadLayout, { bits, repeated }: DepthOrder): ThreadLayout {
  const { shape, registers } = fragments
  const depth = bitsOfDim(shape, 1)
  const along = bits.filter(bit => !repeated.includes(bit)).map(bit => depth[bit]!)
  const order = [...along, ...bitsOfDim(shape, 0), ...repeated.map(bit => depth[bit]!)]
  return { ...fragments, registers: order.filter(bit => registers.includes(bit)) }
}
