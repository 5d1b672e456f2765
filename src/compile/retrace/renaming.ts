/** Renames boxed numbers, whose names differ between traces, so that formulas of them can be compared. */
import { isCanonicalText } from '../../base/canonical.js'
import { type Formula, formulaText, mapFormula } from '../../scalar/formula.js'
import { type Size, SizeExpr, substituteSize } from '../../scalar/size.js'

export class Renaming {
  readonly #names = new Map<string, Formula>()

  /** @param rest what replaces symbols that are not renamed; null (default): they stay */
  constructor(readonly rest: (name: string) => Size | null = () => null) {}

  /** Replaces `from`, a symbol or a scalar input, by `to` from now on. */
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

  /** Renames a size; returns other values as they are. */
  readonly within = <T>(value: T): T | Size => (value instanceof SizeExpr ? this.size(value) : value)

  /** Renames all sizes inside a value. */
  deep(value: unknown): unknown {
    return deepMap(value, this.within)
  }
}

/** Applies `change` to a value, recursively in arrays and fields of plain objects. */
export function deepMap(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value)
  if (typeof changed !== 'object' || changed === null || changed instanceof SizeExpr || isCanonicalText(changed)) {
    return changed
  }
  if (Array.isArray(changed)) return changed.map(item => deepMap(item, change))
  return Object.fromEntries(Object.entries(changed).map(([key, item]) => [key, deepMap(item, change)]))
}
