/** The target that formulas (math/) for PTX are written for. */
import type { Machine, Results } from '../../math/formula.js'
import { isNative } from './scalar.js'
import { makeMap, simplified } from './simplify.js'

/** `results`: the precision to which values are needed. */
export const ptxMachine = (results: Results): Machine => ({
  isNative,
  map: makeMap,
  cast(b, to, x) {
    const node = b.node('cast', [x], { to })
    return simplified(b, node, [x]) ?? node
  },
  hints: { approximate: results, scale: false, f64: false },
})
