/** The histories of views: a view belongs to its base, whose history changes when either is changed in place. */
import { recordTable } from '../../graph/ops/index.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import type { Tensor } from '../tensor-type.js'
import { historyOf, requiresGradNow, type TensorOps, ViewHistory, versionOf } from './history.js'
import { isInference, isRecording, withRecording } from './mode.js'

/** Remembers that `record` made `view` of the memory of `input`. `attrs` are not changed later. */
export function rememberView(view: Tensor, record: OpRecord, input: Tensor, attrs: Attrs): void {
  if (isInference()) return
  const before = historyOf(input)?.view ?? null
  const depth = before === null ? 1 : before.depth + 1
  const known = depth < deepest ? null : viewAlike(view, input)
  const step = known ?? { input, record, attrs, depth }
  view.history = new ViewHistory(step.input, step.record, step.attrs, !isRecording(), versionOf(view), step.depth)
}

/** A loop that reshapes a tensor to and fro must not grow its history: from this depth on, a view like the new one is looked for. */
const deepest = 16
/** How many views back. */
const longestLoop = 8

function viewAlike(view: Tensor, input: Tensor): ViewHistory | null {
  let each = input
  for (let i = 0; i < longestLoop; i++) {
    const made = historyOf(each)?.view ?? null
    if (made === null) return null
    if (isAlike(each, view)) return made
    each = made.input
  }
  return null
}

const isAlike = (a: Tensor, b: Tensor): boolean =>
  a.dtype === b.dtype && a.layout.offset === b.layout.offset && a.layout.isLike(b.layout)

/** The view of another base of the same shape. Its elements may be copies if the other base has another layout. */
export function replayView(view: ViewHistory, base: Tensor, ops: TensorOps): Tensor {
  const steps: ViewHistory[] = []
  for (let each: ViewHistory | null = view; each !== null; each = historyOf(each.input)?.view ?? null) steps.push(each)
  // `view` throws for layouts other than that of the base.
  const anyLayout = (record: OpRecord): OpRecord => (record.name === 'view' ? recordTable.reshape : record)
  return steps.reduceRight((made, { record, attrs }) => ops.dispatch(anyLayout(record), [made], attrs)[0]!, base)
}

/** Gives a view the node that follows from the base's of now. */
export function refreshView(view: ViewHistory, ops: TensorOps): void {
  const { base } = view
  view.version = versionOf(base)
  if (!requiresGradNow(base)) return
  const made = withRecording(true, () => replayView(view, base, ops))
  const fresh = historyOf(made)
  view.node = fresh?.node ?? null
  view.output = fresh?.output ?? 0
}
