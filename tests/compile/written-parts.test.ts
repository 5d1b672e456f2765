/** Parts of arguments that are written and then used: as eagerly, and without a copy of what stays. */
import { describe, expect, it } from 'vitest'
import { arange, compile, type ScalarVariable, scalar, stack, type Tensor, zeros } from '../../src/index.js'
import { quickly } from '../support/sample-choice.js'

const values = (t: Tensor): number[] => Array.from(t.dataSync() as ArrayLike<number | bigint>, Number)
const filled = (...shape: readonly number[]): Tensor =>
  arange(shape.reduce((a, b) => a * b, 1))
    .to('f32')
    .reshape(shape)
    .mul(0.25)

/** A program on a cache of 6 places; `at` is where it writes, in a box when it is compiled. */
interface Program {
  readonly cache: readonly number[]
  readonly token: readonly number[]
  run(cache: Tensor, token: Tensor, at: ScalarVariable<number>): Tensor | readonly Tensor[]
}

const rows = { cache: [6, 4], token: [1, 4] }
const heads = { cache: [2, 6, 4], token: [2, 1, 4] }
const write = (cache: Tensor, token: Tensor, at: ScalarVariable<number>): void => {
  cache.narrow(0, at, 1).copy_(token)
}

/** Those that need no memory for the cache. */
const inPlace: Record<string, Program> = {
  'a row, then all rows up to it': {
    ...rows,
    run(cache, token, at) {
      write(cache, token, at)
      return cache.narrow(0, 0, at.add(1)).sum(0)
    },
  },
  'a row, then all rows': {
    ...rows,
    run(cache, token, at) {
      write(cache, token, at)
      return cache.matmul(token.reshape([4, 1])).softmax(0)
    },
  },
  'a row, then all rows and those up to it': {
    ...rows,
    run(cache, token, at) {
      write(cache, token, at)
      return [
        cache.sum(0),
        cache
          .narrow(0, 0, at.add(1))
          .matmul(token.reshape([4, 1]))
          .sum(0),
      ]
    },
  },
  'a row by its index': {
    ...rows,
    run(cache, token, at) {
      cache.select(0, at).copy_(token.reshape([4]))
      return cache.narrow(0, 0, at.add(1)).sum(0)
    },
  },
  'a product in a row': {
    ...rows,
    run(cache, token, at) {
      write(cache, token.matmul(filled(4, 4)), at)
      return cache.narrow(0, 0, at.add(1)).matmul(token.reshape([4, 1]))
    },
  },
  'one place of every head': {
    ...heads,
    run(cache, token, at) {
      cache.narrow(1, at, 1).copy_(token)
      return token.matmul(cache.narrow(1, 0, at.add(1)).permute([0, 2, 1])).softmax(-1)
    },
  },
  'a row of the second layer': {
    cache: [3, 6, 4],
    token: [1, 4],
    run(cache, token, at) {
      const layer = cache.select(0, 1)
      layer.narrow(0, at, 1).copy_(token)
      return layer.narrow(0, 0, at.add(1)).sum(0)
    },
  },
}

/** Those in which somebody needs the old value, or memory of another form. */
const others: Record<string, Program> = {
  'a row after the old rows were used': {
    ...rows,
    run(cache, token, at) {
      const old = cache.sum(0)
      write(cache, token, at)
      return [old, cache.sum(0)]
    },
  },
  'a column after the old rows were stacked': {
    ...rows,
    run(cache) {
      const old = stack([cache, cache])
      cache.narrow(1, 0, 1).fill_(3)
      return [old.repeat([2, 1, 1]), cache.maximum(-1)]
    },
  },
  'a row, then old and new together': {
    ...rows,
    run(cache, token, at) {
      const old = cache.clone()
      write(cache, token, at)
      return old.mul(2).sub(cache)
    },
  },
  'a row made of itself': {
    ...rows,
    run(cache, token, at) {
      cache.narrow(0, at, 1).add_(token)
      return cache.narrow(0, 0, at.add(1)).sum(0)
    },
  },
  'a row made of another one': {
    ...rows,
    run(cache, _, at) {
      write(cache, cache.narrow(0, 2, 1), at)
      return cache.sum(0)
    },
  },
  'a row made of all old ones': {
    ...rows,
    run(cache, token, at) {
      write(cache, cache.sum(0).reshape([1, 4]).add(token), at)
      return cache.sum(0)
    },
  },
  'a row, returned with those before it': {
    ...rows,
    run(cache, token, at) {
      write(cache, token, at)
      return [cache.narrow(0, 0, at.add(1)), cache.narrow(0, 0, at.add(1)).clone()]
    },
  },
  'a row twice, used between': {
    ...rows,
    run(cache, token, at) {
      write(cache, token, at)
      const first = cache.sum(0)
      write(cache, token.mul(3), at)
      return [first, cache.sum(0)]
    },
  },
  'two rows': {
    ...rows,
    run(cache, token, at) {
      write(cache, token, at)
      const first = cache.sum(0)
      cache.narrow(0, 5, 1).copy_(token.mul(3))
      return [first, cache.sum(0)]
    },
  },
  'one place of every head, all in one row': {
    ...heads,
    run(cache, token, at) {
      cache.narrow(1, at, 1).copy_(token)
      return cache.narrow(1, 0, at.add(1)).flatten().cumsum(0)
    },
  },
  'the token after the cache took it': {
    ...rows,
    run(cache, token, at) {
      write(cache, token, at)
      token.copy_(cache.narrow(0, 0, 1))
      return cache.sum(0)
    },
  },
  'the token of the old cache': {
    ...rows,
    run(cache, token, at) {
      const old = cache.narrow(0, 0, 1).mul(2)
      write(cache, token, at)
      token.copy_(old)
      return cache.sum(0)
    },
  },
}

describe('a part of an argument that is written and then used', () => {
  it.each(quickly(Object.entries({ ...inPlace, ...others }), 4))(
    '%s: as eagerly, at every place',
    (_, { cache, token, run }) => {
      const at = scalar(0)
      const compiled = compile((memory: Tensor, x: Tensor) => run(memory, x, at))
      const [ours, theirs] = [filled(...cache), filled(...cache)]
      for (const place of [3, 0, 1, 4, 5, 2]) {
        at.value = place
        const [x, y] = [filled(...token).add(place), filled(...token).add(place)]
        const [got, wanted] = [compiled(ours, x), run(theirs, y, at)].map(result => [result].flat())
        expect(got!.map(({ shape }) => shape)).toEqual(wanted!.map(({ shape }) => shape))
        const pairs = [...got!.map((t, i) => [t, wanted![i]!] as const), [ours, theirs] as const, [x, y] as const]
        for (const [a, b] of pairs) {
          const expected = values(b)
          for (const [i, value] of values(a).entries()) expect(value).toBeCloseTo(expected[i]!, 4)
        }
      }
      expect(compiled.stats().compiles).toBeLessThanOrEqual(3)
    },
  )

  it.each(Object.entries(inPlace))('%s: the cache is not copied', (_, { cache, token, run }) => {
    const at = scalar(2)
    const memory = zeros(cache.map(size => (size === 6 ? 600 : size)))
    const { memory: use } = compile((x: Tensor, y: Tensor) => run(x, y, at)).explain(memory, zeros(token)).segments[0]!
    expect(use.temporaries).toBeLessThan(memory.numel() * 2) // half a copy: what is kept are products with its rows
  })
})
