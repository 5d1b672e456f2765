/** Indexing by tensors, patterns and draws by weight in compiled functions. */
import { describe, expect, it } from 'vitest'
import { arange, compile, manualSeed, multinomial, rearrange, type Tensor, tensor, zeros } from '../../src/index.js'

const cube = () => arange(24, { dtype: 'i64' }).reshape([2, 3, 4])
const ints = (values: number[]) => tensor(values, { dtype: 'i64' })

describe("PyTorch's forms in compiled functions", () => {
  it('works in compiled functions, but for masks', () => {
    const rows = compile((x: Tensor, i: Tensor) => x.get(i, [0, 2]))
    expect(rows(cube(), ints([1, -2])).toArray()).toEqual([
      [
        [12, 13, 14, 15],
        [16, 17, 18, 19],
      ],
      [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
      ],
    ])
    const masked = compile((x: Tensor) => x.get(x.gt(3)))
    expect(() => masked(cube())).toThrow(/depends on values/)
  })

  it('patterns take sizes that vary', () => {
    const heads = compile((y: Tensor) => rearrange(y.add(1), 'b n (h d) -> b h n d', { h: 2 }).mul(2), {
      dynamic: true,
    })
    for (const n of [3, 5, 7]) expect(heads(zeros([2, n, 4])).shape).toEqual([2, 2, n, 2])
  })

  it('draws in compiled functions what it draws outside', () => {
    const weights = tensor([1, 2, 3, 4])
    const draw = compile((w: Tensor) => multinomial(w, 2))
    manualSeed(7)
    const outside = [multinomial(weights, 2).toArray(), multinomial(weights, 2).toArray()]
    manualSeed(7)
    expect([draw(weights).toArray(), draw(weights).toArray()]).toEqual(outside)
  })
})
