import { describe, expect, it } from 'vitest'
import {
  bincount,
  CaptureError,
  compile,
  cond,
  maskedSelect,
  nonzero,
  type Tensor,
  tensor,
  unique,
  uniqueWithParts,
} from '../../src/index.js'

/** What depends on values, as users write it. */
const programs: Readonly<Record<string, (x: Tensor) => readonly Tensor[]>> = {
  'get(mask)': x => [x.get(x.gt(0)).mul(2), x.add(1)],
  maskedSelect: x => [maskedSelect(x, x.gt(0)).sum()],
  nonzero: x => [x.indexSelect(0, nonzero(x.gt(0)).squeeze(1))],
  unique: x => [unique(x)],
  uniqueWithParts: x => Object.values(uniqueWithParts(x)),
  bincount: x => [bincount(x.abs().to('i64'), x)],
}
const batches = [[3, -2, 3, 1], [1, 2], [-1, -2, -3], [4, 0, -4, 4, 2, 1], [1]]

describe('results whose size depends on values, in compiled functions', () => {
  it.each(Object.entries(programs))('%s is a graph break', (_, program) => {
    const compiled = compile(program)
    for (const values of batches) {
      const [expected, found] = [program(tensor(values)), compiled(tensor(values))]
      expect(found.map(each => each.toArray())).toEqual(expected.map(each => each.toArray()))
    }
  })

  it('compiles nothing for further counts', () => {
    const f = compile((x: Tensor) => x.get(x.gt(0)).mul(3).sum())
    const row = (n: number): Tensor => tensor(Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? i : -i)))
    for (let n = 3; n < 9; n++) f(row(n))
    const { compiles } = f.stats()
    for (let n = 9; n < 13; n++) expect(f(row(n)).itemSync()).toBe(3 * n * (n - 1))
    expect(f.stats().compiles).toBe(compiles)
  })

  it('gradients flow through it to tensors from outside', () => {
    const w = tensor([1, -2, 3], { requiresGrad: true })
    const step = compile((x: Tensor) => {
      const h = x.mul(w)
      const loss = maskedSelect(h, h.gt(0)).square().sum()
      loss.backward()
      return loss
    })
    step(tensor([2, 3, 4]))
    expect(w.grad!.toArray()).toEqual([8, 0, 96])
  })

  it('fullgraph names the op, the line and what to do instead', () => {
    const f = compile((x: Tensor) => x.get(x.gt(0)), { fullgraph: true })
    expect(() => f(tensor([1, -1]))).toThrow(CaptureError)
    expect(() => f(tensor([1, -1]))).toThrow(
      /^get: values are read .* at .*picks\.slow\.test\.ts:\d+ +fix: keep the shape: where\(mask, x, 0\), or drop fullgraph: true$/,
    )
    expect(() => compile((x: Tensor) => nonzero(x), { fullgraph: true })(tensor([1]))).toThrow(
      /nonzero: .* the mask x\.ne\(0\)/s,
    )
  })

  it('branches that are captured refuse it', () => {
    const f = compile((x: Tensor) =>
      cond(
        x.sum().gt(0),
        () => [x.get(x.gt(0)).sum()],
        () => [x.sum()],
      ),
    )
    expect(() => f(tensor([1, -1]))).toThrow(/get: values are read in a branch.*where\(mask, x, 0\)/s)
  })
})
