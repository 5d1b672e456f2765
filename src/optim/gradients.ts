/** Limits on gradients. In a compiled function they are part of the graph; else a few compiled calls see to all of them. */
import { describeAny } from '../base/describe.js'
import { ArgumentError, GradientError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { compile } from '../compile/compile.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { zeros } from '../tensor/create.js'
import { cat, stack, vectorNorm } from '../tensor/functions.js'
import { tensor } from '../tensor/host-data.js'
import { Tensor } from '../tensor/tensor.js'
import { currentTracer, fromHere } from '../tensor/tracer.js'
import { chunksOf, flat, recompileLimit } from './chunks.js'
import { requireNumber } from './schedule.js'

/** Options of `clipGradNorm`. */
export interface ClipGradNormOptions {
  /** The power of the norm: 2 by default; Infinity is the largest absolute value. */
  readonly normType?: number | undefined
  /** An infinite norm or one that is not a number is an error, before anything changes. Reads the norm. Default false. */
  readonly errorIfNonfinite?: boolean | undefined
}

/**
 * Scales all gradients by one factor so that their norm, as that of one vector, is at most `maxNorm`. In place.
 *
 * @param parameters whose gradients; those without one are left out
 * @param maxNorm at least 0
 * @returns the norm before: 0-d, f32 (f64 for gradients of f64); 0 when there are no gradients
 * @throws ArgumentError for a maxNorm below 0; with errorIfNonfinite GradientError for a norm that is infinite or not a number
 */
export function clipGradNorm(
  parameters: Tensor | Iterable<Tensor>,
  maxNorm: number,
  options: ClipGradNormOptions = {},
): Tensor {
  checkOptionsObject('clipGradNorm', options, ['normType', 'errorIfNonfinite'])
  const { normType = 2, errorIfNonfinite = false } = options
  requireNumber('clipGradNorm', 'maxNorm', maxNorm)
  if (typeof normType !== 'number' || !(normType > 0))
    throw new ArgumentError(`clipGradNorm: normType is ${describeAny(normType)}`, { fix: 'give a number above 0' })
  return inLibrary(() => {
    const grads = gradsOf('clipGradNorm', parameters)
    if (grads.length === 0) return zeros([])
    const total = vectorNorm(allNorms(grads, normType), normType)
    if (errorIfNonfinite && !Number.isFinite(total.itemSync()))
      throw new GradientError(`clipGradNorm: the norm of the gradients is ${total.itemSync()}`, {
        fix: 'find what is too large, or leave errorIfNonfinite out: the gradients are then scaled by it',
      })
    change(grads, scale, total.add(1e-6).reciprocal().mul(maxNorm).clampMax(1))
    return total
  })
}

/**
 * Limits each element of the gradients to −clipValue … clipValue. In place.
 *
 * @param parameters whose gradients; those without one are left out
 * @param clipValue at least 0
 * @throws ArgumentError for a clipValue below 0
 */
export function clipGradValue(parameters: Tensor | Iterable<Tensor>, clipValue: number): void {
  requireNumber('clipGradValue', 'clipValue', clipValue)
  inLibrary(() => {
    const grads = gradsOf('clipGradValue', parameters)
    if (grads.length > 0) change(grads, limit, tensor(clipValue, { dtype: 'f64', device: grads[0]!.device }))
  })
}

const inLibrary = <R>(body: () => R): R => fromHere(() => noGrad(body))

function gradsOf(callee: string, parameters: Tensor | Iterable<Tensor>): readonly Tensor[] {
  const list = parameters instanceof Tensor ? [parameters] : [...parameters]
  const stray = list.find(param => !(param instanceof Tensor))
  if (stray !== undefined)
    throw new ArgumentError(`${callee}: among the parameters is ${describeAny(stray)}`, {
      fix: 'pass net.parameters()',
    })
  return list.flatMap(({ grad }) => ((grad?.numel() ?? 0) > 0 ? grad! : []))
}

/** [gradients]: f64 if one of them is, else f32. */
function allNorms(grads: readonly Tensor[], power: number): Tensor {
  const dtype = grads.some(grad => grad.dtype === 'f64') ? 'f64' : 'f32'
  const norms = (list: readonly Tensor[]): Tensor =>
    stack(list.map(grad => vectorNorm(grad.to(grad.dtype === 'f64' ? 'f64' : 'f32'), power).to(dtype)))
  if (currentTracer() !== null) return norms(grads)
  const run = compiledFor(`norms ${power} ${dtype}`, norms)
  return cat(fitted(grads).map(list => run(list)))
}

type Change = (list: readonly Tensor[], by: Tensor) => undefined

function scale(list: readonly Tensor[], factor: Tensor): undefined {
  for (const grad of list) grad.mul_(factor)
}

function limit(list: readonly Tensor[], bound: Tensor): undefined {
  for (const grad of list) grad.copy_(grad.minimum(bound).maximum(bound.neg()))
}

function change(grads: readonly Tensor[], body: Change, by: Tensor): void {
  if (currentTracer() !== null) body(grads, by)
  else for (const list of fitted(grads)) compiledFor(body.name, body)(list, by)
}

/** Chunks of the tensors, as compiled functions take them. */
const fitted = (grads: readonly Tensor[]): readonly (readonly Tensor[])[] =>
  chunksOf(grads, [...grads.keys()], false, () => '').map(({ indices, isFlat }) =>
    indices.map(i => (isFlat ? flat(grads[i]!) : grads[i]!)),
  )

const compiled = new Map<string, (...args: never[]) => unknown>()

/** What one of the functions above is when compiled; made once. */
function compiledFor<F extends (...args: never[]) => Tensor | undefined>(key: string, body: F): F {
  const known = compiled.get(key) ?? compile(body, { dynamic: true, recompileLimit, name: key })
  compiled.set(key, known)
  return known as F // a key stands for one body
}
