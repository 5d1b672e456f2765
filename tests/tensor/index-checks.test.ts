import { expect, it } from 'vitest'
import { tensor } from '../../src/index.js'

const x = tensor([1, 2, 3])
const at = (index: bigint) => tensor([0n, index, 2n], { dtype: 'i64' })

it.each([-1n, 3n, 2n ** 31n, 2n ** 32n, -(2n ** 32n), 2n ** 32n + 1n, 2n ** 62n])('index %s is refused', index => {
  expect(() => x.gather(0, at(index))).toThrow(`index ${Number(index)} is out of range for dim 0 of size 3`)
})

it('indices from the end are taken where the op takes them', () => {
  expect(x.take(at(-3n)).toArray()).toEqual([1, 1, 3])
  expect(() => x.take(at(-4n))).toThrow('index -4 is out of range')
  expect(() => x.take(at(-3n - 2n ** 32n))).toThrow('is out of range')
})
