/** Random choices with the process's generator (or a given one): the ops that draw, with the random state filled in. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { type RecordName, recordTable } from '../graph/ops/index.js'
import { productOf, type Size } from '../scalar/size.js'
import type { TensorDtype } from '../types/dtype.js'
import { applyOp, requireTensor } from './dispatch.js'
import { defaultGenerator, Generator } from './generator.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

export interface GeneratorOption {
  /** Default: the process's generator, which `manualSeed` seeds. */
  readonly generator?: Generator | undefined
}

function draw(
  name: RecordName,
  count: Size,
  args: readonly unknown[],
  generator: Generator = defaultGenerator,
): Tensor {
  if (!(generator instanceof Generator)) throw new ArgumentError(`${name}: the generator is ${describeAny(generator)}`)
  const tracer = currentTracer()
  if (tracer !== null) return applyOp(recordTable[name], [...tracer.randomState(generator, count), ...args])[0]!
  const { seed, offset } = generator.take(Number(count))
  return applyOp(recordTable[name], [seed, offset, ...args])[0]!
}

const elements = (tensor: Tensor): Size => productOf(tensor.sizes)

/** 1 with the probability that each element of `probabilities` (floats in [0, 1]) holds, else 0; its shape and dtype. */
export function bernoulli(probabilities: Tensor, options: GeneratorOption = {}): Tensor {
  const tensor = requireTensor('bernoulli', probabilities, 'the probabilities')
  return draw('bernoulli', elements(tensor), [tensor], options.generator)
}

export interface DropoutOptions extends GeneratorOption {
  /** The probability of 0. Default 0.5. */
  readonly p?: number
  /** false: the input as it is. Default true. */
  readonly training?: boolean
}

/** Elements set to 0 with probability p, the others divided by 1 − p. Throws ArgumentError unless 0 ≤ p ≤ 1. */
export function dropout(input: Tensor, options: DropoutOptions = {}): Tensor {
  const tensor = requireTensor('dropout', input, 'the input')
  const { p = 0.5, training = true, generator } = options
  if (!training) return tensor
  return draw('dropout', elements(tensor), [tensor, p], generator)
}

export interface RandpermOptions extends GeneratorOption {
  /** An integer dtype; i64 by default. */
  readonly dtype?: TensorDtype
}

/** The integers 0 … n − 1 in random order. Throws ArgumentError unless n is an integer of at least 0. */
export function randperm(n: number, options: RandpermOptions = {}): Tensor {
  const { generator, ...rest } = options
  return draw('randperm', Math.max(0, Number.isSafeInteger(n) ? n : 0), [n, rest], generator)
}
