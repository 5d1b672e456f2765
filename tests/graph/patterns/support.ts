/** Graphs of what is written out, and what the passes make of them. */
import { type Graph, type GraphNode, graphDialect, type SizeSymbol } from '../../../src/graph/ir.js'
import { canonicalPasses, viewPasses } from '../../../src/graph/passes/index.js'
import { type PatternResult, recognise } from '../../../src/graph/patterns/index.js'
import { print } from '../../../src/ir/print.js'
import { verify } from '../../../src/ir/verify.js'
import { type Size, type SizeExpr, sizeSymbol } from '../../../src/scalar/size.js'
import { graphOn } from '../../schedule/build.js'
import type { Write, Written } from './written.js'

export type FloatDtype = 'f32' | 'f64' | 'f16' | 'bf16'

export const graphOf = (write: Write, dtype: FloatDtype, shapes: Written['shapes'] = [[6, 40]]): Graph =>
  graphOn(
    shapes.map(shape => ({ dtype, shape })),
    (op, ...inputs) => [write(op, ...inputs)],
  )

const lastPasses = viewPasses

const pass = (graph: Graph, passes: typeof viewPasses): Graph =>
  passes.reduce((current, { run }) => run(current), graph)

/** All passes as in the pipeline, and what the patterns recognised. */
export function optimised(graph: Graph): PatternResult {
  const result = recognise.run(pass(graph, canonicalPasses))
  verify(graphDialect, result.graph.body)
  return { ...result, graph: pass(result.graph, lastPasses) }
}

export const withoutPatterns = (graph: Graph): Graph => pass(pass(graph, canonicalPasses), lastPasses)

export const textOf = (graph: Graph): string => print<GraphNode>(graphDialect, graph.body)

/** The same with every size above 1 a run-time size; equal sizes share a symbol. */
export function symbolicGraphOf(write: Write, dtype: FloatDtype, shapes: Written['shapes'] = [[6, 40]]): Graph {
  const known = new Map<number, SizeExpr>()
  const symbols: SizeSymbol[] = []
  const symbolic = (size: number, input: number, dim: number): Size => {
    const symbol = known.get(size) ?? sizeSymbol(`n${size}`, 2)
    if (!known.has(size)) symbols.push({ name: `n${size}`, input, kind: 'size', dim })
    known.set(size, symbol)
    return symbol
  }
  const specs = shapes.map((shape, i) => ({ dtype, shape: shape.map((size, d) => symbolic(size, i, d)) }))
  return graphOn(specs, (op, ...inputs) => [write(op, ...inputs)], symbols)
}
