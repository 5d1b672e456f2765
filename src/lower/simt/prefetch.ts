/**
 * Prefetch into registers, for dot operands that cp.async cannot copy (they are converted, scaled, masked): the loop carries
 * the values that later iterations need, so loads overlap with computing. Packed formats need few registers, so they are
 * prefetched several iterations ahead, because memory latency exceeds an iteration.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { dtypeInfo } from '../../types/dtype.js'
import { blockAccess } from './access.js'
import type { Context, Scalar } from './context.js'
import type { Iterations } from './iterations.js'
import { registerCount } from './layout.js'
import { emitLoad } from './memory.js'
import { isRenaming } from './renaming.js'

export type Load = Extract<TileNode, { op: 'load' }>

/** Limits in 32-bit registers per thread: for the next iteration, and for all prefetched iterations. */
const maxRegisters = 64
const maxRegistersAhead = 48
const maxIterations = 4

export interface Prefetch {
  /** Loads in the loop's body that feed its dots and can be prefetched. */
  readonly loads: readonly Load[]
  /** Prefetch distance in iterations. */
  readonly iterations: number
}

/** Loads in the loop's body that feed computed operands of dots and whose offsets are known iterations ahead. */
export function loadsOf(context: Context, iterations: Iterations, dots: Iterable<TileNode>): readonly Load[] {
  const found = new Set<Load>()
  for (const dot of dots) {
    const copies = context.plan.copies.get(dot)!
    for (const i of [0, 1]) if (copies[i] === null) collect(context, iterations, dot.inputs[i]!, found)
  }
  return [...found]
}

/** `staged`: loads already prefetched to shared memory. */
export function planPrefetch(context: Context, iterations: Iterations, staged: readonly Load[]): Prefetch {
  const dots = [...iterations.body].filter(node => node.op === 'dot')
  let registers = 0
  const loads = loadsOf(context, iterations, dots).filter(load => {
    if (staged.includes(load)) return false
    registers += registersOf(context, load)
    return registers <= maxRegisters
  })
  // wgmma's fence waits for all outstanding loads.
  const isFenced = dots.some(dot => context.plan.dots.get(dot)!.method === 'wgmma')
  const each = loads.reduce((sum, load) => sum + registersOf(context, load), 0)
  const limit = isFenced ? 1 : maxIterations
  return { loads, iterations: Math.max(1, Math.min(limit, Math.floor(maxRegistersAhead / each))) }
}

const registersOf = (context: Context, load: Load): number =>
  Math.max(1, (registerCount(context.plan.home(load)) * dtypeInfo(tileType(load).dtype).bits) / 32)

/** Adds the loads behind a node that may be issued an iteration ahead to `found`. */
function collect(context: Context, iterations: Iterations, node: TileNode, found: Set<Load>): void {
  if (!iterations.varies(node)) return
  if (node.op === 'load') {
    const isUnchanged = context.plan.writes.keeps(context.program.body, node)
    if (context.plan.wanted(node).length > 0 && isUnchanged && iterations.runsAhead(blockAccess(node))) found.add(node)
  } else if (node.op === 'map' || node.op === 'cast' || node.op === 'bitcast' || isRenaming(node)) {
    for (const input of node.inputs) if (input.type.kind === 'tile') collect(context, iterations, input, found)
  }
}

/** The loads of the first iterations in order; undefined values where an iteration does not exist. */
export function loadFirst(
  context: Context,
  iterations: Iterations,
  { loads, iterations: distance }: Prefetch,
  [from, to, step]: LoopBounds,
  scalar: Scalar,
): LaneNode[] {
  const exists = context.lanes.map('lt', from, to)
  const isSure = exists.op === 'const' && Number(exists.attrs.value) !== 0
  return Array.from({ length: distance }, (_, ahead) => {
    const at = ahead === 0 ? from : iterationAhead(context, [from, to, step], ahead)
    return loads.map(load => loadAt(context, iterations, load, at, scalar, isSure ? null : exists))
  }).flat()
}

/** The loads of the iteration `distance` ahead; if it does not exist, those of the current iteration again. */
export function loadNext(
  context: Context,
  iterations: Iterations,
  { loads, iterations: distance }: Prefetch,
  bounds: LoopBounds,
  scalar: Scalar,
): LaneNode[] {
  const at = iterationAhead(context, bounds, distance)
  return loads.map(load => loadAt(context, iterations, load, at, scalar, null))
}

/** The current iteration's counter, its exclusive bound and its step. */
export type LoopBounds = readonly [counter: LaneNode, to: LaneNode, step: LaneNode]

/** The counter of a later iteration, or the current one where that does not exist. */
function iterationAhead({ lanes }: Context, [counter, to, step]: LoopBounds, distance: number): LaneNode {
  const next = lanes.add(counter, lanes.mul(step, lanes.index(distance)))
  return lanes.map('where', lanes.map('lt', next, to), next, counter)
}

function loadAt(
  context: Context,
  iterations: Iterations,
  load: Load,
  counter: LaneNode,
  scalar: Scalar,
  only: LaneNode | null,
): LaneNode {
  const scalarThen = (node: TileNode): LaneNode => iterations.scalarAt(node, counter, scalar)
  return context.at(load, () => emitLoad(context, load, context.plan.home(load), scalarThen, only))
}
