/** Products of rows in groups as people use them: experts of a mixture, eager and compiled, and bad input. */
import { describe, expect, it } from 'vitest'
import { arange, compile, manualSeed, randn, searchsorted, type Tensor, tensor, zeros } from '../../src/index.js'
import { dequantize, type QuantizedTensor, quantize, raggedDualMatmul, raggedMatmul } from '../../src/quant/index.js'
import { noCompiler } from '../codegen/native.js'

const numbers = (x: Tensor): number[] => Array.from(x.dataSync() as ArrayLike<number>, Number)

/** Group by group, in float64: what the ends say, rows of no group 0. */
function byHand(x: Tensor, w: Tensor, ends: readonly number[]): number[] {
  const [T, K] = x.shape as [number, number]
  const [G, N] = w.shape as [number, number]
  const [a, b] = [numbers(x), numbers(w)]
  const out = new Array<number>(T * N).fill(0)
  let start = 0
  for (let g = 0; g < G; g++) {
    for (let t = start; t < Math.min(ends[g]!, T); t++)
      for (let n = 0; n < N; n++) for (let k = 0; k < K; k++) out[t * N + n]! += a[t * K + k]! * b[(g * N + n) * K + k]!
    start = Math.max(start, ends[g]!)
  }
  return out
}

const expectClose = (got: Tensor, wanted: readonly number[], within: number): void => {
  const most = numbers(got).reduce((worst, value, i) => Math.max(worst, Math.abs(value - wanted[i]!)), 0)
  expect(most).toBeLessThan(within)
  expect(got.shape.reduce((a, b) => a * b, 1)).toBe(wanted.length)
}

describe.skipIf(noCompiler !== null)(`products of rows in groups${noCompiler ?? ''}`, () => {
  it('eager, for any number of rows and any ends', () => {
    manualSeed(1)
    const w = randn([4, 10, 32])
    for (const [T, ends] of [
      [20, [3, 3, 11, 20]],
      [7, [0, 7, 7, 7]],
      [33, [40, 2, 50, 1]],
      [1, [0, 0, 1, 1]],
      [0, [0, 0, 0, 0]],
    ] as const) {
      const x = randn([T, 32])
      for (const dtype of ['i32', 'i64'] as const)
        expectClose(raggedMatmul(x, w, tensor([...ends], { dtype })), byHand(x, w, ends), 1e-4)
      expectClose(raggedMatmul(x, w, tensor([0, ...ends], { dtype: 'i32' })), byHand(x, w, ends), 1e-4)
    }
  })

  it('compiled: offsets change without a new version', () => {
    const w = quantize(randn([3, 16, 64]), 'nvfp4')
    const f = compile((x: Tensor, offsets: Tensor) => raggedMatmul(x, w, offsets).relu())
    const x = randn([30, 64])
    for (const ends of [
      [10, 20, 30],
      [0, 30, 30],
      [30, 30, 30],
      [5, 5, 6],
    ]) {
      const offsets = tensor(ends, { dtype: 'i32' })
      const wanted = raggedMatmul(x, w, offsets).relu()
      expectClose(f(x, offsets), numbers(wanted), 1e-6)
    }
    expect(f.stats()).toMatchObject({ compiles: 1, entries: 1 })
  })

  it('a small mixture of experts equals a loop over tokens', () => {
    manualSeed(3)
    const [T, E, D, H, k] = [19, 5, 24, 32, 2]
    const [x, router] = [randn([T, D]), randn([E, D])]
    const [up, down] = [randn([E, H, D]), randn([E, D, H])]
    const wanted = expertsByHand(x, router, up, down, k)
    const routed = (x: Tensor, up: Tensor | QuantizedTensor): Tensor => {
      const scores = x.matmul(router.t()).softmax(-1).topk(k)
      const { values: expert, indices: order } = scores.indices.reshape([-1]).sort()
      // Counts of experts and their sum so far, without the host.
      const ends = searchsorted(expert, arange(E), { right: true })
      const token = order.floorDivide(k)
      const hidden = raggedMatmul(x.indexSelect(0, token), up, ends).relu()
      const out = raggedMatmul(hidden, down, ends).indexSelect(0, order.argsort())
      return out.reshape([T, k, D]).mul(scores.values.unsqueeze(-1)).sum(1)
    }
    expectClose(routed(x, up), wanted, 1e-3)
    const compiled = compile(routed)
    expectClose(compiled(x, up), wanted, 1e-3)
    const packed = quantize(up, 'int8', { block: 12 })
    expectClose(compiled(x, packed), expertsByHand(x, router, dequantize(packed), down, k), 1e-3)
    const other = randn([T, D])
    expectClose(compiled(other, up), expertsByHand(other, router, up, down, k), 1e-3)
  })

  it('two matmuls of the same groups: the row-to-group mapping is not stored', () => {
    const [w1, w2] = [quantize(randn([3, 32, 32]), 'nvfp4'), quantize(randn([3, 8, 32]), 'nvfp4')]
    const [bias, x] = [randn([3, 32]), randn([21, 32])]
    const layer = compile((x: Tensor, ends: Tensor) => {
      const hidden = raggedDualMatmul(x, w1, w1, ends, { bias1: bias })
      return raggedMatmul(hidden, w2, ends)
    })
    const ends = tensor([4, 4, 20], { dtype: 'i32' })
    expect(String(layer.explain(x, ends))).toContain('in 2 kernels')
    const hidden = raggedDualMatmul(x, w1, w1, ends, { bias1: bias })
    expectClose(layer(x, ends), numbers(raggedMatmul(hidden, w2, ends)), 1e-3)
  })

  it('gated experts are two matmuls and a gate', () => {
    const [x, w1, w2] = [randn([21, 32]), quantize(randn([3, 8, 32]), 'mxfp4'), randn([3, 8, 32])]
    const [bias1, factor2] = [randn([3, 8]), randn([3])]
    const offsets = tensor([4, 4, 20], { dtype: 'i64' })
    const layer = (x: Tensor, ends: Tensor): Tensor =>
      raggedDualMatmul(x, w1, w2, ends, { activation: 'gelu', bias1, factor2 })
    const first = raggedMatmul(x, w1, offsets, { bias: bias1 })
    const wanted = first.gelu().mul(raggedMatmul(x, w2, offsets, { factor: factor2 }))
    expectClose(layer(x, offsets), numbers(wanted), 1e-4)
    expectClose(compile(layer)(x, offsets), numbers(wanted), 1e-4)
    const wrong = (options: object) => () => raggedDualMatmul(x, w1, w2, offsets, options as never)
    expect(wrong({ activation: 'tanh' })).toThrow('raggedDualMatmul: activation is "tanh"')
    expect(wrong({ bias: bias1 })).toThrow('bias')
    expect(() => raggedDualMatmul(x, w1, randn([3, 7, 32]), offsets)).toThrow('b1 and b2 give 8 and 7 columns')
    expect(() => raggedDualMatmul(x, w1, randn([2, 8, 32]), offsets)).toThrow('different numbers of groups')
  })

  it('reports mismatches before anything is computed', () => {
    const [x, w] = [zeros([6, 8]), zeros([2, 4, 8])]
    const ends = tensor([3, 6], { dtype: 'i32' })
    expect(() => raggedMatmul(x, zeros([2, 4, 9]), ends)).toThrow('K differs')
    expect(() => raggedMatmul(x, zeros([4, 8]), ends)).toThrow('are no [T, K] and [G, N, K]')
    expect(() => raggedMatmul(zeros([2, 3, 8]), w, ends)).toThrow('are no [T, K] and [G, N, K]')
    expect(() => raggedMatmul(x, w, tensor([1, 2, 3, 4], { dtype: 'i32' }))).toThrow('offsets [4] for 2 groups')
    expect(() => raggedMatmul(x, w, ends.reshape([1, 2]))).toThrow('offsets [1, 2] for 2 groups')
    expect(() => raggedMatmul(x, w, tensor([3, 6]))).toThrow('offsets are f32')
    expect(() => raggedMatmul(x, w, [3, 6] as never)).toThrow('offsets is')
    expect(() => raggedMatmul(x, w, ends, { bias: zeros([4]) })).toThrow('the bias [4] must be [2, 4]')
    expect(() => raggedMatmul(x, w, ends, { bias: zeros([2, 4], { dtype: 'i32' }) })).toThrow('not a float')
    expect(() => raggedMatmul(x, w, ends, { factor: zeros([3]) })).toThrow('the factor [3] must be [2]')
    expect(() => raggedMatmul(x.to('i32'), w, ends)).toThrow('multiplies f32, f16, bf16')
    expect(() => raggedMatmul(x, w, ends, { offsets: ends } as never)).toThrow('offsets')
  })
})

/** For every token its k best experts, one after another. */
function expertsByHand(x: Tensor, router: Tensor, up: Tensor, down: Tensor, k: number): number[] {
  const [[T, D], [E, H]] = [x.shape, up.shape] as unknown as [[number, number], [number, number]]
  const [rows, gates, w1, w2] = [x, router, up, down].map(numbers) as [number[], number[], number[], number[]]
  const dot = (a: number[], from: number, b: number[], at: number, count: number): number => {
    let sum = 0
    for (let i = 0; i < count; i++) sum += a[from + i]! * b[at + i]!
    return sum
  }
  const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
  return range(T).flatMap(t => {
    const powers = range(E).map(e => Math.exp(dot(rows, t * D, gates, e * D, D)))
    const total = powers.reduce((a, b) => a + b)
    const best = range(E)
      .sort((a, b) => powers[b]! - powers[a]!)
      .slice(0, k)
    const out = new Array<number>(D).fill(0)
    for (const e of best) {
      const hidden = range(H).map(h => Math.max(0, dot(rows, t * D, w1, (e * H + h) * D, D)))
      for (let d = 0; d < D; d++) out[d]! += (powers[e]! / total) * dot(hidden, 0, w2, (e * D + d) * H, H)
    }
    return out
  })
}
