/**
 * Calls of an op at other sizes than its samples have: the dims of a sample's inputs that can grow, alone or together, with
 * the rest of the call as it is.
 */
import type { OpRecord } from '../../src/graph/record.js'
import { graphOf } from './record-graph.js'
import type { Sample } from './sample-kinds.js'
import { count, type TensorSpec } from './tensor-spec.js'

/** One dim of one input. */
export interface Place {
  readonly input: number
  readonly dim: number
}

/** Dims that are of one size and grow together, and the sample's call at each of several sizes. */
export interface Growth {
  readonly places: readonly Place[]
  readonly samples: readonly Sample[]
}

/** At each of these sizes a growing dim is met. */
export const grownSizes = 3

/** More dims of one size than this are not tried in all combinations. */
const mostTogether = 5

/**
 * Every smallest set of dims that can grow in a sample's call: for all of `grownSizes` sizes, which no other dim has, the op
 * takes the call. Sizes of 0 and 1 stay: they are cases of their own. `sorted`: an input whose rows stay in order.
 */
export function growthsOf(record: OpRecord, sample: Sample, sorted?: number): Growth[] {
  const shapes = sample.inputs.map(({ shape }) => shape)
  const sizes = new Set(shapes.flat())
  const found: Growth[] = []
  for (const size of sizes) {
    if (size < 2) continue
    const places = shapes.flatMap((shape, input) =>
      shape.flatMap((own, dim): Place[] => (own === size ? [{ input, dim }] : [])),
    )
    const sets = places.length <= mostTogether ? subsetsOf(places) : [...places.map(place => [place]), places]
    for (const set of sets) {
      if (found.some(growth => growth.places.every(place => set.includes(place)))) continue
      const samples = grown(record, sample, size, set, sizes, sorted)
      if (samples !== null) found.push({ places: set, samples })
    }
  }
  return found
}

/** Small ones first. */
const subsetsOf = (places: readonly Place[]): Place[][] =>
  Array.from({ length: 2 ** places.length - 1 }, (_, i) => places.filter((_, bit) => ((i + 1) >> bit) % 2 === 1)).sort(
    (a, b) => a.length - b.length,
  )

/** By one and one, or where that does not divide, in multiples. */
function grown(
  record: OpRecord,
  sample: Sample,
  size: number,
  places: readonly Place[],
  taken: ReadonlySet<number>,
  sorted: number | undefined,
): readonly Sample[] | null {
  for (const step of [1, size]) {
    const fresh = Array.from({ length: 40 }, (_, i) => size + step * (i + 1)).filter(one => !taken.has(one))
    const samples = fresh.slice(0, grownSizes).map(one => withSize(sample, places, one, sorted))
    if (samples.every(one => takes(record, one))) return samples
  }
  return null
}

function takes(record: OpRecord, sample: Sample): boolean {
  try {
    graphOf(record, sample)
    return true
  } catch {
    return false
  }
}

/** Row-major, with the sample's values over and over: indices stay within what they index. */
function withSize(
  { name, inputs, args }: Sample,
  places: readonly Place[],
  size: number,
  sorted: number | undefined,
): Sample {
  const sized = inputs.map(({ dtype, shape: own, data }, input): TensorSpec => {
    const shape = own.map((old, dim) => (places.some(place => place.input === input && place.dim === dim) ? size : old))
    const grown = { dtype, shape, data: Array.from({ length: count(shape) }, (_, i) => data[i % data.length]!) }
    return input === sorted ? { ...grown, data: inOrder(grown) } : grown
  })
  return { name, inputs: sized, args }
}

/** The elements with each row sorted, NaN last. */
function inOrder({ shape, data }: TensorSpec): TensorSpec['data'] {
  const length = shape.at(-1) ?? 1
  const rank = (value: number | bigint): number => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : Number(value))
  return Array.from({ length: data.length / length }, (_, row) =>
    data.slice(row * length, (row + 1) * length).toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b))),
  ).flat()
}
