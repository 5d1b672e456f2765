/** max-autotune on a GPU: candidates are measured on the device, right ones win, choices are remembered. */
import { captureGraph, compile, randn, type Tensor, tensor } from 'tegula'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as Choices from '../../src/backends/cuda/choices.js'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import type { CudaTarget } from '../../src/target/cuda.js'
import { needsGpuOrStandIn, openGpu, worst } from './support.js'

/** One more choice than there is: matmul tiles that no device has shared memory for. */
const { huge } = vi.hoisted(() => ({ huge: 'huge matmul tiles' }))
vi.mock('../../src/backends/cuda/choices.js', async original => {
  const { cudaChoices } = await original<typeof Choices>()
  return {
    cudaChoices: (facts: CudaTarget) => {
      const cuda = { ...cudaLimits.cuda, matmul: { m: 256, n: 256, k: 256 } }
      return [...cudaChoices(facts), { name: huge, policy: cudaPolicy(facts, { ...cudaLimits, cuda }) }]
    },
  }
})

const gpu = openGpu()
const on = { device: 'cuda' } as const
const tuned = { mode: 'max-autotune' } as const

describe.skipIf(gpu === null)(`max-autotune on a GPU (${needsGpuOrStandIn})`, () => {
  it('gives the numbers of the default mode, reports its choice, and remembers it', () => {
    const k = Math.random()
    const fn = (x: Tensor): Tensor => x.mul(k).softmax(-1)
    const x = randn([2, 600], on)
    const f = compile(fn, tuned)
    expect(worst(f(x), compile(fn)(x))).toBeLessThan(1e-5)
    expect(f.stats().tuned[0]).toMatch(/^[a-z0-9× ]+: \d+\.\d\d× the usual speed, best of [2-9]$/)
    const { tuning } = f.explain(x).segments[0]!
    expect(tuning!.choices.map(({ name }) => name)).toContain('matmul tiles ranked third')
    const again = compile(fn, tuned)
    again(x)
    expect(again.stats().tuned).toEqual(f.stats().tuned)
  })

  it('measures on copies of written tensors', () => {
    const x = tensor([1, 2, 3], on)
    const f = compile((x: Tensor) => x.add_(1).mul(Math.PI), tuned)
    f(x)
    expect(x.toArray()).toEqual([2, 3, 4])
  })

  it('does not measure in a capture, when it is not tuned yet', () => {
    const x = tensor([1, -2], on)
    const f = compile((x: Tensor) => x.mul(Math.E).relu(), tuned)
    const g = captureGraph(({ x }) => f(x), { inputs: { x } })
    expect(worst(g.replay(), tensor([Math.E, 0]))).toBeLessThan(1e-6)
    expect(f.stats().tuned).toEqual(['usual blocks: nothing is measured inside a capture'])
  })
})

describe.skipIf(gpu?.fake == null)('choices that do not fit the device (needs the stand-in)', () => {
  const fake = gpu?.fake
  afterEach(() => {
    fake!.set('most_threads', 1024)
    fake!.set('shared_kib', 227)
  })

  const outcomes = async (fn: (x: Tensor) => Tensor, x: Tensor): Promise<Map<string, string>> => {
    const f = compile(fn, tuned)
    await f.warmup(x)
    expect(worst(f(x), compile(fn)(x))).toBeLessThan(1e-5)
    const { choices } = f.explain(x).segments[0]!.tuning!
    return new Map(choices.map(({ name, outcome }) => [name, outcome]))
  }

  it('registers: blocks with more threads than the registers allow', async () => {
    const x = randn([2, 600], on)
    fake!.set('most_threads', 64)
    const k = Math.random()
    const found = await outcomes(x => x.mul(k).softmax(-1), x)
    expect(found.get('more threads a row')).toBe('does not fit')
    expect(found.get('usual blocks')).toMatch(/chosen|not faster/)
  })

  it('shared memory: as the compiler knows, and as the driver says', async () => {
    fake!.set('shared_kib', 150)
    const k = Math.random()
    const x = randn([16, 16], on).to('f16')
    const found = await outcomes(x => x.matmul(x).mul(k).to('f32'), x)
    expect(found.get(huge)).toBe('does not fit')
    expect(found.get('matmul tiles ranked second')).toBe('does not fit')
    expect(found.get('usual blocks')).toMatch(/chosen|not faster/)
  })

  it('an error of the default choice is passed to the user', () => {
    const x = randn([2, 6000], on)
    fake!.set('most_threads', 32)
    const k = Math.random()
    const f = compile((x: Tensor) => x.mul(k).softmax(-1), tuned)
    expect(() => f(x)).toThrow(/wants blocks of \d+ threads; .* fix: use smaller tiles or fewer warps/)
  })
})
