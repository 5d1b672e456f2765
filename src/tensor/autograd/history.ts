/**
 * How a tensor came to be, as far as gradients need it: the node that made it, and for a view what it is a view of. A tensor
 * that takes no part has none. Nodes refer to the nodes of their inputs; they are garbage-collected with the tensors at the end.
 */
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import type { Dtype } from '../../types/dtype.js'
import type { TensorHandle, TensorHistory } from '../handle.js'
import type { TensorLayout } from '../layout.js'
import type { Tensor } from '../tensor-type.js'

/** Takes the gradient of a tensor; what it gives takes its place. */
export type GradientHook = (gradient: Tensor) => Tensor | null | undefined

let nodes = 0

/** Something that a gradient flows into: an op, or a leaf. */
export abstract class GradNode {
  /** Nodes are made after those that they lead to, so descending numbers are an order for a backward pass. */
  readonly sequence = nodes++
  /** Of each result; the last ones keep the gradient (`retainGrad`). Null: none. */
  hooks: Map<number, GradientHook>[] | null = null

  /** As errors and printed tensors call it: the op's name. */
  abstract readonly name: string
}

/** A tensor that a gradient flows to: result `output` of `node`. */
export interface Edge {
  readonly node: GradNode
  readonly output: number
}

/** Where the gradient of a leaf arrives. */
export class LeafNode extends GradNode {
  readonly name = 'leaf'

  constructor(readonly tensor: Tensor) {
    super()
  }
}

/** A step from a base to a view: an op that takes nothing but the tensor. */
export interface ViewStep {
  /** The step before; null: the base itself is viewed. */
  readonly previous: ViewStep | null
  readonly record: OpRecord
  readonly attrs: Attrs
  /** Of the view in the base's memory. */
  readonly layout: TensorLayout
  readonly dtype: Dtype
}

/** What a view is a view of. */
export interface ViewOrigin {
  /** No view itself. */
  readonly base: Tensor
  /** Null: the view shows what the base shows. */
  readonly step: ViewStep | null
  /** It was made while nothing was recorded. */
  readonly isUnrecorded: boolean
  /** The memory's version that the view's node belongs to: an in-place op gives the base another history, and so its views. */
  version: number
}

export class History implements TensorHistory {
  /** Made the tensor as its result `output`; a LeafNode if it is a leaf. Null: it requires no gradient. */
  node: GradNode | null = null
  output = 0
  /** What `.grad` shows. */
  grad: Tensor | null = null
  /** Null: no view, or one of a tensor that is none of ours. */
  origin: ViewOrigin | null = null
}

/** Null: the tensor takes no part in gradients. */
export const historyOf = (tensor: TensorHandle): History | null => tensor.history as History | null // none but `ownHistory` sets it

/** The tensor's history, made if there is none. */
export function ownHistory(tensor: TensorHandle): History {
  const known = historyOf(tensor)
  if (known !== null) return known
  const made = new History()
  tensor.history = made
  return made
}

/** Whether the view's node belongs to an earlier state of its memory. */
export const isStale = (view: TensorHandle, origin: ViewOrigin): boolean =>
  view.source.kind === 'storage' && view.source.version !== origin.version
