/** Which values a gradient keeps, where it is computed apart from what it is the gradient of. */
import type { GraphNode } from '../ir.js'
import { keptFor, madeFrom } from './partition.js'
import { backwardNodes } from './recompute.js'

/** What gradients read. */
export interface ReadValues {
  /** The values to be stored for them. */
  readonly saved: readonly GraphNode[]
  /** All that they read. */
  readonly read: ReadonlySet<GraphNode>
}

/** What gradients read of what does not depend on `cotangents`, looking no further than to what is given. */
export function readBy(
  gradients: readonly GraphNode[],
  cotangents: ReadonlySet<GraphNode>,
  given: ReadonlySet<GraphNode>,
): ReadValues {
  const { late, needed } = backwardNodes(gradients, cotangents)
  const kept = keptFor(needed, node => given.has(node))
  const read = new Set(needed)
  for (const node of read) if (!kept.has(node)) for (const input of madeFrom(node)) read.add(input)
  const saved = [...kept].filter(node => !given.has(node) && node.inputs.length > 0)
  return { saved, read: new Set([...read, ...late]) }
}
