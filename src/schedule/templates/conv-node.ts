/** What tiling must know of a convolution whose channels are last. */
import type { GraphOps } from '../../graph/ir.js'
import type { TemplateNode } from '../../loop/ir.js'

export type ConvParams = Pick<GraphOps['convLast'], 'stride' | 'padding' | 'dilation' | 'accumulate'> & {
  readonly precision: 'f32' | 'tf32'
  /** The coordinates of each dim of the result: images, spatial dims, groups, channels. Empty: the dim is of size 1. */
  readonly dims: readonly (readonly number[])[]
  /** The coordinate of the parts of K, of which a program sums one; null: it sums all. */
  readonly part: number | null
}
export type ConvNode = TemplateNode<ConvParams>
