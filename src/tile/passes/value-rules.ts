/**
 * Rules on values of any dtype: constant folding, `where`, casts, and the float identities that also hold for −0, NaN and
 * infinities (so not x + 0, not x · 0, not x − x).
 */
import type { Rule } from '../../ir/rewrite.js'
import { castValue, evaluate, type ScalarOpName, scalarOp, type Value, wrapValue } from '../../scalar/ops.js'
import { type Dtype, dtypes, isFloat } from '../../types/dtype.js'
import type { TileNode } from '../ir.js'
import { dtypeOf, isMap, type MapNode, map, sameShape, shapeOf, splat, splatValue, type TileBuild } from './patterns.js'

const fold: Rule<TileNode> = {
  name: 'fold constants',
  ops: ['map'],
  apply(node, build) {
    if (node.op !== 'map') return null
    const values = node.inputs.map(splatValue)
    if (values.some(value => value === undefined)) return null
    const operand = dtypeOf(node.inputs.at(-1)!)
    return splat(build, dtypeOf(node), evaluate(node.attrs.fn, operand, values as Value[]), shapeOf(node))
  },
}

/** An elementwise op whose operands are all broadcast from one shape is applied before the broadcast. */
const mapBeforeBroadcast: Rule<TileNode> = {
  name: 'map before broadcast',
  ops: ['map'],
  apply(node, build) {
    if (node.op !== 'map') return null
    const sources = node.inputs.map(input => (input.op === 'broadcast' ? input.inputs[0]! : null))
    const [first] = sources
    if (!first || shapeOf(node).length === 0) return null
    const shape = shapeOf(sources.find(source => source && splatValue(source) === undefined) ?? first)
    const small: TileNode[] = []
    for (const [i, source] of sources.entries()) {
      const value = splatValue(node.inputs[i]!)
      if (source && sameShape(shapeOf(source), shape)) small.push(source)
      else if (value !== undefined) small.push(splat(build, dtypeOf(node.inputs[i]!), value, shape))
      else return null
    }
    return build.node('broadcast', [map(build, node.attrs.fn, ...small)], { shape: shapeOf(node) })
  },
}

const where: Rule<TileNode> = {
  name: 'where of a known condition',
  ops: ['map'],
  apply(node, build) {
    if (!isMap(node, 'where')) return null
    const [condition, a, b] = node.inputs as [TileNode, TileNode, TileNode]
    if (a === b) return a
    const known = splatValue(condition)
    if (known !== undefined) return known ? a : b
    return isMap(condition, 'not') ? map(build, 'where', condition.inputs[0]!, b, a) : null
  },
}

/** True when every value of `from` is a value of `to`. */
function holds(to: Dtype, from: Dtype): boolean {
  if (from === to || from === 'bool') return true
  if (to === 'bool') return false
  const [t, f] = [dtypes[to], dtypes[from]]
  if (t.kind === 'scale' || f.kind === 'scale') return false
  if (f.kind === 'float') return t.kind === 'float' && (t.bits > f.bits || from === to)
  if (t.kind === 'float') return f.bits < mantissaBits(to)
  if (f.kind === t.kind) return t.bits >= f.bits
  return f.kind === 'uint' && t.bits > f.bits
}

const mantissaBits = (dtype: Dtype): number => (dtype === 'f64' ? 53 : dtype === 'f32' ? 24 : dtype === 'f16' ? 11 : 8)

const cast: Rule<TileNode> = {
  name: 'cast',
  ops: ['cast'],
  apply(node, build) {
    if (node.op !== 'cast') return null
    const [inner] = node.inputs as [TileNode]
    const { to } = node.attrs
    if (dtypeOf(inner) === to) return inner
    const value = splatValue(inner)
    if (value !== undefined) return splat(build, to, castValue(dtypeOf(inner), to, value), shapeOf(node))
    if (inner.op === 'broadcast') {
      return build.node('broadcast', [build.node('cast', inner.inputs, { to })], { shape: shapeOf(node) })
    }
    if (inner.op === 'cast' && holds(dtypeOf(inner), dtypeOf(inner.inputs[0]!)))
      return build.node('cast', inner.inputs, { to })
    return null
  },
}

const bitcast: Rule<TileNode> = {
  name: 'bitcast',
  ops: ['bitcast'],
  apply(node, build) {
    if (node.op !== 'bitcast') return null
    const [inner] = node.inputs as [TileNode]
    if (dtypeOf(inner) === node.attrs.to) return inner
    return inner.op === 'bitcast' ? build.node('bitcast', inner.inputs, node.attrs) : null
  },
}

type FloatRewrite = (a: TileNode, c: number, build: TileBuild, node: MapNode) => TileNode | null

/** The reciprocal when it is exact and normal, else null. */
function exactReciprocal(c: number, dtype: Dtype): number | null {
  const reciprocal = wrapValue(dtype, 1 / c) as number
  const smallest = dtype === 'f64' ? 2 ** -1022 : 2 ** -126
  const isPowerOfTwo =
    Number.isFinite(c) && Math.abs(c) >= smallest && 2 ** Math.round(Math.log2(Math.abs(c))) === Math.abs(c)
  return isPowerOfTwo && Math.abs(reciprocal) >= smallest && Number.isFinite(reciprocal) ? reciprocal : null
}

const floatSplat = (build: TileBuild, like: TileNode, value: number): TileNode =>
  splat(build, dtypeOf(like), value, shapeOf(like))

/** Rules with a constant on the right. −0 is the neutral element of addition, because x + 0 turns −0 into 0. */
const floatConstantRules: { readonly [Fn in ScalarOpName]?: FloatRewrite } = {
  add: (a, c) => (Object.is(c, -0) ? a : null),
  sub: (a, c) => (Object.is(c, 0) ? a : null),
  mul: (a, c, build) => (c === 1 ? a : c === -1 ? map(build, 'neg', a) : null),
  div: (a, c, build, node) => {
    if (c === 1) return a
    const reciprocal = exactReciprocal(c, dtypeOf(node))
    return reciprocal === null ? null : map(build, 'mul', a, floatSplat(build, a, reciprocal))
  },
  pow: (a, c, build) => (c === 1 ? a : c === 2 ? map(build, 'mul', a, a) : null),
  min: (a, c) => (c === Number.POSITIVE_INFINITY ? a : null),
  max: (a, c) => (c === Number.NEGATIVE_INFINITY ? a : null),
}

const floatCommutative: readonly ScalarOpName[] = ['add', 'mul', 'min', 'max']

const floats: Rule<TileNode> = {
  name: 'float identities',
  ops: ['map'],
  apply(node, build) {
    if (node.op !== 'map' || scalarOp(node.attrs.fn).arity !== 2) return null
    const [a, b] = node.inputs as [TileNode, TileNode]
    if (!isFloat(dtypeOf(a))) return null
    const { fn } = node.attrs
    if (a === b && (fn === 'min' || fn === 'max')) return a
    const c = splatValue(b)
    if (c !== undefined) return floatConstantRules[fn]?.(a, Number(c), build, node) ?? null
    return splatValue(a) !== undefined && floatCommutative.includes(fn) ? map(build, fn, b, a) : null
  },
}

const unary: Rule<TileNode> = {
  name: 'unary of unary',
  ops: ['map'],
  apply(node, build) {
    if (node.op !== 'map' || node.inputs.length !== 1) return null
    const [inner] = node.inputs as [TileNode]
    if (inner.op !== 'map' || inner.inputs.length !== 1) return null
    const [outer, under] = [node.attrs.fn, inner.attrs.fn]
    if (outer === 'neg' && under === 'neg') return inner.inputs[0]!
    if (outer === 'abs' && under === 'abs') return inner
    return outer === 'abs' && under === 'neg' ? map(build, 'abs', inner.inputs[0]!) : null
  },
}

export const valueRules: readonly Rule<TileNode>[] = [fold, where, cast, bitcast, floats, unary, mapBeforeBroadcast]
