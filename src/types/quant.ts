/**
 * Quantised formats as data: element type, packing, block size, scale type, and memory layout of scales. Kernels, checks,
 * docs and the plain-TypeScript reference all read this table.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { roundHalfEven } from './float16.js'
import { decodeE8m0, decodeMinifloat, encodeMinifloat, type MinifloatName, minifloats } from './minifloat.js'

export type ElementName = MinifloatName | 'int8' | 'int4' | 'mxint8'

export interface ElementFormat {
  readonly bits: 4 | 8
  /** Elements of one stored byte; the even index is in the low nibble. */
  readonly perByte: 1 | 2
  /** Tensors hold codes of this dtype: the formats have no tensor dtype of their own. */
  readonly storage: 'u8' | 'i8'
  /** Scales from amax map the largest element to this. */
  readonly max: number
  /** ⌊log₂ max⌋: MX scales are 2^(⌊log₂ amax⌋ − maxExponent). */
  readonly maxExponent: number
}

export const elementFormats = {
  e2m1: { bits: 4, perByte: 2, storage: 'u8', max: minifloats.e2m1.max, maxExponent: 2 },
  e4m3: { bits: 8, perByte: 1, storage: 'u8', max: minifloats.e4m3.max, maxExponent: 8 },
  e5m2: { bits: 8, perByte: 1, storage: 'u8', max: minifloats.e5m2.max, maxExponent: 15 },
  int8: { bits: 8, perByte: 1, storage: 'i8', max: 127, maxExponent: 6 },
  int4: { bits: 4, perByte: 2, storage: 'u8', max: 7, maxExponent: 2 },
  /** int8 · 2⁻⁶: six bits of fraction. The code −128 decodes to −2, but encoding never produces it. */
  mxint8: { bits: 8, perByte: 1, storage: 'i8', max: 127 / 64, maxExponent: 0 },
} as const satisfies Record<ElementName, ElementFormat>

/** How a scale is stored: e4m3 and e8m0 as u8 codes, the others as themselves. */
export type ScaleName = 'e4m3' | 'e8m0' | 'f32' | 'f16' | 'bf16'

/** How many elements along K share a scale: a number of them, the whole row, or the whole tensor. */
export type Block = number | 'row' | 'tensor'

/** A quantised format: what its elements are, and how they are scaled. */
export type QuantFormat = {
  readonly element: ElementName
  readonly block: Block
  readonly scale: ScaleName
  /** A float32 factor for the whole tensor, beside the blocks' scales. */
  readonly tensorScale: boolean
}

/** The quantised formats: elements, elements per scale, and how scales are stored (docs/quant.md). */
export const quantFormats = {
  nvfp4: { element: 'e2m1', block: 16, scale: 'e4m3', tensorScale: true },
  mxfp4: { element: 'e2m1', block: 32, scale: 'e8m0', tensorScale: false },
  mxfp8e4m3: { element: 'e4m3', block: 32, scale: 'e8m0', tensorScale: false },
  mxfp8e5m2: { element: 'e5m2', block: 32, scale: 'e8m0', tensorScale: false },
  mxint8: { element: 'mxint8', block: 32, scale: 'e8m0', tensorScale: false },
  fp8e4m3: { element: 'e4m3', block: 'tensor', scale: 'f32', tensorScale: false },
  fp8e5m2: { element: 'e5m2', block: 'tensor', scale: 'f32', tensorScale: false },
  int8: { element: 'int8', block: 128, scale: 'f32', tensorScale: false },
  int4: { element: 'int4', block: 128, scale: 'f32', tensorScale: false },
} as const satisfies Record<string, QuantFormat>

/** Names of the quantised formats. */
export type QuantFormatName = keyof typeof quantFormats
/** The names of the quantised formats. */
export const quantFormatNames = Object.keys(quantFormats) as readonly QuantFormatName[]

/** What of a format a caller may set. */
export interface FormatOptions {
  /** Elements along K that share a scale: even where two are packed in a byte. fp8: 'row' or 'tensor'. */
  readonly block?: Block
  /** How the scales of int8 and int4 are stored: 'f32', 'f16' or 'bf16'. */
  readonly scale?: ScaleName
}

/** A format by name, with a caller's changes. Throws ArgumentError for names and changes that there are not. */
export function quantFormat(op: string, name: string, options: FormatOptions = {}): QuantFormat {
  const all: { readonly [name: string]: QuantFormat } = quantFormats
  const known = typeof (name as unknown) === 'string' && Object.hasOwn(all, name) ? all[name] : undefined
  if (known === undefined)
    throw new ArgumentError(
      `${op}: no format ${typeof (name as unknown) === 'string' ? `'${name}'` : describeAny(name)}`,
      { fix: `use one of ${quantFormatNames.join(', ')}` },
    )
  const { block = known.block, scale = known.scale } = options
  if (block !== known.block) checkBlock(op, name, known, block)
  if (scale !== known.scale) checkScale(op, name, known, scale)
  return { ...known, block, scale }
}

/** Names and numbers as they are written. */
const shown = (given: unknown): string =>
  ['string', 'number'].includes(typeof given) ? String(given) : describeAny(given)

function checkBlock(op: string, name: string, format: QuantFormat, block: Block): void {
  const isFp8 = typeof format.block !== 'number'
  const isFree = format.element === 'int8' || format.element === 'int4' || format.element === 'mxint8'
  if (isFp8 ? block === 'row' || block === 'tensor' : isFree && isGroup(block, elementFormats[format.element])) return
  const fix = isFp8
    ? "use 'tensor' or 'row'"
    : isFree
      ? `use a whole number of elements above 0${elementFormats[format.element].perByte === 2 ? ', an even one' : ''}`
      : `${name} has a scale for every ${format.block}`
  throw new ArgumentError(`${op}: ${name} with a scale for every ${shown(block)}`, { fix })
}

const isGroup = (block: Block, { perByte }: ElementFormat): boolean =>
  typeof block === 'number' && Number.isInteger(block) && block > 0 && block % perByte === 0

function checkScale(op: string, name: string, format: QuantFormat, scale: ScaleName): void {
  const isFree = format.element === 'int8' || format.element === 'int4'
  if (isFree && (scale === 'f32' || scale === 'f16' || scale === 'bf16')) return
  const fix = isFree ? "use 'f32', 'f16' or 'bf16'" : `the scales of ${name} are ${format.scale}`
  throw new ArgumentError(`${op}: ${name} with scales of ${shown(scale)}`, { fix })
}

/** The dtype of the tensor that holds scales. */
export const scaleStorage = (scale: ScaleName): 'u8' | 'f32' | 'f16' | 'bf16' =>
  scale === 'e4m3' || scale === 'e8m0' ? 'u8' : scale

// --- layout of scales ----------------------------------------------------------------------------------------------------

/**
 * linear: [rows, blocks], row by row. blocked: as cuBLASLt and Blackwell's matrix units read them: tiles of 128 rows by
 * 4 blocks, row of tiles by row of tiles, each 512 bytes: byte (r mod 32)·16 + (r div 32)·4 + c. Rows are padded to 128
 * and blocks to 4; padding holds code 0 (in e4m3 the scale 0, in e8m0 2⁻¹²⁷) and is never read here.
 */
export type ScaleLayout = 'linear' | 'blocked'

export const scaleTile = { rows: 128, columns: 4, bytes: 512 } as const

/** Bytes of a matrix's scales in the blocked layout. */
export const blockedBytes = (rows: number, columns: number): number =>
  Math.ceil(rows / scaleTile.rows) * Math.ceil(columns / scaleTile.columns) * scaleTile.bytes

/** The byte offset of a scale in the blocked layout. */
export function blockedOffset(row: number, column: number, columns: number): number {
  const tile =
    Math.floor(row / scaleTile.rows) * Math.ceil(columns / scaleTile.columns) + Math.floor(column / scaleTile.columns)
  const [r, c] = [row % scaleTile.rows, column % scaleTile.columns]
  return tile * scaleTile.bytes + (r % 32) * 16 + Math.floor(r / 32) * 4 + c
}

// --- the reference ---------------------------------------------------------------------------------------------------------

/** An element's value without its scale. 4-bit codes are 0 … 15; 8-bit integers are the signed byte. */
export function decodeElement(name: ElementName, code: number): number {
  switch (name) {
    case 'e2m1':
    case 'e4m3':
    case 'e5m2':
      return decodeMinifloat(name, code)
    case 'int8':
      return code
    case 'int4':
      return code > 7 ? code - 16 : code
    case 'mxint8':
      return code / 64
    default:
      return name satisfies never
  }
}

/** The nearest code, halves to even. Integers always saturate (to ±127, −8 … 7), and NaN becomes 0: they have none. */
export function encodeElement(name: ElementName, value: number, saturate: boolean): number {
  const integer = (scaled: number, min: number, max: number): number =>
    Number.isNaN(scaled) ? 0 : Math.max(min, Math.min(max, roundHalfEven(scaled))) + 0
  switch (name) {
    case 'e2m1':
    case 'e4m3':
    case 'e5m2':
      return encodeMinifloat(name, value, saturate)
    case 'int8':
      return integer(value, -127, 127)
    case 'int4':
      return integer(value, -8, 7) & 15
    case 'mxint8':
      return integer(value * 64, -127, 127)
    default:
      return name satisfies never
  }
}

/** The value of a stored scale: of a code, or of a float as it is. */
export function decodeScale(name: ScaleName, stored: number): number {
  if (name === 'e4m3') return decodeMinifloat('e4m3', stored)
  return name === 'e8m0' ? decodeE8m0(stored) : stored
}
