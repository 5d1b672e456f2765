/** The number of warps per program instance: enough for its largest tile, few enough that each has work. */
import { nodesOf } from '../../ir/walk.js'
import { type TileNode, type TileProgram, tileType } from '../../tile/ir.js'
import { onMatrixUnit } from './dot-layouts.js'
import { bitsOf, laneBits, totalBits } from './layout.js'

/** Target elements of the largest tile per thread. */
const elementsPerThread = 8
const maxWarps = 16

const isMemory = (node: TileNode): boolean => node.op !== 'view' && node.type.kind === 'tile'

/** How many dots share an operand with this one, itself included: their accumulators are live at the same time. */
const siblingsOf = (dot: TileNode, dots: readonly TileNode[]): number =>
  dots.filter(({ inputs: [a, b] }) => a === dot.inputs[0] || b === dot.inputs[1]).length

/** The number of warps per CTA, a power of two: by the kernel's hint, or from the sizes of its tiles. */
export function warpsOf(program: TileProgram): number {
  const { warps } = program.hints
  if (warps !== undefined) return 2 ** Math.min(5, bitsOf(Math.max(1, warps)))
  const nodes = [...nodesOf(program.body)]
  const dots = nodes.filter(node => node.op === 'dot')
  let [largest, products] = [1, 0]
  for (const node of nodes) {
    if (!isMemory(node) || node.type.kind !== 'tile') continue
    const elements = 2 ** totalBits(node.type.shape)
    if (node.op === 'dot') products = Math.max(products, elements * siblingsOf(node, dots))
    largest = Math.max(largest, elements)
  }
  if (products >= 128 * 128) return 8
  if (products >= 64 * 32) return 4
  // Multiply-adds read each operand for several results.
  const isPlain = new Set(dots.map(dot => String(tileType(dot).shape))).size === 1 && !dots.some(onMatrixUnit)
  const few = isPlain ? products : largest
  const wanted = Math.ceil(Math.min(few, largest) / (2 ** laneBits * elementsPerThread))
  return Math.max(1, Math.min(largest >= 16384 ? maxWarps : 8, wanted))
}
