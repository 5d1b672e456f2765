/**
 * Every code point of every format with every scale, to f32, f16 and bf16, on every way that an op can take. What is right
 * is worked out in specification.ts.
 */
import { describe, expect, it } from 'vitest'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import {
  elementFormats,
  type QuantFormat,
  type QuantFormatName,
  quantFormat,
  quantFormatNames,
  type ScaleName,
  scaleStorage,
} from '../../src/types/quant.js'
import { hasCompiler } from '../support/compiler.js'
import { allSamples } from '../support/sample-choice.js'
import { arg, spec } from '../support/tensor-spec.js'
import { type Expectation, expectC, expectCompiled, expectInterpreted, expectSimulatedGpu } from './everywhere.js'
import { elementValue, roundTo, scaleValue } from './specification.js'

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const f32 = (x: number): number => roundTo('f32', x)

// --- decoding --------------------------------------------------------------------------------------------------------------

interface Coded {
  readonly format: QuantFormat
  /** Stored scales, a row for each. */
  readonly scales: readonly number[]
  /** The bytes of a row. */
  readonly bytes: readonly number[]
  readonly tensorScale: number
}

/** Floats as scales: ordinary ones, zeros, the ends of f16 and f32, and what is no number. */
const floatScales = [1, 0.37, -2.5, 0, -0, 6e-8, 65504, 1e-40, 3e38, Number.POSITIVE_INFINITY, Number.NaN]

const storedAs = ({ scale }: QuantFormat) => scaleStorage(scale)

function codedOf(name: QuantFormatName, scale?: ScaleName): Coded {
  const format = quantFormat('test', name, {
    ...(scale === undefined ? {} : { scale }),
    ...(name.startsWith('fp8') ? { block: 'row' as const } : name.startsWith('int') ? { block: 32 } : {}),
  })
  const { perByte } = elementFormats[format.element]
  const scales = storedAs(format) === 'u8' ? range(256) : floatScales.map(x => roundTo(storedAs(format), x))
  // Four-bit codes in pairs of all kinds; every code stands once in each half of a byte.
  const bytes = perByte === 1 ? range(256) : range(16).map(code => code | (((code * 7 + 3) % 16) << 4))
  return { format, scales, bytes, tensorScale: format.tensorScale ? 0.3 : 1 }
}

const coded: readonly (readonly [string, Coded])[] = quantFormatNames.flatMap(name =>
  (name === 'int8' || name === 'int4' ? (['f32', 'f16', 'bf16'] as const) : [undefined]).map(
    scale => [`${name}${scale === undefined ? '' : `, scales of ${scale}`}`, codedOf(name, scale)] as const,
  ),
)

const codesIn = ({ element }: QuantFormat, byte: number): readonly number[] =>
  elementFormats[element].perByte === 2 ? [byte & 15, byte >> 4] : [byte]

/** In f32, rounded once for each factor, then to the dtype. */
function valuesOf({ format, scales, bytes, tensorScale }: Coded, dtype: TensorDtype): number[] {
  const codes = bytes.flatMap(byte => codesIn(format, byte))
  return scales.flatMap(stored => {
    const scale = scaleValue(format.scale, stored)
    return codes.map(code => {
      const scaled = f32(elementValue(format.element, code) * scale)
      return roundTo(dtype, format.tensorScale ? f32(scaled * f32(tensorScale)) : scaled)
    })
  })
}

function decodeCase(name: string, given: Coded, dtype: TensorDtype, method: 'arithmetic' | 'bits'): Expectation {
  const { format, scales, bytes, tensorScale } = given
  const { storage, perByte } = elementFormats[format.element]
  const [rows, K] = [scales.length, bytes.length * perByte]
  const row = storage === 'i8' ? bytes.map(byte => (byte > 127 ? byte - 256 : byte)) : bytes
  const values = spec(
    storage,
    [rows, bytes.length],
    scales.flatMap(() => row),
  )
  const blocks = typeof format.block === 'number' ? K / format.block : 1
  const scaleShape = typeof format.block === 'number' ? [rows, blocks] : [rows]
  const stored = spec(
    storedAs(format),
    scaleShape,
    scales.flatMap(scale => Array<number>(blocks).fill(scale)),
  )
  const inputs = [values, stored, ...(format.tensorScale ? [spec('f32', [], [tensorScale])] : [])]
  const expected: HostTensor = { dtype, shape: [rows, K], data: valuesOf(given, dtype) }
  const attrs = { ...format, layout: 'linear', dtype, method }
  return {
    sample: { name: `${name} to ${dtype}, ${method}`, inputs, args: [inputs.map((_, i) => arg(i)), attrs] },
    results: [expected],
  }
}

/** `rows`: the scales taken. */
const decodeCasesOf = (rows: (given: Coded, dtype: TensorDtype) => readonly number[]): Expectation[] =>
  coded.flatMap(([name, given]) =>
    (['f32', 'f16', 'bf16'] as const).flatMap(dtype =>
      (given.format.element === 'mxint8' ? (['arithmetic', 'bits'] as const) : (['arithmetic'] as const)).map(method =>
        decodeCase(name, { ...given, scales: rows(given, dtype) }, dtype, method),
      ),
    ),
  )
const decodeCases = decodeCasesOf(({ scales }) => scales)
/** Simulated threads are slow: in the short mode all scales to bf16, every eighth to the others, which round what it holds. */
const simulated = allSamples
  ? decodeCases
  : decodeCasesOf(({ scales }, dtype) =>
      dtype === 'bf16' || scales.length < 256 ? scales : scales.filter(code => code % 8 === 7 || code < 2),
    )

describe('every code with every scale, to f32, f16 and bf16', { timeout: 300_000 }, () => {
  const record = quantRecords.dequantize as OpRecord

  it('has as many pairs as there are', () => {
    const pairs = (name: string): number => decodeCases.find(each => each.sample.name === name)!.results[0]!.data.length
    for (const name of ['mxfp8e4m3', 'mxfp8e5m2', 'mxint8']) expect(pairs(`${name} to bf16, arithmetic`)).toBe(65536)
    // Twice: in the lower and in the upper half of a byte.
    for (const name of ['nvfp4', 'mxfp4']) expect(pairs(`${name} to f16, arithmetic`)).toBe(2 * 16 * 256)
  })

  it('reference and graph interpreter', () => expectInterpreted(record, decodeCases))
  it('kernels for the CPU, and their C', () => expectC(record, decodeCases))
  it('kernels for a GPU', () => expect(expectSimulatedGpu(record, simulated)).toEqual([]))
})

describe.skipIf(!hasCompiler)('compiled as people compile it (needs a C compiler)', () => {
  it('gives the same bits', () => expectCompiled(quantRecords.dequantize as OpRecord, decodeCases))
})
