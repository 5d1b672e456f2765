/** Ops that only rename a tile's elements: reshapes that keep the index bits, transposes, broadcasts. */
import { type TileNode, tileType } from '../../tile/ir.js'
import {
  beforeBroadcast,
  beforeTranspose,
  bitsOfDim,
  copy,
  dimOfBit,
  dimStarts,
  keepsBits,
  reshaped,
  type ThreadLayout,
  totalBits,
  transposed,
} from './layout.js'

export const shapeOf = (node: TileNode): readonly number[] => tileType(node).shape

/** True for a renaming: its elements are its input's. */
export const isRenaming = (node: TileNode): boolean =>
  node.op === 'broadcast' ||
  node.op === 'transpose' ||
  (node.op === 'reshape' && keepsBits(shapeOf(node.inputs[0]!), node.attrs.shape))

/** The layout that the input of a renaming must have so that the result has `layout`. */
export function beforeRenaming(node: TileNode, layout: ThreadLayout): ThreadLayout {
  const from = shapeOf(node.inputs[0]!)
  if (node.op === 'broadcast') return beforeBroadcast(layout, from)
  if (node.op === 'transpose') return beforeTranspose(layout, node.attrs.permutation)
  return reshaped(layout, from)
}

/** A broadcast that adds at most this many index bits keeps the new elements in registers. */
const fewBits = 2

/** A broadcast's layout in which the new elements are in the same thread as their sources: the copies are consecutive. */
function inSameThread(node: TileNode, layout: ThreadLayout): ThreadLayout {
  const { shape } = tileType(node)
  const bits = Array.from({ length: totalBits(shape) }, (_, bit) => bit)
  const place = (from: number): number => (from === copy ? copy : bits.findIndex(bit => bitBefore(node, bit) === from))
  return {
    shape,
    registers: [...layout.registers.map(place), ...bits.filter(bit => bitBefore(node, bit) === null)],
    lanes: layout.lanes.map(place),
    warps: layout.warps.map(place),
  }
}

/** The result's layout when the input has `layout`; null for an expanding broadcast, whose new elements have no location yet. */
export function afterRenaming(node: TileNode, layout: ThreadLayout): ThreadLayout | null {
  if (node.op === 'transpose') return transposed(layout, node.attrs.permutation)
  const { shape } = tileType(node)
  const added = node.op === 'broadcast' ? totalBits(shape) - totalBits(layout.shape) : 0
  if (added === 0) return reshaped(layout, shape)
  return added <= fewBits ? inSameThread(node, layout) : null
}

/** The input's index bit behind a bit of the result; null: the result repeats along it. */
export function bitBefore(node: TileNode, bit: number): number | null {
  if (node.op === 'reshape') return bit
  const from = shapeOf(node.inputs[0]!)
  const place = dimOfBit(shapeOf(node), bit)
  if (node.op === 'transpose') return dimStarts(from)[node.attrs.permutation[place.dim]!]! + place.bit
  const dim = place.dim - (shapeOf(node).length - from.length)
  return dim < 0 || from[dim] === 1 ? null : bitsOfDim(from, dim)[place.bit]!
}
