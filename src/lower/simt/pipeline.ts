/**
 * Loops over products overlap with memory: while a round multiplies, the operands of later rounds are on their way to
 * shared memory, in stages that are used in turn. Operands that the loop does not change are brought there once, before
 * it. Only plain loads whose offsets follow from the loop's counter can run ahead.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import type { AsyncPlan } from './async-copies.js'
import type { Context } from './context.js'
import { operandAlignment, operandKey } from './dot-layouts.js'
import type { Scalar, Value } from './memory.js'
import { type Staged, startCopies, storeOperand } from './operands.js'
import { isRenaming } from './renaming.js'
import type { Rounds } from './rounds.js'
import type { SharedLayout } from './shared-layout.js'
import type { SharedBuffer } from './shared-memory.js'

/** An operand of a dot, or of several, in the loop's body. */
interface Operand {
  readonly key: string
  readonly dot: TileNode
  readonly position: 0 | 1
  readonly layout: SharedLayout
  /** Of its place in shared memory. */
  readonly alignment: number
  readonly copy: AsyncPlan | null
}

/** What a loop keeps in shared memory. */
export interface PipelinePlan {
  /** Loaded ahead, a stage per round. */
  readonly staged: readonly Operand[]
  /** The same in every round. */
  readonly resident: readonly Operand[]
  readonly stages: number
}

/** Loops with so many bytes per stage have one stage less: blocks should share a multiprocessor. */
const largeStage = 32 * 1024
const defaultStages = 4

export function planPipeline(context: Context, rounds: Rounds): PipelinePlan | null {
  if (context.maxStages === 0) return null
  const all = [...rounds.body]
    .filter(node => node.op === 'dot')
    .flatMap(dot => operandsOf(context, dot))
    .filter(({ dot, position }) => position === 1 || !context.plan.leftInRegisters.has(dot))
  const operands = [...new Map(all.map(operand => [operand.key, operand])).values()]
  const resident = operands.filter(({ dot, position }) => !changes(dot.inputs[position]!, rounds))
  const staged = operands.filter(
    operand => operand.copy !== null && !resident.includes(operand) && rounds.runsAhead(operand.copy.access),
  )
  if (staged.length + resident.length === 0) return null
  const bytesOf = ({ dot, layout, alignment }: Operand): number =>
    layout.size * itemBytes(tileType(dot.inputs[0]!).dtype) + alignment
  const fixed = resident.reduce((sum, operand) => sum + bytesOf(operand), 0)
  const each = staged.reduce((sum, operand) => sum + bytesOf(operand), 0)
  // What else the loop does in shared memory needs room too.
  const free = context.shared.free / 2 > fixed + each ? context.shared.free - ringSpace : 0
  const usual = context.program.hints.stages ?? (each > largeStage ? defaultStages - 1 : defaultStages)
  const wanted = Math.min(usual, context.maxStages)
  const stages = each === 0 ? 0 : Math.min(Math.max(1, wanted), Math.floor((free - fixed) / each))
  if (staged.length > 0 && stages < 2)
    return resident.length > 0 && fixed < free ? { staged: [], resident, stages: 0 } : null
  return fixed + stages * each <= free ? { staged, resident, stages } : null
}

const ringSpace = 8 * 1024

function operandsOf(context: Context, dot: TileNode): Operand[] {
  const plan = context.plan.dots.get(dot)!
  const copies = context.plan.copies.get(dot)!
  return ([0, 1] as const).map(position => ({
    key: operandKey(plan, position),
    dot,
    position,
    layout: position === 0 ? plan.sharedA : plan.sharedB,
    alignment: operandAlignment(plan),
    copy: copies[position]!,
  }))
}

/** True when a tile is made anew in each round: it, or what it renames, is computed in the loop. */
function changes(node: TileNode, rounds: Rounds): boolean {
  return isRenaming(node) ? changes(node.inputs[0]!, rounds) : rounds.varies(node)
}

/** The code of one loop's pipeline. */
export class Pipeline {
  readonly #buffers = new Map<string, SharedBuffer>()

  constructor(
    readonly context: Context,
    readonly plan: PipelinePlan,
    readonly rounds: Rounds,
    readonly scalar: Scalar,
    readonly value: Value,
  ) {}

  get isStaged(): boolean {
    return this.plan.stages > 1
  }

  /** Before the loop: what stays, and the first rounds' operands. */
  enter(from: LaneNode, to: LaneNode, step: LaneNode): void {
    this.#reserve()
    const { builder } = this.context.lanes
    this.#bringResident()
    if (!this.isStaged) {
      this.context.shared.barrier()
      return
    }
    for (let round = 0; round < this.plan.stages - 1; round++) {
      const counter = this.context.lanes.add(from, this.context.lanes.mul(step, this.context.lanes.index(round)))
      this.#fetch(counter, to, this.context.i32(round))
      builder.node('asyncCommit', [], {})
    }
  }

  #reserve(): void {
    const { shared } = this.context
    const { staged, resident, stages } = this.plan
    const reserve = ({ key, dot, position, layout, alignment }: Operand, count: number): void => {
      const { dtype } = tileType(dot.inputs[position]!)
      const name = position === 0 ? 'a' : 'b'
      const buffer = shared.keep({ dtype, count: layout.size * count, name, alignment }, dot.origin.at)
      this.#buffers.set(key, buffer)
      shared.write(buffer)
    }
    for (const operand of resident) reserve(operand, 1)
    for (const operand of staged) reserve(operand, stages)
  }

  #bufferOf({ key }: Operand): SharedBuffer {
    return this.#buffers.get(key)!
  }

  #bringResident(): void {
    const { context } = this
    let copies = false
    for (const operand of this.plan.resident) {
      const { key, dot, position, layout, copy } = operand
      const staged: Staged = { buffer: this.#bufferOf(operand), layout, start: null }
      if (copy !== null) {
        startCopies(context, copy, staged.buffer, null, this.scalar)
        copies = true
      } else {
        const from = context.plan.operandLayout(dot, position)
        storeOperand(context, staged, position === 0 ? 1 : 0, from, this.value(dot.inputs[position]!, from))
      }
      context.staged.set(key, staged)
    }
    if (copies) {
      context.lanes.builder.node('asyncCommit', [], {})
      context.lanes.builder.node('asyncWait', [], { pending: 0 })
    }
    this.#publish(this.plan.resident)
  }

  /** Lets warpgroups see what this thread brought, after the next barrier. */
  #publish(operands: readonly Operand[]): void {
    const { dots } = this.context.plan
    if (operands.some(({ dot }) => dots.get(dot)!.method === 'wgmma'))
      this.context.lanes.builder.node('proxyFence', [], {})
  }

  /** Starts the copies of the round with this counter, if there is one. */
  #fetch(counter: LaneNode, to: LaneNode, stage: LaneNode): void {
    const { context } = this
    const { lanes } = context
    const start = (): readonly LaneNode[] => {
      for (const operand of this.plan.staged) {
        const first = lanes.mul(stage, context.i32(operand.layout.size))
        startCopies(context, operand.copy!, this.#bufferOf(operand), first, node =>
          this.rounds.scalarAt(node, counter, this.scalar),
        )
      }
      return []
    }
    lanes.branch(lanes.map('lt', counter, to), 'fetch ahead', start, () => [])
  }

  /**
   * At the start of a round: waits for its operands, starts those of the round that is `stages − 1` ahead. Gives the
   * stage of the next round.
   */
  turn(counter: LaneNode, to: LaneNode, step: LaneNode, stage: LaneNode): LaneNode {
    const { context } = this
    const { lanes } = context
    const { stages } = this.plan
    lanes.builder.node('asyncWait', [], { pending: stages - 2 })
    this.#publish(this.plan.staged)
    context.shared.barrier()
    const ahead = lanes.add(counter, lanes.mul(step, lanes.index(stages - 1)))
    const isFirst = lanes.map('eq', stage, context.i32(0))
    const free = lanes.map('where', isFirst, context.i32(stages - 1), lanes.sub(stage, context.i32(1)))
    this.#fetch(ahead, to, free)
    lanes.builder.node('asyncCommit', [], {})
    for (const operand of this.plan.staged) {
      const { key, layout } = operand
      const start = lanes.mul(stage, context.i32(layout.size))
      context.staged.set(key, { buffer: this.#bufferOf(operand), layout, start })
    }
    const next = lanes.add(stage, context.i32(1))
    return lanes.map('where', lanes.map('eq', next, context.i32(stages)), context.i32(0), next)
  }

  /** After the loop. */
  leave(): void {
    const all = [...this.plan.resident, ...this.plan.staged]
    for (const operand of all.toReversed()) {
      this.context.staged.delete(operand.key)
      this.context.shared.release(this.#bufferOf(operand))
    }
  }
}
