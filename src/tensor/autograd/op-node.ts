/** The nodes of ops: what a call saves for its gradient, and how the gradient is computed. */
import { GradientError } from '../../base/errors.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import { isFloat } from '../../types/dtype.js'
import { TensorHandle } from '../handle.js'
import type { Tensor } from '../tensor-type.js'
import type { OpArgument } from '../tracer.js'
import { isDetectingAnomalies, markPlace } from './anomaly.js'
import { type Edge, GradNode, History, historyOf, isStale, type ResultType, requiresGradNow, type TensorOps, typeOfResult } from './history.js'
import { isRecording } from './mode.js'
import { type BackwardPlan, backwardPlan } from './plan.js'
import { type Saved, SavedTensor } from './saved.js'
import { refreshView } from './views.js'

/** A call of an op. */
export class OpNode extends GradNode {
  readonly name: string
  #saved: Saved[] | null

  constructor(
    name: string,
    readonly plan: BackwardPlan,
    readonly edges: readonly (Edge | null)[],
    readonly results: readonly ResultType[],
  ) {
    super()
    this.name = name
    this.#saved = null
  }

  save(inputs: readonly OpArgument[], results: readonly Tensor[], edges: readonly (Edge | null)[]): void {
    const { savedInputs, savedResults } = this.plan
    if (savedInputs.length + savedResults.length === 0) return
    const saved: Saved[] = []
    for (const i of savedInputs) {
      const input = inputs[i]!
      saved.push(input instanceof TensorHandle ? new SavedTensor(this.name, input, edges[i] ?? null) : input)
    }
    for (const i of savedResults) saved.push(new SavedTensor(this.name, results[i]!, { node: this, output: i }))
    this.#saved = saved
  }

  /** Copies what it has saved of the memory of `target`, which is going to change. */
  protect(target: Tensor, copy: (saved: Tensor) => Tensor): void {
    for (const each of this.#saved ?? [])
      if (each instanceof SavedTensor && each.tensor.source === target.source) each.replace(copy(each.tensor))
  }

  apply(gradients: readonly (Tensor | null)[], ops: TensorOps): readonly (Tensor | null)[] {
    const inputs: OpArgument[] = []
    const { savedInputs, savedResults, from, record, attrs } = this.plan
    if (savedInputs.length + savedResults.length > 0) {
      if (this.#saved === null) throw freedTwice(this.name)
      for (const each of this.#saved) inputs.push(each instanceof SavedTensor ? each.unpack(this.name) : each)
    }
    for (const i of from) inputs.push(gradients[i] ?? ops.zeros(this.results[i]!))
    return ops.dispatch(record, inputs, attrs)
  }

  release(): void {
    for (const each of this.#saved ?? []) if (each instanceof SavedTensor) each.release()
    this.#saved = null
  }
}

export const freedTwice = (op: string): GradientError =>
  new GradientError(`backward of ${op}: what it needs was freed by the backward pass before`, {
    fix: 'pass { retainGraph: true } to the first backward, or compute the forward pass again',
  })

/** Whether a call is to be recorded. */
export function needsGradient(inputs: readonly unknown[]): boolean {
  if (!isRecording()) return false
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i]
    if (input instanceof TensorHandle && input.history !== null && requiresGradNow(input)) return true
  }
  return false
}

/** Where the gradient of a tensor flows to; null: nowhere. */
export function edgeOf(tensor: Tensor, ops: TensorOps): Edge | null {
  const history = historyOf(tensor)
  if (history === null) return null
  if (history.origin !== null && isStale(tensor, history.origin)) refreshView(history, history.origin, ops)
  const { node, output } = history
  return node === null ? null : { node, output }
}

/** Gives the results of a call their history, if a gradient flows from them to the inputs. */
export function recordCall(
  record: OpRecord,
  inputs: readonly OpArgument[],
  attrs: Attrs,
  results: readonly Tensor[],
  ops: TensorOps,
): void {
  const edges = inputs.map(input =>
    input instanceof TensorHandle && isFloat(input.dtype) ? edgeOf(input, ops) : null,
  )
  const plan = backwardPlan(record, inputs, attrs, edges)
  if (plan === null) return
  const flows = plan.to.map(i => edges[i]!)
  const node = new OpNode(record.name, plan, flows, results.map(typeOfResult))
  if (isDetectingAnomalies()) markPlace(node)
  node.save(inputs, results, edges)
  for (const i of plan.from) setNode(results[i]!, node, i)
}

/** Makes a tensor the result of a node. */
export function setNode(tensor: TensorHandle, node: GradNode, output: number): void {
  const history = historyOf(tensor) ?? new History()
  history.node = node
  history.output = output
  tensor.history = history
}
