/** Learning-rate schedules, as functions of the number of steps; PyTorch's formulas in closed form. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { requireCount, requireNumber, Schedule, type Scheduled } from './schedule.js'

/** Options of `stepLR` and `multiStep`. */
export interface DecayOptions {
  /** What the learning rate is multiplied by; 0.1 by default. */
  readonly gamma?: number | undefined
}

/** Multiplies the learning rate of `optimizer` by `gamma` every `stepSize` steps. */
export function stepLR(optimizer: Scheduled, stepSize: number, options: DecayOptions = {}): Schedule {
  checkOptionsObject('stepLR', options, ['gamma'])
  const { gamma = 0.1 } = options
  requireCount('stepLR', 'stepSize', stepSize)
  requireNumber('stepLR', 'gamma', gamma)
  return new Schedule('stepLR', optimizer, (t, base) => base * gamma ** Math.floor(t / stepSize))
}

/** Multiplies the learning rate of `optimizer` by `gamma` at each of the milestones, which count steps. */
export function multiStep(optimizer: Scheduled, milestones: readonly number[], options: DecayOptions = {}): Schedule {
  checkOptionsObject('multiStep', options, ['gamma'])
  const { gamma = 0.1 } = options
  for (const milestone of milestones) requireCount('multiStep', 'a milestone', milestone, 0)
  requireNumber('multiStep', 'gamma', gamma)
  const passed = [...milestones]
  const count = (t: number): number => passed.filter(milestone => milestone <= t).length
  return new Schedule('multiStep', optimizer, (t, base) => base * gamma ** count(t))
}

/** Multiplies the learning rate of `optimizer` by `gamma` at each step. */
export function exponential(optimizer: Scheduled, gamma: number): Schedule {
  requireNumber('exponential', 'gamma', gamma)
  return new Schedule('exponential', optimizer, (t, base) => base * gamma ** t)
}

/** Options of `cosine`. */
export interface CosineOptions {
  /** The lowest learning rate; 0 by default. */
  readonly etaMin?: number | undefined
}

const halfCosine = (part: number): number => (1 + Math.cos(Math.PI * part)) / 2

/**
 * From the learning rate of `optimizer` down to `etaMin` along half a cosine within `tMax` steps; it rises again afterwards.
 * "SGDR: Stochastic Gradient Descent with Warm Restarts" (Loshchilov and Hutter 2017), without the restarts.
 */
export function cosine(optimizer: Scheduled, tMax: number, options: CosineOptions = {}): Schedule {
  checkOptionsObject('cosine', options, ['etaMin'])
  const { etaMin = 0 } = options
  requireCount('cosine', 'tMax', tMax)
  requireNumber('cosine', 'etaMin', etaMin)
  return new Schedule('cosine', optimizer, (t, base) => etaMin + (base - etaMin) * halfCosine(t / tMax))
}

/** Options of `cosineRestarts`. */
export interface CosineRestartsOptions extends CosineOptions {
  /** How many times longer than the last each period is: an integer, 1 by default. */
  readonly tMult?: number | undefined
}

/** As `cosine` of `optimizer`, starting over after `t0` steps, and then after `tMult` times as many each time. */
export function cosineRestarts(optimizer: Scheduled, t0: number, options: CosineRestartsOptions = {}): Schedule {
  checkOptionsObject('cosineRestarts', options, ['tMult', 'etaMin'])
  const { tMult = 1, etaMin = 0 } = options
  requireCount('cosineRestarts', 't0', t0)
  requireCount('cosineRestarts', 'tMult', tMult)
  requireNumber('cosineRestarts', 'etaMin', etaMin)
  const part = (t: number): number => {
    if (tMult === 1) return (t % t0) / t0
    let [left, period] = [t, t0]
    while (left >= period) [left, period] = [left - period, period * tMult]
    return left / period
  }
  return new Schedule('cosineRestarts', optimizer, (t, base) => etaMin + (base - etaMin) * halfCosine(part(t)))
}

/** Options of `linear`. */
export interface LinearOptions {
  /** What the learning rate is multiplied by at first; 1/3 by default. */
  readonly startFactor?: number | undefined
  /** What it is multiplied by in the end; 1 by default. */
  readonly endFactor?: number | undefined
  /** Steps from the one to the other; 5 by default. */
  readonly totalIters?: number | undefined
}

/** From `startFactor` to `endFactor` times the learning rate of `optimizer`, in even steps: a linear warm-up. */
export function linear(optimizer: Scheduled, options: LinearOptions = {}): Schedule {
  checkOptionsObject('linear', options, ['startFactor', 'endFactor', 'totalIters'])
  const { startFactor = 1 / 3, endFactor = 1, totalIters = 5 } = options
  requireNumber('linear', 'startFactor', startFactor, 0, 1)
  requireNumber('linear', 'endFactor', endFactor, 0, 1)
  requireCount('linear', 'totalIters', totalIters)
  const factor = (t: number): number => startFactor + (endFactor - startFactor) * (Math.min(t, totalIters) / totalIters)
  return new Schedule('linear', optimizer, (t, base) => base * factor(t))
}

/** Options of `constant`. */
export interface ConstantOptions {
  /** What the learning rate is multiplied by; 1/3 by default. */
  readonly factor?: number | undefined
  /** For how many steps; 5 by default. */
  readonly totalIters?: number | undefined
}

/** `factor` times the learning rate of `optimizer` for some steps, then the learning rate. */
export function constant(optimizer: Scheduled, options: ConstantOptions = {}): Schedule {
  checkOptionsObject('constant', options, ['factor', 'totalIters'])
  const { factor = 1 / 3, totalIters = 5 } = options
  requireNumber('constant', 'factor', factor, 0, 1)
  requireCount('constant', 'totalIters', totalIters)
  return new Schedule('constant', optimizer, (t, base) => (t < totalIters ? base * factor : base))
}

/** Options of `polynomial`. */
export interface PolynomialOptions {
  /** Steps down to 0; 5 by default. */
  readonly totalIters?: number | undefined
  /** The exponent; 1 by default. */
  readonly power?: number | undefined
}

/** The learning rate of `optimizer` times (1 − t / totalIters)^power, then 0. */
export function polynomial(optimizer: Scheduled, options: PolynomialOptions = {}): Schedule {
  checkOptionsObject('polynomial', options, ['totalIters', 'power'])
  const { totalIters = 5, power = 1 } = options
  requireCount('polynomial', 'totalIters', totalIters)
  requireNumber('polynomial', 'power', power)
  const left = (t: number): number => 1 - Math.min(t, totalIters) / totalIters
  return new Schedule('polynomial', optimizer, (t, base) => base * left(t) ** power)
}

/** What the learning rate is multiplied by after so many steps. */
export type Factor = (step: number) => number

/** The learning rate of `optimizer` times `factor`, a function of the number of steps: one for all groups, or one for each. */
export function lambda(optimizer: Scheduled, factor: Factor | readonly Factor[]): Schedule {
  const { length } = optimizer.paramGroups
  const factors = typeof factor === 'function' ? new Array<Factor>(length).fill(factor) : [...factor]
  if (factors.length !== length)
    throw new ArgumentError(`lambda: ${factors.length} functions for ${length} groups of parameters`, {
      fix: 'give one function, or one for each group',
    })
  return new Schedule('lambda', optimizer, (t, base, group) => base * (factors[group] ?? factors[0]!)(t))
}

/**
 * The learning rate of `optimizer` times the product of `factor(1)`, …, `factor(t)`: each step multiplies it by the next factor.
 * One function for all groups, or one for each.
 */
export function multiplicative(optimizer: Scheduled, factor: Factor | readonly Factor[]): Schedule {
  const product =
    (one: Factor): Factor =>
    t =>
      Array.from({ length: t }, (_, i) => one(i + 1)).reduce((a, b) => a * b, 1)
  const products = typeof factor === 'function' ? product(factor) : factor.map(product)
  return lambda(optimizer, products)
}

/** Options of `cyclic`. */
export interface CyclicOptions {
  /** Steps up; 2000 by default. */
  readonly stepSizeUp?: number | undefined
  /** Steps down; as many as up by default. */
  readonly stepSizeDown?: number | undefined
  /** What becomes of the height of cycles: it stays, is halved each time, or is multiplied by `gamma` at each step; 'triangular' by default. */
  readonly mode?: 'triangular' | 'triangular2' | 'exp_range' | undefined
  /** Of mode 'exp_range'; 1 by default. */
  readonly gamma?: number | undefined
  /** Momentum, or the first of the betas, falls while the learning rate rises. Default true. */
  readonly cycleMomentum?: boolean | undefined
  /** The lowest momentum; 0.8 by default. */
  readonly baseMomentum?: number | undefined
  /** The highest; 0.9 by default. */
  readonly maxMomentum?: number | undefined
}

/** What the height is multiplied by in cycle `cycle` (from 1 on), at step `t`. */
const heights = {
  triangular: () => 1,
  triangular2: (cycle: number) => 2 ** (1 - cycle),
  exp_range: (_: number, t: number, gamma: number) => gamma ** t,
} as const

/**
 * The learning rate of `optimizer` goes from `baseLr` up to `maxLr` and down again in even steps, over and over, and momentum the
 * other way round: "Cyclical Learning Rates for Training Neural Networks" (Smith 2017). The learning rate that the optimiser had
 * does not matter.
 */
export function cyclic(optimizer: Scheduled, baseLr: number, maxLr: number, options: CyclicOptions = {}): Schedule {
  const names = ['stepSizeUp', 'stepSizeDown', 'mode', 'gamma', 'cycleMomentum', 'baseMomentum', 'maxMomentum'] as const
  checkOptionsObject('cyclic', options, names)
  const { stepSizeUp = 2000, mode = 'triangular', gamma = 1, cycleMomentum = true } = options
  const { stepSizeDown = stepSizeUp, baseMomentum = 0.8, maxMomentum = 0.9 } = options
  for (const [name, value] of Object.entries({ baseLr, maxLr, gamma, baseMomentum, maxMomentum }))
    requireNumber('cyclic', name, value)
  for (const [name, value] of Object.entries({ stepSizeUp, stepSizeDown })) requireCount('cyclic', name, value)
  if (!Object.hasOwn(heights, mode))
    throw new ArgumentError(`cyclic: mode is ${describeAny(mode)}`, {
      fix: "use 'triangular', 'triangular2' or 'exp_range'",
    })
  const total = stepSizeUp + stepSizeDown
  const height = (t: number): number => {
    const cycle = Math.floor(1 + t / total)
    const [part, turn] = [1 + t / total - cycle, stepSizeUp / total]
    return (part <= turn ? part / turn : (part - 1) / (turn - 1)) * heights[mode](cycle, t, gamma)
  }
  const momentum = (t: number): number => maxMomentum - (maxMomentum - baseMomentum) * height(t)
  return new Schedule('cyclic', optimizer, t => baseLr + (maxLr - baseLr) * height(t), cycleMomentum ? momentum : null)
}

/** Options of `oneCycle`. */
export interface OneCycleOptions {
  /** The number of steps of the whole training. Or give `epochs` and `stepsPerEpoch`. */
  readonly totalSteps?: number | undefined
  /** How often the loop goes through the data. */
  readonly epochs?: number | undefined
  /** Steps in each of the `epochs`. */
  readonly stepsPerEpoch?: number | undefined
  /** The part of the steps in which the learning rate rises; 0.3 by default. */
  readonly pctStart?: number | undefined
  /** The form of all parts; 'cos' by default. */
  readonly annealStrategy?: 'cos' | 'linear' | undefined
  /** Momentum, or the first of the betas, falls while the learning rate rises. Default true. */
  readonly cycleMomentum?: boolean | undefined
  /** The lowest momentum; 0.85 by default. */
  readonly baseMomentum?: number | undefined
  /** The highest; 0.95 by default. */
  readonly maxMomentum?: number | undefined
  /** The learning rate starts at maxLr / divFactor; 25 by default. */
  readonly divFactor?: number | undefined
  /** It ends at the start's / finalDivFactor; 10,000 by default. */
  readonly finalDivFactor?: number | undefined
  /** Falls to where it started as fast as it rose, and then to the end. Default false. */
  readonly threePhase?: boolean | undefined
}

const oneCycleNames: readonly (keyof OneCycleOptions)[] = [
  ...(['totalSteps', 'epochs', 'stepsPerEpoch', 'pctStart', 'annealStrategy', 'cycleMomentum'] as const),
  ...(['baseMomentum', 'maxMomentum', 'divFactor', 'finalDivFactor', 'threePhase'] as const),
]

/** A part of a cycle: its last step, and what it goes from and to. */
interface Phase {
  readonly end: number
  readonly rate: readonly [number, number]
  readonly momentum: readonly [number, number]
}

const anneal = {
  cos: (from: number, to: number, part: number) => to + (from - to) * halfCosine(part),
  linear: (from: number, to: number, part: number) => from + (to - from) * part,
} as const

/**
 * The learning rate of `optimizer` goes up to `maxLr` and down again, over the whole training, and momentum the other way round: "Super-Convergence" (Smith and Topin
 * 2018). The learning rate that the optimiser had does not matter. A step beyond the last throws ArgumentError.
 */
export function oneCycle(optimizer: Scheduled, maxLr: number, options: OneCycleOptions = {}): Schedule {
  checkOptionsObject('oneCycle', options, oneCycleNames)
  const { annealStrategy = 'cos', cycleMomentum = true } = options
  requireNumber('oneCycle', 'maxLr', maxLr)
  const total = totalSteps(options)
  if (!(annealStrategy in anneal))
    throw new ArgumentError(`oneCycle: annealStrategy is ${describeAny(annealStrategy)}`, {
      fix: "use 'cos' or 'linear'",
    })
  const phases = phasesOf(maxLr, total, options)
  const at = (t: number, what: 'rate' | 'momentum'): number => {
    if (t > total)
      throw new ArgumentError(`oneCycle: step ${t} of ${total}`, { fix: 'give it as many steps as the training has' })
    const found = phases.findIndex(({ end }, i) => t <= end || i === phases.length - 1)
    const [start, { end, [what]: range }] = [phases[found - 1]?.end ?? 0, phases[found]!]
    return anneal[annealStrategy](...range, end > start ? Math.min(1, (t - start) / (end - start)) : 1)
  }
  return new Schedule('oneCycle', optimizer, t => at(t, 'rate'), cycleMomentum ? t => at(t, 'momentum') : null)
}

function totalSteps({ totalSteps: total, epochs, stepsPerEpoch }: OneCycleOptions): number {
  if (total !== undefined) requireCount('oneCycle', 'totalSteps', total)
  else {
    requireCount('oneCycle', 'epochs (or totalSteps)', epochs)
    requireCount('oneCycle', 'stepsPerEpoch', stepsPerEpoch)
  }
  return total ?? epochs! * stepsPerEpoch!
}

function phasesOf(maxLr: number, total: number, options: OneCycleOptions): readonly Phase[] {
  const { pctStart = 0.3, baseMomentum = 0.85, maxMomentum = 0.95 } = options
  const { divFactor = 25, finalDivFactor = 1e4, threePhase = false } = options
  requireNumber('oneCycle', 'pctStart', pctStart, 0, threePhase ? 0.5 : 1)
  for (const [name, value] of Object.entries({ baseMomentum, maxMomentum }))
    requireNumber('oneCycle', name, value, 0, 1)
  for (const [name, value] of Object.entries({ divFactor, finalDivFactor }))
    requireNumber('oneCycle', name, value, Number.MIN_VALUE)
  const first = maxLr / divFactor
  const last = first / finalDivFactor
  const up: Phase = { end: pctStart * total - 1, rate: [first, maxLr], momentum: [maxMomentum, baseMomentum] }
  if (!threePhase) return [up, { end: total - 1, rate: [maxLr, last], momentum: [baseMomentum, maxMomentum] }]
  const down: Phase = { end: 2 * pctStart * total - 2, rate: [maxLr, first], momentum: [baseMomentum, maxMomentum] }
  return [up, down, { end: total - 1, rate: [first, last], momentum: [maxMomentum, maxMomentum] }]
}

/**
 * One schedule after another: the next begins, at its own step 0, when as many steps were made as its milestone says.
 *
 * @param schedules of this optimiser, made just for this
 * @param milestones one less than schedules, ascending
 * @example sequential(optimizer, [linear(optimizer, { totalIters: 100 }), cosine(optimizer, 900)], [100])
 */
export function sequential(
  optimizer: Scheduled,
  schedules: readonly Schedule[],
  milestones: readonly number[],
): Schedule {
  if (schedules.length === 0 || milestones.length !== schedules.length - 1)
    throw new ArgumentError(`sequential: ${schedules.length} schedules and ${milestones.length} milestones`, {
      fix: 'give a milestone between each two schedules',
    })
  const stray = schedules.find(schedule => schedule.optimizer !== optimizer)
  if (stray !== undefined)
    throw new ArgumentError(`sequential: ${stray.name} is of another optimiser`, { fix: 'make all for the same one' })
  for (const [i, milestone] of milestones.entries())
    requireCount('sequential', `milestone ${i}`, milestone, 1 + (milestones[i - 1] ?? 0))
  const starts = [0, ...milestones]
  const current = (t: number): number => starts.findLastIndex(start => start <= t)
  const cycled = schedules.some(({ momentum }) => momentum !== null)
  const momentum = (t: number): number => {
    const own = schedules[current(t)]!.momentum ?? schedules.find(other => other.momentum !== null)!.momentum!
    return own(t - starts[current(t)]!)
  }
  if (cycled && schedules.some(schedule => schedule.momentum === null))
    throw new ArgumentError('sequential: only some of the schedules set momentum', {
      fix: 'give oneCycle { cycleMomentum: false }',
    })
  return new Schedule(
    'sequential',
    optimizer,
    (t, base, group) => schedules[current(t)]!.curve(t - starts[current(t)]!, base, group),
    cycled ? momentum : null,
  )
}
