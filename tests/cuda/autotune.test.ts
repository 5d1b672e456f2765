/** max-autotune on a GPU: candidates are measured on the device, right ones win, choices are remembered. */
import { captureGraph, compile, randn, type Tensor, tensor } from 'tegula'
import { describe, expect, it } from 'vitest'
import { needsGpuOrStandIn, openGpu, worst } from './support.js'

const gpu = openGpu()
const on = { device: 'cuda' } as const
const tuned = { mode: 'max-autotune' } as const

describe.skipIf(gpu === null)(`max-autotune on a GPU (${needsGpuOrStandIn})`, () => {
  it('gives the numbers of the default mode, says what it chose, and remembers it', () => {
    const k = Math.random()
    const fn = (x: Tensor): Tensor => x.mul(k).softmax(-1)
    const x = randn([2, 600], on)
    const f = compile(fn, tuned)
    expect(worst(f(x), compile(fn)(x))).toBeLessThan(1e-5)
    expect(f.stats().tuned[0]).toMatch(/^[a-z0-9× ]+: \d+\.\d\d× the usual speed, best of [2-9]$/)
    const { tuning } = f.explain(x).segments[0]!
    expect(tuning!.choices.map(({ name }) => name)).toContain('third tiles of products')
    const again = compile(fn, tuned)
    again(x)
    expect(again.stats().tuned).toEqual(f.stats().tuned)
  })

  it('measures on copies of what is written', () => {
    const x = tensor([1, 2, 3], on)
    const f = compile((x: Tensor) => x.add_(1).mul(Math.PI), tuned)
    f(x)
    expect(x.toArray()).toEqual([2, 3, 4])
  })

  it('measures nothing inside a capture, where it is cold', () => {
    const x = tensor([1, -2], on)
    const f = compile((x: Tensor) => x.mul(Math.E).relu(), tuned)
    const g = captureGraph(({ x }) => f(x), { inputs: { x } })
    expect(worst(g.replay(), tensor([Math.E, 0]))).toBeLessThan(1e-6)
    expect(f.stats().tuned).toEqual(['usual blocks: nothing is measured inside a capture'])
  })
})
