/** Quantised formats: every code decodes as its specification says, and numbers round to the nearest code. */
import { describe, expect, it } from 'vitest'
import {
  decodeE8m0,
  decodeMinifloat,
  encodeMinifloat,
  type MinifloatName,
  minifloats,
} from '../../src/types/minifloat.js'
import {
  blockedBytes,
  blockedOffset,
  decodeElement,
  encodeElement,
  quantFormat,
  quantFormatNames,
} from '../../src/types/quant.js'

const names = Object.keys(minifloats) as MinifloatName[]
const bitsOf = (name: MinifloatName): number => 1 + minifloats[name].exponentBits + minifloats[name].mantissaBits
const codesOf = (name: MinifloatName): number[] => Array.from({ length: 1 << bitsOf(name) }, (_, code) => code)
const finite = (name: MinifloatName): number[] =>
  codesOf(name).filter(code => Number.isFinite(decodeMinifloat(name, code)))

/** (−1)^s · 2^(e − bias) · 1.m, or 2^(1 − bias) · 0.m, from the bits as text. */
function byDefinition(name: MinifloatName, code: number): number {
  const { exponentBits, mantissaBits, bias } = minifloats[name]
  const text = code.toString(2).padStart(bitsOf(name), '0')
  const exponent = Number.parseInt(text.slice(1, 1 + exponentBits), 2)
  const fraction = Number.parseInt(text.slice(1 + exponentBits), 2) / 2 ** mantissaBits
  const sign = text[0] === '1' ? -1 : 1
  return exponent === 0 ? sign * fraction * 2 ** (1 - bias) : sign * (1 + fraction) * 2 ** (exponent - bias)
}

describe('codes of 4 and 8 bits', () => {
  it('decode as defined', () => {
    for (const name of names)
      for (const code of finite(name))
        expect(decodeMinifloat(name, code), `${name} ${code}`).toBe(byDefinition(name, code))
  })

  it('have the infinities and NaN of their specification, and no others', () => {
    const special = (name: MinifloatName) =>
      codesOf(name).flatMap(code => {
        const value = decodeMinifloat(name, code)
        return Number.isFinite(value) ? [] : [[code, value]]
      })
    expect(special('e2m1')).toEqual([])
    expect(special('e4m3')).toEqual([
      [0x7f, Number.NaN],
      [0xff, Number.NaN],
    ])
    const [infinity, nan] = [Number.POSITIVE_INFINITY, Number.NaN]
    const half = [
      [0x7c, infinity],
      [0x7d, nan],
      [0x7e, nan],
      [0x7f, nan],
    ]
    expect(special('e5m2')).toEqual([...half, [0xfc, -infinity], ...half.slice(1).map(([code]) => [code! | 0x80, nan])])
  })

  it('known values', () => {
    expect(
      codesOf('e2m1')
        .slice(0, 8)
        .map(code => decodeMinifloat('e2m1', code)),
    ).toEqual([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    expect(decodeMinifloat('e4m3', 0x7e)).toBe(448)
    expect(decodeMinifloat('e4m3', 0x01)).toBe(2 ** -9)
    expect(decodeMinifloat('e5m2', 0x7b)).toBe(57344)
    expect(decodeMinifloat('e5m2', 0x01)).toBe(2 ** -16)
    expect(Object.is(decodeMinifloat('e2m1', 8), -0)).toBe(true)
    expect(decodeE8m0(0)).toBe(2 ** -127)
    expect(decodeE8m0(127)).toBe(1)
    expect(decodeE8m0(254)).toBe(2 ** 127)
    expect(decodeE8m0(255)).toBeNaN()
  })

  it('every code is the encoding of its value', () => {
    for (const name of names)
      for (const code of finite(name)) expect(encodeMinifloat(name, decodeMinifloat(name, code), true)).toBe(code)
  })

  it('rounds to the nearest neighbour, ties to the even code', () => {
    for (const name of names) {
      const positive = finite(name).filter(code => code < 1 << (bitsOf(name) - 1))
      for (const [i, code] of positive.slice(0, -1).entries()) {
        const next = positive[i + 1]!
        const middle = (decodeMinifloat(name, code) + decodeMinifloat(name, next)) / 2
        for (const sign of [1, -1]) {
          const bit = sign === 1 ? 0 : 1 << (bitsOf(name) - 1)
          expect(encodeMinifloat(name, sign * middle, true), `${name} ${middle}`).toBe(
            (code % 2 === 0 ? code : next) | bit,
          )
          expect(encodeMinifloat(name, sign * middle * (1 + 2 ** -40), true)).toBe(next | bit)
          expect(encodeMinifloat(name, sign * middle * (1 - 2 ** -40), true)).toBe(code | bit)
        }
      }
    }
  })

  it('beyond the maximum: saturates, or gives infinity or NaN if the format has them', () => {
    const far = [1e6, 1e300, Number.POSITIVE_INFINITY]
    for (const value of far) {
      expect(encodeMinifloat('e2m1', value, true)).toBe(7)
      expect(encodeMinifloat('e2m1', -value, false)).toBe(15)
      expect(encodeMinifloat('e4m3', value, true)).toBe(0x7e)
      expect(encodeMinifloat('e4m3', -value, false)).toBe(0xff)
      expect(encodeMinifloat('e5m2', value, true)).toBe(0x7b)
      expect(encodeMinifloat('e5m2', -value, false)).toBe(0xfc)
    }
    // Half a step beyond is still the largest: 464 lies half way to what would be 480.
    expect(encodeMinifloat('e4m3', 464, false)).toBe(0x7e)
    expect(encodeMinifloat('e4m3', 464.0001, false)).toBe(0x7f)
    expect(encodeMinifloat('e5m2', 61439, false)).toBe(0x7b)
    expect(encodeMinifloat('e5m2', 61440, false)).toBe(0x7c)
    expect(encodeMinifloat('e4m3', Number.NaN, true)).toBe(0x7f)
    expect(encodeMinifloat('e5m2', Number.NaN, true)).toBe(0x7f)
    expect(encodeMinifloat('e2m1', Number.NaN, true)).toBe(7)
  })
})

describe('integer elements', () => {
  it('decode with their sign', () => {
    expect(decodeElement('mxint8', -128)).toBe(-2)
    expect(decodeElement('mxint8', 127)).toBe(127 / 64)
    expect([0, 7, 8, 15].map(code => decodeElement('int4', code))).toEqual([0, 7, -8, -1])
  })

  it('round to nearest even and saturate', () => {
    expect([0.5, 1.5, 2.5, -0.5, 200, -200, Number.NaN].map(x => encodeElement('int8', x, true))).toEqual([
      0, 2, 2, 0, 127, -127, 0,
    ])
    expect([7.5, -8.6, -1].map(x => encodeElement('int4', x, true))).toEqual([7, 8, 15])
    expect(encodeElement('mxint8', -1.999, true)).toBe(-127)
  })
})

describe('formats', () => {
  it('take blocks and scales only if the format leaves a choice', () => {
    expect(quantFormat('q', 'mxint8', { block: 64 }).block).toBe(64)
    expect(quantFormat('q', 'fp8e4m3', { block: 'row' }).block).toBe('row')
    expect(() => quantFormat('q', 'nvfp4', { block: 32 })).toThrow('q: nvfp4 with a scale for every 32')
    expect(() => quantFormat('q', 'int4', { block: 3 })).toThrow('int4 with a scale for every 3')
    expect(() => quantFormat('q', 'mxfp4', { scale: 'f32' })).toThrow('mxfp4 with scales of f32')
    expect(() => quantFormat('q', 'fp4')).toThrow(`fix: use one of ${quantFormatNames.join(', ')}`)
  })

  it('blocked: every scale of a matrix has its own byte in tiles of 128 × 4', () => {
    for (const [rows, columns] of [
      [1, 1],
      [128, 4],
      [129, 5],
      [300, 9],
    ] as const) {
      const seen = new Set<number>()
      for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) seen.add(blockedOffset(r, c, columns))
      expect(seen.size).toBe(rows * columns)
      expect(Math.max(...seen)).toBeLessThan(blockedBytes(rows, columns))
    }
    // Row 33 of a tile is the second quarter's second row.
    expect(blockedOffset(33, 2, 4)).toBe(1 * 16 + 1 * 4 + 2)
    expect(blockedOffset(130, 6, 8)).toBe(3 * 512 + 2 * 16 + 2)
  })
})
