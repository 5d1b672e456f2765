/** dispose() in compiled functions: of what they make as eagerly, of what is from outside a refusal that says what to do. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CaptureError, compile, DisposedError, rand, scalar, type Tensor, tensor } from '../../src/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const x = (): Tensor => tensor([1, -2, 3])
const numbers = (y: Tensor): number[] => Array.from(y.dataSync('f32'))

describe.each([{}, { dynamic: true }])('%o', options => {
  it('frees what the function creates', () => {
    const f = compile((a: Tensor) => {
      const h = a.relu()
      const y = h.add(1)
      h.dispose()
      h.dispose()
      return y
    }, options)
    for (let i = 0; i < 3; i++) expect(numbers(f(x()))).toEqual([2, 1, 4])
  })

  it('a use of a disposed tensor, or of a view of it, is an error', () => {
    const use = compile((a: Tensor) => {
      const h = a.relu()
      h.dispose()
      return h.add(1)
    }, options)
    expect(() => use(x())).toThrow(DisposedError)
    const view = compile((a: Tensor) => {
      const h = a.relu()
      const v = h.view([3, 1])
      h.dispose()
      return v.add(1)
    }, options)
    expect(() => view(x())).toThrow(DisposedError)
  })

  it('disposing a view leaves its base alive', () => {
    const f = compile((a: Tensor) => {
      a.view([3, 1]).dispose()
      const h = a.relu()
      h.view([3, 1]).dispose()
      return h.add(a)
    }, options)
    expect(numbers(f(x()))).toEqual([2, -2, 6])
  })

  it('a disposed tensor cannot be returned, alone or inside an object', () => {
    const f = compile((a: Tensor) => {
      const h = a.relu()
      h.dispose()
      return h
    }, options)
    expect(() => f(x())).toThrow(/what it returns, f32\[(3|s0)\], was disposed/)
    const state: { last: Tensor | null } = { last: null }
    const g = compile((s: typeof state, a: Tensor) => {
      s.last = a.relu()
      s.last.dispose()
      return a.add(1)
    }, options)
    expect(() => g(state, x())).toThrow(DisposedError)
  })

  it('nor at another size', () => {
    const f = compile((a: Tensor) => {
      const h = a.relu()
      if (a.shape[0]! > 3) h.dispose()
      return h
    }, options)
    expect(numbers(f(x()))).toEqual([1, 0, 3])
    expect(() => f(rand([4]))).toThrow(DisposedError)
    expect(numbers(f(x()))).toEqual([1, 0, 3])
  })

  it('disposing arguments and closed-over tensors is rejected, and they stay alive', () => {
    const f = compile(function eat(a: Tensor) {
      const y = a.add(1)
      a.dispose()
      return y
    }, options)
    const given = x()
    expect(() => f(given)).toThrow(CaptureError)
    expect(() => f(given)).toThrow(/dispose: f32\[(3|s0)\] is from outside of eat.*after the call/s)
    expect(numbers(given)).toEqual([1, -2, 3])
    const weight = x()
    const g = compile((a: Tensor) => {
      const y = a.mul(weight)
      weight[Symbol.dispose]()
      return y
    }, options)
    expect(() => g(x())).toThrow(/dispose: .*is from outside/)
    expect(weight.disposed).toBe(false)
  })
})

it('boxed booleans can be operands', () => {
  const f = compile((a: Tensor, flag: ReturnType<typeof scalar>) => a.where(a.gt(0).logicalAnd(flag), a.neg()))
  expect(numbers(f(x(), scalar(true)))).toEqual([1, 2, 3])
  expect(numbers(f(x(), scalar(false)))).toEqual([-1, 2, -3])
})
