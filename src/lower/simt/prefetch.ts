/**
 * Operands of products that pass registers (they are converted, scaled, masked) are loaded a round ahead: the loop
 * carries what it will need next, so that memory works while the round multiplies.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { dtypeInfo } from '../../types/dtype.js'
import { blockAccess } from './access.js'
import type { Context } from './context.js'
import { registerCount } from './layout.js'
import { emitLoad, type Scalar } from './memory.js'
import { isRenaming } from './renaming.js'
import type { Rounds } from './rounds.js'

type Load = Extract<TileNode, { op: 'load' }>

/** Registers of 32 bits per thread that may be held for the next round. */
const maxRegisters = 64

/** Loads of the loop's body that feed its products and can run ahead. */
export function planPrefetch(context: Context, rounds: Rounds): readonly Load[] {
  const found = new Set<Load>()
  for (const node of rounds.body) {
    if (node.op !== 'dot') continue
    const copies = context.plan.copies.get(node)!
    for (const i of [0, 1]) if (copies[i] === null) collect(context, rounds, node.inputs[i]!, found)
  }
  let registers = 0
  return [...found].filter(load => {
    registers += registersOf(context, load)
    return registers <= maxRegisters
  })
}

const registersOf = (context: Context, load: Load): number =>
  Math.max(1, (registerCount(context.plan.home(load)) * dtypeInfo(tileType(load).dtype).bits) / 32)

function collect(context: Context, rounds: Rounds, node: TileNode, found: Set<Load>): void {
  if (!rounds.varies(node)) return
  if (node.op === 'load') {
    const isUnchanged = context.plan.writes.keeps(context.program.body, node)
    if (context.plan.wanted(node).length > 0 && isUnchanged && rounds.runsAhead(blockAccess(node))) found.add(node)
  } else if (node.op === 'map' || node.op === 'cast' || node.op === 'bitcast' || isRenaming(node)) {
    for (const input of node.inputs) if (input.type.kind === 'tile') collect(context, rounds, input, found)
  }
}

/** The load as the first round does it; anything when there is none. */
export function loadFirst(
  context: Context,
  rounds: Rounds,
  load: Load,
  from: LaneNode,
  to: LaneNode,
  scalar: Scalar,
): LaneNode {
  const isRound = context.lanes.map('lt', from, to)
  const isSure = isRound.op === 'const' && Number(isRound.attrs.value) !== 0
  return loadAt(context, rounds, load, from, scalar, isSure ? null : isRound)
}

/** The load as the round after the present one does it; in the last round once more as this one. */
export function loadNext(
  context: Context,
  rounds: Rounds,
  load: Load,
  [counter, to, step]: readonly [LaneNode, LaneNode, LaneNode],
  scalar: Scalar,
): LaneNode {
  const { lanes } = context
  const next = lanes.add(counter, step)
  const at = lanes.map('where', lanes.map('lt', next, to), next, counter)
  return loadAt(context, rounds, load, at, scalar, null)
}

function loadAt(
  context: Context,
  rounds: Rounds,
  load: Load,
  counter: LaneNode,
  scalar: Scalar,
  only: LaneNode | null,
): LaneNode {
  const scalarThen = (node: TileNode): LaneNode => rounds.scalarAt(node, counter, scalar)
  return context.at(load, () => emitLoad(context, load, context.plan.home(load), scalarThen, only))
}
