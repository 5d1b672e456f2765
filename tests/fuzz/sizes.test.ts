/**
 * Every op, and a few functions of several, compiled once and called at several sizes: each call must give what the op
 * gives eagerly at that size, or refuse what it refuses. Sizes are those of the ops' samples, grown together.
 *
 * FUZZ_SEED=<first seed> and FUZZ_CASES=<count> replay or search on; a seed is an op, a sample of it, and options.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import {
  avgPool2d,
  type CompileOptions,
  compile,
  conv2d,
  einsum,
  randn,
  TegulaError,
  type Tensor,
} from '../../src/index.js'
import { quantize, scaledMatmul } from '../../src/quant/index.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { Choices } from '../support/choices.js'
import { difference, toleranceFor } from '../support/compare.js'
import { isQuick } from '../support/sample-choice.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { bindArguments, count, type TensorSpec } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'

const first = Number(process.env.FUZZ_SEED ?? 1)
const cases = Number(process.env.FUZZ_CASES ?? (isQuick ? 2 : 15))
const minutes = 60_000

const options: readonly CompileOptions[] = [
  {},
  { dynamic: true },
  { dynamic: true, bucket: 'pow2' },
  { dynamic: true, fullgraph: true },
]

/** What an op takes its sizes as; random numbers are another matter. */
const names = recordNames.filter(name => recordTable[name].category !== 'random')

/** A spec with all sizes above 1 larger, and its values again and again: indices stay indices, probabilities too. */
function grown({ dtype, shape, data }: TensorSpec, by: number): TensorSpec {
  const sizes = shape.map(size => (size > 1 ? size + by : size))
  return { dtype, shape: sizes, data: Array.from({ length: count(sizes) }, (_, i) => data[i % data.length]!) }
}

type Outcome = { readonly results: readonly Tensor[] } | { readonly error: TegulaError }

function outcomeOf(run: () => readonly Tensor[]): Outcome {
  try {
    return { results: run() }
  } catch (error) {
    if (error instanceof TegulaError) return { error }
    throw error
  }
}

/** What went wrong with a sample, or null. */
function problemOf(name: (typeof names)[number], { inputs, args }: Sample, chosen: CompileOptions): string | null {
  const run = (...tensors: Tensor[]): readonly Tensor[] =>
    applyOp(
      recordTable[name],
      bindArguments(args, i => tensors[i]!),
    )
  const compiled = compile(run, { ...chosen, name })
  for (const by of [0, 1, 3]) {
    const specs = inputs.map(input => grown(input, by))
    const wanted = outcomeOf(() => run(...specs.map(tensorOf)))
    const found = outcomeOf(() => compiled(...specs.map(tensorOf)))
    const at = `at ${specs.map(({ dtype, shape }) => `${dtype}[${shape.join(', ')}]`).join(', ')}`
    if ('error' in wanted) {
      if (!('error' in found)) return `${at}: no ${wanted.error.name}: ${wanted.error.message}`
      if (found.error.name !== wanted.error.name) return `${at}: ${found.error.stack}, eagerly ${wanted.error.message}`
      continue
    }
    if ('error' in found) return `${at}: ${found.error.stack}`
    for (const [i, result] of wanted.results.entries()) {
      const { relative, absolute } = toleranceFor(name, result.dtype)
      const tolerance = { relative: 8 * relative, absolute: 8 * absolute, anyZero: true }
      const differs = difference(hostOfTensor(found.results[i]!), hostOfTensor(result), tolerance)
      if (differs !== null) return `${at}: result ${i} ${differs}`
    }
  }
  return null
}

const usable = (name: (typeof names)[number]): readonly Sample[] =>
  samplesFor(name).filter(({ inputs }) => inputs.every(({ data }) => data.length > 0) && inputs.length > 0)

beforeEach(() => {
  if (process.env.FUZZ_CASES === undefined) vi.stubEnv('TEGULA_BACKEND', 'interpreter')
})
afterEach(() => void vi.unstubAllEnvs())

it(`ops compiled once and called at several sizes, from seed ${first}`, { timeout: 60 * minutes }, () => {
  const problems: string[] = []
  for (let seed = first; seed < first + cases; seed++) {
    const choices = new Choices(seed)
    const name = choices.of(names)
    const samples = usable(name)
    if (samples.length === 0) continue
    const sample = choices.of(samples)
    const chosen = choices.of(options)
    const problem = problemOf(name, sample, chosen)
    if (problem !== null) problems.push(`seed ${seed}: ${name} (${sample.name}) ${JSON.stringify(chosen)} ${problem}`)
  }
  expect(problems).toEqual([])
})

const weights = { filter: randn([4, 2, 3, 3]), proj: randn([16, 64]) }
const packed = quantize(weights.proj, 'nvfp4')

/** Functions of one tensor and the shapes to call them with. */
const functions: readonly (readonly [
  name: string,
  f: (x: Tensor) => Tensor,
  shapes: readonly (readonly number[])[],
])[] = [
  [
    'convolution and pooling',
    x =>
      avgPool2d(conv2d(x, weights.filter, { padding: 1 }).relu(), 2)
        .flatten(1)
        .sum(1),
    [
      [1, 2, 6, 6],
      [2, 2, 6, 6],
      [3, 2, 8, 10],
      [2, 2, 7, 9],
    ],
  ],
  [
    'einsum of a batch with itself',
    x => einsum('bij,bkj->bik', x, x).softmax(-1),
    [
      [2, 3, 4],
      [3, 5, 4],
    ],
  ],
  [
    'a quantised product',
    x => scaledMatmul(x, packed).add(1),
    [
      [2, 64],
      [5, 64],
      [1, 64],
      [9, 64],
    ],
  ],
  [
    'windows',
    x => x.unfold(0, 2, 1).amax(-1).diff().sum(0),
    [
      [4, 3],
      [7, 3],
      [5, 2],
    ],
  ],
]

describe('functions compiled once and called at several sizes', () => {
  it.each(functions)('%s', (_, f, shapes) => {
    for (const chosen of options) {
      const compiled = compile(f, chosen)
      for (const shape of shapes) {
        const x = randn(shape)
        const problem = difference(hostOfTensor(compiled(x)), hostOfTensor(f(x)), {
          relative: 1e-5,
          absolute: 1e-4,
          anyZero: true,
        })
        expect(problem, `${JSON.stringify(chosen)} at [${shape}]`).toBeNull()
      }
    }
  })
})
