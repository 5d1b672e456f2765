/**
 * The pattern pass: one walk from the inputs up. Each node is offered to the rules whose root it could be; the first match
 * is applied and its result offered again, so that small rules prepare the input of larger ones.
 */
import { InternalError } from '../../base/errors.js'
import type { SourceLocation } from '../../base/source.js'
import { ownNodesOf, usersOf } from '../../ir/walk.js'
import { isFloat } from '../../types/dtype.js'
import { type Graph, type GraphBuilder, type GraphNode, graphBuilder, graphDialect, isView } from '../ir.js'
import { isOpName } from '../ops/index.js'
import { remake } from '../passes/pass.js'
import { simplifyRules } from '../passes/simplify.js'
import { Cones } from './cones.js'
import { keyOf, rootKeys } from './heads.js'
import { hasOutline } from './outline.js'
import { findMatch, type Match, type PatternRule } from './rule.js'

/** A rule that matched user code. */
export interface FiredRule {
  readonly rule: string
  readonly note: string
  readonly count: number
  /** The user's lines, each once. */
  readonly lines: readonly SourceLocation[]
}

export interface PatternResult {
  readonly graph: Graph
  readonly fired: readonly FiredRule[]
}

/**
 * Requires: a verified, simplified graph. Guarantees: the same function, at least as accurate, with all matches replaced.
 * `keepsRegions`: by ops that keep gradients of their own.
 */
export function applyPatterns(graph: Graph, rules: readonly PatternRule[], keepsRegions = false): PatternResult {
  return new PatternPass(graph, rules, keepsRegions).run()
}

type RuleIndex = ReadonlyMap<string, readonly PatternRule[]>

const indexes = new WeakMap<readonly PatternRule[], RuleIndex>()

/** The rules by the keys that their root can have, in order. */
function indexRules(rules: readonly PatternRule[]): RuleIndex {
  const known = indexes.get(rules)
  if (known !== undefined) return known
  const index = new Map<string, PatternRule[]>()
  for (const rule of rules) {
    for (const key of rootKeys(rule.pattern)) index.set(key, [...(index.get(key) ?? []), rule])
  }
  indexes.set(rules, index)
  return index
}

/** Upper bound on the depth of a matched expression, roundings included. */
const maxDistance = 24

/** Rewrites of one node; more means that two rules undo each other. */
const maxRewrites = 16

class PatternPass {
  readonly #b = graphBuilder()
  readonly #renamed = new Map<GraphNode, GraphNode>()
  /** The nodes of the old graph that a node of the new one stands for. */
  readonly #olds = new Map<GraphNode, GraphNode[]>()
  readonly #users: ReadonlyMap<GraphNode, readonly (GraphNode | null)[]>
  readonly #index: RuleIndex
  readonly #cones: Cones
  /** Rules that fired, by the replacement node. */
  readonly #fired = new Map<GraphNode, { rule: PatternRule; at: SourceLocation | null }>()
  /** The op name that nodes now carry. */
  readonly #labels = new Map<GraphNode, string>()

  constructor(
    readonly graph: Graph,
    rules: readonly PatternRule[],
    readonly keepsRegions: boolean,
  ) {
    this.#index = indexRules(rules)
    this.#cones = new Cones(rules)
    this.#users = usersOf<GraphNode>(graph.body)
  }

  run(): PatternResult {
    for (const node of ownNodesOf<GraphNode>(this.graph.body)) {
      const inputs = node.inputs.map(input => this.#renamed.get(input)!)
      const made = this.#settle(node, remake(this.#b, node, inputs))
      this.#renamed.set(node, made)
      this.#olds.set(made, [...(this.#olds.get(made) ?? []), node])
    }
    return { graph: this.#finish(), fired: summary([...this.#fired.values()]) }
  }

  #settle(old: GraphNode, start: GraphNode): GraphNode {
    let node = start
    for (let rewrites = 0; ; rewrites++) {
      if (rewrites > maxRewrites) throw new InternalError(`patterns: rules do not settle on ${keyOf(start)}`)
      this.#cones.of(node)
      const next = this.#applyFirst(old, node)
      if (next === null) return node
      node = next
    }
  }

  /** The replacement by the first rule that matches; null if none matches or it returns the node itself. */
  #applyFirst(old: GraphNode, node: GraphNode): GraphNode | null {
    const candidates = this.#index.get(keyOf(node))
    if (candidates === undefined || !isComputed(node)) return null
    for (const rule of candidates) {
      if (!this.#cones.mayMatch(rule, node) || !hasOutline(rule.pattern, node)) continue
      const found = findMatch(rule, node, this.#b, this.keepsRegions)
      if (found === null) continue
      const interior = interiorOf(node, found)
      if (!this.#areOnlyUsedHere(rule, found, old, interior)) continue
      const next = this.#replace(rule, found, interior)
      if (next !== null) return next === node ? null : next
    }
    return null
  }

  #replace(rule: PatternRule, found: Match, interior: ReadonlySet<GraphNode>): GraphNode | null {
    const { root } = found
    const computing = [...interior].filter(isComputing)
    const label = labelOf(computing)
    // These nodes come from one op record, not from user code written out.
    if (label !== null && computing.length > 1) return null
    const origin = { at: root.origin.at, pass: label ?? rule.op ?? root.origin.pass }
    const next = this.#b.withOrigin(origin, () => {
      const made = rule.replace(found, this.#b)
      return made === null ? null : tidy(this.#b, made, root.id)
    })
    if (next === null) return null
    if (graphDialect.typeKey(next.type) !== graphDialect.typeKey(root.type)) {
      const types = [next, root].map(({ type }) => graphDialect.printType(type)).join(' for ')
      throw new InternalError(`patterns: ${rule.name} gives ${types}`, { at: root.origin.at ?? undefined })
    }
    const inner = interiorOf(next, found)
    if (label === null && rule.op !== undefined) for (const each of inner) this.#labels.set(each, rule.op)
    if (next !== root || (label === null && rule.op !== undefined)) {
      // Matches inside this one were intermediate steps.
      for (const each of [...interior, ...inner]) this.#fired.delete(each)
      this.#fired.set(next, { rule, at: root.origin.at })
    }
    return next
  }

  /** Whether nothing outside the match uses the parts that the rule lists in `only`. */
  #areOnlyUsedHere(rule: PatternRule, found: Match, old: GraphNode, interior: ReadonlySet<GraphNode>): boolean {
    const holes = holesOf(found)
    return (rule.only ?? []).every(name => {
      const part = found.env.named.get(name)?.node
      const olds = part === undefined ? [] : (this.#olds.get(part) ?? [])
      return olds.every(was => this.#isOnlyUsedBy(was, old, { interior, holes }, maxDistance))
    })
  }

  /**
   * Whether `was`, including through views, casts and regions, is used only by the old node being replaced, by `interior`, or by
   * nodes that earlier replacements have made dead.
   */
  #isOnlyUsedBy(was: GraphNode, old: GraphNode, match: Parts, far: number): boolean {
    return this.#users.get(was)!.every(user => {
      if (user === null) return false
      if (user === old) return true
      const now = this.#renamed.get(user)
      if (now === undefined || match.holes.has(now)) return false
      if (match.interior.has(now) && !isView(user) && user.op !== 'cast' && user.op !== 'region') return true
      return far > 0 && this.#isOnlyUsedBy(user, old, match, far - 1)
    })
  }

  /** The new graph; nodes that a rule built carry the name of its op. */
  #finish(): Graph {
    const { results, params } = this.graph.body
    const rename = (node: GraphNode): GraphNode => this.#renamed.get(node)!
    const body = this.#b.finish(results.map(rename), params.map(rename))
    return this.#labels.size === 0 ? { ...this.graph, body } : relabel({ ...this.graph, body }, this.#labels)
  }
}

/** The fired rules with counts and lines. */
function summary(fired: readonly { readonly rule: PatternRule; readonly at: SourceLocation | null }[]): FiredRule[] {
  return [...new Set(fired.map(({ rule }) => rule))].map(rule => {
    const places = fired.filter(each => each.rule === rule).map(({ at }) => at)
    const lines = new Map(places.flatMap(at => (at === null ? [] : [[`${at.file}:${at.line}`, at] as const])))
    return { rule: rule.name, note: rule.note, count: places.length, lines: [...lines.values()] }
  })
}

/** Patterns are written for floats in their compute dtype. */
const isComputed = ({ type }: GraphNode): boolean => type.kind === 'tensor' && isFloat(type.dtype)

interface Parts {
  readonly interior: ReadonlySet<GraphNode>
  readonly holes: ReadonlySet<GraphNode>
}

/** The nodes bound to the pattern's tensor names. */
const holesOf = ({ env }: Match): Set<GraphNode> => new Set([...env.tensors.values()].map(({ node }) => node))

/** The matched nodes between the root and the bound tensors. */
function interiorOf(root: GraphNode, found: Match): Set<GraphNode> {
  const bases = holesOf(found)
  const interior = new Set<GraphNode>()
  const stack = [root]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (bases.has(node) || interior.has(node) || node.inputs.length === 0) continue
    interior.add(node)
    stack.push(...node.inputs)
  }
  return interior
}

const isComputing = ({ op }: GraphNode): boolean => op === 'map' || op === 'reduce' || op === 'matmul' || op === 'conv'

/** The one op that all nodes come from (directly or through passes); null if they come from several. */
function labelOf(computing: readonly GraphNode[]): string | null {
  const labels = computing.map(({ origin }) => origin.pass).filter(isOpName)
  const [only, ...others] = new Set(labels)
  return only !== undefined && others.length === 0 ? only : null
}

/** Simplifies a replacement, so that it interns with equal existing nodes. Nodes older than the match are left alone. */
function tidy(b: GraphBuilder, node: GraphNode, newest: number, known = new Map<GraphNode, GraphNode>()): GraphNode {
  if (node.id <= newest) return node
  const before = known.get(node)
  if (before !== undefined) return before
  const inputs = node.inputs.map(input => tidy(b, input, newest, known))
  let made = inputs.every((input, i) => input === node.inputs[i]) ? node : remake(b, node, inputs)
  for (const rule of simplifyRules) {
    if (!rule.ops.includes(made.op)) continue
    const next = rule.apply(made, b)
    if (next === null || next === made) continue
    made = tidy(b, next, newest, known)
    break
  }
  known.set(node, made)
  return made
}

/** The same graph with other op names in the origins. Interned nodes keep their first origin, so the graph is rebuilt. */
function relabel(graph: Graph, labels: ReadonlyMap<GraphNode, string>): Graph {
  const b = graphBuilder()
  const renamed = new Map<GraphNode, GraphNode>()
  for (const node of ownNodesOf<GraphNode>(graph.body)) {
    const label = isView(node) ? undefined : labels.get(node)
    const origin = label === undefined ? node.origin : { at: node.origin.at, pass: label }
    const inputs = node.inputs.map(input => renamed.get(input)!)
    renamed.set(
      node,
      b.withOrigin(origin, () => b.copy(node, inputs)),
    )
  }
  const rename = (node: GraphNode): GraphNode => renamed.get(node)!
  return { ...graph, body: b.finish(graph.body.results.map(rename), graph.body.params.map(rename)) }
}
