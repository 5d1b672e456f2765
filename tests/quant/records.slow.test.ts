/** The quantised ops against their references: graph interpreter, tile interpreter, lane simulator, C, GPU blocks. */

import { describe, expect, it } from 'vitest'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { graphDialect } from '../../src/graph/ir.js'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { verify } from '../../src/ir/verify.js'
import { nodesOf } from '../../src/ir/walk.js'
import { cudaArchs } from '../../src/target/cuda.js'
import type { TileNode } from '../../src/tile/ir.js'
import { noCompiler } from '../codegen/native.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { gpu, gpuFacts, small as smallOn, target } from '../schedule/run.js'
import { difference, type Tolerance } from '../support/compare.js'
import { type Launch, launchesOf, nativeDifferences, simulatedDifference } from '../support/launches.js'
import { expectedResults, graphOf, interpretSample } from '../support/record-graph.js'
import { allSamples } from '../support/sample-choice.js'
import type { Sample } from '../support/samples.js'
import { onGpu } from '../support/tensors.js'
import { quantSamples } from './all-samples.js'
import { expectCompiled } from './everywhere.js'
import { codeTolerance, groupedSamples } from './samples.js'

type DotNode = Extract<TileNode, { op: 'dot' }>
type Name = keyof typeof quantRecords
const names = Object.keys(quantRecords) as Name[]
/** The strategies have a suite of their own, together.slow.test.ts. */
const samplesOf = (name: Name): readonly Sample[] =>
  name === 'groupedMatmul' ? groupedSamples(['auto']) : quantSamples[name]()
const samples = Object.fromEntries(names.map(name => [name, samplesOf(name)])) as Record<Name, readonly Sample[]>
const recordOf = (name: Name): OpRecord => quantRecords[name] as OpRecord

const products: readonly Name[] = ['scaledMatmul', 'dualMatmul', 'groupedMatmul']
const exact: Tolerance = { relative: 0, absolute: 0, anyZero: false }
const epsilon: Partial<Record<string, number>> = { f32: 2 ** -22, f16: 2 ** -10, bf16: 2 ** -7 }
/**
 * Conversions are exact to the bit. Products: one rounding to the result, sums of 128 products of f32, and (integers
 * with float scales) the rounding of decoded weights to the activations' dtype.
 */
const toleranceOf = (name: Name, sample: Sample, { dtype, data }: HostTensor): Tolerance => {
  if (!products.includes(name)) return exact
  const scale = Math.max(...data.map(value => Math.abs(Number(value))))
  const weights = sample.inputs.find(input => input.dtype === 'f16' || input.dtype === 'bf16')?.dtype ?? 'f32'
  const narrow = sample.name.includes('int8 by') || sample.name.includes('int4')
  const absolute = scale * (2 ** -18 + (narrow ? 2 * epsilon[weights]! : 0) + codeTolerance(sample))
  return { relative: epsilon[dtype]!, absolute, anyZero: true }
}

describe('the graph interpreter agrees with the reference', () => {
  for (const name of names)
    it(name, () => {
      for (const sample of samples[name]) {
        const graph = graphOf(recordOf(name), sample)
        verify(graphDialect, graph.body)
        const expected = expectedResults(recordOf(name), sample)
        for (const [i, result] of interpretSample(graph, sample).entries()) {
          const problem = difference(result, expected[i]!, toleranceOf(name, sample, expected[i]!))
          expect(problem, `${name}, ${sample.name}, result ${i}`).toBeNull()
        }
      }
    })
})

function launches(name: Name, on: typeof target | typeof gpu, small: boolean, list = samples[name]): Launch[] {
  return list.flatMap(sample => {
    const graph = graphOf(recordOf(name), sample)
    const { plan, lanes } = runPipeline(graph, on, small ? smallOn(on) : {})
    const label = `${name}, ${sample.name}${small ? ', small blocks' : ''}`
    const expected = expectedResults(recordOf(name), sample)
    return launchesOf(label, plan, lanes, sample.inputs, dtype => {
      const like = expected.find(result => result.dtype === dtype)
      return like === undefined ? { relative: 2 ** -8, absolute: 1e-3, anyZero: true } : toleranceOf(name, sample, like)
    })
  })
}

/** Every so many samples in the short mode: formats and layouts come round by turns. */
const some = (name: Name, first: number): readonly Sample[] =>
  allSamples ? samples[name] : samples[name].filter((_, i) => i % 5 === first)

describe('tile interpreter, simulator and C (where there is a compiler) agree on their kernels', () => {
  for (const name of names)
    it(name, () => {
      const [usual, small] = [launches(name, target, false, some(name, 0)), launches(name, target, true, some(name, 1))]
      for (const launch of [...usual, ...small])
        expect(simulatedDifference(launch), `${launch.name}, simulated`).toBeNull()
      if (noCompiler === null)
        for (const [launch, problem] of nativeDifferences(usual)) expect(problem, `${launch.name}, compiled`).toBeNull()
    })
})

describe("blocks of GPU threads give the interpreter's results", () => {
  for (const name of names) it(name, () => expectBlocks(launches(name, gpu, false, some(name, 2))))
})

describe.skipIf(!onGpu)('compiled (needs a GPU)', { timeout: 300_000 }, () => {
  for (const name of names)
    it(name, () => {
      const record = recordOf(name)
      const all = samples[name].map(sample => ({ sample, results: expectedResults(record, sample) }))
      expectCompiled(record, all, (expected, sample) => toleranceOf(name, sample, expected))
    })
})

describe('matmuls of two 8-bit floats', () => {
  const pairs = samples.scaledMatmul.filter(({ name }) => /^both fp8|^fp8/.test(name))
  const dotsOf = (sample: Sample, on: typeof target | typeof gpu): DotNode[] =>
    runPipeline(graphOf(recordOf('scaledMatmul'), sample), on).plan.kernels.flatMap(({ body }) =>
      [...nodesOf<TileNode>(body)].filter(node => node.op === 'dot'),
    )

  it('multiply codes where the target has instructions for them, else values', () => {
    expect(pairs.length).toBeGreaterThan(4)
    for (const sample of pairs) {
      expect(dotsOf(sample, gpu).map(({ attrs }) => attrs.codes !== undefined)).toEqual([true])
      for (const on of [target, targetForCuda({ ...gpuFacts, arch: cudaArchs.sm_80 })])
        for (const { attrs } of dotsOf(sample, on)) expect(attrs.codes).toBeUndefined()
    }
  })

  it('agree on blocks of GPU threads', () => expectBlocks(launches('scaledMatmul', gpu, false, pairs)))
})

describe('operands are decoded inside the matmul', () => {
  const weights = samples.scaledMatmul.filter(({ name }) => name.includes(' × ') && name.includes('linear'))
  for (const [device, on] of [
    ['cpu', target],
    ['cuda', gpu],
  ] as const)
    it(`one kernel, nothing decoded in global memory: ${device}`, () => {
      expect(weights.length).toBeGreaterThan(30)
      for (const sample of weights) {
        const { plan } = runPipeline(graphOf(recordOf('scaledMatmul'), sample), on)
        const decoded = plan.buffers.filter(({ kind }) => kind === 'temp')
        // A row times packed bytes may turn the row first.
        const isTurned = sample.inputs[0]!.shape[0] === 1 && /fp4|int4/.test(sample.name)
        expect(decoded.length, sample.name).toBeLessThanOrEqual(isTurned ? 1 : 0)
        expect(plan.steps.length, sample.name).toBeLessThanOrEqual(isTurned ? 2 : 1)
      }
    })
})
