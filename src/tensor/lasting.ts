/** Tensors that objects make when they are first used, and keep: optimisers' state, observers of layers. */
import { outsideScopes } from './storage.js'
import { withTracer } from './tracer.js'

/** Runs `make` outside of the capture and of the scopes that the first use happens to be in: what it makes outlives both. */
export const lasting = <R>(make: () => R): R => withTracer(null, () => outsideScopes(make))
