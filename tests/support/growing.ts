/**
 * Calls of an op with other sizes than its samples have: dims of a sample's inputs grow, alone or together, while the rest of
 * the call stays the same.
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

/** Dims of one size that grow together, and the sample's call at each of several sizes. */
export interface Growth {
  readonly places: readonly Place[]
  readonly samples: readonly Sample[]
}

/** The sizes at which a growing dim is tested. */
export const grownSizes = 3

/** With more dims of one size than this, not all combinations are tried. */
const mostTogether = 5

/**
 * Every minimal set of dims that can grow in a sample's call: the op accepts the call for all of `grownSizes`, which no other
 * dim has. Sizes 0 and 1 stay, as they are special cases. `sorted`: an input whose rows stay sorted.
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

/** In ascending order. */
const subsetsOf = (places: readonly Place[]): Place[][] =>
  Array.from({ length: 2 ** places.length - 1 }, (_, i) => places.filter((_, bit) => ((i + 1) >> bit) % 2 === 1)).sort(
    (a, b) => a.length - b.length,
  )

/** By one, or in multiples where the op needs them. */
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

/** Row-major, repeating the sample's values: so indices stay in range. */
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
