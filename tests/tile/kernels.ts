/** The example kernels of the tests, written as a person would. */

import { type Constants, type KernelDefinition, type ParamSpecs, view } from '../../src/tile/kernel.js'
import { cdiv } from '../../src/tile/language.js'
import { f32 } from '../../src/types/dtype.js'

const define = <P extends ParamSpecs, const C extends Constants>(definition: KernelDefinition<P, C>) => definition

export const addReluMul = define({
  name: 'add_relu_mul',
  params: { x: view(f32, 1), bias: view(f32, 1), out: view(f32, 1), scale: f32 },
  constants: { BLOCK: 1024 },
  grid: ({ out }, { BLOCK }) => [cdiv(out.size(0), BLOCK)],
  body(t, { x, bias, out, scale }, { BLOCK }) {
    const start = t.programId(0).mul(BLOCK)
    const sum = t.load(x, [start], [BLOCK]).add(t.load(bias, [start], [BLOCK]))
    t.store(out, [start], sum.max(0).mul(scale))
  },
})

/** One row per program; BLOCK is at least the row's length. */
export const softmaxRow = define({
  name: 'softmax_row',
  params: { x: view(f32, 2), out: view(f32, 2) },
  constants: { BLOCK: 128 },
  grid: ({ x }) => [x.size(0)],
  body(t, { x, out }, { BLOCK }) {
    const row = t.programId(0)
    const values = t.load(x, [row, 0], [1, BLOCK], { padding: Number.NEGATIVE_INFINITY })
    const shifted = values.sub(values.amax(1, { keepdim: true })).exp()
    t.store(out, [row, 0], shifted.div(shifted.sum(1, { keepdim: true })))
  },
})

export const gemm = define({
  name: 'gemm',
  params: { a: view(f32, 2), b: view(f32, 2), c: view(f32, 2) },
  constants: { BM: 16, BN: 16, BK: 8 },
  grid: ({ c }, { BM, BN }) => [cdiv(c.size(0), BM), cdiv(c.size(1), BN)],
  space: { BM: [16, 32], BN: [16, 32], BK: [8, 16], warps: [4, 8] },
  body(t, { a, b, c }, { BM, BN, BK }) {
    const m = t.programId(0).mul(BM)
    const n = t.programId(1).mul(BN)
    const { acc } = t.range(0, a.size(1), BK, { acc: t.zeros([BM, BN], f32) }, (k, { acc }) => ({
      acc: t.dot(t.load(a, [m, k], [BM, BK]), t.load(b, [k, n], [BK, BN]), acc),
    }))
    t.store(c, [m, n], acc)
  },
})

/** One row per program, in blocks: two passes over the row. */
export const layerNorm = define({
  name: 'layer_norm',
  params: { x: view(f32, 2), weight: view(f32, 1), bias: view(f32, 1), out: view(f32, 2), eps: f32 },
  constants: { BLOCK: 32 },
  grid: ({ x }) => [x.size(0)],
  body(t, { x, weight, bias, out, eps }, { BLOCK }) {
    const row = t.programId(0)
    const columns = x.size(1)
    const count = columns.to(f32)
    const { sum } = t.range(0, columns, BLOCK, { sum: t.const(0, f32) }, (c, { sum }) => ({
      sum: sum.add(t.load(x, [row, c], [1, BLOCK]).sum()),
    }))
    const mean = sum.div(count)
    const { squares } = t.range(0, columns, BLOCK, { squares: t.const(0, f32) }, (c, { squares }) => {
      const inside = t.iota(BLOCK).add(c).lt(columns)
      const centred = inside.where(t.load(x, [row, c], [1, BLOCK]).sub(mean), 0)
      return { squares: squares.add(centred.mul(centred).sum()) }
    })
    const scale = squares.div(count).add(eps).rsqrt()
    t.range(0, columns, BLOCK, c => {
      const normal = t.load(x, [row, c], [1, BLOCK]).sub(mean).mul(scale)
      t.store(out, [row, c], normal.mul(t.load(weight, [c], [BLOCK])).add(t.load(bias, [c], [BLOCK])))
    })
  },
})
