/** A table computes what each of its sizes is by itself. */
import { describe, expect, it } from 'vitest'
import { SizeTableBuilder } from '../../src/compile/guards/size-table.js'
import {
  addSizes,
  evaluateSize,
  floorDivSizes,
  maxSizes,
  minSizes,
  modSizes,
  mulSizes,
  type Size,
  sizeSymbol,
  subSizes,
} from '../../src/scalar/size.js'
import { Choices } from '../support/choices.js'

const names = ['n', 'm', 'k']
const [n, m, k] = names.map(name => sizeSymbol(name, 1)) as [Size, Size, Size]

const tableOf = (sizes: readonly Size[]) => {
  const builder = new SizeTableBuilder()
  const places = builder.addAll(sizes)
  return { places, table: builder.build(names) }
}

function expectSame(sizes: readonly Size[], values: readonly number[]): void {
  const { places, table } = tableOf(sizes)
  table.update(Float64Array.from(values))
  const byName = new Map(names.map((name, i) => [name, values[i]!]))
  for (const [i, size] of sizes.entries()) {
    expect(table.values[places[i]!], `${size} at ${values}`).toBe(evaluateSize(size, byName))
  }
}

describe('a table of sizes', () => {
  it.each([
    [[7, 0, 7]],
    [[n, mulSizes(n, 4), addSizes(mulSizes(n, 4), 3), subSizes(5, n)]],
    [[mulSizes(n, m), mulSizes(mulSizes(n, m), 3), mulSizes(mulSizes(n, n), n), addSizes(mulSizes(n, m), n)]],
    [[addSizes(addSizes(n, m), k), subSizes(mulSizes(n, 2), addSizes(m, 1))]],
    [[floorDivSizes(addSizes(n, 63), 64), modSizes(addSizes(n, 5), 7), minSizes(n, m), maxSizes(mulSizes(n, m), k)]],
    [[mulSizes(floorDivSizes(addSizes(n, 3), 4), m), addSizes(floorDivSizes(addSizes(n, 3), 4), 1)]],
  ])('%s', (sizes: readonly Size[]) => {
    for (const values of [
      [1, 1, 1],
      [5, 9, 2],
      [64, 3, 1000],
      [4096, 2 ** 20, 3],
    ])
      expectSame(sizes, values)
  })

  it('random ones', () => {
    const choices = new Choices(1)
    const number = (): number => 1 + choices.below(9)
    const size = (depth: number): Size => {
      if (depth === 0) return choices.of([n, m, k, number()])
      const [a, b] = [size(depth - 1), size(depth - 1)]
      return choices.of([
        () => addSizes(a, b),
        () => mulSizes(a, b),
        () => floorDivSizes(a, number()),
        () => modSizes(a, number()),
        () => minSizes(a, b),
        () => maxSizes(a, b),
      ])()
    }
    for (let i = 0; i < 200; i++) {
      expectSame(
        Array.from({ length: 5 }, () => size(1 + (i % 3))),
        [number(), number(), number()],
      )
    }
  })

  it('keeps its values for the symbols passed last', () => {
    const { places, table } = tableOf([mulSizes(n, m), 3])
    for (const value of [2, 9, 2]) {
      table.update(Float64Array.of(value, 5, 1))
      expect(places.map(place => table.values[place])).toEqual([5 * value, 3])
    }
  })
})
