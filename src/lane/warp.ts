/** Results of warp-wide instructions, computed from the values of 32 threads. */
import type { Value } from '../scalar/ops.js'
import type { Dtype } from '../types/dtype.js'
import { dtypeInfo } from '../types/dtype.js'
import { roundToTf32 } from '../types/tf32.js'
import { placeA, placeB, placeC } from './fragments.js'
import type { LaneOps } from './ir.js'
import type { Lanes } from './values.js'

export const warpSize = 32

/** The value that each thread receives. `amounts`: each thread's shuffle amount. */
export function shuffled(
  mode: LaneOps['shuffle']['mode'],
  values: readonly Lanes[],
  amounts: readonly number[],
): Lanes[] {
  return values.map((own, thread) => values[sourceLane(mode, thread, amounts[thread]!)] ?? own)
}

/** Per thread, the number of lower lanes with its value, and 32 more in the last lane with that value. */
export function matched(values: readonly number[]): Lanes[] {
  return values.map((own, thread) => {
    const before = values.slice(0, thread).filter(value => value === own).length
    return [before + (values.lastIndexOf(own) === thread ? warpSize : 0)]
  })
}

function sourceLane(mode: LaneOps['shuffle']['mode'], thread: number, amount: number): number {
  switch (mode) {
    case 'xor':
      return thread ^ amount
    case 'up':
      return thread - amount
    case 'down':
      return thread + amount
    case 'index':
      return amount
  }
}

/** a·b + c, accumulated in f64 and rounded once; hardware rounds in between, in an undocumented order. */
export function multiplied(dtype: Dtype, a: readonly Lanes[], b: readonly Lanes[], c: readonly Lanes[]): Lanes[] {
  const bytes = dtypeInfo(dtype).bits / 8
  const depth = b[0]!.length * 4
  const [left, right] = [new Float64Array(16 * depth), new Float64Array(depth * 8)]
  const operand = dtype === 'f32' ? (value: Value): number => roundToTf32(Number(value)) : Number
  for (let thread = 0; thread < warpSize; thread++) {
    for (const [lane, value] of a[thread]!.entries()) {
      const { row, column } = placeA(bytes, thread, lane)
      left[row * depth + column] = operand(value)
    }
    for (const [lane, value] of b[thread]!.entries()) {
      const { row, column } = placeB(bytes, thread, lane)
      right[row * 8 + column] = operand(value)
    }
  }
  const rounded = dtype === 'f64' ? Number : dtypeInfo(dtype).kind === 'float' ? Math.fround : (x: number) => x | 0
  return c.map((sums, thread) =>
    sums.map((sum, lane) => {
      const { row, column } = placeC(thread, lane)
      let total = Number(sum)
      for (let k = 0; k < depth; k++) total += left[row * depth + k]! * right[k * 8 + column]!
      return rounded(total)
    }),
  )
}
