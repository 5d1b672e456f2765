/** Tensors that lie between each other in one memory without sharing an element may be written side by side. */
import { describe, expect, it } from 'vitest'
import { arange, CaptureError, compile, ones, type Tensor, zeros } from '../../src/index.js'
import { groupedMatmul } from '../../src/quant/index.js'
import { hasCompiler } from '../support/compiler.js'
import { scale } from '../support/kernels.js'

const columns = (x: Tensor): [Tensor, Tensor] => [x.select(-1, 0), x.select(-1, 1)]

describe.skipIf(!hasCompiler)('interleaved memory', () => {
  it('an argument is written while another one, interleaved with it, is read', () => {
    const f = compile((a: Tensor, b: Tensor) => {
      a.add_(b)
    })
    for (const n of [5, 200_000, 7]) {
      const x = arange(2 * n)
        .to('f32')
        .reshape([n, 2])
      f(...columns(x))
      expect(x.narrow(0, n - 2, 2).toArray(), `${n}`).toEqual([
        [4 * n - 7, 2 * n - 3],
        [4 * n - 3, 2 * n - 1],
      ])
    }
  })

  it('but not if both share an element', () => {
    const x = zeros([6, 2])
    const f = compile((a: Tensor, b: Tensor) => {
      a.add_(b)
    })
    f(...columns(x))
    expect(() => f(x.select(1, 0), x.select(0, 1).expand([6, 2]).select(1, 0))).toThrow(CaptureError)
  })

  it('both columns are written inside a function', () => {
    const f = compile((x: Tensor) => {
      const [a, b] = columns(x)
      a.add_(1)
      b.mul_(a)
      return [a, b]
    })
    const x = ones([3, 2])
    const [a, b] = f(x) as [Tensor, Tensor]
    expect(x.toArray()).toEqual([
      [2, 2],
      [2, 2],
      [2, 2],
    ])
    a.zero_()
    expect([x.toArray(), b.toArray()]).toEqual([
      [
        [0, 2],
        [0, 2],
        [0, 2],
      ],
      [2, 2, 2],
    ])
  })

  it('groupedMatmul writes interleaved outs', () => {
    const c = zeros([4, 3, 2])
    const [first, second] = columns(c)
    const [a, b] = [arange(8).to('f32').reshape([4, 2]), ones([3, 2])]
    groupedMatmul([
      { a, b, out: first },
      { a: a.mul(2), b, out: second },
    ])
    expect(first.toArray()).toEqual(a.matmul(b.t()).toArray())
    expect(second.toArray()).toEqual(a.matmul(b.t()).mul(2).toArray())
    expect(() =>
      groupedMatmul([
        { a, b, out: first },
        { a, b, out: c.flatten(0, 1).narrow(0, 0, 12).reshape([4, 3, 2]).select(2, 0) },
      ]),
    ).toThrow(/outs 0 and 1 share memory/)
  })

  it('a kernel writes one column and reads the other', () => {
    const x = ones([8, 2])
    const [out, given] = columns(x)
    scale.launch({ x: given, out, factor: 3 })
    expect(x.toArray()).toEqual(Array.from({ length: 8 }, () => [3, 1]))
  })
})
