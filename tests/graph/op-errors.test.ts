/** What the ops beyond the core refuse: each error says what, with values. */
import { describe, expect, it } from 'vitest'
import { applyRecord, asValue, buildGraph, type InputSpec } from '../../src/graph/apply.js'
import { findRecord } from '../../src/graph/ops/index.js'
import type { Dtype } from '../../src/types/dtype.js'
import { arg, bindArguments } from '../support/tensor-spec.js'

const t = (dtype: Dtype, ...shape: readonly number[]): InputSpec => ({ dtype, shape })
const [x, y, z] = [arg(0), arg(1), arg(2)]

/** The message of a call's error, as `ErrorClass: what`. */
function errorOf(name: string, inputs: readonly InputSpec[], args: readonly unknown[]): string {
  try {
    buildGraph(inputs, [], (b, nodes) =>
      applyRecord(
        b,
        findRecord(name)!,
        bindArguments(args, i => asValue(nodes[i]!)),
      ),
    )
  } catch (error) {
    const { name: kind, what } = error as { name: string; what: string }
    return `${kind}: ${what}`
  }
  return 'nothing'
}

const cases: readonly (readonly [expected: string, name: string, inputs: readonly InputSpec[], ...args: unknown[]])[] =
  [
    ['DtypeError: isclose: needs floats, got i64', 'isclose', [t('i64', 2)], x, 1],
    ["ArgumentError: nanToNum: no option 'inf'", 'nanToNum', [t('f32', 2)], x, { inf: 1 }],
    ['DtypeError: gcd: not defined on f32 and i64', 'gcd', [t('f32', 2)], x, 3],
    ['ShapeError: cummax: dim 2 is out of range for 1 dims', 'cummax', [t('f32', 4)], x, 2],
    ['DtypeError: logcumsumexp: needs floats, got i64', 'logcumsumexp', [t('i64', 4)], x, 0],
    ['ArgumentError: median: takes no argument, it is the median of the whole tensor', 'median', [t('f32', 4)], x, 0],
    ['ShapeError: median: dim 0 of [0] has no elements, so there is no result', 'median', [t('f32', 0)], x],
    ['ShapeError: kthvalue: k is 5, dim 0 of [4] has 4 elements', 'kthvalue', [t('f32', 4)], x, 5],
    ['ArgumentError: kthvalue: k is 0', 'kthvalue', [t('f32', 4)], x, 0],
    ['ArgumentError: quantile: q 1.5 is not between 0 and 1', 'quantile', [t('f32', 4)], x, 1.5],
    ["ArgumentError: quantile: interpolation 'cubic'", 'quantile', [t('f32', 4)], x, 0.5, { interpolation: 'cubic' }],
    ['DtypeError: quantile: needs floats, got i32', 'quantile', [t('i32', 4)], x, 0.5],
    [
      'ShapeError: searchsorted: values [3, 2] do not fit the sorted [2, 4] (2 ≠ 3)',
      'searchsorted',
      [t('f32', 2, 4), t('f32', 3, 2)],
      x,
      y,
    ],
    ['ShapeError: bucketize: the boundaries [2, 4] are not 1-D', 'bucketize', [t('f32', 3), t('f32', 2, 4)], x, y],
    ['ArgumentError: histc: bins is 0', 'histc', [t('f32', 3)], x, { bins: 0 }],
    ['ArgumentError: histc: the range from 2 to 1', 'histc', [t('f32', 3)], x, { min: 2, max: 1 }],
    ['ShapeError: glu: dim 1 of [2, 3] does not divide into halves', 'glu', [t('f32', 2, 3)], x],
    ['ShapeError: pixelShuffle: 6 channels do not divide by 2²', 'pixelShuffle', [t('f32', 6, 2, 2)], x, 2],
    ["ShapeError: fold: the input [5, 4] has 5 rows, no multiple of the kernel's 4", 'fold', [t('f32', 5, 4)], x, 4, 2],
    [
      'ShapeError: fold: the input [4, 5] has 5 columns, the output [3, 3] has 4 windows',
      'fold',
      [t('f32', 4, 5)],
      x,
      3,
      2,
    ],
    [
      'ShapeError: convTranspose2d: the input [1, 3, 4, 4] has 3 channels, the weight [2, 3, 3, 3] takes 2 in 1 groups',
      'convTranspose2d',
      [t('f32', 1, 3, 4, 4), t('f32', 2, 3, 3, 3)],
      x,
      y,
    ],
    [
      'ArgumentError: convTranspose1d: outputPadding 2 is not smaller than stride or dilation',
      'convTranspose1d',
      [t('f32', 1, 3, 4), t('f32', 3, 3, 3)],
      x,
      y,
      { stride: 2, outputPadding: 2 },
    ],
    ['ArgumentError: cdist: p is -1', 'cdist', [t('f32', 2, 3), t('f32', 2, 3)], x, y, { p: -1 }],
    [
      'ShapeError: cdist: rows of [2, 3] and [2, 4] differ in length (3 ≠ 4)',
      'cdist',
      [t('f32', 2, 3), t('f32', 2, 4)],
      x,
      y,
    ],
    ['ShapeError: cross: [2, 4] has no dim of size 3', 'cross', [t('f32', 2, 4), t('f32', 2, 4)], x, y],
    ['ArgumentError: matrixPower: n is -1', 'matrixPower', [t('f32', 2, 2)], x, -1],
    ['ShapeError: matrixPower: [2, 3] is no square matrix (3 ≠ 2)', 'matrixPower', [t('f32', 2, 3)], x, 2],
    ['ArgumentError: multiDot: takes a list of at least two tensors', 'multiDot', [t('f32', 2, 3)], [x]],
    [
      'DtypeError: multiMarginLoss: the target is f32, not class indices',
      'multiMarginLoss',
      [t('f32', 2, 3), t('f32', 2)],
      x,
      y,
    ],
    [
      "ArgumentError: tripletMarginLoss: reduction 'max'",
      'tripletMarginLoss',
      [t('f32', 2, 3)],
      x,
      x,
      x,
      { reduction: 'max' },
    ],
    [
      'ArgumentError: gaussianNllLoss: full is 1, not a boolean',
      'gaussianNllLoss',
      [t('f32', 2)],
      x,
      x,
      x,
      { full: 1 },
    ],
    ['DtypeError: take: the index is f32', 'take', [t('f32', 4), t('f32', 2)], x, y],
    [
      'DtypeError: maskedScatter: the mask is i64, not bool',
      'maskedScatter',
      [t('f32', 4), t('i64', 4), t('f32', 4)],
      x,
      y,
      z,
    ],
    [
      'ShapeError: selectScatter: index 5 is out of range for dim 0 of size 4',
      'selectScatter',
      [t('f32', 4), t('f32')],
      x,
      y,
      0,
      5,
    ],
    [
      'ShapeError: sliceScatter: the slice has 4 places in dim 0, the source [3] (3 ≠ 4)',
      'sliceScatter',
      [t('f32', 4), t('f32', 3)],
      x,
      y,
    ],
    ['ShapeError: diagEmbed: dim1 and dim2 are both 0', 'diagEmbed', [t('f32', 4)], x, { dim1: 0, dim2: 0 }],
    ['ArgumentError: norm: p is two', 'norm', [t('f32', 2)], x, 'two'],
    ['ShapeError: unflatten: dim 0 of [6] does not split into [4, -1]', 'unflatten', [t('f32', 6)], x, 0, [4, -1]],
    ['ShapeError: repeat: 1 counts for [2, 3]', 'repeat', [t('f32', 2, 3)], x, [2]],
    ['ShapeError: unfold: windows of 9 do not fit dim 1 of [2, 7]', 'unfold', [t('f32', 2, 7)], x, 1, 9, 1],
    [
      "ShapeError: pad: [4, 0] on dim 1 of [2, 4] is too much for mode 'reflect'",
      'pad',
      [t('f32', 2, 4)],
      x,
      [4, 0],
      { mode: 'reflect' },
    ],
    ["ArgumentError: pad: mode 'mirror'", 'pad', [t('f32', 4)], x, [1, 1], { mode: 'mirror' }],
    ['DtypeError: scatter: the index is f32', 'scatter', [t('f32', 4), t('f32', 2)], x, 0, y, 1],
    [
      'DtypeError: scatterAdd: self is f32, the source f64',
      'scatterAdd',
      [t('f32', 4), t('i64', 2), t('f64', 2)],
      x,
      0,
      y,
      z,
    ],
    [
      'ShapeError: scatter: the index [3, 2] reaches beyond self [2, 4] (3 ≠ 2)',
      'scatter',
      [t('f32', 2, 4), t('i64', 3, 2)],
      x,
      1,
      y,
      1,
    ],
    [
      'ShapeError: indexAdd: the source [3, 4] is not self [5, 4] with 2 slices in dim 0 (3 ≠ 2)',
      'indexAdd',
      [t('f32', 5, 4), t('i64', 2), t('f32', 3, 4)],
      x,
      0,
      y,
      z,
    ],
    [
      'ShapeError: conv2d: the input [1, 3, 8, 8] has 3 channels, the weight [4, 2, 3, 3] takes 2 · 1 groups',
      'conv2d',
      [t('f32', 1, 3, 8, 8), t('f32', 4, 2, 3, 3)],
      x,
      y,
    ],
    [
      'ShapeError: conv2d: a window of 3 does not fit spatial dim 0 of 2 padded to 2',
      'conv2d',
      [t('f32', 1, 2, 2, 8), t('f32', 4, 2, 3, 3)],
      x,
      y,
    ],
    ['DtypeError: conv1d: the input is f32, the weight f64', 'conv1d', [t('f32', 1, 2, 8), t('f64', 4, 2, 3)], x, y],
    [
      "ArgumentError: conv2d: padding 'same' needs stride 1, got 2, 2",
      'conv2d',
      [t('f32', 1, 2, 8, 8), t('f32', 4, 2, 3, 3)],
      x,
      y,
      { padding: 'same', stride: 2 },
    ],
    [
      'ArgumentError: maxPool2d: padding 2 is more than half of kernelSize 2',
      'maxPool2d',
      [t('f32', 1, 2, 8, 8)],
      x,
      2,
      { padding: 2 },
    ],
    ['ArgumentError: interpolate: give either size or scaleFactor', 'interpolate', [t('f32', 1, 2, 8)], x, {}],
    ['ShapeError: mseLoss: the input [4, 1] and the target [4] differ', 'mseLoss', [t('f32', 4, 1), t('f32', 4)], x, y],
    ['DtypeError: nllLoss: the target is f32, not class indices', 'nllLoss', [t('f32', 4, 3), t('f32', 4)], x, y],
    [
      'ShapeError: crossEntropy: the target [5] does not fit the input [4, 3] (4 ≠ 5)',
      'crossEntropy',
      [t('f32', 4, 3), t('i64', 5)],
      x,
      y,
    ],
    ['ShapeError: groupNorm: 6 channels do not divide into 4 groups', 'groupNorm', [t('f32', 2, 6, 3)], x, 4],
    [
      'ArgumentError: batchNorm: runningMean and runningVar are needed unless { training: true }',
      'batchNorm',
      [t('f32', 2, 6)],
      x,
      null,
      null,
    ],
    [
      "ArgumentError: einsum: 'q' of the result is in no input of 'ij,jk->iq'",
      'einsum',
      [t('f32', 2, 3), t('f32', 3, 2)],
      'ij,jk->iq',
      x,
      y,
    ],
    [
      "ShapeError: einsum: dim 'j' has sizes that differ (3 ≠ 4)",
      'einsum',
      [t('f32', 2, 3), t('f32', 4, 2)],
      'ij,jk->ik',
      x,
      y,
    ],
    [
      'ArgumentError: oneHot: numClasses is not given, and the largest index is not known before it is read',
      'oneHot',
      [t('i64', 2)],
      x,
    ],
    ['ArgumentError: dropout: p is 2', 'dropout', [t('f32', 2)], 1n, 0n, x, 2],
  ]

describe('errors say what, with values', () => {
  for (const [expected, name, inputs, ...args] of cases) {
    it(expected, () => {
      expect(errorOf(name, inputs, args)).toBe(expected)
    })
  }
})
