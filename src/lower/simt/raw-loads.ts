/**
 * cp.async prefetches the still-quantised sources of computed wgmma operands into a multi-stage shared-memory ring buffer.
 * They are not prefetched into registers (prefetch.ts) because each iteration fences its shared-memory stores for wgmma:
 * the fence waits for all outstanding loads into registers, however far ahead, but not for asynchronous copies.
 */
import type { LaneNode } from '../../lane/ir.js'
import { tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { type BlockAccess, blockAccess, contiguousDim } from './access.js'
import { type AsyncPlan, planCopyTo } from './async-copies.js'
import type { Context, Scalar } from './context.js'
import type { DeferredDot } from './deferred-dots.js'
import { loadShared } from './exchange.js'
import type { Iterations } from './iterations.js'
import { registerCount } from './layout.js'
import { startCopies } from './operands.js'
import { type Load, loadsOf } from './prefetch.js'
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

/** More stages start copies earlier but leave less L1 cache, which serves the block scales of eight iterations. */
const stageChoices = [6, 4, 3]
/** Limit on the bytes of all stages: this many bytes in flight per SM hide memory latency. */
const maxRawBytes = 84 * 1024

/** Ways to prefetch the loads behind the computed operands of a loop's dots, best first; the last prefetches nothing. */
export function rawPlans(
  context: Context,
  iterations: Iterations,
  deferred: readonly DeferredDot[],
): readonly RawPlan[] {
  const wanted = loadsOf(
    context,
    iterations,
    deferred.map(({ dot }) => dot),
  )
  const loads = wanted.map(load => planRaw(context, load)).filter(each => each !== null)
  if (loads.length < wanted.length || loads.length === 0) return [noRawLoads]
  const plans = stageChoices.map(stages => ({ loads, stages }))
  return [...plans.filter(plan => rawBytes(plan) <= maxRawBytes), noRawLoads]
}

/** Null: the accesses are too narrow for cp.async, or elements outside the view are not 0. */
function planRaw(context: Context, load: Load): RawLoad | null {
  if (load.inputs.length !== tileType(load).shape.length + 1) return null
  const access = blockAccess(load)
  const copy = planCopyTo(context.facts, access, asInMemory(access), context.plan.warpBits)
  return copy === null ? null : { load, copy }
}

/** The tile's rows in order, the contiguous dim innermost. */
function asInMemory(access: BlockAccess): SharedLayout {
  const { shape } = access
  const inner = contiguousDim(access) ?? shape.length - 1
  const outer = shape.map((_, d) => shape.length - 1 - d).filter(d => d !== inner)
  return padded(shape, [inner, ...outer], 0)
}

const alignment = 16

/** Bytes of all stages. */
export const rawBytes = ({ loads, stages }: RawPlan): number =>
  loads.reduce(
    (sum, { load, copy }) => sum + stages * copy.shared.size * itemBytes(tileType(load).dtype) + alignment,
    0,
  )

/** The ring buffer of one loop. */
export class RawStages {
  readonly #buffers: readonly SharedBuffer[]

  constructor(
    readonly context: Context,
    readonly plan: RawPlan,
    readonly iterations: Iterations,
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

  /** Prefetch distance in iterations. */
  get ahead(): number {
    return this.plan.stages - 1
  }

  /** Starts the copies of the iteration with this counter, if it exists. */
  fetch(counter: LaneNode, to: LaneNode, stage: LaneNode): void {
    const { context, iterations } = this
    const { lanes } = context
    const scalar: Scalar = node => iterations.scalarAt(node, counter, this.scalar)
    const start = (): readonly LaneNode[] => {
      this.plan.loads.forEach(({ copy }, i) => {
        startCopies(context, copy, this.#buffers[i]!, lanes.mul(stage, context.i32(copy.shared.size)), scalar)
      })
      return []
    }
    lanes.branch(lanes.map('lt', counter, to), 'fetch ahead', start, () => [])
  }

  /** Starts the copies of the last iteration that has a stage, relative to the current one at `stage`. */
  fetchAhead(counter: LaneNode, to: LaneNode, step: LaneNode, stage: LaneNode): void {
    const { context } = this
    const { lanes } = context
    const isFirst = lanes.map('eq', stage, context.i32(0))
    const last = lanes.map('where', isFirst, context.i32(this.ahead), lanes.sub(stage, context.i32(1)))
    this.fetch(lanes.add(counter, lanes.mul(step, lanes.index(this.ahead))), to, last)
  }

  /** The tiles of the iteration at a stage, in the layouts in which they are dequantised. */
  read(stage: LaneNode): LaneNode[] {
    const { context } = this
    const { lanes } = context
    return this.plan.loads.map(({ load, copy }, i) => {
      const buffer = this.#buffers[i]!
      const { offset, bytes } = buffer
      // The copies are complete and a barrier has passed, so this read needs no barrier; later writes must wait for it.
      context.shared.note({ space: 'shared', from: offset, to: offset + bytes, write: false })
      const start = lanes.mul(stage, context.i32(copy.shared.size))
      return context.at(load, () => loadShared(context, context.plan.home(load), copy.shared, buffer, start))
    })
  }

  /** As `read` for the first iteration; zeros when there is none. */
  readFirst(from: LaneNode, to: LaneNode): readonly LaneNode[] {
    const { lanes } = this.context
    const start = this.context.i32(0)
    const exists = lanes.map('lt', from, to)
    if (exists.op === 'const') return this.read(start)
    const zeros = (): LaneNode[] =>
      this.plan.loads.map(({ load }) =>
        lanes.constant(tileType(load).dtype, 0, registerCount(this.context.plan.home(load))),
      )
    return lanes.branch(exists, 'first iteration', () => this.read(start), zeros)
  }

  release(): void {
    for (const buffer of this.#buffers.toReversed()) this.context.shared.release(buffer)
  }
}
