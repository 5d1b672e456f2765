/** What a kernel's stores round away need not be computed: 16-bit results allow cheaper formulas. */
import { nodesOf } from '../../ir/walk.js'
import { type LaneNode, type LaneProgram, pointerType } from '../../lane/ir.js'
import type { Results } from '../../math/formula.js'

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
