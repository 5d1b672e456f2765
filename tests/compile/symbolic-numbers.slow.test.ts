import { describe, expect, it } from 'vitest'
import {
  arange,
  type CompileOptions,
  cat,
  compile,
  dropout,
  eye,
  full,
  linspace,
  manualSeed,
  oneHot,
  ones,
  rand,
  repeatInterleave,
  roll,
  type ScalarVariable,
  type SymbolicNumber,
  scalar,
  type Tensor,
  tensor,
  tile,
  zeros,
} from '../../src/index.js'

const values = (t: Tensor): number[] => Array.from(t.dataSync() as ArrayLike<number | bigint>, Number)
const rows = (n: number, m = 3): Tensor =>
  arange(n * m)
    .to('f32')
    .reshape([n, m])

/** Compiled once for all the inputs, and the same as eagerly. */
function once(
  fn: (x: Tensor) => Tensor,
  inputs: readonly Tensor[] = [rows(4), rows(7), rows(5)],
  options: CompileOptions = { dynamic: true },
): void {
  const f = compile(fn, options)
  for (const x of inputs) {
    const [expected, got] = [fn(x), f(x)]
    expect([got.dtype, got.shape]).toEqual([expected.dtype, expected.shape])
    const wanted = values(expected)
    for (const [i, value] of values(got).entries()) expect(value).toBeCloseTo(wanted[i]!, 5)
  }
  expect(f.stats()).toMatchObject({ compiles: 1, recompiles: [] })
}

/** Every form in which a size can be used: one version for all sizes. */
const forms: Record<string, (x: Tensor) => Tensor> = {
  'zeros, ones, full': x =>
    zeros([x.dim(0), 2])
      .add(ones([x.dim(0), 1]))
      .add(full([x.dim(0), 1], x.dim(0))),
  'arange(end)': x => arange(x.dim(0)),
  'arange(start, end, step)': x => arange(x.dim(0), x.dim(0).mul(3).add(1), 2),
  'arange of floats': x => arange(x.dim(0), { dtype: 'f32' }),
  eye: x => eye(x.dim(0)).add(eye(x.dim(0), x.dim(0))),
  linspace: x => linspace(0, 1, x.dim(0).add(1)),
  reshape: x => x.reshape([x.dim(0).mul(x.dim(1))]),
  view: x => x.view([x.dim(1).mul(x.dim(0)), 1]),
  expand: x => x.sum(0).expand([x.dim(0), 3]),
  unflatten: x => x.flatten().unflatten(0, [x.dim(0), -1]),
  repeat: x => x.repeat([1, x.dim(0)]),
  tile: x => tile(x, [x.dim(0), 1]),
  repeatInterleave: x => repeatInterleave(x, x.dim(0), 0),
  narrow: x => x.narrow(0, x.dim(0).sub(2), 2),
  'narrow by half': x => x.narrow(0, 1, x.dim(0).floorDiv(2)),
  'slice to a size': x => x.slice([x.dim(0).sub(3), x.dim(0)]),
  'slice by an index': x => x.slice(x.dim(0).sub(1)),
  get: x => x.get(x.dim(0).sub(1)),
  select: x => x.select(0, x.dim(0).sub(1)),
  roll: x => roll(x, x.dim(0).sub(1), 0),
  oneHot: x => oneHot(arange(x.dim(0)), x.dim(0)),
  'an operand': x => x.mul(x.dim(0)).sub(x.dim(0).add(1)),
  'an operand of integers': x => arange(x.dim(0)).mul(x.dim(0)),
  'a quotient as an operand': x => x.mul(x.dim(0).div(8)),
  'a comparison': x => arange(x.dim(0)).lt(x.dim(0).floorDiv(2)).to('f32'),
  clamp: x => x.clamp(0, x.dim(0)),
  pow: x => x.div(10).pow(x.dim(0)),
  'in place': x => x.clone().add_(x.dim(0)),
  'the mean, by hand': x => x.sum(0).div(x.dim(0)),
  'min and max': x => x.narrow(0, 0, x.dim(0).min(3)).mul(x.dim(0).max(5)),
  'ceilDiv and mod': x => x.mul(x.dim(0).ceilDiv(4)).add(x.dim(0).mod(3)),
  'a causal mask': x =>
    arange(x.dim(0))
      .unsqueeze(1)
      .ge(arange(x.dim(0)))
      .to('f32'),
  'a diff with itself': x => x.narrow(0, 1, x.dim(0).sub(1)).sub(x.narrow(0, 0, x.dim(0).sub(1))),
}

describe('x.dim(d): one version for all sizes', () => {
  for (const [name, fn] of Object.entries(forms)) {
    it(`${name}, dynamic`, () => once(fn))
    it(`${name}, in buckets`, () => once(fn, [rows(5), rows(7)], { dynamic: true, bucket: 'pow2' }))
  }

  it('follows sizes that turn out to change', () => {
    const f = compile((x: Tensor) => zeros([x.dim(0)]).add(x.sum(1)))
    for (const n of [4, 5, 6, 9]) expect(f(rows(n)).shape).toEqual([n])
    expect(f.stats().compiles).toBe(2)
  })

  it('draws the right number of random numbers', () => {
    const f = compile((x: Tensor) => rand([x.dim(0), 3]).add(dropout(x, { p: 0.5 })), { dynamic: true })
    for (const n of [4, 6, 5]) {
      manualSeed(n)
      const got = values(f(rows(n)))
      manualSeed(n)
      expect(got).toEqual(values(rand([n, 3]).add(dropout(rows(n), { p: 0.5 }))))
    }
    expect(f.stats().compiles).toBe(1)
  })

  it('is a number outside of a capture', () => {
    const n = rows(4).dim(0)
    expect([Number(n), +n, Number(n) > 3, `${n}`, JSON.stringify({ n })]).toEqual([4, 4, true, '4', '{"n":4}'])
    expect(Number(n.mul(2).add(1).floorDiv(2).neg())).toBe(-4)
    expect(Number(rows(4).dim(-1))).toBe(3)
    expect(() => rows(4).dim(2)).toThrow(/dim: dim 2 of a tensor of 2 dims/)
  })

  it('read as a number, it is the size in the call', () => {
    const f = compile((x: Tensor) => (Number(x.dim(0)) > 5 ? x.mul(2) : x.mul(3)), { dynamic: true })
    for (const n of [4, 7, 5, 8]) expect(values(f(rows(n)))).toEqual(values(rows(n).mul(n > 5 ? 2 : 3)))
  })

  it('keeps its meaning after a graph break', () => {
    const f = compile((x: Tensor) => {
      const n = x.dim(0)
      const first = x.sum().itemSync()
      return zeros([n]).add(first).mul(n)
    })
    for (const n of [4, 6]) expect(values(f(ones([n, 1])))).toEqual(new Array(n).fill(n * n))
  })

  it('rejects values that are not sizes, with the values', () => {
    expect(() => zeros([rows(4).dim(0).div(3)])).toThrow(
      /zeros: size is \[1.3333333333333333\], not a list of integers/,
    )
    expect(() => zeros([rows(4).dim(0).sub(9)])).toThrow(/size is \[-5\], not a list of in/)
    expect(() => rows(4).dim(0).mod(0)).toThrow(/mod: 4 is divided by 0/)
    const f = compile((x: Tensor) => x.narrow(0, 0, x.dim(0).add(1)), { dynamic: true })
    expect(() => f(rows(4))).toThrow(/narrow: start 0 and length 5 in dim 0 of size 4 reach outside it/)
  })

  it('cannot be used outside its capture', () => {
    const kept: SymbolicNumber[] = []
    const f = compile(
      (x: Tensor) => {
        kept.push(x.dim(0))
        return x.mul(2)
      },
      { dynamic: true },
    )
    f(rows(4))
    expect(() => zeros([kept[0]!])).toThrow(/a size of a function's capture is used outside of it/)
    const g = compile((x: Tensor) => x.dim(0) as unknown as Tensor, { dynamic: true })
    expect(() => g(rows(4))).toThrow(/result is a size or a boxed number, not a tensor/)
  })
})

describe('scalar(v): one version for all values', () => {
  it('as an argument, in objects too', () => {
    const f = compile((x: Tensor, { lr }: { lr: ScalarVariable }) => x.sub(x.mul(lr)))
    const lr = scalar(0.5)
    for (const rate of [0.5, 0.25, 0.125]) {
      lr.value = rate
      expect(values(f(tensor([8]), { lr }))).toEqual([8 - 8 * rate])
      expect(values(f(tensor([8]), { lr: scalar(rate / 2) }))).toEqual([8 - 4 * rate])
    }
    expect(f.stats().compiles).toBe(1)
  })

  it('closed over, and in arithmetic on the host', () => {
    const [beta, step] = [scalar(0.9), scalar(1)]
    const f = compile((x: Tensor) => x.div(beta.pow(step).neg().add(1)))
    for (let t = 1; t <= 5; t++) {
      step.set(t)
      expect(values(f(tensor([1], { dtype: 'f64' })))).toEqual([1 / (1 - 0.9 ** t)])
    }
    expect(f.stats().compiles).toBe(1)
  })

  it('has the dtype of its number, and recompiles for another kind of number', () => {
    const s = scalar<number | boolean | bigint>(2)
    const f = compile((x: Tensor) => x.mul(s))
    const x = tensor([1, 2], { dtype: 'i32' })
    for (const value of [2, 3, -4, 0.5, 2.5, true, 7n, 2n ** 40n]) {
      s.value = value
      const [got, wanted] = [f(x), x.mul(value)]
      expect([got.dtype, ...values(got)]).toEqual([wanted.dtype, ...values(wanted)])
    }
    // Integers of 0 and more, negative ones, fractions, booleans, bigints.
    expect(f.stats().compiles).toBe(5)
    expect(f.stats().recompiles[1]).toContain('was an integer, now a fraction: 0.5')
  })

  it('as a size, a start and an index', () => {
    const at = scalar(3)
    const x = rows(16)
    const uses: ((x: Tensor) => Tensor)[] = [
      y => y.narrow(0, at, 2),
      y => y.narrow(0, 0, at.add(1)),
      y => y.select(0, at),
      y => y.get(at),
      y => y.slice([null, at]),
      y => zeros([at.add(2), 3]).add(y.sum(0)),
      y => arange(at.add(5)).lt(at).to('f32').add(y.sum()),
      y => roll(y, at, 0),
    ]
    for (const use of uses) {
      const f = compile(use)
      for (const value of [3, 7, 5, 12, 2]) {
        at.value = value
        const [got, wanted] = [f(x), use(x)]
        expect([...got.shape, ...values(got)]).toEqual([...wanted.shape, ...values(wanted)])
      }
      expect(f.stats().compiles).toBe(1)
    }
  })

  it('beyond the end gives the error of a number', () => {
    const at = scalar(3)
    const f = compile((x: Tensor) => x.narrow(0, at, 2))
    f(rows(8))
    at.value = 7
    expect(() => f(rows(8))).toThrow(/narrow: start 7 and length 2 in dim 0 of size 8 reach outside it/)
    at.value = 0.5
    expect(() => f(rows(8))).toThrow(/narrow: start is 0.5, not an integer/)
    at.value = 6
    expect(values(f(rows(8)))).toEqual(values(rows(8).narrow(0, 6, 2)))
  })

  it('when it is read, its value is guarded', () => {
    const s = scalar(1)
    const f = compile((x: Tensor) => (s.value > 2 ? x.mul(10) : x.mul(s)))
    for (const value of [1, 2, 3, 1]) {
      s.value = value
      expect(values(f(tensor([1])))).toEqual([value > 2 ? 10 : value])
    }
    expect(f.stats().compiles).toBe(3)
    expect(f.stats().recompiles[0]).toContain('scalar 0 was read as 1, now 2')
  })

  it('two boxes are distinguished from one that occurs twice', () => {
    const f = compile((x: Tensor, a: ScalarVariable, b: ScalarVariable) => x.mul(a).add(b))
    const [a, b] = [scalar(0.5), scalar(0.25)]
    expect(values(f(tensor([1]), a, a))).toEqual([1])
    expect(values(f(tensor([1]), a, b))).toEqual([0.75])
    expect(values(f(tensor([1]), b, b))).toEqual([0.5])
  })

  it('rejects values that are not numbers, and assignment during capture', () => {
    expect(() => scalar('1' as never)).toThrow(/scalar: the string "1" is no number/)
    const s = scalar(1)
    const set = (x: Tensor): Tensor => {
      s.set(2)
      return x
    }
    expect(() => compile(set)(tensor([1]))).toThrow(/set inside a compiled function/)
  })

  it('works with eager ops, and with graph breaks', () => {
    const s = scalar(3)
    expect(values(tensor([1, 2]).mul(s))).toEqual([3, 6])
    const f = compile((x: Tensor) => {
      const first = x.mul(s).sum().itemSync()
      return x.mul(s).add(first)
    })
    for (const value of [3, 5]) {
      s.value = value
      expect(values(f(tensor([1])))).toEqual([2 * value])
    }
  })
})

describe('a decode loop of 50 tokens', () => {
  const width = 4

  it('into a cache of fixed size compiles once', () => {
    const [keys, all] = [zeros([64, width]), zeros([64, width])]
    const at = scalar(0)
    const step = compile((cache: Tensor, x: Tensor) => {
      cache.narrow(0, at, 1).copy_(x)
      const seen = cache.narrow(0, 0, at.add(1))
      return seen
        .matmul(x.reshape([width, 1]))
        .softmax(0)
        .mul(seen)
        .sum(0)
    })
    for (let t = 0; t < 50; t++) {
      at.value = t
      const x = rows(1, width).div(10 + t)
      all.narrow(0, t, 1).copy_(x)
      const seen = all.narrow(0, 0, t + 1)
      const wanted = values(
        seen
          .matmul(x.reshape([width, 1]))
          .softmax(0)
          .mul(seen)
          .sum(0),
      )
      for (const [i, value] of values(step(keys, x)).entries()) expect(value).toBeCloseTo(wanted[i]!, 5)
    }
    expect(step.stats().compiles).toBeLessThanOrEqual(2)
    // The position is known to lie in the cache: rows of so few are not split among programs.
    const explained = step.explain(keys, rows(1, width))
    expect(explained.guards).toContain('n0 from 0 to 63')
    expect(explained.kernels.filter(({ name }) => name.includes('partial'))).toEqual([])
  })

  it('with a cache that grows compiles twice', () => {
    const step = compile((cache: Tensor, x: Tensor) => {
      const grown = cat([cache, x], 0)
      const mask = arange(grown.dim(0)).ge(grown.dim(0).sub(8))
      const scores = grown
        .matmul(x.reshape([width, 1]))
        .squeeze(1)
        .maskedFill(mask.logicalNot(), -1e9)
      return { grown, out: scores.softmax(0).unsqueeze(1).mul(grown).sum(0) }
    })
    let cache = rows(2, width)
    for (let t = 0; t < 50; t++) {
      const { grown, out } = step(cache, rows(1, width).div(10 + t))
      expect([grown.shape, out.shape]).toEqual([[t + 3, width], [width]])
      cache = grown
    }
    expect(step.stats().compiles).toBeLessThanOrEqual(2)
  })
})
