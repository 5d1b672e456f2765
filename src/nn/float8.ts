/** FP8 training: linear layers whose products, forward and backward, multiply 8-bit floats. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { type Float8LinearCall, float8Records } from '../graph/ops/float8.js'
import type { Value } from '../graph/record.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { autocastDtype } from '../tensor/autocast.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { zeros } from '../tensor/create.js'
import { applyOp, requireTensor } from '../tensor/dispatch.js'
import { cat, where } from '../tensor/functions.js'
import { lasting } from '../tensor/lasting.js'
import { Tensor } from '../tensor/tensor.js'
import type { Float8 } from '../types/dtype.js'
import { Linear } from './linear.js'
import { type Module, settle } from './module.js'
import type { Parameter } from './parameter.js'

/** The format of gradients: e5m2 has more range, e4m3 more precision. Inputs and weights are e4m3. */
export type Float8Gradients = 'e5m2' | 'e4m3'

/** Scales that are known before the tensors: 0-d tensors on the device. Powers of two scale without rounding. */
export interface Float8Scales {
  /** Of the input; 0: not known, so it is computed from the input, as in `current`. */
  readonly input: Tensor
  /** Of the weight; 0: not known. */
  readonly weight: Tensor
  /** Of the gradient of the result; 0: not known. */
  readonly gradient: Tensor
  /**
   * A 0-d f32 tensor that requires a gradient: `backward()` adds the largest finite magnitude of the result's gradient to its
   * `.grad`.
   */
  readonly gradientAmax?: Tensor | undefined
}

/** Options of `fp8Linear`. */
export interface Float8LinearOptions {
  /** [N], added in f32 before the result is rounded. */
  readonly bias?: Tensor | null | undefined
  /**
   * How operands are scaled: 'current' (default), by the largest magnitude of each tensor; 'block', by that of every 128
   * elements along the summed dim, of weights of every 128 × 128; or by scales known before.
   */
  readonly scaling?: 'current' | 'block' | Float8Scales | undefined
  /** The format of gradients. Default 'e5m2'. */
  readonly gradients?: Float8Gradients | undefined
}

const linearSignature = signature(
  "input, weight, *, bias: tensor | null = null, scaling: value = 'current', gradients: 'e5m2' | 'e4m3' = 'e5m2'",
)

/**
 * input · weightᵀ + bias, where input and weight are rounded to e4m3 first; backward, the gradient of the result is rounded
 * to `gradients`, and multiplied with both again. Gradients are those of the product without rounding (straight through).
 * Devices with units for 8-bit floats multiply their codes; sums are f32.
 *
 * Scales are powers of two: the least ones with which the largest finite magnitude fits. Larger values, which given scales
 * may leave, saturate. Infinities and NaN count for no scale and become NaN; a tensor of zeros has scale 1. A block that
 * reaches over the edge consists of the elements that there are: K and N may be any size. Products of blocks are multiplied
 * in bf16, which holds the scaled elements exactly.
 *
 * @param input [… , K]; f32, f16 or bf16
 * @param weight [N, K]; f32, f16 or bf16
 * @param options see `Float8LinearOptions`
 * @returns [… , N]; the input's dtype, under `autocast` its dtype
 * @throws ShapeError when they do not fit; DtypeError for other dtypes; ArgumentError for other options
 * @example const y = fp8Linear(x, weight, { bias, scaling: 'block' })
 */
export function fp8Linear(input: Tensor, weight: Tensor, options?: Float8LinearOptions): Tensor
export function fp8Linear(options: Float8LinearOptions & { readonly input: Tensor; readonly weight: Tensor }): Tensor
export function fp8Linear(...args: readonly unknown[]): Tensor {
  const { input, weight, bias, scaling, gradients } = takeArguments('fp8Linear', linearSignature, args)
  const isNamed = scaling === 'current' || scaling === 'block'
  const given = isNamed ? null : requireScales(scaling)
  const call: Float8LinearCall = {
    bias: bias === null ? null : asValue(bias),
    scales: given && [asValue(given.input), asValue(given.weight), asValue(given.gradient)],
    observer: given?.gradientAmax === undefined ? null : asValue(given.gradientAmax),
    scaling: scaling === 'block' ? 'block' : 'tensor',
    gradients: float8Of(gradients),
    outDtype: autocastDtype(),
  }
  return applyOp(float8Records.fp8Linear, [input, weight, call])[0]!
}

const asValue = (tensor: Tensor): Value => tensor as unknown as Value
const float8Of = (gradients: Float8Gradients): Float8 => (gradients === 'e5m2' ? 'f8e5m2' : 'f8e4m3')

function requireScales(given: unknown): Float8Scales {
  if (typeof given !== 'object' || given === null || given instanceof Tensor)
    throw new ArgumentError(`fp8Linear: scaling is ${shown(given)}`, {
      fix: "use 'current', 'block', or an object of tensors: { input, weight, gradient }",
    })
  checkOptionsObject('fp8Linear: scaling', given, ['input', 'weight', 'gradient', 'gradientAmax'])
  const { input, weight, gradient, gradientAmax } = given as Partial<Float8Scales>
  const required = (role: string, tensor: unknown): Tensor => requireTensor('fp8Linear', tensor, `scaling.${role}`)
  return {
    input: required('input', input),
    weight: required('weight', weight),
    gradient: required('gradient', gradient),
    ...(gradientAmax && { gradientAmax: required('gradientAmax', gradientAmax) }),
  }
}

const shown = (given: unknown): string => (typeof given === 'string' ? `'${given}'` : describeAny(given))

// --- layers ----------------------------------------------------------------------------------------------------------------

/** How layers scale what they multiply. */
export type Float8LayerScaling = 'current' | 'delayed' | 'block'

/** Options of `fp8`. */
export interface Float8Options {
  /**
   * How operands are scaled: 'current' (default), by the largest magnitude of each tensor; 'delayed', by the largest that was
   * seen in the last calls; 'block', by that of every 128 elements, of weights of every 128 × 128.
   */
  readonly scaling?: Float8LayerScaling | undefined
  /** The format of gradients. Default 'e5m2'. */
  readonly gradients?: Float8Gradients | undefined
  /** delayed: how many calls are remembered; 16 by default. */
  readonly historyLength?: number | undefined
  /** True for layers that stay as they are, by their names. Default: none. */
  readonly skip?: ((name: string, layer: Linear) => boolean) | undefined
}

const optionNames: readonly (keyof Float8Options)[] = ['scaling', 'gradients', 'historyLength', 'skip']

/**
 * Has linear layers multiply 8-bit floats: their forward product and both backward ones (`fp8Linear`). Layers are changed in
 * place: their parameters stay the same tensors, under the same names and in their dtype, so an optimiser trains them as
 * before, and `stateDict()` fits the plain model. Only with delayed scaling they have buffers besides, the magnitudes that
 * were seen (`input_amax`, `weight_amax`, `gradient_amax`); a plain model takes such a dict with
 * `{ strict: false }`. Calling it again changes the options.
 *
 * With delayed scaling a call in training mode uses the largest magnitudes of the calls before it, of gradients those that
 * `backward()` has seen, and adds its own: all on the device, so that a compiled step stays one graph. Before anything was
 * seen, a tensor's own magnitude decides.
 *
 * @param model a module; layers of class `Linear` in it, or itself
 * @param options see `Float8Options`
 * @returns the model
 * @throws ArgumentError for options that there are not, or when there is no layer to change
 * @example fp8(net, { scaling: 'delayed', skip: name => name === 'head' })
 */
export function fp8<M extends Module>(model: M, options: Float8Options = {}): M {
  checkOptionsObject('fp8', options, optionNames)
  const { scaling = 'current', gradients = 'e5m2', historyLength = 16, skip = () => false } = options
  requireOneOf('scaling', scaling, ['current', 'delayed', 'block'])
  requireOneOf('gradients', gradients, ['e5m2', 'e4m3'])
  if (!Number.isSafeInteger(historyLength) || historyLength < 1)
    throw new ArgumentError(`fp8: historyLength is ${shown(historyLength)}`, { fix: 'give a whole number above 0' })
  if (typeof (skip as unknown) !== 'function')
    throw new ArgumentError(`fp8: skip is ${shown(skip)}, not a function`, { fix: "skip: name => name === 'head'" })
  const layers = model
    .namedModules()
    .flatMap(([name, module]) => (isPlainLinear(module) && !skip(name, module) ? [module] : []))
  if (layers.length === 0)
    throw new ArgumentError('fp8: there is no linear layer to change', { fix: 'pass a model with Linear layers' })
  for (const layer of layers) convert(layer, { scaling, gradients, historyLength })
  return model
}

function requireOneOf(option: string, given: unknown, choices: readonly string[]): void {
  if (!choices.includes(given as string))
    throw new ArgumentError(`fp8: ${option} is ${shown(given)}`, {
      fix: `use ${choices.map(choice => `'${choice}'`).join(', ')}`,
    })
}

/** Subclasses may compute something else. */
const isPlainLinear = (module: Module): module is Linear =>
  [Linear.prototype, Float8Linear.prototype].includes(Object.getPrototypeOf(module) as Linear)

interface Recipe {
  readonly scaling: Float8LayerScaling
  readonly gradients: Float8Gradients
  readonly historyLength: number
}

function convert(layer: Linear, { scaling, gradients, historyLength }: Recipe): void {
  const made: Float8Linear = Object.setPrototypeOf(layer, Float8Linear.prototype)
  const { device } = layer.weight
  const history = (): Tensor => zeros([historyLength], { device })
  const isDelayed = scaling === 'delayed'
  Object.assign(made, { scaling, gradients })
  for (const name of ['inputAmax', 'weightAmax', 'gradientAmax'] as const)
    made.registerBuffer(name, isDelayed ? history() : null)
}

/** A linear layer that `fp8` has changed. */
class Float8Linear extends Linear {
  declare scaling: Float8LayerScaling
  declare gradients: Float8Gradients
  /** Of delayed scaling: the largest magnitudes of the last calls, the latest first, f32; else null. */
  declare inputAmax: Tensor | null
  declare weightAmax: Tensor | null
  declare gradientAmax: Tensor | null

  override [settle](): void {
    const observer = observers.get(this)
    const history = this.gradientAmax
    if (observer !== undefined && history !== null) noGrad(() => rememberGradient(observer, history))
  }

  override forward(input: Tensor): Tensor {
    const { weight, bias, scaling, gradients } = this
    return fp8Linear(input, weight, {
      bias,
      gradients,
      scaling: scaling === 'delayed' ? delayed(this, input) : scaling,
    })
  }
}

/** The scales by what was seen in the calls before this one, which is added. */
function delayed(layer: Float8Linear, input: Tensor): Float8Scales {
  const [inputs, weights, gradients] = [layer.inputAmax!, layer.weightAmax!, layer.gradientAmax!]
  return noGrad(() => {
    const observer = observerOf(layer, gradients)
    if (layer.training) rememberGradient(observer, gradients)
    const scaleOf = (history: Tensor, float: Float8): Tensor => applyOp(float8Records.float8Scale, [history, float])[0]!
    const scales = {
      input: scaleOf(inputs, 'f8e4m3'),
      weight: scaleOf(weights, 'f8e4m3'),
      gradient: scaleOf(gradients, float8Of(layer.gradients)),
    }
    if (!layer.training) return scales
    remember(inputs, largestMagnitude(input))
    remember(weights, largestMagnitude(layer.weight))
    return { ...scales, gradientAmax: observer }
  })
}

const largestMagnitude = (tensor: Tensor | Parameter): Tensor => applyOp(float8Records.largestMagnitude, [tensor])[0]!

/** Puts a magnitude in front of a history, in place; 0 stands for nothing seen. */
function remember(history: Tensor, amax: Tensor): void {
  const latest = cat([amax.reshape([1]).to('f32'), history.narrow(0, 0, history.numel() - 1)])
  history.copy_(where(amax.gt(0), latest, history))
}

/** Puts what `backward()` has seen since the last call into the history. */
function rememberGradient(observer: Tensor, history: Tensor): void {
  const seen = observer.grad!
  remember(history, seen)
  seen.zero_()
}

/** By layer: the tensor whose gradient is the largest magnitude of the gradients since the last call. */
const observers = new WeakMap<Float8Linear, Tensor>()

function observerOf(layer: Float8Linear, { device }: Tensor): Tensor {
  const known = observers.get(layer)
  if (known?.device === device) return known
  const made = lasting(() => {
    const observer = zeros([], { device, requiresGrad: true })
    observer.grad = zeros([], { device })
    return observer
  })
  observers.set(layer, made)
  return made
}
