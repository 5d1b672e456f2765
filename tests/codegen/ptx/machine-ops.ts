/** What arithmetic instructions of PTX do, for machine-steps.ts. */
import { fmaExact } from '../../../src/scalar/exact.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../../../src/types/float16.js'
import type { Step, Thread } from './machine.js'
import { bitsOfF32, bitsOfF64, f32Of, f64Of } from './machine-bits.js'
import type { Bits, Operand } from './machine-operand.js'

/** Floats and integers up to 32 bits as numbers, 64-bit integers as bigints. */
type Value = number | bigint
type Read<T> = (thread: Thread) => T

const widthOf = (type: string): number => Number(type.slice(1))
const isFloatType = (type: string): boolean => /^b?f/.test(type)
const isWide = (type: string): boolean => !isFloatType(type) && widthOf(type) === 64

/** Reads a float operand, or an integer of up to 32 bits. */
function numberOf(type: string, operand: Operand): Read<number> {
  switch (type) {
    case 'f32':
      return thread => f32Of(thread.u32(operand))
    case 'f64':
      return thread => f64Of(thread.u64(operand))
    case 'f16':
      return thread => fromF16(thread.u32(operand) & 0xffff)
    case 'bf16':
      return thread => fromBf16(thread.u32(operand) & 0xffff)
    default: {
      const unused = 32 - widthOf(type)
      if (type.startsWith('s')) return thread => (thread.s32(operand) << unused) >> unused
      return thread => (thread.u32(operand) << unused) >>> unused
    }
  }
}

/** Reads an integer operand of any width. */
function bigOf(type: string, operand: Operand): Read<bigint> {
  const width = widthOf(type)
  if (type.startsWith('s')) return thread => BigInt.asIntN(width, BigInt(thread.read(operand)))
  return thread => BigInt.asUintN(width, BigInt(thread.read(operand)))
}

/** Reads an operand as its type's value. */
const readerFor = (type: string, operand: Operand): Read<Value> =>
  isWide(type) ? bigOf(type, operand) : numberOf(type, operand)

/** A value of the type as a register's bits: rounded or cut to it. */
function encoderOf(type: string): (value: Value) => Bits {
  switch (type) {
    case 'f32':
      return value => bitsOfF32(Number(value))
    case 'f64':
      return value => bitsOfF64(Number(value))
    case 'f16':
      return value => toF16(Number(value))
    case 'bf16':
      return value => toBf16(Number(value))
    default: {
      if (widthOf(type) === 64) return value => BigInt.asUintN(64, BigInt(value))
      const mask = widthOf(type) === 16 && !type.startsWith('s') ? 0xffff : 0xffffffff
      return value => ((typeof value === 'bigint' ? Number(BigInt.asUintN(32, value)) : value) & mask) >>> 0
    }
  }
}

const flush = (x: number, least: number): number => (Math.abs(x) < least ? x * 0 : x)
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

/** What an integer division by zero gives: something that must not be used. */
const unspecified = 0x123456

/** Of 64-bit integers. */
const wideBinary: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => (b === 0n ? BigInt(unspecified) : a / b),
  rem: (a, b) => (b === 0n ? BigInt(unspecified) : a % b),
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

/** Of integers up to 32 bits; the result is cut to their width. */
const narrowBinary: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: Math.imul,
  div: (a, b) => (b === 0 ? unspecified : Math.trunc(a / b)),
  rem: (a, b) => (b === 0 ? unspecified : a % b),
  min: Math.min,
  max: Math.max,
}

/** Throws on an instruction that the machine does not know. */
export function arithmetic(name: string, operands: readonly Operand[]): Step {
  const [dest, a, b, c, d] = operands as [Operand, Operand, Operand, Operand, Operand]
  const parts = name.split('.')
  const [op] = parts as [string]
  const type = parts.at(-1)!
  if (type.endsWith('x2') && op !== 'cvt') return pairs(op, type.slice(0, -2), dest, [a, b, c])
  switch (op) {
    case 'setp':
      return compare(parts[1]!, dest, readerFor(type, a), readerFor(type, b))
    case 'testp': {
      const [x, test] = [numberOf(type, a), parts[1] === 'finite' ? Number.isFinite : isInfinite]
      return thread => thread.write(dest, test(x(thread)))
    }
    case 'selp':
      return select(type, dest, a, b, c)
    case 'and':
    case 'or':
    case 'xor':
    case 'not':
      return type === 'pred' ? predicates(op, dest, a, b) : logic(op, type, dest, a, b)
    case 'shl':
    case 'shr':
      return shift(op, type, dest, a, b)
    case 'bfe': {
      const encode = encoderOf(type)
      return thread => {
        const field = BigInt.asUintN(thread.u32(c), BigInt(thread.u32(a)) >> BigInt(thread.u32(b)))
        thread.write(dest, encode(type === 's32' ? BigInt.asIntN(thread.u32(c), field) : field))
      }
    }
    case 'bfi':
      return insert(type, dest, a, b, c, d)
    case 'prmt':
      return thread => thread.write(dest, permuted(thread.u32(a), thread.u32(b), thread.u32(c)))
    case 'cvt':
      return convert(parts, dest, a, b)
    case 'mad':
      return multiplyAdd(parts, dest, [a, b, c])
    case 'fma': {
      const [x, y, z, encode] = [numberOf(type, a), numberOf(type, b), numberOf(type, c), encoderOf(type)]
      const format = type === 'f64' ? 'f64' : 'f32'
      return thread => thread.write(dest, encode(fmaExact(x(thread), y(thread), z(thread), format)))
    }
    case 'neg':
    case 'abs':
    case 'sqrt':
      return unary(op, type, dest, a)
  }
  const approximation = approximations[op]
  if (approximation !== undefined && parts[1] === 'approx') {
    const [x, encode, flushes] = [numberOf(type, a), encoderOf(type), parts[2] === 'ftz']
    if (!flushes) return thread => thread.write(dest, encode(approximation(x(thread))))
    const least = type === 'f64' ? 2 ** -1022 : 2 ** -126
    return thread => thread.write(dest, encode(flush(approximation(flush(x(thread), least)), least)))
  }
  return binary(name, parts, dest, a, b)
}

const isInfinite = (x: number): boolean => Math.abs(x) === Number.POSITIVE_INFINITY

function binary(name: string, parts: readonly string[], dest: Operand, a: Operand, b: Operand): Step {
  const [op, type] = [parts[0]!, parts.at(-1)!]
  const encode = encoderOf(type)
  if (isWide(type)) {
    const [fn, x, y] = [known(wideBinary[op], name), bigOf(type, a), bigOf(type, b)]
    return thread => thread.write(dest, encode(fn(x(thread), y(thread))))
  }
  const [x, y] = [numberOf(type, a), numberOf(type, b)]
  if (isFloatType(type) && (op === 'min' || op === 'max')) {
    const propagates = parts[1] === 'NaN'
    return thread => thread.write(dest, encode(extremeOf(op, x(thread), y(thread), propagates)))
  }
  const fn = known((isFloatType(type) ? floatBinary : narrowBinary)[op], name)
  return thread => thread.write(dest, encode(fn(x(thread), y(thread))))
}

function unary(op: 'neg' | 'abs' | 'sqrt', type: string, dest: Operand, a: Operand): Step {
  const encode = encoderOf(type)
  if (isWide(type)) {
    const x = bigOf(type, a)
    if (op === 'neg') return thread => thread.write(dest, encode(-x(thread)))
    return thread => thread.write(dest, encode(x(thread) < 0n ? -x(thread) : x(thread)))
  }
  const x = numberOf(type, a)
  const fn = op === 'neg' ? (value: number) => -value : Math[op]
  return thread => thread.write(dest, encode(fn(x(thread))))
}

function compare(relation: string, dest: Operand, x: Read<Value>, y: Read<Value>): Step {
  const holds = known(comparisons[relation], `setp.${relation}`)
  return thread => thread.write(dest, holds(x(thread), y(thread)))
}

function select(type: string, dest: Operand, a: Operand, b: Operand, predicate: Operand): Step {
  if (widthOf(type) === 64) return thread => thread.write(dest, thread.u64(thread.read(predicate) ? a : b))
  const mask = widthOf(type) === 16 && !type.startsWith('s') ? 0xffff : 0xffffffff
  return thread => thread.write(dest, (thread.u32(thread.read(predicate) ? a : b) & mask) >>> 0)
}

function shift(op: 'shl' | 'shr', type: string, dest: Operand, a: Operand, by: Operand): Step {
  const [width, encode] = [widthOf(type), encoderOf(type)]
  if (width === 64) {
    const x = bigOf(type, a)
    if (op === 'shr') return thread => thread.write(dest, encode(x(thread) >> BigInt(Math.min(thread.u32(by), width))))
    return thread => thread.write(dest, thread.u32(by) >= width ? 0n : encode(x(thread) << BigInt(thread.u32(by))))
  }
  const x = numberOf(type, a)
  // By 32 or more JavaScript shifts by what is left of them.
  if (op === 'shl')
    return thread => thread.write(dest, thread.u32(by) >= width ? 0 : encode(x(thread) << thread.u32(by)))
  if (type.startsWith('s')) return thread => thread.write(dest, encode(x(thread) >> Math.min(thread.u32(by), 31)))
  return thread => thread.write(dest, thread.u32(by) >= width ? 0 : encode(x(thread) >>> thread.u32(by)))
}

function insert(type: string, dest: Operand, a: Operand, b: Operand, at: Operand, length: Operand): Step {
  const encode = encoderOf(type)
  return thread => {
    const from = BigInt(thread.u32(at))
    const mask = ((1n << BigInt(thread.u32(length))) - 1n) << from
    thread.write(dest, encode((thread.u64(b) & ~mask) | ((thread.u64(a) << from) & mask)))
  }
}

/** Four of eight bytes, as the selector's digits say. */
function permuted(low: number, high: number, selector: number): number {
  let value = 0
  for (let i = 0; i < 4; i++) {
    const which = (selector >> (4 * i)) & 15
    if (which > 7) throw new Error('sign replication')
    value |= (((which < 4 ? low : high) >>> (8 * (which & 3))) & 255) << (8 * i)
  }
  return value >>> 0
}

function multiplyAdd(parts: readonly string[], dest: Operand, [a, b, c]: readonly [Operand, Operand, Operand]): Step {
  const type = parts.at(-1)!
  const [x, y] = [bigOf(type, a), bigOf(type, b)]
  if (parts[1] === 'wide')
    return thread => thread.write(dest, BigInt.asUintN(64, x(thread) * y(thread) + thread.s64(c)))
  const [z, encode] = [bigOf(type, c), encoderOf(type)]
  if (isWide(type)) return thread => thread.write(dest, encode(x(thread) * y(thread) + z(thread)))
  return thread => thread.write(dest, encode(Math.imul(thread.s32(a), thread.s32(b)) + thread.s32(c)))
}

/** Two 16-bit floats of each word, results rounded once: sums and products of two are exact in double precision or nearly. */
function pairs(op: string, type: string, dest: Operand, operands: readonly (Operand | undefined)[]): Step {
  const [decode, encode] = type === 'f16' ? [fromF16, toF16] : [fromBf16, toBf16]
  // A multiply-add is used with one operand that keeps the product or the sum exact.
  const fn = op === 'fma' ? (x: number, y: number, z: number) => x * y + z : known(floatBinary[op], op)
  const [a, b, c] = operands
  return thread => {
    const [x, y, z] = [a, b, c].map(operand => (operand === undefined ? 0 : thread.u32(operand))) as [
      number,
      number,
      number,
    ]
    const low = encode(fn(decode(x & 0xffff), decode(y & 0xffff), decode(z & 0xffff)))
    const high = encode(fn(decode(x >>> 16), decode(y >>> 16), decode(z >>> 16)))
    thread.write(dest, high * 65536 + low)
  }
}

function known<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the machine has no ${name}`)
  return value
}

const connectives = {
  and: (a: boolean, b: boolean) => a && b,
  or: (a: boolean, b: boolean) => a || b,
  xor: (a: boolean, b: boolean) => a !== b,
  not: (a: boolean) => !a,
} as const
const wordLogic = {
  and: (a: number, b: number) => a & b,
  or: (a: number, b: number) => a | b,
  xor: (a: number, b: number) => a ^ b,
  not: (a: number) => ~a,
} as const
const wideLogic = {
  and: (a: bigint, b: bigint) => a & b,
  or: (a: bigint, b: bigint) => a | b,
  xor: (a: bigint, b: bigint) => a ^ b,
  not: (a: bigint) => ~a,
} as const
type Logic = keyof typeof wordLogic

function predicates(op: Logic, dest: Operand, a: Operand, b: Operand): Step {
  const fn = connectives[op]
  if (op === 'not') return thread => thread.write(dest, !thread.read(a))
  return thread => thread.write(dest, fn(Boolean(thread.read(a)), Boolean(thread.read(b))))
}

function logic(op: Logic, type: string, dest: Operand, a: Operand, b: Operand): Step {
  const second = op === 'not' ? a : b
  if (widthOf(type) === 64) {
    const fn = wideLogic[op]
    return thread => thread.write(dest, BigInt.asUintN(64, fn(thread.u64(a), thread.u64(second))))
  }
  const fn = wordLogic[op]
  return thread => thread.write(dest, fn(thread.u32(a), thread.u32(second)) >>> 0)
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
function convert(parts: readonly string[], dest: Operand, a: Operand, b: Operand): Step {
  const [to, from] = parts.slice(-2) as [string, string]
  const rounding = parts.length > 3 ? parts[1]! : ''
  if (to.endsWith('x2')) {
    const [encode, high, low] = [encoderOf(to.slice(0, -2)), numberOf(from, a), numberOf(from, b)]
    return thread => thread.write(dest, Number(encode(high(thread))) * 65536 + Number(encode(low(thread))))
  }
  if (to === 'tf32') {
    return thread => {
      const bits = thread.u32(a)
      thread.write(dest, Number.isFinite(f32Of(bits)) ? ((bits + 0x1000) & ~0x1fff) >>> 0 : bits)
    }
  }
  const [value, encode, change] = [readerFor(from, a), encoderOf(to), conversion(to, from, rounding)]
  return thread => thread.write(dest, encode(change(value(thread))))
}

function conversion(to: string, from: string, rounding: string): (value: Value) => Value {
  if (isFloatType(from) && isFloatType(to)) {
    const round = roundings[rounding] ?? (rounding === 'rz' ? cut : (x: number) => x)
    return value => round(Number(value))
  }
  if (isFloatType(from)) return value => saturated(to, Number(value))
  if (isFloatType(to)) {
    if (rounding === 'rz') return value => cutInteger(BigInt(value))
    return to === 'f32' ? value => (typeof value === 'number' ? Math.fround(value) : nearestF32(value)) : Number
  }
  const width = widthOf(to)
  if (!to.startsWith('s')) return value => value
  if (width === 64) return BigInt
  return value => Number(BigInt.asIntN(width, BigInt(value)))
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
