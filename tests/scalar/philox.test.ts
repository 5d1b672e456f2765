import { describe, expect, it } from 'vitest'
import { type PhiloxBlock, philox4x32, philoxUniform } from '../../src/scalar/philox.js'

/** Known answers of the Random123 library (kat_vectors, philox4x32 10). */
const vectors: readonly (readonly [counter: PhiloxBlock, key: readonly [number, number], result: PhiloxBlock])[] = [
  [
    [0, 0, 0, 0],
    [0, 0],
    [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  ],
  [
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    [0xffffffff, 0xffffffff],
    [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  ],
  [
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
    [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  ],
]

describe('philox4x32', () => {
  it("gives Random123's known answers", () => {
    for (const [counter, key, result] of vectors) expect(philox4x32(counter, key)).toEqual(result)
  })

  it('derives uniforms from the words as documented', () => {
    const words = philox4x32([0, 0, 0, 0], [0, 0])
    expect(words.slice(0, 2)).toEqual([0x6627e8d5, 0xe169c58d])
    for (const [i, word] of words.entries()) expect(philoxUniform('f32', 0n, 0n, i)).toBe((word >>> 8) * 2 ** -24)
    for (const i of [0, 1])
      expect(philoxUniform('f64', 0n, 0n, i)).toBe(
        ((words[2 * i]! >>> 5) * 2 ** 26 + (words[2 * i + 1]! >>> 6)) * 2 ** -53,
      )
    expect(philoxUniform('f32', 0n, 0n, 6)).toBe(philoxUniform('f32', 0n, 1n, 2))
    expect(philoxUniform('f64', 0n, 0n, 5)).toBe(philoxUniform('f64', 0n, 2n, 1))
  })

  it('splits negative seeds and counters above 32 bits into two words', () => {
    const [word] = philox4x32([5, 3, 0, 0], [0xffffffff, 0xffffffff])
    expect(philoxUniform('f32', -1n, (3n << 32n) + 5n, 0)).toBe((word >>> 8) * 2 ** -24)
  })

  it('stays in [0, 1) and has mean 1/2 and variance 1/12', () => {
    const draws = Array.from({ length: 20000 }, (_, i) => philoxUniform('f32', 7n, 0n, i))
    const mean = draws.reduce((a, b) => a + b) / draws.length
    const variance = draws.reduce((a, b) => a + (b - mean) ** 2, 0) / draws.length
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...draws)).toBeLessThan(1)
    // Five standard errors: 1/√(12 · 20000) and √(1/180 / 20000).
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 * 0.00204)
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(5 * 0.00053)
  })
})
