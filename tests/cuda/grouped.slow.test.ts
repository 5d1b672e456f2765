/**
 * Groups of products on a GPU under every strategy: the same bits eagerly, compiled in every mode, captured, on several
 * streams; and again and again beside other work.
 */
import { captureGraph, compile, manualSeed, randn, Stream, type Tensor, tensor, withStream, zeros } from 'tegula'
import { type GroupStrategy, groupedMatmul, type MatmulGroup, type QuantizedTensor, quantize } from 'tegula/quant'
import { beforeAll, describe, expect, it } from 'vitest'
import { needsGpuOrStandIn, openGpu } from './support.js'

const gpu = openGpu()
const strategies: readonly GroupStrategy[] = ['sequential', 'streams', 'graph', 'persistent', 'auto']

/** The stand-in takes its time. */
const isReal = gpu?.fake === null
const modes = isReal ? (['default', 'reduce-overhead'] as const) : (['default'] as const)

const partsOn = (q: QuantizedTensor): QuantizedTensor => ({
  ...q,
  values: q.values.to('cuda'),
  scales: q.scales.to('cuda'),
  tensorScale: q.tensorScale?.to('cuda') ?? null,
})

/** Products of several heights with weights of one size, one of another, and one without rows; quantised on the CPU. */
function groups(heights: readonly number[]): MatmulGroup[] {
  const pair = (M: number, N: number, K: number): MatmulGroup => ({
    a: partsOn(quantize(randn([M, K], { device: 'cpu' }), 'nvfp4')),
    b: partsOn(quantize(randn([N, K], { device: 'cpu' }), 'nvfp4')),
  })
  const N = isReal ? 320 : 8
  return [...heights.map(M => pair(M, N, 2 * N)), pair(2, 5, 16), pair(0, N, 2 * N)]
}

const withOuts = (given: readonly MatmulGroup[], outs: readonly Tensor[]): MatmulGroup[] =>
  given.map((group, i) => ({ ...group, out: outs[i]! }))

const outsFor = (given: readonly MatmulGroup[]): Tensor[] =>
  given.map(({ a, b }) => {
    const rows = (each: MatmulGroup['a']): number => ('format' in each ? each.values : each).shape[0]!
    return zeros([rows(a), rows(b)], { dtype: 'f16', device: 'cuda' })
  })

const bits = (tensors: readonly Tensor[]): number[][] => tensors.map(t => Array.from(t.to('cpu').dataSync(), Number))

describe.skipIf(gpu === null)(`groups of products (${needsGpuOrStandIn})`, () => {
  let given: readonly MatmulGroup[] = []
  let expected: readonly (readonly number[])[] = []
  beforeAll(() => {
    manualSeed(3)
    given = groups(isReal ? [3, 20, 70, 200, 9] : [3])
    expected = bits(groupedMatmul(given, { strategy: 'sequential', outDtype: 'f16' }))
  })

  for (const strategy of strategies) {
    it(`${strategy}: eagerly and captured, in place, compiled or not: bitwise equal`, () => {
      for (const mode of modes) {
        const f = compile((all: MatmulGroup[]) => groupedMatmul(all, { strategy }), { mode })
        const captured = outsFor(given)
        const graph = captureGraph(() => void f(withOuts(given, captured)))
        expect(
          bits(captured)
            .flat()
            .every(value => value === 0),
        ).toBe(true)
        graph.replay()
        expect(bits(captured), `${mode}, captured`).toEqual(expected)
        // Warm, on another stream.
        const others = outsFor(given)
        withStream(new Stream(), () => f(withOuts(given, others)))
        expect(bits(others), `${mode}, on a stream`).toEqual(expected)
      }
      if (!isReal) return
      expect(bits(groupedMatmul(given, { strategy, outDtype: 'f16' }))).toEqual(expected)
      const cold = outsFor(given)
      captureGraph(() => void groupedMatmul(withOuts(given, cold), { strategy })).replay()
      expect(bits(cold)).toEqual(expected)
    })
  }

  /** Counts wrong elements on the device, where every round can be looked at without waiting for it. */
  const counter = (): { check: (outs: readonly Tensor[]) => void; wrong: () => number } => {
    const wanted = given.map((_, i) => tensor([...expected[i]!], { device: 'cuda' }))
    const total = zeros([], { device: 'cuda' })
    const count = compile((outs: readonly Tensor[], wanted: readonly Tensor[], total: Tensor) => {
      // NaN is not equal to itself, and so wrong.
      for (const [i, out] of outs.entries()) total.add_(out.to('f32').reshape([-1]).ne(wanted[i]!).to('f32').sum())
    })
    return { check: outs => void count(outs, wanted, total), wrong: () => total.to('cpu').itemSync() }
  }

  it('persistent kernels and graphs of several streams give correct results 1,000 times each under varying load', () => {
    const rounds = isReal ? 1000 : 1
    const noise = randn([isReal ? 1 << 20 : 64], { device: 'cuda' })
    const [other, outs] = [new Stream(), outsFor(given)]
    const runs = (['persistent', 'graph'] as const).map(strategy => {
      const f = compile((all: MatmulGroup[]) => groupedMatmul(all, { strategy }), { mode: 'reduce-overhead' })
      return () => void f(withOuts(given, outs))
    })
    const graphs = (['streams', 'persistent'] as const).map(strategy =>
      captureGraph(() => void groupedMatmul(withOuts(given, outs), { strategy })),
    )
    const all = [...runs, ...graphs.map(graph => () => graph.replay())]
    const { check, wrong } = counter()
    /** Other work on the device: none, some before it, some beside it that takes all multiprocessors, or a few. */
    const loads = [
      () => {},
      () => void noise.mul_(0.5).add_(1),
      () => withStream(other, () => void noise.mul(2).mul(3)),
      () => withStream(other, () => void noise.slice([0, 5000]).exp().sum()),
    ]
    for (let round = 0; round < rounds * all.length; round++) {
      for (const out of outs) out.fill_(Number.NaN)
      // Every way meets every load.
      if (isReal) loads[Math.floor(round / all.length) % loads.length]!()
      all[round % all.length]!()
      if (isReal) check(outs)
      else expect(bits(outs), `round ${round}`).toEqual(expected)
      if (isReal && round % 100 === 99) expect(wrong(), `by round ${round}`).toBe(0)
    }
    expect(bits(outs)).toEqual(expected)
  })

  it('wrong elements are counted', () => {
    const { check, wrong } = counter()
    const outs = groupedMatmul(given, { strategy: 'sequential', outDtype: 'f16' })
    check(outs)
    expect(wrong()).toBe(0)
    outs[0]!.select(0, 0).fill_(Number.NaN)
    check(outs)
    expect(wrong()).toBe(outs[0]!.shape[1])
  })
})
