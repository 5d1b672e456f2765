/** What patterns can start with, what they see through, and their inverses. */
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

/** What a view, a rounding or a region is of: patterns see through it; null: it is none. */
export const inputBelow = (node: GraphNode): GraphNode | null =>
  isView(node) || isRounding(node) ? node.inputs[0]! : formulaOf(node)

const isRounding = (node: GraphNode): boolean => node.op === 'cast' && isFloat(dtypeOf(node.inputs[0]!))

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
