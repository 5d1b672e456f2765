/**
 * No result is further from float64 than twice what a plain evaluation in the same dtype is, which rounds after each op.
 * Errors count in units of the last place of the tensor's largest value. Rounding a result once costs up to half of one,
 * and a plain evaluation may be lucky: of thousands of values hardly, of the few dozen of a sample more easily.
 */
import { describe, expect, it } from 'vitest'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import { isFloat } from '../../src/types/dtype.js'
import { hasCompiler } from '../support/compiler.js'
import { allSamples } from '../support/sample-choice.js'
import { sample } from '../support/sample-kinds.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { count, randomSpec } from '../support/tensor-spec.js'
import { type Case, compiledResults, errorsOf, inDtype, type Narrow, plainResults, spacing } from './accuracy.js'

const categories = new Set(['pointwise', 'reduction', 'normalisation', 'matmul'])
const dtypes = Object.keys(spacing) as Narrow[]
/** Every other op takes one of the 16-bit dtypes too, by turns; all take both with TEST_SAMPLES=all. */
const halves = ['f16', 'bf16'] as const
const perUnit = 24
/** What may be lost however little a plain evaluation loses. */
const [leastOfMany, leastOfFew] = [1, 1.5]

const usable = ({ inputs }: Sample): boolean =>
  inputs.some(({ dtype }) => isFloat(dtype)) &&
  inputs.every(
    ({ dtype, strides, data }) =>
      (dtype === 'f32' || !isFloat(dtype)) && (strides ?? []).every(s => s >= 0) && data.every(fits),
  )
const fits = (value: number | bigint): boolean => Number.isFinite(Number(value)) && Math.abs(Number(value)) <= 100

/**
 * The largest samples of ordinary f32 numbers: one, or two with TEST_SAMPLES=all. Of equally large ones those with the most
 * results: of two sums whose terms cancel, the order of the terms decides which evaluation is lucky.
 */
function usualSamples(name: RecordName): readonly Sample[] {
  const size = ({ inputs }: Sample): number => Math.max(...inputs.map(({ shape }) => count(shape)))
  const list = samplesFor(name).filter(usable)
  const most = Math.max(...list.map(size))
  const results = (sample: Sample): number => (size(sample) < most ? 0 : plainResults({ name, sample })[0]!.data.length)
  return list
    .map(sample => ({ sample, results: results(sample) }))
    .sort((a, b) => size(b.sample) - size(a.sample) || b.results - a.results)
    .slice(0, allSamples ? 2 : 1)
    .map(({ sample }) => sample)
}

/** The ops whose results, over all their samples, are further off than allowed. */
function check(cases: readonly Case[], dtype: Narrow, least: number, key = ({ name }: Case): string => name): string[] {
  const narrow = cases.map(({ name, sample }) => ({ name, sample: inDtype(sample, dtype) })).filter(canRun)
  if (narrow.length === 0) return []
  const results = compiledResults(narrow)
  const worst = new Map<string, { compiled: number; plain: number }>()
  for (const [i, each] of narrow.entries()) {
    const errors = errorsOf(each, dtype, results[i]!)
    if (errors === null) continue
    const before = worst.get(key(each)) ?? { compiled: 0, plain: 0 }
    const [compiled, plain] = [Math.max(before.compiled, errors.compiled), Math.max(before.plain, errors.plain)]
    worst.set(key(each), { compiled, plain })
  }
  return [...worst]
    .filter(([, { compiled, plain }]) => !(compiled <= Math.max(2 * plain, least)))
    .map(
      ([name, { compiled, plain }]) =>
        `${name} ${dtype}: ${compiled.toPrecision(3)} units off, plain ${plain.toPrecision(3)}`,
    )
}

/** Some ops refuse some dtypes, which conformance covers. */
function canRun(each: Case): boolean {
  try {
    plainResults(each)
    return true
  } catch {
    return false
  }
}

const names = recordNames.filter(name => categories.has(recordTable[name].category) && usualSamples(name).length > 0)
const cases = (list: readonly RecordName[]): Case[] =>
  list.flatMap(name => usualSamples(name).map(sample => ({ name, sample })))

describe.skipIf(!hasCompiler)(
  'errors against float64, at most twice those of plain evaluation (needs a C compiler)',
  () => {
    for (let first = 0; first < names.length; first += perUnit) {
      const list = names.slice(first, first + perUnit)
      it(list.join(', '), () => {
        for (const dtype of dtypes) {
          const those = list.filter((_, i) => allSamples || dtype === 'f32' || dtype === halves[i % 4])
          expect(check(cases(those), dtype, leastOfFew)).toEqual([])
        }
      })
    }

    const long = [randomSpec(1, 'f32', [3, 5000], { low: -1, high: 1 })]
    const positive = [randomSpec(2, 'f32', [4, 3000], { low: 0, high: 1 })]
    const far = [randomSpec(3, 'f32', [4, 1000], { low: 99, high: 101 })]
    const tall = [randomSpec(4, 'f32', [3000, 5], { low: -1, high: 1 })]
    const large: readonly (readonly [RecordName, Sample])[] = [
      ...(['sum', 'mean', 'var', 'std', 'logsumexp', 'norm', 'softmax', 'logSoftmax', 'varMean'] as const).flatMap(
        (name): [RecordName, Sample][] => [
          [name, sample('long rows', ...long, 1)],
          [name, sample('long columns', ...tall, 0)],
          [name, sample('positive', ...positive, 1)],
          [name, sample('far from zero', ...far, 1)],
        ],
      ),
      ['cumsum', sample('long rows', randomSpec(11, 'f32', [2, 700], { low: -1, high: 1 }), 1)],
      ['cumsum', sample('positive', randomSpec(12, 'f32', [2, 700], { low: 0, high: 1 }), 1)],
      ['layerNorm', sample('long rows', ...positive, [3000])],
      ['layerNorm', sample('far from zero', ...far, [1000])],
      ['rmsNorm', sample('far from zero', ...far, [1000])],
      ['matmul', sample('deep', randomSpec(5, 'f32', [9, 2000]), randomSpec(6, 'f32', [2000, 17]))],
      ['matmul', sample('one row', randomSpec(7, 'f32', [1, 900]), randomSpec(8, 'f32', [900, 300]))],
      ['gelu', sample('dense', randomSpec(9, 'f32', [5000], { low: -9, high: 9 }))],
      ['sigmoid', sample('dense', randomSpec(9, 'f32', [5000], { low: -20, high: 20 }))],
      ['tanh', sample('dense', randomSpec(9, 'f32', [5000], { low: -5, high: 5 }))],
      ['exp', sample('dense', randomSpec(9, 'f32', [5000], { low: -10, high: 10 }))],
      ['mseLoss', sample('long', long[0]!, randomSpec(10, 'f32', [3, 5000]))],
    ]
    for (const dtype of dtypes) {
      it(`long sums and dense values, ${dtype}`, () => {
        const each = large.map(([name, sample]) => ({ name, sample }))
        expect(check(each, dtype, leastOfMany, ({ name, sample }) => `${name}, ${sample.name},`)).toEqual([])
      })
    }
  },
)
