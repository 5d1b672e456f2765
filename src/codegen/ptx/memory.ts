/**
 * Loads and stores, in as few instructions as the alignment allows: a vector access is aligned to the largest power of two, up
 * to 16, that divides its size. An access with a count uses the wide form when the count covers all lanes, else one predicated
 * access per element.
 */
import { type LaneNode, pointerType, type ValueType, valueType } from '../../lane/ir.js'
import type { Dtype } from '../../types/dtype.js'
import { type Address, type Addresses, addressText } from './address.js'
import type { Code, Held } from './code.js'
import { isImmediate } from './literal.js'
import type { RegisterKind } from './registers.js'
import { isStreamed } from './streamed.js'
import { arithmetic, bytesOf, isPackable, kindOf } from './types.js'
import { inRegister, pack, type Values } from './values.js'

export type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>

/** The registers that memory instructions move; each holds `bytes` of memory. */
interface Raw {
  readonly registers: readonly string[]
  readonly kind: RegisterKind
  readonly bytes: number
}

/** The register that holds an element in its memory format; a bool in memory is a byte. */
const rawKind = (dtype: Dtype): RegisterKind => (dtype === 'bool' ? 'b32' : kindOf(dtype))

/** The type suffix of a one-element load: sign- or zero-extends to the register as the dtype requires. */
function elementSuffix(dtype: Dtype): string {
  const bits = 8 * bytesOf(dtype)
  if (dtype === 'i8' || dtype === 'i16') return `s${bits}`
  return dtype === 'u8' || dtype === 'bool' ? 'u8' : `b${bits}`
}

/** True when a vector is moved as packed words; bools are packed only for the transfer. */
const movesAsWords = (type: ValueType): boolean => isPackable(type) || (type.dtype === 'bool' && type.lanes % 4 === 0)

const wholeWords = ({ dtype, lanes }: ValueType): number => (lanes * bytesOf(dtype)) / 4

function rawRegisters(code: Code, type: ValueType, hint: string): Raw {
  if (movesAsWords(type)) {
    return { registers: code.registers.many('b32', hint, wholeWords(type)), kind: 'b32', bytes: 4 }
  }
  const kind = rawKind(type.dtype)
  return { registers: code.registers.many(kind, hint, type.lanes), kind, bytes: bytesOf(type.dtype) }
}

/** Splits registers into instructions, each as wide as the alignment of the whole allows. */
function* chunks({ registers, bytes }: Raw): Generator<{ readonly part: readonly string[]; readonly at: number }> {
  const total = registers.length * bytes
  const aligned = Math.min(16, total & -total)
  const each = Math.min(4, aligned / bytes)
  for (let i = 0; i < registers.length; i += each) yield { part: registers.slice(i, i + each), at: i * bytes }
}

const braces = (registers: readonly string[]): string =>
  registers.length === 1 ? registers[0]! : `{${registers.join(', ')}}`

/** `.global.v4.b32` */
const qualifiers = (space: string, type: string, count: number, hint = ''): string =>
  `.${space}${hint}${count === 1 ? '' : `.v${count}`}.${type}`

/** Maximum bytes per instruction. */
const widestAccess = 16

/** The first PTX version with eviction hints. */
const hintVersion = 74

function loadAll(code: Code, type: ValueType, raw: Raw, address: Address, streamed: boolean): void {
  const suffix = movesAsWords(type) ? 'b32' : elementSuffix(type.dtype)
  const hint = streamed && address.space === 'global' ? '.L1::no_allocate' : ''
  if (hint !== '') code.needs(hintVersion)
  for (const { part, at } of chunks(raw))
    code.op(`ld${qualifiers(address.space, suffix, part.length, hint)}`, braces(part), addressText(address, at))
}

function storeAll(code: Code, type: ValueType, raw: Raw, address: Address): void {
  const suffix = movesAsWords(type) ? 'b32' : `b${8 * bytesOf(type.dtype)}`
  for (const { part, at } of chunks(raw))
    code.op(`st${qualifiers(address.space, suffix, part.length)}`, addressText(address, at), braces(part))
}

function loadElement(code: Code, dtype: Dtype, dest: string, address: Address, more: number): void {
  code.op(`ld.${address.space}.${elementSuffix(dtype)}`, dest, addressText(address, more))
}

/** Stores one element, `more` bytes behind the address. */
function storeElement(code: Code, dtype: Dtype, raw: string, address: Address, more: number): void {
  code.op(`st.${address.space}.b${8 * bytesOf(dtype)}`, addressText(address, more), raw)
}

/** Loads an element where the predicate holds; 0 elsewhere. */
function loadElementWhere(code: Code, dtype: Dtype, p: string, dest: string, address: Address, more: number): void {
  code.op(`mov.${rawKind(dtype)}`, dest, '0')
  code.where(p, () => loadElement(code, dtype, dest, address, more))
}

/** The value in loaded registers: bytes of bools become predicates. */
function held(code: Code, type: ValueType, raw: Raw, hint: string): Held {
  if (type.dtype !== 'bool') return movesAsWords(type) ? { words: raw.registers } : { elements: raw.registers }
  const elements = code.registers.many('pred', hint, type.lanes)
  elements.forEach((element, lane) => {
    let byte = raw.registers[lane]!
    if (movesAsWords(type)) {
      byte = code.temporary('b32')
      code.op('and.b32', byte, raw.registers[lane >> 2]!, String(255 * 2 ** (8 * (lane & 3))))
    }
    code.op('setp.ne.b32', element, byte, '0')
  })
  return { elements }
}

/** Returns a predicate: `count > lane`, in the count's type. */
function countExceeds(code: Code, count: LaneNode, register: string, lane: number): string {
  const predicate = code.temporary('pred')
  code.op(`setp.gt.${arithmetic(valueType(count).dtype)}`, predicate, register, String(lane))
  return predicate
}

/** The condition of a count that covers either all lanes or no lane; null: it may cover some. */
export function allOrNone(count: LaneNode, lanes: number): LaneNode | null {
  if (count.op !== 'map' || count.attrs.fn !== 'where') return null
  const [condition, all, none] = count.inputs as [LaneNode, LaneNode, LaneNode]
  const isCount = (node: LaneNode, fits: (value: number) => boolean): boolean =>
    node.op === 'const' && fits(Number(node.attrs.value))
  return isCount(all, value => value >= lanes) && isCount(none, value => value <= 0) ? condition : null
}

/**
 * Runs `whole` when the count covers all lanes, else `part`, which predicates each element; `part` also handles a count of 0.
 */
function counted(
  code: Code,
  values: Values,
  count: LaneNode,
  lanes: number,
  whole: () => void,
  part: (exceeds: (lane: number) => string) => void,
): void {
  const { dtype } = valueType(count)
  const register = inRegister(code, dtype, values.element(count))
  const exceeds = (lane: number): string => countExceeds(code, count, register, lane)
  if (lanes === 1) {
    part(exceeds)
    return
  }
  const [partLabel, doneLabel] = [code.registers.label('part'), code.registers.label('done')]
  const isShort = code.temporary('pred')
  code.op(`setp.lt.${arithmetic(dtype)}`, isShort, register, String(lanes))
  code.branch(partLabel, { predicate: isShort, uniform: false })
  whole()
  code.branch(doneLabel)
  code.label(partLabel)
  code.within(false, () => part(exceeds))
  code.label(doneLabel)
}

/** A load: unconditional, predicated as a whole, or lane by lane where `count` may be any number. */
export function load(code: Code, values: Values, addresses: Addresses, node: NodeOfOp<'load'>, hint: string): Held {
  const [pointer, index, count] = node.inputs as [LaneNode, LaneNode, LaneNode?]
  const type = valueType(node)
  const address = addresses.of(pointer, index)
  const isBool = type.dtype === 'bool'
  const raw = rawRegisters(code, type, isBool ? `${hint}_byte` : hint)
  // Several narrow accesses use the same cache line, which L1 should keep.
  const streamed = type.lanes * bytesOf(type.dtype) >= widestAccess && isStreamed(index)
  if (count === undefined) loadAll(code, type, raw, address, streamed)
  else {
    const whole = (): void => loadAll(code, type, raw, address, streamed)
    const condition = allOrNone(count, type.lanes)
    if (condition !== null) {
      const predicate = values.element(condition)
      for (const register of raw.registers) code.op(`mov.${raw.kind}`, register, '0')
      code.where(predicate, whole)
    } else counted(code, values, count, type.lanes, whole, exceeds => loadPart(code, type, raw, address, exceeds))
  }
  return held(code, type, raw, hint)
}

/** Loads lane by lane; `exceeds` gives the predicate that a lane is past the count. */
function loadPart(code: Code, type: ValueType, raw: Raw, address: Address, exceeds: (lane: number) => string): void {
  const { dtype, lanes } = type
  const packs = movesAsWords(type)
  const elements = Array.from({ length: lanes }, (_, lane) => {
    const dest = packs ? code.temporary(rawKind(dtype)) : raw.registers[lane]!
    loadElementWhere(code, dtype, exceeds(lane), dest, address, lane * bytesOf(dtype))
    return dest
  })
  if (!packs) return
  pack(code, dtype === 'bool' ? 'u8' : dtype, elements).forEach((packed, i) => {
    code.op('mov.b32', raw.registers[i]!, packed)
  })
}

/** The registers to store, in their transfer form. */
function storable(code: Code, values: Values, stored: LaneNode): Raw {
  const type = valueType(stored)
  if (isPackable(type)) return { registers: values.words(stored), kind: 'b32', bytes: 4 }
  if (type.dtype !== 'bool') {
    const registers = values.elements(stored)
    return { registers, kind: kindOf(type.dtype), bytes: bytesOf(type.dtype) }
  }
  const elements = values.elements(stored)
  if (!movesAsWords(type)) return { registers: elements.map(p => boolByte(code, p)), kind: 'b32', bytes: 1 }
  const registers = Array.from({ length: wholeWords(type) }, (_, i) =>
    elements.slice(4 * i, 4 * i + 4).reduce((word, predicate, lane) => {
      const [byte, both] = [code.temporary('b32'), code.temporary('b32')]
      code.op('selp.b32', byte, String(2 ** (8 * lane)), '0', predicate)
      if (lane === 0) return byte
      code.op('or.b32', both, word, byte)
      return both
    }, ''),
  )
  return { registers, kind: 'b32', bytes: 4 }
}

function boolByte(code: Code, predicate: string): string {
  const byte = code.temporary('b32')
  code.op('selp.b32', byte, '1', '0', predicate)
  return byte
}

/** One element in its memory format. */
const rawElement = (code: Code, dtype: Dtype, element: string): string =>
  dtype === 'bool' ? boolByte(code, element) : element

/** A store, with the same three cases as `load`. */
export function store(code: Code, values: Values, addresses: Addresses, node: NodeOfOp<'store'>): void {
  const [pointer, index, stored, count] = node.inputs as [LaneNode, LaneNode, LaneNode, LaneNode?]
  const type = valueType(stored)
  const address = addresses.of(pointer, index)
  if (count === undefined) {
    storeAll(code, type, storable(code, values, stored), address)
    return
  }
  const condition = allOrNone(count, type.lanes)
  if (condition !== null) {
    const all = storable(code, values, stored)
    code.where(values.element(condition), () => storeAll(code, type, all, address))
    return
  }
  const raw = type.lanes === 1 ? null : storable(code, values, stored)
  const whole = (): void => storeAll(code, type, raw!, address)
  counted(code, values, count, type.lanes, whole, exceeds => {
    values.elements(stored).forEach((element, lane) => {
      const byte = rawElement(code, type.dtype, element)
      code.where(exceeds(lane), () => storeElement(code, type.dtype, byte, address, lane * bytesOf(type.dtype)))
    })
  })
}

/** A gather, one load per lane; masked lanes are 0. */
export function gather(code: Code, values: Values, addresses: Addresses, node: NodeOfOp<'gather'>, hint: string): Held {
  const [pointer, indices, mask] = node.inputs as [LaneNode, LaneNode, LaneNode?]
  const type = valueType(node)
  const { dtype } = type
  const registers = code.registers.many(rawKind(dtype), dtype === 'bool' ? `${hint}_byte` : hint, type.lanes)
  registers.forEach((dest, lane) => {
    const address = addresses.of(pointer, indices, lane)
    if (mask === undefined) loadElement(code, dtype, dest, address, 0)
    else loadElementWhere(code, dtype, values.element(mask, lane), dest, address, 0)
  })
  if (dtype !== 'bool') return { elements: registers }
  const elements = code.registers.many('pred', hint, type.lanes)
  elements.forEach((element, lane) => {
    code.op('setp.ne.b32', element, registers[lane]!, '0')
  })
  return { elements }
}

export function scatter(code: Code, values: Values, addresses: Addresses, node: NodeOfOp<'scatter'>): void {
  const [pointer, indices, stored, mask] = node.inputs as [LaneNode, LaneNode, LaneNode, LaneNode?]
  const { dtype } = pointerType(pointer)
  values.elements(stored).forEach((element, lane) => {
    const address = addresses.of(pointer, indices, lane)
    const raw = rawElement(code, dtype, element)
    const write = (): void => storeElement(code, dtype, raw, address, 0)
    if (mask === undefined) write()
    else code.where(values.element(mask, lane), write)
  })
}

/**
 * cp.async; the instruction zero-fills the bytes from the source's end on. `only`: a predicate without which nothing is
 * copied.
 */
export function asyncCopy(
  code: Code,
  values: Values,
  addresses: Addresses,
  node: NodeOfOp<'asyncCopy'>,
  only: string | null = null,
): void {
  const [to, toIndex, from, fromIndex, count] = node.inputs as [LaneNode, LaneNode, LaneNode, LaneNode, LaneNode?]
  const size = bytesOf(pointerType(to).dtype)
  const bytes = node.attrs.lanes * size
  const name = `cp.async.${bytes === 16 ? 'cg' : 'ca'}.shared.global`
  const [target, source] = [addresses.of(to, toIndex), addresses.of(from, fromIndex)]
  const operands = [addressText(target), addressText(source), String(bytes)]
  if (count !== undefined) operands.push(sourceBytes(code, values, count, node.attrs.lanes, size))
  const write = (): void => code.op(name, ...operands)
  if (only === null) write()
  else code.where(only, write)
}

/** The number of bytes in `count` elements, clamped to [0, lanes · size]. */
function sourceBytes(code: Code, values: Values, count: LaneNode, lanes: number, size: number): string {
  const { dtype } = valueType(count)
  const condition = allOrNone(count, lanes)
  if (condition !== null) {
    const bytes = code.temporary('b32')
    code.op('selp.b32', bytes, String(lanes * size), '0', values.element(condition))
    return bytes
  }
  const operand = values.element(count)
  if (isImmediate(operand)) return String(Math.min(Math.max(Number(operand), 0), lanes) * size)
  const type = arithmetic(dtype)
  const kind = kindOf(dtype)
  const [bounded, positive] = [code.temporary(kind), code.temporary(kind)]
  code.op(`min.${type}`, bounded, operand, String(lanes))
  code.op(`max.${type}`, positive, bounded, '0')
  let elements = positive
  if (dtype === 'i64') {
    elements = code.temporary('b32')
    code.op('cvt.u32.u64', elements, positive)
  }
  if (size === 1) return elements
  const result = code.temporary('b32')
  code.op('shl.b32', result, elements, String(Math.log2(size)))
  return result
}
