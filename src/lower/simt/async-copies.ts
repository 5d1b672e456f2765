/**
 * Finds the dot operands that cp.async copies from global to shared memory, bypassing registers: plain loads (possibly
 * renamed) of memory that is not written before the use, in contiguous runs of a size that cp.async supports.
 */
import { type TileNode, tileType, viewType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { type BlockAccess, blockAccess, copyLayout, vectorRegisters } from './access.js'
import type { Facts } from './facts.js'
import { indexNames, type ThreadLayout } from './layout.js'
import { beforeRenaming, isRenaming } from './renaming.js'
import type { SharedLayout } from './shared-layout.js'
import type { Writes } from './writes.js'

/** The accesses of a copied load; each is contiguous in global and in shared memory. */
export interface AsyncPlan {
  readonly access: BlockAccess
  readonly layout: ThreadLayout
  readonly shared: SharedLayout
}

/** The load behind an operand, through renamings; null: the operand is computed, or the load pads with a value. */
function bareLoad(operand: TileNode): Extract<TileNode, { op: 'load' }> | null {
  let node = operand
  while (isRenaming(node) && node.op !== 'broadcast') node = node.inputs[0]!
  if (node.op !== 'load') return null
  return node.inputs.length === tileType(node).shape.length + 1 ? node : null
}

/** The shared-memory layout of the load when the operand is stored in `layout`. */
function layoutOfLoad(operand: TileNode, layout: SharedLayout): SharedLayout {
  let names = indexNames(layout.shape)
  let node = operand
  while (node.op !== 'load') {
    names = beforeRenaming(node, names)
    node = node.inputs[0]!
  }
  const offsets = new Array<number>(layout.offsets.length)
  names.registers.forEach((bit, i) => {
    offsets[bit] = layout.offsets[i]!
  })
  return { ...layout, shape: names.shape, offsets }
}

/** Sizes that cp.async supports. */
const copyBytes = [4, 8, 16]

/** Null: the operand is computed, its memory may be overwritten, or its accesses are too narrow. */
export function planCopy(
  facts: Facts,
  dot: TileNode,
  operand: TileNode,
  layout: SharedLayout,
  writes: Writes,
  warpBits: number,
): AsyncPlan | null {
  const load = bareLoad(operand)
  if (load === null || !writes.lasts(load, dot)) return null
  return planCopyTo(facts, blockAccess(load), layoutOfLoad(operand, layout), warpBits)
}

/** Null: the accesses are too narrow. */
export function planCopyTo(
  facts: Facts,
  access: BlockAccess,
  shared: SharedLayout,
  warpBits: number,
): AsyncPlan | null {
  const widest = copyLayout(facts, access, warpBits, Number.POSITIVE_INFINITY)
  const run = vectorRegisters(facts, access, widest).map(k => widest.registers[k]!)
  // Where memory and shared memory are contiguous along different dims, elements are copied one by one.
  const other = run.findIndex((bit, i) => shared.offsets[bit] !== 2 ** i)
  const own = other < 0 ? widest : copyLayout(facts, access, warpBits, other)
  const bits = vectorRegisters(facts, access, own).map(k => own.registers[k]!)
  const width = 2 ** bits.length
  const runs = bits.every((bit, i) => shared.offsets[bit] === 2 ** i)
  const aligned = shared.offsets.every((offset, bit) => bits.includes(bit) || offset % width === 0)
  const bytes = width * itemBytes(viewType(access.view).dtype)
  return runs && aligned && copyBytes.includes(bytes) ? { access, layout: own, shared } : null
}
