/** (x − mean) / √(variance + eps) · weight + bias for each row, read in blocks: for rows of any length, in three passes. */
import { f32, kernel, view } from 'tegula/kernel'

export const layerNormRows = kernel({
  name: 'layer_norm_rows',
  params: { x: view(f32, 2), weight: view(f32, 1), bias: view(f32, 1), out: view(f32, 2), eps: f32 },
  constants: { BLOCK: 512 },
  grid: ({ x }) => [x.size(0)],
  body(t, { x, weight, bias, out, eps }, { BLOCK }) {
    const row = t.programId(0)
    const columns = x.size(1)
    const count = columns.to('f32')
    const zero = { sum: t.zeros([], f32) }

    const { sum } = t.range(0, columns, BLOCK, zero, (start, { sum }) => ({
      sum: sum.add(t.load(x, [row, start], [1, BLOCK]).reshape([BLOCK]).sum(0)),
    }))
    const mean = sum.div(count)
    const { sum: squares } = t.range(0, columns, BLOCK, zero, (start, { sum }) => {
      const centred = t.load(x, [row, start], [1, BLOCK]).reshape([BLOCK]).sub(mean)
      const inside = t.iota(BLOCK).add(start).lt(columns)
      return { sum: sum.add(t.where(inside, centred.mul(centred), 0).sum(0)) }
    })
    const scale = squares.div(count).add(eps).rsqrt()
    t.range(0, columns, BLOCK, start => {
      const centred = t.load(x, [row, start], [1, BLOCK]).sub(mean)
      const affine = centred
        .mul(scale)
        .mul(t.load(weight, [start], [BLOCK]))
        .add(t.load(bias, [start], [BLOCK]))
      t.store(out, [row, start], affine)
    })
  },
})
