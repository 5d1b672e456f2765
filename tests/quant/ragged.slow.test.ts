/** Ragged products against their reference: graph interpreter, plans, lane simulator, C, blocks of GPU threads. */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { graphDialect } from '../../src/graph/ir.js'
import { raggedRecords } from '../../src/graph/ops/ragged.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { verify } from '../../src/ir/verify.js'
import { nodesOf } from '../../src/ir/walk.js'
import type { TileNode } from '../../src/tile/ir.js'
import { noCompiler } from '../codegen/native.js'
import { runLoops } from '../loop/run.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { gpu, planOf, runPlan, small as smallOn, target } from '../schedule/run.js'
import { difference, type Tolerance } from '../support/compare.js'
import { type Launch, launchesOf, nativeDifferences, simulatedDifference } from '../support/launches.js'
import { expectedResults, graphOf, interpretSample, symbolicGraphOf } from '../support/record-graph.js'
import { allSamples } from '../support/sample-choice.js'
import type { Sample } from '../support/samples.js'
import { onGpu } from '../support/tensors.js'
import { quantSamples } from './all-samples.js'
import { expectCompiled } from './everywhere.js'
import { endSamples, formatSamples, randomSamples, tiledSamples } from './ragged-samples.js'
import { codeTolerance } from './samples.js'

const dual = quantSamples.raggedDualMatmul()
const samples = [...quantSamples.raggedMatmul(), ...dual]
const recordOf = (sample: Sample): OpRecord =>
  (dual.includes(sample) ? raggedRecords.raggedDualMatmul : raggedRecords.raggedMatmul) as OpRecord
const epsilon: Partial<Record<string, number>> = { f32: 2 ** -22, f16: 2 ** -10, bf16: 2 ** -7 }

/** One rounding to the result, sums of products of f32, and of int8 and int4 the rounding to the activations' dtype. */
function toleranceOf(sample: Sample, { dtype, data }: HostTensor): Tolerance {
  const { name, inputs } = sample
  const scale = Math.max(0, ...data.map(value => Math.abs(Number(value))))
  const own = inputs[0]!.dtype === 'f16' || inputs[0]!.dtype === 'bf16' ? inputs[0]!.dtype : 'f32'
  const narrow = name.includes('int8 by') || name.includes('int4') || name.includes('× int8')
  return {
    relative: epsilon[dtype]!,
    absolute: scale * (2 ** -18 + (narrow ? 2 * epsilon[own]! : 0) + codeTolerance(sample)),
    anyZero: true,
  }
}

function expectResult(result: HostTensor, sample: Sample, way: string): void {
  const [expected] = expectedResults(recordOf(sample), sample) as [HostTensor]
  expect(difference(result, expected, toleranceOf(sample, expected)), `${sample.name}, ${way}`).toBeNull()
}

it('the graph and the loop interpreter agree with the reference', () => {
  for (const [i, sample] of samples.entries()) {
    const graph = graphOf(recordOf(sample), sample)
    verify(graphDialect, graph.body)
    expectResult(interpretSample(graph, sample)[0]!, sample, 'graph')
    if (i % 3 === 0 && !sample.name.includes('tiles')) expectResult(runLoops(graph, sample.inputs)[0]!, sample, 'loops')
  }
})

describe('plans give the reference', () => {
  const ways = [
    ['cpu', target, {}],
    ['cpu, small blocks', target, smallOn(target)],
    ['cuda', gpu, {}],
    ['cuda, small blocks', gpu, smallOn(gpu)],
  ] as const
  for (const [name, on, options] of ways)
    it(name, () => {
      // Formats come round by turns.
      const turn = ways.findIndex(way => way[0] === name)
      const chosen = allSamples
        ? samples
        : samples.filter((sample, i) => i % 4 === turn || sample.name.includes('tiles'))
      for (const sample of chosen) {
        const plan = planOf(graphOf(recordOf(sample), sample), true, options, on)
        expectResult(runPlan(plan, sample.inputs)[0]!, sample, name)
      }
    })

  it('for any ends', () => {
    for (const sample of randomSamples(allSamples ? 1000 : 60))
      for (const [name, on, options] of ways.slice(1))
        expectResult(
          runPlan(planOf(graphOf(recordOf(sample), sample), true, options, on), sample.inputs)[0]!,
          sample,
          name,
        )
  })

  it('with run-time sizes', () => {
    // Whether the ends have a start before them can only be told from known sizes.
    const isOpen = ({ inputs: [, b, ends] }: Sample): boolean => ends!.shape[0] === b!.shape[0]
    for (const sample of endSamples().filter(isOpen)) {
      if (sample.inputs.some(({ shape }) => shape.includes(0))) continue
      const graph = symbolicGraphOf(recordOf(sample), sample)
      for (const on of [target, gpu])
        expectResult(runPlan(planOf(graph, false, smallOn(on), on), sample.inputs)[0]!, sample, on.name)
    }
  })
})

function launches(on: typeof target | typeof gpu, small: boolean, list: readonly Sample[]): Launch[] {
  return list.flatMap(sample => {
    const { plan, lanes } = runPipeline(graphOf(recordOf(sample), sample), on, small ? smallOn(on) : {})
    const expected = expectedResults(recordOf(sample), sample)[0]!
    const label = `${sample.name}${small ? ', small blocks' : ''}`
    return launchesOf(label, plan, lanes, sample.inputs, () => toleranceOf(sample, expected))
  })
}

const some = (first: number): readonly Sample[] => (allSamples ? samples : samples.filter((_, i) => i % 9 === first))

it('tile interpreter, simulator and C (where there is a compiler) agree', () => {
  const [usual, small] = [launches(target, false, some(0)), launches(target, true, some(1))]
  for (const launch of [...usual, ...small]) expect(simulatedDifference(launch), `${launch.name}, simulated`).toBeNull()
  if (noCompiler === null)
    for (const [launch, problem] of nativeDifferences(usual)) expect(problem, `${launch.name}, compiled`).toBeNull()
})

it("blocks of GPU threads give the interpreter's results", () => {
  expectBlocks(launches(gpu, false, some(3)))
})

it.skipIf(!onGpu)('compiled (needs a GPU)', { timeout: 300_000 }, () => {
  const all = [...samples, ...tiledSamples()]
  for (const record of new Set(all.map(recordOf))) {
    const own = all.filter(sample => recordOf(sample) === record)
    const expectations = own.map(sample => ({ sample, results: expectedResults(record, sample) }))
    expectCompiled(record, expectations, (expected, sample) => toleranceOf(sample, expected))
  }
})

it('is one kernel: decodes operands, adds the bias, and does not store the row-to-group mapping', () => {
  for (const on of [target, gpu])
    for (const sample of [...formatSamples(), ...dual].filter(({ name }) => !name.includes('blocked'))) {
      const plan = planOf(graphOf(recordOf(sample), sample), true, {}, on)
      expect(plan.steps.length, `${sample.name}, ${on.name}`).toBe(1)
      expect(plan.buffers.filter(({ kind }) => kind === 'temp')).toEqual([])
    }
})

it('multiplies codes of 8-bit floats, and f32 in tf32, where a GPU supports it', () => {
  const dots = (sample: Sample, change: object = {}) => {
    const { kernels } = planOf({ ...graphOf(recordOf(sample), sample), ...change }, true, {}, gpu)
    const nodes = kernels.flatMap(({ body }) => [...nodesOf<TileNode>(body)])
    return nodes.flatMap(node => (node.op === 'dot' ? [node.attrs] : []))
  }
  const codes = samples.find(({ name }) => name === 'both fp8e5m2 by row linear')!
  expect(dots(codes)).toEqual([{ codes: ['f8e5m2', 'f8e5m2'] }])
  const plain = samples.find(({ name }) => name === 'f32, several tiles a group')!
  expect(dots(plain)).toEqual([{}])
  expect(dots(plain, { float32Matmul: 'tf32' })).toEqual([{ precision: 'tf32' }])
})
