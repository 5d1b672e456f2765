/**
 * All lanes of a vector folded to one: lane i with lane i + W/2, then the halves of that, and so on. So the order of
 * additions depends on the width alone, never on the machine.
 */
import { type Elem, type Families, type Family, fill, integers, numbers } from './piece.js'

const fold = (doc: string, op: string, elems: readonly Elem[]): Family => ({
  doc,
  elems,
  write: (name, at) => {
    if (at.width === 1) return fill(`FN $T ${name}($T v) { return v; }`, at)
    if (at.width === 2) return fill(`FN $S ${name}($T v) { return ${op}_$S(v[0], v[1]); }`, at)
    const half = `${at.elem}x${at.width / 2}`
    return fill(`FN $S ${name}($T v) { return fold_${op}_${half}(${op}_${half}(lo_$T(v), hi_$T(v))); }`, at)
  },
})

const bits: readonly Elem[] = [...integers, 'b32']

export const reduceFamilies: Families = {
  fold_add: fold('Sum of all lanes, pairwise.', 'add', numbers),
  fold_mul: fold('Product of all lanes, pairwise.', 'mul', numbers),
  fold_min: fold('Smallest lane; NaN if any is NaN.', 'min', [...numbers, 'b32']),
  fold_max: fold('Largest lane; NaN if any is NaN.', 'max', [...numbers, 'b32']),
  fold_and: fold('All lanes and-ed.', 'and', bits),
  fold_or: fold('All lanes or-ed.', 'or', bits),
}
