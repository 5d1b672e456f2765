/**
 * Products against float64: every pair of what a side may be, over sizes that divide nothing, batches, views and blocked
 * scales, on every way that an op can take; eager and compiled as people call them.
 */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { noCompiler } from '../codegen/native.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { gpu, runPlan, target } from '../schedule/run.js'
import { type Launch, launchesOf, nativeDifferences } from '../support/launches.js'
import { graphOf, interpretSample } from '../support/record-graph.js'
import { allSamples } from '../support/sample-choice.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { arg, type Layout, randomSpec, type TensorSpec } from '../support/tensor-spec.js'
import {
  argumentOf,
  type Bounded,
  gatedOf,
  kinds,
  operandOf,
  outOfBound,
  outOfHalf,
  productOf,
  resultDtype,
} from './operands.js'

interface Case {
  readonly sample: Sample
  readonly want: Bounded
  /** Both sides nvfp4, the result f16. */
  readonly isHalf: boolean
}

const layouts: readonly Layout[] = ['dense', 'offset', 'strided', 'transposed']
const pick = <T>(list: readonly T[], turn: number): T => list[turn % list.length]!

/** Sizes, layouts, batches and the result's dtype go round by turns. */
function productCase(left: number, right: number): Case {
  const [one, other] = [kinds[left]!, kinds[right]!]
  const turn = left * 7 + right * 3
  const [M, N, K] = [
    pick([3, 1, 17, 7], turn),
    pick([5, 19, 1, 9, 33], turn + left),
    32 * pick([1, 3, 2], turn + right),
  ]
  const lead = turn % 5 === 2 ? [2] : []
  const a = operandOf(one, left * 50 + right, [...lead, M, K], pick(layouts, turn))
  const b = operandOf(other, right * 50 + left + 1, [...(turn % 2 === 0 ? lead : []), N, K], pick(layouts, turn + 1))
  const bias = turn % 3 === 0 ? randomSpec(turn, 'f16', [N]) : null
  const isHalf = one.name.startsWith('nvfp4') && other.name.startsWith('nvfp4')
  const outDtype = isHalf ? 'f16' : turn % 4 === 1 ? pick(['f16', 'bf16', 'f32'] as const, left) : null
  const inputs = [...a.parts, ...b.parts, ...(bias === null ? [] : [bias])]
  const options = { bias: bias === null ? null : arg(inputs.length - 1), outDtype }
  const name = `${one.name} [${a.shape}] × ${other.name} [${b.shape}]${outDtype === null ? '' : ` → ${outDtype}`}`
  return {
    sample: sample(name, inputs, [argumentOf(a, 0), argumentOf(b, a.parts.length), options]),
    want: productOf(a, b, outDtype ?? resultDtype(a, b), bias === null ? null : bias.data.map(Number)),
    isHalf,
  }
}

const pairs: readonly Case[] = kinds.flatMap((_, left) => kinds.map((_, right) => productCase(left, right)))

function dualCase(i: number): Case {
  const activation = pick(['silu', 'gelu', 'relu'] as const, i)
  const [one, two, three] = [pick(kinds, i), pick(kinds, i * 4 + 3), pick(kinds, i % 2 === 0 ? i * 4 + 3 : i * 2 + 1)]
  const [M, N, K] = [pick([3, 1, 17], i), pick([19, 5, 33], i), 32 * pick([3, 1, 2], i)]
  const lead = i % 4 === 1 ? [2] : []
  const a = operandOf(one, i, [...lead, M, K], pick(layouts, i))
  const [b1, b2] = [two, three].map((kind, j) => operandOf(kind, 100 + 2 * i + j, [N, K], pick(layouts, i + j)))
  const biases = [i % 3 === 0, i % 2 === 0].map((has, j) => (has ? randomSpec(i + j, 'f32', [N]) : null))
  const outDtype = pick([null, 'f16', 'f32', 'bf16'] as const, i)
  const sides = [a, b1!, b2!]
  const inputs: TensorSpec[] = [...sides.flatMap(({ parts }) => parts)]
  const [bias1, bias2] = biases.map(bias => (bias === null ? null : arg(inputs.push(bias) - 1)))
  const starts = [0, a.parts.length, a.parts.length + b1!.parts.length]
  const operands = sides.map((side, j) => argumentOf(side, starts[j]!))
  const dtype = outDtype ?? ('dtype' in a.kind ? a.kind.dtype : 'f32')
  const product = (b: typeof a, j: number) => productOf(a, b, 'f32', biases[j]?.data.map(Number) ?? null)
  return {
    sample: sample(`${activation}: ${sides.map(({ kind }) => kind.name).join(', ')}`, inputs, [
      ...operands,
      { bias1: bias1 ?? null, bias2: bias2 ?? null, activation, outDtype },
    ]),
    want: gatedOf(activation, product(b1!, 0), product(b2!, 1), dtype),
    isHalf: false,
  }
}
const duals: readonly Case[] = Array.from({ length: 2 * kinds.length }, (_, i) => dualCase(i))

function check({ sample, want, isHalf }: Case, [got]: readonly HostTensor[], how: string): void {
  expect(outOfBound(got!, want), `${sample.name}, ${how}`).toBeNull()
  if (isHalf) expect(outOfHalf(got!, want), `${sample.name}, ${how}`).toBeNull()
}

/** The launches of a case whose plan, interpreted, is within its bound. */
function launches(record: OpRecord, each: Case, on: typeof target | typeof gpu): Launch[] {
  const { plan, lanes } = runPipeline(graphOf(record, each.sample), on)
  check(each, runPlan(plan, each.sample.inputs), `kernels for ${on.kind}`)
  const absolute = Math.max(...each.want.bound)
  return launchesOf(each.sample.name, plan, lanes, each.sample.inputs, dtype =>
    dtype === each.want.dtype
      ? { relative: 0, absolute, anyZero: true }
      : { relative: 2 ** -8, absolute: 1e-3, anyZero: true },
  )
}

const some = <T>(list: readonly T[], every: number, first: number): readonly T[] =>
  allSamples ? list : list.filter((_, i) => i % every === first)

describe.each([
  ['scaledMatmul', pairs],
  ['dualMatmul', duals],
] as const)('%s against float64', (name, cases) => {
  const record = quantRecords[name] as OpRecord

  it('graph interpreter', { timeout: 300_000 }, () => {
    for (const each of cases)
      check(each, interpretSample(graphOf(record, each.sample), each.sample), 'graph interpreter')
  })

  it('kernels for the CPU, and their C', { timeout: 300_000 }, () => {
    const list = some(cases, 3, 1).flatMap(each => launches(record, each, target))
    if (noCompiler !== null) return
    for (const [launch, problem] of nativeDifferences(list)) expect(problem, `${launch.name}, C`).toBeNull()
  })

  it('kernels for a GPU', { timeout: 300_000 }, () => {
    expectBlocks(some(cases, 9, 2).flatMap(each => launches(record, each, gpu)))
  })
})
