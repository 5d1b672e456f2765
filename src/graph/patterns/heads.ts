/**
 * Cheap rejection before matching: the ops that a pattern can start with and needs, and the ops in a node's tree of sums or
 * products. Nearly all nodes are rejected here.
 */
import { InternalError } from '../../base/errors.js'
import { isFloat } from '../../types/dtype.js'
import { dtypeOf } from '../build.js'
import { formulaOf } from '../derivatives/regions.js'
import { type GraphNode, isView } from '../ir.js'
import type { Part, Pattern } from './pattern.js'

/** The key by which rules that may match a node are found. */
export const keyOf = (node: GraphNode): string =>
  node.op === 'map' || node.op === 'reduce' ? `${node.op} ${node.attrs.fn}` : node.op

/** The keys of nodes that the pattern may have as its root. */
export function rootKeys(pattern: Pattern): readonly string[] {
  switch (pattern.kind) {
    case 'named':
      return rootKeys(pattern.pattern)
    case 'oneOf':
      return [...new Set(pattern.options.flatMap(rootKeys))]
    case 'map':
      return [`map ${pattern.fn}`]
    case 'product':
    case 'mean':
      return ['map mul', 'map div', 'map neg']
    case 'sum':
      return ['map add', 'map sub', 'map neg']
    case 'reduce':
      return [`reduce ${pattern.fn}`]
    case 'matmul':
      return ['matmul']
    case 'conv':
      return ['conv']
    case 'permuted':
      return ['permute']
    case 'any':
    case 'number':
      throw new InternalError(`patterns: '${pattern.name}' alone is no rule's pattern`)
    default:
      return pattern satisfies never
  }
}

/** Keys of nodes without which a graph cannot hold the pattern. */
export function neededKeys(pattern: Pattern): ReadonlySet<string> {
  switch (pattern.kind) {
    case 'any':
    case 'number':
      return new Set()
    case 'named':
      return neededKeys(pattern.pattern)
    case 'oneOf': {
      const [first, ...others] = pattern.options.map(neededKeys) as [ReadonlySet<string>, ...ReadonlySet<string>[]]
      return new Set([...first].filter(key => others.every(other => other.has(key))))
    }
    case 'map':
      return new Set([`map ${pattern.fn}`, ...pattern.inputs.flatMap(input => [...neededKeys(input)])])
    case 'product':
      return new Set(pattern.factors.flatMap(({ pattern: factor }) => [...neededKeys(factor)]))
    case 'sum':
      return new Set(pattern.terms.flatMap(({ pattern: term }) => [...neededKeys(term)]))
    case 'reduce':
      return new Set([`reduce ${pattern.fn}`, ...neededKeys(pattern.input)])
    case 'mean':
      return new Set(['reduce add', ...neededKeys(pattern.input)])
    case 'matmul':
      return new Set(['matmul', ...neededKeys(pattern.left), ...neededKeys(pattern.right)])
    case 'conv':
      return new Set(['conv', ...neededKeys(pattern.input), ...neededKeys(pattern.weight)])
    case 'permuted':
      return new Set(['permute', ...neededKeys(pattern.input)])
    default:
      return pattern satisfies never
  }
}

// --- sums and products ---------------------------------------------------------------------------------------------------

export type Kind = 'product' | 'sum'

export const combining = { product: ['mul', 'div'], sum: ['add', 'sub'] } as const

type Keys = ReadonlySet<string>

const headCache = new WeakMap<Pattern, Keys | null>()

/** Keys of nodes that may match the pattern, ignoring views and roundings; null: any. */
function headKeys(pattern: Pattern): Keys | null {
  const known = headCache.get(pattern)
  if (known !== undefined) return known
  const made = findHeads(pattern)
  headCache.set(pattern, made)
  return made
}

function findHeads(pattern: Pattern): Keys | null {
  switch (pattern.kind) {
    case 'any':
    case 'number':
      return null
    case 'named':
      return headKeys(pattern.pattern)
    case 'oneOf':
      return union(pattern.options.map(headKeys))
    case 'product':
      return combinedHeads('product', pattern, pattern.factors)
    case 'sum':
      return combinedHeads('sum', pattern, pattern.terms)
    case 'mean':
      return new Set([...rootKeys(pattern), 'reduce add'])
    default:
      return new Set(rootKeys(pattern))
  }
}

/** A product of one factor may be that factor itself; one without factors is a constant. */
function combinedHeads(kind: Kind, pattern: Pattern, parts: readonly Part[]): Keys | null {
  if (parts.length === 0) return null
  const own: Keys = new Set([...rootKeys(pattern), ...combining[kind].map(fn => `map ${fn}`)])
  return parts.length > 1 ? own : union([own, headKeys(parts[0]!.pattern)])
}

function union(all: readonly (Keys | null)[]): Keys | null {
  const result = new Set<string>()
  for (const keys of all) {
    if (keys === null) return null
    for (const key of keys) result.add(key)
  }
  return result
}

const trees = { product: new WeakMap<GraphNode, Keys>(), sum: new WeakMap<GraphNode, Keys>() }

/**
 * Keys of all nodes in the tree of products (or sums) at a node, itself included. Callers walk the graph from the inputs up
 * and query every node, so recursion stays shallow.
 */
export function treeKeys(kind: Kind, node: GraphNode): Keys {
  const known = trees[kind].get(node)
  if (known !== undefined) return known
  const below = inputBelow(node)
  const inner = below && treeKeys(kind, below)
  const made = inner ?? ownTree(kind, node)
  trees[kind].set(node, made)
  return made
}

/** What a view, a rounding or a region is of: patterns see through it. */
const inputBelow = (node: GraphNode): GraphNode | null =>
  isView(node) || isRounding(node) ? node.inputs[0]! : formulaOf(node)

const isRounding = (node: GraphNode): boolean => node.op === 'cast' && isFloat(dtypeOf(node.inputs[0]!))

function ownTree(kind: Kind, node: GraphNode): Keys {
  const own = keyOf(node)
  if (node.op !== 'map') return new Set([own])
  const { fn } = node.attrs
  if (fn !== 'neg' && fn !== combining[kind][0] && fn !== combining[kind][1]) return new Set([own])
  return new Set([own, ...node.inputs.flatMap(input => [...treeKeys(kind, input)])])
}

/** False if nothing in the tree at a node could match some part of the product or sum. */
export function mayHold(kind: Kind, parts: readonly Part[], node: GraphNode): boolean {
  const keys = treeKeys(kind, node)
  return parts.every(({ pattern }) => {
    const heads = partHeads(kind, pattern)
    return heads === null || [...heads].some(key => keys.has(key))
  })
}

/** Whether a node may match a part, by its op; a cheap check before matching. */
export function mayBe(kind: Kind, { pattern }: Part, node: GraphNode): boolean {
  const heads = partHeads(kind, pattern)
  return heads === null || heads.has(ownKey(node))
}

/** The key of the node below views and roundings. */
function ownKey(node: GraphNode): string {
  let inner = node
  for (let below = inputBelow(inner); below !== null; below = inputBelow(inner)) inner = below
  return keyOf(inner)
}

const partCaches = { product: new WeakMap<Pattern, Keys | null>(), sum: new WeakMap<Pattern, Keys | null>() }

/** Keys for a part: also those of its inverse, which matches on the other side of a quotient or difference. */
function partHeads(kind: Kind, pattern: Pattern): Keys | null {
  const known = partCaches[kind].get(pattern)
  if (known !== undefined) return known
  const other = inverse(kind, pattern)
  const made = union([headKeys(pattern), ...(other === null ? [] : [headKeys(other)])])
  partCaches[kind].set(pattern, made)
  return made
}

/** The pattern of 1 / pattern or −pattern, where it is itself written as a product or sum. */
export function inverse(kind: Kind, pattern: Pattern): Pattern | null {
  const known = inverses[kind].get(pattern)
  if (known !== undefined) return known
  const made = invert(kind, pattern)
  inverses[kind].set(pattern, made)
  return made
}

const inverses = { product: new WeakMap<Pattern, Pattern | null>(), sum: new WeakMap<Pattern, Pattern | null>() }

function invert(kind: Kind, pattern: Pattern): Pattern | null {
  const flip = (parts: readonly Part[]): Part[] => parts.map(part => ({ ...part, inverted: !part.inverted }))
  if (pattern.kind === 'oneOf') {
    const options = pattern.options.map(option => inverse(kind, option)).filter(option => option !== null)
    return options.length === 0 ? null : { kind: 'oneOf', options }
  }
  if (pattern.kind === 'product' && typeof pattern.coefficient === 'number')
    return kind === 'sum'
      ? { ...pattern, coefficient: -pattern.coefficient }
      : { ...pattern, coefficient: 1 / pattern.coefficient, factors: flip(pattern.factors) }
  if (pattern.kind === 'sum' && kind === 'sum' && typeof pattern.constant === 'number')
    return { ...pattern, constant: -pattern.constant, terms: flip(pattern.terms) }
  return null
}
