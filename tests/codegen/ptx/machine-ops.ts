/** What arithmetic instructions of PTX do, for machine.ts. */
import { fmaExact } from '../../../src/scalar/exact.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../../../src/types/float16.js'
import type { Bits, Thread } from './machine.js'

const view = new DataView(new ArrayBuffer(8))

export function f32Of(bits: number): number {
  view.setUint32(0, bits)
  return view.getFloat32(0)
}
export function bitsOfF32(value: number): number {
  view.setFloat32(0, value)
  return view.getUint32(0)
}
export function f64Of(bits: bigint): number {
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}
export function bitsOfF64(value: number): bigint {
  view.setFloat64(0, value)
  return view.getBigUint64(0)
}

type Value = number | bigint

/** An operand as its type's value: floats as numbers, integers as bigints. */
function typed(thread: Thread, type: string, operand: string): Value {
  switch (type) {
    case 'f32':
      return f32Of(thread.u32(operand))
    case 'f64':
      return f64Of(thread.u64(operand))
    case 'f16':
      return fromF16(thread.u32(operand) & 0xffff)
    case 'bf16':
      return fromBf16(thread.u32(operand) & 0xffff)
    default: {
      const width = Number(type.slice(1))
      const bits = BigInt(thread.read(operand))
      return type.startsWith('s') ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits)
    }
  }
}

function encoded(type: string, value: Value): Bits {
  switch (type) {
    case 'f32':
      return bitsOfF32(Number(value))
    case 'f64':
      return bitsOfF64(Number(value))
    case 'f16':
      return toF16(Number(value))
    case 'bf16':
      return toBf16(Number(value))
    default:
      if (type.endsWith('64')) return BigInt.asUintN(64, BigInt(value))
      return type.endsWith('16') && !type.startsWith('s')
        ? Number(BigInt.asUintN(16, BigInt(value)))
        : Number(BigInt.asUintN(32, BigInt(value)))
  }
}

const isFloatType = (type: string): boolean => /^b?f/.test(type)

const flush = (x: number): number => (Math.abs(x) < 2 ** -126 ? (Object.is(Math.sign(x), -0) || x < 0 ? -0 : 0) : x)
const approximations: Readonly<Record<string, (x: number) => number>> = {
  ex2: x => 2 ** x,
  lg2: Math.log2,
  rcp: x => 1 / x,
  rsqrt: x => 1 / Math.sqrt(x),
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
}

const sameSign = (a: number, b: number): number => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a))

/** Of two floats, PTX takes the one that is no NaN; −0 is below +0. */
function extremeOf(fn: 'min' | 'max', a: number, b: number, propagates: boolean): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return propagates ? Number.NaN : Number.isNaN(a) ? b : a
  return fn === 'min' ? Math.min(a, b) : Math.max(a, b)
}

const floatBinary: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  // The sign of the first, the magnitude of the second.
  copysign: (a, b) => sameSign(b, a),
}

const integerBinary: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  // By zero the result is unspecified: something that must not be used.
  div: (a, b) => (b === 0n ? 0x123456n : a / b),
  rem: (a, b) => a % b,
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
}

const comparisons: Readonly<Record<string, (a: Value, b: Value) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b && !Number.isNaN(a) && !Number.isNaN(b),
  neu: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  nan: (a, b) => Number.isNaN(a) || Number.isNaN(b),
}

export function arithmeticOps(thread: Thread, name: string, operands: readonly string[]): void {
  const [dest, a, b, c, d] = operands as [string, string, string, string, string]
  const parts = name.split('.')
  const [op] = parts as [string]
  const type = parts.at(-1)!
  const read = (operand: string): Value => typed(thread, type, operand)
  const write = (value: Value): void => thread.write(dest, encoded(type, value))
  const bits = (operand: string): bigint => BigInt.asUintN(64, BigInt(thread.read(operand) as Value))
  if (type.endsWith('x2') && op !== 'cvt') {
    pairs(thread, op, type.slice(0, -2), dest, [a, b, c])
    return
  }
  switch (op) {
    case 'setp':
      thread.write(dest, comparisons[parts[1]!]!(read(a), read(b)))
      return
    case 'testp': {
      const x = Number(read(a))
      thread.write(dest, parts[1] === 'finite' ? Number.isFinite(x) : !Number.isFinite(x) && !Number.isNaN(x))
      return
    }
    case 'selp':
      thread.write(dest, encoded(type.replace('b', 'u'), bits(thread.read(c) ? a : b)))
      return
    case 'and':
    case 'or':
    case 'xor':
    case 'not':
      logic(thread, op, type, dest, a, b)
      return
    case 'shl':
      thread.write(dest, encoded(type, thread.u32(b) >= Number(type.slice(1)) ? 0n : bits(a) << BigInt(thread.u32(b))))
      return
    case 'shr': {
      const width = Number(type.slice(1))
      write(BigInt(read(a)) >> BigInt(Math.min(thread.u32(b), width)))
      return
    }
    case 'bfe': {
      const field = BigInt.asUintN(thread.u32(c), BigInt(thread.u32(a)) >> BigInt(thread.u32(b)))
      write(type === 's32' ? BigInt.asIntN(thread.u32(c), field) : field)
      return
    }
    case 'bfi': {
      const mask = ((1n << BigInt(thread.u32(d))) - 1n) << BigInt(thread.u32(c))
      write((bits(b) & ~mask) | ((bits(a) << BigInt(thread.u32(c))) & mask))
      return
    }
    case 'prmt': {
      const bytes = (bits(a) % 2n ** 32n) | (BigInt.asUintN(32, bits(b)) << 32n)
      const selector = thread.u32(c)
      let value = 0n
      for (let i = 0; i < 4; i++) {
        const which = (selector >> (4 * i)) & 15
        if (which > 7) throw new Error('sign replication')
        value |= ((bytes >> BigInt(8 * which)) & 255n) << BigInt(8 * i)
      }
      write(value)
      return
    }
    case 'cvt':
      convert(thread, parts, dest, a, b)
      return
    case 'mad':
      if (parts[1] === 'wide') thread.write(dest, BigInt.asUintN(64, BigInt(read(a)) * BigInt(read(b)) + thread.s64(c)))
      else write(BigInt(read(a)) * BigInt(read(b)) + BigInt(read(c)))
      return
    case 'fma': {
      const [x, y, z] = [a, b, c].map(operand => Number(read(operand))) as [number, number, number]
      write(fmaExact(x, y, z, type as 'f32' | 'f64'))
      return
    }
    case 'neg':
      write(isFloatType(type) ? -Number(read(a)) : -BigInt(read(a)))
      return
    case 'abs':
      write(isFloatType(type) ? Math.abs(Number(read(a))) : BigInt(read(a)) < 0n ? -BigInt(read(a)) : read(a))
      return
    case 'sqrt':
      write(Math.sqrt(Number(read(a))))
      return
  }
  const approximation = approximations[op]
  if (approximation !== undefined && parts[1] === 'approx') {
    const x = Number(read(a))
    write(parts[2] === 'ftz' ? flush(approximation(flush(x))) : approximation(x))
    return
  }
  if (isFloatType(type)) {
    const [x, y] = [Number(read(a)), Number(read(b))]
    if (op === 'min' || op === 'max') write(extremeOf(op, x, y, parts[1] === 'NaN'))
    else write(known(floatBinary[op], name)(x, y))
  } else write(known(integerBinary[op], name)(BigInt(read(a)), BigInt(read(b))))
}

/** Two 16-bit floats of each word, results rounded once: sums and products of two are exact in double precision or nearly. */
function pairs(thread: Thread, op: string, type: string, dest: string, operands: readonly string[]): void {
  const half = (shift: number): number => {
    const [x, y, z] = operands.map(operand =>
      operand === undefined ? 0 : Number(decoded(type, (thread.u32(operand) >>> shift) & 0xffff)),
    ) as [number, number, number]
    // A multiply-add is used with one operand that keeps the product or the sum exact.
    return Number(encoded(type, op === 'fma' ? x * y + z : known(floatBinary[op], op)(x, y)))
  }
  thread.write(dest, half(16) * 65536 + half(0))
}

const decoded = (type: string, bits: number): number => (type === 'f16' ? fromF16(bits) : fromBf16(bits))

function known<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the machine has no ${name}`)
  return value
}

function logic(thread: Thread, op: string, type: string, dest: string, a: string, b: string): void {
  if (type === 'pred') {
    const [x, y] = [Boolean(thread.read(a)), op === 'not' ? false : Boolean(thread.read(b))]
    thread.write(dest, op === 'and' ? x && y : op === 'or' ? x || y : op === 'xor' ? x !== y : !x)
    return
  }
  const width = Number(type.slice(1))
  const x = BigInt(thread.read(a) as Value)
  const y = op === 'not' ? 0n : BigInt(thread.read(b) as Value)
  const value = op === 'and' ? x & y : op === 'or' ? x | y : op === 'xor' ? x ^ y : ~x
  thread.write(dest, width === 64 ? BigInt.asUintN(64, value) : Number(BigInt.asUintN(32, value)))
}

const roundings: Readonly<Record<string, (x: number) => number>> = {
  rmi: Math.floor,
  rpi: Math.ceil,
  rzi: Math.trunc,
  rni: x => {
    if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x
    const [floor, rest] = [Math.floor(x), x - Math.floor(x)]
    const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0)
    return sameSign(up ? floor + 1 : floor, x)
  },
}

/** cvt.[rounding].[to].[from] */
function convert(thread: Thread, parts: readonly string[], dest: string, a: string, b: string): void {
  const [to, from] = parts.slice(-2) as [string, string]
  const rounding = parts.length > 3 ? parts[1]! : ''
  if (to.endsWith('x2')) {
    const half = to.slice(0, -2)
    const [high, low] = [a, b].map(operand => Number(encoded(half, typed(thread, from, operand)))) as [number, number]
    thread.write(dest, high * 65536 + low)
    return
  }
  if (to === 'tf32') {
    const bits = thread.u32(a)
    thread.write(dest, Number.isFinite(f32Of(bits)) ? ((bits + 0x1000) & ~0x1fff) >>> 0 : bits)
    return
  }
  const value = typed(thread, from, a)
  if (isFloatType(from) && isFloatType(to)) {
    const x = Number(value)
    if (rounding in roundings) thread.write(dest, encoded(to, roundings[rounding]!(x)))
    else thread.write(dest, encoded(to, rounding === 'rz' ? cut(x) : x))
  } else if (isFloatType(from)) {
    thread.write(dest, encoded(to, saturated(to, Number(value))))
  } else if (isFloatType(to)) {
    if (rounding === 'rz') thread.write(dest, encoded(to, cutInteger(BigInt(value))))
    else thread.write(dest, encoded(to, to === 'f32' ? nearestF32(BigInt(value)) : Number(value)))
  } else thread.write(dest, encoded(to, to.startsWith('s') ? BigInt.asIntN(Number(to.slice(1)), BigInt(value)) : value))
}

/** To f32, toward zero. */
function cut(x: number): number {
  const near = Math.fround(x)
  if (Number.isNaN(x) || Math.abs(near) <= Math.abs(x)) return near
  return f32Of(bitsOfF32(near) - 1)
}

function cutInteger(value: bigint): number {
  const near = nearestF32(value)
  const magnitude = (x: bigint): bigint => (x < 0n ? -x : x)
  return magnitude(BigInt(near)) <= magnitude(value) ? near : f32Of(bitsOfF32(near) - 1)
}

function nearestF32(value: bigint): number {
  if (BigInt.asIntN(54, value) === value) return Math.fround(Number(value))
  const top = value >> 24n
  return Math.fround(Number(top << 24n === value ? top : top | 1n) * 2 ** 24)
}

/** Out of range becomes the nearest limit, NaN 0. */
function saturated(to: string, x: number): bigint {
  const limit = 2n ** BigInt(Number(to.slice(1)) - 1)
  if (Number.isNaN(x)) return 0n
  if (x >= Number(limit)) return limit - 1n
  return x < -Number(limit) ? -limit : BigInt(Math.trunc(x))
}
