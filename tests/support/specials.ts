/** Samples that contain NaN, infinities and -0, derived from the samples of every op. */
import type { RecordName } from '../../src/graph/ops/index.js'
import type { Sample } from './sample-kinds.js'
import { samplesFor } from './samples.js'

const specials: readonly (readonly [name: string, value: number])[] = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
]

/** Inputs that an op requires to be sorted. */
const sorted: Readonly<Record<string, number>> = { searchsorted: 0, bucketize: 1 }

export interface SpecialSample {
  readonly sample: Sample
  /** The original sample; only values differ. */
  readonly base: Sample
  /** The name of the value, and the input into which it is inserted. */
  readonly special: string
  readonly input: number
}

/** For the first `baseSamples` f32 samples of an op, one per input and special value: every fifth element is that value. */
export function* specialSamples(op: RecordName, baseSamples = 3): Generator<SpecialSample> {
  const isTaken = ({ inputs }: Sample, input: number): boolean =>
    inputs[input]!.dtype === 'f32' && inputs[input]!.data.length > 1 && sorted[op] !== input
  const bases = samplesFor(op).filter(sample => sample.inputs.some((_, i) => isTaken(sample, i)))
  for (const base of bases.slice(0, baseSamples)) {
    for (const [input, spec] of base.inputs.entries()) {
      if (!isTaken(base, input)) continue
      for (const [special, value] of specials) {
        const data = spec.data.map((own, i) => (i % 5 === 1 ? value : own))
        const name = `${base.name} with ${special} in input ${input}`
        yield { sample: { ...base, name, inputs: base.inputs.with(input, { ...spec, data }) }, base, special, input }
      }
    }
  }
}
