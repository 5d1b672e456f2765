/**
 * The registers of each value, and their form. A vector of elements below 32 bits is held as one register per element or
 * as packed words, depending on its definition. A user that needs the other form gets it converted, once per frame.
 */
import { InternalError } from '../../base/errors.js'
import { type LaneNode, type ValueType, valueType } from '../../lane/ir.js'
import type { Dtype } from '../../types/dtype.js'
import { dtypeInfo } from '../../types/dtype.js'
import type { Code, Held } from './code.js'
import { bitsOf, immediate, isImmediate, word } from './literal.js'
import { isPackable, kindOf, perWord } from './types.js'

/** Vectors up to this length are unpacked whole, at once. */
const fewLanes = 8

export class Values {
  constructor(readonly code: Code) {}

  set(node: LaneNode, held: Held): void {
    this.code.frames.at(-1)!.values.set(node, held)
  }

  /** The outermost frame in which the node's value is known. */
  frameOf(node: LaneNode): number {
    const at = this.code.frames.findIndex(frame => frame.values.has(node))
    return at < 0 ? 0 : at
  }

  /** True when the value is available as packed words at no cost. */
  hasWords(node: LaneNode): boolean {
    return node.op === 'const' ? isPackable(valueType(node)) : this.#held(node).words !== undefined
  }

  hasElements(node: LaneNode): boolean {
    return node.op === 'const' || this.#held(node).elements !== undefined
  }

  /** A register or immediate for each element. */
  elements(node: LaneNode): readonly string[] {
    if (node.op === 'const') return this.#constant(node)
    const held = this.#held(node)
    if (held.elements !== undefined) return held.elements
    const elements = unpack(this.code, valueType(node).dtype, held.words!)
    this.set(node, { ...held, elements })
    return elements
  }

  /** The element of a scalar. */
  element(node: LaneNode, lane = 0): string {
    const isLong = node.type.kind === 'value' && node.type.lanes > fewLanes
    if (node.op !== 'const' && !this.hasElements(node) && isLong) return this.#laneOfWords(node, lane)
    return this.elements(node)[lane]!
  }

  /** Packed words; the type must be packable. */
  words(node: LaneNode): readonly string[] {
    const type = valueType(node)
    if (!isPackable(type)) throw new InternalError(`PTX: no words of ${type.dtype}x${type.lanes}`)
    if (node.op === 'const') return constantWords(node.attrs.dtype, node.attrs.value, node.attrs.lanes)
    const held = this.#held(node)
    if (held.words !== undefined) return held.words
    const words = pack(this.code, type.dtype, held.elements!)
    this.set(node, { ...held, words })
    return words
  }

  /** A register operand: moves f16 and bf16 immediates into a register, for instructions that do not take them. */
  register(dtype: Dtype, operand: string): string {
    return inRegister(this.code, dtype, operand)
  }

  #laneOfWords(node: LaneNode, lane: number): string {
    const { dtype } = valueType(node)
    const words = this.words(node)
    const each = perWord(dtype)
    return unpack(this.code, dtype, [words[Math.floor(lane / each)]!])[lane % each]!
  }

  #constant(node: Extract<LaneNode, { op: 'const' }>): readonly string[] {
    const { dtype, value, lanes } = node.attrs
    if (dtype !== 'bool') return new Array<string>(lanes).fill(immediate(dtype, value))
    const known = this.code.frames.findLast(frame => frame.values.has(node))?.values.get(node)
    if (known?.elements !== undefined) return known.elements
    const predicate = this.code.temporary('pred')
    this.code.op('mov.pred', predicate, immediate('bool', value))
    const elements = new Array<string>(lanes).fill(predicate)
    this.set(node, { elements })
    return elements
  }

  #held(node: LaneNode): Held {
    for (let depth = this.code.depth; depth >= 0; depth--) {
      const held = this.code.frames[depth]!.values.get(node)
      if (held !== undefined) return held
    }
    throw new InternalError(`PTX: ${node.op} (node ${node.id}) has no registers yet`, { at: node.origin.at })
  }
}

export const typeOf = (node: LaneNode): ValueType => valueType(node)

export function inRegister(code: Code, dtype: Dtype, operand: string): string {
  if (!isImmediate(operand)) return operand
  const kind = kindOf(dtype)
  const register = code.temporary(kind)
  code.op(`mov.${kind}`, register, operand)
  return register
}

function constantWords(dtype: Dtype, value: number | bigint, lanes: number): string[] {
  const { bits } = dtypeInfo(dtype)
  const code = bitsOf(dtype, value)
  const full = bits === 16 ? code * 0x10001 : code * 0x1010101
  return new Array<string>(lanes / perWord(dtype)).fill(word(full))
}

/** Unpacks words into elements. */
export function unpack(code: Code, dtype: Dtype, words: readonly string[]): string[] {
  return words.flatMap(packed => {
    const parts = Array.from({ length: perWord(dtype) }, () => code.temporary(kindOf(dtype)))
    if (dtype === 'f16' || dtype === 'bf16') {
      code.op('mov.b32', `{${parts.join(', ')}}`, packed)
    } else if (dtype === 'i16') {
      code.op('cvt.s32.s16', parts[0]!, packed)
      code.op('shr.s32', parts[1]!, packed, '16')
    } else {
      const extract = dtype === 'i8' ? 'bfe.s32' : 'bfe.u32'
      parts.forEach((part, i) => {
        code.op(extract, part, packed, String(8 * i), '8')
      })
    }
    return parts
  })
}

/** Packs elements into words; equal words share a register. */
export function pack(code: Code, dtype: Dtype, elements: readonly string[]): string[] {
  const each = perWord(dtype)
  const known = new Map<string, string>()
  return Array.from({ length: elements.length / each }, (_, i) => {
    const parts = elements.slice(i * each, (i + 1) * each)
    const key = parts.join()
    const packed = known.get(key) ?? packWord(code, dtype, parts)
    known.set(key, packed)
    return packed
  })
}

/** Packs two or four narrow elements into a 32-bit word. */
function packWord(code: Code, dtype: Dtype, parts: readonly string[]): string {
  const packed = code.temporary('b32')
  const registers = parts.map(part => inRegister(code, dtype, part))
  if (dtype === 'f16' || dtype === 'bf16') {
    code.op('mov.b32', packed, `{${registers.join(', ')}}`)
  } else if (dtype === 'i16') {
    code.op('prmt.b32', packed, registers[0]!, registers[1]!, '0x5410')
  } else {
    const [low, high] = [code.temporary('b32'), code.temporary('b32')]
    code.op('prmt.b32', low, registers[0]!, registers[1]!, '0x0040')
    code.op('prmt.b32', high, registers[2]!, registers[3]!, '0x0040')
    code.op('prmt.b32', packed, low, high, '0x5410')
  }
  return packed
}
