/** Loop programs as text: their loops, then their body. */
import { print } from '../ir/print.js'
import { type LoopNode, type LoopProgram, loopDialect } from './ir.js'

export function printLoops({ coords, reduced, alone, ops, body }: LoopProgram): string {
  const loops = [...coords].map(([coord, size]) => {
    const marks = [...(reduced.has(coord) ? ['reduced'] : []), ...(coord === alone ? ['alone'] : [])]
    return [`c${coord} < ${size}`, ...marks].join(' ')
  })
  return `${ops.join(', ')} for ${loops.join(', ') || 'one element'}\n${print<LoopNode>(loopDialect, body)}`
}
