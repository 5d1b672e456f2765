/** What tiling must know of attention. */

import { InternalError } from '../../base/errors.js'
import type { GraphOps } from '../../graph/ir.js'
import type { AttentionSizes } from '../../kernels/attention.js'
import type { TemplateNode } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { AttentionPolicy } from '../policy.js'
import { plannedSize } from '../tiling/tiling.js'

export type AttentionParams = Pick<GraphOps['attention'], 'causal' | 'scale' | 'fullyMasked' | 'accumulate'> & {
  readonly precision: 'f32' | 'tf32'
  readonly dropout: number | null
  /** The part of the keys that a program processes; null: all. */
  readonly part: number | null
} & { readonly [Coords in 'heads' | 'rows' | 'columns' | 'keys' | 'depth']: readonly number[] }
export type AttentionNode = TemplateNode<AttentionParams>

/** null: symbolic, without a bound. */
export const plannedOf = (size: Size): number | null => {
  const planned = plannedSize(size)
  return typeof planned === 'number' ? planned : null
}

/** The sizes that tiles are chosen for. `sizeOf`: the number of elements along coordinates. */
export function attentionSizes(
  { columns, keys, depth, causal }: AttentionParams,
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
