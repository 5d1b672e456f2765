/** Ops that only rename a tile's elements: reshapes that keep the index's bits, transposes, broadcasts. */
import { type TileNode, tileType } from '../../tile/ir.js'
import { beforeBroadcast, beforeTranspose, keepsBits, type Layout, reshaped, totalBits, transposed } from './layout.js'

export const shapeOf = (node: TileNode): readonly number[] => tileType(node).shape

/** Only renames: its elements are its input's. */
export const isRenaming = (node: TileNode): boolean =>
  node.op === 'broadcast' ||
  node.op === 'transpose' ||
  (node.op === 'reshape' && keepsBits(shapeOf(node.inputs[0]!), node.attrs.shape))

/** What the input of a renaming must have so that the result has `layout`. */
export function beforeRenaming(node: TileNode, layout: Layout): Layout {
  const from = shapeOf(node.inputs[0]!)
  if (node.op === 'broadcast') return beforeBroadcast(layout, from)
  if (node.op === 'transpose') return beforeTranspose(layout, node.attrs.permutation)
  return reshaped(layout, from)
}

/** The result's layout when the input has `layout`; null for a broadcast that stretches: it leaves the new elements' places open. */
export function afterRenaming(node: TileNode, layout: Layout): Layout | null {
  if (node.op === 'transpose') return transposed(layout, node.attrs.permutation)
  const { shape } = tileType(node)
  const stretches = node.op === 'broadcast' && totalBits(shape) !== totalBits(layout.shape)
  return stretches ? null : reshaped(layout, shape)
}
