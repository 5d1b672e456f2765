/** Samples of normalisations by channels and of losses. */
import { cube, floats, matrix, type Sample, sample } from './sample-kinds.js'
import { type Fill, randomSpec, spec, withLayout } from './tensor-spec.js'

const image = randomSpec(1, 'f32', [2, 4, 3, 5])
const [weight, bias] = [randomSpec(2, 'f32', [4]), randomSpec(3, 'f32', [4])]
const variance = randomSpec(5, 'f32', [4], { low: 0.1, high: 2 })
/** Apart from the weight, which has the same values: another tensor. */
const mean = randomSpec(2, 'f32', [4])

const normSamples = (...after: readonly unknown[]): Sample[] => [
  sample('plain', image, ...after),
  sample('affine', image, ...after, { weight, bias }),
  sample('bias only', withLayout(image, 'transposed'), ...after, { bias: mean, eps: 0.1 }),
  sample('one place dim', randomSpec(1, 'f32', [3, 4, 9]), ...after),
  ...floats.map(dtype => sample(dtype, randomSpec(4, dtype, [2, 4, 6]), ...after)),
]

const pairSamples = (fill: Fill, more: readonly object[] = []): Sample[] => [
  sample('matrices', randomSpec(1, 'f32', [3, 5], fill), randomSpec(2, 'f32', [3, 5], fill)),
  ...[{ reduction: 'sum' }, { reduction: 'none' }, ...more].map(options =>
    sample(JSON.stringify(options), randomSpec(1, 'f32', [3, 5], fill), randomSpec(2, 'f32', [3, 5], fill), options),
  ),
  sample('0-d', randomSpec(1, 'f32', [], fill), randomSpec(2, 'f32', [], fill)),
  sample(
    'transposed',
    withLayout(randomSpec(1, 'f32', [4, 6], fill), 'transposed'),
    randomSpec(2, 'f32', [4, 6], fill),
  ),
  ...floats.map(dtype => sample(dtype, randomSpec(3, dtype, [7], fill), randomSpec(4, dtype, [7], fill))),
]
const unit: Fill = { low: 0.02, high: 0.98 }

const classes = spec('i64', [3], [4, 0, 2])
const classSamples = (): Sample[] => [
  sample('rows', matrix, classes),
  ...['sum', 'none'].map(reduction => sample(reduction, matrix, classes, { reduction })),
  sample('weight', matrix, classes, { weight: randomSpec(5, 'f32', [5], unit) }),
  sample('ignored', matrix, spec('i64', [3], [4, -100, 2])),
  sample('own ignored', matrix, spec('u8', [3], [4, 1, 1]), { ignoreIndex: 1, reduction: 'none' }),
  sample('outside', matrix, spec('i64', [3], [4, 5, 1]), { reduction: 'none' }),
  sample('places', cube, spec('i64', [2, 4], [0, 1, 2, 0, 1, 2, 2, 1])),
  sample('one', randomSpec(6, 'f32', [5]), spec('i64', [], [3])),
  ...floats.map(dtype => sample(dtype, randomSpec(7, dtype, [3, 5]), classes)),
]

export const nnSamples = {
  groupNorm: () => [...normSamples(2), ...normSamples(4), sample('one group', image, 1)],
  batchNorm: () => [
    ...normSamples(null, null, { training: true }).filter(({ args }) => args.length === 4),
    sample('running', image, mean, variance),
    sample('running, affine', image, mean, variance, { weight, bias }),
    sample('training, followed', image, mean, variance, { weight, bias, training: true, momentum: 0.3 }),
    sample('training, one followed', image, null, mean, { training: true }),
    sample('training, affine', image, null, null, { weight, bias, training: true }),
  ],
  instanceNorm: () => [
    ...normSamples(),
    sample('running', image, mean, variance, weight, bias, { useInputStats: false }),
    sample('followed', image, mean, variance, { momentum: 0.3 }),
  ],
  normalize: () => [
    sample('rows', matrix),
    sample('p 1, dim 0', cube, { p: 1, dim: 0 }),
    sample('zeros', spec('f32', [2, 2], [0, 0, 3, 4])),
    ...[3, 0.5, 1 / 0].map(p => sample(`p ${p}`, cube, { p, dim: -1 })),
    sample('0-d', randomSpec(1, 'f32', []), { dim: 0 }),
    sample('two dims', cube, 2, [0, 2]),
    ...floats.map(dtype => sample(dtype, randomSpec(1, dtype, [3, 7]))),
  ],
  mseLoss: () => pairSamples({}),
  l1Loss: () => pairSamples({}),
  smoothL1Loss: () => pairSamples({}, [{ beta: 0.5 }]),
  huberLoss: () => pairSamples({}, [{ delta: 0.5 }]),
  binaryCrossEntropy: () => [
    ...pairSamples(unit),
    sample('ends', spec('f32', [4], [0, 1, 0, 1]), spec('f32', [4], [0, 1, 1, 0]), { reduction: 'none' }),
    sample('weight', randomSpec(1, 'f32', [3, 5], unit), randomSpec(2, 'f32', [3, 5], unit), {
      weight: randomSpec(3, 'f32', [3, 5], unit),
    }),
  ],
  klDiv: () => pairSamples(unit, [{ logTarget: true }, { reduction: 'batchmean' }]).filter(s => s.name !== '0-d'),
  binaryCrossEntropyWithLogits: () => [
    ...pairSamples(unit),
    sample('large', spec('f32', [4], [1000, -1000, 90, -90]), spec('f32', [4], [1, 0, 0, 1]), { reduction: 'none' }),
    sample('weights', matrix, randomSpec(2, 'f32', [3, 5], unit), {
      weight: randomSpec(3, 'f32', [5], unit),
      posWeight: randomSpec(4, 'f32', [5], unit),
    }),
  ],
  nllLoss: classSamples,
  crossEntropy: () => [
    ...classSamples(),
    sample('smoothing', matrix, classes, { labelSmoothing: 0.1, weight: randomSpec(5, 'f32', [5], unit) }),
    sample('probabilities', matrix, randomSpec(8, 'f32', [3, 5], unit)),
    sample('probabilities, smoothing', matrix, randomSpec(8, 'f32', [3, 5], unit), {
      labelSmoothing: 0.2,
      weight: randomSpec(5, 'f32', [5], unit),
      reduction: 'none',
    }),
  ],
  cosineSimilarity: () => [
    sample('rows', matrix, randomSpec(3, 'f32', [3, 5])),
    sample('broadcast', cube, randomSpec(3, 'f32', [3, 1]), { dim: -1 }),
    sample('zeros', spec('f32', [1, 2], [0, 0]), spec('f32', [1, 2], [3, 4])),
    sample('f16', randomSpec(1, 'f16', [2, 9]), randomSpec(2, 'f16', [2, 9])),
  ],
  poissonNllLoss: () => [
    ...pairSamples(unit, [{ logInput: false }, { full: true, logInput: false }]),
    sample('full', randomSpec(1, 'f32', [6]), randomSpec(2, 'f32', [6], { low: 0, high: 5 }), { full: true }),
  ],
  gaussianNllLoss: () => [
    ...[{}, { full: true }, { reduction: 'sum', eps: 0.5 }].map(options =>
      sample(
        JSON.stringify(options),
        matrix,
        randomSpec(3, 'f32', [3, 5]),
        randomSpec(4, 'f32', [3, 1], unit),
        options,
      ),
    ),
    ...floats.map(dtype =>
      sample(dtype, randomSpec(1, dtype, [7]), randomSpec(2, dtype, [7]), randomSpec(3, dtype, [7], unit)),
    ),
  ],
  softMarginLoss: () => [
    ...pairSamples({}),
    sample('large', spec('f32', [3], [200, -200, 0]), spec('f32', [3], [1, 1, -1]), { reduction: 'none' }),
  ],
  hingeEmbeddingLoss: () => [
    ...[{}, { margin: 2.5 }, { reduction: 'none' }].map(options =>
      sample(JSON.stringify(options), randomSpec(1, 'f32', [4]), spec('f32', [4], [1, -1, -1, 1]), options),
    ),
    sample('i64 targets', randomSpec(1, 'f16', [4]), spec('i64', [4], [1, -1, -1, 1])),
  ],
  marginRankingLoss: () => [
    ...[{}, { margin: 0.5 }, { reduction: 'none' }].map(options =>
      sample(
        JSON.stringify(options),
        randomSpec(1, 'f32', [4]),
        randomSpec(2, 'f32', [4]),
        spec('f32', [4], [1, -1, -1, 1]),
        options,
      ),
    ),
    sample('one target', matrix, randomSpec(2, 'f32', [3, 5]), spec('f32', [], [-1])),
  ],
  multilabelSoftMarginLoss: () => [
    ...pairSamples(unit).filter(s => s.name !== '0-d'),
    sample('weight', matrix, randomSpec(2, 'f32', [3, 5], unit), { weight: randomSpec(3, 'f32', [5], unit) }),
  ],
  multiMarginLoss: () => [
    ...[{}, { p: 2, margin: 0.5 }, { reduction: 'none' }, { reduction: 'sum' }].map(options =>
      sample(JSON.stringify(options), matrix, classes, options),
    ),
    sample('weight', matrix, classes, { weight: randomSpec(5, 'f32', [5], unit) }),
    sample('one', randomSpec(6, 'f32', [5]), spec('i64', [], [3])),
    sample('outside', matrix, spec('i64', [3], [4, 5, -1]), { reduction: 'none' }),
    ...floats.map(dtype => sample(dtype, randomSpec(7, dtype, [3, 5]), classes)),
  ],
  multilabelMarginLoss: () => [
    ...[{}, { reduction: 'none' }, { reduction: 'sum' }].map(options =>
      sample(
        JSON.stringify(options),
        matrix,
        spec('i64', [3, 5], [4, 0, -1, 2, 1, 0, 1, 2, 3, 4, -1, 0, 1, 2, 3]),
        options,
      ),
    ),
    sample('one', randomSpec(6, 'f32', [5]), spec('i64', [5], [3, 1, 3, -1, 0])),
    sample('outside', matrix, spec('i64', [3, 5], new Array<number>(15).fill(5)), 'none'),
    ...floats.map(dtype => sample(dtype, randomSpec(7, dtype, [2, 3]), spec('u8', [2, 3], [0, 1, 2, 2, 2, 0]))),
  ],
  cdist: () => [
    ...[{}, { p: 1 }, { p: 0 }, { p: 3 }, { p: 1 / 0 }].map(options =>
      sample(`p ${options.p}`, matrix, randomSpec(3, 'f32', [4, 5]), options),
    ),
    sample('batches', randomSpec(1, 'f32', [2, 1, 3, 4]), randomSpec(2, 'f32', [3, 2, 4])),
    sample('long rows', randomSpec(1, 'f32', [3, 20]), randomSpec(2, 'f32', [4, 20])),
    sample('batches of long rows', randomSpec(1, 'f32', [2, 1, 3, 17]), randomSpec(2, 'f32', [3, 2, 17])),
    sample('nothing', randomSpec(1, 'f32', [2, 0]), randomSpec(2, 'f32', [3, 0])),
    sample('nothing, p ∞', randomSpec(1, 'f32', [2, 0]), randomSpec(2, 'f32', [3, 0]), 1 / 0),
    ...floats.map(dtype => sample(dtype, randomSpec(1, dtype, [3, 6]), randomSpec(2, dtype, [2, 6]))),
  ],
  pairwiseDistance: () => [
    ...[{}, { p: 1, keepdim: true }, { p: 3, eps: 0.1 }].map(options =>
      sample(JSON.stringify(options), matrix, randomSpec(3, 'f32', [3, 5]), options),
    ),
    sample('broadcast', cube, randomSpec(3, 'f32', [4])),
    sample('vectors', randomSpec(1, 'f16', [9]), randomSpec(2, 'f16', [9])),
  ],
  dist: () => [
    sample('2', matrix, randomSpec(3, 'f32', [5])),
    ...[0, 1, 3, 1 / 0].map(p => sample(`p ${p}`, matrix, randomSpec(3, 'f32', [3, 5]), p)),
    sample('bf16', randomSpec(1, 'bf16', [9]), randomSpec(2, 'bf16', [9])),
  ],
  tripletMarginLoss: () =>
    [{}, { margin: 0.3, swap: true }, { p: 1, reduction: 'none' }, { reduction: 'sum' }].map(options =>
      sample(JSON.stringify(options), ...[1, 2, 3].map(seed => randomSpec(seed, 'f32', [4, 6])), options),
    ),
  cosineEmbeddingLoss: () => [
    ...[{}, { margin: 0.3 }, { reduction: 'none' }].map(options =>
      sample(JSON.stringify(options), matrix, randomSpec(3, 'f32', [3, 5]), spec('f32', [3], [1, -1, -1]), options),
    ),
    sample('one', randomSpec(1, 'f32', [5]), randomSpec(2, 'f32', [5]), spec('i64', [], [-1])),
  ],
  renorm: () => [
    sample('rows', randomSpec(1, 'f32', [3, 4]), 2, 0, 1),
    sample('columns', withLayout(randomSpec(1, 'f64', [3, 4]), 'transposed'), 1, -1, 1.5),
    sample('middle', randomSpec(1, 'f16', [2, 3, 4]), Number.POSITIVE_INFINITY, 1, 0.5),
    sample('power', randomSpec(1, 'f32', [2, 5]), 3.5, 0, 0.75),
    sample('zeros', spec('f32', [2, 2], [0, 0, 3, 4]), 2, 0, 0),
  ],
} satisfies Record<string, () => readonly Sample[]>
