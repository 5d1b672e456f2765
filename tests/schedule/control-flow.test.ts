/** Graphs with control flow: passes, the scheduler and both interpreters keep what they compute. */
import { expect, it } from 'vitest'
import { optimise } from '../../src/compile/pipeline.js'
import { buildGraph } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import {
  type Graph,
  type GraphBlock,
  type GraphBuilder,
  type GraphNode,
  graphDialect,
  type Shape,
} from '../../src/graph/ir.js'
import type { HostTensor } from '../../src/graph/record.js'
import { verify } from '../../src/ir/verify.js'
import { type Size, sizeSymbol } from '../../src/scalar/size.js'
import { interpretPlan } from '../../src/schedule/plan/interpret.js'
import { printPlan } from '../../src/schedule/plan/print.js'
import { scheduleGraph } from '../../src/schedule/schedule.js'
import { readOutput, target } from './run.js'

const n = sizeSymbol('n')

/** A block on [n] vectors, `count` of them. */
function block(b: GraphBuilder, count: number, build: (x: readonly GraphNode[]) => GraphNode[]): GraphBlock {
  const shape: Shape = [n]
  const strides: readonly Size[] = [1]
  const params = Array.from({ length: count }, (_, index) =>
    b.node('input', [], { index, name: `p${index}`, dtype: 'f32', shape, strides }),
  )
  return b.block(params, () => build(params))
}

const full = (b: GraphBuilder, value: number): GraphNode =>
  b.node('expand', [b.node('constant', [], { dtype: 'f32', value })], { shape: [n] })
const sum = (b: GraphBuilder, x: GraphNode): GraphNode => b.node('reduce', [x], { fn: 'add', dims: [0] })
const above = (b: GraphBuilder, x: GraphNode, value: number): GraphNode =>
  b.node('map', [x, b.node('constant', [], { dtype: 'f32', value })], { fn: 'gt' })

/** Doubles x until its sum is above 100, then adds y if the sum is above 150, else negates it. */
function sample(): Graph {
  const symbols = [{ name: 'n', input: 0, kind: 'size', dim: 0 }] as const
  const inputs = [0, 1].map(() => ({ dtype: 'f32', shape: [n] }) as const)
  const build = (b: GraphBuilder, [x, y]: readonly GraphNode[]): GraphNode[] => {
    const going = block(b, 1, ([v]) => [b.node('map', [above(b, sum(b, v!), 100)], { fn: 'not' })])
    const twice = block(b, 1, ([v]) => [b.node('map', [v!, full(b, 2)], { fn: 'mul' })])
    const loop = b.node('loop', [x!], { carried: 1 }, [going, twice])
    const grown = b.node('item', [loop], { index: 0 })
    const added = block(b, 2, ([v, w]) => [b.node('map', [v!, w!], { fn: 'add' })])
    const negated = block(b, 2, ([v]) => [b.node('map', [v!], { fn: 'neg' })])
    const chosen = b.node('cond', [above(b, sum(b, grown), 150), grown, y!], {}, [added, negated])
    return [b.node('item', [chosen], { index: 0 }), grown]
  }
  return buildGraph(inputs, [], build, symbols)
}

const vector = (...data: readonly number[]): HostTensor => ({ dtype: 'f32', shape: [data.length], data })

const cases: readonly (readonly [readonly number[], readonly number[], readonly number[], readonly number[]])[] = [
  [
    [1, 2, 3],
    [1, 1, 1],
    [33, 65, 97],
    [32, 64, 96],
  ],
  [
    [20, 30, 10],
    [1, 1, 1],
    [-40, -60, -20],
    [40, 60, 20],
  ],
  [
    [200, 0],
    [5, 6],
    [205, 6],
    [200, 0],
  ],
]

it.each(cases)('control flow of %j and %j', (x, y, first, second) => {
  const captured = sample()
  const optimised = optimise(captured).graph
  for (const graph of [captured, optimised]) {
    verify(graphDialect, graph.body)
    const inputs = [vector(...x), vector(...y)]
    const expected = [vector(...first), vector(...second)]
    expect(interpretGraph(graph, inputs)).toEqual(expected)
    const plan = scheduleGraph(graph, target.policy)
    const memory = [x, y].map(list => ({ data: Float32Array.from(list), offset: 0 }))
    const results = interpretPlan(plan, { inputs: memory, scalars: [], symbols: [x.length] })
    expect(results.map(result => readOutput(result, 'f32'))).toEqual(expected)
  }
})

it('prints the blocks of a plan', () => {
  const text = printPlan(scheduleGraph(optimise(sample()).graph, target.policy))
  expect(text).toMatch(/b\d+ = while block 0 do block 1\(b\d+\[n:1\]\)/)
  expect(text).toMatch(/b\d+ = if b\d+\[\] block 2 else block 3\(b\d+\[n:1\], b1\[n:1\]\)/)
  expect(text).toMatch(/\nblock 3\n/)
})

it("the verifier rejects blocks whose types differ from the operands'", () => {
  expect(() =>
    buildGraph([{ dtype: 'f32', shape: [n] }], [], (b, [x]) => {
      const one = block(b, 1, ([v]) => [above(b, sum(b, v!), 0)])
      return [b.node('loop', [x!], { carried: 1 }, [one, one])]
    }),
  ).toThrow(/loop: carries f32\[n\], and its body gives bool\[\]/)
})
