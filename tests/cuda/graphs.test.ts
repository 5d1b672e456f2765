/** captureGraph for people: right numbers with new inputs, sizes and streams; what it refuses. */
import {
  CaptureError,
  captureGraph,
  compile,
  memorySummary,
  randn,
  Stream,
  scope,
  type Tensor,
  tensor,
  withStream,
} from 'tegula'
import { describe, expect, it } from 'vitest'
import { needsGpuOrStandIn, openGpu, worst } from './support.js'

const gpu = openGpu()
const on = { device: 'cuda' } as const
const list = (t: Tensor): unknown => t.toArray()

describe.skipIf(gpu === null)(`captureGraph (${needsGpuOrStandIn})`, () => {
  it('runs nothing before replay; replays with the current values of closed-over tensors', () => {
    const x = tensor([1, 2, 3], on)
    const out = tensor([0, 0, 0], on)
    const g = captureGraph(() => void out.copy_(x.mul(2)))
    expect(list(out)).toEqual([0, 0, 0])
    g.replay()
    expect(list(out)).toEqual([2, 4, 6])
    x.copy_(tensor([5, 6, 7], on))
    g.replay()
    expect(list(out)).toEqual([10, 12, 14])
  })

  it('a compiled function with its own constant inside: called before the first replay, and after the graph is freed', () => {
    const f = compile(({ x }: { x: Tensor }) => x.mul(tensor([2, 3], on)))
    const x = tensor([1, 1], on)
    const g = captureGraph(f, { inputs: { x } })
    expect(list(f({ x }))).toEqual([2, 3])
    expect(list(g.replay({ x: tensor([5, 7], on) }))).toEqual([10, 21])
    g.destroy()
    const others = Array.from({ length: 20 }, () => tensor([9, 9], on))
    expect(list(f({ x }))).toEqual([2, 3])
    expect(others.flatMap(list)).toEqual(new Array(40).fill(9))
    const h = compile(({ x }: { x: Tensor }) => x.add(tensor([4, 5], on)))
    const fails = () => captureGraph(({ x }: { x: Tensor }) => h({ x }).add(x.sum().itemSync()), { inputs: { x } })
    expect(fails).toThrow(CaptureError)
    expect(list(h({ x }))).toEqual([5, 6])
  })

  it('takes new inputs by name, keeps the others, and leaves the caller’s tensors unchanged', () => {
    const [x, y] = [tensor([1, 2], on), tensor([10, 20], on)]
    const g = captureGraph(({ x, y }) => x.add(y), { inputs: { x, y } })
    expect(list(g.replay())).toEqual([11, 22])
    expect(list(g.replay({ x: tensor([3, 4], on) }))).toEqual([13, 24])
    expect(list(g.replay({ y: tensor([0, 1], on) }))).toEqual([3, 5])
    expect([list(x), list(y)]).toEqual([
      [1, 2],
      [10, 20],
    ])
    expect(g.captures).toBe(1)
  })

  it('returns results that survive the next replay, or on request the graph’s own tensors', () => {
    const x = tensor([1], on)
    const fn = ({ x }: { x: Tensor }): Tensor => x.mul(3)
    const copied = captureGraph(fn, { inputs: { x } })
    const [first, second] = [copied.replay(), copied.replay({ x: tensor([2], on) })]
    expect([list(first), list(second)]).toEqual([[3], [6]])
    const shared = captureGraph(fn, { inputs: { x }, results: 'shared' })
    const [one, two] = [shared.replay(), shared.replay({ x: tensor([2], on) })]
    expect([list(one), list(two)]).toEqual([[6], [6]])
    two.dispose()
    expect(list(shared.replay())).toEqual([6])
  })

  it('returns trees of tensors, and other values unchanged', () => {
    const x = tensor([1, 2], on)
    const g = captureGraph(({ x }) => ({ twice: x.mul(2), all: [x, x.neg()], name: 'x' }), { inputs: { x } })
    const { twice, all, name } = g.replay({ x: tensor([3, 4], on) })
    expect([list(twice), all.map(list), name]).toEqual([
      [6, 8],
      [
        [3, 4],
        [-3, -4],
      ],
      'x',
    ])
  })

  it.each(['cold', 'warm'] as const)('a compiled function inside, %s, gives what it gives outside', state => {
    for (const mode of ['default', 'reduce-overhead'] as const) {
      const w = randn([8, 4])
      const plain = (x: Tensor, w: Tensor): Tensor => x.matmul(w).relu().cumsum(1)
      const onGpu = w.to('cuda')
      const f = compile((x: Tensor) => plain(x, onGpu), { mode, dynamic: false })
      const [x, other] = [randn([4, 8]), randn([4, 8])]
      if (state === 'warm') f(x.to('cuda'))
      const g = captureGraph(({ x }) => f(x), { inputs: { x: x.to('cuda') } })
      for (const each of [x, other, x])
        expect(worst(g.replay({ x: each.to('cuda') }), plain(each, w))).toBeLessThan(1e-5)
      // Outside it still works, with memory of its own.
      const outside = f(other.to('cuda'))
      g.replay({ x: x.to('cuda') })
      expect(worst(outside, plain(other, w))).toBeLessThan(1e-5)
    }
  })

  it('a compiled function on several streams inside', () => {
    const f = compile((x: Tensor) => x.mul(2).sum(0).add(1), { mode: 'reduce-overhead' })
    const x = tensor(
      [
        [1, 2],
        [3, 4],
      ],
      on,
    )
    const [a, b] = [new Stream(on), new Stream(on)]
    const g = captureGraph(
      ({ x }) => {
        const left = withStream(a, () => f(x))
        const right = withStream(b, () => f(x.neg()))
        return left.mul(10).add(right)
      },
      { inputs: { x } },
    )
    expect(list(g.replay())).toEqual([83, 119])
    expect(list(withStream(a, () => g.replay({ x: x.add(1) })))).toEqual([119, 155])
    expect(list(withStream(b, () => g.replay({ x })))).toEqual([83, 119])
  })

  it('captures once per shape, keeps the latest few, and frees the others', () => {
    const calls: number[] = []
    const g = captureGraph(
      ({ x }) => {
        calls.push(x.size(0))
        return x.add(1)
      },
      { inputs: { x: tensor([1, 2], on) }, limit: 2 },
    )
    expect(list(g.replay({ x: tensor([1, 2, 3], on) }))).toEqual([2, 3, 4])
    expect(list(g.replay({ x: tensor([5, 6], on) }))).toEqual([6, 7])
    expect(calls).toEqual([2, 3])
    expect(list(g.replay({ x: tensor([7], on) }))).toEqual([8]) // drops size 3
    expect(list(g.replay({ x: tensor([5, 6], on) }))).toEqual([6, 7])
    expect(calls).toEqual([2, 3, 1])
    expect(list(g.replay({ x: tensor([4, 5, 6], on) }))).toEqual([5, 6, 7])
    expect(calls).toEqual([2, 3, 1, 3])
    expect(g.versions).toBe(2)
  })

  it('reports its memory, and frees it', () => {
    const graphs = (): number => memorySummary().devices[0]!.byOwner.find(({ owner }) => owner === 'graphs')?.bytes ?? 0
    const before = graphs()
    const g = captureGraph(({ x }) => x.add(1).mul(2), { inputs: { x: randn([1000], on) } })
    const result = g.replay()
    expect(graphs() - before).toBeGreaterThanOrEqual(4000)
    expect(g.bytes).toBeGreaterThan(4000)
    expect(g.nodes).toBeGreaterThanOrEqual(1)
    expect(g.kernels.length).toBeGreaterThanOrEqual(1)
    g.destroy()
    g.destroy()
    expect(graphs() - before).toBeLessThan(4000)
    expect(result.dataSync('f32').every(Number.isFinite)).toBe(true)
    expect(() => g.replay()).toThrow(/was destroyed.*fix: capture it again/)
  })

  it('survives the end of its scope, and so do its returned results', () => {
    const { g, y } = scope(() => {
      const x = tensor([1, 2], on)
      const g = captureGraph(({ x }) => x.add(1).mul(x), { inputs: { x } })
      return { g, y: g.replay() }
    })
    expect([list(y), list(g.replay({ x: tensor([3, 4], on) }))]).toEqual([
      [2, 6],
      [12, 20],
    ])
  })

  it.each([
    ['reads a value', (x: Tensor) => x.sum().itemSync(), /reading a tensor is not possible in a capture/],
    ['prints a tensor', (x: Tensor) => x.toString(), /reading a tensor is not possible in a capture/],
    ['waits', (x: Tensor) => new Stream(on).synchronize() ?? x, /waiting for a stream is not possible in a capture/],
    ['captures again', (x: Tensor) => captureGraph(() => x), /called inside another captureGraph/],
    ['is async', async (x: Tensor) => x.add(1), /captureGraph: the function returned a promise/],
    ['throws', (x: Tensor) => x.reshape([7]), /reshape/],
  ])('a function that %s is an error, after which all goes on', (_, fn, message) => {
    const x = tensor([1, 2, 3], on)
    expect(() => captureGraph(() => fn(x))).toThrow(message)
    expect(list(x.add(1))).toEqual([2, 3, 4])
    expect(list(captureGraph(() => x.add(2)).replay())).toEqual([3, 4, 5])
  })

  it('rejects unknown inputs, and inputs of another rank or on another device', () => {
    const x = tensor([1, 2], on)
    const g = captureGraph(({ x }) => x.add(1), { inputs: { x } })
    expect(() => g.replay({ y: x } as never)).toThrow(/no input 'y'.*fix: it has x/)
    expect(() => g.replay({ x: tensor([[1]], on) })).toThrow(/input 'x' is f32\[1, 1\], captured as f32\[2\]/)
    expect(() => g.replay({ x: tensor([3, 4]) })).toThrow(
      /tensors on different devices: f32\[2\] on cuda:0, f32\[2\] on cpu/,
    )
    expect(() => captureGraph(() => x).replay({ x } as never)).toThrow(/name the inputs when capturing/)
    expect(() => captureGraph(() => x, { limit: 0 })).toThrow(/limit is 0/)
    expect(() => captureGraph(() => x, { device: 'cpu' })).toThrow(/the CPU has no streams/)
    expect(list(g.replay())).toEqual([2, 3])
  })

  it('is rejected inside a compiled function', () => {
    const f = compile((x: Tensor) => captureGraph(() => x.add(1)).replay())
    expect(() => f(tensor([1], on))).toThrow(/captureGraph: called inside a compiled function/)
  })
})
