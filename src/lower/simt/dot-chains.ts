/**
 * Dots whose result is the left operand of another dot (attention weights). If warps split only rows (M), each warp has its
 * part of the second dot's left operand in its own registers.
 */
import { nodesOf } from '../../ir/walk.js'
import type { TileNode, TileProgram } from '../../tile/ir.js'

/** The dots that feed another dot's left operand, and those other dots. */
export function chainedDots(program: TileProgram): ReadonlySet<TileNode> {
  const chained = new Set<TileNode>()
  for (const node of nodesOf(program.body)) {
    if (node.op !== 'dot') continue
    const sources = dotsBehind(node.inputs[0]!)
    for (const source of sources) chained.add(source)
    if (sources.size > 0) chained.add(node)
  }
  return chained
}

/** The dots from which an operand is computed elementwise. */
function dotsBehind(operand: TileNode): Set<TileNode> {
  const found = new Set<TileNode>()
  const seen = new Set<TileNode>()
  const stack = [operand]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (seen.has(node)) continue
    seen.add(node)
    if (node.op === 'dot') found.add(node)
    else if (node.op === 'map' || node.op === 'cast' || node.op === 'bitcast' || node.op === 'reshape')
      stack.push(...node.inputs)
  }
  return found
}
