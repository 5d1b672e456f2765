import { describe, it } from 'vitest'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, ViewValue } from '../../src/tile/language.js'
import { quickly } from '../support/sample-choice.js'
import { checkBlocks } from './blocks.js'
import { checkProgram, over, staticDims } from './support.js'

type Views = Record<'x' | 'table' | 'counts' | 'order' | 'sorted' | 'taken', ViewValue>

/** All three ops on `length` integers, some of them outside the bins. */
function kernelOf(length: number, bins: number) {
  return {
    name: 'bins',
    params: {
      x: view('i32', 1),
      table: view('i64', 1),
      counts: view('i32', 1),
      order: view('i32', 1),
      sorted: view('i32', 1),
      taken: view('i64', 1),
    },
    grid: () => [1],
    body(t: TileBuilder, { x, table, counts, order, sorted, taken }: Views) {
      const digits = t.load(x, [0], [length])
      const places = digits.binOrder(bins)
      t.store(counts, [0], digits.histogram(bins))
      t.store(order, [0], places)
      t.store(sorted, [0], digits.take(places))
      t.store(taken, [0], t.load(table, [0], [40]).take(digits))
    },
  }
}

function argumentsOf(length: number, bins: number) {
  const digits = Int32Array.from({ length }, (_, i) => ((i * 7919) % (bins + 7)) - 3)
  const table = BigInt64Array.from({ length: 40 }, (_, i) => 2n ** 60n - BigInt(i))
  const ints = (count: number) => over(new Int32Array(count), [count])
  const taken = over(new BigInt64Array(length), [length])
  return [over(digits, [length]), over(table, [40]), ints(bins), ints(length), ints(length), taken]
}

const cases = [
  [32, 2],
  [33, 256],
  [64, 16],
  [200, 2048],
  [1000, 256],
  [2048, 64],
] as const

describe('histograms, orders by bins and look-ups', () => {
  for (const [length, bins] of quickly(cases, 2)) {
    const args = argumentsOf(length, bins)
    const build = () => buildKernel(kernelOf(length, bins), {}, { x: staticDims(args[0]!) })

    it(`of ${length} elements in ${bins} bins, on a CPU`, () => checkProgram(build(), args, [1], { native: true }))

    it(`of ${length} elements in ${bins} bins, on blocks of threads`, () => {
      const variants = [1, 4, 8].map(warps => ({ warps, known: warps > 1 }))
      checkBlocks(build(), args, [1], { variants })
    })
  }
})
