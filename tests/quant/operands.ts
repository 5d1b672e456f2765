/**
 * Operands of products for tests: tensors and quantised ones of every kind with random codes, laid out in many ways, with
 * the numbers they stand for in float64, and how far from the exact product a result may lie.
 */
import type { QuantAttrs } from '../../src/graph/ops/quantised.js'
import type { HostTensor } from '../../src/graph/record.js'
import type { QuantizedTensor } from '../../src/quant/index.js'
import type { Tensor } from '../../src/tensor/tensor.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import {
  type Block,
  elementFormats,
  type QuantFormatName,
  quantFormat,
  type ScaleLayout,
  type ScaleName,
} from '../../src/types/quant.js'
import { arg, count, type Layout, randomSpec, type TensorSpec, withLayout } from '../support/tensor-spec.js'
import { onGpu, tensorOf } from '../support/tensors.js'
import { areCodes, partsOf } from './samples.js'
import { blockedPlace, blockedSize, elementValue, roundTo, scaleValue } from './specification.js'

/** One side of a product, but for its sizes. */
export type Kind =
  | { readonly name: string; readonly dtype: 'f32' | 'f16' | 'bf16' }
  | { readonly name: string; readonly format: QuantFormatName; readonly quant: QuantAttrs }

interface Choice {
  readonly block?: Block
  readonly scale?: ScaleName
  readonly layout?: ScaleLayout
}

function quantKind(format: QuantFormatName, { layout = 'linear', ...choice }: Choice = {}): Kind {
  const details = [...Object.values(choice), ...(layout === 'blocked' ? ['blocked'] : [])].join(' ')
  const name = details === '' ? format : `${format} (${details})`
  return { name, format, quant: { ...quantFormat('test', format, choice), layout } }
}

/** Everything that a side may be; K is a multiple of 32 for all of them. */
export const kinds: readonly Kind[] = [
  ...(['f32', 'f16', 'bf16'] as const).map(dtype => ({ name: dtype, dtype })),
  quantKind('nvfp4'),
  quantKind('nvfp4', { layout: 'blocked' }),
  quantKind('mxfp4'),
  quantKind('mxfp8e4m3', { layout: 'blocked' }),
  quantKind('mxfp8e5m2'),
  quantKind('mxint8'),
  quantKind('mxint8', { block: 8, layout: 'blocked' }),
  quantKind('fp8e4m3'),
  quantKind('fp8e5m2', { block: 'row' }),
  quantKind('int8', { block: 16, scale: 'f16' }),
  quantKind('int4', { block: 32 }),
  quantKind('int4', { block: 8, scale: 'bf16', layout: 'blocked' }),
]

export interface Operand {
  readonly kind: Kind
  readonly shape: readonly number[]
  /** The tensor; or values, scales and the factor. */
  readonly parts: readonly TensorSpec[]
  /** What it stands for, in float64. */
  readonly numbers: readonly number[]
}

/** `layout`: how the tensors with rows lie. */
export function operandOf(kind: Kind, seed: number, shape: readonly number[], layout: Layout = 'dense'): Operand {
  const lay = (part: TensorSpec): TensorSpec => (part.shape.length > 1 ? withLayout(part, layout) : part)
  if (!('quant' in kind)) {
    const part = lay(randomSpec(seed, kind.dtype, shape))
    return { kind, shape, parts: [part], numbers: part.data.map(Number) }
  }
  const parts = partsOf(seed, kind.quant, shape).map(lay)
  return { kind, shape, parts, numbers: numbersOf(kind.quant, parts, shape) }
}

function numbersOf(quant: QuantAttrs, parts: readonly TensorSpec[], shape: readonly number[]): number[] {
  const [values, scales, factor] = parts.map(({ data }) => data.map(Number)) as [number[], number[], number[]?]
  const { perByte } = elementFormats[quant.element]
  const [rows, K] = [shape.at(-2) ?? 1, shape.at(-1)!]
  return Array.from({ length: count(shape) }, (_, flat) => {
    const [row, k] = [Math.floor(flat / K), flat % K]
    const byte = values[Math.floor(flat / perByte)]! & 255
    const code = perByte === 1 ? byte : flat % 2 === 0 ? byte & 15 : byte >> 4
    const scale = scaleValue(quant.scale, scales[scalePlace(quant, row, k, rows, K)]!)
    return elementValue(quant.element, code) * scale * (factor?.[0] ?? 1)
  })
}

function scalePlace({ block, layout }: QuantAttrs, row: number, k: number, rows: number, K: number): number {
  if (typeof block !== 'number') return block === 'row' ? row : 0
  const [blocks, column] = [K / block, Math.floor(k / block)]
  if (layout === 'linear') return row * blocks + column
  return Math.floor(row / rows) * blockedSize(rows, blocks) + blockedPlace(row % rows, column, blocks)
}

/** As the graph's ops take it, its tensors being inputs from `first` on. */
export const argumentOf = ({ kind, parts }: Operand, first: number) => ({
  quant: 'quant' in kind ? kind.quant : null,
  tensors: parts.map((_, i) => arg(first + i)),
})

/** As people have it. */
export function tensorsOf(
  { kind, parts }: Operand,
  make: (spec: TensorSpec) => Tensor = tensorOf,
): Tensor | QuantizedTensor {
  const [values, scales, tensorScale] = parts.map(make) as [Tensor, Tensor, Tensor?]
  if (!('quant' in kind)) return values
  const { block, scale, layout } = kind.quant
  return { format: kind.format, block, scale, layout, values, scales, tensorScale: tensorScale ?? null }
}

// --- products ----------------------------------------------------------------------------------------------------------------

/** Numbers in float64 and how far from each a result may lie. */
export interface Bounded {
  readonly dtype: TensorDtype
  readonly shape: readonly number[]
  readonly data: readonly number[]
  readonly bound: readonly number[]
}

const unit: Record<string, number> = { f32: 2 ** -24, f16: 2 ** -11, bf16: 2 ** -8 }
const least: Record<string, number> = { f32: 2 ** -149, f16: 2 ** -24, bf16: 2 ** -133 }

/**
 * What rounding an operand to the dtype of the product costs, relative: integers with float scales are rounded to the
 * other side's dtype; everything else is multiplied exactly, or in f32.
 */
function roundingOf(one: Operand, other: Operand): number {
  const isFree = 'quant' in one.kind && /^int[48]$/.test(one.kind.format)
  if (!isFree) return 0
  return 'quant' in other.kind ? unit.f32! : unit[other.kind.dtype]!
}

/**
 * Matrix units that multiply 8-bit floats as they are keep about 14 bits of their sums, cut off at the largest of 32
 * products and what was summed before; what this leaves of the sum of magnitudes.
 */
function codeSums(a: Operand, b: Operand): number {
  const isCodes = ({ kind }: Operand): boolean => 'quant' in kind && areCodes(kind.quant)
  return onGpu && isCodes(a) && isCodes(b) ? 2 ** -11 : 0
}

/** The dtype that a product has unless another is asked for. */
export function resultDtype(a: Operand, b: Operand): 'f32' | 'f16' | 'bf16' {
  const own = [a, b].flatMap(({ kind }) => ('dtype' in kind ? [kind.dtype] : []))
  return own.length > 0 && own.every(dtype => dtype === own[0]) ? own[0]! : 'f32'
}

/** a [… , M, K] · b [… , N, K]ᵀ + bias: batch dims are equal, or b has none. */
export function productOf(
  a: Operand,
  b: Operand,
  dtype: TensorDtype = resultDtype(a, b),
  bias: readonly number[] | null = null,
): Bounded {
  const [M, K, N] = [a.shape.at(-2)!, a.shape.at(-1)!, b.shape.at(-2)!]
  const lead = a.shape.slice(0, -2)
  const data: number[] = []
  const bound: number[] = []
  const slack = 2 * (K + 8) * unit.f32! + roundingOf(a, b) + roundingOf(b, a) + codeSums(a, b)
  for (let l = 0; l < count(lead); l++)
    for (let m = 0; m < M; m++)
      for (let n = 0; n < N; n++) {
        const [x, y] = [(l * M + m) * K, ((b.shape.length > 2 ? l : 0) * N + n) * K]
        let [sum, terms] = [0, 0]
        for (let k = 0; k < K; k++) {
          const term = a.numbers[x + k]! * b.numbers[y + k]!
          sum += term
          terms += Math.abs(term)
        }
        const value = sum + (bias === null ? 0 : bias[n]!)
        data.push(value)
        bound.push(slack * terms + 2 * unit[dtype]! * Math.abs(value) + least[dtype]!)
      }
  return { dtype, shape: [...lead, M, N], data, bound }
}

const gates: Record<'silu' | 'gelu' | 'relu', (x: number) => number> = {
  silu: x => x / (1 + Math.exp(-x)),
  gelu: x => 0.5 * x * (1 + erf(x / Math.SQRT2)),
  relu: x => Math.max(0, x),
}

/** By its series, or (beyond 3) by the continued fraction of its complement. */
function erf(x: number): number {
  const z = Math.abs(x)
  if (z > 3) {
    let fraction = 0
    for (let k = 60; k > 0; k--) fraction = k / 2 / (z + fraction)
    return Math.sign(x) * (1 - Math.exp(-z * z) / (Math.sqrt(Math.PI) * (z + fraction)))
  }
  let [term, sum] = [z, z]
  for (let k = 1; k < 80; k++) {
    term *= (-z * z) / k
    sum += term / (2 * k + 1)
  }
  return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI)
}

/** activation(gate) · up: the gates' slopes are below 1.2, so errors of the products pass on at most so much larger. */
export function gatedOf(activation: 'silu' | 'gelu' | 'relu', gate: Bounded, up: Bounded, dtype: TensorDtype): Bounded {
  const data = gate.data.map((value, i) => gates[activation](value) * up.data[i]!)
  const bound = data.map((value, i) => {
    const [x, y] = [gates[activation](gate.data[i]!), up.data[i]!]
    const [dx, dy] = [1.2 * gate.bound[i]! + 2 ** -20 * (Math.abs(x) + 2 ** -10), up.bound[i]!]
    return dx * Math.abs(y) + dy * Math.abs(x) + dx * dy + 2 * unit[dtype]! * Math.abs(value) + least[dtype]!
  })
  return { ...gate, dtype, data, bound }
}

/** The first element that is out of its bound; null: none. */
export function outOfBound(got: HostTensor, want: Bounded): string | null {
  const type = `${got.dtype}[${got.shape.join(', ')}]`
  if (type !== `${want.dtype}[${want.shape.join(', ')}]`) return `is ${type}, expected [${want.shape.join(', ')}]`
  const at = got.data.findIndex((value, i) => !isNear(Number(value), want.data[i]!, want.bound[i]!, want.dtype))
  return at < 0 ? null : `element ${at} is ${got.data[at]}, expected ${want.data[at]} ± ${want.bound[at]}`
}

function isNear(value: number, wanted: number, bound: number, dtype: TensorDtype): boolean {
  if (Number.isNaN(wanted)) return Number.isNaN(value)
  return value === roundTo(dtype, wanted) || Math.abs(value - wanted) <= bound
}

/** rtol 1e-3, atol 1e-3 of the float64 result rounded to f16: what nvfp4 products must hold. */
export function outOfHalf(got: HostTensor, want: Bounded): string | null {
  const at = got.data.findIndex((value, i) => {
    const half = roundTo('f16', want.data[i]!)
    return Math.abs(Number(value) - half) > 1e-3 + 1e-3 * Math.abs(half)
  })
  return at < 0 ? null : `element ${at} is ${got.data[at]}, expected ${want.data[at]} in f16`
}
