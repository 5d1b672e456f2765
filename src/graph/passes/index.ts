/** The graph passes in the order in which they run. Each is pure, and says what it requires and guarantees. */
import { expandConvolutions } from './convolutions.js'
import { dropCopies, dropInnerCopies } from './copies.js'
import { inlineRegions } from './inline-regions.js'
import type { GraphPass } from './pass.js'
import { simplify } from './simplify.js'
import { liftReshapes, sinkViews } from './views.js'

export type { GraphPass } from './pass.js'

/**
 * What comes before patterns are looked for: one way to write everything that simplification knows. Regions and copies inside
 * go first: they part what the others could merge.
 */
export const canonicalPasses: readonly GraphPass[] = [inlineRegions, dropInnerCopies, simplify]

/** What patterns and people know as one op, and fusion as several, comes apart between the two. */
export const expansionPasses: readonly GraphPass[] = [expandConvolutions]

/**
 * What comes last: views where kernels can take them in. Simplifying again clears what moved views left behind. Copies
 * of results go last: only then is it known what a result has become.
 */
export const viewPasses: readonly GraphPass[] = [sinkViews, liftReshapes, simplify, dropCopies]

/** All of them, without patterns. */
export const graphPasses: readonly GraphPass[] = [...canonicalPasses, ...expansionPasses, ...viewPasses]
