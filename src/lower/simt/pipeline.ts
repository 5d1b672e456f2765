/**
 * Loops over products overlap with memory: while a round multiplies, the operands of later rounds are on their way to
 * shared memory, in stages that are used in turn. Operands that the loop does not change are brought there once, before
 * it. Only plain loads whose offsets follow from the loop's counter can run ahead. Where the products of a round may
 * still run in the next (deferred-dots.ts), computed operands have stages too, and no stage is filled again before the
 * products that read it are known to be over.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import type { Context, Scalar, Value } from './context.js'
import { layoutKey } from './layout.js'
import { startCopies, storeOperand, zeroBeyond } from './operands.js'
import { computedStages, type Operand, type PipelinePlan } from './pipeline-plan.js'
import { RawStages } from './raw-loads.js'
import type { Rounds } from './rounds.js'
import type { SharedBuffer, Staged } from './shared-memory.js'

/** The code of one loop's pipeline. */
export class Pipeline {
  readonly #buffers = new Map<string, SharedBuffer>()
  #raw: RawStages | null = null
  /** The raw tiles of the round that comes next: they are on their way to registers while this round's products start. */
  rawNext: readonly LaneNode[] = []
  /** The left operands of the round's products that stay in registers, by their dots. */
  lefts: ReadonlyMap<TileNode, LaneNode> = new Map()

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
      ...(raw.loads.length > 0 ? [raw.stages] : []),
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
    if (this.#raw !== null) builder.node('asyncWait', [], { pending: this.#raw.ahead - 1 })
    if (this.#raw !== null || !this.isStaged) this.context.shared.barrier()
    this.rawNext = this.#raw?.readFirst(from, to) ?? []
  }

  /** The copies of the first rounds, in the order of the rounds that would have started them. */
  #startAhead(from: LaneNode, to: LaneNode, step: LaneNode): void {
    const { lanes } = this.context
    const counterAt = (round: number): LaneNode => lanes.add(from, lanes.mul(step, lanes.index(round)))
    const [staged, raw] = [this.isStaged ? this.#ahead : 0, this.#raw]
    const fetch = (round: number, start: (counter: LaneNode, to: LaneNode, stage: LaneNode) => void): void => {
      if (round >= 0) start(counterAt(round), to, this.context.i32(round))
    }
    for (let round = -Math.max(staged, raw?.ahead ?? 0); round < 0; round++) {
      if (this.isStaged) fetch(round + staged, (...args) => this.#fetch(...args))
      if (raw !== null) fetch(round + raw.ahead, (...args) => raw.fetch(...args))
      lanes.builder.node('asyncCommit', [], {})
    }
  }

  /** Commits that may be open when a round needs what it reads, and the next one its raw tiles. */
  get #pending(): number | null {
    const waits = [...(this.isStaged ? [this.#ahead - 1] : []), ...(this.#raw === null ? [] : [this.#raw.ahead - 2])]
    return waits.length === 0 ? null : Math.min(...waits)
  }

  /** The raw tiles of the round after this one; of the last round once more. */
  #readAfter(counter: LaneNode, to: LaneNode, step: LaneNode, place: LaneNode | undefined): readonly LaneNode[] {
    const raw = this.#raw
    if (raw === null) return []
    const { lanes } = this.context
    const isRound = lanes.map('lt', lanes.add(counter, step), to)
    return raw.read(lanes.map('where', isRound, this.#next(place!, raw.plan.stages), place!))
  }

  #reserve(): void {
    const { shared } = this.context
    const { staged, resident, computed, raw, stages } = this.plan
    const reserve = ({ key, dot, position, stage, alignment }: Operand, count: number): void => {
      const { dtype } = tileType(dot.inputs[position]!)
      const name = position === 0 ? 'a' : 'b'
      // Behind the first of several that lie side by side.
      const known = stage.start === 0 ? undefined : [...this.#buffers.values()].at(-1)
      const buffer = known ?? shared.keep({ dtype, count: stage.size * count, name, alignment }, dot.origin.at)
      this.#buffers.set(key, buffer)
      shared.write(buffer)
    }
    for (const operand of resident) reserve(operand, 1)
    for (const operand of staged) reserve(operand, stages)
    for (const operand of computed) reserve(operand, computedStages)
    if (raw.loads.length > 0) this.#raw = new RawStages(this.context, raw, this.rounds, this.scalar)
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

  /** Before a round's products: makes its operands and waits for them. `at`: the round's place in each ring. */
  turn(at: readonly LaneNode[]): void {
    const { context } = this
    const { lanes } = context
    const { staged, computed, resident } = this.plan
    const places = this.#places(at)
    this.#storeComputed(places.computed)
    this.lefts = this.#computeLefts()
    const pending = this.#pending
    if (pending !== null) lanes.builder.node('asyncWait', [], { pending })
    this.#publish([...staged, ...computed, ...resident])
    // The products of the last round run on; those before it are over, in all threads after the barrier. Where operands are
    // computed, the next ones are stored where those of the last round are read: it has to be over too.
    if (this.isDeferred) lanes.builder.node('wgmmaWait', [], { pending: computed.length > 0 ? 0 : 1 })
    context.shared.barrier()
  }

  /** The round's products find their operands at its places. */
  place(at: readonly LaneNode[]): void {
    const { stage } = this.#places(at)
    for (const operand of this.plan.staged) this.#place(operand, stage!)
  }

  /**
   * After a round's `turn`: reads what the next round decodes, and starts the copies of a later one. Products that run on
   * start before that, for threads wait until the copies have taken their addresses. Gives the next round's places.
   */
  ahead(counter: LaneNode, to: LaneNode, step: LaneNode, at: readonly LaneNode[]): LaneNode[] {
    this.rawNext = this.#readAfter(counter, to, step, this.#places(at).raw)
    this.#fetchAhead(counter, to, step, at)
    return this.rings.map((size, i) => this.#next(at[i]!, size))
  }

  /** Starts the copies of later rounds. */
  #fetchAhead(counter: LaneNode, to: LaneNode, step: LaneNode, at: readonly LaneNode[]): void {
    if (this.#pending === null) return
    const { lanes } = this.context
    const { stage, raw } = this.#places(at)
    const later = lanes.add(counter, lanes.mul(step, lanes.index(this.#ahead)))
    if (stage !== undefined) this.#fetch(later, to, this.#stageLater(stage, this.#ahead))
    if (raw !== undefined) this.#raw!.fetchAhead(counter, to, step, raw)
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
    const { size, start: own } = operand.stage
    const start = lanes.add(lanes.mul(stage, this.context.i32(size)), this.context.i32(own))
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

  /** The round's left operands that stay in registers. */
  #computeLefts(): ReadonlyMap<TileNode, LaneNode> {
    const { context } = this
    const made = new Map<string, LaneNode>()
    const lefts = new Map<TileNode, LaneNode>()
    for (const { dot } of this.plan.deferred) {
      const fragments = context.plan.leftInRegisters.get(dot)
      if (fragments === undefined) continue
      const [operand] = dot.inputs as [TileNode]
      // Products of one operand may take its depth in different orders.
      const key = `${operand.id} ${layoutKey(fragments)}`
      const left = made.get(key) ?? zeroBeyond(context, this.value(operand, fragments), fragments, 1)
      made.set(key, left)
      lefts.set(dot, left)
    }
    return lefts
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
    this.#raw?.release()
    for (const key of this.#buffers.keys()) this.context.staged.delete(key)
    for (const buffer of [...new Set(this.#buffers.values())].toReversed()) this.context.shared.release(buffer)
  }
}
