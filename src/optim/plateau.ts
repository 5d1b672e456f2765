/** A schedule that follows a measured value instead of a curve. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { Tensor } from '../tensor/tensor.js'
import { refuseCapture } from './options.js'
import { requireCount, requireNumber, type Scheduled } from './schedule.js'

/** Options of `ReduceLROnPlateau`. */
export interface PlateauOptions {
  /** Whether less is better ('min', default) or more ('max'). */
  readonly mode?: 'min' | 'max' | undefined
  /** What the learning rate is multiplied by; below 1, 0.1 by default. */
  readonly factor?: number | undefined
  /** How many steps without improvement are accepted; 10 by default. */
  readonly patience?: number | undefined
  /** What counts as an improvement; 1e-4 by default. */
  readonly threshold?: number | undefined
  /** The threshold is a part of the best value ('rel', default), or a difference ('abs'). */
  readonly thresholdMode?: 'rel' | 'abs' | undefined
  /** How many steps after a reduction nothing counts; 0 by default. */
  readonly cooldown?: number | undefined
  /** The learning rate does not fall below it; 0 by default. */
  readonly minLr?: number | undefined
  /** A reduction by less than it is left out; 1e-8 by default. */
  readonly eps?: number | undefined
}

const defaults = { mode: 'min', factor: 0.1, patience: 10, threshold: 1e-4 } as const
const otherDefaults = { thresholdMode: 'rel', cooldown: 0, minLr: 0, eps: 1e-8 } as const

/** What `stateDict` of a `ReduceLROnPlateau` gives, under PyTorch's names. */
export interface PlateauState {
  /** The best value so far. */
  readonly best: number
  /** Steps without improvement since. */
  readonly num_bad_epochs: number
  /** Steps that do not count yet. */
  readonly cooldown_counter: number
  /** Steps made. */
  readonly last_epoch: number
}

/** Multiplies learning rates by `factor` when a value, such as a validation loss, has not improved for `patience` steps. */
export class ReduceLROnPlateau {
  readonly #options: { readonly [K in keyof PlateauOptions]-?: Exclude<PlateauOptions[K], undefined> }
  #best: number
  #bad = 0
  #cooling = 0
  #steps = 0

  /** @throws ArgumentError for options out of range */
  constructor(
    /** Whose learning rates it sets. */
    readonly optimizer: Scheduled,
    options: PlateauOptions = {},
  ) {
    const all = { ...defaults, ...otherDefaults }
    checkOptionsObject('ReduceLROnPlateau', options, Object.keys(all))
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    this.#options = { ...all, ...given }
    checkOptions(this.#options)
    this.#best = this.#options.mode === 'min' ? Infinity : -Infinity
  }

  /** The learning rates as they are, by group. */
  get lastLr(): readonly number[] {
    return this.optimizer.paramGroups.map(({ lr }) => lr)
  }

  /**
   * Looks at the value of one more step, usually of an epoch.
   *
   * @param metric a number, or a tensor of one element, which is read
   * @throws ArgumentError for anything else, and in compiled functions CaptureError
   */
  step(metric: number | Tensor): void {
    refuseCapture('ReduceLROnPlateau.step')
    const value = metric instanceof Tensor ? metric.itemSync() : metric
    if (typeof (value as unknown) !== 'number')
      throw new ArgumentError(`ReduceLROnPlateau: the metric is ${describeAny(value)}`, { fix: 'pass a number' })
    this.#steps++
    const isBetter = this.#isBetter(value)
    if (isBetter) this.#best = value
    this.#bad = isBetter ? 0 : this.#bad + 1
    if (this.#cooling > 0) {
      this.#cooling--
      this.#bad = 0
    }
    if (this.#bad > this.#options.patience) this.#reduce()
  }

  /** Where it is, as plain numbers. */
  stateDict(): PlateauState {
    return {
      best: this.#best,
      num_bad_epochs: this.#bad,
      cooldown_counter: this.#cooling,
      last_epoch: this.#steps,
    }
  }

  /** Continues where another one was. Throws ArgumentError for what is no state. */
  loadStateDict(state: PlateauState): void {
    const { best, num_bad_epochs: bad, cooldown_counter: cooling, last_epoch: steps } = state
    if (![best, bad, cooling, steps].every(value => typeof value === 'number'))
      throw new ArgumentError(`ReduceLROnPlateau: the state is ${describeAny(state)}`, {
        fix: 'pass what stateDict() gave',
      })
    this.#best = best
    this.#bad = bad
    this.#cooling = cooling
    this.#steps = steps
  }

  #isBetter(value: number): boolean {
    const { mode, threshold, thresholdMode } = this.#options
    const least = thresholdMode === 'abs' ? threshold : Math.abs(this.#best) === Infinity ? 0 : this.#best * threshold
    return mode === 'min' ? value < this.#best - least : value > this.#best + least
  }

  #reduce(): void {
    const { factor, minLr, eps, cooldown } = this.#options
    for (const group of this.optimizer.paramGroups) {
      const reduced = Math.max(group.lr * factor, minLr)
      if (group.lr - reduced > eps) group.lr = reduced
    }
    this.#cooling = cooldown
    this.#bad = 0
  }
}

function checkOptions(
  options: { readonly [K in keyof PlateauOptions]-?: Exclude<PlateauOptions[K], undefined> },
): void {
  const callee = 'ReduceLROnPlateau'
  const { mode, thresholdMode, patience, cooldown, factor, threshold, minLr, eps } = options
  if (mode !== 'min' && mode !== 'max')
    throw new ArgumentError(`${callee}: mode is ${describeAny(mode)}`, { fix: "use 'min' or 'max'" })
  if (thresholdMode !== 'rel' && thresholdMode !== 'abs')
    throw new ArgumentError(`${callee}: thresholdMode is ${describeAny(thresholdMode)}`, { fix: "use 'rel' or 'abs'" })
  for (const [name, value] of Object.entries({ patience, cooldown })) requireCount(callee, name, value, 0)
  for (const [name, value] of Object.entries({ threshold, minLr, eps })) requireNumber(callee, name, value)
  requireNumber(callee, 'factor', factor, 0, 1)
  if (factor === 1) throw new ArgumentError(`${callee}: factor is 1`, { fix: 'give a factor below 1' })
}
