/** What all optimisers share: parameter groups, steps, and state that can be saved. */
import { describeAny } from '../base/describe.js'
import { ArgumentError, GradientError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { enableGrad, noGrad } from '../tensor/autograd/mode.js'
import { Tensor } from '../tensor/tensor.js'
import { currentTracer, fromHere } from '../tensor/tracer.js'
import { isFloat } from '../types/dtype.js'
import type { AnyGroup, ParamGroup } from './group.js'
import { refuseCapture } from './options.js'
import { loadState, type OptimizerStateDict, saveState } from './state-dict.js'
import { GroupUpdate, type StepControl } from './update.js'

/** Parameters, or groups of them, each with options of its own. */
export type Parameters<O> = Iterable<Tensor> | Iterable<GroupOptions<O>>

/** Parameters and the options that differ from the optimiser's. */
export type GroupOptions<O> = O & { readonly params: Tensor | Iterable<Tensor> }

/** Options of `zeroGrad`. */
export interface ZeroGradOptions {
  /** true (default): gradients become null, and their memory is freed. false: they become 0, in place. */
  readonly setToNull?: boolean | undefined
}

type GroupsOf<O> = (params: readonly Tensor[], options: O) => readonly AnyGroup[]

/** O: options as they are given; G: as a group has them. */
export abstract class Optimizer<O extends object, G = O> {
  readonly #name: string
  readonly #defaults: O
  readonly #groupsOf: GroupsOf<O>
  readonly #groups: GroupUpdate[] = []
  readonly #known = new Set<Tensor>()
  #warned = false

  protected constructor(name: string, params: Parameters<O>, defaults: O, groupsOf: GroupsOf<O>) {
    this.#name = name
    this.#groupsOf = groupsOf
    checkOptionsObject(name, defaults, Object.keys(defaults))
    this.#defaults = { ...defaults }
    const groups = this.#groupsIn(params)
    if (groups.length === 0)
      throw new ArgumentError(`${name}: there are no parameters`, { fix: 'pass net.parameters()' })
    for (const group of groups) this.addParamGroup(group)
  }

  /** The groups, in the order they were given in. Set their numbers at any time: `paramGroups[0].lr = 0.01`. */
  get paramGroups(): readonly ParamGroup<G>[] {
    return this.#groups.map(({ group }) => group.view as ParamGroup<G>) // `groupsOf` makes groups of these options
  }

  /**
   * Adds parameters to update.
   *
   * @param given `params`, and the options that differ from the optimiser's
   * @throws ArgumentError for options out of range, and parameters that are no float tensors or are known already; GradientError
   *   for results of ops; then nothing is added
   */
  addParamGroup(given: GroupOptions<O>): void {
    refuseCapture(`${this.#name}: a group of parameters is added`)
    const { params, ...options } = given
    const list = params instanceof Tensor ? [params] : listOf(this.#name, params)
    this.#checkParams(list)
    const own = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    const made = this.#groupsOf(list, { ...this.#defaults, ...own })
    for (const param of list) this.#known.add(param)
    for (const group of made) this.#groups.push(new GroupUpdate(group))
  }

  /**
   * Updates all parameters that have a gradient, in place. In a compiled function it is part of the graph; otherwise a few
   * compiled calls update all parameters.
   *
   * @param closure computes the loss and its gradients first, with gradients enabled
   * @returns what `closure` gives
   */
  step(): void
  step<R>(closure: () => R): R
  step<R>(closure?: () => R): R | undefined {
    const loss = closure === undefined ? undefined : enableGrad(closure)
    this.stepWith({ skip: null })
    return loss
  }

  /** As `step`; for the library. `control`: what a gradient scaler decides on the device. */
  stepWith(control: StepControl): void {
    if (currentTracer() === null) this.#requireAlive()
    const counts = fromHere(() => noGrad(() => this.#groups.map(group => group.step(control))))
    if (this.#warned || counts.some(count => count > 0)) return
    this.#warned = true
    process.emitWarning(
      `${this.#name}.step(): no parameter has a gradient. Call backward() before; if the model was moved or converted, make its optimiser afterwards`,
      'TegulaWarning',
    )
  }

  /** So that no parameter has been updated when one cannot be. */
  #requireAlive(): void {
    for (const { group } of this.#groups) {
      for (const param of group.params) {
        const { grad } = param
        if (grad === null) continue
        param.requireAlive(`${this.#name}.step`, 'a parameter')
        grad.requireAlive(`${this.#name}.step`, 'the gradient of a parameter')
      }
    }
  }

  /** Drops all gradients, or sets them to 0. */
  zeroGrad({ setToNull = true }: ZeroGradOptions = {}): void {
    noGrad(() => {
      for (const { group } of this.#groups) {
        for (const param of group.params) {
          if (setToNull) param.grad = null
          else param.grad?.zero_()
        }
      }
    })
  }

  /**
   * State and options, in PyTorch's layout and under its names: `state[i]` of the i-th parameter over all groups, if it has made
   * a step; `param_groups`. The tensors are the optimiser's own, which later steps change, as in PyTorch: save or clone them.
   */
  stateDict(): OptimizerStateDict {
    refuseCapture(`${this.#name}.stateDict`)
    return saveState(this.#groups.map(({ group }) => group))
  }

  /**
   * Takes over a state that `stateDict` gave, or PyTorch's `state_dict`. Values are copied into the present tensors, so that
   * compiled steps stay valid.
   *
   * @throws ArgumentError and ShapeError when it is of other parameters, groups or options; then nothing has changed
   */
  loadStateDict(stateDict: OptimizerStateDict): void {
    refuseCapture(`${this.#name}.loadStateDict`)
    noGrad(() =>
      loadState(
        this.#name,
        this.#groups.map(({ group }) => group),
        stateDict,
      ),
    )
  }

  #groupsIn(params: Parameters<O>): readonly GroupOptions<O>[] {
    const list: readonly unknown[] = listOf(this.#name, params)
    if (list.every(one => one instanceof Tensor))
      return list.length === 0 ? [] : [{ params: list } as unknown as GroupOptions<O>] // no option is required
    const isGroup = (one: unknown): boolean =>
      typeof one === 'object' && one !== null && !(one instanceof Tensor) && 'params' in one
    const wrong = list.find(one => !isGroup(one))
    if (wrong === undefined) return list as readonly GroupOptions<O>[]
    throw new ArgumentError(`${this.#name}: among the parameter groups is ${describeAny(wrong)}`, {
      fix: 'pass either tensors, or only groups { params, lr, … }',
    })
  }

  #checkParams(params: readonly unknown[]): void {
    const seen = new Set<unknown>(this.#known)
    if (params.length === 0)
      throw new ArgumentError(`${this.#name}: a group has no parameters`, { fix: 'leave it out, or give it some' })
    for (const param of params) {
      if (!(param instanceof Tensor) || !isFloat(param.dtype))
        throw new ArgumentError(
          `${this.#name}: ${param instanceof Tensor ? param.describe() : describeAny(param)} is no parameter`,
          { fix: 'pass tensors of floats: net.parameters()' },
        )
      if (!param.isLeaf)
        throw new GradientError(
          `${this.#name}: ${param.describe()} is the result of an op, so it has no gradient of its own`,
          {
            fix: 'pass the tensors that it was made from, or a detach()',
          },
        )
      if (seen.has(param))
        throw new ArgumentError(`${this.#name}: the parameter ${param.describe()} is given twice`, {
          fix: 'a parameter belongs to one group, once',
        })
      seen.add(param)
    }
  }
}

function listOf(callee: string, params: unknown): readonly unknown[] & readonly Tensor[] {
  const isList =
    typeof params === 'object' && params !== null && Symbol.iterator in params && !(params instanceof Tensor)
  if (isList) return [...(params as Iterable<Tensor>)] // checked one by one later
  throw new ArgumentError(
    `${callee}: the parameters are ${params instanceof Tensor ? params.describe() : describeAny(params)}`,
    {
      fix: 'pass a list: net.parameters(), or [weight, bias]',
    },
  )
}
