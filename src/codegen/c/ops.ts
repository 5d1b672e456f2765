/**
 * The emitter's table: lane op × (scalar | vector) → C. Almost every scalar op is the prelude function of its name. For
 * readability, operators are used for floats and i64 (index arithmetic) where C has them; -fwrapv makes i64 operators wrap.
 * In registers, f16 and bf16 are f32, and a bool is b32 (see the prelude).
 */
import { InternalError } from '../../base/errors.js'
import { type LaneNode, type ValueType, value, valueType } from '../../lane/ir.js'
import { nameOf } from '../../math/formula.js'
import type { ScalarOpName } from '../../scalar/ops.js'
import { type CodeDtype, type Dtype, dtypeInfo, isCodeDtype, isFloat, itemBytes } from '../../types/dtype.js'
import { resultNames } from '../result-names.js'
import { streamBytes } from './memory.js'
import { bitcast, conversion, memoryFunction, memoryType, registerElem, registerType } from './prelude/names.js'
import { elemBytes, typeName } from './prelude/piece.js'
import {
  type BinaryOperator,
  binary,
  binding,
  call,
  castTo,
  condition,
  type Expression,
  literal,
  primary,
  unary,
  within,
} from './text.js'

function tensor(dtype: Dtype): CodeDtype {
  if (isCodeDtype(dtype)) return dtype
  throw new InternalError(`C: no registers of ${dtype}`)
}

/** The C type of a value. */
export const variableType = ({ dtype, lanes }: ValueType): string => registerType(tensor(dtype), lanes)

/** The C type of an element in memory. */
export const elementType = (dtype: Dtype): string => memoryType(tensor(dtype))

/** The suffix of a memory function's name; these functions convert between memory and register formats. */
const memoryName = ({ dtype, lanes }: ValueType): string =>
  memoryFunction('load', tensor(dtype), lanes).slice('load_'.length)

/** A scalar argument, read from its 8-byte slot. */
export function argumentExpression(index: number, dtype: Dtype): Expression {
  const slot = `args[${index}]`
  if (dtype === 'f64') return primary(`${slot}.f`)
  if (dtype === 'f32') return castTo('f32', primary(`${slot}.f`))
  if (dtype === 'f16' || dtype === 'bf16') return call(`f64_to_${dtype}`, [primary(`${slot}.f`)])
  if (dtype === 'i64') return primary(`${slot}.i`)
  return dtype === 'bool' ? primary(`-(${slot}.i != 0)`) : castTo(dtype, primary(`${slot}.i`))
}

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>
export type ValueNode = NodeOfOp<
  | 'const'
  | 'programId'
  | 'numPrograms'
  | 'map'
  | 'builtin'
  | 'cast'
  | 'bitcast'
  | 'splat'
  | 'iota'
  | 'extract'
  | 'fold'
  | 'prefix'
  | 'interleave'
>
export type ReadNode = NodeOfOp<'load' | 'gather' | 'atomic'>
export type WriteNode = NodeOfOp<'store' | 'scatter'>

/** The text of a pure op. `vectorBytes`: width of the machine's registers; the prelude handles longer vectors. */
export function valueExpression(node: ValueNode, operands: readonly Expression[], vectorBytes: number): Expression {
  switch (node.op) {
    case 'const':
      return splat(node.type as ValueType, literal(node.attrs.dtype, node.attrs.value))
    case 'programId':
      return programId(node.attrs.axis)
    case 'numPrograms':
      return primary(`grid[${node.attrs.axis}]`)
    case 'splat':
      return splat(node.type as ValueType, operands[0]!)
    case 'iota':
      return call(`iota_${variableType(node.type as ValueType)}`, [])
    case 'extract':
      return valueType(node.inputs[0]!).lanes === 1
        ? operands[0]!
        : primary(`${within(operands[0]!, binding.primary)}[${node.attrs.lane}]`)
    case 'fold':
      return fold(node, operands[0]!)
    case 'prefix': {
      const { fn, reverse } = node.attrs
      return call(`prefix_${fn}${reverse ? '_from_end' : ''}_${variableType(valueType(node))}`, operands)
    }
    case 'interleave':
      return call(`interleave_${node.attrs.half === 'low' ? 'lo' : 'hi'}_${variableType(valueType(node))}`, operands)
    case 'cast':
      return castExpression(valueType(node.inputs[0]!), node.attrs.to, operands[0]!)
    case 'bitcast':
      return bitcastExpression(valueType(node.inputs[0]!), node.attrs.to, operands[0]!)
    case 'builtin':
      return call(builtinName(node), operands)
    case 'map':
      return mapExpression(node, operands, vectorBytes)
  }
}

/** Library functions get the prefix `libm_`, because the op's own name is its formula. */
function builtinName(node: NodeOfOp<'builtin'>): string {
  const { fn } = node.attrs
  return `${fn === 'scale' || fn === 'rest' ? '' : 'libm_'}${fn}_${variableType(node.type as ValueType)}`
}

/** The grid is flattened with x fastest. */
function programId(axis: 0 | 1 | 2): Expression {
  if (axis === 0) return { text: 'program % grid[0]', binds: binding.product }
  if (axis === 1) return { text: 'program / grid[0] % grid[1]', binds: binding.product }
  return { text: 'program / (grid[0] * grid[1])', binds: binding.product }
}

const splat = (type: ValueType, scalar: Expression): Expression =>
  type.lanes === 1 ? scalar : call(`splat_${variableType(type)}`, [scalar])

/** The reduction of a vector's lanes. */
function fold(node: NodeOfOp<'fold'>, operand: Expression): Expression {
  const type = valueType(node.inputs[0]!)
  if (type.lanes === 1) return operand
  // The sum of bools is "or", the product is "and".
  const fn =
    type.dtype !== 'bool'
      ? node.attrs.fn
      : node.attrs.fn === 'add'
        ? 'or'
        : node.attrs.fn === 'mul'
          ? 'and'
          : node.attrs.fn
  const folded = call(`fold_${fn}_${variableType(type)}`, [operand])
  return fn === 'or' && type.dtype === 'bool'
    ? { ...folded, condition: call(`any_${variableType(type)}`, [operand]) }
    : folded
}

const floatOperators: { readonly [Fn in ScalarOpName]?: BinaryOperator } = { add: '+', sub: '-', mul: '*', div: '/' }
const indexOperators: { readonly [Fn in ScalarOpName]?: BinaryOperator } = { add: '+', sub: '-', mul: '*' }
const comparisons: { readonly [Fn in ScalarOpName]?: BinaryOperator } = {
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  eq: '==',
  ne: '!=',
}
const conjunctions: { readonly [Fn in ScalarOpName]?: BinaryOperator } = { and: '&&', or: '||' }

/** A scalar op: as a C operator where there is one, else as a call of the prelude's function. */
function mapExpression(node: NodeOfOp<'map'>, operands: readonly Expression[], vectorBytes: number): Expression {
  const type = valueType(node.inputs.at(-1)!)
  const { fn } = node.attrs
  const [a, b] = operands as [Expression, Expression]
  const operator = operatorFor(fn, type, vectorBytes)
  if (operator !== undefined) return binary(operator, type.dtype === 'i64' ? typedLiteral(node, a) : a, b)
  if (fn === 'neg' && isFloat(type.dtype) && fits(type, vectorBytes)) return unary('-', a)
  if (type.lanes === 1) {
    const scalar = scalarExpression(fn, type.dtype, operands)
    if (scalar !== null) return scalar
  }
  return bounded(node, operands) ?? call(`${fn}_${variableType(type)}`, operands)
}

/** min or max with a constant bound other than ±0: one instruction that keeps NaN. (For ±0 the order of zeros matters.) */
function bounded(node: NodeOfOp<'map'>, [operand]: readonly Expression[]): Expression | null {
  const { fn } = node.attrs
  const [x, limit] = node.inputs as readonly [LaneNode, LaneNode?]
  const type = valueType(x)
  if ((fn !== 'min' && fn !== 'max') || !isFloat(type.dtype) || limit?.op !== 'const') return null
  const bound = Number(limit.attrs.value)
  if (bound === 0 || Number.isNaN(bound)) return null
  const name = fn === 'min' ? 'at_most' : 'at_least'
  return call(`${name}_${variableType(type)}`, [operand!, literal(type.dtype, bound)])
}

const fits = ({ dtype, lanes }: ValueType, vectorBytes: number): boolean =>
  elemBytes[registerElem(tensor(dtype))] * lanes <= vectorBytes

function operatorFor(fn: ScalarOpName, type: ValueType, vectorBytes: number): BinaryOperator | undefined {
  if (isFloat(type.dtype)) return fits(type, vectorBytes) ? floatOperators[fn] : undefined
  return type.dtype === 'i64' && type.lanes === 1 ? indexOperators[fn] : undefined
}

/** If all operands are literals, C would compute in int: one is cast to i64. */
function typedLiteral(node: NodeOfOp<'map'>, first: Expression): Expression {
  return node.inputs.every(input => input.op === 'const') ? castTo('i64', first) : first
}

/** The scalar form that reads better than a call, or null. Bool results also carry their plain C condition. */
function scalarExpression(fn: ScalarOpName, dtype: Dtype, operands: readonly Expression[]): Expression | null {
  const [a, b, c] = operands as [Expression, Expression, Expression]
  if (fn === 'where') {
    const [test, yes, no] = [condition(a), b, c].map(operand => within(operand, binding.ternary + 1))
    return { text: `${test} ? ${yes} : ${no}`, binds: binding.ternary }
  }
  const comparison = comparisons[fn]
  // Compilers warn about `x > x`; a call means the same.
  if (comparison !== undefined && dtype !== 'bool' && a.text !== b.text) {
    const plain = binary(comparison, a, b)
    return { text: `-(${plain.text})`, binds: binding.unary, condition: plain }
  }
  if (dtype !== 'bool') return null
  if (fn === 'not') return { ...unary('~', a), condition: unary('!', condition(a)) }
  const conjunction = conjunctions[fn]
  if (conjunction === undefined) return null
  return { ...binary(fn === 'and' ? '&' : '|', a, b), condition: binary(conjunction, condition(a), condition(b)) }
}

/** A conversion; several steps where C has no direct one. */
function castExpression({ dtype, lanes }: ValueType, to: Dtype, operand: Expression): Expression {
  const steps = conversion(tensor(dtype), tensor(to), lanes)
  const last = steps.at(-1)
  if (last === undefined) {
    // Registers hold f16 and bf16 as f32, so widening needs no step. A later store must store the rounded value.
    const { unrounded: _, ...rounded } = operand
    return rounded
  }
  const result = steps.reduce((expression, step) => call(step, [expression]), operand)
  // A store to f16 or bf16 rounds f32 itself.
  if (!/^f32_to_b?f16/.test(last)) return result
  return { ...result, unrounded: steps.slice(0, -1).reduce((expression, step) => call(step, [expression]), operand) }
}

/** Dtypes held as f32 in registers, and as codes in memory. */
export const isHalf = (dtype: Dtype): boolean => dtype === 'f16' || dtype === 'bf16'

/** A vector as another type of the same size. */
const reread = (type: ValueType, operand: Expression): Expression => ({
  text: `(${variableType(type)})${within(operand, binding.unary)}`,
  binds: binding.unary,
})

/** Narrow elements as i32 words of several each. */
function wordsOf({ dtype, lanes }: ValueType, operand: Expression): Expression {
  const codes = isHalf(dtype) ? (operand.codes ?? call(`pack_${dtype}x${lanes}`, [operand])) : operand
  return reread(value('i32', (lanes * dtypeInfo(dtype).bits) / 32), codes)
}

/** The same bits as another dtype. */
function bitcastExpression({ dtype, lanes }: ValueType, to: Dtype, operand: Expression): Expression {
  if (dtype === to) return operand
  if (to === 'i32' && (isHalf(dtype) || dtype === 'i8')) return wordsOf(value(dtype, lanes), operand)
  if (isHalf(dtype) && to === 'i16' && operand.codes !== undefined) return reread(value(to, lanes), operand.codes)
  // A bool is a byte only in memory.
  if (dtype === 'bool' || to === 'bool') {
    const bytes = dtype === 'i8' ? call(bitcast('i8', 'u8', lanes)!, [operand]) : operand
    const result = castExpression(value(dtype === 'i8' ? 'u8' : dtype, lanes), to === 'i8' ? 'u8' : to, bytes)
    return to === 'i8' ? call(bitcast('u8', 'i8', lanes)!, [result]) : result
  }
  if (isHalf(dtype) && isHalf(to))
    return bitcastExpression(value('i16', lanes), to, bitcastExpression(value(dtype, lanes), 'i16', operand))
  return call(bitcast(tensor(dtype), tensor(to), lanes)!, [operand])
}

/** `&x[i]`, or the element itself. */
const element = (pointer: Expression, index: Expression): Expression => primary(`${pointer.text}[${index.text}]`)
const address = (pointer: Expression, index: Expression): Expression =>
  index.text === '0' ? pointer : { text: `&${element(pointer, index).text}`, binds: binding.unary }

/** True when memory and register formats are the same: no conversion, so a scalar access is plain `x[i]`. */
const sameFormat = (dtype: Dtype): boolean => elementType(dtype) === registerType(tensor(dtype), 1)

/** A load, gather or atomic as an expression. */
export function accessExpression(node: ReadNode, operands: readonly Expression[]): Expression {
  const [pointer, index, third, skip] = operands as [Expression, Expression, Expression?, Expression?]
  const type = valueType(node)
  switch (node.op) {
    case 'load':
      if (node.attrs.apart !== undefined) {
        const name = `load_apart${node.attrs.apart}${third === undefined ? '' : '_part'}_${memoryName(type)}`
        return call(name, third === undefined ? [address(pointer, index)] : [address(pointer, index), third])
      }
      if (skip !== undefined) return call(`load_span_${memoryName(type)}`, [address(pointer, index), skip, third!])
      if (third !== undefined)
        return withCodes(type, name => call(`load_part_${name}`, [address(pointer, index), third]))
      if (type.lanes === 1 && sameFormat(type.dtype)) return element(pointer, index)
      return withCodes(type, name => call(`load_${name}`, [address(pointer, index)]))
    case 'gather': {
      const indices = node.inputs[1]!
      const isReversed = third === undefined && type.lanes >= 4 && isDescending(indices)
      const kind = isReversed ? 'reversed_' : type.lanes > 1 && valueType(indices).dtype === 'i32' ? 'short_' : ''
      return call(`gather_${kind}${third === undefined ? '' : 'masked_'}${memoryName(type)}`, operands)
    }
    case 'atomic':
      return call(`atomic_${node.attrs.fn}_${memoryName(type)}`, [address(pointer, index), ...operands.slice(2)])
  }
}

/** A load; for f16 and bf16 also that of the codes alone. */
function withCodes(type: ValueType, load: (name: string) => Expression): Expression {
  const values = load(memoryName(type))
  return isHalf(type.dtype) ? { ...values, codes: load(typeName('u16', type.lanes)) } : values
}

/** Whether each lane of an index is 1 less than the lane before it. */
function isDescending(index: LaneNode): boolean {
  if (index.op !== 'map') return false
  const [a, b] = index.inputs as readonly [LaneNode, LaneNode]
  if (index.attrs.fn === 'mul') return [a, b].some(isMinusOne) && [a, b].some(({ op }) => op === 'iota')
  if (index.attrs.fn === 'sub') return isUniform(a) && b.op === 'iota'
  return index.attrs.fn === 'add' && ((isUniform(a) && isDescending(b)) || (isDescending(a) && isUniform(b)))
}

const isUniform = ({ op }: LaneNode): boolean => op === 'splat' || op === 'const'
const isMinusOne = (node: LaneNode): boolean => {
  if (node.op === 'splat') return isMinusOne(node.inputs[0]!)
  return node.op === 'const' && BigInt(node.attrs.value) === -1n
}

/** A store or scatter as a statement. */
export function accessStatement(node: WriteNode, operands: readonly Expression[]): Expression {
  const [pointer, index, given, last] = operands as [Expression, Expression, Expression, Expression | undefined]
  const type = valueType(node.inputs[2]!)
  const stored = given.unrounded ?? given
  if (node.op === 'scatter') {
    const operandsOf = [pointer, index, stored]
    return last === undefined
      ? call(`scatter_${memoryName(type)}`, operandsOf)
      : call(`scatter_masked_${memoryName(type)}`, [...operandsOf, last])
  }
  if (last !== undefined) return call(`store_part_${memoryName(type)}`, [address(pointer, index), stored, last])
  if (type.lanes === 1 && sameFormat(type.dtype)) {
    return { text: `${element(pointer, index).text} = ${stored.text}`, binds: 2 }
  }
  if (!isStreamed(node)) return call(`store_${memoryName(type)}`, [address(pointer, index), stored])
  const isFar = { text: `${programs} >= ${node.attrs.streamedFrom}`, binds: binding.relation }
  return call(`stream_${memoryName(type)}`, [address(pointer, index), stored, isFar])
}

/** The variable that says how many programs a launch has, of kernels with streamed stores. */
export const programs = 'programs'

/** Whether a store may go past the caches: it writes a whole line, in the format of the registers. */
export function isStreamed(node: LaneNode): boolean {
  if (node.op !== 'store' || node.attrs.streamedFrom === undefined || node.inputs.length > 3) return false
  const { dtype, lanes } = valueType(node.inputs[2]!)
  return sameFormat(dtype) && itemBytes(dtype) * lanes === streamBytes
}

export const prefetchStatement = ([pointer, index]: readonly Expression[]): Expression =>
  call('__builtin_prefetch', [address(pointer!, index!)])

/** A variable name for a value, derived from its definition. */
export function nameHint(node: ValueNode | ReadNode, operands: readonly Expression[]): string {
  const name = nameOf(node)
  if (name !== undefined) return name
  switch (node.op) {
    case 'map':
      return resultNames[node.attrs.fn] ?? `${node.attrs.fn}_`
    case 'builtin':
      return node.attrs.fn
    case 'load':
    case 'gather':
      return `${operands[0]!.text}_v`
    case 'atomic':
      return 'old'
    case 'programId':
      return `program_${'xyz'[node.attrs.axis]}`
    case 'numPrograms':
      return `programs_${'xyz'[node.attrs.axis]}`
    case 'cast':
    case 'bitcast':
      return 'converted'
    case 'fold':
      return 'folded'
    case 'prefix':
      return 'running'
    case 'interleave':
      return 'mixed'
    case 'splat':
      // Derived from the leading variable: n, or a for a[i].
      return `${/^[A-Za-z]\w*(?=$|\[)/.exec(operands[0]!.text)?.[0] ?? 'value'}_all`
    case 'extract':
      return 'lane'
    case 'const':
    case 'iota':
      return 'c'
  }
}
