/** Lifetimes: dispose, using, scope, and the summary of who holds memory. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ArgumentError, DisposedError } from '../../src/base/errors.js'
import { memorySummary, scope, type Tensor, tensor } from '../../src/tensor/index.js'
import { renewTracedEnds } from '../../src/tensor/storage.js'
import { type CountingMemory, installReferenceExecutor } from '../support/reference-executor.js'

let memory: CountingMemory
beforeEach(() => {
  memory = installReferenceExecutor().memory
})

describe('dispose()', () => {
  it('frees the memory at once; the tensor and its views become unusable', () => {
    const x = tensor([[1, 2]])
    const row = x.get(0)
    x.dispose()
    expect(memory.released).toBe(1)
    expect([x.disposed, row.disposed]).toEqual([true, true])
    x.dispose()
    expect(memory.released).toBe(1)
    expect(() => row.add(1)).toThrow(DisposedError)
    expect(() => x.add(1)).toThrow(
      /add: input 0, f32\[1, 2\], was disposed at .*memory\.test\.ts:\d+ .*memory\.test\.ts:\d+ .*fix: .*clone\(\)/,
    )
    expect(() => tensor([1]).add(x)).toThrow(/add: input 1, f32\[1, 2\], was disposed/)
    expect(() => x.dataSync()).toThrow(/dataSync: the tensor, f32\[1, 2\], was disposed/)
    expect(() => x.add_(1)).toThrow(DisposedError)
    expect(String(x)).toMatch(/^tensor\(disposed at .*, f32\[1, 2\]\)$/)
    expect(x.shape).toEqual([1, 2])
  })

  it('of what a backward pass needs is named by that pass', () => {
    const x = tensor([1, 2], { requiresGrad: true })
    const y = x.exp()
    const loss = y.mul(3).sum()
    const line = Number(/memory\.test\.ts:(\d+)/.exec(new Error().stack!)![1])
    y.dispose()
    expect(() => loss.backward()).toThrow(new RegExp(`was disposed at .*memory.test.ts:${line + 1}`))
  })

  it('is told where for a thousand tensors, and again ten seconds later', () => {
    const now = vi.spyOn(performance, 'now')
    onTestFinished(() => void now.mockRestore())
    const at = (milliseconds: number): void => void now.mockReturnValue(milliseconds)
    const told = (count: number): boolean[] =>
      Array.from({ length: count }, () => {
        const x = tensor([1])
        x.dispose()
        return String(x).startsWith('tensor(disposed at ')
      })
    at(1e9)
    renewTracedEnds()
    expect(told(1000)).not.toContain(false)
    at(1e9 + 9000)
    expect(told(300)).not.toContain(true)
    at(1e9 + 11_000)
    told(100)
    expect(told(500)).not.toContain(false)
  })

  it('of a view disposes only the view', () => {
    const x = tensor([1, 2])
    for (const view of [x.get(0), x.to('f32'), x.contiguous(), x.reshape([2, 1])]) {
      view.dispose()
      expect(() => view.add(1)).toThrow(DisposedError)
    }
    expect(memory.released).toBe(0)
    expect(x.toArray()).toEqual([1, 2])
  })

  it('happens at the end of a block with `using`', () => {
    let kept: Tensor
    {
      using x = tensor([1, 2])
      using y = x.add(1)
      kept = y
      expect(y.toArray()).toEqual([2, 3])
    }
    expect(memory.released).toBe(2)
    expect(() => kept.sum()).toThrow(DisposedError)
  })
})

describe('scope()', () => {
  it('frees tensors created inside, except those it returns', () => {
    const outer = tensor([1, 2])
    let lost: Tensor | undefined
    const [sum, { part }] = scope(() => {
      lost = outer.mul(3)
      const grown = lost.add(1)
      return [grown.sum(), { part: grown.get(0) }] as const
    })
    expect(memory.allocated - memory.released).toBe(3)
    expect([sum.itemSync(), part.itemSync(), outer.toArray()]).toEqual([11, 4, [1, 2]])
    expect(() => lost?.add(1)).toThrow(/was freed with its scope at .*memory\.test\.ts:\d+/)
    part.dispose()
    expect(memory.allocated - memory.released).toBe(2)
  })

  it('keeps outside tensors, also when it returns a view of one', () => {
    const outer = tensor([1, 2])
    const view = scope(() => outer.get(0))
    view.dispose()
    expect(outer.toArray()).toEqual([1, 2])
  })

  it('nests: the results of an inner scope belong to the outer one', () => {
    const result = scope(() => {
      const inner = scope(() => tensor([1]).add(1))
      expect(memory.allocated - memory.released).toBe(1)
      return inner.add(1)
    })
    expect(memory.allocated - memory.released).toBe(1)
    expect(result.toArray()).toEqual([3])
  })

  it('frees everything when its function throws, and rejects async functions', () => {
    expect(() =>
      scope(() => {
        tensor([1])
        throw new Error('mine')
      }),
    ).toThrow('mine')
    expect(() => scope(async () => tensor([1]))).toThrow(ArgumentError)
    expect(memory.allocated - memory.released).toBe(0)
  })
})

describe('memorySummary()', () => {
  it('reports the memory of living tensors by creator, without warnings from node', async () => {
    const warnings: unknown[] = []
    const listen = (warning: unknown): void => void warnings.push(warning)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    const before = memorySummary()
    const x = tensor(new Float64Array(1000))
    const y = x.add(1)
    const during = memorySummary()
    expect(during.bytes - before.bytes).toBe(16000)
    expect(during.entries.find(entry => entry.label === 'add')?.bytes).toBeGreaterThanOrEqual(8000)
    expect(String(during)).toMatch(/KiB {2}add \(\d+\)/)
    y.dispose()
    expect(memorySummary().bytes - before.bytes).toBe(8000)
    expect(x.numel()).toBe(1000)
    await new Promise(resolve => setImmediate(resolve))
    expect(warnings).toEqual([])
  })
})

it('unused tensors are not kept alive', () => {
  const before = memorySummary().count
  for (let i = 0; i < 2000; i++) tensor([i]).add(1)
  expect(memorySummary().count - before).toBeLessThan(20)
})
