/**
 * Attention over random sizes, masks, groups, layouts and dtypes: the plan interpreted, C, and simulated blocks of GPU
 * threads give the reference. ATTENTION_SEED=… replays a case, ATTENTION_CASES=… runs more.
 */

import { describe, expect, it } from 'vitest'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import type { Target } from '../../src/backends/target.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { compile, type Tensor, tensor } from '../../src/index.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import type { Dtype } from '../../src/types/dtype.js'
import { gpu, gpuFacts, runPlan, small, smallLimits, target } from '../schedule/run.js'
import { difference, toleranceFor } from '../support/compare.js'
import { hasCompiler } from '../support/compiler.js'
import { type Launch, launchesOf } from '../support/launches.js'
import { expectedResults, graphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { randomSpec, seededRandom, spec, type TensorSpec, withLayout } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'
import { expectNative, expectSimulated } from './agreement.js'
import { expectBlocks } from './agreement-cuda.js'

const name = 'scaledDotProductAttention'
const record = recordTable[name]
const first = Number(process.env.ATTENTION_SEED ?? 1)
const cases = Number(process.env.ATTENTION_CASES ?? (process.env.ATTENTION_SEED === undefined ? 6 : 1))

const dtypes: readonly Dtype[] = ['f32', 'f16', 'bf16', 'f64']

function randomSample(seed: number): Sample {
  const random = seededRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const dtype = pick(dtypes)
  const [queries, keys, depth, columns] = [1 + below(40), 1 + below(40), 1 + below(20), 1 + below(20)]
  const group = pick([1, 1, 2, 3])
  const heads = 1 + below(2)
  const shapes = [
    [2, heads * group, queries, depth],
    [2, heads, keys, depth],
    [2, heads, keys, columns],
  ]
  const inputs: TensorSpec[] = shapes.map((shape, i) => {
    const plain = randomSpec(seed * 10 + i, dtype, shape)
    return random() < 0.3 ? withLayout(plain, pick(['transposed', 'strided', 'offset'] as const)) : plain
  })
  const mask = pick(['none', 'causal', 'bool', 'added', 'row', 'hidden'] as const)
  const options: Record<string, unknown> = group === 1 ? {} : { enableGqa: true }
  if (random() < 0.3) options.scale = random() * 2 - 1
  if (mask === 'causal') options.isCausal = true
  else if (mask !== 'none') options.attnMask = maskOf(mask, seed, dtype, heads * group, queries, keys)
  const text = shapes.map(shape => shape.join('×')).join(', ')
  return sample(`seed ${seed}: ${dtype} ${text}, ${mask}`, ...inputs, options)
}

function maskOf(
  kind: 'bool' | 'added' | 'row' | 'hidden',
  seed: number,
  dtype: Dtype,
  heads: number,
  queries: number,
  keys: number,
): TensorSpec {
  if (kind === 'bool') return randomSpec(seed, 'bool', [queries, keys])
  if (kind === 'row') return randomSpec(seed, 'bool', [heads, 1, keys])
  if (kind === 'added') return randomSpec(seed, dtype, [2, 1, queries, keys])
  const random = seededRandom(seed)
  const values = Array.from({ length: queries * keys }, (_, i) =>
    Math.floor(i / keys) % 3 === 1 || random() < 0.3 ? Number.NEGATIVE_INFINITY : random(),
  )
  return spec(dtype, [queries, keys], values)
}

interface Way {
  readonly name: string
  readonly target: Target
  readonly policy?: SchedulePolicy
}
const ways: readonly Way[] = [
  { name: 'CPU', target },
  { name: 'CPU, small blocks', target, ...small(target) },
  { name: 'GPU', target: gpu },
  // Whole warps of rows: what the matrix units take, but several blocks of keys.
  {
    name: 'GPU, few keys',
    target: gpu,
    policy: cudaPolicy(gpuFacts, { ...smallLimits, attention: { queries: 16, keys: 16 } }),
  },
]

/** The launches of a case, whose plans as interpreted must give the reference. */
function launches(each: Sample, way: Way): Launch[] {
  const { plan, lanes } = runPipeline(
    graphOf(record, each),
    way.target,
    way.policy === undefined ? {} : { policy: way.policy },
  )
  const [expected] = expectedResults(record, each)
  const problem = difference(runPlan(plan, each.inputs)[0]!, expected!, toleranceFor(name, expected!.dtype))
  expect(problem, `${each.name}, ${way.name}`).toBeNull()
  return launchesOf(`${each.name}, ${way.name}`, plan, lanes, each.inputs, dtype => toleranceFor(name, dtype))
}

const samples = Array.from({ length: cases }, (_, i) => randomSample(first + i))

describe(`attention, seeds ${first} to ${first + cases - 1}`, { timeout: 300_000 }, () => {
  const onCpu = (): Launch[] => samples.flatMap(each => ways.slice(0, 2).flatMap(way => launches(each, way)))

  it('interpreter and lane simulator give the reference', () => {
    expectSimulated(onCpu())
  })

  it.skipIf(!hasCompiler)('C gives it (needs a C compiler)', () => {
    expectNative(onCpu())
  })

  it('blocks of GPU threads give the reference', () => {
    // Simulated threads are slow.
    const half = samples.slice(0, Math.ceil(samples.length / 2))
    expectBlocks(half.flatMap(each => ways.slice(2).flatMap(way => launches(each, way))))
  })
})

describe('fully masked rows', () => {
  const [q, k, v] = [1, 2, 3].map(seed => randomSpec(seed, 'f32', [4, 8])).map(tensorOf) as [Tensor, Tensor, Tensor]
  const seen = tensor([
    [true, false, true, true],
    [false, false, false, false],
    [false, true, true, true],
    [false, false, false, false],
  ])
  const isRow = (result: Tensor, row: number, test: (value: number) => boolean): boolean =>
    hostOfTensor(result.select(0, row)).data.every(value => test(Number(value)))

  it.skipIf(!hasCompiler)('are 0, and NaN where the softmax is written out (needs a C compiler)', () => {
    const builtIn = compile((mask: Tensor) => q.scaledDotProductAttention(k, v, { attnMask: mask }))(seen)
    const written = compile((mask: Tensor) =>
      q.matmul(k.t()).mul(0.5).maskedFill(mask.logicalNot(), Number.NEGATIVE_INFINITY).softmax(-1).matmul(v),
    )
    expect(written.explain(seen).kernels.length).toBe(1)
    for (const row of [0, 2]) expect(isRow(builtIn, row, Number.isFinite)).toBe(true)
    for (const row of [1, 3]) {
      expect(isRow(builtIn, row, value => value === 0)).toBe(true)
      expect(isRow(written(seen), row, Number.isNaN)).toBe(true)
    }
  })
})
