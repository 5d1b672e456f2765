/**
 * Bad input inside captureGraph, compiled or not: the same errors as elsewhere, nothing is written, and the device is as
 * it was. And operands on two devices.
 */
import { captureGraph, compile, DeviceError, randn, scaledDotProductAttention, type Tensor, zeros } from 'tegula'
import { groupedMatmul, type QuantizedTensor, quantize, raggedMatmul, scaledMatmul } from 'tegula/quant'
import { describe, expect, it } from 'vitest'
import { expectError, tensorsIn } from '../quant/mistakes/check.js'
import { type Mistake, mistakes } from '../quant/mistakes/index.js'
import { needsGpuOrStandIn, openGpu } from './support.js'

const gpu = openGpu()
const on = { device: 'cuda' } as const

describe.skipIf(gpu === null)(`bad input on a GPU (${needsGpuOrStandIn})`, () => {
  const ways = {
    'in a capture': ({ call }: Mistake, args: readonly unknown[]) => captureGraph(() => tensorsIn(call(...args))),
    'compiled, in a capture': ({ call }: Mistake, args: readonly unknown[]) =>
      captureGraph(() => compile((...given: readonly unknown[]) => tensorsIn(call(...given)))(...args)),
  }
  for (const [way, run] of Object.entries(ways))
    it(`${way}: invalid input is rejected, and the device still works`, () => {
      for (const mistake of mistakes) expectError(mistake, 'cuda', way, run)
      const x = randn([4], on)
      const doubled = compile((x: Tensor) => x.mul(2))
      expect(
        captureGraph(() => doubled(x))
          .replay()
          .to('cpu')
          .toArray(),
      ).toEqual(doubled(x).to('cpu').toArray())
    })

  const q = quantize(zeros([4, 32]), 'nvfp4')
  const [x, out, ends] = [zeros([3, 32], on), zeros([3, 4]), zeros([1], { dtype: 'i32' })]
  const moved: QuantizedTensor = { ...q, values: q.values.to('cuda'), tensorScale: q.tensorScale!.to('cuda') }
  const unscaled: QuantizedTensor = { ...moved, scales: q.scales.to('cuda'), tensorScale: q.tensorScale }
  const apart: Readonly<Record<string, () => unknown>> = {
    weights: () => scaledMatmul(x, q),
    scales: () => scaledMatmul(x, moved),
    'the factor': () => scaledMatmul(x, unscaled),
    'a bias': () => scaledMatmul(x, x, { bias: zeros([3]) }),
    'an out': () => groupedMatmul([{ a: x, b: zeros([4, 32], on), out }]),
    'another group': () =>
      groupedMatmul([
        { a: x, b: x },
        { a: zeros([3, 4]), b: zeros([3, 4]) },
      ]),
    offsets: () => raggedMatmul(x, zeros([1, 4, 32], on), ends),
    'a given factor': () => quantize(x, 'nvfp4', { tensorScale: zeros([]) }),
    'a mask': () => scaledDotProductAttention(x, x, x, { attnMask: zeros([3, 3]) }),
  }
  it.each(Object.entries(apart))('%s on the CPU: the error names the tensor and its device', (_, run) => {
    for (const [way, call] of Object.entries({
      run,
      compiled: compile(() => tensorsIn(run())),
      captured: () => captureGraph(run),
    })) {
      expect(call, way).toThrow(DeviceError)
      expect(call, way).toThrow(/cpu.*cuda|cuda.*cpu/)
      expect(call, way).toThrow(/ at .*bad-input.slow.test.ts:[0-9]+ .*fix: /)
    }
  })
})
