/** checkpoint in compiled functions: the same numbers, in less memory. */
import { describe, expect, it } from 'vitest'
import {
  allclose,
  checkpoint,
  compile,
  gradients,
  manualSeed,
  noGrad,
  randn,
  type Tensor,
  zeros,
} from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const leaf = (shape: readonly number[]): Tensor => randn([...shape], { requiresGrad: true })
const expectClose = (got: readonly Tensor[], want: readonly Tensor[]): void => {
  expect(got.length).toBe(want.length)
  for (const [i, value] of got.entries()) expect(allclose(value, want[i]!, { rtol: 1e-4, atol: 1e-5 })).toBe(true)
}

const weights = [leaf([8, 16]), leaf([16, 8]), leaf([8, 16]), leaf([16, 8])]
const layer = (h: Tensor, i: number): Tensor =>
  h
    .matmul(weights[2 * i]!)
    .gelu()
    .matmul(weights[2 * i + 1]!)
    .tanh()
const x = leaf([4, 8])
const stepOf =
  (fn: (h: Tensor, i: number) => Tensor) =>
  (h: Tensor): Tensor[] => {
    const loss = fn(fn(h, 0), 1).square().sum()
    return [loss, ...gradients(loss, [h, ...weights])]
  }

describe('checkpoint in a compiled function', () => {
  it('gives the gradients that there are without it', () => {
    const plain = stepOf(layer)(x)
    expectClose(compile(stepOf(checkpoint(layer)))(x), plain)
    expectClose(stepOf(checkpoint(layer))(x), plain)
    expectClose(compile(stepOf(checkpoint((h, i) => checkpoint(layer)(h, i).add(h))))(x), stepOf((h, i) => layer(h, i).add(h))(x)) // biome-ignore format: one line
  })

  it('where the gradient is taken outside of it', () => {
    const f = compile((h: Tensor) => checkpoint(layer)(checkpoint(layer)(h, 0), 1))
    expectClose(gradients(f(x).square().sum(), [x, ...weights]), stepOf(layer)(x).slice(1))
  })

  it('draws once, and changes what is outside once', () => {
    const run = (wrap: typeof checkpoint, compiled: boolean): Tensor[] => {
      manualSeed(3)
      const seen = zeros([8])
      const noisy = wrap((h: Tensor) => {
        const y = F.dropout(h.matmul(weights[0]!), { p: 0.5 }).matmul(weights[1]!).exp()
        noGrad(() => seen.add_(y.detach().mean(0)))
        return { y, parts: [y.mul(2)] }
      })
      const step = (h: Tensor): Tensor[] => {
        const { y, parts } = noisy(h.mul(0.1))
        return gradients(y.mul(parts[0]!).sum(), [h, weights[0]!])
      }
      return [...(compiled ? compile(step) : step)(x), seen]
    }
    const plain = run(fn => fn, false)
    expectClose(run(checkpoint, false), plain)
    expectClose(run(checkpoint, true), plain)
  })

  it('is followed where sizes change, and compiled once for all of them', () => {
    const step = compile((h: Tensor) => stepOf(checkpoint(layer))(h), { dynamic: true })
    for (const rows of [2, 3, 5]) {
      const h = leaf([rows, 8])
      expectClose(step(h), stepOf(layer)(h))
    }
    expect(step.stats().compiles).toBe(1)
  })
})

describe('the memory of a compiled step', () => {
  const [rows, narrow, wide, depth] = [64, 8, 32, 5]
  const parts = Array.from({ length: depth }, () => [leaf([narrow, wide]), leaf([wide, narrow])] as const)
  const block = (h: Tensor, i: number): Tensor => h.matmul(parts[i]![0]).tanh().matmul(parts[i]![1]).add(h)
  /** Bytes of all temporaries at once, in units of a block's argument. */
  const peakOf = (fn: typeof block): number => {
    const step = compile((h: Tensor) => {
      let y = h
      for (let i = 0; i < depth; i++) y = fn(y, i)
      return gradients(y.square().sum(), parts.flat())
    })
    const { memory } = step.explain(randn([rows, narrow])).segments[0]!
    return memory.slots.reduce((sum, bytes) => sum + bytes, 0) / (4 * rows * narrow)
  }

  it('keeps the arguments of checkpoints, and the values of one', () => {
    const [plain, less] = [peakOf(block), peakOf(checkpoint(block))]
    const perBlock = wide / narrow
    expect(plain).toBeGreaterThan(depth * perBlock)
    expect(less).toBeLessThanOrEqual(depth + 3 * perBlock + 3)
  })
})
