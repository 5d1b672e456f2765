/** A kernel that touches memory that is not its own ends all work on the GPU in this process: a file of its own. */
import { tensor, zerosLike } from 'tegula'
import { expect, it } from 'vitest'
import { scale } from '../support/kernels.js'
import { needsGpuOrStandIn, openGpu } from './support.js'

const gpu = openGpu()

it.skipIf(gpu === null)(`an illegal address names the kernel and the user’s line (${needsGpuOrStandIn})`, () => {
  const x = tensor([1, 2, 3, 4], { device: 'cuda' })
  const out = zerosLike(x)
  scale.launch({ x, out, factor: 2 })
  expect(out.toArray()).toEqual([2, 4, 6, 8])
  // What no program of people can do: a pointer to nowhere.
  const { block } = out.storage('test')
  Object.defineProperty(block, 'address', { value: 4096 })
  scale.launch({ x, out, factor: 3 })
  expect(() => x.toArray()).toThrow(
    /cuda:0: a kernel touched memory that is not allocated \(CUDA_ERROR_ILLEGAL_ADDRESS\); it is .*scale \(lost\.test\.ts:\d+\)/,
  )
  expect(() => x.add(1).toArray()).toThrow(/cuda:0: unusable since an earlier error.*ILLEGAL_ADDRESS/)
  // The process goes on, on the CPU.
  expect(tensor([1, 2]).add(1).toArray()).toEqual([2, 3])
})
