/** The layout in which elements are counted by bins. */
import { blocked, type ThreadLayout } from './layout.js'

/** Neighbouring lanes hold neighbouring elements, and each warp consecutive ones. */
export const binLayout = (shape: readonly number[], warpBits: number): ThreadLayout => blocked(shape, [0], 0, warpBits)
