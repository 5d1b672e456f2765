/** All mistakes: made eagerly and compiled by ../bad-input.slow.test.ts, inside captureGraph by tests/cuda. */
import { attention } from './attention.js'
import { conversions } from './conversions.js'
import { products } from './products.js'
import { ragged } from './ragged.js'
import type { Mistake } from './table.js'

export type { Mistake } from './table.js'
export const mistakes: readonly Mistake[] = [...conversions, ...products, ...ragged, ...attention]
