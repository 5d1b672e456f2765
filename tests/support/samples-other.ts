/** Samples of sorting, matmuls, conversions and creation. */
import { isFloat } from '../../src/types/dtype.js'
import {
  cube,
  every,
  floats,
  integerSpecials,
  matrix,
  matrixDtypes,
  product,
  type Sample,
  sample,
  sortSamples,
  specials,
  viewSamples,
} from './sample-kinds.js'
import { randomSpec, spec, withLayout } from './tensor-spec.js'

const counted = (count: number, value: (i: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => value(i))

export const otherSamples = {
  sort: () => [
    ...sortSamples(),
    ...sortSamples({ descending: true }),
    sample('dim 0', cube, { dim: 0 }),
    sample('empty', randomSpec(1, 'f32', [0])),
  ],
  argsort: () => [...sortSamples(), sample('dim 1, descending', cube, { dim: 1, descending: true })],
  searchsorted: () => [
    ...(['f32', 'i32', 'f16'] as const).map(dtype =>
      sample(dtype, spec(dtype, [7], [-3, -1, 0, 0, 2, 4, 9]), randomSpec(1, dtype, [3, 5], { low: -4, high: 4 })),
    ),
    sample('right', spec('f32', [5], [1, 2, 2, 2, 3]), spec('f32', [4], [2, 0, 3, 5]), { right: true }),
    sample('ends', spec('i64', [2], [1, 5]), spec('i32', [3], [1, 5, 6]), { outInt32: true }),
    sample('rows', spec('f32', [2, 3], [1, 2, 3, 4, 5, 6]), spec('f32', [2, 2], [2, 9, 0, 5])),
    sample('a number', spec('f32', [4], [1, 2, 3, 4]), 2.5),
    sample('NaN', spec('f32', [4], [1, 2, 3, 4]), spec('f32', [3], [Number.NaN, 1 / 0, -1 / 0])),
    sample('nothing', spec('f32', [0], []), spec('f32', [1], [1])),
  ],
  bucketize: () => [
    sample('f32', randomSpec(1, 'f32', [3, 5]), spec('f32', [4], [-1, 0, 0.5, 1])),
    sample('right', spec('i32', [5], [1, 2, 3, 4, 5]), spec('i32', [3], [1, 3, 5]), { right: true }),
    sample('one', spec('f32', [], [2]), spec('f32', [1], [2])),
  ],
  isin: () => [
    sample('i32', spec('i32', [2, 3], [1, 2, 3, 4, 5, 6]), spec('i32', [3], [2, 5, 9])),
    sample('inverted', spec('f32', [4], [1, -0, Number.NaN, 3]), spec('i64', [2, 1], [0, 3]), { invert: true }),
    sample('nothing', spec('i64', [3], [1, 2, 3]), spec('i64', [0], [])),
    // More test elements than are compared one by one.
    sample(
      'many',
      spec('i64', [2, 3], [-1, 0, 5, 256, 257, 300]),
      spec(
        'i64',
        [129],
        counted(129, i => 2 * (128 - i)),
      ),
    ),
    sample(
      'many with NaN',
      spec('f32', [5], [Number.NaN, -0, 3, Number.POSITIVE_INFINITY, 0.5]),
      spec(
        'f32',
        [2, 70],
        counted(140, i => (i % 7 === 0 ? Number.NaN : i % 5)),
      ),
    ),
  ],
  topk: () => [
    ...sortSamples(1),
    ...sortSamples(1, { largest: false }),
    sample('k 3, dim 0', randomSpec(1, 'f32', [6, 4]), 3, { dim: 0 }),
    sample('all of them', matrix, 5),
    sample('k 0', matrix, 0),
    sample('k 40', randomSpec(2, 'f32', [2, 70]), 40),
    sample('specials', spec('f32', [specials.length], specials), 6),
    sample('smallest specials', spec('f32', [specials.length], specials), 6, { largest: false }),
  ],

  mm: () => [
    product([3, 4], [4, 5]),
    product([1, 7], [7, 1]),
    product([0, 3], [3, 2]),
    product([2, 0], [0, 3]),
    product([33, 17], [17, 29]),
    ...matrixDtypes.map(d => product([3, 4], [4, 2], d)),
  ],
  bmm: () => [product([2, 3, 4], [2, 4, 5]), product([0, 3, 4], [0, 4, 5]), product([2, 3, 4], [2, 4, 5], 'f16')],
  mv: () => [product([3, 4], [4]), product([3, 0], [0]), product([3, 4], [4], 'i64')],
  dot: () => [product([4], [4]), product([0], [0]), product([9], [9], 'f16'), product([4], [4], 'i8')],
  matmul: () => [
    ...(
      [
        [[4], [4]],
        [[4], [4, 3]],
        [[2, 4], [4]],
        [
          [2, 4],
          [4, 3],
        ],
        [
          [5, 2, 4],
          [4, 3],
        ],
        [
          [2, 4],
          [5, 4, 3],
        ],
        [[5, 2, 4], [4]],
        [[4], [5, 4, 3]],
        [
          [5, 1, 2, 4],
          [3, 4, 2],
        ],
        [
          [2, 1, 3],
          [1, 3, 2],
        ],
        [
          [19, 70],
          [70, 37],
        ],
        [
          [1, 65],
          [65, 31],
        ],
        [
          [5, 0, 4],
          [4, 3],
        ],
      ] as const
    ).map(([a, c]) => product(a, c)),
    ...matrixDtypes.map(dtype => product([2, 3, 4], [4, 2], dtype)),
    sample(
      'transposed',
      withLayout(randomSpec(1, 'f32', [6, 7]), 'transposed'),
      withLayout(randomSpec(2, 'f32', [7, 5]), 'transposed'),
    ),
    sample('strided batch', withLayout(randomSpec(1, 'f32', [2, 3, 4]), 'strided'), randomSpec(2, 'f32', [2, 4, 3])),
    sample('NaN and infinity', spec('f32', [2, 2], [Number.NaN, 1, 1 / 0, 0]), spec('f32', [2, 2], [1, 2, 3, 0])),
  ],
  linear: () => [
    product([3, 4], [5, 4]),
    product([4], [5, 4]),
    product([2, 3, 4], [5, 4]),
    product([0, 4], [5, 4]),
    product([3, 4], [5, 4], 'i32'),
    ...(['f32', ...floats] as const).map(dtype =>
      sample(`bias ${dtype}`, randomSpec(1, dtype, [2, 3, 4]), randomSpec(2, dtype, [5, 4]), {
        bias: randomSpec(3, dtype, [5]),
      }),
    ),
    sample('bias of a vector', randomSpec(1, 'f32', [4]), randomSpec(2, 'f32', [5, 4]), {
      bias: randomSpec(3, 'f32', [5]),
    }),
  ],

  to: () => [
    ...[...every, 'f8e4m3' as const, 'f8e5m2' as const].flatMap(from =>
      [...every, 'f8e4m3' as const, 'f8e5m2' as const].map(to =>
        sample(
          `${from} to ${to}`,
          isFloat(from)
            ? spec(from, [specials.length], specials)
            : spec(from, [integerSpecials[from]!.length], integerSpecials[from]!),
          to,
        ),
      ),
    ),
    sample('transposed', withLayout(matrix, 'transposed'), 'i32'),
    sample('to f64', matrix, 'f64'),
  ],
  bitcast: () => [
    sample('codes as f8e4m3', randomSpec(1, 'u8', [4, 70], { low: 0, high: 256 }), 'f8e4m3'),
    sample('f8e5m2 as codes', spec('f8e5m2', [specials.length], specials), 'u8'),
    sample('transposed', withLayout(matrix, 'transposed'), 'i32'),
    sample('f16 as i16', randomSpec(2, 'f16', [3, 5]), 'i16'),
    sample('f64 as i64', randomSpec(3, 'f64', [7]), 'i64'),
    sample('as it is', randomSpec(4, 'f32', []), 'f32'),
  ],
  clone: () => viewSamples([[[2, 3, 4]], [[]], [[0, 2]]]),
  contiguous: () => viewSamples([[[2, 3, 4]], [[]], [[0, 2]]]),

  full: () =>
    [
      [[2, 3], 1.5],
      [[], 7],
      [[0, 2], 1],
      [[3], true],
      [[3], 9n],
      [[3], 300, { dtype: 'u8' }],
      [[2], 0.1, { dtype: 'f16' }],
      [[2], Number.NaN],
    ].map(args => sample(String(args), ...args)),
  arange: () =>
    [[5], [2, 7], [0, 1, 0.1], [5, 0, -2], [0], [3, { dtype: 'f32' }], [0, 1, 0.25, { dtype: 'f16' }], [7, 3]].map(
      args => sample(JSON.stringify(args), ...args),
    ),
  linspace: () =>
    [
      [0, 1, 5],
      [-3, 3, 8],
      [2, 2, 1],
      [0, 1, 0],
      [0, 10, 4, { dtype: 'i32' }],
      [0, 1, 3, { dtype: 'f64' }],
    ].map(args => sample(JSON.stringify(args), ...args)),
  eye: () => [[3], [2, 4], [4, 2], [0], [3, { dtype: 'i64' }]].map(args => sample(JSON.stringify(args), ...args)),
  rand: () =>
    [
      [1n, 0n, [7]],
      [42n, 1000n, [2, 3]],
      [42n, (1n << 33n) + 5n, [4]],
      [3n, 0n, []],
      [3n, 0n, [0]],
      [3n, 9n, [5], { dtype: 'f64' }],
      [3n, 9n, [50], { dtype: 'f16' }],
      [-1n, 9n, [5], { dtype: 'bf16' }],
    ].map(args => sample(String(args), ...args)),
  randn: () =>
    [
      [1n, 0n, [7]],
      [42n, 1000n, [2, 3]],
      [3n, 0n, []],
      [3n, 0n, [0]],
      [3n, 9n, [5], { dtype: 'f64' }],
      [3n, 9n, [5], { dtype: 'f16' }],
    ].map(args => sample(String(args), ...args)),
  bernoulli: () => [
    ...(['f32', ...floats] as const).map(dtype =>
      sample(dtype, 7n, 3n, randomSpec(1, dtype, [40], { low: 0, high: 1 })),
    ),
    sample('certain', 1n, 0n, spec('f32', [4], [0, 1, 0, 1])),
    sample('transposed', 1n, 0n, withLayout(randomSpec(1, 'f32', [4, 5], { low: 0, high: 1 }), 'transposed')),
  ],
  dropout: () => [
    ...(['f32', ...floats] as const).map(dtype => sample(dtype, 7n, 3n, randomSpec(1, dtype, [40]))),
    ...[0, 0.1, 1].map(p => sample(`p ${p}`, 1n, 9n, matrix, p)),
  ],
  randperm: () =>
    [
      [1n, 0n, 20],
      [5n, 7n, 0],
      [5n, 7n, 9, { dtype: 'i32' }],
    ].map(args => sample(String(args), ...args)),
  randint: () =>
    [
      [1n, 0n, 0, 10, [20]],
      [1n, 5n, -3, 3, [2, 4]],
      [1n, 5n, 0, 2, [9], { dtype: 'bool' }],
      [1n, 0n, 0, 256, [9], { dtype: 'u8' }],
      [1n, 0n, 0, 2 ** 40, [3]],
    ].map(args => sample(String(args), ...args)),
} satisfies Record<string, () => readonly Sample[]>
