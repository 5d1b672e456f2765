/** What ops refuse: each error says what, with values, where, and mostly how to fix it. */
import { describe, expect, it } from 'vitest'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import type { Graph } from '../../src/graph/ir.js'
import { findRecord } from '../../src/graph/ops/index.js'
import { SymbolicShapeError } from '../../src/graph/sizes.js'
import { type Size, sizeSymbol } from '../../src/scalar/size.js'
import type { Dtype } from '../../src/types/dtype.js'
import { arg, bindArguments, replaceArguments } from '../support/tensor-spec.js'

/** A tensor in the arguments of a call. */
class Input {
  constructor(
    readonly dtype: Dtype,
    readonly shape: readonly Size[],
  ) {}
}
const ofDtype =
  (dtype: Dtype) =>
  (...shape: readonly Size[]): Input =>
    new Input(dtype, shape)
const [f64, f32, f16] = [ofDtype('f64'), ofDtype('f32'), ofDtype('f16')]
const [i64, i32, u8, bool] = [ofDtype('i64'), ofDtype('i32'), ofDtype('u8'), ofDtype('bool')]

/** The graph of a call of an op. */
function call(name: string, ...args: readonly unknown[]): Graph {
  const inputs: Input[] = []
  const placed = replaceArguments(args, value => (value instanceof Input ? arg(inputs.push(value) - 1) : undefined))
  return buildGraph(inputs, [], (b, nodes) =>
    applyRecord(
      b,
      findRecord(name)!,
      bindArguments(placed, i => asValue(nodes[i]!)),
    ),
  )
}

/** The error of a call, as `ErrorClass: what  fix: fix`. */
function errorOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    const { name, what, fix, at } = error as { name: string; what: string; fix: string | null; at: { file: string } }
    expect(at.file).toBe(import.meta.filename)
    return `${name}: ${what}${fix === null ? '' : `  fix: ${fix}`}`
  }
  throw new Error(`accepted: ${run}`)
}

const refused: Readonly<Record<string, () => unknown>> = {
  'ShapeError: add: shapes [2, 3] and [4, 3] do not broadcast in dim 0 (2 ≠ 4)  fix: sizes must be equal or 1': () =>
    call('add', f32(2, 3), f32(4, 3)),
  'ShapeError: matmul: inner sizes differ, [32, 64] @ [63, 16] (64 ≠ 63)  fix: the last size of the left must be the inner size of the right: transpose one, or check what it was made from':
    () => call('matmul', f32(32, 64), f32(63, 16)),
  "DtypeError: matmul: dtypes f32 and f64 differ  fix: cast one: x.to('f32')": () =>
    call('matmul', f32(2, 2), f64(2, 2)),
  'ShapeError: matmul: both operands need at least one dim, got [] @ [2]  fix: use mul for 0-d tensors': () =>
    call('matmul', f32(), f32(2)),
  'ShapeError: mm: self [2, 3, 4] has 3 dims, not 2  fix: use matmul for other numbers of dims': () =>
    call('mm', f32(2, 3, 4), f32(4, 2)),
  'ShapeError: bmm: batch sizes differ, [2, 3, 4] @ [3, 4, 5] (2 ≠ 3)': () => call('bmm', f32(2, 3, 4), f32(3, 4, 5)),
  'ShapeError: linear: the input [2, 3] does not fit the weight [out, in] = [5, 4] (3 ≠ 4)': () =>
    call('linear', f32(2, 3), f32(5, 4)),
  'ShapeError: sum: dim 3 is out of range for 2 dims  fix: use a dim from -2 to 1': () => call('sum', f32(2, 3), 3),
  'ShapeError: sum: dim 1 appears more than once in [1, -1]  fix: name each dim once': () =>
    call('sum', f32(2, 3), [1, -1]),
  "ArgumentError: sum: no parameter 'keepDim'  fix: did you mean 'keepdim'? sum(input, dim = null, keepdim = false, { dtype = null })":
    () => call('sum', f32(2), { keepDim: true }),
  'ArgumentError: sum: dim is 1.5, not an integer or a list of integers  fix: sum(input, dim = null, keepdim = false, { dtype = null })':
    () => call('sum', f32(2), 1.5),
  'ArgumentError: sum: dim is given twice  fix: give it by position or by name: sum(input, dim = null, keepdim = false, { dtype = null })':
    () => call('sum', f32(2), 0, { dim: 0 }),
  'ArgumentError: sum: dtype is "float", not one of f64, f32, f16, bf16, f8e4m3, f8e5m2, i64, i32, i16, i8, u8, bool  fix: sum(input, dim = null, keepdim = false, { dtype = null })':
    () => call('sum', f32(2), { dtype: 'float' }),
  "DtypeError: mean: needs floats, got i64  fix: give a float dtype: { dtype: 'f32' }, or cast first: x.to('f32')":
    () => call('mean', i64(2)),
  "DtypeError: softmax: needs floats, got i32  fix: give a float dtype: { dtype: 'f32' }, or cast first: x.to('f32')":
    () => call('softmax', i32(2), 0),
  'ShapeError: amax: dim 0 of [0, 3] has no elements, so there is no result  fix: reduce a dim that has elements': () =>
    call('amax', f32(0, 3), 0),
  'ShapeError: argmax: dim 0 of [0] has no elements, so there is no result  fix: reduce a dim that has elements': () =>
    call('argmax', f32(0, 3)),
  "DtypeError: neg: not defined on bool  fix: cast to a number first: x.to('i32')": () => call('neg', bool(2)),
  "DtypeError: sub: not defined on bool and bool  fix: cast to a number first: x.to('i32')": () =>
    call('sub', bool(2), bool(2)),
  "DtypeError: bitwiseAnd: not defined on f32 and i32  fix: cast to an integer dtype or bool first: x.to('i32')": () =>
    call('bitwiseAnd', f32(2), i32(2)),
  "ArgumentError: floorDivide: integer (i32) divided by zero  fix: divide floats: x.to('f32')": () =>
    call('floorDivide', i32(2), 0),
  "ArgumentError: div: integer (i64) divided by zero  fix: divide floats: x.to('f32')": () =>
    call('div', i64(2), 0, { roundingMode: 'floor' }),
  "ArgumentError: div: roundingMode is \"up\", not 'floor' or 'trunc'  fix: div(input, other, { roundingMode = null })":
    () => call('div', i64(2), 2, { roundingMode: 'up' }),
  "ArgumentError: pow: an integer (i32) to a negative power is no integer  fix: use floats: x.to('f32').pow(…)": () =>
    call('pow', i32(2), -1),
  'ArgumentError: clamp: neither min nor max is given  fix: give at least one: x.clamp(0, 1), x.clamp(null, 1)': () =>
    call('clamp', f32(2)),
  "ArgumentError: gelu: approximate is \"fast\", not 'none' or 'tanh'  fix: gelu(input, { approximate = 'none' })":
    () => call('gelu', f32(2), { approximate: 'fast' }),
  'ArgumentError: elu: alpha is "a", not a number  fix: elu(input, alpha = 1)': () =>
    call('elu', f32(2), { alpha: 'a' }),
  'DtypeError: where: the condition is f32, not bool  fix: compare it: condition.ne(0)': () =>
    call('where', f32(2), 1, 2),
  'ShapeError: reshape: [2, 3] does not fit [4, 2] (6 ≠ 8)  fix: both shapes must have the same number of elements':
    () => call('reshape', f32(2, 3), [4, 2]),
  'ShapeError: reshape: [2, 3] does not fit [4, -1] (6 / 4)  fix: the sizes given must divide the number of elements':
    () => call('reshape', f32(2, 3), [4, -1]),
  'ShapeError: reshape: more than one −1 in [-1, -1]  fix: give all sizes but one': () =>
    call('reshape', f32(2, 3), [-1, -1]),
  'ArgumentError: reshape: shape is [-2, 3], not a list of integers of at least 0, or −1 for one that follows from the others  fix: reshape(input, ...shape)':
    () => call('reshape', f32(2, 3), [-2, 3]),
  'ShapeError: expand: [2, 3] does not broadcast to [4, 3] (2 ≠ 4)  fix: only dims of size 1 expand': () =>
    call('expand', f32(2, 3), [4, 3]),
  'ShapeError: permute: [0, 0] is no order of 2 dims  fix: name each dim from 0 to 1 once': () =>
    call('permute', f32(2, 3), [0, 0]),
  'ShapeError: t: takes at most 2 dims, got 3  fix: use transpose(dim0, dim1)': () => call('t', f32(2, 3, 4)),
  'ShapeError: select: index 5 is out of range for dim 1 of size 3  fix: use an index from -3 to 2': () =>
    call('select', f32(2, 3), 1, 5),
  'ShapeError: slice: index -4 is out of range for dim 1 of size 3  fix: use an index from -3 to 2': () =>
    call('slice', f32(2, 3), null, -4),
  'ArgumentError: slice: step is -1  fix: use a step of at least 1, and flip() to go back': () =>
    call('slice', f32(3), [0, 3, -1]),
  "ShapeError: slice: 2 ranges for [3] of 1 dims  fix: give at most one range per dim; for a new dim use unsqueeze(), or 'newaxis' in get()":
    () => call('slice', f32(3), null, null),
  'ShapeError: narrow: start 2 and length 2 in dim 0 of size 3 reach outside it  fix: start + length may be at most the size':
    () => call('narrow', f32(3), 0, 2, 2),
  'ShapeError: cat: tensor 0 [2, 3] and tensor 1 [2, 4] differ in more than dim 0 (3 ≠ 4)  fix: only sizes of dim 0 may differ':
    () => call('cat', [f32(2, 3), f32(2, 4)], 0),
  'ArgumentError: cat: the list of tensors is empty  fix: cat needs at least one tensor': () => call('cat', []),
  'ShapeError: stack: tensor 0 [2] and tensor 1 [3] differ (2 ≠ 3)  fix: all tensors need one shape': () =>
    call('stack', [f32(2), f32(3)]),
  "DtypeError: gather: the index is f32  fix: cast it: index.to('i64')": () => call('gather', f32(2), 0, f32(2)),
  'ShapeError: gather: the index [3, 1] reaches beyond [2, 4] (2 < 3)  fix: index sizes must not exceed those of self, but along dim':
    () => call('gather', f32(2, 4), 1, i64(3, 1)),
  'ShapeError: topk: k is 9, dim 0 of [4] has only 4 elements  fix: use a k of at most 4': () =>
    call('topk', f32(4), 9),
  'ArgumentError: topk: k is -1, not an integer of at least 0  fix: topk(input, k, dim = -1, largest = true, sorted = true)':
    () => call('topk', f32(4), -1),
  'ShapeError: layerNorm: the input [2, 3] does not end in normalizedShape [4] (3 ≠ 4)': () =>
    call('layerNorm', f32(2, 3), [4]),
  'ShapeError: layerNorm: weight has shape [2], normalizedShape is [3] (2 ≠ 3)': () =>
    call('layerNorm', f32(2, 3), [3], { weight: f32(2) }),
  'ShapeError: embedding: the weight [3] is no matrix  fix: give a table of [entries, features]': () =>
    call('embedding', i64(2), f32(3)),
  'ArgumentError: arange: step is 0  fix: use a positive step, or a negative one to count down': () =>
    call('arange', 0, 1, 0),
  'ArgumentError: randint: low 3 is not below high 3  fix: high is exclusive: use one greater than low': () =>
    call('randint', 1n, 0n, 3, 3, [2]),
  'ArgumentError: rand: gives floats, not i32  fix: use randint, or cast the result': () =>
    call('rand', 1n, 0n, [2], { dtype: 'i32' }),
  'ArgumentError: full: size is 3, not a list of integers of at least 0  fix: full(size, fillValue, { dtype = null })':
    () => call('full', 3, 1),
  'DtypeError: hardtanh: minVal is -1, which u8 cannot represent  fix: give limits of at least 0': () =>
    call('hardtanh', u8(2)),
  "ArgumentError: nanToNum: no parameter 'inf'  fix: nanToNum(input, nan = 0, posinf = null, neginf = null)": () =>
    call('nanToNum', f32(2), { inf: 1 }),
  "DtypeError: gcd: not defined on f32 and i64  fix: cast to an integer dtype first: x.to('i32')": () =>
    call('gcd', f32(2), 3),
  'ShapeError: cummax: dim 2 is out of range for 1 dims  fix: use a dim from -1 to 0': () => call('cummax', f32(4), 2),
  "DtypeError: logcumsumexp: needs floats, got i64  fix: cast first: x.to('f32')": () =>
    call('logcumsumexp', i64(4), 0),
  'ArgumentError: median: takes no arguments after its input, got 1  fix: median(input)': () =>
    call('median', f32(4), 0),
  'ShapeError: median: dim 0 of [0] has no elements, so there is no result  fix: reduce a dim that has elements': () =>
    call('median', f32(0)),
  'ShapeError: kthvalue: k is 5, dim 0 of [4] has 4 elements  fix: use a k of at most 4': () =>
    call('kthvalue', f32(4), 5),
  'ArgumentError: kthvalue: k is 0, not an integer of at least 1  fix: kthvalue(input, k, dim = -1, keepdim = false)':
    () => call('kthvalue', f32(4), 0),
  'ArgumentError: quantile: q 1.5 is not between 0 and 1  fix: use shares of 1: 0.5 is the median': () =>
    call('quantile', f32(4), 1.5),
  "ArgumentError: quantile: interpolation is \"cubic\", not 'linear', 'lower', 'higher', 'midpoint' or 'nearest'  fix: quantile(input, q, dim = null, keepdim = false, { interpolation = 'linear' })":
    () => call('quantile', f32(4), 0.5, { interpolation: 'cubic' }),
  "DtypeError: quantile: needs floats, got i32  fix: cast first: x.to('f32')": () => call('quantile', i32(4), 0.5),
  'ShapeError: searchsorted: values [3, 2] do not fit the sorted [2, 4] (2 ≠ 3)': () =>
    call('searchsorted', f32(2, 4), f32(3, 2)),
  'ShapeError: bucketize: the boundaries [2, 4] are not 1-D  fix: searchsorted takes one sorted sequence per row': () =>
    call('bucketize', f32(3), f32(2, 4)),
  'ArgumentError: histc: bins is 0, not an integer of at least 1  fix: histc(input, bins = 100, min = 0, max = 0)':
    () => call('histc', f32(3), { bins: 0 }),
  'ArgumentError: histc: the range from 2 to 1  fix: use min ≤ max': () => call('histc', f32(3), { min: 2, max: 1 }),
  'ShapeError: glu: dim 1 of [2, 3] does not divide into halves': () => call('glu', f32(2, 3)),
  'ShapeError: pixelShuffle: 6 channels do not divide by 2²': () => call('pixelShuffle', f32(6, 2, 2), 2),
  "ShapeError: fold: the input [5, 4] has 5 rows, no multiple of the kernel's 4  fix: its rows are channels · kernel height · kernel width: use the kernelSize that made the columns":
    () => call('fold', f32(5, 4), 4, 2),
  'ShapeError: fold: the input [4, 5] has 5 columns, the output [3, 3] has 4 windows  fix: use the outputSize, stride, padding and dilation that made the columns':
    () => call('fold', f32(4, 5), 3, 2),
  'ShapeError: convTranspose2d: the input [1, 3, 4, 4] has 3 channels, the weight [2, 3, 3, 3] takes 2 in 1 groups  fix: give an input of 2 channels, the channels in dim 1, and groups that divide them':
    () => call('convTranspose2d', f32(1, 3, 4, 4), f32(2, 3, 3, 3)),
  'ArgumentError: convTranspose1d: outputPadding 2 is not smaller than stride or dilation  fix: use a greater stride, or a smaller outputPadding':
    () => call('convTranspose1d', f32(1, 3, 4), f32(3, 3, 3), { stride: 2, outputPadding: 2 }),
  'ArgumentError: cdist: p is -1  fix: use p ≥ 0': () => call('cdist', f32(2, 3), f32(2, 3), { p: -1 }),
  'ShapeError: cdist: rows of [2, 3] and [2, 4] differ in length (3 ≠ 4)': () => call('cdist', f32(2, 3), f32(2, 4)),
  'ShapeError: cross: [2, 4] has no dim of size 3  fix: cross works on vectors of 3 elements: name their dim with { dim }':
    () => call('cross', f32(2, 4), f32(2, 4)),
  'ArgumentError: matrixPower: n is -1, not an integer of at least 0  fix: matrixPower(input, n)': () =>
    call('matrixPower', f32(2, 2), -1),
  'ShapeError: matrixPower: [2, 3] is no square matrix (3 ≠ 2)': () => call('matrixPower', f32(2, 3), 2),
  'ArgumentError: multiDot: takes a list of at least two tensors  fix: multiDot([a, b, c])': () =>
    call('multiDot', [f32(2, 3)]),
  "DtypeError: scaledDotProductAttention: query, key and value are f32, f16 and f32  fix: cast them: x.to('f32')": () =>
    call('scaledDotProductAttention', f32(3, 4), f16(3, 4), f32(3, 4)),
  "DtypeError: scaledDotProductAttention: needs floats, got i32  fix: cast first: x.to('f32')": () =>
    call('scaledDotProductAttention', i32(3, 4), i32(3, 4), i32(3, 4)),
  'ShapeError: scaledDotProductAttention: query [3, 4], key [5, 6], value [5, 2]: query and key differ in their last dim (4 ≠ 6)  fix: heads of query and key have one size':
    () => call('scaledDotProductAttention', f32(3, 4), f32(5, 6), f32(5, 2)),
  'ShapeError: scaledDotProductAttention: query [3, 4], key [5, 4], value [6, 2]: key and value differ in length (5 ≠ 6)  fix: each key has a value':
    () => call('scaledDotProductAttention', f32(3, 4), f32(5, 4), f32(6, 2)),
  'ShapeError: scaledDotProductAttention: query [4], key [5, 4], value [5, 2]: each needs at least 2 dims  fix: give […, length, size]':
    () => call('scaledDotProductAttention', f32(4), f32(5, 4), f32(5, 2)),
  'ShapeError: scaledDotProductAttention: 3 heads of the query over 2 of the key and 2 of the value  fix: key and value have one number of heads, which divides the number of the query’s':
    () => call('scaledDotProductAttention', f32(3, 4, 8), f32(2, 5, 8), f32(2, 5, 8), { enableGqa: true }),
  'ShapeError: scaledDotProductAttention: shapes [3] and [2] and [2] do not broadcast in dim 0 (3 ≠ 2)  fix: sizes must be equal or 1':
    () => call('scaledDotProductAttention', f32(3, 4, 8), f32(2, 5, 8), f32(2, 5, 8)),
  'ShapeError: scaledDotProductAttention: the mask [2, 3, 5] does not broadcast to [3, 5]  fix: a mask has the shape [batch…, queries, keys], or 1 in some of these dims':
    () => call('scaledDotProductAttention', f32(3, 4), f32(5, 4), f32(5, 2), { attnMask: bool(2, 3, 5) }),
  'ShapeError: scaledDotProductAttention: shapes [3, 4] and [3, 5] do not broadcast in dim 1 (4 ≠ 5)  fix: sizes must be equal or 1':
    () => call('scaledDotProductAttention', f32(3, 4), f32(5, 4), f32(5, 2), { attnMask: bool(3, 4) }),
  'DtypeError: scaledDotProductAttention: the mask is i64  fix: give a bool mask (true: the key is seen), or a float one that is added to the scores':
    () => call('scaledDotProductAttention', f32(3, 4), f32(5, 4), f32(5, 2), { attnMask: i64(3, 5) }),
  'ArgumentError: scaledDotProductAttention: both attnMask and isCausal are given  fix: give one of them; a mask can hide the keys after each row itself':
    () => call('scaledDotProductAttention', f32(3, 4), f32(5, 4), f32(5, 2), { attnMask: bool(3, 5), isCausal: true }),
  'ArgumentError: scaledDotProductAttention: scale is NaN, not a number  fix: scaledDotProductAttention(input, key, value, attnMask = null, { isCausal = false, scale = null, enableGqa = false }); dropoutP is taken by the function, as is returnLse: scaledDotProductAttention(query, key, value, { dropoutP })':
    () => call('scaledDotProductAttention', f32(3, 4), f32(5, 4), f32(5, 2), { scale: Number.NaN }),
  "ArgumentError: scaledDotProductAttention: no parameter 'dropoutP'  fix: scaledDotProductAttention(input, key, value, attnMask = null, { isCausal = false, scale = null, enableGqa = false }); dropoutP is taken by the function, as is returnLse: scaledDotProductAttention(query, key, value, { dropoutP })":
    () => call('scaledDotProductAttention', f32(3, 4), f32(5, 4), f32(5, 2), { dropoutP: 0.1 }),
  "DtypeError: multiMarginLoss: the target is f32, not class indices  fix: cast it: target.to('i64')": () =>
    call('multiMarginLoss', f32(2, 3), f32(2)),
  "ArgumentError: tripletMarginLoss: reduction is \"max\", not 'mean', 'sum' or 'none'  fix: tripletMarginLoss(anchor, positive, negative, margin = 1, p = 2, eps = 1e-6, swap = false, reduction = 'mean')":
    () => call('tripletMarginLoss', f32(2, 3), f32(2, 3), f32(2, 3), { reduction: 'max' }),
  "ArgumentError: gaussianNllLoss: full is 1, not true or false  fix: gaussianNllLoss(input, target, variance, full = false, eps = 1e-6, reduction = 'mean')":
    () => call('gaussianNllLoss', f32(2), f32(2), f32(2), { full: 1 }),
  "DtypeError: take: the index is f32  fix: cast it: index.to('i64')": () => call('take', f32(4), f32(2)),
  'DtypeError: maskedScatter: the mask is i64, not bool  fix: compare it: mask.ne(0)': () =>
    call('maskedScatter', f32(4), i64(4), f32(4)),
  'ShapeError: selectScatter: index 5 is out of range for dim 0 of size 4  fix: use an index from -4 to 3': () =>
    call('selectScatter', f32(4), f32(), 0, 5),
  'ShapeError: sliceScatter: the slice has 4 positions in dim 0, the source [3] (3 ≠ 4)': () =>
    call('sliceScatter', f32(4), f32(3)),
  'ShapeError: diagEmbed: dim1 and dim2 are both 0  fix: give two different dims': () =>
    call('diagEmbed', f32(4), { dim1: 0, dim2: 0 }),
  "ArgumentError: norm: p is \"two\", not a number, 'fro' or 'nuc'  fix: norm(input, p = 2, dim = null, keepdim = false, dtype = null)":
    () => call('norm', f32(2), 'two'),
  'ShapeError: unflatten: dim 0 of [6] does not split into [4, -1]': () => call('unflatten', f32(6), 0, [4, -1]),
  'ShapeError: repeat: 1 counts for [2, 3]  fix: give one count per dim, or use tile()': () =>
    call('repeat', f32(2, 3), [2]),
  'ShapeError: unfold: windows of 9 do not fit dim 1 of [2, 7]  fix: use a size of at most 7': () =>
    call('unfold', f32(2, 7), 1, 9, 1),
  "ShapeError: pad: [4, 0] on dim 1 of [2, 4] is too much for mode 'reflect'  fix: use at most 3": () =>
    call('pad', f32(2, 4), [4, 0], { mode: 'reflect' }),
  "ArgumentError: pad: mode is \"mirror\", not 'constant', 'reflect', 'replicate' or 'circular'  fix: pad(input, pad, mode = 'constant', value = null)":
    () => call('pad', f32(4), [1, 1], { mode: 'mirror' }),
  "DtypeError: scatter: the index is f32  fix: cast it: index.to('i64')": () => call('scatter', f32(4), 0, f32(2), 1),
  "DtypeError: scatterAdd: self is f32, the source f64  fix: cast the source: source.to('f32')": () =>
    call('scatterAdd', f32(4), 0, i64(2), f64(2)),
  'ShapeError: scatter: the index [3, 2] reaches beyond self [2, 4] (3 ≠ 2)': () =>
    call('scatter', f32(2, 4), 1, i64(3, 2), 1),
  'ShapeError: indexAdd: the source [3, 4] is not self [5, 4] with 2 slices in dim 0 (3 ≠ 2)': () =>
    call('indexAdd', f32(5, 4), 0, i64(2), f32(3, 4)),
  'ShapeError: conv2d: the input [1, 3, 8, 8] has 3 channels, the weight [4, 2, 3, 3] takes 2 · 1 groups  fix: give an input of 2 channels, the channels in dim 1, or another groups':
    () => call('conv2d', f32(1, 3, 8, 8), f32(4, 2, 3, 3)),
  'ShapeError: conv2d: a window of 3 does not fit spatial dim 0 of 2 padded to 2  fix: use a smaller kernel or dilation, or more padding':
    () => call('conv2d', f32(1, 2, 2, 8), f32(4, 2, 3, 3)),
  "DtypeError: conv1d: the input is f32, the weight f64  fix: cast one: weight.to('f32')": () =>
    call('conv1d', f32(1, 2, 8), f64(4, 2, 3)),
  "ArgumentError: conv2d: padding 'same' needs stride 1, got 2, 2  fix: use stride 1, or give the padding as numbers":
    () => call('conv2d', f32(1, 2, 8, 8), f32(4, 2, 3, 3), { padding: 'same', stride: 2 }),
  'ArgumentError: maxPool2d: padding 2 is more than half of kernelSize 2  fix: use at most half of kernelSize, or pad the input itself with pad':
    () => call('maxPool2d', f32(1, 2, 8, 8), 2, { padding: 2 }),
  'ArgumentError: interpolate: give either size or scaleFactor  fix: give one of them and not the other': () =>
    call('interpolate', f32(1, 2, 8), {}),
  'ShapeError: mseLoss: the input [4, 1] and the target [4] differ  fix: give both one shape: target.reshape(…) or target.expand(…)':
    () => call('mseLoss', f32(4, 1), f32(4)),
  "DtypeError: nllLoss: the target is f32, not class indices  fix: cast it: target.to('i64')": () =>
    call('nllLoss', f32(4, 3), f32(4)),
  'ShapeError: crossEntropy: the target [5] does not fit the input [4, 3] (4 ≠ 5)  fix: give class indices of shape [4]':
    () => call('crossEntropy', f32(4, 3), i64(5)),
  'ShapeError: binaryCrossEntropy: the weight [3, 1] does not broadcast to [4]  fix: its sizes must be 1 or those at the same places, counted from the last dim':
    () => call('binaryCrossEntropy', f32(4), f32(4), f32(3, 1)),
  'ShapeError: multiMarginLoss: the weight [2] is not one value for each of 3 classes (2 ≠ 3)  fix: give a vector':
    () => call('multiMarginLoss', f32(4, 3), i64(4), { weight: f32(2) }),
  'ShapeError: convTranspose1d: the bias [2] does not fit 3 output channels (2 ≠ 3)': () =>
    call('convTranspose1d', f32(1, 2, 5), f32(2, 3, 2), f32(2)),
  'ShapeError: groupNorm: 6 channels do not divide into 4 groups  fix: use a number of groups that divides the channels':
    () => call('groupNorm', f32(2, 6, 3), 4),
  "ArgumentError: batchNorm: runningMean and runningVar are needed unless { training: true }  fix: pass both, or { training: true } to normalise by the input's own":
    () => call('batchNorm', f32(2, 6), null, null),
  "ArgumentError: einsum: 'q' of the result is in no input of 'ij,jk->iq'  fix: use labels of the inputs behind the arrow":
    () => call('einsum', 'ij,jk->iq', f32(2, 3), f32(3, 2)),
  "ShapeError: einsum: dim 'j' has sizes that differ (3 ≠ 4)": () => call('einsum', 'ij,jk->ik', f32(2, 3), f32(4, 2)),
  'ArgumentError: oneHot: numClasses is not given, and the largest index is not known before it is read  fix: oneHot(x, numClasses)':
    () => call('oneHot', i64(2)),
  'ArgumentError: dropout: p is 2  fix: use a probability from 0 to 1': () => call('dropout', 1n, 0n, f32(2), 2),
}

describe('errors say what, with values, and the fix', () => {
  it.each(Object.keys(refused))('%s', expected => {
    expect(errorOf(refused[expected]!)).toBe(expected)
  })
})

describe('run-time sizes that are not known to fit are refused, and say which', () => {
  const n = sizeSymbol('n', 2)
  const m = sizeSymbol('m', 2)
  const unknown = (run: () => unknown): readonly Size[] => {
    try {
      run()
    } catch (error) {
      if (error instanceof SymbolicShapeError) return error.sizes
      throw error
    }
    throw new Error(`accepted sizes that it cannot know: ${run}`)
  }

  it('two symbols that meet', () => {
    expect(unknown(() => call('add', f32(n), f32(m)))).toEqual([n, m])
    expect(unknown(() => call('matmul', f32(3, n), f32(m, 3)))).toEqual([n, m])
    expect(unknown(() => call('cat', [f32(2, n), f32(2, m)], 0))).toEqual([n, m])
  })

  it('a symbol that meets a number other than 1', () => {
    expect(unknown(() => call('add', f32(n), f32(5)))).toEqual([n, 5])
    expect(unknown(() => call('reshape', f32(n), [3, -1]))).toEqual([n, 3])
  })

  it('as many elements as an op needs', () => {
    expect(unknown(() => call('topk', f32(n), 5))).toEqual([n])
    expect(unknown(() => call('select', f32(n), 0, 4))).toEqual([4, n])
    expect(unknown(() => call('narrow', f32(n), 0, 0, 4))).toEqual([n, 4])
  })

  it('but not what ranges settle', () => {
    const shapes = ({ body }: Graph): string =>
      body.results.map(({ type }) => (type.kind === 'tensor' ? `[${type.shape.join(', ')}]` : '')).join()
    expect(shapes(call('add', f32(n), f32(1)))).toBe('[n]')
    expect(shapes(call('select', f32(n), 0, -1))).toBe('[]')
    expect(shapes(call('topk', f32(n), 2))).toBe('[2],[2]')
    expect(shapes(call('add', f32(sizeSymbol('k', 4, 4)), f32(4)))).toBe('[4]')
    expect(shapes(call('reshape', f32(n, 6), [2, -1]))).toBe('[2, 3*n]')
    expect(shapes(call('slice', f32(n), [1, null]))).toBe('[n-1]')
    expect(errorOf(() => call('select', f32(sizeSymbol('k', 2, 4)), 0, 7))).toMatch(/out of range/)
    expect(errorOf(() => call('add', f32(sizeSymbol('k', 2, 4)), f32(7)))).toMatch(/k ≠ 7/)
  })
})
