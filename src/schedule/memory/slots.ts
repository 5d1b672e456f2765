/**
 * Assigns temporaries to memory slots: those whose live ranges do not overlap share one. An elementwise kernel may overwrite
 * an input that is dead afterwards, if both have the same layout.
 */
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
  const slots: Slot[] = []
  const slotOf = new Map<number, number>()
  for (const lifetime of largestFirst(lifetimes)) {
    let at = slots.findIndex(slot => fits(slot, lifetime, drafts, alone))
    if (at < 0) at = slots.push({ bytes: lifetime.bytes, tenants: [] }) - 1
    slots[at]!.tenants.push(lifetime)
    slotOf.set(lifetime.buffer, at)
  }
  const buffers = drafts.map((draft, i): PlanBuffer => {
    const { device, dtype } = draft
    if (draft.kind === 'input') return { kind: 'input', device, dtype, input: draft.input }
    const { elements } = draft
    return draft.kind === 'temp'
      ? { kind: 'temp', device, dtype, elements, slot: slotOf.get(i)! }
      : { kind: draft.kind, device, dtype, elements }
  })
  return { buffers, slots: slots.length }
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
function largestFirst(lifetimes: readonly Lifetime[]): Lifetime[] {
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
  alone: readonly (StepUse | null)[],
): boolean {
  if (!isAtMost(lifetime.bytes, slot.bytes)) return false
  return slot.tenants.every(tenant => {
    if (drafts[tenant.buffer]!.device !== drafts[lifetime.buffer]!.device) return false
    if (tenant.last < lifetime.first || lifetime.last < tenant.first) return true
    if (tenant.last === lifetime.first)
      return mayOverwrite(alone[lifetime.first] ?? null, tenant.buffer, lifetime.buffer, drafts)
    if (lifetime.last === tenant.first)
      return mayOverwrite(alone[tenant.first] ?? null, lifetime.buffer, tenant.buffer, drafts)
    return false
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
