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
