/**
 * Estimates the arithmetic of one program instance from the kernel's text, for reports and for splitting work over threads.
 */
import { scalarOp } from '../../scalar/ops.js'
import { type TileBlock, type TileNode, type TileProgram, tileType } from '../../tile/ir.js'

/** Assumed trip count of a loop whose bounds are known only at run time. */
const unknownTripCount = 16

/** Arithmetic in the units of the scalar table. */
export const programFlops = ({ body }: TileProgram): number => blockFlops(body, new Set())

/** The FLOPs of a block; nodes in `seen` are counted already. */
function blockFlops(block: TileBlock, seen: Set<TileNode>): number {
  let flops = 0
  const stack = [...block.results, ...block.body]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (seen.has(node)) continue
    seen.add(node)
    flops += ownFlops(node)
    for (const inner of node.blocks) flops += tripCount(node) * blockFlops(inner, seen)
    stack.push(...node.inputs)
  }
  return flops
}

/** The FLOPs of one node without its inner blocks. */
function ownFlops(node: TileNode): number {
  switch (node.op) {
    case 'map':
      if (tileType(node).shape.length === 0 && tileType(node).dtype === 'i64') return 0 // index arithmetic
      return scalarOp(node.attrs.fn).cost * elements(node)
    case 'dot':
      return 2 * elements(node) * (tileType(node.inputs[0]!).shape[1] ?? 1)
    case 'reduce':
    case 'scan':
    case 'histogram':
    case 'binOrder':
      return elements(node.inputs[0]!)
    default:
      return 0
  }
}

const elements = (node: TileNode): number => tileType(node).shape.reduce((product, size) => product * size, 1)

function tripCount(node: TileNode): number {
  if (node.op === 'if') return 1
  const [from, to, step] = node.inputs
  if (node.op !== 'range' || from?.op !== 'const' || to?.op !== 'const' || step?.op !== 'const') return unknownTripCount
  return Math.max(0, Math.ceil((Number(to.attrs.value) - Number(from.attrs.value)) / Number(step.attrs.value)))
}
