import { describe, expect, it } from 'vitest'
import { compile, compilerStats, manualSeed, rand, type Tensor, tensor, zeros } from '../../src/index.js'

/** A constant that no cache has seen, so that the C compiler runs. */
const fresh = (): number => Math.random()

describe('warmup', () => {
  it('compiles without blocking the event loop, and the first call then compiles nothing', async () => {
    const k = fresh()
    const f = compile((x: Tensor) => x.mul(k).tanh().sum())
    let turns = 0
    let done = false
    const turn = (): void => {
      turns++
      if (!done) setImmediate(turn)
    }
    const before = compilerStats().compiled
    const warming = f.warmup(zeros([100]))
    turn()
    await warming
    done = true
    expect(compilerStats().compiled).toBeGreaterThan(before)
    expect(turns).toBeGreaterThan(10)
    const compiled = compilerStats().compiled
    expect(f(zeros([100])).itemSync()).toBe(0)
    expect(compilerStats().compiled).toBe(compiled)
    expect(f.stats()).toMatchObject({ compiles: 1, calls: 1 })
  })

  it('traces as a first call does but runs nothing: arguments keep their values and no random numbers are drawn', async () => {
    let traces = 0
    const f = compile((x: Tensor) => {
      traces++
      x.add_(1)
      return x.add(rand([2]))
    })
    const x = zeros([2])
    manualSeed(3)
    await f.warmup(x)
    await f.warmup(x)
    expect([traces, f.stats().compiles]).toEqual([2, 1]) // and once more, to see that it does the same
    expect(x.toArray()).toEqual([0, 0])
    const y = f(x)
    manualSeed(3)
    expect(y.toArray()).toEqual(rand([2]).add(1).toArray())
    expect(x.toArray()).toEqual([1, 1])
  })

  it('compiles equal requests once, and a call in between does not compile again', async () => {
    let traces = 0
    const k = fresh()
    const f = compile((x: Tensor) => {
      traces++
      return x.add(k)
    })
    const x = zeros([3])
    await Promise.all([f.warmup(x), f.warmup(x), f.warmup(zeros([3]))])
    expect([traces, f.stats().entries]).toEqual([2, 1])
    const g = compile((x: Tensor) => x.sub(k))
    const warming = g.warmup(x)
    g(x)
    await warming
    expect(g.stats().entries).toBe(1)
  })

  it('prepares a function that must not compile later', async () => {
    const f = compile((x: Tensor) => x.mul(3), { onRecompile: 'error', dynamic: false })
    await f.warmup(zeros([2]))
    await f.warmup(zeros([3]))
    expect(f(zeros([2])).shape).toEqual([2])
    expect(f(zeros([3])).shape).toEqual([3])
    expect(() => f(zeros([4]))).toThrow(/compiles again: .*size of dim 0.*fix: warm up every shape first/)
  })

  it('passes on errors of the function, and works afterwards', async () => {
    let fail = true
    const f = compile((x: Tensor) => {
      if (fail) throw new Error('not yet')
      return x.neg()
    })
    await expect(f.warmup(zeros([1]))).rejects.toThrow('not yet')
    fail = false
    await f.warmup(zeros([1]))
    expect(f.stats().entries).toBe(1)
  })

  it('runs a function with graph breaks once', async () => {
    let runs = 0
    const f = compile((x: Tensor) => {
      runs++
      return x.sum().itemSync() > 0 ? x.mul(2) : x.neg()
    })
    await f.warmup(tensor([1, 2]))
    expect(runs).toBe(1)
    const { compiles } = f.stats()
    expect(f(tensor([1, 2])).toArray()).toEqual([2, 4])
    expect(f.stats().compiles).toBe(compiles)
  })
})
