/**
 * Merges deferred dots that share a left operand into one wgmma of larger N, when their right operands are adjacent in
 * shared memory, as the columns of one matrix: the left operand is then read once, and the accumulators are parts of one
 * accumulator.
 */
import { itemBytes } from '../../types/dtype.js'
import { reordered } from './decoded-left.js'
import type { DeferredDot } from './deferred-dots.js'
import { type DotPlan, operandKey } from './dot-layouts.js'
import { bitsOf, isPowerOfTwo } from './layout.js'
import type { LayoutPlan } from './plan.js'
import { type SharedLayout, swizzledRows } from './shared-layout.js'
import { sumsOfTile } from './wgmma-dot.js'
import { maxInstructionColumns, warpgroupLayout } from './wgmma-layouts.js'

/** Several dots issued as one. */
export interface JointDots {
  readonly dots: readonly DeferredDot[]
  /** The plan of the merged dot, over all columns. */
  readonly plan: DotPlan
  /** Where each dot's right operand is stored within the merged operand. */
  readonly parts: readonly { readonly layout: SharedLayout; readonly start: number }[]
}

/** Null: the deferred dots have different left operands, or cannot be merged. */
export function jointDots(plan: LayoutPlan, deferred: readonly DeferredDot[]): JointDots | null {
  const plans = deferred.map(({ dot }) => plan.dots.get(dot)!)
  const [first, ...others] = plans as [DotPlan, ...DotPlan[]]
  const isComputed = deferred.every(({ dot }) => plan.copies.get(dot)![1] === null)
  if (others.length === 0 || !isPowerOfTwo(plans.length) || !isComputed) return null
  const rights = new Set(plans.map(each => operandKey(each, 1)))
  if (rights.size < plans.length || !others.every(other => isAlike(first, other))) return null
  const columns = first.n * plans.length
  const isOne = 2 ** first.acc.registers.length === sumsOfTile(first)
  if (!isPowerOfTwo(first.n) || columns > maxInstructionColumns || !isOne) return null
  const sharedB = reordered(swizzledRows([first.k, columns], first.innerB, itemBytes(first.operand)), first.depth)
  const acc = warpgroupLayout([first.m, columns], first.acc.warps.length)
  const parts = plans.map((_, i) => partOf(sharedB, first, i, plans.length))
  if (parts.some(part => part === null) || acc.registers.length !== first.acc.registers.length + bitsOf(plans.length))
    return null
  return { dots: deferred, plan: { ...first, n: columns, acc, sharedB }, parts: parts as JointDots['parts'] }
}

const isAlike = (one: DotPlan, other: DotPlan): boolean =>
  operandKey(one, 0) === operandKey(other, 0) &&
  one.n === other.n &&
  one.innerB === other.innerB &&
  one.accumulator === other.accumulator &&
  String(one.depth) === String(other.depth)

/** The part of columns i · n and up; null: the swizzle interleaves it with other parts. */
function partOf(all: SharedLayout, { k, n }: DotPlan, i: number, count: number): JointDots['parts'][number] | null {
  const [own, extra] = [bitsOf(n), bitsOf(count)]
  const between = all.offsets.slice(own, own + extra)
  const offsets = [...all.offsets.slice(0, own), ...all.offsets.slice(own + extra)]
  const mask = between.reduce((a, b) => a | b, 0)
  if (!between.every(isPowerOfTwo) || offsets.some(offset => (offset & mask) !== 0)) return null
  const start = between.reduce((sum, offset, bit) => sum + ((i >> bit) & 1 ? offset : 0), 0)
  return { layout: { ...all, shape: [k, n], offsets, size: all.size / count }, start }
}
