/** What formulas (math/) may count on in PTX. */
import type { Machine, Results } from '../../math/formula.js'
import { isNative } from './scalar.js'
import { makeMap, simplified } from './simplify.js'

/** For kernels whose results are stored so. */
export const ptxMachine = (results: Results): Machine => ({
  isNative,
  map: makeMap,
  cast(b, to, x) {
    const node = b.node('cast', [x], { to })
    return simplified(b, node, [x]) ?? node
  },
  hints: { approximate: results, scale: false, f64: false },
})
