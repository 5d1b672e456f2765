/** The graph passes in the order in which they run. Each is pure, and says what it requires and guarantees. */
import { expandGradients } from '../derivatives/expand.js'
import { dropCopies, dropInnerCopies } from './copies.js'
import { moveGathers } from './gathers.js'
import { inlineRegions } from './inline-regions.js'
import type { GraphPass } from './pass.js'
import { simplify } from './simplify.js'
import { liftReshapes, sinkViews } from './views.js'

export type { GraphPass } from './pass.js'

/**
 * Canonicalisation before pattern matching. Gradients are expanded first, while ops are still kept together as regions;
 * regions and inner copies go next, as they block merging by the others.
 */
export const canonicalPasses: readonly GraphPass[] = [expandGradients, inlineRegions, dropInnerCopies, simplify]

/**
 * Moves gathers and views to where kernels can absorb them; simplifying again cleans up after that. Copies of results go last, when the
 * results are final.
 */
export const viewPasses: readonly GraphPass[] = [moveGathers, sinkViews, liftReshapes, simplify, dropCopies]

/** All of them, without patterns. */
export const graphPasses: readonly GraphPass[] = [...canonicalPasses, ...viewPasses]
