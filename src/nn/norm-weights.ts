/**
 * Weights that are computed of other parameters whenever a layer reads them: by direction and length, or divided by the largest
 * singular value. The field becomes a getter of the module's prototype, so that whatever reads it gets the computed weight.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { randn } from '../tensor/create.js'
import { normalize } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import type { TensorDtype } from '../types/dtype.js'
import { ConvTranspose1d, ConvTranspose2d, ConvTranspose3d } from './conv.js'
import { Module } from './module.js'
import { Parameter } from './parameter.js'

type Fields = Record<string, unknown>

/** The parameter in a field of a module. Throws ArgumentError where there is none. */
function requireWeight(callee: string, module: Module, name: string): Tensor {
  if (!((module as unknown) instanceof Module))
    throw new ArgumentError(`${callee}: ${describeAny(module)} is no module`, {
      fix: `pass a layer: ${callee}(new Linear(3, 2))`,
    })
  const weight = (module as unknown as Fields)[name]
  if (Object.hasOwn(module, name) && weight instanceof Parameter) return weight
  throw new ArgumentError(
    `${callee}: the field ${name} of ${module.constructor.name} is ${describeAny(weight)}, no parameter`,
    {
      fix: "name a field that holds a parameter: 'weight'",
    },
  )
}

/** Reading the field computes it from now on; nothing can be assigned to it. */
function compute(module: Module, name: string, weight: (module: Fields) => Tensor): void {
  Reflect.deleteProperty(module, name)
  const prototype = Object.create(Object.getPrototypeOf(module) as object, {
    [name]: {
      get(this: Fields) {
        return weight(this)
      },
      set() {
        throw new ArgumentError(`${module.constructor.name}.${name}: it is computed, and cannot be assigned`, {
          fix: 'write into the parameters that it is computed of, or take the norm off first: removeWeightNorm, removeSpectralNorm',
        })
      },
    },
  }) as object
  Object.setPrototypeOf(module, prototype)
}

/** The field holds a parameter again: its present value. `parts`: the fields that it was computed of. */
function restore<M extends Module>(callee: string, module: M, name: string, parts: readonly string[]): M {
  const prototype = Object.getPrototypeOf(module) as object
  if (!Object.hasOwn(prototype, name) || !parts.every(part => part in module))
    throw new ArgumentError(`${callee}: ${name} of ${module.constructor.name} is not computed so`, {
      fix: 'take off what was put on last, with the same name',
    })
  const value = noGrad(() => ((module as unknown as Fields)[name] as Tensor).clone())
  Object.setPrototypeOf(module, Object.getPrototypeOf(prototype) as object)
  for (const part of parts) Reflect.deleteProperty(module, part)
  ;(module as unknown as Fields)[name] = new Parameter(value)
  return module
}

/** v · (g / ‖v‖): norms over all dims but `dim`; null: over all. */
function scaled(v: Tensor, g: Tensor, dim: number | null): Tensor {
  return v.mul(g.div(lengths(v, dim)))
}

function lengths(v: Tensor, dim: number | null): Tensor {
  const others = Array.from({ length: v.ndim }, (_, d) => d).filter(d => d !== dim)
  if (others.length === 0) return v.abs()
  const sum = v.square().sum(others, dim !== null)
  return sum.sqrt()
}

/** Options of `weightNorm`. */
export interface WeightNormOptions {
  /** The field of the weight; 'weight' by default. */
  readonly name?: string | undefined
  /** Along which each slice has a length of its own; 0 by default; null: one length in all. */
  readonly dim?: number | null | undefined
}

const weightSignature = signature('self: value, name: string = "weight", dim: int | null = 0')

/** The dim from 0 on. Throws ShapeError for one that the weight has not. */
function checkedDim(callee: string, weight: Tensor, dim: number): number {
  if (dim >= -weight.ndim && dim < weight.ndim) return dim < 0 ? dim + weight.ndim : dim
  throw new ShapeError(`${callee}: dim ${dim} of a weight ${weight.describe()}`, {
    fix: `use a dim from ${-weight.ndim} to ${weight.ndim - 1}`,
  })
}

/**
 * "Weight Normalization" (Salimans and Kingma 2016): a weight is trained as its length, the parameter `weightG`, and its direction,
 * `weightV` (`weight_g` and `weight_v` in state dicts, as PyTorch's). Make the optimiser afterwards.
 *
 * @param module the layer, which is changed
 * @param name the field of the weight; 'weight' by default
 * @param dim along which each slice has a length of its own; 0 by default; null: one length in all
 * @returns the module
 * @throws ArgumentError where the field holds no parameter; ShapeError for a dim that it has not
 */
export function weightNorm<M extends Module>(module: M, options?: WeightNormOptions): M
export function weightNorm<M extends Module>(module: M, name?: string, dim?: number | null): M
export function weightNorm<M extends Module>(module: M, ...args: readonly unknown[]): M {
  const { name: field, dim } = takeArguments('weightNorm', weightSignature, [module, ...args])
  const weight = requireWeight('weightNorm', module, field)
  const own = dim === null ? null : checkedDim('weightNorm', weight, dim)
  const fields = module as unknown as Fields
  const [g, v] = [`${field}G`, `${field}V`]
  fields[g] = new Parameter(noGrad(() => lengths(weight, own).clone()))
  fields[v] = new Parameter(weight.detach())
  compute(module, field, from => scaled(from[v] as Tensor, from[g] as Tensor, own))
  return module
}

/** Takes `weightNorm` off: the weight is a parameter with its present value. Throws ArgumentError where there is none. */
export const removeWeightNorm = <M extends Module>(module: M, name = 'weight'): M =>
  restore('removeWeightNorm', module, name, [`${name}G`, `${name}V`])

/** Options of `spectralNorm`. */
export interface SpectralNormOptions {
  /** The field of the weight; 'weight' by default. */
  readonly name?: string | undefined
  /** Power iterations each time that the weight is read in training; 1 by default. */
  readonly nPowerIterations?: number | undefined
  /** Least length that is divided by; 1e-12 by default. */
  readonly eps?: number | undefined
  /** The dim of outputs: 1 for transposed convolutions, else 0 by default. */
  readonly dim?: number | undefined
}

const spectralSignature = signature(
  'self: value, name: string = "weight", nPowerIterations: positive = 1, eps: number = 1e-12, dim: int | null = null',
)

/** The weight as a matrix, its outputs first. */
function matrixOf(weight: Tensor, dim: number): Tensor {
  const order = [dim, ...Array.from({ length: weight.ndim }, (_, d) => d).filter(d => d !== dim)]
  return weight.permute(order).reshape([weight.size(dim), -1])
}

/**
 * "Spectral Normalization for Generative Adversarial Networks" (Miyato et al. 2018): a weight is divided by its largest singular
 * value, which power iterations approximate while the module is trained. The parameter is `weightOrig`, its singular vectors are the
 * buffers `weightU` and `weightV` (PyTorch's `weight_orig`, `weight_u`, `weight_v`). Make the optimiser afterwards.
 *
 * @param module the layer, which is changed
 * @returns the module
 * @throws ArgumentError where the field holds no parameter; ShapeError for a dim that it has not
 */
export function spectralNorm<M extends Module>(module: M, options: SpectralNormOptions = {}): M {
  const { name, nPowerIterations, eps, ...given } = takeArguments('spectralNorm', spectralSignature, [module, options])
  const isTransposed = [ConvTranspose1d, ConvTranspose2d, ConvTranspose3d].some(Layer => module instanceof Layer)
  const weight = requireWeight('spectralNorm', module, name)
  const dim = checkedDim('spectralNorm', weight, given.dim ?? (isTransposed ? 1 : 0))
  const fields = module as unknown as Fields
  const [orig, u, v] = [`${name}Orig`, `${name}U`, `${name}V`]
  fields[orig] = weight
  const [rows, columns] = matrixOf(weight.detach(), dim).shape as [number, number]
  const place = { dtype: weight.dtype as TensorDtype, device: weight.device }
  for (const [field, size] of [[u, rows], [v, columns]] as const) // biome-ignore format: pairs
    fields[field] = module.registerBuffer(field, normalize(randn([size], place), { dim: 0, eps }))
  compute(module, name, from => {
    const original = from[orig] as Tensor
    const matrix = matrixOf(original, dim)
    const [left, right] = [from[u] as Tensor, from[v] as Tensor]
    if (from.training === true)
      noGrad(() => {
        for (let i = 0; i < nPowerIterations; i++) {
          right.copy_(normalize(matrix.t().mv(left), { dim: 0, eps }))
          left.copy_(normalize(matrix.mv(right), { dim: 0, eps }))
        }
      })
    const sigma = left.clone().dot(matrix.mv(right.clone()))
    return original.div(sigma)
  })
  return module
}

/** Takes `spectralNorm` off: the weight is a parameter with its present value. Throws ArgumentError where there is none. */
export const removeSpectralNorm = <M extends Module>(module: M, name = 'weight'): M =>
  restore('removeSpectralNorm', module, name, [`${name}Orig`, `${name}U`, `${name}V`])
