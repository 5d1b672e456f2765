/** The option `bucket`: versions for ranges of sizes, which give what the ops mean at every size of the range. */
import { describe, expect, it, vi } from 'vitest'
import {
  type CompileOptions,
  cat,
  compile,
  exportCompiled,
  loadCompiled,
  RecompileError,
  type Tensor,
  tensor,
  where,
  zerosLike,
} from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'
import { rowSums, scale } from '../support/kernels.js'
import { testDevice } from '../support/tensors.js'

type Op = (x: Tensor) => Tensor

/** Negative numbers only: what lies beyond a row, be it 0, would win every maximum. */
const below = (...shape: number[]): Tensor => {
  const count = shape.reduce((all, size) => all * size, 1)
  return tensor(Array.from({ length: count }, (_, i) => -1 - ((i * 7) % 13) / 4)).reshape(shape)
}

/** Each mixes the elements of a row, or of a column, in another way. */
const ops: Readonly<Record<string, Op>> = {
  softmax: x => x.softmax(-1),
  'softmax of columns': x => x.softmax(0),
  'layer norm': x => x.sub(x.mean(1, { keepdim: true })).div(x.var(1, { keepdim: true }).add(1).sqrt()),
  maximum: x => x.amax(1),
  product: x => x.prod(1),
  'mean of columns': x => x.mean(0),
  'index of the maximum': x => x.argmax(1).to('f32'),
  'log of a sum of exponentials': x => x.logsumexp(1),
  'running sum': x => x.cumsum(1),
  'best two': x => x.topk(2, { dim: 1 }).values,
  'product with itself': x => x.matmul(x.t()),
  'infinite beyond': x => x.reciprocal().matmul(x.t()),
  joined: x => cat([x, x.neg()], 1).sum(1),
  masked: x => where(x.lt(-2), x, x.neg()).sum(),
  'NaN kept': x => x.log().amax(1),
  'user kernels': x => {
    const sums = zerosLike(x.select(1, 0))
    rowSums.launch({ x, out: sums })
    scale.launch({ x: sums, out: sums, factor: 2 })
    return sums
  },
}

function closeTo(what: string, actual: Tensor, expected: Tensor): void {
  expect(actual.shape, what).toEqual(expected.shape)
  const [a, b] = [actual, expected].map(each => [each.toArray()].flat(9).map(Number)) as [number[], number[]]
  for (const [i, value] of a.entries()) {
    if (Number.isNaN(b[i])) expect(value, what).toBeNaN()
    else expect(Math.abs(value - b[i]!), what).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(b[i]!)))
  }
}

describe.skipIf(!hasCompiler)('bucket', () => {
  it("gives the ops' results at the ends of each range and between", { timeout: 120_000 }, () => {
    const all = (x: Tensor): Tensor[] => Object.values(ops).map(op => op(x))
    const f = compile(all, { fullgraph: true, dynamic: true, bucket: [20] })
    for (const [m, n] of [
      [3, 2],
      [19, 13],
      [20, 20],
      [21, 33],
      [22, 100],
    ] as const) {
      const results = f(below(m, n))
      for (const [i, name] of Object.keys(ops).entries())
        closeTo(`${name} of ${m} × ${n}`, results[i]!, ops[name]!(below(m, n)))
    }
    expect(f.stats().compiles).toBe(2)
  })

  it('agrees in the interpreter', () => {
    vi.stubEnv('TEGULA_BACKEND', 'interpreter')
    const all = (x: Tensor): Tensor[] => [ops.softmax!(x), ops['layer norm']!(x), ops['product with itself']!(x)]
    const f = compile(all, { dynamic: true, bucket: 'pow2' })
    for (const n of [2, 3, 5, 8]) f(below(3, n)).forEach((y, i) => void closeTo('interpreted', y, all(below(3, n))[i]!))
    vi.unstubAllEnvs()
  })

  it('compiles once per range, under dynamic: auto from the second size on', () => {
    const sizes = (options: CompileOptions, list: readonly number[]): number => {
      const f = compile((x: Tensor) => x.softmax(-1), { recompileLimit: 20, ...options })
      for (const n of list) f(below(2, n))
      return f.stats().compiles
    }
    expect(sizes({ bucket: 'pow2', dynamic: true }, [5, 6, 7, 8, 9, 16, 17])).toBe(3)
    expect(sizes({ bucket: [8, 32], dynamic: true }, [3, 8, 9, 32, 33, 1000])).toBe(3)
    expect(sizes({ bucket: 'pow2' }, [6, 7, 8, 5, 6, 12])).toBe(3) // 6 alone, 5 to 8, 9 to 16
  })

  it('reports the range that a size leaves, and lists ranges among the guards', () => {
    const f = compile((x: Tensor) => x.sum(-1), { dynamic: true, bucket: [8, 32], name: 'total', onRecompile: 'error' })
    f(below(9, 9))
    expect(f.explain(below(9, 9)).guards).toContain('s0 from 9 to 32')
    expect(() => f(below(40, 40))).toThrow(RecompileError)
    expect(() => f(below(40, 40))).toThrow(/args\[0\]: size of dim 0 is 40, this version is for 9 to 32/)
  })

  // How rows become tiles is each target's own.
  it.skipIf(testDevice !== 'cpu')('takes the whole row of a range as one tile (on the CPU)', () => {
    const f = compile((x: Tensor) => x.softmax(-1), { dynamic: true, bucket: [64] })
    expect(f.explain(below(7, 50)).kernels[0]!.tiles).toMatchObject({
      stores: [[expect.any(Number), 64]],
      loopSteps: [],
    })
  })

  it('is exported, and traced again under TEGULA_RECHECK', () => {
    const f = compile((x: Tensor) => x.softmax(-1), { dynamic: true, bucket: [8, 32] })
    f(below(2, 5))
    const loaded = loadCompiled<typeof f>(exportCompiled(f))
    closeTo('loaded', loaded(below(3, 8)), below(3, 8).softmax(-1))
    expect(() => loaded(below(3, 9))).toThrow(/size of dim 1 is 9, this version is for 2 to 8/)
    vi.stubEnv('TEGULA_RECHECK', '1')
    const checked = compile((x: Tensor) => x.softmax(-1), { dynamic: true, bucket: [8, 32] })
    for (const n of [5, 7, 5]) closeTo('rechecked', checked(below(2, n)), below(2, n).softmax(-1))
    vi.unstubAllEnvs()
  })
})
