/**
 * Deferred wgmma: iteration i issues its wgmma group last and waits for group i − 2, so that the group runs while the
 * next iteration copies and decodes. Requires that only the dots use the accumulators in the loop's body: they enter as
 * loop-carried values, and the dots' results leave as the next values.
 */
import { useCounts } from '../../ir/walk.js'
import type { TileBlock, TileNode } from '../../tile/ir.js'
import { sameLayout } from './layout.js'
import type { LayoutPlan } from './plan.js'

/** A deferred dot, and the index of its accumulator among the loop-carried values. */
export interface DeferredDot {
  readonly dot: TileNode
  readonly slot: number
}

/** All dots of a loop's body, or none. */
export function deferredDots(plan: LayoutPlan, range: TileNode): readonly DeferredDot[] {
  const block = range.blocks[0]!
  const own = plan.order.get(block)!.filter(node => node.op === 'dot')
  const uses = useCounts(block)
  const found = own.flatMap(dot => {
    const slot = block.results.indexOf(dot)
    return slot >= 0 && isCarriedOn(plan, range, dot, slot, uses) ? [{ dot, slot }] : []
  })
  return found.length === dotsWithin(plan, block) ? found : []
}

function dotsWithin(plan: LayoutPlan, block: TileBlock): number {
  const inner = (node: TileNode): number => node.blocks.reduce((sum, each) => sum + dotsWithin(plan, each), 0)
  return plan.order.get(block)!.reduce((sum, node) => sum + Number(node.op === 'dot') + inner(node), 0)
}

/** True when a dot's accumulator is only passed to the next iteration, so its wgmma may still run when the next begins. */
function isCarriedOn(
  plan: LayoutPlan,
  range: TileNode,
  dot: TileNode,
  slot: number,
  uses: ReadonlyMap<TileNode, number>,
): boolean {
  const param = range.blocks[0]!.params[slot + 1]!
  const { method, acc, codes } = plan.dots.get(dot)!
  return (
    method === 'wgmma' &&
    // Dots of 8-bit floats accumulate separately and add to the accumulator, which reads it.
    codes === undefined &&
    dot.inputs[2] === param &&
    uses.get(param) === 1 &&
    uses.get(dot) === 1 &&
    sameLayout(plan.slotLayouts(range)[slot]!, acc)
  )
}
