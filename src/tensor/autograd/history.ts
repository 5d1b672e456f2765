/**
 * How a tensor came to be, as far as gradients need it: the node that made it, and for a view what it is a view of. A tensor
 * that takes no part has none. Nodes refer to the nodes of their inputs; they are garbage-collected with the tensors at the end.
 */
import { keepInstance } from '../../base/resident.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import type { Dtype } from '../../types/dtype.js'
import type { Device } from '../device.js'
import type { TensorHandle, TensorHistory } from '../handle.js'
import type { TensorLayout } from '../layout.js'
import type { Tensor } from '../tensor-type.js'
import type { OpArgument } from '../tracer.js'

/** Takes the gradient of a tensor; what it gives takes its place. */
export type GradientHook = (gradient: Tensor) => Tensor | null | undefined

let nodes = 0

/** What nodes compute gradients with: dispatch and what it needs, which records nodes itself. */
export interface TensorOps {
  dispatch(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs): readonly Tensor[]
  /** Same shape and dtype. */
  assign(op: string, target: Tensor, value: Tensor): void
  add(a: Tensor, b: Tensor): Tensor
  /** Contiguous, in memory of its own. */
  copy(tensor: Tensor): Tensor
  zeros(type: ResultType): Tensor
  /** A tensor of the type whose values nobody reads. */
  placeholder(type: ResultType): Tensor
  /** Memory with the layout's strides. */
  empty(type: ResultType, layout: TensorLayout): Tensor
}

/** Whether a backward pass needs the gradient along an edge. */
export type Asked = (edge: Edge) => boolean

/** The type of a node's result. */
export interface ResultType {
  readonly dtype: Dtype
  readonly layout: TensorLayout
  readonly device: Device
}

/** The type alone: a node must not keep the memory of its results. */
export const typeOfResult = ({ dtype, layout, device }: Tensor): ResultType => ({ dtype, layout, device })

/** Something that a gradient flows into: an op, or a leaf. */
export abstract class GradNode {
  /** Nodes are made after those that they lead to, so descending numbers are an order for a backward pass. */
  readonly sequence = nodes++
  /** Called in order with the gradient of result `output`. Null: there never was one. */
  hooks: { readonly output: number; readonly hook: GradientHook }[] | null = null
  /** Results whose gradients are kept in `.grad`. Null: none. */
  retained: Map<number, Tensor> | null = null
  /** Where the op was called; in anomaly mode only. */
  place: { readonly stack?: string | undefined } | null = null

  /** The gradients that it gives may be tensors that somebody else has, too. */
  get isForeign(): boolean {
    return false
  }

  /** As errors and printed tensors call it: the op's name. */
  abstract readonly name: string
  /** Where the gradients that `apply` gives flow to; null: not needed. */
  abstract readonly edges: readonly (Edge | null)[]
  /** One per result, of which gradients are given. */
  abstract readonly results: readonly ResultType[]

  /**
   * The gradients along `edges`; null: zeros. `gradients`: one per result, at least one not null; `asked`: along which edges
   * gradients are needed.
   */
  abstract apply(gradients: readonly (Tensor | null)[], ops: TensorOps, asked: Asked): readonly (Tensor | null)[]
  /** Whether the gradient of a result is more than what has arrived: others of `gradients` flow into it inside. */
  isPartial(_output: number, _gradients: readonly (Tensor | null)[]): boolean {
    return false
  }

  /** Frees what was saved; if there was something, `apply` throws GradientError from then on. */
  release(): void {
    const saved = this.saved()
    for (const each of saved) each.release()
    if (saved.length > 0) this.drop()
  }

  /** What is kept for `apply`. */
  saved(): readonly SavedTensor[] {
    return []
  }

  /** Forgets what is saved. */
  protected drop(): void {}
}

/** A tensor that is kept for a gradient (saved.ts). */
interface SavedTensor {
  readonly tensor: TensorHandle | null
  readonly kept: readonly { readonly source: object }[]
  release(): void
}

/** All nodes that some lead to, and they themselves. */
export function reachable(from: Iterable<GradNode>): ReadonlySet<GradNode> {
  const found = new Set(from)
  // The set grows while it is iterated over.
  for (const node of found) {
    const { edges } = node
    for (let i = 0; i < edges.length; i++) if (edges[i] !== null) found.add(edges[i]!.node)
  }
  return found
}

/** A tensor that a gradient flows to: result `output` of `node`. */
export interface Edge {
  readonly node: GradNode
  readonly output: number
}

/** Where the gradient of a leaf arrives. */
export class LeafNode extends GradNode {
  readonly name = 'leaf'
  readonly edges = []
  readonly results: readonly ResultType[]

  constructor(readonly tensor: Tensor) {
    super()
    this.results = [tensor]
  }

  apply(): readonly never[] {
    return []
  }
}

export class History implements TensorHistory {
  /** Made the tensor as its result `output`; a LeafNode if it is a leaf. Null: it requires no gradient. */
  node: GradNode | null = null
  output = 0
  /** What `.grad` shows. */
  grad: Tensor | null = null

  /** Null: the tensor is no view. */
  get view(): ViewHistory | null {
    return null
  }
}

/** Of a view: the op that made it, which took nothing but `input`. Each view has one, so it is small. */
export class ViewHistory extends History {
  /**
   * @param input maybe a view itself
   * @param isUnrecorded it was made while nothing was recorded
   * @param version the memory's, that `node` belongs to: a change in place gives the base another history, and so its views
   * @param depth how many views it is from the base
   */
  constructor(
    readonly input: Tensor,
    readonly record: OpRecord,
    readonly attrs: Attrs,
    readonly isUnrecorded: boolean,
    public version: number,
    readonly depth: number,
  ) {
    super()
  }

  override get view(): this {
    return this
  }

  /** What it is a view of, in the end. */
  get base(): Tensor {
    let base = this.input
    for (;;) {
      const next = historyOf(base)?.view?.input
      if (next === undefined) return base
      base = next
    }
  }
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

/** The version of a tensor's memory. */
export const versionOf = ({ source }: TensorHandle): number => (source.kind === 'storage' ? source.version : 0)

/** Whether the view's node belongs to an earlier state of its memory. */
export const isStale = ({ input, version }: ViewHistory): boolean => versionOf(input) !== version

/** Whether a backward pass ends at the tensor and does nothing there but add to its gradient. */
export function isPlainLeaf(tensor: TensorHandle): boolean {
  const node = historyOf(tensor)?.node ?? null
  return node instanceof LeafNode && (node.hooks ?? []).length === 0
}

/** Of a tensor with memory. A view requires a gradient as soon as its base does. */
export function requiresGradNow(tensor: TensorHandle): boolean {
  const history = historyOf(tensor)
  if (history === null) return false
  const { node, view } = history
  return node !== null || (view !== null && isStale(view) && requiresGradNow(view.base))
}

keepInstance(new History())
keepInstance(new ViewHistory(null as never, null as never, {}, false, 0, 1))
keepInstance(new LeafNode(null as never))
