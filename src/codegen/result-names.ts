/** Variable names of scalar ops' results in generated C and PTX; ops without an entry use their own name. */
import type { ScalarOpName } from '../scalar/ops.js'

export const resultNames: { readonly [Fn in ScalarOpName]?: string } = {
  add: 'sum',
  sub: 'difference',
  mul: 'product',
  div: 'quotient',
  fma: 'sum',
  where: 'chosen',
  neg: 'negated',
  max: 'larger',
  min: 'smaller',
  lt: 'is_less',
  le: 'is_at_most',
  gt: 'is_more',
  ge: 'is_at_least',
  eq: 'is_equal',
  ne: 'differs',
  and: 'both',
  or: 'either',
  not: 'opposite',
}
