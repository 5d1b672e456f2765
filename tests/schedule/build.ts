/** Graphs written as a person would write the function, for tests of what becomes of them. */
import { applyRecord, asValue, buildGraph, type InputSpec } from '../../src/graph/apply.js'
import type { Graph, GraphNode, SizeSymbol, WriteBack } from '../../src/graph/ir.js'
import { recordTable } from '../../src/graph/ops/index.js'

/** Applies an op by name; gives its first result. */
export type Apply = (name: keyof typeof recordTable, ...args: readonly unknown[]) => GraphNode

const isNode = (value: unknown): value is GraphNode => typeof value === 'object' && value !== null && 'op' in value

function bind(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bind)
  if (isNode(value)) return asValue(value)
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, bind(inner)]))
  return value
}

const names = 'xwbvuts'

/** The graph of `build` on f32 inputs of the given shapes (or specs), called x, w, b, v, …. */
export function graphOn(
  inputs: readonly (readonly number[] | InputSpec)[],
  build: (op: Apply, ...inputs: GraphNode[]) => readonly GraphNode[],
  symbols: readonly SizeSymbol[] = [],
): Graph {
  const specs = inputs.map(
    (input, i): InputSpec =>
      'dtype' in input ? { name: names[i]!, ...input } : { name: names[i]!, dtype: 'f32', shape: input },
  )
  return buildGraph(
    specs,
    [],
    (b, nodes) => {
      const apply: Apply = (name, ...args) =>
        b.withOrigin({ at: null, pass: name }, () => applyRecord(b, recordTable[name], args.map(bind))[0]!)
      return build(apply, ...nodes)
    },
    symbols,
  )
}

/** The graph with its last results written to its inputs instead of given to the caller. */
export function writing(graph: Graph, writes: readonly Omit<WriteBack, 'result'>[]): Graph {
  const outputs = graph.body.results.length - writes.length
  return { ...graph, outputs, writeBacks: writes.map((write, i) => ({ ...write, result: outputs + i })) }
}
