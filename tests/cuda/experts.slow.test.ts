/** Products of rows in groups on a GPU: ends that change between calls and between replays of a graph. */
import { arange, captureGraph, compile, manualSeed, randn, searchsorted, type Tensor, tensor, zeros } from 'tegula'
import { quantize, raggedDualMatmul, raggedMatmul } from 'tegula/quant'
import { describe, expect, it } from 'vitest'
import { needsGpuOrStandIn, openGpu, worst } from './support.js'

const gpu = openGpu()
const on = { device: 'cuda' } as const
/** The stand-in interprets every thread: it gets little to do. */
const isReal = gpu !== null && gpu.fake === null
const rows = isReal ? 700 : 10
const many = [
  [0.2, 0.2, 1],
  [0.7, 0.4, 0.9],
  [0, 1, 4],
].map(shares => shares.map(share => Math.floor(share * rows)))
const offsetsOf = (ends: readonly number[]): Tensor => tensor([...ends], { dtype: 'i32', ...on })

/** Row by row on the CPU, in f32. */
function byRows(x: Tensor, w: Tensor, ends: readonly number[]): Tensor {
  const [a, b] = [x.to('cpu'), w.to('cpu')]
  const [T, N] = [x.shape[0]!, w.shape[1]!]
  const rows = Array.from({ length: T }, (_, t) => {
    const group = ends.findIndex(end => end > t)
    return group < 0 ? zeros([N]) : b.select(0, group).matmul(a.select(0, t))
  })
  return tensor(rows.map(row => row.toArray() as number[]))
}

/** The largest difference by the largest number: sums of f32 in two orders. */
const relative = (got: Tensor, wanted: Tensor): number =>
  worst(got, wanted) / wanted.dataSync('f32').reduce((most, value) => Math.max(most, Math.abs(value)), 1)
const sameSums = 2e-6

describe.skipIf(gpu === null)(`experts (${needsGpuOrStandIn})`, () => {
  it('eager, compiled and captured, without a new version or capture when the ends change', () => {
    manualSeed(5)
    const [N, K] = isReal ? [300, 256] : [6, 8]
    const [x, w] = [randn([rows, K], on), randn([3, N, K], on)]
    const offsets = offsetsOf(many[0]!)
    const modes = (isReal ? (['default', 'reduce-overhead'] as const) : (['reduce-overhead'] as const)).map(mode =>
      compile((x: Tensor, offsets: Tensor) => raggedMatmul(x, w, offsets).mul(2), { mode }),
    )
    const graph = captureGraph(({ offsets }) => raggedMatmul(x, w, offsets), { inputs: { offsets } })
    for (const ends of many) {
      const wanted = byRows(x, w, ends)
      const given = offsetsOf(ends)
      if (isReal) expect(relative(raggedMatmul(x, w, given).to('cpu'), wanted)).toBeLessThan(sameSums)
      for (const run of modes) expect(relative(run(x, given).to('cpu'), wanted.mul(2))).toBeLessThan(sameSums)
      expect(relative(graph.replay({ offsets: given }).to('cpu'), wanted)).toBeLessThan(sameSums)
    }
    expect(graph.captures).toBe(1)
    for (const run of modes) expect(run.stats()).toMatchObject({ compiles: 1, entries: 1 })
  })

  it.skipIf(!isReal)('a routed layer of packed experts in one captured graph (needs a GPU)', () => {
    manualSeed(6)
    const [T, E, D, H] = [200, 8, 256, 512]
    const router = randn([E, D], on)
    const [gate, up] = [quantize(randn([E, H, D], on), 'nvfp4'), quantize(randn([E, H, D], on), 'nvfp4')]
    const down = randn([E, D, H], on)
    const layer = ({ x }: { x: Tensor }): Tensor => {
      const { values, indices } = x.matmul(router.t()).softmax(-1).topk(2)
      const { values: expert, indices: order } = indices.reshape([-1]).sort()
      const ends = searchsorted(expert, arange(E, on), { right: true })
      const token = order.floorDivide(2)
      const hidden = raggedDualMatmul(x.indexSelect(0, token), gate, up, ends)
      const out = raggedMatmul(hidden, down, ends).indexSelect(0, order.argsort())
      return out.reshape([T, 2, D]).mul(values.unsqueeze(-1)).sum(1)
    }
    const inputs = Array.from({ length: 3 }, () => randn([T, D], on))
    const graph = captureGraph(compile(layer), { inputs: { x: inputs[0]! } })
    // Compiled, the router's product is split along K, so its sums are in another order than in eager mode.
    for (const x of inputs) expect(relative(graph.replay({ x }), layer({ x }))).toBeLessThan(5 * sameSums)
  })
})
