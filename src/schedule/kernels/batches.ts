/**
 * Launches of little work take longer to start than to run, and there are many: an update per parameter, a norm per gradient,
 * fills, casts. Those that do not depend on each other become batches, each of which may run as one launch. A launch waits
 * until something needs its results. Then those run with it that wait too and either hold memory, as the last to read a
 * temporary, or keep others waiting; what nothing waits for, such as updates, waits on. None runs earlier than it would alone, so that nothing takes
 * memory before it is needed.
 */
import type { Size } from '../../scalar/size.js'
import type { BufferDraft } from '../memory/buffers.js'
import type { StepUse } from '../memory/slots.js'
import { type PlanBatch, type PlanGroup, type PlanView, viewsOf } from '../plan/plan.js'
import type { BatchPolicy } from '../policy.js'

export interface Batched {
  readonly uses: readonly StepUse[]
  readonly groups: readonly PlanGroup[]
  readonly batches: readonly PlanBatch[]
}

/** Reorders the steps so that those of a batch are adjacent. The steps of a group stay together, in the order that they had. */
export function batched(
  uses: readonly StepUse[],
  groups: readonly PlanGroup[],
  drafts: readonly BufferDraft[],
  policy: BatchPolicy | null,
): Batched {
  return policy === null ? { uses, groups, batches: [] } : new Batcher(unitsOf(uses, groups, policy), drafts).run()
}

/** A step, or the steps of a group. */
interface Unit {
  readonly uses: readonly StepUse[]
  readonly group: PlanGroup | null
  readonly isSmall: boolean
}

function unitsOf(uses: readonly StepUse[], groups: readonly PlanGroup[], policy: BatchPolicy): Unit[] {
  const units: Unit[] = []
  const starts = new Map(groups.map(group => [group.first, group]))
  for (let at = 0; at < uses.length; ) {
    const group = starts.get(at) ?? null
    const use = uses[at]!
    const count = group?.count ?? 1
    units.push({ uses: uses.slice(at, at + count), group, isSmall: group === null && isSmall(use, policy) })
    at += count
  }
  return units
}

const isSmall = ({ step, joins }: StepUse, { bytes }: BatchPolicy): boolean =>
  joins &&
  step.kind === 'launch' &&
  typeof step.bytes === 'number' &&
  step.bytes <= bytes &&
  step.grid.every(size => typeof size === 'number')

class Batcher {
  readonly #uses: StepUse[] = []
  readonly #groups: PlanGroup[] = []
  readonly #batches: PlanBatch[] = []
  readonly #needs: readonly (readonly number[])[]
  readonly #placed: boolean[]
  /** The last units that use each buffer. */
  readonly #last = new Map<number, number>()
  /** Small units that come before the next one, in order. */
  #waiting: number[] = []

  constructor(
    readonly units: readonly Unit[],
    readonly drafts: readonly BufferDraft[],
  ) {
    this.#needs = needsOf(units)
    this.#placed = units.map(() => false)
    for (const [i, { uses }] of units.entries())
      for (const { step } of uses) for (const { buffer } of viewsOf(step)) this.#last.set(buffer, i)
  }

  run(): Batched {
    for (const [i, { isSmall: waits }] of this.units.entries()) {
      if (waits) this.#waiting.push(i)
      else {
        while (!this.#isReady(i)) this.#placeWaiting(this.#neededFor(i))
        this.#place(i)
      }
    }
    while (this.#waiting.length > 0) this.#placeWaiting(new Set(this.#waiting))
    return { uses: this.#uses, groups: this.#groups, batches: this.#batches }
  }

  readonly #isReady = (unit: number): boolean => this.#needs[unit]!.every(need => this.#placed[need])

  /** The waiting units that a unit needs, directly or not. */
  #neededFor(unit: number): Set<number> {
    const found = new Set<number>()
    const stack = [unit]
    while (stack.length > 0) {
      for (const need of this.#needs[stack.pop()!]!) {
        if (this.#placed[need] || found.has(need)) continue
        found.add(need)
        stack.push(need)
      }
    }
    return found
  }

  /** Places those of these units that wait for none of the others, and those that hold memory or keep others waiting. */
  #placeWaiting(wanted: ReadonlySet<number>): void {
    const awaited = new Set(this.#waiting.flatMap(unit => this.#needs[unit]!))
    const goes = (unit: number): boolean =>
      this.#isReady(unit) && (wanted.has(unit) || awaited.has(unit) || this.#holdsMemory(unit))
    const ready = this.#waiting.filter(goes)
    const placed = new Set(ready)
    this.#waiting = this.#waiting.filter(unit => !placed.has(unit))
    if (ready.length > 1) this.#batches.push({ first: this.#uses.length, count: ready.length })
    for (const unit of ready) this.#place(unit)
  }

  /** Whether a temporary could be freed after it. */
  #holdsMemory(unit: number): boolean {
    return this.units[unit]!.uses.some(({ step }) =>
      viewsOf(step).some(({ buffer }) => {
        const draft = this.drafts[buffer]!
        return draft.kind === 'temp' && this.#last.get(buffer) === unit && !isNegligible(draft.elements)
      }),
    )
  }

  #place(index: number): void {
    const { uses, group } = this.units[index]!
    if (group !== null) this.#groups.push({ ...group, first: this.#uses.length })
    this.#uses.push(...uses)
    this.#placed[index] = true
  }
}

const isNegligible = (elements: Size): boolean => typeof elements === 'number' && elements <= negligible

/** Temporaries of so few elements may live longer. */
const negligible = 1 << 10

/** Elements of a buffer from `from` up to `to`. */
interface Range {
  readonly from: number
  readonly to: number
}

interface Access extends Range {
  readonly unit: number
}

const everything: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** Per unit, the earlier ones that must run before it: they write what it reads or writes, or read what it writes. */
function needsOf(units: readonly Unit[]): number[][] {
  const [readers, writers] = [new Map<number, Access[]>(), new Map<number, Access[]>()]
  return units.map(({ uses }, unit) => {
    const needs = new Set<number>()
    const { reads, writes } = rangesOf(uses)
    const wait = (earlier: Map<number, Access[]>, buffer: number, range: Range): void => {
      for (const access of earlier.get(buffer) ?? []) if (overlap(access, range)) needs.add(access.unit)
    }
    for (const [buffer, range] of reads) wait(writers, buffer, range)
    for (const [buffer, range] of writes) {
      wait(writers, buffer, range)
      wait(readers, buffer, range)
    }
    for (const [buffer, range] of reads) note(readers, buffer, { ...range, unit })
    for (const [buffer, range] of writes) {
      // Who waits for this write waits for what it covers.
      for (const earlier of [readers, writers])
        if (earlier.has(buffer))
          earlier.set(
            buffer,
            earlier.get(buffer)!.filter(access => !covers(range, access)),
          )
      note(writers, buffer, { ...range, unit })
    }
    needs.delete(unit)
    return [...needs]
  })
}

function note(accesses: Map<number, Access[]>, buffer: number, access: Access): void {
  const known = accesses.get(buffer)
  if (known === undefined) accesses.set(buffer, [access])
  else known.push(access)
}

/** What steps read and write of each buffer. What they write counts as read too. */
function rangesOf(uses: readonly StepUse[]): Record<'reads' | 'writes', Map<number, Range>> {
  const [reads, writes] = [new Map<number, Range>(), new Map<number, Range>()]
  for (const use of uses) {
    for (const buffer of use.writes) if (use.step.kind !== 'launch') writes.set(buffer, everything)
    for (const view of viewsOf(use.step)) {
      const ranges = use.writes.has(view.buffer) ? writes : reads
      ranges.set(view.buffer, hull(ranges.get(view.buffer), rangeOf(view)))
    }
  }
  return { reads, writes }
}

function rangeOf({ offset, shape, strides }: PlanView): Range {
  const isKnown = (size: Size): size is number => typeof size === 'number' && size >= 0
  if (!isKnown(offset) || !shape.every(isKnown) || !strides.every(isKnown)) return everything
  const last = shape.reduce<number>((sum, size, d) => sum + (size - 1) * (strides[d] as number), offset)
  return { from: offset, to: last + 1 }
}

const hull = (a: Range | undefined, b: Range): Range =>
  a === undefined ? b : { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) }

const overlap = (a: Range, b: Range): boolean => a.from < b.to && b.from < a.to
const covers = (outer: Range, inner: Range): boolean => outer.from <= inner.from && inner.to <= outer.to
