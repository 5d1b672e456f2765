/** Rewrite rules: a pattern, a condition on the match, and the replacement. */
import { reshapeTo, shapeOf } from '../build.js'
import { formulaOf } from '../derivatives/regions.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type OpName, recordTable } from '../ops/index.js'
import { alongAxes, type Seen } from './axes.js'
import { axesOf, type Env, match, resolve } from './match.js'
import { type Pattern, printPattern } from './pattern.js'

export interface PatternRule {
  /** What it recognises; unique. */
  readonly name: string
  readonly pattern: Pattern
  /**
   * How results may differ from plain evaluation beyond rounding (NaN, infinity, −0), or why they are at least as accurate.
   * For docs and `explain`.
   */
  readonly note: string
  /** Named parts of the pattern that nothing outside the match may use, as they would be computed twice. */
  readonly only?: readonly string[]
  /** Rejects a match by returning false. */
  when?(found: Match): boolean
  /** Builds the replacement, of the root's type, from the match; null rejects it. */
  replace(found: Match, b: GraphBuilder): GraphNode | null
  /** The op that the replacement implements; names kernels, and shown by `explain`. */
  readonly op?: OpName
}

/** A successful match, with tensors in the root's axes. */
export class Match {
  constructor(
    readonly root: GraphNode,
    readonly env: Env,
    readonly builder: GraphBuilder,
    /** Gradients are still to be taken: what is built keeps its own. */
    readonly keepsRegions = false,
  ) {}

  get shape(): Shape {
    return shapeOf(this.root)
  }

  /** A tensor by name in the root's dims, broadcast to the root's shape; null when its axes are not the root's. */
  tensor(name: string): GraphNode | null {
    return this.#inRoot(this.#seen(name))
  }

  /** A tensor with these axes as its dims, in this order; null if it has others, or views cannot produce it. */
  along(name: string, axes: readonly number[]): GraphNode | null {
    return alongAxes(this.builder, this.#seen(name), axes, this.env.sizes, false)
  }

  /** The axes that reductions of this name run over, including those that the root lacks. */
  reducedAxes(name: string): readonly number[] {
    return this.#axes(name)
  }

  /** A tensor below the views: it still has the axes that were summed on the way to the root. */
  base(name: string): GraphNode {
    return this.env.tensors.get(name)!.node
  }

  /** Whether a bound tensor itself matches another pattern. */
  is(name: string, pattern: Pattern): boolean {
    return match(pattern, this.base(name)) !== null
  }

  has(name: string): boolean {
    return this.env.tensors.has(name)
  }

  /** The node that a named part of the pattern matched, with its own dims, not the root's. */
  part(name: string): GraphNode {
    return this.env.named.get(name)!.node
  }

  /**
   * `node`, which has the dims of the named part, permuted, reshaped and broadcast in the same way as that part is on its
   * way to the root; null if views cannot do that.
   */
  inPlaceOf(name: string, node: GraphNode): GraphNode | null {
    return this.#inRoot({ node, dims: this.env.named.get(name)!.dims })
  }

  number(name: string): number {
    return this.env.numbers.get(name)!
  }

  /** The root's dims that reductions of this name run over; null when one of them is not a dim of the root. */
  axes(name: string): readonly number[] | null {
    const axes = this.#axes(name)
    return axes.every(axis => axis < this.shape.length) ? axes : null
  }

  /** The dims of `base(name)` that reductions of this name run over, if the others are the root's dims in order. */
  baseDims(name: string, reduction: string): readonly number[] | null {
    const axes = this.#axes(reduction)
    const { node, dims } = this.#seen(name)
    const own = dims.map(dim => dim.filter(axis => this.env.sizes[axis] !== 1))
    const reduced = own.flatMap((dim, d) => (dim.length > 0 && dim.every(axis => axes.includes(axis)) ? [d] : []))
    const kept = own.filter((_, d) => !reduced.includes(d)).flat()
    const wanted = this.shape.flatMap((size, d) => (size === 1 ? [] : [d]))
    const all = new Set(reduced.flatMap(d => own[d]!)).size === axes.length
    const fits = all && kept.length === wanted.length && kept.every((axis, i) => axis === wanted[i])
    return fits && reduced.length > 0 && shapeOf(node).length > 0 ? reduced : null
  }

  /** Whether a tensor varies only along these dims of the root. */
  variesOnlyAlong(name: string, allowed: readonly number[]): boolean {
    return axesOf(this.#seen(name).dims.flat(), this.env).every(axis => allowed.includes(axis))
  }

  /** A result with the root's elements in order, in the root's shape. */
  shaped(node: GraphNode): GraphNode {
    return reshapeTo(this.builder, node, this.shape)
  }

  /** Builds an op on tensors of the match; gives its first result. */
  build(name: keyof typeof recordTable, inputs: readonly GraphNode[], attrs: object): GraphNode {
    const record = recordTable[name]
    const given = inputs.map(node => ({ node, isNumber: false }))
    const [made] = record.build(this.builder, given, attrs as never)
    return this.kept(made!)
  }

  /** A replacement: of a region only the formula, unless gradients of it are still to be taken. */
  kept(node: GraphNode): GraphNode {
    return this.keepsRegions ? node : (formulaOf(node) ?? node)
  }

  #inRoot({ node, dims }: Seen): GraphNode | null {
    const axes = this.shape.map((_, d) => d)
    const resolved = dims.map(dim => dim.map(axis => resolve(axis, this.env.same)))
    return alongAxes(this.builder, { node, dims: resolved }, axes, this.env.sizes, true)
  }

  #axes(name: string): readonly number[] {
    const reduction = this.env.reductions.find(each => each.name === name)
    return reduction === undefined ? [] : axesOf(reduction.axes, this.env)
  }

  #seen(name: string): Seen {
    const { node, dims } = this.env.tensors.get(name)!
    return { node, dims: dims.map(dim => dim.map(axis => resolve(axis, this.env.same))) }
  }
}

/** Matches a rule's pattern with `root` as its root, without replacing. */
export function findMatch(
  rule: Pick<PatternRule, 'pattern' | 'when'>,
  root: GraphNode,
  b: GraphBuilder,
  keepsRegions = false,
): Match | null {
  const env = match(rule.pattern, root)
  if (env === null) return null
  const found = new Match(root, env, b, keepsRegions)
  return rule.when === undefined || rule.when(found) ? found : null
}

/** A rule as text: `gelu (erf): 0.5·x·(1 + erf(0.707107·x))`. */
export const printRule = ({ name, pattern }: Pick<PatternRule, 'name' | 'pattern'>): string =>
  `${name}: ${printPattern(pattern)}`
