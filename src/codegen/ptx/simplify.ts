/** Local simplifications before PTX emission: constant folding, and index sums with their constant outermost. */
import type { Builder } from '../../ir/builder.js'
import { type LaneNode, type ValueType, valueType } from '../../lane/ir.js'
import { castValue, evaluate, type ScalarOpName, type Value } from '../../scalar/ops.js'
import type { Dtype } from '../../types/dtype.js'
import { isComputed, knownLanes, makeLanes } from './constants.js'
import { packedCast } from './packed.js'

type LaneBuilder = Builder<LaneNode>

const constant = (node: LaneNode): Value | null => (node.op === 'const' ? node.attrs.value : null)

function makeConst(b: LaneBuilder, { dtype, lanes }: ValueType, value: Value): LaneNode {
  return b.node('const', [], { dtype, value: dtype === 'i64' ? BigInt(value) : Number(value), lanes })
}

/** The simplified form of a node that is not a map, or null when it stays. */
export function simplified(b: LaneBuilder, node: LaneNode, inputs: readonly LaneNode[]): LaneNode | null {
  const [input] = inputs
  if (input === undefined) return null
  const known = constant(input)
  switch (node.op) {
    case 'cast': {
      const { dtype } = valueType(input)
      if (dtype === node.attrs.to) return input
      if (!isComputed(node.attrs.to)) return null
      const values = knownLanes(input)
      if (values === null) return packedCast(b, input, node.attrs.to)
      return makeLanes(
        b,
        node.attrs.to,
        values.map(value => castValue(dtype, node.attrs.to, value)),
      )
    }
    case 'bitcast':
      if (valueType(input).dtype === node.attrs.to) return input
      return input.op === 'bitcast' ? b.node('bitcast', [input.inputs[0]!], node.attrs) : null
    case 'splat':
      return known === null ? null : makeConst(b, { ...valueType(input), lanes: node.attrs.lanes }, known)
    case 'extract':
      if (known !== null) return makeConst(b, { ...valueType(input), lanes: 1 }, known)
      return valueType(input).lanes === 1 ? input : null
    case 'slice':
      if (known !== null) return makeConst(b, { ...valueType(input), lanes: node.attrs.lanes }, known)
      return valueType(input).lanes === node.attrs.lanes ? input : null
    case 'concat':
      return inputs.length === 1 ? input : null
    default:
      return null
  }
}

/** Builds a map: folded if its inputs are constants, index arithmetic in its simplest form. */
export function makeMap(b: LaneBuilder, fn: ScalarOpName, inputs: readonly LaneNode[]): LaneNode {
  const type = valueType(inputs.at(-1)!)
  const folded = isExact(fn) ? foldedMap(b, fn, type.dtype, inputs) : null
  if (folded !== null) return folded
  const condition = constant(inputs[0]!)
  if (fn === 'where' && condition !== null) return inputs[Number(condition) !== 0 ? 1 : 2]!
  if (fn === 'where') return flushedPower(b, inputs) ?? b.node('map', inputs, { fn })
  if (type.dtype === 'i32' || type.dtype === 'i64') return indexMap(b, fn, inputs) ?? b.node('map', inputs, { fn })
  return b.node('map', inputs, { fn })
}

/** 2^x below this exponent is subnormal. */
const minExponent = -126

/** `where(x < −126, 0, 2^x)` is the hardware's 2^x, which flushes subnormal results to 0. */
function flushedPower(b: LaneBuilder, [condition, none, power]: readonly LaneNode[]): LaneNode | null {
  const isAll = (node: LaneNode, value: number): boolean => knownLanes(node)?.every(lane => lane === value) ?? false
  if (power?.op !== 'map' || power.attrs.fn !== 'exp2' || valueType(power).dtype !== 'f32') return null
  if (condition?.op !== 'map' || condition.attrs.fn !== 'lt' || condition.inputs[0] !== power.inputs[0]) return null
  if (!isAll(condition.inputs[1]!, minExponent) || !isAll(none!, 0)) return null
  return b.node('approximate', [power.inputs[0]!], { fn: 'exp2' })
}

/** The op's result if all operands are known, else null. */
function foldedMap(b: LaneBuilder, fn: ScalarOpName, dtype: Dtype, inputs: readonly LaneNode[]): LaneNode | null {
  const operands: (readonly Value[])[] = []
  for (const input of inputs) {
    const lanes = knownLanes(input)
    if (lanes === null) return null
    operands.push(lanes)
  }
  const results = operands[0]!.map((_, lane) =>
    evaluate(
      fn,
      dtype,
      operands.map(operand => operand[lane]!),
    ),
  )
  return makeLanes(b, isComparison(fn) ? 'bool' : dtype, results)
}

const comparisons = new Set<ScalarOpName>(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'isnan', 'isinf', 'isfinite'])
const isComparison = (fn: ScalarOpName): boolean => comparisons.has(fn)

const exact = new Set<ScalarOpName>([
  ...comparisons,
  ...(['neg', 'abs', 'add', 'sub', 'mul', 'div', 'floorDiv', 'truncDiv', 'mod', 'fmod', 'min', 'max'] as const),
  ...(['floor', 'ceil', 'trunc', 'round', 'not', 'and', 'or', 'xor', 'shl', 'shr', 'shrLogical', 'where'] as const),
])
const isExact = (fn: ScalarOpName): boolean => exact.has(fn)

/** Splits a node into `rest` + constant. Arithmetic wraps, so reassociation never changes a value. */
function splitSum(node: LaneNode): { readonly rest: LaneNode; readonly plus: bigint } {
  if (node.op === 'map' && node.attrs.fn === 'add') {
    const plus = constant(node.inputs[1]!)
    if (plus !== null) return { rest: node.inputs[0]!, plus: BigInt(plus) }
  }
  return { rest: node, plus: 0n }
}

function wrapped({ dtype }: ValueType, value: bigint): bigint {
  return BigInt.asIntN(dtype === 'i64' ? 64 : 32, value)
}

function addConstant(b: LaneBuilder, node: LaneNode, plus: bigint): LaneNode {
  const type = valueType(node)
  const value = wrapped(type, plus)
  if (value === 0n) return node
  return b.node('map', [node, makeConst(b, type, value)], { fn: 'add' })
}

/** Simplifies index arithmetic, and moves constants outward, where they become part of an address. */
function indexMap(b: LaneBuilder, fn: ScalarOpName, inputs: readonly LaneNode[]): LaneNode | null {
  if (inputs.length !== 2) return null
  const [first, second] = inputs as [LaneNode, LaneNode]
  const swap = constant(first) !== null && (fn === 'add' || fn === 'mul')
  const [x, y] = swap ? [second, first] : [first, second]
  const type = valueType(x)
  const known = constant(y)
  const value = known === null ? null : BigInt(known)
  const [left, right] = [splitSum(x), splitSum(y)]
  switch (fn) {
    case 'add':
      if (value !== null) return addConstant(b, left.rest, left.plus + value)
      if (left.plus === 0n && right.plus === 0n) return null
      return addConstant(b, makeMap(b, 'add', [left.rest, right.rest]), left.plus + right.plus)
    case 'sub':
      if (value !== null) return addConstant(b, left.rest, left.plus - value)
      if (left.plus === 0n && right.plus === 0n) return null
      return addConstant(b, makeMap(b, 'sub', [left.rest, right.rest]), left.plus - right.plus)
    case 'mul':
      if (value === null) return null
      if (value === 0n) return makeConst(b, type, 0n)
      if (value === 1n) return x
      if (left.plus !== 0n) return addConstant(b, makeMap(b, 'mul', [left.rest, y]), left.plus * value)
      return swap ? b.node('map', [x, y], { fn }) : null
    case 'truncDiv':
      return value === 1n ? x : null
    case 'shl':
    case 'shr':
    case 'or':
    case 'xor':
      return value === 0n ? x : null
    default:
      return null
  }
}
