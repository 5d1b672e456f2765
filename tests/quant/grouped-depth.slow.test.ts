/** Products over groups of K against plain loops: graph interpreter, plans, lane simulator, C, blocks of GPU threads. */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { graphDialect } from '../../src/graph/ir.js'
import { raggedRecords } from '../../src/graph/ops/ragged.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { compile, randn, type Tensor, tensor, zeros } from '../../src/index.js'
import { verify } from '../../src/ir/verify.js'
import { groupedMatmul, raggedMatmul } from '../../src/quant/index.js'
import { noCompiler } from '../codegen/native.js'
import { runLoops } from '../loop/run.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { gpu, planOf, runPlan, small as smallOn, target } from '../schedule/run.js'
import { difference, type Tolerance } from '../support/compare.js'
import { launchesOf, nativeDifferences, simulatedDifference } from '../support/launches.js'
import { expectedResults, graphOf, interpretSample, symbolicGraphOf } from '../support/record-graph.js'
import type { Sample } from '../support/samples.js'
import { depthSamples } from './ragged-samples.js'

const record = raggedRecords.groupedDepthMatmul as unknown as OpRecord
const samples = depthSamples()
const epsilon: Partial<Record<string, number>> = { f32: 2 ** -22, f16: 2 ** -10, bf16: 2 ** -7 }

function toleranceOf({ dtype, data }: HostTensor): Tolerance {
  const scale = Math.max(0, ...data.map(value => Math.abs(Number(value))))
  return { relative: epsilon[dtype]!, absolute: scale * 2 ** -18, anyZero: true }
}

function expectResult(result: HostTensor, sample: Sample, way: string): void {
  const [expected] = expectedResults(record, sample) as [HostTensor]
  expect(difference(result, expected, toleranceOf(expected)), `${sample.name}, ${way}`).toBeNull()
}

it('the graph and the loop interpreter agree with plain loops', () => {
  for (const sample of samples) {
    const graph = graphOf(record, sample)
    verify(graphDialect, graph.body)
    expectResult(interpretSample(graph, sample)[0]!, sample, 'graph')
    // One value at a time, millions of them would take minutes.
    if (!sample.name.includes('tiles')) expectResult(runLoops(graph, sample.inputs)[0]!, sample, 'loops')
  }
})

describe('plans give the reference', () => {
  const ways = [
    ['cpu', target, {}],
    ['cpu, small blocks', target, smallOn(target)],
    ['cuda, small blocks', gpu, smallOn(gpu)],
  ] as const
  for (const [name, on, options] of ways)
    it(name, () => {
      for (const sample of samples)
        expectResult(runPlan(planOf(graphOf(record, sample), true, options, on), sample.inputs)[0]!, sample, name)
    })

  it('of any sizes', () => {
    for (const sample of samples.filter(({ inputs }) => inputs.every(({ strides }) => strides === undefined)))
      for (const on of [target, gpu])
        expectResult(
          runPlan(planOf(symbolicGraphOf(record, sample), false, smallOn(on), on), sample.inputs)[0]!,
          sample,
          on.name,
        )
  })
})

const launches = (chosen: readonly Sample[], on: typeof target) =>
  chosen.flatMap(sample => {
    const { plan, lanes } = runPipeline(graphOf(record, sample), on)
    const [expected] = expectedResults(record, sample) as [HostTensor]
    return launchesOf(sample.name, plan, lanes, sample.inputs, () => toleranceOf(expected))
  })

it('simulated threads agree, and C where there is a compiler', { timeout: 180_000 }, () => {
  const own = launches(samples, target)
  for (const launch of own) expect(simulatedDifference(launch), launch.name).toBeNull()
  if (noCompiler !== null) return
  for (const [launch, problem] of nativeDifferences(own)) expect(problem, `${launch.name}, compiled`).toBeNull()
})

it('simulated blocks of GPU threads agree', { timeout: 180_000 }, () => {
  expectBlocks(
    launches(
      samples.filter((_, i) => i % 2 === 0 || i > 13),
      gpu,
    ),
  )
})

describe('called by users', () => {
  const ends = (...given: number[]): Tensor => tensor(given, { dtype: 'i32' })
  const numbers = (x: Tensor): number[] => Array.from(x.to('f32').dataSync('f32'))

  it('returns for each group its columns times its rows', () => {
    const [a, b] = [randn([4, 10]), randn([10, 3])]
    const out = groupedMatmul(a, b, ends(2, 2, 9))
    expect(out.shape).toEqual([3, 4, 3])
    const parts = [
      [0, 2],
      [2, 0],
      [2, 7],
    ] as const
    for (const [g, [from, length]] of parts.entries()) {
      const wanted = numbers(a.narrow(1, from, length).matmul(b.narrow(0, from, length)))
      for (const [i, value] of numbers(out.select(0, g)).entries()) expect(value).toBeCloseTo(wanted[i]!, 4)
    }
  })

  it('elements of other groups do not matter, even if they are NaN', () => {
    const a = tensor([[1, Number.NaN, 3, Number.POSITIVE_INFINITY]])
    const b = tensor([[1], [Number.NaN], [2], [0]])
    expect(groupedMatmul(a, b, ends(1, 2, 3)).toArray()).toEqual([[[1]], [[Number.NaN]], [[6]]])
  })

  it('is one kernel for any group sizes, including its epilogue', () => {
    const f = compile((a: Tensor, b: Tensor, offsets: Tensor) => groupedMatmul(a, b, offsets).relu())
    const [a, b] = [randn([5, 24]), randn([24, 6])]
    expect(String(f.explain(a, b, ends(3, 24)))).toContain('in 1 kernel')
    for (const given of [ends(3, 24), ends(0, 11), ends(24, 24)])
      expect(numbers(f(a, b, given))).toEqual(numbers(groupedMatmul(a, b, given).relu()))
  })

  it('is the gradient of the matrices of raggedMatmul, whose gradient for the rows takes their transposes', () => {
    const [x, w, dy, offsets] = [randn([9, 4]), randn([3, 5, 4]), randn([9, 5]), ends(2, 2, 8)]
    const dx = raggedMatmul(dy, w.transpose(1, 2), offsets)
    const dw = groupedMatmul(dy.t(), x, offsets)
    expect([dx.shape, dw.shape]).toEqual([x.shape, w.shape])
    const sum = (t: Tensor): number => numbers(t).reduce((all, value) => all + value, 0)
    // y is linear in either: ⟨dy, y⟩ = ⟨dx, x⟩ = ⟨dw, w⟩.
    const y = sum(raggedMatmul(x, w, offsets).mul(dy))
    expect(sum(dx.mul(x))).toBeCloseTo(y, 3)
    expect(sum(dw.mul(w))).toBeCloseTo(y, 3)
  })

  it('reports mismatches before anything is computed', () => {
    const [a, b] = [zeros([3, 8]), zeros([8, 2])]
    expect(() => groupedMatmul(a, zeros([7, 2]), ends(8))).toThrow('K differs')
    expect(() => groupedMatmul(a, zeros([2, 8, 2]), ends(8))).toThrow('are no [M, K] and [K, N]')
    expect(() => groupedMatmul(a, b, ends(8).reshape([1, 1]))).toThrow('offsets [1, 1]')
    expect(() => groupedMatmul(a, b, tensor([8]))).toThrow('offsets are f32')
    expect(() => groupedMatmul(a, b.to('f16'), ends(8))).toThrow('a and b are f32 and f16')
    expect(() => groupedMatmul(a.to('i32'), b.to('i32'), ends(8))).toThrow('multiplies f32, f16, bf16')
  })
})
