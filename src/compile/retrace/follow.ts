/**
 * Runs a function again for new sizes and numbers that it reads, to check that compiled code still does the same: ops are
 * not recorded but compared with the log from which the code was made. No graph is built, so it costs a few microseconds
 * per op.
 */
import { CaptureError } from '../../base/errors.js'
import { keepInstance } from '../../base/resident.js'
import type { SourceLocation } from '../../base/source.js'
import { variableRecord } from '../../graph/derivatives/records.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import { type Formula, formulaText, scalarsIn, sizesIn } from '../../scalar/formula.js'
import { type Size, SizeExpr } from '../../scalar/size.js'
import { isRecording } from '../../tensor/autograd/mode.js'
import type { Device } from '../../tensor/device.js'
import type { Generator } from '../../tensor/generator.js'
import { TensorHandle } from '../../tensor/handle.js'
import { isContiguous, type Layout, makeLayout } from '../../tensor/layout.js'
import type { Freed } from '../../tensor/storage.js'
import { type PlainNumber, ScalarVariable, type SymbolicNumber } from '../../tensor/symbolic-number.js'
import { Tensor } from '../../tensor/tensor.js'
import type { BoxedNumber, Traced } from '../../tensor/trace.js'
import type { KernelLaunch, TracedArgument, TracedMemory, Tracer } from '../../tensor/tracer.js'
import type { Change } from '../capture/argument-state.js'
import type { DescribedArguments } from '../capture/argument-tree.js'
import { numberKind } from '../capture/boxed-numbers.js'
import { liftBoxes, type Outcome, runTraced, type TensorFunction } from '../capture/capture.js'
import { Done } from '../capture/done.js'
import { CapturedGradients, type GradientTracer, type LeafGradient } from '../capture/gradients.js'
import type { Tree } from '../capture/tree.js'
import { sameObjects, WatchedState } from '../capture/watched-state.js'
import { type LiftSource, type LogOperand, ValueRef } from './trace-log.js'
import { sameOrigin, TraceMatcher, TraceMismatch, type TraceTemplate } from './trace-match.js'

/** What a trace supplied for one call. */
export interface Bindings {
  /** The values of the code's first scalars, in order, sizes among them. */
  readonly numbers: readonly (number | bigint)[]
  /** All symbols' values. */
  readonly symbols: Float64Array
  /** Plain values that the function assigned. */
  readonly assigned: readonly unknown[]
  /** Tensors of host data that differ from those at capture, by their numbers in the log. */
  readonly constants: ReadonlyMap<number, Tensor>
}

export interface Followed {
  readonly template: TraceTemplate
  readonly outcome: Pick<Outcome, 'result' | 'changes' | 'grads' | 'watched'>
  /** The input index of each tensor among the arguments. */
  readonly inputOfLeaf: readonly number[]
  readonly fn: TensorFunction
  readonly name: string
}

/**
 * Traces a call that passes the guards. `symbols`: their values, NaN for those that the trace supplies. Returns a text when
 * the function does not do what was compiled: how it differs. Throws CaptureError for what cannot be captured.
 */
export function follow(
  { template, outcome, inputOfLeaf, fn, name }: Followed,
  described: DescribedArguments,
  symbols: Float64Array,
): Bindings | string {
  const matcher = new TraceMatcher(template, symbols.slice())
  const tracer = new FollowingTracer(matcher, name)
  try {
    const results: Tensor[] = []
    const lifted = { leaves: tracer.lift(described.slots.leaves, inputOfLeaf), boxes: liftBoxes(tracer, described) }
    const now = runTraced(fn, described, lifted, tracer, results)
    if (tracer.failed !== null) return tracer.failed
    tracer.finish(results)
    if (!sameObjects(outcome.watched, now.watched)) return 'it uses other modules'
    const difference = outcomeText(outcome) === outcomeText(now) ? null : 'it returns or assigns something else'
    if (difference !== null) return difference
    return { numbers: matcher.numbers, symbols: matcher.symbols, assigned: now.assigned, constants: matcher.constants }
  } catch (error) {
    if (tracer.failed === null && error instanceof CaptureError) throw error
    // Other errors are thrown again, with the user's lines, when the call is captured.
    return tracer.failed ?? (error instanceof TraceMismatch ? error.message : `it throws ${String(error)}`)
  }
}

/** The structure of what is returned and assigned, as text. */
export const outcomeText = ({
  result,
  changes,
  grads,
}: {
  readonly result: Tree
  readonly changes: readonly Change[]
  readonly grads: readonly LeafGradient[]
}): string => JSON.stringify([result, changes.map(change => ({ ...change, keys: change.keys.map(keyText) })), grads])

const keyText = (key: Change['keys'][number]): unknown => (typeof key === 'object' ? key : String(key))

class FollowedValue implements Traced {
  readonly kind = 'traced'
  readonly device: Device

  constructor(
    readonly tracer: FollowingTracer,
    public id: number,
    readonly sizes: readonly Size[],
  ) {
    this.device = tracer.device
  }

  get isGiven(): boolean {
    return this.tracer.isGiven(this.id)
  }

  get freed(): Freed | null {
    return this.tracer.freedOf(this.id)
  }

  free(freed: Freed): void {
    this.tracer.free(this.id, freed)
  }

  get madeAt(): SourceLocation | null {
    return this.tracer.madeAt(this.id)
  }
}

keepInstance(new FollowedValue({} as never, 0, []))

export class FollowingTracer implements Tracer, GradientTracer {
  readonly autograd = new CapturedGradients(this)
  readonly done = new Done()
  readonly #template: TraceTemplate
  readonly #lifted = new Map<Tensor, number>()
  /** The concrete tensors of lifted values. */
  readonly #tensors = new Map<number, Tensor>()
  /** Variables of the function, by their numbers in the log. */
  readonly #variables = new Map<number, Tensor>()
  readonly #layouts: (Layout | undefined)[] = []
  /** By memory: how its tensor was disposed. */
  readonly #freed = new Map<number, Freed>()
  readonly #owners = new Map<number, object>()
  readonly #boxes = new Map<SymbolicNumber, Formula>()
  /** Formulas as arguments of ops, by the formula's text. */
  readonly #numberArguments = new Map<string, SizeExpr | Tensor>()
  /** The first difference. It is kept because the function may catch the error that reports it. */
  failed: string | null = null
  readonly watchedState = new WatchedState()

  constructor(
    readonly matcher: TraceMatcher,
    readonly name: string,
  ) {
    this.#template = matcher.template
  }

  isGiven(id: number): boolean {
    return this.#tensors.has(id)
  }

  freedOf(id: number): Freed | null {
    return this.#freed.get(this.#template.log.values[id]!.memory) ?? null
  }

  /** Disposing a view frees no memory. */
  free(id: number, freed: Freed): void {
    if (this.#template.log.values[id]!.memory === id) this.#freed.set(id, freed)
  }

  /** The user's line that made a tensor of the trace; null: it is an input. */
  madeAt(id: number): SourceLocation | null {
    const makes = this.#template.log.events.findLast(
      event => 'value' in event && event.value !== null && event.value <= id,
    )
    return makes?.kind === 'op' ? makes.at : null
  }

  get device(): Device {
    const { events } = this.#template.log
    for (const event of events) {
      if (event.kind === 'lift') return event.type.device
      if (event.kind === 'op') return event.device
    }
    return 'cpu'
  }

  /** Stand-ins for the arguments' tensors, one per input as at capture, even if this call passes one tensor twice. */
  lift(leaves: readonly Tensor[], inputOfLeaf: readonly number[]): readonly Tensor[] {
    const made: Tensor[] = []
    for (const [i, leaf] of leaves.entries()) {
      const first = inputOfLeaf.indexOf(inputOfLeaf[i]!)
      made.push(first < i ? made[first]! : this.#tensor(this.#liftAs('argument', leaf)))
    }
    return made
  }

  finish(results: readonly Tensor[]): void {
    this.matcher.finish(results.map(result => this.idOf(result)))
  }

  record(record: OpRecord, inputs: readonly TracedArgument[], attrs: Attrs, device: Device): readonly Tensor[] {
    return this.#guarded(() => {
      const operands = this.#operands(inputs)
      const first = this.matcher.op(record, operands, attrs, device, !isRecording())
      const count = record.results === null ? 1 : record.results.length
      const tensors = new Array<Tensor>(count)
      for (let i = 0; i < count; i++) tensors[i] = this.#tensor(first + i)
      if (record === variableRecord) this.#variables.set(first, tensors[0]!)
      return tensors
    })
  }

  watched(object: object): void {
    this.watchedState.note(object)
  }

  /** Other errors need nothing: an op that throws is missing from the comparison. */
  refused(error: unknown): void {
    if (error instanceof CaptureError) this.failed ??= error.what
  }

  assign(op: string, target: Tensor, value: Tensor): void {
    this.#guarded(() => {
      const [to, from] = [this.idOf(target), this.idOf(value)]
      this.matcher.assign(op, to, from, !isRecording())
    })
  }

  launch(launch: KernelLaunch): void {
    this.#guarded(() => {
      const operands = this.#operands(launch.args)
      const sizeOf = (argument: number, dim: number): number => {
        const arg = launch.args[argument]
        return this.#evaluate(arg instanceof Tensor ? arg.sizes[dim]! : (arg as Size))
      }
      this.matcher.launch(launch, operands, sizeOf)
    })
  }

  /** As it was when the trace was recorded. */
  requiresGrad(tensor: Tensor): boolean {
    return this.#template.log.values[this.idOf(tensor)]!.requiresGrad
  }

  given(tensor: Tensor): Tensor | null {
    return this.#tensors.get(this.idOf(tensor)) ?? null
  }

  checkpoint<R>(body: () => R, resultsOf: (value: R) => readonly Tensor[]): R {
    this.matcher.checkpoint(null)
    const value = body()
    this.matcher.checkpoint(resultsOf(value).map(result => this.idOf(result)))
    return value
  }

  /** The backward pass that was recorded tells; if the next event is none, matching it fails. */
  reached(roots: readonly Tensor[], inputs: readonly Tensor[] | null): readonly Tensor[] {
    const { next } = this.matcher
    const operands = next?.kind === 'op' ? next.operands : []
    const ids = new Set(operands.flatMap(operand => (operand instanceof ValueRef ? [operand.id] : [])))
    if (inputs !== null) return inputs.filter(input => ids.has(this.idOf(input)))
    const leaves = operands.slice(2 * roots.length)
    return leaves.flatMap(leaf =>
      leaf instanceof ValueRef ? [this.#variables.get(leaf.id) ?? this.#tensor(leaf.id)] : [],
    )
  }

  /** Where the recorded pass did, the graph ended before it. */
  leadsOutside(): boolean {
    const { next } = this.matcher
    return next?.kind !== 'op' || next.record.name !== 'gradients'
  }

  used(roots: readonly Tensor[], inputs: readonly Tensor[] | null): void {
    const [from, to] = [roots, inputs].map(tensors => tensors?.map(tensor => this.idOf(tensor)) ?? null)
    this.#guarded(() => this.matcher.used(from!, to!))
  }

  close(): void {}

  isOwnLeaf(tensor: Tensor): boolean {
    const id = this.idOf(tensor)
    const { events, values } = this.#template.log
    const made = events.find(event => event.kind === 'op' && event.value === id)
    if (made?.kind !== 'op' || made.record !== variableRecord) return false
    const [from] = made.operands
    return from instanceof ValueRef && !values[from.id]!.requiresGrad
  }

  become(tensor: Tensor, other: Tensor): void {
    const id = this.idOf(other)
    ;(tensor.source as FollowedValue).id = id
    this.#variables.set(id, tensor)
  }

  /** What stands for the leaf meanwhile needs a full trace. */
  freeze(): never {
    return this.#fail('it sets requiresGrad of a leaf')
  }

  leadsBeyond(roots: readonly Tensor[], variables: readonly Tensor[]): boolean {
    const [from, ends] = [roots, variables].map(tensors => tensors.map(tensor => this.idOf(tensor)))
    return this.#guarded(() => this.matcher.flow(from!, ends!))
  }

  liftGrad(leaf: Tensor, grad: Tensor): Tensor {
    return this.#guarded(() => {
      const id = this.matcher.lift('grad', grad, this.idOf(leaf))
      this.#tensors.set(id, grad)
      return this.#tensor(id)
    })
  }

  readonly outer = null

  /** Comparing blocks needs their graphs, hence a full trace. */
  cond(): never {
    return this.#fail('it has control flow')
  }

  whileLoop(): never {
    return this.#fail('it has control flow')
  }

  scan(): never {
    return this.#fail('it has control flow')
  }

  memoryOf(tensor: Tensor): TracedMemory {
    const id = this.idOf(tensor)
    const { memory } = this.#template.log.values[id]!
    const owner = this.#tensors.get(memory)?.source ?? this.#owners.get(memory) ?? {}
    this.#owners.set(memory, owner)
    return { owner, layout: this.#layoutOf(id) }
  }

  constant(tensor: Tensor): Tensor {
    return this.#guarded(() => this.#tensor(this.#liftAs('constant', tensor)))
  }

  randomState(generator: Generator, counters: Size): readonly [Tensor, Tensor] {
    return this.#guarded(() => {
      const seed = this.matcher.random(generator, counters)
      return [this.#tensor(seed), this.#tensor(seed + 1)] as const
    })
  }

  read(_tensor: Tensor, reader: string): Tensor {
    return this.#fail(`it reads values now (${reader})`)
  }

  flush(reader: string): void {
    this.#fail(`it reads values now (${reader})`)
  }

  sizeRead(tensor: TensorHandle, dim: number): number {
    const size = this.#evaluate(tensor.sizes[dim]!)
    return Number.isNaN(size) ? this.#fail('it reads a size before it is known') : size
  }

  isContiguous(tensor: TensorHandle): boolean {
    return isContiguous(this.#layoutOf(this.idOf(tensor as Tensor)))
  }

  stridesRead(tensor: TensorHandle): readonly number[] {
    return this.#layoutOf(this.idOf(tensor as Tensor)).strides
  }

  get segment(): object {
    return this
  }

  sizeNumber(tensor: TensorHandle, dim: number): BoxedNumber {
    const size = tensor.sizes[dim]!
    if (typeof size === 'number') return { present: size, traced: null }
    return { present: this.#evaluate(size), traced: { tracer: this, kind: 'formula', formula: size, segment: this } }
  }

  /** Boxed numbers must be used in the same order as at capture. */
  formulaOf(number: SymbolicNumber): Formula {
    const { traced } = number
    if (traced?.kind === 'formula') return traced.formula
    if (traced === null && !(number instanceof ScalarVariable)) return Number(number.present)
    const known = this.#boxes.get(number)
    if (known !== undefined) return known
    const origin = traced === null ? { box: number } : { leaf: traced.leaf }
    const matched = this.#guarded(() => this.matcher.box(expected => sameOrigin(expected, origin), number.present))
    this.#boxes.set(number, matched.formula)
    this.#noteArgument(matched.formula, matched)
    return matched.formula
  }

  /** Stores and returns a formula as an argument of ops: a size, or a tensor of the trace; null: neither. */
  #noteArgument(
    formula: Formula,
    { formula: made, value }: { readonly formula: Formula; readonly value: number | null },
  ): SizeExpr | Tensor | null {
    const argument = made instanceof SizeExpr ? made : value === null ? null : this.#tensor(value)
    if (argument !== null) this.#numberArguments.set(formulaText(formula), argument)
    return argument
  }

  /** Following notes no lines. */
  fromHere<R>(body: () => R): R {
    return body()
  }

  numberArgument(number: SymbolicNumber): PlainNumber | SizeExpr | Tensor {
    const formula = this.formulaOf(number)
    if (typeof formula === 'number') return number.present
    if (formula instanceof SizeExpr) return formula
    const known = this.#numberArguments.get(formulaText(formula))
    if (known !== undefined) return known
    const matched = this.#guarded(() => this.matcher.computed(formula, numberKind(number.present)))
    return this.#noteArgument(formula, matched) ?? number.present
  }

  readNumber(number: SymbolicNumber): PlainNumber {
    const formula = this.formulaOf(number)
    const boxes = scalarsIn(formula).length > 0 || sizesIn(formula).some(size => this.#template.holdsBox(size))
    if (boxes) this.#fail('it reads a boxed number')
    return number.present
  }

  #tensor(id: number): Tensor {
    const { dtype, view } = this.#template.log.values[id]!
    // Frozen, because users see this array and it belongs to the log.
    return new Tensor(new FollowedValue(this, id, Object.freeze(view.shape)), dtype, null)
  }

  #liftAs(source: LiftSource, tensor: Tensor): number {
    const id = this.matcher.lift(source, tensor)
    this.#lifted.set(tensor, id)
    if (source !== 'constant') this.#tensors.set(id, tensor)
    return id
  }

  #operands(inputs: readonly TracedArgument[]): LogOperand[] {
    const operands = new Array<LogOperand>(inputs.length)
    for (let i = 0; i < inputs.length; i++) {
      const input = inputs[i]!
      operands[i] = input instanceof TensorHandle ? new ValueRef(this.idOf(input)) : input
    }
    return operands
  }

  idOf(tensor: Tensor): number {
    const { source } = tensor
    if (source instanceof FollowedValue && source.tracer === this) return source.id
    if (source.kind === 'traced') throw tensor.escaped(this.name, source)
    // A closed-over tensor that this call also passes as an argument may have been a separate input at capture.
    const known = this.#lifted.get(tensor)
    const closing = this.matcher.closing(tensor)
    return known !== undefined && closing === null ? known : this.#liftAs(closing ?? 'closure', tensor)
  }

  #layoutOf(id: number): Layout {
    const known = this.#layouts[id]
    if (known !== undefined) return known
    const { view, memory } = this.#template.log.values[id]!
    const evaluate = (size: Size): number => this.#evaluate(size)
    const start = this.#tensors.get(memory)?.layout.offset ?? 0
    const made = makeLayout(view.shape.map(evaluate), view.strides.map(evaluate), start + evaluate(view.offset))
    const layout = this.#tensors.get(id)?.layout ?? made
    this.#layouts[id] = layout
    return layout
  }

  #evaluate(size: Size): number {
    return this.#template.evaluate(size, this.matcher.symbols)
  }

  #fail(reason: string): never {
    this.failed ??= reason
    throw new TraceMismatch(reason)
  }

  #guarded<R>(body: () => R): R {
    if (this.failed !== null) throw new TraceMismatch(this.failed)
    try {
      return body()
    } catch (error) {
      if (error instanceof TraceMismatch) this.failed = error.message
      throw error
    }
  }
}
