/**
 * What a match at a node could reach: the ops that the pattern needs are looked for below the node, through no other ops than the
 * pattern has. Nearly all rules are rejected here, at the cost of a comparison.
 */
import { type GraphNode, isView } from '../ir.js'
import { keyOf, neededKeys, rootKeys } from './heads.js'
import type { Pattern } from './pattern.js'
import type { PatternRule } from './rule.js'

/** The keys of all nodes that a match of the pattern can consist of. */
function ownKeys(pattern: Pattern): readonly string[] {
  switch (pattern.kind) {
    case 'any':
    case 'number':
      return []
    case 'named':
      return ownKeys(pattern.pattern)
    case 'oneOf':
      return pattern.options.flatMap(ownKeys)
    case 'map':
      return [...rootKeys(pattern), ...pattern.inputs.flatMap(ownKeys)]
    case 'product':
      return [...rootKeys(pattern), ...pattern.factors.flatMap(factor => ownKeys(factor.pattern))]
    case 'sum':
      return [...rootKeys(pattern), ...pattern.terms.flatMap(term => ownKeys(term.pattern))]
    case 'reduce':
    case 'permuted':
      return [...rootKeys(pattern), ...ownKeys(pattern.input)]
    case 'mean':
      return [...rootKeys(pattern), 'reduce add', ...ownKeys(pattern.input)]
    case 'matmul':
      return [...rootKeys(pattern), ...ownKeys(pattern.left), ...ownKeys(pattern.right)]
    case 'conv':
      return [...rootKeys(pattern), ...[pattern.input, pattern.weight, pattern.bias].flatMap(ownKeys)]
    default:
      return pattern satisfies never
  }
}

/** The keys that a rule needs, each of which is a bit, and those that it sees through. */
interface RuleKeys {
  readonly bits: ReadonlyMap<string, number>
  readonly through: ReadonlySet<string>
  readonly all: number
}

const keysOfRules = new WeakMap<PatternRule, RuleKeys>()

/** Every graph is matched against the same rules, and walking their patterns would take longer than matching most graphs. */
function keysOf(rule: PatternRule): RuleKeys {
  const known = keysOfRules.get(rule)
  if (known !== undefined) return known
  const bits = new Map([...neededKeys(rule.pattern)].map((key, i) => [key, 1 << i]))
  const all = [...bits.values()].reduce((sum, bit) => sum | bit, 0)
  const made = { bits, through: new Set(ownKeys(rule.pattern)), all }
  keysOfRules.set(rule, made)
  return made
}

/** What each rule makes of nodes with a key. */
interface KeyMasks {
  readonly own: Int32Array
  /** All bits where it sees through them, else none. */
  readonly through: Int32Array
}

export class Cones {
  readonly #rules: readonly RuleKeys[]
  readonly #indices: ReadonlyMap<PatternRule, number>
  readonly #ofKeys = new Map<string, KeyMasks>()
  readonly #found = new Map<GraphNode, Int32Array>()

  constructor(rules: readonly PatternRule[]) {
    this.#rules = rules.map(keysOf)
    this.#indices = new Map(rules.map((rule, i) => [rule, i]))
  }

  /** False if the rule cannot match at the node. */
  mayMatch(rule: PatternRule, node: GraphNode): boolean {
    const index = this.#indices.get(rule)!
    return this.of(node)[index] === this.#rules[index]!.all
  }

  /** Per rule, the needed keys below a node. Callers ask for the nodes from the inputs up, so recursion stays shallow. */
  of(node: GraphNode): Int32Array {
    const known = this.#found.get(node)
    if (known !== undefined) return known
    const { own, through } = this.#masksOf(node)
    const found = own.slice()
    for (const input of node.inputs) {
      const below = this.of(input)
      for (let rule = 0; rule < found.length; rule++) found[rule]! |= below[rule]! & through[rule]!
    }
    this.#found.set(node, found)
    return found
  }

  #masksOf(node: GraphNode): KeyMasks {
    const key = keyOf(node)
    const known = this.#ofKeys.get(key)
    if (known !== undefined) return known
    // All patterns see through views, roundings and regions.
    const isClear = isView(node) || node.op === 'cast' || node.op === 'region'
    const masks = {
      own: Int32Array.from(this.#rules, ({ bits }) => bits.get(key) ?? 0),
      through: Int32Array.from(this.#rules, ({ through }) => (isClear || through.has(key) ? -1 : 0)),
    }
    this.#ofKeys.set(key, masks)
    return masks
  }
}
