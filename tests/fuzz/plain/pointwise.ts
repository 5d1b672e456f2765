/** Ops element by element, and their in-place forms. */
import { category, numberDtype, type PlainDtype, resultDtype, roundTo, type Typed } from './dtypes.js'
import { PlainError, Unfit } from './errors.js'
import { broadcast, expanded, PlainTensor } from './tensor.js'

export type Operand = PlainTensor | number | boolean

export function typed(x: Operand): Typed {
  if (x instanceof PlainTensor) return x.typed
  if (typeof x === 'number' || typeof x === 'boolean') return { dtype: numberDtype(x), weight: 'number' }
  throw new PlainError('ArgumentError', `${String(x)} is no tensor and no number`)
}

export const tensors = (operands: readonly Operand[]): PlainTensor[] =>
  operands.filter(operand => operand instanceof PlainTensor)

/** One value from each operand's, stretched to each other. `jumps`: a rounded operand makes the result unknowable. */
export function map(
  dtype: PlainDtype,
  operands: readonly Operand[],
  compute: (...values: number[]) => number,
  { jumps = false, exactly = true } = {},
): PlainTensor {
  for (const operand of operands) {
    const { weight } = typed(operand) // which refuses what is no operand
    if (weight === 'number' && category(dtype) === 1) roundTo(dtype, Number(operand))
  }
  const shape = broadcast(...tensors(operands).map(x => x.shape))
  const columns = operands.map(operand => {
    if (!(operand instanceof PlainTensor)) return null
    const whole = expanded(operand, shape)
    return jumps ? whole.exactValues() : whole.values()
  })
  const total = shape.reduce((product, size) => product * size, 1)
  const values = Array.from({ length: total }, (_, i) =>
    compute(...operands.map((operand, o) => columns[o]?.[i] ?? Number(operand))),
  )
  return PlainTensor.of(dtype, shape, values, tensors(operands), exactly)
}

const arithmetic =
  (compute: (a: number, b: number) => number) =>
  (x: Operand, other: Operand): PlainTensor => {
    const dtype = resultDtype([typed(x), typed(other)])
    if (dtype === 'bool') throw new Unfit('arithmetic on truth values')
    return map(dtype, [x, other], compute)
  }

/** `f32` where the operands are no floats. */
const floating = (dtype: PlainDtype): PlainDtype => (category(dtype) === 2 ? dtype : 'f32')

/** Both become of one dtype first: a number that an integer tensor cannot hold wraps, which is Unfit. */
const compare =
  (compute: (a: number, b: number) => boolean) =>
  (x: Operand, other: Operand): PlainTensor => {
    const dtype = resultDtype([typed(x), typed(other)])
    const held = (value: number): number => (category(dtype) === 1 ? roundTo(dtype, value) : value)
    return map('bool', [x, other], (a, b) => Number(compute(held(a), held(b))), { jumps: true })
  }

function div(x: Operand, other: Operand): PlainTensor {
  return map(floating(resultDtype([typed(x), typed(other)])), [x, other], (a, b) => {
    if (Math.abs(b) < 0.25) throw new Unfit('a division by nearly nothing')
    return a / b
  })
}

const whole =
  (compute: (a: number, b: number) => number) =>
  (x: Operand, other: Operand): PlainTensor => {
    const dtype = resultDtype([typed(x), typed(other)])
    if (dtype === 'bool') throw new Unfit('arithmetic on truth values')
    const nonZero = (a: number, b: number): number => {
      if (b === 0) throw new Unfit('a division by 0')
      return compute(a, b)
    }
    return map(dtype, [x, other], nonZero, { jumps: true })
  }

const same =
  (compute: (a: number) => number, options = {}) =>
  (x: PlainTensor): PlainTensor => {
    if (x.dtype === 'bool') throw new Unfit('arithmetic on truth values')
    return map(x.dtype, [x], compute, options)
  }

/** Rounded by every implementation in its own way. */
const smooth =
  (compute: (a: number) => number, largest = 16) =>
  (x: PlainTensor): PlainTensor => {
    if (x.values().some(value => Math.abs(value) > largest)) throw new Unfit('a steep function of a large number')
    return map(floating(x.dtype), [x], compute, { exactly: false })
  }

interface Limits {
  readonly min?: number
  readonly max?: number
}

function clamp(x: PlainTensor, min?: number | Limits | null, max?: number): PlainTensor {
  const limits = typeof min === 'object' && min !== null ? min : { min: min ?? undefined, max }
  const numbers = [limits.min, limits.max].filter(limit => limit !== undefined)
  const dtype = resultDtype([x.typed, ...numbers.map(typed)])
  if (category(dtype) === 1) for (const limit of numbers) roundTo(dtype, limit)
  return map(dtype, [x], a => Math.min(Math.max(a, limits.min ?? -Infinity), limits.max ?? Infinity))
}

export function where(condition: PlainTensor, a: Operand, b: Operand): PlainTensor {
  if (condition.dtype !== 'bool') throw new PlainError('DtypeError', 'where: the condition is no bool')
  return map(resultDtype([typed(a), typed(b)]), [condition, a, b], (c, x, y) => (c === 0 ? y : x))
}

function maskedFill(x: PlainTensor, mask: PlainTensor, value: number): PlainTensor {
  if (mask.dtype !== 'bool') throw new PlainError('DtypeError', 'maskedFill: the mask is no bool')
  if (category(numberDtype(value)) > category(x.dtype)) throw new Unfit('a fraction in an integer tensor')
  return map(x.dtype, [x, mask], (a, m) => (m === 0 ? a : value))
}

function to(x: PlainTensor, dtype: PlainDtype): PlainTensor {
  if (dtype === x.dtype) return x.relaid(x.shape, x.strides, x.offset)
  return map(dtype, [x], a => a, { jumps: category(dtype) < category(x.dtype) })
}

const truth =
  (compute: (a: boolean, b: boolean) => boolean) =>
  (x: Operand, other: Operand): PlainTensor =>
    map('bool', [x, other], (a, b) => Number(compute(a !== 0, b !== 0)), { jumps: true })

/** Those with an in-place form. */
export const pointwiseMethods = {
  add: arithmetic((a, b) => a + b),
  sub: arithmetic((a, b) => a - b),
  mul: arithmetic((a, b) => a * b),
  maximum: arithmetic(Math.max),
  minimum: arithmetic(Math.min),
  div,
  remainder: whole((a, b) => a - b * Math.floor(a / b)),
  floorDivide: whole((a, b) => Math.floor(a / b)),
  neg: same(a => -a),
  abs: same(Math.abs),
  square: same(a => a * a),
  relu: same(a => Math.max(a, 0)),
  sign: same(Math.sign, { jumps: true }),
  floor: same(Math.floor, { jumps: true }),
  round: same(a => (Math.abs(a % 1) === 0.5 ? 2 * Math.round(a / 2) : Math.round(a)), { jumps: true }),
  exp: smooth(Math.exp, 6),
  tanh: smooth(Math.tanh),
  sigmoid: smooth(a => 1 / (1 + Math.exp(-a))),
  sin: smooth(Math.sin),
  clamp,
  maskedFill,
}

export const comparisonMethods = {
  eq: compare((a, b) => a === b),
  ne: compare((a, b) => a !== b),
  lt: compare((a, b) => a < b),
  le: compare((a, b) => a <= b),
  gt: compare((a, b) => a > b),
  ge: compare((a, b) => a >= b),
  logicalAnd: truth((a, b) => a && b),
  logicalOr: truth((a, b) => a || b),
  logicalXor: truth((a, b) => a !== b),
  logicalNot: (x: PlainTensor) => map('bool', [x], a => Number(a === 0), { jumps: true }),
  isnan: (x: PlainTensor) => map('bool', [x], a => Number(Number.isNaN(a)), { jumps: true }),
  where: (x: PlainTensor, condition: PlainTensor, other: Operand) => where(condition, x, other),
  to,
}

/** Writes a result into a tensor: values first, so that what is read is what was there before. */
export function assign(target: PlainTensor, value: PlainTensor): PlainTensor {
  target.requireAlive()
  if (target.overlapsItself()) throw new PlainError('ShapeError', 'elements of the target share memory')
  if (category(value.dtype) > category(target.dtype)) throw new PlainError('DtypeError', `${value.dtype} in place`)
  const whole = expanded(value, target.shape)
  target.fill(whole.values(), [value], true)
  return target
}

function copy_(x: PlainTensor, value: PlainTensor): PlainTensor {
  return assign(x, value.dtype === x.dtype ? value : to(value, x.dtype))
}

function fill_(x: PlainTensor, value: number | boolean): PlainTensor {
  return assign(x, PlainTensor.of(x.dtype, [], [Number(value)]))
}

export const writingMethods: Readonly<Record<string, (x: PlainTensor, ...args: never[]) => PlainTensor>> = {
  copy_,
  fill_,
  zero_: (x: PlainTensor) => fill_(x, 0),
  ...Object.fromEntries(
    Object.entries(pointwiseMethods).map(([name, method]) => [
      `${name}_`,
      (x: PlainTensor, ...args: never[]) => {
        const value = (method as (x: PlainTensor, ...args: never[]) => PlainTensor)(x, ...args)
        if (`${value.shape}` !== `${x.shape}`) throw new PlainError('ShapeError', `${name}_: the result is larger`)
        return assign(x, value)
      },
    ]),
  ),
}
