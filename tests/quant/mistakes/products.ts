/** Mistakes of products of two operands, and of groups of them. */
import { given, gone, type Mistake, type Tools, table } from './table.js'

/** [4, 32], but for some parts. */
const nvfp4 = (t: Tools, changes: object): object => ({ ...t.pack([4, 32], 'nvfp4'), ...changes })

export const products: readonly Mistake[] = [
  ...(['scaledMatmul', 'dualMatmul'] as const).flatMap(op => {
    const isDual = op === 'dualMatmul'
    const more = (t: Tools, b: unknown = t.w): unknown[] => (isDual ? [b] : [])
    const [bias, b, added] = isDual ? ['bias2', 'b1', 'bias2'] : ['bias', 'b', 'the bias']
    return table(op, {
      'scales ⇒ ShapeError: linear scales [4, 3] of values [4, 16] must be [4, 2] ⇒ every 16': t =>
        given(t.x, nvfp4(t, { scales: t.zeros([4, 3], 'u8') }), ...more(t)),
      'scales said to be blocked ⇒ ShapeError: blocked scales [4, 2] of values [4, 16] must be [512] ⇒ toBlocked': t =>
        given(t.x, nvfp4(t, { layout: 'blocked' }), ...more(t)),
      'scales of floats ⇒ DtypeError: e4m3 scales are f32, not u8 ⇒ u8': t =>
        given(t.x, nvfp4(t, { scales: t.zeros([4, 2]) }), ...more(t)),
      'codes of i32 ⇒ DtypeError: values of e2m1 are i32, not u8 ⇒ u8': t =>
        given(t.x, nvfp4(t, { values: t.zeros([4, 16], 'i32') }), ...more(t)),
      [`no factor ⇒ ArgumentError: ${b} (nvfp4) has no tensor scale ⇒ factor`]: t =>
        given(t.x, nvfp4(t, { tensorScale: null }), ...more(t)),
      [`b number ⇒ ArgumentError: ${b} is the number 3, neither ⇒ quantize`]: t => given(t.x, 3, ...more(t)),
      'undefined ⇒ ArgumentError: a is missing': () => given(),
      'K ⇒ ShapeError: K differs, a [3, 64] and b [4, 32] (b is [N, K]) (64 ≠ 32) ⇒ last dim': t =>
        given(t.zeros([3, 64]), t.w, ...more(t)),
      '0-d ⇒ ShapeError: a [] and b [4, 32] are no [… , M, K] and [… , N, K]': t => given(t.zeros([]), t.w, ...more(t)),
      'b 1-d ⇒ ShapeError: a [3, 32] and b [32] are no [… , M, K] and [… , N, K]': t =>
        given(t.x, t.zeros([32]), ...more(t)),
      [`b string ⇒ ArgumentError: ${b} is the string "w", neither a tensor nor a quantised tensor`]: t =>
        given(t.x, 'w', ...more(t)),
      [`b null ⇒ ArgumentError: ${b} is null, neither a tensor nor a quantised tensor`]: t =>
        given(t.x, null, ...more(t)),
      [`b {} ⇒ ArgumentError: ${isDual ? 'b1 is an empty object, neither' : 'b is missing'}`]: t =>
        given(t.x, {}, ...more(t)),
      'batch ⇒ ShapeError: shapes [2] and [3] do not broadcast in dim 0 (2 ≠ 3)': t =>
        given(t.zeros([2, 3, 32]), t.zeros([3, 4, 32]), ...more(t, t.zeros([3, 4, 32]))),
      'i32 ⇒ DtypeError: multiplies f32, f16, bf16 and quantised tensors, got i32': t =>
        given(t.zeros([3, 32], 'i32'), t.w, ...more(t)),
      'f64 ⇒ DtypeError: multiplies f32, f16, bf16 and quantised tensors, got f64 ⇒ cast': t =>
        given(t.zeros([3, 32], 'f64'), t.w, ...more(t)),
      'bias ⇒ ShapeError: the bias [5] does not fit 4 columns (5 ≠ 4) ⇒ [N]': t =>
        given(t.x, t.w, ...more(t), { [bias]: t.zeros([5]) }),
      'bias 2-d ⇒ ShapeError: the bias [1, 4] does not fit 4 columns': t =>
        given(t.x, t.w, ...more(t), { [bias]: t.zeros([1, 4]) }),
      'bias i32 ⇒ DtypeError: the bias is i32, not a float': t =>
        given(t.x, t.w, ...more(t), { [bias]: t.zeros([4], 'i32') }),
      [`bias number ⇒ ArgumentError: ${added} is the number 3, not a tensor`]: t =>
        given(t.x, t.w, ...more(t), { [bias]: 3 }),
      [`bias array ⇒ ArgumentError: ${added} is [1, 2, 3, 4], not a tensor`]: t =>
        given(t.x, t.w, ...more(t), { [bias]: [1, 2, 3, 4] }),
      'bias disposed ⇒ DisposedError: was disposed': t => given(t.x, t.w, ...more(t), { [bias]: gone(t.zeros([4])) }),
      'outDtype ⇒ ArgumentError: outDtype i32 is not a float': t => given(t.x, t.w, ...more(t), { outDtype: 'i32' }),
      'outDtype foo ⇒ ArgumentError: outDtype is "foo", not one of': t =>
        given(t.x, t.w, ...more(t), { outDtype: 'foo' }),
      "option ⇒ ArgumentError: no parameter 'out'": t => given(t.x, t.w, ...more(t), { out: t.x }),
      'options null ⇒ ArgumentError: takes at most ': t => given(t.x, t.w, ...more(t), null),
      'disposed ⇒ DisposedError: was disposed': t => given(gone(t.x), t.w, ...more(t)),
      'disposed scales ⇒ DisposedError: was disposed': t =>
        given(t.x, { ...t.w, scales: gone(t.w.scales) }, ...more(t, t.pack([4, 32]))),
    })
  }),
  ...table('dualMatmul', {
    'b2 N ⇒ ShapeError: b1 and b2 give 4 and 5 columns (4 ≠ 5) ⇒ rows': t => given(t.x, t.w, t.pack([5, 32])),
    'b2 missing ⇒ ArgumentError: b2 is missing': t => given(t.x, t.w),
    'activation ⇒ ArgumentError: activation is "tanh", not  ⇒ silu': t => given(t.x, t.w, t.w, { activation: 'tanh' }),
    'activation null ⇒ ArgumentError: activation is null, not ': t => given(t.x, t.w, t.w, { activation: null }),
  }),
  ...table('groupedMatmul', {
    'undefined ⇒ ArgumentError: groups is missing': () => given(),
    "object ⇒ ArgumentError: no parameter 'a' ⇒ groups": t => given({ a: t.x, b: t.w }),
    '[] ⇒ ArgumentError: no groups ⇒ a list': () => given([]),
    '[null] ⇒ ArgumentError: group 0 is not an object': () => given([null]),
    '[undefined] ⇒ ArgumentError: group 0 is not an object': () => given([undefined]),
    "[tensor] ⇒ ArgumentError: group 0: no option 'dtype'": t => given([t.x]),
    'no a ⇒ ArgumentError: group 0: a is undefined, neither a tensor nor a quantised tensor': t => given([{ b: t.w }]),
    'no b ⇒ ArgumentError: group 0: b is undefined, neither a tensor nor a quantised tensor': t => given([{ a: t.x }]),
    'a null ⇒ ArgumentError: group 0: a is null, neither a tensor nor a quantised tensor': t =>
      given([{ a: null, b: t.w }]),
    'out null ⇒ ArgumentError: group 0: out is null, not a tensor': t => given([{ a: t.x, b: t.w, out: null }]),
    'out array ⇒ ArgumentError: group 0: out is [1], not a tensor': t => given([{ a: t.x, b: t.w, out: [1] }]),
    'out quantised ⇒ ArgumentError: group 0: out is a quantised tensor, not a tensor': t =>
      given([{ a: t.x, b: t.w, out: t.w }]),
    'out i32 ⇒ DtypeError: group 0: out is i32, not a float ⇒ f16': t =>
      given([{ a: t.x, b: t.w, out: t.zeros([3, 4], 'i32') }]),
    'out shape ⇒ ShapeError: group 0: out is [4, 4], the product [3, 4] (4 ≠ 3) ⇒ make it': t =>
      given([{ a: t.x, b: t.w, out: t.zeros([4, 4]) }]),
    'out dims ⇒ ShapeError: group 0: out is [1, 3, 4], the product [3, 4]': t =>
      given([{ a: t.x, b: t.w, out: t.zeros([1, 3, 4]) }]),
    'out disposed ⇒ DisposedError: was disposed': t => given([{ a: t.x, b: t.w, out: gone(t.zeros([3, 4])) }]),
    'out expanded ⇒ ArgumentError: elements of out 0 share memory ⇒ its own': t =>
      given([{ a: t.x, b: t.w, out: t.zeros([1, 4]).expand([3, 4]) }]),
    'out is a ⇒ ArgumentError: out 0 shares memory with an operand ⇒ its own': t => {
      const a = t.zeros([4, 32])
      return [[{ a, b: t.pack([32, 32]), out: a }]]
    },
    'out in bias scale ⇒ ArgumentError: out 0 shares memory with an operand': t => {
      const s = t.zeros([4, 32])
      return [
        [
          {
            a: t.x,
            b: { ...t.pack([4, 32], 'fp8e4m3'), scales: s.select(0, 0).select(0, 0) },
            out: s.slice([0, 3], [0, 4]),
          },
        ],
      ]
    },
    'out twice ⇒ ArgumentError: outs 0 and 1 share memory': t => {
      const out = t.zeros([3, 4])
      return [
        [
          { a: t.x, b: t.w, out },
          { a: t.x, b: t.w, out },
        ],
      ]
    },
    'outs overlap ⇒ ArgumentError: outs 0 and 1 share memory ⇒ its own': t => {
      const out = t.zeros([5, 4])
      return [
        [
          { a: t.x, b: t.w, out: out.slice([0, 3]) },
          { a: t.x, b: t.w, out: out.slice([2, 5]) },
        ],
      ]
    },
    'out is other group operand ⇒ ArgumentError: out 1 shares memory with an operand': t => {
      const a = t.zeros([3, 32])
      return [
        [
          { a, b: t.w },
          { a: t.zeros([3, 32]), b: t.pack([32, 32]), out: a },
        ],
      ]
    },
    'K ⇒ ShapeError: group 1: K differs, a [3, 64] and b [4, 32] (b is [N, K]) (64 ≠ 32) ⇒ last dim': t =>
      given([
        { a: t.x, b: t.w, out: t.zeros([3, 4]) },
        { a: t.zeros([3, 64]), b: t.w },
      ]),
    'b 1-d ⇒ ShapeError: group 1: a [3, 32] and b [32] are no [… , M, K] and [… , N, K]': t =>
      given([
        { a: t.x, b: t.w, out: t.zeros([3, 4]) },
        { a: t.x, b: t.zeros([32]) },
      ]),
    'a i32 ⇒ DtypeError: group 1: multiplies f32, f16, bf16 and quantised tensors, got i32': t =>
      given([
        { a: t.x, b: t.w, out: t.zeros([3, 4]) },
        { a: t.zeros([3, 32], 'i32'), b: t.w },
      ]),
    'scales ⇒ ShapeError: group 1: linear scales [4, 3] of values [4, 32] must be [4, 1] (3 ≠ 1)': t =>
      given([
        { a: t.x, b: t.w, out: t.zeros([3, 4]) },
        { a: t.x, b: { ...t.w, scales: t.zeros([4, 3], 'u8') } },
      ]),
    'batches ⇒ ShapeError: group 1: shapes [2] and [3] do not broadcast in dim 0 (2 ≠ 3)': t =>
      given([
        { a: t.x, b: t.w, out: t.zeros([3, 4]) },
        { a: t.zeros([2, 3, 32]), b: t.zeros([3, 4, 32]) },
      ]),
    'disposed later ⇒ DisposedError: was disposed': t =>
      given([
        { a: t.x, b: t.w, out: t.zeros([3, 4]) },
        { a: gone(t.zeros([3, 32])), b: t.w },
      ]),
    "strategy ⇒ ArgumentError: strategy is \"fast\", not 'auto', 'sequential'": t =>
      given([{ a: t.x, b: t.w }], { strategy: 'fast' }),
    'strategy null ⇒ ArgumentError: strategy is null, not ': t => given([{ a: t.x, b: t.w }], { strategy: null }),
    'outDtype ⇒ ArgumentError: outDtype i8 is not a float': t => given([{ a: t.x, b: t.w }], { outDtype: 'i8' }),
    "option ⇒ ArgumentError: no parameter 'bias'": t => given([{ a: t.x, b: t.w }], { bias: 1 }),
    "key ⇒ ArgumentError: group 0: no option 'bias'": t => given([{ a: t.x, b: t.w, bias: 1 }]),
  }),
]
