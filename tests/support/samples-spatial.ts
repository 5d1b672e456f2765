/** Samples of convolutions, pooling and interpolation. */
import { floats, type Sample, sample } from './sample-kinds.js'
import { arg, randomSpec, spec, withLayout } from './tensor-spec.js'

const conv = (x: readonly number[], w: readonly number[], options: object = {}, bias = false): Sample =>
  sample(
    `[${x}] * [${w}] ${JSON.stringify(options)}`,
    [randomSpec(1, 'f32', x), randomSpec(2, 'f32', w), ...(bias ? [randomSpec(3, 'f32', [w[0]!])] : [])],
    [arg(0), arg(1), bias ? { ...options, bias: arg(2) } : options],
  )

const image = randomSpec(1, 'f32', [2, 3, 6, 7])
const pools = (one: readonly number[], args: readonly (readonly unknown[])[]): Sample[] => [
  ...args.map(after => sample(JSON.stringify(after), [randomSpec(1, 'f32', one)], [arg(0), ...after])),
  sample('no batch', [randomSpec(2, 'f32', one.slice(1))], [arg(0), 2]),
  sample('transposed', [withLayout(randomSpec(3, 'f32', one), 'transposed')], [arg(0), 2]),
  ...floats.map(dtype => sample(dtype, [randomSpec(4, dtype, one)], [arg(0), 2])),
]

export const spatialSamples = {
  conv1d: () => [
    conv([2, 3, 9], [4, 3, 3]),
    conv([2, 3, 9], [4, 3, 3], { stride: 2, padding: 1 }, true),
    conv([3, 9], [4, 3, 2], { dilation: 3 }),
    conv([1, 4, 8], [4, 1, 3], { groups: 4, padding: 'same' }, true),
  ],
  conv2d: () => [
    conv([2, 3, 6, 7], [4, 3, 3, 3]),
    conv([2, 3, 6, 7], [4, 3, 3, 2], { stride: [2, 1], padding: [1, 0] }, true),
    conv([1, 3, 6, 7], [4, 3, 1, 1]),
    conv([1, 4, 6, 6], [6, 2, 3, 3], { groups: 2, padding: 1 }, true),
    conv([2, 4, 5, 5], [4, 1, 3, 3], { groups: 4, padding: 'same' }),
    conv([3, 6, 7], [2, 3, 2, 3], { dilation: [2, 1], padding: 2 }),
    conv([1, 16, 20, 20], [24, 16, 3, 3], { padding: 1 }),
    ...floats.map(dtype =>
      sample(
        dtype,
        [randomSpec(1, dtype, [1, 2, 5, 5]), randomSpec(2, dtype, [3, 2, 3, 3])],
        [arg(0), arg(1), { padding: 1 }],
      ),
    ),
    sample(
      'channels last',
      [withLayout(randomSpec(1, 'f32', [1, 3, 6, 5]), 'transposed'), randomSpec(2, 'f32', [2, 3, 3, 3])],
      [arg(0), arg(1), { padding: 'valid' }],
    ),
  ],
  conv3d: () => [
    conv([1, 2, 4, 5, 3], [3, 2, 2, 3, 1]),
    conv([1, 2, 4, 5, 3], [2, 2, 3, 3, 3], { padding: 1, stride: 2 }, true),
    conv([2, 4, 5, 3], [2, 1, 2, 2, 2], { groups: 2 }),
  ],
  maxPool1d: () => pools([2, 3, 8], [[2], [3, { stride: 1, padding: 1 }], [3, { stride: 2, ceilMode: true }]]),
  maxPool2d: () => [
    ...pools(
      [2, 3, 6, 7],
      [
        [2],
        [[3, 2], { stride: [1, 2], padding: 1 }],
        [2, { dilation: 2 }],
        [3, { stride: 2, ceilMode: true, padding: 1 }],
      ],
    ),
    sample('NaN', [spec('f32', [1, 1, 2, 2], [1, Number.NaN, 2, 3])], [arg(0), 2]),
    sample('i32', [randomSpec(1, 'i32', [1, 1, 4, 4])], [arg(0), 3, { padding: 1 }]),
  ],
  maxPool3d: () => pools([1, 2, 4, 5, 4], [[2], [[1, 2, 3], { stride: 1 }]]),
  avgPool1d: () => pools([2, 3, 8], [[2], [3, { stride: 1, padding: 1 }], [3, { stride: 2, ceilMode: true }]]),
  avgPool2d: () =>
    pools(
      [2, 3, 6, 7],
      [
        [2],
        [3, { stride: 2, padding: 1 }],
        [3, { stride: 2, padding: 1, countIncludePad: false }],
        [3, { stride: 2, padding: 1, ceilMode: true }],
        [[4, 3], { stride: 3, padding: [2, 1], ceilMode: true, countIncludePad: false }],
      ],
    ),
  avgPool3d: () => pools([1, 2, 4, 5, 4], [[2], [[1, 2, 3], { stride: 1 }]]),
  adaptiveAvgPool1d: () => pools([2, 3, 8], [[1], [3], [8]]),
  adaptiveAvgPool2d: () => pools([2, 3, 6, 7], [[1], [[3, 2]], [[null, 7]], [[4, 5]]]),
  adaptiveMaxPool1d: () => pools([2, 3, 8], [[1], [3], [8]]),
  adaptiveMaxPool2d: () => pools([2, 3, 6, 7], [[1], [[3, 2]], [[4, 5]]]),
  interpolate: () => [
    ...[
      { size: [3, 4] },
      { size: 9 },
      { scaleFactor: 2 },
      { scaleFactor: [0.5, 1.5] },
      { size: [11, 3], mode: 'bilinear' },
      { size: [11, 1], mode: 'bilinear', alignCorners: true },
      { scaleFactor: 2, mode: 'bilinear' },
    ].map(options => sample(JSON.stringify(options), [image], [arg(0), options])),
    sample('linear', [randomSpec(1, 'f32', [1, 2, 5])], [arg(0), { size: 8, mode: 'linear' }]),
    sample('trilinear', [randomSpec(1, 'f32', [1, 2, 3, 4, 2])], [arg(0), { size: [5, 4, 3], mode: 'trilinear' }]),
    sample('u8', [randomSpec(1, 'u8', [1, 2, 3, 4])], [arg(0), { size: [5, 5] }]),
    sample('f16', [randomSpec(1, 'f16', [1, 2, 3, 4])], [arg(0), { size: [5, 5], mode: 'bilinear' }]),
  ],
} satisfies Record<string, () => readonly Sample[]>
