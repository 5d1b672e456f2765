/**
 * Products of warpgroups run on while their loop goes on: a round starts its products at its end and meets those of the
 * round before last. That is so when nothing in the body looks at the sums: they come from the round before and go to
 * the next one as they are.
 */
import { useCounts } from '../../ir/walk.js'
import type { TileBlock, TileNode } from '../../tile/ir.js'
import { sameLayout } from './layout.js'
import type { LayoutPlan } from './plan.js'

/** A product that a loop carries on, by the place of its sums among the carried values. */
export interface DeferredDot {
  readonly dot: TileNode
  readonly slot: number
}

/** All products of a loop's body, or none. */
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
    // Sums of 8-bit floats are made apart.
    codes === undefined &&
    dot.inputs[2] === param &&
    uses.get(param) === 1 &&
    uses.get(dot) === 1 &&
    sameLayout(plan.slotLayouts(range)[slot]!, acc)
  )
}
