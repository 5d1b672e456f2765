/**
 * Left operands that are computed on their way to the matrix unit (decoded, scaled) and go there from registers: nothing
 * is stored for them, and nothing fenced. A thread then computes its own fragments, of rows that are eight apart. Which
 * elements of the depth those are is free, for a sum runs in any order, as long as the right operand lies in shared memory
 * in the same one: each thread takes what memory has in one piece.
 */
import { type TileNode, tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { blockAccess, contiguousDim } from './access.js'
import type { DotPlan } from './dot-layouts.js'
import { bitsOf, bitsOfDim, dimOfBit, type Layout, laneBits, totalBits } from './layout.js'
import { bitBefore, isRenaming, shapeOf } from './renaming.js'
import type { SharedLayout } from './shared-layout.js'

/** Bits of an instruction's depth; the second and the third tell a fragment's threads apart. */
const stepBits = 4
const threadBits = 2
/** What a thread reads in one piece of a row of the right operand, at most: more, and its neighbours meet in banks. */
const pieceBytes = 32

/** The depth of a dot whose left operand is computed in registers. */
export interface DepthOrder {
  /** For each bit as the instructions count them, the bit of the operands' depth. */
  readonly bits: readonly number[]
  /** Those along which the left operand repeats what it is read from. */
  readonly repeated: readonly number[]
  /** How the right operand is best computed: what lies side by side in shared memory in one thread. Null: as it comes. */
  readonly right: Layout | null
  /** The loads whose pieces these are. */
  readonly loads: readonly TileNode[]
}

/** Null: memory does not run along the depth. */
export function depthInFragments({ node, k, n, acc }: DotPlan): DepthOrder | null {
  const [left, right] = node.inputs as [TileNode, TileNode]
  const [own, other] = [alongMemory(left, 1), alongMemory(right, 0)]
  const read = own.bits
  if (bitsOf(k) < stepBits || read.length <= threadBits) return null
  const repeated = Array.from({ length: bitsOf(k) }, (_, bit) => bit).filter(bit => !read.includes(bit))
  const isAlike = String(own.bits) === String(other.bits) && own.bytes === other.bytes
  const piece = Math.min(read.length, bitsOf(pieceBytes / own.bytes))
  const layout = isAlike ? inPieces([k, n], read, { piece, repeated, warpBits: acc.warps.length }) : null
  // A fragment's threads differ in the last bits of a piece, or of a row.
  const end = layout === null ? read.length : piece
  const threads = read.slice(end - threadBits, end)
  const [first, ...others] = read.filter(bit => !threads.includes(bit)) as [number, ...number[]]
  const loads = [own.load, other.load].filter(load => load !== null)
  return { bits: [first, ...threads, ...others, ...repeated], repeated, right: layout, loads }
}

interface Pieces {
  /** Bits of a piece. */
  readonly piece: number
  readonly repeated: readonly number[]
  readonly warpBits: number
}

/** A right operand of whose rows each thread has a piece, or pieces of several; null: there is less for each. */
function inPieces(shape: readonly number[], read: readonly number[], pieces: Pieces): Layout | null {
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
  /** Bits of the depth along which the largest load behind an operand is contiguous, lowest first. */
  readonly bits: readonly number[]
  /** Of the load's elements. */
  readonly bytes: number
  readonly load: TileNode | null
}

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

/** The dot with its depth in that order: instructions find the right operand's elements where they look for them. */
export function inOrder(plan: DotPlan, { bits }: DepthOrder): DotPlan {
  return { ...plan, depth: bits, sharedB: reordered(plan.sharedB, bits) }
}

/** The right operand's place with its depth in another order. */
export function reordered(layout: SharedLayout, depth: readonly number[]): SharedLayout {
  const bits = bitsOfDim(layout.shape, 0)
  const offsets = [...layout.offsets]
  for (const [i, bit] of depth.entries()) offsets[bits[bit]!] = layout.offsets[bits[i]!]!
  return { ...layout, offsets }
}

/** The fragments with their registers as memory has them: along the depth, then the rows; what repeats comes last. */
export function asRead(fragments: Layout, { bits, repeated }: DepthOrder): Layout {
  const { shape, registers } = fragments
  const depth = bitsOfDim(shape, 1)
  const along = bits.filter(bit => !repeated.includes(bit)).map(bit => depth[bit]!)
  const order = [...along, ...bitsOfDim(shape, 0), ...repeated.map(bit => depth[bit]!)]
  return { ...fragments, registers: order.filter(bit => registers.includes(bit)) }
}
