/** out = max(x + bias, 0) · scale over n floats, in one pass over memory. */
import { cdiv, f32, kernel, view } from 'tegula/kernel'

export const addReluMul = kernel({
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
