/** The pieces written by hand in C, by name and element type. All others come from formulas (formulas.ts). */
import { InternalError } from '../../../base/errors.js'
import { boolMemoryFamilies, conversionFamilies } from './convert.js'
import { floatFamilies } from './float.js'
import { integerFamilies, longDivision, narrowDivision, wordDivision } from './integer.js'
import { builtinFamilies } from './libm.js'
import { boolFamilies, maskFamilies } from './mask.js'
import type { Elem, Families, Family } from './piece.js'
import { reduceFamilies } from './reduce.js'
import { typeFamilies } from './types.js'

const sources: readonly Families[] = [
  ...[typeFamilies, boolMemoryFamilies, boolFamilies, maskFamilies, conversionFamilies, reduceFamilies],
  ...[floatFamilies, integerFamilies, narrowDivision, wordDivision, longDivision, builtinFamilies],
]

/** op → element type → family */
const families = new Map<string, Map<Elem, Family>>()
for (const source of sources) {
  for (const [op, family] of Object.entries(source)) {
    const byElem = families.get(op) ?? new Map<Elem, Family>()
    families.set(op, byElem)
    for (const elem of family.elems) {
      if (byElem.has(elem)) throw new InternalError(`prelude: ${op}_${elem} is defined twice`)
      byElem.set(elem, family)
    }
  }
}

export const handwritten = (op: string, elem: Elem): Family | undefined => families.get(op)?.get(elem)
