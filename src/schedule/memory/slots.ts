/**
 * Places temporaries in memory: those whose live ranges do not overlap may overlap there. Those of known sizes are packed into one
 * slot, the largest first, each into the smallest gap that what is live at the same time leaves; those of symbolic sizes share
 * slots. An elementwise kernel may overwrite an input that is dead afterwards, if both have the same layout.
 */
import { groupBy } from '../../base/group-by.js'
import { mulSizes, rangeOf, type Size, sameShape, sameSize, subSizes } from '../../scalar/size.js'
import { itemBytes } from '../../types/dtype.js'
import { type PlanBuffer, type PlanStep, viewsOf } from '../plan/plan.js'
import type { BufferDraft } from './buffers.js'

export interface StepUse {
  readonly step: PlanStep
  /** Each element is read before the same element is written, and no other element depends on it. */
  readonly elementwise: boolean
  /** Buffers that the step writes. */
  readonly writes: ReadonlySet<number>
  /** It only runs loops, of known sizes or not: it may be part of a batch. */
  readonly joins: boolean
}

/** Consecutive steps that run at the same time. */
export type Together = { readonly first: number; readonly count: number }

interface Lifetime {
  readonly buffer: number
  readonly bytes: Size
  readonly first: number
  readonly last: number
}

interface Slot {
  bytes: Size
  readonly tenants: Lifetime[]
}

/** The plan's buffers with slots for the temporaries, and the number of slots. Steps that run together share no memory. */
export function planMemory(
  drafts: readonly BufferDraft[],
  uses: readonly StepUse[],
  together: readonly Together[] = [],
): { buffers: PlanBuffer[]; slots: number } {
  const times = timesOf(uses, together)
  const lifetimes = lifetimesOf(drafts, uses, times)
  // A step that runs beside others may not overwrite what these read.
  const alone = uses.map((use, step) => (times[step] === step && times[step + 1] !== step ? use : null))
  const isKnown = (lifetime: Lifetime): lifetime is KnownLifetime => typeof lifetime.bytes === 'number'
  const mayShare = (from: Lifetime, to: Lifetime): boolean =>
    from.last === to.first && mayOverwrite(alone[to.first] ?? null, from.buffer, to.buffer, drafts)
  const places = new Map<number, Place>()
  let slots = 0
  for (const onDevice of groupBy(lifetimes.filter(isKnown), ({ buffer }) => drafts[buffer]!.device).values()) {
    const packed = pack(largestFirst(onDevice), (a, b) => mayShare(a, b) || mayShare(b, a))
    for (const { lifetime, at } of packed) places.set(lifetime.buffer, { slot: slots, at })
    slots++
  }
  const shared: Slot[] = []
  for (const lifetime of largestFirst(lifetimes.filter(each => !isKnown(each)))) {
    let found = shared.findIndex(slot => fits(slot, lifetime, drafts, mayShare))
    if (found < 0) found = shared.push({ bytes: lifetime.bytes, tenants: [] }) - 1
    shared[found]!.tenants.push(lifetime)
    places.set(lifetime.buffer, { slot: slots + found, at: 0 })
  }
  const buffers = drafts.map((draft, i): PlanBuffer => {
    const { device, dtype } = draft
    if (draft.kind === 'input') return { kind: 'input', device, dtype, input: draft.input }
    const { elements } = draft
    return draft.kind === 'temp'
      ? { kind: 'temp', device, dtype, elements, ...places.get(i)! }
      : { kind: draft.kind, device, dtype, elements }
  })
  return { buffers, slots: slots + shared.length }
}

interface Place {
  readonly slot: number
  readonly at: number
}

type KnownLifetime = Lifetime & { readonly bytes: number }

/** Wide accesses of any device may begin there. */
const alignment = 512

interface Packed {
  readonly lifetime: KnownLifetime
  readonly at: number
  readonly end: number
}

/** `mayShare`: one of two may be written over the other, in the same place. */
function pack(lifetimes: readonly KnownLifetime[], mayShare: (a: Lifetime, b: Lifetime) => boolean): readonly Packed[] {
  const placed: Packed[] = []
  for (const lifetime of lifetimes) {
    const bytes = Math.ceil(lifetime.bytes / alignment) * alignment
    const others = placed.filter(
      other => other.lifetime.last >= lifetime.first && lifetime.last >= other.lifetime.first,
    )
    const at = overwritten(lifetime, bytes, others, mayShare) ?? smallestGap(others, bytes)
    placed.push({ lifetime, at, end: at + bytes })
  }
  return placed
}

/** The place of something that the buffer may be written over, if nothing else is live there. */
function overwritten(
  lifetime: KnownLifetime,
  bytes: number,
  others: readonly Packed[],
  mayShare: (a: Lifetime, b: Lifetime) => boolean,
): number | null {
  const shared = others.filter(other => mayShare(other.lifetime, lifetime))
  const isFree = (at: number): boolean =>
    others.every(other => (shared.includes(other) && other.at === at) || other.end <= at || at + bytes <= other.at)
  return shared.find(({ at }) => isFree(at))?.at ?? null
}

/** Where `bytes` fit between others with the least left over; else after all of them. */
function smallestGap(others: readonly Packed[], bytes: number): number {
  let [best, least, end] = [-1, Number.POSITIVE_INFINITY, 0]
  for (const other of others.toSorted((a, b) => a.at - b.at)) {
    const gap = other.at - end
    if (gap >= bytes && gap < least) {
      best = end
      least = gap
    }
    end = Math.max(end, other.end)
  }
  return best < 0 ? end : best
}

/** When each step runs: those that run together have the time of the first. */
function timesOf(uses: readonly StepUse[], together: readonly Together[]): readonly number[] {
  const times = [...uses.keys()]
  for (const { first, count } of together) times.fill(first, first, first + count)
  return times
}

/** The first and last time at which a step uses each temporary buffer. */
function lifetimesOf(drafts: readonly BufferDraft[], uses: readonly StepUse[], times: readonly number[]): Lifetime[] {
  const span = new Map<number, [number, number]>()
  for (const [step, use] of uses.entries()) {
    const at = times[step]!
    for (const { buffer } of viewsOf(use.step)) span.set(buffer, [span.get(buffer)?.[0] ?? at, at])
  }
  return drafts.flatMap((draft, buffer): Lifetime[] => {
    if (draft.kind !== 'temp') return []
    // A buffer that no step uses is never live, and may share any slot.
    const [first, last] = span.get(buffer) ?? [0, -1]
    return [{ buffer, bytes: mulSizes(draft.elements, itemBytes(draft.dtype)), first, last }]
  })
}

/** Known sizes, the largest first; then symbolic sizes by their text, so that equal ones are adjacent. */
function largestFirst<L extends Lifetime>(lifetimes: readonly L[]): L[] {
  const rank = ({ bytes }: Lifetime): number => (typeof bytes === 'number' ? bytes : -1)
  return lifetimes.toSorted(
    (a, b) => rank(b) - rank(a) || String(a.bytes).localeCompare(String(b.bytes)) || a.first - b.first,
  )
}

/**
 * A slot is on one device, and as large as its largest buffer at the call's sizes; sizes that cannot be compared do not
 * share one.
 */
function fits(
  slot: Slot,
  lifetime: Lifetime,
  drafts: readonly BufferDraft[],
  mayShare: (from: Lifetime, to: Lifetime) => boolean,
): boolean {
  if (!isAtMost(lifetime.bytes, slot.bytes)) return false
  return slot.tenants.every(tenant => {
    if (drafts[tenant.buffer]!.device !== drafts[lifetime.buffer]!.device) return false
    if (tenant.last < lifetime.first || lifetime.last < tenant.first) return true
    return mayShare(tenant, lifetime) || mayShare(lifetime, tenant)
  })
}

const isAtMost = (a: Size, b: Size): boolean => sameSize(a, b) || rangeOf(subSizes(b, a)).min >= 0

/** Whether a step may write `to` over `from`, which it reads; null: it runs beside others. */
function mayOverwrite(use: StepUse | null, from: number, to: number, drafts: readonly BufferDraft[]): boolean {
  if (use === null) return false
  const { step, elementwise, writes } = use
  if (!elementwise || writes.has(from) || drafts[from]!.dtype !== drafts[to]!.dtype) return false
  const views = (buffer: number) => viewsOf(step).filter(view => view.buffer === buffer)
  const [[source, ...moreSources], [target, ...moreTargets]] = [views(from), views(to)]
  if (source === undefined || target === undefined || moreSources.length > 0 || moreTargets.length > 0) return false
  return (
    sameSize(source.offset, target.offset) &&
    sameShape(source.shape, target.shape) &&
    sameShape(source.strides, target.strides)
  )
}
