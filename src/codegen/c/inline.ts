/**
 * Decides how each value of a block is written: inlined into its single user, assigned directly to a carried variable, or as
 * a named variable. A pure value may be inlined when its user is in the same block (otherwise it was hoisted out of a loop on
 * purpose); a load only when no memory is written between its own position and the statement that will contain it.
 */
import { type LaneNode, laneDialect } from '../../lane/ir.js'
import type { Liveness } from '../../lane/live.js'

/** Values that are written out at every use: they cost nothing, and a name would not add anything. */
export const alwaysInline = (node: LaneNode): boolean => node.op === 'const' || node.op === 'item' || node.op === 'iota'

/** How the nodes of one block are written. */
export interface BlockPlan {
  /** May be inlined into their single user. */
  readonly inline: ReadonlySet<LaneNode>
  /**
   * Results, by index, that may be assigned to their carried variable where they are computed, because the old value is not
   * read later. This reduces register pressure at the end of wide loops.
   */
  readonly assign: ReadonlyMap<LaneNode, number>
}

/**
 * Plans a block with the live nodes `list`, in order, and the live results `results`. `carried`: the params whose variables
 * take the results; empty where results go elsewhere.
 */
export function planBlock(
  list: readonly LaneNode[],
  results: readonly LaneNode[],
  live: Liveness,
  carried: readonly LaneNode[],
): BlockPlan {
  const { uses } = live
  const end = list.length
  /** The latest position at which the expression that contains a node is evaluated. */
  const evaluated = new Map<LaneNode, number>()
  const reads = new Map<LaneNode, number[]>()
  const read = (node: LaneNode, place: number): void => {
    evaluated.set(node, place)
    reads.set(node, [...(reads.get(node) ?? []), place])
  }
  for (const result of results) read(result, end)
  const resultIndex = carried.length === 0 ? new Map<LaneNode, number>() : new Map(results.map((node, i) => [node, i]))
  const writesBefore = countWrites(list)
  const inline = new Set<LaneNode>()
  for (let at = end - 1; at >= 0; at--) {
    const node = list[at]!
    const held = evaluated.get(node)
    if (held !== undefined && uses.get(node) === 1 && !resultIndex.has(node) && mayMove(node, at, held, writesBefore))
      inline.add(node)
    const place = inline.has(node) ? held! : at
    node.inputs.forEach((input, position) => {
      if (!live.reads(node, position)) return
      if (!isLoopBound(node, position)) read(input, place)
      else reads.set(input, [...(reads.get(input) ?? []), end])
    })
  }
  const assign = new Map<LaneNode, number>()
  list.forEach((node, at) => {
    const index = resultIndex.get(node)
    if (
      index === undefined ||
      uses.get(node) !== 1 ||
      laneDialect.ops[node.op].effect === 'effect' ||
      alwaysInline(node)
    )
      return
    const places = reads.get(carried[index]!) ?? []
    // Reads by inner blocks are counted in `uses` but not in `places`: then the value is not assigned early.
    if (places.length === (uses.get(carried[index]!) ?? 0) && places.every(place => place <= at))
      assign.set(node, index)
  })
  return { inline, assign }
}

function mayMove(node: LaneNode, at: number, held: number, writesBefore: readonly number[]): boolean {
  const { effect } = laneDialect.ops[node.op]
  if (effect === 'pure') return true
  return effect === 'read' && writesBefore[held] === writesBefore[at]
}

/** C evaluates a `for` statement's bounds in every iteration, so bounds get names. */
const isLoopBound = (node: LaneNode, position: number): boolean =>
  node.op === 'for' && (position === 1 || position === 2)

/** How many effects come before each node of the list, and at its end. */
function countWrites(list: readonly LaneNode[]): number[] {
  const before = [0]
  for (const node of list)
    before.push(before.at(-1)! + Number(laneDialect.ops[node.op].effect === 'effect' && node.op !== 'alloc'))
  return before
}
