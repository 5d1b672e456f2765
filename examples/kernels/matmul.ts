/** c = a · b for matrices of any size: one program per BM×BN tile of c, with a K loop in steps of BK. */
import { cdiv, f32, kernel, view } from 'tegula/kernel'

export const matmul = kernel({
  name: 'matmul',
  params: { a: view(f32, 2), b: view(f32, 2), c: view(f32, 2) },
  constants: { BM: 128, BN: 256, BK: 256 },
  grid: ({ c }, { BM, BN }) => [cdiv(c.size(0), BM), cdiv(c.size(1), BN)],
  space: { BM: [64, 128, 256], BN: [128, 256, 512], BK: [128, 256] },
  body(t, { a, b, c }, { BM, BN, BK }) {
    const m = t.programId(0).mul(BM)
    const n = t.programId(1).mul(BN)
    const { acc } = t.range(0, a.size(1), BK, { acc: t.zeros([BM, BN], f32) }, (k, { acc }) => ({
      acc: t.dot(t.load(a, [m, k], [BM, BK]), t.load(b, [k, n], [BK, BN]), acc),
    }))
    t.store(c, [m, n], acc)
  },
})
