/** Values around products and reductions that are stored in the form that costs least: rounded, converted once, or by the parts of a split kernel. */
import { describe, expect, it } from 'vitest'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import type { Target } from '../../src/backends/target.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { Graph } from '../../src/graph/ir.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { difference } from '../support/compare.js'
import { inBlocks, runLaunched, simulated, type Way } from '../support/launched.js'
import { randomSpec, type TensorSpec } from '../support/tensor-spec.js'
import { graphOn } from './build.js'
import { gpu, launches, planOf, runPlan, small, target } from './run.js'

const temps = (graph: Graph, policy: SchedulePolicy = gpu.policy): readonly string[] =>
  planOf(graph, true, { policy }, gpu).buffers.flatMap(buffer =>
    buffer.kind === 'temp' ? [`${buffer.dtype} ${buffer.elements}`] : [],
  )

const bf16 = (...shape: readonly number[]) => ({ name: 'a', dtype: 'bf16', shape }) as const

describe('a product that is rounded', () => {
  /** x + linear(w, b, v), normalised: what a residual block does in mixed precision. */
  const residual = graphOn([[64, 32], bf16(64, 48), bf16(32, 48), bf16(32)], (op, x, w, b, v) => {
    const sum = op('add', x!, op('to', op('linear', w!, b!, { bias: v! }), 'f32'))
    return [op('layerNorm', sum, [32]), sum]
  })

  it('is stored rounded, where its readers cannot compute it', () => {
    expect(temps(residual).filter(each => each.endsWith(` ${64 * 32}`))).toEqual([`bf16 ${64 * 32}`])
  })

  it('is stored rounded for a gather of few elements', () => {
    const loss = graphOn([bf16(64, 48), bf16(512, 48), { name: 'i', dtype: 'i64', shape: [64] }], (op, x, w, index) => [
      op('crossEntropy', op('to', op('linear', x!, w!), 'f32'), index!),
    ])
    expect(temps(loss).filter(each => each.endsWith(` ${64 * 512}`))).toEqual([`bf16 ${64 * 512}`])
  })

  it('stays in the kernel where elementwise work follows', () => {
    const rounded = graphOn([bf16(64, 48), bf16(32, 48)], (op, x, w) => [op('relu', op('linear', x!, w!))])
    expect(launches(planOf(rounded, true, {}, gpu)).length).toBe(1)
  })
})

describe('operands that are converted', () => {
  const converted = { leastUses: 1, leastWork: 1 }
  const withConverted = (policy: SchedulePolicy, limits: typeof converted | null = converted): SchedulePolicy => ({
    ...policy,
    dots: { ...policy.dots, converted: limits },
  })
  /** bf16(x) · bf16(wᵀ), as autocast multiplies. */
  const product = graphOn([bf16(40, 24), [36, 24]], (op, x, w) => [op('linear', x!, op('to', w!, 'bf16'))])

  it('are stored once in the order of what they are of, where they are used often', () => {
    const policy = withConverted(gpu.policy)
    const plan = planOf(product, true, { policy }, gpu)
    expect(temps(product, policy)).toEqual([`bf16 ${36 * 24}`])
    expect(plan.steps.length).toBe(2)
    expect(plan.steps[0]).toMatchObject({ args: [{ strides: [1] }, { strides: [1] }] })
    expect(temps(product, withConverted(gpu.policy, { leastUses: 41, leastWork: 1 }))).toEqual([])
    expect(temps(product, withConverted(gpu.policy, { leastUses: 1, leastWork: 40 * 24 * 36 + 1 }))).toEqual([])
    expect(temps(product, withConverted(gpu.policy, null))).toEqual([])
  })

  it('are not stored where they are decoded of less memory', () => {
    const decoded = graphOn([bf16(40, 24), { name: 'w', dtype: 'i8', shape: [36, 24] }], (op, x, w) => [
      op('linear', x!, op('to', w!, 'bf16')),
    ])
    expect(temps(decoded, withConverted(gpu.policy))).toEqual([])
  })

  it('give the same product', () => {
    const inputs = [randomSpec(1, 'bf16', [40, 24]), randomSpec(2, 'f32', [36, 24])]
    const [one, other] = [withConverted(gpu.policy), withConverted(gpu.policy, null)].map(
      policy => runPlan(planOf(product, true, { policy }, gpu), inputs)[0]!,
    )
    expect(difference(one!, other!, { relative: 0, absolute: 0, anyZero: true })).toBeNull()
  })
})

const h200 = targetForCuda(genericCudaTarget(cudaArchs.sm_90a))

describe('sums of columns beside what is stored per element', () => {
  /** dx = g · h(x) and its sum over rows, as of a layer with bias. */
  const backward = (rows: number, columns: number): Graph =>
    graphOn(
      [
        [rows, columns],
        [rows, columns],
      ],
      (op, x, g) => {
        const slope = op('mul', g!, op('sigmoid', x!))
        return [slope, op('sum', slope, 0), op('sum', op('mul', slope, x!), 0)]
      },
    )

  const inputs = (rows: number, columns: number): readonly TensorSpec[] => [
    randomSpec(3, 'f32', [rows, columns]),
    randomSpec(4, 'f32', [rows, columns]),
  ]

  it('are computed by parts, which store the elements', () => {
    const names = launches(planOf(backward(8192, 256), true, {}, h200))
    expect(names.map(name => name.split('_').at(-1))).toEqual(['partial', 'final'])
  })

  it('are in one kernel where the elements follow from the sums', () => {
    const softmax = graphOn([[8192, 4]], (op, x) => [op('softmax', x!, 0)])
    expect(launches(planOf(softmax, true, {}, gpu)).length).toBe(1)
  })

  it.each([
    ['blocks of threads', gpu, inBlocks],
    ['one thread', target, simulated],
  ] as const)('agree with separate kernels: %s', (_: string, on: Target, way: Way) => {
    for (const [rows, columns] of [
      [70, 10],
      [129, 3],
      [37, 17],
      [301, 1],
    ] as const) {
      const graph = backward(rows, columns)
      const stages = runPipeline(graph, { ...on, ...small(on) })
      if (on === gpu) expect(stages.plan.steps.length).toBe(2)
      const found = runLaunched(stages, inputs(rows, columns), way).results
      const expected = [0, 1, 2].map(i => {
        const alone = { ...graph, body: { ...graph.body, results: [graph.body.results[i]!] }, outputs: 1 }
        return runPlan(planOf(alone as Graph, true), inputs(rows, columns))[0]!
      })
      for (const [i, result] of found.entries())
        expect(difference(result, expected[i]!, { relative: 1e-5, absolute: 1e-5, anyZero: true }), `${i}`).toBeNull()
    }
  })
})
