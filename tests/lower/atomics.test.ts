/** Atomics: what they leave and give on every target, and blocks that wait for each other, in many orders. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../src/codegen/ptx/emit.js'
import { simulateBlocks } from '../../src/lane/simulate-block.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import type { AtomicOrder } from '../../src/scalar/atomic.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../src/tile/language.js'
import { seededRandom } from '../support/tensor-spec.js'
import { factsOf, hopper, target, withWarps } from './blocks.js'
import { checkProgram, copyOf, laneArguments, over, threeSizes } from './support.js'

const thrownBy = (run: () => unknown): Error => {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

type Views = Record<'x' | 'out' | 'state', ViewValue>

const ints = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => (i * 37) % 11)
const kernelOf = (dtype: 'i32' | 'i64' | 'f16' | 'bf16', body: (t: TileBuilder, views: Views) => void) =>
  buildKernel({
    name: 'atomics',
    params: { x: view('i32', 1), out: view(dtype, 1), state: view(dtype, 1) },
    grid: () => [3],
    body,
  })

describe('atomics', () => {
  it('compare, exchange and load', () => {
    const program = kernelOf('i32', (t, { x, out, state }) => {
      const start = t.programId(0).mul(16)
      const own = t.load(x, [start], [16])
      const at = t.iota(16).add(start)
      const inside = at.lt(40)
      const old = t.atomicCompareExchange(state, [at], 3, own.add(100), { mask: inside, order: 'acquireRelease' })
      const now = t.atomicLoad(state, [at], { mask: inside, order: 'acquire' })
      t.atomicExchange(state, [at], now.mul(2), { order: 'release' })
      t.store(out, [start], old.mul(1000).add(now))
    })
    const state = Int32Array.from({ length: 40 }, (_, i) => i % 5)
    const [, out, left] = checkProgram(
      program,
      [over(ints(40), [40]), over(new Int32Array(40), [40]), over(state, [40])],
      [3],
    )
    const swapped = Array.from(state, (value, i) => (value === 3 ? ((i * 37) % 11) + 100 : value))
    expect([...(left as { data: Int32Array }).data]).toEqual(swapped.map(value => 2 * value))
    expect([...(out as { data: Int32Array }).data]).toEqual(swapped.map((value, i) => state[i]! * 1000 + value))
  })

  for (const dtype of ['f16', 'bf16'] as const) {
    it(`add ${dtype}`, () => {
      const program = kernelOf(dtype, (t, { x, out, state }) => {
        const start = t.programId(0).mul(16)
        const own = t.load(x, [start], [16])
        const old = t.atomicAdd(state, [own.mod(4).to('i64')], own.to(dtype))
        t.store(out, [start], old)
      })
      const halves = (n: number) => over(new Uint16Array(n), [n])
      checkProgram(program, [over(ints(48), [48]), halves(48), halves(4)], [3])
    })
  }

  it('refuse dtypes and orders that there are not', () => {
    const build = (body: (t: TileBuilder, views: Views) => void) => thrownBy(() => kernelOf('bf16', body)).message
    expect(build((t, { state }) => void t.atomicMax(state, [0], t.const(1, 'bf16')))).toContain(
      'atomicMax: not defined on views of bf16',
    )
    expect(
      build((t, { state }) => void t.atomicAdd(state, [0], t.const(1, 'bf16'), { order: 'strong' as never })),
    ).toContain('use one of relaxed, acquire, release, acquireRelease')
  })
})

/** Each program adds 1 to what the one before it left, once that is there. */
const chain = (order: readonly [AtomicOrder, AtomicOrder], numberOf: (t: TileBuilder, state: ViewValue) => TileValue) =>
  kernelOf('i64', (t, { out, state }) => {
    const number = numberOf(t, state)
    t.while(
      { ready: number.eq(0) },
      ({ ready }) => ready.eq(false),
      () => ({ ready: t.atomicLoad(state, [number], { order: order[0] }).ne(0) }),
    )
    const before = t.load(out, [number.sub(1)], [1])
    t.store(out, [number], before.add(1))
    t.atomicExchange(state, [number.add(1)], 1, { order: order[1] })
  })

const ticket = (t: TileBuilder, state: ViewValue): TileValue => t.atomicAdd(state, [0], 1)

describe('blocks that wait for each other', () => {
  const args = [over(ints(1), [1]), over(new BigInt64Array(12), [12]), over(new BigInt64Array(14), [14])]
  const run = (program: ReturnType<typeof chain>, atOnce: number, seed: number, warps = 2) => {
    const lowered = lowerSimt(withWarps(program, warps), target, factsOf(program, args))
    const memory = copyOf(args)
    const random = seededRandom(seed)
    const turns = { atOnce, most: 2000, pick: (count: number) => Math.floor(random() * count) }
    simulateBlocks(lowered, laneArguments(program, memory), threeSizes([12]), { turns })
    return [...(memory[1] as { data: BigInt64Array }).data].map(Number)
  }
  const expected = Array.from({ length: 12 }, (_, i) => i + 1)

  for (const [atOnce, seed] of [
    [1, 1],
    [3, 2],
    [12, 3],
    [12, 4],
  ] as const) {
    it(`see what came before, ${atOnce} at once`, () => {
      expect(run(chain(['acquire', 'release'], ticket), atOnce, seed)).toEqual(expected)
    })
  }

  it('race where nothing orders what they read', () => {
    expect(thrownBy(() => run(chain(['relaxed', 'relaxed'], ticket), 12, 1)).message).toContain('in no defined order')
  })

  it('wait for ever for blocks that have not started', () => {
    const waiting = chain(['acquire', 'release'], t => t.numPrograms(0).sub(1).sub(t.programId(0)))
    const run1 = () => run(waiting, 1, 1)
    expect(thrownBy(run1).message).toContain('still wait for each other')
  })

  it('are PTX of ordered accesses', () => {
    const program = chain(['acquire', 'release'], ticket)
    for (const on of [target, hopper]) {
      const text = emitPtx([lowerSimt(program, on, factsOf(program, args))], on)
      expect(text).toMatch(/ld\.acquire\.gpu\.global\.b64/)
      expect(text).toMatch(/st\.release\.gpu\.global\.b64/)
    }
  })
})
