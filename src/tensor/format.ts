/**
 * Tensors as text, as PyTorch prints them: one format for all elements (integers with a dot, four decimals, or scientific
 * when the magnitudes span too much), lines of 80 columns, and the first and last three of each dim beyond 1000 elements.
 * dtypes other than f32, i64 and bool are named by a suffix.
 */
import { type Dtype, isFloat } from '../types/dtype.js'
import { elementCount } from './layout.js'

const precision = 4
const lineWidth = 80
/** Larger tensors are summarised. */
export const threshold = 1000
export const edgeItems = 3

export interface Printable {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** Values by row-major index, at least those that are printed; bool as 0 and 1. */
  readonly data: { readonly [place: number]: number | bigint }
  /** What is said of its gradient: `requiresGrad=true`. Absent: nothing. */
  readonly gradient?: string | null
}

interface ElementFormat {
  readonly width: number
  format(value: number | bigint): string
}

/** Python's `{:.4f}`: ties go to even, where toFixed rounds them up. A tie here is an odd multiple of 1/32. */
function toFixed(value: number): string {
  const scaled = Math.abs(value) * 32
  if (!Number.isInteger(scaled) || scaled % 2 === 0) return value.toFixed(precision)
  const units = BigInt(scaled) * 625n
  const floor = units / 2n
  const even = floor % 2n === 0n ? floor : floor + 1n
  const digits = even.toString().padStart(precision + 1, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

/** Python's `{:.4e}`: ties to even and an exponent of at least two digits. */
function toExponential(value: number): string {
  const long = value.toExponential(60)
  const cut = long.indexOf('.') + 1 + precision
  const tie = /^50*e/.test(long.slice(cut))
  const evenBelow = tie && Number(long[cut - 1]) % 2 === 0
  const rounded = evenBelow ? long.slice(0, cut) + long.slice(long.indexOf('e')) : value.toExponential(precision)
  return rounded.replace(/e([+-])(\d)$/, 'e$10$2')
}

function nonFinite(value: number): string {
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
}

/** PyTorch's choice between integer, fixed and scientific notation, by the range of the values. */
function floatFormat(values: readonly number[]): ElementFormat {
  const magnitudes = values.filter(value => Number.isFinite(value) && value !== 0).map(Math.abs)
  const finite = values.filter(value => Number.isFinite(value) && value !== 0)
  const max = magnitudes.reduce((a, b) => Math.max(a, b), 0)
  const min = magnitudes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const integral = finite.every(Number.isInteger)
  const scientific = finite.length > 0 && (max / min > 1000 || max > 1e8 || min < 1e-4)
  const text = (value: number): string => {
    if (!Number.isFinite(value)) return nonFinite(value)
    if (Object.is(value, -0)) return `-${text(0)}`
    if (scientific) return toExponential(value)
    return integral ? `${value.toFixed(0)}.` : toFixed(value)
  }
  const width = finite.reduce((widest, value) => Math.max(widest, text(value).length), 1)
  return { width, format: value => text(Number(value)).padStart(width) }
}

function formatOf(dtype: Dtype, values: readonly (number | bigint)[]): ElementFormat {
  if (isFloat(dtype)) return floatFormat(values.map(Number))
  const text = (value: number | bigint): string => (dtype === 'bool' ? (value ? 'True' : 'False') : String(value))
  const width = values.reduce<number>((widest, value) => Math.max(widest, text(value).length), 1)
  return { width, format: value => text(value).padStart(width) }
}

/** The indices of a dim that are printed; null stands for the gap. */
function shownIndices(size: number, summarize: boolean): (number | null)[] {
  const from = (start: number, count: number): number[] => Array.from({ length: count }, (_, i) => start + i)
  if (!summarize || size <= 2 * edgeItems) return from(0, size)
  return [...from(0, edgeItems), null, ...from(size - edgeItems, edgeItems)]
}

class Printer {
  readonly #summarize: boolean
  readonly #format: ElementFormat

  constructor(readonly tensor: Printable) {
    this.#summarize = elementCount(tensor.shape) > threshold
    this.#format = formatOf(tensor.dtype, this.#shown(0, 0))
  }

  #shown(dim: number, start: number): (number | bigint)[] {
    const { shape, data } = this.tensor
    if (dim === shape.length) return [data[start]!]
    const inner = elementCount(shape.slice(dim + 1))
    return shownIndices(shape[dim]!, this.#summarize).flatMap(i =>
      i === null ? [] : this.#shown(dim + 1, start + i * inner),
    )
  }

  print(dim: number, start: number, indent: number): string {
    const { shape, data } = this.tensor
    if (dim === shape.length) return this.#format.format(data[start]!)
    if (dim === shape.length - 1) return this.#vector(shape[dim]!, start, indent)
    const inner = elementCount(shape.slice(dim + 1))
    const parts = shownIndices(shape[dim]!, this.#summarize).map(i =>
      i === null ? '...' : this.print(dim + 1, start + i * inner, indent + 1),
    )
    return `[${parts.join(`,${'\n'.repeat(shape.length - dim - 1)}${' '.repeat(indent + 1)}`)}]`
  }

  #vector(size: number, start: number, indent: number): string {
    const perLine = Math.max(1, Math.floor((lineWidth - indent) / (this.#format.width + 2)))
    const items = shownIndices(size, this.#summarize).map(i =>
      i === null ? ' ...' : this.#format.format(this.tensor.data[start + i]!),
    )
    const lines: string[] = []
    for (let i = 0; i < items.length; i += perLine) lines.push(items.slice(i, i + perLine).join(', '))
    return `[${lines.join(`,\n${' '.repeat(indent + 1)}`)}]`
  }
}

function suffixes({ dtype, shape, gradient = null }: Printable): string[] {
  const empty = elementCount(shape) === 0
  const size = empty && shape.length !== 1 ? [`size=(${shape.join(', ')})`] : []
  const known = empty ? dtype === 'f32' : dtype === 'f32' || dtype === 'i64' || dtype === 'bool'
  return [...size, ...(known ? [] : [`dtype=${dtype}`]), ...(gradient === null ? [] : [gradient])]
}

/** `tensor([[ 0.1000, -2.0000]], dtype=f16)`. */
export function formatTensor(tensor: Printable): string {
  const prefix = 'tensor('
  const body = elementCount(tensor.shape) === 0 ? '[]' : new Printer(tensor).print(0, 0, prefix.length)
  let text = prefix + body
  let lineLength = text.length - text.lastIndexOf('\n') + 1
  for (const suffix of suffixes(tensor)) {
    const wraps = lineLength + suffix.length + 2 > lineWidth
    text += wraps ? `,\n${' '.repeat(prefix.length)}${suffix}` : `, ${suffix}`
    lineLength = wraps ? prefix.length + suffix.length : lineLength + suffix.length + 2
  }
  return `${text})`
}
