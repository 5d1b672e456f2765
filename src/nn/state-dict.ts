/** Taking over a state dict: everything is checked before anything is written. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { Tensor } from '../tensor/tensor.js'
import type { TensorDtype } from '../types/dtype.js'

/** Tensors by name, in PyTorch's names: `{ 'layers.0.weight': …, 'norm.running_mean': … }`. */
export type StateDict = Readonly<Record<string, Tensor>>

/** Options of `Load`. */
export interface LoadOptions {
  /** false: names that are missing or unexpected are ignored. Default true. */
  readonly strict?: boolean | undefined
}

/** What `loadStateDict` found. */
export interface LoadResult {
  /** Names of the module that the dict lacks. */
  readonly missingKeys: readonly string[]
  /** Names of the dict that the module lacks. */
  readonly unexpectedKeys: readonly string[]
}

/** At most so many names of each kind are listed in an error. */
const maxListed = 20

/** Copies `dict` into the tensors `state` of a module called `name`. Throws ArgumentError before anything is written. */
export function loadInto(
  name: string,
  state: readonly (readonly [string, Tensor])[],
  dict: StateDict,
  { strict = true }: LoadOptions,
): LoadResult {
  if (typeof dict !== 'object' || dict === null || dict instanceof Tensor) {
    throw new ArgumentError(`loadStateDict: the state dict is ${describeAny(dict)}`, {
      fix: 'pass an object of tensors by name, as stateDict() gives',
    })
  }
  const known = new Map(state)
  const missingKeys = state.map(([key]) => key).filter(key => !Object.hasOwn(dict, key))
  const unexpectedKeys = Object.keys(dict).filter(key => !known.has(key))
  const misfits = state.flatMap(([key, tensor]) => (Object.hasOwn(dict, key) ? misfit(key, tensor, dict[key]) : []))
  const problems = [
    ...(strict ? listed('missing', missingKeys) : []),
    ...(strict ? listed('unexpected', unexpectedKeys) : []),
    ...listed('of another shape or type', misfits),
  ]
  if (problems.length > 0) {
    throw new ArgumentError(`loadStateDict: the state dict does not fit ${name}:\n${problems.join('\n')}`, {
      fix:
        misfits.length > 0
          ? 'build the module with the sizes of the saved one'
          : 'rename the entries, or pass { strict: false } to ignore missing and unexpected ones',
    })
  }
  copyAll(state.flatMap(([key, tensor]) => (Object.hasOwn(dict, key) ? [[tensor, dict[key]!] as const] : [])))
  return { missingKeys, unexpectedKeys }
}

function misfit(key: string, tensor: Tensor, given: unknown): string[] {
  if (!(given instanceof Tensor)) return [`${key}: ${describeAny(given)}, not a tensor`]
  given.requireAlive('loadStateDict', key)
  const [wanted, has] = [tensor.shape, given.shape]
  const isSame = wanted.length === has.length && wanted.every((size, dim) => size === has[dim])
  return isSame ? [] : [`${key}: [${has.join(', ')}], the module has [${wanted.join(', ')}]`]
}

function listed(what: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const more = items.length > maxListed ? `, and ${items.length - maxListed} more` : ''
  return [`  ${what}: ${items.slice(0, maxListed).join(', ')}${more}`]
}

/** Conversions and moves, which may throw, come before the first write. */
function copyAll(pairs: readonly (readonly [to: Tensor, from: Tensor])[]): void {
  noGrad(() => {
    for (const [to] of pairs) to.requireAlive('loadStateDict', 'a tensor of the module')
    const ready = pairs.map(([to, from]) => {
      const cast = from.dtype === to.dtype ? from : from.to(to.dtype as TensorDtype)
      return [to, cast.device === to.device ? cast : cast.to(to.device)] as const
    })
    for (const [to, from] of ready) to.copy_(from)
  })
}
