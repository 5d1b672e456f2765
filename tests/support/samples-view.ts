/** Samples of views, concatenation and selection. */
import { cube, every, matrix, type Sample, sample, specials, unarySamples, viewSamples } from './sample-kinds.js'
import { randomSpec, spec, withLayout } from './tensor-spec.js'

const nothing = randomSpec(1, 'bool', [0, 5])
const places = spec('i64', [3, 4], [0, 4, 1, 1, 3, 3, 3, 2, -1, 5, 0, 0])

const scatterSamples = (...after: readonly object[]): Sample[] => [
  sample('rows', matrix, 1, places, randomSpec(5, 'f32', [3, 4]), ...after),
  sample(
    'columns, smaller',
    matrix,
    0,
    spec('i64', [2, 3], [0, 2, 1, 0, 2, 2]),
    randomSpec(5, 'f32', [4, 4]),
    ...after,
  ),
  sample(
    'middle, transposed',
    withLayout(cube, 'transposed'),
    -2,
    spec('u8', [2, 2, 4], [0, 1, 2, 0, 0, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 9]),
    withLayout(randomSpec(5, 'f32', [2, 2, 4]), 'transposed'),
    ...after,
  ),
  sample('0-d', randomSpec(1, 'f64', []), 0, spec('i64', [], [0]), randomSpec(2, 'f64', []), ...after),
  sample('nothing', matrix, 1, spec('i64', [3, 0], []), randomSpec(2, 'f32', [3, 0]), ...after),
  sample(
    'a line',
    randomSpec(1, 'f32', [70]),
    0,
    randomSpec(2, 'u8', [300], { low: 0, high: 13 }),
    randomSpec(3, 'f32', [300]),
    ...after,
  ),
]

export const viewAndIndexSamples = {
  reshape: () =>
    viewSamples([
      [
        [2, 3, 4],
        [6, 4],
      ],
      [[2, 3, 4], [-1]],
      [
        [2, 3, 4],
        [4, -1, 2],
      ],
      [[], [1, 1]],
      [[1], []],
      [
        [0, 3],
        [3, 0],
      ],
      [
        [0, 3],
        [-1, 3],
      ],
    ]),
  view: () =>
    viewSamples([
      [
        [2, 3, 4],
        [6, 4],
      ],
      [[12], [3, -1]],
      [
        [2, 3, 4],
        [2, -1],
      ],
    ]).filter(s => s.inputs[0]!.strides === undefined),
  expand: () =>
    viewSamples([
      [
        [3, 1],
        [3, 4],
      ],
      [
        [3, 1],
        [2, 3, 4],
      ],
      [
        [3, 1],
        [-1, 4],
      ],
      [[], [2, 2]],
      [[1], [0]],
      [[3], [3]],
    ]),
  broadcastTo: () =>
    viewSamples([
      [
        [3, 1],
        [3, 4],
      ],
      [
        [3, 1],
        [2, -1, 4],
      ],
      [[], [2, 2]],
    ]),
  ravel: () => viewSamples([[[2, 3, 4]], [[5]], [[]], [[2, 0]]]),
  flatten: () => viewSamples([[[2, 3, 4]], [[2, 3, 4], 1], [[2, 3, 4], 0, 1], [[]], [[2, 0]]]),
  squeeze: () =>
    viewSamples([
      [[2, 1, 3, 1]],
      [[2, 1, 3, 1], 1],
      [[2, 1, 3], 0],
      [
        [2, 1, 3, 1],
        [1, 3],
      ],
      [[1, 1]],
      [[]],
    ]),
  unsqueeze: () =>
    viewSamples([
      [[2, 3], 1],
      [[2, 3], 0],
      [[2, 3], -1],
      [[], 0],
    ]),
  permute: () =>
    viewSamples([
      [
        [2, 3, 4],
        [2, 0, 1],
      ],
      [
        [2, 3, 4],
        [0, -1, 1],
      ],
      [[], []],
      [
        [0, 3],
        [1, 0],
      ],
    ]),
  transpose: () =>
    viewSamples([
      [[2, 3, 4], 0, 2],
      [[2, 3, 4], -1, 1],
      [[5], 0, 0],
      [[], 0, -1],
    ]),
  t: () => viewSamples([[[3, 5]], [[4]], [[]], [[0, 2]]]),
  slice: () =>
    viewSamples([
      [[4, 5, 6], [1, 3], null, -1],
      [
        [4, 5],
        [0, null, 2],
      ],
      [[4, 5], 'all', [-3, -1]],
      [[4], [2, 100]],
      [[4], [3, 1]],
      [[4, 5], 0, 0],
      [[7], [1, null, 3]],
      [
        [0, 3],
        [0, 2],
      ],
    ]),
  narrow: () =>
    viewSamples([
      [[4, 5], 1, 1, 3],
      [[4, 5], 0, -2, 2],
      [[4], 0, 4, 0],
    ]),
  select: () =>
    viewSamples([
      [[4, 5], 1, 2],
      [[4, 5], 0, -1],
      [[3], 0, 1],
    ]),
  flip: () =>
    viewSamples([
      [
        [4, 5],
        [0, 1],
      ],
      [[4, 5], -1],
      [[1], 0],
      [[], []],
      [[0, 2], 0],
    ]),

  unflatten: () =>
    viewSamples([
      [[2, 6], 1, [2, 3]],
      [[2, 6], -1, [-1, 2]],
      [[4, 3], 0, [4, 1, 1]],
      [[0, 6], 0, [0, 2]],
    ]),
  movedim: () =>
    viewSamples([
      [[2, 3, 4], 0, 2],
      [
        [2, 3, 4],
        [0, 1],
        [-1, 0],
      ],
      [[5], 0, 0],
      [[], 0, 0],
    ]),
  roll: () =>
    viewSamples([
      [[4, 5], 2, 1],
      [
        [4, 5],
        [1, -2],
        [0, 1],
      ],
      [[4, 5], 3],
      [
        [4, 5],
        [1, 1],
        [1, 1],
      ],
      [[0, 2], 1, 0],
      [[], 1],
    ]),
  rot90: () => viewSamples([[[4, 5]], [[4, 5], 2], [[2, 3, 4], 3, [1, 2]], [[4, 5], -1, [1, 0]], [[4, 5], 4]]),
  repeat: () =>
    viewSamples([
      [
        [2, 3],
        [2, 2],
      ],
      [[3], [2, 1, 3]],
      [
        [2, 3],
        [0, 1],
      ],
      [[], [3]],
      [[], []],
    ]),
  tile: () =>
    viewSamples([
      [[2, 3], [2]],
      [
        [2, 3],
        [1, 2, 1],
      ],
      [[3], []],
    ]),
  repeatInterleave: () => [
    ...viewSamples([
      [[2, 3], 2, 1],
      [[2, 3], 3, 0],
      [[2, 3], 2],
      [[], 4],
      [[3], 0, 0],
    ]),
    sample('counts', matrix, spec('i64', [5], [2, 0, 1, 3, 0]), 1, { outputSize: 6 }),
    sample('counts of rows', matrix, spec('i32', [3], [0, 0, 4]), 0, { outputSize: 4 }),
    sample('flat', spec('bool', [2, 2], [1, 0, 0, 1]), spec('u8', [4], [1, 2, 0, 1]), { outputSize: 4 }),
    sample('of places', spec('i32', [4], [2, 0, 1, 1]), { outputSize: 4 }),
    sample('none', matrix, spec('i64', [3], [0, 0, 0]), 0, { outputSize: 0 }),
  ],
  diagonal: () =>
    viewSamples([[[4, 5]], [[4, 5], 1], [[4, 5], -2], [[2, 3, 4], 0, 2, 0], [[4, 5], 9], [[3, 1]], [[0, 3]]]),
  diag: () => viewSamples([[[4]], [[4], 1], [[4], -2], [[4, 5]], [[4, 5], -1], [[0]], [[0], 2]]),
  trace: () => [...viewSamples([[[4, 5]], [[1, 1]], [[0, 3]]]), sample('i8', randomSpec(1, 'i8', [3, 3]))],
  unfold: () =>
    viewSamples([
      [[2, 7], 1, 3, 2],
      [[7, 2], 0, 3, 1],
      [[7], -1, 7, 1],
      [[2, 6], 1, 1, 4],
    ]),
  diff: () => [
    sample('between', randomSpec(1, 'f32', [2, 5]), {
      n: 2,
      prepend: randomSpec(2, 'f32', [2, 1]),
      append: randomSpec(3, 'f32', [2, 2]),
    }),
    sample('after', randomSpec(1, 'i32', [3, 4]), { dim: 0, append: randomSpec(2, 'i32', [1, 4]) }),
    ...viewSamples([[[4, 5]], [[4, 5], 2, 0], [[3], 5], [[3], 0], [[0, 2], 1, 0], [[1, 2], 1, 0]]),
    sample('u8', spec('u8', [3], [1, 0, 255])),
  ],
  oneHot: () => [
    sample('rows', spec('i64', [2, 2], [0, 3, 1, 2]), 4),
    sample('u8, out of range', spec('u8', [3], [0, 9, 1]), 2),
    sample('0-d', spec('i64', [], [1]), 3),
  ],
  pad: () =>
    viewSamples([
      [
        [2, 5],
        [1, 2],
      ],
      [[3, 4], [1, 1, 2, 0], { value: 1.5 }],
      [
        [3, 4],
        [-1, 2, 0, -1],
      ],
      [[3, 4], [2, 1, 1, 2], { mode: 'reflect' }],
      [[3, 4], [2, 1, 3, 2], { mode: 'replicate' }],
      [[3, 4], [2, 4, 1, 0], { mode: 'circular' }],
      [
        [0, 2],
        [0, 0, 1, 1],
      ],
      [[4], [0, 0]],
    ]),

  where: () => [
    sample('tensors', randomSpec(1, 'bool', [3, 1]), matrix, randomSpec(3, 'f32', [5])),
    sample('numbers', randomSpec(1, 'bool', [7]), 1, 0),
    sample('fractions', randomSpec(1, 'bool', [7]), 0.5, 0),
    sample('promotion', randomSpec(1, 'bool', [7]), randomSpec(2, 'i32', [7]), randomSpec(3, 'f16', [7])),
    sample('f16 and number', randomSpec(1, 'bool', [7]), randomSpec(3, 'f16', [7]), 0.1),
    sample('specials', spec('bool', [1, 2], [0, 1]), spec('f32', [specials.length, 1], specials), -0),
    sample('empty', randomSpec(1, 'bool', [0]), randomSpec(2, 'i64', [1]), 3n),
    sample('0-d', randomSpec(1, 'bool', []), randomSpec(2, 'f64', []), 1),
  ],
  maskedFill: () => [
    sample('number', matrix, randomSpec(1, 'bool', [5]), -1 / 0),
    sample('0-d', randomSpec(2, 'i32', [4]), randomSpec(1, 'bool', [4]), spec('f32', [], [7])),
    sample('f16', randomSpec(2, 'f16', [4]), randomSpec(1, 'bool', [4]), 0.1),
    sample('grows', randomSpec(2, 'f32', [4]), randomSpec(1, 'bool', [3, 1]), 0),
  ],
  tril: () => viewSamples([[[4, 5]], [[4, 5], 1], [[4, 5], -2], [[2, 3, 3]], [[0, 3]]]),
  triu: () => viewSamples([[[4, 5]], [[4, 5], 1], [[4, 5], -2], [[2, 3, 3]], [[0, 3]]]),
  cat: () => [
    sample('an empty vector', [randomSpec(1, 'f32', [0]), randomSpec(2, 'f32', [2, 3])], 0),
    sample('two', [matrix, randomSpec(3, 'f32', [2, 5])]),
    sample('dim 1', [matrix, randomSpec(3, 'f32', [3, 1]), randomSpec(4, 'f32', [3, 4])], 1),
    sample('negative dim, layouts', [withLayout(matrix, 'transposed'), withLayout(matrix, 'strided')], -1),
    sample('itself', [matrix, matrix]),
    sample('one', [matrix]),
    sample('promotion', [randomSpec(1, 'i32', [3]), randomSpec(2, 'f16', [4])]),
    sample('with nothing', [randomSpec(1, 'f32', [0, 5]), matrix]),
    sample('all nothing', [nothing, nothing], 1),
  ],
  stack: () => [
    sample('two', [matrix, randomSpec(3, 'f32', [3, 5])]),
    sample('last', [matrix, withLayout(randomSpec(3, 'f32', [3, 5]), 'transposed')], -1),
    sample('0-d', [randomSpec(1, 'i64', []), randomSpec(2, 'i64', [])]),
    sample('promotion', [randomSpec(1, 'bool', [2]), randomSpec(2, 'f64', [2])], 1),
  ],
  gather: () => [
    sample('line of 0-d', spec('f32', [], [3]), 0, spec('i64', [1], [0])),
    sample('0-d of a line', spec('f32', [3], [3, 4, 5]), 0, spec('i64', [], [1])),
    sample('rows', matrix, 1, spec('i64', [3, 2], [0, 4, 1, 1, 3, 2])),
    sample(
      'columns',
      matrix,
      0,
      spec(
        'i64',
        [4, 5],
        Array.from({ length: 20 }, (_, i) => i % 3),
      ),
    ),
    sample('smaller', matrix, 1, spec('i32', [2, 3], [0, 4, 1, 1, 3, 2])),
    sample('outside', matrix, 1, spec('i64', [3, 2], [-1, 5, 0, 0, 0, 0])),
    sample('0-d', randomSpec(1, 'f64', []), 0, spec('i64', [], [0])),
    sample('empty', matrix, -1, spec('i64', [3, 0], [])),
    sample(
      'transposed',
      withLayout(matrix, 'transposed'),
      1,
      withLayout(spec('i64', [3, 2], [0, 4, 1, 1, 3, 2]), 'transposed'),
    ),
    sample('i64 values', randomSpec(2, 'i64', [4]), 0, spec('u8', [3], [3, 0, 1])),
  ],
  indexSelect: () => [
    sample('of 0-d', spec('f32', [], [3]), 0, spec('i64', [1], [0])),
    sample('one index', randomSpec(1, 'f32', [3, 4]), 1, spec('i64', [], [2])),
    sample('rows', matrix, 0, spec('i64', [4], [2, 0, 0, 1])),
    sample('columns', withLayout(matrix, 'strided'), -1, spec('i32', [2], [4, 1])),
    sample('none', matrix, 0, spec('i64', [0], [])),
    sample('middle', cube, 1, spec('i64', [2], [2, 0])),
  ],
  scatter: () => [
    ...scatterSamples(),
    ...scatterSamples({ reduce: 'add' }),
    sample('multiply', matrix, 1, places, randomSpec(5, 'f32', [3, 4]), { reduce: 'multiply' }),
    sample('number', matrix, 1, places, 7),
    sample('bool', randomSpec(1, 'bool', [3, 5]), 1, places, true),
  ],
  scatterAdd: () => [
    ...scatterSamples(),
    ...every
      .filter(d => d !== 'bool')
      .map(d => sample(d, randomSpec(1, d, [3, 5]), 1, places, randomSpec(5, d, [3, 4]))),
    sample(
      'long',
      randomSpec(1, 'f32', [9, 200]),
      0,
      randomSpec(2, 'u8', [30, 200], { low: 0, high: 2 }),
      randomSpec(3, 'f32', [30, 200]),
    ),
  ],
  scatterReduce: () => [
    sample('all inside', matrix, 1, spec('i64', [2, 4], [0, 1, 1, 3, 2, 2, 0, 0]), randomSpec(5, 'f32', [2, 4]), 'sum'),
    ...(['sum', 'prod', 'mean', 'amax', 'amin'] as const).flatMap(reduce =>
      [true, false].map(includeSelf =>
        sample(`${reduce} ${includeSelf}`, matrix, 1, places, randomSpec(5, 'f32', [3, 4]), reduce, { includeSelf }),
      ),
    ),
  ],
  indexAdd: () => [
    sample('of 0-d', spec('f32', [], [3]), 0, spec('i64', [1], [0]), spec('f32', [1], [4])),
    sample('rows', matrix, 0, spec('i64', [2], [2, 2]), randomSpec(3, 'f32', [2, 5])),
    sample('alpha', cube, 1, spec('i32', [2], [1, 0]), randomSpec(3, 'f32', [2, 2, 4]), { alpha: 0.5 }),
    sample('f16', randomSpec(1, 'f16', [4]), 0, spec('i64', [3], [3, 3, 0]), randomSpec(3, 'f16', [3])),
    sample('i64', randomSpec(1, 'i64', [4]), -1, spec('i64', [1], [1]), randomSpec(3, 'i64', [1])),
    sample('none', matrix, 0, spec('i64', [0], []), randomSpec(3, 'f32', [0, 5])),
  ],
  indexCopy: () => [
    sample('rows', matrix, 0, spec('i64', [2], [2, 0]), randomSpec(3, 'f32', [2, 5])),
    sample('twice', matrix, 0, spec('i64', [2], [2, 2]), randomSpec(3, 'f32', [2, 5])),
    sample('columns', withLayout(matrix, 'transposed'), 1, spec('u8', [1], [4]), randomSpec(3, 'f32', [3, 1])),
  ],
  indexFill: () => [
    sample('from the end', randomSpec(1, 'f32', [3, 4]), 1, spec('i64', [2], [-1, 0]), 5),
    sample('of 0-d', spec('f32', [], [3]), 0, spec('i64', [1], [0]), 5),
    sample('rows', matrix, 0, spec('i64', [2], [2, 0]), 7.5),
    sample('columns', cube, -1, spec('i64', [2], [1, 9]), -1),
    sample('bf16', randomSpec(1, 'bf16', [4]), 0, spec('i64', [], [1]), 0.1),
  ],
  indexPut: () => [
    sample('rows', matrix, [spec('i64', [2], [2, -3])], randomSpec(4, 'f32', [2, 5])),
    sample(
      'elements, twice',
      matrix,
      [spec('i64', [2, 2], [2, 0, 0, 2]), spec('i32', [2], [1, -1])],
      randomSpec(4, 'f32', [2, 2]),
      true,
    ),
    sample('a number', cube, [spec('i64', [1, 1], [1]), spec('i64', [2], [0, 1])], 5),
    ...(['f16', 'bf16', 'f64', 'i32', 'bool'] as const).map(dtype =>
      sample(dtype, randomSpec(1, dtype, [4, 3]), [spec('i64', [3], [3, 0, 3])], randomSpec(2, dtype, [3]), {
        accumulate: dtype !== 'bool',
      }),
    ),
  ],
  embeddingBag: () => [
    ...(['sum', 'mean', 'max'] as const).flatMap(mode => [
      sample(mode, spec('i64', [2, 3], [2, 0, 0, 1, 1, 2]), matrix, { mode }),
      sample(`${mode}, offsets`, spec('i32', [5], [2, 0, 1, 1, 2]), matrix, spec('i32', [3], [0, 3, 3]), {
        mode,
        paddingIdx: 1,
      }),
    ]),
    sample('factors', spec('i64', [4], [2, 0, 1, 1]), matrix, spec('i64', [3], [0, 1, 3]), {
      mode: 'sum',
      perSampleWeights: randomSpec(4, 'f32', [4]),
      includeLastOffset: true,
    }),
    sample('f16', spec('i64', [2, 3], [2, 0, 0, 1, 1, 2]), randomSpec(3, 'f16', [3, 4])),
  ],
  fliplr: () => viewSamples([[[4, 5]], [[2, 1, 3]], [[0, 2]]]),
  flipud: () => viewSamples([[[4, 5]], [[3]], [[0, 2]]]),
  positive: () => viewSamples([[[4, 5]], [[]]]).filter(({ inputs: [x] }) => x!.dtype !== 'bool'),
  msort: () => [...unarySamples({ takes: 'any', special: 'all' }), sample('cube', cube)],
  diagflat: () => [
    sample('vector', randomSpec(1, 'f32', [4])),
    sample('above', randomSpec(1, 'f32', [2, 2]), 1),
    sample('below', randomSpec(1, 'i32', [3]), { offset: -2 }),
    sample('0-d', randomSpec(1, 'f16', [])),
  ],
  takeAlongDim: () => [
    sample('from the end', randomSpec(1, 'f32', [3, 4]), spec('i64', [3, 2], [-1, 0, 1, -2, 3, -4]), 1),
    sample('broadcast', matrix, spec('i64', [1, 2], [3, 0]), 1),
    sample('self broadcast', randomSpec(1, 'f32', [1, 4]), spec('i64', [2, 3], [0, 1, 2, 3, 2, 1]), -1),
    sample('flat', matrix, spec('i64', [2, 2], [14, 0, 7, 99])),
  ],
  embedding: () => [
    sample('rows', spec('i64', [2, 3], [2, 0, 0, 1, 1, 2]), matrix),
    sample('0-d', spec('i64', [], [1]), matrix),
    sample('none', spec('i64', [0], []), matrix),
    sample('f16', spec('i32', [4], [2, 0, 0, 1]), randomSpec(3, 'f16', [3, 4])),
    ...[2, 1, 0, 3, 1 / 0, -1 / 0].map(normType =>
      sample(`maxNorm by ${normType}`, spec('i64', [2, 2], [2, 0, 0, 2]), randomSpec(3, 'f32', [4, 5]), {
        maxNorm: 0.75,
        normType,
      }),
    ),
    sample('maxNorm f16', spec('i32', [4], [2, 0, 0, 2]), randomSpec(3, 'f16', [3, 4]), null, 0.5),
    sample('maxNorm of none', spec('i64', [0], []), matrix, { maxNorm: 1 }),
  ],
  take: () => [
    sample('matrix', matrix, spec('i64', [2, 3], [0, 14, -1, -15, 7, 20])),
    sample('transposed', withLayout(matrix, 'transposed'), spec('i32', [], [3])),
    ...(['f16', 'bool', 'i64'] as const).map(dtype =>
      sample(dtype, randomSpec(1, dtype, [5]), spec('u8', [4], [0, 4, 2, 9])),
    ),
  ],
  maskedScatter: () => [
    ...(['f32', 'f16', 'i32', 'bool'] as const).map(dtype =>
      sample(dtype, randomSpec(1, dtype, [3, 5]), randomSpec(2, 'bool', [3, 5]), randomSpec(3, dtype, [20])),
    ),
    sample('broadcast', cube, spec('bool', [4], [1, 0, 1, 0]), randomSpec(3, 'f32', [4, 5])),
    sample('too few', randomSpec(1, 'f32', [4]), spec('bool', [4], [1, 1, 0, 1]), spec('f32', [2], [7, 8])),
  ],
  selectScatter: () => [
    sample('middle', cube, randomSpec(2, 'f32', [2, 4]), 1, 2),
    sample('from the end', withLayout(matrix, 'transposed'), randomSpec(2, 'f32', [3]), -1, -2),
    sample('f16', randomSpec(1, 'f16', [4]), randomSpec(2, 'f16', []), 0, 3),
  ],
  sliceScatter: () => [
    sample('first', matrix, randomSpec(2, 'f32', [2, 5]), { end: 2 }),
    sample('steps', cube, randomSpec(2, 'f32', [2, 2, 4]), { dim: 1, step: 2 }),
    sample('from the end', randomSpec(1, 'i32', [6]), randomSpec(2, 'i32', [2]), { start: -2, end: 99 }),
    sample('nothing', randomSpec(1, 'f32', [6]), randomSpec(2, 'f32', [0]), { start: 4, end: 2 }),
  ],
  diagEmbed: () => [
    ...[{}, { offset: 1 }, { offset: -2 }, { dim1: 0, dim2: 2 }, { offset: 1, dim1: 2, dim2: 1 }].map(options =>
      sample(JSON.stringify(options), randomSpec(1, 'f32', [2, 3]), options),
    ),
    sample('f16', randomSpec(1, 'f16', [4])),
    sample('bool', randomSpec(1, 'bool', [2, 3]), { offset: 1 }),
  ],
} satisfies Record<string, () => readonly Sample[]>
