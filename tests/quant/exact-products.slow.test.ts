/**
 * Every code with every scale through a product: rows of the identity times a decoded matrix give its elements back, exact
 * to the bit where the dtype of the product holds them, whatever short cut decoding takes on its way into the sum.
 */
import { describe, expect, it } from 'vitest'
import { type QuantAttrs, quantRecords } from '../../src/graph/ops/quantised.js'
import type { OpRecord } from '../../src/graph/record.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import {
  elementFormats,
  type QuantFormatName,
  quantFormat,
  quantFormatNames,
  scaleStorage,
} from '../../src/types/quant.js'
import type { Tolerance } from '../support/compare.js'
import { allSamples } from '../support/sample-choice.js'
import { arg, spec, type TensorSpec } from '../support/tensor-spec.js'
import { onGpu } from '../support/tensors.js'
import { type Expectation, expectC, expectCompiled, expectInterpreted, expectSimulatedGpu } from './everywhere.js'
import { elementValue, roundTo, scaleValue } from './specification.js'

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const f32 = (x: number): number => roundTo('f32', x)

/** What the identity is made of. */
type Other = 'f32' | 'f16' | 'bf16' | 'nvfp4' | 'fp8e4m3'
/** Pairs of 8-bit floats have matrix units of their own. */
const othersOf = (name: QuantFormatName): readonly Other[] =>
  name.startsWith('fp8') ? ['fp8e4m3', 'f32', 'f16', 'bf16', 'nvfp4'] : ['f32', 'f16', 'bf16', 'nvfp4']

interface Matrix {
  readonly quant: QuantAttrs
  readonly parts: readonly TensorSpec[]
  readonly K: number
  /** [rows, K] in f32, with the scales of blocks; the factors of rows and of the tensor beside them. */
  readonly elements: readonly number[]
  readonly factors: readonly number[]
}

/** All codes with all scales; in the short mode 8-bit codes with every sixteenth scale and those at the ends. */
function everything(name: QuantFormatName): Matrix {
  const isFree = name === 'int8' || name === 'int4'
  const format = quantFormat('test', name, isFree ? { block: 16 } : name.startsWith('fp8') ? { block: 'row' } : {})
  const { element, block, scale } = format
  const { perByte, storage } = elementFormats[element]
  const K = 32
  const rowsOfCodes: number[][] =
    perByte === 2
      ? [range(16).map(code => code | (((code * 7 + 3) % 16) << 4))]
      : range(8).map(chunk => range(32).map(i => chunk * 32 + i))
  const isFloat = scaleStorage(scale) !== 'u8'
  const kept = (code: number): boolean => allSamples || perByte === 2 || code % 16 === 5 || code < 2 || code > 252
  const stored = isFloat ? [1, 0.37, -2.5, 0] : range(256).filter(kept)
  const rows = stored.flatMap(code => rowsOfCodes.map(bytes => ({ code, bytes })))
  const blocks = typeof block === 'number' ? K / block : 1
  const values = rows.flatMap(({ bytes }) => bytes.map(byte => (storage === 'i8' && byte > 127 ? byte - 256 : byte)))
  const scales = rows.flatMap(({ code }) => Array<number>(blocks).fill(code))
  const tensorScale = f32(0.3)
  const parts = [
    spec(storage, [rows.length, K / perByte], values),
    spec(scaleStorage(scale), typeof block === 'number' ? [rows.length, blocks] : [rows.length], scales),
    ...(format.tensorScale ? [spec('f32', [], [tensorScale])] : []),
  ]
  const elements = rows.flatMap(({ code, bytes }) =>
    bytes
      .flatMap(byte => (perByte === 2 ? [byte & 15, byte >> 4] : [byte]))
      .map(each => {
        const value = elementValue(element, each)
        return typeof block === 'number' ? f32(value * f32(scaleValue(scale, code))) : value
      }),
  )
  const factors = rows.map(({ code }) => (format.tensorScale ? tensorScale : typeof block === 'number' ? 1 : f32(code)))
  return { quant: { ...format, layout: 'linear' }, parts, K, elements, factors }
}

/** The identity [K, K]: ones have code 2 in e2m1 and 0x38 in e4m3. */
function identity(K: number, other: Other): { quant: QuantAttrs | null; parts: TensorSpec[] } {
  const isOne = (flat: number): boolean => Math.floor(flat / K) === flat % K
  const ones = (one: number): number[] => range(K * K).map(i => (isOne(i) ? one : 0))
  if (other === 'fp8e4m3') {
    const parts = [spec('u8', [K, K], ones(0x38)), spec('f32', [], [1])]
    return { quant: { ...quantFormat('test', other), layout: 'linear' }, parts }
  }
  if (other !== 'nvfp4') return { quant: null, parts: [spec(other, [K, K], ones(1))] }
  const byte = (i: number): number => (isOne(2 * i) ? 2 : 0) | (isOne(2 * i + 1) ? 0x20 : 0)
  const parts = [
    spec('u8', [K, K / 2], range((K * K) / 2).map(byte)),
    spec('u8', [K, K / 16], Array<number>((K * K) / 16).fill(0x38)),
    spec('f32', [], [1]),
  ]
  return { quant: { ...quantFormat('test', 'nvfp4'), layout: 'linear' }, parts }
}

/** The dtype of the product, as documented in docs/quant.md. */
function productDtype({ scale, block }: QuantAttrs, other: Other): TensorDtype {
  const isFree = scale !== 'e4m3' && scale !== 'e8m0' && typeof block === 'number'
  if (other === 'nvfp4' || other === 'fp8e4m3') return scale === 'e8m0' ? 'bf16' : isFree ? 'f32' : 'f16'
  return scale === 'e8m0' && other === 'f16' ? 'f32' : other
}

function productCase(name: QuantFormatName, other: Other, isLeft: boolean): Expectation {
  const { quant, parts, K, elements, factors } = everything(name)
  const unit = identity(K, other)
  const rows = factors.length
  const dtype = productDtype(quant, other)
  const held = elements.map(value => roundTo(dtype, value))
  /** Zeros times what is no number are none. */
  const picked = (row: number, k: number): number => {
    const rest = range(K).some(j => j !== k && !Number.isFinite(held[row * K + j]!))
    return rest ? Number.NaN : f32(held[row * K + k]! * factors[row]!)
  }
  const data = isLeft
    ? range(rows * K).map(i => picked(Math.floor(i / K), i % K))
    : range(rows * K).map(i => picked(i % rows, Math.floor(i / rows)))
  const sides = isLeft ? [{ quant, parts }, unit] : [unit, { quant, parts }]
  const starts = [0, sides[0]!.parts.length]
  const operands = sides.map((side, i) => ({
    quant: side.quant,
    tensors: side.parts.map((_, j) => arg(starts[i]! + j)),
  }))
  return {
    sample: {
      name: isLeft ? `${name} × ${other}` : `${other} × ${name}`,
      inputs: sides.flatMap(side => side.parts),
      args: [...operands, { bias: null, outDtype: 'f32' }],
    },
    results: [{ dtype: 'f32', shape: isLeft ? [rows, K] : [K, rows], data }],
  }
}

const cases: readonly Expectation[] = quantFormatNames.flatMap((name, i) =>
  othersOf(name).map((other, j) => productCase(name, other, (i + j) % 2 === 1)),
)
const record = quantRecords.scaledMatmul as OpRecord
/** Zeros of any sign. */
const toTheBit = (): Tolerance => ({ relative: 0, absolute: 0, anyZero: true })

/** In the short mode every so many: formats and the other sides come round by turns. */
const turn = (every: number, first: number): readonly Expectation[] =>
  allSamples ? cases : cases.filter((_, i) => i % every === first)

describe('matmuls with the identity return every code with every scale', { timeout: 300_000 }, () => {
  it('cover all pairs', () => {
    const each = cases.find(({ sample }) => sample.name === 'f32 × nvfp4')!
    expect(each.results[0]!.data.length).toBe(256 * 32)
  })
  it('graph interpreter', () => expectInterpreted(record, cases, toTheBit, { reference: false }))
  it('kernels for the CPU, and their C', () => expectC(record, turn(2, 0), toTheBit))
  it.skipIf(!onGpu)('compiled (needs a GPU)', () => expectCompiled(record, cases, toTheBit))
  it('kernels for a GPU', () => expect(expectSimulatedGpu(record, turn(5, 1), toTheBit)).toEqual([]))
})
