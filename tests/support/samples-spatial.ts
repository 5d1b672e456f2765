/** Samples of convolutions, pooling and interpolation. */
import { floats, positive, type Sample, sample } from './sample-kinds.js'
import { randomSpec, spec, withLayout } from './tensor-spec.js'

const conv = (
  x: readonly number[],
  w: readonly number[],
  options: object = {},
  bias: boolean | number = false,
): Sample =>
  sample(`[${x}] * [${w}] ${JSON.stringify(options)}`, randomSpec(1, 'f32', x), randomSpec(2, 'f32', w), {
    ...options,
    ...(bias && { bias: randomSpec(3, 'f32', [bias === true ? w[0]! : bias]) }),
  })

const image = randomSpec(1, 'f32', [2, 3, 6, 7])
const pools = (one: readonly number[], args: readonly (readonly unknown[])[]): Sample[] => [
  ...args.map(after => sample(JSON.stringify(after), randomSpec(1, 'f32', one), ...after)),
  sample('no batch', randomSpec(2, 'f32', one.slice(1)), 2),
  sample('transposed', withLayout(randomSpec(3, 'f32', one), 'transposed'), 2),
  ...floats.map(dtype => sample(dtype, randomSpec(4, dtype, one), 2)),
]

const positivePools = (one: readonly number[], args: readonly (readonly unknown[])[]): Sample[] => [
  ...args.map(after => sample(JSON.stringify(after), randomSpec(1, 'f32', one, positive), ...after)),
  sample('no batch', randomSpec(2, 'f32', one.slice(1), positive), 2, 2),
  ...floats.map(dtype => sample(dtype, randomSpec(4, dtype, one, positive), 2, 2)),
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
      sample(dtype, randomSpec(1, dtype, [1, 2, 5, 5]), randomSpec(2, dtype, [3, 2, 3, 3]), { padding: 1 }),
    ),
    sample(
      'channels last',
      withLayout(randomSpec(1, 'f32', [1, 3, 6, 5]), 'transposed'),
      randomSpec(2, 'f32', [2, 3, 3, 3]),
      { padding: 'valid' },
    ),
  ],
  conv3d: () => [
    conv([1, 2, 4, 5, 3], [3, 2, 2, 3, 1]),
    conv([1, 2, 4, 5, 3], [2, 2, 3, 3, 3], { padding: 1, stride: 2 }, true),
    conv([2, 4, 5, 3], [2, 1, 2, 2, 2], { groups: 2 }),
  ],
  convTranspose1d: () => [
    conv([2, 3, 5], [3, 4, 3]),
    conv([2, 3, 5], [3, 4, 3], { stride: 2, padding: 1, outputPadding: 1 }, 4),
    conv([4, 5], [4, 2, 2], { dilation: 3, groups: 2 }, 4),
    conv([1, 2, 1], [2, 1, 1], { stride: 3, outputPadding: 2 }),
  ],
  convTranspose2d: () => [
    conv([2, 3, 4, 5], [3, 2, 3, 3]),
    conv([2, 4, 4, 3], [4, 3, 3, 2], { stride: [2, 1], padding: [1, 0] }, 3),
    conv([1, 4, 3, 3], [4, 3, 2, 2], { stride: 2, groups: 2 }, 6),
    conv([3, 4, 5], [3, 2, 2, 3], { dilation: [2, 1], padding: 2 }),
    conv([1, 2, 4, 4], [2, 2, 1, 1], { padding: 1 }),
    ...floats.map(dtype =>
      sample(dtype, randomSpec(1, dtype, [1, 2, 3, 3]), randomSpec(2, dtype, [2, 3, 3, 3]), { padding: 1, stride: 2 }),
    ),
  ],
  convTranspose3d: () => [
    conv([1, 2, 2, 3, 2], [2, 3, 2, 2, 1]),
    conv([1, 2, 2, 3, 2], [2, 2, 3, 3, 3], { padding: 1, stride: 2 }, 2),
    conv([2, 3, 2, 2], [2, 1, 2, 2, 2], { groups: 2 }),
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
    sample('NaN', spec('f32', [1, 1, 2, 2], [1, Number.NaN, 2, 3]), 2),
    sample('i32', randomSpec(1, 'i32', [1, 1, 4, 4]), 3, { padding: 1 }),
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
        [3, { stride: 2, padding: 1, divisorOverride: 5 }],
      ],
    ),
  avgPool3d: () => pools([1, 2, 4, 5, 4], [[2, { divisorOverride: 3 }], [2], [[1, 2, 3], { stride: 1 }]]),
  adaptiveAvgPool1d: () => pools([2, 3, 8], [[1], [3], [8]]),
  adaptiveAvgPool2d: () => pools([2, 3, 6, 7], [[1], [[3, 2]], [[null, 7]], [[4, 5]]]),
  adaptiveMaxPool1d: () => pools([2, 3, 8], [[1], [3], [8]]),
  adaptiveMaxPool2d: () => pools([2, 3, 6, 7], [[1], [[3, 2]], [[4, 5]]]),
  adaptiveAvgPool3d: () => pools([1, 2, 4, 5, 3], [[1], [[3, 2, 1]], [[null, 5, 2]]]),
  adaptiveMaxPool3d: () => pools([1, 2, 4, 5, 3], [[1], [[3, 2, 1]]]),
  adaptiveMaxPool1dWithIndices: () => [
    ...pools([2, 3, 8], [[1], [3], [8]]),
    sample('ties', spec('f32', [1, 6], [1, 1, 0, -0, 2, 2]), 4),
  ],
  adaptiveMaxPool2dWithIndices: () => pools([2, 3, 6, 7], [[1], [[3, 2]], [[4, 5]], [[null, 3]]]),
  adaptiveMaxPool3dWithIndices: () => pools([1, 2, 4, 5, 3], [[1], [[3, 2, 1]]]),
  lpPool1d: () =>
    positivePools(
      [2, 3, 8],
      [
        [2, 3],
        [1, 2, 1],
        [3, 4, { stride: 3, ceilMode: true }],
      ],
    ),
  lpPool2d: () =>
    positivePools(
      [2, 3, 6, 7],
      [
        [2, 3],
        [1.5, [3, 2], { stride: [2, 1] }],
      ],
    ),
  lpPool3d: () =>
    positivePools(
      [1, 2, 4, 5, 3],
      [
        [2, 2],
        [3, [2, 3, 1]],
      ],
    ),
  maxPool1dWithIndices: () => [
    ...pools([2, 3, 8], [[2], [3, { stride: 1, padding: 1 }], [3, { stride: 2, ceilMode: true }]]),
    sample('ties', spec('f32', [1, 6], [1, 1, 0, -0, 2, 2]), 3),
    sample('below all', spec('f32', [1, 3], [-1 / 0, -1 / 0, 1]), 2, { padding: 1, stride: 1 }),
  ],
  maxPool2dWithIndices: () => [
    ...pools(
      [2, 3, 6, 7],
      [
        [2],
        [[3, 2], { stride: [1, 2], padding: 1 }],
        [2, { dilation: 2 }],
        [3, { stride: 2, ceilMode: true, padding: 1 }],
      ],
    ),
    sample('NaN', spec('f32', [1, 1, 2, 2], [1, Number.NaN, 2, 3]), 2),
    sample('i32', randomSpec(1, 'i32', [1, 1, 4, 4]), 3, { padding: 1 }),
  ],
  maxPool3dWithIndices: () => pools([1, 2, 4, 5, 4], [[2], [[1, 2, 3], { stride: 1 }]]),
  maxUnpool1d: () => [
    sample('plain', randomSpec(1, 'f32', [1, 2, 3]), spec('i64', [1, 2, 3], [0, 3, 4, 1, 2, 5]), 2),
    sample('size', randomSpec(1, 'f16', [2, 2]), spec('i64', [2, 2], [0, 6, 1, 2]), 3, { stride: 2, outputSize: [7] }),
    sample('one', randomSpec(1, 'i32', [1, 1, 1]), spec('i64', [1, 1, 1], [1]), 2),
  ],
  maxUnpool2d: () => [
    sample('plain', randomSpec(1, 'f32', [1, 1, 2, 2]), spec('i64', [1, 1, 2, 2], [0, 3, 9, 15]), 2),
    sample('padded', randomSpec(1, 'f32', [1, 2, 2]), spec('i64', [1, 2, 2], [0, 1, 4, 8]), 3, {
      stride: 2,
      padding: 1,
    }),
    sample('one', randomSpec(1, 'f32', [1, 1, 1, 1]), spec('i64', [1, 1, 1, 1], [3]), 2),
  ],
  maxUnpool3d: () => [
    sample('one', randomSpec(1, 'f32', [1, 1, 1, 1, 1]), spec('i64', [1, 1, 1, 1, 1], [5]), 2),
    sample('two', randomSpec(1, 'f32', [1, 2, 1, 1]), spec('i64', [1, 2, 1, 1], [5, 8]), 2),
    sample('no batch', randomSpec(1, 'f64', [2, 1, 1, 2]), spec('i64', [2, 1, 1, 2], [0, 1, 2, 3]), 2),
  ],
  im2col: () => [
    ...[[2], [[3, 2], { padding: [1, 0], stride: 2 }], [2, { dilation: 2, padding: 1 }], [1]].map(after =>
      sample(JSON.stringify(after), image, ...after),
    ),
    sample('no batch', randomSpec(2, 'i32', [3, 4, 4]), 3),
  ],
  fold: () => [
    sample('apart', randomSpec(1, 'f32', [2, 12, 4]), 4, 2, { stride: 2 }),
    sample('over each other', randomSpec(1, 'f32', [2, 8, 6]), [3, 4], 2),
    sample('padded', randomSpec(1, 'f32', [1, 9, 4]), [4, 3], 3, { stride: 2, padding: 1 }),
    sample('no batch, dilated', randomSpec(1, 'f16', [8, 4]), 4, 2, { dilation: 2 }),
  ],
  glu: () => [
    sample('last', randomSpec(1, 'f32', [3, 6])),
    sample('dim', withLayout(randomSpec(1, 'f32', [2, 4, 3]), 'transposed'), { dim: 1 }),
    ...floats.map(dtype => sample(dtype, randomSpec(1, dtype, [4, 8]), { dim: 0 })),
    sample('specials', spec('f32', [6], [1, Number.NaN, -2, 1 / 0, 100, -1 / 0])),
    sample('even', randomSpec(1, 'f32', [2, 2, 1]), { dim: 1 }),
  ],
  pixelShuffle: () => [
    sample('2', randomSpec(1, 'f32', [2, 8, 3, 4]), 2),
    sample('3', withLayout(randomSpec(1, 'f32', [9, 2, 2]), 'transposed'), 3),
    sample('1', randomSpec(1, 'i32', [2, 3, 2, 4, 2]), 1),
  ],
  pixelUnshuffle: () => [
    sample('2', randomSpec(1, 'f32', [2, 3, 4, 6]), 2),
    sample('3', withLayout(randomSpec(1, 'f32', [2, 3, 6]), 'transposed'), 3),
    sample('1', randomSpec(1, 'i32', [2, 3, 2, 4, 2]), 1),
  ],
  channelShuffle: () => [
    sample('2', randomSpec(1, 'f32', [2, 6, 3, 4]), 2),
    sample('3', withLayout(randomSpec(1, 'f32', [2, 6, 5]), 'transposed'), 3),
    sample('1', randomSpec(1, 'bool', [2, 3]), 1),
  ],
  localResponseNorm: () => [
    sample('odd', image, 3),
    sample('even', image, 2, { alpha: 1, beta: 0.5, k: 2 }),
    ...floats.map(dtype => sample(dtype, randomSpec(1, dtype, [2, 5, 3]), 5, { alpha: 0.1 })),
  ],
  interpolate: () => [
    ...[
      { size: [3, 4] },
      { size: 9 },
      { scaleFactor: 2 },
      { scaleFactor: [0.5, 1.5] },
      { size: [11, 3], mode: 'bilinear' },
      { size: [11, 1], mode: 'bilinear', alignCorners: true },
      { scaleFactor: 2, mode: 'bilinear' },
      { size: [7, 3], mode: 'nearest-exact' },
      { scaleFactor: 1.7, mode: 'nearest-exact' },
      { scaleFactor: 1.7, mode: 'bilinear', recomputeScaleFactor: true },
      { size: [9, 4], mode: 'bicubic' },
      { size: [4, 11], mode: 'bicubic', alignCorners: true },
      { scaleFactor: [1.6, 0.4], mode: 'bicubic' },
      { size: [4, 7], mode: 'area' },
      { size: [3, 9], mode: 'area' },
      { scaleFactor: 0.6, mode: 'area' },
      { size: [2, 3], mode: 'bilinear', antialias: true },
      { size: [4, 11], mode: 'bicubic', antialias: true },
      { size: [4, 3], mode: 'bilinear', antialias: true, alignCorners: true },
      { scaleFactor: 0.4, mode: 'bicubic', antialias: true },
    ].map(options => sample(JSON.stringify(options), image, options)),
    sample('linear', randomSpec(1, 'f32', [1, 2, 5]), { size: 8, mode: 'linear' }),
    sample('trilinear', randomSpec(1, 'f32', [1, 2, 3, 4, 2]), { size: [5, 4, 3], mode: 'trilinear' }),
    // Half places that f64 would put elsewhere.
    sample('ties', randomSpec(1, 'f32', [1, 2, 2]), { size: 41, mode: 'nearest-exact' }),
    sample('area', randomSpec(1, 'f64', [1, 2, 9]), { size: 4, mode: 'area' }),
    sample('bf16', randomSpec(1, 'bf16', [1, 1, 5, 6]), { size: 3, mode: 'bicubic', antialias: true }),
    sample('u8', randomSpec(1, 'u8', [1, 2, 3, 4]), { size: [5, 5] }),
    sample('f16', randomSpec(1, 'f16', [1, 2, 3, 4]), { size: [5, 5], mode: 'bilinear' }),
  ],
  gridSample: () => {
    const places = randomSpec(2, 'f32', [2, 2, 3, 2], { low: -1.6, high: 1.6 })
    const options = ['bilinear', 'nearest', 'bicubic'].flatMap(mode =>
      ['zeros', 'border', 'reflection'].flatMap(paddingMode =>
        [false, true].map(alignCorners => ({ mode, paddingMode, alignCorners })),
      ),
    )
    return [
      ...options.map(each => sample(Object.values(each).join(), randomSpec(1, 'f32', [2, 2, 4, 3]), places, each)),
      sample(
        'volume',
        randomSpec(1, 'f64', [1, 2, 2, 3, 4]),
        randomSpec(2, 'f64', [1, 2, 1, 2, 3], { low: -1.2, high: 1.2 }),
      ),
      sample('one element', randomSpec(1, 'f32', [1, 1, 1, 1]), spec('f32', [1, 1, 2, 2], [0.5, -3, 0, 0]), {
        paddingMode: 'reflection',
        alignCorners: true,
      }),
      sample('f16', randomSpec(1, 'f16', [1, 2, 3, 3]), randomSpec(2, 'f16', [1, 2, 2, 2]), { paddingMode: 'border' }),
    ]
  },
} satisfies Record<string, () => readonly Sample[]>
