/** Mistakes of products of rows in groups. */
import { gone, type Mistake, type Tools, table } from './table.js'

const common: readonly Mistake[] = (['raggedMatmul', 'raggedDualMatmul'] as const).flatMap(op => {
  const isDual = op === 'raggedDualMatmul'
  const [bias, factor, b] = isDual ? ['bias2', 'factor1', 'b1'] : ['bias', 'factor', 'b']
  const [added, times] = isDual ? [bias, factor] : ['the bias', 'the factor']
  const call = (t: Tools, over: Readonly<Record<string, unknown>> = {}): unknown[] => {
    const { a, b, ends, options } = { a: t.x, b: t.pack([2, 4, 32]), ends: t.zeros([2], 'i32'), options: {}, ...over }
    return [a, b, ...(isDual ? [t.pack([2, 4, 32])] : []), ends, options]
  }
  return table(op, [
    ['a undefined', t => call(t, { a: undefined }), 'ArgumentError', 'a is missing'],
    ['b undefined', t => call(t, { b: undefined }), 'ArgumentError', `${b} is missing`],
    [
      'a 3-d',
      t => call(t, { a: t.zeros([1, 3, 32]) }),
      'ShapeError',
      'a [1, 3, 32] and b [2, 4, 32] are no [T, K] and [G, N, K]',
    ],
    ['a 0-d', t => call(t, { a: t.zeros([]) }), 'ShapeError', 'a [] and b [2, 4, 32] are no [T, K] and [G, N, K]'],
    ['b 2-d', t => call(t, { b: t.w }), 'ShapeError', 'a [3, 32] and b [4, 32] are no [T, K] and [G, N, K]', 'stacked'],
    ['b 0-d', t => call(t, { b: t.zeros([]) }), 'ShapeError', 'a [3, 32] and b [] are no [T, K] and [G, N, K]'],
    [
      'K',
      t => call(t, { a: t.zeros([3, 64]) }),
      'ShapeError',
      'K differs, a [3, 64] and b [2, 4, 32] (b is [G, N, K]) (64 ≠ 32)',
    ],
    [
      'a i32',
      t => call(t, { a: t.zeros([3, 32], 'i32') }),
      'DtypeError',
      'multiplies f32, f16, bf16 and quantised tensors, got i32',
    ],
    ['ends array', t => call(t, { ends: [1, 2] }), 'ArgumentError', 'offsets is [1, 2], not a tensor'],
    ['ends undefined', t => call(t, { ends: undefined }), 'ArgumentError', 'offsets is missing'],
    ['ends f32', t => call(t, { ends: t.zeros([2]) }), 'DtypeError', 'offsets are f32', "to('i32')"],
    ['ends bool', t => call(t, { ends: t.zeros([2], 'bool') }), 'DtypeError', 'offsets are bool'],
    ['ends u8', t => call(t, { ends: t.zeros([2], 'u8') }), 'DtypeError', 'offsets are u8'],
    ['ends 4', t => call(t, { ends: t.zeros([4], 'i32') }), 'ShapeError', 'offsets [4] for 2 groups', '[G + 1]'],
    ['ends 1', t => call(t, { ends: t.zeros([1], 'i32') }), 'ShapeError', 'offsets [1] for 2 groups'],
    ['ends 0-d', t => call(t, { ends: t.zeros([], 'i32') }), 'ShapeError', 'offsets [] for 2 groups'],
    ['ends 2-d', t => call(t, { ends: t.zeros([1, 2], 'i32') }), 'ShapeError', 'offsets [1, 2] for 2 groups'],
    ['ends gone', t => call(t, { ends: gone(t.zeros([2], 'i32')) }), 'DisposedError', 'was disposed'],
    [
      'bias',
      t => call(t, { options: { [bias]: t.zeros([4]) } }),
      'ShapeError',
      'the bias [4] must be [2, 4]',
      '[G, N]',
    ],
    [
      'bias number',
      t => call(t, { options: { [bias]: 3 } }),
      'ArgumentError',
      `${added} is the number 3, not a tensor`,
    ],
    [
      'bias i32',
      t => call(t, { options: { [bias]: t.zeros([2, 4], 'i32') } }),
      'DtypeError',
      'the bias is i32, not a float',
    ],
    [
      'factor',
      t => call(t, { options: { [factor]: t.zeros([3]) } }),
      'ShapeError',
      'the factor [3] must be [2] (3 ≠ 2)',
    ],
    [
      'factor number',
      t => call(t, { options: { [factor]: 2 } }),
      'ArgumentError',
      `${times} is the number 2, not a tensor`,
    ],
    [
      'factor i32',
      t => call(t, { options: { [factor]: t.zeros([2], 'i32') } }),
      'DtypeError',
      'the factor is i32, not a float',
    ],
    ['factor 0-d', t => call(t, { options: { [factor]: t.zeros([]) } }), 'ShapeError', 'the factor [] must be [2]'],
    ['outDtype', t => call(t, { options: { outDtype: 'i32' } }), 'ArgumentError', 'outDtype i32 is not a float'],
    ['option', t => call(t, { options: { offset: 1 } }), 'ArgumentError', "no parameter 'offset'"],
    ['options null', t => call(t, { options: null }), 'ArgumentError', 'takes at most '],
    ['a disposed', t => call(t, { a: gone(t.zeros([3, 32])) }), 'DisposedError', 'was disposed'],
  ])
})

export const ragged: readonly Mistake[] = [
  ...common,
  ...table('raggedDualMatmul', [
    [
      'gates of other groups',
      t => [t.x, t.zeros([2, 4, 32]), t.zeros([3, 4, 32]), t.zeros([2], 'i32')],
      'ShapeError',
      'b1 and b2 have different numbers of groups',
      'each group',
    ],
  ]),
]
