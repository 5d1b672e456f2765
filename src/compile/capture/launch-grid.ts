/**
 * The grid of a kernel that is launched inside a captured function, as formulas of the run-time sizes. The grid is a user's
 * function of numbers. It runs once on sizes that `cdiv` and products of its results keep as formulas, then on many plain
 * numbers to check the formulas. If the grid does anything else with a size (compares it, takes a maximum), the check fails
 * and the sizes must be specialised.
 */
import type { Interval } from '../../scalar/lattice.js'
import { evaluateSize, mulSizes, type Size, symbolsOf } from '../../scalar/size.js'
import { GridSize } from '../../tile/grid-size.js'

/** The grid for given view sizes; `sizeOf(i, dim)`: a size of the view that is argument i. */
export type GridCall = (sizeOf: (argument: number, dim: number) => number) => readonly number[]

export interface LaunchGrid {
  readonly grid: readonly Size[]
  /** No formulas were found: the grid is the captured call's, and all run-time sizes must be specialised. */
  readonly fixed: boolean
}

/**
 * @param shapes of the launch's views; null for its numbers
 * @param values of the symbols in the captured call
 */
export function launchGrid(
  call: GridCall,
  shapes: readonly (readonly Size[] | null)[],
  values: ReadonlyMap<string, number>,
  rangeOf: (symbol: string) => Interval,
): LaunchGrid {
  const plain = (symbols: ReadonlyMap<string, number>): readonly number[] =>
    call((argument, dim) => evaluateSize(shapes[argument]![dim]!, symbols))
  const symbols = new Set<string>()
  for (const size of shapes.flatMap(shape => shape ?? [])) symbolsOf(size, symbols)
  const here = plain(values)
  if (symbols.size === 0) return { grid: here, fixed: false }
  const formulas = gridFormulas(call, shapes, values)
  const agrees = (probe: ReadonlyMap<string, number>): boolean => {
    try {
      const grid = plain(probe)
      return grid.length === formulas?.length && formulas.every((size, i) => evaluateSize(size, probe) === grid[i])
    } catch {
      return false
    }
  }
  const isRight = formulas !== null && agrees(values) && probesOf([...symbols], values, rangeOf).every(agrees)
  return isRight ? { grid: formulas, fixed: false } : { grid: here, fixed: true }
}

/** Candidate formulas of the grid. A product of several sizes arrives as a plain number, so its formula is a guess. */
function gridFormulas(
  call: GridCall,
  shapes: readonly (readonly Size[] | null)[],
  values: ReadonlyMap<string, number>,
): readonly Size[] | null {
  const used = new Set<GridSize>()
  const noteUse = (size: GridSize): void => void used.add(size)
  try {
    const grid: readonly unknown[] = call((argument, dim) => {
      const size = shapes[argument]![dim]!
      if (typeof size === 'number') return size
      // It behaves as a number in arithmetic; `cdiv` recognises it as a size.
      return new GridSize(size, evaluateSize(size, values), noteUse) as unknown as number
    })
    const product = [...used].reduce<Size>((all, { size }) => mulSizes(all, size), 1)
    return grid.map((entry): Size => {
      if (entry instanceof GridSize) return entry.size
      const factor = [...used].reduce((all, { value }) => all / value, entry as number)
      return used.size === 0 || !Number.isInteger(factor) ? (entry as number) : mulSizes(product, factor)
    })
  } catch {
    return null
  }
}

/** Small numbers, and usual block sizes and their multiples with their neighbours. */
const probeSizes = [
  ...Array.from({ length: 40 }, (_, i) => i + 2),
  ...[48, 64, 96, 100, 128, 192, 256, 384, 512, 768, 1000, 1024, 2048, 4096, 10000, 65536, 1048576].flatMap(size => [
    size - 1,
    size,
    size + 1,
  ]),
]

/** Values for the symbols: each symbol takes all probe sizes in its range while the others stay, then all vary at once. */
function probesOf(
  symbols: readonly string[],
  values: ReadonlyMap<string, number>,
  rangeOf: (symbol: string) => Interval,
): ReadonlyMap<string, number>[] {
  const sizes = symbols.map(symbol => {
    const { min, max } = rangeOf(symbol)
    return [min, ...probeSizes.filter(size => size > min && size < max), Math.min(max, min + 1e6)]
  })
  const alone = symbols.flatMap((symbol, s) => sizes[s]!.map(size => new Map([...values, [symbol, size]])))
  if (symbols.length === 1) return alone
  const mixedSize = (i: number, s: number): number => sizes[s]![(i * (s + 2) + 7 * s) % sizes[s]!.length]!
  const mixed = probeSizes.map((_, i) => {
    return new Map([...values, ...symbols.map((symbol, s): [string, number] => [symbol, mixedSize(i, s)])])
  })
  return [...alone, ...mixed]
}
