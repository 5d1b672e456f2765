/** The example kernels: native = interpreted = plain arithmetic, at sizes that divide nothing. */

import { manualSeed, randn, type Tensor, zeros } from 'tegula'
import { describe, expect, it } from 'vitest'
import { addReluMul } from '../../examples/kernels/add-relu-mul.js'
import { layerNormRows } from '../../examples/kernels/layer-norm.js'
import { matmul } from '../../examples/kernels/matmul.js'
import { softmaxRows } from '../../examples/kernels/softmax.js'

function expectClose(got: Tensor, expected: Tensor, tolerance = 1e-5): void {
  const [a, b] = [[...(got.dataSync() as Float32Array)], [...(expected.dataSync() as Float32Array)]]
  expect(a.length).toBe(b.length)
  const scale = Math.max(1, ...b.map(Math.abs))
  for (const [i, value] of a.entries()) {
    expect(Math.abs(value - b[i]!), `element ${i}: ${value} and ${b[i]}`).toBeLessThanOrEqual(tolerance * scale)
  }
}

manualSeed(3)

describe('add-relu-mul', () => {
  for (const n of [1, 7, 1024, 5000]) {
    it(`${n} elements`, () => {
      const [x, bias] = [randn([n]), randn([n])]
      const [native, interpreted] = [zeros([n]), zeros([n])]
      addReluMul.launch({ x, bias, out: native, scale: 2 })
      addReluMul.interpret({ x, bias, out: interpreted, scale: 2 }, { BLOCK: 100 })
      expect(native.toArray()).toEqual(interpreted.toArray())
      expectClose(native, x.add(bias).relu().mul(2), 1e-6)
    })
  }

  it('reads strided views and writes in place', () => {
    const [x, bias] = [randn([50, 3]), randn([100])]
    const expected = x
      .select(1, 1)
      .add(bias.slice([0, 100, 2]))
      .relu()
      .mul(3)
    addReluMul.launch({ x: x.select(1, 1), bias: bias.slice([0, 100, 2]), out: x.select(1, 1), scale: 3 })
    expectClose(x.select(1, 1), expected, 1e-6)
  })

  it('shows its C', () => {
    expect(addReluMul.code('cpu')).toContain('void add_relu_mul(')
  })
})

describe('softmax', () => {
  for (const [rows, columns] of [
    [3, 10],
    [5, 1000],
    [2, 1],
  ] as const) {
    it(`${rows}×${columns}`, () => {
      const x = randn([rows, columns])
      const [native, interpreted] = [zeros([rows, columns]), zeros([rows, columns])]
      softmaxRows.launch({ x, out: native })
      softmaxRows.interpret({ x, out: interpreted })
      expectClose(native, x.softmax(-1))
      expectClose(interpreted, x.softmax(-1))
    })
  }
})

describe('layer norm', () => {
  for (const columns of [5, 512, 1300]) {
    it(`rows of ${columns}`, () => {
      const [x, weight, bias] = [randn([4, columns]), randn([columns]), randn([columns])]
      const [native, interpreted] = [zeros([4, columns]), zeros([4, columns])]
      layerNormRows.launch({ x, weight, bias, out: native, eps: 1e-5 })
      layerNormRows.interpret({ x, weight, bias, out: interpreted, eps: 1e-5 })
      expectClose(native, x.layerNorm([columns], { weight, bias }))
      expectClose(interpreted, native)
    })
  }
})

describe('matmul', () => {
  for (const [m, n, k] of [
    [1, 1, 1],
    [17, 33, 65],
    [130, 257, 300],
    [1, 300, 129],
  ] as const) {
    it(`${m}×${k} · ${k}×${n}`, () => {
      const [a, b, c] = [randn([m, k]), randn([n, k]).t(), zeros([m, n])]
      matmul.launch({ a, b, c })
      expectClose(c, a.to('f64').matmul(b.to('f64')).to('f32'))
    })
  }
})

describe('bad launches', () => {
  const [x, bias, out] = [zeros([8]), zeros([8]), zeros([8])]

  it('name the mismatch, and leave the kernel usable', () => {
    const launch = (args: object): void => addReluMul.launch({ x, bias, out, scale: 1, ...args })
    expect(() => launch({ x: zeros([8], { dtype: 'f16' }) })).toThrow(
      /argument 'x' is f16\[8\], the kernel takes f32.*fix: cast it: .to\('f32'\)/,
    )
    expect(() => launch({ x: zeros([2, 4]) })).toThrow(/'x' is f32\[2, 4\]: 2 dims where the kernel takes 1/)
    expect(() => launch({ scale: 'no' })).toThrow(/'scale' is no, not a number of dtype f32/)
    expect(() => launch({ extra: 1 })).toThrow(/no parameter 'extra'.*fix: it has x, bias, out, scale/)
    expect(() => launch({ out: zeros([1]).expand([8]) })).toThrow(/'out' is written and overlaps/)
    expect(() => launch({ x: out.slice([0, 4]), bias: bias.slice([0, 4]), out: out.slice([2, 6]) })).toThrow(
      /'out' is written and overlaps 'x' in memory.*clone/,
    )
    expect(() => addReluMul.launch({ x, bias, out, scale: 1 }, { BLOC: 3 } as never)).toThrow(/no constant 'BLOC'/)
    launch({})
    expect(out.toArray()).toEqual(new Array(8).fill(0))
  })
})
