/**
 * What warpgroups' products decode is brought to shared memory as it is in global memory, rounds ahead. It could wait in
 * registers (prefetch.ts), but each round fences what it has stored for the matrix unit, and a fence waits for all loads
 * into registers, however far ahead they are; asynchronous copies it lets run. A round takes few packed bytes of each row,
 * and a copy costs as much as the lines of memory that it touches: so one copy brings a panel, the tiles of several rounds.
 */
import type { LaneNode } from '../../lane/ir.js'
import { tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { type BlockAccess, blockAccess, contiguousDim } from './access.js'
import { type AsyncPlan, planCopyTo } from './async-copies.js'
import type { Context } from './context.js'
import type { DeferredDot } from './deferred-dots.js'
import { loadShared } from './exchange.js'
import { bitsOf, dimStarts, isPowerOfTwo, registerCount, totalBits } from './layout.js'
import type { Scalar } from './memory.js'
import { startCopies } from './operands.js'
import { type Load, loadsOf } from './prefetch.js'
import type { Rounds } from './rounds.js'
import { padded, type SharedLayout } from './shared-layout.js'
import type { SharedBuffer } from './shared-memory.js'

interface RawLoad {
  readonly load: Load
  /** Of a panel. */
  readonly copy: AsyncPlan
  /** Where a round's tile lies in its panel, and how many elements after it the next round's. */
  readonly tile: SharedLayout
  readonly step: number
}

export interface RawPlan {
  readonly loads: readonly RawLoad[]
  /** Of a panel: a power of two. */
  readonly rounds: number
  /** Panels in shared memory. */
  readonly panels: number
}

export const noRawLoads: RawPlan = { loads: [], rounds: 1, panels: 0 }

/**
 * Rounds of a panel, and panels in shared memory: the more, the earlier copies start, and the less is left for the first
 * cache, from which the scales of eight rounds come.
 */
const single = { rounds: 1, panels: 6 }
const small = { rounds: 1, panels: 4 }
const large = [
  { rounds: 4, panels: 2 },
  { rounds: 2, panels: 3 },
]
/** From more loads on, queueing the copies of each round costs more than what panels need beyond them. */
const fewLoads = 4

/** How the loads behind the computed operands of a loop's products can be copied, best first; the last way copies none. */
export function rawPlans(context: Context, rounds: Rounds, deferred: readonly DeferredDot[]): readonly RawPlan[] {
  const loads = loadsOf(
    context,
    rounds,
    deferred.map(({ dot }) => dot),
  )
  const choices = loads.length > fewLoads ? [...large, single, small] : [single, ...large, small]
  const plans = choices.flatMap(choice => {
    const raw = loads.map(load => planRaw(context, rounds, load, choice.rounds)).filter(each => each !== null)
    return raw.length === loads.length && raw.length > 0 ? [{ loads: raw, ...choice }] : []
  })
  return [...plans, noRawLoads]
}

/** Null: no such copies. */
function planRaw(context: Context, rounds: Rounds, load: Load, count: number): RawLoad | null {
  if (load.inputs.length !== tileType(load).shape.length + 1) return null
  const access = blockAccess(load)
  const panel = count === 1 ? access : panelOf(access, rounds, count)
  if (panel === null) return null
  const shared = asInMemory(panel, itemBytes(tileType(load).dtype))
  const copy = planCopyTo(context.facts, panel, shared, context.plan.warpBits)
  return copy === null ? null : { load, copy, ...tileIn(shared, access.shape, panel.shape) }
}

/** The tiles of so many rounds, where each lies behind the one before along the contiguous dim; null: they do not. */
function panelOf(access: BlockAccess, rounds: Rounds, count: number): BlockAccess | null {
  const dim = contiguousDim(access)
  if (dim === null || !isPowerOfTwo(access.shape[dim]!)) return null
  const moves = access.offsets.map(offset => rounds.perRound(offset))
  const fits = moves.every((move, d) => move === (d === dim ? access.shape[dim] : 0))
  return fits ? { ...access, shape: access.shape.map((size, d) => (d === dim ? size * count : size)) } : null
}

/** Bytes of all banks, and of two pieces: rows that many bytes longer lie in other banks. */
const bankBytes = 128
const rowPadding = 32

/** The tile's rows one after another, the contiguous dim innermost. */
function asInMemory(access: BlockAccess, bytes: number): SharedLayout {
  const { shape } = access
  const inner = contiguousDim(access) ?? shape.length - 1
  const outer = shape.map((_, d) => shape.length - 1 - d).filter(d => d !== inner)
  const row = 2 ** bitsOf(shape[inner]!) * bytes
  return padded(shape, [inner, ...outer], row >= bankBytes / 2 && row <= bankBytes ? rowPadding / bytes : 0)
}

/** A tile of `shape` at the start of a panel that is longer along one dim. */
function tileIn(
  panel: SharedLayout,
  shape: readonly number[],
  longer: readonly number[],
): Pick<RawLoad, 'tile' | 'step'> {
  const starts = dimStarts(longer)
  const offsets = new Array<number>(totalBits(shape))
  let step = 0
  dimStarts(shape).forEach((start, d) => {
    const bits = bitsOf(shape[d]!)
    for (let bit = 0; bit < bits; bit++) offsets[start + bit] = panel.offsets[starts[d]! + bit]!
    if (longer[d] !== shape[d]) step = panel.offsets[starts[d]! + bits]!
  })
  return { tile: { ...panel, shape, offsets }, step }
}

const alignment = 16

/** Of all panels. */
export const rawBytes = ({ loads, panels }: RawPlan): number =>
  loads.reduce(
    (sum, { load, copy }) => sum + panels * copy.shared.size * itemBytes(tileType(load).dtype) + alignment,
    0,
  )

/** The panels of one loop. A place is a round's number in the ring of all rounds in shared memory. */
export class RawPanels {
  readonly #buffers: readonly SharedBuffer[]

  constructor(
    readonly context: Context,
    readonly plan: RawPlan,
    readonly rounds: Rounds,
    readonly scalar: Scalar,
  ) {
    const { shared } = context
    this.#buffers = plan.loads.map(({ load, copy }) => {
      const count = copy.shared.size * plan.panels
      const buffer = shared.keep({ dtype: tileType(load).dtype, count, name: 'raw', alignment }, load.origin.at)
      shared.write(buffer)
      return buffer
    })
  }

  /** Places in the ring. */
  get places(): number {
    return this.plan.rounds * this.plan.panels
  }

  /** Rounds from the one that starts a panel's copies to the first one that is in it. */
  get ahead(): number {
    return this.plan.rounds * (this.plan.panels - 1)
  }

  /** Starts the copies of the panel whose first round has this counter, if there is one. */
  fetch(counter: LaneNode, to: LaneNode, panel: LaneNode): void {
    const { context, rounds } = this
    const { lanes } = context
    const scalar: Scalar = node => rounds.scalarAt(node, counter, this.scalar)
    const start = (): readonly LaneNode[] => {
      this.plan.loads.forEach(({ copy }, i) => {
        startCopies(context, copy, this.#buffers[i]!, lanes.mul(panel, context.i32(copy.shared.size)), scalar)
      })
      return []
    }
    lanes.branch(lanes.map('lt', counter, to), 'fetch ahead', start, () => [])
  }

  /** In the first round of a panel: starts the copies of the last one that has room. */
  fetchAhead(counter: LaneNode, to: LaneNode, step: LaneNode, place: LaneNode): void {
    const { context } = this
    const { lanes } = context
    const { rounds, panels } = this.plan
    const first = (): readonly LaneNode[] => {
      const panel = this.#panelOf(place)
      const isFirst = lanes.map('eq', panel, context.i32(0))
      const last = lanes.map('where', isFirst, context.i32(panels - 1), lanes.sub(panel, context.i32(1)))
      this.fetch(lanes.add(counter, lanes.mul(step, lanes.index(this.ahead))), to, last)
      return []
    }
    if (rounds === 1) first()
    else lanes.branch(lanes.map('eq', this.#roundOf(place), context.i32(0)), 'first round of a panel', first, () => [])
  }

  #panelOf(place: LaneNode): LaneNode {
    return this.context.lanes.map('shr', place, this.context.i32(bitsOf(this.plan.rounds)))
  }

  /** Within its panel. */
  #roundOf(place: LaneNode): LaneNode {
    return this.context.lanes.map('and', place, this.context.i32(this.plan.rounds - 1))
  }

  /** The tiles of the round at a place, in the layouts in which they are decoded. */
  read(place: LaneNode): LaneNode[] {
    const { context } = this
    const { lanes } = context
    const [panel, round] = [this.#panelOf(place), this.#roundOf(place)]
    return this.plan.loads.map(({ load, copy, tile, step }, i) => {
      const { offset, bytes } = this.#buffers[i]!
      // Its copies have come, and all threads have passed a barrier since: only what comes later has to wait for this.
      context.shared.note({ space: 'shared', from: offset, to: offset + bytes, write: false })
      const start = lanes.add(lanes.mul(panel, context.i32(copy.shared.size)), lanes.mul(round, context.i32(step)))
      return context.at(load, () => loadShared(context, context.plan.home(load), tile, this.#buffers[i]!, start))
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
