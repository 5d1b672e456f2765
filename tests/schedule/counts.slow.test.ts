/** Scatters that add one integer to few places: on a GPU each program counts the elements of its blocks by their place. */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { Graph } from '../../src/graph/ir.js'
import { inBlocks, runLaunched } from '../support/launched.js'
import type { TensorSpec } from '../support/tensor-spec.js'
import { graphOn } from './build.js'
import { gpu } from './run.js'

const counting = (places: number, elements: number, dtype: 'i32' | 'i64'): Graph =>
  graphOn([{ name: 'index', dtype: 'i64', shape: [elements] }], (op, index) => [
    op('scatterAdd', op('full', [places], 5, { dtype }), 0, index!, op('full', [elements], 3, { dtype })),
  ])

/** Indices in no order; of four elements one is outside. */
const indicesOf = (places: number, elements: number): bigint[] =>
  Array.from({ length: elements }, (_, i) => {
    const place = (i * 2654435761) % places
    return i % 4 === 3 ? [-1n, BigInt(places), -(2n ** 32n), 2n ** 32n][(i >> 2) % 4]! : BigInt(place)
  })

const isCounted = (graph: Graph): boolean =>
  runPipeline(graph, gpu).plan.kernels.some(({ body }) =>
    JSON.stringify(body.body.map(({ op }) => op)).includes('range'),
  )

describe('counts by place', () => {
  for (const [places, elements, dtype] of [
    [1, 8192, 'i64'],
    [100, 8193, 'i64'],
    [1000, 12_289, 'i32'],
    [1024, 16_385, 'i64'],
  ] as const) {
    it(`${elements} elements of ${places} places, ${dtype}`, () => {
      const graph = counting(places, elements, dtype)
      expect(isCounted(graph)).toBe(true)
      const data = indicesOf(places, elements)
      const index: TensorSpec = { dtype: 'i64', shape: [elements], data }
      const { results } = runLaunched(runPipeline(graph, gpu), [index], inBlocks)
      const expected = new Array<number>(places).fill(5)
      for (const at of data) if (at >= 0n && at < BigInt(places)) expected[Number(at)]! += 3
      expect(results[0]!.data.map(Number)).toEqual(expected)
    })
  }

  it('are left to atomics where there are more places, or few elements', () => {
    expect(isCounted(counting(1025, 100_000, 'i64'))).toBe(false)
    expect(isCounted(counting(100, 8191, 'i64'))).toBe(false)
    expect(isCounted(counting(1024, 8191, 'i64'))).toBe(false)
  })
})
