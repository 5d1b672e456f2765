/**
 * The instructions of one scalar op on one-element registers. Only ops that have (almost) a PTX instruction are here; math/
 * has expanded all others. Integers below 32 bits are computed in 32 bits and narrowed.
 *
 * The assembler may contract f32 products and sums to fused multiply-adds, as the C compiler does on a CPU; it must not
 * contract f64 ones (`.rn`), because double-double arithmetic relies on their roundings.
 */
import { InternalError } from '../../base/errors.js'
import type { ScalarOpName } from '../../scalar/ops.js'
import { type Dtype, isFloat } from '../../types/dtype.js'
import type { Code } from './code.js'
import { immediate, isImmediate } from './literal.js'
import { arithmetic, kindOf } from './types.js'
import { inRegister } from './values.js'

type Operands = readonly string[]

/** True for ops on `dtype` that `scalarOp` emits. */
export function isNative(fn: ScalarOpName, dtype: Dtype): boolean {
  if (dtype === 'bool') return fn in boolOps || fn === 'where' || fn === 'not'
  if (fn in comparisons || fn === 'where') return true
  if (!isFloat(dtype)) return fn in integerOps || fn === 'truncDiv' || fn in shifts
  // Division has an instruction too, but a vector divided by one scalar has a faster expansion.
  return (fn in floatOps && fn !== 'div') || (dtype === 'f32' && (fn === 'rsqrt' || fn === 'exp2'))
}

/** Emits `dest = fn(operands)`; `dtype` is the operands' dtype (for `where`: of its branches). */
export function scalarOp(code: Code, fn: ScalarOpName, dtype: Dtype, operands: Operands, dest: string): void {
  if (dtype === 'bool') boolOp(code, fn, operands, dest)
  else if (fn === 'where') select(code, dtype, operands, dest)
  else if (fn in comparisons) compare(code, fn, dtype, operands, dest)
  else if (isFloat(dtype)) floatOp(code, fn, dtype, operands, dest)
  else integerOp(code, fn, dtype, operands, dest)
}

const comparisons: { readonly [Fn in ScalarOpName]?: string } = {
  eq: 'eq',
  ne: 'ne',
  lt: 'lt',
  le: 'le',
  gt: 'gt',
  ge: 'ge',
}

function compare(code: Code, fn: ScalarOpName, dtype: Dtype, operands: Operands, dest: string): void {
  // Comparisons with NaN are false, except `ne`.
  const test = fn === 'ne' && isFloat(dtype) ? 'neu' : comparisons[fn]!
  const [a, ...rest] = operands as [string, ...string[]]
  code.op(`setp.${test}.${arithmetic(dtype)}`, dest, inRegister(code, dtype, a), ...rest)
}

function select(code: Code, dtype: Dtype, [condition, a, b]: Operands, dest: string): void {
  code.op(`selp.${kindOf(dtype)}`, dest, a!, b!, condition!)
}

const boolOps: { readonly [Fn in ScalarOpName]?: (code: Code, a: string, b: string, dest: string) => void } = {
  and: (code, a, b, dest) => code.op('and.pred', dest, a, b),
  or: (code, a, b, dest) => code.op('or.pred', dest, a, b),
  xor: (code, a, b, dest) => code.op('xor.pred', dest, a, b),
  add: (code, a, b, dest) => code.op('or.pred', dest, a, b),
  mul: (code, a, b, dest) => code.op('and.pred', dest, a, b),
  min: (code, a, b, dest) => code.op('and.pred', dest, a, b),
  max: (code, a, b, dest) => code.op('or.pred', dest, a, b),
  ne: (code, a, b, dest) => code.op('xor.pred', dest, a, b),
  eq: (code, a, b, dest) => code.op('xor.pred', dest, a, negated(code, b)),
  lt: (code, a, b, dest) => code.op('and.pred', dest, negated(code, a), b),
  le: (code, a, b, dest) => code.op('or.pred', dest, negated(code, a), b),
  gt: (code, a, b, dest) => code.op('and.pred', dest, a, negated(code, b)),
  ge: (code, a, b, dest) => code.op('or.pred', dest, a, negated(code, b)),
}

function negated(code: Code, predicate: string): string {
  const result = code.temporary('pred')
  code.op('not.pred', result, predicate)
  return result
}

/** A scalar op on predicates. */
function boolOp(code: Code, fn: ScalarOpName, [a, b, c]: Operands, dest: string): void {
  if (fn === 'not') {
    code.op('not.pred', dest, a!)
  } else if (fn === 'where') {
    const [yes, no] = [code.temporary('pred'), code.temporary('pred')]
    code.op('and.pred', yes, a!, b!)
    code.op('and.pred', no, negated(code, a!), c!)
    code.op('or.pred', dest, yes, no)
  } else {
    const write = boolOps[fn]
    if (write === undefined) throw new InternalError(`PTX: ${fn} on bool`)
    write(code, a!, b!, dest)
  }
}

/** The instruction's name without its type; includes `rn` where the type requires it. */
const floatOps: { readonly [Fn in ScalarOpName]?: (type: 'f32' | 'f64') => string } = {
  neg: type => `neg.${type}`,
  abs: type => `abs.${type}`,
  add: type => (type === 'f32' ? 'add.f32' : 'add.rn.f64'),
  sub: type => (type === 'f32' ? 'sub.f32' : 'sub.rn.f64'),
  mul: type => (type === 'f32' ? 'mul.f32' : 'mul.rn.f64'),
  div: type => `div.rn.${type}`,
  fma: type => `fma.rn.${type}`,
  sqrt: type => `sqrt.rn.${type}`,
  floor: type => `cvt.rmi.${type}.${type}`,
  ceil: type => `cvt.rpi.${type}.${type}`,
  trunc: type => `cvt.rzi.${type}.${type}`,
  round: type => `cvt.rni.${type}.${type}`,
  copysign: type => `copysign.${type}`,
  isnan: type => `setp.nan.${type}`,
  isinf: type => `testp.infinite.${type}`,
  isfinite: type => `testp.finite.${type}`,
  min: type => `min.NaN.${type}`,
  max: type => `max.NaN.${type}`,
  fmin: type => `min.${type}`,
  fmax: type => `max.${type}`,
}

/** A scalar op on floats; narrow ones are computed in f32. */
function floatOp(code: Code, fn: ScalarOpName, dtype: Dtype, operands: Operands, dest: string): void {
  const type = dtype === 'f64' ? 'f64' : 'f32'
  const [a, b] = operands as [string, string]
  if (fn === 'rsqrt' && type === 'f32') code.op('rsqrt.approx.f32', dest, a)
  else if (fn === 'exp2' && type === 'f32') code.op('ex2.approx.f32', dest, a)
  else if (fn === 'copysign') code.op(`copysign.${type}`, dest, b, a)
  else if (fn === 'isnan') code.op(`setp.nan.${type}`, dest, inRegister(code, dtype, a), a)
  else if ((fn === 'min' || fn === 'max') && type === 'f64') wideExtreme(code, fn, a, b, dest)
  else {
    const instruction = floatOps[fn]
    if (instruction === undefined) throw new InternalError(`PTX: ${fn} on ${dtype} is not expanded`)
    code.op(instruction(type), dest, ...operands)
  }
}

/** f64 min or max that is NaN when either operand is NaN; PTX has it for f32 only. */
function wideExtreme(code: Code, fn: 'min' | 'max', a: string, b: string, dest: string): void {
  const [plain, sum, unordered] = [code.temporary('b64'), code.temporary('b64'), code.temporary('pred')]
  code.op(`${fn}.f64`, plain, a, b)
  code.op('add.rn.f64', sum, a, b)
  code.op('setp.nan.f64', unordered, inRegister(code, 'f64', a), b)
  code.op('selp.b64', dest, sum, plain, unordered)
}

const integerOps: { readonly [Fn in ScalarOpName]?: string } = {
  neg: 'neg',
  abs: 'abs',
  add: 'add',
  sub: 'sub',
  mul: 'mul.lo',
  fma: 'mad.lo',
  min: 'min',
  max: 'max',
  not: 'not',
  and: 'and',
  or: 'or',
  xor: 'xor',
}
const bitwise = new Set<ScalarOpName>(['not', 'and', 'or', 'xor'])
/** Ops whose result is in the dtype's range when the operands are. */
const closed = new Set<ScalarOpName>(['min', 'max', 'and', 'or', 'xor', 'shr'])
const shifts: { readonly [Fn in ScalarOpName]?: string } = { shl: 'shl.b', shr: 'shr.s', shrLogical: 'shr.u' }

const isNarrow = (dtype: Dtype): boolean => dtype === 'i8' || dtype === 'u8' || dtype === 'i16'

/** Narrows a 32-bit value to a narrow integer type. */
export function narrow(code: Code, dtype: Dtype, from: string, dest: string): void {
  if (dtype === 'u8') code.op('and.b32', dest, from, '255')
  else code.op(dtype === 'i8' ? 'cvt.s32.s8' : 'cvt.s32.s16', dest, from)
}

/** A scalar op on integers; results of narrow dtypes wrap to their width. */
function integerOp(code: Code, fn: ScalarOpName, dtype: Dtype, operands: Operands, dest: string): void {
  const mayExceed = isNarrow(dtype) && !closed.has(fn)
  const result = mayExceed ? code.temporary('b32') : dest
  if (fn in shifts) shift(code, fn, dtype, operands as [string, string], result)
  else if (fn === 'truncDiv') quotient(code, dtype, operands as [string, string], result)
  else {
    const name = integerOps[fn]
    if (name === undefined) throw new InternalError(`PTX: ${fn} on ${dtype} is not expanded`)
    code.op(`${name}.${bitwise.has(fn) ? kindOf(dtype) : arithmetic(dtype)}`, result, ...operands)
  }
  if (mayExceed) narrow(code, dtype, result, dest)
}

/** The hardware clamps shift amounts to the register's width; they are unsigned, so negative ones are clamped too. */
function shift(code: Code, fn: ScalarOpName, dtype: Dtype, [a, amount]: readonly [string, string], dest: string): void {
  const bits = dtype === 'i64' ? 64 : 32
  const by = dtype === 'i64' ? shortAmount(code, amount) : amount
  if (fn !== 'shrLogical' || !isNarrow(dtype)) {
    code.op(`${shifts[fn]!}${bits}`, dest, a, by)
    return
  }
  const unsigned = code.temporary('b32')
  code.op('and.b32', unsigned, a, dtype === 'i16' ? '0xffff' : '255')
  code.op('shr.u32', dest, unsigned, by)
}

/** A 64-bit amount as 32 bits: an amount that is too large or negative shifts everything out. */
function shortAmount(code: Code, amount: string): string {
  if (isImmediate(amount)) {
    const value = BigInt(amount)
    return value < 0n || value > 64n ? '64' : amount
  }
  const [bounded, short] = [code.temporary('b64'), code.temporary('b32')]
  code.op('min.u64', bounded, amount, '64')
  code.op('cvt.u32.u64', short, bounded)
  return short
}

/** Rounds toward zero. Division by zero gives 0; the minimum divided by -1 wraps to itself. */
function quotient(code: Code, dtype: Dtype, [a, b]: readonly [string, string], dest: string): void {
  const type = arithmetic(dtype)
  if (isImmediate(b)) {
    if (BigInt(b) === 0n) code.op(`mov.${kindOf(dtype)}`, dest, immediate(dtype, dtype === 'i64' ? 0n : 0))
    else if (BigInt(b) === -1n) code.op(`neg.${type}`, dest, a)
    else code.op(`div.${type}`, dest, a, b)
    return
  }
  const [plain, isZero] = [code.temporary(kindOf(dtype)), code.temporary('pred')]
  code.op(`div.${type}`, plain, a, b)
  code.op(`setp.eq.${type}`, isZero, b, '0')
  code.op(`selp.${kindOf(dtype)}`, dest, '0', plain, isZero)
}
