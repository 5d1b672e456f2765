/** What all learning-rate schedules share: a curve over steps, and where on it the optimiser is. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { refuseCapture } from './options.js'

/** A group of parameters, as far as schedules change it. */
export interface ScheduledGroup {
  /** The learning rate. */
  lr: number
  /** What a schedule that cycles momentum sets, where there are no betas. */
  momentum?: number
  /** The first of them is momentum. */
  betas?: readonly [number, number]
}

/** An optimiser, as far as schedules know it. */
export interface Scheduled {
  /** Whose learning rates are set. */
  readonly paramGroups: readonly ScheduledGroup[]
}

/** The learning rate after `step` steps of the schedule; `base`: the group's when the schedule was made. */
export type Curve = (step: number, base: number, group: number) => number

/** What `stateDict` of a schedule gives, under PyTorch's names. */
export interface ScheduleState {
  /** Steps made. */
  readonly last_epoch: number
  /** The groups' learning rates before the schedule. */
  readonly base_lrs: readonly number[]
}

/** The groups' learning rates before any schedule: one made on top of another starts from the same. */
const initial = new WeakMap<ScheduledGroup, number>()

function initialOf(group: ScheduledGroup): number {
  const known = initial.get(group) ?? group.lr
  initial.set(group, known)
  return known
}

/**
 * Sets the learning rates of an optimiser's groups: at once, and at each `step()`. They are written into the optimiser's tensors, so
 * compiled steps see them and nothing compiles. Call `step()` outside of compiled functions.
 */
export class Schedule {
  #step = 0
  #bases: readonly number[]

  /**
   * @param name of the schedule, for errors
   * @param momentum what it sets momentum (of Adam and the like: the first of the betas) to
   * @param follows true: it begins with the learning rates at its first step, rather than with those before any schedule
   */
  constructor(
    readonly name: string,
    /** Whose learning rates it sets. */
    readonly optimizer: Scheduled,
    /** The learning rate by the number of steps. */
    readonly curve: Curve,
    readonly momentum: ((step: number) => number) | null = null,
    readonly follows = false,
  ) {
    refuseCapture(name)
    this.#bases = follows ? this.lastLr : optimizer.paramGroups.map(initialOf)
    this.#apply(0)
  }

  /** The learning rates as they are, by group. */
  get lastLr(): readonly number[] {
    return this.optimizer.paramGroups.map(({ lr }) => lr)
  }

  /** Steps made so far. */
  get steps(): number {
    return this.#step
  }

  /** Moves on by one step: of training or one epoch, whatever the schedule counts. */
  step(): void {
    refuseCapture(`${this.name}.step`)
    if (this.follows && this.#step === 0) this.#bases = this.lastLr
    this.#apply(this.#step + 1)
  }

  /** Where it is, as plain numbers. */
  stateDict(): ScheduleState {
    return { last_epoch: this.#step, base_lrs: [...this.#bases] }
  }

  /** Goes to the `state` of another schedule of the same kind. Throws ArgumentError for another number of groups. */
  loadStateDict(state: ScheduleState): void {
    const { last_epoch: step, base_lrs: bases } = state
    const { length } = this.optimizer.paramGroups
    if (!Number.isInteger(step) || step < 0 || !Array.isArray(bases) || bases.length !== length)
      throw new ArgumentError(`${this.name}: the state is ${describeAny(state)}`, {
        fix: `pass what stateDict() gave for an optimiser of ${length} groups`,
      })
    this.#bases = [...bases]
    this.#apply(step)
  }

  #apply(step: number): void {
    const { paramGroups } = this.optimizer
    // A group that was added later starts from its own rate.
    const bases = paramGroups.map((group, g) => this.#bases[g] ?? initialOf(group))
    const rates = bases.map((base, g) => this.curve(step, base, g))
    const wrong = rates.find(rate => !(rate >= 0 && rate < Infinity))
    if (wrong !== undefined)
      throw new ArgumentError(`${this.name}: the learning rate of step ${step} is ${wrong}`, {
        fix: 'a learning rate is a number of at least 0',
      })
    this.#bases = bases
    this.#step = step
    for (const [g, group] of paramGroups.entries()) {
      group.lr = rates[g]!
      if (this.momentum !== null) setMomentum(this.name, group, this.momentum(step))
    }
  }
}

function setMomentum(name: string, group: ScheduledGroup, value: number): void {
  if (group.betas !== undefined) group.betas = [value, group.betas[1]]
  else if (group.momentum !== undefined) group.momentum = value
  else
    throw new ArgumentError(`${name}: the optimiser has neither momentum nor betas`, {
      fix: 'pass { cycleMomentum: false }',
    })
}

/** Throws ArgumentError unless `value` is an integer of at least `least`. */
export function requireCount(callee: string, name: string, value: unknown, least = 1): void {
  if (Number.isInteger(value) && (value as number) >= least) return
  throw new ArgumentError(`${callee}: ${name} is ${describeAny(value)}`, {
    fix: `give an integer of at least ${least}`,
  })
}

/** Throws ArgumentError unless `value` is a number from `least` to `most`. */
export function requireNumber(callee: string, name: string, value: unknown, least = 0, most = Infinity): void {
  if (typeof value === 'number' && value >= least && value <= most && Number.isFinite(value)) return
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`
  throw new ArgumentError(`${callee}: ${name} is ${describeAny(value)}`, { fix: `give a number ${range}` })
}
