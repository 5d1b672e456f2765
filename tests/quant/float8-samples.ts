/** Samples of linear layers in 8-bit floats, and of what their scales are computed from. */
import type { Sample } from '../support/samples.js'
import { arg, randomSpec, spec, type TensorSpec, withLayout } from '../support/tensor-spec.js'

type Scaling = 'tensor' | 'given' | 'block'
type Floats = 'f32' | 'f16' | 'bf16'

interface Case {
  readonly name: string
  readonly x: TensorSpec
  readonly weight: TensorSpec
  readonly scaling: Scaling
  readonly hasBias?: boolean
  readonly outDtype?: Floats | null
  /** Of input and weight. */
  readonly scales?: readonly [number, number]
}

function linearSample({ name, x, weight, scaling, hasBias = false, outDtype = null, scales = [0, 0] }: Case): Sample {
  const bias = hasBias ? [randomSpec(9, 'f32', [weight.shape[0]!], { low: -1, high: 1 })] : []
  const given = scaling === 'given' ? [...scales, 0].map(scale => spec('f32', [], [scale])) : []
  const first = 2 + bias.length
  return {
    name: `${name}, ${scaling}`,
    inputs: [x, weight, ...bias, ...given],
    args: [
      arg(0),
      arg(1),
      {
        bias: hasBias ? arg(2) : null,
        scales: scaling === 'given' ? [arg(first), arg(first + 1), arg(first + 2)] : null,
        observer: null,
        scaling: scaling === 'block' ? 'block' : 'tensor',
        gradients: 'f8e5m2',
        outDtype,
      },
    ],
  }
}

const random = (seed: number, dtype: Floats, shape: readonly number[], most = 3): TensorSpec =>
  randomSpec(seed, dtype, shape, { low: -most, high: most })

/** With some elements replaced. */
const withElements = (tensor: TensorSpec, at: Readonly<Record<number, number>>): TensorSpec => ({
  ...tensor,
  data: tensor.data.map((value, i) => at[i] ?? value),
})

const scalings: readonly Scaling[] = ['tensor', 'given', 'block']

/** Rows, features and K; tails of blocks and of tiles. */
const sizes: readonly (readonly [M: number, N: number, K: number])[] = [
  [3, 5, 7],
  [17, 130, 33],
  [1, 9, 129],
  [40, 24, 256],
  [130, 3, 260],
]

export const sizedSamples = (): Sample[] =>
  sizes.flatMap(([M, N, K], i) =>
    scalings.map((scaling, j) => {
      const dtype = (['f32', 'bf16', 'f16'] as const)[(i + j) % 3]!
      const x = random(i, dtype, [M, K])
      return linearSample({
        name: `${dtype} [${M}, ${K}] · [${N}, ${K}]`,
        x: i % 2 === 0 ? x : withLayout(x, 'transposed'),
        weight: random(20 + i, 'f32', [N, K], 0.1),
        scaling,
        hasBias: i % 2 === 1,
        outDtype: (i + j) % 2 === 0 ? 'bf16' : null,
        scales: i % 2 === 0 ? [2 ** -6, 2 ** -11] : [0, 2 ** -8],
      })
    }),
  )

const [M, N, K] = [6, 4, 140] as const

/** Zeros, values that are not finite, tiny and huge ones, and some that given scales leave too large. */
export const oddSamples = (): Sample[] =>
  scalings.flatMap(scaling => {
    const x = random(31, 'f32', [M, K])
    const weight = random(32, 'f32', [N, K], 0.1)
    const zeros = (shape: readonly number[]): TensorSpec =>
      spec('f32', shape, Array<number>(shape[0]! * shape[1]!).fill(0))
    const times = (tensor: TensorSpec, factor: number): TensorSpec =>
      spec(
        'f32',
        tensor.shape,
        tensor.data.map(value => Math.fround(Number(value) * factor)),
      )
    const cases: readonly Omit<Case, 'scaling'>[] = [
      { name: 'zeros', x: zeros([M, K]), weight },
      { name: 'zero weight', x, weight: zeros([N, K]), hasBias: true },
      {
        name: 'NaN and infinities',
        x: withElements(x, {
          3: Number.NaN,
          [K + 5]: Number.POSITIVE_INFINITY,
          [3 * K + 139]: Number.NEGATIVE_INFINITY,
        }),
        weight,
      },
      { name: 'infinite weight', x, weight: withElements(weight, { 7: Number.POSITIVE_INFINITY }) },
      { name: 'huge', x: times(x, 2 ** 120), weight: times(weight, 2 ** -100), scales: [2 ** 113, 2 ** -111] },
      { name: 'tiny', x: times(x, 2 ** -100), weight: times(weight, 2 ** 60), scales: [2 ** -107, 2 ** 49] },
      // Blocks are multiplied in bf16, which has fewer bits for subnormal numbers.
      ...(scaling === 'block'
        ? []
        : [
            {
              name: 'subnormal',
              x: times(x, 2 ** -130),
              weight: times(weight, 2 ** 100),
              scales: [2 ** -126, 2 ** 90],
            } as const,
          ]),
      { name: 'larger than the scale', x: times(x, 1000), weight, scales: [2 ** -4, 2 ** -11] },
      { name: 'one large element', x: withElements(x, { 0: 1e6 }), weight },
    ]
    return cases.map(each => linearSample({ ...each, scaling }))
  })

export const linearSamples = (): Sample[] => [...sizedSamples(), ...oddSamples()]

export const magnitudeSamples = (): Sample[] =>
  [
    random(1, 'f32', [5, 7]),
    random(2, 'bf16', [300]),
    withElements(random(3, 'f16', [2, 3, 4]), { 1: Number.NaN, 2: Number.NEGATIVE_INFINITY }),
    spec('f32', [3], [Number.NaN, Number.POSITIVE_INFINITY, 0]),
    spec('f32', [0, 4], []),
    spec('f32', [], [-2.5]),
  ].map((input, i) => ({ name: `magnitude ${i}`, inputs: [input], args: [arg(0)] }))

export const scaleSamples = (): Sample[] =>
  (['f8e4m3', 'f8e5m2'] as const).flatMap(float =>
    [[0, 0, 0], [448], [449, 1], [57344], [1e-44, 0], [3e38], [0.1, 0.7, 0.3]].map((values, i) => ({
      name: `scale ${i} of ${float}`,
      inputs: [spec('f32', [values.length], values.map(Math.fround))],
      args: [arg(0), float],
    })),
  )
