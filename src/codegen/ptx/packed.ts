/**
 * SIMD within a register: arithmetic on several narrow elements at once, in the 32-bit words that hold them. On 8- and 16-bit
 * integers: bit operations, shifts by constants, and additions that cannot carry; widening bytes takes one permutation per
 * word. On 16-bit floats: multiplications and additions between a widening to f32 and a narrowing. Applied only to values that
 * are packed in words already.
 */
import type { Builder } from '../../ir/builder.js'
import { type LaneNode, type ValueType, valueType } from '../../lane/ir.js'
import type { ScalarOpName, Value } from '../../scalar/ops.js'
import { type Dtype, dtypeInfo } from '../../types/dtype.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../../types/float16.js'
import { knownLanes, knownValue, makeLanes } from './constants.js'
import { bitsOf } from './literal.js'
import { isPackable, perWord } from './types.js'

type LaneBuilder = Builder<LaneNode>

const isNarrowInteger = (dtype: Dtype): boolean => dtype === 'u8' || dtype === 'i8' || dtype === 'i16'

/** True for a vector that is packed in words, or whose words cost no more than its elements. */
function isPackedInWords(node: LaneNode): boolean {
  if (node.type.kind !== 'value' || !isPackable(node.type)) return false
  switch (node.op) {
    case 'const':
    case 'load':
    case 'bitcast':
    case 'param':
    case 'item':
    case 'loadMatrix':
    case 'shuffle':
      return true
    case 'concat':
      return knownLanes(node) !== null || node.inputs.every(isPackedInWords)
    case 'slice':
      return node.attrs.from % perWord(node.type.dtype) === 0 && isPackedInWords(node.inputs[0]!)
    case 'interleave':
      return node.inputs.every(isPackedInWords)
    case 'cast':
      // Each byte in its own register: one instruction packs a pair into a word.
      return node.type.dtype === 'i16' && valueType(node.inputs[0]!).dtype === 'u8'
    default:
      return false
  }
}

// --- words ---------------------------------------------------------------------------------------------------------------

/** The vector's bits as i32. */
function wordsOf(b: LaneBuilder, node: LaneNode): LaneNode {
  const { dtype } = valueType(node)
  const known = knownLanes(node)
  if (known !== null) return makeLanes(b, 'i32', wordsOfConstants(dtype, known))
  if (node.op === 'bitcast') {
    const [input] = node.inputs as [LaneNode]
    if (valueType(input).dtype === 'i32') return input
    if (isPackable(valueType(input))) return wordsOf(b, input)
  }
  if (node.op === 'concat' && node.inputs.every(input => isPackable(valueType(input))))
    return b.node(
      'concat',
      node.inputs.map(input => wordsOf(b, input)),
      {},
    )
  return b.node('bitcast', [node], { to: 'i32' })
}

function wordsOfConstants(dtype: Dtype, values: readonly Value[]): number[] {
  const each = perWord(dtype)
  const bits = dtypeInfo(dtype).bits
  return Array.from({ length: values.length / each }, (_, i) =>
    values
      .slice(i * each, (i + 1) * each)
      .reduce<number>((word, value, k) => word | (bitsOf(dtype, value) << (k * bits)), 0),
  )
}

const join = (b: LaneBuilder, parts: readonly LaneNode[]): LaneNode => b.node('concat', parts, {})

const asType = (b: LaneBuilder, words: LaneNode, { dtype }: ValueType): LaneNode =>
  b.node('bitcast', [words], { to: dtype })

/** One word as bit fields of a base: the base's word shifted left by `shift` (right where negative), masked by `mask`. */
interface Fields {
  readonly base: LaneNode
  readonly shifts: readonly number[]
  readonly masks: readonly number[]
}

const allBits = -1
const shifted = (bits: number, by: number): number => (by >= 0 ? bits << by : bits >>> -by)

/** Decomposes words into bit fields of their source. */
function fieldsOf(b: LaneBuilder, words: LaneNode): Fields {
  const { lanes } = valueType(words)
  const identity: Fields = {
    base: words,
    shifts: new Array<number>(lanes).fill(0),
    masks: new Array<number>(lanes).fill(allBits),
  }
  if (words.op === 'concat') {
    const parts = words.inputs.map(input => fieldsOf(b, input))
    const base = b.node(
      'concat',
      parts.map(part => part.base),
      {},
    )
    return { base, shifts: parts.flatMap(part => part.shifts), masks: parts.flatMap(part => part.masks) }
  }
  if (words.op !== 'map') return identity
  const { fn } = words.attrs
  const [input, operand] = words.inputs as [LaneNode, LaneNode?]
  const known = operand === undefined ? null : knownLanes(operand)
  if (known === null || (fn !== 'and' && fn !== 'shl' && fn !== 'shrLogical')) return identity
  const inner = fieldsOf(b, input)
  const amounts = known.map(Number)
  if (fn === 'and') return { ...inner, masks: inner.masks.map((mask, i) => mask & amounts[i]!) }
  if (amounts.some(amount => amount < 0 || amount > 31)) return identity
  const by = fn === 'shl' ? amounts : amounts.map(amount => -amount)
  return { base: inner.base, ...movedBy(inner, by) }
}

function movedBy({ shifts, masks }: Fields, by: readonly number[]): Pick<Fields, 'shifts' | 'masks'> {
  return {
    shifts: shifts.map((shift, i) => shift + by[i]!),
    masks: masks.map((mask, i) => shifted(mask, by[i]!)),
  }
}

/** Emits at most one shift and one mask per word; words with equal shifts are grouped. */
function wordsOfFields(b: LaneBuilder, { base, shifts, masks }: Fields): LaneNode {
  const parts: LaneNode[] = []
  for (let from = 0; from < shifts.length; ) {
    let to = from + 1
    while (to < shifts.length && shifts[to] === shifts[from]) to++
    parts.push(field(b, pick(b, base, from, to - from), shifts[from]!, masks.slice(from, to)))
    from = to
  }
  return parts.length === 1 ? parts[0]! : b.node('concat', parts, {})
}

function field(b: LaneBuilder, base: LaneNode, shift: number, masks: readonly number[]): LaneNode {
  const amount = makeLanes(
    b,
    'i32',
    masks.map(() => Math.abs(shift)),
  )
  const moved = shift === 0 ? base : b.node('map', [base, amount], { fn: shift > 0 ? 'shl' : 'shrLogical' })
  // The bits that a shift fills in are 0 already.
  if (masks.every(mask => mask === shifted(allBits, shift))) return moved
  return b.node('map', [moved, makeLanes(b, 'i32', masks)], { fn: 'and' })
}

/** `lanes` elements of a vector from `from` on, taken from the part of a concat where possible. */
function pick(b: LaneBuilder, vector: LaneNode, from: number, lanes: number): LaneNode {
  if (valueType(vector).lanes === lanes) return vector
  if (vector.op === 'concat') {
    let start = 0
    for (const input of vector.inputs) {
      const length = valueType(input).lanes
      if (from >= start && from + lanes <= start + length) return pick(b, input, from - start, lanes)
      start += length
    }
  }
  return lanes === 1 ? b.node('extract', [vector], { lane: from }) : b.node('slice', [vector], { from, lanes })
}

// --- integers --------------------------------------------------------------------------------------------------------------

/** The op on whole words, or null where element-wise code is better. */
export function packedMap(b: LaneBuilder, fn: ScalarOpName, inputs: readonly LaneNode[]): LaneNode | null {
  const type = inputs.at(-1)!.type
  if (type.kind !== 'value' || !isNarrowInteger(type.dtype) || !isPackable(type)) return null
  const [x, y] = inputs as readonly [LaneNode, LaneNode]
  if (inputs.every(input => knownLanes(input) !== null)) return null
  if (fn === 'and') {
    const mask = knownLanes(x) === null ? knownLanes(y) : knownLanes(x)
    const other = knownLanes(x) === null ? x : y
    const found = mask === null ? null : masked(b, type, other, wordsOfConstants(type.dtype, mask))
    if (found !== null) return found
  }
  if (!inputs.every(isPackedInWords)) return null
  switch (fn) {
    case 'and':
    case 'or':
    case 'xor':
      return bitwise(b, fn, type, [x, y])
    case 'shl':
    case 'shr':
    case 'shrLogical':
      return shift(b, fn, type, [x, y])
    case 'add':
      return sum(b, type, [x, y])
    default:
      return null
  }
}

function bitwise(b: LaneBuilder, fn: 'and' | 'or' | 'xor', type: ValueType, [x, y]: readonly [LaneNode, LaneNode]) {
  const [first, second] = [widenedFrom(b, x), widenedFrom(b, y)]
  if (first?.at === 8 && second?.at === 8)
    return widened(
      b,
      asType(b, b.node('map', [wordsOf(b, first.bytes), wordsOf(b, second.bytes)], { fn }), bytesLike(first)),
      8,
    )
  return asType(b, b.node('map', [wordsOf(b, x), wordsOf(b, y)], { fn }), type)
}

const bytesLike = ({ bytes }: Widened): ValueType => valueType(bytes)

/** `x & masks` (one mask per word), where x may be a right shift; null when it needs element-wise code. */
function masked(b: LaneBuilder, type: ValueType, x: LaneNode, masks: readonly number[]): LaneNode | null {
  const zeros = masks.map(() => 0)
  if (x.op !== 'map' || x.attrs.fn !== 'shr' || type.dtype === 'u8')
    return isPackedInWords(x) ? fieldOf(b, type, x, zeros, masks) : null
  const [from, amount] = x.inputs as [LaneNode, LaneNode]
  const amounts = amountsOf(type, amount)
  if (amounts === null || !isPackedInWords(from)) return null
  // An arithmetic shift fills with copies of the sign. A mask may select the sign bit itself; all other bits just move.
  const { bits } = dtypeInfo(type.dtype)
  const sign = inEach(bits, 2 ** (bits - 1))
  const moved = amounts.map(by => inEach(bits, (2 ** bits - 1) >>> by))
  if (masks.some((mask, i) => (mask & ~moved[i]! & ~sign) !== 0)) return null
  const by = amounts.map(each => -each)
  const low = fieldOf(
    b,
    type,
    from,
    by,
    masks.map((mask, i) => mask & moved[i]!),
  )
  const signs = masks.map((mask, i) => mask & sign & ~moved[i]!)
  if (signs.every(mask => mask === 0)) return low
  return bitwise(b, 'or', type, [fieldOf(b, type, from, zeros, signs), low])
}

/** The shift amount per word; null: the elements of a word are shifted by different or unknown amounts. */
function amountsOf({ dtype }: ValueType, amount: LaneNode): number[] | null {
  const known = knownLanes(amount)?.map(Number)
  if (known === undefined) return null
  const [each, bits] = [perWord(dtype), dtypeInfo(dtype).bits]
  if (!known.every((value, i) => value === known[i - (i % each)] && value >= 0 && value < bits)) return null
  return known.filter((_, i) => i % each === 0)
}

/** The bits repeated in every element of a word. */
const inEach = (bits: number, element: number): number =>
  (bits === 8 ? (element & 0xff) * 0x01010101 : (element & 0xffff) * 0x00010001) | 0

/** A shift of packed narrow integers by constants, as word-wide shifts and masks; null when that is not possible. */
function shift(
  b: LaneBuilder,
  fn: 'shl' | 'shr' | 'shrLogical',
  type: ValueType,
  [x, amount]: readonly [LaneNode, LaneNode],
): LaneNode | null {
  const amounts = amountsOf(type, amount)
  // An arithmetic shift would have to replicate the sign.
  if (amounts === null || (fn === 'shr' && type.dtype !== 'u8')) return null
  const { bits } = dtypeInfo(type.dtype)
  const by = fn === 'shl' ? amounts : amounts.map(each => -each)
  // Masks off the bits that cross into the neighbouring element.
  const own = by.map(each => inEach(bits, each >= 0 ? (2 ** bits - 1) << each : (2 ** bits - 1) >>> -each))
  return fieldOf(b, type, x, by, own)
}

/** The elements shifted left by `by` (right where negative), then masked by `masks`: both per word. */
function fieldOf(
  b: LaneBuilder,
  type: ValueType,
  x: LaneNode,
  by: readonly number[],
  masks: readonly number[],
): LaneNode {
  const bytes = widenedFrom(b, x)
  const inBytes = bytes === null ? null : fieldOfBytes(b, bytes, by, masks)
  if (inBytes !== null) return inBytes
  const fields = fieldsOf(b, wordsOf(b, x))
  const moved = movedBy(fields, by)
  return asType(
    b,
    wordsOfFields(b, {
      base: fields.base,
      shifts: moved.shifts,
      masks: moved.masks.map((mask, i) => mask & masks[i]!),
    }),
    type,
  )
}

/** As `fieldOf`, on the bytes before they were widened, when only upper bytes remain: half as many words. */
function fieldOfBytes(
  b: LaneBuilder,
  { bytes, at }: Widened,
  by: readonly number[],
  masks: readonly number[],
): LaneNode | null {
  const isUpper = masks.every(
    (mask, i) => (mask & 0x00ff00ff) === 0 && mask >>> 16 === (mask & 0xffff) && mask === masks[i & ~1],
  )
  if (!isUpper || !by.every((each, i) => each === by[i & ~1])) return null
  const every = (_: number, i: number): boolean => i % 2 === 0
  const moves = by.filter(every).map(each => each + at - 8)
  const own = moves.map(each => inEach(8, each >= 0 ? 0xff << each : 0xff >>> -each))
  const kept = masks.filter(every).map((mask, i) => inEach(8, (mask >>> 8) & 0xff) & own[i]!)
  return widened(b, fieldOf(b, valueType(bytes), bytes, moves, kept), 8)
}

/** Adds a constant to elements that are known to be too small to carry into their neighbours. */
function sum(b: LaneBuilder, type: ValueType, [x, y]: readonly [LaneNode, LaneNode]): LaneNode | null {
  const [value, constant] = [knownLanes(x) === null ? x : y, knownValue(knownLanes(x) === null ? y : x)]
  if (constant === null || constant < 0) return null
  const { bits } = dtypeInfo(type.dtype)
  const words = wordsOf(b, value)
  const maxima = fieldsOf(b, words).masks.flatMap(mask =>
    Array.from({ length: 32 / bits }, (_, i) => (mask >>> (i * bits)) & (2 ** bits - 1)),
  )
  if (Math.max(...maxima) + Number(constant) >= 2 ** bits) return null
  const added = b.node('const', [], {
    dtype: 'i32',
    value: inEach(bits, Number(constant)),
    lanes: valueType(words).lanes,
  })
  return asType(b, b.node('map', [words, added], { fn: 'add' }), type)
}

// --- bytes to 16 bits --------------------------------------------------------------------------------------------------------

/** Bytes widened to i16 and shifted left by `at`. */
interface Widened {
  readonly bytes: LaneNode
  readonly at: 0 | 8
}

/** Interleaves bytes with zeros above or below them: one permutation per word. */
function widened(b: LaneBuilder, bytes: LaneNode, at: 0 | 8): LaneNode {
  const { lanes } = valueType(bytes)
  const zero = b.node('const', [], { dtype: 'u8', value: 0, lanes })
  const pair = at === 0 ? [bytes, zero] : [zero, bytes]
  const halves = (['low', 'high'] as const).map(half => b.node('interleave', pair, { half }))
  return b.node('bitcast', [b.node('concat', halves, {})], { to: 'i16' })
}

/** The bytes that `widened` widened; for concatenated widened vectors, their bytes concatenated. Null: anything else. */
function widenedFrom(b: LaneBuilder, node: LaneNode): Widened | null {
  if (node.op === 'concat') {
    const parts = node.inputs.map(input => widenedFrom(b, input))
    const at = parts[0]?.at
    if (at === undefined || !parts.every(part => part?.at === at)) return null
    return {
      bytes: join(
        b,
        parts.map(part => part!.bytes),
      ),
      at,
    }
  }
  const [joined] = node.inputs as [LaneNode?]
  if (node.op !== 'bitcast' || joined?.op !== 'concat' || joined.inputs.length !== 2) return null
  const [low, high] = joined.inputs as [LaneNode, LaneNode]
  if (low.op !== 'interleave' || high.op !== 'interleave' || valueType(low).dtype !== 'u8') return null
  const [x, y] = low.inputs as [LaneNode, LaneNode]
  const isOne = low.attrs.half === 'low' && high.attrs.half === 'high' && high.inputs[0] === x && high.inputs[1] === y
  if (!isOne) return null
  if (knownValue(y) === 0) return { bytes: x, at: 0 }
  return knownValue(x) === 0 ? { bytes: y, at: 8 } : null
}

// --- 16-bit floats -------------------------------------------------------------------------------------------------------------

type Half = 'f16' | 'bf16'

const inHalf: Record<Half, (value: number) => number> = {
  f16: value => fromF16(toF16(value)),
  bf16: value => fromBf16(toBf16(value)),
}

/** The vector before it was widened to f32; null when its values do not come from a 16-bit float. */
function beforeWidening(b: LaneBuilder, node: LaneNode, to: Half): LaneNode | null {
  const known = knownLanes(node)
  if (known !== null) {
    const exact = known.every(value => Object.is(inHalf[to](Number(value)), Number(value)))
    return exact ? makeLanes(b, to, known) : null
  }
  switch (node.op) {
    case 'cast':
      return valueType(node.inputs[0]!).dtype === to ? node.inputs[0]! : null
    case 'splat':
    case 'extract':
    case 'slice': {
      const inner = beforeWidening(b, node.inputs[0]!, to)
      return inner && b.node(node.op, [inner], node.attrs as never)
    }
    case 'concat': {
      const made = new Map<LaneNode, LaneNode>()
      for (const input of new Set(node.inputs)) {
        const inner = beforeWidening(b, input, to)
        if (inner === null) return null
        made.set(input, inner)
      }
      return b.node(
        'concat',
        node.inputs.map(input => made.get(input)!),
        {},
      )
    }
    default:
      return null
  }
}

/**
 * f32 arithmetic on two widened vectors, narrowed again, equals arithmetic on the narrow vectors with one rounding: f32 has more
 * than twice the mantissa bits plus two, so the intermediate rounding of a sum or product is innocuous (Figueroa, "When is
 * double rounding innocuous?"), for subnormal results too.
 */
function halfArithmetic(b: LaneBuilder, node: LaneNode, to: Half): LaneNode | null {
  if (node.op !== 'map' || valueType(node).lanes % 2 !== 0) return null
  const { fn } = node.attrs
  if (fn !== 'mul' && fn !== 'add' && fn !== 'sub') return null
  const [x, y] = node.inputs.map(input => beforeWidening(b, input, to)) as [LaneNode | null, LaneNode | null]
  return x === null || y === null ? null : b.node('halves', [x, y], { fn })
}

// --- casts -------------------------------------------------------------------------------------------------------------------

/** The cast on whole words, or null when element-wise code is needed. */
export function packedCast(b: LaneBuilder, input: LaneNode, to: Dtype): LaneNode | null {
  const from = valueType(input)
  if (from.dtype === 'u8' && to === 'i16' && isPackedInWords(input)) return widened(b, input, 0)
  if (from.dtype === 'f32' && (to === 'f16' || to === 'bf16')) return halfArithmetic(b, input, to)
  return null
}
