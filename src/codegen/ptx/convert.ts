/**
 * Conversions between dtypes on one-element registers, as `castValue` in the scalar table defines them: float to integer
 * truncates, and values out of range become the minimum of i32 or i64 (PTX saturates instead, and converts NaN to 0).
 */
import { InternalError } from '../../base/errors.js'
import { type Dtype, dtypeInfo, isFloat } from '../../types/dtype.js'
import type { Code } from './code.js'
import { immediate } from './literal.js'
import { narrow } from './scalar.js'
import { arithmetic, kindOf } from './types.js'
import { inRegister } from './values.js'

/** Emits `dest = to(operand)`. */
export function convert(code: Code, from: Dtype, to: Dtype, operand: string, dest: string): void {
  const source = from === 'bool' ? operand : inRegister(code, from, operand)
  if (from === to) code.op(`mov.${kindOf(to)}`, dest, source)
  else if (from === 'bool') fromBool(code, to, source, dest)
  else if (to === 'bool') toBool(code, from, source, dest)
  else if (isFloat(from)) fromFloat(code, from, to, source, dest)
  else if (isFloat(to)) integerToFloat(code, from, to, source, dest)
  else integerToInteger(code, from, to, source, dest)
}

function fromBool(code: Code, to: Dtype, operand: string, dest: string): void {
  const [one, zero] = [1, 0].map(value => immediate(to, to === 'i64' ? BigInt(value) : value)) as [string, string]
  code.op(`selp.${kindOf(to)}`, dest, one, zero, operand)
}

function toBool(code: Code, from: Dtype, operand: string, dest: string): void {
  if (isHalf(from)) {
    const wide = code.temporary('b32')
    halfToF32(code, from, operand, wide)
    toBool(code, 'f32', wide, dest)
    return
  }
  const test = isFloat(from) ? 'neu' : 'ne'
  code.op(`setp.${test}.${arithmetic(from)}`, dest, operand, immediate(from, from === 'i64' ? 0n : 0))
}

const isHalf = (dtype: Dtype): dtype is 'f16' | 'bf16' => dtype === 'f16' || dtype === 'bf16'

function halfToF32(code: Code, from: 'f16' | 'bf16', operand: string, dest: string): void {
  if (from === 'f16') code.op('cvt.f32.f16', dest, operand)
  else code.op('mov.b32', dest, `{0, ${operand}}`)
}

/** Converts a float to any other dtype. */
function fromFloat(code: Code, from: Dtype, to: Dtype, operand: string, dest: string): void {
  if (isHalf(from)) {
    if (to === 'f32') {
      halfToF32(code, from, operand, dest)
      return
    }
    const wide = code.temporary('b32')
    halfToF32(code, from, operand, wide)
    fromFloat(code, 'f32', to, wide, dest)
    return
  }
  if (from !== 'f32' && from !== 'f64') throw new InternalError(`PTX: no conversion from ${from} to ${to}`)
  if (!isFloat(to)) floatToInteger(code, from, to, operand, dest)
  else if (to === 'f64') code.op('cvt.f64.f32', dest, operand)
  else if (to === 'f32' || to === 'f16') code.op(`cvt.rn.${to}.${from}`, dest, operand)
  else if (to === 'bf16') code.op('cvt.rn.bf16.f32', dest, from === 'f32' ? operand : f64RoundedToOdd(code, operand))
  else throw new InternalError(`PTX: no conversion from ${from} to ${to}`)
}

/**
 * Round to odd: the f32 is truncated, and its last bit set if bits were lost, so that rounding it to bf16 equals a single
 * rounding of the original value. `back` converts the f32 to the original's type.
 */
function roundedToOdd(code: Code, cut: string, back: string, kind: 'b32' | 'b64', test: string, x: string): string {
  const [near, odd, result] = [code.temporary('b32'), code.temporary('b32'), code.temporary('b32')]
  const [restored, differs] = [code.temporary(kind), code.temporary('pred')]
  code.op(cut, near, x)
  code.op(back, restored, near)
  code.op(test, differs, restored, x)
  code.op('or.b32', odd, near, '1')
  code.op('selp.b32', result, odd, near, differs)
  return result
}

const f64RoundedToOdd = (code: Code, x: string): string =>
  roundedToOdd(code, 'cvt.rz.f32.f64', 'cvt.f64.f32', 'b64', 'setp.ne.f64', x)

/** Rounds toward zero. Values out of range, and NaN, become the smallest integer, as in C on x86. */
function floatToInteger(code: Code, from: 'f32' | 'f64', to: Dtype, operand: string, dest: string): void {
  const wide = to === 'i64' ? 'i64' : 'i32'
  const kind = kindOf(wide)
  const [saturated, fits] = [code.temporary(kind), code.temporary('pred')]
  code.op(`cvt.rzi.${arithmetic(wide)}.${from}`, saturated, operand)
  // False for NaN. Values below the minimum need no test: the instruction saturates to the minimum.
  code.op(`setp.lt.${from}`, fits, operand, immediate(from, wide === 'i64' ? 2 ** 63 : 2 ** 31))
  const least = wide === 'i64' ? '-9223372036854775808' : '-2147483648'
  const result = to === wide ? dest : code.temporary('b32')
  code.op(`selp.${kind}`, result, saturated, least, fits)
  if (to !== wide) narrow(code, to, result, dest)
}

/** Converts an integer to a float, rounded once. */
function integerToFloat(code: Code, from: Dtype, to: Dtype, operand: string, dest: string): void {
  const type = arithmetic(from)
  if (to !== 'bf16') {
    code.op(`cvt.rn.${to}.${type}`, dest, operand)
    return
  }
  // Up to 16 bits f32 is exact; wider integers would be rounded twice.
  let near = code.temporary('b32')
  if (dtypeInfo(from).bits <= 16) code.op('cvt.rn.f32.s32', near, operand)
  else {
    const kind = from === 'i64' ? 'b64' : 'b32'
    near = roundedToOdd(code, `cvt.rz.f32.${type}`, `cvt.rzi.${type}.f32`, kind, `setp.ne.${type}`, operand)
  }
  code.op('cvt.rn.bf16.f32', dest, near)
}

/** Converts between integers; narrower ones wrap. */
function integerToInteger(code: Code, from: Dtype, to: Dtype, operand: string, dest: string): void {
  if (to === 'i64') {
    code.op('cvt.s64.s32', dest, operand)
    return
  }
  let word = operand
  if (from === 'i64') {
    word = to === 'i32' ? dest : code.temporary('b32')
    code.op('cvt.u32.u64', word, operand)
    if (to === 'i32') return
  }
  const isHeld = to === 'i32' || (to === 'i16' && dtypeInfo(from).bits === 8)
  if (isHeld) code.op('mov.b32', dest, word)
  else narrow(code, to, word, dest)
}
