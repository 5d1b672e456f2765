/** checkpoint: gradients as without it, from values that are computed again. */
import { describe, expect, it } from 'vitest'
import {
  allclose,
  autocast,
  checkpoint,
  defaultGenerator,
  gradients,
  manualSeed,
  noGrad,
  rand,
  randn,
  scope,
  type Tensor,
  zeros,
} from '../../../src/index.js'
import { functional as F } from '../../../src/nn/index.js'
import { historyOf, reachable } from '../../../src/tensor/autograd/history.js'
import type { Storage } from '../../../src/tensor/storage.js'
import { interpretedWhenQuick } from '../../support/interpreted.js'

interpretedWhenQuick()

const leaf = (shape: readonly number[]): Tensor => randn([...shape], { dtype: 'f64', requiresGrad: true })
const expectSame = (got: readonly Tensor[], want: readonly Tensor[]): void => {
  expect(got.length).toBe(want.length)
  for (const [i, value] of got.entries()) expect(value.toArray()).toEqual(want[i]!.toArray())
}

const [x, w] = [leaf([4, 3]), leaf([3, 3])]
const block = (h: Tensor): Tensor => h.matmul(w).tanh().mul(h).exp()

describe('checkpoint', () => {
  it('gives the gradients that there are without it, of what the function closes over too', () => {
    const of = (fn: (h: Tensor) => Tensor): Tensor[] => gradients(fn(fn(x)).sum(), [x, w])
    expectSame(of(checkpoint(block)), of(block))
    expectSame(
      of(checkpoint(h => checkpoint(block)(block(h)))),
      of(h => block(block(h))),
    )
  })

  it('runs the function once more, in the backward pass', () => {
    let runs = 0
    const counted = checkpoint((h: Tensor) => {
      runs++
      return block(h)
    })
    const y = counted(x).sum()
    expect(runs).toBe(1)
    gradients(y, [x], { retainGraph: true })
    expect(runs).toBe(2)
    gradients(y, [x])
    expect(runs).toBe(2)
    noGrad(() => counted(x))
    expect(runs).toBe(3)
  })

  it('takes and gives several tensors, and objects of them', () => {
    const fn = ({ a, list }: { a: Tensor; list: Tensor[] }, scale: number): { sum: Tensor; parts: Tensor[] } => ({
      sum: a.mul(list[0]!).mul(scale).sin(),
      parts: [a.exp(), list[1]!],
    })
    const of = (f: typeof fn): Tensor[] => {
      const { sum, parts } = f({ a: x, list: [x.cos(), x] }, 3)
      return gradients(sum.add(parts[0]!).mul(parts[1]!).sum(), [x])
    }
    expectSame(of(checkpoint(fn)), of(fn))
  })

  it('draws the same random numbers again, and leaves the generator where it was', () => {
    const noisy = (h: Tensor): Tensor => F.dropout(h.mul(rand([4, 3], { dtype: 'f64' })).exp(), { p: 0.5 })
    const of = (f: typeof noisy): [Tensor[], bigint] => {
      manualSeed(7)
      const found = gradients(f(f(x)).sum(), [x])
      return [found, defaultGenerator.offset]
    }
    const [[mine, end], [plain, wanted]] = [of(checkpoint(noisy)), of(noisy)]
    expectSame(mine, plain)
    expect(end).toBe(wanted)
  })

  it('computes again in the modes of the call', () => {
    const [a, b] = [randn([4, 3], { requiresGrad: true }), randn([3, 3], { requiresGrad: true })]
    const of = (f: (h: Tensor) => Tensor): Tensor[] => {
      const y = autocast('bf16', () => f(a))
      return gradients(y.to('f32').sum(), [a, b])
    }
    const product = (h: Tensor): Tensor => h.matmul(b).tanh().matmul(b).exp()
    expectSame(of(checkpoint(product)), of(product))
  })

  it('has gradients of gradients', () => {
    const of = (f: (h: Tensor) => Tensor): Tensor[] => {
      const [first] = gradients(f(x).sum(), [x], { createGraph: true })
      return gradients(first!.square().sum(), [x, w])
    }
    const [mine, plain] = [of(checkpoint(block)), of(block)]
    for (const [i, value] of mine.entries()) expect(allclose(value, plain[i]!, { rtol: 1e-12 })).toBe(true)
  })

  it('changes what is outside once', () => {
    const of = (wrap: typeof checkpoint): unknown[] => {
      const seen = zeros([3], { dtype: 'f64' })
      const counted = wrap((h: Tensor) => {
        const y = h.mul(seen.add(1)).exp()
        noGrad(() => seen.add_(h.detach().mean(0)))
        return y
      })
      const found = gradients(counted(counted(x)).sum(), [x])
      return [seen.toArray(), found[0]!.toArray()]
    }
    expect(of(checkpoint)).toEqual(of(fn => fn))
  })

  it('refuses what it could only get wrong', () => {
    expect(() => checkpoint(3 as never)).toThrow('checkpoint: fn is the number 3, not a function')
    expect(() => checkpoint(async (h: Tensor) => h)(x)).toThrow('checkpoint: the function returned a promise')
    let runs = 0
    const moody = checkpoint(function moody(h: Tensor) {
      return runs++ === 0 ? h.exp() : h.exp().exp()
    })
    const y = moody(x).sum()
    expect(() => gradients(y, [x])).toThrow('checkpoint: moody does something else when it is run again')
    const changed = x.mul(1)
    const z = checkpoint(block)(changed).sum()
    noGrad(() => changed.add_(1))
    expect(() => gradients(z, [x])).toThrow(/changed in place at .*checkpoint\.test\.ts/)
  })
})

describe('the memory of a checkpoint', () => {
  const wide = (h: Tensor): Tensor => h.mul(2).exp().sin().mul(h.cos()).tanh()
  /** Bytes that a chain of blocks keeps for its backward pass, beside its argument. */
  const keptBy = (fn: (h: Tensor) => Tensor, depth: number): number => {
    const start = leaf([8, 8])
    const y = Array.from({ length: depth }).reduce((h: Tensor) => fn(h), start)
    const kept = [...reachable([historyOf(y)!.node!])].flatMap(node => node.saved().flatMap(each => each.kept))
    const memory = new Set(kept.map(({ source }) => source as Storage).filter(source => source !== start.source))
    expectSame(gradients(y.sum(), [start]), gradients(wide(wide(wide(start))).sum(), [start]))
    return [...memory].reduce((sum, { bytes }) => sum + bytes, 0)
  }
  const one = 8 * 8 * 8

  it('is that of its arguments', () => {
    expect(keptBy(checkpoint(wide), 3)).toBe(2 * one)
    expect(keptBy(wide, 3)).toBeGreaterThan(10 * one)
  })

  it('a checkpoint of checkpoints keeps the outer arguments alone', () => {
    const inner = checkpoint(wide)
    expect(
      keptBy(
        checkpoint(h => inner(inner(inner(h)))),
        1,
      ),
    ).toBe(0)
    const [start, outer] = [leaf([8, 8]), checkpoint((h: Tensor) => inner(inner(h)))]
    expectSame(gradients(scope(() => outer(outer(start))).sum(), [start]), gradients(wide(wide(wide(wide(start)))).sum(), [start])) // biome-ignore format: one line
  })
})
