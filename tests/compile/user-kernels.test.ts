import { describe, expect, it } from 'vitest'
import { compile, type Tensor, tensor, zeros } from '../../src/index.js'
import { cdiv, f32, kernel, view } from '../../src/kernel.js'
import { hasCompiler } from '../support/compiler.js'

const twice = kernel({
  name: 'twice',
  params: { x: view(f32, 1), out: view(f32, 1) },
  constants: { BLOCK: 64 },
  grid: ({ out }, { BLOCK }) => [cdiv(out.size(0), BLOCK)],
  body(t, { x, out }, { BLOCK }) {
    const start = t.programId(0).mul(BLOCK)
    t.store(out, [start], t.load(x, [start], [BLOCK]).mul(2))
  },
})

describe.skipIf(!hasCompiler)('user kernels inside compiled functions', () => {
  it('run at each call, on the values of that call', () => {
    const f = compile((x: Tensor) => {
      const out = zeros([4])
      twice.launch({ x: x.add(1), out })
      return out.mul(10)
    })
    expect(f(tensor([0, 1, 2, 3])).toArray()).toEqual([20, 40, 60, 80])
    expect(f(tensor([1, 1, 1, 1])).toArray()).toEqual([40, 40, 40, 40])
    expect(f.explain(tensor([1, 1, 1, 1])).breaks).toEqual([])
    const { compiles } = f.stats()
    f(tensor([5, 5, 5, 5]))
    expect(f.stats().compiles).toBe(compiles)
  })

  it('see what was written before and write into arguments, views and outer tensors', () => {
    const outer = zeros([3])
    const f = compile((x: Tensor) => {
      x.add_(1)
      twice.launch({ x: x.get(0), out: x.get(1) })
      twice.launch({ x: x.get(1), out: outer })
      return x.sum(0).add(outer)
    })
    for (const start of [0, 5]) {
      const x = tensor([
        [start, start, start],
        [9, 9, 9],
      ])
      expect(f(x).toArray()).toEqual(new Array(3).fill((start + 1) * 7))
      expect(x.get(1).toArray()).toEqual(new Array(3).fill((start + 1) * 2))
      expect(outer.toArray()).toEqual(new Array(3).fill((start + 1) * 4))
    }
  })

  it('on outer tensors alone still run at each call', () => {
    const [from, to] = [tensor([1, 2]), zeros([2])]
    const f = compile((x: Tensor) => {
      twice.launch({ x: from, out: to })
      return x.add(to)
    })
    expect(f(zeros([2])).toArray()).toEqual([2, 4])
    from.mul_(10)
    expect(f(zeros([2])).toArray()).toEqual([20, 40])
  })
})

describe('reads of outer tensors inside a compiled function', () => {
  it('follow their values', () => {
    const sign = tensor([1])
    const f = compile((x: Tensor) => (sign.itemSync() > 0 ? x.mul(2) : x.neg()))
    expect(f(tensor([3])).toArray()).toEqual([6])
    sign.neg_()
    expect(f(tensor([3])).toArray()).toEqual([-3])
  })

  it('see what the function wrote before', () => {
    const count = zeros([1])
    const f = compile((x: Tensor) => {
      count.add_(1)
      return x.mul(count.itemSync())
    })
    expect([f(tensor([5])).itemSync(), f(tensor([5])).itemSync()]).toEqual([5, 10])
  })
})
