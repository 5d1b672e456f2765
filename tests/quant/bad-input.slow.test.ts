/**
 * Bad input of `tegula/quant` and of attention, eagerly and compiled: each error says what (with the values), where (the
 * line of the person) and what to do, and nothing is written before it. What is unusual but right gives its result.
 */
import { describe, expect, it } from 'vitest'
import { compile, full, scaledDotProductAttention, type Tensor, tensor, zeros } from '../../src/index.js'
import {
  dequantize,
  dualMatmul,
  groupedMatmul,
  groupStrategies,
  quantize,
  raggedMatmul,
  scaledMatmul,
} from '../../src/quant/index.js'
import { hasCompiler } from '../support/compiler.js'
import { expectError, tensorsIn } from './mistakes/check.js'
import { type Mistake, mistakes } from './mistakes/index.js'

const ways = {
  eager: ({ call }: Mistake, args: readonly unknown[]) => call(...args),
  compiled: ({ call }: Mistake, args: readonly unknown[]) =>
    compile((...given: readonly unknown[]) => tensorsIn(call(...given)))(...args),
}

describe('invalid input is rejected, with what, where and the fix', () => {
  for (const [way, run] of Object.entries(ways))
    it(way, () => {
      expect(mistakes.length).toBeGreaterThan(200)
      for (const mistake of mistakes) expectError(mistake, 'cpu', way, run)
    })
})

const ends = (list: readonly number[]): Tensor => tensor([...list], { dtype: 'i32' })
const identity = tensor([
  [1, 0],
  [0, 1],
])
const pairs = tensor([
  [1, 2],
  [3, 4],
  [5, 6],
])
const nothing = zeros([2, 0])
/** Scales 255 are NaN, 127 are 1; the elements are 1. */
const withNaN = { ...quantize(full([2, 32], 1), 'mxint8'), scales: tensor([[255], [127]], { dtype: 'u8' }) }

/** What is made, as shapes and numbers. */
const unusual: Readonly<
  Record<string, readonly [make: () => unknown, shape: readonly number[], numbers: readonly number[]]>
> = {
  'K 0, quantised': [() => dequantize(quantize(nothing, 'nvfp4')), [2, 0], []],
  'K 0, scales of rows': [() => quantize(nothing, 'fp8e4m3', { block: 'row' }).scales, [2], [1, 1]],
  'no rows, a scale of the tensor': [() => quantize(zeros([0, 4]), 'fp8e5m2').scales, [], [1]],
  'no rows, a factor of the tensor': [() => quantize(zeros([0, 32]), 'nvfp4').tensorScale, [], [1]],
  'no rows, blocked': [() => quantize(zeros([0, 32]), 'nvfp4', { layout: 'blocked' }).scales, [0], []],
  'a product with K 0': [() => scaledMatmul(nothing, quantize(zeros([3, 0]), 'fp8e4m3')), [2, 3], [0, 0, 0, 0, 0, 0]],
  'a product with K 0, and a bias': [
    () => scaledMatmul(nothing, zeros([2, 0]), { bias: tensor([1, 2]) }),
    [2, 2],
    [1, 2, 1, 2],
  ],
  'a product without rows': [() => scaledMatmul(zeros([0, 32]), withNaN), [0, 2], []],
  'a product without columns': [() => scaledMatmul(zeros([2, 32]), quantize(zeros([0, 32]), 'nvfp4')), [2, 0], []],
  'a product without batches': [() => scaledMatmul(zeros([0, 2, 32]), withNaN), [0, 2, 2], []],
  'a product of a row': [() => scaledMatmul(tensor([1, 2]), pairs), [3], [5, 11, 17]],
  'scales of NaN': [() => scaledMatmul(full([1, 32], 1), withNaN), [1, 2], [Number.NaN, 32]],
  'scales of NaN, times 0': [() => scaledMatmul(zeros([1, 32]), withNaN), [1, 2], [Number.NaN, 0]],
  'a gate with K 0': [
    () =>
      dualMatmul(nothing, zeros([1, 0]), zeros([1, 0]), { bias1: tensor([3]), bias2: tensor([2]), activation: 'relu' }),
    [2, 1],
    [6, 6],
  ],
  'a transposed out': [
    () => {
      const out = zeros([3, 2])
      groupedMatmul([{ a: identity, b: pairs, out: out.t() }])
      return out
    },
    [3, 2],
    [1, 2, 3, 4, 5, 6],
  ],
  'an out of every other column': [
    () => {
      const out = zeros([2, 6])
      groupedMatmul([{ a: identity, b: pairs, out: out.slice(null, [0, 6, 2]) }])
      return out
    },
    [2, 6],
    [1, 0, 3, 0, 5, 0, 2, 0, 4, 0, 6, 0],
  ],
  'columns of one matrix as outs': [
    () => {
      const out = zeros([2, 5])
      const parts = [out.slice(null, [0, 3]), out.slice(null, [3, 5])] as const
      groupedMatmul([
        { a: identity, b: pairs, out: parts[0] },
        { a: identity, b: identity, out: parts[1] },
      ])
      return out
    },
    [2, 5],
    [1, 3, 5, 1, 0, 2, 4, 6, 0, 1],
  ],
  'rows of no group': [() => raggedMatmul(pairs, zeros([0, 1, 2]), ends([])), [3, 1], [0, 0, 0]],
  'ends below the first row': [() => raggedMatmul(pairs, full([2, 1, 2], 1), ends([-5, 2])), [3, 1], [3, 7, 0]],
  'groups with K 0': [
    () => raggedMatmul(nothing, zeros([1, 1, 0]), ends([1]), { bias: full([1, 1], 3) }),
    [2, 1],
    [3, 0],
  ],
  'attention without keys': [() => scaledDotProductAttention(identity, zeros([0, 2]), zeros([0, 1])), [2, 1], [0, 0]],
  'attention without heads': [
    () => scaledDotProductAttention(zeros([0, 2, 4]), zeros([0, 3, 4]), zeros([0, 3, 5])),
    [0, 2, 5],
    [],
  ],
  'a mask that hides all': [
    () => scaledDotProductAttention(identity, identity, identity, { attnMask: full([2, 2], Number.NEGATIVE_INFINITY) }),
    [2, 2],
    [0, 0, 0, 0],
  ],
  ...Object.fromEntries(
    groupStrategies.map(strategy => [
      `groups without rows, columns or K: ${strategy}`,
      [
        () => {
          const empty = { a: nothing, b: zeros([1, 0]), out: full([2, 1], 7) }
          const groups = [{ a: zeros([0, 2]), b: pairs }, empty, { a: identity, b: zeros([0, 2]) }]
          return groupedMatmul(groups, { strategy })[1]
        },
        [2, 1],
        [0, 0],
      ] as const,
    ]),
  ),
}

describe.skipIf(!hasCompiler)('what is unusual but right (needs a C compiler)', () => {
  const all = Object.entries(unusual)
  const eager = (): Tensor[] => all.map(([, [make]]) => tensorsIn(make())[0]!)
  for (const [way, run] of Object.entries({ eager, compiled: compile(eager) }))
    it(way, () => {
      for (const [i, result] of run().entries()) {
        const [name, [, shape, numbers]] = all[i]!
        expect([name, result.shape, Array.from(result.dataSync(), Number)]).toEqual([name, shape, numbers])
      }
    })
})
