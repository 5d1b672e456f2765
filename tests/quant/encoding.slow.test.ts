/**
 * Numbers to codes: every f16 and bf16 value and the numbers around every boundary between codes become the nearest code,
 * halves to even, with scales by amax, on every way that an op can take. What is right is worked out in specification.ts.
 */
import { describe, expect, it } from 'vitest'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { fromBf16, fromF16 } from '../../src/types/float16.js'
import {
  decodeElement,
  decodeScale,
  type ElementName,
  elementFormats,
  encodeElement,
  type QuantFormat,
  type QuantFormatName,
  quantFormat,
  quantFormatNames,
  scaleStorage,
} from '../../src/types/quant.js'
import { allSamples } from '../support/sample-choice.js'
import { arg, spec, type TensorSpec } from '../support/tensor-spec.js'
import { onGpu } from '../support/tensors.js'
import { type Expectation, expectC, expectCompiled, expectInterpreted, expectSimulatedGpu } from './everywhere.js'
import { elementValue, nearestCode, roundTo, scaleFor, scaleValue } from './specification.js'

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const f32 = (x: number): number => roundTo('f32', x)
const halves = range(65536)
const everyF16 = halves.map(fromF16)
const everyBf16 = halves.map(fromBf16)
const storedAs = ({ scale }: QuantFormat) => scaleStorage(scale)

const elements = Object.keys(elementFormats) as ElementName[]

/** Every value, every middle of two, and their neighbours in float64. */
function boundaries(element: ElementName): number[] {
  const values = [...new Set(range(256).map(code => elementValue(element, code)))].filter(Number.isFinite)
  const sorted = values.sort((a, b) => a - b)
  const ends = [sorted[0]! * (1 + 2 ** -5), sorted.at(-1)! * (1 + 2 ** -5), sorted.at(-1)! * (1 + 2 ** -4)]
  const middles = sorted.slice(1).map((value, i) => (value + sorted[i]!) / 2)
  const near = (x: number): number[] => [x, ...[2 ** -40, 2 ** -22].flatMap(by => [x * (1 + by), x * (1 - by)]), -x]
  return [...sorted, ...middles, ...ends].flatMap(near)
}

describe('numbers to codes: the nearest, halves to even', () => {
  for (const element of elements)
    it(`${element}: every f16 and bf16, and all boundaries`, () => {
      for (const saturate of [true, false])
        for (const x of [...everyF16, ...everyBf16, ...boundaries(element)]) {
          const code = encodeElement(element, x, saturate)
          const wanted = nearestCode(element, x, saturate)
          const stored = elementFormats[element].storage === 'i8' ? code & 255 : code
          if (stored !== wanted) expect.fail(`${element}: ${x} is encoded as ${stored}, not ${wanted} (${saturate})`)
        }
    })

  it('a code’s value is encoded as the code', () => {
    for (const element of elements)
      for (const code of range(elementFormats[element].bits === 4 ? 16 : 256)) {
        const signed = elementFormats[element].storage === 'i8' && code > 127 ? code - 256 : code
        const value = elementValue(element, code)
        expect(Object.is(decodeElement(element, signed), value), `${element} ${code}`).toBe(true)
        if (Number.isNaN(value) || signed === -128) continue
        expect(encodeElement(element, value, false), `${element} ${code}`).toBe(signed)
      }
    for (const scale of ['e4m3', 'e8m0'] as const)
      for (const code of range(256)) expect(Object.is(decodeScale(scale, code), scaleValue(scale, code))).toBe(true)
  })
})

// --- quantising whole tensors ------------------------------------------------------------------------------------------------

const largest = (group: readonly number[]): number =>
  group.some(Number.isNaN) ? Number.NaN : Math.max(0, ...group.map(Math.abs))
const chunks = (list: readonly number[], size: number): number[][] =>
  range(list.length / size).map(i => list.slice(i * size, (i + 1) * size))

/** Values, scales and the factor of a matrix [rows, K], as documented: f32 throughout, each op rounded once. */
function quantised(format: QuantFormat, x: TensorSpec, given: number | null, saturate: boolean): HostTensor[] {
  const [rows, K] = x.shape as [number, number]
  const data = x.data.map(Number)
  const { element, block } = format
  const { perByte, storage, max } = elementFormats[element]
  const byAmax = f32(data.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / (448 * max))
  const factor = !format.tensorScale ? 1 : given !== null ? f32(given) : byAmax === 0 ? 1 : byAmax
  const size = block === 'tensor' ? rows * K : block === 'row' ? K : block
  const groups = chunks(data, size)
  const scales = groups.map(group => scaleFor(format, largest(group), factor))
  const codes = groups.flatMap((group, i) => {
    const own = scaleValue(format.scale, scales[i]!)
    const scale = format.tensorScale ? f32(own * factor) : own
    return group.map(value => nearestCode(element, scale === 0 ? 0 : f32(value / scale), saturate))
  })
  const bytes = perByte === 1 ? codes : chunks(codes, 2).map(([low, high]) => low! | (high! << 4))
  const stored = storage === 'i8' ? bytes.map(byte => (byte > 127 ? byte - 256 : byte)) : bytes
  const shape = block === 'tensor' ? [] : block === 'row' ? [rows] : [rows, K / block]
  return [
    { dtype: storage, shape: [rows, K / perByte], data: stored },
    { dtype: storedAs(format), shape, data: scales },
    { dtype: 'f32', shape: [], data: [factor] },
  ]
}

function encodeCase(
  name: string,
  format: QuantFormat,
  x: TensorSpec,
  saturate: boolean,
  given: number | null,
): Expectation {
  const inputs = [x, ...(given === null ? [] : [spec('f32', [], [given])])]
  return {
    sample: {
      name: `${name}, ${saturate ? '' : 'not '}saturated`,
      inputs,
      args: [arg(0), { ...format, saturate }, given === null ? null : arg(1)],
    },
    results: quantised(format, x, given, saturate),
  }
}

/** So spread that every block of 32 has numbers of all magnitudes, then so that a block's are alike. */
const spread = (list: readonly number[]): number[] => list.map((_, i) => list[(i * 40503) % list.length]!)

/** Numbers whose scales are 1 or nearly: around all boundaries of the element. */
function aroundCodes(format: QuantFormat): TensorSpec {
  const { max } = elementFormats[format.element]
  const near = boundaries(format.element)
    .map(f32)
    .filter(x => Math.abs(x) <= max)
  const K = 128
  const rows = Math.ceil(near.length / (K - 4))
  // Each block of 32 holds the largest, which makes its scale.
  const data = range(rows * K).map(i => (i % 32 === 31 ? max : (near[(i - Math.floor(i / 32)) % near.length] ?? 0)))
  return spec('f32', [rows, K], data)
}

/** Every eighth row: simulated threads are slow. */
function everyEighth(x: TensorSpec, first: number): TensorSpec {
  const [rows, K] = x.shape as [number, number]
  const kept = range(rows).filter(row => row % 8 === first)
  return spec(
    x.dtype,
    [kept.length, K],
    kept.flatMap(row => x.data.slice(row * K, (row + 1) * K).map(Number)),
  )
}

function encodeCases(name: QuantFormatName, rows: (x: TensorSpec) => TensorSpec): Expectation[] {
  const options =
    name === 'int8' || name === 'int4' ? { block: 32 } : name.startsWith('fp8') ? { block: 'row' as const } : {}
  const format = quantFormat('test', name, options)
  const K = 256
  const given = format.tensorScale ? 0.01 : null
  const matrix = (dtype: 'f16' | 'bf16', list: readonly number[]): TensorSpec =>
    spec(dtype, [list.length / K, K], [...list])
  const finite = (list: readonly number[]): number[] => list.map(x => (Number.isFinite(x) ? x : 0))
  const atEnds = everyF16.slice(31 * 1024 - K + 1, 31 * 1024 + 1)
  const always = [
    encodeCase(`${name}: boundaries`, format, aroundCodes(format), false, given === null ? null : 1),
    encodeCase(`${name}: zeros`, format, spec('bf16', [2, K], Array(2 * K).fill(-0)), true, null),
    encodeCase(`${name}: by its own amax`, format, matrix('f16', finite(everyF16).slice(0, 16 * K)), false, null),
    encodeCase(`${name}: infinity`, format, matrix('f16', atEnds), false, null),
  ]
  const index = quantFormatNames.indexOf(name)
  const saturate = index % 2 === 0
  const every = [
    encodeCase(`${name}: f16 alike`, format, rows(matrix('f16', everyF16)), saturate, given),
    encodeCase(`${name}: bf16 spread`, format, rows(matrix('bf16', spread(finite(everyBf16)))), saturate, given),
    encodeCase(`${name}: f16 spread`, format, rows(matrix('f16', spread(finite(everyF16)))), !saturate, given),
    encodeCase(`${name}: bf16 alike`, format, rows(matrix('bf16', everyBf16)), !saturate, given),
  ]
  // By turns in the short mode: formats have their elements in common.
  return [...always, ...(allSamples ? every : [every[index % 4]!])]
}

describe('every f16 and bf16 quantised', { timeout: 300_000 }, () => {
  const record = quantRecords.quantize as OpRecord
  for (const [i, name] of quantFormatNames.entries()) {
    const cases = encodeCases(name, x => x)
    const simulated = allSamples ? cases : encodeCases(name, x => everyEighth(x, i % 8))
    it(`${name}: reference and graph interpreter`, () => expectInterpreted(record, cases))
    it(`${name}: C`, () => expectC(record, cases))
    it.skipIf(!onGpu)(`${name}: compiled (needs a GPU)`, () => expectCompiled(record, cases))
    it(`${name}: blocks of GPU threads`, () => expect(expectSimulatedGpu(record, simulated)).toEqual([]))
  }
})
