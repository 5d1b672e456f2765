import { describe, expect, it } from 'vitest'
import {
  beforeBroadcast,
  beforeTranspose,
  blocked,
  broadcastRegisters,
  coordinate,
  copy,
  keepsBits,
  printLayout,
  registerCount,
  registerIndex,
  reorderedRegisters,
  reshaped,
  sameLayout,
  sliced,
  type ThreadLayout,
  threadIndex,
  transposed,
} from '../../../src/lower/simt/layout.js'

const at = (layout: ThreadLayout, thread: number, register: number): number =>
  threadIndex(layout, thread) | registerIndex(layout, register)

/** The coordinates in a place. */
const coordinates = (layout: ThreadLayout, thread: number, register: number): number[] =>
  layout.shape.map((_, d) => coordinate(layout.shape, at(layout, thread, register), d))

function eachPlace(layout: ThreadLayout, visit: (thread: number, register: number) => void): void {
  for (let thread = 0; thread < 32 << layout.warps.length; thread++) {
    for (let register = 0; register < registerCount(layout); register++) visit(thread, register)
  }
}

const shapes = [[1], [8], [33], [4, 16], [64, 3], [5, 1, 100], [2, 2, 2, 64], [128, 128]]

describe('layouts', () => {
  it('hold every element of the padded tile', () => {
    for (const shape of shapes) {
      for (const warpBits of [0, 2]) {
        const layout = blocked(
          shape,
          shape.map((_, d) => shape.length - 1 - d),
          2,
          warpBits,
        )
        const seen = new Set<number>()
        eachPlace(layout, (thread, register) => seen.add(at(layout, thread, register)))
        expect(seen.size).toBe(shape.reduce((n, size) => n * 2 ** Math.ceil(Math.log2(size)), 1))
      }
    }
  })

  it('put neighbours along the first dim of the order into one thread, then into neighbouring threads', () => {
    const layout = blocked([16, 64], [1, 0], 2, 1)
    expect(coordinates(layout, 0, 3)).toEqual([0, 3])
    expect(coordinates(layout, 1, 0)).toEqual([0, 4])
    expect(coordinates(layout, 16, 0)).toEqual([1, 0])
    expect(coordinates(layout, 32, 0)).toEqual([8, 0])
    expect(printLayout(layout)).toBe('[16, 64] registers 1:0 1:1 0:1 0:2 | lanes 1:2 1:3 1:4 1:5 0:0 | warps 0:3')
  })

  it('follow transposes both ways', () => {
    const layout = blocked([4, 16, 8], [2, 1, 0], 1, 1)
    const turned = transposed(layout, [2, 0, 1])
    eachPlace(layout, (thread, register) => {
      const [a, b, c] = coordinates(layout, thread, register)
      expect(coordinates(turned, thread, register)).toEqual([c, a, b])
    })
    expect(sameLayout(beforeTranspose(turned, [2, 0, 1]), layout)).toBe(true)
  })

  it('know which reshapes keep the bits', () => {
    expect(keepsBits([6, 4], [24])).toBe(true)
    expect(keepsBits([24], [3, 8])).toBe(true)
    expect(keepsBits([64, 1, 77], [64, 77])).toBe(true)
    expect(keepsBits([4, 8, 5], [32, 5])).toBe(true)
    expect(keepsBits([6, 10], [60])).toBe(false)
    expect(keepsBits([4, 6], [6, 4])).toBe(false)
    expect(keepsBits([], [1, 1])).toBe(true)
    const layout = blocked([12, 8], [1, 0], 1, 1)
    const flat = reshaped(layout, [96])
    eachPlace(layout, (thread, register) => {
      const [row, column] = coordinates(layout, thread, register)
      expect(coordinates(flat, thread, register)).toEqual([row! * 8 + column!])
    })
  })

  it('map to the input of a broadcast and to the result of a fold', () => {
    const layout = blocked([8, 32], [1, 0], 2, 1)
    const row = beforeBroadcast(layout, [1, 32])
    const registers = broadcastRegisters(layout, [1, 32])
    eachPlace(layout, (thread, register) => {
      expect(coordinates(row, thread, registers[register]!)[1]).toBe(coordinates(layout, thread, register)[1])
    })
    expect(sliced(layout, 1).shape).toEqual([8])
    expect(sliced(layout, 1).lanes.filter(bit => bit === copy)).toHaveLength(3)
    const lead = beforeBroadcast(layout, [32])
    expect(lead.registers).toEqual([0, 1])
  })

  it('reorder registers', () => {
    const a: ThreadLayout = { shape: [8, 32], registers: [5, 6, 7], lanes: [0, 1, 2, 3, 4], warps: [] }
    const b: ThreadLayout = { ...a, registers: [7, 5, 6] }
    const order = reorderedRegisters(a, b)
    eachPlace(b, (thread, register) => expect(at(a, thread, order[register]!)).toBe(at(b, thread, register)))
  })
})
