/**
 * Groups of dots: dots in one block that share an operand, such that between them no op reads their results or writes
 * memory. The shared operand is staged in shared memory once, and its fragments are loaded once.
 */
import { type TileNode, tileDialect } from '../../tile/ir.js'
import { operandKey } from './dot-layouts.js'
import { layoutKey } from './layout.js'
import type { LayoutPlan } from './plan.js'
import { isRenaming } from './renaming.js'

/** Each dot's group, in order; a dot without partners is a group of its own. */
export type DotGroups = ReadonlyMap<TileNode, readonly TileNode[]>

/** Groups of adjacent dots that may be issued together, because none reads another's result. */
export function dotGroups(plan: LayoutPlan): DotGroups {
  const groups = new Map<TileNode, TileNode[]>()
  for (const nodes of plan.order.values()) {
    let open: TileNode[] = []
    // Renamings of the open group's results emit no code, so they do not end the group.
    const renamed = new Set<TileNode>()
    for (const node of nodes) {
      const uses = node.inputs.some(input => open.includes(input) || renamed.has(input))
      if (uses && isRenaming(node)) renamed.add(node)
      else if (uses || tileDialect.ops[node.op].effect === 'effect') open = []
      if (node.op !== 'dot') continue
      if (open.length === 0 || !open.every(other => meet(plan, other, node))) open = []
      open.push(node)
      groups.set(node, open)
    }
  }
  return groups
}

/** True for dots of one shape and method that share the left or the right operand. */
function meet(plan: LayoutPlan, first: TileNode, second: TileNode): boolean {
  const [one, other] = [plan.dots.get(first)!, plan.dots.get(second)!]
  if ([first, second].some(dot => plan.leftInRegisters.has(dot))) return false
  const alike = one.method === other.method && one.operand === other.operand && one.accumulator === other.accumulator
  if (String(one.codes) !== String(other.codes)) return false
  const sameShape = one.m === other.m && one.n === other.n && one.k === other.k
  if (!alike || !sameShape || layoutKey(one.acc) !== layoutKey(other.acc)) return false
  return operandKey(one, 0) === operandKey(other, 0) || operandKey(one, 1) === operandKey(other, 1)
}
