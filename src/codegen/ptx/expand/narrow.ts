/**
 * Shorter formulas for kernels whose results are all stored in 16 bits: what they lose, 2^-16 of a value at most, is far
 * below the 2^-12 (f16) or 2^-9 (bf16) that storing rounds away.
 */
import { nodesOf } from '../../../ir/walk.js'
import { type LaneNode, type LaneProgram, pointerType } from '../../../lane/ir.js'
import { makeMap } from '../simplify.js'
import { Formula, hex } from './formula.js'

/** How results are stored, where that is all the same. */
export type Results = 'full' | 'f16' | 'bf16'

/** 16 bits when the kernel stores nothing but floats of 16 bits. */
export function resultsOf({ body }: LaneProgram): Results {
  let found: Results | null = null
  for (const node of nodesOf<LaneNode>(body)) {
    if (node.op !== 'store' && node.op !== 'scatter' && node.op !== 'atomic') continue
    const { dtype, space } = pointerType(node.inputs[0]!)
    if (space !== 'global') continue
    if (dtype !== 'f16' && dtype !== 'bf16') return 'full'
    found = found === 'f16' ? 'f16' : dtype
  }
  return found ?? 'full'
}

const log2e = hex('0x1.715476p+0')

/** e^x: the argument of exp2 is off by at most 127·2^-24. */
export const exp = (f: Formula, x: LaneNode): LaneNode => f.approximate('exp2', f.mul(x, log2e))

/** 1 / (1 + e^−x); e^−x may be infinite. */
export const sigmoid = (f: Formula, x: LaneNode): LaneNode =>
  f.approximate('reciprocal', f.add(f.approximate('exp2', f.mul(x, -log2e)), 1))

/** The GPU's own: 2^-11, enough for bf16 alone. */
export const tanh = (f: Formula, x: LaneNode): LaneNode => f.approximate('tanh', x)

/** Divisors whose reciprocals are normal numbers. */
const [leastDivisor, mostDivisor] = [2 ** -126, 2 ** 126]

/** Many by one divisor: products with its reciprocal, where that is a normal number. */
export function div(f: Formula, a: LaneNode, b: LaneNode): LaneNode {
  const divide = (x: LaneNode, y: LaneNode): LaneNode => makeMap(f.b, 'div', [x, y])
  const one = b.op === 'splat' ? b.inputs[0]! : null
  if (f.lanes < 2 || one === null) return divide(a, b)
  const scalar = new Formula(f.b, 'f32', 1, f.expand)
  const spread = (x: LaneNode): LaneNode => f.b.node('splat', [x], { lanes: f.lanes })
  const usual = f.mul(a, spread(divide(scalar.const(1), one)))
  const size = scalar.abs(one)
  const isRare = scalar.not(scalar.and(scalar.gt(size, leastDivisor), scalar.lt(size, mostDivisor)))
  const [result] = f.rarely(spread(isRare), [usual], () => [divide(a, b)], isRare)
  return result!
}
