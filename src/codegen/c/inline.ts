/**
 * Which values may be written inside their one user instead of getting a name. A pure value may when the user stands in
 * the same block (elsewhere it was placed outside a loop on purpose); a load, moreover, only when nothing is written
 * to memory between its own place and the statement that will hold it.
 */
import { type LaneBlock, type LaneNode, laneDialect } from '../../lane/ir.js'

/** Values that are written out at every use: they cost nothing and a name would say less. */
export const alwaysInline = (node: LaneNode): boolean => node.op === 'const' || node.op === 'item' || node.op === 'iota'

/** The nodes of `list` (one block's live nodes in order) that may be inlined. `uses` counts live uses. */
export function inlinable(
  block: LaneBlock,
  list: readonly LaneNode[],
  uses: ReadonlyMap<LaneNode, number>,
): ReadonlySet<LaneNode> {
  const end = list.length
  /** Where the expression that holds a node is evaluated at the latest. */
  const evaluated = new Map<LaneNode, number>()
  for (const result of block.results) evaluated.set(result, end)
  const writesBefore = countWrites(list)
  const chosen = new Set<LaneNode>()
  for (let at = end - 1; at >= 0; at--) {
    const node = list[at]!
    const held = evaluated.get(node)
    if (held !== undefined && uses.get(node) === 1 && mayMove(node, at, held, writesBefore)) chosen.add(node)
    const place = chosen.has(node) ? held! : at
    node.inputs.forEach((input, position) => {
      if (!isLoopBound(node, position)) evaluated.set(input, place)
    })
  }
  return chosen
}

function mayMove(node: LaneNode, at: number, held: number, writesBefore: readonly number[]): boolean {
  const { effect } = laneDialect.ops[node.op]
  if (effect === 'pure') return true
  return effect === 'read' && writesBefore[held] === writesBefore[at]
}

/** C evaluates a `for` statement's bounds every round: they get names. */
const isLoopBound = (node: LaneNode, position: number): boolean =>
  node.op === 'for' && (position === 1 || position === 2)

function countWrites(list: readonly LaneNode[]): number[] {
  const before = [0]
  for (const node of list)
    before.push(before.at(-1)! + Number(laneDialect.ops[node.op].effect === 'effect' && node.op !== 'alloc'))
  return before
}
