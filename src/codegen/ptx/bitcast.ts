/** Bitcasts: free when the register stays the same, else through 32-bit words. */
import { InternalError } from '../../base/errors.js'
import { type LaneNode, type ValueType, valueType } from '../../lane/ir.js'
import type { Dtype } from '../../types/dtype.js'
import type { Code, Held } from './code.js'
import type { NodeOfOp } from './memory.js'
import { narrow } from './scalar.js'
import { bytesOf, isPackable, kindOf } from './types.js'
import { inRegister, type Values } from './values.js'

export function bitcast(code: Code, values: Values, node: NodeOfOp<'bitcast'>): Held {
  const [input] = node.inputs as [LaneNode]
  const [from, to] = [valueType(input), valueType(node)]
  if (from.dtype === to.dtype) return { elements: values.elements(input) }
  const isWide = bytesOf(from.dtype) >= 4 && bytesOf(from.dtype) === bytesOf(to.dtype)
  // The other type's instructions would not accept an immediate of this type.
  if (isWide) return { elements: values.elements(input).map(element => inRegister(code, from.dtype, element)) }
  if ((from.lanes * bytesOf(from.dtype)) % 4 === 0) return fromWords(code, to, toWords(code, values, input))
  return { elements: bytesToElements(code, to, elementsToBytes(code, values, input)) }
}

/** The bits of a vector as 32-bit words. */
function toWords(code: Code, values: Values, node: LaneNode): readonly string[] {
  const type = valueType(node)
  if (isPackable(type)) return values.words(node).map(word => inRegister(code, 'i32', word))
  if (type.dtype === 'bool') {
    const bytes = elementsToBytes(code, values, node)
    return Array.from({ length: bytes.length / 4 }, (_, i) => joinBytes(code, bytes.slice(4 * i, 4 * i + 4)))
  }
  const elements = values.elements(node).map(element => inRegister(code, type.dtype, element))
  if (kindOf(type.dtype) === 'b32') return elements
  return elements.flatMap(element => {
    const halves = [code.temporary('b32'), code.temporary('b32')]
    code.op('mov.b64', `{${halves.join(', ')}}`, element)
    return halves
  })
}

/** 32-bit words as a vector of type `to`. */
function fromWords(code: Code, to: ValueType, words: readonly string[]): Held {
  if (isPackable(to)) return { words }
  if (to.dtype === 'bool') {
    const bytes = words.flatMap(word => [0, 1, 2, 3].map(i => byteOf(code, word, i)))
    return { elements: bytesToElements(code, to, bytes) }
  }
  if (bytesOf(to.dtype) === 4) return { elements: words }
  if (bytesOf(to.dtype) !== 8) throw new InternalError(`PTX: bitcast to ${to.dtype}x${to.lanes}`)
  const elements = Array.from({ length: to.lanes }, (_, i) => {
    const wide = code.temporary('b64')
    code.op('mov.b64', wide, `{${words[2 * i]!}, ${words[2 * i + 1]!}}`)
    return wide
  })
  return { elements }
}

function byteOf(code: Code, word: string, i: number): string {
  const byte = code.temporary('b32')
  code.op('bfe.u32', byte, word, String(8 * i), '8')
  return byte
}

function joinBytes(code: Code, bytes: readonly string[]): string {
  return bytes.reduce((word, byte, i) => {
    if (i === 0) return byte
    const joined = code.temporary('b32')
    code.op('bfi.b32', joined, byte, word, String(8 * i), '8')
    return joined
  })
}

/** Values of less than a word in all, as bytes in separate registers. */
function elementsToBytes(code: Code, values: Values, node: LaneNode): string[] {
  const { dtype } = valueType(node)
  return values.elements(node).flatMap(element => {
    if (dtype === 'bool') {
      const byte = code.temporary('b32')
      code.op('selp.b32', byte, '1', '0', element)
      return [byte]
    }
    const word = kindOf(dtype) === 'b16' ? code.temporary('b32') : inRegister(code, dtype, element)
    if (kindOf(dtype) === 'b16') code.op('cvt.u32.u16', word, inRegister(code, dtype, element))
    return Array.from({ length: bytesOf(dtype) }, (_, i) => byteOf(code, word, i))
  })
}

function bytesToElements(code: Code, to: ValueType, bytes: readonly string[]): string[] {
  const each = bytesOf(to.dtype)
  return Array.from({ length: to.lanes }, (_, lane) => {
    const word = joinBytes(code, bytes.slice(each * lane, each * (lane + 1)))
    return fromLowBits(code, to.dtype, word)
  })
}

function fromLowBits(code: Code, dtype: Dtype, word: string): string {
  const element = code.temporary(kindOf(dtype))
  if (dtype === 'bool') code.op('setp.ne.b32', element, word, '0')
  else if (kindOf(dtype) === 'b16') code.op('cvt.u16.u32', element, word)
  else if (dtype === 'i8' || dtype === 'i16') narrow(code, dtype, word, element)
  else code.op('mov.b32', element, word)
  return element
}
