/** Rules: a pattern, a condition on what it matched, and what stands there instead. */
import { reshapeTo, shapeOf } from '../build.js'
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
   * Where results differ from plain evaluation by more than rounding (which value of NaN, infinity, −0), or why they
   * are at least as accurate. For docs and `explain`.
   */
  readonly note: string
  /** Named parts of the pattern that nothing else may use: what was computed for them would be computed twice. */
  readonly only?: readonly string[]
  /** Refuses a match. */
  when?(found: Match): boolean
  /** The replacement, of the root's type, built on what was matched; null: not this one after all. */
  replace(found: Match, b: GraphBuilder): GraphNode | null
  /** The record that the replacement is: kernels and `explain` name it. */
  readonly op?: OpName
}

/** What a pattern matched, as seen from the root. */
export class Match {
  constructor(
    readonly root: GraphNode,
    readonly env: Env,
    readonly builder: GraphBuilder,
  ) {}

  get shape(): Shape {
    return shapeOf(this.root)
  }

  /** A tensor by name in the root's dims, broadcast to the root's shape; null when its axes are not the root's. */
  tensor(name: string): GraphNode | null {
    return this.#inRoot(this.#seen(name))
  }

  /** A tensor with these axes as its dims, in this order; null when it has others, or not in a way that views can give. */
  along(name: string, axes: readonly number[]): GraphNode | null {
    return alongAxes(this.builder, this.#seen(name), axes, this.env.sizes, false)
  }

  /** The axes that reductions of this name run over, also those that the root does not have. */
  reducedAxes(name: string): readonly number[] {
    return this.#axes(name)
  }

  /** A tensor as it is behind the views: where the root has lost the axes that were summed, it has them still. */
  base(name: string): GraphNode {
    return this.env.tensors.get(name)!.node
  }

  /** Whether a tensor is itself what another pattern describes. */
  is(name: string, pattern: Pattern): boolean {
    return match(pattern, this.base(name)) !== null
  }

  has(name: string): boolean {
    return this.env.tensors.has(name)
  }

  /** The part of the graph that a named part of the pattern matched; it need not stand in the root's dims. */
  part(name: string): GraphNode {
    return this.env.named.get(name)!.node
  }

  /**
   * `node`, which has the dims of the part of this name, where the root sees that part: turned, reshaped and broadcast as
   * it is on the way there; null when views cannot give that.
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

  /** Whether a tensor is the same along all dims of the root but these. */
  variesOnlyAlong(name: string, allowed: readonly number[]): boolean {
    return axesOf(this.#seen(name).dims.flat(), this.env).every(axis => allowed.includes(axis))
  }

  /** A result with the root's elements in order, in the root's shape. */
  shaped(node: GraphNode): GraphNode {
    return reshapeTo(this.builder, node, this.shape)
  }

  /** A record's first result on tensors of the match. */
  build(name: keyof typeof recordTable, inputs: readonly GraphNode[], attrs: object): GraphNode {
    const record = recordTable[name]
    const given = inputs.map(node => ({ node, isNumber: false }))
    const [made] = record.build(this.builder, given, attrs as never)
    // Larger patterns match the formula.
    return made!.op === 'region' ? made!.inputs[made!.attrs.operands]! : made!
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

/** Looks for a rule's pattern with `root` as its root. Nothing is replaced. */
export function findMatch(rule: Pick<PatternRule, 'pattern' | 'when'>, root: GraphNode, b: GraphBuilder): Match | null {
  const env = match(rule.pattern, root)
  if (env === null) return null
  const found = new Match(root, env, b)
  return rule.when === undefined || rule.when(found) ? found : null
}

/** A rule for people: `gelu (erf): 0.5·x·(1 + erf(0.707107·x))`. */
export const printRule = ({ name, pattern }: Pick<PatternRule, 'name' | 'pattern'>): string =>
  `${name}: ${printPattern(pattern)}`
