import { describe, expect, it } from 'vitest'
import { applyRecord, asValue, buildGraph, type InputSpec } from '../../src/graph/apply.js'
import { findRecord } from '../../src/graph/ops/index.js'
import { SymbolicShapeError } from '../../src/graph/sizes.js'
import { type Size, sizeSymbol } from '../../src/scalar/size.js'
import type { Dtype } from '../../src/types/dtype.js'
import { arg, bindArguments } from '../support/tensor-spec.js'

const t = (dtype: Dtype, ...shape: readonly Size[]): InputSpec => ({ dtype, shape })

/** The error of a call, as `ErrorClass: what  fix: fix`. */
function errorOf(name: string, inputs: readonly InputSpec[], ...args: readonly unknown[]): string {
  try {
    buildGraph(inputs, [], (b, nodes) =>
      applyRecord(
        b,
        findRecord(name)!,
        bindArguments(args, i => asValue(nodes[i]!)),
      ),
    )
  } catch (error) {
    const {
      name: kind,
      what,
      fix,
      at,
    } = error as { name: string; what: string; fix: string | null; at: { file: string } }
    expect(at.file).toBe(import.meta.filename)
    return `${kind}: ${what}${fix === null ? '' : `  fix: ${fix}`}`
  }
  throw new Error(`${name} accepted ${String(args)}`)
}

const x = arg(0)
const y = arg(1)

describe('errors state the problem, with values, and the fix', () => {
  const cases: readonly (readonly [
    expected: string,
    name: string,
    inputs: readonly InputSpec[],
    ...args: readonly unknown[],
  ])[] = [
    [
      'ShapeError: add: shapes [2, 3] and [4, 3] do not broadcast in dim 0 (2 ≠ 4)  fix: sizes must be equal or 1',
      'add',
      [t('f32', 2, 3), t('f32', 4, 3)],
      x,
      y,
    ],
    [
      'ShapeError: matmul: inner sizes differ, [32, 64] @ [63, 16] (64 ≠ 63)  fix: the last size of the left must be the inner size of the right: transpose one, or check what it was made from',
      'matmul',
      [t('f32', 32, 64), t('f32', 63, 16)],
      x,
      y,
    ],
    [
      "DtypeError: matmul: dtypes f32 and f64 differ  fix: cast one: x.to('f32')",
      'matmul',
      [t('f32', 2, 2), t('f64', 2, 2)],
      x,
      y,
    ],
    [
      'ShapeError: matmul: both operands need at least one dim, got [] @ [2]  fix: use mul for 0-d tensors',
      'matmul',
      [t('f32'), t('f32', 2)],
      x,
      y,
    ],
    [
      'ShapeError: mm: self [2, 3, 4] has 3 dims, not 2  fix: use matmul for other numbers of dims',
      'mm',
      [t('f32', 2, 3, 4), t('f32', 4, 2)],
      x,
      y,
    ],
    [
      'ShapeError: bmm: batch sizes differ, [2, 3, 4] @ [3, 4, 5] (2 ≠ 3)',
      'bmm',
      [t('f32', 2, 3, 4), t('f32', 3, 4, 5)],
      x,
      y,
    ],
    [
      'ShapeError: linear: the input [2, 3] does not fit the weight [out, in] = [5, 4] (3 ≠ 4)',
      'linear',
      [t('f32', 2, 3), t('f32', 5, 4)],
      x,
      y,
    ],
    ['ShapeError: sum: dim 3 is out of range for 2 dims  fix: use a dim from -2 to 1', 'sum', [t('f32', 2, 3)], x, 3],
    [
      'ShapeError: sum: dim 1 appears more than once in [1, -1]  fix: name each dim once',
      'sum',
      [t('f32', 2, 3)],
      x,
      [1, -1],
    ],
    [
      "ArgumentError: sum: no parameter 'keepDim'  fix: did you mean 'keepdim'? sum(input, dim = null, keepdim = false, { dtype = null })",
      'sum',
      [t('f32', 2)],
      x,
      { keepDim: true },
    ],
    [
      'ArgumentError: sum: dim is 1.5, not an integer or a list of integers  fix: sum(input, dim = null, keepdim = false, { dtype = null })',
      'sum',
      [t('f32', 2)],
      x,
      1.5,
    ],
    [
      'ArgumentError: sum: dim is given twice  fix: give it by position or by name: sum(input, dim = null, keepdim = false, { dtype = null })',
      'sum',
      [t('f32', 2)],
      x,
      0,
      { dim: 0 },
    ],
    [
      'ArgumentError: sum: dtype is "float", not one of f64, f32, f16, bf16, f8e4m3, f8e5m2, i64, i32, i16, i8, u8, bool  fix: sum(input, dim = null, keepdim = false, { dtype = null })',
      'sum',
      [t('f32', 2)],
      x,
      { dtype: 'float' },
    ],
    [
      "DtypeError: mean: needs floats, got i64  fix: give a float dtype: { dtype: 'f32' }, or cast first: x.to('f32')",
      'mean',
      [t('i64', 2)],
      x,
    ],
    [
      "DtypeError: softmax: needs floats, got i32  fix: give a float dtype: { dtype: 'f32' }, or cast first: x.to('f32')",
      'softmax',
      [t('i32', 2)],
      x,
      0,
    ],
    [
      'ShapeError: amax: dim 0 of [0, 3] has no elements, so there is no result  fix: reduce a dim that has elements',
      'amax',
      [t('f32', 0, 3)],
      x,
      0,
    ],
    [
      'ShapeError: argmax: dim 0 of [0] has no elements, so there is no result  fix: reduce a dim that has elements',
      'argmax',
      [t('f32', 0, 3)],
      x,
    ],
    ["DtypeError: neg: not defined on bool  fix: cast to a number first: x.to('i32')", 'neg', [t('bool', 2)], x],
    [
      "DtypeError: sub: not defined on bool and bool  fix: cast to a number first: x.to('i32')",
      'sub',
      [t('bool', 2), t('bool', 2)],
      x,
      y,
    ],
    [
      "DtypeError: bitwiseAnd: not defined on f32 and i32  fix: cast to an integer dtype or bool first: x.to('i32')",
      'bitwiseAnd',
      [t('f32', 2), t('i32', 2)],
      x,
      y,
    ],
    [
      "ArgumentError: floorDivide: integer (i32) divided by zero  fix: divide floats: x.to('f32')",
      'floorDivide',
      [t('i32', 2)],
      x,
      0,
    ],
    [
      "ArgumentError: div: integer (i64) divided by zero  fix: divide floats: x.to('f32')",
      'div',
      [t('i64', 2)],
      x,
      0,
      { roundingMode: 'floor' },
    ],
    [
      "ArgumentError: div: roundingMode is \"up\", not 'floor' or 'trunc'  fix: div(input, other, { roundingMode = null })",
      'div',
      [t('i64', 2)],
      x,
      2,
      { roundingMode: 'up' },
    ],
    [
      "ArgumentError: pow: an integer (i32) to a negative power is no integer  fix: use floats: x.to('f32').pow(…)",
      'pow',
      [t('i32', 2)],
      x,
      -1,
    ],
    [
      'ArgumentError: clamp: neither min nor max is given  fix: give at least one: x.clamp(0, 1), x.clamp(null, 1)',
      'clamp',
      [t('f32', 2)],
      x,
    ],
    [
      "ArgumentError: gelu: approximate is \"fast\", not 'none' or 'tanh'  fix: gelu(input, { approximate = 'none' })",
      'gelu',
      [t('f32', 2)],
      x,
      { approximate: 'fast' },
    ],
    [
      'ArgumentError: elu: alpha is "a", not a number  fix: elu(input, alpha = 1)',
      'elu',
      [t('f32', 2)],
      x,
      { alpha: 'a' },
    ],
    [
      'DtypeError: where: the condition is f32, not bool  fix: compare it: condition.ne(0)',
      'where',
      [t('f32', 2)],
      x,
      1,
      2,
    ],
    [
      'ShapeError: reshape: [2, 3] does not fit [4, 2] (6 ≠ 8)  fix: both shapes must have the same number of elements',
      'reshape',
      [t('f32', 2, 3)],
      x,
      [4, 2],
    ],
    [
      'ShapeError: reshape: [2, 3] does not fit [4, -1] (6 / 4)  fix: the sizes given must divide the number of elements',
      'reshape',
      [t('f32', 2, 3)],
      x,
      [4, -1],
    ],
    [
      'ShapeError: reshape: more than one −1 in [-1, -1]  fix: give all sizes but one',
      'reshape',
      [t('f32', 2, 3)],
      x,
      [-1, -1],
    ],
    [
      'ArgumentError: reshape: shape is [-2, 3], not a list of integers of at least 0, or −1 for one that follows from the others  fix: reshape(input, ...shape)',
      'reshape',
      [t('f32', 2, 3)],
      x,
      [-2, 3],
    ],
    [
      'ShapeError: expand: [2, 3] does not stretch to [4, 3] (2 ≠ 4)  fix: only sizes of 1 stretch',
      'expand',
      [t('f32', 2, 3)],
      x,
      [4, 3],
    ],
    [
      'ShapeError: permute: [0, 0] is no order of 2 dims  fix: name each dim from 0 to 1 once',
      'permute',
      [t('f32', 2, 3)],
      x,
      [0, 0],
    ],
    ['ShapeError: t: takes at most 2 dims, got 3  fix: use transpose(dim0, dim1)', 't', [t('f32', 2, 3, 4)], x],
    [
      'ShapeError: select: index 5 is out of range for dim 1 of size 3  fix: use an index from -3 to 2',
      'select',
      [t('f32', 2, 3)],
      x,
      1,
      5,
    ],
    [
      'ShapeError: slice: index -4 is out of range for dim 1 of size 3  fix: use an index from -3 to 2',
      'slice',
      [t('f32', 2, 3)],
      x,
      null,
      -4,
    ],
    [
      'ArgumentError: slice: step is -1  fix: use a step of at least 1, and flip() to go back',
      'slice',
      [t('f32', 3)],
      x,
      [0, 3, -1],
    ],
    [
      'ShapeError: slice: 2 ranges for [3] of 1 dims  fix: give at most one range per dim',
      'slice',
      [t('f32', 3)],
      x,
      null,
      null,
    ],
    [
      'ShapeError: narrow: start 2 and length 2 in dim 0 of size 3 reach outside it  fix: start + length may be at most the size',
      'narrow',
      [t('f32', 3)],
      x,
      0,
      2,
      2,
    ],
    [
      'ShapeError: cat: tensor 0 [2, 3] and tensor 1 [2, 4] differ in more than dim 0 (3 ≠ 4)  fix: only sizes of dim 0 may differ',
      'cat',
      [t('f32', 2, 3), t('f32', 2, 4)],
      [x, y],
      0,
    ],
    ['ArgumentError: cat: the list of tensors is empty  fix: cat needs at least one tensor', 'cat', [], []],
    [
      'ShapeError: stack: tensor 0 [2] and tensor 1 [3] differ (2 ≠ 3)  fix: all tensors need one shape',
      'stack',
      [t('f32', 2), t('f32', 3)],
      [x, y],
    ],
    [
      "DtypeError: gather: the index is f32  fix: cast it: index.to('i64')",
      'gather',
      [t('f32', 2), t('f32', 2)],
      x,
      0,
      y,
    ],
    [
      'ShapeError: gather: the index [3, 1] reaches beyond [2, 4] (2 < 3)  fix: index sizes must not exceed those of self, but along dim',
      'gather',
      [t('f32', 2, 4), t('i64', 3, 1)],
      x,
      1,
      y,
    ],
    [
      'ShapeError: topk: k is 9, dim 0 of [4] has only 4 elements  fix: use a k of at most 4',
      'topk',
      [t('f32', 4)],
      x,
      9,
    ],
    [
      'ArgumentError: topk: k is -1, not an integer of at least 0  fix: topk(input, k, dim = -1, largest = true, sorted = true)',
      'topk',
      [t('f32', 4)],
      x,
      -1,
    ],
    [
      'ShapeError: layerNorm: the input [2, 3] does not end in normalizedShape [4] (3 ≠ 4)',
      'layerNorm',
      [t('f32', 2, 3)],
      x,
      [4],
    ],
    [
      'ShapeError: layerNorm: weight has shape [2], normalizedShape is [3] (2 ≠ 3)',
      'layerNorm',
      [t('f32', 2, 3), t('f32', 2)],
      x,
      [3],
      { weight: y },
    ],
    [
      'ShapeError: embedding: the weight [3] is no matrix  fix: give a table of [entries, features]',
      'embedding',
      [t('i64', 2), t('f32', 3)],
      x,
      y,
    ],
    [
      'ArgumentError: arange: step is 0  fix: use a positive step, or a negative one to count down',
      'arange',
      [],
      0,
      1,
      0,
    ],
    [
      'ArgumentError: randint: low 3 is not below high 3  fix: high is exclusive: use one greater than low',
      'randint',
      [],
      1n,
      0n,
      3,
      3,
      [2],
    ],
    [
      'ArgumentError: rand: gives floats, not i32  fix: use randint, or cast the result',
      'rand',
      [],
      1n,
      0n,
      [2],
      { dtype: 'i32' },
    ],
    [
      'ArgumentError: full: size is 3, not a list of integers of at least 0  fix: full(size, fillValue, { dtype = null })',
      'full',
      [],
      3,
      1,
    ],
  ]
  for (const [expected, name, inputs, ...args] of cases)
    it(expected, () => {
      expect(errorOf(name, inputs, ...args)).toBe(expected)
    })
})

describe('run-time sizes that are not known to match are rejected, and named', () => {
  const n = sizeSymbol('n', 2)
  const m = sizeSymbol('m', 2)
  const refused = (name: string, inputs: readonly InputSpec[], ...args: readonly unknown[]): readonly Size[] => {
    try {
      buildGraph(inputs, [], (b, nodes) =>
        applyRecord(
          b,
          findRecord(name)!,
          bindArguments(args, i => asValue(nodes[i]!)),
        ),
      )
    } catch (error) {
      if (error instanceof SymbolicShapeError) return error.sizes
      throw error
    }
    throw new Error(`${name} accepted sizes that it cannot know`)
  }

  it('two different symbols', () => {
    expect(refused('add', [t('f32', n), t('f32', m)], x, y)).toEqual([n, m])
    expect(refused('matmul', [t('f32', 3, n), t('f32', m, 3)], x, y)).toEqual([n, m])
    expect(refused('cat', [t('f32', 2, n), t('f32', 2, m)], [x, y], 0)).toEqual([n, m])
  })

  it('a symbol and a number other than 1', () => {
    expect(refused('add', [t('f32', n), t('f32', 5)], x, y)).toEqual([n, 5])
    expect(refused('reshape', [t('f32', n)], x, [3, -1])).toEqual([n, 3])
  })

  it('a number of elements that an op needs', () => {
    expect(refused('topk', [t('f32', n)], x, 5)).toEqual([n])
    expect(refused('select', [t('f32', n)], x, 0, 4)).toEqual([4, n])
    expect(refused('narrow', [t('f32', n)], x, 0, 0, 4)).toEqual([n, 4])
  })

  it('but not sizes that ranges decide', () => {
    const accepted = (name: string, inputs: readonly InputSpec[], ...args: readonly unknown[]): string =>
      buildGraph(inputs, [], (b, nodes) =>
        applyRecord(
          b,
          findRecord(name)!,
          bindArguments(args, i => asValue(nodes[i]!)),
        ),
      )
        .body.results.map(({ type }) => (type.kind === 'tensor' ? `[${type.shape.join(', ')}]` : ''))
        .join()
    expect(accepted('add', [t('f32', n), t('f32', 1)], x, y)).toBe('[n]')
    expect(accepted('select', [t('f32', n)], x, 0, -1)).toBe('[]')
    expect(accepted('topk', [t('f32', n)], x, 2)).toBe('[2],[2]')
    expect(accepted('add', [t('f32', sizeSymbol('k', 4, 4)), t('f32', 4)], x, y)).toBe('[4]')
    expect(accepted('reshape', [t('f32', n, 6)], x, [2, -1])).toBe('[2, 3*n]')
    expect(accepted('slice', [t('f32', n)], x, [1, null])).toBe('[n-1]')
    expect(errorOf('select', [t('f32', sizeSymbol('k', 2, 4))], x, 0, 7)).toMatch(/out of range/)
    expect(errorOf('add', [t('f32', sizeSymbol('k', 2, 4)), t('f32', 7)], x, y)).toMatch(/k ≠ 7/)
  })
})
