/**
 * Attention in parts: every sample of attention where many programs could run, and numbers of keys around the ends of parts
 * and blocks. The plan interpreted, C, and simulated blocks of GPU threads give the reference.
 */

import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import type { Graph } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { type Size, sizeSymbol } from '../../src/scalar/size.js'
import type { Plan } from '../../src/schedule/plan/plan.js'
import type { Dtype } from '../../src/types/dtype.js'
import { runPlan } from '../schedule/run.js'
import { difference, toleranceFor } from '../support/compare.js'
import { hasCompiler } from '../support/compiler.js'
import { type Launch, launchesOf } from '../support/launches.js'
import { expectedResults, graphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { attentionSamples } from '../support/samples-attention.js'
import { randomSpec } from '../support/tensor-spec.js'
import { expectNative } from './agreement.js'
import { onCpu, onGpu, type Way } from './attention-ways.js'

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

const inParts = (all: readonly Launch[]): readonly Launch[] =>
  all.filter(({ program }) => /partial|final/.test(program.name))

describe('every sample of attention', { timeout: 300_000 }, () => {
  for (const [name, samples] of Object.entries(attentionSamples)) {
    it(name, () => {
      const of = (way: Way): readonly Launch[] =>
        inParts(
          samples().flatMap(each =>
            launches(name as RecordName, each, way, graphOf(recordTable[name as RecordName], each)),
          ),
        )
      for (const way of [onCpu, ...onGpu]) {
        const found = of(way)
        if (way === onCpu) expect(found.length).toBeGreaterThan(10)
        way.expect(found)
      }
    })
  }
})

/** [batch, heads, queries, keys], heads of 16 in pairs on one of the keys. */
const operands = (heads: number, queries: number, keys: number, dtype: 'f32' | 'f16' | 'bf16') =>
  [
    [1, heads, queries, 16],
    [1, 2, keys, 16],
    [1, 2, keys, 16],
  ].map((shape, i) => randomSpec(i + 1, dtype, shape))

describe('numbers of keys around the ends of blocks and parts', { timeout: 300_000 }, () => {
  const lengths = [1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 127, 128, 129, 300]
  const cases = lengths.flatMap(keys =>
    ([1, 3] as const).map((queries, i) => {
      const dtype = (['f32', 'f16', 'bf16'] as const)[(keys + i) % 3]!
      return sample(`${dtype}, ${queries} queries, ${keys} keys`, ...operands(4, queries, keys, dtype), {
        enableGqa: true,
      })
    }),
  )
  const record = recordTable.scaledDotProductAttention
  const all = (way: Way): Launch[] =>
    cases.flatMap(each => launches('scaledDotProductAttention', each, way, graphOf(record, each)))

  for (const way of [onCpu, ...onGpu]) it(`on ${way.name}, simulated`, () => way.expect(all(way)))
  it.skipIf(!hasCompiler)('on a CPU (needs a C compiler)', () => expectNative(all(onCpu)))

  it('known only at the call: one plan', () => {
    const symbol = sizeSymbol('n', 0)
    const ofCall = (keys: Size) => [
      [2, 1, 16],
      [2, keys, 16],
      [2, keys, 16],
    ]
    const graph = buildGraph(
      ofCall(symbol).map(shape => ({ dtype: 'f16' as const, shape })),
      [],
      (b, inputs) => applyRecord(b, record, inputs.map(asValue)),
      [{ name: 'n', input: 1, kind: 'size', dim: 1 }],
    )
    for (const way of [onCpu, ...onGpu]) {
      const { plan, lanes } = runPipeline(graph, way.target, { policy: way.policy })
      expect(plan.kernels.map(({ name }) => name)).toEqual(['attention_partial', 'attention_final'])
      for (const keys of [0, 1, 16, 17, 33, 150]) {
        const each = sample(
          `${keys} keys`,
          ...ofCall(keys).map((shape, i) => randomSpec(i + 1, 'f16', shape as number[])),
        )
        expectLaunches(way, each, plan, lanes)
      }
    }
  })
})

function expectLaunches(way: Way, each: Sample, plan: Plan, lanes: readonly LaneProgram[]): void {
  const [expected] = expectedResults(recordTable.scaledDotProductAttention, each)
  const tolerance = (dtype: Dtype) => toleranceFor('scaledDotProductAttention', dtype)
  const label = `${each.name}, ${way.name}`
  expect(difference(runPlan(plan, each.inputs)[0]!, expected!, tolerance('f16')), label).toBeNull()
  way.expect(launchesOf(label, plan, lanes, each.inputs, tolerance))
}
