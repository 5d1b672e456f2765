/** Which values a gradient keeps: what would cost too much to compute again. */

import type { GraphNode, GraphOpName } from '../ir.js'
import { isChangedQuietly } from '../ops/formulas.js'
import { resultsOf } from './custom.js'

/**
 * Whether a value is computed again where the gradient needs it, from what it was computed of. Such work joins the kernels that
 * read it; the rest is stored.
 */
const isComputedAgain: Readonly<Record<GraphOpName, boolean>> = {
  input: true,
  scalarInput: true,
  constant: true,
  size: true,
  iota: true,
  map: true,
  cast: true,
  bitcast: true,
  copy: true,
  permute: true,
  expand: true,
  reshape: true,
  slice: true,
  affine: true,
  pad: true,
  reduce: false,
  scan: false,
  matmul: false,
  conv: false,
  convLast: false,
  foldWindows: false,
  groupOf: true,
  raggedMatmul: false,
  attention: false,
  attentionGradient: false,
  cat: true,
  gather: true,
  scatter: false,
  sort: false,
  topk: false,
  nth: false,
  random: true,
  launch: false,
  region: true,
  detach: true,
  variable: true,
  custom: true,
  fence: true,
  gradient: false,
  cond: false,
  loop: false,
  steps: false,
  item: true,
}

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
  const isLate = dependence(cotangents)
  const saved = new Set<GraphNode>()
  const seen = new Set<GraphNode>()
  const stack = [...gradients]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    if (given.has(node)) continue
    const { op } = node.op === 'item' ? node.inputs[0]! : node
    if (!isLate(node) && (!isComputedAgain[op] || isChangedQuietly(node))) saved.add(node)
    else stack.push(...standsFor(node))
  }
  return { saved: [...saved], read: seen }
}

/** What a value is computed of once gradients are expanded. */
const standsFor = (node: GraphNode): readonly GraphNode[] =>
  node.op === 'region' || node.op === 'custom' ? resultsOf(node) : node.inputs

/** Whether a node depends on one of `sources`. */
function dependence(sources: ReadonlySet<GraphNode>): (node: GraphNode) => boolean {
  const known = new Map<GraphNode, boolean>()
  return node => {
    const stack = [node]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      const open = known.has(top) ? [] : top.inputs.filter(input => !known.has(input))
      if (open.length > 0) stack.push(...open)
      else {
        stack.pop()
        known.set(top, sources.has(top) || top.inputs.some(input => known.get(input)!))
      }
    }
    return known.get(node)!
  }
}
