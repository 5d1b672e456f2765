/** Boxed numbers have other names in each trace; what is computed of them is compared under the same ones. */
import { isCanonicalText } from '../../base/canonical.js'
import { type Formula, formulaText, mapFormula } from '../../scalar/formula.js'
import { type Size, SizeExpr, substituteSize } from '../../scalar/size.js'

export class Renaming {
  readonly #names = new Map<string, Formula>()

  /** @param rest what symbols are that have no other name; default: themselves */
  constructor(readonly rest: (name: string) => Size | null = () => null) {}

  /** `to` stands for `from` from now on: a symbol, or a scalar input. */
  add(from: Formula, to: Formula): void {
    if (typeof from !== 'number') this.#names.set(formulaText(from), to)
  }

  size(size: Size): Size {
    return substituteSize(size, name => {
      const to = this.#names.get(name)
      return typeof to === 'number' || to instanceof SizeExpr ? to : this.rest(name)
    })
  }

  formula(formula: Formula): Formula {
    return mapFormula(
      formula,
      size => this.size(size),
      index => this.#names.get(`#${index}`) ?? { kind: 'scalar', index },
    )
  }

  /** Itself, where it is no size. */
  readonly within = <T>(value: T): T | Size => (value instanceof SizeExpr ? this.size(value) : value)

  /** With all sizes in it renamed. */
  deep(value: unknown): unknown {
    return deepMap(value, this.within)
  }
}

/** A value with `change` made everywhere in it: in arrays, and in the fields of plain objects. */
export function deepMap(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value)
  if (typeof changed !== 'object' || changed === null || changed instanceof SizeExpr || isCanonicalText(changed)) {
    return changed
  }
  if (Array.isArray(changed)) return changed.map(item => deepMap(item, change))
  return Object.fromEntries(Object.entries(changed).map(([key, item]) => [key, deepMap(item, change)]))
}
