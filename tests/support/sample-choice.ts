/**
 * Selects fewer samples with the same coverage: of samples that differ only in traits that others show already, one is kept.
 * For suites that compile each sample in several ways; the conformance suites take all. TEST_SAMPLES=all takes all everywhere.
 */
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import type { Sample } from './sample-kinds.js'
import { count, TensorArgument, type TensorSpec } from './tensor-spec.js'

export const allSamples = process.env.TEST_SAMPLES === 'all'

/** `npm test` takes a selection, to finish in a few minutes; `npm run test:all` takes everything. */
export const isQuick = process.env.TEGULA_TEST_MODE === 'quick'

/** Every n-th element of a list under `npm test`, else all of it: for checks that repeat for many ops or values. */
export const quickly = <T>(list: readonly T[], every: number): readonly T[] =>
  isQuick ? list.filter((_, i) => i % every === 0) : list

/**
 * Samples that together show every trait in the list: each input's families of dtypes and layouts, sizes and special values,
 * and the other arguments. Which dtype stands for its family differs from op to op; with `kindOf: dtype => dtype`, each dtype
 * stands for itself.
 */
export function tellingSamples(
  name: string,
  samples: readonly Sample[],
  kindOf: (dtype: Dtype) => string = familyOf,
): readonly Sample[] {
  if (allSamples) return samples
  const turn = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % (samples.length || 1)
  const rest = new Map(
    [...samples.slice(turn), ...samples.slice(0, turn)].map(sample => [sample, traitsOf(sample, kindOf)]),
  )
  const shown = new Set<string>()
  const chosen = new Set<Sample>()
  const gain = (traits: readonly string[]): number => traits.filter(trait => !shown.has(trait)).length
  while (rest.size > 0) {
    const [best, traits] = [...rest].reduce((a, b) => (gain(b[1]) > gain(a[1]) ? b : a))
    if (gain(traits) === 0) break
    chosen.add(best)
    rest.delete(best)
    for (const trait of traits) shown.add(trait)
  }
  return samples.filter(sample => chosen.has(sample))
}

/** A few samples: the one with the most elements (all loops run), special values in f32, and others in rotation over the ops. */
export function fewSamples(name: string, samples: readonly Sample[], most: number): readonly Sample[] {
  if (allSamples || samples.length <= most) return samples
  const elements = ({ inputs }: Sample): number => Math.max(0, ...inputs.map(({ shape }) => count(shape)))
  const largest = samples.reduce((a, b) => (elements(b) > elements(a) ? b : a))
  const isTold = ({ inputs }: Sample): boolean =>
    inputs.some(({ dtype, data }) => dtype === 'f32' && data.some(isSpecial))
  const special = samples.find(sample => sample !== largest && isTold(sample))
  const always = special === undefined || most < 3 ? [largest] : [largest, special]
  const others = samples.filter(sample => !always.includes(sample))
  const first = (name.length * 7 + name.charCodeAt(0)) % others.length
  const more = [...others.slice(first), ...others.slice(0, first)].slice(0, most - always.length)
  return samples.filter(sample => always.includes(sample) || more.includes(sample))
}

function traitsOf({ inputs, args }: Sample, kindOf: (dtype: Dtype) => string): string[] {
  const placed = JSON.stringify(args, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`
    return value instanceof TensorArgument ? `tensor ${value.index}` : value
  })
  const families = inputs.map(({ dtype }) => kindOf(dtype))
  return [
    `arguments ${placed}`,
    ...inputs.flatMap((input, i) => [
      `${i} ${families[i]}`,
      `${i} ${layoutOf(input)}`,
      `${i} ${Math.min(input.shape.length, 3)} dims`,
      ...(isFloat(input.dtype) && input.data.some(isSpecial) ? [`${i} ${families[i]} specials`] : []),
    ]),
    ...(new Set(families).size > 1 ? ['mixed'] : []),
  ]
}

function familyOf(dtype: Dtype): string {
  if (isFloat(dtype)) return dtype === 'f16' || dtype === 'bf16' ? 'half' : dtype
  return dtype === 'i64' || dtype === 'bool' ? dtype : 'integer'
}

function layoutOf({ shape, strides, offset = 0 }: TensorSpec): string {
  if (shape.includes(0)) return 'empty'
  if (strides === undefined) return 'dense'
  if (strides.some(stride => stride < 0)) return 'reversed'
  if (strides.includes(0)) return 'expanded'
  if (strides[0] === 1 && shape.length > 1) return 'transposed'
  return strides.at(-1) === 1 ? (offset > 0 ? 'offset' : 'rows apart') : 'strided'
}

const isSpecial = (value: number | bigint): boolean => typeof value === 'number' && !Number.isFinite(value)
