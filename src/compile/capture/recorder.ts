/** Records op calls into a graph: what capture and eager execution share. */
import { InternalError } from '../../base/errors.js'
import type { SourceLocation } from '../../base/source.js'
import {
  type Graph,
  type GraphBuilder,
  type GraphNode,
  graphBuilder,
  type SizeSymbol,
  type WriteBack,
} from '../../graph/ir.js'
import type { OpInput, OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import type { Dtype } from '../../types/dtype.js'
import type { SymbolicLayout } from '../guards/layout.js'

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

  /**
   * The graph, with separate memory for each output. Passes may simplify two outputs (x + 0, a sum over a dim of size 1) to
   * one value or to an input; if they shared memory, an in-place change of one would change the other. So each output is a
   * `copy` node, which its number keeps distinct under interning. It copies the whole value: an expanded or sliced result
   * gets memory for each of its elements.
   */
  finish(outputs: readonly GraphNode[], symbols: readonly SizeSymbol[], written: readonly WrittenInput[] = []): Graph {
    const results = [
      ...outputs.map((node, memory) => this.builder.node('copy', [node], { memory })),
      ...written.map(({ node }) => node),
    ]
    return {
      body: this.builder.finish(results, [...this.#tensors, ...this.#scalars]),
      outputs: outputs.length,
      writeBacks: written.map(({ target }, i) => ({ ...target, result: outputs.length + i })),
      symbols,
    }
  }
}

/** A value that must end up in an input's memory. */
export interface WrittenInput {
  readonly node: GraphNode
  readonly target: Omit<WriteBack, 'result'>
}
