/**
 * Loops over products overlap with memory: while a round multiplies, the operands of later rounds are on their way to
 * shared memory, in stages that are used in turn. Operands that the loop does not change are brought there once, before
 * it. Only plain loads whose offsets follow from the loop's counter can run ahead. Where the products of a round may
 * still run in the next (deferred-dots.ts), computed operands have stages too, and no stage is filled again before the
 * products that read it are known to be over.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import type { AsyncPlan } from './async-copies.js'
import type { Context } from './context.js'
import { type DeferredDot, deferredDots } from './deferred-dots.js'
import { operandAlignment, operandKey } from './dot-layouts.js'
import { registerCount } from './layout.js'
import type { Scalar, Value } from './memory.js'
import { type Staged, startCopies, storeOperand } from './operands.js'
import { planRawLoads, type RawLoad, rawAlignment, rawBytes, readRaw } from './raw-loads.js'
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
  /** Computed in each round, whose products may still run in the next one: in `computedStages` stages. */
  readonly computed: readonly Operand[]
  /** What the computed operands are computed of, a round further ahead than the staged ones. */
  readonly raw: readonly RawLoad[]
  readonly stages: number
  readonly deferred: readonly DeferredDot[]
}

/** Loops with so many bytes per stage have one stage less: blocks should share a multiprocessor. */
const largeStage = 32 * 1024
const defaultStages = 4
/** Of loops whose products run on: a round less is ahead, and more ahead than this gains nothing. */
const mostDeferredStages = 6
/** One is written while the products of two rounds may run. */
const computedStages = 3

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
  const deferred = planDeferred(context, rounds, { staged, resident, computed: rest(operands, staged, resident) })
  if (deferred !== null) return deferred
  if (staged.length + resident.length === 0) return null
  const [fixed, each] = [bytesOf(resident), bytesOf(staged)]
  // What else the loop does in shared memory needs room too.
  const free = context.shared.free / 2 > fixed + each ? context.shared.free - ringSpace : 0
  const usual = each > largeStage ? defaultStages - 1 : defaultStages
  // While the warpgroups of one block wait for their products, those of another compute.
  const shared = operands.some(({ dot }) => context.plan.dots.get(dot)!.method === 'wgmma')
    ? stagesOfTwo(context, fixed, each)
    : 0
  const best = shared >= 2 ? Math.min(shared, defaultStages) : usual
  const wanted = Math.min(context.program.hints.stages ?? best, context.maxStages)
  const stages = each === 0 ? 0 : Math.min(Math.max(1, wanted), Math.floor((free - fixed) / each))
  if (shared >= 2 && stages <= shared) context.shareMultiprocessor(operands.map(({ dot }) => dot))
  const none = { computed: [], raw: [], deferred: [] }
  if (staged.length > 0 && stages < 2)
    return resident.length > 0 && fixed < free ? { staged: [], resident, stages: 0, ...none } : null
  return fixed + stages * each <= free ? { staged, resident, stages, ...none } : null
}

type Operands = Pick<PipelinePlan, 'staged' | 'resident' | 'computed'>

const rest = (all: readonly Operand[], ...taken: readonly (readonly Operand[])[]): Operand[] =>
  all.filter(operand => !taken.some(list => list.includes(operand)))

const bytesOf = (operands: readonly Operand[]): number =>
  operands.reduce(
    (sum, { dot, layout, alignment }) => sum + layout.size * itemBytes(tileType(dot.inputs[0]!).dtype) + alignment,
    0,
  )

/** Stages of `each` bytes, besides `fixed` ones, of each of two blocks that share a multiprocessor. */
const stagesOfTwo = ({ target: { arch } }: Context, fixed: number, each: number): number =>
  Math.floor((arch.sharedBytesPerMultiprocessor / 2 - ringSpace - fixed) / each)

/** Null: the loop's products end in their round, since something looks at them or memory is short. */
function planDeferred(context: Context, rounds: Rounds, operands: Operands): PipelinePlan | null {
  const deferred = deferredDots(context.plan, rounds.range)
  if (deferred.length === 0) return null
  const { staged, resident, computed } = operands
  const fixed = bytesOf(resident) + computedStages * bytesOf(computed)
  for (const raw of [planRawLoads(context, rounds, deferred), []]) {
    const each = bytesOf(staged) + raw.reduce((sum, load) => sum + rawBytes(load), 0)
    if (each === 0) return fixed + ringSpace <= context.shared.free ? { ...operands, raw, stages: 0, deferred } : null
    const stages = deferredStages(context, fixed, each)
    if (stages >= 3) return { ...operands, raw, stages, deferred }
  }
  return null
}

/** Stages of `each` bytes besides `fixed` ones, of loops whose products run on. */
function deferredStages(context: Context, fixed: number, each: number): number {
  // Two blocks share a multiprocessor, unless that leaves too few stages to hide how long memory takes.
  const shared = stagesOfTwo(context, fixed, each)
  const wanted =
    context.program.hints.stages ?? Math.min(mostDeferredStages, shared >= defaultStages ? shared : Infinity)
  const most = Math.floor((context.shared.free - ringSpace - fixed) / each)
  return Math.min(wanted, context.maxStages, most)
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
  readonly #rawBuffers = new Map<RawLoad, SharedBuffer>()
  /** The raw tiles of the round that comes next: they are on their way to registers while this round's products start. */
  rawNext: readonly LaneNode[] = []

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

  /** How many stages there are of what a round needs: a number for each that the loop counts. */
  get rings(): readonly number[] {
    const { stages, computed } = this.plan
    return [...(this.isStaged ? [stages] : []), ...(computed.length > 0 ? [computedStages] : [])]
  }

  get isDeferred(): boolean {
    return this.plan.deferred.length > 0
  }

  /** Rounds that copies are ahead: with products that still run, the stage of the last but one is free. */
  get #ahead(): number {
    return this.plan.stages - (this.isDeferred ? 2 : 1)
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
    const { lanes } = this.context
    const counterAt = (round: number): LaneNode => lanes.add(from, lanes.mul(step, lanes.index(round)))
    if (this.plan.raw.length > 0) {
      this.#fetchRaw(from, to, this.context.i32(0))
      builder.node('asyncCommit', [], {})
    }
    for (let round = 0; round < this.#ahead; round++) {
      this.#fetch(counterAt(round), to, this.context.i32(round))
      if (this.plan.raw.length > 0) this.#fetchRaw(counterAt(round + 1), to, this.context.i32(round + 1))
      builder.node('asyncCommit', [], {})
    }
    if (this.plan.raw.length === 0) return
    builder.node('asyncWait', [], { pending: this.#ahead })
    this.context.shared.barrier()
    this.rawNext = this.#readRawFirst(from, to)
  }

  /** What the operands of the round at a stage are computed of, once a barrier has shown it to all. */
  #readRaw(stage: LaneNode): LaneNode[] {
    return this.plan.raw.map(raw => readRaw(this.context, raw, this.#rawBuffers.get(raw)!, stage))
  }

  /** As `#readRaw` for the first round; anything when there is none. */
  #readRawFirst(from: LaneNode, to: LaneNode): readonly LaneNode[] {
    const { lanes } = this.context
    const read = (): LaneNode[] => this.#readRaw(this.context.i32(0))
    const isRound = lanes.map('lt', from, to)
    if (isRound.op === 'const') return read()
    const zeros = (): LaneNode[] =>
      this.plan.raw.map(({ load }) =>
        lanes.constant(tileType(load).dtype, 0, registerCount(this.context.plan.home(load))),
      )
    return lanes.branch(isRound, 'first round', read, zeros)
  }

  /** As `#readRaw` for the round after this one; of the last round once more. */
  #readRawAfter(counter: LaneNode, to: LaneNode, step: LaneNode, stage: LaneNode): LaneNode[] {
    if (this.plan.raw.length === 0) return []
    const { lanes } = this.context
    const isRound = lanes.map('lt', lanes.add(counter, step), to)
    return this.#readRaw(lanes.map('where', isRound, this.#next(stage, this.plan.stages), stage))
  }

  #reserve(): void {
    const { shared } = this.context
    const { staged, resident, computed, raw, stages } = this.plan
    const reserve = ({ key, dot, position, layout, alignment }: Operand, count: number): void => {
      const { dtype } = tileType(dot.inputs[position]!)
      const name = position === 0 ? 'a' : 'b'
      const buffer = shared.keep({ dtype, count: layout.size * count, name, alignment }, dot.origin.at)
      this.#buffers.set(key, buffer)
      shared.write(buffer)
    }
    for (const operand of resident) reserve(operand, 1)
    for (const operand of staged) reserve(operand, stages)
    for (const operand of computed) reserve(operand, computedStages)
    for (const each of raw) {
      const { dtype } = tileType(each.load)
      const count = each.copy.shared.size * stages
      const buffer = shared.keep({ dtype, count, name: 'raw', alignment: rawAlignment }, each.load.origin.at)
      this.#rawBuffers.set(each, buffer)
      shared.write(buffer)
    }
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
    // The first round waits for them together with its own.
    if (this.isStaged) return
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
    const copies = this.plan.staged.map(operand => ({ copy: operand.copy!, buffer: this.#bufferOf(operand) }))
    this.#copy(copies, counter, to, stage)
  }

  #fetchRaw(counter: LaneNode, to: LaneNode, stage: LaneNode): void {
    const copies = this.plan.raw.map(raw => ({ copy: raw.copy, buffer: this.#rawBuffers.get(raw)! }))
    this.#copy(copies, counter, to, stage)
  }

  #copy(
    copies: readonly { readonly copy: AsyncPlan; readonly buffer: SharedBuffer }[],
    counter: LaneNode,
    to: LaneNode,
    stage: LaneNode,
  ): void {
    if (copies.length === 0) return
    const { context, rounds } = this
    const { lanes } = context
    const scalar: Scalar = node => rounds.scalarAt(node, counter, this.scalar)
    const start = (): readonly LaneNode[] => {
      for (const { copy, buffer } of copies)
        startCopies(context, copy, buffer, lanes.mul(stage, context.i32(copy.shared.size)), scalar)
      return []
    }
    lanes.branch(lanes.map('lt', counter, to), 'fetch ahead', start, () => [])
  }

  /**
   * Before a round's products: waits for its operands, starts the copies of a later round. `at`: the round's place in
   * each ring; gives the next round's.
   */
  turn(counter: LaneNode, to: LaneNode, step: LaneNode, at: readonly LaneNode[]): LaneNode[] {
    const { context } = this
    const { lanes } = context
    const { staged, computed, resident } = this.plan
    const [stage] = at
    this.#storeComputed(at.at(-1))
    if (this.isStaged) lanes.builder.node('asyncWait', [], { pending: this.#ahead - 1 })
    this.#publish([...staged, ...computed, ...resident])
    // The products of the last round run on; those before it are over, in all threads after the barrier.
    if (this.isDeferred) lanes.builder.node('wgmmaWait', [], { pending: 1 })
    context.shared.barrier()
    if (this.isStaged) {
      this.rawNext = this.#readRawAfter(counter, to, step, stage!)
      this.#fetchAhead(counter, to, step, stage!)
      for (const operand of staged) this.#place(operand, stage!)
    }
    return this.rings.map((size, i) => this.#next(at[i]!, size))
  }

  #fetchAhead(counter: LaneNode, to: LaneNode, step: LaneNode, stage: LaneNode): void {
    const { lanes } = this.context
    const later = (rounds: number): LaneNode => lanes.add(counter, lanes.mul(step, lanes.index(rounds)))
    this.#fetch(later(this.#ahead), to, this.#stageLater(stage, this.#ahead))
    if (this.plan.raw.length > 0) this.#fetchRaw(later(this.#ahead + 1), to, this.#stageLater(stage, this.#ahead + 1))
    lanes.builder.node('asyncCommit', [], {})
  }

  /** The stage of so many rounds after that of `stage`. */
  #stageLater(stage: LaneNode, rounds: number): LaneNode {
    const { context } = this
    const { lanes } = context
    const behind = this.plan.stages - rounds
    const wraps = lanes.map('lt', stage, context.i32(behind))
    return lanes.map('where', wraps, lanes.add(stage, context.i32(rounds)), lanes.sub(stage, context.i32(behind)))
  }

  /** Where the round's dots find an operand. */
  #place(operand: Operand, stage: LaneNode): Staged {
    const { lanes } = this.context
    const { key, layout } = operand
    const start = lanes.mul(stage, this.context.i32(layout.size))
    const staged = { buffer: this.#bufferOf(operand), layout, start }
    this.context.staged.set(key, staged)
    return staged
  }

  /** All is computed before the first is stored: it may use shared memory itself. */
  #storeComputed(stage: LaneNode | undefined): void {
    const { context } = this
    const values = this.plan.computed.map(({ dot, position }) => {
      const from = context.plan.operandLayout(dot, position)
      return { from, value: this.value(dot.inputs[position]!, from) }
    })
    this.plan.computed.forEach((operand, i) => {
      const { from, value } = values[i]!
      storeOperand(context, this.#place(operand, stage!), operand.position === 0 ? 1 : 0, from, value)
    })
  }

  #next(at: LaneNode, size: number): LaneNode {
    const { lanes } = this.context
    const next = lanes.add(at, this.context.i32(1))
    return lanes.map('where', lanes.map('eq', next, this.context.i32(size)), this.context.i32(0), next)
  }

  /** Behind the loop: what it brought has come, even if no round waited for it. */
  end(): void {
    const brings = this.isStaged && this.plan.resident.some(({ copy }) => copy !== null)
    if (brings) this.context.lanes.builder.node('asyncWait', [], { pending: 0 })
  }

  /** After the loop's body. */
  leave(): void {
    for (const raw of this.plan.raw.toReversed()) this.context.shared.release(this.#rawBuffers.get(raw)!)
    const all = [...this.plan.resident, ...this.plan.staged, ...this.plan.computed]
    for (const operand of all.toReversed()) {
      this.context.staged.delete(operand.key)
      this.context.shared.release(this.#bufferOf(operand))
    }
  }
}
