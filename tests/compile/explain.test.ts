import { describe, expect, it } from 'vitest'
import { compile, randn, type Tensor } from '../../src/index.js'

const limits = { flopsPerNanosecond: 100, copyBytesPerNanosecond: 10, readBytesPerNanosecond: 12 }

describe('explain', () => {
  it("reports each kernel's work, shape, lines, inputs and outputs", () => {
    const weight = randn([64, 32])
    const f = compile((x: Tensor) => x.matmul(weight).relu(), { name: 'layer' })
    const explanation = f.explain(randn([128, 64]))
    expect(explanation).toMatchObject({ name: 'layer', opCount: 2, limits: null, breaks: [], recompiles: [] })
    const [kernel] = explanation.kernels
    expect(kernel).toMatchObject({
      ops: ['matmul', 'relu'],
      bytes: 4 * (128 * 64 + 64 * 32 + 128 * 32),
      reads: ['args[0]', 'closure 1'],
      writes: ['output 0'],
      formulas: null,
      bound: null,
    })
    expect(kernel!.flops).toBeGreaterThanOrEqual(2 * 128 * 64 * 32)
    expect(kernel!.intensity).toBe(kernel!.flops / kernel!.bytes)
    expect(kernel!.tiles.dots.length).toBe(1)
    expect(kernel!.lines.every(({ file }) => file.endsWith('explain.test.ts'))).toBe(true)
    expect(explanation.inputs).toEqual([
      { path: 'args[0]', kind: 'argument', tensor: 'f32[128, 64]', readBy: [kernel!.name] },
      { path: 'closure 1', kind: 'closure', tensor: 'f32[64, 32]', readBy: [kernel!.name] },
    ])
    expect(explanation.code).toContain(kernel!.name)
    expect(f.stats().compiles).toBe(0)
  })

  it('shows a convolution as one op, and its FLOPs as those of a matmul', () => {
    const [x, weight] = [randn([2, 8, 16, 16]), randn([4, 8, 3, 3])]
    const explanation = compile((x: Tensor, w: Tensor) => x.conv2d(w).relu()).explain(x, weight)
    expect(explanation.graph).toMatch(/conv\(%0, %1\) \{.*stride: \[1,1\].*\} : f32\[2, 4, 14, 14\]/)
    expect(explanation.optimised).toMatch(/ conv\(/)
    expect(explanation.kernels.map(({ ops }) => ops)).toEqual([['conv2d', 'relu']])
    expect(explanation.kernels[0]!.flops).toBeGreaterThanOrEqual(2 * 2 * 4 * 14 * 14 * 8 * 9)
  })

  it("compares kernels with the machine's limits", () => {
    const product = compile((a: Tensor) => a.matmul(a))
      .explain(randn([256, 256]))
      .against(limits)
    expect(product.limits).toEqual(limits)
    const [heavy] = product.kernels
    expect(heavy).toMatchObject({ bound: 'compute', limitNanoseconds: heavy!.flops / 100 })
    const [light] = compile((a: Tensor) => a.add(1))
      .explain(randn([1000]))
      .against(limits).kernels
    expect(light).toMatchObject({ bound: 'memory', bytes: 8000, limitNanoseconds: 8000 / 12 })
    expect(product.toText()).toContain('compute-bound')
  })

  it('evaluates symbolic sizes at the arguments, and shows formulas', () => {
    const f = compile((x: Tensor) => x.add(1), { dynamic: true })
    const explanation = f.explain(randn([1000]))
    expect(explanation.kernels[0]).toMatchObject({ bytes: 8000, formulas: { bytes: '8*s0', flops: 's0' } })
    expect(explanation.segments[0]!.symbols).toEqual([{ name: 's0', from: 'size 0 of args[0]', value: 1000 }])
    expect(explanation.segments[0]!.memory).toEqual({
      inputs: 4000,
      outputs: 4000,
      slots: [],
      temporaries: 0,
      peak: 8000,
      live: [0],
    })
  })

  it('shows the memory that temporaries share', () => {
    const f = compile((a: Tensor, b: Tensor) => a.matmul(b).matmul(b).matmul(b).matmul(b))
    const { memory } = f.explain(randn([64, 64]), randn([64, 64])).segments[0]!
    expect(memory.temporaries).toBe(3 * 64 * 64 * 4)
    expect(memory.slots).toEqual([2 * 64 * 64 * 4])
    expect(memory.peak).toBe((2 + 1 + 2) * 64 * 64 * 4)
    expect(memory.live).toEqual([1, 2, 2, 1].map(count => count * 64 * 64 * 4))
  })

  it('explains every part of a function with graph breaks', () => {
    const f = compile((x: Tensor) => {
      const total = x.sum()
      return total.itemSync() > 0 ? x.mul(2) : x.exp()
    })
    const explanation = f.explain(randn([16]).abs())
    expect(explanation.segments.map(({ kernels }) => kernels.map(({ ops }) => ops))).toEqual([[['sum']], [['mul']]])
    expect(explanation.kernels.length).toBe(2)
    expect(explanation.breaks).toMatchObject([{ reader: 'itemSync' }])
    expect(String(explanation)).toMatch(/2 kernels, 1 graph break[\s\S]*part 2 of 2/)
  })

  it('is plain data for JSON, and text with graphs and code on request', () => {
    const explanation = compile((x: Tensor) => x.add(1), { dynamic: true }).explain(randn([8]))
    expect(JSON.parse(JSON.stringify(explanation)).kernels).toEqual(explanation.kernels)
    expect(explanation.toText()).not.toMatch(/graph:|code:/)
    expect(String(explanation)).toMatch(/\ngraph:\n {2}%0 = input/)
    expect(explanation.toText({ graphs: 'both', code: true })).toMatch(/graph after the passes:[\s\S]*\ncode:\n/)
  })
})
