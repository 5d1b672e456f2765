/**
 * Dots by multiply-adds, for any shape and dtype. Operands are in shared memory in their original order, with rows padded
 * to avoid bank conflicts. A thread reads a few rows and columns for a few steps of k and accumulates a register block.
 */
import type { LaneNode } from '../../lane/ir.js'
import { dtypeOf, lanesOf } from '../shared/lanes.js'
import type { Context } from './context.js'
import type { DotPlan } from './dot-layouts.js'
import { loadShared } from './exchange.js'
import { bitsOf, bitsOfDim, copy, registerCount, type ThreadLayout } from './layout.js'
import type { Staged } from './shared-memory.js'

/** Steps of k per read. */
const stepsAtOnce = 4
/** Up to this K, the k loop is fully unrolled. */
const unrolledDepth = 16

/** The elements of an operand that a thread needs: its rows (or columns) for `steps` steps of k. */
function partOf(
  { acc, m, n, k }: DotPlan,
  side: 'a' | 'b',
  steps: number,
): { readonly layout: ThreadLayout; readonly kept: readonly number[] } {
  const shape = side === 'a' ? [m, k] : [k, n]
  const own = bitsOfDim([m, n], side === 'a' ? 0 : 1)
  const ownHere = bitsOfDim(shape, side === 'a' ? 0 : 1)
  const depth = bitsOfDim(shape, side === 'a' ? 1 : 0).slice(0, bitsOf(steps))
  const rename = (bit: number): number => (own.includes(bit) ? ownHere[own.indexOf(bit)]! : copy)
  const kept = acc.registers.map((bit, place) => (own.includes(bit) ? place : -1)).filter(place => place >= 0)
  const layout = {
    shape,
    registers: [...depth, ...kept.map(place => rename(acc.registers[place]!))],
    lanes: acc.lanes.map(rename),
    warps: acc.warps.map(rename),
  }
  return { layout, kept }
}

export interface FmaOperands {
  readonly plan: DotPlan
  readonly a: Staged
  readonly b: Staged
  readonly acc: LaneNode
}

export const emitFma = (context: Context, products: readonly FmaOperands[]): LaneNode[] =>
  products.map(({ plan, a, b, acc }) => sumOf(context, plan, a, b, acc))

/** Emits one dot by fused multiply-adds: unrolled along K if K is short, else as a loop. */
function sumOf(context: Context, plan: DotPlan, a: Staged, b: Staged, acc: LaneNode): LaneNode {
  const { lanes } = context
  const steps = 2 ** Math.min(bitsOf(stepsAtOnce), bitsOf(plan.k))
  const iterations = Math.ceil(plan.k / steps)
  const step = (start: LaneNode, sums: LaneNode): LaneNode => multiply(context, plan, a, b, steps, start, sums)
  if (plan.k <= unrolledDepth) {
    let sums = acc
    for (let iteration = 0; iteration < iterations; iteration++) sums = step(context.i32(iteration * steps), sums)
    return sums
  }
  const counter = lanes.param('i32', 1, 'k')
  const carried = lanes.param(dtypeOf(acc), lanesOf(acc), 'acc')
  const block = lanes.builder.block([counter, carried], () => [step(counter, carried)])
  const bounds = [context.i32(0), context.i32(iterations * steps), context.i32(steps)]
  const loop = lanes.builder.node('for', [...bounds, acc], { unroll: false, comment: 'dot' }, [block])
  return lanes.item(loop, 0)
}

/** Accumulates `steps` steps of k from `start`. */
function multiply(
  context: Context,
  plan: DotPlan,
  a: Staged,
  b: Staged,
  steps: number,
  start: LaneNode,
  sums: LaneNode,
): LaneNode {
  const { lanes, vectors } = context
  const read = (side: 'a' | 'b', staged: Staged): ((step: number) => LaneNode) => {
    const { layout, kept } = partOf(plan, side, steps)
    const depthUnit = staged.layout.offsets[bitsOfDim(layout.shape, side === 'a' ? 1 : 0)[0] ?? -1] ?? 0
    const from = lanes.mul(start, context.i32(depthUnit))
    const raw = loadShared(
      context,
      layout,
      staged.layout,
      staged.buffer,
      staged.start === null ? from : lanes.add(from, staged.start),
    )
    const wide = lanes.cast(raw, plan.accumulator)
    return step => vectors.pick(wide, registersOf(plan.acc, kept, bitsOf(steps), step))
  }
  const [left, right] = [read('a', a), read('b', b)]
  let result = sums
  for (let step = 0; step < steps; step++) result = lanes.map('fma', left(step), right(step), result)
  return result
}

/** For each register of the accumulator, the operand register that it is multiplied by at a step. */
function registersOf(acc: ThreadLayout, kept: readonly number[], stepBits: number, step: number): number[] {
  return Array.from({ length: registerCount(acc) }, (_, register) =>
    kept.reduce((index, place, i) => index | (((register >> place) & 1) << (i + stepBits)), step),
  )
}
