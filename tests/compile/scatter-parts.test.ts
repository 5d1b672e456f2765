import { describe, expect, it } from 'vitest'
import { scatterParts } from '../../src/backends/cpu/update-tiling.js'
import { compile, type Tensor, tensor } from '../../src/index.js'

const places = 100
/** With the most parts, with some, with none: a power of two, other products, a prime. */
const lengths = [65_536, 65_538, 65_548, 65_537]

const indexOf = (length: number): BigInt64Array =>
  BigInt64Array.from({ length }, (_, i) => BigInt((i * 7919) % 13 === 0 ? 3 : (i * 31) % places))

describe('elements that are put in parts, on a CPU', () => {
  for (const length of lengths) {
    const index = indexOf(length)
    it(`${length} integers are summed exactly`, () => {
      const values = BigInt64Array.from({ length }, (_, i) => BigInt(i % 1000) - 500n)
      const expected = BigInt64Array.from({ length: places }, (_, i) => BigInt(i))
      for (let i = 0; i < length; i++) expected[Number(index[i])]! += values[i]!
      const add = compile((x: Tensor, at: Tensor, from: Tensor) => x.scatterAdd(0, at, from))
      const self = tensor(BigInt64Array.from({ length: places }, (_, i) => BigInt(i)))
      expect(add(self, tensor(index), tensor(values)).toArray()).toEqual(Array.from(expected, Number))
    })

    it(`the largest of ${length} floats, NaN among them`, () => {
      const values = Float32Array.from({ length }, (_, i) => (i === 77 ? Number.NaN : Math.sin(i)))
      const expected = new Float32Array(places).fill(0.5)
      for (let i = 0; i < length; i++) expected[Number(index[i])] = Math.max(expected[Number(index[i])]!, values[i]!)
      const largest = compile((x: Tensor, at: Tensor, from: Tensor) => x.scatterReduce(0, at, from, 'amax'))
      const self = tensor(new Float32Array(places).fill(0.5))
      expect(largest(self, tensor(index), tensor(values)).toArray()).toEqual([...expected])
    })
  }

  it('only where copies of the result cost little', () => {
    expect(lengths.map(length => scatterParts(places, length, length))).toEqual([16, 11, 14, 1])
    expect(scatterParts(65_536, 65_536, 65_536)).toBe(1)
    expect(scatterParts(10, 1000, 1000)).toBe(1)
    expect(scatterParts(100, 65_536, 4096)).toBe(1)
  })
})
