/** Kernels on 8-bit floats: read and written as codes, converted in registers, carried by loops, multiplied. */
import { describe, expect, it } from 'vitest'
import { kernel } from '../../src/kernel.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, ViewValue } from '../../src/tile/language.js'
import { float8s } from '../types/float8-table.js'
import { checkBlocks, hopper } from './blocks.js'
import { checkProgram, over, staticDims } from './support.js'

const every = Uint8Array.from({ length: 256 }, (_, code) => code)
type Views = Readonly<Record<string, ViewValue>>

describe.each(float8s)('%s', dtype => {
  it('is converted from and to every dtype', () => {
    for (const other of [
      'f64',
      'f32',
      'f16',
      'bf16',
      'i32',
      'i8',
      'bool',
      dtype === 'f8e4m3' ? 'f8e5m2' : 'f8e4m3',
    ] as const) {
      const isInteger = other === 'i32' || other === 'i8'
      const definition = {
        name: 'convert',
        params: { x: view(dtype, 1), y: view(dtype, 1) },
        grid: () => [2],
        body(t: TileBuilder, { x, y }: Views) {
          const at = t.programId(0).mul(128)
          const block = t.load(x!, [at], [128])
          const held = isInteger ? t.where(block.lt(1000).and(block.gt(-1000)), block, 0) : block
          t.store(y!, [at], held.to(other).to(dtype))
        },
      }
      const args = { x: over(every, [256]), y: over(new Uint8Array(256), [256]) }
      const program = buildKernel(definition as never, {}, { x: staticDims(args.x), y: staticDims(args.y) })
      checkProgram(program, [args.x, args.y], [2], { native: other === 'f32' ? true : 'plain' })
    }
  })

  it('is encoded from f32, copied beyond the ends of views, masked, gathered and carried by loops', () => {
    const values = Float32Array.from({ length: 200 }, (_, i) =>
      i % 7 === 0 ? 1 / 0 : Math.sin(i) * 2 ** ((i % 24) - 12),
    )
    const definition = {
      name: 'moves',
      params: { x: view('f32', 1), from: view('i32', 1), y: view(dtype, 2) },
      grid: () => [1],
      body(t: TileBuilder, { x, from, y }: Views) {
        const codes = t.load(x!, [0], [256], { padding: 3 } as never).to(dtype)
        t.store(y!, [0, 0], codes.expandDims(0))
        const { last } = t.range(0, 3, 1, { last: t.full([256], 2, dtype) }, (i, { last }) => ({
          last: last.to('f32').mul(i.to('f32')).to(dtype),
        }))
        t.store(y!, [1, 0], last.expandDims(0))
        const picked = t.gather(y!, [t.zeros([256], 'i64'), t.load(from!, [0], [256]).to('i64')])
        t.store(y!, [2, 0], picked.expandDims(0))
        t.store(y!, [3, 0], t.where(codes.to('f32').gt(1), codes, t.const(0.5, dtype)).to(dtype).expandDims(0))
      },
    }
    const args = {
      x: over(values, [200]),
      from: over(
        Int32Array.from({ length: 256 }, (_, i) => (i * 37) % 256),
        [256],
      ),
      y: over(new Uint8Array(4 * 250), [4, 250]),
    }
    const dims = { x: staticDims(args.x), from: staticDims(args.from), y: staticDims(args.y) }
    const program = buildKernel(definition as never, {}, dims)
    checkProgram(program, [args.x, args.from, args.y], [1], { blocks: [{ warps: 1, known: true }] })
  })

  it('is multiplied with tensor cores and without', () => {
    for (const other of float8s) {
      const definition = {
        name: 'product',
        params: { a: view(dtype, 2), b: view(other, 2), c: view('f32', 2) },
        grid: () => [1],
        body(t: TileBuilder, { a, b, c }: Views) {
          t.store(c!, [0, 0], t.dot(t.load(a!, [0, 0], [32, 64]), t.load(b!, [0, 0], [16, 64]).transpose()))
        },
      }
      const small = (count: number, by: number): Uint8Array =>
        Uint8Array.from({ length: count }, (_, i) => (i * by) % 64)
      const args = {
        a: over(small(32 * 64, 5), [32, 64]),
        b: over(small(16 * 64, 11), [16, 64]),
        c: over(new Float32Array(32 * 16), [32, 16]),
      }
      const dims = { a: staticDims(args.a), b: staticDims(args.b), c: staticDims(args.c) }
      const program = buildKernel(definition as never, {}, dims)
      const list = [args.a, args.b, args.c]
      checkProgram(program, list, [1], { tolerance: 1e-6 })
      checkBlocks(program, list, [1], { tolerance: 1e-6, on: hopper })
    }
  })

  it('is not a dtype of scalar parameters', () => {
    const make = (): unknown =>
      kernel({ name: 'scale', params: { s: dtype as never, x: view('f32', 1) }, grid: () => [1], body() {} })
    expect(make).toThrow(`the parameter 's' is a scalar of ${dtype}`)
    expect(make).toThrow(`make it f32, and convert it in the kernel: .to('${dtype}')`)
  })
})
