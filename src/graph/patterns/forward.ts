/**
 * Recognition before gradients are taken. What is written out is then differentiated as the op that it is: with that op's own,
 * stable gradient, and as one kernel where the op is one (attention).
 */
import { ownNodesOf } from '../../ir/walk.js'
import { mapBlocks } from '../blocks.js'
import { checkpointName } from '../derivatives/checkpoint.js'
import type { Graph, GraphNode } from '../ir.js'
import { dropInnerCopies } from '../passes/copies.js'
import { type GraphPass, rebuild, remake } from '../passes/pass.js'
import { simplify } from '../passes/simplify.js'
import { applyPatterns, type FiredRule, type PatternResult } from './apply.js'
import type { PatternRule } from './rule.js'

/** The values that gradients are taken of, and the operands of what is computed again: no rewriting may go around them. */
function cutPoints({ body }: Graph): ReadonlySet<GraphNode> {
  const cuts = ownNodesOf(body).flatMap(node => {
    if (node.op === 'gradient') return node.inputs.slice(2 * node.attrs.roots)
    return node.op === 'region' && node.attrs.name === checkpointName ? node.inputs.slice(0, node.attrs.operands) : []
  })
  return new Set(cuts.filter(({ op }) => op !== 'input' && op !== 'scalarInput'))
}

const fenceCuts: GraphPass = {
  name: 'fence cut points',
  requires: 'a verified graph',
  guarantees: 'all that depends on a value by which gradients are taken reads a fence of it',
  run: graph => {
    const cuts = cutPoints(graph)
    if (cuts.size === 0) return graph
    return rebuild(graph, 'fence cut points', (b, node, inputs) => {
      const made = remake(b, node, inputs)
      return cuts.has(node) ? b.node('fence', [made], {}) : made
    })
  },
}

const preparation: readonly GraphPass[] = [fenceCuts, dropInnerCopies, simplify]

/**
 * Requires: a verified graph whose `gradient` nodes are not expanded yet. Guarantees: the same function with the same gradients; what
 * `rules` match is replaced by a region, or a primitive, with a gradient rule of its own. A match is left as written if the graph asks
 * for a gradient with respect to one of its inner values.
 */
export function recogniseForward(graph: Graph, rules: readonly PatternRule[]): PatternResult {
  const fired: FiredRule[] = []
  const withBlocks = mapBlocks(graph, block => {
    const inner = recogniseForward(block, rules)
    fired.push(...inner.fired)
    return inner.graph
  })
  const prepared = preparation.reduce((current, { run }) => run(current), withBlocks)
  const found = applyPatterns(prepared, rules, true)
  return { graph: found.graph, fired: [...found.fired, ...fired] }
}
