/**
 * Scatters as targets with atomics take them, elements in any order:
 * - `set`: which element is the last one is found by a maximum of their positions; then the result picks
 * - integers of fewer than 32 bits become i32
 * - sums of f32 that must not depend on the order are sums of integers (`exactSum`); other such folds stay in order
 * - where many elements meet in few places, they are put into several copies of the result, which are then reduced
 * Without atomics, programs put parts of the elements into copies of their own where the order does not matter.
 */
import { castTo, constant, expandTo, full, map, reduce, reshapeTo } from '../../graph/build.js'
import { type GraphBuilder, type GraphNode, isView, type ScatterFold, type Shape, typeOf } from '../../graph/ir.js'
import type { Rule } from '../../ir/rewrite.js'
import { reductionIdentity } from '../../scalar/ops.js'
import { boundOf, mulSizes, productOf, type Size } from '../../scalar/size.js'
import { computeDtype, type Dtype, isFloat } from '../../types/dtype.js'
import type { ScatterNode } from '../groups/group.js'
import type { ScatterPolicy } from '../policy.js'

export const scatterRule = (policy: ScatterPolicy, deterministic: boolean): Rule<GraphNode> => ({
  name: 'scatter',
  ops: ['scatter'],
  apply: (node, b) =>
    node.op === 'scatter' ? b.withOrigin(node.origin, () => rewritten(b, node, policy, deterministic)) : null,
})

interface Scatter {
  readonly self: GraphNode
  readonly index: GraphNode
  readonly source: GraphNode
  readonly dim: number
  readonly fold: ScatterFold
}

function rewritten(
  b: GraphBuilder,
  node: ScatterNode,
  policy: ScatterPolicy,
  deterministic: boolean,
): GraphNode | null {
  const [self, index, source] = node.inputs as readonly [GraphNode, GraphNode, GraphNode]
  const scatter: Scatter = { self, index, source, ...node.attrs }
  const { dtype } = typeOf(node)
  if (node.attrs.inOrder || node.attrs.distinct === true) return null
  if (node.attrs.distinct === 'assumed') {
    const anyOrder = policy.atomics.size > 0 && !deterministic
    return b.node('scatter', node.inputs, { dim: scatter.dim, fold: scatter.fold, ...(anyOrder && { distinct: true }) })
  }
  if (policy.atomics.size === 0) return inParts(b, scatter, policy)
  if (scatter.fold === 'set') return lastOnes(b, scatter)
  if (!policy.atomics.has(dtype)) return inWide(b, scatter, isFloat(dtype) ? computeDtype(dtype) : 'i32')
  if (deterministic && isFloat(dtype) && (scatter.fold === 'add' || scatter.fold === 'mul')) {
    const isExact = dtype === 'f32' && scatter.fold === 'add' && lengthOf(scatter) < 2 ** 31
    return isExact ? exactSum(b, scatter) : b.node('scatter', node.inputs, { ...node.attrs, inOrder: true })
  }
  return isCount(scatter, policy) ? null : inCopies(b, scatter, policy)
}

/** True where every element adds the same integer, and programs count how many meet in each place. */
function isCount({ self, index, source, fold }: Scatter, policy: ScatterPolicy): boolean {
  let added = source
  while (isView(added)) added = added.inputs[0]!
  if (fold !== 'add' || added.op !== 'constant' || isFloat(typeOf(self).dtype) || shapeOf(index).length !== 1)
    return false
  return policy.counts(productOf(shapeOf(self)), productOf(shapeOf(index)))
}

const put = (b: GraphBuilder, { self, index, source, dim, fold }: Scatter): GraphNode =>
  b.node('scatter', [self, index, source], { dim, fold })

const shapeOf = (node: GraphNode): Shape => typeOf(node).shape

/** How many elements meet at most. */
const lengthOf = ({ index, dim }: Scatter): number => boundOf(shapeOf(index)[dim]!) ?? 2 ** 31 - 1

function inWide(b: GraphBuilder, scatter: Scatter, dtype: Dtype): GraphNode {
  const [self, source] = [castTo(b, scatter.self, dtype), castTo(b, scatter.source, dtype)]
  return castTo(b, put(b, { ...scatter, self, source }), typeOf(scatter.self).dtype)
}

// --- the last one wins -----------------------------------------------------------------------------------------------------

/** The elements that a tensor repeats: of the same rank, 1 in the dims along which all are equal. */
function repeated(b: GraphBuilder, node: GraphNode): GraphNode {
  if (node.op !== 'expand') return node
  const [from] = node.inputs as readonly [GraphNode]
  const missing = shapeOf(node).length - shapeOf(from).length
  return reshapeTo(b, from, [...new Array<Size>(missing).fill(1), ...shapeOf(from)])
}

/** A result of so many times the elements that are put is left in place, where that is possible, instead of picked anew. */
const sparse = 4

function isSparse(whole: Shape, put: Shape): boolean {
  const [places, elements] = [productOf(whole), productOf(put)]
  return typeof places === 'number' && typeof elements === 'number' && places >= sparse * elements
}

/** The positions of the last elements, then these elements. One index for whole rows is looked at once per row. */
function lastOnes(b: GraphBuilder, { self, index, source, dim }: Scatter): GraphNode {
  const { shape, dtype } = typeOf(self)
  const length = shapeOf(index)[dim]!
  const own = repeated(b, index)
  const rows = expandTo(b, own, shapeOf(own).with(dim, length))
  const bound = boundOf(length)
  const positions: Dtype = bound !== null && bound < 2 ** 31 ? 'i32' : 'i64'
  const along = shape.map((_, d) => (d === dim ? length : 1))
  const counted = expandTo(b, reshapeTo(b, b.node('iota', [], { length, dtype: positions }), along), shapeOf(rows))
  const none = full(b, positions, shapeOf(rows).with(dim, shape[dim]!), -1)
  const found = put(b, { self: none, index: rows, source: counted, dim, fold: 'max' })
  if (isSparse(shape, shapeOf(index))) {
    const isLast = map(b, 'eq', b.node('gather', [found, rows], { dim }), counted)
    const wanted = map(b, 'where', isLast, rows, full(b, 'i64', shapeOf(rows), -1n))
    const attrs = { dim, fold: 'set', distinct: true } as const
    return b.node('scatter', [self, expandTo(b, wanted, shapeOf(index)), source], attrs)
  }
  const last = expandTo(b, found, shape)
  const one = repeated(b, source)
  // Where all elements are equal, it does not matter which is the last.
  const picked =
    shapeOf(one)[dim] === 1 ? expandTo(b, one, shape) : b.node('gather', [source, castTo(b, last, 'i64')], { dim })
  const isPut = map(b, 'ge', last, full(b, positions, shape, 0))
  // Storage formats are chosen between as integers.
  const isStored = computeDtype(dtype) !== dtype
  const bits = (node: GraphNode): GraphNode => (isStored ? b.node('bitcast', [node], { to: 'i16' }) : node)
  const chosen = map(b, 'where', isPut, bits(picked), bits(self))
  return isStored ? b.node('bitcast', [chosen], { to: dtype }) : chosen
}

// --- sums that do not depend on the order --------------------------------------------------------------------------------

/** Of f32: its exponent's bits, and the power of two that they mean. */
const [mantissaBits, bias, special] = [23n, 127, 255]
const doubleBits = { mantissa: 52n, bias: 1023 }

/**
 * The sum of f32 in integers, which is the same in any order: of each place first the largest exponent, then the elements
 * as multiples of a power of two so small that the sum just fits 62 bits. The rounding is less than that of additions in f32.
 * Infinities and NaN are counted instead.
 */
function exactSum(b: GraphBuilder, scatter: Scatter): GraphNode {
  const { self, index, source, dim } = scatter
  const number = (like: GraphNode, dtype: Dtype, value: number | bigint): GraphNode =>
    expandTo(b, constant(b, dtype, value), shapeOf(like))
  const on = (fn: Parameters<typeof map>[1], x: GraphNode, value: number | bigint): GraphNode =>
    map(b, fn, x, number(x, typeOf(x).dtype, value))
  const magnitude = on('and', b.node('bitcast', [source], { to: 'i32' }), 0x7fff_ffff)
  const largest = put(b, { self: number(self, 'i32', 0), index, source: magnitude, dim, fold: 'max' })
  const headroom = 61 - Math.ceil(Math.log2(Math.max(1, lengthOf(scatter))))
  /** 2 to the power ±(headroom − exponent), as f64. */
  const scaleOf = (bits: GraphNode, sign: 1 | -1): GraphNode => {
    const exponent = on('shr', castTo(b, bits, 'i64'), mantissaBits)
    const zero = BigInt(doubleBits.bias + sign * (headroom + bias))
    const power = map(b, sign === 1 ? 'sub' : 'add', number(exponent, 'i64', zero), exponent)
    return b.node('bitcast', [on('shl', power, doubleBits.mantissa)], { to: 'f64' })
  }
  const isSpecial = (bits: GraphNode): GraphNode => on('ge', bits, special * 2 ** Number(mantissaBits))
  const both = (1n << 31n) + 1n
  const [nan, up, down] = [map(b, 'isnan', source), on('eq', source, Infinity), on('eq', source, -Infinity)]
  const choose = (condition: GraphNode, then: bigint, otherwise: GraphNode): GraphNode =>
    map(b, 'where', condition, number(source, 'i64', then), otherwise)
  const counts = choose(nan, both, choose(up, 1n, choose(down, 1n << 31n, number(source, 'i64', 0n))))
  const at = b.node('gather', [largest, index], { dim })
  const multiple = map(b, 'round', map(b, 'mul', castTo(b, source, 'f64'), scaleOf(at, 1)))
  const integers = map(b, 'where', isSpecial(at), counts, castTo(b, multiple, 'i64'))
  const total = put(b, { self: number(self, 'i64', 0n), index, source: integers, dim, fold: 'add' })
  const sum = map(b, 'mul', castTo(b, total, 'f64'), scaleOf(largest, -1))
  const [ups, downs] = [on('and', total, (1n << 31n) - 1n), on('shr', total, 31n)]
  const infinity = (value: number): GraphNode => number(self, 'f64', value)
  const oneSign = map(b, 'where', on('ne', ups, 0n), infinity(Infinity), infinity(-Infinity))
  const isBoth = map(b, 'and', on('ne', ups, 0n), on('ne', downs, 0n))
  const limit = map(b, 'where', isBoth, infinity(NaN), oneSign)
  const added = map(b, 'where', isSpecial(largest), limit, sum)
  const changed = castTo(b, map(b, 'add', castTo(b, self, 'f64'), added), 'f32')
  // Adding 0 would change −0.
  return map(b, 'where', on('eq', largest, 0), self, changed)
}

// --- parts ---------------------------------------------------------------------------------------------------------------

const foldedExactly: readonly Dtype[] = ['i32', 'i64']
const comparedExactly: readonly Dtype[] = [...foldedExactly, 'f32', 'f64']

/** Consecutive elements are put into one of several copies. */
function inParts(b: GraphBuilder, scatter: Scatter, policy: ScatterPolicy): GraphNode | null {
  const { self, index, source, dim, fold } = scatter
  const { shape, dtype } = typeOf(self)
  const exact = fold === 'min' || fold === 'max' ? comparedExactly : foldedExactly
  const length = shapeOf(index)[dim]!
  if (fold === 'set' || !exact.includes(dtype) || typeof length !== 'number') return null
  const parts = policy.parts(productOf(shape), productOf(shapeOf(index)), length)
  if (parts === 1) return null
  const divided = (node: GraphNode): GraphNode => {
    const own = shapeOf(node)
    return reshapeTo(b, node, [...own.slice(0, dim), parts, length / parts, ...own.slice(dim + 1)])
  }
  const copies = [...shape.slice(0, dim), parts, ...shape.slice(dim)]
  const empty = full(b, dtype, copies, reductionIdentity(fold, dtype))
  const all = put(b, { self: empty, index: divided(index), source: divided(source), dim: dim + 1, fold })
  return map(b, fold, self, reduce(b, fold, all, [dim]))
}

// --- several copies --------------------------------------------------------------------------------------------------------

/** Element i is put into copy i mod `copies`; null: one copy is enough. */
function inCopies(b: GraphBuilder, scatter: Scatter, policy: ScatterPolicy): GraphNode | null {
  const { self, index, dim, fold } = scatter
  if (fold === 'set') return null
  const { shape, dtype } = typeOf(self)
  const [places, elements] = [productOf(shape), productOf(shapeOf(index))]
  const copies = policy.copies(places, elements)
  if (copies === 1) return null
  const [rows, length] = [shape[dim]!, shapeOf(index)[dim]!]
  const own = repeated(b, index)
  const whole = expandTo(b, own, shapeOf(own).with(dim, length))
  const number = (value: Size): GraphNode =>
    expandTo(
      b,
      typeof value === 'number' ? constant(b, 'i64', value) : b.node('size', [], { size: value }),
      shapeOf(whole),
    )
  const along = shape.map((_, d) => (d === dim ? length : 1))
  const counted = expandTo(b, reshapeTo(b, b.node('iota', [], { length, dtype: 'i64' }), along), shapeOf(whole))
  const copy = map(b, 'mod', counted, number(copies))
  const inside = map(b, 'and', map(b, 'ge', whole, number(0)), map(b, 'lt', whole, number(rows)))
  const place = map(b, 'add', whole, map(b, 'mul', copy, number(rows)))
  const moved = expandTo(b, map(b, 'where', inside, place, number(-1)), shapeOf(index))
  const identity = reductionIdentity(fold, dtype)
  const empty = full(b, dtype, shape.with(dim, mulSizes(rows, copies)), identity)
  const parts = put(b, { ...scatter, self: empty, index: moved })
  const split = reshapeTo(b, parts, [...shape.slice(0, dim), copies, rows, ...shape.slice(dim + 1)])
  return map(b, fold, self, reduce(b, fold, split, [dim]))
}
