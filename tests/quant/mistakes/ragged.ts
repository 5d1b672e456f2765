/** Mistakes of products of rows in groups. */
import { given, gone, type Mistake, type Tools, table } from './table.js'

const common: readonly Mistake[] = (['raggedMatmul', 'raggedDualMatmul'] as const).flatMap(op => {
  const isDual = op === 'raggedDualMatmul'
  const [bias, factor, b] = isDual ? ['bias2', 'factor1', 'b1'] : ['bias', 'factor', 'b']
  const [added, times] = isDual ? [bias, factor] : ['the bias', 'the factor']
  const call = (t: Tools, over: Readonly<Record<string, unknown>> = {}): unknown[] => {
    const { a, b, ends, options } = { a: t.x, b: t.pack([2, 4, 32]), ends: t.zeros([2], 'i32'), options: {}, ...over }
    return [a, b, ...(isDual ? [t.pack([2, 4, 32])] : []), ends, options]
  }
  return table(op, {
    'a undefined ⇒ ArgumentError: a is missing': t => call(t, { a: undefined }),
    [`b undefined ⇒ ArgumentError: ${b} is missing`]: t => call(t, { b: undefined }),
    'a 3-d ⇒ ShapeError: a [1, 3, 32] and b [2, 4, 32] are no [T, K] and [G, N, K]': t =>
      call(t, { a: t.zeros([1, 3, 32]) }),
    'a 0-d ⇒ ShapeError: a [] and b [2, 4, 32] are no [T, K] and [G, N, K]': t => call(t, { a: t.zeros([]) }),
    'b 2-d ⇒ ShapeError: a [3, 32] and b [4, 32] are no [T, K] and [G, N, K] ⇒ stacked': t => call(t, { b: t.w }),
    'b 0-d ⇒ ShapeError: a [3, 32] and b [] are no [T, K] and [G, N, K]': t => call(t, { b: t.zeros([]) }),
    'K ⇒ ShapeError: K differs, a [3, 64] and b [2, 4, 32] (b is [G, N, K]) (64 ≠ 32)': t =>
      call(t, { a: t.zeros([3, 64]) }),
    'a i32 ⇒ DtypeError: multiplies f32, f16, bf16 and quantised tensors, got i32': t =>
      call(t, { a: t.zeros([3, 32], 'i32') }),
    'ends array ⇒ ArgumentError: offsets is [1, 2], not a tensor': t => call(t, { ends: [1, 2] }),
    'ends undefined ⇒ ArgumentError: offsets is missing': t => call(t, { ends: undefined }),
    "ends f32 ⇒ DtypeError: offsets are f32 ⇒ to('i32')": t => call(t, { ends: t.zeros([2]) }),
    'ends bool ⇒ DtypeError: offsets are bool': t => call(t, { ends: t.zeros([2], 'bool') }),
    'ends u8 ⇒ DtypeError: offsets are u8': t => call(t, { ends: t.zeros([2], 'u8') }),
    'ends 4 ⇒ ShapeError: offsets [4] for 2 groups ⇒ [G + 1]': t => call(t, { ends: t.zeros([4], 'i32') }),
    'ends 1 ⇒ ShapeError: offsets [1] for 2 groups': t => call(t, { ends: t.zeros([1], 'i32') }),
    'ends 0-d ⇒ ShapeError: offsets [] for 2 groups': t => call(t, { ends: t.zeros([], 'i32') }),
    'ends 2-d ⇒ ShapeError: offsets [1, 2] for 2 groups': t => call(t, { ends: t.zeros([1, 2], 'i32') }),
    'ends gone ⇒ DisposedError: was disposed': t => call(t, { ends: gone(t.zeros([2], 'i32')) }),
    'bias ⇒ ShapeError: the bias [4] must be [2, 4] ⇒ [G, N]': t => call(t, { options: { [bias]: t.zeros([4]) } }),
    [`bias number ⇒ ArgumentError: ${added} is the number 3, not a tensor`]: t => call(t, { options: { [bias]: 3 } }),
    'bias i32 ⇒ DtypeError: the bias is i32, not a float': t =>
      call(t, { options: { [bias]: t.zeros([2, 4], 'i32') } }),
    'factor ⇒ ShapeError: the factor [3] must be [2] (3 ≠ 2)': t => call(t, { options: { [factor]: t.zeros([3]) } }),
    [`factor number ⇒ ArgumentError: ${times} is the number 2, not a tensor`]: t =>
      call(t, { options: { [factor]: 2 } }),
    'factor i32 ⇒ DtypeError: the factor is i32, not a float': t =>
      call(t, { options: { [factor]: t.zeros([2], 'i32') } }),
    'factor 0-d ⇒ ShapeError: the factor [] must be [2]': t => call(t, { options: { [factor]: t.zeros([]) } }),
    'outDtype ⇒ ArgumentError: outDtype i32 is not a float': t => call(t, { options: { outDtype: 'i32' } }),
    "option ⇒ ArgumentError: no parameter 'offset'": t => call(t, { options: { offset: 1 } }),
    'options null ⇒ ArgumentError: takes at most ': t => call(t, { options: null }),
    'a disposed ⇒ DisposedError: was disposed': t => call(t, { a: gone(t.zeros([3, 32])) }),
  })
})

export const ragged: readonly Mistake[] = [
  ...common,
  ...table('raggedDualMatmul', {
    'gates of other groups ⇒ ShapeError: b1 and b2 have different numbers of groups ⇒ each group': t =>
      given(t.x, t.zeros([2, 4, 32]), t.zeros([3, 4, 32]), t.zeros([2], 'i32')),
  }),
]
