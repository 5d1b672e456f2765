/**
 * The formulas of scalar functions, as PTX and C have them, against float64: dense samples in the interesting range, every
 * exponent, special values; those of f32 for PTX moreover with the GPU's approximations as wrong as they are documented to be.
 */
import { describe, expect, it } from 'vitest'
import { type ScalarOpName, scalarOp } from '../../src/scalar/ops.js'
import {
  expanded,
  type FloatDtype,
  lanes,
  narrowResults,
  perturbed,
  random,
  run,
  samples,
  sharedQuotient,
  type Target,
  type Worst,
  worstError,
} from './formulas.js'

const reference = (fn: ScalarOpName) => scalarOp(fn).float as (...values: readonly number[]) => number

const count = Number(process.env.TEGULA_SAMPLES ?? 600)

const describeWorst = (worst: Worst): string =>
  `${worst.ulps} ulp at (${worst.operands.join(', ')}): ${worst.got}, not ${worst.want}`

function expectWithin(bound: number, worst: Worst): void {
  expect(worst.ulps, describeWorst(worst)).toBeLessThanOrEqual(bound)
}

interface Case {
  readonly fn: ScalarOpName
  /** Where it is sampled densely. */
  readonly range: readonly [number, number]
  /** Ulps: with exact approximations, and with the worst that the hardware documents (f32). */
  readonly bound: number
  readonly perturbed?: number
}

const f32Cases: readonly Case[] = [
  { fn: 'exp', range: [-105, 90], bound: 1, perturbed: 4.5 },
  { fn: 'exp2', range: [-151, 129], bound: 1 },
  { fn: 'expm1', range: [-20, 90], bound: 1.3 },
  { fn: 'sigmoid', range: [-105, 20], bound: 2.1, perturbed: 6 },
  { fn: 'tanh', range: [-10, 10], bound: 1.4, perturbed: 2.5 },
  { fn: 'sinh', range: [-91, 91], bound: 1.4 },
  { fn: 'cosh', range: [-91, 91], bound: 1.3 },
  { fn: 'log', range: [0.3, 3], bound: 1 },
  { fn: 'log2', range: [0.3, 3], bound: 1.3 },
  { fn: 'log10', range: [0.3, 3], bound: 1 },
  { fn: 'log1p', range: [-0.99, 2], bound: 1.5 },
  { fn: 'sin', range: [-100, 100], bound: 1.5 },
  { fn: 'cos', range: [-100, 100], bound: 1.5 },
  { fn: 'tan', range: [-100, 100], bound: 2.2 },
  { fn: 'asin', range: [-1, 1], bound: 2.2 },
  { fn: 'acos', range: [-1, 1], bound: 1.2 },
  { fn: 'atan', range: [-5, 5], bound: 1.3 },
  { fn: 'asinh', range: [-5, 5], bound: 1.8 },
  { fn: 'acosh', range: [1, 5], bound: 2 },
  { fn: 'atanh', range: [-1, 1], bound: 2 },
  { fn: 'erf', range: [-4.5, 4.5], bound: 1.2, perturbed: 2 },
  { fn: 'erfc', range: [-4.5, 10.5], bound: 2.6 },
  { fn: 'erfinv', range: [-1, 1], bound: 3.5, perturbed: 5 },
  // Relative to the result these errors are unbounded at the zeros of ln Γ below 0 and of its derivative.
  { fn: 'lgamma', range: [0, 20], bound: 4 },
  { fn: 'digamma', range: [2, 20], bound: 1 },
  { fn: 'sign', range: [-1, 1], bound: 0 },
  { fn: 'rsqrt', range: [0, 4], bound: 1.4 },
]

/** The reference is JavaScript's own f64 (and a series for erf), which errs by an ulp or two itself. */
const f64Cases: readonly Case[] = [
  { fn: 'exp', range: [-746, 710], bound: 1 },
  { fn: 'exp2', range: [-1075, 1024], bound: 1 },
  { fn: 'expm1', range: [-20, 90], bound: 1 },
  { fn: 'sigmoid', range: [-746, 40], bound: 2 },
  { fn: 'tanh', range: [-10, 10], bound: 2 },
  { fn: 'sinh', range: [-5, 711], bound: 2 },
  { fn: 'cosh', range: [-5, 711], bound: 2 },
  { fn: 'log', range: [0.3, 3], bound: 1 },
  { fn: 'log2', range: [0.3, 3], bound: 1 },
  { fn: 'log10', range: [0.3, 3], bound: 2 },
  { fn: 'log1p', range: [-0.99, 2], bound: 2 },
  { fn: 'sin', range: [-100, 100], bound: 2 },
  { fn: 'cos', range: [-100, 100], bound: 2 },
  { fn: 'tan', range: [-100, 100], bound: 3 },
  { fn: 'asin', range: [-1, 1], bound: 3 },
  { fn: 'acos', range: [-1, 1], bound: 2 },
  { fn: 'atan', range: [-5, 5], bound: 2 },
  { fn: 'asinh', range: [-5, 5], bound: 3 },
  { fn: 'acosh', range: [1, 5], bound: 3 },
  { fn: 'atanh', range: [-1, 1], bound: 3 },
  { fn: 'erf', range: [-6, 6], bound: 5 },
  { fn: 'erfc', range: [-4.5, 27.5], bound: 5 },
  { fn: 'erfinv', range: [-1, 1], bound: 6 },
  { fn: 'rsqrt', range: [0, 4], bound: 1 },
  { fn: 'sign', range: [-1, 1], bound: 0 },
]

function check(dtype: FloatDtype, { fn, range, bound, perturbed: worstCase }: Case, target: Target = 'ptx'): void {
  const x = samples(dtype, 1, count, ...range)
  const program = expanded(fn, dtype, target)
  expectWithin(bound, worstError(dtype, [x], run(program, dtype, [x]), reference(fn)))
  if (worstCase === undefined || target !== 'ptx') return
  for (const [exp2, others] of [
    [2, 1],
    [-2, -1],
    [2, -1],
  ] as const) {
    const got = run(perturbed(program, exp2, others), dtype, [x])
    expectWithin(worstCase, worstError(dtype, [x], got, reference(fn)))
  }
}

describe.each(['ptx', 'c', 'c with AVX-512'] as const)('functions of f32 as formulas for %s', target => {
  for (const one of f32Cases) it(`${one.fn}: ${one.bound} ulp`, () => check('f32', one, target))
})

describe('functions of f64 as formulas', () => {
  for (const one of f64Cases) it(`${one.fn}: ${one.bound} ulp`, () => check('f64', one))
})

describe('erfc with 16-bit results', () => {
  for (const [dtype, epsilon, least] of [
    ['f16', 2 ** -11, 2 ** -24],
    ['bf16', 2 ** -8, 2 ** -133],
  ] as const) {
    it(`of ${dtype} is nearly rounded correctly`, () => {
      const special = [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 30, -30, 0.9375]
      const x = [...special, ...samples('f32', 1, 300, -4, 10.5)].map(Math.fround)
      narrowResults('erfc', dtype, x).forEach((value, i) => {
        const want = reference('erfc')(x[i]!) as number
        const bound = 1.2 * epsilon * want + 0.6 * least
        if (Number.isNaN(want)) expect(value).toBeNaN()
        else expect(Math.abs(value - want), `erfc(${x[i]})`).toBeLessThanOrEqual(bound)
      })
    })
  }
})

describe('functions with zeros between their samples', () => {
  /** In epsilons of the result plus one. */
  const bounds = { lgamma: 32, digamma: 16 } as const
  for (const dtype of ['f32', 'f64'] as const) {
    for (const fn of ['lgamma', 'digamma'] as const) {
      it(`${fn} of ${dtype}`, () => {
        const x = samples(dtype, 1, count, -6, 4).filter(value => Math.abs(value) < 1e6)
        const got = run(expanded(fn, dtype), dtype, [x])
        const epsilon = dtype === 'f32' ? 2 ** -23 : 2 ** -52
        got.forEach((value, i) => {
          const operand = dtype === 'f32' ? Math.fround(x[i]!) : x[i]!
          const want = reference(fn)(operand) as number
          // Near a pole, the rounding of the distance to it counts.
          const near = 1 + Math.abs(want) + (fn === 'digamma' && operand < 0 ? want ** 2 * Math.abs(operand) : 0)
          const rounded = dtype === 'f32' ? Math.fround(want) : want
          if (Number.isFinite(rounded)) expect(Math.abs(value - want)).toBeLessThanOrEqual(bounds[fn] * epsilon * near)
          else expect(value).toEqual(rounded)
        })
      })
    }
  }
})

const specialOperands = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, -1, 2, -3, 0.5, -7.5]

/** Pairs of special values, of any magnitude, of like magnitudes, and of whole numbers. */
function pairs(dtype: FloatDtype): [number[], number[]] {
  const next = random(3)
  const extremes = dtype === 'f32' ? [1e-45, 3e38, -1e-40] : [5e-324, 1.7e308, -1e-310]
  const known = [...specialOperands, ...extremes]
  const list = known.flatMap(a => known.map(b => [a, b] as const))
  const value = (spread: number): number =>
    (next() < 0.5 ? -1 : 1) * (1 + next()) * 2 ** Math.floor((next() - 0.5) * spread)
  const wide = dtype === 'f32' ? 250 : 2000
  for (let i = 0; i < 300; i++) list.push([value(wide), value(wide)], [Math.abs(value(wide)), value(20)])
  for (let i = 0; i < 400; i++) list.push([value(20), value(20)], [Math.round(value(12)), Math.round(value(6))])
  return [list.map(([a]) => a), list.map(([, b]) => b)]
}

describe('functions of two operands', () => {
  const bounds: { readonly [Fn in ScalarOpName]?: number } = {
    fmod: 0,
    mod: 0.5,
    floorDiv: 1,
    truncDiv: 1,
    atan2: 1.2,
    pow: 1,
  }
  for (const dtype of ['f32', 'f64'] as const) {
    for (const [fn, bound] of Object.entries(bounds) as [ScalarOpName, number][]) {
      it(`${fn} of ${dtype}: ${bound} ulp`, () => {
        const [a, b] = pairs(dtype)
        // f64 remainders are rounded where a divisor's sign is restored.
        const slack = dtype === 'f64' && bound > 0 ? 1 : bound
        // C has f64 functions of its own.
        for (const target of dtype === 'f32' ? (['ptx', 'c'] as const) : (['ptx'] as const))
          expectWithin(slack, worstError(dtype, [a, b], run(expanded(fn, dtype, target), dtype, [a, b]), reference(fn)))
      })
    }
  }
})

describe('vectors divided by one scalar', () => {
  it('are rounded correctly, whatever the divisor', () => {
    const next = random(7)
    const value = (spread: number): number =>
      (next() < 0.5 ? -1 : 1) * (1 + next()) * 2 ** Math.floor((next() - 0.5) * spread)
    const rare = [...specialOperands, 1e-45, 3e38, -1e-40, 2 ** -110, 2 ** 110, 7, 49]
    const divisors = [...rare, ...Array.from({ length: 150 }, (_, i) => value(i % 2 === 0 ? 12 : 190))]
    const numerators = divisors.flatMap((b, i) =>
      Array.from({ length: lanes }, (_, lane) =>
        lane < 6 ? specialOperands[(i + lane) % specialOperands.length]! : lane < 9 ? b * (lane - 4) : value(lane * 12),
      ),
    )
    const got = run(sharedQuotient(), 'f32', [numerators, divisors])
    const each = divisors.flatMap(b => new Array<number>(lanes).fill(b))
    const worst = worstError('f32', [numerators, each], got, (a, b) => a / b)
    // Half an ulp: the nearest f32.
    expectWithin(0.5, worst)
  })
})
