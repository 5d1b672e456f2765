/**
 * Attention's gradients around the ends of blocks, in every form, and over random forms: the plan interpreted, C, and
 * simulated blocks of GPU threads give the derivative of the formula. ATTENTION_SEED=… replays a random case,
 * ATTENTION_CASES=… runs more.
 */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { runPlan, small, target } from '../schedule/run.js'
import {
  expectedGradients,
  type GradientCase,
  gradientDifference,
  gradientGraph,
  inputsOf,
} from '../support/attention-gradient.js'
import { toleranceFor } from '../support/compare.js'
import { hasCompiler } from '../support/compiler.js'
import { type Launch, launchesOf } from '../support/launches.js'
import { seededRandom } from '../support/tensor-spec.js'
import { expectNative, expectSimulated } from './agreement.js'
import { expectBlocks } from './agreement-cuda.js'
import { type Way as GpuWay, onGpu } from './attention-ways.js'

const plain = { dtype: 'f32', heads: 1, group: 1, queries: 5, keys: 7, depth: 4, columns: 3 } as const
/** In blocks of 2 queries and 3 keys, or 16 and 16, several of each, and one more or less than a multiple. */
const forms: readonly GradientCase[] = [
  { ...plain, name: 'plain' },
  { ...plain, name: 'whole blocks', queries: 6, keys: 6 },
  { ...plain, name: 'causal', mask: 'causal' },
  { ...plain, name: 'causal, more queries', queries: 9, keys: 4, mask: 'causal', lse: true },
  { ...plain, name: 'groups, strided', group: 2, heads: 2, layout: 'strided' },
  { ...plain, name: 'rows that see nothing', mask: 'bool' },
  { ...plain, name: 'hidden by −∞, dropped out', mask: 'hidden', dropout: 0.3 },
  { ...plain, name: 'added, f64', dtype: 'f64', mask: 'added', scale: -0.4 },
  { ...plain, name: 'window', queries: 13, keys: 13, mask: 'window' },
  { ...plain, name: 'one query, one key', queries: 1, keys: 1, depth: 1, columns: 1 },
]
const wide = { heads: 1, group: 1, queries: 33, keys: 31, depth: 20, columns: 16 } as const
const onWarps: readonly GradientCase[] = [
  { ...wide, name: 'f16', dtype: 'f16' },
  { ...wide, name: 'bf16, causal', dtype: 'bf16', mask: 'causal', queries: 48, keys: 48 },
  { ...wide, name: 'f16, dropped out', dtype: 'f16', mask: 'bool', dropout: 0.3, queries: 17 },
  { ...wide, name: 'f32, window', dtype: 'f32', mask: 'window', queries: 33, keys: 33 },
]

const first = Number(process.env.ATTENTION_SEED ?? 1)
const cases = Number(process.env.ATTENTION_CASES ?? (process.env.ATTENTION_SEED === undefined ? 6 : 1))

function randomCase(seed: number): GradientCase {
  const random = seededRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const mask = pick([undefined, 'causal', 'window', 'bool', 'added', 'hidden'] as const)
  const layout = pick([undefined, undefined, 'transposed', 'strided', 'offset'] as const)
  return {
    name: `seed ${seed}`,
    dtype: pick(['f32', 'f16', 'bf16', 'f64'] as const),
    heads: 1 + below(2),
    group: pick([1, 1, 2, 3]),
    queries: 1 + below(40),
    keys: 1 + below(40),
    depth: 1 + below(20),
    columns: 1 + below(20),
    ...(mask === undefined ? {} : { mask }),
    ...(layout === undefined ? {} : { layout }),
    ...(random() < 0.3 ? { scale: random() * 2 - 1 } : {}),
    ...(random() < 0.3 ? { dropout: random() } : {}),
    ...(random() < 0.3 ? { lse: true } : {}),
  }
}

type Way = Pick<GpuWay, 'name' | 'target'> & Partial<Pick<GpuWay, 'policy'>>
const ways: readonly Way[] = [
  { name: 'CPU', target },
  { name: 'CPU, small blocks', target, ...small(target) },
]

/** The launches of a case, whose plans as interpreted must give what the formula does. */
function launches(each: GradientCase, way: Way): Launch[] {
  const inputs = inputsOf(each)
  const options = way.policy === undefined ? {} : { policy: way.policy }
  const { plan, lanes } = runPipeline(gradientGraph(each, inputs), way.target, options)
  const problem = gradientDifference(runPlan(plan, inputs), expectedGradients(each, inputs))
  expect(problem, `${each.name}, ${way.name}: ${JSON.stringify(each)}`).toBeNull()
  const tolerance: Launch['tolerance'] = dtype => toleranceFor('scaledDotProductAttention', dtype)
  return launchesOf(`${each.name}, ${way.name}`, plan, lanes, inputs, tolerance)
}

const random = Array.from({ length: cases }, (_, i) => randomCase(first + i))

describe('gradients of attention', { timeout: 300_000 }, () => {
  const onCpu = (): Launch[] => [
    ...forms.flatMap(each => ways.flatMap(way => launches(each, way))),
    ...random.flatMap(each => launches(each, ways[0]!)),
  ]

  it('interpreter and lane simulator give the derivative', () => {
    expectSimulated(onCpu())
  })

  it.skipIf(!hasCompiler)('C gives it (needs a C compiler)', () => {
    expectNative(onCpu())
  })

  for (const way of onGpu)
    it(`blocks of threads of ${way.name} give it`, () => {
      // Simulated threads are slow.
      const some = [...onWarps, ...random.slice(0, Math.ceil(cases / 3))]
      expectBlocks(some.flatMap(each => launches(each, way)))
    })
})
