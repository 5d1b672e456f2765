/** Streams and events for people: order where tensors need it, wherever work is queued. */
import {
  compile,
  Event,
  memorySummary,
  parallel,
  randn,
  Stream,
  synchronize,
  type Tensor,
  tensor,
  withStream,
} from 'tegula'
import { describe, expect, it } from 'vitest'
import { hasGpu, needsGpuOrStandIn, openGpu, worst } from './support.js'

const real = hasGpu()
const gpu = openGpu()
const on = { device: 'cuda' } as const
const list = (t: Tensor): unknown => t.toArray()

/** The stand-in runs work as late as it can, in an order that the seed decides. */
const seeds = gpu?.fake ? [1, 2, 3] : [1]

describe.skipIf(gpu === null)(`streams (${needsGpuOrStandIn})`, () => {
  it('are the target of queued work: the innermost withStream’s, or the main one', () => {
    const [a, b] = [new Stream(on), new Stream(on)]
    expect(Stream.current(on).id).toBe(0)
    const ids = withStream(a, () => [
      Stream.current(on).id,
      withStream(b, () => Stream.current(on).id),
      Stream.current(on).id,
    ])
    expect(ids).toEqual([a.id, b.id, a.id])
    expect(Stream.main(on).id).toBe(0)
    expect(() => withStream(a, () => Promise.resolve())).toThrow(/returned a promise/)
    expect(() => withStream({} as Stream, () => 0)).toThrow(/is no stream.*pass new Stream\(\)/)
    expect(Stream.current(on).id).toBe(0)
  })

  it.each(seeds)('wait for each other where tensors require it (seed %d)', seed => {
    gpu!.fake?.set('seed', seed)
    const [a, b] = [new Stream(on), new Stream(on)]
    const f = compile((x: Tensor) => x.mul(2).add(1).cumsum(0), { mode: 'reduce-overhead' })
    for (let round = 0; round < 3; round++) {
      const x = withStream(a, () => tensor([1, 2, 3], on).add(round))
      const y = withStream(b, () => f(x))
      const z = withStream(a, () => f(y))
      withStream(b, () => x.add_(100)) // after everybody who reads it
      const expected = f(f(tensor([1, 2, 3], on).add(round)))
      expect(list(z)).toEqual(list(expected))
      expect(list(x)).toEqual([101 + round, 102 + round, 103 + round])
    }
  })

  it.each(seeds)('one compiled function on many streams at once, with results that stay valid (seed %d)', seed => {
    gpu!.fake?.set('seed', seed)
    // Temporaries between its kernels.
    const plain = (x: Tensor, w: Tensor): Tensor => x.matmul(w).cumsum(0).matmul(w)
    const f = compile(plain, { mode: 'default', dynamic: false })
    const w = randn([4, 4])
    const inputs = Array.from({ length: 4 }, (_, i) => randn([4, 4]).add(i))
    const [onGpu, weight] = [inputs.map(x => x.to('cuda')), w.to('cuda')]
    const results = parallel(onGpu.map(x => () => f(x, weight)))
    for (const [i, result] of results.entries()) {
      expect(worst(result, plain(inputs[i]!, w)), `branch ${i}`).toBeLessThan(1e-3)
    }
  })

  it('fork and join: branches start after the work so far, and later work waits for them', () => {
    const x = tensor([1, 2], on)
    const y = x.mul(10)
    const [a, b, c] = parallel([() => y.add(1), () => y.sub(1), () => 'value'], on)
    expect([list(a.mul(b)), c]).toEqual([[99, 399], 'value'])
    expect(() =>
      parallel([
        () => y,
        () => {
          throw new Error('mine')
        },
      ]),
    ).toThrow('mine')
    expect(list(y.add(0))).toEqual([10, 20])
  })

  it('events tell when work is done, and let streams wait', async () => {
    const [a, b] = [new Stream(on), new Stream(on)]
    const event = new Event(on)
    expect(event.done).toBe(true)
    const x = withStream(a, () => randn([100], on).exp())
    const after = a.record()
    b.waitFor(after)
    b.waitFor(a)
    withStream(b, () => event.record())
    await event.finished()
    expect([event.done, after.done]).toEqual([true, true])
    after.synchronize()
    await a.finished()
    b.synchronize()
    synchronize()
    synchronize('cuda')
    synchronize('cpu')
    expect([a.done, b.done]).toEqual([true, true])
    expect(x.numel()).toBe(100)
  })

  it('measure times on the device', () => {
    const [start, end] = [new Event({ ...on, timing: true }), new Event({ ...on, timing: true })]
    start.record()
    randn([1000], on).exp()
    end.record()
    end.synchronize()
    expect(end.millisecondsSince(start)).toBeGreaterThan(0)
  })

  it('are rejected for the CPU, and inside a compiled function', () => {
    expect(() => new Stream({ device: 'cpu' })).toThrow(/the CPU has no streams.*name a GPU/)
    const stream = new Stream(on)
    const f = compile((x: Tensor) => withStream(stream, () => x.add(1)))
    expect(() => f(tensor([1], on))).toThrow(/withStream: called inside a compiled function/)
    expect(() => stream.waitFor({ device: 'cuda:0' } as unknown as Event)).toThrow(/is neither a stream nor an event/)
  })
})

describe.skipIf(gpu === null)(`memory of GPUs (${needsGpuOrStandIn})`, () => {
  it('is reported by purpose, with cached bytes and the peak', () => {
    const before = memorySummary().devices[0]
    const bytes = 8192
    const x = randn([bytes / 4], on)
    const summary = memorySummary()
    const { devices, entries } = summary
    const [device] = devices
    expect(device).toMatchObject({ device: 'cuda:0' })
    expect(device!.allocated - (before?.allocated ?? 0)).toBe(bytes)
    expect(device!.byOwner.find(({ owner }) => owner === 'tensors')!.bytes).toBeGreaterThanOrEqual(bytes)
    expect(device!.peakAllocated).toBeGreaterThanOrEqual(device!.allocated)
    expect(device!.reserved).toBeGreaterThanOrEqual(device!.allocated + device!.cached)
    expect(device!.total).toBeGreaterThan(device!.free)
    expect(entries.find(entry => entry.label === 'randn' && entry.device === 'cuda:0')!.bytes).toBeGreaterThanOrEqual(
      bytes,
    )
    expect(String(summary)).toMatch(/cuda:0: \d.*allocated \(tensors .*\), peak .*cached.*free/)
    x.dispose()
    expect(memorySummary().devices[0]!.allocated).toBe(device!.allocated - bytes)
  })
})

describe.skipIf(!real)('on a GPU (no GPU here)', () => {
  it('reading does not block the event loop', async () => {
    const x = randn([2048, 2048], on)
    let y = x
    // Work for many times as long as it takes to queue it.
    for (let i = 0; i < 200; i++) y = y.matmul(x).mul(1e-2)
    let turns = 0
    const turn = (): void => {
      turns++
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    const data = await y.data()
    clearImmediate(next)
    expect(data.length).toBe(2048 * 2048)
    expect(turns).toBeGreaterThan(1)
  })
})
