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

  /** The graph; each output has memory of its own, shared only with outputs that are views of the same. */
  finish(
    outputs: readonly OutputValue[],
    symbols: readonly SizeSymbol[],
    written: readonly WrittenInput[] = [],
  ): Graph {
    const owners = new Map<GraphNode, object[]>()
    const results = [
      ...outputs.map(({ memory, owner, view }) => view(owner === null ? memory : this.#copyFor(owner, memory, owners))),
      ...written.map(({ node }) => node),
    ]
    return {
      body: this.builder.finish(results, [...this.#tensors, ...this.#scalars]),
      outputs: outputs.length,
      writeBacks: written.map(({ target }, i) => ({ ...target, result: outputs.length + i })),
      symbols,
    }
  }

  /** As `finish`, for outputs of which each has memory of its own. */
  finishApart(
    outputs: readonly GraphNode[],
    symbols: readonly SizeSymbol[],
    written: readonly WrittenInput[] = [],
  ): Graph {
    return this.finish(
      outputs.map(node => ({ memory: node, owner: {}, view: same => same })),
      symbols,
      written,
    )
  }

  /**
   * The value in its owner's memory. It must not become another's, however much the passes simplify (x + 0, a sum over a
   * dim of size 1): changing one result in place would change the other, or the input. Equal values are one node, so the
   * second owner's copy is a copy of the first's. The copy stands around the whole value, below the outputs that view it:
   * a value that is itself an expanded or a sliced one gets memory for each of its elements.
   */
  #copyFor(owner: object, value: GraphNode, owners: Map<GraphNode, object[]>): GraphNode {
    const known = owners.get(value) ?? []
    owners.set(value, known)
    if (!known.includes(owner)) known.push(owner)
    let copy = value
    for (let i = 0; i <= known.indexOf(owner); i++) copy = this.builder.node('copy', [copy], {})
    return copy
  }
}

/** A result of the graph: a view of a value that lies in memory. */
export interface OutputValue {
  readonly memory: GraphNode
  /** Whose memory it is: outputs of one owner share it. null: an input's, which the value is a view of. */
  readonly owner: object | null
  /** The result, from the value in memory; built from views only. */
  readonly view: (memory: GraphNode) => GraphNode
}

/** A value that must end up in an input's memory. */
export interface WrittenInput {
  readonly node: GraphNode
  readonly target: Omit<WriteBack, 'result'>
}
