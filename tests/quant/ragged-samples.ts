/** Samples of ragged products: ends that are even and uneven, missing, falling and beyond the rows; every format. */
import type { QuantAttrs } from '../../src/graph/ops/quantised.js'
import type { Sample } from '../support/sample-kinds.js'
import { arg, randomSpec, seededRandom, spec, type TensorSpec, withLayout } from '../support/tensor-spec.js'
import { cases, partsOf } from './samples.js'

type Operands = readonly { readonly quant: QuantAttrs | null; readonly parts: readonly TensorSpec[] }[]

interface Extras {
  readonly bias?: TensorSpec
  readonly factor?: TensorSpec
  readonly outDtype?: string
}

/** Offsets [G], or [G + 1] with a start before them. */
const offsets = (ends: readonly number[], dtype: 'i32' | 'i64' = 'i32'): TensorSpec => spec(dtype, [ends.length], ends)

function ragged(name: string, operands: Operands, ends: TensorSpec, extras: Extras = {}): Sample {
  const inputs: TensorSpec[] = []
  const add = (given: TensorSpec) => arg(inputs.push(given) - 1)
  const given = operands.map(({ quant, parts }) => ({ quant, tensors: parts.map(add) }))
  const { bias, factor, outDtype = null } = extras
  const more = [ends, bias, factor].map(each => (each === undefined ? null : add(each)))
  return { name, inputs, args: [...given, more[0], { bias: more[1], factor: more[2], outDtype }] }
}

const plain = (given: TensorSpec) => ({ quant: null, parts: [given] })

/** Groups of rows by their ends, of matrices [G, N, K] in f32. */
function rows(name: string, T: number, [G, N, K]: readonly [number, number, number], ends: TensorSpec): Sample {
  return ragged(name, [plain(randomSpec(T, 'f32', [T, K])), plain(randomSpec(G, 'f32', [G, N, K]))], ends)
}

export const endSamples = (): Sample[] => [
  rows('uneven, one empty', 37, [5, 19, 24], offsets([3, 3, 20, 21, 37])),
  rows('rows behind the last', 23, [3, 7, 16], offsets([5, 5, 12], 'i64')),
  rows('starts given', 23, [3, 7, 16], offsets([0, 4, 11, 23])),
  rows('rows before the first', 23, [3, 7, 16], offsets([4, 9, 9, 20], 'i64')),
  rows('falling and beyond the rows', 20, [5, 6, 8], offsets([12, 4, 13, 90, 15])),
  rows('before the first row', 9, [4, 6, 8], offsets([-7, 5, -2, 2 ** 31 - 1])),
  rows('no row has a group', 9, [2, 6, 8], offsets([0, 0])),
  rows('one row', 1, [3, 9, 8], offsets([0, 1, 1])),
  rows('one row of no group', 1, [3, 9, 8], offsets([0, 0, 0])),
  rows('one group', 33, [1, 17, 40], offsets([33])),
  rows('one column', 21, [3, 1, 33], offsets([2, 19, 21])),
  rows('depth 1', 21, [3, 5, 1], offsets([2, 19, 21])),
  rows('no depth', 5, [3, 5, 0], offsets([2, 4, 5])),
  rows('no rows', 0, [3, 5, 4], offsets([0, 0, 0])),
  rows('hundreds of groups', 12, [300, 2, 3], offsets(Array.from({ length: 300 }, (_, i) => Math.floor(i / 27) + 1))),
  rows('more groups than rows', 6, [70, 4, 8], offsets(Array.from({ length: 70 }, (_, i) => Math.floor(i / 12)))),
]

/** Groups of K by their ends: a [M, K] · b [K, N]. */
function depth(
  name: string,
  [M, K, N]: readonly [number, number, number],
  ends: TensorSpec,
  dtype: 'f32' | 'f16' | 'bf16' = 'f32',
  layout: 'transposed' | null = null,
): Sample {
  const [a, b] = [randomSpec(M, dtype, [M, K]), randomSpec(N + 1, dtype, [K, N])]
  const inputs = [layout === null ? a : withLayout(a, layout), b, ends]
  return { name, inputs, args: [arg(0), arg(1), arg(2), { outDtype: null }] }
}

export const depthSamples = (): Sample[] => [
  depth('uneven, one empty', [7, 37, 5], offsets([3, 3, 20, 21, 37])),
  depth('K behind the last', [4, 23, 9], offsets([5, 5, 12], 'i64')),
  depth('falling and beyond K', [3, 20, 6], offsets([12, 4, 13, 90, 15])),
  depth('before the first', [3, 9, 6], offsets([-7, 5, -2, 2 ** 31 - 1])),
  depth('no k has a group', [3, 9, 6], offsets([0, 0])),
  depth('one k', [3, 1, 6], offsets([0, 1, 1])),
  depth('one group', [17, 33, 19], offsets([30])),
  depth('one row', [1, 21, 6], offsets([2, 19, 21])),
  depth('one column', [6, 21, 1], offsets([2, 19, 21])),
  depth('one of each', [1, 1, 1], offsets([1])),
  depth('no groups', [3, 4, 5], offsets([])),
  depth('no depth', [3, 0, 5], offsets([0, 0])),
  depth('no rows', [0, 5, 4], offsets([2, 5])),
  depth('hundreds of groups', [2, 12, 3], offsets(Array.from({ length: 300 }, (_, i) => Math.floor(i / 27) + 1))),
  depth('a transposed', [11, 50, 12], offsets([7, 7, 24, 49]), 'f32', 'transposed'),
  depth('f16', [16, 40, 24], offsets([16, 33, 40]), 'f16', 'transposed'),
  depth('bf16', [16, 40, 24], offsets([5, 39, 40]), 'bf16'),
  depth('f16, several tiles of several blocks', [70, 330, 72], offsets([0, 150, 151, 320]), 'f16', 'transposed'),
]

/** Every format as weights, activations and outputs by turns; ends that no tile knows. */
export const formatSamples = (): Sample[] =>
  cases.flatMap(({ name, quant, K }, i) => {
    const [T, G, N] = [29, 4, 11 + (i % 3)]
    const dtype = (['f32', 'f16', 'bf16'] as const)[i % 3]!
    const x = randomSpec(i, dtype, [T, K])
    const weights = { quant, parts: partsOf(i * 7, quant, [G, N, K]) }
    const ends = offsets([7, 7, 24, 27], i % 2 === 0 ? 'i32' : 'i64')
    const bias = randomSpec(i, i % 2 === 0 ? 'f32' : 'bf16', [G, N])
    const laid = plain(i % 4 === 1 ? withLayout(x, 'transposed') : x)
    const both = { quant, parts: partsOf(i + 50, quant, [T, K]) }
    return [
      ragged(`${dtype} × ${name}`, [laid, weights], ends, i % 2 === 0 ? { bias } : {}),
      ragged(`both ${name}`, [both, weights], ends, { bias, factor: randomSpec(3, 'f32', [G]), outDtype: 'f16' }),
    ]
  })

/** Sizes at which tiles are cut, on matrix units and without. */
export const largeSamples = (): Sample[] => [
  ragged(
    'f16, several tiles a group',
    [plain(randomSpec(1, 'f16', [150, 72])), plain(randomSpec(2, 'f16', [3, 40, 72]))],
    offsets([70, 71, 149]),
    { bias: randomSpec(3, 'f16', [3, 40]), factor: randomSpec(4, 'f32', [3]) },
  ),
  ragged(
    'f32, several tiles a group',
    [plain(randomSpec(1, 'f32', [50, 24])), plain(randomSpec(2, 'f32', [3, 40, 24]))],
    offsets([30, 31, 49], 'i64'),
  ),
]

/** Every format as weights of several tiles of columns and blocks of K, as they are kept under way on a GPU. */
export const tiledSamples = (): Sample[] =>
  cases.flatMap(({ name, quant }, i) => {
    const [T, G, N, K] = [150, 3, 72, 480]
    if (typeof quant.block === 'number' && K % quant.block !== 0) return []
    const dtype = (['f16', 'bf16'] as const)[i % 2]!
    const weights = { quant, parts: partsOf(i * 7, quant, [G, N, K]) }
    const rows = i % 3 === 2 ? { quant, parts: partsOf(i + 50, quant, [T, K]) } : plain(randomSpec(i, dtype, [T, K]))
    return [ragged(`tiles of ${name}`, [rows, weights], offsets([70, 71, 140]), { outDtype: 'f32' })]
  })

/** Two products and a gate. */
export const dualSamples = (): Sample[] =>
  (['silu', 'gelu', 'relu'] as const).flatMap((activation, i) => {
    const [T, G, N] = [23, 3, 14]
    const none = { bias1: null, bias2: null, factor1: null, factor2: null, activation, outDtype: null }
    const ends = offsets(
      [
        [9, 9, 21],
        [0, 5, 11, 23],
        [23, 4, 60],
      ][i]!,
    )
    const own = { quant: null, tensors: [arg(0)] }
    const { quant, K, name } = cases[[0, 6, 15][i]!]!
    const [b1, b2] = [partsOf(i + 1, quant, [G, N, K]), partsOf(i + 9, quant, [G, N, K])]
    const packed = (from: number) => ({ quant, tensors: b1.map((_, j) => arg(from + j)) })
    const x = randomSpec(i, 'f32', [T, K])
    const [w1, w2] = [randomSpec(3, 'f16', [G, N, 40]), randomSpec(4, 'f16', [G, N, 40])]
    const extras = [
      randomSpec(5, 'f32', [G, N]),
      randomSpec(6, 'f32', [G]),
      randomSpec(7, 'f16', [G, N]),
      randomSpec(8, 'f16', [G]),
    ]
    const [bias1, factor1, bias2, factor2] = extras.map((_, j) => arg(4 + j))
    return [
      {
        name: `${activation} ${name}`,
        inputs: [x, ...b1, ...b2, ends],
        args: [own, packed(1), packed(1 + b1.length), arg(1 + 2 * b1.length), none],
      },
      {
        name: `${activation} f16, all there is`,
        inputs: [randomSpec(i, 'f16', [T, 40]), w1, w2, ends, ...extras],
        args: [
          own,
          { quant: null, tensors: [arg(1)] },
          { quant: null, tensors: [arg(2)] },
          arg(3),
          { bias1, bias2, factor1, factor2, activation, outDtype: 'f32' },
        ],
      },
    ]
  })

/** Ends drawn blindly: most fall, repeat, or lie outside. */
export const randomSamples = (cases: number): Sample[] =>
  Array.from({ length: cases }, (_, seed) => {
    const random = seededRandom(seed)
    const below = (limit: number): number => Math.floor(random() * limit)
    const [T, G, N, K] = [1 + below(20), 1 + below(7), 1 + below(5), 1 + below(6)]
    const isAscending = below(2) === 0
    const ends = Array.from({ length: G + below(2) }, () => below(T + 8) - 3)
    if (isAscending) ends.sort((a, b) => a - b)
    return rows(`random ${seed}`, T, [G, N, K], offsets(ends, below(2) === 0 ? 'i32' : 'i64'))
  })
