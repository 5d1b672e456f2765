/**
 * Records a function's tensor ops into a graph while the function runs on symbolic tensors. Concrete tensors that it uses
 * (because it closes over them), host data and random states become inputs. An in-place op gives the tensor's memory a new
 * value; if the memory is an input's, the last value becomes a write-back. A read of values ends the segment recorded so
 * far and starts the next (a graph break).
 */
import { CaptureError, DeviceError, InternalError, ShapeError } from '../../base/errors.js'
import { type SourceLocation, userLocation } from '../../base/source.js'
import { denseStrides } from '../../graph/apply.js'
import { bitcastTo, numberNode } from '../../graph/build.js'
import { checkpointed, checkpointName } from '../../graph/derivatives/checkpoint.js'
import { changedQuietly } from '../../graph/derivatives/quiet.js'
import { type KnownInput, savedBy, variableRecord } from '../../graph/derivatives/records.js'
import { isSmoothType, type NodeOfOp } from '../../graph/derivatives/rule.js'
import { elementType } from '../../graph/derivatives/steps.js'
import { type GraphBuilder, type GraphNode, graphDialect, type TensorType, typeOf } from '../../graph/ir.js'
import type { OpInput, OpRecord } from '../../graph/record.js'
import { SymbolicShapeError } from '../../graph/sizes.js'
import { writeThrough } from '../../graph/write-through.js'
import type { Attrs } from '../../ir/node.js'
import { print } from '../../ir/print.js'
import { modulePath } from '../../nn/module-path.js'
import { type Formula, formulaText, scalarsIn, sizesIn } from '../../scalar/formula.js'
import type { Interval } from '../../scalar/lattice.js'
import { evaluateSize, type Size, SizeExpr, symbolsOf } from '../../scalar/size.js'
import { isPlainLeaf, requiresGradNow } from '../../tensor/autograd/history.js'
import { isFixedLeaf, leafChanged } from '../../tensor/autograd/in-place.js'
import { isRecording, withRecording } from '../../tensor/autograd/mode.js'
import { usedTwice } from '../../tensor/autograd/saved.js'
import { type Device, getDefaultDevice } from '../../tensor/device.js'
import type { Generator } from '../../tensor/generator.js'
import { TensorHandle } from '../../tensor/handle.js'
import { makeLayout, overlapsItself } from '../../tensor/layout.js'
import { type PlainNumber, ScalarVariable, type SymbolicNumber } from '../../tensor/symbolic-number.js'
import { Tensor } from '../../tensor/tensor.js'
import { type BoxedNumber, captureRefusal } from '../../tensor/trace.js'
import {
  type BlockFunction,
  type KernelLaunch,
  type TracedArgument,
  type TracedCond,
  type TracedLoop,
  type TracedMemory,
  type TracedScan,
  type Tracer,
  withTracer,
} from '../../tensor/tracer.js'
import { viewLayout } from '../../tensor/views.js'
import type { Dtype } from '../../types/dtype.js'
import { type BucketOf, symbolicLayout, symbolicShape } from '../guards/layout.js'
import {
  type LiftedType,
  type LogOperand,
  type NumberDtype,
  type NumberSource,
  SuppliedNumber,
  ValueRef,
} from '../retrace/trace-log.js'
import { kindDtypes, type NumberKind, numberKind, scalarValue } from './boxed-numbers.js'
import { type ControlBuilder, condNode, loopNode, stepsNode, type TracedBlock } from './control-nodes.js'
import { Done } from './done.js'
import { type GradientFlow, isVariable } from './gradient-flow.js'
import { CapturedGradients, type GradientTracer } from './gradients.js'
import { launchGrid } from './launch-grid.js'
import { launchNodes, type RecordedLaunch, relatedViews } from './launch-nodes.js'
import { addPart, shareMemory } from './overlap.js'
import type { WrittenInput } from './recorder.js'
import {
  type Cell,
  type Checkpoint,
  haveSameDetach,
  isDetaching,
  isOfVariable,
  isShownInput,
  isWrittenInput,
  makeCell,
  Recording,
  TracedValue,
  type ViewStep,
} from './recording.js'
import { evaluateAttrs, type ResultSource } from './results.js'
import type { Segment, TracedInput } from './segment.js'
import type { SizeAnswers } from './size-answers.js'
import { concreteLayout, isContiguousView, rowMajorView, type SymbolicView, viewOfOp } from './symbolic-view.js'
import { WatchedState } from './watched-state.js'

export interface TracerOptions {
  /** What earlier traces of the call pinned; this trace adds to it. Default: nothing. */
  readonly pinned?: Map<string, SourceLocation | null>
  /** The function's name, for messages. */
  readonly name: string
  readonly isDynamic: (path: string, dim: number) => boolean
  /** Told of each tensor that goes over a graph break, before its sizes are chosen. Default: no one is. */
  readonly resumes?: ((path: string, tensor: Tensor) => void) | undefined
  /** Whether an earlier trace read the boxed number of this key. Default: no. */
  readonly isPinned?: ((key: string) => boolean) | undefined
  /** Tensors that are inputs of their own where the function closes over them, even if they are arguments. Default: none. */
  readonly closures?: ReadonlySet<Tensor> | undefined
  /** null: symbolic sizes may be all sizes. */
  readonly bucketOf: BucketOf | null
  /** Answers to what earlier traces of the same call had to know about its sizes. */
  readonly answers: SizeAnswers
  /**
   * Equal results of two calls are two nodes where gradients flow, as the gradient of one of them is asked for. Default: they are
   * one node.
   */
  readonly isDistinct?: boolean | undefined
  /** What earlier traces of the call did; this one adds to it. Default: nothing. */
  readonly done?: Done | undefined
  /** Called at a read of values, which ends a segment: runs it, or throws CaptureError that says what to do `instead`. */
  readonly runSegment: (
    segment: Segment,
    reader: string,
    at: SourceLocation | null,
    instead: string | undefined,
  ) => readonly Tensor[]
}

/** Thrown where a trace whose equal results are one node asks for the gradient of one of them. */
export class ResultsAlike extends CaptureError {}

interface SeenView {
  readonly source: TracedValue
  readonly view: SymbolicView
  readonly example: Attrs
}

/** The backward pass that gave it; none: another op did. */
function backwardPassOf(node: GraphNode): readonly NodeOfOp<'gradient'>[] {
  const [from] = node.inputs
  return node.op === 'item' && from?.op === 'gradient' ? [from] : []
}

/** Whether its gradient depends on the graph that it stands in, beside its operands. */
function isOfGraph(node: GraphNode): boolean {
  const { op } = node.op === 'item' ? node.inputs[0]! : node
  return op === 'gradient' || op === 'custom'
}

export class GraphTracer implements Tracer, GradientTracer {
  readonly autograd = new CapturedGradients(this)
  readonly done: Done
  #recording: Recording
  /** The device of its tensors; null until the first one is seen. */
  #device: Device | null = null
  /** `path:dim` of the input sizes that the function read as numbers, and the lines that read them. */
  readonly pinned: Map<string, SourceLocation | null>
  readonly #suppliedNodes: GraphNode[] = []
  /** What the function sees of the tensors among its arguments. */
  readonly #standIns = new Map<Tensor, Tensor>()
  /** The objects with counted changes that the function uses. */
  readonly watchedState = new WatchedState()
  /** Leaves from outside whose `requiresGrad` is off for a while, and what stands for them. */
  readonly #frozen = new Map<Tensor, Tensor>()
  /** Graph breaks so far. */
  #breaks = 0
  #replayed: { readonly at: SourceLocation | null } | null = null

  /** `outer`: the tracer of the function around the block of control flow that this one traces. */
  constructor(
    readonly options: TracerOptions,
    readonly outer: GraphTracer | null = null,
  ) {
    this.pinned = outer?.pinned ?? options.pinned ?? new Map()
    this.done = options.done ?? new Done()
    this.#recording = new Recording(options, outer === null ? undefined : outer.#recording.table)
  }

  get name(): string {
    return this.options.name
  }

  get #flow(): GradientFlow<TracedInput> {
    return this.#recording.flow
  }

  get device(): Device {
    return this.outer?.device ?? this.#device ?? getDefaultDevice()
  }

  /** Throws DeviceError when the graph runs on another device. */
  #require(device: Device, what: string): void {
    if (this.outer !== null) {
      this.outer.#require(device, what)
      return
    }
    this.#device ??= device
    if (this.#device === device) return
    throw new DeviceError(`compile: ${this.options.name} works on ${this.#device}, and ${what} is on ${device}`, {
      fix: `a compiled function runs on one device: move tensors before the call, and make new ones with { device: '${this.#device}' }`,
    })
  }

  /** A symbolic tensor in place of `tensor`, which becomes an input of the graph. */
  lift(tensor: Tensor, kind: TracedInput['kind'], path: string): Tensor {
    const standIn = new Tensor(this.#lift(tensor, kind, path), tensor.dtype, null)
    if (kind === 'argument') this.#standIns.set(tensor, standIn)
    return standIn
  }

  /** Records an op; returns its results as traced tensors. */
  record(
    record: OpRecord,
    inputs: readonly (TracedArgument | SuppliedNumber)[],
    attrs: Attrs,
    device: Device,
  ): readonly Tensor[] {
    this.#require(device, `what ${record.name} makes`)
    const at = this.#here()
    if (record.category !== 'view') this.#recording.ops++
    const operands = inputs.map(input => this.#operand(input))
    const isDetached = !isRecording()
    const made = this.#recording.recorder.apply(record, operands, attrs, at)
    for (const pass of new Set(made.flatMap(backwardPassOf))) this.#noteEnds(pass)
    const nodes = made.map(node => this.#resultNode({ record, attrs, isDetached }, node))
    this.#flow.record(nodes, () => made.some(isOfGraph) || this.#keeps(record, operands, attrs))
    const logged = this.#logged(inputs)
    const value = this.#recording.logged.length
    this.#recording.events.push({ kind: 'op', record, operands: logged, attrs, device, isDetached, value, at })
    const seen = this.#asView(record, inputs, attrs)
    if (seen === null) return nodes.map(node => this.#handOutValue(node))
    const { source, view, example } = seen
    const path = [...source.path, { record, attrs, example, isDetached, at }]
    const tensor = this.#handOut(source.cell, path, view, nodes[0]!)
    this.#sourceOf(tensor).ownHistory = source.ownHistory
    if (record === variableRecord) this.#recording.variables[Number(attrs.index)] = tensor
    return [tensor]
  }

  /** Whether an op's gradient reads values, so that a backward pass uses it up. */
  #keeps(record: OpRecord, operands: readonly OpInput[], attrs: Attrs): boolean {
    const needs = operands.map(({ node }) => this.#flow.flows(node))
    const types = operands.map(({ node, isNumber }) =>
      isNumber && node.op === 'constant' ? node.attrs.value : (typeOf(node) as KnownInput),
    )
    const { inputs, outputs } = savedBy(record, types, attrs, { needs, given: [] })
    return outputs.includes(true) || inputs.some((isRead, i) => isRead && !operands[i]!.isNumber)
  }

  /** Inputs as the log stores them; all tensors among them have been lifted before. */
  #logged(inputs: RecordedLaunch['args'] | readonly (TracedArgument | SuppliedNumber)[]): LogOperand[] {
    return inputs.map(input =>
      input instanceof Tensor ? new ValueRef(this.#sourceOf(input).id) : (input as LogOperand),
    )
  }

  /** An operand that is supplied at each call. All of them must be declared before the first op. */
  declareNumber(dtype: NumberDtype): SuppliedNumber {
    return new SuppliedNumber(this.#declare(dtype, null), dtype)
  }

  /** A size that is supplied at each call: `value` in this one, and of the same sign in all. */
  declareSize(value: number): Size {
    const { table, recorder } = this.#recording
    const size = table.value(recorder.scalarCount, value, signRange(value))
    this.#declare('i64', table.symbols.length - 1)
    return size
  }

  /** The sizes that a tensor will have as input number `input`, so that numbers can be computed of them before it is lifted. */
  sizesOf(tensor: Tensor, input: number, path: string): readonly Size[] {
    return symbolicShape(tensor.shape, input, this.#recording.table, dim => this.options.isDynamic(path, dim))
  }

  /** Whether a formula depends on numbers or sizes that are supplied at each call, which are the first scalars. */
  dependsOnSupplied(formula: Formula): boolean {
    const { supplied, table } = this.#recording
    const names = new Set(supplied.flatMap(({ symbol }) => (symbol === null ? [] : [table.symbols[symbol]!.name])))
    return (
      scalarsIn(formula).some(index => index < supplied.length) ||
      sizesIn(formula).some(size => [...symbolsOf(size)].some(name => names.has(name)))
    )
  }

  #declare(dtype: NumberDtype, symbol: number | null): number {
    const { recorder, supplied } = this.#recording
    if (recorder.scalarCount !== supplied.length) throw new InternalError('capture: a number is supplied after a draw')
    this.#suppliedNodes.push(recorder.scalarInput(`given${supplied.length}`, dtype))
    return supplied.push({ dtype, symbol }) - 1
  }

  /** Runs `body` with `at` as the user's line: for recording the events of a log again. */
  from<R>(at: SourceLocation | null, body: () => R): R {
    const before = this.#replayed
    this.#replayed = { at }
    try {
      return body()
    } finally {
      this.#replayed = before
    }
  }

  fromHere<R>(body: () => R): R {
    return this.from(this.#here(), body)
  }

  #here(): SourceLocation | null {
    if (this.#replayed !== null) return this.#replayed.at
    const [at, module] = [userLocation(), modulePath()]
    return at === null || module === '' ? at : { ...at, module }
  }

  /** A view op's result as a view of its input's memory; null for other ops, and where the op makes a copy. */
  #asView(record: OpRecord, inputs: readonly unknown[], attrs: Attrs): SeenView | null {
    const [base] = inputs
    if (record.category !== 'view' || !(base instanceof Tensor)) return null
    const source = this.#sourceOf(base)
    const { table } = this.#recording
    const example = evaluateAttrs(attrs, table.values) as Attrs
    const view = viewOfOp(record, base.dtype, source.view, attrs, table)
    if (view !== null) return { source, view, example }
    viewLayout(record, base.dtype, source.layout, example) // throws for an op that must not copy
    return null
  }

  /** The first error that capture or symbolic sizes may have caused. It is kept because the function may catch it. */
  doubt: CaptureError | ShapeError | null = null

  watched(object: object): void {
    if (this.outer !== null) this.outer.watched(object)
    else this.watchedState.note(object)
  }

  refused(error: unknown): void {
    this.outer?.refused(error)
    const isOfSizes =
      error instanceof SymbolicShapeError || (error instanceof ShapeError && symbolName.test(error.message))
    if (error instanceof CaptureError || isOfSizes) this.doubt ??= error
  }

  applyView(step: ViewStep, node: GraphNode): GraphNode {
    const { record, attrs, at } = step
    const seen = this.#recording.recorder.apply(record, [{ node, isNumber: false }], attrs, at)[0]!
    return this.#resultNode(step, seen)
  }

  /** What an op gave, as the value of a tensor. */
  #resultNode(call: Pick<ViewStep, 'record' | 'attrs' | 'isDetached'>, node: GraphNode): GraphNode {
    const result = this.#flow.resultOf(call, node)
    if (!this.options.isDistinct || isVariable(result) || !this.#flow.flows(result)) return result
    const { builder } = this.#recording.recorder
    return this.#flow.noted(builder.node('variable', [result], { of: 'result', index: this.#recording.distinct++ }))
  }

  /** The target's memory gets a new value, in which the target's part is replaced. */
  assign(op: string, target: Tensor, value: Tensor): void {
    const source = this.#sourceOf(target)
    if (overlapsItself(source.layout)) {
      throw new ShapeError(`${op}: several elements of ${target.describe()} share memory (it was expanded)`, {
        fix: 'write into a clone()',
      })
    }
    const written = this.#sourceOf(value)
    if (isRecording()) this.#checkHistory(op, target, source)
    const isDetached = !isRecording()
    const at = this.#here()
    this.#recording.events.push({ kind: 'assign', op, target: source.id, value: written.id, isDetached, at })
    this.#write(op, source, written.node)
  }

  /** Throws for a change that no history could tell of: of a leaf, or of what shares memory with a tensor of another history. */
  #checkHistory(op: string, target: Tensor, source: TracedValue): void {
    const { cell, path } = source
    const isView = path.length > 0 && !this.isOwnLeaf(target)
    if (isOfVariable(source)) throw leafChanged(op, target, isView)
    if (path.some(isDetaching)) return
    const given = this.#flow.leafOf(cell.value)
    if (given === null) return
    if (isFixedLeaf(given.tensor)) throw leafChanged(op, target, isView)
    throw captureRefusal(
      `${op}: ${given.path}, which was computed outside and requires a gradient, is changed in place`,
      { fix: 'return the value instead: the op that is not in place gives it' },
    )
  }

  /** `present`: the arguments with the captured call's numbers in place of those that are supplied at each call. */
  launch(recorded: RecordedLaunch, present: RecordedLaunch['args'] = recorded.args): void {
    this.#recording.ops++
    const args = recorded.args.map(arg => this.#launchNumber(arg))
    const launch = { ...recorded, args }
    const sources = args.map(arg => (arg instanceof TensorHandle ? this.#sourceOf(arg) : null))
    const { recorder, table } = this.#recording
    const { builder } = recorder
    const numberOf = (i: number): readonly Size[] | null => {
      const number = args[i] instanceof SuppliedNumber ? present[i] : args[i]
      return typeof number === 'number' || number instanceof SizeExpr ? [number] : null
    }
    const shapes = sources.map((source, i) => (source === null ? numberOf(i) : typeOf(source.node).shape))
    const { grid, fixed } = launchGrid(
      sizeOf => launch.grid(sizeOf),
      shapes,
      table.values,
      name => table.rangeOf(name),
    )
    if (fixed) this.pinSizes(shapes.flatMap(shape => shape ?? []))
    for (const [view, other] of relatedViews(launch, sources)) {
      this.pinSizes([view, other].flatMap(({ node }) => typeOf(node).shape))
    }
    const at = this.#here()
    const logged = { ...launch, args: present as KernelLaunch['args'] }
    this.#recording.events.push({ kind: 'launch', launch: logged, operands: this.#logged(recorded.args), grid, at })
    const { views, results } = builder.withOrigin({ at, pass: launch.kernel.name }, () =>
      launchNodes(builder, launch, sources, grid),
    )
    for (const [i, result] of results.entries()) this.#write(launch.kernel.name, views[i]!, result)
  }

  /** A tensor that stands for a number is passed as the scalar input that it is. */
  #launchNumber(arg: RecordedLaunch['args'][number]): RecordedLaunch['args'][number] {
    if (!(arg instanceof Tensor)) return arg
    const { isNumber, node } = this.#sourceOf(arg)
    return isNumber && node.op === 'scalarInput' ? new SuppliedNumber(node.attrs.index, 'f64') : arg
  }

  memoryOf(tensor: Tensor): TracedMemory {
    const { cell, layout } = this.#sourceOf(tensor)
    return { owner: isShownInput(cell) ? cell.input.tensor.source : cell, layout }
  }

  /**
   * Throws CaptureError when a step of the view path has elements that share memory (an expanded tensor). The graph has a
   * separate value for each element, but such a write would change several elements at once.
   */
  #refuseSelfOverlap(op: string, { cell, path }: TracedValue): void {
    const { dtype } = typeOf(cell.value)
    let layout =
      cell.input?.tensor.layout ?? concreteLayout(rowMajorView(typeOf(cell.value).shape), this.#recording.table, 0)
    for (const step of [null, ...path]) {
      const seen = step === null ? layout : viewLayout(step.record, dtype, layout, step.example)
      if (seen === null) return
      layout = seen
      if (!overlapsItself(layout)) continue
      throw captureRefusal(`${op}: a write into a part of a tensor that was expanded cannot be captured`, {
        fix: 'write into the tensor before it is expanded, or into a clone()',
      })
    }
  }

  /** The part of the cell that `source` shows becomes `node`. */
  #write(op: string, source: TracedValue, node: GraphNode): void {
    const { cell, path, view, layout } = source
    const { builder } = this.#recording.recorder
    this.#refuseSelfOverlap(op, source)
    const viewOf = (b: GraphBuilder, from: GraphNode): GraphNode =>
      path.reduce((seen, { record, attrs }) => record.build(b, [{ node: seen, isNumber: false }], attrs)[0]!, from)
    const value = builder.withOrigin({ at: this.#here(), pass: 'in place' }, () =>
      path.length === 0 ? node : writeThrough(op, builder, cell.value, viewOf, node),
    )
    const isCut = path.some(step => step.isDetached)
    const isRecorded = isRecording() && !path.some(isDetaching)
    cell.value = isRecorded ? this.#flow.noted(value) : this.#quietly(cell.value, value)
    cell.version++
    cell.parts = addPart(cell.parts, { view, layout, node: bitcastTo(builder, node, typeOf(cell.value).dtype) })
    // A variable remains one of the new value.
    if (isOfVariable(source)) return
    if (path.length === 0) source.show(cell.value)
    else if (isRecorded) source.show(node)
    else if (isCut) this.#showCut(source, node)
  }

  /** What was written into a `detach()` is part of its history alone. */
  #showCut(source: TracedValue, node: GraphNode): void {
    const hasHistory = isRecording() && source.path.some(isDetaching) && this.#flow.flows(node)
    if (hasHistory) {
      const others = this.#recording.handedOut.filter(other => haveSameDetach(source, other))
      for (const other of others) other.ownHistory = 'lost'
    }
    const isKept = source.ownHistory !== 'none' && !isRecording()
    source.ownHistory = hasHistory ? 'known' : isKept ? 'lost' : 'none'
    source.show(hasHistory ? node : this.#flow.detached(node))
  }

  /** A new value with the history of the old one: a change that is not recorded leaves a leaf a leaf, and all else what made it. */
  #quietly(before: GraphNode, value: GraphNode): GraphNode {
    const changed = this.#flow.detached(value)
    if (!this.#flow.flows(before)) return changed
    const kept = changedQuietly(this.#recording.recorder.builder, before, changed)
    const leaf = this.#flow.leafOf(before)
    if (leaf !== null) this.#flow.addLeaf(kept, leaf)
    return this.#flow.noted(kept)
  }

  constant(tensor: Tensor): Tensor {
    if (this.outer !== null) return this.outer.constant(tensor)
    return this.lift(tensor, 'constant', `constant ${this.#recording.inputs.length}`)
  }

  /** Draws `elements` counters from a generator at each call: its seed and offset, as 0-d tensors. */
  randomState(generator: Generator, elements: Size): readonly [Tensor, Tensor] {
    if (this.outer !== null) {
      throw captureRefusal('random numbers are drawn in a branch or a loop that is captured', {
        fix: 'draw them before it, and let the branch or the loop use them',
      })
    }
    const { draws, recorder, events, logged } = this.#recording
    const call = draws.length
    draws.push({ generator, elements, scalar: recorder.scalarCount })
    events.push({ kind: 'random', generator, counters: elements, value: logged.length })
    const scalar = (name: string): Tensor => {
      const node = recorder.scalarInput(`${name}${call}`, 'i64')
      return this.#handOutValue(node)
    }
    return [scalar('seed'), scalar('offset')]
  }

  // --- gradients ---------------------------------------------------------------------------------------------------

  requiresGrad(tensor: Tensor): boolean {
    return this.#flow.flows(this.#sourceOf(tensor).node)
  }

  given(tensor: Tensor): Tensor | null {
    if (this.outer !== null && !this.#isOfBlock(tensor)) throw this.#refuseInBlock('grad')
    return this.#givenOf(this.#ownSourceOf(tensor))
  }

  #givenOf({ path, cell }: TracedValue): Tensor | null {
    return path.length === 0 && isShownInput(cell) ? cell.input.tensor : null
  }

  freeze(leaf: Tensor, frozen: Tensor | null): boolean {
    if (frozen === null) return this.#frozen.delete(leaf)
    if (!isPlainLeaf(leaf)) return false
    this.#frozen.set(leaf, frozen)
    return true
  }

  /** Throws CaptureError where a leaf would stay frozen. */
  #requireThawed(): void {
    for (const leaf of this.#frozen.keys())
      throw captureRefusal(`requiresGrad: ${this.options.name} leaves it off for ${leaf.describe()}`, {
        fix: 'set it on again before the function ends, or set it outside of the function',
      })
  }

  /** Whether a tensor of a block was made in it. */
  #isOfBlock({ source }: Tensor): boolean {
    return source.kind === 'traced' && source.tracer === this
  }

  isOwnLeaf(tensor: Tensor): boolean {
    const { path, node } = this.#sourceOf(tensor)
    return path.at(-1)?.record === variableRecord && this.#flow.isOwnLeaf(node)
  }

  become(tensor: Tensor, other: Tensor): void {
    const source = this.#sourceOf(other)
    this.#sourceOf(tensor).become(source)
    const { record, attrs } = source.path.at(-1)!
    if (record !== variableRecord) return
    this.#recording.variables[Number(attrs.index)] = tensor
    this.#recording.ownLeaves.add(Number(attrs.index))
  }

  close(variables: readonly Tensor[]): void {
    for (const { source } of variables)
      if (source instanceof TracedValue && source.concrete === null)
        this.#recording.closed.add(Number(source.path.at(-1)?.attrs.index))
  }

  leadsBeyond(roots: readonly Tensor[], variables: readonly Tensor[]): boolean {
    const [from, ends] = [roots, variables].map(tensors => tensors.map(tensor => this.#sourceOf(tensor)))
    const leadsBeyond = this.#flow.leadsBeyond(nodesOf(from!), nodesOf(ends!))
    this.#recording.events.push({ kind: 'flow', roots: idsOf(from!), variables: idsOf(ends!), leadsBeyond })
    return leadsBeyond
  }

  idOf(tensor: Tensor): number {
    return this.#ownSourceOf(tensor).id
  }

  #nodesOf(tensors: readonly Tensor[]): readonly GraphNode[]
  #nodesOf(tensors: readonly Tensor[] | null): readonly GraphNode[] | null
  #nodesOf(tensors: readonly Tensor[] | null): readonly GraphNode[] | null {
    return tensors?.map(tensor => this.#sourceOf(tensor).node) ?? null
  }

  reached(roots: readonly Tensor[], inputs: readonly Tensor[] | null): readonly Tensor[] {
    if (this.outer !== null && inputs === null) throw this.#refuseInBlock('backward')
    if (!this.options.isDistinct && inputs?.some(input => this.#isComputed(input))) {
      const alike = new ResultsAlike('gradients: the trace does not tell equal results apart')
      this.refused(alike) // the function may catch it
      throw alike
    }
    const [from, to] = [this.#nodesOf(roots), this.#nodesOf(inputs)]
    const again = this.#flow.between(from, to).find(node => this.#flow.isUsedUp(node))
    if (again !== undefined) throw usedTwice(again.origin.pass)
    const nodes = this.#flow.behind(from)
    const asked = inputs === null ? null : new Set(inputs.map(input => this.given(input)))
    const leaves = this.#flow.leavesIn(nodes).filter(({ leaf }) => asked?.has(leaf.tensor) ?? true)
    for (const { leaf, value } of leaves)
      this.#requireUnchanged(leaf.path, leaf.tensor, value, this.#cellOf(leaf).value)
    if (inputs !== null) return inputs.filter((_, i) => nodes.has(to![i]!))
    const open = leaves.filter(({ leaf }) => !this.#frozen.has(leaf.tensor))
    const outside = open.map(({ leaf }) => this.#leafTensor(leaf))
    const own = this.#flow.variablesIn(nodes).map(node => {
      const tensor = this.#recording.variables[node.attrs.index]!
      this.#requireUnchanged('a leaf of the function', tensor, node, this.#sourceOf(tensor).node)
      return tensor
    })
    return [...outside, ...own]
  }

  /** Whether an op of the function gave it: two that gave the same are one node, unless the trace tells them apart. */
  #isComputed(tensor: Tensor): boolean {
    const { cell, path, node } = this.#sourceOf(tensor)
    return !isVariable(node) && this.#flow.flows(node) && (path.length > 0 || !isShownInput(cell))
  }

  #requireUnchanged(path: string, tensor: Tensor, value: GraphNode, now: GraphNode): void {
    if (value === now) return
    throw captureRefusal(`backward: ${path}, ${tensor.describe()}, was changed in place after it was used`, {
      at: now.origin.at,
      fix: 'change it after the backward pass',
    })
  }

  leadsOutside(roots: readonly Tensor[], inputs: readonly Tensor[] | null): boolean {
    if (this.outer !== null) return false
    const nodes = this.#flow.behind(this.#nodesOf(roots))
    const outside = this.#flow.leavesIn(nodes).find(({ leaf }) => !isPlainLeaf(leaf.tensor))
    if (outside === undefined || inputs?.every(input => this.given(input) === null)) return false
    const isMixed = inputs?.some(input => this.given(input) === null) ?? this.#flow.variablesIn(nodes).length > 0
    if (!isMixed && this.#flow.variablesIn(nodes).length === 0) return true
    throw captureRefusal(
      `backward: gradients flow to what ${this.options.name} computes itself, and to tensors from outside, while ${outside.leaf.path} was computed or has hooks`,
      { fix: 'ask for them one after another: gradients(loss, variable), then gradients(loss, tensor)' },
    )
  }

  used(roots: readonly Tensor[], inputs: readonly Tensor[] | null): void {
    const from = roots.map(root => this.#sourceOf(root))
    const to = inputs?.map(input => this.#sourceOf(input)) ?? null
    this.#recording.events.push({ kind: 'used', roots: idsOf(from), inputs: to && idsOf(to) })
    this.#flow.use(this.#flow.between(nodesOf(from), to && nodesOf(to)))
  }

  /** Of a backward pass: the inputs at which it ends. */
  #noteEnds({ attrs: { roots }, inputs }: NodeOfOp<'gradient'>): void {
    if (!inputs.slice(2 * roots).some(input => this.#flow.leafOf(input) !== null)) return
    const behind = this.#flow.behind(inputs.slice(0, roots))
    for (const { leaf } of this.#flow.leavesIn(behind)) this.#recording.ends.add(leaf)
  }

  #cellOf(input: TracedInput): Cell {
    return this.#recording.cells.find(cell => cell.input === input)!
  }

  /** The tensor as ops take it: an argument's stand-in, or what the function closes over. */
  #leafTensor({ tensor, kind }: TracedInput): Tensor {
    return kind === 'argument' ? this.#standIns.get(tensor)! : tensor
  }

  #refuseInBlock(what: string): CaptureError {
    return captureRefusal(`${what}: gradients are asked for in a branch or a loop that is captured`, {
      fix: 'take gradients outside of it',
    })
  }

  liftGrad(leaf: Tensor, grad: Tensor): Tensor {
    const { id, cell } = this.#ownSourceOf(leaf)
    return new Tensor(this.#lift(grad, 'grad', `${cell.input!.path}.grad`, id), grad.dtype, null)
  }

  // --- checkpoints -------------------------------------------------------------------------------------------------

  checkpoint<R>(body: () => R, resultsOf: (value: R) => readonly Tensor[]): R {
    const begun = this.beginCheckpoint()
    const value = body()
    this.endCheckpoint(begun, resultsOf(value))
    return value
  }

  beginCheckpoint(): Checkpoint {
    const { events, cells, recorder } = this.#recording
    events.push({ kind: 'checkpoint', results: null })
    return { recording: this.#recording, cells: cells.length, nodes: recorder.builder.nextId }
  }

  /**
   * The memory of the results that was made since gets the values that a region gives. After a graph break nothing: what came before
   * it is a graph of its own, whose gradient the tape takes.
   */
  endCheckpoint({ recording, cells: before, nodes }: Checkpoint, results: readonly Tensor[]): void {
    if (recording !== this.#recording) return
    const { events, cells, recorder, flow } = recording
    const sources = results.map(result => this.#sourceOf(result))
    events.push({ kind: 'checkpoint', results: sources.map(({ id }) => id) })
    const own = new Set(cells.slice(before).filter(({ input, value }) => input === null && flow.flows(value)))
    const made = [...new Set(sources.map(({ cell }) => cell))].filter(cell => own.has(cell))
    const { builder } = recorder
    const values = made.map(({ value }) => value)
    const items = builder.withOrigin({ at: this.#here(), pass: checkpointName }, () =>
      checkpointed(builder, values, node => node.id < nodes),
    )
    if (items === null) return
    for (const [i, cell] of made.entries()) {
      cell.value = flow.noted(items[i]!)
      cell.version++
    }
  }

  // --- control flow ------------------------------------------------------------------------------------------------

  cond({ predicate, branches, operands }: TracedCond): readonly Tensor[] {
    const { node } = this.#sourceOf(predicate)
    const traced = branches.map(branch => this.#traceBlock('cond', branch, operands))
    return this.#control('cond', [predicate], traced, control => condNode(control, node, traced))
  }

  whileLoop({ condition, body, carried }: TracedLoop): readonly Tensor[] {
    const check: BlockFunction = (...values) => [condition(...values)]
    const types = carried.map(tensor => this.#typeOf(tensor))
    const traced = [check, body].map(block => this.#traceBlock('whileLoop', block, carried, types))
    return this.#control('whileLoop', carried, traced, control => loopNode(control, carried, traced))
  }

  scan({ body, carried, sequences, reverse }: TracedScan): readonly Tensor[] {
    const operands = [...carried, ...sequences]
    const elements = sequences.map(tensor => elementType(this.#typeOf(tensor)))
    const types = [...carried.map(tensor => this.#typeOf(tensor)), ...elements]
    const traced = this.#traceBlock('scan', body, operands, types)
    const attrs = { carried: carried.length, sequences: sequences.length, reverse }
    const name = reverse ? 'scan in reverse' : 'scan'
    return this.#control(name, operands, [traced], control => stepsNode(control, operands, traced, attrs))
  }

  #typeOf(tensor: Tensor): TensorType {
    return typeOf(this.#sourceOf(tensor).node)
  }

  /** Records a branch or a loop, whose blocks have been traced. */
  #control(
    name: string,
    operands: readonly Tensor[],
    traced: readonly TracedBlock[],
    build: (control: ControlBuilder) => GraphNode,
  ): readonly Tensor[] {
    const { recorder, events, logged } = this.#recording
    const { builder } = recorder
    const at = this.#here()
    this.#recording.ops++
    const used = [...operands, ...traced.flatMap(block => block.operands.filter(operand => operand !== null))]
    const ids = used.map(tensor => this.#sourceOf(tensor).id)
    const blocks = traced.map(({ body }) => print<GraphNode>(graphDialect, body))
    const isDetached = !isRecording()
    events.push({ kind: 'control', name, blocks, operands: ids, isDetached, value: logged.length, at })
    return builder.withOrigin({ at, pass: name }, () => {
      const node = build({ builder, nodeOf: tensor => this.#sourceOf(tensor).node })
      const count = node.type.kind === 'tuple' ? node.type.items.length : 0
      return Array.from({ length: count }, (_, index) => {
        const item = builder.node('item', [node], { index })
        return this.#handOutValue(isDetached ? this.#flow.detached(item) : this.#flow.noted(item))
      })
    })
  }

  /** Runs a function once as a block. `fresh`: on new inputs of these types in place of the operands, as iterations get other values. */
  #traceBlock(
    name: string,
    body: BlockFunction,
    operands: readonly Tensor[],
    fresh: readonly TensorType[] | null = null,
  ): TracedBlock {
    const inner = new GraphTracer(this.options, this)
    const args = fresh === null ? operands : fresh.map(type => inner.#standIn(type))
    const results = withTracer(inner, () => body(...args))
    const given = results.map(result => inner.#sourceOf(result))
    inner.#requireHistory(given)
    const { recorder, borrowed, ops } = inner.#recording
    if (borrowed.some(({ value }) => value.cell.version > 0)) {
      throw captureRefusal(`${name}: a function changes a tensor from outside in place`, {
        fix: 'return the new value, or change a clone()',
      })
    }
    this.#recording.ops += ops
    return { body: recorder.finish(nodesOf(given), []).body, operands: borrowed.map(({ tensor }) => tensor) }
  }

  /** An outer tensor as an input of the block. */
  #borrow(tensor: Tensor, outer: GraphTracer): TracedValue {
    const { lifted, borrowed } = this.#recording
    const known = lifted.get(tensor)
    if (known !== undefined) return known
    const { node, isNumber } = outer.#sourceOf(tensor)
    const value = this.#blockInput(typeOf(node), isNumber)
    if (outer.#flow.flows(node)) this.#flow.addLeaf(value.node, { tensor, kind: 'closure', path: 'operand' })
    lifted.set(tensor, value)
    borrowed.push({ tensor, value })
    return value
  }

  /** What iterations get. A gradient may flow into it. */
  #standIn(type: TensorType): Tensor {
    const value = this.#blockInput(type, false)
    this.#recording.borrowed.push({ tensor: null, value })
    const tensor = new Tensor(value, type.dtype, null)
    if (isSmoothType(type)) this.#flow.addLeaf(value.node, { tensor, kind: 'closure', path: 'operand' })
    return tensor
  }

  #blockInput({ dtype, shape }: TensorType, isNumber: boolean): TracedValue {
    const { recorder, table } = this.#recording
    const layout = { shape, strides: denseStrides(shape) }
    const node = recorder.tensorInput(`operand${recorder.tensorCount}`, dtype, layout)
    const [cell, view] = [this.#newCell(node, null), rowMajorView(shape)]
    const id = this.#log(cell, dtype, view, false)
    return new TracedValue(this, cell, [], view, concreteLayout(view, table, 0), node, id, isNumber)
  }

  // --- numbers -----------------------------------------------------------------------------------------------------

  get segment(): object {
    return this.outer?.segment ?? this.#recording
  }

  sizeNumber(tensor: Tensor, dim: number): BoxedNumber {
    if (this.outer !== null) return this.outer.sizeNumber(tensor, dim)
    const size = tensor.sizes[dim]!
    if (typeof size === 'number') return { present: size, traced: null }
    const { values } = this.#recording.table
    const traced = { tracer: this, kind: 'formula', formula: size, segment: this.#recording } as const
    return { present: evaluateSize(size, values), traced }
  }

  formulaOf(number: SymbolicNumber): Formula {
    if (this.outer !== null) return this.outer.formulaOf(number)
    const { traced } = number
    if (traced?.kind === 'formula' && traced.segment === this.#recording) return traced.formula
    if (traced === null && !(number instanceof ScalarVariable)) return Number(number.present)
    const { formulas } = this.#recording
    const known = formulas.get(number)
    if (known !== undefined) return known
    const made = this.#boxed(number)
    formulas.set(number, made)
    return made
  }

  /** A boxed number as an input of the graph; its value, if the function read it. */
  #boxed(number: SymbolicNumber): Formula {
    const { boxes } = this.#recording
    const { present, traced } = number
    const kind = numberKind(present)
    const path = traced?.kind === 'argument' ? traced.path : `scalar ${boxes.length}`
    const origin = traced?.kind === 'argument' ? { leaf: traced.leaf } : { box: number }
    const isFixed = this.options.isPinned?.(valueKey(path)) ?? false
    const box = boxes.length
    const formula = isFixed ? Number(present) : this.#scalarFormula(path, present, kind, { box })
    boxes.push({ path, origin, kind, formula, ...(isFixed ? { fixed: present } : {}) })
    this.#logNumber({ origin, path, fixed: isFixed ? present : undefined }, present, formula)
    return formula
  }

  #logNumber(source: NumberSource, present: PlainNumber, formula: Formula): void {
    const { events, numberArguments } = this.#recording
    const argument = numberArguments.get(formulaText(formula))
    const value = argument instanceof Tensor ? this.#sourceOf(argument).id : null
    events.push({ kind: 'number', source, number: numberKind(present), present, formula, value })
  }

  /** A scalar input. As an argument of ops an integer is a size, anything else a tensor. */
  #scalarFormula(
    path: string,
    present: PlainNumber,
    kind: NumberKind,
    source: { readonly box: number } | { readonly formula: Formula; readonly kind: NumberKind },
  ): Formula {
    const { recorder, table, boxedScalars, numberArguments } = this.#recording
    const node = recorder.scalarInput(path, kindDtypes[kind])
    const index = recorder.scalarCount - 1
    boxedScalars.push({ scalar: index, value: scalarValue(present), ...source })
    if (kind === 'integer') return table.value(index, Number(present), signRange(Number(present)))
    const formula = { kind: 'scalar', index } as const
    const [cell, view] = [this.#newCell(node, null), rowMajorView([])]
    const id = this.#log(cell, kindDtypes[kind], view, false)
    const value = new TracedValue(this, cell, [], view, makeLayout([], [], 0), node, id, true)
    numberArguments.set(formulaText(formula), new Tensor(value, kindDtypes[kind], null))
    return formula
  }

  /** A boxed number as an argument of an op: a plain number, a size, or a 0-d tensor that is computed at each call. */
  numberArgument(number: SymbolicNumber): PlainNumber | SizeExpr | Tensor {
    if (this.outer !== null) return this.outer.numberArgument(number)
    const formula = this.formulaOf(number)
    if (typeof formula === 'number') return number.present
    if (formula instanceof SizeExpr) return formula
    const { numberArguments } = this.#recording
    const text = formulaText(formula)
    const known = numberArguments.get(text)
    if (known !== undefined) return known
    const kind = numberKind(number.present)
    const made = this.#scalarFormula('computed', number.present, kind, { formula, kind })
    this.#logNumber({ computed: formula }, number.present, made)
    const argument = numberArguments.get(formulaText(made)) ?? (made as Size)
    numberArguments.set(text, argument)
    return argument
  }

  readNumber(number: SymbolicNumber): PlainNumber {
    if (this.outer !== null) return this.outer.readNumber(number)
    this.#pinFormula(this.formulaOf(number))
    return number.present
  }

  #pinFormula(formula: Formula): void {
    const { boxes, boxedScalars } = this.#recording
    for (const size of sizesIn(formula)) this.#pin(size)
    for (const index of scalarsIn(formula)) {
      const source = boxedScalars.find(({ scalar }) => scalar === index)
      if (source === undefined) throw new InternalError(`capture: no boxed number is scalar ${index}`)
      if ('formula' in source) this.#pinFormula(source.formula)
      else this.pinned.set(valueKey(boxes[source.box]!.path), userLocation())
    }
  }

  read(tensor: Tensor, reader: string, instead?: string): Tensor {
    const { source } = tensor
    if (!(source instanceof TracedValue)) {
      this.#break(reader, instead) // the value may differ at the next call, so the function must run again then
      return tensor
    }
    if (source.concrete === null) this.#break(reader, instead)
    if (source.concrete === null) throw new InternalError(`${reader}: the segment gave no values`)
    return source.concrete
  }

  flush(reader: string): void {
    this.#break(reader)
  }

  sizeRead(tensor: Tensor, dim: number): number {
    return this.#pin(tensor.sizes[dim]!)
  }

  isContiguous(tensor: Tensor): boolean {
    return isContiguousView(this.#sourceOf(tensor).view, this.#recording.table)
  }

  stridesRead(tensor: Tensor): readonly number[] {
    const { view, layout } = this.#sourceOf(tensor)
    for (const size of [...view.shape, ...view.strides]) this.#pin(size)
    return layout.strides
  }

  /** Decides the sign of a run-time size for this call's next traces, guarded. False: it cannot. */
  answer(size: Size): boolean {
    return this.options.answers.answer(size, this.#recording.table)
  }

  /** As `answer`, for a size that must be a multiple of a number. */
  answerMultiple(question: NonNullable<SymbolicShapeError['multiple']>): boolean {
    return this.options.answers.answerMultiple(question, this.#recording.table)
  }

  /** As `answer`, for boxed numbers that an op must know more about. */
  answerNumbers(sizes: readonly Size[]): boolean {
    return this.options.answers.answerNumbers(sizes, this.#recording.table)
  }

  /** Marks the symbols of `sizes` for specialisation; false when there are none. */
  pinSizes(sizes: readonly Size[]): boolean {
    for (const size of sizes) this.#pin(size)
    return sizes.some(size => typeof size !== 'number')
  }

  /** The segment recorded since the last break, with these outputs. */
  finish(outputs: readonly Tensor[]): Segment {
    this.#requireThawed()
    const sources = outputs.map(output => this.#sourceOf(output))
    const written = sources.find(({ ownHistory }) => ownHistory === 'known')
    if (written !== undefined) throw lostHistory(written)
    this.#requireHistory(sources)
    const segment = this.#segment(sources)
    // A tensor that is returned twice is the same tensor in both places.
    const results = segment.results.map((result, i): ResultSource => {
      const first = outputs.indexOf(outputs[i]!)
      return first === i ? result : { from: 'result', index: first, view: null }
    })
    return { ...segment, results }
  }

  /** Throws CaptureError for a result whose gradient flows to a variable, which ends with the call. */
  #requireHistory(results: readonly TracedValue[]): void {
    const { ownLeaves } = this.#recording
    for (const { node } of results)
      if (this.#flow.isTapedFor(node, variable => ownLeaves.has(variable)))
        throw new CaptureError(
          `compile: ${this.name} gives a tensor whose gradient flows to a leaf that was made inside of it`,
          { at: node.origin.at, fix: 'give its detach(); or take its gradient inside the function' },
        )
  }

  /** The graph recorded so far, with what binds it to a call: inputs, results, write-backs, random draws. */
  #segment(outputs: readonly TracedValue[]): Segment {
    const { recorder, table, inputs, draws, cells } = this.#recording
    const made: GraphNode[] = []
    const memories = new Map<Cell, number>()
    const results = outputs.map((output): ResultSource => {
      const { cell, path } = output
      const view = path.length === 0 ? null : { ...output.view, dtype: typeOf(output.node).dtype }
      // A view into which a gradient flows has a history of its own, so it has memory of its own as well.
      const isTaped = view !== null && this.#flow.isTaped(output.node)
      if (isShownInput(cell) && !isTaped) return { from: 'input', index: inputs.indexOf(cell.input), view }
      // The only result of a cell is stored compactly. If its elements share memory (expand), it stays a view of the cell.
      const isOnly = !overlapsItself(output.layout) && outputs.every(other => other === output || other.cell !== cell)
      if (isTaped && !isOnly) return { from: 'output', index: made.push(output.node) - 1, view: null }
      const isAlone = isTaped || isOnly
      const index = memories.get(cell) ?? made.push(isAlone ? output.node : cell.value) - 1
      memories.set(cell, index)
      return { from: 'output', index, view: isAlone ? null : view }
    })
    this.#checkWrites()
    const written = cells.flatMap(cell => this.#writtenBack(cell))
    const symbols = Float64Array.from(table.symbols, ({ name }) => table.values.get(name)!)
    const graph = recorder.finish(made, table.symbols, written)
    table.close()
    const { conditions, facts } = table
    const { ops, supplied, events, logged } = this.#recording
    const log = { events, values: logged }
    const ids = outputs.map(({ id }) => id)
    const flows = made.map(node => this.#flow.isTaped(node))
    const ends = [...this.#recording.ends].map(input => inputs.indexOf(input))
    const taken = { graph, device: this.device, inputs, ends, draws, supplied, numbers: [], results, flows, tape: null }
    const recorded = { ...taken, symbols, conditions }
    const { boxes, boxedScalars } = this.#recording
    const boxed = { inputs: boxes, scalars: boxedScalars }
    return { ...recorded, boxed, facts, ops, log, outputs: ids }
  }

  #writtenBack(cell: Cell): WrittenInput[] {
    const { inputs, recorder } = this.#recording
    if (!isWrittenInput(cell)) return []
    const input = inputs.indexOf(cell.input)
    const { shape, strides } = recorder.inputLayout(input)
    if (cell.parts === null) return [{ node: cell.value, target: { input, offset: 0, shape, strides } }]
    return cell.parts.map(({ node, view }) => ({ node, target: { input, ...view } }))
  }

  /**
   * The graph assumes that inputs share no memory. Throws CaptureError when a written one does, and for a value whose history
   * would be lost.
   */
  #checkWrites(): void {
    const { cells, inputs } = this.#recording
    for (const { input, value } of cells.filter(isWrittenInput)) {
      if (this.#flow.leafOf(value) !== null || !this.#flow.isTaped(value)) continue
      throw new CaptureError(
        `compile: ${this.options.name} writes a value that requires a gradient into ${input.path} in place`,
        { at: value.origin.at, fix: 'return the value, or write it in noGrad(() => …)' },
      )
    }
    for (const { input, value } of cells.filter(isWrittenInput)) {
      const other = inputs.find(({ tensor }) => tensor !== input.tensor && shareMemory(tensor, input.tensor))
      if (other === undefined) continue
      throw new CaptureError(
        `compile: ${this.options.name} writes into ${input.path} in place, which shares memory with ${other.path}`,
        {
          at: value.origin.at,
          fix: 'pass only one of them and take the other as a view inside the function, or pass a clone()',
        },
      )
    }
  }

  /**
   * Runs what was recorded so far, makes every traced tensor concrete, and starts a new segment. Arguments and closed-over
   * tensors keep their memory, which the segment has updated if the function wrote to them.
   */
  #break(reader: string, instead?: string): void {
    if (this.outer !== null) {
      throw captureRefusal(`${reader}: values are read in a branch or a loop that is captured`, {
        fix: instead ?? 'read them before or after it, or branch on them with cond()',
      })
    }
    const { gradientOf } = this.autograd
    if (gradientOf !== null) {
      throw captureRefusal(`${reader}: values are read in the gradient of ${gradientOf}, before they are known`, {
        fix: instead ?? 'use where() in place of a branch',
      })
    }
    if (this.doubt !== null) throw this.doubt // the recorded ops may be wrong for the real sizes
    const { handedOut } = this.#recording
    const made = handedOut.filter(({ cell }) => !isShownInput(cell))
    const segment = this.#segment(made)
    for (const source of handedOut) {
      source.ended = { recording: this.#recording, node: source.node }
      if (source.ownHistory === 'known') source.ownHistory = 'lost'
    }
    const values = withTracer(null, () => this.options.runSegment(segment, reader, userLocation(), instead))
    made.forEach((source, i) => {
      source.concrete = values[i]!
      if (source.path.length === 0) source.cell.concrete = values[i]!
    })
    for (const source of handedOut.filter(({ cell }) => isShownInput(cell))) {
      const { tensor } = source.cell.input!
      source.cell.concrete = tensor
      source.concrete =
        source.path.length === 0 ? tensor : new Tensor(tensor.source, typeOf(source.node).dtype, source.layout, false)
    }
    this.#keepGrads()
    this.#recording = new Recording(this.options)
    this.#breaks++
  }

  /** After a graph break, `.grad` holds what the segment gave. */
  #keepGrads(): void {
    for (const { leaf, grad } of this.autograd.changed) {
      const concrete = grad === null ? null : (grad.source as TracedValue).concrete
      this.done.setGrad(leaf, concrete)
    }
    this.autograd.clear()
  }

  /** The traced value of a tensor from outside; the first use makes it an input of the graph. */
  #lift(tensor: Tensor, kind: TracedInput['kind'], path: string, leaf?: number): TracedValue {
    const { lifted, inputs, recorder, table, handedOut } = this.#recording
    const known = kind === 'argument' || kind === 'grad' ? undefined : lifted.get(tensor)
    const isApart = known?.cell.input?.kind === 'argument' && this.options.closures?.has(tensor)
    if (known !== undefined && !isApart) {
      if (kind === 'closure') this.#noteAlias(tensor, known)
      return known
    }
    this.#require(tensor.device, path)
    const layout = symbolicLayout(tensor.layout, inputs.length, table, dim => this.options.isDynamic(path, dim))
    const node = recorder.tensorInput(path, tensor.dtype, layout)
    const input = kind === 'constant' ? { tensor, kind, path, at: this.#here() } : { tensor, kind, path }
    inputs.push(input)
    if (requiresGradNow(tensor)) this.#flow.addLeaf(node, input)
    // The stride of a dim of size 1 addresses nothing: the graph normalises it, but views must show the tensor's own.
    const strides = layout.strides.map((stride, d) => (tensor.shape[d] === 1 ? tensor.strides[d]! : stride))
    const view = { shape: layout.shape, strides, offset: 0 }
    const cell = this.#newCell(node, input)
    const id = this.#log(cell, tensor.dtype, view, requiresGradNow(tensor))
    this.#recording.events.push({
      kind: 'lift',
      source: path.startsWith('break ') ? 'break' : kind,
      type: typeOfLifted(tensor),
      tensor,
      path,
      value: id,
      ...(leaf === undefined ? {} : { leaf }),
    })
    const value = new TracedValue(this, cell, [], view, tensor.layout, node, id)
    // The gradient of another call is another tensor: one that is closed over is an input of its own.
    if (kind !== 'grad') lifted.set(tensor, value)
    handedOut.push(value)
    return value
  }

  /** The function closes over a tensor that is also an argument: they are one input only while calls pass that tensor. */
  #noteAlias(tensor: Tensor, { id, cell }: TracedValue): void {
    const { events, aliases } = this.#recording
    if (cell.input?.kind !== 'argument' || aliases.has(id)) return
    aliases.add(id)
    events.push({ kind: 'lift', source: 'alias', type: typeOfLifted(tensor), tensor, path: cell.input.path, value: id })
  }

  /** New traced memory with its current value; `input`: the tensor that the call passes for it. */
  #newCell(value: GraphNode, input: TracedInput | null): Cell {
    const cell = makeCell(value, input)
    this.#recording.cells.push(cell)
    return cell
  }

  /** The tensor of an op's result, in new row-major memory. */
  #handOutValue(node: GraphNode): Tensor {
    return this.#handOut(this.#newCell(node, null), [], rowMajorView(typeOf(node).shape), node)
  }

  /** A tensor for user code: the view `path` of a cell, whose value is `node`. */
  #handOut(cell: Cell, path: readonly ViewStep[], view: SymbolicView, node: GraphNode): Tensor {
    const layout = concreteLayout(view, this.#recording.table, cell.input?.tensor.layout.offset ?? 0)
    const { dtype } = typeOf(node)
    const id = this.#log(cell, dtype, view, this.#flow.flows(node))
    const value = new TracedValue(this, cell, path, view, layout, node, id)
    this.#recording.handedOut.push(value)
    return new Tensor(value, dtype, null)
  }

  /** Adds a tensor of the cell's memory to the log; returns its number there. */
  #log(cell: Cell, dtype: Dtype, view: SymbolicView, requiresGrad: boolean): number {
    const { logged, firstOf } = this.#recording
    const id = logged.length
    const first = firstOf.get(cell)
    if (first === undefined) firstOf.set(cell, id)
    logged.push({ dtype, view, memory: first ?? id, requiresGrad })
    return id
  }

  #operand(input: TracedArgument | SuppliedNumber): OpInput {
    if (input instanceof SuppliedNumber) return { node: this.#suppliedNodes[input.index]!, isNumber: true }
    if (input instanceof Tensor) {
      const source = this.#sourceOf(input)
      return { node: source.node, isNumber: source.isNumber }
    }
    return { node: numberNode(this.#recording.recorder.builder, input), isNumber: true }
  }

  /** The traced value of any tensor, of a frozen leaf that of its `detach()`. */
  #sourceOf(tensor: Tensor): TracedValue {
    const source = this.#ownSourceOf(tensor)
    const leaf = this.#frozen.size === 0 ? null : this.#givenOf(source)
    const frozen = leaf === null ? undefined : this.#frozen.get(leaf)
    return frozen === undefined ? source : this.#ownSourceOf(frozen)
  }

  /** As `#sourceOf`, whether or not it is frozen; concrete tensors (closed over, or from before a break) become inputs now. */
  #ownSourceOf(tensor: Tensor): TracedValue {
    const { source } = tensor
    if (this.outer !== null && (source.kind !== 'traced' || source.tracer !== this))
      return this.#borrow(tensor, this.outer)
    if (source.kind === 'traced' && source.tracer !== this) throw tensor.escaped(this.name, source)
    if (source instanceof TracedValue) {
      requireOwnHistory(source)
      return this.resumed(source)
    }
    const held = this.watchedState.pathOf(tensor)
    return this.#lift(tensor, 'closure', `closure ${this.#recording.inputs.length}${held === null ? '' : ` (${held})`}`)
  }

  /** The value in this segment: itself, or after a graph break the input that it became. */
  resumed(source: TracedValue): TracedValue {
    return source.concrete === null ? source : this.#resume(source, source.concrete)
  }

  /** A value of an earlier segment as an input of this one. A view is recorded again on its base, which others may share. */
  #resume(source: TracedValue, concrete: Tensor): TracedValue {
    const { lifted, inputs } = this.#recording
    const known = lifted.get(concrete)
    if (known !== undefined) return known
    const { cell, path } = source
    if (isRecording()) requireNoVariables(source)
    const name = `break ${this.#breaks}.${inputs.length}`
    const memory = path.length === 0 ? null : cell.concrete
    this.options.resumes?.(name, memory ?? concrete)
    if (memory === null) return this.#lift(concrete, 'closure', name)
    const base = this.lift(memory, 'closure', name)
    const again = (from: Tensor, { record, example, isDetached, at }: ViewStep): Tensor =>
      withRecording(!isDetached, () => this.from(at, () => this.record(record, [from], example, concrete.device)))[0]!
    const view = path.reduce(again, base)
    const value = this.#sourceOf(view)
    lifted.set(concrete, value)
    return value
  }

  /** A size's value in the captured call; its symbols will be specialised when the function is captured again. */
  #pin(size: Size): number {
    if (typeof size === 'number') return size
    if (this.outer !== null) return this.outer.#pin(size)
    const { table } = this.#recording
    for (const name of symbolsOf(size)) this.#pinSymbol(name)
    return table.evaluate(size)
  }

  /** Pins a symbol's size. Pinning all sizes of a tensor also fixes its strides. */
  #pinSymbol(name: string): void {
    const { table, inputs } = this.#recording
    const symbol = table.symbols.find(candidate => candidate.name === name)
    if (symbol === undefined) throw new InternalError(`capture: no size ${name}`)
    if (symbol.kind === 'value') {
      this.#pinFormula({ kind: 'scalar', index: symbol.input })
      return
    }
    const { tensor, path } = inputs[symbol.input]!
    const dims = symbol.kind === 'stride' ? tensor.shape.keys() : [symbol.dim]
    for (const dim of dims) {
      const key = `${path}:${dim}`
      if (!this.pinned.has(key)) this.pinned.set(key, userLocation())
    }
  }
}

const nodesOf = (values: readonly TracedValue[]): readonly GraphNode[] => values.map(({ node }) => node)
const idsOf = (values: readonly TracedValue[]): readonly number[] => values.map(({ id }) => id)

/** Throws CaptureError where gradients would be recorded of a history that is no longer known. */
function requireOwnHistory(source: TracedValue): void {
  if (source.ownHistory === 'none' || !isRecording()) return
  if (source.concrete === null) source.node // finds out about changes since
  if (source.ownHistory === 'lost') throw lostHistory(source)
}

const lostHistory = ({ path }: TracedValue): CaptureError =>
  captureRefusal('a detach() is used, or returned, after a value that requires a gradient was written into it', {
    at: path.findLast(isDetaching)?.at ?? null,
    fix: 'use the value that was written; or write its detach()',
  })

/** Throws CaptureError for a value from before a graph break whose gradient by a variable may be asked for. */
function requireNoVariables({ ended }: TracedValue): void {
  if (ended === null) return
  const { flow, closed } = ended.recording
  if (!flow.isTapedFor(ended.node, variable => !closed.has(variable))) return
  throw captureRefusal('values are read before the gradient is taken of what was computed', {
    at: ended.node.origin.at,
    fix: 'read values after the gradients that they lead to: a compiled function ends its graph at each read',
  })
}

/** Matches names of symbolic sizes in a message. */
export const symbolName = /\b[stn]\d+\b/

/** The key, among what is pinned, of a boxed number's value. */
const valueKey = (path: string): string => `${path}:value`

/** The range of an integer with the same sign: the sign is guarded, so that sizes may use it. */
const signRange = (value: number): Interval =>
  value < 0 ? { min: Number.MIN_SAFE_INTEGER, max: -1 } : { min: 0, max: Number.MAX_SAFE_INTEGER }

const typeOfLifted = ({ dtype, shape, device }: Tensor): LiftedType => ({ dtype, shape, device })
