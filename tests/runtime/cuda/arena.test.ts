import { describe, expect, it } from 'vitest'
import { InternalError } from '../../../src/base/errors.js'
import { Arena, type Chunk, chunkBytes, Segment } from '../../../src/runtime/cuda/arena.js'

const unit = chunkBytes

function arenaWith(...segmentUnits: number[]): Arena {
  const arena = new Arena(unit)
  segmentUnits.forEach((units, i) => {
    arena.add(new Segment((i + 1) * 2 ** 30, units * unit, arena))
  })
  return arena
}

const take = (arena: Arena, units: number): Chunk | null => arena.take(units * unit, 'user')

describe('arena', () => {
  it('splits chunks in order and merges them again, in any order of freeing', () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [0, 2, 1],
    ]) {
      const arena = arenaWith(6)
      const chunks = [1, 2, 3].map(units => take(arena, units)!)
      expect(chunks.map(({ offset }) => offset / unit)).toEqual([0, 1, 3])
      expect(arena.freeBytes).toBe(0)
      expect(take(arena, 1)).toBeNull()
      for (const i of order) arena.give(chunks[i]!)
      expect(arena.freeBytes).toBe(6 * unit)
      expect([...arena.segments].every(({ empty }) => empty)).toBe(true)
      expect(take(arena, 6)?.bytes).toBe(6 * unit)
    }
  })

  it('finds a free chunk of exactly the requested size', () => {
    const arena = arenaWith(1000)
    const a = take(arena, 333)!
    take(arena, 1)
    arena.give(a)
    expect(take(arena, 333)?.offset).toBe(0)
  })

  it('prefers a chunk that fits to cutting a larger one', () => {
    const arena = arenaWith(100, 5000)
    const small = take(arena, 90)!
    expect(small.segment.bytes).toBe(100 * unit)
    arena.give(small)
    expect(take(arena, 90)!.segment.bytes).toBe(100 * unit)
  })

  it('keeps remainders that are too small to be useful', () => {
    const arena = new Arena(64 * unit)
    arena.add(new Segment(2 ** 30, 100 * unit, arena))
    expect(take(arena, 50)!.bytes).toBe(100 * unit)
  })

  it('finds nothing for sizes that are too large', () => {
    const arena = arenaWith(1000)
    for (const bytes of [1001 * unit, 2 ** 40, 2 ** 42, 2 ** 52]) expect(arena.take(bytes, 'user')).toBeNull()
  })

  it('moves a segment to another arena, including chunks in use', () => {
    const [from, to] = [arenaWith(10), new Arena(unit)]
    const used = take(from, 4)!
    const [segment] = from.segments
    from.remove(segment!)
    to.add(segment!)
    expect([from.bytes, from.freeBytes, to.bytes, to.freeBytes]).toEqual([0, 0, 10 * unit, 6 * unit])
    expect(take(from, 1)).toBeNull()
    used.segment.arena.give(used)
    expect(to.freeBytes).toBe(10 * unit)
    expect(take(to, 10)).not.toBeNull()
  })

  it('rejects a second free', () => {
    const arena = arenaWith(10)
    const chunk = take(arena, 4)!
    take(arena, 1)
    arena.give(chunk)
    expect(() => arena.give(chunk)).toThrow(InternalError)
  })

  it('never overlaps, loses or forgets memory over many random steps', () => {
    let state = 7
    const random = (below: number): number => {
      state = (state * 1103515245 + 12345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * below)
    }
    const arena = arenaWith(3000, 500, 8000)
    const used: Chunk[] = []
    for (let i = 0; i < 20_000; i++) {
      const chunk = random(5) < 3 ? take(arena, 1 + random(2 ** random(12))) : null
      if (chunk !== null) used.push(chunk)
      else if (used.length > 0) arena.give(used.splice(random(used.length), 1)[0]!)
      if (i % 500 !== 0) continue
      const inUse = used.reduce((sum, { bytes }) => sum + bytes, 0)
      expect(inUse + arena.freeBytes).toBe(arena.bytes)
      for (const segment of arena.segments) {
        let end = 0
        let lastFree = false
        for (const { offset, bytes, free } of segment.chunks()) {
          expect(offset).toBe(end)
          expect(free && lastFree).toBe(false)
          end = offset + bytes
          lastFree = free
        }
        expect(end).toBe(segment.bytes)
      }
      expect(used.every(({ free }) => !free)).toBe(true)
    }
    for (const chunk of used) arena.give(chunk)
    expect([...arena.segments].every(({ empty }) => empty)).toBe(true)
    expect(arena.largestFree()).toBe(8000 * unit)
  })
})
