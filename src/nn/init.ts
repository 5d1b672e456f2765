/**
 * Initial values of weights, written in place, by PyTorch's formulas (`torch.nn.init`); usually imported as
 * `import { init } from 'tegula/nn'`. Each returns its tensor. Fans: a weight [out, in, …kernel] has the fan-in
 * in · ∏ kernel and the fan-out out · ∏ kernel.
 */
import { ArgumentError, ShapeError } from '../base/errors.js'
import { erf } from '../scalar/special.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { eye, rand, randn } from '../tensor/create.js'
import type { Generator } from '../tensor/generator.js'
import { type TypedArray, tensor as tensorOf } from '../tensor/host-data.js'
import { scope } from '../tensor/scope.js'
import type { Tensor } from '../tensor/tensor.js'
import type { TensorDtype } from '../types/dtype.js'

/** The random numbers to use. */
export interface InitOptions {
  /** Default: the process's generator, which `manualSeed` seeds. */
  readonly generator?: Generator | null | undefined
}

/** What follows a weight: its gain is √2 for 'relu', 5/3 for 'tanh', … */
export type Nonlinearity =
  | 'linear'
  | 'conv1d'
  | 'conv2d'
  | 'conv3d'
  | 'sigmoid'
  | 'tanh'
  | 'relu'
  | 'leakyRelu'
  | 'selu'

/** Options of `Kaiming`. */
export interface KaimingOptions extends InitOptions {
  /** The negative slope of the leaky ReLU that follows. Default 0. */
  readonly a?: number | undefined
  /** Keeps the variance in the forward pass, or of gradients. Default 'fanIn'. */
  readonly mode?: 'fanIn' | 'fanOut' | undefined
  /** Default 'leakyRelu'. */
  readonly nonlinearity?: Nonlinearity | undefined
}

/** Options of `TruncNormal`. */
export interface TruncNormalOptions extends InitOptions {
  /** Default 0. */
  readonly mean?: number | undefined
  /** Default 1. */
  readonly std?: number | undefined
  /** Default −2. */
  readonly a?: number | undefined
  /** Default 2. */
  readonly b?: number | undefined
}

/** What is computed on the way is freed at once: a model's initial values would fill several times its memory. */
const write = (tensor: Tensor, value: () => Tensor): Tensor =>
  noGrad(() => {
    scope(() => void tensor.copy_(value()))
    return tensor
  })

const like = (tensor: Tensor, { generator = null }: InitOptions): object => ({
  dtype: tensor.dtype === 'f64' ? 'f64' : 'f32',
  device: tensor.device,
  generator,
})

/** Fills `tensor` uniformly in [a, b). */
export const uniform_ = (tensor: Tensor, a = 0, b = 1, options: InitOptions = {}): Tensor =>
  write(tensor, () =>
    rand(tensor.shape, like(tensor, options))
      .mul(b - a)
      .add(a),
  )

/** Fills `tensor` normally, with this mean and std. */
export const normal_ = (tensor: Tensor, mean = 0, std = 1, options: InitOptions = {}): Tensor =>
  write(tensor, () => randn(tensor.shape, like(tensor, options)).mul(std).add(mean))

/** Fills `tensor` with one value. */
export const constant_ = (tensor: Tensor, value: number): Tensor => noGrad(() => tensor.fill_(value))

/** Fills `tensor` with 1. */
export const ones_ = (tensor: Tensor): Tensor => constant_(tensor, 1)

/** Fills `tensor` with 0. */
export const zeros_ = (tensor: Tensor): Tensor => constant_(tensor, 0)

/** 1 on the diagonal of a matrix `tensor`, 0 elsewhere. Throws ShapeError for what is no matrix. */
export function eye_(tensor: Tensor): Tensor {
  if (tensor.ndim !== 2)
    throw new ShapeError(`eye_: ${tensor.describe()} is no matrix`, { fix: 'use dirac_ for kernels' })
  return write(tensor, () => eye(tensor.shape[0]!, tensor.shape[1]!, { device: tensor.device }))
}

/**
 * A convolution's weight `tensor`, [O, C, …], that passes on as many channels as it can: 1 at the kernel's centre where o = c, within
 * each of `groups`. Throws ShapeError unless it has three to five dims and groups divide O.
 */
export function dirac_(tensor: Tensor, groups = 1): Tensor {
  const { shape } = tensor
  if (shape.length < 3 || shape.length > 5 || shape[0]! % groups !== 0) {
    throw new ShapeError(`dirac_: ${tensor.describe()} with ${groups} groups is no weight of a convolution`, {
      fix: 'use a weight [O, C / groups, …kernel] with 1 to 3 spatial dims whose O the groups divide',
    })
  }
  const [out, inside, ...kernel] = shape as [number, number, ...number[]]
  const values = new Float64Array(tensor.numel())
  const place = kernel.reduce((at, size) => at * size + Math.floor(size / 2), 0)
  const area = kernel.reduce((a, b) => a * b, 1)
  const perGroup = out / groups
  for (let o = 0; o < out; o++) {
    if (o % perGroup < inside) values[(o * inside + (o % perGroup)) * area + place] = 1
  }
  return write(tensor, () => fromHost(tensor, values))
}

/** Fills `tensor` by Xavier (Glorot), uniformly: ±gain · √(6 / (fanIn + fanOut)). Throws ShapeError for fewer than two dims. */
export function xavierUniform_(tensor: Tensor, gain = 1, options: InitOptions = {}): Tensor {
  const { fanIn, fanOut } = fansOf('xavierUniform_', tensor)
  const bound = gain * Math.sqrt(6 / (fanIn + fanOut))
  return uniform_(tensor, -bound, bound, options)
}

/** Fills `tensor` by Xavier (Glorot), normally: std gain · √(2 / (fanIn + fanOut)). Throws ShapeError for fewer than two dims. */
export function xavierNormal_(tensor: Tensor, gain = 1, options: InitOptions = {}): Tensor {
  const { fanIn, fanOut } = fansOf('xavierNormal_', tensor)
  return normal_(tensor, 0, gain * Math.sqrt(2 / (fanIn + fanOut)), options)
}

/** Fills `tensor` by Kaiming (He), uniformly: ±√3 · gain / √fan. Throws ShapeError for fewer than two dims. */
export function kaimingUniform_(tensor: Tensor, options: KaimingOptions = {}): Tensor {
  const bound = Math.sqrt(3) * kaimingStd('kaimingUniform_', tensor, options)
  return uniform_(tensor, -bound, bound, options)
}

/** Fills `tensor` by Kaiming (He), normally: std gain / √fan. Throws ShapeError for fewer than two dims. */
export const kaimingNormal_ = (tensor: Tensor, options: KaimingOptions = {}): Tensor =>
  normal_(tensor, 0, kaimingStd('kaimingNormal_', tensor, options), options)

function kaimingStd(
  name: string,
  tensor: Tensor,
  { a = 0, mode = 'fanIn', nonlinearity = 'leakyRelu' }: KaimingOptions,
): number {
  const fans = fansOf(name, tensor)
  if (!Object.hasOwn(fans, mode)) {
    throw new ArgumentError(`${name}: mode is '${mode}'`, { fix: "use 'fanIn' or 'fanOut'" })
  }
  return calculateGain(nonlinearity, a) / Math.sqrt(fans[mode])
}

/** Fills `tensor` normally, with values outside of [a, b] drawn again (by inverting the distribution function). */
export function truncNormal_(
  tensor: Tensor,
  { mean = 0, std = 1, a = -2, b = 2, ...options }: TruncNormalOptions = {},
): Tensor {
  const below = (x: number): number => (1 + erf((x - mean) / std / Math.SQRT2)) / 2
  const [low, high] = [2 * below(a) - 1, 2 * below(b) - 1]
  return write(tensor, () =>
    rand(tensor.shape, like(tensor, options))
      .mul(high - low)
      .add(low)
      .erfinv()
      .mul(std * Math.SQRT2)
      .add(mean)
      .clamp(a, b),
  )
}

/**
 * Fills `tensor` with orthogonal rows or columns (those of which there are fewer), times `gain`; dims after the first count as one. Saxe et al.,
 * arXiv:1312.6120. Throws ShapeError for fewer than two dims.
 */
export function orthogonal_(tensor: Tensor, gain = 1, options: InitOptions = {}): Tensor {
  requireMatrix('orthogonal_', tensor)
  const rows = tensor.shape[0]!
  const columns = rows === 0 ? 0 : tensor.numel() / rows
  if (rows * columns === 0) return tensor
  const [long, short] = [Math.max(rows, columns), Math.min(rows, columns)]
  const random = randn([short, long], { dtype: 'f64', device: 'cpu', generator: options.generator ?? null })
  const q = orthonormal(random.dataSync('f64'), short, long)
  const values = tensorOf(q.map(value => value * gain)).reshape([short, long])
  return write(tensor, () => onDeviceOf(tensor, rows <= columns ? values : values.t()).reshape(tensor.shape))
}

/** Rows of a matrix made orthonormal by Gram and Schmidt's method, twice, which loses no digits. */
function orthonormal(values: Float64Array, rows: number, columns: number): Float64Array {
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < rows; i++) {
      const row = values.subarray(i * columns, (i + 1) * columns)
      for (let j = 0; j < i; j++) {
        const other = values.subarray(j * columns, (j + 1) * columns)
        const share = row.reduce((sum, value, k) => sum + value * other[k]!, 0)
        for (let k = 0; k < columns; k++) row[k]! -= share * other[k]!
      }
      const norm = Math.hypot(...chunkNorms(row))
      for (let k = 0; k < columns; k++) row[k]! /= norm
    }
  }
  return values
}

/** Norms of parts: `Math.hypot` takes only so many arguments. */
const chunkNorms = (row: Float64Array): number[] =>
  Array.from({ length: Math.ceil(row.length / 1024) }, (_, i) => Math.hypot(...row.subarray(i * 1024, (i + 1) * 1024)))

/**
 * A matrix `tensor` with the share `sparsity` of each column 0, the rest normal with `std`. Martens, ICML 2010. Throws ShapeError for what is no
 * matrix.
 */
export function sparse_(tensor: Tensor, sparsity: number, std = 0.01, options: InitOptions = {}): Tensor {
  if (tensor.ndim !== 2) throw new ShapeError(`sparse_: ${tensor.describe()} is no matrix`, { fix: 'pass a matrix' })
  const rows = tensor.shape[0]!
  const zeros = Math.ceil(sparsity * rows)
  normal_(tensor, 0, std, options)
  // Each column's elements with the smallest random keys are set to 0.
  const ranks = rand(tensor.shape, like(tensor, options)).argsort(0).argsort(0)
  return write(tensor, () => tensor.maskedFill(ranks.lt(zeros), 0))
}

/** The factor of standard deviations that keeps the variance through `nonlinearity`; `param`: a leaky ReLU's slope. */
export function calculateGain(nonlinearity: Nonlinearity, param = 0.01): number {
  switch (nonlinearity) {
    case 'linear':
    case 'conv1d':
    case 'conv2d':
    case 'conv3d':
    case 'sigmoid':
      return 1
    case 'tanh':
      return 5 / 3
    case 'relu':
      return Math.SQRT2
    case 'leakyRelu':
      return Math.sqrt(2 / (1 + param ** 2))
    case 'selu':
      return 3 / 4
    default:
      throw new ArgumentError(`calculateGain: no nonlinearity '${String(nonlinearity satisfies never)}'`, {
        fix: "use 'linear', 'conv1d', 'conv2d', 'conv3d', 'sigmoid', 'tanh', 'relu', 'leakyRelu' or 'selu'",
      })
  }
}

/** The fans of a weight `tensor` [out, in, …kernel]; `name`: who asks, for errors. Throws ShapeError for fewer than two dims. */
export function fansOf(name: string, tensor: Tensor): { readonly fanIn: number; readonly fanOut: number } {
  requireMatrix(name, tensor)
  const [out, inside, ...kernel] = tensor.shape as [number, number, ...number[]]
  const area = kernel.reduce((a, b) => a * b, 1)
  return { fanIn: inside * area, fanOut: out * area }
}

function requireMatrix(name: string, tensor: Tensor): void {
  if (tensor.ndim >= 2) return
  throw new ShapeError(`${name}: ${tensor.describe()} has fewer than two dims, so it has no fan`, {
    fix: 'use uniform_, normal_ or constant_ for vectors',
  })
}

const onDeviceOf = (tensor: Tensor, value: Tensor): Tensor =>
  (value.device === tensor.device ? value : value.to(tensor.device)).to(tensor.dtype as TensorDtype)

const fromHost = (tensor: Tensor, values: TypedArray): Tensor =>
  onDeviceOf(tensor, tensorOf(values).reshape(tensor.shape))
