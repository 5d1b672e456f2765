/** The histories of views: a view belongs to its base, whose history changes when either is changed in place. */
import { recordTable } from '../../graph/ops/index.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import type { Dtype } from '../../types/dtype.js'
import type { TensorLayout } from '../layout.js'
import type { Tensor } from '../tensor-type.js'
import {
  type History,
  historyOf,
  ownHistory,
  requiresGradNow,
  type TensorOps,
  type ViewOrigin,
  versionOf,
} from './history.js'
import { isInference, isRecording, withRecording } from './mode.js'

/** Remembers that `record` made `view` of the memory of `input`. `attrs` are not changed later. */
export function rememberView(view: Tensor, record: OpRecord, input: Tensor, attrs: Attrs): void {
  if (isInference()) return
  const before = historyOf(input)?.origin ?? null
  const base = before?.base ?? input
  const [known, previous] = shorter(before, base, view.layout, view.dtype)
  ownHistory(view).origin = {
    base,
    previous,
    // `view` throws for layouts other than that of the base.
    record: known?.record ?? (record.name === 'view' ? recordTable.reshape : record),
    attrs: known?.attrs ?? attrs,
    layout: view.layout,
    dtype: view.dtype,
    isUnrecorded: !isRecording(),
    version: versionOf(view),
  }
}

type Step = Pick<ViewOrigin, 'record' | 'attrs'>

/**
 * The shortest way to a view: a loop that reshapes a tensor to and fro must not grow its history. Gives the last step, if it is
 * another than what was called, and the view before it.
 */
function shorter(
  before: ViewOrigin | null,
  base: Tensor,
  layout: TensorLayout,
  dtype: Dtype,
): readonly [step: Step | null, previous: ViewOrigin | null] {
  const isAlike = (other: { readonly layout: TensorLayout; readonly dtype: Dtype }): boolean =>
    other.dtype === dtype && other.layout.offset === layout.offset && other.layout.isLike(layout)
  for (let each = before; each !== null; each = each.previous) if (isAlike(each)) return [each, each.previous]
  if (before !== null && isAlike(base)) return [{ record: recordTable.expand, attrs: { sizes: layout.shape } }, null]
  return [null, before]
}

/** The view of another base of the same shape. Its elements may be copies if the other base has another layout. */
export function replayView(origin: ViewOrigin, base: Tensor, ops: TensorOps): Tensor {
  const input = origin.previous === null ? base : replayView(origin.previous, base, ops)
  return ops.dispatch(origin.record, [input], origin.attrs)[0]!
}

/** Gives a view the history that follows from the base's of now. */
export function refreshView(history: History, origin: ViewOrigin, ops: TensorOps): void {
  const { base } = origin
  origin.version = versionOf(base)
  if (!requiresGradNow(base)) return
  const view = withRecording(true, () => replayView(origin, base, ops))
  const fresh = historyOf(view)
  history.node = fresh?.node ?? null
  history.output = fresh?.output ?? 0
}
