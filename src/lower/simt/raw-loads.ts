/**
 * What warpgroups' products decode is brought to shared memory as it is in global memory, rounds ahead. It could wait in
 * registers (prefetch.ts), but each round fences what it has stored for the matrix unit, and a fence waits for all loads
 * into registers, however far ahead they are; asynchronous copies it lets run.
 */
import type { LaneNode } from '../../lane/ir.js'
import { tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { blockAccess, contiguousDim } from './access.js'
import { type AsyncPlan, planCopyTo } from './async-copies.js'
import type { Context } from './context.js'
import type { DeferredDot } from './deferred-dots.js'
import { loadShared } from './exchange.js'
import { type Load, loadsOf } from './prefetch.js'
import type { Rounds } from './rounds.js'
import { padded, type SharedLayout } from './shared-layout.js'
import type { SharedBuffer } from './shared-memory.js'

export interface RawLoad {
  readonly load: Load
  readonly copy: AsyncPlan
}

/** The loads behind the computed operands of a loop's products; none, when some cannot be copied asynchronously. */
export function planRawLoads(context: Context, rounds: Rounds, deferred: readonly DeferredDot[]): readonly RawLoad[] {
  const loads = loadsOf(
    context,
    rounds,
    deferred.map(({ dot }) => dot),
  )
  const raw = loads.flatMap(load => {
    const copy = planRawCopy(context, load)
    return copy === null ? [] : [{ load, copy }]
  })
  return raw.length === loads.length ? raw : []
}

function planRawCopy({ facts, plan }: Context, load: Load): AsyncPlan | null {
  if (load.inputs.length !== tileType(load).shape.length + 1) return null
  const access = blockAccess(load)
  return planCopyTo(facts, access, asInMemory(load), plan.warpBits)
}

/** The tile's rows one after another, the contiguous dim innermost. */
function asInMemory(load: Load): SharedLayout {
  const { shape } = tileType(load)
  const inner = contiguousDim(blockAccess(load)) ?? shape.length - 1
  const outer = shape.map((_, d) => shape.length - 1 - d).filter(d => d !== inner)
  return padded(shape, [inner, ...outer], 0)
}

export const rawBytes = ({ load, copy }: RawLoad): number =>
  Math.ceil((copy.shared.size * itemBytes(tileType(load).dtype)) / rawAlignment) * rawAlignment

/** Of its place in shared memory: that of the widest access. */
export const rawAlignment = 16

/** The tile of the round at `stage` of its buffer, in the layout in which it is decoded. */
export function readRaw(context: Context, { load, copy }: RawLoad, buffer: SharedBuffer, stage: LaneNode): LaneNode {
  const home = context.plan.home(load)
  const start = context.lanes.mul(stage, context.i32(copy.shared.size))
  // Its copies have come, and all threads have passed a barrier since: only what comes later has to wait for this.
  context.shared.note({ space: 'shared', from: buffer.offset, to: buffer.offset + buffer.bytes, write: false })
  return context.at(load, () => loadShared(context, home, copy.shared, buffer, start))
}
