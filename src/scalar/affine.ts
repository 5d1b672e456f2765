/**
 * Affine forms, offset + Σ coefficient · atom: the normal form of all index arithmetic. In the scheduler, atoms are loop
 * coordinates and coefficients are sizes; in lowering and emission, atoms are tile or lane nodes and coefficients are numbers.
 * Atoms are compared by identity; equal forms have the same coefficients.
 */
import { anything, type Bounds, gcd, type Known, mulDivisors } from './lattice.js'

export interface Affine<Atom, C = number> {
  readonly offset: C
  /** No coefficient is 0. */
  readonly terms: ReadonlyMap<Atom, C>
}

/** The arithmetic of coefficients. */
export interface Ring<C> {
  readonly zero: C
  readonly one: C
  readonly add: (a: C, b: C) => C
  readonly sub: (a: C, b: C) => C
  readonly mul: (a: C, b: C) => C
  /** Null: unknown. */
  readonly isNegative: (a: C) => boolean | null
  /** a / b where b divides a, else null. */
  readonly quotient: (a: C, b: C) => C | null
  /** A q to extract from ⌊a / b⌋, as q + ⌊(a − b · q) / b⌋. */
  readonly floor: (a: C, b: C) => C
}

/** Forms with coefficients of one kind. */
export class Forms<C> {
  constructor(readonly ring: Ring<C>) {}

  readonly constant = <Atom>(offset: C): Affine<Atom, C> => ({ offset, terms: new Map() })

  readonly atom = <Atom>(atom: Atom): Affine<Atom, C> => ({
    offset: this.ring.zero,
    terms: new Map([[atom, this.ring.one]]),
  })

  /** a + factor · b. */
  readonly combine = <Atom>(a: Affine<Atom, C>, b: Affine<Atom, C>, factor: C): Affine<Atom, C> => {
    const { zero, add, mul } = this.ring
    if (factor === zero) return a
    const terms = new Map(a.terms)
    for (const [atom, coefficient] of b.terms) {
      const sum = add(terms.get(atom) ?? zero, mul(factor, coefficient))
      if (sum === zero) terms.delete(atom)
      else terms.set(atom, sum)
    }
    return { offset: add(a.offset, mul(factor, b.offset)), terms }
  }

  readonly add = <Atom>(a: Affine<Atom, C>, b: Affine<Atom, C>): Affine<Atom, C> => this.combine(a, b, this.ring.one)

  readonly scale = <Atom>(a: Affine<Atom, C>, factor: C): Affine<Atom, C> =>
    factor === this.ring.one ? a : this.combine(this.constant(this.ring.zero), a, factor)

  /** The form with an atom replaced by another form. */
  readonly substitute = <Atom>(a: Affine<Atom, C>, atom: Atom, replacement: Affine<Atom, C>): Affine<Atom, C> => {
    const factor = a.terms.get(atom)
    if (factor === undefined) return a
    const terms = new Map(a.terms)
    terms.delete(atom)
    return this.combine({ offset: a.offset, terms }, replacement, factor)
  }

  /** The minimum and maximum for atoms within their bounds; null if the sign of a coefficient is unknown. */
  bounds<Atom>({ offset, terms }: Affine<Atom, C>, of: (atom: Atom) => Bounds<C>): Bounds<C> | null {
    const { add, mul, isNegative } = this.ring
    let [min, max] = [offset, offset]
    for (const [atom, coefficient] of terms) {
      const negative = isNegative(coefficient)
      if (negative === null) return null
      const range = of(atom)
      min = add(min, mul(coefficient, negative ? range.max : range.min))
      max = add(max, mul(coefficient, negative ? range.min : range.max))
    }
    return { min, max }
  }

  /** The form as divisor · quotient + rest: ⌊form / divisor⌋ is quotient + ⌊rest / divisor⌋. */
  divide<Atom>({ offset, terms }: Affine<Atom, C>, divisor: C): Record<'quotient' | 'rest', Affine<Atom, C>> {
    const { sub, mul, floor, quotient } = this.ring
    const [whole, rest] = [new Map<Atom, C>(), new Map<Atom, C>()]
    for (const [atom, coefficient] of terms) {
      const exact = quotient(coefficient, divisor)
      if (exact === null) rest.set(atom, coefficient)
      else whole.set(atom, exact)
    }
    const out = floor(offset, divisor)
    return {
      quotient: { offset: out, terms: whole },
      rest: { offset: sub(offset, mul(out, divisor)), terms: rest },
    }
  }
}

/** Forms with numbers as coefficients. */
export const integerForms = new Forms<number>({
  zero: 0,
  one: 1,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  isNegative: a => a < 0,
  quotient: (a, b) => (a % b === 0 ? a / b : null),
  floor: (a, b) => Math.floor(a / b),
})

/** Bounds and divisor of a form, from those of its atoms. */
export function knownForm<Atom>(form: Affine<Atom>, of: (atom: Atom) => Known): Known {
  let divisor = Math.abs(form.offset)
  for (const [atom, coefficient] of form.terms) {
    if (divisor === 1) break
    divisor = gcd(divisor, mulDivisors(Math.abs(coefficient), of(atom).divisor))
  }
  return { range: integerForms.bounds(form, atom => of(atom).range) ?? anything, divisor }
}

/** Equal text for equal forms; `name` must be unique per atom. */
export function formKey<Atom, C>({ offset, terms }: Affine<Atom, C>, name: (atom: Atom) => string): string {
  const parts = [...terms].map(([atom, coefficient]) => `${coefficient}*${name(atom)}`).sort()
  return [...parts, String(offset)].join('+')
}
