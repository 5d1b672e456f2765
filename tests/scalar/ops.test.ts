import { describe, expect, it } from 'vitest'
import {
  accepts,
  castValue,
  evaluate,
  reductionIdentity,
  resultDtype,
  type ScalarOpName,
  scalarOp,
  scalarOpNames,
  type Value,
  wrapValue,
} from '../../src/scalar/ops.js'
import type { Dtype } from '../../src/types/dtype.js'

const of = (name: ScalarOpName, dtype: Dtype, ...values: Value[]): Value => evaluate(name, dtype, values)

describe('meaning of the scalar table', () => {
  it.each<[ScalarOpName, Dtype, Value[], Value]>([
    ['add', 'f32', [0.1, 0.2], Math.fround(Math.fround(0.1) + Math.fround(0.2))],
    ['add', 'i32', [2 ** 31 - 1, 1], -(2 ** 31)],
    ['add', 'u8', [250, 10], 4],
    ['add', 'bool', [1, 1], 1],
    ['add', 'i64', [2n ** 63n - 1n, 1n], -(2n ** 63n)],
    ['sub', 'i8', [-128, 1], 127],
    ['mul', 'i32', [123456789, 987654321], Math.imul(123456789, 987654321)],
    ['neg', 'i8', [-128], -128],
    ['neg', 'f32', [0], -0],
    ['abs', 'i32', [-5], 5],
    ['sign', 'f32', [Number.NaN], Number.NaN],
    ['div', 'f32', [1, 3], Math.fround(1 / 3)],
    ['div', 'f32', [1, 0], Number.POSITIVE_INFINITY],
    ['floorDiv', 'i32', [-7, 2], -4],
    ['floorDiv', 'i32', [7, 0], 0],
    ['floorDiv', 'f64', [-7, 2], -4],
    ['truncDiv', 'i32', [-7, 2], -3],
    ['truncDiv', 'i64', [-(2n ** 63n), -1n], -(2n ** 63n)],
    ['mod', 'i32', [-7, 3], 2],
    ['mod', 'i32', [7, -3], -2],
    ['mod', 'i64', [5n, 0n], 0n],
    ['mod', 'f64', [-7, 3], 2],
    ['fmod', 'i32', [-7, 3], -1],
    ['fmod', 'f64', [-7, 3], -1],
    ['gcd', 'i32', [-12, 18], 6],
    ['gcd', 'i64', [2n ** 62n, -3n * 2n ** 55n], 2n ** 55n],
    ['gcd', 'i8', [-128, 0], -128],
    ['gcd', 'u8', [0, 0], 0],
    ['pow', 'i64', [3n, 40n], BigInt.asIntN(64, 3n ** 40n)],
    ['pow', 'i32', [2, -1], 0],
    ['pow', 'f64', [Number.NaN, 0], 1],
    ['pow', 'f64', [1, Number.NaN], 1],
    ['min', 'f32', [Number.NaN, 1], Number.NaN],
    ['max', 'f32', [1, Number.NaN], Number.NaN],
    ['max', 'f64', [-0, 0], 0],
    ['round', 'f64', [2.5], 2],
    ['round', 'f64', [-0.4], -0],
    ['copysign', 'f64', [3, -0], -3],
    ['isnan', 'f32', [Number.NaN], 1],
    ['isfinite', 'f32', [Number.NEGATIVE_INFINITY], 0],
    ['eq', 'f32', [Number.NaN, Number.NaN], 0],
    ['ne', 'f32', [Number.NaN, Number.NaN], 1],
    ['lt', 'i64', [-1n, 0n], 1],
    ['not', 'bool', [1], 0],
    ['not', 'u8', [1], 254],
    ['xor', 'i8', [-1, 1], -2],
    ['shl', 'i32', [1, 31], -(2 ** 31)],
    ['shl', 'i32', [1, 32], 0],
    ['shl', 'i32', [1, -1], 0],
    ['shr', 'i32', [-8, 1], -4],
    ['shr', 'i32', [-8, 40], -1],
    ['shrLogical', 'i8', [-1, 4], 15],
    ['shrLogical', 'i64', [-1n, 60n], 15n],
    ['where', 'i64', [1, 5n, 6n], 5n],
    ['where', 'f32', [0, 5, 6], 6],
    ['sigmoid', 'f64', [-1000], 0],
    ['rsqrt', 'f64', [0.25], 2],
    ['logaddexp', 'f64', [-Infinity, -Infinity], -Infinity],
    ['logaddexp', 'f64', [Infinity, Infinity], Infinity],
    ['logaddexp', 'f32', [1000, -Infinity], 1000],
    ['logaddexp', 'f64', [1, 1], 1 + Math.LN2],
    ['logaddexp', 'f32', [Number.NaN, 1], Number.NaN],
  ])('%s on %s of %s', (name, dtype, values, expected) => {
    expect(of(name, dtype, ...values)).toBe(expected)
  })

  it.each([
    ['erf', 0.5, 0.5204998778130465],
    ['erf', -2, -0.9953222650189527],
    ['erf', 1e-300, 1.1283791670955126e-300],
    ['erfc', 3, 2.209049699858544e-5],
    ['erfc', 26, 5.663192408856143e-296],
    ['erfc', -1, 1.8427007929497148],
  ] as const)('%s of %d to 1e-14', (name, x, expected) => {
    expect(Math.abs(Number(of(name, 'f64', x)) / expected - 1)).toBeLessThan(1e-14)
  })

  it('rounds fma once', () => {
    // The product plus the sum lies a hair above a tie of f32; the hair is lost when the sum is rounded to f64 first.
    const [a, b, c] = [1 + 2 ** -12, 1 + 2 ** -12, 2 ** 24]
    const product = a * b
    expect(of('fma', 'f32', a, b, c)).toBe(2 ** 24 + 2)
    expect(Math.fround(product + c)).toBe(2 ** 24 + 2)
    expect(of('fma', 'f32', 1 + 2 ** -23, 1 - 2 ** -23, -1)).toBe(-(2 ** -46))
    expect(of('fma', 'f32', 2 ** -60, 2 ** -60, 1 + 2 ** -23)).toBe(1 + 2 ** -23)
    // f64: (1 + ε)(1 − ε) − 1 = −ε² exactly; two roundings give 0.
    expect(of('fma', 'f64', 1 + 2 ** -52, 1 - 2 ** -52, -1)).toBe(-(2 ** -104))
    expect(of('fma', 'f64', 0, -5, -0)).toBe(-0)
    expect(of('fma', 'f64', Number.POSITIVE_INFINITY, 0, 1)).toBeNaN()
    expect(of('fma', 'f64', 1e308, 10, -1.7e308)).toBe(Number.POSITIVE_INFINITY)
    expect(of('fma', 'f64', 2 ** -1074, 0.5, 0)).toBe(0)
    expect(of('fma', 'f64', 2 ** -1074, 1.5, 0)).toBe(2 ** -1073)
  })

  it('decides ties of fma by the bits that f64 loses', () => {
    // 2^24 + 1 is a tie between 2^24 and 2^24 + 2; the product adds 1 ± 2^-40.
    expect(of('fma', 'f32', 1, 1, 2 ** 24)).toBe(2 ** 24)
    const near = Math.fround(1 + 2 ** -20)
    expect(of('fma', 'f32', near, Math.fround(2 - near + 2 ** -23), 2 ** 24)).toBe(2 ** 24 + 2)
    // 1 + 2^-24 is a tie; an addend far below f64's last bit decides it.
    expect(of('fma', 'f32', 2 ** -24, 1 + 2 ** -23, 1)).toBe(1 + 2 ** -23)
    expect(of('fma', 'f32', 2 ** -24, 1 - 2 ** -24, 1)).toBe(1)
  })

  it('has a definition for every row on every dtype it accepts', () => {
    for (const name of scalarOpNames) {
      for (const dtype of ['f64', 'f32', 'i64', 'i32', 'i16', 'i8', 'u8', 'bool'] as const) {
        if (!accepts(name, dtype)) continue
        const one = (i: number): Value => (name === 'where' && i === 0 ? 1 : dtype === 'i64' ? 1n : 1)
        const result = of(name, dtype, ...Array.from({ length: scalarOp(name).arity }, (_, i) => one(i)))
        expect(typeof result, `${name} on ${dtype}`).toBe(resultDtype(name, dtype) === 'i64' ? 'bigint' : 'number')
      }
    }
  })
})

describe('conversions', () => {
  it.each<[Dtype, Dtype, Value, Value]>([
    ['f32', 'i32', -1.9, -1],
    ['f32', 'i32', Number.NaN, -(2 ** 31)],
    ['f32', 'i32', 3e9, -(2 ** 31)],
    ['f32', 'i8', 300, 44],
    ['f32', 'u8', -1, 255],
    ['f64', 'i64', 1e300, -(2n ** 63n)],
    ['f64', 'i64', 2 ** 53, 2n ** 53n],
    ['f64', 'bool', Number.NaN, 1],
    ['f32', 'bool', -0, 0],
    ['i64', 'i32', 2n ** 32n + 5n, 5],
    ['i32', 'f32', 2 ** 24 + 1, 2 ** 24],
    ['bool', 'f16', 1, 1],
    ['f64', 'f16', 1 + 2 ** -11, 1],
    ['f64', 'f16', 1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -10],
    ['f64', 'f16', 65520, Number.POSITIVE_INFINITY],
    ['f64', 'bf16', 1 + 2 ** -8 + 2 ** -40, 1 + 2 ** -7],
    // Rounded twice, by way of f64, this tie would go the other way.
    ['i64', 'f32', 2n ** 60n + 2n ** 36n + 1n, 2 ** 60 + 2 ** 37],
    ['i64', 'f32', -(2n ** 60n) - 2n ** 36n - 1n, -(2 ** 60) - 2 ** 37],
    ['i64', 'f32', 2n ** 60n + 2n ** 36n, 2 ** 60],
    ['i64', 'bf16', 2n ** 60n + 2n ** 52n + 1n, 2 ** 60 + 2 ** 53],
  ])('%s → %s of %s', (from, to, value, expected) => {
    expect(castValue(from, to, value)).toBe(expected)
  })

  it('wraps integers to their width', () => {
    expect(wrapValue('i8', 200)).toBe(-56)
    expect(wrapValue('i64', 2n ** 64n + 3n)).toBe(3n)
  })
})

describe('reductions', () => {
  it('start from the identity', () => {
    for (const [name, op] of [
      ['add', 'add'],
      ['mul', 'mul'],
      ['min', 'min'],
      ['max', 'max'],
    ] as const) {
      for (const dtype of ['f64', 'f32', 'i64', 'i32', 'i8', 'u8'] as const) {
        const value: Value = dtype === 'i64' ? 7n : 7
        expect(evaluate(op, dtype, [reductionIdentity(name, dtype), value])).toBe(value)
      }
    }
    expect(reductionIdentity('and', 'bool')).toBe(1)
    expect(reductionIdentity('or', 'bool')).toBe(0)
  })
})
