/**
 * Operands of products that pass registers (they are converted, scaled, masked) are loaded some rounds ahead: the loop
 * carries what it will need next, so that memory works while the rounds multiply. Packed numbers take few registers, and
 * memory longer than a round.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { dtypeInfo } from '../../types/dtype.js'
import { blockAccess } from './access.js'
import type { Context, Scalar } from './context.js'
import { registerCount } from './layout.js'
import { emitLoad } from './memory.js'
import { isRenaming } from './renaming.js'
import type { Rounds } from './rounds.js'

export type Load = Extract<TileNode, { op: 'load' }>

/** Registers of 32 bits per thread that may be held for the next round, and for all rounds ahead. */
const maxRegisters = 64
const maxRegistersAhead = 48
const mostRounds = 4

export interface Prefetch {
  /** Loads of the loop's body that feed its products and can run ahead. */
  readonly loads: readonly Load[]
  /** By how many rounds. */
  readonly rounds: number
}

/** Loads of the loop's body that feed the computed operands of products, and whose offsets are known rounds ahead. */
export function loadsOf(context: Context, rounds: Rounds, dots: Iterable<TileNode>): readonly Load[] {
  const found = new Set<Load>()
  for (const dot of dots) {
    const copies = context.plan.copies.get(dot)!
    for (const i of [0, 1]) if (copies[i] === null) collect(context, rounds, dot.inputs[i]!, found)
  }
  return [...found]
}

/** `brought`: loads that come to shared memory. */
export function planPrefetch(context: Context, rounds: Rounds, brought: readonly Load[]): Prefetch {
  const dots = [...rounds.body].filter(node => node.op === 'dot')
  let registers = 0
  const loads = loadsOf(context, rounds, dots).filter(load => {
    if (brought.includes(load)) return false
    registers += registersOf(context, load)
    return registers <= maxRegisters
  })
  // The fences of warpgroups' products wait for all of them.
  const isFenced = dots.some(dot => context.plan.dots.get(dot)!.method === 'wgmma')
  const each = loads.reduce((sum, load) => sum + registersOf(context, load), 0)
  const most = isFenced ? 1 : mostRounds
  return { loads, rounds: Math.max(1, Math.min(most, Math.floor(maxRegistersAhead / each))) }
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

/** The loads of the first rounds, one after another; anything where there is no round. */
export function loadFirst(
  context: Context,
  rounds: Rounds,
  { loads, rounds: distance }: Prefetch,
  [from, to, step]: LoopBounds,
  scalar: Scalar,
): LaneNode[] {
  const isRound = context.lanes.map('lt', from, to)
  const isSure = isRound.op === 'const' && Number(isRound.attrs.value) !== 0
  return Array.from({ length: distance }, (_, ahead) => {
    const at = ahead === 0 ? from : roundAhead(context, [from, to, step], ahead)
    return loads.map(load => loadAt(context, rounds, load, at, scalar, isSure ? null : isRound))
  }).flat()
}

/** The loads of the round that is as far ahead as can be; where there is none, once more of the present one. */
export function loadNext(
  context: Context,
  rounds: Rounds,
  { loads, rounds: distance }: Prefetch,
  bounds: LoopBounds,
  scalar: Scalar,
): LaneNode[] {
  const at = roundAhead(context, bounds, distance)
  return loads.map(load => loadAt(context, rounds, load, at, scalar, null))
}

/** The present round's counter, what it stays below, and its step. */
export type LoopBounds = readonly [counter: LaneNode, to: LaneNode, step: LaneNode]

/** The counter of a round ahead, or of this one where that would be none. */
function roundAhead({ lanes }: Context, [counter, to, step]: LoopBounds, distance: number): LaneNode {
  const next = lanes.add(counter, lanes.mul(step, lanes.index(distance)))
  return lanes.map('where', lanes.map('lt', next, to), next, counter)
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
