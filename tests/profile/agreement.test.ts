import { describe, expect, it } from 'vitest'
import { tensor } from '../../src/index.js'
import { requireAgreement } from '../../src/profile/agreement.js'

describe('requireAgreement', () => {
  const agree = (got: unknown, expected: unknown, tolerance: number | null = null): number =>
    requireAgreement('f', got, expected, tolerance)

  it('returns the largest error relative to the largest value', () => {
    expect(agree(tensor([1, 2]), tensor([1, 2]))).toBe(0)
    expect(agree({ a: tensor([100.001, 0]) }, { a: tensor([100, 0]) })).toBeCloseTo(1e-5, 6)
    expect(agree([tensor([Number.NaN, -Infinity])], [tensor([Number.NaN, -Infinity])])).toBe(0)
    expect(agree(tensor([1.5]), tensor([1]), 0.5)).toBe(0.5)
  })

  it.each([
    ['values', tensor([1, 2.1]), tensor([1, 2]), 'result: compiled and eager differ: an error of 0.050'],
    ['NaN', tensor([Number.NaN]), tensor([1]), 'element 0 is NaN instead of 1'],
    ['signs of infinities', tensor([Infinity]), tensor([-Infinity]), 'element 0 is Infinity instead of -Infinity'],
    ['shape', tensor([1, 2]), tensor([[1, 2]]), 'f32[2] instead of f32[1, 2]'],
    ['dtype', tensor([1], { dtype: 'f64' }), tensor([1]), 'f64[1] instead of f32[1]'],
    ['count', [tensor([1])], [tensor([1]), tensor([1])], '1 tensors instead of 2'],
    ['large integers', tensor([2n ** 60n]), tensor([2n ** 60n + 1n]), 'element 0 is 1152921504606846976'],
  ])('refuses other %s', (_, got, expected, message) => {
    expect(() => agree(got, expected)).toThrow(message)
  })

  it('allows no error in integers', () => {
    const i32 = (value: number) => tensor([value], { dtype: 'i32' })
    expect(() => agree(i32(3), i32(2), 10)).toThrow('an error of 0.50 of its largest value, beyond 0')
  })
})
