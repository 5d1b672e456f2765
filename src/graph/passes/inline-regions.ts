/**
 * What only gradients need goes: regions come apart into the formulas that they are, and what was detached or a variable, or fenced
 * with nothing to wait for, is the value.
 */
import { ownNodesOf } from '../../ir/walk.js'
import { resultsOf } from '../derivatives/custom.js'
import type { GraphNode } from '../ir.js'
import { type GraphPass, rebuild, remake } from './pass.js'

/** Whether it is its input, as soon as there is no gradient to be taken. */
const isPlain = ({ op, inputs }: GraphNode): boolean =>
  op === 'detach' || op === 'variable' || (op === 'fence' && inputs.length === 1)

/** Whether it is what some of its inputs are. */
const isMark = (node: GraphNode): node is Extract<GraphNode, { op: 'region' | 'custom' }> =>
  node.op === 'region' || node.op === 'custom'

export const inlineRegions: GraphPass = {
  name: 'inline regions',
  requires: 'gradients are expanded',
  guarantees: 'no region: what used one uses what the formula gave; nothing is detached; all fences wait for something',
  run: graph => {
    if (!ownNodesOf(graph.body).some(node => isMark(node) || isPlain(node))) return graph
    const results = new Map<GraphNode, readonly GraphNode[]>()
    return rebuild(graph, 'inline regions', (b, node, inputs) => {
      if (isPlain(node)) return inputs[0]!
      if (isMark(node)) {
        const shown = resultsOf(node).map(result => inputs[node.inputs.indexOf(result)]!)
        results.set(node, shown)
        return shown[0]!
      }
      const given = node.op === 'item' ? results.get(node.inputs[0]!) : undefined
      return node.op === 'item' && given !== undefined ? given[node.attrs.index]! : remake(b, node, inputs)
    })
  },
}
