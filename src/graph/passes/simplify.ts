/**
 * Simplifications that change no value: constant folding, merging of views and casts, and identities that hold exactly in
 * IEEE 754, NaN, infinities and −0 included. (x + 0 → x is not one: −0 + 0 is 0.)
 */
import { type Rule, rewrite } from '../../ir/rewrite.js'
import { evaluate, isArgReduction, reductionIdentity, type ScalarOpName, type Value } from '../../scalar/ops.js'
import { addSizes, mulSizes, productOf, type Size, sameShape, sameSize } from '../../scalar/size.js'
import { type Dtype, isFloat, tensorDtypes } from '../../types/dtype.js'
import {
  castTo,
  constant,
  dtypeOf,
  expandTo,
  map,
  permuteTo,
  reshapeTo,
  shapeOf,
  sliceTo,
  toCompute,
} from '../build.js'
import { type GraphBuilder, type GraphNode, graphDialect, isView, type Shape, typeOf } from '../ir.js'
import type { GraphPass } from './pass.js'

type MapNode = Extract<GraphNode, { op: 'map' }>

// --- constants -----------------------------------------------------------------------------------------------------------

/** The value of a node whose elements are all one known constant, else null. */
function splat(node: GraphNode): Value | null {
  let inner = node
  while (isView(inner)) inner = inner.inputs[0]!
  return inner.op === 'constant' ? inner.attrs.value : null
}

const full = (b: GraphBuilder, dtype: Dtype, shape: Shape, value: Value): GraphNode =>
  expandTo(b, constant(b, dtype, value), shape)

/** Folds views, casts and maps of constants. */
function foldConstant(node: GraphNode, b: GraphBuilder): GraphNode | null {
  const { dtype, shape } = typeOf(node)
  const values = node.inputs.map(splat)
  if (values.length === 0 || values.some(value => value === null)) return null
  const known = values as readonly Value[]
  if (node.op === 'map') {
    const operand = dtypeOf(node.inputs.at(-1)!)
    return full(b, dtype, shape, evaluate(node.attrs.fn, operand, known))
  }
  if (node.op === 'cast') return expandTo(b, castTo(b, constant(b, dtypeOf(node.inputs[0]!), known[0]!), dtype), shape)
  return full(b, dtype, shape, known[0]!)
}

const constants: Rule<GraphNode> = {
  name: 'fold constants',
  ops: ['map', 'cast', 'permute', 'reshape', 'slice', 'expand', 'affine'],
  apply: foldConstant,
}

/** Whether a node is a contraction over an empty dim: then it is 0. */
function sumsNothing({ op, inputs }: GraphNode): boolean {
  if (op === 'conv') return inputs.length === 2 && shapeOf(inputs[1]!).includes(0)
  return op === 'matmul' && shapeOf(inputs[0]!).at(-1) === 0
}

/** Replaces empty tensors and contractions over empty dims by constants: they need no memory and no kernel. */
function foldEmpty(node: GraphNode, b: GraphBuilder): GraphNode | null {
  const { dtype, shape } = typeOf(node)
  const isEmpty = shape.includes(0) || sumsNothing(node)
  const isDone = node.op === 'expand' && node.inputs[0]!.op === 'constant'
  if (!isEmpty || isDone || !(tensorDtypes as readonly Dtype[]).includes(dtype)) return null
  return full(b, dtype, shape, dtype === 'i64' ? 0n : 0)
}

const empties: Rule<GraphNode> = {
  name: 'nothing',
  ops: ['map', 'cast', 'bitcast', 'permute', 'reshape', 'slice', 'expand', 'affine', 'gather', 'cat', 'matmul', 'conv'],
  apply: foldEmpty,
}

const knownSizes: Rule<GraphNode> = {
  name: 'known size',
  ops: ['size'],
  apply: (node, b) =>
    node.op === 'size' && typeof node.attrs.size === 'number' ? constant(b, 'i64', node.attrs.size) : null,
}

// --- views and casts -------------------------------------------------------------------------------------------------------

/** Drops a reshape under an expand that only adds leading dims of size 1: expand adds them itself. */
function foldExpand(node: GraphNode, b: GraphBuilder): GraphNode | null {
  const [input] = node.inputs as [GraphNode]
  if (input.op === 'reshape') {
    const source = input.inputs[0]!
    const [from, to] = [shapeOf(source), shapeOf(input)]
    const lead = to.length - from.length
    const addsOnes = lead > 0 && to.slice(0, lead).every(size => size === 1)
    if (addsOnes && sameShape(to.slice(lead), from)) return expandTo(b, source, shapeOf(node))
  }
  return expandTo(b, input, shapeOf(node))
}

/**
 * The shape of x for which reshape(expand(x)) equals expand(reshape(x)), so that broadcast dims are not materialised; null
 * if there is none. Trailing dims that the reshape keeps are broadcast as before; the dims before them must all be
 * broadcast, or none.
 */
export function shapeBelowExpand(expand: GraphNode, shape: Shape): Shape | null {
  const [source] = expand.inputs as [GraphNode]
  const from = shapeOf(expand)
  const padded = [...from.slice(shapeOf(source).length).map((): Size => 1), ...shapeOf(source)]
  let kept = 0
  while (kept < Math.min(from.length, shape.length) && sameSize(from.at(-kept - 1)!, shape.at(-kept - 1)!)) kept++
  const [lead, own] = [from.slice(0, from.length - kept), padded.slice(0, from.length - kept)]
  const [newLead, tail] = [shape.slice(0, shape.length - kept), padded.slice(from.length - kept)]
  if (own.every(size => size === 1)) return tail
  // With sizes of 0 all element counts are equal, so the parts must also agree separately.
  return sameShape(own, lead) && sameSize(productOf(lead), productOf(newLead)) ? [...newLead, ...tail] : null
}

/** reshape(expand(x)) as expand(reshape(x)), or null when it cannot be written so. */
export function reshapeExpanded(b: GraphBuilder, expand: GraphNode, shape: Shape): GraphNode | null {
  const below = shapeBelowExpand(expand, shape)
  return below === null ? null : expandTo(b, reshapeTo(b, expand.inputs[0]!, below), shape)
}

function foldReshape(node: GraphNode, b: GraphBuilder): GraphNode | null {
  const [input] = node.inputs as [GraphNode]
  if (input.op === 'expand') {
    const moved = reshapeExpanded(b, input, shapeOf(node))
    if (moved !== null) return moved
  }
  return reshapeTo(b, input, shapeOf(node))
}

/** A slice of a slice: starts add up along the outer steps, steps multiply. */
function foldSlice(node: GraphNode, b: GraphBuilder): GraphNode | null {
  if (node.op !== 'slice') return null
  const [input] = node.inputs as [GraphNode]
  if (input.op !== 'slice') return sliceTo(b, input, node.attrs)
  const outer = input.attrs
  return sliceTo(b, input.inputs[0]!, {
    starts: node.attrs.starts.map((start, d) => addSizes(outer.starts[d]!, mulSizes(start, outer.steps[d]!))),
    steps: node.attrs.steps.map((step, d) => step * outer.steps[d]!),
    sizes: node.attrs.sizes,
  })
}

function foldPad(node: GraphNode, b: GraphBuilder): GraphNode | null {
  if (node.op !== 'pad') return null
  const [input] = node.inputs as [GraphNode]
  if (input.op !== 'pad' || !Object.is(input.attrs.value, node.attrs.value)) return null
  const sum = (inner: readonly number[], outer: readonly number[]): number[] => inner.map((n, d) => n + outer[d]!)
  const before = sum(input.attrs.before, node.attrs.before)
  return b.node('pad', input.inputs, {
    before,
    after: sum(input.attrs.after, node.attrs.after),
    value: node.attrs.value,
  })
}

const merging: readonly Rule<GraphNode>[] = [
  {
    name: 'merge permutes',
    ops: ['permute'],
    apply: (node, b) => (node.op === 'permute' ? permuteTo(b, node.inputs[0]!, node.attrs.dims) : null),
  },
  { name: 'merge reshapes', ops: ['reshape'], apply: foldReshape },
  { name: 'merge expands', ops: ['expand'], apply: foldExpand },
  { name: 'merge slices', ops: ['slice'], apply: foldSlice },
  { name: 'merge pads', ops: ['pad'], apply: foldPad },
  {
    name: 'merge casts',
    ops: ['cast'],
    apply: (node, b) => (node.op === 'cast' ? castTo(b, node.inputs[0]!, node.attrs.to) : null),
  },
  { name: 'reduce nothing', ops: ['reduce'], apply: foldReduce },
  { name: 'order of one', ops: ['item'], apply: foldOrder },
  { name: 'scan of one', ops: ['scan'], apply: foldScan },
  { name: 'cat without empty parts', ops: ['cat'], apply: dropEmptyParts },
]

/** Reductions over no dims, and over empty ones. */
function foldReduce(node: GraphNode, b: GraphBuilder): GraphNode | null {
  if (node.op !== 'reduce') return null
  const { dims, fn } = node.attrs
  const [from] = node.inputs as [GraphNode]
  if (dims.length === 0) return from
  if (isArgReduction(fn) || !dims.some(dim => shapeOf(from)[dim] === 0)) return null
  const { dtype, shape } = typeOf(node)
  return full(b, dtype, shape, reductionIdentity(fn, dtypeOf(from)))
}

/** Whether an op puts rows of one element in order, or scans them. */
const hasRowsOfOne = (node: GraphNode): boolean =>
  (node.op === 'sort' || node.op === 'topk' || node.op === 'nth' || node.op === 'scan') &&
  shapeOf(node.inputs[0]!)[node.attrs.dim] === 1

/** A row of one element is sorted. */
function foldOrder(node: GraphNode, b: GraphBuilder): GraphNode | null {
  if (node.op !== 'item') return null
  const [from] = node.inputs as [GraphNode]
  if (!hasRowsOfOne(from)) return null
  const { dtype, shape } = typeOf(node)
  if (node.attrs.index === 1) return full(b, dtype, shape, 0n)
  return sameShape(shape, shapeOf(from.inputs[0]!)) ? from.inputs[0]! : null
}

/** A row of one element is its own scan, but a sum starts at 0: that of −0 is 0. */
function foldScan(node: GraphNode, b: GraphBuilder): GraphNode | null {
  if (node.op !== 'scan' || !hasRowsOfOne(node)) return null
  const [from] = node.inputs as [GraphNode]
  const { dtype, shape } = typeOf(from)
  if (node.attrs.fn !== 'add' || !isFloat(dtype)) return from
  const wide = toCompute(b, from)
  return castTo(b, map(b, 'add', wide, full(b, dtypeOf(wide), shape, 0)), dtype)
}

function dropEmptyParts(node: GraphNode, b: GraphBuilder): GraphNode | null {
  if (node.op !== 'cat') return null
  const { dim } = node.attrs
  const parts = node.inputs.filter(part => shapeOf(part)[dim] !== 0)
  if (parts.length === 0) return node.inputs[0]!
  if (parts.length === 1) return parts[0]!
  return parts.length === node.inputs.length ? null : b.node('cat', parts, { dim })
}

// --- arithmetic --------------------------------------------------------------------------------------------------------------

const isOne = (value: Value | null): boolean => value === 1 || value === 1n
/** Integer 0 or +0: subtracting it is the identity. */
const isPlusZero = (value: Value | null): boolean => value === 0n || Object.is(value, 0)
const isMinusZero = (value: Value | null): boolean => Object.is(value, -0)

type Identity = (node: MapNode, b: GraphBuilder) => GraphNode | null

/** For a commutative op: the other operand, if one operand is a constant for which `neutral` holds. */
const neutral =
  (holds: (value: Value | null, dtype: Dtype) => boolean): Identity =>
  ({ inputs }) => {
    const [x, y] = inputs as [GraphNode, GraphNode]
    if (holds(splat(y), dtypeOf(y))) return x
    return holds(splat(x), dtypeOf(x)) ? y : null
  }

/** For a commutative op: the absorbing constant, if one operand is it. */
const absorbing =
  (holds: (value: Value | null, dtype: Dtype) => boolean): Identity =>
  ({ inputs }) =>
    inputs.find(input => holds(splat(input), dtypeOf(input))) ?? null

const firstOf =
  (...identities: readonly Identity[]): Identity =>
  (node, b) => {
    for (const identity of identities) {
      const found = identity(node, b)
      if (found !== null) return found
    }
    return null
  }

const same: Identity = ({ inputs }) => (inputs[0] === inputs[1] ? inputs[0]! : null)
/** f(f(x)) → x. */
const undone: Identity = ({ inputs: [x], attrs }) =>
  x!.op === 'map' && x!.attrs.fn === attrs.fn ? x!.inputs[0]! : null
/** f(f(x)) → f(x). */
const repeated: Identity = ({ inputs: [x], attrs }) => (x!.op === 'map' && x!.attrs.fn === attrs.fn ? x! : null)

const allOnes = (value: Value | null, dtype: Dtype): boolean =>
  value !== null && (dtype === 'bool' ? value === 1 : dtype === 'u8' ? value === 255 : BigInt(value) === -1n)
const zeroBits = (value: Value | null): boolean => value === 0 || value === 0n

/** Division by a power of two is multiplication by its inverse, bit for bit, as long as the inverse is a normal number. */
const divideByPowerOfTwo: Identity = ({ inputs: [x, divisor] }, b) => {
  const value = splat(divisor!)
  if (typeof value !== 'number' || isOne(value)) return null
  const exponent = Math.log2(Math.abs(value))
  if (!Number.isInteger(exponent) || 2 ** exponent !== Math.abs(value) || Math.abs(exponent) > 100) return null
  return map(b, 'mul', x!, full(b, dtypeOf(x!), shapeOf(x!), 1 / value))
}

const powers: Identity = ({ inputs: [x, exponent] }, b) => {
  const value = splat(exponent!)
  if (isOne(value)) return x!
  return value === 2 || value === 2n ? map(b, 'mul', x!, x!) : null
}

const choice: Identity = ({ inputs: [condition, a, c] }) => {
  const known = splat(condition!)
  if (a === c) return a!
  return known === null ? null : known ? a! : c!
}

const integerZero = (value: Value | null, dtype: Dtype): boolean => !isFloat(dtype) && zeroBits(value)

const identities: Partial<Record<ScalarOpName, Identity>> = {
  add: neutral((value, dtype) => (isFloat(dtype) ? isMinusZero(value) : zeroBits(value))),
  sub: ({ inputs: [x, y] }) => (isPlusZero(splat(y!)) ? x! : null),
  mul: firstOf(neutral(isOne), absorbing(integerZero)),
  div: firstOf(({ inputs: [x, y] }) => (isOne(splat(y!)) ? x! : null), divideByPowerOfTwo),
  pow: powers,
  neg: undone,
  not: undone,
  abs: repeated,
  floor: repeated,
  ceil: repeated,
  trunc: repeated,
  round: repeated,
  min: same,
  max: same,
  and: firstOf(same, neutral(allOnes), absorbing(zeroBits)),
  or: firstOf(same, neutral(zeroBits), absorbing(allOnes)),
  xor: neutral(zeroBits),
  where: choice,
}

const arithmetic: Rule<GraphNode> = {
  name: 'identities',
  ops: ['map'],
  apply: (node, b) => (node.op === 'map' ? (identities[node.attrs.fn]?.(node, b) ?? null) : null),
}

export const simplifyRules: readonly Rule<GraphNode>[] = [constants, empties, knownSizes, ...merging, arithmetic]

export const simplify: GraphPass = {
  name: 'simplify',
  requires: 'a verified graph',
  guarantees: 'no foldable constant, no view of the same kind of view, no cast that loses nothing twice; no dead node',
  rules: simplifyRules.map(({ name }) => name),
  run: (graph, count) => ({
    ...graph,
    body: rewrite(graphDialect, graph.body, simplifyRules.slice(0, count), 'simplify').root,
  }),
}
