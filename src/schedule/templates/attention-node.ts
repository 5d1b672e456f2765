/** What attention and its gradient share, and what tiling must know of them. */

import { InternalError } from '../../base/errors.js'
import type { GraphOps } from '../../graph/ir.js'
import type { AttentionSizes } from '../../kernels/attention.js'
import type { GradientTiles } from '../../kernels/attention-gradient.js'
import { indexOf } from '../../loop/access.js'
import type { LoopNode, TemplateNode } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { Hints } from '../../tile/ir.js'
import { coordsOf, dotAffine, type IndexMap, rowMajorStrides } from '../groups/affine.js'
import { addLoops, type ContractionNode, type Group, keepWhole } from '../groups/group.js'
import { shapeOf } from '../groups/layout.js'
import type { AttentionPolicy, WarpTiles } from '../policy.js'
import { plannedSize } from '../tiling/tiling.js'
import { keepWholeRowsAndColumns } from './contraction.js'
import type { TemplateContext } from './template.js'

export type AttentionParams = Pick<GraphOps['attention'], 'causal' | 'scale' | 'fullyMasked' | 'accumulate'> & {
  readonly precision: 'f32' | 'tf32'
  readonly dropout: number | null
  /** The part of the keys that a program processes; null: all. */
  readonly part: number | null
} & { readonly [Coords in 'heads' | 'rows' | 'columns' | 'keys' | 'depth']: readonly number[] }
export type AttentionNode = TemplateNode<AttentionParams>

/**
 * The group with the node as its anchor, and its loops over dims of these sizes; null: it cannot be. The templates need one axis each
 * of queries, keys, head dim and columns, so none of them may be split.
 */
export function joinWhole(group: Group, node: ContractionNode, map: IndexMap, sizes: readonly Size[]): Group | null {
  const kept = keepWholeRowsAndColumns(group, map)
  if (kept === null) return null
  const { group: looped, map: indices } = addLoops(kept, sizes)
  return keepWhole({ ...looped, anchors: [node], anchorMap: map, folded: { indices, sizes } }, coordsOf(indices))
}

/** null: symbolic, without a bound. */
export const plannedOf = (size: Size): number | null => {
  const planned = plannedSize(size)
  return typeof planned === 'number' ? planned : null
}

/** The sizes that tiles are chosen for. `sizeOf`: the number of elements along coordinates. */
export function attentionSizes(
  { columns, keys, depth, causal }: Pick<AttentionParams, 'columns' | 'keys' | 'depth' | 'causal'>,
  sizeOf: (coords: readonly number[]) => Size,
  { batch, queries }: { readonly [Coords in 'batch' | 'queries']: readonly number[] },
  policy: AttentionPolicy,
): AttentionSizes {
  return {
    batch: plannedOf(sizeOf(batch)),
    queries: plannedOf(sizeOf(queries)),
    keys: plannedOf(sizeOf(keys)),
    depth: wholeSize(sizeOf(depth), policy),
    columns: wholeSize(sizeOf(columns), policy),
    causal,
  }
}

/** Head dim and columns have known sizes, and are one block each. */
export function wholeSize(size: Size, policy: AttentionPolicy): number {
  if (typeof size !== 'number') throw new InternalError(`schedule: attention with heads of ${size}`)
  return policy.headExtent(size)
}

export const hintsOf = ({ warps, stages }: WarpTiles | (GradientTiles & Hints)): Hints => ({
  ...(warps === undefined ? {} : { warps }),
  ...(stages === undefined ? {} : { stages }),
})

/**
 * Dropout's random draw for each weight, indexed as if the weights were a tensor, so that a recomputation draws the same.
 *
 * @param map the weight's index in that tensor
 */
export function keptWeights(
  program: TemplateContext,
  node: Extract<ContractionNode, { op: 'attention' | 'attentionGradient' }>,
  random: readonly [LoopNode, LoopNode],
  map: IndexMap,
): LoopNode {
  const { inputs, attrs } = node
  const shape = [...shapeOf(inputs[0]!).slice(0, -1), shapeOf(inputs[1]!).at(-2)!]
  const index = indexOf(dotAffine(map, rowMajorStrides(shape)))
  const drawn = program.make(node, 'random', random, { index, dtype: 'f32' })
  const least = program.make(node, 'constant', [], { dtype: 'f32', value: Math.fround(attrs.dropout!) })
  return program.make(node, 'map', [drawn, least], { fn: 'ge' })
}
