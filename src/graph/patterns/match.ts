/**
 * The matcher. Sums and products are matched up to order, grouping and constants: a node's tree of products is split in
 * every way that leaves as many factors as the pattern has, and each split is tried. Trees are only split as deep as a
 * pattern can use, so the work per node is bounded by the pattern, not by the graph.
 */
import type { Size } from '../../scalar/size.js'
import { productOf, sameSize } from '../../scalar/size.js'
import { computeDtype, type Dtype, isFloat } from '../../types/dtype.js'
import { dtypeOf, shapeOf } from '../build.js'
import { formulaOf } from '../derivatives/regions.js'
import { type GraphNode, isView } from '../ir.js'
import { behindViews, type Dim, type Seen, throughView } from './axes.js'
import { combining, inverse, type Kind } from './heads.js'
import { hasOutline, maxDepth, treeHas } from './outline.js'
import type { Part, Pattern } from './pattern.js'

/** The bindings of a partial match; immutable, for backtracking. */
export interface Env {
  readonly tensors: ReadonlyMap<string, Seen>
  readonly numbers: ReadonlyMap<string, number>
  readonly named: ReadonlyMap<string, Seen>
  /** Sizes of all axes so far: the root's dims, then those that reductions added. */
  readonly sizes: readonly Size[]
  /** Axes unified with an earlier one. */
  readonly same: ReadonlyMap<number, number>
  readonly reductions: readonly Reduction[]
  /** Narrow dtypes of the roundings that the match skipped. */
  readonly rounded: ReadonlySet<Dtype>
}

interface Reduction {
  readonly name: string
  readonly axes: readonly number[]
  /** Axes along which its result varies. */
  readonly kept: readonly number[]
}

/** Continuation of a match; null if the rest does not match. */
type Next = (env: Env) => Env | null

/** Matches a node against a pattern. The root's dims become the axes 0, 1, …; null: it does not match. */
export function match(pattern: Pattern, root: GraphNode): Env | null {
  const sizes = shapeOf(root)
  const env: Env = {
    tensors: new Map(),
    numbers: new Map(),
    named: new Map(),
    sizes,
    same: new Map(),
    reductions: [],
    rounded: new Set(),
  }
  return matchSeen(pattern, { node: root, dims: sizes.map((_, d) => [d]) }, env, checked)
}

function matchSeen(pattern: Pattern, seen: Seen, env: Env, next: Next): Env | null {
  switch (pattern.kind) {
    case 'any':
      return bind(pattern.name, behindViews(seen, env.sizes), env, next)
    case 'number':
      return bindNumber(pattern.name, seen.node, env, next)
    case 'named':
      return matchSeen(pattern.pattern, seen, env, after => {
        const { node, dims } = revealed(seen, after.sizes)
        return next({ ...after, named: new Map(after.named).set(pattern.name, { node, dims }) })
      })
    case 'oneOf':
      return firstOf(pattern.options, option =>
        hasOutline(option, seen.node) ? matchSeen(option, seen, env, next) : null,
      )
    case 'map':
      return matchMap(pattern, seen, env, next)
    case 'product':
      return matchProduct(pattern.coefficient, pattern.factors, seen, env, next)
    case 'sum':
      return matchSplits('sum', pattern.constant, pattern.terms, seen, env, next)
    case 'reduce': {
      const reduce = revealed(seen, env.sizes)
      if (reduce.node.op !== 'reduce' || reduce.node.attrs.fn !== pattern.fn) return null
      return matchReduce(pattern.input, pattern.axes, reduce, env, next)
    }
    case 'mean':
      return matchMean(pattern.input, pattern.axes, seen, env, next)
    case 'matmul':
      return matchMatmul(pattern, seen, env, next)
    case 'conv':
      return matchConv(pattern, seen, env, next)
    case 'permuted': {
      const inner = seen.node.op === 'permute' ? throughView(seen, env.sizes) : null
      return inner === null ? null : matchSeen(pattern.input, inner, env, next)
    }
    default:
      return pattern satisfies never
  }
}

function firstOf<T, R>(options: Iterable<T>, attempt: (option: T) => R | null): R | null {
  for (const option of options) {
    const found = attempt(option)
    if (found !== null) return found
  }
  return null
}

// --- looking through -----------------------------------------------------------------------------------------------------

interface Revealed extends Seen {
  readonly rounded: readonly Dtype[]
}

/**
 * The op below views, regions and the roundings to f16 and bf16 between ops on narrow floats. A matmul or conv that rounds its
 * own result counts as rounded afterwards.
 */
function revealed(seen: Seen, sizes: readonly Size[]): Revealed {
  const rounded: Dtype[] = []
  let current = below(seen, sizes)
  for (;;) {
    const inner = behindRounding(current, sizes)
    if (inner === null) return { ...current, rounded }
    rounded.push(inner.rounded)
    current = inner
  }
}

/** The op below views, and below the marks of ops that are formulas. */
function below(seen: Seen, sizes: readonly Size[]): Seen {
  const { node, dims } = behindViews(seen, sizes)
  const formula = formulaOf(node)
  return formula === null ? { node, dims } : below({ node: formula, dims }, sizes)
}

/** The input of a cast that only rounds, and the dtype that it rounds to. */
function behindRounding({ node, dims }: Seen, sizes: readonly Size[]): (Seen & { readonly rounded: Dtype }) | null {
  if (node.op !== 'cast') return null
  const [to, from] = [dtypeOf(node), dtypeOf(node.inputs[0]!)]
  // An operand rounded to a narrow dtype for a matmul.
  const isOperand = isFloat(to) && to !== from && computeDtype(to) === from
  if (isOperand) return { ...below({ node: node.inputs[0]!, dims }, sizes), rounded: to }
  const inner = behindWidening({ node, dims }, sizes)
  return inner === null ? null : { ...inner, rounded: from }
}

/** The input of a rounding to a narrow dtype that the next op widens again. */
function behindWidening({ node, dims }: Seen, sizes: readonly Size[]): Seen | null {
  const [wide, narrow] = [dtypeOf(node), dtypeOf(node.inputs[0]!)]
  if (!isFloat(narrow) || narrow === wide || computeDtype(narrow) !== wide) return null
  const inner = below({ node: node.inputs[0]!, dims }, sizes)
  if (inner.node.op === 'matmul' || inner.node.op === 'conv') return inner
  if (inner.node.op !== 'cast' || dtypeOf(inner.node.inputs[0]!) !== wide) return null
  return below({ node: inner.node.inputs[0]!, dims: inner.dims }, sizes)
}

const withRounded = (env: Env, rounded: readonly Dtype[]): Env =>
  rounded.length === 0 ? env : { ...env, rounded: new Set([...env.rounded, ...rounded]) }

/** The value of a node that is one constant float everywhere; else null. */
export function constantValue(node: GraphNode): number | null {
  let inner = node
  while (isView(inner)) inner = inner.inputs[0]!
  return inner.op === 'constant' && typeof inner.attrs.value === 'number' ? inner.attrs.value : null
}

// --- holes ---------------------------------------------------------------------------------------------------------------

function bind(name: string, seen: Seen, env: Env, next: Next): Env | null {
  const known = env.tensors.get(name)
  if (known === undefined) return next({ ...env, tensors: new Map(env.tensors).set(name, seen) })
  if (known.node !== seen.node) return null
  const same = sameDims(known.dims, seen.dims, shapeOf(seen.node), env)
  return same === null ? null : next({ ...env, same })
}

function bindNumber(name: string, node: GraphNode, env: Env, next: Next): Env | null {
  const value = constantValue(node)
  return value === null ? null : nameNumber(name, value, env, next)
}

function nameNumber(name: string, value: number, env: Env, next: Next): Env | null {
  const known = env.numbers.get(name)
  if (known !== undefined) return known === value ? next(env) : null
  return next({ ...env, numbers: new Map(env.numbers).set(name, value) })
}

export function resolve(axis: number, same: ReadonlyMap<number, number>): number {
  let current = axis
  for (let earlier = same.get(current); earlier !== undefined; earlier = same.get(current)) current = earlier
  return current
}

/** Unifies two lists of dims: the axis equalities under which they agree, or null. Only axes of reductions may be unified. */
function sameDims(a: readonly Dim[], c: readonly Dim[], shape: readonly Size[], env: Env): Env['same'] | null {
  const root = env.sizes.length - env.reductions.reduce((count, { axes }) => count + axes.length, 0)
  let same = env.same
  for (const [d, size] of shape.entries()) {
    if (size === 1) continue
    if (a[d]!.length !== c[d]!.length) return null
    for (const [i, axis] of a[d]!.entries()) {
      const [x, y] = [resolve(axis, same), resolve(c[d]![i]!, same)]
      if (x === y) continue
      const [earlier, later] = x < y ? [x, y] : [y, x]
      if (later < root || !sameSize(env.sizes[earlier]!, env.sizes[later]!)) return null
      same = new Map(same).set(later, earlier)
    }
  }
  return same
}

// --- ops -----------------------------------------------------------------------------------------------------------------

const commutative: ReadonlySet<string> = new Set(['min', 'max', 'eq', 'ne', 'and', 'or', 'xor'])

function matchMap(pattern: Extract<Pattern, { kind: 'map' }>, seen: Seen, env: Env, next: Next): Env | null {
  const { node, dims, rounded } = revealed(seen, env.sizes)
  if (node.op !== 'map' || node.attrs.fn !== pattern.fn) return null
  const inputs = node.inputs.map(input => ({ node: input, dims }))
  const orders = commutative.has(pattern.fn) ? [inputs, inputs.toReversed()] : [inputs]
  return firstOf(orders, order => matchAll(pattern.inputs, order, withRounded(env, rounded), next))
}

function matchAll(patterns: readonly Pattern[], seen: readonly Seen[], env: Env, next: Next): Env | null {
  const [pattern, ...rest] = patterns
  if (pattern === undefined) return next(env)
  return matchSeen(pattern, seen[0]!, env, after => matchAll(rest, seen.slice(1), after, next))
}

/** Matches a reduction; it introduces new axes. */
function matchReduce(
  input: Pattern,
  name: string,
  { node, dims, rounded }: Revealed,
  env: Env,
  next: Next,
): Env | null {
  if (node.op !== 'reduce') return null
  const from = node.inputs[0]!
  const { dims: reduced } = node.attrs
  const axes = reduced.map((_, i) => env.sizes.length + i)
  const left = [...dims]
  const inner = shapeOf(from).map((_, d): Dim => (reduced.includes(d) ? [axes[reduced.indexOf(d)]!] : left.shift()!))
  const entered: Env = {
    ...withRounded(env, rounded),
    sizes: [...env.sizes, ...reduced.map(d => shapeOf(from)[d]!)],
    reductions: [...env.reductions, { name, axes, kept: dims.flat() }],
  }
  return matchSeen(input, { node: from, dims: inner }, entered, next)
}

function matchMean(input: Pattern, axes: string, seen: Seen, env: Env, next: Next): Env | null {
  const attempt = (split: Split, leaf: Leaf | undefined, count: Leaf | null): Env | null => {
    if (leaf === undefined || leaf.inverted) return null
    const reduce = revealed(leaf, env.sizes)
    if (reduce.node.op !== 'reduce' || reduce.node.attrs.fn !== 'add') return null
    const from = shapeOf(reduce.node.inputs[0]!)
    const summands = productOf(reduce.node.attrs.dims.map(d => from[d]!))
    if (count === null && (typeof summands !== 'number' || !isNear(split.constant, 1 / summands, seen.node)))
      return null
    if (count !== null && !(split.constant === 1 && count.inverted && isCount(count.node, summands))) return null
    return matchReduce(input, axes, reduce, withRounded(env, split.rounded), next)
  }
  return (
    firstOf(splits('product', seen, 1, env.sizes), split => attempt(split, split.leaves[0], null)) ??
    firstOf(splits('product', seen, 2, env.sizes), split => attempt(split, split.leaves[0], split.leaves[1]!))
  )
}

/** Recognises a run-time size as a float, as records build it: cast, and clamped to at least 0. */
function isCount(node: GraphNode, size: Size): boolean {
  let inner = node
  for (;;) {
    if (isView(inner) || inner.op === 'cast') inner = inner.inputs[0]!
    else if (inner.op === 'map' && inner.attrs.fn === 'max' && constantValue(inner.inputs[1]!) === 0)
      inner = inner.inputs[0]!
    else return inner.op === 'size' && sameSize(inner.attrs.size, size)
  }
}

function matchMatmul(pattern: Extract<Pattern, { kind: 'matmul' }>, seen: Seen, env: Env, next: Next): Env | null {
  const { node, dims, rounded } = revealed(seen, env.sizes)
  if (node.op !== 'matmul' || node.attrs.codes !== undefined) return null
  const [a, c] = node.inputs as [GraphNode, GraphNode]
  const depth = env.sizes.length
  const batch = dims.slice(0, -2)
  const entered: Env = {
    ...withRounded(env, rounded),
    sizes: [...env.sizes, shapeOf(a).at(-1)!],
    reductions: [...env.reductions, { name: pattern.axes ?? `depth ${depth}`, axes: [depth], kept: dims.flat() }],
  }
  const operands = [
    { node: a, dims: [...batch, dims.at(-2)!, [depth]] },
    { node: c, dims: [...batch, [depth], dims.at(-1)!] },
  ]
  return matchAll([pattern.left, pattern.right], operands, entered, next)
}

/** The window dims of the input, and the dims of the weight other than its outputs, are new axes, as for a reduction. */
function matchConv(pattern: Extract<Pattern, { kind: 'conv' }>, seen: Seen, env: Env, next: Next): Env | null {
  const { node, dims, rounded } = revealed(seen, env.sizes)
  if (node.op !== 'conv') return null
  const [x, weight, bias] = node.inputs as [GraphNode, GraphNode, GraphNode?]
  const added = [...shapeOf(x).slice(1), ...shapeOf(weight).slice(1)]
  const axes = added.map((_, i) => env.sizes.length + i)
  const entered: Env = {
    ...withRounded(env, rounded),
    sizes: [...env.sizes, ...added],
    reductions: [...env.reductions, { name: `windows ${env.sizes.length}`, axes, kept: dims.flat() }],
  }
  const own = axes.map((axis): Dim => [axis])
  const operands = [
    { node: x, dims: [dims[0]!, ...own.slice(0, own.length / 2)] },
    { node: weight, dims: [dims[1]!, ...own.slice(own.length / 2)] },
    ...(bias === undefined ? [] : [{ node: bias, dims: [dims[1]!] }]),
  ]
  const patterns = [pattern.input, pattern.weight, pattern.bias].slice(0, operands.length)
  return matchAll(patterns, operands, entered, next)
}

// --- sums and products ---------------------------------------------------------------------------------------------------

interface Leaf extends Seen {
  readonly inverted: boolean
}

/** A sum or product split into a constant and leaves. */
interface Split {
  readonly constant: number
  readonly leaves: readonly Leaf[]
  readonly rounded: readonly Dtype[]
}

const neutral = { product: 1, sum: 0 } as const

/** All ways to split a node into a constant and `count` leaves. */
function* splits(kind: Kind, seen: Seen, count: number, sizes: readonly Size[], depth = maxDepth): Generator<Split> {
  const value = constantValue(seen.node)
  if (count === 0) {
    if (value !== null) yield { constant: value, leaves: [], rounded: [] }
    return
  }
  if (count === 1) yield { constant: neutral[kind], leaves: [{ ...seen, inverted: false }], rounded: [] }
  if (depth === 0 || value !== null) return
  const { node, dims, rounded } = revealed(seen, sizes)
  if (node.op !== 'map') return
  const [x, y] = node.inputs.map(input => ({ node: input, dims })) as [Seen, Seen?]
  if (node.attrs.fn === 'neg') {
    for (const split of splits(kind, x, count, sizes, depth - 1)) yield rounding(negated(kind, split), rounded)
  }
  const [plain, inverse] = combining[kind]
  if (y === undefined || (node.attrs.fn !== plain && node.attrs.fn !== inverse)) return
  // A side without leaves must be a constant.
  const [min, max] = [constantValue(x.node) === null ? 1 : 0, constantValue(y.node) === null ? count - 1 : count]
  for (let first = min; first <= max; first++) {
    for (const a of splits(kind, x, first, sizes, depth - 1)) {
      for (const c of splits(kind, y, count - first, sizes, depth - 1))
        yield rounding(combined(kind, a, node.attrs.fn === inverse ? invertedSplit(kind, c) : c), rounded)
    }
  }
}

/** The split, which skips roundings to `rounded` too. */
const rounding = (split: Split, rounded: readonly Dtype[]): Split =>
  rounded.length === 0 ? split : { ...split, rounded: [...split.rounded, ...rounded] }

function combined(kind: Kind, a: Split, c: Split): Split {
  return {
    constant: kind === 'product' ? a.constant * c.constant : a.constant + c.constant,
    leaves: [...a.leaves, ...c.leaves],
    rounded: [...a.rounded, ...c.rounded],
  }
}

/** The split of the reciprocal of a product, or of the negative of a sum. */
function invertedSplit(kind: Kind, split: Split): Split {
  return {
    constant: kind === 'product' ? 1 / split.constant : -split.constant,
    leaves: split.leaves.map(leaf => ({ ...leaf, inverted: !leaf.inverted })),
    rounded: split.rounded,
  }
}

/** The split of the negative of a product or a sum. */
const negated = (kind: Kind, split: Split): Split =>
  kind === 'sum' ? invertedSplit(kind, split) : { ...split, constant: -split.constant }

/** Matches a node with a constant (`wanted`, or the name that it binds) times factors. */
function matchProduct(wanted: number | string, factors: readonly Part[], seen: Seen, env: Env, next: Next): Env | null {
  if (factors.length === 0) {
    const value = constantValue(seen.node)
    return value !== null && typeof wanted === 'number' && isNear(value, wanted, seen.node) ? next(env) : null
  }
  return matchSplits('product', wanted, factors, seen, env, next)
}

/** Tries every split that has the wanted constant. */
function matchSplits(
  kind: Kind,
  wanted: number | string,
  parts: readonly Part[],
  seen: Seen,
  env: Env,
  next: Next,
): Env | null {
  if (!parts.every(part => treeHas(kind, part, seen.node))) return null
  return firstOf(splits(kind, seen, parts.length, env.sizes), split => {
    if (!parts.every(part => split.leaves.some(leaf => mayBe(kind, part, leaf)))) return null
    const entered = withRounded(env, split.rounded)
    const rest: Next = after => matchParts(kind, parts, split.leaves, after, next)
    if (typeof wanted === 'number') return isNear(split.constant, wanted, seen.node) ? rest(entered) : null
    return split.constant === neutral[kind] ? null : nameNumber(wanted, split.constant, entered, rest)
  })
}

/** What a leaf must match to be the part: on the other side, its inverse; null: it cannot. */
const sideOf = (kind: Kind, { pattern, inverted }: Part, leaf: Leaf): Pattern | null =>
  leaf.inverted === inverted ? pattern : inverse(kind, pattern)

function mayBe(kind: Kind, part: Part, leaf: Leaf): boolean {
  const pattern = sideOf(kind, part, leaf)
  return pattern !== null && hasOutline(pattern, leaf.node)
}

/** Pairs parts with leaves in every order. */
function matchParts(kind: Kind, parts: readonly Part[], leaves: readonly Leaf[], env: Env, next: Next): Env | null {
  const [part, ...others] = parts
  if (part === undefined) return next(env)
  return firstOf(leaves.keys(), i => {
    const leaf = leaves[i]!
    const pattern = sideOf(kind, part, leaf)
    if (pattern === null || !hasOutline(pattern, leaf.node)) return null
    return matchSeen(pattern, leaf, env, after => matchParts(kind, others, leaves.toSpliced(i, 1), after, next))
  })
}

const epsilon: Partial<Record<Dtype, number>> = { f64: 2 ** -52, f32: 2 ** -23 }

/**
 * Constants with few digits (1, 0.5, −1.25) must match exactly. Others, such as √½ or 1/768, are rounded when written, so
 * they may differ by one unit in the last place of the dtype.
 */
function isNear(found: number, wanted: number, node: GraphNode): boolean {
  if (found === wanted) return true
  if (Number.isInteger(wanted * 2 ** 8) || !Number.isFinite(wanted)) return false
  return Math.abs(found - wanted) <= (epsilon[dtypeOf(node)] ?? 0) * Math.abs(wanted)
}

// --- final checks --------------------------------------------------------------------------------------------------------

/**
 * Final checks. Reductions of one name run over the same axes, each over as many as it reduces (a sum over r and s of x[r,
 * s] · x[s, r] is no sum of squares), and none over an axis that its own result keeps (nor is a sum over r of x[r] · x[i]).
 * All skipped roundings must be to one dtype, which the matched tensors come from.
 */
function checked(env: Env): Env | null {
  const byName = new Map<string, string>()
  for (const { name, axes, kept } of env.reductions) {
    const resolved = axesOf(axes, env)
    if (resolved.length !== axes.filter(axis => env.sizes[axis] !== 1).length) return null
    if (axesOf(kept, env).some(axis => resolved.includes(axis))) return null
    const text = resolved.join()
    if ((byName.get(name) ?? text) !== text) return null
    byName.set(name, text)
  }
  const narrow = [...env.rounded]
  if (narrow.length === 0) return env
  const [dtype] = narrow
  const fits = narrow.length === 1 && [...env.tensors.values()].every(({ node }) => comesFrom(node, dtype!))
  return fits ? env : null
}

/** Distinct axes in ascending order, without those of size 1. */
export function axesOf(axes: readonly number[], { same, sizes }: Env): number[] {
  const resolved = axes.filter(axis => sizes[axis] !== 1).map(axis => resolve(axis, same))
  return [...new Set(resolved)].sort((a, c) => a - c)
}

const comesFrom = (node: GraphNode, dtype: Dtype): boolean =>
  dtypeOf(node) === dtype ||
  dtypeOf(node) === 'bool' ||
  (node.op === 'cast' && dtypeOf(node.inputs[0]!) === dtype) ||
  constantValue(node) !== null
