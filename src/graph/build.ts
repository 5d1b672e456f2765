/**
 * Helpers that op records build graphs with: they check dims, promote dtypes and broadcast shapes. Views and casts fold on
 * construction, so a record can write the general form and the graph holds the simple one.
 */
import { DtypeError, ShapeError } from '../base/errors.js'
import { castValue, type ReductionName, type ScalarOpName, type Value } from '../scalar/ops.js'
import { type Size, SizeExpr, sameShape, sameSize } from '../scalar/size.js'
import { computeDtype, type Dtype, dtypes, isFloat, isFloat8 } from '../types/dtype.js'
import { numberDtype, promote } from '../types/promotion.js'
import { type GraphBuilder, type GraphNode, type GraphOps, type Shape, typeOf } from './ir.js'
import type { OpInput } from './record.js'
import { decideEqual, printShape, surelyEqual } from './sizes.js'

export const shapeOf = (node: GraphNode): Shape => typeOf(node).shape
export const dtypeOf = (node: GraphNode): Dtype => typeOf(node).dtype
export const rankOf = (node: GraphNode): number => shapeOf(node).length

/** The dtype that float ops convert integers to. */
export const defaultFloat = 'f32'

// --- constants -----------------------------------------------------------------------------------------------------

/** A 0-d constant, rounded or wrapped to the dtype. Throws DtypeError for packed dtypes. */
export function constant(b: GraphBuilder, dtype: Dtype, value: number | bigint | boolean): GraphNode {
  const plain: Value = typeof value === 'boolean' ? Number(value) : value
  const from = typeof plain === 'bigint' ? 'i64' : 'f64'
  return b.node('constant', [], { dtype, value: castValue(from, dtype, plain) })
}

/** The node of a plain number of a call: 0-d bool, i64 (also of a size that is not known) or f64. */
export function numberNode(b: GraphBuilder, value: number | bigint | boolean | SizeExpr): GraphNode {
  if (value instanceof SizeExpr) return b.node('size', [], { size: value })
  const dtype = numberDtype(value, 'f64')
  return constant(b, dtype, dtype === 'i64' ? BigInt(value) : value)
}

/** As `numberNode`, of a number that is given at each call. */
export const scalarNode = (b: GraphBuilder, index: number, value: number | bigint | boolean): GraphNode =>
  b.node('scalarInput', [], { index, name: `n${index}`, dtype: numberDtype(value, 'f64') })

/** A tensor whose elements all are `value`. */
export function full(b: GraphBuilder, dtype: Dtype, shape: Shape, value: number | bigint | boolean): GraphNode {
  return expandTo(b, constant(b, dtype, value), shape)
}

// --- elementwise ---------------------------------------------------------------------------------------------------

export const map = (b: GraphBuilder, fn: ScalarOpName, ...inputs: readonly GraphNode[]): GraphNode =>
  b.node('map', inputs, { fn })

/** Whether every value of `from` is a value of `to`, so that a cast there and back changes nothing. */
export function castKeepsValues(from: Dtype, to: Dtype): boolean {
  if (from === to || from === 'bool') return true
  if (to === 'bool' || dtypes[from].kind === 'scale' || dtypes[to].kind === 'scale') return false
  if (isFloat(from)) return isFloat(to) && keepsFloats(from, to)
  if (isFloat(to)) return dtypes[from].bits < dtypes[to].digits
  const widerBy = dtypes[to].bits - dtypes[from].bits
  return dtypes[from].kind === dtypes[to].kind ? widerBy >= 0 : dtypes[from].kind === 'uint' && widerBy > 0
}

const keepsFloats = (from: Dtype, to: Dtype): boolean =>
  to === 'f64' || (to === 'f32' && from !== 'f64') || (isFloat8(from) && dtypes[to].bits === 16)

/** The node in another dtype; folds casts of constants and casts back from a dtype that had lost nothing. */
export function castTo(b: GraphBuilder, node: GraphNode, to: Dtype): GraphNode {
  const from = dtypeOf(node)
  if (from === to) return node
  if (node.op === 'constant') return b.node('constant', [], { dtype: to, value: castValue(from, to, node.attrs.value) })
  if (node.op === 'cast') {
    const inner = node.inputs[0]!
    if (castKeepsValues(dtypeOf(inner), from)) return castTo(b, inner, to)
  }
  if (node.op === 'expand') return expandTo(b, castTo(b, node.inputs[0]!, to), shapeOf(node))
  return b.node('cast', [node], { to })
}

/** The same bits in another dtype of the same width. */
export function bitcastTo(b: GraphBuilder, node: GraphNode, to: Dtype): GraphNode {
  if (dtypeOf(node) === to) return node
  return node.op === 'bitcast' ? bitcastTo(b, node.inputs[0]!, to) : b.node('bitcast', [node], { to })
}

/** The dtype an elementwise op on these inputs has, as PyTorch promotes. */
export function promotedDtype(inputs: readonly OpInput[]): Dtype {
  return promote(
    inputs.map(({ node, isNumber }) => {
      const { dtype, shape } = typeOf(node)
      if (isNumber) return { dtype: dtype === 'f64' ? defaultFloat : dtype, rank: 'number' }
      return { dtype, rank: shape.length === 0 ? 'zeroDim' : 'dimensioned' }
    }),
  )
}

/** Cast to the dtype in which arithmetic on its dtype is done. */
export const toCompute = (b: GraphBuilder, node: GraphNode): GraphNode => castTo(b, node, computeDtype(dtypeOf(node)))

/** Throws DtypeError unless the dtype is a float. */
export function requireFloat(op: string, dtype: Dtype, fix: string): void {
  if (!isFloat(dtype)) throw new DtypeError(`${op}: needs floats, got ${dtype}`, { fix })
}

// --- dims ----------------------------------------------------------------------------------------------------------

/** A dim counted from the front. A 0-d tensor takes dims 0 and −1, as PyTorch's. Throws ShapeError out of range. */
export function normalizeDim(op: string, dim: number, rank: number): number {
  const limit = Math.max(rank, 1)
  if (Number.isInteger(dim) && dim >= -limit && dim < limit) return dim < 0 ? dim + limit : dim
  throw new ShapeError(`${op}: dim ${dim} is out of range for ${rank} dims`, {
    fix: `use a dim from ${-limit} to ${limit - 1}`,
  })
}

/** Dims counted from the front, ascending; null or [] means all. Throws ShapeError out of range or on a repeated dim. */
export function normalizeDims(op: string, dims: readonly number[] | null, rank: number): readonly number[] {
  if (dims === null || dims.length === 0) return Array.from({ length: rank }, (_, d) => d)
  const list = dims.map(dim => normalizeDim(op, dim, rank)).sort((a, b) => a - b)
  const twice = list.find((dim, i) => i > 0 && dim === list[i - 1])
  if (twice !== undefined)
    throw new ShapeError(`${op}: dim ${twice} appears more than once in [${dims.join(', ')}]`, {
      fix: 'name each dim once',
    })
  return rank === 0 ? [] : list
}

/** Runs a build function that needs at least one dim, on a tensor that may be 0-d. */
export function withDim(
  b: GraphBuilder,
  node: GraphNode,
  build: (node: GraphNode) => readonly GraphNode[],
): readonly GraphNode[] {
  if (rankOf(node) > 0) return build(node)
  return build(reshapeTo(b, node, [1])).map(result => reshapeTo(b, result, []))
}

// --- views ---------------------------------------------------------------------------------------------------------

/** Broadcasts to a shape that is known to be compatible (sizes.ts checks). */
export function expandTo(b: GraphBuilder, node: GraphNode, shape: Shape): GraphNode {
  const lead = shape.length - rankOf(node)
  // Sizes that are equal by their ranges but not by their formula: use the target's formula.
  const spelled = shapeOf(node).map((size, d): Size => {
    const wanted = shape[lead + d]!
    return surelyEqual(size, wanted) ? wanted : surelyEqual(size, 1) ? 1 : size
  })
  const source = sameShape(spelled, shapeOf(node)) ? node : reshapeTo(b, node, spelled)
  if (sameShape(shapeOf(source), shape)) return source
  if (source.op === 'expand') return expandTo(b, source.inputs[0]!, shape)
  return b.node('expand', [source], { shape })
}

/** The same elements in row-major order in another shape. The element counts must be equal. */
export function reshapeTo(b: GraphBuilder, node: GraphNode, shape: Shape): GraphNode {
  if (sameShape(shapeOf(node), shape)) return node
  if (node.op === 'reshape') return reshapeTo(b, node.inputs[0]!, shape)
  if (node.op === 'expand' && rankOf(node.inputs[0]!) === 0) return expandTo(b, node.inputs[0]!, shape)
  return b.node('reshape', [node], { shape })
}

export function permuteTo(b: GraphBuilder, node: GraphNode, dims: readonly number[]): GraphNode {
  if (dims.every((dim, i) => dim === i)) return node
  if (node.op === 'permute') {
    const first = node.attrs.dims
    return permuteTo(
      b,
      node.inputs[0]!,
      dims.map(dim => first[dim]!),
    )
  }
  return b.node('permute', [node], { dims })
}

export type SliceAttrs = GraphOps['slice']

export function sliceTo(b: GraphBuilder, node: GraphNode, attrs: SliceAttrs): GraphNode {
  const whole = shapeOf(node).every(
    (size, d) => attrs.starts[d] === 0 && attrs.steps[d] === 1 && sameSize(attrs.sizes[d]!, size),
  )
  return whole ? node : b.node('slice', [node], attrs)
}

/** Attributes of the slice of everything; callers change single dims. */
export function wholeSlice(shape: Shape): { starts: Size[]; steps: number[]; sizes: Size[] } {
  return { starts: shape.map(() => 0), steps: shape.map(() => 1), sizes: [...shape] }
}

/** The node with two dims swapped. */
export function swapDims(b: GraphBuilder, node: GraphNode, a: number, c: number): GraphNode {
  const dims = shapeOf(node).map((_, d) => (d === a ? c : d === c ? a : d))
  return permuteTo(b, node, dims)
}

// --- reductions ----------------------------------------------------------------------------------------------------

export function reduce(b: GraphBuilder, fn: ReductionName, node: GraphNode, dims: readonly number[]): GraphNode {
  return dims.length === 0 ? node : b.node('reduce', [node], { fn, dims })
}

/** The shape with these dims set to 1. */
export const keptShape = (shape: Shape, dims: readonly number[]): Shape =>
  shape.map((size, d) => (dims.includes(d) ? 1 : size))

/** Reduces with the dims kept as size 1, so that the result broadcasts against the input. */
export function reduceKeepdim(b: GraphBuilder, fn: ReductionName, node: GraphNode, dims: readonly number[]): GraphNode {
  return reshapeTo(b, reduce(b, fn, node, dims), keptShape(shapeOf(node), dims))
}

/** A size as a 0-d tensor of `dtype`. */
export function countOf(b: GraphBuilder, size: Size, dtype: Dtype): GraphNode {
  return typeof size === 'number' ? constant(b, dtype, size) : castTo(b, b.node('size', [], { size }), dtype)
}

/** Indices into a dim of `size`, with negative ones wrapped to count from the end. */
export function fromFront(b: GraphBuilder, index: GraphNode, size: Size): GraphNode {
  const at = castTo(b, index, 'i64')
  const back = map(b, 'add', at, expandTo(b, countOf(b, size, 'i64'), shapeOf(at)))
  return map(b, 'where', map(b, 'lt', at, full(b, 'i64', shapeOf(at), 0)), back, at)
}

/** A 0-d tensor as a vector of one element; others unchanged. */
export const atLeast1d = (b: GraphBuilder, node: GraphNode): GraphNode =>
  rankOf(node) === 0 ? reshapeTo(b, node, [1]) : node

/** Throws ShapeError when a reduction without identity runs over an empty dim. */
export function requireElements(op: string, shape: Shape, dims: readonly number[]): void {
  const what = (): string => `${op}: dim of ${printShape(shape)} without elements`
  const empty = dims.find(dim => decideEqual(shape[dim]!, 0, what))
  if (empty === undefined) return
  throw new ShapeError(`${op}: dim ${empty} of ${printShape(shape)} has no elements, so there is no result`, {
    fix: 'reduce a dim that has elements',
  })
}
