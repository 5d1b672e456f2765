/** Records op calls into a graph: what capture and eager execution share. */
import { InternalError } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import {
  type Graph,
  type GraphBuilder,
  type GraphNode,
  graphBuilder,
  type SizeSymbol,
  type WriteBack,
} from '../graph/ir.js'
import { isView, remake } from '../graph/passes/pass.js'
import type { OpInput, OpRecord } from '../graph/record.js'
import type { Attrs } from '../ir/node.js'
import type { Dtype } from '../types/dtype.js'
import type { SymbolicLayout } from './layout.js'

export class GraphRecorder {
  readonly builder: GraphBuilder = graphBuilder()
  readonly #tensors: GraphNode[] = []
  readonly #scalars: GraphNode[] = []

  get tensorCount(): number {
    return this.#tensors.length
  }

  get scalarCount(): number {
    return this.#scalars.length
  }

  tensorInput(name: string, dtype: Dtype, layout: SymbolicLayout): GraphNode {
    const index = this.#tensors.length
    const node = this.builder.node('input', [], { index, name, dtype, shape: layout.shape, strides: layout.strides })
    this.#tensors.push(node)
    return node
  }

  scalarInput(name: string, dtype: Dtype): GraphNode {
    const node = this.builder.node('scalarInput', [], { index: this.#scalars.length, name, dtype })
    this.#scalars.push(node)
    return node
  }

  /** The layout that tensor input `index` was recorded with. */
  inputLayout(index: number): SymbolicLayout {
    const node = this.#tensors[index]!
    if (node.op !== 'input') throw new InternalError(`capture: input ${index} is recorded as ${node.op}`)
    return node.attrs
  }

  /** Lets the record build itself; its nodes carry the user's line and the op's name. */
  apply(record: OpRecord, inputs: readonly OpInput[], attrs: Attrs, at: SourceLocation | null): readonly GraphNode[] {
    return this.builder.withOrigin({ at, pass: record.name }, () => record.build(this.builder, inputs, attrs))
  }

  /** The graph; each output keeps or gets memory of its own, but for those that are views of an input. */
  finish(outputs: readonly GraphNode[], symbols: readonly SizeSymbol[], written: readonly WrittenInput[] = []): Graph {
    const results = [...outputs.map(node => this.#withMemory(node)), ...written.map(({ node }) => node)]
    return {
      body: this.builder.finish(results, [...this.#tensors, ...this.#scalars]),
      outputs: outputs.length,
      writeBacks: written.map(({ target }, i) => ({ ...target, result: outputs.length + i })),
      symbols,
    }
  }

  /** As `finish`, for outputs that must not show an input's memory. */
  finishApart(outputs: readonly GraphNode[], symbols: readonly SizeSymbol[]): Graph {
    return this.finish(
      outputs.map(node => this.builder.node('copy', [node], {})),
      symbols,
    )
  }

  /**
   * A value that no op but a view made is the input itself. Any other must not become it, however much the passes
   * simplify (x + 0, a sum over a dim of size 1): changing the result in place would change the input. Views of one
   * value stay views of one copy.
   */
  #withMemory(node: GraphNode): GraphNode {
    if (node.op === 'input') return node
    if (!isView(node)) return this.builder.node('copy', [node], {})
    const base = this.#withMemory(node.inputs[0]!)
    return base === node.inputs[0] ? node : remake(this.builder, node, [base])
  }
}

/** A value that must end up in an input's memory. */
export interface WrittenInput {
  readonly node: GraphNode
  readonly target: Omit<WriteBack, 'result'>
}
