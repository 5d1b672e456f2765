/** Elementwise ops on large transposed tensors: results that are written past the caches, in whole lines or not. */
import { expect, it } from 'vitest'
import { arange, compile, type Tensor, type TensorDtype } from '../../src/index.js'

/** Sizes of 4 MB and a little more, whose rows are whole lines of the cache or begin anywhere in one. */
const cases: readonly (readonly [TensorDtype, rows: number, columns: number])[] = [
  ['f32', 1040, 1024],
  ['f32', 1033, 1041],
  ['i32', 1024, 1040],
  ['f64', 720, 760],
  ['i64', 763, 721],
  ['f16', 1040, 2080],
]

it.each(cases)('%s, %i × %i', (dtype, rows, columns) => {
  const double = (x: Tensor): Tensor => x.add(x)
  const x = arange(rows * columns)
    .remainder(97)
    .to(dtype)
    .reshape([rows, columns])
    .t()
  const expected = (i: number, j: number): number => 2 * ((j * columns + i) % 97)
  for (const result of [compile(double)(x), compile(double, { dynamic: true })(x), double(x)]) {
    const values = result.dataSync()
    expect(result.isContiguous()).toBe(true)
    let wrong = 0
    for (let i = 0; i < columns; i++)
      for (let j = 0; j < rows; j++) if (Number(values[i * rows + j]) !== expected(i, j)) wrong++
    expect(wrong).toBe(0)
  }
})

/** Reversed and transposed: loads descend along the axis across the results' rows (1), or rows follow each other backwards (3). */
it.each([...cases, ['u8', 1033, 2053], ['bf16', 1029, 67], ['f32', 5, 4099]] as const)(
  'turned: %s, %i × %i',
  (dtype, rows, columns) => {
    const value = (i: number, j: number): number => (i * columns + j) % 97
    const x = arange(rows * columns)
      .remainder(97)
      .to(dtype)
      .reshape([rows, columns])
    for (const k of [1, 3]) {
      const turn = (x: Tensor): Tensor => x.rot90(k, [0, 1])
      const expected = (i: number, j: number): number => (k === 1 ? value(j, columns - 1 - i) : value(rows - 1 - j, i))
      for (const result of [compile(turn)(x), compile(turn, { dynamic: true })(x), turn(x)]) {
        const values = result.dataSync()
        let wrong = 0
        for (let i = 0; i < columns; i++)
          for (let j = 0; j < rows; j++) if (Number(values[i * rows + j]) !== expected(i, j)) wrong++
        expect(wrong).toBe(0)
      }
    }
  },
)
