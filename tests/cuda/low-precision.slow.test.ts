/**
 * Everything of low precision, and attention, captured whole: one function with all of it gives the CPU's numbers under
 * every mode and inside captureGraph, compiled before or not, on one and on several streams, at several sizes.
 */
import {
  captureGraph,
  compile,
  manualSeed,
  memorySummary,
  parallel,
  randn,
  Stream,
  type Tensor,
  tensor,
  withStream,
  zeros,
} from 'tegula'
import { describe, expect, it } from 'vitest'
import { type CompileMode, compileModes } from '../../src/compile/options.js'
import { type GroupStrategy, groupStrategies } from '../../src/graph/ir.js'
import {
  dequantize,
  dualMatmul,
  groupedMatmul,
  type QuantizedTensor,
  quantize,
  raggedMatmul,
  scaledMatmul,
} from '../../src/quant/index.js'
import { hasGpu, needsGpuOrStandIn, openGpu, worst } from './support.js'

const gpu = openGpu()
const on = { device: 'cuda' } as const
const width = 32

interface Weights {
  readonly up: QuantizedTensor
  readonly gate: QuantizedTensor
  readonly down: QuantizedTensor
  readonly experts: QuantizedTensor
  /** Of what is multiplied. */
  readonly factor: Tensor
}

manualSeed(11)
/** On the CPU: where they are used they are moved. */
const weights: Weights = {
  up: quantize(randn([width, width]).mul(0.3), 'nvfp4', { layout: 'blocked' }),
  gate: quantize(randn([width, width]).mul(0.3), 'mxfp4'),
  down: quantize(randn([width, width]).mul(0.3), 'mxint8'),
  experts: quantize(randn([2, width, width]).mul(0.3), 'int4', { block: 16 }),
  factor: tensor(0.002),
}

const moved = (q: QuantizedTensor): QuantizedTensor => ({
  ...q,
  values: q.values.to('cuda'),
  scales: q.scales.to('cuda'),
  tensorScale: q.tensorScale?.to('cuda') ?? null,
})

const onGpu = (): Weights => ({
  up: moved(weights.up),
  gate: moved(weights.gate),
  down: moved(weights.down),
  experts: moved(weights.experts),
  factor: weights.factor.to('cuda'),
})

/** x [T, width]: quantised, multiplied, gated, in groups, through attention and experts, and dequantised again. */
function everything(x: Tensor, w: Weights, strategy: GroupStrategy): Record<string, Tensor> {
  // A factor from calibration: finding one takes a sum over all multiprocessors, which the stand-in runs for minutes.
  const q = quantize(x, 'nvfp4', { tensorScale: w.factor })
  const hidden = scaledMatmul(q, w.up)
  const gated = dualMatmul(hidden, w.gate, w.up)
  const groups = [
    { a: gated, b: w.down },
    { a: q, b: w.gate },
  ]
  const [first, second] = groupedMatmul(groups, { strategy, outDtype: 'f32' }) as [Tensor, Tensor]
  const heads = [first, second, hidden].map(each => each.reshape([-1, 2, width / 2]).transpose(0, 1))
  const [query, key, value] = heads as [Tensor, Tensor, Tensor]
  const seen = query.scaledDotProductAttention(key, value, { isCausal: true })
  const ends = tensor([1, 2], { dtype: 'i32', device: x.device })
  return { seen, mixed: raggedMatmul(x, w.experts, ends), back: dequantize(q) }
}

const inputs = [3, 2].map(rows => randn([rows, width]))
const [x, other] = inputs as [Tensor, Tensor]
const expected = inputs.map(each => everything(each, weights, 'sequential'))

function check(got: Record<string, Tensor>, index: number): void {
  for (const [name, want] of Object.entries(expected[index]!)) expect(worst(got[name]!, want), name).toBeLessThan(2e-4)
}

/** All modes with all strategies; on the stand-in, which is slow and measures nothing, two that differ in both. */
const ways: readonly (readonly [CompileMode, GroupStrategy])[] = hasGpu()
  ? compileModes.flatMap(mode => groupStrategies.map(strategy => [mode, strategy] as const))
  : [
      ['default', 'streams'],
      ['reduce-overhead', 'persistent'],
    ]

describe.skipIf(gpu === null)(`low precision, captured whole (${needsGpuOrStandIn})`, { timeout: 300_000 }, () => {
  it('as written, and captured', () => {
    const w = onGpu()
    check(everything(x.to('cuda'), w, 'auto'), 0)
    const g = captureGraph(({ x }) => everything(x, w, 'auto'), { inputs: { x: x.to('cuda') } })
    check(g.replay(), 0)
  })

  it.each(ways)('%s, strategy %s: called, and captured cold and warm', (mode, strategy) => {
    const w = onGpu()
    const make = () => compile((x: Tensor, w: Weights) => everything(x, w, strategy), { mode, dynamic: false })
    // The first capture is cold. What it has compiled is called, and captured again, warm.
    const f = make()
    for (const turn of ['cold', 'warm']) {
      const g = captureGraph(({ x }) => f(x, w), { inputs: { x: x.to('cuda') } })
      if (turn === 'cold') check(f(x.to('cuda'), w), 0)
      check(turn === 'cold' ? g.replay() : g.replay({ x: other.to('cuda') }), turn === 'cold' ? 0 : 1)
    }
  })

  it('on several streams concurrently, called and captured', () => {
    const w = onGpu()
    const f = compile((x: Tensor) => everything(x, w, 'auto'), { mode: 'reduce-overhead', dynamic: false })
    const both = (x: Tensor, other: Tensor) => parallel([() => f(x), () => f(other)])
    const [first, second] = inputs.map(each => each.to('cuda')) as [Tensor, Tensor]
    for (const [i, got] of both(first, second).entries()) check(got, i)
    const g = captureGraph(({ x, other }) => both(x, other), { inputs: { x: first, other: second } })
    const stream = new Stream(on)
    for (const [i, got] of withStream(stream, () => g.replay()).entries()) check(got, i)
  })

  it("finds a tensor's scale factor, at a size known at compile time", () => {
    const f = compile((x: Tensor) => dequantize(quantize(x, 'nvfp4')), { mode: 'reduce-overhead', dynamic: false })
    const g = captureGraph(({ x }) => f(x), { inputs: { x: x.to('cuda') } })
    expect(worst(g.replay(), dequantize(quantize(x, 'nvfp4')))).toBe(0)
  })

  it('outs from outside the graph are written by every replay', () => {
    const w = onGpu()
    const out = zeros([3, width + 3], on)
    const g = captureGraph(
      ({ x }) => {
        groupedMatmul([{ a: x, b: w.down, out: out.slice(null, [1, 1 + width]) }])
      },
      { inputs: { x: x.to('cuda') } },
    )
    for (const factor of [1, 2]) {
      g.replay({ x: x.mul(factor).to('cuda') })
      expect(worst(out.slice(null, [1, 1 + width]), scaledMatmul(x, weights.down).mul(factor))).toBeLessThan(2e-4)
      expect(out.select(1, 0).toArray()).toEqual([0, 0, 0])
    }
  })

  it('graphs by shape: beyond the limit the least recently replayed one is freed, with its memory', () => {
    const w = onGpu()
    const graphs = (): number => memorySummary().devices[0]!.byOwner.find(({ owner }) => owner === 'graphs')?.bytes ?? 0
    const before = graphs()
    const g = captureGraph(({ x }) => scaledMatmul(x, w.down), { inputs: { x: randn([10, width], on) }, limit: 2 })
    const one = graphs() - before
    expect(one).toBeGreaterThanOrEqual(10 * width * 4)
    for (const rows of [12, 14, 10, 16]) {
      const x = randn([rows, width])
      const want = scaledMatmul(x, weights.down)
      expect(worst(g.replay({ x: x.to('cuda') }), want)).toBeLessThan(2e-4)
    }
    // Two graphs' worth of memory, however many sizes there were.
    const two = graphs() - before
    expect(two).toBeGreaterThan(one)
    expect(two).toBeLessThan(3.5 * one)
    expect([g.versions, g.captures]).toEqual([2, 5])
    g.destroy()
    expect(graphs()).toBeLessThan(before + one)
  })
})
