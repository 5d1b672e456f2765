/** Saving and loading an optimiser's state, in PyTorch's layout. Loading checks everything before it changes anything. */
import { describeAny } from '../base/describe.js'
import { ArgumentError, ShapeError } from '../base/errors.js'
import { sameShape } from '../scalar/size.js'
import { Tensor } from '../tensor/tensor.js'
import { isFloat } from '../types/dtype.js'
import type { AnyGroup } from './group.js'

/** What `state_dict()` of PyTorch's optimisers gives. */
export interface OptimizerStateDict {
  /** By the parameter's number. */
  readonly state: Readonly<Record<number, Readonly<Record<string, Tensor | number | null>>>>
  /** The numbers of their parameters, and options. */
  readonly param_groups: readonly (Readonly<Record<string, unknown>> & { readonly params: readonly number[] })[]
}

type SavedState = OptimizerStateDict['state'][number]
type SavedGroup = OptimizerStateDict['param_groups'][number]

/** What PyTorch's groups have besides: how, not what is computed. */
const ignored: readonly string[] = [
  'foreach',
  'capturable',
  'differentiable',
  'fused',
  'decoupled_weight_decay',
  'initial_lr',
]

export function saveState(groups: readonly AnyGroup[]): OptimizerStateDict {
  const state: Record<number, SavedState> = {}
  const saved: SavedGroup[] = []
  let first = 0
  for (const group of groups) {
    const steps = group.steps.dataSync('f32')
    for (const i of group.params.keys()) if (steps[i]! > 0 && group.hasState(i)) state[first + i] = savedState(group, i)
    saved.push({ ...group.options.save(), params: group.params.map((_, i) => first + i) })
    first += group.params.length
  }
  return { state: dropEmpty(state), param_groups: saved }
}

const savedState = (group: AnyGroup, i: number): SavedState => ({
  ...(group.savesSteps ? { step: group.steps.select(0, i) } : {}),
  ...group.state(i),
})

const dropEmpty = (state: Record<number, SavedState>): Record<number, SavedState> =>
  Object.fromEntries(Object.entries(state).filter(([, fields]) => Object.keys(fields).length > 0))

/** A parameter's state to be loaded; null: it starts anew. */
interface Loaded {
  readonly step: number
  readonly fields: Readonly<Record<string, Tensor>> | null
}

export function loadState(callee: string, groups: readonly AnyGroup[], given: OptimizerStateDict): void {
  const { state, param_groups: saved } = checkLayout(callee, groups, given)
  const loaded = groups.map((group, g) => {
    checkOptions(callee, group, saved[g]!)
    return group.params.map((param, i) => checkState(callee, group, param, saved[g]!.params[i]!, state))
  })
  for (const [g, group] of groups.entries()) {
    group.options.load(saved[g]!)
    for (const [i, { step, fields }] of loaded[g]!.entries()) {
      if (fields === null && !group.hasState(i)) continue
      const own = group.state(i)
      for (const { name, initial } of group.stateFields) {
        const value = fields?.[name]
        if (value === undefined) own[name]!.fill_(initial)
        else own[name]!.copy_(value.to(own[name]!.device))
      }
      group.steps.select(0, i).fill_(step)
    }
  }
}

function checkLayout(callee: string, groups: readonly AnyGroup[], given: OptimizerStateDict): OptimizerStateDict {
  const fix = 'pass what stateDict() of an optimiser of the same parameters gave'
  if (typeof given?.state !== 'object' || !Array.isArray(given.param_groups))
    throw new ArgumentError(`${callee}: the state is ${describeAny(given)}, without state and param_groups`, { fix })
  const { param_groups: saved } = given
  if (saved.length !== groups.length)
    throw new ArgumentError(
      `${callee}: the state has ${saved.length} parameter groups, this optimiser ${groups.length}`,
      { fix },
    )
  for (const [g, group] of groups.entries()) {
    const params: unknown = saved[g]!.params
    const count = Array.isArray(params) ? params.length : 0
    if (count !== group.params.length)
      throw new ArgumentError(
        `${callee}: group ${g} of the state has ${count} parameters, this optimiser's has ${group.params.length}`,
        { fix },
      )
  }
  const numbers = new Set(saved.flatMap(({ params }) => params.map(String)))
  const stray = Object.keys(given.state).find(number => !numbers.has(number))
  if (stray !== undefined)
    throw new ArgumentError(`${callee}: the state has a parameter ${stray}, which is in none of its groups`, { fix })
  return given
}

function checkOptions(callee: string, group: AnyGroup, saved: SavedGroup): void {
  const known = [...Object.keys(group.options.save()), ...ignored, 'params']
  const unknown = Object.keys(saved).find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new ArgumentError(`${callee}: the state has an option ${unknown}, which ${group.rule.name} has not`, {
      fix: 'load the state of an optimiser of the same kind',
    })
  group.options.check(saved)
}

function checkState(
  callee: string,
  group: AnyGroup,
  param: Tensor,
  number: number,
  state: OptimizerStateDict['state'],
): Loaded {
  const saved = state[number]
  const fields = group.stateFields
  if (saved === undefined || (fields.length > 0 && fields.every(({ name }) => saved[name] === null)))
    return { step: 0, fields: null }
  const known = ['step', ...fields.map(({ name }) => name)]
  const stray = Object.keys(saved).find(name => !known.includes(name) && saved[name] !== null)
  const fix = 'load the state of an optimiser of the same kind, with the same options'
  if (stray !== undefined)
    throw new ArgumentError(`${callee}: the state of parameter ${number} has ${stray}, this optimiser's has not`, {
      fix,
    })
  const found = fields.map(({ name, isScalar = false }): [string, Tensor] => {
    const value = saved[name]
    if (!(value instanceof Tensor) || !isFloat(value.dtype))
      throw new ArgumentError(
        `${callee}: ${name} of parameter ${number} is ${value instanceof Tensor ? value.describe() : describeAny(value)}, not a tensor of floats`,
        { fix },
      )
    if (!sameShape(value.shape, isScalar ? [] : param.shape))
      throw new ShapeError(
        `${callee}: ${name} of parameter ${number} is ${value.describe()}, the parameter ${param.describe()}`,
        {
          fix: 'load the state of an optimiser of the same parameters, in the same order',
        },
      )
    return [name, value]
  })
  return { step: stepOf(callee, group, number, saved), fields: Object.fromEntries(found) }
}

function stepOf(callee: string, group: AnyGroup, number: number, { step }: SavedState): number {
  if (!group.savesSteps && step === undefined) return 1
  const value = step instanceof Tensor && step.numel() === 1 ? step.to('f64').reshape([]).itemSync() : step
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw new ArgumentError(`${callee}: step of parameter ${number} is ${describeAny(value)}`, {
    fix: 'a state has the number of steps as step',
  })
}
