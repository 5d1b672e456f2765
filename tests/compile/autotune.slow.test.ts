import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compile, compilerStats, randn, type Tensor, tensor, zeros } from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'

describe.skipIf(!hasCompiler)('max-autotune', () => {
  it('gives the results of the default code, reports its choice, and remembers it', () => {
    const k = Math.random()
    const fn = (x: Tensor, w: Tensor): Tensor => x.matmul(w).mul(k).softmax(-1).sum(0)
    const [x, w] = [randn([130, 300]), randn([300, 520])]
    const f = compile(fn, { mode: 'max-autotune' })
    const [tuned, usual] = [f(x, w).dataSync(), compile(fn)(x, w).dataSync()]
    for (const [i, value] of tuned.entries()) expect(Math.abs(Number(value) - Number(usual[i]))).toBeLessThan(1e-4)
    expect(f.stats().tuned).toHaveLength(1)
    expect(f.stats().tuned[0]).toMatch(/^matmul \d+×\d+×\d+ \([a-z ]+\): \d+\.\d\d× the usual speed, best of [2-6]$/)
    const { compiled } = compilerStats()
    const again = compile(fn, { mode: 'max-autotune' })
    expect(again(x, w).dataSync()).toEqual(tuned)
    expect(again.stats().tuned).toEqual(f.stats().tuned)
    expect(compilerStats().compiled).toBe(compiled)
  })

  it('measures on copies: in-place changes happen once', async () => {
    const k = Math.random()
    const f = compile((x: Tensor) => x.add_(k).mul(2).sum(), { mode: 'max-autotune' })
    const x = zeros([4])
    await f.warmup(x)
    expect(x.toArray()).toEqual([0, 0, 0, 0])
    f(x)
    const [first] = x.toArray() as number[]
    expect(first).toBeCloseTo(k, 6)
    expect(f.stats()).toMatchObject({ compiles: 1, entries: 1 })
  })

  it('a function without choices is not measured, and one with graph breaks is tuned part by part', () => {
    const f = compile((x: Tensor) => x.neg(), { mode: 'max-autotune' })
    expect(f(tensor([1, 2])).toArray()).toEqual([-1, -2])
    expect(f.stats().tuned[0]).toBe('usual blocks: all choices give the same code')
    const [segment] = f.explain(tensor([1, 2])).segments
    expect(segment!.tuning).toMatchObject({ chosen: 'usual blocks', gain: null })
    expect(segment!.tuning!.choices.slice(1).every(({ outcome }) => outcome === 'same code')).toBe(true)
    expect(compile((x: Tensor) => x.neg()).explain(tensor([1, 2])).segments[0]!.tuning).toBeNull()
    const g = compile((x: Tensor) => (x.sum().itemSync() > 0 ? x.mul(2) : x), { mode: 'max-autotune' })
    expect(g(tensor([1, 2])).toArray()).toEqual([2, 4])
    expect(g.stats().tuned).toHaveLength(2)
  })

  it('explain shows each choice with its time, and the kernels and code of the chosen one', async () => {
    const k = Math.random()
    const fn = (x: Tensor, w: Tensor): Tensor => x.matmul(w).add(k)
    const [x, w] = [randn([130, 700]), randn([700, 520])]
    const f = compile(fn, { mode: 'max-autotune', name: 'product' })
    const explanation = f.explain(x, w) // measures, as the first call would
    expect(f.stats()).toMatchObject({ compiles: 0, calls: 0 })
    const tuning = explanation.segments[0]!.tuning!
    const measured = tuning.choices.filter(({ nanoseconds }) => nanoseconds !== null)
    expect(measured.length).toBeGreaterThanOrEqual(2)
    const chosen = tuning.choices.find(({ name }) => name === tuning.chosen)!
    expect(chosen.outcome).toBe('chosen')
    for (const { nanoseconds } of measured) expect(nanoseconds).toBeGreaterThan(0)
    expect(tuning.choices[0]!.nanoseconds! / chosen.nanoseconds!).toBeCloseTo(tuning.gain!, 10)
    const text = explanation.toText()
    expect(text).toMatch(
      /choices of block sizes, measured \([a-z ]+: \d+\.\d\d× the usual speed\):\n {2}matmul \d+×\d+×\d+ \(usual blocks\): \d/,
    )
    expect(text).toMatch(/: [\d.]+ .s, chosen\n/)
    const { compiled } = compilerStats()
    f(x, w)
    expect(compilerStats().compiled).toBe(compiled) // explain chose: the call has nothing left to compile
    expect(f.stats().tuned).toEqual([expect.stringContaining(`(${tuning.chosen}): `)])
    expect(readFileSync(f.stats().code[0]!, 'utf8')).toBe(explanation.code)
    expect(JSON.parse(JSON.stringify(explanation)).segments[0].tuning).toEqual(tuning)
  })
})
