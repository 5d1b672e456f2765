/** References of the quantised ops in plain JavaScript on single numbers, for tests. */

import { wrapValue } from '../../scalar/ops.js'
import { encodeMinifloat } from '../../types/minifloat.js'
import {
  type Block,
  blockedBytes,
  blockedOffset,
  decodeElement,
  decodeScale,
  elementFormats,
  encodeElement,
  type QuantFormat,
  type ScaleLayout,
} from '../../types/quant.js'
import { hostFrom } from '../host.js'
import type { HostTensor } from '../record.js'

const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

/** The code of element `flat` (row-major over [… , K]) in packed or plain values. */
function codeAt({ data }: HostTensor, { element }: QuantFormat, flat: number): number {
  if (elementFormats[element].perByte === 1) return Number(data[flat]!)
  const byte = Number(data[Math.floor(flat / 2)]!)
  return flat % 2 === 0 ? byte & 15 : byte >> 4
}

/** The index of an element's scale, from its row and k. */
function scaleIndex(block: Block, layout: ScaleLayout, K: number, row: number, k: number, rows: number): number {
  if (block === 'tensor') return 0
  if (block === 'row') return row
  const blocks = K / block
  const column = Math.floor(k / block)
  if (layout === 'linear') return row * blocks + column
  const matrix = Math.floor(row / rows)
  return matrix * blockedBytes(rows, blocks) + blockedOffset(row % rows, column, blocks)
}

/** Element · scale · tensor scale, each product in `round` (f32 as the kernels, or exact). */
export function hostDequantise(
  format: QuantFormat,
  layout: ScaleLayout,
  values: HostTensor,
  scales: HostTensor,
  tensorScale: HostTensor | null,
  round: (value: number) => number,
): { readonly shape: readonly number[]; readonly at: (flat: number) => number } {
  const shape = [...values.shape.slice(0, -1), values.shape.at(-1)! * elementFormats[format.element].perByte]
  const K = shape.at(-1)!
  const rows = shape.length === 1 ? 1 : shape.at(-2)!
  const at = (flat: number): number => {
    const [row, k] = [Math.floor(flat / K), flat % K]
    const stored = Number(scales.data[scaleIndex(format.block, layout, K, row, k, rows)]!)
    const element = decodeElement(format.element, codeAt(values, format, flat))
    const scaled = round(element * round(decodeScale(format.scale, stored)))
    return tensorScale === null ? scaled : round(scaled * Number(tensorScale.data[0]!))
  }
  return { shape, at }
}

// --- quantising ------------------------------------------------------------------------------------------------------------

const fround = Math.fround
const largest = (values: readonly number[]): number =>
  values.reduce(
    (largest, value) =>
      Number.isNaN(value) || Number.isNaN(largest) ? Number.NaN : Math.max(largest, Math.abs(value)),
    0,
  )

/** ⌊log₂ amax⌋ + 127 of an f32; 0 below the normal numbers, 255 for infinity and NaN. */
function biasedExponent(amax: number): number {
  if (!Number.isFinite(amax)) return 255
  let exponent = -127
  while (exponent < 127 && 2 ** (exponent + 1) <= amax) exponent++
  return exponent + 127
}

function storedScale({ scale, element }: QuantFormat, amax: number, tensorScale: number): number {
  const { max, maxExponent } = elementFormats[element]
  if (scale === 'e8m0') {
    const exponent = biasedExponent(amax)
    return exponent === 255 ? 255 : Math.max(0, exponent - maxExponent)
  }
  const wanted = fround(amax / fround(max))
  if (scale !== 'e4m3') return Number(wrapValue(scale, wanted === 0 ? 1 : wanted))
  const code = encodeMinifloat('e4m3', fround(wanted / tensorScale), true)
  return code === 0 && amax > 0 ? 1 : code
}

export function hostQuantise(
  format: QuantFormat,
  x: HostTensor,
  given: HostTensor | null,
  saturate: boolean,
): readonly [HostTensor, HostTensor, HostTensor] {
  const { element, block } = format
  const numbers = x.data.map(Number)
  const K = x.shape.at(-1)!
  const size = block === 'tensor' ? numbers.length : block === 'row' ? K : block
  const groups =
    size === 0 ? [] : Array.from({ length: numbers.length / size }, (_, i) => numbers.slice(i * size, (i + 1) * size))
  const byAmax = fround(largest(numbers) / fround(448 * elementFormats[element].max))
  const tensorScale = !format.tensorScale ? 1 : given !== null ? Number(given.data[0]!) : byAmax === 0 ? 1 : byAmax
  const stored = groups.map(group => storedScale(format, largest(group), tensorScale))
  const codes = numbers.map((value, i) => {
    const scale = decodeScale(format.scale, stored[Math.floor(i / size)]!)
    const total = format.tensorScale ? fround(scale * tensorScale) : scale
    return encodeElement(element, total === 0 ? 0 : fround(value / total), saturate)
  })
  const { perByte, storage } = elementFormats[element]
  const bytes = perByte === 1 ? codes : codes.flatMap((code, i) => (i % 2 === 0 ? [code | (codes[i + 1]! << 4)] : []))
  const lead = x.shape.slice(0, -1)
  const scaleShape = block === 'tensor' ? [] : block === 'row' ? lead : [...lead, K / block]
  const dtype = format.scale === 'e4m3' || format.scale === 'e8m0' ? 'u8' : format.scale
  return [
    { dtype: storage, shape: [...lead, K / perByte], data: bytes },
    { dtype, shape: scaleShape, data: stored },
    { dtype: 'f32', shape: [], data: [tensorScale] },
  ]
}

export function hostToBlocked(scales: HostTensor): HostTensor {
  const [rows, columns] = scales.shape.slice(-2) as [number, number]
  const lead = scales.shape.slice(0, -2)
  const bytes = blockedBytes(rows, columns)
  const data = new Array<number | bigint>(count(lead) * bytes).fill(0)
  for (const [flat, value] of scales.data.entries()) {
    const [matrix, rest] = [Math.floor(flat / (rows * columns)), flat % (rows * columns)]
    data[matrix * bytes + blockedOffset(Math.floor(rest / columns), rest % columns, columns)] = value
  }
  return { dtype: scales.dtype, shape: [...lead, bytes], data }
}

export function hostFromBlocked(stored: HostTensor, rows: number, columns: number): HostTensor {
  const bytes = blockedBytes(rows, columns)
  return hostFrom(stored.dtype, [...stored.shape.slice(0, -1), rows, columns], (index, flat) => {
    const matrix = Math.floor(flat / (rows * columns))
    return stored.data[matrix * bytes + blockedOffset(index.at(-2)!, index.at(-1)!, columns)]!
  })
}
