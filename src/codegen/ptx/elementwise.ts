/** Elementwise ops on whole values: the scalar op or conversion of each element, folds, and lane permutations. */
import { type LaneNode, valueType } from '../../lane/ir.js'
import { resultDtype } from '../../scalar/ops.js'
import type { Code, Held } from './code.js'
import { convert } from './convert.js'
import type { Launch } from './launch.js'
import { f32Bits, immediate } from './literal.js'
import type { NodeOfOp } from './memory.js'
import { scalarOp } from './scalar.js'
import { bytesOf, isPackable, kindOf, perWord } from './types.js'
import { inRegister, type Values } from './values.js'

/** Registers for the result of a map. */
export function mapResult(code: Code, node: NodeOfOp<'map'>, hint: string): string[] {
  const { dtype, lanes } = valueType(node)
  return code.registers.many(kindOf(dtype), hint, lanes)
}

/** A scalar op, lane by lane. */
export function mapped(code: Code, values: Values, node: NodeOfOp<'map'>, dest: readonly string[]): Held {
  const operands = node.inputs.map(input => values.elements(input))
  const { dtype } = valueType(node.inputs.at(-1)!)
  dest.forEach((to, lane) => {
    scalarOp(
      code,
      node.attrs.fn,
      dtype,
      operands.map(operand => operand[lane]!),
      to,
    )
  })
  return { elements: dest }
}

/** A conversion; packed in words where an instruction converts two or four elements at once. */
export function cast(code: Code, values: Values, node: NodeOfOp<'cast'>, hint: string, launch: Launch): Held {
  const [input] = node.inputs as [LaneNode]
  const { dtype: from, lanes } = valueType(input)
  const { to } = node.attrs
  if (to === 'i32' && input.op === 'programId') return { elements: [launch.programId32(input.attrs.axis)] }
  if (to === 'i32' && input.op === 'numPrograms') return { elements: [launch.numPrograms32(input.attrs.axis)] }
  if (from === to) return { elements: values.elements(input) }
  if (from === 'f32' && (to === 'f16' || to === 'bf16') && lanes % 2 === 0) return toHalves(code, values, node, hint)
  const packed = isPackable(valueType(input)) && values.hasWords(input)
  if (packed && to === 'f32' && (from === 'u8' || from === 'i8'))
    return { elements: bytesToF32(code, from, values.words(input), hint) }
  const results = code.registers.many(kindOf(to), hint, lanes)
  if (packed && from === 'bf16' && to === 'f32') {
    values.words(input).forEach((word, i) => {
      code.op('shl.b32', results[2 * i]!, word, '16')
      code.op('and.b32', results[2 * i + 1]!, word, '0xffff0000')
    })
  } else {
    values.elements(input).forEach((element, lane) => {
      convert(code, from, to, element, results[lane]!)
    })
  }
  return { elements: results }
}

/**
 * Bytes to f32, four times faster than conversions: prmt puts a byte into the low mantissa bits of 2²³, which gives 2²³ + byte,
 * and a subtraction removes 2²³. Signed bytes are offset by 128 first, by flipping the sign bit.
 */
function bytesToF32(code: Code, from: 'u8' | 'i8', words: readonly string[], hint: string): string[] {
  const results = code.registers.many('b32', hint, 4 * words.length)
  const [power, start] = [2 ** 23, from === 'i8' ? 128 : 0]
  words.forEach((word, i) => {
    const unsigned = from === 'u8' ? word : code.temporary('b32')
    if (from === 'i8') code.op('xor.b32', unsigned, word, '0x80808080')
    for (let byte = 0; byte < 4; byte++) {
      const near = code.temporary('b32')
      code.op('prmt.b32', near, unsigned, `0x${f32Bits(power).toString(16)}`, `0x744${byte}`)
      code.op('sub.f32', results[4 * i + byte]!, near, immediate('f32', power + start))
    }
  })
  return results
}

/** Converts two f32 to one word of two halves at a time. */
function toHalves(code: Code, values: Values, node: NodeOfOp<'cast'>, hint: string): Held {
  const elements = values.elements(node.inputs[0]!).map(element => inRegister(code, 'f32', element))
  const words = code.registers.many('b32', hint, elements.length / 2)
  words.forEach((word, i) => {
    code.op(`cvt.rn.${node.attrs.to}x2.f32`, word, elements[2 * i + 1]!, elements[2 * i]!)
  })
  return { words }
}

/** Pairwise fold of lane i with lane i + half, until one lane is left. */
export function fold(code: Code, values: Values, node: NodeOfOp<'fold'>, hint: string): string {
  const { dtype } = valueType(node.inputs[0]!)
  const { fn } = node.attrs
  let elements = values.elements(node.inputs[0]!)
  while (elements.length > 1) {
    const half = elements.length / 2
    const results = code.registers.many(kindOf(resultDtype(fn, dtype)), hint, half)
    for (let lane = 0; lane < half; lane++)
      scalarOp(code, fn, dtype, [elements[lane]!, elements[lane + half]!], results[lane]!)
    elements = results
  }
  return elements[0]!
}

export function interleaved(code: Code, values: Values, node: NodeOfOp<'interleave'>): Held {
  const type = valueType(node)
  if (isPackable(type) && node.inputs.every(input => values.hasWords(input)))
    return interleavedWords(code, values, node)
  const [a, b] = node.inputs.map(input => values.elements(input)) as [readonly string[], readonly string[]]
  const half = a.length / 2
  const start = node.attrs.half === 'low' ? 0 : half
  return { elements: a.flatMap((_, lane) => (lane % 2 === 0 ? [a, b].map(side => side[start + (lane >> 1)]!) : [])) }
}

/** One prmt per word. */
function interleavedWords(code: Code, values: Values, node: NodeOfOp<'interleave'>): Held {
  const { dtype, lanes } = valueType(node)
  const [a, b] = node.inputs.map(input => values.words(input)) as [readonly string[], readonly string[]]
  const [each, bytes] = [perWord(dtype), bytesOf(dtype)]
  const start = node.attrs.half === 'low' ? 0 : lanes / 2
  const words = Array.from({ length: lanes / each }, (_, i) => {
    const first = start + (i * each) / 2
    // A selector's nibbles select the bytes of the result, lowest first: 0-3 from a, 4-7 from b.
    const selector = Array.from({ length: 4 }, (_, byte) => {
      const lane = Math.floor(byte / bytes)
      const place = (((first + (lane >> 1)) % each) * bytes + (byte % bytes)) | (lane % 2 === 0 ? 0 : 4)
      return place.toString(16)
    })
    const word = code.temporary('b32')
    const at = Math.floor(first / each)
    code.op('prmt.b32', word, a[at]!, b[at]!, `0x${selector.toReversed().join('')}`)
    return word
  })
  return { words }
}

/** Arithmetic on pairs of 16-bit floats, one word at a time. */
export function halves(code: Code, values: Values, node: NodeOfOp<'halves'>, hint: string): Held {
  const { dtype } = valueType(node)
  const operand = (input: LaneNode): readonly string[] => values.words(input).map(word => inRegister(code, 'i32', word))
  const [a, b] = [operand(node.inputs[0]!), operand(node.inputs[1]!)]
  const { fn } = node.attrs
  const words = code.registers.many('b32', hint, a.length)
  words.forEach((word, i) => {
    if (dtype === 'f16') code.op(`${fn}.rn.f16x2`, word, a[i]!, b[i]!)
    else bfloats(code, fn, word, a[i]!, b[i]!)
  })
  return { words }
}

/** Before sm_90, bf16 has only multiply-adds, not add, sub and mul: a·1 + b, b·−1 + a, a·b − 0. */
function bfloats(code: Code, fn: 'add' | 'sub' | 'mul', dest: string, a: string, b: string): void {
  if (code.arch.capability >= 90) {
    code.needs(78)
    code.op(`${fn}.rn.bf16x2`, dest, a, b)
    return
  }
  const constant = (word: string): string => inRegister(code, 'i32', word)
  if (fn === 'mul') code.op('fma.rn.bf16x2', dest, a, b, constant('0x80008000'))
  else if (fn === 'add') code.op('fma.rn.bf16x2', dest, a, constant('0x3F803F80'), b)
  else code.op('fma.rn.bf16x2', dest, b, constant('0xBF80BF80'), a)
}

/** Packed words stay packed if all pieces are available as words. */
export function concatenated(values: Values, node: NodeOfOp<'concat'>): Held {
  const packed = node.inputs.every(input => isPackable(valueType(input)) && values.hasWords(input))
  if (packed) return { words: node.inputs.flatMap(input => values.words(input)) }
  return { elements: node.inputs.flatMap(input => values.elements(input)) }
}

export function sliced(values: Values, node: NodeOfOp<'slice'>): Held {
  const [input] = node.inputs as [LaneNode]
  const { from, lanes } = node.attrs
  const type = valueType(node)
  const each = perWord(type.dtype)
  const aligned = isPackable(type) && from % each === 0 && isPackable(valueType(input))
  if (aligned && values.hasWords(input)) return { words: values.words(input).slice(from / each, (from + lanes) / each) }
  return { elements: values.elements(input).slice(from, from + lanes) }
}
