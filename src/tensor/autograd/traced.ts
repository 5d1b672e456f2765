/** The one place that asks whether gradients are a capture's matter. */
import { currentTracer, type TracedAutograd } from '../tracer.js'

/** What the active capture does with gradients; null: ops run eagerly. */
export const tracedAutograd = (): TracedAutograd | null => currentTracer()?.autograd ?? null
