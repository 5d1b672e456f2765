import { expect, it } from 'vitest'
import { compile, type Tensor, type TensorDtype, tensor } from '../../src/index.js'

/** Sizes around vectors of every width, so that whole vectors and the rest of a row are both reversed. */
const sizes = [1, 4, 7, 16, 17, 64, 131]
const tensorDtypes: readonly TensorDtype[] = ['f32', 'f64', 'i64', 'i32', 'i16', 'u8', 'bool', 'f16', 'bf16']

it.each(tensorDtypes)('rows of %s are reversed', dtype => {
  const flip = compile((x: Tensor) => x.flip(1))
  for (const size of sizes) {
    const rows = [0, 1, 2].map(row => Array.from({ length: size }, (_, i) => (row * 5 + i * 3) % 120))
    const x = tensor(rows, { dtype })
    expect(flip(x).toArray()).toEqual((x.toArray() as number[][]).map(row => row.toReversed()))
  }
})

it('a vector is read backwards in steps of one only', () => {
  const every = compile((x: Tensor) => x.flip(0).slice([0, 100, 2]))
  const x = tensor(Array.from({ length: 100 }, (_, i) => i))
  expect(every(x).toArray()).toEqual(Array.from({ length: 50 }, (_, i) => 99 - 2 * i))
})
