/**
 * Records a function's tensor ops into a graph while the function runs on symbolic tensors. Concrete tensors that it
 * touches (those it closes over) become inputs; host data and random states too. In-place ops re-point the value that a
 * tensor stands for, and end as write-backs where the value was an input's. A read of values ends the segment recorded
 * so far and starts the next (a graph break).
 */
import { CaptureError, InternalError } from '../base/errors.js'
import { type SourceLocation, userLocation } from '../base/source.js'
import { numberNode } from '../graph/build.js'
import { type Graph, type GraphNode, typeOf } from '../graph/ir.js'
import type { OpInput, OpRecord } from '../graph/record.js'
import type { Attrs } from '../ir/node.js'
import { evaluateSize, type Size, symbolsOf } from '../scalar/size.js'
import type { Generator } from '../tensor/generator.js'
import { TensorHandle } from '../tensor/handle.js'
import { contiguousStrides } from '../tensor/layout.js'
import { Tensor } from '../tensor/tensor.js'
import { type OpArgument, type Traced, type Tracer, withTracer } from '../tensor/tracer.js'
import { SymbolTable, symbolicLayout } from './layout.js'
import { GraphRecorder, type WrittenInput } from './recorder.js'

/** What a traced tensor and all views of it stand for; in-place ops give it a new value. */
interface Cell {
  value: GraphNode
  version: number
  /** The input whose memory it is, or null for values made inside. */
  readonly input: TracedInput | null
}

interface ViewStep {
  readonly record: OpRecord
  readonly attrs: Attrs
  readonly at: SourceLocation | null
}

/** A traced tensor's data: a view (by the ops that made it) of a cell. */
export class TracedValue implements Traced {
  readonly kind = 'traced'
  #node: GraphNode
  #version: number
  /** Its values, once the segment that it was recorded in has run. */
  concrete: Tensor | null = null

  constructor(
    readonly tracer: GraphTracer,
    readonly cell: Cell,
    readonly path: readonly ViewStep[],
    node: GraphNode,
  ) {
    this.#node = node
    this.#version = cell.version
  }

  /** The present value: a view of a cell that an in-place op changed is taken anew. */
  get node(): GraphNode {
    if (this.#version !== this.cell.version) {
      this.#node = this.path.reduce((node, step) => this.tracer.applyView(step, node), this.cell.value)
      this.#version = this.cell.version
    }
    return this.#node
  }
}

/** A tensor that the function uses, and where it comes from, for guards and `explain()`. */
export interface TracedInput {
  readonly tensor: Tensor
  readonly kind: 'argument' | 'closure' | 'constant'
  readonly path: string
}

/** Numbers drawn per call: the generator's next `elements` positions, passed as two scalars (seed, offset). */
export interface RandomDraw {
  readonly generator: Generator
  readonly elements: number
}

/** One recorded stretch of a function: the whole of it, or up to a graph break. */
export interface Segment {
  readonly graph: Graph
  readonly inputs: readonly TracedInput[]
  readonly draws: readonly RandomDraw[]
  /** The symbols' values in the call that was captured. */
  readonly symbols: Float64Array
  /** Ops that the function called, views left out: each would be a kernel of its own without compiling. */
  readonly ops: number
}

export interface TracerOptions {
  /** The function's name, for messages. */
  readonly name: string
  readonly isDynamic: (path: string, dim: number) => boolean
  /** Called at a read of values, which ends a segment: runs it, or throws CaptureError. */
  readonly runSegment: (segment: Segment, reader: string, at: SourceLocation | null) => readonly Tensor[]
}

/** What belongs to one segment. */
class Recording {
  readonly recorder = new GraphRecorder()
  readonly table = new SymbolTable()
  readonly inputs: TracedInput[] = []
  readonly draws: RandomDraw[] = []
  readonly lifted = new Map<Tensor, TracedValue>()
  readonly cells: Cell[] = []
  ops = 0
  /** Every value handed out, in order: a graph break gives them all their values. */
  readonly handedOut: TracedValue[] = []
}

export class GraphTracer implements Tracer {
  #recording = new Recording()
  /** `path:dim` of the input sizes that the function read as numbers. */
  readonly pinned = new Set<string>()

  constructor(readonly options: TracerOptions) {}

  /** A symbolic tensor in place of `tensor`, which becomes an input of the graph. */
  lift(tensor: Tensor, kind: TracedInput['kind'], path: string): Tensor {
    return new Tensor(this.#lift(tensor, kind, path), tensor.dtype, null)
  }

  record(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs): readonly Tensor[] {
    const at = userLocation()
    if (record.category !== 'view') this.#recording.ops++
    const operands = inputs.map(input => this.#operand(input))
    const nodes = this.#recording.recorder.apply(record, operands, attrs, at)
    const [base] = inputs
    if (record.category === 'view' && nodes.length === 1 && base instanceof TensorHandle) {
      const { cell, path } = this.#sourceOf(base)
      return [this.#handOut(cell, [...path, { record, attrs, at }], nodes[0]!)]
    }
    return nodes.map(node => this.#handOut(this.#newCell(node, null), [], node))
  }

  applyView({ record, attrs, at }: ViewStep, node: GraphNode): GraphNode {
    return this.#recording.recorder.apply(record, [{ node, isNumber: false }], attrs, at)[0]!
  }

  assign(target: Tensor, value: Tensor): void {
    const { cell, path } = this.#sourceOf(target)
    if (path.length > 0) {
      const views = path.map(({ record }) => record.name).join(', ')
      throw new CaptureError(`compile: an in-place op writes into a view (made by ${views})`, {
        fix: 'compute a new tensor instead (where, cat), or write into the whole tensor',
      })
    }
    cell.value = this.#sourceOf(value).node
    cell.version++
  }

  constant(tensor: Tensor): Tensor {
    return this.lift(tensor, 'constant', `constant ${this.#recording.inputs.length}`)
  }

  randomState(generator: Generator, elements: number): readonly [Tensor, Tensor] {
    const { draws, recorder } = this.#recording
    const call = draws.length
    draws.push({ generator, elements })
    const scalar = (name: string): Tensor => {
      const node = recorder.scalarInput(`${name}${call}`, 'i64')
      return this.#handOut(this.#newCell(node, null), [], node)
    }
    return [scalar('seed'), scalar('offset')]
  }

  read(tensor: Tensor, reader: string): Tensor {
    const { source } = tensor
    if (!(source instanceof TracedValue)) return tensor
    if (source.concrete === null) this.#break(reader)
    if (source.concrete === null) throw new InternalError(`${reader}: the segment gave no values`)
    return source.concrete
  }

  sizeRead(tensor: Tensor, dim: number): number {
    return this.#pin(tensor.sizes[dim]!)
  }

  isContiguous(tensor: Tensor): boolean {
    const { cell, path } = this.#sourceOf(tensor)
    if (path.length > 0) return false
    return cell.input === null || cell.version > 0 || cell.input.tensor.isContiguous()
  }

  stridesRead(tensor: Tensor): readonly number[] {
    return contiguousStrides(tensor.sizes.map(size => this.#pin(size)))
  }

  /** Marks the symbols of `sizes` to be specialised; false when they have none. */
  pinSizes(sizes: readonly Size[]): boolean {
    for (const size of sizes) this.#pin(size)
    return sizes.some(size => typeof size !== 'number')
  }

  /** The segment recorded since the last break, giving `outputs`. */
  finish(outputs: readonly Tensor[]): Segment {
    return this.#segment(outputs.map(output => this.#sourceOf(output).node))
  }

  #segment(outputs: readonly GraphNode[]): Segment {
    const { recorder, table, inputs, draws, cells } = this.#recording
    const written = cells.flatMap((cell): WrittenInput[] => {
      if (cell.version === 0 || cell.input === null || cell.input.kind === 'constant') return []
      const input = inputs.indexOf(cell.input)
      const { shape, strides } = recorder.inputLayout(input)
      return [{ node: cell.value, target: { input, offset: 0, shape, strides } }]
    })
    const symbols = Float64Array.from(table.symbols, ({ name }) => table.values.get(name)!)
    return { graph: recorder.finish(outputs, table.symbols, written), inputs, draws, symbols, ops: this.#recording.ops }
  }

  /** Runs what was recorded so far; every tensor handed out gets its values, and a new segment begins. */
  #break(reader: string): void {
    const { handedOut } = this.#recording
    const computed = handedOut.filter(({ cell, path }) => cell.input === null || cell.version > 0 || path.length > 0)
    const segment = this.#segment(computed.map(({ node }) => node))
    const values = withTracer(null, () => this.options.runSegment(segment, reader, userLocation()))
    for (const source of handedOut) source.concrete = source.cell.input?.tensor ?? null
    computed.forEach((source, i) => {
      source.concrete = values[i]!
    })
    this.#recording = new Recording()
  }

  #lift(tensor: Tensor, kind: TracedInput['kind'], path: string): TracedValue {
    const { lifted, inputs, recorder, table, handedOut } = this.#recording
    const known = lifted.get(tensor)
    if (known !== undefined) return known
    const layout = symbolicLayout(tensor.layout, inputs.length, table, dim => this.options.isDynamic(path, dim))
    const node = recorder.tensorInput(path, tensor.dtype, layout)
    const input = { tensor, kind, path }
    inputs.push(input)
    const value = new TracedValue(this, this.#newCell(node, input), [], node)
    lifted.set(tensor, value)
    handedOut.push(value)
    return value
  }

  #newCell(value: GraphNode, input: TracedInput | null): Cell {
    const cell = { value, version: 0, input }
    this.#recording.cells.push(cell)
    return cell
  }

  #handOut(cell: Cell, path: readonly ViewStep[], node: GraphNode): Tensor {
    const value = new TracedValue(this, cell, path, node)
    this.#recording.handedOut.push(value)
    return new Tensor(value, typeOf(node).dtype, null)
  }

  #operand(input: OpArgument): OpInput {
    if (input instanceof TensorHandle) return { node: this.#sourceOf(input).node, isNumber: false }
    return { node: numberNode(this.#recording.recorder.builder, input), isNumber: true }
  }

  /** The traced value of any tensor; concrete ones (closed over, or from before a break) become inputs now. */
  #sourceOf(tensor: Tensor): TracedValue {
    const { source } = tensor
    if (source instanceof TracedValue) {
      if (source.concrete === null) return source
      return this.#lift(source.concrete, 'closure', `break ${this.#recording.inputs.length}`)
    }
    return this.#lift(tensor, 'closure', `closure ${this.#recording.inputs.length}`)
  }

  /** The example's value of a size; its symbols are specialised when the function is captured again. */
  #pin(size: Size): number {
    if (typeof size === 'number') return size
    const { table, inputs } = this.#recording
    for (const name of symbolsOf(size)) {
      const symbol = table.symbols.find(candidate => candidate.name === name)!
      this.pinned.add(`${inputs[symbol.input]!.path}:${symbol.dim}`)
    }
    return evaluateSize(size, table.values)
  }
}
