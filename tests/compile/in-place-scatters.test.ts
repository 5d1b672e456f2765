import { describe, expect, it } from 'vitest'
import { compile, type Tensor, tensor, zeros } from '../../src/index.js'

const table = (): Tensor => zeros([9, 4]).add(1)
const rows = (): Tensor =>
  tensor([
    [1, 2, 3, 4],
    [5, 6, 7, 8],
    [9, 10, 11, 12],
  ])
const at = (): Tensor => tensor([2, 7, 2], { dtype: 'i64' })

describe('scatters into an argument', () => {
  const steps: readonly (readonly [string, (x: Tensor, i: Tensor, s: Tensor) => Tensor, number])[] = [
    ['touch what they change alone', (x, i, s) => x.indexAdd_(0, i, s), 1],
    ['keep the last of several', (x, i, s) => x.indexCopy_(0, i, s), 1],
    ['are read afterwards', (x, i, s) => x.indexAdd_(0, i, s).sum(), 2],
    // The old value is needed: it is copied, changed and written back.
    ['that is read too', (x, i, s) => x.indexAdd_(0, i, s.add(x.narrow(0, 0, 3))), 3],
  ]

  it.each(steps)('%s', (_, step, kernels) => {
    const f = compile((x: Tensor, i: Tensor, s: Tensor) => void step(x, i, s))
    const [eager, compiled] = [table(), table()]
    step(eager, at(), rows())
    expect(f.explain(compiled, at(), rows()).kernels.length).toBeLessThanOrEqual(kernels)
    f(compiled, at(), rows())
    expect(compiled.toArray()).toEqual(eager.toArray())
  })

  it('leave a result with the old value alone', () => {
    const f = compile((x: Tensor, i: Tensor, s: Tensor) => {
      const before = x.mul(2)
      x.indexAdd_(0, i, s)
      return before
    })
    const x = table()
    expect(f(x, at(), rows()).toArray()).toEqual(table().mul(2).toArray())
    expect(x.toArray()).toEqual(table().indexAdd(0, at(), rows()).toArray())
  })
})
