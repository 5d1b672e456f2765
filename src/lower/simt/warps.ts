/** How many warps run a program instance: enough for the work of its largest tile, few enough that each has some. */
import { nodesOf } from '../../ir/walk.js'
import type { TileNode, TileProgram } from '../../tile/ir.js'
import { bitsOf, totalBits } from './layout.js'

/** Elements of the largest tile that each thread should have, about. */
const elementsPerThread = 8
const maxWarps = 16

const isMemory = (node: TileNode): boolean => node.op !== 'view' && node.type.kind === 'tile'

/** A power of two. */
export function warpsOf(program: TileProgram): number {
  const { warps } = program.hints
  if (warps !== undefined) return 2 ** Math.min(5, bitsOf(Math.max(1, warps)))
  let [largest, products] = [1, 0]
  for (const node of nodesOf(program.body)) {
    if (!isMemory(node) || node.type.kind !== 'tile') continue
    if (node.op === 'dot') products = Math.max(products, 2 ** totalBits(node.type.shape))
    largest = Math.max(largest, 2 ** totalBits(node.type.shape))
  }
  if (products >= 128 * 128) return 8
  if (products >= 64 * 32) return 4
  const wanted = Math.ceil(largest / (32 * elementsPerThread))
  return Math.max(1, Math.min(largest >= 16384 ? maxWarps : 8, wanted))
}
