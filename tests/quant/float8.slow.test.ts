/**
 * Linear layers in 8-bit floats against their reference: graph interpreter, the plan's kernels interpreted, C, simulated blocks
 * of GPU threads, and the device of the suites; and how their kernels multiply.
 */
import { describe, expect, it } from 'vitest'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import type { Target } from '../../src/backends/target.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { buildGraph } from '../../src/graph/apply.js'
import { vjp } from '../../src/graph/derivatives/modes.js'
import { float8Records } from '../../src/graph/ops/float8.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { nodesOf } from '../../src/ir/walk.js'
import { cudaArchs } from '../../src/target/cuda.js'
import type { TileNode } from '../../src/tile/ir.js'
import { gpu, gpuFacts, target } from '../schedule/run.js'
import type { Tolerance } from '../support/compare.js'
import { expectedResults } from '../support/record-graph.js'
import { allSamples } from '../support/sample-choice.js'
import type { Sample } from '../support/samples.js'
import { type Expectation, expectC, expectCompiled, expectInterpreted, expectSimulatedGpu } from './everywhere.js'
import { linearSamples, magnitudeSamples, oddSamples, scaleSamples, sizedSamples } from './float8-samples.js'

const record = float8Records.fp8Linear as OpRecord
const expectations = (of: OpRecord, samples: readonly Sample[]): Expectation[] =>
  samples.map(sample => ({ sample, results: expectedResults(of, sample) }))

/** Operands are exact; what differs is the order of sums in f32, on tensor cores with 14 bits, and one rounding. */
const tolerance = ({ dtype, data }: HostTensor): Tolerance => {
  const finite = data.map(Number).filter(Number.isFinite)
  const most = finite.reduce((all, value) => Math.max(all, Math.abs(value)), 0)
  return {
    relative: { bf16: 2 ** -7, f16: 2 ** -10 }[dtype as string] ?? 2 ** -20,
    absolute: most * 2 ** -11,
    anyZero: true,
  }
}

/** Threads take their time: in the short mode the small ones, and every fourth odd one. */
const simulated = allSamples
  ? linearSamples()
  : [...sizedSamples().slice(0, 9), ...oddSamples().filter((_, i) => i % 4 === 1)]

describe('fp8Linear agrees with its reference', () => {
  it('by the graph interpreter', () => expectInterpreted(record, expectations(record, linearSamples()), tolerance))
  it('as C', () => expectC(record, expectations(record, linearSamples()), tolerance))
  it('on blocks of GPU threads', () =>
    expect(expectSimulatedGpu(record, expectations(record, simulated), tolerance)).toEqual([]))
  it('compiled', () => expectCompiled(record, expectations(record, linearSamples()), tolerance))
})

describe('magnitudes and scales are exact', () => {
  for (const [name, samples] of [
    ['largestMagnitude', magnitudeSamples()],
    ['float8Scale', scaleSamples()],
  ] as const)
    it(name, () => {
      const own = float8Records[name] as OpRecord
      expectInterpreted(own, expectations(own, samples))
      expectC(own, expectations(own, samples))
      expectSimulatedGpu(own, expectations(own, samples))
      expectCompiled(own, expectations(own, samples))
    })
})

describe('products', () => {
  /** The operands of the dots of a layer's forward and backward pass. */
  function dotsOf(on: Target, scaling: 'tensor' | 'block'): readonly (readonly string[] | undefined)[] {
    const inputs = [
      { dtype: 'bf16', shape: [96, 256] },
      { dtype: 'f32', shape: [160, 256] },
      { dtype: 'bf16', shape: [96, 160] },
    ] as const
    const graph = buildGraph(inputs, [], (b, [x, weight, g]) => {
      const attrs = { hasBias: false, scaling, isObserved: false, gradients: 'f8e5m2' as const, outDtype: null }
      const operands = [x!, weight!].map(node => ({ node, isNumber: false }))
      const outputs = record.build(b, operands, attrs)
      const gradients = vjp(b, { outputs, cotangents: [g!], inputs: [x!, weight!] })
      return [...outputs, ...gradients.map(gradient => gradient!)]
    })
    return runPipeline(graph, on).plan.kernels.flatMap(({ body }) =>
      [...nodesOf<TileNode>(body)].flatMap(node => (node.op === 'dot' ? [node.attrs.codes] : [])),
    )
  }

  it('multiply codes, forward and backward, where the target has instructions for them', () => {
    const pairs = dotsOf(gpu, 'tensor').map(codes => [...codes!].sort().join())
    expect(pairs.sort()).toEqual(['f8e4m3,f8e4m3', 'f8e4m3,f8e5m2', 'f8e4m3,f8e5m2'])
  })

  it('multiply values elsewhere', () => {
    for (const on of [target, targetForCuda({ ...gpuFacts, arch: cudaArchs.sm_80 })])
      expect(dotsOf(on, 'tensor')).toEqual([undefined, undefined, undefined])
  })
})
