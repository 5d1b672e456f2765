/** Shared memory: where elements lie, which banks meet, when a barrier is needed. */
import { describe, expect, it } from 'vitest'
import {
  blocked,
  copy,
  registerCount,
  registerIndex,
  type ThreadLayout,
  threadIndex,
} from '../../../src/lower/simt/layout.js'
import {
  exchangeLayout,
  offsetOfIndex,
  padded,
  type SharedLayout,
  swizzledRows,
  vectorBits,
} from '../../../src/lower/simt/shared-layout.js'
import { OutOfShared, SharedMemory } from '../../../src/lower/simt/shared-memory.js'
import { Choices } from '../../support/choices.js'

function randomLayout(choices: Choices, shape: readonly number[]): ThreadLayout {
  const order = shape.map((_, d) => d)
  for (let i = order.length - 1; i > 0; i--) {
    const j = choices.below(i + 1)
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  return blocked(shape, order, choices.below(4), 2)
}

const offsets = (shared: SharedLayout): number[] =>
  Array.from({ length: 2 ** shared.offsets.length }, (_, index) => offsetOfIndex(shared, index))

/** The most passes over the banks that one turn of a warp's access takes. */
function worstTurn(layout: ThreadLayout, shared: SharedLayout, itemBytes: number): number {
  const width = 2 ** vectorBits(layout, shared, itemBytes).length * itemBytes
  const lanesPerTurn = Math.min(32, 128 / width)
  let worst = 1
  for (let register = 0; register < registerCount(layout); register++) {
    for (let first = 0; first < 32; first += lanesPerTurn) {
      const words = new Map<number, Set<number>>()
      for (let lane = first; lane < first + lanesPerTurn; lane++) {
        const index = registerIndex(layout, register) | threadIndex(layout, lane)
        const start = Math.floor((offsetOfIndex(shared, index) * itemBytes) / width) * width
        for (let word = start / 4; word < (start + width) / 4; word++) {
          const at = Math.floor(word)
          const known = words.get(at % 32) ?? new Set()
          words.set(at % 32, known.add(at))
        }
      }
      worst = Math.max(worst, ...[...words.values()].map(({ size }) => size))
    }
  }
  return worst
}

describe('layouts in shared memory', () => {
  it('give each element its own place', () => {
    const choices = new Choices(1)
    for (let i = 0; i < 50; i++) {
      const shape = choices.of([[64, 32], [128], [8, 16, 16], [32, 128]])
      const bytes = choices.of([1, 2, 4, 8])
      const shared = exchangeLayout(randomLayout(choices, shape), randomLayout(choices, shape), bytes)
      expect(new Set(offsets(shared)).size).toBe(2 ** shared.offsets.length)
      expect(Math.max(...offsets(shared))).toBeLessThan(shared.size)
    }
    for (const inner of [0, 1] as const) {
      expect(new Set(offsets(swizzledRows([64, 32], inner, 2))).size).toBe(2048)
      expect(new Set(offsets(padded([64, 32], [inner, 1 - inner], 4))).size).toBe(2048)
    }
  })

  it('exchange without bank conflicts', () => {
    const choices = new Choices(2)
    for (let i = 0; i < 60; i++) {
      const shape = choices.of([[64, 64], [16, 16, 16], [32, 256], [4096]])
      const [from, to] = [randomLayout(choices, shape), randomLayout(choices, shape)]
      const bytes = choices.of([4, 8])
      const shared = exchangeLayout(from, to, bytes)
      expect(worstTurn(from, shared, bytes), 'writing').toBe(1)
      expect(worstTurn(to, shared, bytes), 'reading').toBe(1)
    }
  })

  it('rows for the matrix unit spread eight rows over all banks', () => {
    for (const [rows, columns] of [
      [64, 64],
      [64, 32],
      [128, 16],
      [16, 256],
    ] as const) {
      const shared = swizzledRows([rows, columns], 1, 2)
      for (let column = 0; column < columns; column += 8) {
        const places = Array.from({ length: 8 }, (_, row) => {
          const index = row * columns + column
          return ((offsetOfIndex(shared, index) * 2) / 16) % 8
        })
        expect(new Set(places).size).toBe(8)
      }
    }
  })
})

describe('barriers', () => {
  const counting = () => {
    let barriers = 0
    const memory = new SharedMemory(48 * 1024, () => void barriers++)
    return { memory, barriers: () => barriers }
  }

  it('are placed between a write and a read of the same bytes, and between a read and the next write', () => {
    const { memory, barriers } = counting()
    const a = memory.scratch('f32', 1024, 'a', null)
    memory.write(a)
    memory.read(a)
    expect(barriers()).toBe(1)
    memory.read(a)
    expect(barriers()).toBe(1)
    memory.write(a)
    expect(barriers()).toBe(2)
  })

  it('are not needed between successive small buffers', () => {
    const { memory, barriers } = counting()
    for (let i = 0; i < 4; i++) {
      const buffer = memory.scratch('f32', 32, 'partials', null)
      memory.write(buffer)
      memory.read(buffer)
    }
    expect(barriers()).toBe(4)
  })

  it('are placed at the end of a loop whose last access conflicts with its first', () => {
    const { memory, barriers } = counting()
    const a = memory.keep({ dtype: 'f32', count: 64, name: 'a' }, null)
    memory.loop(() => {
      memory.write(a)
      memory.read(a)
      memory.closeLoop()
    })
    expect(barriers()).toBe(2)
    const other = counting()
    const [b, c] = [
      other.memory.keep({ dtype: 'f32', count: 64, name: 'b' }, null),
      other.memory.keep({ dtype: 'f32', count: 64, name: 'c' }, null),
    ]
    other.memory.loop(() => {
      other.memory.read(b)
      other.memory.read(c)
      other.memory.closeLoop()
    })
    expect(other.barriers()).toBe(0)
  })

  it('consider both branches', () => {
    const { memory, barriers } = counting()
    const a = memory.keep({ dtype: 'f32', count: 64, name: 'a' }, null)
    memory.branches([() => memory.write(a), () => {}])
    memory.read(a)
    expect(barriers()).toBe(1)
  })

  it('too much memory is rejected with sizes and a fix', () => {
    const { memory } = counting()
    expect(() => memory.scratch('f32', 16384, 'exchange', null)).toThrow(OutOfShared)
    expect(() => memory.scratch('f32', 16384, 'exchange', null)).toThrow(/65536 bytes.*49152.*smaller tiles/)
  })
})

describe('copy bits', () => {
  it('are the location bits without an index bit', () => {
    expect(blocked([4], [0], 0, 1).lanes).toEqual([0, 1, copy, copy, copy])
  })
})
