/** Known surprises of such systems, each a test: most of them are bugs that a peer had. */

import { arange, compile, ones, scope, type Tensor, tensor, zeros } from 'tegula'
import { describe, expect, it } from 'vitest'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const list = (t: Tensor): unknown => t.toArray()

describe('aliasing', () => {
  it('x.add(x), x.mul(x), x.matmul(x) just work, eager and compiled', () => {
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    const write = (x: Tensor): Tensor[] => [x.add(x), x.mul(x), x.matmul(x), x.sub(x.t())]
    const expected = [
      [
        [2, 4],
        [6, 8],
      ],
      [
        [1, 4],
        [9, 16],
      ],
      [
        [7, 10],
        [15, 22],
      ],
      [
        [0, -1],
        [1, 0],
      ],
    ]
    expect(write(x).map(list)).toEqual(expected)
    expect(compile(write)(x).map(list)).toEqual(expected)
  })

  it('one tensor passed for two arguments differs from two tensors passed later', () => {
    const f = compile((a: Tensor, b: Tensor) => a.mul(10).add(b))
    const [x, y] = [tensor([1, 2]), tensor([3, 4])]
    expect([f(x, x), f(x, y), f(y, x), f(y, y)].map(list)).toEqual([
      [11, 22],
      [13, 24],
      [31, 42],
      [33, 44],
    ])
  })

  it('an in-place op is visible through views, and its own operand may be a view of it', () => {
    const x = arange(6).to('f32').reshape([2, 3])
    const row = x.select(0, 1)
    x.add_(10)
    expect(list(row)).toEqual([13, 14, 15])
    const square = tensor([
      [1, 2],
      [3, 4],
    ])
    square.add_(square.t())
    expect(list(square)).toEqual([
      [2, 5],
      [5, 8],
    ])
  })

  it('outputs of one call survive the next', () => {
    const f = compile((x: Tensor) => x.mul(2).softmax(0))
    const first = f(tensor([1, 1]))
    f(tensor([100, -100]))
    expect(list(first)).toEqual([0.5, 0.5])
  })
})

describe('guards', () => {
  it('tell NaN, Infinity, 0, -0, null and undefined apart', () => {
    const f = compile((x: Tensor, k: number | null | undefined) => x.mul(k ?? 7))
    const x = tensor([1])
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, null, undefined, 5]
    const results = values.map(k => f(x, k).itemSync())
    expect(results).toEqual([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, 7, 7, 5])
    expect(values.map(k => f(x, k).itemSync())).toEqual(results)
    // NaN, ±Infinity, 0 and -0 are numbers that each call gives: one version for the first, one for all, one for integers.
    expect(f.stats().compiles).toBe(6)
  })

  it('tell two functions apart', () => {
    const f = compile((x: Tensor, g: (x: Tensor) => Tensor) => g(x))
    const x = tensor([4])
    expect([f(x, x => x.sqrt()).itemSync(), f(x, x => x.neg()).itemSync()]).toEqual([2, -4])
  })

  it('tell dtypes, strides and ranks apart', () => {
    const f = compile((x: Tensor) => x.add(1))
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    const inputs = [x, x.t(), x.to('i32'), x.to('f64'), x.reshape([4]), x.select(1, 1)]
    const expected = [
      [
        [2, 3],
        [4, 5],
      ],
      [
        [2, 4],
        [3, 5],
      ],
      [
        [2, 3],
        [4, 5],
      ],
      [
        [2, 3],
        [4, 5],
      ],
      [2, 3, 4, 5],
      [3, 5],
    ]
    expect(inputs.map(input => list(f(input)))).toEqual(expected)
    expect(inputs.map(input => list(f(input)))).toEqual(expected)
  })
})

describe('closures', () => {
  it('tensors are read at each call; numbers are constants (documented)', () => {
    const w = ones([2])
    let k = 2
    const f = compile((x: Tensor) => x.mul(w).mul(k))
    expect(list(f(ones([2])))).toEqual([2, 2])
    w.mul_(5)
    k = 100
    expect(list(f(ones([2])))).toEqual([10, 10])
  })

  it('ops on closed-over tensors only are not constant-folded', () => {
    const w = ones([2])
    const f = compile((x: Tensor) => x.add(w.mul(3).sum()))
    expect(list(f(zeros([1])))).toEqual([6])
    w.fill_(10)
    expect(list(f(zeros([1])))).toEqual([60])
  })

  it('a constant created inside is fresh in each call', () => {
    const f = compile((x: Tensor) => {
      const state = zeros([2])
      state.add_(x)
      return state
    })
    expect([f(ones([2])), f(ones([2]))].map(list)).toEqual([
      [1, 1],
      [1, 1],
    ])
  })
})

describe('odd shapes', () => {
  const write = (x: Tensor): Tensor[] => [x.add(1), x.exp().mul(2).sum(), x.reshape([-1]).neg(), x.sum(-1)]
  for (const shape of [[0], [3, 0], [0, 3], [1], [1, 1], [7], [3, 5], [1, 17], [33, 1]]) {
    it(`[${shape}] eager = compiled`, () => {
      const x = zeros(shape)
      if (shape.includes(0) && shape[0] !== 0 && shape.length > 1) {
        expect(() => write(x)).not.toThrow()
      }
      const compiled = compile(write)(x)
      const eager = write(x)
      expect(compiled.map(t => [t.shape, list(t)])).toEqual(eager.map(t => [t.shape, list(t)]))
    })
  }

  it('0-d tensors', () => {
    const f = compile((x: Tensor) => [x.add(1), x.sum(), x.expand([2]), x.reshape([1])])
    expect(f(tensor(3)).map(list)).toEqual([4, 3, [3, 3], [3]])
  })

  it('reductions of empty tensors give their identities; those without one are errors', () => {
    const empty = zeros([0])
    expect(empty.sum().itemSync()).toBe(0)
    expect(empty.prod().itemSync()).toBe(1)
    expect(empty.mean().itemSync()).toBeNaN()
    expect(() => empty.argmax()).toThrow(/argmax.*fix/)
  })
})

describe('numbers', () => {
  it('-0, NaN and infinities pass through fused code', () => {
    const x = tensor([-0, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    const f = compile((x: Tensor) => [x.neg(), x.relu(), x.mul(0), x.maximum(0), x.abs(), x.sign()])
    const write = (t: Tensor): number[] => [...(t.dataSync() as Float32Array)]
    const [neg, relu, zero, max, abs, sign] = f(x).map(write) as [
      number[],
      number[],
      number[],
      number[],
      number[],
      number[],
    ]
    expect(neg).toEqual([0, -0, Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    expect(relu.slice(1)).toEqual([0, Number.NaN, Number.POSITIVE_INFINITY, 0])
    expect(zero).toEqual([-0, 0, Number.NaN, Number.NaN, Number.NaN])
    expect(max[2]).toBeNaN()
    expect(abs).toEqual([0, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
    expect(sign.slice(3)).toEqual([1, -1])
  })

  it('integers beyond 2^53 stay exact', () => {
    const x = tensor([2n ** 62n, -(2n ** 63n), 3n])
    const f = compile((x: Tensor) => x.add(1n))
    expect([...(f(x).dataSync() as BigInt64Array)]).toEqual([2n ** 62n + 1n, -(2n ** 63n) + 1n, 4n])
  })
})

describe('memory', () => {
  it('a compiled function inside a scope frees its intermediates', () => {
    const f = compile((x: Tensor) => [x.add(1), x.mul(2)])
    const kept = scope(() => f(ones([3]))[0]!)
    expect(list(kept)).toEqual([2, 2, 2])
  })

  it('an error inside a compiled function leaves it usable', () => {
    let fail = true
    const f = compile((x: Tensor) => {
      if (fail) throw new RangeError('not today')
      return x.add(1)
    })
    expect(() => f(ones([1]))).toThrow('not today')
    fail = false
    expect(list(f(ones([1])))).toEqual([2])
    expect(list(ones([1]).add(1))).toEqual([2])
  })
})
