/** Random choices with the process's generator (or a given one): the ops that draw, with the random state filled in. */

import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { scoreShape } from '../graph/ops/attention.js'
import { type RecordName, recordTable } from '../graph/ops/index.js'
import { weightRecords } from '../graph/ops/sampling.js'
import { broadcastShapes } from '../graph/sizes.js'
import { productOf, type Size } from '../scalar/size.js'
import { isFloat, type TensorDtype } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { noGrad } from './autograd/mode.js'
import { rand, randn, randnLike } from './create.js'
import { applyOp, isTensor, withSizes } from './dispatch.js'
import { drawnState, requireGenerator } from './draws.js'
import type { Generator } from './generator.js'
import type { SizeLike } from './parameters.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

/** What functions that draw random numbers take. */
export interface GeneratorOption {
  /** Default: the process's generator, which `manualSeed` seeds. */
  readonly generator?: Generator | null | undefined
}

const draw = (name: RecordName, count: Size, args: readonly unknown[], given: object | null): Tensor =>
  applyOp(recordTable[name], [...drawnState(name, count, given), ...args])[0]!

const elements = (tensor: Tensor): Size => productOf(tensor.sizes)

const bernoulliSignature = signature('self, *, generator: object | null = null')

/**
 * 1 with the probability that each element of `input` holds, else 0.
 *
 * @param input floats in [0, 1]
 * @param options `generator`: by default the process's, which `manualSeed` seeds
 * @returns the shape and dtype of `input`
 * @throws DtypeError for integers and bool
 */
export function bernoulli(input: Tensor, options?: GeneratorOption): Tensor
export function bernoulli(...args: readonly unknown[]): Tensor {
  const { self, generator } = takeArguments('bernoulli', bernoulliSignature, args)
  return draw('bernoulli', elements(self), [self], generator)
}

const normalSignature = signature(
  'mean: operand, std: operand, size: sizes | null = null, *, generator: object | null = null',
)

/**
 * Normal numbers, each with a mean and a standard deviation of its own. Gradients flow to neither, as in PyTorch: for that write
 * `randnLike(mean).mul(std).add(mean)`.
 *
 * @param mean a tensor of floats, or a number
 * @param std at least 0: a tensor of floats that broadcasts with the mean, or a number
 * @param size the shape, where both are numbers
 * @param options `generator`: by default the process's, which `manualSeed` seeds
 * @returns the shape that both broadcast to, or `size`; the tensors' dtype, else f32
 * @throws ArgumentError for a negative std, where both are numbers without a size, or a size is given beside a tensor
 * @throws DtypeError for tensors of other than floats; ShapeError when the two do not broadcast
 */
export function normal(mean: Tensor | number, std: Tensor | number, options?: GeneratorOption): Tensor
export function normal(mean: number, std: number, size: readonly SizeLike[], options?: GeneratorOption): Tensor
export function normal(...args: readonly unknown[]): Tensor {
  const { mean, std, size, generator } = takeArguments('normal', normalSignature, args)
  const options = { generator: requireGenerator('normal', generator) }
  const given = [mean, std].filter(value => isTensor(value)) as Tensor[]
  const wrong = given.find(each => !isFloat(each.dtype))
  if (wrong !== undefined)
    throw new DtypeError(`normal: needs floats, got ${wrong.describe()}`, { fix: "cast it: x.to('f32')" })
  withSizes(() => broadcastShapes('normal', [[], ...given.map(each => each.sizes)]))
  if (typeof std === 'number' && !(std >= 0))
    throw new ArgumentError(`normal: std is ${std}`, { fix: 'use a number of at least 0' })
  const hasTensor = given.length > 0
  if (hasTensor !== (size === null))
    throw new ArgumentError(`normal: ${hasTensor ? 'a size is given beside a tensor' : 'no size is given'}`, {
      fix: 'give a size where mean and std are numbers, and only there',
    })
  return noGrad(() => {
    const numbers =
      size === null
        ? randnLike(applyOp(recordTable.add, [mean, std])[0]!, options)
        : randn(size as readonly number[], options)
    return applyOp(recordTable.add, [numbers.mul(std as number), mean])[0]!
  })
}

/** Options of `dropout`. */
export interface DropoutOptions extends GeneratorOption {
  /** The probability of 0. Default 0.5. */
  readonly p?: number | undefined
  /** false: the input as it is. Default true. */
  readonly training?: boolean | undefined
}

const dropoutSignature = signature('self, p: number = 0.5, training: bool = true, *, generator: object | null = null')

/**
 * Elements set to 0 with probability p, the others divided by 1 − p.
 *
 * @param input a tensor of floats
 * @param p the probability of 0; 0.5 by default
 * @param training false gives the input as it is; true by default
 * @param options `generator`: by default the process's, which `manualSeed` seeds
 * @returns the shape and dtype of `input`
 * @throws ArgumentError unless 0 ≤ p ≤ 1
 * @throws DtypeError for integers and bool
 */
export function dropout(input: Tensor, p?: number, training?: boolean, options?: GeneratorOption): Tensor
export function dropout(
  ...args:
    | [input: Tensor, options?: DropoutOptions]
    | [input: Tensor, p: number | undefined, options?: Omit<DropoutOptions, 'p'>]
): Tensor
export function dropout(...args: readonly unknown[]): Tensor {
  const { self, p, training, generator } = takeArguments('dropout', dropoutSignature, args)
  if (!training) return self
  return draw('dropout', elements(self), [self, p], generator)
}

/** Options of `gumbelSoftmax`. */
export interface GumbelSoftmaxOptions extends GeneratorOption {
  /** The temperature: the smaller, the nearer to choices. Default 1. */
  readonly tau?: number | undefined
  /** 1 at the largest and 0 elsewhere. Default false. */
  readonly hard?: boolean | undefined
  /** Default −1. */
  readonly dim?: number | undefined
}

const gumbelSignature = signature(
  'logits, tau: number = 1, hard: bool = false, dim: dim = -1, *, generator: object | null = null',
)

/**
 * Random choices by logits, softened: softmax((logits + g) / tau) with g = −ln(−ln u), u uniform in [0, 1).
 *
 * Jang et al., arXiv:1611.01144.
 *
 * @param logits floats
 * @param tau the temperature, above 0: the smaller, the nearer to choices; 1 by default
 * @param hard 1 at the largest and 0 elsewhere; false by default
 * @param dim along which the results add up to 1; −1 by default
 * @param options `generator`: by default the process's, which `manualSeed` seeds
 * @returns the shape and dtype of `logits`
 * @throws ArgumentError unless tau is above 0
 * @throws DtypeError for integers and bool
 * @throws ShapeError when dim is out of range
 */
export function gumbelSoftmax(
  logits: Tensor,
  tau?: number,
  hard?: boolean,
  dim?: number,
  options?: GeneratorOption,
): Tensor
export function gumbelSoftmax(
  ...args:
    | [logits: Tensor, options?: GumbelSoftmaxOptions]
    | [logits: Tensor, tau: number | undefined, options?: Omit<GumbelSoftmaxOptions, 'tau'>]
): Tensor
export function gumbelSoftmax(...args: readonly unknown[]): Tensor {
  const { logits, tau, hard, dim, generator } = takeArguments('gumbelSoftmax', gumbelSignature, args)
  if (!(tau > 0)) throw new ArgumentError(`gumbelSoftmax: tau is ${tau}`, { fix: 'use a number above 0' })
  if (!isFloat(logits.dtype))
    throw new DtypeError(`gumbelSoftmax: needs floats, the logits are ${logits.describe()}`, { fix: "x.to('f32')" })
  const dtype = logits.dtype as TensorDtype
  const wide = dtype === 'f64' ? logits : logits.to('f32')
  const sizes = Array.from({ length: logits.ndim }, (_, d) => logits.dim(d))
  const uniform = rand(sizes, {
    dtype: wide.dtype as TensorDtype,
    device: logits.device,
    generator: generator as Generator | null,
  })
  const soft = wide.sub(uniform.log().neg().log()).div(tau).softmax(dim)
  if (!hard) return soft.to(dtype)
  const index = soft.argmax(dim, true)
  return soft.mul(0).scatter(dim, index, 1).to(dtype)
}

/** Options of `scaledDotProductAttention`. */
export interface AttentionOptions {
  /** Broadcasts to the scores, [*, L, S]: bool, false hides a key; a float is added to the scores. */
  readonly attnMask?: Tensor | null | undefined
  /** The probability that a weight is 0. Default 0. */
  readonly dropoutP?: number | undefined
  /** Row i sees the keys 0 … i only; not together with a mask. Default false. */
  readonly isCausal?: boolean | undefined
  /** What the scores are multiplied by. Default 1 / √E. */
  readonly scale?: number | null | undefined
  /** Key and value have fewer heads (dim −3), each for as many consecutive heads of the query. Default false. */
  readonly enableGqa?: boolean | undefined
}

const attention = signature(
  'self, key, value, attnMask: tensor | null = null, dropoutP: number = 0, isCausal: bool = false, *, scale: number | null = null, enableGqa: bool = false, returnLse: bool = false',
)

/** How `scaledDotProductAttention` is called with options; `More`: further options. */
type AttentionCall<More> =
  | [input: Tensor, key: Tensor, value: Tensor, options: AttentionOptions & More]
  | [
      input: Tensor,
      key: Tensor,
      value: Tensor,
      attnMask: Tensor | null | undefined,
      options: Omit<AttentionOptions, 'attnMask'> & More,
    ]
  | [
      input: Tensor,
      key: Tensor,
      value: Tensor,
      attnMask: Tensor | null | undefined,
      dropoutP: number | undefined,
      options: Omit<AttentionOptions, 'attnMask' | 'dropoutP'> & More,
    ]
  | [
      input: Tensor,
      key: Tensor,
      value: Tensor,
      attnMask: Tensor | null | undefined,
      dropoutP: number | undefined,
      isCausal: boolean | undefined,
      options: Pick<AttentionOptions, 'scale' | 'enableGqa'> & More,
    ]
  | [input: Tensor, options: AttentionOptions & { readonly key: Tensor; readonly value: Tensor } & More]

/**
 * softmax(scale · query · keyᵀ + mask) · value; a row that sees no key gives 0, and nothing of the size of the scores is
 * kept. With dropout weights are set to 0 with probability `dropoutP`, and the others divided by 1 − dropoutP: as in PyTorch
 * whether or not something is trained, so pass 0 where nothing is.
 *
 * Vaswani et al., arXiv:1706.03762. PyTorch gives NaN where a row sees no key. Leading dims broadcast. Takes floats.
 *
 * @param input the query, [*, L, E]; with enableGqa [*, heads, L, E]
 * @param key [*, S, E]
 * @param value [*, S, Ev]
 * @param attnMask broadcasts to [*, L, S]: bool, false hides a key; a float is added to the scores; none by default
 * @param dropoutP the probability that a weight is 0, drawn from the process's generator; 0 by default
 * @param isCausal row i sees the keys 0 … i only; not together with a mask; false by default
 * @param options `scale`: what the scores are multiplied by, 1 / √E by default; `enableGqa`: key and value have fewer heads
 *   (dim −3), each for as many consecutive heads of the query; `returnLse`: gives the log-sum-exp of each row's scores too,
 *   as PyTorch's `flex_attention` does with `return_lse`
 * @returns [*, L, Ev], the dtype of the query; with `returnLse` [that, the natural logarithm of Σ exp(scores) over the keys,
 *   [*, L], f32 (f64 of f64): scale and mask are in the scores, dropout is not; −∞ for a row that sees no key]
 * @throws ArgumentError when both a mask and isCausal are given, scale is not finite, or dropoutP is not in [0, 1]
 * @throws DtypeError for integers and bool, when query, key and value differ, or the mask is an integer
 * @throws ShapeError when E or S differ, or the heads do not divide
 */
export function scaledDotProductAttention(
  input: Tensor,
  key: Tensor,
  value: Tensor,
  attnMask?: Tensor | null,
  dropoutP?: number,
  isCausal?: boolean,
  options?: Pick<AttentionOptions, 'scale' | 'enableGqa'>,
): Tensor
export function scaledDotProductAttention(...args: AttentionCall<unknown>): Tensor
export function scaledDotProductAttention(
  ...args: AttentionCall<{ readonly returnLse: true }>
): [output: Tensor, logsumexp: Tensor]
export function scaledDotProductAttention(...args: readonly unknown[]): Tensor | [Tensor, Tensor] {
  const name = 'scaledDotProductAttention'
  const taken = takeArguments(name, attention, args)
  const { self, key, value, attnMask, dropoutP, returnLse, isCausal, scale, enableGqa } = taken
  const options = { isCausal, scale, enableGqa }
  if (dropoutP === 0 && !returnLse) return applyOp(recordTable[name], [self, key, value, attnMask, options])[0]!
  const operands = [self, key, value, attnMask, dropoutP, options]
  const record = returnLse ? 'attentionLse' : 'attentionDropout'
  const count = (): Size => productOf(scoreShape(self.sizes, key.sizes, value.sizes, enableGqa))
  const state = dropoutP === 0 ? [0, 0] : drawnState(name, count(), null)
  const [output, logsumexp] = applyOp(recordTable[record], [...state, ...operands]) as [Tensor, Tensor?]
  return logsumexp === undefined ? output : [output, logsumexp]
}

/** Options of `randperm`. */
export interface RandpermOptions extends GeneratorOption {
  /** An integer dtype; i64 by default. */
  readonly dtype?: TensorDtype | undefined
}

const permutation = signature('n: count, *, dtype: dtype | null = null, generator: object | null = null')

/**
 * The integers 0 … n − 1 in random order.
 *
 * @param n how many, at least 0
 * @param options `dtype`: an integer dtype, i64 by default; `generator`: by default the process's, which `manualSeed` seeds
 * @returns [n]
 * @throws ArgumentError for an n that is no integer of at least 0
 * @throws DtypeError for a dtype that is no integer
 */
export function randperm(n: number, options?: RandpermOptions): Tensor
export function randperm(...args: readonly unknown[]): Tensor {
  const { n, dtype, generator } = takeArguments('randperm', permutation, args)
  return draw('randperm', n, [n, { dtype }], generator)
}

/** Options of `multinomial`. */
export interface MultinomialOptions extends GeneratorOption {
  /** Whether one index may be drawn again. Default false. */
  readonly replacement?: boolean | undefined
}

const choices = signature('self, numSamples: positive, replacement: bool = false, *, generator: object | null = null')

/** Throws ArgumentError unless every row, [rows, n], is of weights that can be drawn from. */
function checkWeights(weights: Tensor, count: number): void {
  if (weights.shape[0] === 0) return
  const least = applyOp(weightRecords.fewestWeights, [weights])[0]!.itemSync()
  if (least < 0)
    throw new ArgumentError('multinomial: a weight is negative, infinite or NaN', { fix: 'give weights of at least 0' })
  if (least < count)
    throw new ArgumentError(`multinomial: a row has ${least} weights above 0 for ${count} samples`, {
      fix: count > 1 ? 'draw fewer, or with { replacement: true }' : 'give each row a weight above 0',
    })
}

/**
 * Indices drawn by weights. The weights of a row need not add up to 1. Outside of compiled functions they are checked, which
 * reads them.
 *
 * @param input weights of at least 0, floats: [n] or [m, n]
 * @param numSamples how many are drawn per row; without replacement at most as many as there are weights above 0
 * @param replacement whether one index may be drawn again; false by default
 * @param options `generator`: by default the process's, which `manualSeed` seeds
 * @returns [numSamples] or [m, numSamples]; i64
 * @throws ArgumentError for weights that are negative or not finite, and more samples than can be drawn
 * @throws DtypeError unless `input` holds floats
 * @throws ShapeError unless it is a vector or a matrix
 */
export function multinomial(input: Tensor, numSamples: number, replacement?: boolean, options?: GeneratorOption): Tensor
export function multinomial(
  ...args:
    | [input: Tensor, numSamples: number, options?: MultinomialOptions]
    | [input: Tensor, options: MultinomialOptions & { readonly numSamples: number }]
): Tensor
export function multinomial(...args: readonly unknown[]): Tensor {
  const { self, numSamples, replacement, ...given } = takeArguments('multinomial', choices, args)
  const generator = requireGenerator('multinomial', given.generator)
  if (!isFloat(self.dtype))
    throw new DtypeError(`multinomial: the weights are ${self.dtype}`, { fix: "cast them: x.to('f32')" })
  if (self.ndim < 1 || self.ndim > 2)
    throw new ShapeError(`multinomial: the weights ${self.describe()} are neither a vector nor a matrix`, {
      fix: 'one row of weights, or a matrix of rows',
    })
  const [n] = self.sizes.slice(-1)
  if (typeof n === 'number' && n < (replacement ? 1 : numSamples))
    throw new ArgumentError(`multinomial: ${numSamples} samples of ${n} weights`, {
      fix: n === 0 ? 'give at least one weight' : 'draw fewer, or with { replacement: true }',
    })
  const rows = self.ndim === 2 ? self : self.unsqueeze(0)
  if (currentTracer() === null) checkWeights(rows, replacement ? 1 : numSamples)
  const drawn = replacement
    ? drawnAgain(rows, numSamples, generator)
    : applyOp(weightRecords.chooseWeighted, [...drawnState('rand', elements(rows), generator), rows, numSamples])[0]!
  return self.ndim === 2 ? drawn : drawn.squeeze(0)
}

/** Indices by the weights of each row, [rows, n], of which each may be drawn again. */
function drawnAgain(rows: Tensor, numSamples: number, generator: Generator | null): Tensor {
  const dtype = rows.dtype === 'f64' ? 'f64' : 'f32'
  const sums = rows.to(dtype).cumsum(-1)
  const marks = rand([rows.dim(0), numSamples], { dtype, device: rows.device, generator }).mul(sums.narrow(-1, -1, 1))
  return sums.searchsorted(marks, { right: true })
}
