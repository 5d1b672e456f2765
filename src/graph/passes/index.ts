/** The graph passes in the order in which they run. Each is pure, and says what it requires and guarantees. */
import { dropCopies, dropInnerCopies } from './copies.js'
import type { GraphPass } from './pass.js'
import { simplify } from './simplify.js'
import { liftReshapes, sinkViews } from './views.js'

export type { GraphPass } from './pass.js'

/**
 * Copies inside go first: a copy parts what the others could merge. Those of results go last: only then is it known what
 * a result has become. Simplifying again clears what moved views left behind.
 */
export const graphPasses: readonly GraphPass[] = [
  dropInnerCopies,
  simplify,
  sinkViews,
  liftReshapes,
  simplify,
  dropCopies,
]
