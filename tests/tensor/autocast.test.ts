/** Mixed precision: which ops compute in which dtype, with gradients, eagerly and compiled. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArgumentError, autocast, compile, noGrad, type Tensor, tensor, zeros } from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const x = (): Tensor => tensor([[1, 2], [3, 4]]) // biome-ignore format: a matrix
/** 2^-9 is lost beside 1 in bf16. */
const weight = (): Tensor => tensor([[1 + 2 ** -9, 0], [0, 1]], { requiresGrad: true }) // biome-ignore format: a matrix

const ways: Readonly<Record<string, <F extends (...args: Tensor[]) => Tensor>(fn: F) => F>> = {
  eagerly: fn => fn,
  compiled: fn => compile(fn),
}

describe.each(Object.entries(ways))('%s', (_, way) => {
  it.each(['bf16', 'f16'] as const)('matmuls and their like are in %s, sums and softmax in f32', dtype => {
    const dtypes = (fn: (a: Tensor) => Tensor): string => way((a: Tensor) => autocast(dtype, () => fn(a)))(x()).dtype
    expect(dtypes(a => a.matmul(a))).toBe(dtype)
    expect(dtypes(a => F.linear(a, a))).toBe(dtype)
    expect(dtypes(a => F.conv1d(a.unsqueeze(0), a.unsqueeze(2)))).toBe(dtype)
    expect(dtypes(a => a.matmul(a).relu().add(1))).toBe(dtype)
    expect(dtypes(a => a.matmul(a).softmax(-1))).toBe('f32')
    expect(dtypes(a => a.to(dtype).sum())).toBe('f32')
    expect(dtypes(a => a.to('f64').matmul(a.to('f64')))).toBe('f64')
    expect(dtypes(a => autocast(null, () => a.matmul(a)))).toBe('f32')
  })

  it('operands are rounded, gradients of weights are f32', () => {
    const w = weight()
    const found = way((a: Tensor) => autocast('bf16', () => a.matmul(w).to('f32')))(x())
    expect(found.detach().toArray()).toEqual([[1, 2], [3, 4]]) // biome-ignore format: a matrix
    found.sum().backward()
    expect(w.grad!.dtype).toBe('f32')
    expect(w.grad!.toArray()).toEqual([[4, 4], [6, 6]]) // biome-ignore format: a matrix
  })
})

it('a weight is cast once for all uses, and anew once it has changed', () => {
  const w = weight()
  const twice = compile((a: Tensor) => autocast('bf16', () => a.matmul(w).add(a.add(1).matmul(w))))
  const graph = String(twice.explain(x()))
  const [, closure] = /(%\d+) = input\(\) \{[^}]*closure/.exec(graph)!
  expect(graph.split(` = cast(${closure})`)).toHaveLength(2)
  autocast('bf16', () => {
    const [first, second] = [x().matmul(w), x().matmul(w)]
    expect(second.toArray()).toEqual(first.toArray())
    w.detach().mul_(2)
    expect(x().matmul(w).toArray()).toEqual([[2, 4], [6, 8]]) // biome-ignore format: a matrix
  })
})

it('gradients flow to a weight from all its uses, in two steps within one region', () => {
  const w = weight()
  autocast('bf16', () => {
    for (let step = 0; step < 2; step++) x().matmul(w).add(x().matmul(w)).sum().backward()
  })
  expect(w.grad!.toArray()).toEqual([[16, 16], [24, 24]]) // biome-ignore format: a matrix
})

it('a compiled function has a version for each region that it is called in', () => {
  const f = compile((a: Tensor) => a.matmul(a))
  expect(f(x()).dtype).toBe('f32')
  expect(autocast('bf16', () => f(x())).dtype).toBe('bf16')
  expect(autocast('f16', () => f(x())).dtype).toBe('f16')
  expect(f(x()).dtype).toBe('f32')
  expect(f.stats().recompiles[0]).toContain('autocast was off, now it is bf16')
  expect(f.stats().compiles).toBe(3)
})

it('ends with its function, also when that throws', () => {
  expect(() => autocast('bf16', () => zeros([2]).matmul(zeros([3])))).toThrow()
  expect(x().matmul(x()).dtype).toBe('f32')
})

it.each([
  [() => autocast('f32' as never, () => 1), /autocast: dtype is the string "f32"/],
  [() => autocast('bf16', 3 as never), /the body is the number 3/],
  [() => autocast('bf16', async () => 1), /returned a promise/],
])('wrong calls: %s', (call, message) => {
  expect(call).toThrow(ArgumentError)
  expect(call).toThrow(message)
})

it('what was computed without gradients takes none from what follows', () => {
  const w = weight()
  autocast('bf16', () => {
    noGrad(() => x().matmul(w))
    const y = x().matmul(w)
    expect(y.requiresGrad).toBe(true)
    y.sum().backward()
  })
  expect(w.grad!.toArray()).toEqual([[4, 4], [6, 6]]) // biome-ignore format: a matrix
})

it('a function that is traced within a region reads weights at each call', () => {
  const w = weight()
  const run = compile((a: Tensor) => a.matmul(w))
  const values = (): unknown => autocast('bf16', () => noGrad(() => [x().matmul(w), run(x())].map(y => y.toArray())))
  values()
  noGrad(() => w.fill_(2))
  expect(values()).toEqual(Array(2).fill([[6, 6], [14, 14]])) // biome-ignore format: matrices
})

it('ops that want one dtype get f32 where operands differ', () => {
  const [wide, narrow] = [x(), x().to('bf16')]
  autocast('bf16', () => {
    expect(wide.flatten().dot(narrow.flatten()).dtype).toBe('f32')
    expect(narrow.flatten().dot(narrow.flatten()).dtype).toBe('bf16')
    expect(narrow.scatterAdd(0, zeros([1, 2], { dtype: 'i64' }), wide).dtype).toBe('f32')
    expect(F.bilinear(narrow, wide, zeros([3, 2, 2])).dtype).toBe('f32')
    expect(narrow.logsumexp(0).dtype).toBe('f32')
  })
  expect(() => wide.flatten().dot(narrow.flatten())).toThrow(/dtypes f32 and bf16 differ/)
})
