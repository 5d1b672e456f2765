/** What one segment records: its inputs, the memory behind traced tensors with its present values, and the log. */
import { unclonable } from '../../base/local.js'
import { keepInstance } from '../../base/resident.js'
import type { SourceLocation } from '../../base/source.js'
import { variableRecord } from '../../graph/derivatives/records.js'
import { type GraphNode, typeOf } from '../../graph/ir.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import type { Formula } from '../../scalar/formula.js'
import type { Size } from '../../scalar/size.js'
import type { Device } from '../../tensor/device.js'
import type { TensorLayout } from '../../tensor/layout.js'
import type { Freed } from '../../tensor/storage.js'
import type { SymbolicNumber } from '../../tensor/symbolic-number.js'
import type { Tensor } from '../../tensor/tensor.js'
import { isOpen, type Trace, type Traced } from '../../tensor/trace.js'
import { type BucketOf, SymbolTable } from '../guards/layout.js'
import type { LoggedValue, TraceEvent } from '../retrace/trace-log.js'
import type { BoxedInput, BoxedScalar } from './boxed-numbers.js'
import { GradientFlow } from './gradient-flow.js'
import type { WrittenPart } from './overlap.js'
import { GraphRecorder } from './recorder.js'
import type { RandomDraw, SuppliedScalar, TracedInput } from './segment.js'
import type { SizeAnswers } from './size-answers.js'
import type { SymbolicView } from './symbolic-view.js'

/** The tracer whose values they are. */
export interface ValueTracer extends Trace {
  applyView(step: ViewStep, node: GraphNode): GraphNode
  /** The value in the segment that is recorded now. */
  resumed(source: TracedValue): TracedValue
}

/** A view op. */
export interface ViewStep {
  readonly record: OpRecord
  readonly attrs: Attrs
  /** The attributes with the captured call's sizes as numbers. */
  readonly example: Attrs
  readonly at: SourceLocation | null
  /** It was taken without recording gradients. */
  readonly isDetached: boolean
}

/** The memory behind a traced tensor and all views of it; an in-place op gives it a new value. */
export interface Cell {
  value: GraphNode
  version: number
  /** The input whose memory it is; null for memory made inside the function. */
  readonly input: TracedInput | null
  /** Its values in memory, once the segment that it was recorded in has run. */
  concrete: Tensor | null
  /** How the tensor that owns it was disposed; null: it was not. */
  freed: Freed | null
  /** What in-place ops wrote, if all of it is in fixed and disjoint parts of the memory; else null. */
  parts: WrittenPart[] | null
}

/** New memory with its current value; `input`: the tensor that the call passes for it. */
export const makeCell = (value: GraphNode, input: TracedInput | null): Cell => ({
  value,
  version: 0,
  input,
  concrete: null,
  freed: null,
  parts: [],
})

const notCloned = unclonable('a tensor has no values while its function is captured; clone what the function returns')

/** A traced tensor's data: a view of a cell, with the view ops that lead there. */
export class TracedValue implements Traced {
  readonly unclonable = notCloned
  readonly kind = 'traced'
  readonly tracer: ValueTracer
  readonly device: Device
  readonly cell: Cell
  path: readonly ViewStep[]
  /** Its layout within the cell's memory. */
  readonly view: SymbolicView
  /** `view` at the captured call's sizes. */
  readonly layout: TensorLayout
  /** Its number in the trace's log. */
  id: number
  #node: GraphNode
  #version: number
  /** It stands for a number that calls pass, not for a tensor. */
  readonly isNumber: boolean
  /** Its values, once the segment that it was recorded in has run. */
  concrete: Tensor | null = null
  /**
   * A history that its memory has not: a value that requires a gradient was written into this `detach()`. 'lost': the memory, or
   * another view of the same `detach()`, has changed since.
   */
  ownHistory: 'none' | 'known' | 'lost' = 'none'
  /** That segment's, and the node that it was there. */
  ended: { readonly recording: Recording; readonly node: GraphNode } | null = null

  /** `path`: the view ops from the cell to it; `node`: its present value. */
  constructor(
    tracer: ValueTracer,
    cell: Cell,
    path: readonly ViewStep[],
    view: SymbolicView,
    layout: TensorLayout,
    node: GraphNode,
    id: number,
    isNumber = false,
  ) {
    this.tracer = tracer
    this.device = tracer.device
    this.cell = cell
    this.path = path
    this.view = view
    this.layout = layout
    this.id = id
    this.isNumber = isNumber
    this.#node = node
    this.#version = cell.version
  }

  get isGiven(): boolean {
    return this.path.length === 0 && isShownInput(this.cell)
  }

  get freed(): Freed | null {
    return this.cell.freed
  }

  free(freed: Freed): void {
    if (this.path.length === 0) this.cell.freed = freed
  }

  /** After the capture, concrete sizes: code between graph breaks may still use a value that the capture made. */
  get sizes(): readonly Size[] {
    if (this.concrete !== null && !isOpen(this.tracer)) return this.concrete.shape
    return typeOf(this.node).shape
  }

  get madeAt(): SourceLocation | null {
    return this.path.at(-1)?.at ?? this.#node.origin.at
  }

  /** The present value. After an in-place op on its cell, the view is recorded again; after a graph break, it is an input. */
  get node(): GraphNode {
    if (this.concrete !== null) return this.tracer.resumed(this).node
    if (this.#version !== this.cell.version) {
      if (this.ownHistory === 'known') this.ownHistory = 'lost'
      this.#node = this.path.reduce((node, step) => this.tracer.applyView(step, node), this.cell.value)
      this.#version = this.cell.version
    }
    return this.#node
  }

  /** Takes the place of a view of all of it. */
  become({ path, id, node }: TracedValue): void {
    this.path = path
    this.id = id
    this.#node = node
    this.#version = this.cell.version
  }

  /** An in-place op on this very view has just set the cell: its value is what was written. */
  show(written: GraphNode): void {
    this.#node = written
    this.#version = this.cell.version
  }
}

keepInstance(
  new TracedValue({} as never, makeCell(null as never, null), [], null as never, null as never, null as never, 0),
)

/** Whether it is a variable of the function, or a view of one. */
export const isOfVariable = ({ path }: TracedValue): boolean => path.some(({ record }) => record === variableRecord)

/** Whether its memory is an input's, which the caller sees. Constants are not: they are made at each call. */
export const isShownInput = (cell: Cell): cell is Cell & { readonly input: TracedInput } =>
  cell.input !== null && cell.input.kind !== 'constant'

/** `detach()`: a view whose writes are no part of the history of what it is a view of. */
export const isDetaching = ({ record, isDetached }: ViewStep): boolean => isDetached && record.name === 'expand'

/** Whether two are views of one `detach()`. */
export function haveSameDetach(a: TracedValue, b: TracedValue): boolean {
  const step = a.path.findLast(isDetaching)
  return step !== undefined && b.path.includes(step)
}

export const isWrittenInput = (cell: Cell): cell is Cell & { readonly input: TracedInput } =>
  cell.version > 0 && isShownInput(cell)

/** An input of a block. `tensor`: the outer tensor that it stands for; null: a value that a loop carries. */
export interface Borrowed {
  readonly tensor: Tensor | null
  readonly value: TracedValue
}

/** The state of one segment. */
export class Recording {
  readonly recorder = new GraphRecorder()
  /** The leaves are inputs that require gradients. */
  readonly flow = new GradientFlow<TracedInput>(this.recorder.builder)
  readonly table: SymbolTable
  readonly inputs: TracedInput[] = []
  /** Where backward passes end. */
  readonly ends = new Set<TracedInput>()
  /** Results that are nodes of their own. */
  distinct = 0
  readonly draws: RandomDraw[] = []
  readonly supplied: SuppliedScalar[] = []
  readonly events: TraceEvent[] = []
  /** The arguments among the events that the function closes over too. */
  readonly aliases = new Set<number>()
  readonly logged: LoggedValue[] = []
  /** The first tensor of each memory, by its number in the log. */
  readonly firstOf = new Map<Cell, number>()
  readonly boxes: BoxedInput[] = []
  readonly boxedScalars: BoxedScalar[] = []
  /** The formula of each boxed number. */
  readonly formulas = new Map<SymbolicNumber, Formula>()
  /** Formulas as arguments of ops, by the formula's text. */
  readonly numberArguments = new Map<string, Size | Tensor>()
  readonly lifted = new Map<Tensor, TracedValue>()
  readonly cells: Cell[] = []
  ops = 0
  /** Every traced value that the function received, in order: a graph break makes them all concrete. */
  readonly handedOut: TracedValue[] = []
  /** The variables, by their numbers. */
  readonly variables: Tensor[] = []
  /** Those that the function made by `requiresGrad_`. */
  readonly ownLeaves = new Set<number>()
  /** Those that no gradient will be asked for by any more. */
  readonly closed = new Set<number>()

  /** A block's inputs: outer tensors that it uses, and the values that a loop carries. */
  readonly borrowed: Borrowed[] = []

  /** `table`: the surrounding function's, for a block; default: a new one. */
  constructor(
    { bucketOf, answers }: { readonly bucketOf: BucketOf | null; readonly answers: SizeAnswers },
    table?: SymbolTable,
  ) {
    this.table = table ?? new SymbolTable(bucketOf, answers)
  }
}

/** Where a checkpoint began: what was there before is kept for its gradient. */
export interface Checkpoint {
  readonly recording: Recording
  readonly cells: number
  readonly nodes: number
}
