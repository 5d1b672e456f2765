import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CaptureError, compile, rand, type Tensor, tensor, zeros } from '../../src/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_RECHECK', '1'))
afterEach(() => void vi.unstubAllEnvs())

const values = (t: Tensor): number[] => [...(t.dataSync() as Float32Array)]

describe('TEGULA_RECHECK', () => {
  it('traces at each call, and accepts a pure function', () => {
    let traces = 0
    const w = tensor([1, 2])
    const f = compile((x: Tensor, k: number) => {
      traces++
      return {
        y: x
          .add(w)
          .mul(k)
          .add(tensor([1, 1])),
        r: rand([2]),
      }
    })
    expect(values(f(tensor([1, 1]), 2).y)).toEqual([5, 7])
    w.add_(1)
    expect(values(f(tensor([1, 1]), 2).y)).toEqual([7, 9])
    expect(values(f(tensor([1, 1]), 3).y)).toEqual([10, 13])
    // Twice captured, each with a second trace, once more because the number is new, and compared at each call that is warm.
    expect([traces, f.stats().compiles]).toEqual([6, 2])
  })

  it('lets host data pass that sizes decide', () => {
    const f = compile((x: Tensor) => x.sum().add(tensor([x.size(0) - 1, 1])))
    for (const n of [5, 6, 7, 7, 5, 6]) expect(values(f(zeros([n])))).toEqual([n - 1, 1])
    expect(f.stats().compiles).toBe(2)
  })

  it('says which value of the compiled code changed', () => {
    let k = 2
    const f = compile((x: Tensor) => x.mul(k), { name: 'scale' })
    f(zeros([2]))
    k = 3
    expect(() => f(zeros([2]))).toThrow(CaptureError)
    expect(() => f(zeros([2]))).toThrow(
      /scale records something else than what was compiled: mul at .* with 2 was compiled, now with 3.*fix: pass what changes/,
    )
    k = 2
    expect(values(f(tensor([1, 2])))).toEqual([2, 4])
  })

  it('detects outer tensors that were replaced, other constants and other results', () => {
    let w = tensor([1])
    let list = [1]
    let swapped = false
    const f = compile((x: Tensor) => {
      const [a, b] = [x.add(w), x.mul(tensor(list))]
      return swapped ? [b, a] : [a, b]
    })
    const x = zeros([1])
    f(x)
    const [oldW, oldList] = [w, list]
    w = tensor([1])
    expect(() => f(x)).toThrow(/closure 1 is another tensor: an outer variable was assigned/)
    w = oldW
    list = [2]
    expect(() => f(x)).toThrow(/constant 2 has other values/)
    list = oldList
    swapped = true
    expect(() => f(x)).toThrow(/records something else/)
    swapped = false
    expect(f(x).length).toBe(2)
  })

  it('detects a new read', () => {
    let look = false
    const f = compile((x: Tensor) => {
      if (look) x.sum().itemSync()
      return x.add(1)
    })
    f(zeros([1]))
    look = true
    expect(() => f(zeros([1]))).toThrow(/add at .* was compiled, now sum/)
  })

  it('tolerates symbolic sizes that happen to be equal in a call', () => {
    const f = compile((x: Tensor, y: Tensor) => [x.mul(2).sum(), y.mul(3).sum()], { dynamic: true })
    for (const [n, m] of [
      [3, 4],
      [5, 5],
      [6, 9],
    ] as const)
      f(zeros([n]), zeros([m]))
    expect(f.stats().compiles).toBe(1)
  })

  describe('lets one tensor pass for several inputs, where an op throws and the function catches it', () => {
    const caught = (attempt: () => Tensor, otherwise: () => Tensor): Tensor => {
      try {
        return attempt()
      } catch {
        return otherwise()
      }
    }

    it('an argument that is closed over', () => {
      const w = tensor([1, 2, 3])
      const f = compile((x: Tensor) => {
        const y = caught(
          () => w.reshape([2, -1]),
          () => w.mul(10),
        )
        return y.add(x)
      })
      expect(values(f(tensor([1, 1, 1])))).toEqual([11, 21, 31])
      expect(values(f(w))).toEqual([11, 22, 33])
      expect(values(f(tensor([2, 1, 1])))).toEqual([12, 21, 31])
      expect(f.stats().compiles).toBe(1)
    })

    it('two arguments', () => {
      const f = compile((a: { x: Tensor }, b: { x: Tensor }) => {
        const y = caught(
          () => a.x.reshape([2, -1]),
          () => b.x.mul(10),
        )
        return { sum: y.add(a.x), b: b.x }
      })
      const [x, y] = [tensor([1, 2, 3]), tensor([4, 5, 6])]
      expect(values(f({ x }, { x: y }).sum)).toEqual([41, 52, 63])
      const same = f({ x }, { x })
      expect([values(same.sum), same.b === x]).toEqual([[11, 22, 33], true])
      expect(f.stats().compiles).toBe(2) // it could have compared them
    })

    it('but not another function', () => {
      const w = tensor([1, 2, 3])
      let factor = 10
      const f = compile((x: Tensor) => {
        const y = caught(
          () => w.reshape([2, -1]),
          () => w.mul(factor),
        )
        return y.add(x)
      })
      f(tensor([1, 1, 1]))
      factor = 20
      expect(() => f(w)).toThrow(/records something else than what was compiled/)
    })
  })
})
