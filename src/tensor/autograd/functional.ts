/** Derivatives of functions: `grad`, `valueAndGrad`, `vjp`, `jvp`. They change no `.grad`, and may be applied to each other. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError, GradientError, ShapeError } from '../../base/errors.js'
import { records } from '../../graph/ops/index.js'
import { isFloat } from '../../types/dtype.js'
import { applyOp, requireTensor, tensorOps } from '../dispatch.js'
import { TensorHandle } from '../handle.js'
import type { Tensor } from '../tensor-type.js'
import { gradients } from './backward.js'
import type { TensorResult } from './custom.js'
import { checkGradientOf, leavesOf } from './engine.js'
import { historyOf } from './history.js'
import { isGradEnabled, isInference, withRecording } from './mode.js'
import { edgeOf } from './op-node.js'
import { detach, requireSmooth, requiresGrad, setRequiresGrad } from './properties.js'
import { tracedAutograd } from './traced.js'

/** Which arguments to differentiate by: one position, or several. */
type Positions = number | readonly number[]

/** The gradients of a call: of one argument, or of each one asked for. */
type GradientOf<A extends readonly unknown[], P extends Positions> = P extends readonly number[]
  ? { -readonly [I in keyof P]: A[P[I] & keyof A] }
  : A[P & keyof A]

/**
 * The function that gives the gradient of `fn`: `grad(fn)(x)` is df/dx at x.
 *
 * @param fn gives a tensor of one element
 * @param argnums by which argument to differentiate, or a list of several; the first one (0) by default. An argument is a tensor, or
 *   arrays and plain objects of tensors; integers in them have gradient null.
 * @returns a function of the same arguments: the gradient, in the form of the argument; for a list, a list
 * @throws ArgumentError for what is no function and for positions without an argument
 * @throws ShapeError when `fn` gives several elements
 * @example grad((x: Tensor) => x.pow(3).sum())(tensor([2]))        // 12
 */
export function grad<A extends readonly unknown[], const P extends Positions = 0>(
  fn: (...args: A) => Tensor,
  argnums?: P,
): (...args: A) => GradientOf<A, P> {
  const both = withGradient('grad', fn, argnums)
  return (...args) => both(args)[1] as GradientOf<A, P>
}

/**
 * As `grad`, with the function's value: `valueAndGrad(fn)(x)` is [value, gradient]. Errors as there.
 *
 * @param fn gives a tensor of one element
 * @param argnums by which argument to differentiate, or a list of several; the first one (0) by default
 * @returns a function of the same arguments
 */
export function valueAndGrad<A extends readonly unknown[], const P extends Positions = 0>(
  fn: (...args: A) => Tensor,
  argnums?: P,
): (...args: A) => [value: Tensor, gradient: GradientOf<A, P>] {
  const both = withGradient('valueAndGrad', fn, argnums)
  return (...args) => both(args) as [Tensor, GradientOf<A, P>]
}

function withGradient<A extends readonly unknown[]>(
  callee: string,
  fn: (...args: A) => Tensor,
  argnums: Positions = 0,
): (args: A) => [value: Tensor, gradient: unknown] {
  requireFunction(callee, fn)
  const positions = positionsOf(callee, argnums)
  return args => {
    for (const position of positions)
      if (position >= args.length)
        throw new ArgumentError(`${callee}: argnums has ${position}, of a call with ${args.length} arguments`, {
          fix: 'count the arguments from 0',
        })
    const call = new DerivedCall(callee)
    const given = args.map((arg, i) => (positions.includes(i) ? call.variables(arg) : arg)) as unknown as A
    const value = requireTensor(
      callee,
      call.run(() => fn(...given)),
      'what the function gave',
    )
    if (value.sizes.some(size => size !== 1))
      throw new ShapeError(`${callee}: the function gave ${value.describe()}, not one element`, {
        fix: 'reduce it to a loss: .sum() or .mean(); or use vjp',
      })
    const found = call.gradients([value], null)
    const asked = positions.map(position => mapTensors(given[position], x => found.get(x) ?? null))
    const shown = call.outside(value)
    call.close()
    return [shown, typeof argnums === 'number' ? asked[0] : asked]
  }
}

function positionsOf(callee: string, argnums: unknown): readonly number[] {
  const list: readonly unknown[] = Array.isArray(argnums) ? Array.from<unknown>(argnums) : [argnums]
  if (list.every((each): each is number => Number.isInteger(each) && Number(each) >= 0)) return list
  throw new ArgumentError(`${callee}: argnums is ${describeAny(argnums)}, not a position or a list of positions`, {
    fix: 'count the arguments from 0',
  })
}

/** Gives the gradients of the inputs of a `vjp` for one of its output. */
export type Pullback<R extends TensorResult> = (cotangent: R) => Tensor[]

/**
 * The value of `fn`, and the function that takes a gradient of the value back to the inputs: cotangent · Jacobian.
 *
 * @param fn gives a tensor or a list of tensors
 * @param primals the inputs: tensors of floats
 * @returns [output, pullback]: `pullback(cotangent)`, of the output's shape and dtype, gives one gradient per input; it may be
 *   called several times
 * @throws ArgumentError, DtypeError for inputs that are no float tensors; ShapeError for a cotangent of another shape
 */
export function vjp<R extends TensorResult>(
  fn: (...primals: Tensor[]) => R,
  ...primals: readonly Tensor[]
): [output: R, pullback: Pullback<R>] {
  requireFunction('vjp', fn)
  if (primals.length === 0) throw new ArgumentError('vjp: there are no inputs', { fix: 'vjp(fn, x)' })
  const call = new DerivedCall('vjp')
  const inputs = primals.map((primal, i) => call.variable(primal, `primals[${i}]`))
  const result = call.run(() => fn(...inputs))
  const outputs = listOf('vjp', result)
  const pullback: Pullback<R> = cotangent => {
    const given = listOf('vjp', cotangent)
    if (given.length !== outputs.length)
      throw new ArgumentError(`vjp: ${given.length} cotangents for ${outputs.length} outputs`, { fix: 'give one each' })
    const found = call.gradients(outputs, given)
    return inputs.map(input => found.get(input)!)
  }
  const shown = outputs.map(output => call.outside(output))
  return [(Array.isArray(result) ? shown : shown[0]) as R, pullback]
}

/**
 * The value of `fn` and its derivative in a direction: Jacobian · tangents. It is computed with two backward passes: a gradient
 * is linear in the gradient that it starts from, and its derivative by that is the other product.
 *
 * @param fn gives a tensor or a list of tensors
 * @param primals the inputs: tensors of floats
 * @param tangents the direction: one tensor per input, of its shape and dtype
 * @returns [output, tangent of the output]
 * @throws ArgumentError, DtypeError, ShapeError for inputs and tangents that do not fit
 */
export function jvp<R extends TensorResult>(
  fn: (...primals: Tensor[]) => R,
  primals: readonly Tensor[],
  tangents: readonly Tensor[],
): [output: R, tangent: R] {
  requireFunction('jvp', fn)
  for (const [role, list] of Object.entries({ primals, tangents }) as [string, unknown][])
    if (!Array.isArray(list))
      throw new ArgumentError(`jvp: ${role} is ${describeAny(list)}, not a list of tensors`, {
        fix: 'jvp(fn, [x], [t])',
      })
  if (primals.length !== tangents.length)
    throw new ArgumentError(`jvp: ${tangents.length} tangents for ${primals.length} primals`, { fix: 'give one each' })
  const call = new DerivedCall('jvp')
  const inputs = primals.map((primal, i) => call.variable(primal, `primals[${i}]`))
  for (const [i, tangent] of tangents.entries()) checkGradientOf(`jvp: tangents[${i}]`, tangent, inputs[i]!)
  const result = call.run(() => fn(...inputs))
  const outputs = listOf('jvp', result)
  const pushed = call.pushForward(outputs, inputs, tangents)
  const shown = outputs.map(output => call.outside(output))
  call.close()
  return (Array.isArray(result) ? [shown, pushed] : [shown[0], pushed[0]]) as [R, R]
}

/** A call of a function whose derivatives are asked for. */
class DerivedCall {
  readonly #callee: string
  /** What the caller may record: then derivatives are part of it. */
  readonly #isOuterRecorded = isGradEnabled()
  readonly #variables: Tensor[] = []

  constructor(callee: string) {
    this.#callee = callee
    if (isInference())
      throw new GradientError(`${callee}: nothing is recorded in inference mode`, {
        fix: 'call it outside, or in noGrad',
      })
  }

  /** The tensors of an argument as variables. */
  variables(argument: unknown): unknown {
    return mapTensors(argument, x => (isFloat(x.dtype) ? this.variable(x, 'an argument') : x))
  }

  /** A tensor of the same values that stands for an argument: connected to it, if gradients flow to that. */
  variable(primal: Tensor, role: string): Tensor {
    const x = requireTensor(this.#callee, primal, role)
    const made = this.#isOuterRecorded && requiresGrad(x) ? this.#connected(x) : this.#leaf(x)
    this.#variables.push(made)
    return made
  }

  /** Gradients flow on from it to x. */
  #connected(x: Tensor): Tensor {
    return tracedAutograd()?.variable(x) ?? applyOp(records.expand, [x, x.sizes])[0]!
  }

  #leaf(x: Tensor): Tensor {
    const made = detach(x)
    requireSmooth(this.#callee, made)
    const traced = tracedAutograd()
    if (traced !== null) return traced.variable(made)
    setRequiresGrad(this.#callee, made, true)
    return made
  }

  run<R>(body: () => R): R {
    return withRecording(true, body)
  }

  /** The gradients by variable; zeros where none flows. `cotangents` null: 1, for outputs of one element. */
  gradients(outputs: readonly Tensor[], cotangents: readonly Tensor[] | null): Map<Tensor, Tensor> {
    const createGraph = this.#isSeen(outputs)
    const given = cotangents?.map((each, i) => {
      checkGradientOf(`${this.#callee}: the cotangent`, each, outputs[i]!)
      return each
    })
    const found = this.#flow(outputs, this.#variables, given ?? null, createGraph, cotangents !== null)
    return new Map(this.#variables.map((variable, i) => [variable, found[i] ?? zerosLike(variable)]))
  }

  pushForward(outputs: readonly Tensor[], inputs: readonly Tensor[], tangents: readonly Tensor[]): Tensor[] {
    const createGraph = this.#isSeen(outputs) || (this.#isOuterRecorded && tangents.some(requiresGrad))
    return this.run(() => {
      const seeds = outputs.map(output => this.#leaf(zerosLike(output)))
      this.#variables.push(...seeds)
      const pulled = this.#flow(outputs, inputs, seeds, true, true)
      const reached = pulled.flatMap((each, i) => (each !== null && requiresGrad(each) ? [i] : []))
      const pushed = this.#flow(reached.map(i => pulled[i]!), seeds, reached.map(i => tangents[i]!), createGraph, false) // biome-ignore format: one line
      return outputs.map((output, i) => pushed[i] ?? zerosLike(output))
    })
  }

  #flow(
    outputs: readonly Tensor[],
    inputs: readonly Tensor[],
    cotangents: readonly Tensor[] | null,
    createGraph: boolean,
    retainGraph: boolean,
  ): readonly (Tensor | null)[] {
    const flowing = outputs.flatMap((output, i) => (requiresGrad(output) ? [i] : []))
    if (flowing.length === 0) return inputs.map(() => null)
    return gradients(
      flowing.map(i => outputs[i]!),
      inputs,
      {
        gradOutputs: cotangents === null ? null : flowing.map(i => cotangents[i]!),
        createGraph,
        retainGraph: retainGraph || createGraph,
        allowUnused: true,
      },
    )
  }

  /** Whether the caller's own gradients may flow through: derivatives are recorded then. */
  #isSeen(outputs: readonly Tensor[]): boolean {
    if (!this.#isOuterRecorded) return false
    const traced = tracedAutograd()
    if (traced !== null) return traced.leadsBeyond(outputs, this.#variables)
    const own = new Set(this.#variables.map(variable => historyOf(variable)?.node))
    const roots = outputs.map(output => edgeOf(output, tensorOps)).filter(edge => edge !== null)
    return leavesOf(roots).some(leaf => !own.has(leaf))
  }

  /** It is over: no gradient will be asked for any more. */
  close(): void {
    tracedAutograd()?.close(this.#variables)
  }

  /** A result as the caller gets it: without a history that only leads to the variables. */
  outside(output: Tensor): Tensor {
    return this.#isSeen([output]) ? output : detach(output)
  }
}

const zerosLike = (x: Tensor): Tensor => applyOp(records.full, [x.sizes, 0, { dtype: x.dtype }], x.device)[0]!

/** A tree of arrays and plain objects with its tensors replaced; other values in it become null in a gradient. */
function mapTensors(value: unknown, replace: (tensor: Tensor) => unknown): unknown {
  if (value instanceof TensorHandle) return replace(value as Tensor)
  if (Array.isArray(value)) return value.map(each => mapTensors(each, replace))
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTensors(each, replace)]))
}

function requireFunction(callee: string, fn: unknown): void {
  if (typeof fn !== 'function')
    throw new ArgumentError(`${callee}: fn is ${describeAny(fn)}, not a function`, {
      fix: `${callee}(x => x.pow(2).sum())`,
    })
}

const listOf = (callee: string, result: unknown): readonly Tensor[] =>
  (Array.isArray(result) ? (result as unknown[]) : [result]).map((each, i) =>
    requireTensor(callee, each, `result ${i} of the function`),
  )
