/** Functions in kernels whose results are stored in 16 bits: over all their range, the stored result is nearly the nearest. */
import { describe, expect, it } from 'vitest'
import { prepare } from '../../../src/codegen/ptx/prepare.js'
import { simulate } from '../../../src/lane/simulate.js'
import { type ScalarOpName, scalarOp } from '../../../src/scalar/ops.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../../../src/types/float16.js'
import { laneProgram, pointer } from '../../lane/build.js'

type Half = 'f16' | 'bf16'
const lanes = 64
const decode = { f16: fromF16, bf16: fromBf16 }
const encode = { f16: toF16, bf16: toBf16 }
/** Bits of fraction, and the exponent of the least normal number. */
const shape = { f16: { fraction: 10, least: -14 }, bf16: { fraction: 7, least: -126 } }

function results(fn: ScalarOpName, dtype: Half, codes: Uint16Array): Uint16Array {
  const program = laneProgram(`${fn}_${dtype}`, { x: pointer(dtype), out: pointer(dtype) }, (b, { x, out }) => {
    const at = b.map('mul', b.programId(), b.index(lanes))
    b.store(out, at, b.cast(dtype, b.map(fn, b.cast('f32', b.load(x, at, lanes)))))
  })
  const out = new Uint16Array(codes.length)
  simulate(prepare(program), [{ data: codes }, { data: out }], [codes.length / lanes, 1, 1])
  return out
}

/** Where the result is furthest from the true value, over every 8th operand; '' when within the bound. */
function worst(fn: ScalarOpName, dtype: Half): string {
  const codes = Uint16Array.from({ length: 8192 }, (_, i) => 8 * i + (i % 8))
  const got = results(fn, dtype, codes)
  const { fraction, least } = shape[dtype]
  let [largest, where] = [0, '']
  codes.forEach((code, i) => {
    const x = decode[dtype](code)
    const want = (scalarOp(fn).float as (x: number) => number)(x)
    const value = decode[dtype](got[i]!)
    if (encode[dtype](want) === got[i] || (Number.isNaN(want) && Number.isNaN(value))) return
    // The approximations take what lies below f32's normal range for zero.
    if (Math.abs(want) < 2 ** -126 && value === 0) return
    const unit = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(want))), least) - fraction)
    const error = Math.abs(value - want) / unit
    if (!(error <= largest)) [largest, where] = [error, `${x}: ${value}, not ${want}`]
  })
  return largest > 0.53 ? `${largest} ulp at ${where}` : ''
}

/** The GPU's own tanh, taken for bf16, errs by another quarter of an ulp; here it is simulated as exact. */
describe('functions of 16-bit floats', () => {
  const functions = ['exp', 'sigmoid', 'tanh', 'erf', 'log', 'sin', 'expm1', 'rsqrt', 'sqrt'] as const
  for (const dtype of ['f16', 'bf16'] as const) {
    it(`${dtype}: within 0.53 ulp`, () => {
      const bad = functions.flatMap(fn => {
        const problem = worst(fn, dtype)
        return problem === '' ? [] : [`${fn}: ${problem}`]
      })
      expect(bad).toEqual([])
    })
  }
})
