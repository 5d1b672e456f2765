/** Functions with gradients of their own. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError, DtypeError } from '../../base/errors.js'
import { requireSynchronous } from '../../base/synchronous.js'
import { records } from '../../graph/ops/index.js'
import { isFloat } from '../../types/dtype.js'
import { applyOp, requireTensor, tensorOps } from '../dispatch.js'
import { TensorHandle } from '../handle.js'
import type { Tensor } from '../tensor-type.js'
import type { TracedAutograd } from '../tracer.js'
import { checkGradientOf } from './engine.js'
import { type FunctionGradient, recordFunction } from './function-node.js'
import { isRecording, withRecording } from './mode.js'
import { requiresGrad } from './properties.js'
import { tracedAutograd } from './traced.js'

/** A tensor, or a list of tensors. */
export type TensorResult = Tensor | readonly Tensor[]

/** What the gradient of a `customGradient` function sees of its call. */
export interface GradientCall<A extends readonly unknown[], R extends TensorResult> {
  /** What the function got. */
  readonly inputs: A
  /** What it gave. */
  readonly output: R
}

/** One gradient per tensor among the inputs, in order; null: none. Of one tensor without a list. */
export type InputGradients = Tensor | null | readonly (Tensor | null)[]

/**
 * A function whose gradient is given, rather than that of the ops in it: for a formula that is more stable, a gradient that is
 * cut or replaced on purpose, or a kernel that is launched in it. The function runs without being recorded.
 *
 * @param forward gives a tensor or a list of tensors, of which it did not return an input itself
 * @param backward gets the gradient of each result (shaped as the result), and `{ inputs, output }`; gives one gradient per tensor
 *   among the inputs, of its shape and dtype. It is tensor code, so gradients of gradients follow from it.
 * @returns a function of the same arguments and results
 * @throws ArgumentError for what is no function
 * @example const clipped = customGradient((x: Tensor) => x.clone(), g => g.clamp(-1, 1))
 */
export function customGradient<A extends readonly unknown[], R extends TensorResult>(
  forward: (...inputs: A) => R,
  backward: (gradient: R, call: GradientCall<A, R>) => InputGradients,
): (...inputs: A) => R {
  for (const [role, fn] of Object.entries({ forward, backward }) as [string, unknown][])
    if (typeof fn !== 'function')
      throw new ArgumentError(`customGradient: ${role} is ${describeAny(fn)}, not a function`, {
        fix: 'customGradient(x => x.exp(), (gradient, { output }) => gradient.mul(output))',
      })
  const name = forward.name === '' ? 'customGradient' : forward.name
  return (...args) => {
    const inputs = args.filter(arg => arg instanceof TensorHandle) as Tensor[]
    if (!isRecording() || !inputs.some(requiresGrad)) return forward(...args)
    const given = withRecording(false, () => requireSynchronous(forward(...args), what => asynchronous(name, what)))
    const isList = Array.isArray(given)
    const results = (isList ? (given as readonly Tensor[]) : [given as Tensor]).map((result, i) =>
      ownResult(name, result, i, inputs),
    )
    const gradientOf: FunctionGradient = (gradients, call) => {
      const seen: GradientCall<A, R> = {
        get inputs() {
          const tensors = call.inputs.values()
          return args.map(arg => (arg instanceof TensorHandle ? tensors.next().value : arg)) as unknown as A
        },
        get output() {
          return (isList ? call.results : call.results[0]) as R
        },
      }
      const gradient = (isList ? gradients : gradients[0]) as R
      return gradientList(name, backward(gradient, seen), inputs.length)
    }
    const recorded = withOwnGradient(name, inputs, results, gradientOf)
    return (isList ? recorded : recorded[0]) as R
  }
}

/**
 * The results of a function that was not recorded, with `gradientOf` as its gradient: themselves, or in a capture other tensors.
 * They have memory of their own.
 */
export function withOwnGradient(
  name: string,
  inputs: readonly Tensor[],
  results: readonly Tensor[],
  gradientOf: FunctionGradient,
): readonly Tensor[] {
  const traced = tracedAutograd()
  if (traced !== null) return tracedResults(traced, name, inputs, results, gradientOf)
  recordFunction(name, inputs, results, true, gradientOf, tensorOps)
  return results
}

/** The results in a capture: the gradient is called at once, with variables for what backward passes will give it. */
function tracedResults(
  traced: TracedAutograd,
  name: string,
  inputs: readonly Tensor[],
  results: readonly Tensor[],
  gradientOf: FunctionGradient,
): readonly Tensor[] {
  const values = results.map(result => traced.variable(result))
  const cotangents = results.map(({ sizes, dtype, device }) =>
    traced.variable(applyOp(records.full, [sizes, 0, { dtype }], device)[0]!),
  )
  const given = traced.asGradient(name, () => gradientOf(cotangents, { inputs, results: values }))
  const gradients = given.map((gradient, i) =>
    gradient === null ? null : checkGradientOf(`${name}: the gradient of input ${i}`, gradient, inputs[i]!),
  )
  return traced.custom({ name, inputs, results, values, cotangents, gradients })
}

const asynchronous = (name: string, what: string): ArgumentError =>
  new ArgumentError(`${name}: the function returned ${what}`, { fix: 'give customGradient a synchronous function' })

/** A float tensor in memory of its own. */
function ownResult(name: string, result: unknown, index: number, inputs: readonly Tensor[]): Tensor {
  const tensor = requireTensor(name, result, `result ${index} of the function`)
  if (!isFloat(tensor.dtype))
    throw new DtypeError(`${name}: result ${index} is ${tensor.describe()}, which has no gradient`, {
      fix: 'compute what is no float outside of the function',
    })
  const isShared = inputs.some(({ source }) => source === tensor.source) || tensor.history !== null
  return isShared ? withRecording(false, () => tensorOps.copy(tensor)) : tensor
}

function gradientList(name: string, given: unknown, count: number): readonly (Tensor | null)[] {
  const list = Array.isArray(given) ? (given as readonly (Tensor | null)[]) : [given as Tensor | null]
  if (list.length === count) return list
  throw new ArgumentError(`${name}: ${list.length} gradients for ${count} tensors among the inputs`, {
    fix: 'give one per tensor, null where no gradient flows',
  })
}
