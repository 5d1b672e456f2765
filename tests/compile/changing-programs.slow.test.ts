/** Programs whose sizes and numbers change from call to call, as people write them, and how often they compile. */
import { describe, expect, it } from 'vitest'
import { arange, type CompileOptions, compile, ones, rand, scalar, type Tensor } from '../../src/index.js'

const values = (t: Tensor): number[] => Array.from(t.dataSync() as ArrayLike<number | bigint>, Number)
const calls = <A extends readonly unknown[]>(count: number, make: (i: number) => A): A[] =>
  Array.from({ length: count }, (_, i) => make(i))

function compilesAtMost<A extends readonly unknown[]>(
  most: number,
  fn: (...args: A) => Tensor,
  all: readonly A[],
  options: CompileOptions = {},
): void {
  const f = compile(fn as never, options) as unknown as ((...args: A) => Tensor) & {
    stats(): { compiles: number; recompiles: readonly string[] }
  }
  for (const [i, call] of all.entries()) {
    const [got, wanted] = [f(...call), fn(...call)]
    expect(got.shape, `call ${i}`).toEqual(wanted.shape)
    const expected = values(wanted)
    for (const [at, value] of values(got).entries()) expect(value, `call ${i}`).toBeCloseTo(expected[at]!, 3)
  }
  expect(f.stats().compiles, f.stats().recompiles.join('\n')).toBeLessThanOrEqual(most)
}

const integers = (n: number): Tensor => arange(n).mul(7919).remainder(101).to('f32')

describe('programs whose sizes and numbers change', () => {
  it('a decode step with a growing cache padded to blocks, by sizes that are read', () =>
    compilesAtMost(
      3,
      (k: Tensor, q: Tensor) => {
        const n = k.shape[0]!
        const length = Math.ceil(n / 8) * 8
        const hidden = arange(length).lt(n).logicalNot()
        return k
          .pad([0, 0, 0, length - n])
          .matmul(q)
          .maskedFill(hidden, -1e9)
          .softmax(0)
      },
      calls(30, i => [rand([i + 2, 8]), rand([8])] as const),
    ))

  it('the same with x.dim(0)', () =>
    compilesAtMost(
      2,
      (k: Tensor, q: Tensor) => {
        const n = k.dim(0)
        const length = n.ceilDiv(8).mul(8)
        const hidden = arange(length).lt(n).logicalNot()
        return k
          .pad([0, 0, 0, length.sub(n)])
          .matmul(q)
          .maskedFill(hidden, -1e9)
          .softmax(0)
      },
      calls(30, i => [rand([i + 2, 8]), rand([8])] as const),
    ))

  it("Adam's step with a schedule of plain numbers", () =>
    compilesAtMost(
      2,
      (w: Tensor, g: Tensor, t: number, lr: number) => w.sub(g.div(1 - 0.9 ** t).mul(lr)),
      calls(20, i => [rand([4]), rand([4]), i + 1, 1e-3 * (1.5 + Math.cos(i / 10))] as const),
    ))

  it('a boxed rate divided by a batch size that is read', () =>
    compilesAtMost(
      2,
      (w: Tensor, x: Tensor, lr: ReturnType<typeof scalar<number>>) => w.sub(x.sum(0).mul(lr.div(x.shape[0]!))),
      calls(20, i => [rand([4]), rand([(i % 9) + 2, 4]), scalar(0.1 / (i + 3))] as const),
    ))

  it('a sliding window that changes its size', () =>
    compilesAtMost(
      4,
      (x: Tensor, at: number, size: number) =>
        x
          .narrow(0, at, size)
          .mean(0)
          .mul(at / size),
      calls(20, i => [rand([64, 4]), i, 4 + (i % 5)] as const),
    ))

  it('beams of several widths', () =>
    compilesAtMost(
      2,
      (scores: Tensor, k: number) => {
        const { values, indices } = scores.flatten().topk(k)
        return values.add(indices.remainder(scores.shape[1]!))
      },
      calls(16, i => [integers(40).reshape([4, 10]), 2 + (i % 6)] as const),
    ))

  it('a causal mask whose offset is the difference of two sizes', () =>
    compilesAtMost(
      3,
      (q: Tensor, k: Tensor) => {
        const [n, m] = [q.shape[0]!, k.shape[0]!]
        return q
          .matmul(k.t())
          .maskedFill(
            ones([n, m])
              .triu(m - n + 1)
              .gt(0),
            -1e9,
          )
          .softmax(-1)
      },
      calls(16, i => [rand([(i % 4) + 2, 8]), rand([i + 6, 8])] as const),
    ))

  it('sampling with a temperature and a top-k', () =>
    compilesAtMost(
      2,
      (x: Tensor, o: { readonly temperature: number; readonly topK: number }) => {
        const least = x.topk(o.topK).values.slice([-1, null])
        return x.div(o.temperature).maskedFill(x.lt(least), -1e9).softmax(0)
      },
      calls(16, i => [integers(50), { temperature: 0.5 + i / 7, topK: 3 + (i % 4) }] as const),
    ))

  it('heads split off with −1', () =>
    compilesAtMost(
      3,
      (x: Tensor) => x.view([x.shape[0]!, -1, 4, 2]).transpose(1, 2).softmax(-1),
      calls(16, i => [rand([(i % 5) + 2, i + 2, 8])] as const),
    ))

  it('batches in buckets', () =>
    compilesAtMost(
      6,
      (x: Tensor) => x.softmax(-1).sum(0),
      calls(20, i => [rand([((i * 7) % 29) + 1, 16])] as const),
      { bucket: 'pow2' },
    ))
})

describe('under dynamic: true, sizes that were read and have not changed are numbers where an op needs them', () => {
  const lengths = [5, 9, 4, 11, 6, 12]
  it.each<[string, (x: Tensor) => Tensor, (n: number) => Tensor]>([
    ['reshape([3, -1])', x => x.reshape([3, -1]), n => rand([3, n])],
    ['reshape([x.shape[0], -1])', x => x.reshape([x.shape[0]!, -1]), n => rand([3, n])],
    ['the size of a flat view', x => (x.flatten().shape[0]! > 0 ? x.flatten().contiguous() : x), n => rand([n, 3])],
    [
      'a write through a flat view',
      x => {
        const y = x.shape[0]! > 0 ? x.clone() : x
        y.view([-1]).mul_(2)
        return y.reshape([1, -1])
      },
      n => rand([n, 2, 2]),
    ],
  ])('%s', (_, f, make) =>
    compilesAtMost(
      2,
      f,
      lengths.map(n => [make(n)] as const),
      { dynamic: true },
    ),
  )
})
