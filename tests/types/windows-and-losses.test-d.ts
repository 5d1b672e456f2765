/** The types of calls with many parameters, by position and by name: `npm run check` compiles this file, nothing runs it. */
import { expectTypeOf } from 'vitest'
import * as F from '../../src/nn/functional.js'
import type { Tensor } from '../../src/tensor/index.js'

/** Never called: its lines only have to compile, or to fail where they say so. */
export function compiles(x: Tensor): void {
  expectTypeOf(x.expand(2, 3).expand([2, -1]).repeat(1, 2).tile([2]).flip(0, 1).flip(0)).toEqualTypeOf<Tensor>()
  expectTypeOf(x.narrow(0, 1, 2).narrow({ dim: 0, start: 1, length: 2 }).squeeze([0, 1])).toEqualTypeOf<Tensor>()
  expectTypeOf(x.pad([1, 1], 'reflect').pad([1, 1], { value: 2 }).diagonal(1)).toEqualTypeOf<Tensor>()
  expectTypeOf(x.scatterReduce(0, x, x, 'amax', { includeSelf: false })).toEqualTypeOf<Tensor>()
  expectTypeOf(F.conv2d(x, x, x, 2, 'same', [1, 1], 4)).toEqualTypeOf<Tensor>()
  expectTypeOf(F.conv2d(x, x, { stride: [2, 1], groups: 4 })).toEqualTypeOf<Tensor>()
  expectTypeOf(F.avgPool2d(x, 2, null, { countIncludePad: false })).toEqualTypeOf<Tensor>()
  expectTypeOf(F.adaptiveAvgPool2d(x, [null, 7])).toEqualTypeOf<Tensor>()
  expectTypeOf(x.maxPool2dWithIndices(2, 2).indices).toEqualTypeOf<Tensor>()
  expectTypeOf(F.batchNorm(x, null, null, x, x, true)).toEqualTypeOf<Tensor>()
  expectTypeOf(F.batchNorm(x, x, x, { eps: 1e-3 })).toEqualTypeOf<Tensor>()
  expectTypeOf(F.crossEntropy(x, x, null, -1, 'sum', 0.1)).toEqualTypeOf<Tensor>()
  expectTypeOf(F.crossEntropy(x, { target: x, labelSmoothing: 0.1 })).toEqualTypeOf<Tensor>()

  // @ts-expect-error: no such reduction
  F.mseLoss(x, x, 'max')
  // @ts-expect-error: a misspelt name
  F.conv2d(x, x, { strides: 2 })
  // @ts-expect-error: includeSelf is given by name
  x.scatterReduce(0, x, x, 'amax', false)
  // @ts-expect-error: too many arguments
  x.flatten(0, 1, 2)
  // @ts-expect-error: batchNorm needs to be told that it has no running statistics
  F.batchNorm(x)
}
