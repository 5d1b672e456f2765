/** Mistakes of tensors to and from quantised form, and of their layouts. */
import * as quant from '../../../src/quant/index.js'
import { given, gone, type Mistake, table } from './table.js'

export const conversions: readonly Mistake[] = [
  ...table('quantize', {
    "unknown option ⇒ ArgumentError: no parameter 'blocks' ⇒ saturate": t => given(t.x, 'mxfp4', { blocks: 3 }),
    'K ⇒ ShapeError: 30 elements along K are no whole number of blocks of 16 ⇒ pad K': t =>
      given(t.zeros([4, 30]), 'nvfp4'),
    "unknown format ⇒ ArgumentError: no format 'fp4' ⇒ nvfp4, mxfp4": t => given(t.x, 'fp4'),
    'i32 ⇒ DtypeError: quantises f32, f16 and bf16, got i32 ⇒ cast': t => given(t.zeros([2, 32], 'i32'), 'mxfp4'),
    '0-d ⇒ ShapeError: the tensor is 0-d': t => given(t.zeros([]), 'nvfp4'),
    'no tensor ⇒ ArgumentError: the input is [1, 2], not a tensor': () => given([1, 2], 'nvfp4'),
    'undefined ⇒ ArgumentError: x is missing': () => given(undefined, 'nvfp4'),
    'bool ⇒ DtypeError: quantises f32, f16 and bf16, got bool': t => given(t.zeros([32], 'bool'), 'nvfp4'),
    'f64 ⇒ DtypeError: quantises f32, f16 and bf16, got f64': t => given(t.zeros([32], 'f64'), 'nvfp4'),
    'no format ⇒ ArgumentError: format is missing': t => given(t.x),
    "a format named as a method of objects ⇒ ArgumentError: no format 'constructor'": t => given(t.x, 'constructor'),
    'block 0 ⇒ ArgumentError: int8 with a scale for every 0': t => given(t.x, 'int8', { block: 0 }),
    'block -4 ⇒ ArgumentError: int8 with a scale for every -4': t => given(t.x, 'int8', { block: -4 }),
    'block 1.5 ⇒ ArgumentError: int8 with a scale for every 1.5': t => given(t.x, 'int8', { block: 1.5 }),
    'block NaN ⇒ ArgumentError: int8 with a scale for every NaN': t => given(t.x, 'int8', { block: NaN }),
    'block row ⇒ ArgumentError: int8 with a scale for every row': t => given(t.x, 'int8', { block: 'row' }),
    'block odd int4 ⇒ ArgumentError: int4 with a scale for every 3': t => given(t.zeros([3, 9]), 'int4', { block: 3 }),
    'block 24 nvfp4 ⇒ ArgumentError: nvfp4 with a scale for every 24 ⇒ every 16': t =>
      given(t.x, 'nvfp4', { block: 24 }),
    'block does not divide ⇒ ShapeError: 32 elements along K are no whole number of blocks of 12': t =>
      given(t.x, 'int8', { block: 12 }),
    'fp8 block 4 ⇒ ArgumentError: fp8e4m3 with a scale for every 4': t => given(t.x, 'fp8e4m3', { block: 4 }),
    'scale ⇒ ArgumentError: int8 with scales of f64': t => given(t.x, 'int8', { block: 8, scale: 'f64' }),
    'scale of nvfp4 ⇒ ArgumentError: nvfp4 with scales of e8m0': t => given(t.x, 'nvfp4', { scale: 'e8m0' }),
    "layout ⇒ ArgumentError: layout is \"swizzled\", not 'linear' or 'blocked' ⇒ layout": t =>
      given(t.x, 'nvfp4', { layout: 'swizzled' }),
    'layout fp8 ⇒ ArgumentError: fp8e4m3 with one scale for each tensor has no blocks to lay out ⇒ linear': t =>
      given(t.x, 'fp8e4m3', { layout: 'blocked' }),
    'tensorScale [2] ⇒ ShapeError: the tensor scale [2] is not one number ⇒ 0-d': t =>
      given(t.x, 'nvfp4', { tensorScale: t.zeros([2]) }),
    'tensorScale number ⇒ ArgumentError: the tensor scale is the number 3, not a tensor': t =>
      given(t.x, 'nvfp4', { tensorScale: 3 }),
    'tensorScale i32 ⇒ DtypeError: the tensor scale is i32, not a float ⇒ f32': t =>
      given(t.x, 'nvfp4', { tensorScale: t.zeros([], 'i32') }),
    'tensorScale of mxfp4 ⇒ ArgumentError: mxfp4 has no tensor scale ⇒ leave': t =>
      given(t.x, 'mxfp4', { tensorScale: t.zeros([]) }),
    'a tensor as scale ⇒ ArgumentError: int8 with scales of an object of class Tensor': t =>
      given(t.x, 'int8', { scale: t.zeros([]) }),
    'saturate ⇒ ArgumentError: saturate is "yes"': t => given(t.x, 'nvfp4', { saturate: 'yes' }),
    'options null ⇒ ArgumentError: takes at most 2 arguments by position, got 3 ⇒ saturate': t =>
      given(t.x, 'nvfp4', null),
    'options string ⇒ ArgumentError: takes at most 2 arguments by position, got 3': t => given(t.x, 'nvfp4', 'blocked'),
    'disposed ⇒ DisposedError: was disposed': t => given(gone(t.x), 'nvfp4'),
  }),
  ...table('dequantize', {
    'blocked scales without the batch ⇒ ShapeError: blocked scales [512] of values [2, 4, 32] must be [2, 512] ⇒ toBlocked':
      t => given({ ...t.pack([2, 4, 32]), scales: t.zeros([512], 'u8'), layout: 'blocked' }),
    'undefined ⇒ ArgumentError: q is missing': () => given(undefined),
    'undefined, bits ⇒ ArgumentError: q is missing': () => given(undefined, 'f32', { method: 'bits' }),
    'null ⇒ ArgumentError: null is not a quantised tensor': () => given(null),
    'tensor ⇒ ArgumentError: an object of class Tensor is not a quantised tensor ⇒ quantize': t => given(t.x),
    'i32 ⇒ ArgumentError: i32 is not a float ⇒ bf16': t => given(t.w, 'i32'),
    'foo ⇒ ArgumentError: dtype is "foo", not one of': t => given(t.w, 'foo'),
    'method ⇒ ArgumentError: method is "fast", not ': t => given(t.w, 'f32', { method: 'fast' }),
    'bits of nvfp4 ⇒ ArgumentError: nvfp4 is not assembled from bits ⇒ method': t =>
      given(t.pack([4, 32], 'nvfp4'), 'f32', { method: 'bits' }),
    'values f32 ⇒ DtypeError: values of mxint8 are f32, not i8': t => given({ ...t.w, values: t.zeros([4, 32]) }),
    "values missing ⇒ ArgumentError: the input's values is undefined, not a tensor": t =>
      given({ ...t.w, values: undefined }),
    "scales missing ⇒ ArgumentError: the input's scales is undefined, not a tensor": t =>
      given({ ...t.w, scales: undefined }),
    'scales shape ⇒ ShapeError: linear scales [4, 2] of values [4, 32] must be [4, 1] (2 ≠ 1)': t =>
      given({ ...t.w, scales: t.zeros([4, 2], 'u8') }),
    'scales f32 ⇒ DtypeError: e8m0 scales are f32, not u8': t => given({ ...t.w, scales: t.zeros([4, 1]) }),
    'tensorScale given ⇒ ArgumentError: the input (mxint8) has a tensor scale': t =>
      given({ ...t.w, tensorScale: t.zeros([]) }),
    'tensorScale undefined nvfp4 ⇒ ArgumentError: the input (nvfp4) has no tensor scale': t =>
      given({ ...t.pack([4, 32], 'nvfp4'), tensorScale: undefined }),
    'tensorScale [2] ⇒ ShapeError: the tensor scale [2] is not one number': t =>
      given({ ...t.pack([4, 32], 'nvfp4'), tensorScale: t.zeros([2]) }),
    'block ⇒ ShapeError: 32 elements along K are no whole number of blocks of 5': t => given({ ...t.w, block: 5 }),
    "layout ⇒ ArgumentError: the input has the layout 'x'": t => given({ ...t.w, layout: 'x' }),
    'layout undefined ⇒ ArgumentError: the input has the layout undefined': t => given({ ...t.w, layout: undefined }),
    'blocked ⇒ ShapeError: blocked scales [4, 1] of values [4, 32] must be [512]': t =>
      given({ ...t.w, layout: 'blocked' }),
    'disposed values ⇒ DisposedError: was disposed': t => given({ ...t.w, values: gone(t.w.values) }),
    'disposed scales ⇒ DisposedError: was disposed': t => given({ ...t.w, scales: gone(t.w.scales) }),
    '0-d values ⇒ ShapeError: the values are 0-d': t => given({ ...t.w, values: t.zeros([], 'i8') }),
    "format ⇒ ArgumentError: no format 'mx'": t => given({ ...t.w, format: 'mx' }),
  }),
  ...table('withLayout', {
    'scales of rows ⇒ ArgumentError: fp8e4m3 with one scale for each row ⇒ linear': t =>
      given(
        quant.quantizedTensor({
          format: 'fp8e4m3',
          block: 'row',
          values: t.zeros([4, 32], 'u8'),
          scales: t.zeros([4]),
        }),
        'blocked',
      ),
    'undefined ⇒ ArgumentError: q is missing': () => given(undefined, 'blocked'),
    'layout ⇒ ArgumentError: layout is "x", not ': t => given(t.w, 'x'),
    'no layout ⇒ ArgumentError: layout is missing': t => given(t.w),
    'scales shape ⇒ ShapeError: linear scales [4, 2] of values [4, 32] must be [4, 1] (2 ≠ 1)': t =>
      given({ ...t.w, scales: t.zeros([4, 2], 'u8') }, 'blocked'),
    'scales shape back ⇒ ShapeError: blocked scales [4, 1] of values [4, 32] must be [512]': t =>
      given({ ...t.w, layout: 'blocked' }, 'linear'),
    'fp8 ⇒ ArgumentError: fp8e4m3 with one scale for each tensor has no blocks to lay out': t =>
      given(t.pack([4, 32], 'fp8e4m3'), 'blocked'),
    "values gone ⇒ ArgumentError: the tensor's values is undefined, not a tensor": t =>
      given({ ...t.w, values: undefined }, 'blocked'),
    "own layout wrong ⇒ ArgumentError: the tensor has the layout 'x'": t => given({ ...t.w, layout: 'x' }, 'linear'),
  }),
  ...table('toBlocked', {
    'undefined ⇒ ArgumentError: scales is missing': () => given(),
    '0-d ⇒ ShapeError: scales [] are no matrix [rows, blocks]': t => given(t.zeros([], 'u8')),
    '1-d ⇒ ShapeError: scales [4] are no matrix [rows, blocks] ⇒ row': t => given(t.zeros([4], 'u8')),
  }),
  ...table('fromBlocked', {
    'undefined ⇒ ArgumentError: blocked is missing': () => given(undefined, 1, 1),
    'bytes ⇒ ShapeError: blocked scales [100] of 3 rows and 2 blocks have 512 bytes (100 ≠ 512) ⇒ tiles': t =>
      given(t.zeros([100], 'u8'), 3, 2),
    'rows -1 ⇒ ArgumentError: rows is -1': t => given(t.zeros([512], 'u8'), -1, 2),
    'rows NaN ⇒ ArgumentError: rows is NaN': t => given(t.zeros([512], 'u8'), NaN, 2),
    'rows 1.5 ⇒ ArgumentError: rows is 1.5, not an integer of at least 0': t => given(t.zeros([512], 'u8'), 1.5, 2),
    'rows missing ⇒ ArgumentError: rows is missing': t => given(t.zeros([512], 'u8')),
    '0-d ⇒ ShapeError: the scales are 0-d': t => given(t.zeros([], 'u8'), 1, 1),
  }),
  ...table('shapeOf', {
    'undefined ⇒ ArgumentError: q is missing': () => given(undefined),
    'null ⇒ ArgumentError: null is not a quantised tensor': () => given(null),
    'tensor ⇒ ArgumentError: an object of class Tensor is not a quantised tensor': t => given(t.x),
    "no values ⇒ ArgumentError: no parameter 'format'": () => given({ format: 'nvfp4' }),
    "format ⇒ ArgumentError: no format 'x'": t => given({ ...t.w, format: 'x' }),
  }),
  ...table('quantizedTensor', {
    'scales ⇒ ShapeError: linear scales [3, 3] of values [4, 16] must be [4, 1] ⇒ every 32': t =>
      given({ format: 'mxfp4', values: t.zeros([4, 16], 'u8'), scales: t.zeros([3, 3], 'u8') }),
    'undefined ⇒ ArgumentError: the options are undefined, not an object': () => given(undefined),
    "tensor ⇒ ArgumentError: no option 'dtype'": t => given(t.x),
    "no values ⇒ ArgumentError: the tensor's values is undefined, not a tensor": () => given({ format: 'nvfp4' }),
    "no scales ⇒ ArgumentError: the tensor's scales is undefined, not a tensor": t =>
      given({ format: 'mxint8', values: t.w.values }),
    "extra ⇒ ArgumentError: no option 'shape'": t => given({ ...t.w, shape: [4, 32] }),
    'K ⇒ ShapeError: 30 elements along K are no whole number of blocks of 32': t =>
      given({ format: 'mxint8', values: t.zeros([4, 30], 'i8'), scales: t.zeros([4, 1], 'u8') }),
    'no scale ⇒ ArgumentError: the tensor (nvfp4) has no tensor scale': t =>
      given({ format: 'nvfp4', values: t.zeros([4, 16], 'u8'), scales: t.zeros([4, 2], 'u8') }),
    'u8 for i8 ⇒ DtypeError: values of mxint8 are u8, not i8': t =>
      given({ format: 'mxint8', values: t.zeros([4, 32], 'u8'), scales: t.zeros([4, 1], 'u8') }),
  }),
]
