/** Identities of inverses, solutions, determinants and factors; gradients against differences, of gradients too. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { allclose, compile, eye, gradients, linalg, type Tensor, tensor, zeros } from '../../src/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const wave = (shape: readonly number[], phase = 0): Tensor => {
  const count = shape.reduce((a, b) => a * b, 1)
  return tensor(Float64Array.from({ length: count }, (_, i) => Math.sin(1.3 * i * i + phase))).reshape(shape)
}
const identity = (n: number): Tensor => eye(n, { dtype: 'f64' })
const a = wave([2, 3, 3], 0.5)
const positive = a.matmul(a.mT).add(identity(3))
const expectClose = (found: Tensor, wanted: Tensor, rtol = 1e-10): void =>
  expect(allclose(found, wanted, { rtol, atol: 1e-10 }), `${found} is not ${wanted}`).toBe(true)

const functions: Readonly<Record<string, (a: Tensor) => Tensor>> = {
  inv: x => linalg.inv(x),
  'solve of vectors': x => linalg.solve(x, wave([2, 3], 2)),
  'solve of matrices, broadcast': x => linalg.solve(x, wave([3, 2], 2)),
  'solve for the right side': x => linalg.solve(positive, x).square(),
  det: x => linalg.det(x),
  slogdet: x => linalg.slogdet(x).logabsdet,
  cholesky: x => linalg.cholesky(x.matmul(x.mT).add(identity(3))),
  'cholesky, upper': x => linalg.cholesky(x.matmul(x.mT).add(identity(3)), { upper: true }).square(),
  choleskySolve: x => linalg.choleskySolve(wave([2, 3, 1]), linalg.cholesky(x.matmul(x.mT).add(identity(3)))),
  logdet: x => linalg.logdet(x.matmul(x.mT)),
  solveTriangular: x => linalg.solveTriangular(x, wave([2, 3, 1]), { upper: true }),
  'solveTriangular from the right': x =>
    linalg.solveTriangular(x, wave([2, 3]), { upper: false, left: false, unitriangular: true }),
}

/** The derivative of the sum of f along a direction, by differences. */
function slope(f: (x: Tensor) => Tensor, x: Tensor, along: Tensor): number {
  const at = (step: number): number =>
    f(x.add(along.mul(step)))
      .detach()
      .sum()
      .itemSync()
  return (at(1e-5) - at(-1e-5)) / 2e-5
}

describe('linalg', () => {
  it('gives what its identities say', () => {
    expectClose(linalg.inv(a).matmul(a), identity(3).expand([2, 3, 3]))
    expectClose(a.matmul(linalg.solve(a, wave([3, 2], 2))), wave([3, 2], 2).expand([2, 3, 2]))
    expectClose(a.matmul(linalg.solve(a, wave([2, 3])).unsqueeze(-1)).squeeze(-1), wave([2, 3]))
    const factor = linalg.cholesky(positive)
    expectClose(factor.matmul(factor.mT), positive)
    expectClose(factor, factor.tril())
    expectClose(linalg.det(a.matmul(a)), linalg.det(a).square())
    expect(linalg.det(tensor([[0, 2], [3, 4]], { dtype: 'f64' })).itemSync()).toBeCloseTo(-6, 12) // biome-ignore format: a matrix
    expect(linalg.det(tensor([[2, 1, 0], [0, 3e4, 5], [0, 0, 7e4]])).itemSync()).toBe(4.2e9) // biome-ignore format: a matrix
    const { sign, logabsdet } = linalg.slogdet(a)
    expectClose(sign.mul(logabsdet.exp()), linalg.det(a))
    const determinants = tensor([[[2, 0], [0, 3]], [[0, 1], [1, 0]], [[1, 1], [1, 1]]], { dtype: 'f64' }) // biome-ignore format: matrices
    const [positiveLog, ...others] = linalg.logdet(determinants).toArray() as readonly number[]
    expect(positiveLog).toBeCloseTo(Math.log(6), 12)
    expect(others).toEqual([Number.NaN, -Infinity])
    const right = wave([3, 2], 2)
    const wanted = linalg.solve(positive, right)
    expectClose(linalg.choleskySolve(right, factor.add(wave([3, 3]).triu(1))), wanted)
    expectClose(linalg.choleskySolve(right, linalg.cholesky(positive, { upper: true }), { upper: true }), wanted)
    expectClose(linalg.solveTriangular(a, wave([2, 3, 1]), { upper: true }), linalg.solve(a.triu(), wave([2, 3, 1])))
  })

  it.each(Object.entries(functions))('%s has its gradient, and the gradient its own', (_, f) => {
    const along = wave([2, 3, 3], 5)
    const gradientOf = (x: Tensor): Tensor => {
      const w = x.requiresGrad ? x : x.detach().requiresGrad_()
      return gradients(
        f(w)
          .mul(wave([1], 1))
          .sum(),
        w,
        { createGraph: true },
      )[0]!
    }
    const scaled = (x: Tensor): Tensor => f(x).mul(wave([1], 1))
    expect(gradientOf(a).mul(along).sum().itemSync() / slope(scaled, a, along)).toBeCloseTo(1, 6)
    const w = a.detach().requiresGrad_()
    const second = gradients(gradientOf(w).mul(along).sum(), w)[0]!.mul(along).sum().itemSync()
    const expected = slope(x => gradientOf(x).mul(along), a, along)
    expect(second / expected).toBeCloseTo(1, 4)
  })

  it.each(['inv', 'slogdet', 'cholesky'] as const)('%s is the same in a compiled step', name => {
    const step = (x: Tensor): readonly Tensor[] => {
      const loss = functions[name]!(x).square().sum()
      return [loss, gradients(loss, x)[0]!].map(each => each.detach())
    }
    const x = a.detach().requiresGrad_()
    const [eager, compiled] = [step(x), compile(step)(x)]
    for (const [i, each] of eager.entries()) expectClose(compiled[i]!, each)
  })

  it('names matrices that it cannot take', () => {
    const singular = tensor([[1, 2], [2, 4]]) // biome-ignore format: a matrix
    expect(() => linalg.inv(singular)).toThrow('inv: a matrix is singular')
    expect(linalg.slogdet(singular).sign.abs().itemSync()).toBe(0)
    expect(linalg.slogdet(singular).logabsdet.itemSync()).toBe(-Infinity)
    expect(linalg.det(singular).abs().itemSync()).toBe(0)
    const leaf = singular.to('f64').requiresGrad_()
    expect(gradients(linalg.det(leaf), leaf)[0]!.isnan().all().itemSync()).toBe(1)
    expect(Number.isNaN((compile(() => linalg.inv(singular))().toArray() as number[][])[0]![0])).toBe(true)
    expect(
      compile(() => linalg.cholesky(singular.neg()))()
        .isnan()
        .any()
        .itemSync(),
    ).toBe(1)
    expect(linalg.inv(zeros([0, 3, 3])).shape).toEqual([0, 3, 3])
    expect(linalg.det(zeros([2, 0, 0])).toArray()).toEqual([1, 1])
    expect(() => linalg.cholesky(singular.neg())).toThrow('cholesky: a matrix is not positive definite')
    expect(() => linalg.det(tensor([[1, 2, 3]]))).toThrow(/det: .* is not square/)
    expect(() => linalg.solve(singular, tensor([1, 2, 3]))).toThrow(/solve: .* has not 2 rows/)
    expect(() => linalg.inv(singular.to('i64'))).toThrow(/inv: takes f32 and f64/)
    expect(linalg.inv(tensor([]).reshape([0, 0])).shape).toEqual([0, 0])
  })

  it.each(['solve', 'slogdet', 'inv', 'det', 'cholesky', 'logdet'] as const)(
    '%s compiles once for batches of all sizes',
    name => {
      const by = (x: Tensor): Tensor => {
        const square = x.matmul(x.mT).add(identity(4))
        if (name === 'solve') return linalg.solve(square, x)
        return name === 'slogdet' ? linalg.slogdet(square).logabsdet : linalg[name](square)
      }
      const f = compile(by)
      for (const n of [3, 5, 7, 9]) {
        const x = wave([n, 4, 4], n)
        expectClose(f(x), by(x))
      }
      expect(f.stats().compiles).toBe(2)
    },
  )
})
