/**
 * Gradients in a capture. The graph is the tape: a backward pass is one op of the roots and of the leaves that they were made
 * from, which the compiler differentiates. `.grad` is state of tensors from outside: a function reads what they hold when it
 * is called, and what it leaves there is assigned at each call.
 */
import { customRecord, gradientRecord, variableRecord } from '../../graph/derivatives/records.js'
import { records } from '../../graph/ops/index.js'
import { backwardOnTape, gradientsOnTape, leavesBehind } from '../../tensor/autograd/backward.js'
import { withRecording } from '../../tensor/autograd/mode.js'
import { getGrad } from '../../tensor/autograd/properties.js'
import { applyOp, assignInPlace, dispatch } from '../../tensor/dispatch.js'
import type { Tensor } from '../../tensor/tensor.js'
import { captureRefusal } from '../../tensor/trace.js'
import { type TracedAutograd, type TracedCustom, type TracedPass, withTracer } from '../../tensor/tracer.js'
import type { Done } from './done.js'

/** What gradients ask of the tracer. */
export interface GradientTracer {
  readonly name: string
  readonly done: Done
  /** Whether a gradient flows into what the tensor stands for. */
  requiresGrad(tensor: Tensor): boolean
  /** The tensor from outside that it stands for; null: the function made it, or it is a view. */
  given(tensor: Tensor): Tensor | null
  /** Its number in the trace's log. */
  idOf(tensor: Tensor): number
  /** Whether it is a variable at which gradients end. */
  isOwnLeaf(tensor: Tensor): boolean
  /** From now on the tensor is `other`, a tensor of the same memory. */
  become(tensor: Tensor, other: Tensor): void
  /**
   * From now on ops see a leaf from outside as `frozen`, its `detach()`; null: as itself again. False, and nothing has changed, where
   * it is no leaf that requires a gradient outside.
   */
  freeze(leaf: Tensor, frozen: Tensor | null): boolean
  leadsBeyond(roots: readonly Tensor[], variables: readonly Tensor[]): boolean
  close(variables: readonly Tensor[]): void
  /**
   * Whether a backward pass to `inputs` (as of `reached`) has to do more than add to gradients of tensors from outside: some were
   * computed there, whose own history goes on, or have hooks.
   */
  leadsOutside(roots: readonly Tensor[], inputs: readonly Tensor[] | null): boolean
  /** Ends the graph recorded so far and runs it: the tensor's value. */
  read(tensor: Tensor, reader: string): Tensor
  /**
   * Which of `inputs` the roots were made from; null: of all leaves. Throws GradientError where an earlier backward pass has
   * used up what leads there.
   */
  reached(roots: readonly Tensor[], inputs: readonly Tensor[] | null): readonly Tensor[]
  /** Runs `body`; its values are computed again for gradients. */
  checkpoint<R>(body: () => R, resultsOf: (value: R) => readonly Tensor[]): R
  /** A backward pass was taken from the roots to the inputs: there can't be another one. */
  used(roots: readonly Tensor[], inputs: readonly Tensor[] | null): void
  /** `grad`, which is in `leaf.grad` now, as an input: each call passes what is there then. */
  liftGrad(leaf: Tensor, grad: Tensor): Tensor
}

/** `.grad` of a tensor from outside. */
interface GradState {
  /** The number in the trace's log of the tensor that holds it. */
  readonly id: number
  /** What it held when the function first asked, as a traced tensor; undefined: it was assigned before the function asked. */
  readonly before: Tensor | null | undefined
  now: Tensor | null
}

/** What a function finds and leaves in `.grad` of a tensor from outside. */
export interface LeafGradient {
  /** The tensor, by its number in the trace's log. */
  readonly leaf: number
  /** What it found was null; null: it did not look. */
  readonly wasNull: boolean | null
  /** What it leaves, by its index among the results; null: null. Undefined: what it found. */
  readonly result: number | null | undefined
}

export class CapturedGradients implements TracedAutograd {
  readonly #grads = new Map<Tensor, GradState>()
  /** Those that the tape took. */
  #passes = 0
  readonly #own = new WeakMap<Tensor, Pick<GradState, 'now'>>()
  #variables = 0
  /** The function whose own gradient is being recorded; null: none. */
  gradientOf: string | null = null

  constructor(readonly tracer: GradientTracer) {}

  /** What the function has left so far where it found something else. */
  get changed(): readonly { readonly leaf: Tensor; readonly grad: Tensor | null }[] {
    return [...this.#grads].flatMap(([leaf, { before, now }]) => (before === now ? [] : [{ leaf, grad: now }]))
  }

  /** What calls have to find and to leave; the gradients that they leave are appended to `results`. */
  outcome(results: Tensor[]): readonly LeafGradient[] {
    return [...this.#grads.values()].map(({ id, before, now }) => ({
      leaf: id,
      wasNull: before === undefined ? null : before === null,
      result: before === now ? undefined : now === null ? null : results.push(now) - 1,
    }))
  }

  /** Forgets what it knows: the function's own code runs between two graphs, and sees and changes real tensors. */
  clear(): void {
    this.#grads.clear()
    this.#variables = 0
  }

  requiresGrad(tensor: Tensor): boolean {
    return this.tracer.requiresGrad(tensor)
  }

  isLeaf(tensor: Tensor): boolean {
    return !this.requiresGrad(tensor) || this.tracer.isOwnLeaf(tensor) || this.tracer.given(tensor) !== null
  }

  setRequiresGrad(tensor: Tensor, on: boolean): void {
    if (on === this.requiresGrad(tensor)) return
    const leaf = this.tracer.given(tensor)
    if (leaf !== null && this.tracer.freeze(leaf, on ? null : this.detached(tensor))) return
    const isOwn = on ? leaf === null : this.tracer.isOwnLeaf(tensor)
    if (!isOwn)
      throw captureRefusal(`requiresGrad: it is changed while ${this.tracer.name} is captured`, {
        fix: on ? 'set it before the call, or on a detach()' : 'detach() gives a tensor without a gradient',
      })
    this.tracer.become(tensor, on ? this.variable(tensor) : this.detached(tensor))
  }

  variable(tensor: Tensor): Tensor {
    return dispatch(variableRecord, [tensor], { index: this.#variables++ })[0]!
  }

  leadsBeyond(roots: readonly Tensor[], variables: readonly Tensor[]): boolean {
    return this.tracer.leadsBeyond(roots, variables)
  }

  close(variables: readonly Tensor[]): void {
    this.tracer.close(variables)
  }

  asGradient<R>(name: string, body: () => R): R {
    const before = this.gradientOf
    this.gradientOf = name
    try {
      return withRecording(true, body)
    } finally {
      this.gradientOf = before
    }
  }

  custom({ name, inputs, results, values, cotangents, gradients }: TracedCustom): readonly Tensor[] {
    const record = customRecord(
      name,
      results.length,
      gradients.map(gradient => gradient !== null),
    )
    const given = gradients.filter(gradient => gradient !== null)
    return dispatch(record, [...inputs, ...results, ...values, ...cotangents, ...given], {})
  }

  detached(tensor: Tensor): Tensor {
    return withRecording(false, () => applyOp(records.expand, [tensor, tensor.sizes])[0]!)
  }

  grad(tensor: Tensor): Tensor | null {
    return this.#state(tensor).now
  }

  /** What is assigned before the function asked what was there does not depend on that, so that calls need not compare it. */
  setGrad(tensor: Tensor, grad: Tensor | null): void {
    const leaf = this.tracer.given(tensor)
    if (leaf === null || this.#grads.has(leaf)) this.#state(tensor).now = grad
    else this.#grads.set(leaf, { id: this.tracer.idOf(tensor), before: undefined, now: grad })
  }

  #state(tensor: Tensor): Pick<GradState, 'now'> {
    const leaf = this.tracer.given(tensor)
    return leaf === null ? this.#ownState(tensor) : this.#leafState(tensor, leaf)
  }

  /** Of a tensor that the function makes. */
  #ownState(tensor: Tensor): Pick<GradState, 'now'> {
    const known = this.#own.get(tensor) ?? { now: null }
    this.#own.set(tensor, known)
    return known
  }

  #leafState(tensor: Tensor, leaf: Tensor): GradState {
    const known = this.#grads.get(leaf)
    if (known !== undefined) return known
    const present = withTracer(null, () => getGrad(leaf))
    const before = present === null ? null : this.tracer.liftGrad(tensor, present)
    const state = { id: this.tracer.idOf(tensor), before, now: before }
    this.#grads.set(leaf, state)
    return state
  }

  backward(
    roots: readonly Tensor[],
    cotangents: readonly Tensor[],
    { inputs, ...pass }: TracedPass & { readonly inputs: readonly Tensor[] | null },
  ): void {
    if (this.tracer.leadsOutside(roots, inputs)) {
      const [from, seeds, into] = [roots, cotangents, inputs].map(list => list && this.#run(list))
      const changed = withTracer(null, () => into ?? leavesBehind(from!))
      this.tracer.done.pass(this.#passes++, changed, () => {
        backwardOnTape(from!, seeds!, { ...pass, inputs: into! })
        return []
      })
      return
    }
    const leaves = this.tracer.reached(roots, inputs)
    const gradients = this.#differentiate(roots, leaves, cotangents, pass)
    if (!pass.retainGraph) this.tracer.used(roots, inputs)
    for (const [i, gradient] of gradients.entries()) this.#accumulate(leaves[i]!, gradient, pass.createGraph)
  }

  /** The values of tensors, after a graph break: the tape then knows how they came to be. */
  #run(tensors: readonly Tensor[]): readonly Tensor[] {
    return tensors.map(tensor => (tensor.source.kind === 'storage' ? tensor : this.tracer.read(tensor, 'backward')))
  }

  /** Adds to what the leaf has: in place, so that whoever holds that tensor sees the sum. */
  #accumulate(leaf: Tensor, gradient: Tensor, createGraph: boolean): void {
    const present = this.grad(leaf)
    const sum = (): Tensor => applyOp(records.add, [present, gradient])[0]!
    if (present === null) this.setGrad(leaf, gradient)
    else if (createGraph) this.setGrad(leaf, sum())
    else withRecording(false, () => assignInPlace('backward', present, sum()))
  }

  checkpoint<R>(body: () => R, resultsOf: (value: R) => readonly Tensor[]): R {
    return this.tracer.checkpoint(body, resultsOf)
  }

  gradients(
    outputs: readonly Tensor[],
    inputs: readonly Tensor[],
    cotangents: readonly Tensor[],
    pass: TracedPass,
  ): readonly (Tensor | null)[] {
    if (this.tracer.leadsOutside(outputs, inputs)) {
      const [from, to, seeds] = [outputs, inputs, cotangents].map(list => this.#run(list))
      return this.tracer.done.pass(this.#passes++, [], () => gradientsOnTape(from!, to!, seeds!, pass))
    }
    const reached = this.tracer.reached(outputs, inputs)
    const gradients = this.#differentiate(outputs, reached, cotangents, pass)
    if (!pass.retainGraph) this.tracer.used(outputs, inputs)
    return inputs.map(input => gradients[reached.indexOf(input)] ?? null)
  }

  /** Without `createGraph` no gradient flows into the results. */
  #differentiate(
    roots: readonly Tensor[],
    inputs: readonly Tensor[],
    cotangents: readonly Tensor[],
    { createGraph }: TracedPass,
  ): readonly Tensor[] {
    if (inputs.length === 0) return []
    const record = gradientRecord(roots.length, inputs.length)
    return withRecording(createGraph, () => dispatch(record, [...roots, ...cotangents, ...inputs], {}))
  }
}
