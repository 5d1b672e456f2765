/** Long columns, which GPUs reduce several blocks at a time and in parts, at sizes around blocks, iterations and parts. */
import { expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { Graph } from '../../src/graph/ir.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import { difference } from '../support/compare.js'
import { inBlocks, runLaunched } from '../support/launched.js'
import { randomSpec, type TensorSpec } from '../support/tensor-spec.js'
import { graphOn } from './build.js'
import { gpu, launches, planOf, runPlan, small } from './run.js'

const operand = (name: string, dtype: TensorDtype, shape: readonly number[]) => ({ name, dtype, shape }) as const

/** Simulates the kernels of a GPU, with small blocks, and compares with the plan of a CPU. */
function check(graph: Graph, specs: readonly TensorSpec[], relative: number): void {
  const stages = runPipeline(graph, gpu, small(gpu))
  const found = runLaunched(stages, specs, inBlocks).results
  const expected = runPlan(planOf(graph, true), specs)
  const tolerance = { relative, absolute: relative, anyZero: true }
  for (const [i, result] of found.entries()) expect(difference(result, expected[i]!, tolerance), `${i}`).toBeNull()
}

// A block is 16 rows by 8 columns of f32; an iteration four blocks, the least that a part has.
const rows = [63, 64, 65, 127, 128, 129, 257, 530]

it('are divided among parts of at least one iteration', () => {
  const suffixes = (count: number): readonly (string | undefined)[] => {
    const sum = graphOn([operand('x', 'f32', [count, 16])], (op, x) => [op('sum', x!, 0)])
    return launches(planOf(sum, true, small(gpu), gpu)).map(name => name.split('_').at(-1))
  }
  expect(suffixes(64)).toEqual(['columns'])
  expect(suffixes(65)).toEqual(['partial', 'final'])
})

it.each(rows)('sums, maxima and positions of %i rows', count => {
  for (const columns of [8, 9, 17]) {
    const [f32, i32] = [operand('x', 'f32', [count, columns]), operand('x', 'i32', [count, columns])]
    const all = graphOn([f32], (op, x) => [op('sum', x!, 0), op('amax', x!, 0)])
    const found = graphOn([f32], (op, x) => [op('argmax', x!, 0)])
    const whole = graphOn([i32], (op, x) => [op('sum', x!, 0)])
    check(all, [randomSpec(count, 'f32', f32.shape)], 1e-5)
    check(found, [randomSpec(count, 'f32', f32.shape)], 0)
    check(whole, [randomSpec(count, 'i32', i32.shape)], 0)
  }
})

it.each(['f64', 'f32', 'bf16', 'i8'] as const)('of %s, beside what is stored per element', dtype => {
  for (const [count, columns] of [
    [65, 10],
    [300, 24],
    [301, 3],
  ] as const) {
    const shape = [count, columns]
    const graph = graphOn([operand('x', dtype, shape), operand('scale', 'f32', [columns])], (op, x, scale) => {
      const scaled = op('mul', op('to', x!, 'f32'), scale!)
      return [op('to', scaled, 'bf16'), op('sum', scaled, 0), op('sum', op('mul', scaled, scaled), 0)]
    })
    check(graph, [randomSpec(5, dtype, shape), randomSpec(6, 'f32', [columns])], 1e-5)
  }
})

it.each([
  [3, 40, 12],
  [65, 5, 8],
  [16, 33, 9],
  [2, 130, 8],
] as const)('over two dims, [%i, %i, %i], of which one is contiguous in a result', (images, places, channels) => {
  const shape = [images, places, channels]
  for (const crossing of [true, false]) {
    const graph = graphOn([operand('x', 'bf16', shape), operand('g', 'f32', [images, channels])], (op, x, g) => {
      const scaled = op('mul', op('to', x!, 'f32'), op('unsqueeze', g!, 1))
      const sums = [op('sum', scaled, [0, 1]), op('sum', op('mul', scaled, scaled), [0, 1])]
      return crossing ? [...sums, op('permute', op('to', scaled, 'bf16'), [2, 1, 0])] : sums
    })
    check(graph, [randomSpec(7, 'bf16', shape), randomSpec(8, 'f32', [images, channels])], 1e-5)
  }
})
