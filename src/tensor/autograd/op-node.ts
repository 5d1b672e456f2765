/** The nodes of ops: what a call saves for its gradient, and how the gradient is computed. */
import { keepInstance } from '../../base/resident.js'
import { vjpRecord } from '../../graph/derivatives/records.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import { TensorHandle } from '../handle.js'
import type { Tensor } from '../tensor-type.js'
import type { PlainNumber } from '../trace.js'
import type { OpArgument } from '../tracer.js'
import { viewsOfInputs } from '../views.js'
import { isDetectingAnomalies, markPlace } from './anomaly.js'
import {
  type Asked,
  type Edge,
  GradNode,
  History,
  historyOf,
  isStale,
  type ResultType,
  requiresGradNow,
  type TensorOps,
  typeOfResult,
} from './history.js'
import { isRecording } from './mode.js'
import { type BackwardPlan, backwardPlan, isPartial, reachedFrom } from './plan.js'
import { runningPart } from './recomputation.js'
import { SavedTensor, usedTwice } from './saved.js'
import { refreshView } from './views.js'

/** An input or result of a call: saved, or if the gradient does not need its values, its type. */
type Operand = SavedTensor | ResultType | PlainNumber

/** A call of an op. */
export class OpNode extends GradNode {
  readonly name: string
  readonly results: readonly ResultType[]
  /** The inputs, then the results. Null: what was saved is freed. */
  #operands: readonly Operand[] | null

  /** `edges`: one per input; null for those that no gradient is needed of. */
  constructor(
    readonly plan: BackwardPlan,
    readonly edges: readonly (Edge | null)[],
    inputs: readonly OpArgument[],
    results: readonly Tensor[],
  ) {
    super()
    this.name = plan.record.name
    this.results = results.map(typeOfResult)
    const operands: Operand[] = []
    for (let i = 0; i < inputs.length; i++) {
      const input = inputs[i]!
      if (!(input instanceof TensorHandle)) operands.push(input)
      else operands.push(plan.inputs[i] ? new SavedTensor(this.name, input, edges[i]!) : typeOfResult(input))
    }
    for (let i = 0; i < results.length; i++) {
      const own = plan.outputs[i] ? new SavedTensor(this.name, results[i]!, { node: this, output: i }) : null
      operands.push(own ?? this.results[i]!)
    }
    this.#operands = operands
  }

  /** Copies what it has saved of the memory of `target`, which is going to change. */
  protect(target: Tensor, copy: (saved: Tensor) => Tensor): void {
    for (const each of this.saved())
      if (each.tensor !== null && each.tensor.source === target.source) each.replace(copy(each.tensor))
  }

  apply(gradients: readonly (Tensor | null)[], ops: TensorOps, asked: Asked): readonly (Tensor | null)[] {
    if (this.#operands === null) throw usedTwice(this.name)
    const given = gradients.map(gradient => gradient !== null)
    const needs = reachedFrom(this.plan, given).map((need, i) => need && asked(this.edges[i]!))
    if (!needs.includes(true)) return needs.map(() => null)
    const inputs: OpArgument[] = []
    for (let i = 0; i < this.#operands.length; i++) inputs.push(this.#input(this.#operands[i]!, ops))
    for (let i = 0; i < gradients.length; i++) if (gradients[i] !== null) inputs.push(gradients[i]!)
    const found = this.#viewed(inputs, needs, given)
    const missing = needs.map((need, i) => need && found[i] === null)
    if (!missing.includes(true)) return found
    const results = ops.dispatch(this.#backward(missing, given), inputs, this.plan.attrs)
    let next = 0
    return found.map((view, i) => (missing[i] ? results[next++]! : view))
  }

  #input(operand: Operand, ops: TensorOps): OpArgument {
    if (typeof operand !== 'object') return operand
    return operand instanceof SavedTensor ? operand.unpack(this.name) : ops.placeholder(operand)
  }

  /** Gradients that are views of those that arrived, as of a sum or a transpose, without running anything; null: others. */
  #viewed(
    inputs: readonly OpArgument[],
    needs: readonly boolean[],
    given: readonly boolean[],
  ): readonly (Tensor | null)[] {
    // What is recorded must have memory of its own, as it may be changed in place.
    if (isRecording()) return needs.map(() => null)
    const first = this.plan.inputs.length + this.plan.outputs.length
    const views = viewsOfInputs(this.#backward(needs, given), inputs, this.plan.attrs, first)
    let next = 0
    return needs.map(need => (need ? views[next++]! : null))
  }

  override isPartial(output: number, gradients: readonly (Tensor | null)[]): boolean {
    return isPartial(
      this.plan,
      output,
      gradients.map(gradient => gradient !== null),
    )
  }

  #backward(needs: readonly boolean[], given: readonly boolean[]): OpRecord {
    return vjpRecord(this.plan.record, { needs, given })
  }

  override saved(): readonly SavedTensor[] {
    return (this.#operands ?? []).filter(each => each instanceof SavedTensor)
  }

  protected override drop(): void {
    this.#operands = null
  }
}

keepInstance(new OpNode({ record: { name: '' } } as never, [], [], []))

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
  const { view } = history
  if (view !== null && isStale(view)) refreshView(view, ops)
  const { node, output } = history
  return node === null ? null : { node, output }
}

/** Gives the results of a call their history, if a gradient flows from them to the inputs. `from`: from which one may; default: all. */
export function recordCall(
  record: OpRecord,
  inputs: readonly OpArgument[],
  attrs: Attrs,
  results: readonly Tensor[],
  ops: TensorOps,
  from?: readonly boolean[],
): void {
  const part = runningPart()
  if (part !== null)
    for (const input of inputs)
      if (input instanceof TensorHandle && input.source.kind === 'storage') part.noteRead(input.source)
  const edges = inputs.map(input => (input instanceof TensorHandle ? edgeOf(input, ops) : null))
  const plan = backwardPlan(record, inputs, attrs, results, edges)
  if (plan === null) return
  const flows = edges.map((edge, i) => (plan.needs[i] ? edge : null))
  const node = new OpNode(plan, flows, inputs, results)
  if (isDetectingAnomalies()) markPlace(node)
  for (let i = 0; i < results.length; i++) if (plan.from[i] && (from?.[i] ?? true)) setNode(results[i]!, node, i)
}

/** Makes a tensor the result of a node. */
export function setNode(tensor: TensorHandle, node: GradNode, output: number): void {
  const history = historyOf(tensor) ?? new History()
  history.node = node
  history.output = output
  tensor.history = history
}
