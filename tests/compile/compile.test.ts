import { describe, expect, it } from 'vitest'
import { compile, manualSeed, rand, type Tensor, tensor, zeros } from '../../src/index.js'

const values = (t: Tensor): number[] => [...(t.dataSync() as Float32Array)]

describe('compile', () => {
  it("gives the function's results, and runs the function only to capture it", () => {
    let runs = 0
    const f = compile((x: Tensor, y: Tensor) => {
      runs++
      return x.add(y).relu().mul(2)
    })
    const x = tensor([-3, 1, 2, 5])
    const y = tensor([1, 1, 1, -9])
    expect(values(f(x, y))).toEqual([0, 4, 6, 0])
    expect(values(f(y, x))).toEqual([0, 4, 6, 0])
    expect(runs).toBe(2) // the second trace looks whether it depends on what the first one left outside
    expect(f.stats()).toMatchObject({ compiles: 1, calls: 2 })
  })

  it('takes and returns trees of tensors', () => {
    const f = compile(({ a, list }: { a: Tensor; list: Tensor[] }) => ({
      sum: list.reduce((total, item) => total.add(item), a),
      parts: [a.neg(), list[0]!],
    }))
    const [a, b, c] = [tensor([1, 2]), tensor([10, 20]), tensor([100, 200])]
    const result = f({ a, list: [b, c] })
    expect(values(result.sum)).toEqual([111, 222])
    expect(values(result.parts[0]!)).toEqual([-1, -2])
    expect(values(result.parts[1]!)).toEqual([10, 20])
    expect(values(f({ a, list: [b] }).sum)).toEqual([11, 22])
    expect(f.stats().recompiles[0]).toContain('args[0].list had 2 items, now 1')
  })

  it('reads closed-over tensors at each call', () => {
    const w = tensor([1, 2, 3])
    const f = compile((x: Tensor) => x.mul(w.mul(10)))
    const x = tensor([1, 1, 1])
    expect(values(f(x))).toEqual([10, 20, 30])
    w.add_(1)
    expect(values(f(x))).toEqual([20, 30, 40])
    expect(f.stats().compiles).toBe(1)
  })

  it('takes numbers at each call, and guards other values by identity', () => {
    const f = compile((x: Tensor, k: number) => x.mul(k))
    const x = tensor([1, 2])
    expect(values(f(x, 2))).toEqual([2, 4])
    expect(values(f(x, 3))).toEqual([3, 6])
    expect(values(f(x, 2))).toEqual([2, 4])
    expect(f.stats().compiles).toBe(2)
    expect(f.stats().recompiles).toEqual([
      expect.stringMatching(/^args\[1\] was 2, now 3 \(mul at .* with 2 was compiled, now with 3\)$/),
    ])
  })

  it('returns a view of an argument as a view', () => {
    const f = compile((x: Tensor) => x.t())
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    const y = f(x)
    x.add_(10)
    expect(y.toArray()).toEqual([
      [11, 13],
      [12, 14],
    ])
  })

  it('writes back what in-place ops change', () => {
    const f = compile((x: Tensor) => {
      const before = x.mul(1)
      x.add_(5)
      return before.add(x)
    })
    const x = tensor([1, 2])
    expect(values(f(x))).toEqual([7, 9])
    expect(values(x)).toEqual([6, 7])
    expect(values(f(x))).toEqual([17, 19])
    expect(values(x)).toEqual([11, 12])
  })

  it('draws fresh random numbers at each call, as eager does', () => {
    const f = compile((x: Tensor) => x.add(rand([4])))
    const zero = zeros([4])
    manualSeed(7)
    const compiled = [values(f(zero)), values(f(zero))]
    manualSeed(7)
    const eager = [values(zero.add(rand([4]))), values(zero.add(rand([4])))]
    expect(compiled).toEqual(eager)
    expect(compiled[0]).not.toEqual(compiled[1])
  })

  it('keeps the outputs of earlier calls', () => {
    const f = compile((x: Tensor) => x.add(1))
    const [a, b] = [f(tensor([1, 2])), f(tensor([10, 20]))]
    expect([values(a), values(b)]).toEqual([
      [2, 3],
      [11, 21],
    ])
  })
})

describe('dynamic shapes', () => {
  const sizes = (n: number): Tensor => tensor(Array.from({ length: n }, (_, i) => i))

  it("'auto' specialises once, then makes the dim symbolic", () => {
    const f = compile((x: Tensor) => x.mul(2).sum())
    expect(f(sizes(4)).itemSync()).toBe(12)
    expect(f(sizes(5)).itemSync()).toBe(20)
    expect(f(sizes(100)).itemSync()).toBe(9900)
    expect(f(sizes(7)).itemSync()).toBe(42)
    expect(f.stats().compiles).toBe(2)
    expect(f.stats().recompiles).toEqual(['args[0]: size of dim 0 was 4, now 5'])
  })

  it('true is symbolic from the start, false never', () => {
    const dynamic = compile((x: Tensor) => x.add(1).sum(), { dynamic: true })
    const fixed = compile((x: Tensor) => x.add(1).sum(), { dynamic: false })
    for (const n of [3, 4, 5]) {
      expect(dynamic(sizes(n)).itemSync()).toBe((n * (n + 1)) / 2)
      expect(fixed(sizes(n)).itemSync()).toBe((n * (n + 1)) / 2)
    }
    expect(dynamic.stats().compiles).toBe(1)
    expect(fixed.stats().compiles).toBe(3)
  })

  it('compiles sizes 0 and 1 on their own', () => {
    const f = compile((x: Tensor) => x.add(1), { dynamic: true })
    for (const n of [5, 1, 0, 6]) expect(f(sizes(n)).shape).toEqual([n])
    expect(f.stats().compiles).toBe(3)
  })

  it('specialises a size that the function reads', () => {
    const f = compile((x: Tensor) => x.div(x.shape[0]!), { dynamic: true })
    expect(values(f(tensor([2, 4])))).toEqual([1, 2])
    expect(values(f(tensor([3, 6, 9])))).toEqual([1, 2, 3])
    expect(f.stats().compiles).toBe(2)
  })

  it('sizes that were equal and no longer are recompile', () => {
    const f = compile((x: Tensor, y: Tensor) => x.unsqueeze(1).mul(y).sum(), { dynamic: true })
    expect(f(sizes(3), sizes(3)).itemSync()).toBe(9)
    expect(f(sizes(4), sizes(4)).itemSync()).toBe(36)
    expect(f(sizes(3), sizes(4)).itemSync()).toBe(18)
    expect(f.stats().compiles).toBe(2)
  })
})

describe('recompiles', () => {
  it("'error' freezes the function", () => {
    const f = compile((x: Tensor) => x.add(1), { onRecompile: 'error', dynamic: false, name: 'frozen' })
    f(zeros([2]))
    expect(() => f(zeros([3]))).toThrow(/frozen compiles again: args\[0\]: size of dim 0 was 2, now 3.*fix: warm up/)
    expect(f(zeros([2])).shape).toEqual([2])
  })

  it('drops the least recently used version beyond the limit', () => {
    const f = compile((x: Tensor, k: string) => x.add(Number(k)), { recompileLimit: 2 })
    const x = zeros([1])
    for (const k of ['1', '2', '3', '1']) expect(f(x, k).itemSync()).toBe(Number(k))
    expect(f.stats()).toMatchObject({ compiles: 4, entries: 2 })
  })
})

describe('graph breaks', () => {
  const branch = (x: Tensor): Tensor => {
    const total = x.sum()
    return total.itemSync() > 0 ? x.mul(2) : x.neg()
  }

  it('a read splits the function, which then follows the read values at each call', () => {
    const f = compile(branch)
    expect(values(f(tensor([1, 2])))).toEqual([2, 4])
    expect(values(f(tensor([-1, -2])))).toEqual([1, 2])
    expect(values(f(tensor([3, 4])))).toEqual([6, 8])
    expect(f.stats().compiles).toBe(3)
  })

  it('is an error under fullgraph, at the line of the read', () => {
    const f = compile(branch, { fullgraph: true })
    expect(() => f(tensor([1, 2]))).toThrow(
      /itemSync: values are read while branch is captured.*compile\.test\.ts:\d+.*fix:/,
    )
    expect(values(branch(tensor([1, 2])))).toEqual([2, 4])
  })
})

describe('bad input', () => {
  it('a result that is not a tree of tensors', () => {
    expect(() => compile((x: Tensor) => [x, 3])(zeros([1]))).toThrow(
      /result\[1\] is 3, not a tensor.*fix: return a tensor/,
    )
    expect(() => compile(() => Promise.resolve(1))()).toThrow(/returned a promise.*fix:/)
  })

  it('a disposed argument or closure', () => {
    const w = zeros([2])
    const f = compile((x: Tensor) => x.add(w), { name: 'step' })
    f(zeros([2]))
    const gone = zeros([2])
    gone.dispose()
    expect(() => f(gone)).toThrow(/args\[0\].*disposed at .*compile\.test\.ts:\d+/)
    w.dispose()
    expect(() => f(zeros([2]))).toThrow(/closure.*disposed/)
  })

  it('a shape error points at the line inside the function', () => {
    const f = compile((x: Tensor, y: Tensor) => x.matmul(y))
    expect(() => f(zeros([32, 64]), zeros([63, 16]))).toThrow(/matmul.*\[32, 64\].*\[63, 16\].*compile\.test\.ts:\d+/)
  })
})
