/** Options of ops that may be sizes and boxed numbers: one version for all of their values. */
import { describe, expect, it } from 'vitest'
import {
  arange,
  compile,
  diag,
  diagEmbed,
  diagonal,
  type SymbolicNumber,
  scalar,
  type Tensor,
} from '../../src/index.js'

const values = (t: Tensor): number[] => Array.from(t.dataSync() as ArrayLike<number | bigint>, Number)
const rows = (n: number, m = 6): Tensor =>
  arange(n * m)
    .remainder(7)
    .to('f32')
    .reshape([n, m])

type Use = (x: Tensor, n: SymbolicNumber) => Tensor

const tensors = (x: Tensor | { readonly values: Tensor; readonly indices: Tensor }): Tensor =>
  'values' in x ? (x.values as Tensor).mul((x.indices as Tensor).add(1)) : (x as Tensor)

const uses: Record<string, readonly [Use, readonly number[]]> = {
  'pad on both sides': [(x, n) => x.pad([n, n.add(1)], { value: 5 }), [3, 5, 2, 7, 4]],
  'pad to a length': [(x, n) => x.pad([0, n.neg().add(16)]), [3, 5, 2, 7, 4]],
  'pad of rows': [(x, n) => x.pad([0, 0, n, 0], { value: -1 }), [3, 5, 2, 7, 4]],
  'pad by none, then some': [(x, n) => x.pad([n, 0]), [1, 0, 2, 5]],
  'pad that cuts': [(x, n) => x.pad([n.neg(), 1]), [3, 5, 2, 4]],
  'pad, reflected': [(x, n) => x.pad([n, 0], { mode: 'reflect' }), [3, 5, 2, 4]],
  'pad, replicated': [(x, n) => x.pad([n, n], { mode: 'replicate' }), [3, 5, 2, 9]],
  'pad, round': [(x, n) => x.pad([0, n], { mode: 'circular' }), [3, 5, 2, 6]],
  topk: [(x, n) => tensors(x.topk(n)), [3, 5, 2, 6, 4]],
  'topk of columns, smallest': [(x, n) => tensors(x.topk(n, { dim: 0, largest: false })), [3, 5, 2, 6]],
  triu: [(x, n) => x.triu(n), [3, 5, 2, 9, 4]],
  'tril below': [(x, n) => x.tril(n.neg()), [3, 5, 2, 9, 4]],
  diagonal: [(x, n) => diagonal(x, n).mul(2), [3, 5, 2, 4]],
  'diagonal below': [(x, n) => diagonal(x, n.neg()).add(1), [3, 5, 2, 4]],
  'diag of a matrix': [(x, n) => diag(x, n), [3, 5, 2, 4]],
  'diag of a vector': [(x, n) => diag(x.select(0, 0), n), [3, 5, 2, 4]],
  diagEmbed: [(x, n) => diagEmbed(x, n), [3, 5, 2, 4]],
  'arange by steps': [(x, n) => arange(0, 100, n).add(x.sum()), [3, 5, 2, 7, 4]],
  'arange down by steps': [(x, n) => arange(100, 3, n.neg()).add(x.sum()), [3, 5, 2, 7]],
}

describe('options that are sizes', () => {
  for (const [name, [use, all]] of Object.entries(uses)) {
    it(`${name}: one version for all boxed numbers`, () => {
      const f = compile(use)
      const n = scalar(0)
      for (const value of all) {
        n.value = value
        const [got, wanted] = [f(rows(8), n), use(rows(8), n)]
        expect([got.shape, got.dtype, values(got)], `at ${value}`).toEqual([wanted.shape, wanted.dtype, values(wanted)])
      }
      expect(f.stats()).toMatchObject({ compiles: 1, recompiles: [] })
    })
  }
})

/** Plain numbers are read: a second value makes the version for all of them. */
const reads: Record<string, (x: Tensor, k: number) => Tensor> = {
  'pad to a length': (x, k) => x.narrow(1, 0, k).pad([0, 8 - k]),
  'pad on both sides': (x, k) => x.pad([k, k + 1]),
  'pad that cuts': (x, k) => x.pad([0, -k]),
  topk: (x, k) => tensors(x.topk(k)),
  triu: (x, k) => x.triu(k),
  'tril below': (x, k) => x.tril(-k),
  diagonal: (x, k) => diagonal(x, k).add(1),
  'diagonal below': (x, k) => diagonal(x, -k).add(1),
  'arange by steps': (x, k) => arange(0, 100, k).add(x.sum()),
  'a step of a size': (x, k) => arange(0, x.numel(), k).add(x.sum()),
}

describe('options that are changing numbers', () => {
  for (const [name, f] of Object.entries(reads)) {
    it(`${name}: two versions`, () => {
      const g = compile(f)
      for (const k of [3, 5, 2, 4, 3]) {
        const [got, wanted] = [g(rows(8), k), f(rows(8), k)]
        expect([got.shape, values(got)], `at ${k}`).toEqual([wanted.shape, values(wanted)])
      }
      expect(g.stats().compiles, g.stats().recompiles.join('\n')).toBeLessThanOrEqual(2)
    })
  }

  it('and sizes: a batch padded to the next of a few lengths', () => {
    const f = (x: Tensor): Tensor => {
      const n = x.shape[0]!
      const length = n <= 8 ? 8 : n <= 16 ? 16 : 32
      return x.pad([0, 0, 0, length - n], { value: -1 }).amax(1)
    }
    const g = compile(f)
    for (const n of [3, 5, 9, 17, 8, 16, 12, 23]) expect(values(g(rows(n)))).toEqual(values(f(rows(n))))
    expect(g.stats().compiles).toBeLessThanOrEqual(4)
  })
})

describe('invalid options', () => {
  it('are rejected with the numbers of the call', () => {
    const n = scalar(3)
    const calls: readonly (readonly [(x: Tensor) => Tensor, number, RegExp])[] = [
      [x => x.topk(n).values, 7, /topk: k is 7, dim 1 of \[8, 6\] has only 6/],
      [x => x.pad([n.neg(), 0]), 7, /pad: \[-7, 0\] on dim 1 of \[8, 6\] takes away more than there is/],
      [x => x.pad([n, 0], { mode: 'reflect' }), 6, /pad: \[6, 0\] on dim 1 of \[8, 6\] is too much for mode 'reflect'/],
      [x => arange(0, 10, n).add(x.sum()), 0, /arange: step is 0/],
    ]
    for (const [use, value, message] of calls) {
      const f = compile(use)
      n.value = 3
      expect(values(f(rows(8)))).toEqual(values(use(rows(8))))
      n.value = value
      expect(() => use(rows(8))).toThrow(message)
      expect(() => f(rows(8))).toThrow(message)
    }
  })
})
