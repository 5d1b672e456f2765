/**
 * Groups of products under every strategy: what a call launches, run in the simulators (blocks of threads, with races
 * refused) and as C, gives the same bits.
 */

import { describe, expect, it } from 'vitest'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import type { Target } from '../../src/backends/target.js'
import { runPipeline, type Stages } from '../../src/compile/pipeline.js'
import { buildGraph, type InputSpec } from '../../src/graph/apply.js'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { print } from '../../src/ir/print.js'
import { nodesOf } from '../../src/ir/walk.js'
import { type LaneNode, laneDialect } from '../../src/lane/ir.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { quantFormat } from '../../src/types/quant.js'
import { noCompiler } from '../codegen/native.js'
import { assemble, noAssembler } from '../codegen/ptx/assemble.js'
import { gpu, gpuFacts, small as smallOn, target } from '../schedule/run.js'
import { difference } from '../support/compare.js'
import { inBlocks, inC, launchedNames, runLaunched, simulated, type Way } from '../support/launched.js'
import { expectedResults, graphOf } from '../support/record-graph.js'
import type { Sample } from '../support/samples.js'
import { groupedSamples } from './samples.js'

const record = quantRecords.groupedMatmul as OpRecord
const [sequential, persistent] = groupedSamples(['sequential', 'persistent']) as [Sample, Sample]

/** The results of what the stages launch. */
const run = (stages: Stages, sample: Sample, way: Way): HostTensor[] => runLaunched(stages, sample.inputs, way).results

const stagesOf = (sample: Sample, on: Target, policy?: SchedulePolicy): Stages =>
  runPipeline(graphOf(record, sample), on, policy === undefined ? {} : { policy })

function expectRight(results: readonly HostTensor[], sample: Sample): void {
  const tolerance = { relative: 2 ** -10, absolute: 0.05, anyZero: true }
  for (const [i, wanted] of expectedResults(record, sample).entries())
    expect(difference(results[i]!, wanted, tolerance), `result ${i}`).toBeNull()
}

function expectSame(results: readonly HostTensor[], others: readonly HostTensor[]): void {
  for (const [i, { data }] of results.entries())
    expect(
      data.findIndex((value, k) => !Object.is(value, others[i]!.data[k])),
      `result ${i}`,
    ).toBe(-1)
}

describe('persistent: one kernel for all matmuls, bitwise equal to sequential launches', () => {
  it.each([
    ['warps', { m: 32, n: 32, k: 32 }],
    ['warpgroups', { m: 64, n: 32, k: 32 }],
  ] as const)('blocks of threads claim tiles: %s', (by, matmul) => {
    const policy = cudaPolicy(gpuFacts, { ...cudaLimits, cuda: { ...cudaLimits.cuda, matmul } })
    const stages = [sequential, persistent].map(sample => stagesOf(sample, gpu, policy)) as [Stages, Stages]
    const [apart, joined] = stages.map((each, i) => run(each, [sequential, persistent][i]!, inBlocks))
    expectSame(joined!, apart!)
    expectRight(joined!, persistent)
    expect(launchedNames(stages[1]).filter(name => !name.includes('persistent'))).toEqual([])
    expect(launchedNames(stages[1])).toHaveLength(2)
    const ops = stages[1].launches.kernels.flatMap(({ lane }) => [...nodesOf<LaneNode>(lane.body)].map(({ op }) => op))
    expect(ops.includes('wgmma')).toBe(by === 'warpgroups')
  })

  for (const small of [false, true])
    it(`threads of the CPU claim tiles${small ? ', small blocks' : ''}`, () => {
      const stages = [sequential, persistent].map(sample =>
        stagesOf(sample, target, small ? smallOn(target).policy : undefined),
      ) as [Stages, Stages]
      const [apart, joined] = stages.map((each, i) => run(each, [sequential, persistent][i]!, simulated))
      expectSame(joined!, apart!)
      expectRight(joined!, persistent)
      expect(launchedNames(stages[1])).toHaveLength(1)
      if (noCompiler !== null || small) return
      expectSame(run(stages[1], persistent, inC(stages[1])), run(stages[0], sequential, inC(stages[0])))
    })
})

/** The kernels of a group of products of very different sizes, before any are joined. */
function productsOf(strategy: 'sequential' | 'streams' | 'graph' | 'persistent', dtype: 'f32' | 'bf16'): Stages {
  const sizes = [[1, 24, 40], [20, 130, 72], [200, 256, 129], [512, 512, 64]] as const // biome-ignore format: M, N, K
  const inputs = sizes.flatMap(([M, N, K]): InputSpec[] => [
    { dtype, shape: [M, K] },
    { dtype, shape: [N, K] },
  ])
  const groups = sizes.map(() => ({ a: null, b: null, outDtype: null }))
  const graph = buildGraph(inputs, [], (b, nodes) =>
    quantRecords.groupedMatmul.build(
      b,
      nodes.map(node => ({ node, isNumber: false })),
      { groups, strategy },
    ),
  )
  return runPipeline(graph, gpu)
}

it.each(['f32', 'bf16'] as const)(
  'each product of %s is lowered alike under every strategy, to the last sum',
  dtype => {
    const [first, ...others] = (['sequential', 'streams', 'graph', 'persistent'] as const).map(strategy =>
      productsOf(strategy, dtype).lanes.map(({ body }) => print(laneDialect, body)),
    )
    for (const other of others) expect(other).toEqual(first)
  },
  60_000,
)

it('a group with more operands than a kernel may have becomes several kernels', () => {
  const nv = quantFormat('test', 'nvfp4', {})
  const quant = { ...nv, layout: 'linear' as const }
  const parts = (rows: number): InputSpec[] => [
    { dtype: 'u8', shape: [rows, 32] },
    { dtype: 'u8', shape: [rows, 4] },
    { dtype: 'f32', shape: [] },
  ]
  const count = 60
  const inputs = Array.from({ length: count }, (_, i) => [...parts(i + 2), ...parts(16)]).flat()
  const groups = Array.from({ length: count }, () => ({ a: quant, b: quant, outDtype: 'f16' as const }))
  const graph = buildGraph(inputs, [], (b, nodes) =>
    quantRecords.groupedMatmul.build(
      b,
      nodes.map(node => ({ node, isNumber: false })),
      { groups, strategy: 'auto' },
    ),
  )
  const { launches, plan } = runPipeline(graph, gpu)
  expect(plan.steps).toHaveLength(count)
  const kernels = launches.kernels.filter(({ lane }) => lane.name.includes('persistent'))
  expect(kernels.length).toBeGreaterThan(2)
  expect(new Set(kernels.map(({ lane }) => lane.name)).size).toBe(kernels.length)
  for (const { lane } of kernels) expect(8 * (lane.args.length + 3)).toBeLessThanOrEqual(4096)
})

it.skipIf(noAssembler !== null)("the driver's assembler takes it, without spills", () => {
  const { source } = stagesOf(persistent, gpu)
  const messages = assemble(source, gpuFacts.arch)
  expect(messages).toContain('persistent')
  expect(messages).not.toMatch(/[1-9]\d* bytes spill/)
})
