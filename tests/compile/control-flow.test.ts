/** cond() and whileLoop(): eagerly, compiled, and on every interpreter below. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CaptureError, DtypeError, ShapeError } from '../../src/base/errors.js'
import {
  arange,
  compile,
  cond,
  exportCompiled,
  loadCompiled,
  rand,
  type Tensor,
  tensor,
  whileLoop,
} from '../../src/index.js'

const values = (x: Tensor): number[] => [...(x.dataSync() as Iterable<number | bigint>)].map(Number)

describe('cond', () => {
  const f = (x: Tensor): Tensor =>
    cond(
      x.sum().gt(0),
      y => y.mul(2).add(1),
      y => y.neg(),
      [x],
    )

  it('runs the branch that the predicate selects, as without compiling', () => {
    const g = compile(f, { fullgraph: true })
    for (const list of [
      [1, 2, 3],
      [-1, -2, 0],
      [5, -1, 0],
    ]) {
      const x = tensor(list)
      expect(values(f(x))).toEqual(list.reduce((a, b) => a + b) > 0 ? list.map(v => v * 2 + 1) : list.map(v => -v))
      expect(values(g(x))).toEqual(values(f(x)))
    }
  })

  it('works with several results, with tensors from outside, and before and after other ops', () => {
    const weight = tensor([10, 20, 30])
    const h = (x: Tensor): Tensor => {
      const z = x.exp()
      const [a, b] = cond(
        x.max().gt(2),
        () => [z.add(weight), x.sum()],
        () => [z.mul(weight), x.prod()],
      )
      return a!.mul(b!).add(z)
    }
    const compiled = compile(h, { fullgraph: true })
    for (const x of [tensor([1, 2, 3]), tensor([0.5, 1, 1.5])]) {
      for (const [i, v] of values(compiled(x)).entries()) expect(v).toBeCloseTo(values(h(x))[i]!, 3)
    }
  })

  it('returns copies of operands that a branch returns, and of views', () => {
    const back = compile((x: Tensor, p: Tensor) =>
      cond(
        p,
        y => y,
        y => y.transpose(0, 1).clone(),
        [x],
      ),
    )
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    for (const p of [true, false]) {
      const result = back(x, tensor(p))
      result.add_(1)
      expect(values(x)).toEqual([1, 2, 3, 4])
      expect(values(result)).toEqual(p ? [2, 3, 4, 5] : [2, 4, 3, 5])
    }
  })

  it('nests', () => {
    const nested = (x: Tensor): Tensor =>
      cond(
        x.sum().gt(0),
        () =>
          cond(
            x.sum().gt(10),
            () => x.mul(3),
            () => x.mul(2),
          ),
        () => x.neg(),
      )
    const compiled = compile(nested, { fullgraph: true })
    for (const list of [[20], [5], [-5]]) expect(values(compiled(tensor(list)))).toEqual(values(nested(tensor(list))))
  })

  it('takes sizes that are only known at the call', () => {
    const g = compile(f, { dynamic: true, fullgraph: true })
    for (const n of [3, 7, 33, 100]) {
      const x = rand([n])
      for (const [i, v] of values(g(x)).entries()) expect(v).toBeCloseTo(values(f(x))[i]!, 5)
      expect(values(g(x.neg()))).toEqual(values(f(x.neg())))
    }
    expect(g.stats().compiles).toBe(1)
  })

  it('says which results differ', () => {
    const run = (branch: (x: Tensor) => Tensor): unknown =>
      compile((x: Tensor) => cond(x.sum().gt(0), y => y.add(1), branch, [x]))(tensor([1, 2, 3]))
    expect(() => run(y => y.sum())).toThrow(/result 0 is .*\[3\].* in trueFn and .* in falseFn/)
    expect(() => run(y => y.sum())).toThrow(ShapeError)
    expect(() => run(y => y.to('i64'))).toThrow(DtypeError)
  })

  it('refuses changes in place, reads and random numbers inside', () => {
    const run = (branch: (x: Tensor) => Tensor): unknown =>
      compile((x: Tensor) => cond(x.sum().gt(0), branch, branch, [x]))(tensor([1, 2, 3]))
    expect(() => run(y => y.add_(1))).toThrow(CaptureError)
    expect(() => run(y => y.mul(y.sum().itemSync() as number))).toThrow(/branch or a loop/)
    expect(() => run(y => y.add(rand([3])))).toThrow(/random/)
    expect(values((() => run(y => y.clone().add_(1)))() as Tensor)).toEqual([2, 3, 4])
  })

  it('refuses a predicate of several elements', () => {
    expect(() =>
      cond(
        tensor([1, 0]),
        () => tensor(1),
        () => tensor(2),
      ),
    ).toThrow(/cannot decide/)
  })
})

describe('whileLoop', () => {
  /** Newton's square root, until it is exact to 1e-6. */
  const root = (a: Tensor): Tensor =>
    whileLoop(
      x => x.mul(x).sub(a).abs().max().gt(1e-5),
      x => x.add(a.div(x)).mul(0.5),
      [a],
    )[0]!

  it('repeats its body while the condition holds', () => {
    const compiled = compile(root, { fullgraph: true })
    for (const list of [
      [4, 9, 2],
      [1, 1, 1],
      [0.25, 1, 7],
    ]) {
      const a = tensor(list)
      for (const [i, v] of values(compiled(a)).entries()) expect(v).toBeCloseTo(Math.sqrt(list[i]!), 5)
      expect(values(compiled(a))).toEqual(values(root(a)))
    }
  })

  it('carries several values; without iterations, returns copies of the initial values', () => {
    const count = (n: Tensor, x: Tensor): Tensor[] =>
      whileLoop(
        i => i.lt(n),
        (i, y, z) => [i.add(1), y.add(z), y],
        [tensor(0), x, x],
      )
    const compiled = compile(count, { fullgraph: true })
    for (const n of [0, 1, 5]) {
      const x = tensor([1, 2])
      const [expected, found] = [count(tensor(n), x), compiled(tensor(n), x)]
      expect(found.map(values)).toEqual(expected.map(values))
      for (const result of found) result.add_(100)
      expect(values(x)).toEqual([1, 2])
      expect(values(found[1]!)).toEqual(values(expected[1]!).map(v => v + 100))
    }
  })

  it('takes sizes that are only known at the call', () => {
    const scale = (x: Tensor): Tensor =>
      whileLoop(
        y => y.sum().lt(1000),
        y => y.mul(2),
        [x],
      )[0]!.add(1)
    const compiled = compile(scale, { dynamic: true, fullgraph: true })
    for (const n of [3, 5, 40])
      expect(values(compiled(arange(n).to('f32')))).toEqual(values(scale(arange(n).to('f32'))))
    expect(compiled.stats().compiles).toBe(1)
  })

  it('says which carried value changes its type', () => {
    const grow = (x: Tensor): Tensor[] =>
      whileLoop(
        y => y.sum().lt(9),
        y => y.unsqueeze(0).expand([2, 3]),
        [x],
      )
    for (const run of [grow, compile(grow)])
      expect(() => run(tensor([1, 2, 3]))).toThrow(/carried value 0 is .*\[3\].* and becomes .*\[2, 3\]/)
  })

  it('is exported and loaded with its blocks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tegula-test-'))
    try {
      const compiled = compile(root)
      const a = tensor([4, 9, 2])
      const expected = values(compiled(a))
      await exportCompiled(compiled, join(folder, 'root'))
      const loaded = await loadCompiled<typeof root>(join(folder, 'root'))
      expect(values(loaded(a))).toEqual(expected)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('explains what runs in blocks', () => {
    const compiled = compile(root)
    const { kernels } = compiled.explain(tensor([4, 9, 2]))
    expect(kernels.map(({ within }) => within?.replace(/ at .*/, '') ?? null).toSorted()).toContain('loop body')
    expect(String(compiled.explain(tensor([4, 9, 2])))).toMatch(/in loop condition at control-flow\.test\.ts:\d+/)
  })
})
