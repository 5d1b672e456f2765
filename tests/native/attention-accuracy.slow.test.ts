/**
 * Attention over several blocks of keys is, in every tile of its result, no further from float64 than twice the formula
 * written out in the same dtype: causal, masked, grouped, with heads of up to 256; as kernels for the CPU and for a GPU.
 */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { compile, type Tensor, tensor } from '../../src/index.js'
import { gpu, runPlan } from '../schedule/run.js'
import { hasCompiler } from '../support/compiler.js'
import { expectedResults, graphOf } from '../support/record-graph.js'
import { allSamples } from '../support/sample-choice.js'
import { sample } from '../support/sample-kinds.js'
import { attentionSizes } from '../support/samples-attention.js'
import { randomSpec, spec, type TensorSpec } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf, testDevice } from '../support/tensors.js'

const record = recordTable.scaledDotProductAttention

interface Case {
  readonly name: string
  readonly dtype: 'f32' | 'f16' | 'bf16'
  /** [heads, queries, depth], [heads of keys, keys, depth], [heads of keys, keys, columns]. */
  readonly shapes: readonly [readonly number[], readonly number[], readonly number[]]
  readonly mask: 'none' | 'causal' | 'bool' | 'added'
}

const dtypes = ['f32', 'f16', 'bf16'] as const
const masks = ['none', 'causal', 'bool', 'added'] as const

/** Sizes, dtypes and masks by turns; TEST_SAMPLES=all: each with each. */
const cases: readonly Case[] = attentionSizes.flatMap(([queries, keys, depth, columns, heads, group], i) =>
  dtypes.flatMap((dtype, d) =>
    masks.flatMap((mask, m): Case[] => {
      if (!allSamples && (m !== (i + d) % masks.length || d === (i + 1) % dtypes.length)) return []
      const shared = heads / group
      return [
        {
          name: `${dtype}, ${heads}×${queries}×${depth} by ${shared}×${keys}×${columns}, ${mask}`,
          dtype,
          shapes: [
            [heads, queries, depth],
            [shared, keys, depth],
            [shared, keys, columns],
          ],
          mask,
        },
      ]
    }),
  ),
)

const inputsOf = ({ dtype, shapes }: Case): TensorSpec[] =>
  shapes.map((shape, i) => randomSpec(i + shape[1]!, dtype, [1, ...shape]))

/** Every query sees the first key. */
function maskOf({ mask, dtype, shapes: [[, queries], [, keys]] }: Case): TensorSpec | null {
  if (mask === 'none' || mask === 'causal') return null
  const random = randomSpec(9, 'f32', [queries!, keys!]).data.map(Number)
  if (mask === 'added') return spec(dtype, [queries!, keys!], random)
  return spec(
    'bool',
    [queries!, keys!],
    random.map((value, at) => (at % keys! === 0 || value > -0.5 ? 1 : 0)),
  )
}

const isGrouped = ({ shapes: [q, k] }: Case): boolean => q[0] !== k[0]
const optionsOf = (each: Case) => ({
  ...(each.mask === 'causal' ? { isCausal: true } : {}),
  ...(isGrouped(each) ? { enableGqa: true } : {}),
})

function sampleOf(each: Case) {
  const mask = maskOf(each)
  return sample(each.name, ...inputsOf(each), { ...optionsOf(each), ...(mask && { attnMask: mask }) })
}

const exacts = new Map<string, readonly number[]>()

function exactOf(each: Case): readonly number[] {
  const known = exacts.get(each.name)
  if (known !== undefined) return known
  const own = sampleOf(each)
  const inputs = own.inputs.map(input => (input.dtype === 'bool' ? input : { ...input, dtype: 'f64' as const }))
  const exact = expectedResults(record, { ...own, inputs })[0]!.data.map(Number)
  exacts.set(each.name, exact)
  return exact
}

/** The formula, every step in the dtype. */
function naive(each: Case): Tensor {
  const [q, k, v] = inputsOf(each).map(tensorOf) as [Tensor, Tensor, Tensor]
  const { shapes, mask } = each
  const group = shapes[0][0]! / shapes[1][0]!
  const [keys, values] = [k, v].map(x => (group === 1 ? x : x.repeatInterleave(group, 1))) as [Tensor, Tensor]
  let scores = q.matmul(keys.transpose(-2, -1)).mul(1 / Math.sqrt(shapes[0][2]!))
  const given = maskOf(each)
  if (mask === 'added') scores = scores.add(tensorOf(given!))
  if (mask === 'bool') scores = scores.maskedFill(tensorOf(given!).logicalNot(), Number.NEGATIVE_INFINITY)
  if (mask === 'causal') {
    const [queries, length] = [shapes[0][1]!, shapes[1][1]!]
    const hidden = Array.from({ length: queries }, (_, i) => Array.from({ length }, (_, j) => j > i))
    scores = scores.maskedFill(tensor(hidden, { device: testDevice }), Number.NEGATIVE_INFINITY)
  }
  return scores.softmax(-1).matmul(values)
}

const tileRows = 32

/** The largest distance from float64 in every tile of 32 queries of a head; the last tile reaches back to be a whole one. */
function errorsOf({ shapes }: Case, data: readonly (number | bigint)[], exact: readonly number[]): number[] {
  const [heads, queries, columns] = [shapes[0][0]!, shapes[0][1]!, shapes[2][2]!]
  const distance = exact.map((value, i) => Math.abs(Number(data[i]) - value))
  return Array.from({ length: heads }, (_, head) => head).flatMap(head =>
    Array.from({ length: Math.ceil(queries / tileRows) }, (_, tile) => {
      const first = Math.max(0, Math.min(tile * tileRows, queries - tileRows))
      const from = (head * queries + first) * columns
      const tileErrors = distance.slice(from, from + Math.min(tileRows, queries) * columns)
      return tileErrors.some(Number.isNaN) ? Number.POSITIVE_INFINITY : Math.max(...tileErrors)
    }),
  )
}

/** In one row the formula may be exact by chance: a few units in the last place of f32 are no loss. */
const unnoticed = 4 * 2 ** -23

function expectNear(each: Case, got: readonly (number | bigint)[], formula: readonly number[], how: string): void {
  for (const [tile, error] of errorsOf(each, got, exactOf(each)).entries())
    expect(error, `${each.name}, ${how}, tile ${tile}`).toBeLessThanOrEqual(Math.max(2 * formula[tile]!, unnoticed))
}

describe.skipIf(!hasCompiler)('attention and float64 (needs a C compiler)', { timeout: 300_000 }, () => {
  const formulas = new Map<Case, number[]>()
  const formulaOf = (each: Case): number[] => {
    const known = formulas.get(each) ?? errorsOf(each, hostOfTensor(naive(each)).data, exactOf(each))
    formulas.set(each, known)
    return known
  }

  it('compiled', () => {
    const given = cases.map(each => ({ inputs: inputsOf(each).map(tensorOf), mask: maskOf(each) }))
    const calls = given.map(({ inputs, mask }) => ({ inputs, mask: mask === null ? null : tensorOf(mask) }))
    const all = compile((list: typeof calls) =>
      list.map(({ inputs: [q, k, v], mask }, i) =>
        q!.scaledDotProductAttention(k!, v!, { ...optionsOf(cases[i]!), ...(mask === null ? {} : { attnMask: mask }) }),
      ),
    )
    for (const [i, result] of all(calls).entries())
      expectNear(cases[i]!, hostOfTensor(result).data, formulaOf(cases[i]!), 'compiled')
  })

  it('hand-written, and recognised', () => {
    const each = cases.find(({ mask, dtype }) => mask === 'none' && dtype !== 'f32')!
    const written = compile((q: Tensor, k: Tensor, v: Tensor) =>
      q
        .matmul(k.transpose(-2, -1))
        .mul(1 / Math.sqrt(each.shapes[0][2]!))
        .softmax(-1)
        .matmul(v),
    )
    const inputs = inputsOf(each).map(tensorOf) as [Tensor, Tensor, Tensor]
    expect(written.explain(...inputs).kernels.length).toBe(1)
    const plain = { ...each, mask: 'none' as const }
    expectNear(plain, hostOfTensor(written(...inputs)).data, formulaOf(each), 'written out')
  })

  it('as kernels for a GPU', () => {
    for (const each of allSamples ? cases : cases.filter((_, i) => i % 8 === 0)) {
      const own = sampleOf(each)
      const { plan } = runPipeline(graphOf(record, own), gpu)
      expectNear(each, runPlan(plan, own.inputs)[0]!.data, formulaOf(each), 'kernels for a GPU')
    }
  })
})
