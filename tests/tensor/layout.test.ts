/** Layouts against brute force: which memory position each element has. */
import { describe, expect, it } from 'vitest'
import {
  contiguousLayout,
  contiguousStrides,
  elementCount,
  forEachRun,
  isContiguous,
  type Layout,
  layoutsOverlap,
  overlapsItself,
  reshapedStrides,
} from '../../src/tensor/layout.js'
import { seededRandom } from '../support/tensor-spec.js'

function positions(layout: Layout): number[] {
  const found: number[] = []
  forEachRun(layout, (start, stride, count) => {
    for (let i = 0; i < count; i++) found.push(start + i * stride)
  })
  return found
}

describe('contiguous layouts', () => {
  it('have row-major strides, sizes of 0 counting as 1', () => {
    expect(contiguousStrides([2, 3, 4])).toEqual([12, 4, 1])
    expect(contiguousStrides([2, 0, 4])).toEqual([4, 4, 1])
    expect(contiguousStrides([])).toEqual([])
  })

  it('are recognised whatever the strides of dims of size 1, and not with gaps between elements', () => {
    expect(isContiguous({ shape: [2, 1, 3], strides: [3, 99, 1], offset: 5 })).toBe(true)
    expect(isContiguous({ shape: [0, 3], strides: [7, 7], offset: 0 })).toBe(true)
    expect(isContiguous({ shape: [3, 2], strides: [1, 3], offset: 0 })).toBe(false)
    expect(isContiguous({ shape: [2, 3], strides: [4, 1], offset: 0 })).toBe(false)
  })
})

describe('reshapedStrides', () => {
  const shapes = [[12], [3, 4], [4, 3], [2, 6], [6, 2], [2, 2, 3], [3, 2, 2], [1, 12, 1], [2, 1, 6], [1, 3, 1, 4]]
  const layouts: Layout[] = [
    ...shapes.map(contiguousLayout),
    { shape: [4, 3], strides: [1, 4], offset: 0 },
    { shape: [3, 4], strides: [8, 2], offset: 1 },
    { shape: [3, 4], strides: [8, 1], offset: 3 },
    { shape: [2, 2, 3], strides: [6, 3, 1], offset: 0 },
    { shape: [2, 2, 3], strides: [24, 3, 1], offset: 0 },
    { shape: [3, 2, 2], strides: [0, 2, 1], offset: 0 },
    { shape: [3, 1, 4], strides: [4, 77, 1], offset: 0 },
    { shape: [3, 4], strides: [0, 0], offset: 2 },
  ]
  it('shows the same elements in the same order, or reports that a copy is needed', () => {
    let viewed = 0
    for (const layout of layouts) {
      for (const shape of shapes) {
        const strides = reshapedStrides(layout, shape)
        if (strides === null) continue
        viewed++
        expect(positions({ shape, strides, offset: layout.offset })).toEqual(positions(layout))
      }
    }
    expect(viewed).toBeGreaterThan(100)
  })

  it('finds every view that exists', () => {
    expect(reshapedStrides({ shape: [4, 3], strides: [1, 4], offset: 0 }, [12])).toBeNull()
    expect(reshapedStrides({ shape: [4, 3], strides: [1, 4], offset: 0 }, [2, 2, 3])).toEqual([2, 1, 4])
    expect(reshapedStrides({ shape: [3, 4], strides: [8, 2], offset: 1 }, [3, 2, 2])).toEqual([8, 4, 2])
    expect(reshapedStrides({ shape: [3, 4], strides: [8, 2], offset: 1 }, [12])).toEqual([2])
    expect(reshapedStrides({ shape: [3, 4], strides: [16, 2], offset: 1 }, [12])).toBeNull()
    expect(reshapedStrides({ shape: [1], strides: [1], offset: 0 }, [])).toEqual([])
    expect(reshapedStrides({ shape: [], strides: [], offset: 4 }, [1, 1])).toHaveLength(2)
    expect(elementCount(reshapedStrides({ shape: [0, 3], strides: [3, 1], offset: 0 }, [3, 0]) ?? [])).toBe(1)
  })
})

describe('overlapsItself', () => {
  it('is true exactly if an element has two indices', () => {
    const layouts: Layout[] = [
      contiguousLayout([3, 4]),
      { shape: [3, 4], strides: [0, 1], offset: 0 },
      { shape: [3, 4], strides: [2, 1], offset: 0 },
      { shape: [1, 4], strides: [0, 1], offset: 0 },
      { shape: [0, 4], strides: [0, 0], offset: 0 },
      { shape: [4, 3], strides: [1, 4], offset: 0 },
      { shape: [], strides: [], offset: 0 },
    ]
    for (const layout of layouts) {
      const all = positions(layout)
      expect(overlapsItself(layout), JSON.stringify(layout)).toBe(new Set(all).size < all.length)
    }
  })
})

describe('layoutsOverlap', () => {
  it('agrees with brute force, for random layouts', () => {
    const random = seededRandom(7)
    const below = (limit: number): number => Math.floor(random() * limit)
    const layout = (): Layout => {
      const shape = Array.from({ length: below(4) }, () => (random() < 0.05 ? 0 : 1 + below(4)))
      return { shape, strides: shape.map(() => below(9)), offset: below(30) }
    }
    let [shared, apart] = [0, 0]
    for (let i = 0; i < 5000; i++) {
      const [a, b] = [layout(), layout()]
      const places = new Set(positions(a))
      const expected = positions(b).some(place => places.has(place))
      if (expected) shared++
      else apart++
      expect(layoutsOverlap(a, b), JSON.stringify([a, b])).toBe(expected)
    }
    expect(Math.min(shared, apart)).toBeGreaterThan(500)
  })

  it('distinguishes columns, interleaved rows and blocks of large matrices, and their overlaps', () => {
    const part = (shape: number[], strides: number[], offset: number): Layout => ({ shape, strides, offset })
    const n = 1 << 20
    expect(layoutsOverlap(part([n], [2], 0), part([n], [2], 1))).toBe(false)
    expect(layoutsOverlap(part([n, 3], [7, 1], 0), part([n, 4], [7, 1], 3))).toBe(false)
    expect(layoutsOverlap(part([n, 4], [7, 1], 0), part([n, 4], [7, 1], 3))).toBe(true)
    expect(layoutsOverlap(part([n], [6], 1), part([n], [10], 4))).toBe(false)
    expect(layoutsOverlap(part([n], [6], 1), part([n], [10], 5))).toBe(true)
  })
})
