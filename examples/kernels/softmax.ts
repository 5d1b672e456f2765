/** The softmax of each row: one program per row, with the row as one tile. BLOCK is at least the row's length. */
import { f32, kernel, view } from 'tegula/kernel'

export const softmaxRows = kernel({
  name: 'softmax_rows',
  params: { x: view(f32, 2), out: view(f32, 2) },
  constants: { BLOCK: 1024 },
  grid: ({ x }) => [x.size(0)],
  body(t, { x, out }, { BLOCK }) {
    const row = t.programId(0)
    // Elements past the row's end are −∞: they are never the maximum, and their exponential is 0.
    const values = t.load(x, [row, 0], [1, BLOCK], { padding: Number.NEGATIVE_INFINITY })
    const exponentials = values.sub(values.amax(1, { keepdim: true })).exp()
    t.store(out, [row, 0], exponentials.div(exponentials.sum(1, { keepdim: true })))
  },
})
