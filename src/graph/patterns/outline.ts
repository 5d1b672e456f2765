/**
 * A finer rejection than that by cones: whether the ops below a node are those of a pattern, whatever its holes, constants, roundings and
 * axes are. That depends on node and pattern alone, so each pair is decided once.
 */
import type { GraphNode } from '../ir.js'
import { combining, inputBelow, inverse, type Kind } from './heads.js'
import type { Part, Pattern } from './pattern.js'

/** Trees of sums and products are not split deeper than this. */
export const maxDepth = 6

const outlines = new WeakMap<GraphNode, Map<Pattern, boolean>>()

/** False if the node cannot match the pattern. */
export function hasOutline(pattern: Pattern, node: GraphNode): boolean {
  if (pattern.kind === 'any' || pattern.kind === 'number') return true
  const known = outlines.get(node) ?? new Map<Pattern, boolean>()
  if (known.size === 0) outlines.set(node, known)
  const before = known.get(pattern)
  if (before !== undefined) return before
  const found = compare(pattern, node)
  known.set(pattern, found)
  return found
}

function compare(pattern: Pattern, node: GraphNode): boolean {
  switch (pattern.kind) {
    case 'any':
    case 'number':
      return true
    case 'named':
      return hasOutline(pattern.pattern, node)
    case 'oneOf':
      return pattern.options.some(option => hasOutline(option, node))
    case 'product':
      return pattern.factors.every(part => treeHas('product', part, node))
    case 'sum':
      return pattern.terms.every(part => treeHas('sum', part, node))
    case 'mean':
      return treeOf('product', node).some(each => applies(each, 'reduce', 'add') && haveOutlines([pattern.input], each))
    case 'map':
      return applies(behind(node), 'map', pattern.fn) && haveOutlines(pattern.inputs, behind(node))
    case 'reduce':
      return applies(behind(node), 'reduce', pattern.fn) && haveOutlines([pattern.input], behind(node))
    case 'matmul':
      return behind(node).op === 'matmul' && haveOutlines([pattern.left, pattern.right], behind(node))
    case 'conv':
      return behind(node).op === 'conv' && haveOutlines([pattern.input, pattern.weight, pattern.bias], behind(node))
    case 'permuted':
      return node.op === 'permute' && haveOutlines([pattern.input], node)
    default:
      return pattern satisfies never
  }
}

const applies = (node: GraphNode, op: 'map' | 'reduce', fn: string): boolean => node.op === op && node.attrs.fn === fn

/** Whether the inputs may match the patterns, in order or, as of commutative ops, in reverse. */
function haveOutlines(patterns: readonly Pattern[], { inputs }: GraphNode): boolean {
  if (inputs.every((input, i) => patterns[i] === undefined || hasOutline(patterns[i], input))) return true
  return inputs.length === 2 && hasOutline(patterns[0]!, inputs[1]!) && hasOutline(patterns[1]!, inputs[0]!)
}

/** The node below views, roundings and regions. */
function behind(node: GraphNode): GraphNode {
  let inner = node
  for (let below = inputBelow(inner); below !== null; below = inputBelow(inner)) inner = below
  return inner
}

/** False if no node in the tree of products (or sums) at a node could match the part or, on the other side, its inverse. */
export function treeHas(kind: Kind, { pattern }: Part, node: GraphNode): boolean {
  const other = inverse(kind, pattern)
  return treeOf(kind, node).some(each => hasOutline(pattern, each) || (other !== null && hasOutline(other, each)))
}

const trees = {
  product: new WeakMap<GraphNode, readonly GraphNode[]>(),
  sum: new WeakMap<GraphNode, readonly GraphNode[]>(),
}

/** The nodes into which the tree of products (or sums) at a node can be split, itself included, without what is on top of them. */
function treeOf(kind: Kind, node: GraphNode): readonly GraphNode[] {
  const root = behind(node)
  const known = trees[kind].get(root)
  if (known !== undefined) return known
  const found = new Set<GraphNode>()
  const visit = (each: GraphNode, depth: number): void => {
    found.add(each)
    if (depth === 0 || each.op !== 'map') return
    const { fn } = each.attrs
    if (fn !== 'neg' && fn !== combining[kind][0] && fn !== combining[kind][1]) return
    for (const input of each.inputs) visit(behind(input), depth - 1)
  }
  visit(root, maxDepth)
  const tree = [...found]
  trees[kind].set(root, tree)
  return tree
}
