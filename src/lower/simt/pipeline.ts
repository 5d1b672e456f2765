/**
 * Software pipelining of loops over dots: while an iteration multiplies, cp.async prefetches the operands of later iterations
 * into a multi-stage ring buffer in shared memory. Loop-invariant operands are copied once, before the loop. Only plain loads
 * whose offsets depend only on the loop counter can be prefetched. With deferred wgmma (deferred-dots.ts) computed operands
 * have stages too, and a stage is refilled only after the wgmma that reads it has completed.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import type { Context, Scalar, Value } from './context.js'
import type { Iterations } from './iterations.js'
import { layoutKey } from './layout.js'
import { startCopies, storeOperand, zeroBeyond } from './operands.js'
import { computedStages, type PipelinePlan, type SharedOperand } from './pipeline-plan.js'
import { RawStages } from './raw-loads.js'
import type { SharedBuffer, Staged } from './shared-memory.js'

/** Emits the code of one loop's pipeline. */
export class Pipeline {
  readonly #buffers = new Map<string, SharedBuffer>()
  #raw: RawStages | null = null
  /** The next iteration's raw tiles: loaded from shared memory to registers while this iteration's dots start. */
  rawNext: readonly LaneNode[] = []
  /** Left operands of the iteration's dots that are passed in registers, by dot. */
  lefts: ReadonlyMap<TileNode, LaneNode> = new Map()

  constructor(
    readonly context: Context,
    readonly plan: PipelinePlan,
    readonly iterations: Iterations,
    readonly scalar: Scalar,
    readonly value: Value,
  ) {}

  get isStaged(): boolean {
    return this.plan.stages > 1
  }

  /** Sizes of the ring buffers; the loop carries a stage index for each. */
  get rings(): readonly number[] {
    const { stages, computed, raw } = this.plan
    return [
      ...(this.isStaged ? [stages] : []),
      ...(computed.length > 0 ? [computedStages] : []),
      ...(raw.loads.length > 0 ? [raw.stages] : []),
    ]
  }

  /** The iteration's stage in each ring, from the loop-carried indices. */
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

  /** Prefetch distance in iterations: with deferred wgmma, only the stage of iteration i − 2 is free. */
  get #ahead(): number {
    return this.plan.stages - (this.isDeferred ? 2 : 1)
  }

  /** Before the loop: copies the loop-invariant operands and those of the first iterations. */
  enter(from: LaneNode, to: LaneNode, step: LaneNode): void {
    this.#reserve()
    const { builder } = this.context.lanes
    this.#stageResident()
    this.#startAhead(from, to, step)
    if (this.#raw !== null) builder.node('asyncWait', [], { pending: this.#raw.ahead - 1 })
    if (this.#raw !== null || !this.isStaged) this.context.shared.barrier()
    this.rawNext = this.#raw?.readFirst(from, to) ?? []
  }

  /** The pipeline prologue: the first iterations' copies, committed in the groups that the loop would have used. */
  #startAhead(from: LaneNode, to: LaneNode, step: LaneNode): void {
    const { lanes } = this.context
    const counterAt = (iteration: number): LaneNode => lanes.add(from, lanes.mul(step, lanes.index(iteration)))
    const [staged, raw] = [this.isStaged ? this.#ahead : 0, this.#raw]
    const fetch = (iteration: number, start: (counter: LaneNode, to: LaneNode, stage: LaneNode) => void): void => {
      if (iteration >= 0) start(counterAt(iteration), to, this.context.i32(iteration))
    }
    for (let iteration = -Math.max(staged, raw?.ahead ?? 0); iteration < 0; iteration++) {
      if (this.isStaged) fetch(iteration + staged, (...args) => this.#fetch(...args))
      if (raw !== null) fetch(iteration + raw.ahead, (...args) => raw.fetch(...args))
      lanes.builder.node('asyncCommit', [], {})
    }
  }

  /** Number of commit groups that may be in flight when an iteration reads its operands and the next one's raw tiles. */
  get #pending(): number | null {
    const waits = [...(this.isStaged ? [this.#ahead - 1] : []), ...(this.#raw === null ? [] : [this.#raw.ahead - 2])]
    return waits.length === 0 ? null : Math.min(...waits)
  }

  /** The raw tiles of the next iteration; in the last iteration, its own once more. */
  #readAfter(counter: LaneNode, to: LaneNode, step: LaneNode, place: LaneNode | undefined): readonly LaneNode[] {
    const raw = this.#raw
    if (raw === null) return []
    const { lanes } = this.context
    const exists = lanes.map('lt', lanes.add(counter, step), to)
    return raw.read(lanes.map('where', exists, this.#next(place!, raw.plan.stages), place!))
  }

  /** Reserves the ring buffers of staged operands and the buffers of the others. */
  #reserve(): void {
    const { shared } = this.context
    const { staged, resident, computed, raw, stages } = this.plan
    const reserve = ({ key, dot, position, stage, alignment }: SharedOperand, count: number): void => {
      const { dtype } = tileType(dot.inputs[position]!)
      const name = position === 0 ? 'a' : 'b'
      // A part of a merged operand shares the buffer of the first part.
      const known = stage.start === 0 ? undefined : [...this.#buffers.values()].at(-1)
      const buffer = known ?? shared.keep({ dtype, count: stage.size * count, name, alignment }, dot.origin.at)
      this.#buffers.set(key, buffer)
      shared.write(buffer)
    }
    for (const operand of resident) reserve(operand, 1)
    for (const operand of staged) reserve(operand, stages)
    for (const operand of computed) reserve(operand, computedStages)
    if (raw.loads.length > 0) this.#raw = new RawStages(this.context, raw, this.iterations, this.scalar)
  }

  #bufferOf({ key }: SharedOperand): SharedBuffer {
    return this.#buffers.get(key)!
  }

  /** Before the loop, brings the loop-invariant operands to shared memory. */
  #stageResident(): void {
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
    // The first iteration waits for these copies together with its own.
    if (this.isStaged) return
    if (copies) {
      context.lanes.builder.node('asyncCommit', [], {})
      context.lanes.builder.node('asyncWait', [], { pending: 0 })
    }
    this.#publish(this.plan.resident)
  }

  /** Fence that makes this thread's shared-memory writes visible to wgmma, after the next barrier. */
  #publish(operands: readonly SharedOperand[]): void {
    const { dots } = this.context.plan
    if (operands.some(({ dot }) => dots.get(dot)!.method === 'wgmma'))
      this.context.lanes.builder.node('proxyFence', [], {})
  }

  /** Starts the copies of the iteration with this counter, if it exists. */
  #fetch(counter: LaneNode, to: LaneNode, stage: LaneNode): void {
    const { context } = this
    const { lanes } = context
    const start = (): readonly LaneNode[] => {
      for (const operand of this.plan.staged) {
        const first = lanes.mul(stage, context.i32(operand.layout.size))
        startCopies(context, operand.copy!, this.#bufferOf(operand), first, node =>
          this.iterations.scalarAt(node, counter, this.scalar),
        )
      }
      return []
    }
    lanes.branch(lanes.map('lt', counter, to), 'fetch ahead', start, () => [])
  }

  /** Before an iteration's dots: computes its operands and waits for its copies. `at`: its stage in each ring. */
  prepare(at: readonly LaneNode[]): void {
    const { context } = this
    const { lanes } = context
    const { staged, computed, resident } = this.plan
    const places = this.#places(at)
    this.#storeComputed(places.computed)
    this.lefts = this.#computeLefts()
    const pending = this.#pending
    if (pending !== null) lanes.builder.node('asyncWait', [], { pending })
    this.#publish([...staged, ...computed, ...resident])
    // wgmma group i − 1 may still run; after the barrier, older groups are complete in all threads. Computed operands overwrite the
    // stage that group i − 1 reads, so then that group must be complete too.
    if (this.isDeferred) lanes.builder.node('wgmmaWait', [], { pending: computed.length > 0 ? 0 : 1 })
    context.shared.barrier()
  }

  /** Points the iteration's dots at their operands' stages. */
  place(at: readonly LaneNode[]): void {
    const { stage } = this.#places(at)
    for (const operand of this.plan.staged) this.#place(operand, stage!)
  }

  /**
   * After an iteration's `prepare`: loads the raw tiles of the next iteration and prefetches a later one. Deferred wgmmas are
   * issued first, because threads stall until the copies have consumed their addresses. Returns the next iteration's stages.
   */
  ahead(counter: LaneNode, to: LaneNode, step: LaneNode, at: readonly LaneNode[]): LaneNode[] {
    this.rawNext = this.#readAfter(counter, to, step, this.#places(at).raw)
    this.#fetchAhead(counter, to, step, at)
    return this.rings.map((size, i) => this.#next(at[i]!, size))
  }

  /** Starts the copies of later iterations. */
  #fetchAhead(counter: LaneNode, to: LaneNode, step: LaneNode, at: readonly LaneNode[]): void {
    if (this.#pending === null) return
    const { lanes } = this.context
    const { stage, raw } = this.#places(at)
    const later = lanes.add(counter, lanes.mul(step, lanes.index(this.#ahead)))
    if (stage !== undefined) this.#fetch(later, to, this.#stageLater(stage, this.#ahead))
    if (raw !== undefined) this.#raw!.fetchAhead(counter, to, step, raw)
    lanes.builder.node('asyncCommit', [], {})
  }

  /** The stage `iterations` after `stage`, modulo the ring. */
  #stageLater(stage: LaneNode, iterations: number): LaneNode {
    const { context } = this
    const { lanes } = context
    const behind = this.plan.stages - iterations
    const wraps = lanes.map('lt', stage, context.i32(behind))
    return lanes.map('where', wraps, lanes.add(stage, context.i32(iterations)), lanes.sub(stage, context.i32(behind)))
  }

  /** Where the iteration's dots read an operand. */
  #place(operand: SharedOperand, stage: LaneNode): Staged {
    const { lanes } = this.context
    const { key, layout } = operand
    const { size, start: own } = operand.stage
    const start = lanes.add(lanes.mul(stage, this.context.i32(size)), this.context.i32(own))
    const staged = { buffer: this.#bufferOf(operand), layout, start }
    this.context.staged.set(key, staged)
    return staged
  }

  /** Computes all values before storing the first, because computing may itself use shared memory. */
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

  /** The iteration's left operands that stay in registers. */
  #computeLefts(): ReadonlyMap<TileNode, LaneNode> {
    const { context } = this
    const made = new Map<string, LaneNode>()
    const lefts = new Map<TileNode, LaneNode>()
    for (const { dot } of this.plan.deferred) {
      const fragments = context.plan.leftInRegisters.get(dot)
      if (fragments === undefined) continue
      const [operand] = dot.inputs as [TileNode]
      // Dots with the same operand may use different orders of K.
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

  /** After the loop: waits for the copies of loop-invariant operands, in case no iteration ran. */
  end(): void {
    const brings = this.isStaged && this.plan.resident.some(({ copy }) => copy !== null)
    if (brings) this.context.lanes.builder.node('asyncWait', [], { pending: 0 })
  }

  /** Releases the loop's buffers. */
  leave(): void {
    this.#raw?.release()
    for (const key of this.#buffers.keys()) this.context.staged.delete(key)
    for (const buffer of [...new Set(this.#buffers.values())].toReversed()) this.context.shared.release(buffer)
  }
}
