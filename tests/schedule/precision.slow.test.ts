/** Products of f32 that may be rounded: the dots of GPU kernels say so, and blocks of threads compute what they say. */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { Graph } from '../../src/graph/ir.js'
import { nodesOf } from '../../src/ir/walk.js'
import type { TileNode } from '../../src/tile/ir.js'
import { roundToTf32 } from '../../src/types/tf32.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { launchesOf } from '../support/launches.js'
import { randomSpec } from '../support/tensor-spec.js'
import { graphOn } from './build.js'
import { gpu, target } from './run.js'

const lowered = (graph: Graph): Graph => ({ ...graph, float32Matmul: 'tf32' })

const cases: readonly { readonly name: string; readonly graph: Graph; readonly shapes: readonly number[][] }[] = [
  {
    name: 'matmul',
    shapes: [
      [24, 40],
      [40, 33],
    ],
    graph: graphOn(
      [
        [24, 40],
        [40, 33],
      ],
      (op, x, w) => [op('relu', op('matmul', x, w))],
    ),
  },
  {
    name: 'conv2d',
    shapes: [
      [2, 8, 9, 9],
      [24, 8, 3, 3],
    ],
    graph: graphOn(
      [
        [2, 8, 9, 9],
        [24, 8, 3, 3],
      ],
      (op, x, w) => [op('relu', op('conv2d', x, w))],
    ),
  },
  {
    name: 'attention',
    shapes: [
      [20, 16],
      [36, 16],
      [36, 16],
    ],
    graph: graphOn(
      [
        [20, 16],
        [36, 16],
        [36, 16],
      ],
      (op, q, k, v) => [op('scaledDotProductAttention', q, k, v)],
    ),
  },
]

const precisions = (graph: Graph, on: typeof gpu | typeof target): unknown[] =>
  runPipeline(graph, on).plan.kernels.flatMap(({ body }) =>
    [...nodesOf<TileNode>(body)].flatMap(node => (node.op === 'dot' ? [node.attrs.precision] : [])),
  )

describe('matmuls in tf32', () => {
  for (const { name, graph, shapes } of cases)
    it(name, () => {
      expect(precisions(lowered(graph), gpu)).toContain('tf32')
      expect(precisions(lowered(graph), gpu)).not.toContain(undefined)
      for (const each of [precisions(graph, gpu), precisions(lowered(graph), target)])
        expect(each).not.toContain('tf32')
      const { plan, lanes } = runPipeline(lowered(graph), gpu)
      const random = shapes.map((shape, i) => randomSpec(i, 'f32', shape))
      // Warpgroup instructions cut the low bits off, which the interpreter rounds: of operands without any, both are equal.
      const inputs =
        name === 'conv2d' ? random.map(each => ({ ...each, data: each.data.map(x => roundToTf32(Number(x))) })) : random
      expectBlocks(launchesOf(name, plan, lanes, inputs, () => ({ relative: 1e-4, absolute: 1e-4, anyZero: true })))
    })
})
