/** Fences: what is computed from them does not merge with what is computed from their inputs, and waits. */
import { describe, expect, it } from 'vitest'
import { optimise } from '../../src/compile/pipeline.js'
import { buildGraph } from '../../src/graph/apply.js'
import { map, reduce } from '../../src/graph/build.js'
import { jvp, vjp } from '../../src/graph/derivatives/modes.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type Graph, type GraphNode, graphDialect } from '../../src/graph/ir.js'
import { print } from '../../src/ir/print.js'
import { verify } from '../../src/ir/verify.js'
import { ownNodesOf } from '../../src/ir/walk.js'
import { normalize } from '../../src/schedule/fusion/normalize.js'
import { safeRegions } from '../../src/schedule/fusion/safe-regions.js'
import { target } from '../schedule/run.js'

const spec = { dtype: 'f32', shape: [8, 8] } as const
const matmul = (b: Parameters<Parameters<typeof buildGraph>[2]>[0], x: GraphNode, y: GraphNode): GraphNode =>
  b.node('matmul', [x, y], { accumulate: 'f32', to: 'f32' })

/** A product, and the same product of fences, which waits for a function of the first one. */
const graph: Graph = buildGraph([spec, spec], [], (b, [x, w]) => {
  const first = map(b, 'exp', matmul(b, x!, w!))
  const late = matmul(b, first, w!)
  const again = map(b, 'exp', matmul(b, b.node('fence', [x!, late], {}), b.node('fence', [w!, late], {})))
  return [matmul(b, first, late), matmul(b, again, late)]
})
const countOf = ({ body }: Graph, op: string): number => ownNodesOf(body).filter(node => node.op === op).length

describe('a fence', () => {
  it('is its first input', () => {
    const x = { dtype: 'f32', shape: [8, 8], data: Array.from({ length: 64 }, (_, i) => (i % 7) / 8) } as const
    const [one, other] = interpretGraph(graph, [x, x])
    expect(other!.data).toEqual(one!.data)
    verify(graphDialect, graph.body)
    expect(print<GraphNode>(graphDialect, graph.body)).toMatch(/fence\(%\d+, %\d+\) : f32\[8, 8\]/)
  })

  it('is respected by all passes; one that waits for nothing goes', () => {
    expect(countOf(optimise(graph).graph, 'matmul')).toBe(5)
    const plain = buildGraph([spec], [], (b, [x]) => [map(b, 'sub', x!, b.node('fence', [x!], {}))])
    expect(countOf(optimise(plain).graph, 'fence')).toBe(0)
  })

  it('makes what reads it wait', () => {
    const { policy } = target
    const { regions } = safeRegions(normalize(optimise(graph).graph, policy), policy.rows)
    const fences = (nodes: Iterable<GraphNode>): GraphNode[] => [...nodes].filter(({ op }) => op === 'fence')
    const [fence] = regions.groups.flatMap(({ touched }) => fences(touched.keys()))
    const made = regions.groups.findIndex(({ stores }) => stores.some(({ node }) => node === fence!.inputs[1]))
    const read = regions.groups.findIndex(({ touched }) => touched.has(fence!))
    expect(made).toBeGreaterThanOrEqual(0)
    expect(read).toBeGreaterThan(made)
  })

  it('passes derivatives on', () => {
    const modes = buildGraph([spec, spec], [], (b, [x, g]) => {
      const y = map(b, 'exp', b.node('fence', [x!, g!], {}))
      const [reverse] = vjp(b, { outputs: [y], cotangents: [g!], inputs: [x!] })
      const [forward] = jvp(b, { outputs: [y], inputs: [x!], tangents: [g!] })
      return [reduce(b, 'add', map(b, 'sub', reverse!, forward!), [0, 1])]
    })
    const x = { dtype: 'f32', shape: [8, 8], data: Array.from({ length: 64 }, (_, i) => i / 64) } as const
    expect(interpretGraph(modes, [x, x])[0]!.data).toEqual([0])
  })
})
