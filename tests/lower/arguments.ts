/** A launch's arguments for every way to run a kernel, and what to compare afterwards. */
import { expect } from 'vitest'
import type { InterpreterArgument, ViewMemory } from '../../src/tile/interpret.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { codecOf } from '../../src/types/codec.js'
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import type { StoredArray } from '../../src/types/memory.js'

export { laneArguments } from '../../src/lower/shared/arguments.js'

/** A view of `data`: contiguous unless strides are given. */
export function over(data: StoredArray, sizes: readonly number[], strides?: readonly number[], offset = 0): ViewMemory {
  const dense = new Array<number>(sizes.length).fill(1)
  for (let d = sizes.length - 2; d >= 0; d--) dense[d] = dense[d + 1]! * sizes[d + 1]!
  return { data, offset, sizes, strides: strides ?? dense }
}

export type Arguments = readonly InterpreterArgument[]

export function copyOf(args: Arguments): Arguments {
  const copies = new Map<StoredArray, StoredArray>()
  return args.map(arg => {
    if (typeof arg !== 'object') return arg
    if (!copies.has(arg.data)) copies.set(arg.data, arg.data.slice())
    return { ...arg, data: copies.get(arg.data)! }
  })
}

export const threeSizes = (grid: readonly number[]): [number, number, number] => [grid[0]!, grid[1] ?? 1, grid[2] ?? 1]

export function compareAll(
  program: TileProgram,
  expected: Arguments,
  actual: Arguments,
  tolerance: number,
  how: string,
): void {
  program.params.forEach(({ name, type }, i) => {
    const [wanted, got] = [expected[i]!, actual[i]!]
    if (typeof wanted !== 'object' || typeof got !== 'object') return
    const problem = firstDifference(type.dtype, wanted.data, got.data, tolerance)
    expect(problem, `${program.name}: '${name}' ${how}`).toBeNull()
  })
}

const decode = (dtype: Dtype, value: number | bigint): number | bigint => codecOf(dtype)?.decode(Number(value)) ?? value

function firstDifference(dtype: Dtype, wanted: StoredArray, got: StoredArray, tolerance: number): string | null {
  let largest = 0
  for (const raw of wanted) {
    const magnitude = Math.abs(Number(decode(dtype, raw)))
    if (Number.isFinite(magnitude)) largest = Math.max(largest, magnitude)
  }
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [decode(dtype, wanted[i]!), decode(dtype, got[i]!)]
    // A sum of nothing but zeros may come out as either zero.
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue
    if (isFloat(dtype) && Math.abs(Number(a) - Number(b)) <= tolerance * largest) continue
    return `element ${i} is ${b}, not ${a}`
  }
  return null
}
