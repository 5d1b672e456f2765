/** Linear forms and what is known of integers, against brute force. */
import { describe, expect, it } from 'vitest'
import { type Affine, formKey, integerForms, knownForm } from '../../src/scalar/affine.js'
import {
  anything,
  exactly,
  gcd,
  hull,
  type Interval,
  intervalOf,
  type Known,
  knownConstant,
  knownOf,
  lcm,
  mulDivisors,
  natural,
  powerOfTwoIn,
} from '../../src/scalar/lattice.js'
import { evaluate, type ScalarOpName } from '../../src/scalar/ops.js'
import { Choices } from '../support/choices.js'
import { isQuick } from '../support/sample-choice.js'

/** The values of an atom: first, first + step, … */
interface Atom {
  readonly name: string
  readonly values: readonly number[]
}

type Form = Affine<Atom>

const evaluateForm = (form: Form, values: ReadonlyMap<Atom, number>): number =>
  [...form.terms].reduce((sum, [atom, coefficient]) => sum + coefficient * values.get(atom)!, form.offset)

const span = (values: readonly number[]): Known => ({
  range: { min: Math.min(...values), max: Math.max(...values) },
  divisor: values.reduce(gcd, 0),
})

const holds = ({ range, divisor }: Known, value: number): boolean =>
  value >= range.min && value <= range.max && (divisor === 0 ? value === 0 : value % divisor === 0)

/** Every assignment of values to the atoms. */
function* assignments(atoms: readonly Atom[]): Generator<ReadonlyMap<Atom, number>> {
  const [first, ...rest] = atoms
  if (first === undefined) yield new Map()
  else
    for (const others of assignments(rest)) for (const value of first.values) yield new Map([...others, [first, value]])
}

const ops = [
  'add',
  'sub',
  'mul',
  'neg',
  'min',
  'max',
  'floorDiv',
  'truncDiv',
  'mod',
  'fmod',
  'shl',
  'shr',
  'and',
  'where',
  'abs',
  'xor',
] as const satisfies readonly ScalarOpName[]

const from = (random: Choices, least: number, most: number): number => least + random.below(most - least + 1)
const seeds = Array.from({ length: isQuick ? 100 : 300 }, (_, seed) => seed + 1)

describe('facts about integers', () => {
  it('contain and divide every result of every op', () => {
    for (const seed of seeds) {
      const random = new Choices(seed)
      const set = (): number[] => {
        const [first, step, count] = [from(random, -40, 40), random.of([1, 2, 3, 4, 8, 12, 64]), from(random, 1, 5)]
        return Array.from({ length: count }, (_, i) => first * random.of([1, step]) + i * step)
      }
      for (const fn of ops) {
        const inputs = [set(), fn === 'shl' || fn === 'shr' ? [from(random, -2, 8)] : set(), set()]
        if (fn === 'where') inputs[0] = [0, 1]
        const known = knownOf(fn, inputs.map(span))
        for (const a of inputs[0]!) {
          for (const b of inputs[1]!) {
            for (const c of fn === 'where' ? inputs[2]! : [0]) {
              const condition = fn === 'where' ? [a, BigInt(b), BigInt(c)] : [BigInt(a), BigInt(b)]
              const value = Number(evaluate(fn, 'i64', condition))
              expect(
                holds(known, value),
                `seed ${seed}: ${fn} of ${a}, ${b}, ${c} is ${value}, not in ${JSON.stringify(known)}`,
              ).toBe(true)
            }
          }
        }
      }
    }
  })

  it('treat infinite ends as numbers beyond all bounds', () => {
    const upTo: Interval = { min: Number.NEGATIVE_INFINITY, max: 7 }
    for (const fn of ops) {
      for (const a of [anything, natural, upTo, exactly(0), exactly(-3)]) {
        for (const b of [anything, natural, upTo, exactly(0), exactly(5), { min: 1, max: Number.POSITIVE_INFINITY }]) {
          const { min, max } = intervalOf(fn, [a, b, b])
          expect([fn, Number.isNaN(min), Number.isNaN(max)]).toEqual([fn, false, false])
          const sample = (range: Interval): number[] =>
            [-1e6, -9, -3, -1, 0, 1, 2, 5, 7, 64, 1e6].filter(x => x >= range.min && x <= range.max)
          for (const x of sample(a)) {
            for (const y of sample(b)) {
              if (fn === 'where') continue
              const value = Number(evaluate(fn, 'i64', [BigInt(x), BigInt(y)]))
              expect(value >= min && value <= max, `${fn}(${x}, ${y}) = ${value} in [${min}, ${max}]`).toBe(true)
            }
          }
        }
      }
    }
  })

  it('include bounds of masks and quotients', () => {
    const loaded: Known = { range: anything, divisor: 1 }
    expect(knownOf('and', [loaded, knownConstant(15)]).range).toEqual({ min: 0, max: 15 })
    expect(knownOf('mod', [loaded, knownConstant(8)]).range).toEqual({ min: 0, max: 7 })
    const counter: Known = { range: { min: 0, max: 4032 }, divisor: 64 }
    expect(knownOf('floorDiv', [counter, knownConstant(2)])).toEqual({ range: { min: 0, max: 2016 }, divisor: 32 })
    expect(knownOf('shr', [counter, knownConstant(3)])).toEqual({ range: { min: 0, max: 504 }, divisor: 8 })
    expect(knownOf('mod', [counter, knownConstant(96)])).toEqual({ range: { min: 0, max: 95 }, divisor: 32 })
    expect(knownOf('and', [counter, knownConstant(96)]).divisor).toBe(64)
  })

  it('have divisors of exact numbers only', () => {
    expect(mulDivisors(2 ** 40, 2 ** 40)).toBe(2 ** 40)
    expect(mulDivisors(0, 3)).toBe(0)
    expect([gcd(0, 12), gcd(-8, 12), lcm(4, 6)]).toEqual([12, 4, 12])
    expect([powerOfTwoIn(0, 16), powerOfTwoIn(24, 16), powerOfTwoIn(-64, 16)]).toEqual([16, 8, 16])
    expect(hull(exactly(3), exactly(-2))).toEqual({ min: -2, max: 3 })
  })
})

describe('linear forms', () => {
  const { combine, scale, substitute, atom: atomForm, constant } = integerForms

  it('equal the forms that they are made of, bounded and divided, at every point', () => {
    for (const seed of seeds) {
      const random = new Choices(seed)
      const atoms = ['x', 'y', 'z'].map((name): Atom => {
        const [first, step] = [from(random, -6, 6) * random.of([1, 4]), random.of([1, 2, 4, 6])]
        return { name, values: Array.from({ length: 4 }, (_, i) => first + i * step) }
      })
      // An expression and what it is at a point.
      interface Expression {
        readonly form: Form
        readonly at: (values: ReadonlyMap<Atom, number>) => number
      }
      const expression = (depth: number): Expression => {
        const [a, b] = depth === 0 ? [] : [expression(depth - 1), expression(depth - 1)]
        const number = from(random, -9, 9)
        switch (a === undefined || b === undefined ? from(random, 0, 1) : from(random, 2, 4)) {
          case 0:
            return { form: constant(number), at: () => number }
          case 1: {
            const atom = random.of(atoms)
            return { form: atomForm(atom), at: values => values.get(atom)! }
          }
          case 2:
            return { form: scale(a!.form, number), at: values => number * a!.at(values) }
          case 3: {
            const atom = random.of(atoms)
            const at = (values: ReadonlyMap<Atom, number>): number => a!.at(new Map([...values, [atom, b!.at(values)]]))
            return { form: substitute(a!.form, atom, b!.form), at }
          }
          default:
            return { form: combine(a!.form, b!.form, number), at: values => a!.at(values) + number * b!.at(values) }
        }
      }
      const [a, b] = [expression(3), expression(3)]
      const known = knownForm(a.form, ({ values }) => span(values))
      const divisor = from(random, 1, 12)
      const { quotient, rest } = integerForms.divide(a.form, divisor)
      const key = (form: Form): string => formKey(form, ({ name }) => name)
      let same = true
      for (const values of assignments(atoms)) {
        const value = a.at(values) + 0
        expect(evaluateForm(a.form, values), `seed ${seed}`).toBe(value)
        expect(holds(known, value), `seed ${seed}: ${value} in ${JSON.stringify(known)}`).toBe(true)
        expect(divisor * evaluateForm(quotient, values) + evaluateForm(rest, values), `seed ${seed}`).toBe(value)
        if (value !== b.at(values) + 0) same = false
      }
      expect([...a.form.terms.values()]).not.toContain(0)
      // The values of the atoms tell different forms apart: four points each, and independent.
      expect(key(a.form) === key(b.form), `seed ${seed}`).toBe(same)
      expect(key(combine(a.form, a.form, -1))).toBe('0')
    }
  })

  it('have one key in whatever order they are built', () => {
    const [x, y] = ['x', 'y'].map((name): Atom => ({ name, values: [0, 1] })) as [Atom, Atom]
    const key = (form: Form): string => formKey(form, ({ name }) => name)
    expect(key(combine(atomForm(x), atomForm(y), 3))).toBe(key(combine(scale(atomForm(y), 3), atomForm(x), 1)))
  })
})
