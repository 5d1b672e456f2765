/** The precision to which values are needed: 16-bit stores round away the rest, so cheaper formulas suffice. */
import { nodesOf } from '../../ir/walk.js'
import { type LaneNode, type LaneProgram, laneDialect, pointerType } from '../../lane/ir.js'
import type { Results } from '../../math/formula.js'

/**
 * For a kernel that stores only 16-bit floats the more precise format of them. In other kernels, for values that reach nothing but
 * stores of 16-bit floats, the more precise format of these. Else full.
 */
export function resultsOf({ body }: LaneProgram): (node: LaneNode) => Results {
  const nodes = nodesOf<LaneNode>(body)
  const all = nodes.filter(isResult).map(storedAs).reduce<Results | null>(finer, null) ?? 'full'
  if (all !== 'full') return () => all
  const needed = neededBy(nodes)
  return node => needed.get(node) ?? 'full'
}

/** What each value is needed to, where it is used. */
function neededBy(nodes: readonly LaneNode[]): ReadonlyMap<LaneNode, Results> {
  const needed = new Map<LaneNode, Results>()
  const use = (node: LaneNode, results: Results): void =>
    void needed.set(node, finer(needed.get(node) ?? null, results))
  // Users before what they use.
  for (const node of nodes.toReversed()) {
    const passed = laneDialect.ops[node.op].effect === 'pure' ? (needed.get(node) ?? 'full') : 'full'
    for (const [i, input] of node.inputs.entries()) use(input, i === 2 && isStore(node) ? storedAs(node) : passed)
    for (const { results } of node.blocks) for (const result of results) use(result, 'full')
  }
  return needed
}

const isStore = ({ op }: LaneNode): boolean => op === 'store' || op === 'scatter'

const isResult = (node: LaneNode): boolean =>
  (isStore(node) || node.op === 'atomic') && pointerType(node.inputs[0]!).space === 'global'

function storedAs({ inputs }: LaneNode): Results {
  const { dtype, space } = pointerType(inputs[0]!)
  return space === 'global' && (dtype === 'f16' || dtype === 'bf16') ? dtype : 'full'
}

const fineness = ['bf16', 'f16', 'full'] as const

const finer = (a: Results | null, b: Results): Results =>
  a !== null && fineness.indexOf(a) > fineness.indexOf(b) ? a : b
