/**
 * Tensors as tests describe them: logical values in row-major order, and their memory layout. The values do not depend on the
 * layout, so one expected result serves every layout, on the interpreter and on every device.
 */
import { castValue, type Value, wrapValue } from '../../src/scalar/ops.js'
import { type Dtype, dtypes, isFloat } from '../../src/types/dtype.js'

export interface TensorSpec {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** Row-major; bigint for i64, 0/1 for bool, rounded to the dtype. */
  readonly data: readonly Value[]
  /** In elements; row-major from offset 0 when absent. */
  readonly strides?: readonly number[]
  readonly offset?: number
}

/** Stands for input `index` in the arguments of a call. */
export class TensorArgument {
  constructor(readonly index: number) {}
}
export const arg = (index: number): TensorArgument => new TensorArgument(index)

/** Arguments with some replaced, also inside lists and options: those that `replace` gives another value for. */
export function replaceArguments(args: readonly unknown[], replace: (value: object) => unknown): unknown[] {
  const replaced = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const other = replace(value)
    if (other !== undefined) return other
    if (Array.isArray(value)) return value.map(replaced)
    if (Object.getPrototypeOf(value) !== Object.prototype) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner)]))
  }
  return args.map(replaced)
}

/** Arguments with their placeholders replaced. */
export const bindArguments = (args: readonly unknown[], lookup: (index: number) => unknown): unknown[] =>
  replaceArguments(args, value => (value instanceof TensorArgument ? lookup(value.index) : undefined))

/** A small generator with a seed (mulberry32): tests draw the same numbers everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

/** A spec of the given numbers, converted to the dtype. */
export function spec(dtype: Dtype, shape: readonly number[], values: readonly number[]): TensorSpec {
  const data = values.map(value => (isFloat(dtype) ? wrapValue(dtype, value) : castValue('f64', dtype, value)))
  if (data.length !== count(shape)) throw new Error(`spec: ${data.length} values for [${shape.join(', ')}]`)
  return { dtype, shape, data }
}

export interface Fill {
  readonly low?: number
  readonly high?: number
}

/** Random values: floats in [low, high), integers in the same range (clipped to the dtype), coin flips for bool. */
export function randomSpec(seed: number, dtype: Dtype, shape: readonly number[], fill: Fill = {}): TensorSpec {
  const random = seededRandom(seed * 7919 + 17)
  const { low = -2, high = 2 } = fill
  const value = (): number => {
    if (dtype === 'bool') return random() < 0.5 ? 0 : 1
    if (isFloat(dtype)) return low + random() * (high - low)
    const floor = Math.max(low * 5, dtypes[dtype].min)
    return Math.floor(floor + random() * (Math.min(high * 5, dtypes[dtype].max) - floor))
  }
  return spec(dtype, shape, Array.from({ length: count(shape) }, value))
}

export type Layout = 'dense' | 'transposed' | 'strided' | 'offset' | 'reversed'

/** The same tensor in another memory layout. */
export function withLayout(tensor: TensorSpec, layout: Layout): TensorSpec {
  const dense: number[] = tensor.shape.map((_, d) => count(tensor.shape.slice(d + 1)))
  switch (layout) {
    case 'dense':
      return tensor
    case 'transposed': {
      const reversed = [...tensor.shape].reverse()
      return {
        ...tensor,
        strides: tensor.shape.map((_, d) => count(reversed.slice(tensor.shape.length - d))),
        offset: 0,
      }
    }
    case 'strided':
      return { ...tensor, strides: dense.map(stride => stride * 2), offset: 0 }
    case 'offset':
      return { ...tensor, strides: dense, offset: 5 }
    case 'reversed':
      return { ...tensor, strides: dense.map(stride => -stride), offset: Math.max(0, count(tensor.shape) - 1) }
    default:
      return layout satisfies never
  }
}

/** The memory of a spec: as many elements as its layout spans; gaps are filled with a value that tests do not expect. */
export function storageOf(tensor: TensorSpec): { data: Value[]; strides: readonly number[]; offset: number } {
  const strides = tensor.strides ?? tensor.shape.map((_, d) => count(tensor.shape.slice(d + 1)))
  const offset = tensor.offset ?? 0
  const places = tensor.data.map((_, flat) => {
    let [rest, at] = [flat, offset]
    for (let d = tensor.shape.length - 1; d >= 0; d--) {
      at += (rest % tensor.shape[d]!) * strides[d]!
      rest = Math.floor(rest / tensor.shape[d]!)
    }
    return at
  })
  const gap = castValue('f64', tensor.dtype, 77)
  const last = places.reduce((most, place) => Math.max(most, place), offset)
  const data = new Array<Value>(last + 1).fill(gap)
  for (const [flat, place] of places.entries()) data[place] = tensor.data[flat]!
  return { data, strides, offset }
}
