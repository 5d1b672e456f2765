/** Samples of normalisations by channels and of losses. */
import { cube, floats, matrix, type Sample, sample } from './sample-kinds.js'
import { arg, type Fill, randomSpec, spec, withLayout } from './tensor-spec.js'

const image = randomSpec(1, 'f32', [2, 4, 3, 5])
const channels = [randomSpec(2, 'f32', [4]), randomSpec(3, 'f32', [4])]

const normSamples = (...after: readonly unknown[]): Sample[] => [
  sample('plain', [image], [arg(0), ...after]),
  sample('affine', [image, ...channels], [arg(0), ...after, { weight: arg(1), bias: arg(2) }]),
  sample('bias only', [withLayout(image, 'transposed'), channels[0]!], [arg(0), ...after, { bias: arg(1), eps: 0.1 }]),
  sample('one place dim', [randomSpec(1, 'f32', [3, 4, 9])], [arg(0), ...after]),
  ...floats.map(dtype => sample(dtype, [randomSpec(4, dtype, [2, 4, 6])], [arg(0), ...after])),
]

const pairSamples = (fill: Fill, more: readonly object[] = []): Sample[] => [
  sample('matrices', [randomSpec(1, 'f32', [3, 5], fill), randomSpec(2, 'f32', [3, 5], fill)], [arg(0), arg(1)]),
  ...[{ reduction: 'sum' }, { reduction: 'none' }, ...more].map(options =>
    sample(
      JSON.stringify(options),
      [randomSpec(1, 'f32', [3, 5], fill), randomSpec(2, 'f32', [3, 5], fill)],
      [arg(0), arg(1), options],
    ),
  ),
  sample('0-d', [randomSpec(1, 'f32', [], fill), randomSpec(2, 'f32', [], fill)], [arg(0), arg(1)]),
  sample(
    'transposed',
    [withLayout(randomSpec(1, 'f32', [4, 6], fill), 'transposed'), randomSpec(2, 'f32', [4, 6], fill)],
    [arg(0), arg(1)],
  ),
  ...floats.map(dtype =>
    sample(dtype, [randomSpec(3, dtype, [7], fill), randomSpec(4, dtype, [7], fill)], [arg(0), arg(1)]),
  ),
]
const unit: Fill = { low: 0.02, high: 0.98 }

const classes = spec('i64', [3], [4, 0, 2])
const classSamples = (): Sample[] => [
  sample('rows', [matrix, classes], [arg(0), arg(1)]),
  ...['sum', 'none'].map(reduction => sample(reduction, [matrix, classes], [arg(0), arg(1), { reduction }])),
  sample('weight', [matrix, classes, randomSpec(5, 'f32', [5], unit)], [arg(0), arg(1), { weight: arg(2) }]),
  sample('ignored', [matrix, spec('i64', [3], [4, -100, 2])], [arg(0), arg(1)]),
  sample('own ignored', [matrix, spec('u8', [3], [4, 1, 1])], [arg(0), arg(1), { ignoreIndex: 1, reduction: 'none' }]),
  sample('outside', [matrix, spec('i64', [3], [4, 5, 1])], [arg(0), arg(1), { reduction: 'none' }]),
  sample('places', [cube, spec('i64', [2, 4], [0, 1, 2, 0, 1, 2, 2, 1])], [arg(0), arg(1)]),
  sample('one', [randomSpec(6, 'f32', [5]), spec('i64', [], [3])], [arg(0), arg(1)]),
  ...floats.map(dtype => sample(dtype, [randomSpec(7, dtype, [3, 5]), classes], [arg(0), arg(1)])),
]

export const nnSamples = {
  groupNorm: () => [...normSamples(2), ...normSamples(4), sample('one group', [image], [arg(0), 1])],
  batchNorm: () => [
    ...normSamples(null, null, { training: true }).filter(({ args }) => args.length === 4),
    sample(
      'running',
      [image, ...channels.slice(0, 1), randomSpec(5, 'f32', [4], { low: 0.1, high: 2 })],
      [arg(0), arg(1), arg(2)],
    ),
    sample(
      'running, affine',
      [image, channels[0]!, randomSpec(5, 'f32', [4], { low: 0.1, high: 2 }), ...channels],
      [arg(0), arg(1), arg(2), { weight: arg(3), bias: arg(4) }],
    ),
    sample(
      'training, affine',
      [image, ...channels],
      [arg(0), null, null, { weight: arg(1), bias: arg(2), training: true }],
    ),
  ],
  instanceNorm: () => normSamples(),
  normalize: () => [
    sample('rows', [matrix], [arg(0)]),
    sample('p 1, dim 0', [cube], [arg(0), { p: 1, dim: 0 }]),
    sample('zeros', [spec('f32', [2, 2], [0, 0, 3, 4])], [arg(0)]),
    ...floats.map(dtype => sample(dtype, [randomSpec(1, dtype, [3, 7])], [arg(0)])),
  ],
  mseLoss: () => pairSamples({}),
  l1Loss: () => pairSamples({}),
  smoothL1Loss: () => pairSamples({}, [{ beta: 0.5 }]),
  huberLoss: () => pairSamples({}, [{ delta: 0.5 }]),
  binaryCrossEntropy: () => [
    ...pairSamples(unit),
    sample(
      'ends',
      [spec('f32', [4], [0, 1, 0, 1]), spec('f32', [4], [0, 1, 1, 0])],
      [arg(0), arg(1), { reduction: 'none' }],
    ),
    sample(
      'weight',
      [1, 2, 3].map(seed => randomSpec(seed, 'f32', [3, 5], unit)),
      [arg(0), arg(1), { weight: arg(2) }],
    ),
  ],
  klDiv: () => pairSamples(unit, [{ logTarget: true }, { reduction: 'batchmean' }]).filter(s => s.name !== '0-d'),
  binaryCrossEntropyWithLogits: () => [
    ...pairSamples(unit),
    sample(
      'large',
      [spec('f32', [4], [1000, -1000, 90, -90]), spec('f32', [4], [1, 0, 0, 1])],
      [arg(0), arg(1), { reduction: 'none' }],
    ),
    sample(
      'weights',
      [matrix, randomSpec(2, 'f32', [3, 5], unit), randomSpec(3, 'f32', [5], unit), randomSpec(4, 'f32', [5], unit)],
      [arg(0), arg(1), { weight: arg(2), posWeight: arg(3) }],
    ),
  ],
  nllLoss: classSamples,
  crossEntropy: () => [
    ...classSamples(),
    sample(
      'smoothing',
      [matrix, classes, randomSpec(5, 'f32', [5], unit)],
      [arg(0), arg(1), { labelSmoothing: 0.1, weight: arg(2) }],
    ),
    sample('probabilities', [matrix, randomSpec(8, 'f32', [3, 5], unit)], [arg(0), arg(1)]),
    sample(
      'probabilities, smoothing',
      [matrix, randomSpec(8, 'f32', [3, 5], unit), randomSpec(5, 'f32', [5], unit)],
      [arg(0), arg(1), { labelSmoothing: 0.2, weight: arg(2), reduction: 'none' }],
    ),
  ],
  cosineSimilarity: () => [
    sample('rows', [matrix, randomSpec(3, 'f32', [3, 5])], [arg(0), arg(1)]),
    sample('broadcast', [cube, randomSpec(3, 'f32', [3, 1])], [arg(0), arg(1), { dim: -1 }]),
    sample('zeros', [spec('f32', [1, 2], [0, 0]), spec('f32', [1, 2], [3, 4])], [arg(0), arg(1)]),
    sample('f16', [randomSpec(1, 'f16', [2, 9]), randomSpec(2, 'f16', [2, 9])], [arg(0), arg(1)]),
  ],
} satisfies Record<string, () => readonly Sample[]>
