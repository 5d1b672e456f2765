/** The types that methods and functions derive from the records: `npm run check` compiles this file, nothing runs it. */
import { expectTypeOf } from 'vitest'
import * as F from '../../src/nn/functional.js'
import { add, cat, matmul, scope, softmax, sort, type Tensor, tensor, where } from '../../src/tensor/index.js'

/** Never called: its lines only have to compile, or to fail where they say so. */
export function compiles(x: Tensor): void {
  expectTypeOf(x.add(1)).toEqualTypeOf<Tensor>()
  expectTypeOf(x.add(x)).toEqualTypeOf<Tensor>()
  expectTypeOf(
    x.sum(1).sum([0, 1], { keepdim: true }).sum({ dim: -1, keepdim: true, dtype: 'f64' }),
  ).toEqualTypeOf<Tensor>()
  expectTypeOf(x.sort()).toEqualTypeOf<{ readonly values: Tensor; readonly indices: Tensor }>()
  expectTypeOf(x.topk(3).indices).toEqualTypeOf<Tensor>()
  expectTypeOf(x.add_(1).mul_(x)).toEqualTypeOf<Tensor>()
  expectTypeOf(x.reshape([2, 3]).reshape(2, 3).permute(1, 0).permute([1, 0])).toEqualTypeOf<Tensor>()
  expectTypeOf(x.sum(1, true).sum({ dim: 0 }).sum(0, { keepdim: true, dtype: 'f64' })).toEqualTypeOf<Tensor>()
  expectTypeOf(
    x
      .reshape([x.dim(0), -1])
      .narrow(0, x.dim(1), 1)
      .add(x.dim(0)),
  ).toEqualTypeOf<Tensor>()
  expectTypeOf(x.topk(3, 0, false).values).toEqualTypeOf<Tensor>()
  expectTypeOf(x.topk(3, { dim: 0 }).values).toEqualTypeOf<Tensor>()
  expectTypeOf(x.topk({ k: 3, sorted: false }).values).toEqualTypeOf<Tensor>()
  expectTypeOf(cat([x], { dim: 1 })).toEqualTypeOf<Tensor>()
  expectTypeOf(cat({ tensors: [x], dim: 1 })).toEqualTypeOf<Tensor>()
  expectTypeOf(x.clamp(0, 1).clamp({ min: 0 }).clamp(null, x).clamp(0, { max: x })).toEqualTypeOf<Tensor>()
  expectTypeOf(F.linear(x, x, x)).toEqualTypeOf<Tensor>()
  expectTypeOf(x.slice([0, 10], null, -1).get(3, 'all', '...')).toEqualTypeOf<Tensor>()
  expectTypeOf(x.layerNorm([3], { weight: x, eps: 1e-6 })).toEqualTypeOf<Tensor>()
  expectTypeOf(x.dataSync('i64')).toEqualTypeOf<BigInt64Array>()
  expectTypeOf(x.data('f16')).resolves.toEqualTypeOf<Float32Array>()
  expectTypeOf(x.item()).resolves.toEqualTypeOf<number>()
  expectTypeOf(add(x, 1n)).toEqualTypeOf<Tensor>()
  expectTypeOf(cat([x, x], 1)).toEqualTypeOf<Tensor>()
  expectTypeOf(where(x, 1, x)).toEqualTypeOf<Tensor>()
  expectTypeOf(sort(x, { descending: true }).values).toEqualTypeOf<Tensor>()
  expectTypeOf(F.linear(x, x, { bias: x })).toEqualTypeOf<Tensor>()
  expectTypeOf(scope(() => [x, { y: x }] as const)).toEqualTypeOf<readonly [Tensor, { readonly y: Tensor }]>()

  // @ts-expect-error: a string is no operand
  x.add('1')
  // @ts-expect-error: topk needs its k
  x.topk({ dim: 0 })
  // @ts-expect-error: k is given twice
  x.topk(3, { k: 3 })
  // @ts-expect-error: one argument too many
  x.topk(3, 0, true, false, 1)
  // @ts-expect-error: an axis is a dim here
  x.sum({ axis: 1 })
  // @ts-expect-error: mul takes an operand
  x.mul()
  // @ts-expect-error: no such option
  x.sum({ dims: 1 })
  // @ts-expect-error: cat takes a list
  cat(x, x)
  // @ts-expect-error: cat is a function only
  x.cat([x])
  // @ts-expect-error: sum does not write in place
  x.sum_()
  // @ts-expect-error: no such dtype
  x.to('float32')
  // @ts-expect-error: matmul takes tensors
  matmul(x, 2)
  // @ts-expect-error: softmax needs its dim
  softmax(x)
  // @ts-expect-error: strings are no data
  tensor(['1'])
}
