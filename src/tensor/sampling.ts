/** Random choices with the process's generator (or a given one): the ops that draw, with the random state filled in. */
import { type RecordName, recordTable } from '../graph/ops/index.js'
import { productOf, type Size } from '../scalar/size.js'
import type { TensorDtype } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { requireGenerator } from './create.js'
import { applyOp } from './dispatch.js'
import type { Generator } from './generator.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

export interface GeneratorOption {
  /** Default: the process's generator, which `manualSeed` seeds. */
  readonly generator?: Generator | null | undefined
}

function draw(name: RecordName, count: Size, args: readonly unknown[], given: object | null): Tensor {
  const generator = requireGenerator(name, given)
  const tracer = currentTracer()
  if (tracer !== null) return applyOp(recordTable[name], [...tracer.randomState(generator, count), ...args])[0]!
  const { seed, offset } = generator.take(Number(count))
  return applyOp(recordTable[name], [seed, offset, ...args])[0]!
}

const elements = (tensor: Tensor): Size => productOf(tensor.sizes)

const bernoulliSignature = signature('self, *, generator: object | null = null')

/**
 * 1 with the probability that each element of `input` holds, else 0; its shape and dtype.
 *
 * @param input floats in [0, 1]
 * @param options `generator`: by default the process's, which `manualSeed` seeds
 * @throws ArgumentError, DtypeError unless `input` holds floats
 */
export function bernoulli(input: Tensor, options?: GeneratorOption): Tensor
export function bernoulli(...args: readonly unknown[]): Tensor {
  const { self, generator } = takeArguments('bernoulli', bernoulliSignature, args)
  return draw('bernoulli', elements(self), [self], generator)
}

export interface DropoutOptions extends GeneratorOption {
  /** The probability of 0. Default 0.5. */
  readonly p?: number | undefined
  /** false: the input as it is. Default true. */
  readonly training?: boolean | undefined
}

const dropoutSignature = signature('self, p: number = 0.5, training: bool = true, *, generator: object | null = null')

/**
 * Elements set to 0 with probability p, the others divided by 1 − p; the shape and dtype of `input`, which holds floats.
 *
 * @param p the probability of 0; 0.5 by default
 * @param training false gives the input as it is; true by default
 * @param options `generator`: by default the process's, which `manualSeed` seeds
 * @throws ArgumentError unless 0 ≤ p ≤ 1, DtypeError
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

export interface RandpermOptions extends GeneratorOption {
  /** An integer dtype; i64 by default. */
  readonly dtype?: TensorDtype | undefined
}

const permutation = signature('n: count, *, dtype: dtype | null = null, generator: object | null = null')

/**
 * The integers 0 … n − 1 in random order: [n].
 *
 * @param options `dtype`: an integer dtype, i64 by default; `generator`: by default the process's, which `manualSeed` seeds
 * @throws ArgumentError, DtypeError
 */
export function randperm(n: number, options?: RandpermOptions): Tensor
export function randperm(...args: readonly unknown[]): Tensor {
  const { n, dtype, generator } = takeArguments('randperm', permutation, args)
  return draw('randperm', n, [n, { dtype }], generator)
}
