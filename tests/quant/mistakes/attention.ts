/** Mistakes of attention. */
import { given, gone, table } from './table.js'

export const attention = table('scaledDotProductAttention', {
  'undefined ⇒ ArgumentError: input is missing': () => given(),
  'k undefined ⇒ ArgumentError: key is missing': t => given(t.x),
  'k number ⇒ ArgumentError: key is 3, not a tensor': t => given(t.x, 3, t.x),
  'arrays ⇒ ArgumentError: input is [1], not a tensor': () => given([1], [1], [1]),
  '1-d ⇒ ShapeError: query [4], key [4], value [4]: each needs at least 2 dims': t =>
    given(t.zeros([4]), t.zeros([4]), t.zeros([4])),
  'depth ⇒ ShapeError: query [3, 4], key [5, 6], value [5, 4]: query and key differ in their last dim (4 ≠ 6)': t =>
    given(t.zeros([3, 4]), t.zeros([5, 6]), t.zeros([5, 4])),
  'length ⇒ ShapeError: query [3, 4], key [5, 4], value [6, 4]: key and value differ in length (5 ≠ 6)': t =>
    given(t.zeros([3, 4]), t.zeros([5, 4]), t.zeros([6, 4])),
  'batch ⇒ ShapeError: shapes [2] and [3] and [3] do not broadcast in dim 0 (2 ≠ 3)': t =>
    given(t.zeros([2, 3, 4]), t.zeros([3, 5, 4]), t.zeros([3, 5, 4])),
  'dtypes ⇒ DtypeError: query, key and value are f32, f16 and f32': t => given(t.x, t.zeros([3, 32], 'f16'), t.x),
  'i32 ⇒ DtypeError: needs floats, got i32': t => [0, 1, 2].map(() => t.zeros([3, 4], 'i32')),
  'mask shape ⇒ ShapeError: shapes [2, 3] and [3, 3] do not broadcast in dim 0 (2 ≠ 3)': t =>
    given(t.x, t.x, t.x, { attnMask: t.zeros([2, 3], 'bool') }),
  'mask dims ⇒ ShapeError: the mask [1, 1, 3, 3] does not broadcast to [3, 3]': t =>
    given(t.x, t.x, t.x, { attnMask: t.zeros([1, 1, 3, 3], 'bool') }),
  'mask i32 ⇒ DtypeError: the mask is i32': t => given(t.x, t.x, t.x, { attnMask: t.zeros([3, 3], 'i32') }),
  'mask number ⇒ ArgumentError: attnMask is 3, not a tensor': t => given(t.x, t.x, t.x, { attnMask: 3 }),
  'mask array ⇒ ArgumentError: attnMask is an array of 1, not a tensor': t =>
    given(t.x, t.x, t.x, { attnMask: [[true]] }),
  'mask gone ⇒ DisposedError: was disposed': t => given(t.x, t.x, t.x, { attnMask: gone(t.zeros([3, 3], 'bool')) }),
  'mask and causal ⇒ ArgumentError: both attnMask and isCausal are given': t =>
    given(t.x, t.x, t.x, { attnMask: t.zeros([3, 3], 'bool'), isCausal: true }),
  'causal yes ⇒ ArgumentError: isCausal is "yes"': t => given(t.x, t.x, t.x, { isCausal: 'yes' }),
  'scale NaN ⇒ ArgumentError: scale is NaN': t => given(t.x, t.x, t.x, { scale: NaN }),
  'scale string ⇒ ArgumentError: scale is "1"': t => given(t.x, t.x, t.x, { scale: '1' }),
  'scale tensor ⇒ ArgumentError: scale is an object of class Tensor': t => given(t.x, t.x, t.x, { scale: t.zeros([]) }),
  'scale Infinity ⇒ ArgumentError: scale is Infinity': t => given(t.x, t.x, t.x, { scale: Infinity }),
  'gqa 2-d ⇒ ShapeError: query [3, 32], key [3, 32], value [3, 32]: each needs at least 3 dims': t =>
    given(t.x, t.x, t.x, { enableGqa: true }),
  'gqa heads ⇒ ShapeError: 5 heads of the query over 2 of the key and 2 of the value': t =>
    given(t.zeros([5, 3, 4]), t.zeros([2, 3, 4]), t.zeros([2, 3, 4]), { enableGqa: true }),
  'gqa kv ⇒ ShapeError: 4 heads of the query over 2 of the key and 4 of the value': t =>
    given(t.zeros([4, 3, 4]), t.zeros([2, 3, 4]), t.zeros([4, 3, 4]), { enableGqa: true }),
  'gqa 0 ⇒ ShapeError: 4 heads of the query over 0 of the key and 0 of the value': t =>
    given(t.zeros([4, 3, 4]), t.zeros([0, 3, 4]), t.zeros([0, 3, 4]), { enableGqa: true }),
  'gqa yes ⇒ ArgumentError: enableGqa is "yes"': t =>
    given(t.zeros([4, 3, 4]), t.zeros([2, 3, 4]), t.zeros([2, 3, 4]), { enableGqa: 'yes' }),
  "option ⇒ ArgumentError: no parameter 'dropout'": t => given(t.x, t.x, t.x, { dropout: 0.1 }),
  'boolean ⇒ ArgumentError: attnMask is the boolean true, not a tensor': t => given(t.x, t.x, t.x, true),
  'gone ⇒ DisposedError: was disposed': t => given(t.x, gone(t.zeros([3, 32])), t.x),
  'quantised ⇒ ArgumentError: key is a quantised tensor, not a tensor': t => given(t.x, t.w, t.x),
})
