/**
 * Products in parts of K: samples of the products where parts are asked for, numbers of parts and depths around the ends of
 * parts and blocks, every pair of layouts. The plan interpreted, C, and simulated blocks of GPU threads give the reference.
 */

import { describe, expect, it } from 'vitest'
import { cpuPolicy } from '../../src/backends/cpu/policy.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import type { Target } from '../../src/backends/target.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import type { Graph } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { type Size, sizeSymbol } from '../../src/scalar/size.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import type { Dtype } from '../../src/types/dtype.js'
import { cpuFacts, runPlan, smallLimits, target } from '../schedule/run.js'
import { difference, toleranceFor } from '../support/compare.js'
import { hasCompiler } from '../support/compiler.js'
import { type Launch, launchesOf } from '../support/launches.js'
import { expectedResults, graphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { samplesFor } from '../support/samples.js'
import { randomSpec, withLayout } from '../support/tensor-spec.js'
import { expectNative, expectSimulated } from './agreement.js'
import { expectBlocks } from './agreement-cuda.js'

interface Way {
  readonly name: string
  readonly target: Target
  readonly policy: SchedulePolicy
  /** Runs launches in its simulator. */
  expect(launches: readonly Launch[]): void
}

/** Blocks of 3 of K. */
const onCpu: Way = { name: 'CPU', target, policy: cpuPolicy(cpuFacts, smallLimits), expect: expectSimulated }
/** Tiles that the matrix units take. */
const onGpu = (['sm_80', 'sm_90a'] as const).map((name): Way => {
  const facts = genericCudaTarget(cudaArchs[name])
  const expect = (launches: readonly Launch[]): void => void expectBlocks(launches, facts)
  return { name, target: targetForCuda(facts), policy: cudaPolicy(facts), expect }
})
const ways = [onCpu, ...onGpu]
const inParts = ({ policy, ...way }: Way, count: Size): Way => ({
  ...way,
  policy: { ...policy, matmulParts: () => count },
})

/** The launches of a case, whose plan as interpreted must give the reference. */
function launches(name: RecordName, each: Sample, way: Way, graph: Graph): Launch[] {
  const record = recordTable[name]
  const { plan, lanes } = runPipeline(graph, way.target, { policy: way.policy })
  const results = runPlan(plan, each.inputs)
  const label = `${name}, ${each.name}, ${way.name}`
  expectedResults(record, each).forEach((expected, i) => {
    expect(difference(results[i]!, expected, toleranceFor(name, expected.dtype)), `${label}, result ${i}`).toBeNull()
  })
  return launchesOf(label, plan, lanes, each.inputs, dtype => toleranceFor(name, dtype))
}

const isPart = ({ program }: Launch): boolean => /partial|final/.test(program.name)

describe('samples of products, in 3 parts', { timeout: 300_000 }, () => {
  for (const name of ['matmul', 'addmm', 'einsum', 'linear', 'bilinear', 'conv2d'] as const) {
    it(name, () => {
      const record = recordTable[name]
      for (const way of ways.map(each => inParts(each, 3))) {
        const samples = name === 'conv2d' ? samplesFor(name).slice(0, 3) : samplesFor(name)
        const found = samples.flatMap(each => launches(name, each, way, graphOf(record, each)).filter(isPart))
        if (way.name === 'CPU') expect(found.length).toBeGreaterThan(1)
        way.expect(found)
      }
    })
  }
})

/** [m, k] × [k, n], either of them stored transposed. */
const product = (m: number, k: number, n: number, dtype: Dtype, layouts: string): Sample => {
  const [a, b] = [randomSpec(1, dtype, [m, k]), randomSpec(2, dtype, [k, n])].map((spec, i) =>
    layouts[i] === 't' ? withLayout(spec, 'transposed') : spec,
  )
  return sample(`${dtype} ${m}×${k}×${n} ${layouts}`, a, b)
}

describe('depths around the ends of blocks and parts', { timeout: 300_000 }, () => {
  const depths = [2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 300]
  const layouts = ['nn', 'nt', 'tn', 'tt']
  const dtypes = ['bf16', 'f32', 'f16', 'f64', 'i32'] as const
  const cases = depths.map((k, i) => ({
    each: product([16, 5, 17][i % 3]!, k, [8, 33, 16][i % 3]!, dtypes[i % 5]!, layouts[i % 4]!),
    parts: [2, 3, 5, 7][i % 4]!,
  }))
  const all = (way: Way): Launch[] =>
    cases.flatMap(({ each, parts }) => {
      const graph = graphOf(recordTable.matmul, each)
      return launches('matmul', each, inParts(way, parts), graph)
    })

  for (const way of ways) it(`on ${way.name}, simulated`, () => way.expect(all(way)))
  it.skipIf(!hasCompiler)('on a CPU (needs a C compiler)', () => expectNative(all(onCpu)))
})

describe('K known only at the call', { timeout: 300_000 }, () => {
  it('one plan serves few and many', () => {
    const symbol = sizeSymbol('n', 0)
    const shapes = (k: Size): readonly (readonly Size[])[] => [
      [16, k],
      [k, 24],
    ]
    const graph = buildGraph(
      shapes(symbol).map(shape => ({ dtype: 'f16' as const, shape })),
      [],
      (b, inputs) => applyRecord(b, recordTable.matmul, inputs.map(asValue)),
      [{ name: 'n', input: 0, kind: 'size', dim: 1 }],
    )
    for (const way of ways) {
      const { plan, lanes } = runPipeline(graph, way.target, { policy: inParts(way, 3).policy })
      expect(plan.kernels.map(({ name }) => name)).toEqual(['matmul_partial', 'matmul_final'])
      for (const k of [0, 1, 16, 64, 65, 200]) {
        const each = sample(`K ${k}`, ...shapes(k).map((shape, i) => randomSpec(i + 1, 'f16', shape as number[])))
        const [expected] = expectedResults(recordTable.matmul, each)
        expect(difference(runPlan(plan, each.inputs)[0]!, expected!, toleranceFor('matmul', 'f16'))).toBeNull()
        way.expect(launchesOf(`${k}, ${way.name}`, plan, lanes, each.inputs, dtype => toleranceFor('matmul', dtype)))
      }
    }
  })
})
