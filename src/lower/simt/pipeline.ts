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
import type { Scalar, Value } from './memory.js'
import { type Staged, startCopies, storeOperand } from './operands.js'
import { noRawLoads, RawPanels, type RawPlan, rawBytes, rawPlans } from './raw-loads.js'
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
  /** What the computed operands are computed of, brought rounds ahead too. */
  readonly raw: RawPlan
  readonly stages: number
  readonly deferred: readonly DeferredDot[]
}

/** Loops with so many bytes per stage have one stage less: blocks should share a multiprocessor. */
const largeStage = 32 * 1024
const defaultStages = 4
/** Of loops whose products run on: a round less is ahead. Blocks that are alone ask for more. */
const mostDeferredStages = 6
/** One is written while the products of the round before may run. A third would take room from the first cache. */
const computedStages = 2

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
  const none = { computed: [], raw: noRawLoads, deferred: [] }
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
  const each = bytesOf(staged)
  for (const raw of rawPlans(context, rounds, deferred)) {
    const bytes = fixed + rawBytes(raw)
    const stages = each === 0 ? 0 : deferredStages(context, bytes, each)
    const fits = bytes + stages * each + ringSpace <= context.shared.free
    if (fits && (each === 0 || stages >= 3)) return { ...operands, raw, stages, deferred }
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
  #panels: RawPanels | null = null
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
    const { stages, computed, raw } = this.plan
    return [
      ...(this.isStaged ? [stages] : []),
      ...(computed.length > 0 ? [computedStages] : []),
      ...(raw.loads.length > 0 ? [raw.rounds * raw.panels] : []),
    ]
  }

  /** The round's place in each ring, of what the loop counts. */
  #places(at: readonly LaneNode[]): { stage?: LaneNode; computed?: LaneNode; raw?: LaneNode } {
    const left = [...at]
    const next = (exists: boolean): LaneNode | undefined => (exists ? left.shift() : undefined)
    const { computed, raw } = this.plan
    const places = { stage: next(this.isStaged), computed: next(computed.length > 0), raw: next(raw.loads.length > 0) }
    return places as { stage?: LaneNode; computed?: LaneNode; raw?: LaneNode }
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
    this.#startAhead(from, to, step)
    if (this.#panels !== null) builder.node('asyncWait', [], { pending: this.#panels.ahead - 1 })
    if (this.#panels !== null || !this.isStaged) this.context.shared.barrier()
    this.rawNext = this.#panels?.readFirst(from, to) ?? []
  }

  /** The copies of the first rounds, in the order of the rounds that would have started them. */
  #startAhead(from: LaneNode, to: LaneNode, step: LaneNode): void {
    const { lanes } = this.context
    const counterAt = (round: number): LaneNode => lanes.add(from, lanes.mul(step, lanes.index(round)))
    const [staged, panels] = [this.isStaged ? this.#ahead : 0, this.#panels]
    for (let round = -Math.max(staged, panels?.ahead ?? 0); round < 0; round++) {
      if (round >= -staged) this.#fetch(counterAt(round + staged), to, this.context.i32(round + staged))
      const first = round + (panels?.ahead ?? 0)
      if (panels !== null && first >= 0 && first % panels.plan.rounds === 0)
        panels.fetch(counterAt(first), to, this.context.i32(first / panels.plan.rounds))
      lanes.builder.node('asyncCommit', [], {})
    }
  }

  /** Commits that may be open when a round needs what it reads, and the next one its raw tiles. */
  get #pending(): number | null {
    const waits = [
      ...(this.isStaged ? [this.#ahead - 1] : []),
      ...(this.#panels === null ? [] : [this.#panels.ahead - 2]),
    ]
    return waits.length === 0 ? null : Math.min(...waits)
  }

  /** The raw tiles of the round after this one; of the last round once more. */
  #readAfter(counter: LaneNode, to: LaneNode, step: LaneNode, place: LaneNode | undefined): readonly LaneNode[] {
    const panels = this.#panels
    if (panels === null) return []
    const { lanes } = this.context
    const isRound = lanes.map('lt', lanes.add(counter, step), to)
    return panels.read(lanes.map('where', isRound, this.#next(place!, panels.places), place!))
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
    if (raw.loads.length > 0) this.#panels = new RawPanels(this.context, raw, this.rounds, this.scalar)
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
   * Before a round's products: waits for its operands, starts the copies of a later round. `at`: the round's place in
   * each ring; gives the next round's.
   */
  turn(counter: LaneNode, to: LaneNode, step: LaneNode, at: readonly LaneNode[]): LaneNode[] {
    const { context } = this
    const { lanes } = context
    const { staged, computed, resident } = this.plan
    const places = this.#places(at)
    this.#storeComputed(places.computed)
    const pending = this.#pending
    if (pending !== null) lanes.builder.node('asyncWait', [], { pending })
    this.#publish([...staged, ...computed, ...resident])
    // The products of the last round run on; those before it are over, in all threads after the barrier. Where operands are
    // computed, the next ones are stored where those of the last round are read: it has to be over too.
    if (this.isDeferred) lanes.builder.node('wgmmaWait', [], { pending: computed.length > 0 ? 0 : 1 })
    context.shared.barrier()
    this.rawNext = this.#readAfter(counter, to, step, places.raw)
    this.#fetchAhead(counter, to, step, at)
    for (const operand of staged) this.#place(operand, places.stage!)
    return this.rings.map((size, i) => this.#next(at[i]!, size))
  }

  /** Starts the copies of later rounds. */
  #fetchAhead(counter: LaneNode, to: LaneNode, step: LaneNode, at: readonly LaneNode[]): void {
    if (this.#pending === null) return
    const { lanes } = this.context
    const { stage, raw } = this.#places(at)
    const later = lanes.add(counter, lanes.mul(step, lanes.index(this.#ahead)))
    if (stage !== undefined) this.#fetch(later, to, this.#stageLater(stage, this.#ahead))
    if (raw !== undefined) this.#panels!.fetchAhead(counter, to, step, raw)
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
    this.#panels?.release()
    const all = [...this.plan.resident, ...this.plan.staged, ...this.plan.computed]
    for (const operand of all.toReversed()) {
      this.context.staged.delete(operand.key)
      this.context.shared.release(this.#bufferOf(operand))
    }
  }
}
