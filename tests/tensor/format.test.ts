/** Printing against literal outputs of PyTorch 2 (dtype suffixes in Tegula's names). */
import { describe, expect, it } from 'vitest'
import { formatTensor, type Printable } from '../../src/tensor/format.js'

const f32 = (shape: number[], ...data: number[]): Printable => ({ dtype: 'f32', shape, data: data.map(Math.fround) })
const range = (n: number, from = 0): number[] => Array.from({ length: n }, (_, i) => i + from)

describe('formatTensor prints as PyTorch', () => {
  const cases: readonly (readonly [string, Printable, string])[] = [
    ['a 0-d float', f32([], Math.PI), 'tensor(3.1416)'],
    ['a 0-d integral float', f32([], 2), 'tensor(2.)'],
    ['integral floats with a dot', f32([3], 1, 2, 3), 'tensor([1., 2., 3.])'],
    ['zeros', f32([2, 2], 0, 0, 0, 0), 'tensor([[0., 0.],\n        [0., 0.]])'],
    ['four decimals, aligned with the sign', f32([2], 0.1, -2), 'tensor([ 0.1000, -2.0000])'],
    ['nan and inf among integers', f32([3], Number.NaN, 1, Number.POSITIVE_INFINITY), 'tensor([nan, 1., inf])'],
    [
      'nan and -inf among fractions',
      f32([3], Number.NaN, 1.5, Number.NEGATIVE_INFINITY),
      'tensor([   nan, 1.5000,   -inf])',
    ],
    ['only nan', f32([1], Number.NaN), 'tensor([nan])'],
    ['negative zero', f32([2], -0, 0), 'tensor([-0., 0.])'],
    ['negative zero among fractions', f32([2], -0, 0.5), 'tensor([-0.0000, 0.5000])'],
    ['scientific for a span over 1000', f32([2], 1, 2000), 'tensor([1.0000e+00, 2.0000e+03])'],
    ['scientific for small values', f32([2], 0.00001, -0.00002), 'tensor([ 1.0000e-05, -2.0000e-05])'],
    ['scientific for large values', f32([1], 3e10), 'tensor([3.0000e+10])'],
    ['no scientific at exactly 1e8', f32([1], 1e8), 'tensor([100000000.])'],
    ['ties to even in fixed notation', f32([2], 0.03125, 0.09375), 'tensor([0.0312, 0.0938])'],
    ['ties to even in scientific notation', f32([2], 100005, 1), 'tensor([1.0000e+05, 1.0000e+00])'],
    [
      'integers',
      { dtype: 'i64', shape: [2, 2], data: [1n, -20n, 3n, 4n] },
      'tensor([[  1, -20],\n        [  3,   4]])',
    ],
    ['bool', { dtype: 'bool', shape: [2], data: [1, 0] }, 'tensor([ True, False])'],
    ['a dtype suffix', { dtype: 'i32', shape: [2], data: [1, 2] }, 'tensor([1, 2], dtype=i32)'],
    ['f16', { dtype: 'f16', shape: [1, 2], data: [0.0999755859375, -2] }, 'tensor([[ 0.1000, -2.0000]], dtype=f16)'],
    ['an empty vector', f32([0]), 'tensor([])'],
    ['an empty matrix', f32([0, 3]), 'tensor([], size=(0, 3))'],
    ['an empty i64 vector', { dtype: 'i64', shape: [0], data: [] }, 'tensor([], dtype=i64)'],
    ['an empty i32 cube', { dtype: 'i32', shape: [2, 0, 1], data: [] }, 'tensor([], size=(2, 0, 1), dtype=i32)'],
    [
      'three dims',
      f32([2, 2, 2], ...range(8)),
      'tensor([[[0., 1.],\n         [2., 3.]],\n\n        [[4., 5.],\n         [6., 7.]]])',
    ],
    [
      'long rows broken at 80 columns',
      { dtype: 'i64', shape: [30], data: range(30).map(BigInt) },
      'tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n' +
        '        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29])',
    ],
    [
      'more than 1000 elements summarised',
      { dtype: 'i64', shape: [1001], data: range(1001).map(BigInt) },
      'tensor([   0,    1,    2,  ...,  998,  999, 1000])',
    ],
    [
      'a summarised matrix',
      f32([100, 100], ...new Array<number>(10000).fill(1)),
      [
        'tensor([[1., 1., 1.,  ..., 1., 1., 1.],',
        '        [1., 1., 1.,  ..., 1., 1., 1.],',
        '        [1., 1., 1.,  ..., 1., 1., 1.],',
        '        ...,',
        '        [1., 1., 1.,  ..., 1., 1., 1.],',
        '        [1., 1., 1.,  ..., 1., 1., 1.],',
        '        [1., 1., 1.,  ..., 1., 1., 1.]])',
      ].join('\n'),
    ],
    [
      'a summarised range, scientific by the elements shown',
      f32([2000], ...range(2000)),
      'tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.9970e+03, 1.9980e+03,\n        1.9990e+03])',
    ],
    [
      'a suffix that does not fit the line',
      { dtype: 'i32', shape: [18], data: range(18, 10) },
      'tensor([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27],\n       dtype=i32)',
    ],
  ]
  for (const [name, tensor, text] of cases) it(name, () => expect(formatTensor(tensor)).toBe(text))
})
