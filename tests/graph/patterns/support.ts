import type { Graph, GraphNode } from '../../../src/graph/ir.js'
import { graphDialect } from '../../../src/graph/ir.js'
import { canonicalPasses, viewPasses } from '../../../src/graph/passes/index.js'
import { type PatternResult, recognise } from '../../../src/graph/patterns/index.js'
import { print } from '../../../src/ir/print.js'
import { verify } from '../../../src/ir/verify.js'
import { graphOn } from '../../schedule/build.js'
import type { Write, Written } from './written.js'

export type FloatDtype = 'f32' | 'f64' | 'f16' | 'bf16'

export const graphOf = (write: Write, dtype: FloatDtype, shapes: Written['shapes'] = [[6, 40]]): Graph =>
  graphOn(
    shapes.map(shape => ({ dtype, shape })),
    (op, ...inputs) => [write(op, ...inputs)],
  )

const pass = (graph: Graph, passes: typeof viewPasses): Graph =>
  passes.reduce((current, { run }) => run(current), graph)

/** All passes as in the pipeline, and what the patterns recognised. */
export function optimised(graph: Graph): PatternResult {
  const result = recognise(pass(graph, canonicalPasses))
  verify(graphDialect, result.graph.body)
  return { ...result, graph: pass(result.graph, viewPasses) }
}

export const withoutPatterns = (graph: Graph): Graph => pass(pass(graph, canonicalPasses), viewPasses)

export const textOf = (graph: Graph): string => print<GraphNode>(graphDialect, graph.body)
