import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { plural } from '../base/units.js'
import { enableGrad, noGrad } from '../tensor/autograd/mode.js'
import { zerosLike } from '../tensor/create.js'
import { cat } from '../tensor/functions.js'
import { split } from '../tensor/lists.js'
import { Tensor } from '../tensor/tensor.js'
import type { TensorDtype } from '../types/dtype.js'
import { amount, refuseCapture } from './options.js'
import { type Point, wolfeSearch } from './wolfe.js'

/** Options of `LBFGS`. */
export interface LBFGSOptions {
  /** What steps are multiplied by, or where the line search begins; 1 by default. */
  readonly lr?: number | undefined
  /** Iterations of one step; 20 by default. */
  readonly maxIter?: number | undefined
  /** Calls of the closure in one step; 1.25 · maxIter by default. */
  readonly maxEval?: number | undefined
  /** A step ends where no element of the gradient is larger; 1e-7 by default. */
  readonly toleranceGrad?: number | undefined
  /** A step ends where the loss or all parameters change by less; 1e-9 by default. */
  readonly toleranceChange?: number | undefined
  /** How many past updates approximate the Hessian; 100 by default. */
  readonly historySize?: number | undefined
  /** 'strongWolfe' (also 'strong_wolfe'): how far to go is searched for. Default null: steps of length `lr`. */
  readonly lineSearchFn?: 'strongWolfe' | 'strong_wolfe' | null | undefined
}

type Settings = { lr: number } & {
  readonly [K in Exclude<keyof LBFGSOptions, 'lr'>]-?: Exclude<LBFGSOptions[K], undefined>
}

/** A past update: the change of the gradient, that of the parameters, and 1 / their product. */
interface Update {
  readonly gradients: Tensor
  readonly params: Tensor
  readonly rho: number
}

/** What `state_dict()` of PyTorch's L-BFGS gives. Empty state: no step was made. */
export interface LBFGSStateDict {
  /** Of the first step on; before it, empty. */
  readonly state: { readonly 0?: LBFGSState }
  /** The options by PyTorch's names, and the numbers of the parameters. */
  readonly param_groups: readonly [Readonly<Record<string, unknown>> & { readonly params: readonly number[] }]
}

/** The approximation of the Hessian, of all parameters in one dim. */
export interface LBFGSState {
  /** How often the closure was called. */
  readonly func_evals: number
  /** How many iterations were made. */
  readonly n_iter: number
  /** The last direction. */
  readonly d: Tensor
  /** How far it went along that. */
  readonly t: number
  /** Past changes of the gradient, the oldest first. */
  readonly old_dirs: readonly Tensor[]
  /** The changes of the parameters that belong to them. */
  readonly old_stps: readonly Tensor[]
  /** 1 / the products of the two. */
  readonly ro: readonly (Tensor | number)[]
  /** The diagonal that the approximation starts from. */
  readonly H_diag: Tensor | number
  /** The gradient at the last step. */
  readonly prev_flat_grad: Tensor
  /** The loss there. */
  readonly prev_loss: number
}

/** Options by their names in PyTorch's state dicts. */
const saved = {
  lr: 'lr',
  maxIter: 'max_iter',
  maxEval: 'max_eval',
  toleranceGrad: 'tolerance_grad',
  toleranceChange: 'tolerance_change',
  historySize: 'history_size',
  lineSearchFn: 'line_search_fn',
} as const

const names = Object.keys(saved) as (keyof typeof saved)[]
const counts: ReadonlySet<string> = new Set(['maxIter', 'maxEval', 'historySize'])

function checkOptions(options: LBFGSOptions): void {
  const { lineSearchFn = null } = options
  if (lineSearchFn !== null && lineSearchFn !== 'strongWolfe' && lineSearchFn !== 'strong_wolfe')
    throw new ArgumentError(`LBFGS: lineSearchFn is '${String(lineSearchFn)}'`, { fix: "use 'strongWolfe' or null" })
  for (const name of names) {
    const value: unknown = options[name]
    if (name === 'lineSearchFn' || value === undefined) continue
    const isCount = counts.has(name)
    if (isCount ? Number.isInteger(value) && Number(value) >= 1 : amount(name, 0).accepts(value)) continue
    throw new ArgumentError(`LBFGS: ${name} is ${describeAny(value)}`, {
      fix: isCount ? 'give an integer of at least 1' : 'give a number of at least 0',
    })
  }
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (value instanceof Tensor && value.numel() === 1)

/** What is wrong with a state of `elements` elements; null: nothing. */
function problemOf(state: LBFGSState, elements: number): string | null {
  const { old_dirs: dirs, old_stps: steps, ro } = state
  if (![dirs, steps, ro].every(Array.isArray)) return 'old_dirs, old_stps and ro are not all lists'
  if (dirs.length !== steps.length || dirs.length !== ro.length)
    return `old_dirs, old_stps and ro have ${dirs.length}, ${steps.length} and ${ro.length} entries`
  const isVector = (each: unknown): boolean => each instanceof Tensor && each.ndim === 1 && each.numel() === elements
  const vectors: readonly unknown[] = [state.d, state.prev_flat_grad, ...dirs, ...steps]
  const numbers: readonly unknown[] = [state.t, state.H_diag, state.func_evals, state.n_iter, state.prev_loss, ...ro]
  const text = (each: unknown): string => (each instanceof Tensor ? each.describe() : describeAny(each))
  const [wrong] = vectors.filter(each => !isVector(each)).map(each => `${text(each)} among its vectors`)
  const [other] = numbers.filter(each => !isNumber(each)).map(each => `${text(each)} among its numbers`)
  return wrong ?? other ?? null
}

/** The parts of a state dict. Throws ArgumentError where it is none of these parameters. */
function checkedState(dict: LBFGSStateDict, params: readonly Tensor[]) {
  const elements = params.reduce((sum, param) => sum + param.numel(), 0)
  const refuse = (problem: string): ArgumentError =>
    new ArgumentError(
      `LBFGS.loadStateDict: ${problem}, for ${plural(params.length, 'parameter')} of ${plural(elements, 'element')}`,
      { fix: 'load what stateDict() of an LBFGS of the same model gave' },
    )
  const [group, ...others] = Array.isArray(dict?.param_groups) ? dict.param_groups : []
  if (!Array.isArray(group?.params) || typeof dict.state !== 'object' || dict.state === null)
    throw refuse(`${describeAny(dict)} is no state dict`)
  if (others.length > 0 || group.params.length !== params.length)
    throw refuse(`a state of ${plural(others.length + 1, 'group')} and ${plural(group.params.length, 'parameter')}`)
  const state = dict.state[0]
  const problem = state === undefined ? null : problemOf(state, elements)
  if (problem !== null) throw refuse(`a state with ${problem}`)
  return { group, state }
}

const sizeOf = (x: Tensor): number => x.abs().amax().itemSync()
const dot = (a: Tensor, b: Tensor): number => a.dot(b).itemSync()

/**
 * The limited-memory quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno ("On the Limited Memory BFGS Method for Large
 * Scale Optimization", Liu and Nocedal 1989), with PyTorch's iterations and defaults. For losses that are not drawn at random: a
 * step calls the closure many times.
 *
 * @example
 * const optimizer = new LBFGS(net.parameters(), { lineSearchFn: 'strongWolfe' })
 * optimizer.step(() => { optimizer.zeroGrad(); const loss = F.mseLoss(net(x), y); loss.backward(); return loss })
 */
export class LBFGS {
  /** One group. Its `lr` can be set. */
  readonly paramGroups: readonly [Settings & { readonly params: readonly Tensor[] }]
  readonly #updates: Update[] = []
  /** The last direction, the length gone along it, and the gradient before. */
  #last: { readonly direction: Tensor; length: number; readonly gradient: Tensor } | null = null
  /** The diagonal that approximates the inverse Hessian at first. */
  #scale = 1
  readonly #count = { calls: 0, iterations: 0, loss: 0 }

  /** @throws ArgumentError for unknown options, options out of range, an empty list of parameters, and for parameters that are no tensors */
  constructor(params: Iterable<Tensor>, options: LBFGSOptions = {}) {
    checkOptionsObject('LBFGS', options, names)
    const list = [...params]
    if (list.length === 0 || list.some(param => !(param instanceof Tensor)))
      throw new ArgumentError('LBFGS: the parameters are not a list of tensors', {
        fix: 'pass net.parameters(); LBFGS has no groups',
      })
    checkOptions(options)
    const { maxIter = 20, lineSearchFn = null } = options
    const { lr = 1, maxEval = Math.floor(maxIter * 1.25), toleranceGrad = 1e-7 } = options
    const { toleranceChange = 1e-9, historySize = 100 } = options
    const settings = { lr, maxIter, maxEval, toleranceGrad, toleranceChange, historySize, lineSearchFn }
    this.paramGroups = [{ params: list, ...settings }]
  }

  /** Drops all gradients. */
  zeroGrad(): void {
    for (const param of this.paramGroups[0].params) param.grad = null
  }

  /** PyTorch's layout. Tensors are the optimiser's own: write or clone them before the next step. */
  stateDict(): LBFGSStateDict {
    const [{ params, ...settings }] = this.paramGroups
    const options = Object.entries(saved).map(([name, torch]) => [torch, settings[name as keyof typeof saved]])
    const group = { ...Object.fromEntries(options), params: params.map((_, i) => i) }
    if (this.#last === null) return { state: {}, param_groups: [group] }
    const { direction, length, gradient } = this.#last
    const state = {
      func_evals: this.#count.calls,
      n_iter: this.#count.iterations,
      d: direction,
      t: length,
      old_dirs: this.#updates.map(({ gradients }) => gradients),
      old_stps: this.#updates.map(({ params: change }) => change),
      ro: this.#updates.map(({ rho }) => rho),
      H_diag: this.#scale,
      prev_flat_grad: gradient,
      prev_loss: this.#count.loss,
    }
    return { state: { 0: state }, param_groups: [group] }
  }

  /**
   * Goes on from a saved state, with copies of its tensors, and with its options.
   *
   * @param dict what `stateDict` gave, or PyTorch's `state_dict`
   * @throws ArgumentError for what is no such state, and for a state of other parameters; nothing has changed then
   */
  loadStateDict(dict: LBFGSStateDict): void {
    const { params } = this.paramGroups[0]
    const { group, state } = checkedState(dict, params)
    const found = Object.entries(saved).flatMap(([name, torch]) => (torch in group ? [[name, group[torch]]] : []))
    const options: LBFGSOptions = Object.fromEntries(found)
    checkOptions(options)
    const { dtype, device } = params[0]!
    const own = (x: Tensor): Tensor => x.to({ dtype: dtype as TensorDtype, device }).clone()
    const number = (x: Tensor | number): number => (typeof x === 'number' ? x : x.itemSync())
    Object.assign(this.paramGroups[0], options)
    this.#updates.length = 0
    this.#last = null
    this.#scale = 1
    Object.assign(this.#count, { calls: 0, iterations: 0, loss: 0 })
    if (state === undefined) return
    this.#last = { direction: own(state.d), length: number(state.t), gradient: own(state.prev_flat_grad) }
    this.#scale = number(state.H_diag)
    Object.assign(this.#count, { calls: state.func_evals, iterations: state.n_iter, loss: state.prev_loss })
    for (const [i, rho] of state.ro.entries())
      this.#updates.push({ gradients: own(state.old_dirs[i]!), params: own(state.old_stps[i]!), rho: number(rho) })
  }

  /**
   * Minimises for up to `maxIter` iterations. Losses and slopes are read, so it runs outside of compiled functions; the closure may be
   * one.
   *
   * @param closure drops the gradients, computes the loss and its gradients, and gives the loss
   * @returns the loss before the step
   * @throws ArgumentError unless the closure is a function that gives a tensor of one element
   */
  step(closure: () => Tensor): Tensor {
    refuseCapture('LBFGS.step')
    const fix = 'pass a function that computes the loss, calls backward and returns the loss'
    if (typeof closure !== 'function')
      throw new ArgumentError(`LBFGS.step: the closure is ${describeAny(closure)}`, { fix })
    const lossOf = (): Tensor => {
      const loss: unknown = enableGrad(closure)
      this.#count.calls++
      if (loss instanceof Tensor && loss.numel() === 1) return loss
      const got = loss instanceof Tensor ? loss.describe() : describeAny(loss)
      throw new ArgumentError(`LBFGS.step: the closure gave ${got}, not a loss`, { fix })
    }
    return noGrad(() => this.#step(lossOf))
  }

  #step(closure: () => Tensor): Tensor {
    const [{ maxIter, maxEval, toleranceGrad, toleranceChange, lineSearchFn, ...settings }] = this.paramGroups
    const first = closure()
    let here: Point = { loss: first.itemSync(), gradient: this.#gradient() }
    let calls = 1
    if (sizeOf(here.gradient) <= toleranceGrad) return first
    for (let i = 1; i <= maxIter; i++) {
      this.#count.iterations++
      const isFirst = this.#last === null
      const direction = this.#direction(here.gradient)
      let length = isFirst ? Math.min(1, 1 / here.gradient.abs().sum().itemSync()) * settings.lr : settings.lr
      const last = { direction, length, gradient: here.gradient }
      this.#last = last
      const slope = dot(here.gradient, direction)
      if (slope > -toleranceChange) break
      const before = here.loss
      this.#count.loss = before
      if (lineSearchFn !== null) {
        const at = (step: number): Point => this.#evaluate(closure, direction, step)
        const found = wolfeSearch(at, { ...here, slope }, direction, length, toleranceChange)
        ;({ length } = found)
        here = found.point
        calls += found.calls
        last.length = length
        this.#move(direction, length)
      } else {
        this.#move(direction, length)
        if (i === maxIter) break
        here = { loss: closure().itemSync(), gradient: this.#gradient() }
        calls++
      }
      const isOver = i === maxIter || calls >= maxEval || sizeOf(here.gradient) <= toleranceGrad
      if (isOver || sizeOf(direction) * length <= toleranceChange) break
      if (Math.abs(here.loss - before) < toleranceChange) break
    }
    return first
  }

  /** The gradients of all parameters in one dim. */
  #gradient(): Tensor {
    return cat(this.paramGroups[0].params.map(param => (param.grad ?? zerosLike(param)).reshape([-1])))
  }

  /** Minus the approximate inverse Hessian times the gradient. */
  #direction(gradient: Tensor): Tensor {
    if (this.#last === null) return gradient.neg()
    this.#remember(gradient, this.#last)
    let direction = gradient.neg()
    const factors = this.#updates.map(() => 0)
    for (let i = this.#updates.length - 1; i >= 0; i--) {
      const { params, gradients, rho } = this.#updates[i]!
      factors[i] = dot(params, direction) * rho
      direction = direction.sub(gradients.mul(factors[i]!))
    }
    direction = direction.mul(this.#scale)
    for (const [i, { params, gradients, rho }] of this.#updates.entries())
      direction = direction.add(params.mul(factors[i]! - dot(gradients, direction) * rho))
    return direction
  }

  #remember(
    gradient: Tensor,
    last: { readonly direction: Tensor; readonly length: number; readonly gradient: Tensor },
  ): void {
    const [gradients, params] = [gradient.sub(last.gradient), last.direction.mul(last.length)]
    const product = dot(gradients, params)
    if (product <= 1e-10) return
    if (this.#updates.length === this.paramGroups[0].historySize) this.#updates.shift()
    this.#updates.push({ gradients, params, rho: 1 / product })
    this.#scale = product / dot(gradients, gradients)
  }

  /** The loss and gradient after a step, which is taken back. */
  #evaluate(closure: () => Tensor, direction: Tensor, length: number): Point {
    const { params } = this.paramGroups[0]
    const before = params.map(param => param.clone())
    this.#move(direction, length)
    const point = { loss: closure().itemSync(), gradient: this.#gradient() }
    for (const [i, param] of params.entries()) param.copy_(before[i]!)
    return point
  }

  #move(direction: Tensor, length: number): void {
    const { params } = this.paramGroups[0]
    const parts = split(
      direction,
      params.map(param => param.numel()),
    )
    for (const [i, param] of params.entries()) param.add_(parts[i]!.reshape(param.shape), { alpha: length })
  }
}
