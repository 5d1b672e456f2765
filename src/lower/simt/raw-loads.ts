/**
 * What warpgroups' products decode is brought to shared memory as it is in global memory, rounds ahead, in stages that are
 * used in turn. It could wait in registers (prefetch.ts), but each round fences what it has stored for the matrix unit,
 * and a fence waits for all loads into registers, however far ahead they are; asynchronous copies it lets run.
 */
import type { LaneNode } from '../../lane/ir.js'
import { tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { type BlockAccess, blockAccess, contiguousDim } from './access.js'
import { type AsyncPlan, planCopyTo } from './async-copies.js'
import type { Context, Scalar } from './context.js'
import type { DeferredDot } from './deferred-dots.js'
import { loadShared } from './exchange.js'
import { registerCount } from './layout.js'
import { startCopies } from './operands.js'
import { type Load, loadsOf } from './prefetch.js'
import type { Rounds } from './rounds.js'
import { padded, type SharedLayout } from './shared-layout.js'
import type { SharedBuffer } from './shared-memory.js'

interface RawLoad {
  readonly load: Load
  readonly copy: AsyncPlan
}

export interface RawPlan {
  readonly loads: readonly RawLoad[]
  readonly stages: number
}

export const noRawLoads: RawPlan = { loads: [], stages: 0 }

/** The more, the earlier copies start, and the less is left for the first cache, from which the scales of eight rounds come. */
const stageChoices = [6, 4, 3]
/** Bytes of all stages: as much as that is under way to each multiprocessor hides how long memory takes. */
const mostBytes = 84 * 1024

/** How the loads behind the computed operands of a loop's products can be copied, best first; the last way copies none. */
export function rawPlans(context: Context, rounds: Rounds, deferred: readonly DeferredDot[]): readonly RawPlan[] {
  const wanted = loadsOf(
    context,
    rounds,
    deferred.map(({ dot }) => dot),
  )
  const loads = wanted.map(load => planRaw(context, load)).filter(each => each !== null)
  if (loads.length < wanted.length || loads.length === 0) return [noRawLoads]
  const plans = stageChoices.map(stages => ({ loads, stages }))
  return [...plans.filter(plan => rawBytes(plan) <= mostBytes), noRawLoads]
}

/** Null: the accesses are too narrow for copies, or what is outside of the view is not 0. */
function planRaw(context: Context, load: Load): RawLoad | null {
  if (load.inputs.length !== tileType(load).shape.length + 1) return null
  const access = blockAccess(load)
  const copy = planCopyTo(context.facts, access, asInMemory(access), context.plan.warpBits)
  return copy === null ? null : { load, copy }
}

/** The tile's rows one after another, the contiguous dim innermost. */
function asInMemory(access: BlockAccess): SharedLayout {
  const { shape } = access
  const inner = contiguousDim(access) ?? shape.length - 1
  const outer = shape.map((_, d) => shape.length - 1 - d).filter(d => d !== inner)
  return padded(shape, [inner, ...outer], 0)
}

const alignment = 16

/** Of all stages. */
export const rawBytes = ({ loads, stages }: RawPlan): number =>
  loads.reduce(
    (sum, { load, copy }) => sum + stages * copy.shared.size * itemBytes(tileType(load).dtype) + alignment,
    0,
  )

/** The stages of one loop. */
export class RawStages {
  readonly #buffers: readonly SharedBuffer[]

  constructor(
    readonly context: Context,
    readonly plan: RawPlan,
    readonly rounds: Rounds,
    readonly scalar: Scalar,
  ) {
    const { shared } = context
    this.#buffers = plan.loads.map(({ load, copy }) => {
      const count = copy.shared.size * plan.stages
      const buffer = shared.keep({ dtype: tileType(load).dtype, count, name: 'raw', alignment }, load.origin.at)
      shared.write(buffer)
      return buffer
    })
  }

  /** Rounds from the one that starts a copy to the one that it is for. */
  get ahead(): number {
    return this.plan.stages - 1
  }

  /** Starts the copies of the round with this counter, if there is one. */
  fetch(counter: LaneNode, to: LaneNode, stage: LaneNode): void {
    const { context, rounds } = this
    const { lanes } = context
    const scalar: Scalar = node => rounds.scalarAt(node, counter, this.scalar)
    const start = (): readonly LaneNode[] => {
      this.plan.loads.forEach(({ copy }, i) => {
        startCopies(context, copy, this.#buffers[i]!, lanes.mul(stage, context.i32(copy.shared.size)), scalar)
      })
      return []
    }
    lanes.branch(lanes.map('lt', counter, to), 'fetch ahead', start, () => [])
  }

  /** Starts the copies of the last round that there is room for, seen from the one at a stage. */
  fetchAhead(counter: LaneNode, to: LaneNode, step: LaneNode, stage: LaneNode): void {
    const { context } = this
    const { lanes } = context
    const isFirst = lanes.map('eq', stage, context.i32(0))
    const last = lanes.map('where', isFirst, context.i32(this.ahead), lanes.sub(stage, context.i32(1)))
    this.fetch(lanes.add(counter, lanes.mul(step, lanes.index(this.ahead))), to, last)
  }

  /** The tiles of the round at a stage, in the layouts in which they are decoded. */
  read(stage: LaneNode): LaneNode[] {
    const { context } = this
    const { lanes } = context
    return this.plan.loads.map(({ load, copy }, i) => {
      const buffer = this.#buffers[i]!
      const { offset, bytes } = buffer
      // Its copies have come, and all threads have passed a barrier since: only what comes later has to wait for this.
      context.shared.note({ space: 'shared', from: offset, to: offset + bytes, write: false })
      const start = lanes.mul(stage, context.i32(copy.shared.size))
      return context.at(load, () => loadShared(context, context.plan.home(load), copy.shared, buffer, start))
    })
  }

  /** As `read` for the first round; anything when there is none. */
  readFirst(from: LaneNode, to: LaneNode): readonly LaneNode[] {
    const { lanes } = this.context
    const start = this.context.i32(0)
    const isRound = lanes.map('lt', from, to)
    if (isRound.op === 'const') return this.read(start)
    const zeros = (): LaneNode[] =>
      this.plan.loads.map(({ load }) =>
        lanes.constant(tileType(load).dtype, 0, registerCount(this.context.plan.home(load))),
      )
    return lanes.branch(isRound, 'first round', () => this.read(start), zeros)
  }

  release(): void {
    for (const buffer of this.#buffers.toReversed()) this.context.shared.release(buffer)
  }
}
