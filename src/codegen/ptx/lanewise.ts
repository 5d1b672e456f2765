/**
 * Which vectors are computed one lane after the other. An op on a vector is an instruction per lane, and the ops of a long
 * formula follow each other, so that all lanes' intermediate values are in registers at once. Where a formula is long and
 * vectors are wide, they would not fit.
 */
import { nodesOf } from '../../ir/walk.js'
import type { LaneNode, LaneProgram } from '../../lane/ir.js'

const wide = 16
/** Ops of a long formula. */
const long = 100

const lanesOf = ({ type }: LaneNode): number => (type.kind === 'value' ? type.lanes : 0)

/** Ops that compute each lane from the same lane of their inputs. */
export const isLanewise = (node: LaneNode): boolean =>
  (node.op === 'map' || node.op === 'cast' || node.op === 'bitcast') &&
  node.inputs.every(input => lanesOf(input) === lanesOf(node))

/** Of which each lane is a lane of an input. */
const isMove = ({ op }: LaneNode): boolean => op === 'concat' || op === 'slice' || op === 'extract' || op === 'splat'

/** The results of long formulas on wide vectors, as other ops read them. */
export function lanewiseResults({ body }: LaneProgram): ReadonlySet<LaneNode> {
  const nodes = [...nodesOf(body)]
  const isPart = (node: LaneNode): boolean => isLanewise(node) || isMove(node)
  const results = new Set<LaneNode>()
  const read = (node: LaneNode): void => {
    if (isPart(node) && lanesOf(node) >= wide) results.add(node)
  }
  for (const node of nodes) {
    if (!isPart(node)) node.inputs.forEach(read)
    for (const block of node.blocks) block.results.forEach(read)
  }
  body.results.forEach(read)
  const formulas = [...results].map(result => ({ result, ops: formulaOf(result, isPart, results) }))
  const found = new Set<LaneNode>()
  const shared = new Set<LaneNode>()
  // What reads a part of a long formula is computed with it, not once more.
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const { result, ops } of formulas) {
      if (found.has(result) || (ops.length < long && !ops.some(op => shared.has(op)))) continue
      found.add(result)
      for (const op of ops) shared.add(op)
    }
  }
  return found
}

/** The lanewise ops of a formula, up to results of other ones. */
function formulaOf(
  result: LaneNode,
  isPart: (node: LaneNode) => boolean,
  results: ReadonlySet<LaneNode>,
): readonly LaneNode[] {
  const seen = new Set<LaneNode>()
  const ops: LaneNode[] = []
  const stack = [result]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node) || !isPart(node) || (node !== result && results.has(node))) continue
    seen.add(node)
    if (isLanewise(node) && lanesOf(node) > 1) ops.push(node)
    stack.push(...node.inputs)
  }
  return ops
}
