/** Analyses of loop programs for scheduling. */
import { nodesOf } from '../ir/walk.js'
import { scalarOp } from '../scalar/ops.js'
import type { Access } from './access.js'
import { coordsOf, type LoopNode, type LoopProgram, type StoreNode, storesOf, templatesOf } from './ir.js'

/** Arithmetic per element, in the units of the scalar table. */
export function costOf(node: LoopNode): number {
  switch (node.op) {
    case 'map':
      return scalarOp(node.attrs.fn).cost
    case 'random':
      return 120
    case 'cast':
    case 'reduce':
      return 1
    default:
      return 0
  }
}

/** The accesses of a program in order: loads and gathers, then stores, then rows. */
export function accessesOf({ body }: LoopProgram): Access[] {
  const reads = nodesOf<LoopNode>(body).flatMap(node =>
    node.op === 'load' || node.op === 'gather' ? [node.attrs.access] : [],
  )
  const others = body.body.flatMap(node => {
    if (node.op === 'store' || node.op === 'update') return [node.attrs.access]
    return node.op === 'template' ? [...node.attrs.rows, ...node.attrs.stored].map(({ access }) => access) : []
  })
  return [...reads, ...others]
}

/** True when a store writes an element per index of the reduced dims, even if the value does not depend on them. */
export const isPerElement = ({ inputs, attrs }: StoreNode, { reduced }: LoopProgram): boolean =>
  [...coordsOf(inputs[0]!), ...attrs.access.index.terms.keys()].some(coord => reduced.has(coord))

/** Per node, the longest chain of dependent reductions up to it. */
export function reductionDepths({ body }: LoopProgram): Map<LoopNode, number> {
  const found = new Map<LoopNode, number>()
  for (const node of nodesOf<LoopNode>(body)) {
    const before = Math.max(0, ...node.inputs.map(input => found.get(input)!))
    found.set(node, before + (node.op === 'reduce' ? 1 : 0))
  }
  return found
}

/** True for independent reductions with an epilogue on their results. */
export const isPlainReduction = (program: LoopProgram): boolean =>
  isSplittable(program) && storesOf(program).every(store => !isPerElement(store, program))

/** True for independent reductions that can be split into partial ones: what is stored per element, if anything is, needs none of them. */
export function isSplittable(program: LoopProgram): boolean {
  if (program.reduced.size === 0 || templatesOf(program).length > 0) return false
  const depths = reductionDepths(program)
  if (Math.max(...depths.values()) > 1) return false
  return storesOf(program).every(store => depths.get(store) === 0 || !isPerElement(store, program))
}
