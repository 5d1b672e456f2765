/** The precision of a kernel's results: 16-bit stores round away the rest, so cheaper formulas suffice. */
import { nodesOf } from '../../ir/walk.js'
import { type LaneNode, type LaneProgram, pointerType } from '../../lane/ir.js'
import type { Results } from '../../math/formula.js'

/** The more precise format when the kernel stores only 16-bit floats, else full. */
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
