/**
 * Atomics. Additions, integer min and max, and exchanges of 32 and 64 bits are one hardware instruction; all others are a
 * compare-and-swap loop. Bytes are swapped within their 32-bit word.
 */
import { InternalError } from '../../base/errors.js'
import { type LaneNode, pointerType } from '../../lane/ir.js'
import type { Dtype } from '../../types/dtype.js'
import { type Address, type Addresses, addressText } from './address.js'
import type { Code } from './code.js'
import { convert } from './convert.js'
import type { NodeOfOp } from './memory.js'
import { scalarOp } from './scalar.js'
import { bytesOf, kindOf } from './types.js'
import { inRegister, type Values } from './values.js'

type Fn = NodeOfOp<'atomic'>['attrs']['fn']
/** Those that a loop can replace. */
type Fold = Exclude<Fn, 'compareExchange' | 'load'>

/** The hardware instruction's operation and type, and the PTX version it needs; null where there is no instruction. */
function direct(code: Code, fn: Fn, dtype: Dtype): { readonly name: string; readonly version: number } | null {
  const bits = 8 * bytesOf(dtype)
  if (fn === 'compareExchange') return bits >= 32 ? { name: `cas.b${bits}`, version: 0 } : null
  if (fn === 'exchange') return bits >= 32 ? { name: `exch.b${bits}`, version: 0 } : null
  if (fn === 'mul') return null
  if (dtype === 'i32' || dtype === 'i64') {
    const type = fn !== 'add' ? `s${bits}` : dtype === 'i32' ? 's32' : 'u64'
    return { name: `${fn}.${type}`, version: 0 }
  }
  if (fn !== 'add') return null
  if (dtype === 'f32' || dtype === 'f64') return { name: `add.${dtype}`, version: 0 }
  if (dtype === 'f16') return { name: 'add.noftz.f16', version: 63 }
  return dtype === 'bf16' && code.arch.capability >= 90 ? { name: 'add.noftz.bf16', version: 78 } : null
}

const orders = { relaxed: 'relaxed', acquire: 'acquire', release: 'release', acquireRelease: 'acq_rel' } as const
type Order = NodeOfOp<'atomic'>['attrs']['order']

const acquires = (order: Order): boolean => order === 'acquire' || order === 'acquireRelease'
const isReduction = (fn: Fn): boolean => fn !== 'exchange' && fn !== 'compareExchange'

/** Emits the atomic; returns the register with the old value (null when `isUsed` is false and it was not needed). */
export function atomic(
  code: Code,
  values: Values,
  addresses: Addresses,
  node: NodeOfOp<'atomic'>,
  isUsed: boolean,
): string | null {
  const [pointer, index, ...operands] = node.inputs as [LaneNode, LaneNode, ...LaneNode[]]
  const { dtype } = pointerType(pointer)
  const { fn, order } = node.attrs
  const address = addresses.of(pointer, index)
  const given = operands.map(operand => inRegister(code, dtype, values.element(operand)))
  const where = order === undefined ? address.space : `${orders[order]}.gpu.${address.space}`
  const at = addressText(address)
  if (fn === 'load' || (fn === 'exchange' && !isUsed && !acquires(order) && bytesOf(dtype) >= 4)) {
    const access = `${order === undefined ? 'relaxed' : orders[order]}.gpu.${address.space}.b${8 * bytesOf(dtype)}`
    if (fn === 'exchange') {
      code.op(`st.${access}`, at, given[0]!)
      return null
    }
    const old = code.registers.one(kindOf(dtype), 'old')
    code.op(`ld.${access}`, old, at)
    return old
  }
  const instruction = direct(code, fn, dtype)
  if (instruction !== null) {
    code.needs(instruction.version)
    if (!isUsed && isReduction(fn) && !acquires(order)) {
      code.op(`red.${where}.${instruction.name}`, at, ...given)
      return null
    }
    const old = code.registers.one(kindOf(dtype), 'old')
    code.op(`atom.${where}.${instruction.name}`, old, at, ...given)
    return old
  }
  if (fn === 'compareExchange') throw new InternalError(`ptx: no compare-and-swap of ${dtype}`)
  const value = given[0]!
  return bytesOf(dtype) === 1
    ? byteLoop(code, fn, dtype, address, where, value)
    : swapLoop(code, fn, dtype, address, where, value)
}

/** fn(old, value) of `dtype`, rounded to it. */
function combined(code: Code, fn: Fold, dtype: Dtype, old: string, value: string): string {
  if (fn === 'exchange') return value
  if (dtype !== 'f16' && dtype !== 'bf16') {
    const result = code.temporary(kindOf(dtype))
    scalarOp(code, fn, dtype, [old, value], result)
    return result
  }
  const [a, b, wide, result] = [...Array.from({ length: 3 }, () => code.temporary('b32')), code.temporary('b16')] as [
    string,
    string,
    string,
    string,
  ]
  convert(code, dtype, 'f32', old, a)
  convert(code, dtype, 'f32', value, b)
  scalarOp(code, fn, 'f32', [a, b], wide)
  convert(code, 'f32', dtype, wide, result)
  return result
}

/** An atomic op that PTX lacks, as a compare-and-swap loop; returns the register of the old value. */
function swapLoop(code: Code, fn: Fold, dtype: Dtype, address: Address, where: string, value: string): string {
  const bits = 8 * bytesOf(dtype)
  const kind = `b${bits}` as 'b16' | 'b32' | 'b64'
  const at = addressText(address)
  // An i16 is in a 32-bit register, but a 16-bit compare-and-swap needs 16-bit registers.
  const isShort = dtype === 'i16'
  const [old, seen] = [code.registers.one(kind, 'old'), code.temporary(kind)]
  const retry = code.registers.label('retry')
  code.op(`ld.${address.space}.b${bits}`, old, at)
  code.label(retry)
  const current = isShort ? code.temporary('b32') : old
  if (isShort) code.op('cvt.s32.s16', current, old)
  let next = combined(code, fn, dtype, current, value)
  if (isShort) {
    const short = code.temporary('b16')
    code.op('cvt.u16.u32', short, next)
    next = short
  }
  code.op(`atom.${where}.cas.${kind}`, seen, at, old, next)
  const failed = code.temporary('pred')
  code.op(`setp.ne.b${bits}`, failed, seen, old)
  code.op(`mov.${kind}`, old, seen)
  code.branch(retry, { predicate: failed, uniform: false })
  if (!isShort) return old
  const wide = code.registers.one('b32', 'old')
  code.op('cvt.s32.s16', wide, old)
  return wide
}

/** Compare-and-swap loop on the word that contains the byte, for i8, u8 and bool. */
function byteLoop(code: Code, fn: Fold, dtype: Dtype, address: Address, where: string, value: string): string {
  const kind = address.space === 'global' ? 'b64' : 'b32'
  const [exact, aligned] = [code.temporary(kind), code.temporary(kind)]
  const [place, old, seen, byte] = Array.from({ length: 4 }, () => code.temporary('b32')) as [
    string,
    string,
    string,
    string,
  ]
  // The base may be a variable's name, which arithmetic instructions do not accept.
  code.op(`mov.${kind}`, exact, address.base)
  code.op(`add.${kind === 'b64' ? 's64' : 's32'}`, exact, exact, String(address.offset))
  code.op(`and.${kind}`, aligned, exact, '-4')
  if (kind === 'b64') code.op('cvt.u32.u64', place, exact)
  else code.op('mov.b32', place, exact)
  code.op('and.b32', place, place, '3')
  code.op('shl.b32', place, place, '3')
  code.op(`ld.${address.space}.b32`, old, `[${aligned}]`)
  const retry = code.registers.label('retry')
  code.label(retry)
  code.op(dtype === 'i8' ? 'bfe.s32' : 'bfe.u32', byte, old, place, '8')
  const current = dtype === 'bool' ? code.temporary('pred') : byte
  if (dtype === 'bool') code.op('setp.ne.b32', current, byte, '0')
  let next = combined(code, fn, dtype, current, value)
  if (dtype === 'bool') {
    const bit = code.temporary('b32')
    code.op('selp.b32', bit, '1', '0', next)
    next = bit
  }
  const [word, failed] = [code.temporary('b32'), code.temporary('pred')]
  code.op('bfi.b32', word, next, old, place, '8')
  code.op(`atom.${where}.cas.b32`, seen, `[${aligned}]`, old, word)
  code.op('setp.ne.b32', failed, seen, old)
  code.op('mov.b32', old, seen)
  code.branch(retry, { predicate: failed, uniform: false })
  if (dtype !== 'bool') return byte
  const was = code.registers.one('pred', 'old')
  code.op('setp.ne.b32', was, byte, '0')
  return was
}
