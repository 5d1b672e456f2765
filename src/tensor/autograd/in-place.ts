/** What changes in place mean for gradients: the tensor's history becomes that of the value written into it. */
import { GradientError, InternalError } from '../../base/errors.js'
import { isFloat } from '../../types/dtype.js'
import type { TensorLayout } from '../layout.js'
import type { Tensor } from '../tensor-type.js'
import {
  type Edge,
  GradNode,
  historyOf,
  LeafNode,
  ownHistory,
  type ResultType,
  requiresGradNow,
  type TensorOps,
  typeOfResult,
  type ViewHistory,
} from './history.js'
import { isInference, isRecording, withRecording } from './mode.js'
import { edgeOf, OpNode, setNode } from './op-node.js'
import { runningPart } from './recomputation.js'
import { replayView } from './views.js'

/**
 * Runs `write`, which writes what `value` became (broadcast and cast) into `target`, and gives `target` the history that follows.
 * `op`: the method that does it. Throws GradientError for a leaf that requires a gradient, for a view that was made while
 * nothing was recorded, and for a tensor of inference mode.
 */
export function recordWrite(
  op: string,
  target: Tensor,
  value: Tensor,
  fitted: Tensor,
  ops: TensorOps,
  write: () => void,
): void {
  const { source } = target
  if (source.kind !== 'storage') throw new InternalError(`${op}: ${target.describe()} has no memory`)
  if (source.isInference && !isInference())
    throw new GradientError(`${op}: ${target.describe()} was made in inference mode and is changed in place outside`, {
      fix: 'change a clone() of it',
    })
  runningPart()?.beforeWrite(source, () => exchange(target, ops))
  const view = historyOf(target)?.view ?? null
  const base = view?.base ?? null
  const needs = (tensor: Tensor): boolean => requiresGradNow(tensor)
  const isRecorded = isRecording() && isFloat(target.dtype) && [base ?? target, target, value].some(needs)
  if (!isRecorded) {
    write()
    source.changed()
    return
  }
  checkWrite(op, target)
  const before = edgeOf(target, ops)
  protectSaved(value, target, ops)
  write()
  source.changed()
  const from = updates(value, before) ? null : before
  if (view === null || base === null) moveHistory(op, target, from, edgeOf(fitted, ops))
  else {
    const node = new WriteNode(op, [edgeOf(base, ops), edgeOf(fitted, ops)], view, typeOfResult(base))
    retainBy(node, base)
    setNode(base, node, 0)
  }
}

/** What a tensor is now, to be brought back: in turn it exchanges that for what is there (true), and puts this back (false). */
function exchange(target: Tensor, ops: TensorOps): (swap: boolean) => void {
  const now = (): Tensor => withRecording(false, () => ops.copy(target))
  const put = (value: Tensor): void => withRecording(false, () => ops.assign('checkpoint', target, value))
  const before = now()
  let after: Tensor | null = null
  return swap => {
    if (swap) after = now()
    put(swap ? before : after!)
  }
}

function checkWrite(op: string, target: Tensor): void {
  const view = historyOf(target)?.view ?? null
  const whole = view?.base ?? target
  if (isFixedLeaf(target) || isFixedLeaf(whole)) throw leafChanged(op, target, whole !== target)
  if (view === null) return
  if (view.isUnrecorded)
    throw new GradientError(`${op}: ${target.describe()} is a view that was made while nothing was recorded`, {
      fix: 'make the view where ops are recorded, or change it in noGrad too',
    })
  for (let each = target; each !== whole; each = historyOf(each)!.view!.input)
    if (each.dtype !== whole.dtype)
      throw new GradientError(`${op}: ${target.describe()} shows the bits of ${whole.describe()}`, {
        fix: 'no gradient flows through bits: change a detach() of it',
      })
}

/** The error of a change in place, where it is recorded, of a leaf that requires a gradient, or of a view of one. */
export const leafChanged = (op: string, target: Tensor, isView: boolean): GradientError =>
  new GradientError(
    `${op}: ${target.describe()} is ${isView ? 'a view of ' : ''}a leaf that requires a gradient: changing it in place would lose its history`,
    {
      fix: `write noGrad(() => x.${op}(…)) for an update that no gradient flows through, or use the op that is not in place`,
    },
  )

/** Whether it requires a gradient and no op made it. */
export const isFixedLeaf = (tensor: Tensor): boolean => historyOf(tensor)?.node instanceof LeafNode

/** An in-place op saves its tensor as it was: what its own node needs of the memory is copied before. */
function protectSaved(value: Tensor, target: Tensor, ops: TensorOps): void {
  const node = historyOf(value)?.node
  if (node instanceof OpNode) node.protect(target, ops.copy)
}

/** Whether the value was computed of the tensor: then the value's history contains the tensor's. */
function updates(value: Tensor, target: Edge | null): boolean {
  const edges = historyOf(value)?.node?.edges ?? []
  return edges.some(edge => edge !== null && edge.node === target?.node && edge.output === target.output)
}

/** Of a tensor that is no view. `before`: where zeros flow to, as the value does not depend on what was there. */
function moveHistory(op: string, target: Tensor, before: Edge | null, value: Edge | null): void {
  if (before === null && value === null) return // its history stays: no gradient flows through the op
  if (before === null && value !== null) {
    retainBy(value.node, target, value.output)
    setNode(target, value.node, value.output)
    return
  }
  const node = new WriteNode(op, [before, value], null, typeOfResult(target))
  retainBy(node, target)
  setNode(target, node, 0)
}

/** Whoever asked for the tensor's gradient means what it is now. */
function retainBy(node: GradNode, tensor: Tensor, output = 0): void {
  const history = ownHistory(tensor)
  const retained = history.node?.retained
  if (retained?.get(history.output) !== tensor) return
  retained.delete(history.output)
  node.retained ??= new Map()
  node.retained.set(output, tensor)
}

/** A tensor of which a view (or all of it) was overwritten. Takes what was there, and the value. */
class WriteNode extends GradNode {
  readonly results: readonly ResultType[]

  /** `view`: what was overwritten; null: all of it. */
  constructor(
    readonly name: string,
    readonly edges: readonly (Edge | null)[],
    readonly view: ViewHistory | null,
    type: ResultType,
  ) {
    super()
    this.results = [type]
  }

  apply([gradient]: readonly (Tensor | null)[], ops: TensorOps): readonly (Tensor | null)[] {
    const [type] = this.results as readonly [ResultType]
    if (this.view === null) return [ops.zeros(type), gradient!]
    const kept = copyInLayout(gradient!, type.layout, ops)
    const part = replayView(this.view, kept, ops)
    const written = ops.copy(part)
    ops.assign(this.name, part, ops.zeros(typeOfResult(part)))
    return [kept, written]
  }
}

/** A copy whose views are views as those of the base are, to write into them. */
function copyInLayout(x: Tensor, layout: TensorLayout, ops: TensorOps): Tensor {
  if (layout.isContiguous) return ops.copy(x)
  const copy = ops.empty(typeOfResult(x), layout)
  ops.assign('copy_', copy, x)
  return copy
}
