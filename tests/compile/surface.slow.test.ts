/** Indexing by tensors, patterns and draws by weight in compiled functions. */
import { describe, expect, it } from 'vitest'
import {
  arange,
  compile,
  interpolate,
  manualSeed,
  multinomial,
  oneHot,
  rearrange,
  repeatInterleave,
  type Tensor,
  tensor,
  zeros,
} from '../../src/index.js'

const cube = () => arange(24, { dtype: 'i64' }).reshape([2, 3, 4])
const ints = (values: number[]) => tensor(values, { dtype: 'i64' })

describe("PyTorch's forms in compiled functions", () => {
  it('work in compiled functions; a mask is a graph break', () => {
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
    expect(masked(cube()).toArray()).toEqual(cube().get(cube().gt(3)).toArray())
    expect(masked.explain(cube()).breaks).toHaveLength(1)
  })

  it('patterns take sizes that vary', () => {
    const heads = compile((y: Tensor) => rearrange(y.add(1), 'b n (h d) -> b h n d', { h: 2 }).mul(2), {
      dynamic: true,
    })
    for (const n of [3, 5, 7]) expect(heads(zeros([2, n, 4])).shape).toEqual([2, 2, n, 2])
  })

  it('draw the same numbers in compiled functions as outside', () => {
    const weights = tensor([1, 2, 3, 4])
    const draw = compile((w: Tensor) => multinomial(w, 2))
    manualSeed(7)
    const outside = [multinomial(weights, 2).toArray(), multinomial(weights, 2).toArray()]
    manualSeed(7)
    expect([draw(weights).toArray(), draw(weights).toArray()]).toEqual(outside)
  })
})

describe('arguments that are read from tensors', () => {
  const breaking = (fn: (...args: Tensor[]) => Tensor) => [compile(fn), compile(fn, { fullgraph: true })] as const

  it('classes: one more than the largest index of each call', () => {
    const [rows, whole] = breaking(i => oneHot(i.add(0)).mul(2))
    expect(rows(ints([0, 2])).toArray()).toEqual([
      [2, 0, 0],
      [0, 0, 2],
    ])
    expect(rows(ints([1, 0])).shape).toEqual([2, 2])
    expect(rows(ints([0, 2])).shape).toEqual([2, 3])
    expect(() => whole(ints([0, 2]))).toThrow(/oneHot: numClasses is not given: values are read while/)
    const known = compile((i: Tensor) => oneHot(i, 3), { fullgraph: true })
    expect(known(ints([0, 2])).shape).toEqual([2, 3])
  })

  it("positions: a view that depends on the tensor's values at each call", () => {
    const [part, whole] = breaking((x, at) => x.mul(1).narrow(1, at, 2).add(1))
    const x = arange(8, { dtype: 'i64' }).reshape([2, 4])
    const at = (value: number) => tensor(value, { dtype: 'i64' })
    for (const [value, first] of [
      [1, 2],
      [2, 3],
      [-2, 3],
      [1, 2],
    ] as const)
      expect((part(x, at(value)).toArray() as number[][])[0]).toEqual([first, first + 1])
    expect(() => part(x, at(3))).toThrow(/narrow: start 3 and length 2/)
    expect(() => whole(x, at(1))).toThrow(/narrow: start is a tensor: values are read/)
    const fill = compile((y: Tensor, i: Tensor) => {
      y.select(0, i).fill_(9)
    })
    const target = zeros([3, 2])
    fill(target, at(-1))
    fill(target, at(0))
    expect(target.toArray()).toEqual([
      [9, 9],
      [0, 0],
      [9, 9],
    ])
    const sized = compile((y: Tensor, z: Tensor, i: Tensor) => y.narrow(0, i, z.dim(0)), { dynamic: true })
    for (const n of [2, 3]) expect(sized(arange(6), zeros([n]), at(1)).shape).toEqual([n])
  })

  it('repeats: without outputSize the tensor is read, with it not', () => {
    const [free, whole] = breaking((x, n) => repeatInterleave(x, n, 0).mul(2))
    const x = tensor([1, 2, 3])
    expect(free(x, ints([2, 0, 1])).toArray()).toEqual([2, 2, 6])
    expect(free(x, ints([0, 3, 1])).toArray()).toEqual([4, 4, 4, 6])
    expect(() => whole(x, ints([2, 0, 1]))).toThrow(/repeatInterleave: .*values are read/)
    const known = compile((x: Tensor, n: Tensor) => repeatInterleave(x, n, 0, { outputSize: 3 }), { fullgraph: true })
    expect(known(x, ints([2, 0, 1])).toArray()).toEqual([1, 1, 3])
    expect(known(x, ints([0, 3, 0])).toArray()).toEqual([2, 2, 2])
  })
})

it('interpolate takes sizes of other tensors, one version for all', () => {
  for (const mode of ['nearest', 'bilinear', 'bicubic', 'area'] as const) {
    const like = compile((x: Tensor, y: Tensor) => interpolate(x, [y.dim(2), y.dim(3)], { mode }), {
      dynamic: true,
      fullgraph: true,
    })
    const x = arange(24, { dtype: 'f32' }).reshape([1, 2, 3, 4])
    for (const [h, w] of [
      [5, 7],
      [2, 9],
      [6, 2],
    ] as const)
      expect(like(x, zeros([1, 1, h, w])).toArray(), mode).toEqual(interpolate(x, [h, w], { mode }).toArray())
  }
})
