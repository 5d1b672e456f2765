/** 8-bit floats on a GPU, or on the stand-in: conversions by formula, products by the matrix unit's own 8-bit instructions. */
import { compile, type Tensor, tensor } from 'tegula'
import { kernel, view } from 'tegula/kernel'
import { describe, expect, it } from 'vitest'
import { float8s, float8Value, nearestCode } from '../types/float8-table.js'
import { needsGpuOrStandIn, openGpu } from './support.js'

const gpu = openGpu()
const on = { device: 'cuda' } as const
const numbers = (count: number, by: number): number[] => Array.from({ length: count }, (_, i) => ((i * by) % 17) - 8)

describe.skipIf(gpu === null)(`8-bit floats (${needsGpuOrStandIn})`, () => {
  it.each(float8s)('%s: every code is decoded, and encoded again', dtype => {
    const every = Array.from({ length: 256 }, (_, code) => code)
    const x = tensor(every, { dtype: 'u8', ...on }).view(dtype)
    expect([...(x.to('f32').dataSync() as Float32Array)]).toEqual(every.map(code => float8Value(dtype, code)))
    const values = every.map(code => float8Value(dtype, code) * 1.07)
    const got = tensor(values, on).to(dtype).view('u8')
    const expected = values.map(value => nearestCode(dtype, Math.fround(value)))
    const isNan = (code: number): boolean => Number.isNaN(float8Value(dtype, code))
    expect([...got.dataSync('u8')].map(code => (isNan(code) ? 'NaN' : code))).toEqual(
      expected.map(code => (isNan(code) ? 'NaN' : code)),
    )
  })

  it('matmuls take the codes directly, whatever the two formats', () => {
    for (const left of float8s) {
      for (const right of float8s) {
        const [a, b] = [tensor(numbers(24 * 64, 5)).reshape([24, 64]), tensor(numbers(16 * 64, 7)).reshape([16, 64])]
        const f = compile((x: Tensor, y: Tensor) => x.to(left).view('u8').view(left).matmul(y.t()))
        const given = [a.to('cuda'), b.to('cuda').to(right)] as const
        const got = compile((x: Tensor, y: Tensor) => x.matmul(y.t()))(given[0].to(left), given[1])
        expect([...got.dataSync('f32')]).toEqual([...a.matmul(b.t()).dataSync('f32')])
        expect([...f(...given).dataSync('f32')]).toEqual([...got.dataSync('f32')])
      }
    }
  })

  it('kernels read and write them, and multiply them', () => {
    const product = kernel({
      name: 'product8',
      params: { a: view('f8e4m3', 2), b: view('f8e5m2', 2), c: view('f32', 2), back: view('f8e5m2', 2) },
      grid: () => [1],
      body(t, { a, b, c, back }) {
        const x = t.load(a, [0, 0], [32, 64])
        t.store(c, [0, 0], t.dot(x, t.load(b, [0, 0], [64, 16])))
        t.store(back, [0, 0], x.to('f32').mul(2).to('f8e5m2'))
      },
    })
    const [x, y] = [tensor(numbers(32 * 64, 5)).reshape([32, 64]), tensor(numbers(64 * 16, 7)).reshape([64, 16])]
    const make = (device: 'cpu' | 'cuda') => ({
      a: x.to('f8e4m3').to(device),
      b: y.to('f8e5m2').to(device),
      c: tensor(new Float32Array(32 * 16))
        .reshape([32, 16])
        .to(device),
      back: tensor(new Float32Array(32 * 64))
        .reshape([32, 64])
        .to('f8e5m2')
        .to(device),
    })
    const [here, there] = [make('cpu'), make('cuda')]
    product.launch(here)
    product.launch(there)
    expect(product.code('cuda', {})).toMatch(/mma.*\.e4m3\.e5m2/)
    expect([...there.c.dataSync('f32')]).toEqual([...x.matmul(y).dataSync('f32')])
    expect([...here.c.dataSync('f32')]).toEqual([...there.c.dataSync('f32')])
    expect([...there.back.dataSync('f8e5m2')]).toEqual([...here.back.dataSync('f8e5m2')])
  })
})
