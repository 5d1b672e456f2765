/** Random numbers written into a tensor: `x.normal_()` and its kin, each as a formula of uniform or normal numbers. */
import { ArgumentError } from '../base/errors.js'
import { countersUsed, recordTable } from '../graph/ops/index.js'
import { broadcastShapes } from '../graph/sizes.js'
import { type Dtype, isFloat, type TensorDtype } from '../types/dtype.js'
import { signature, takeArguments } from './arguments.js'
import { applyOp, assignInPlace, withSizes } from './dispatch.js'
import { drawnState } from './draws.js'
import type { Generator } from './generator.js'
import { TensorHandle } from './handle.js'
import type { Tensor } from './tensor-type.js'

/** Options of methods that fill a tensor with random numbers. */
export interface FillOptions {
  /** Default: the process's generator, which `manualSeed` seeds. */
  readonly generator?: Generator | null | undefined
}

const generator = '*, generator: object | null = null'
const signatures = {
  uniform_: signature(`self, from: number = 0, to: number = 1, ${generator}` as const),
  normal_: signature(`self, mean: number = 0, std: number = 1, ${generator}` as const),
  logNormal_: signature(`self, mean: number = 1, std: number = 2, ${generator}` as const),
  cauchy_: signature(`self, median: number = 0, sigma: number = 1, ${generator}` as const),
  exponential_: signature(`self, lambd: number = 1, ${generator}` as const),
  geometric_: signature(`self, p: number, ${generator}` as const),
  bernoulli_: signature(`self, p: operand = 0.5, ${generator}` as const),
  random_: signature(`self, from: int = 0, to: int | null = null, ${generator}` as const),
} as const

const method = (name: string) => ({ name, isMethod: true })

/** Numbers of the shape of `x`, uniform in [0, 1) or normal: f64 for f64, else f32. */
function drawn(callee: string, x: Tensor, name: 'rand' | 'randn', given: object | null): Tensor {
  const state = drawnState(callee, countersUsed(name, x.sizes), given)
  return applyOp(recordTable[name], [...state, x.sizes, { dtype: x.dtype === 'f64' ? 'f64' : 'f32' }], x.device)[0]!
}

function write(callee: string, x: Tensor, value: Tensor): void {
  const isNarrower = isFloat(x.dtype) && value.dtype !== x.dtype
  assignInPlace(callee, x, isNarrower ? value.to(x.dtype as TensorDtype) : value)
}

function check(callee: string, what: string, value: number, isRight: boolean, fix: string): void {
  if (!isRight) throw new ArgumentError(`${callee}: ${what} is ${value}`, { fix })
}

export function uniform(x: Tensor, args: readonly unknown[]): void {
  const { from, to, ...given } = takeArguments(method('uniform_'), signatures.uniform_, [x, ...args])
  check('uniform_', 'to', to, to >= from, `use a number of at least from, ${from}`)
  write(
    'uniform_',
    x,
    drawn('uniform_', x, 'rand', given.generator)
      .mul(to - from)
      .add(from),
  )
}

export function normal(x: Tensor, args: readonly unknown[]): void {
  const { mean, std, ...given } = takeArguments(method('normal_'), signatures.normal_, [x, ...args])
  check('normal_', 'std', std, std >= 0, 'use a number of at least 0')
  write('normal_', x, drawn('normal_', x, 'randn', given.generator).mul(std).add(mean))
}

export function logNormal(x: Tensor, args: readonly unknown[]): void {
  const { mean, std, ...given } = takeArguments(method('logNormal_'), signatures.logNormal_, [x, ...args])
  check('logNormal_', 'std', std, std > 0, 'use a number above 0')
  write('logNormal_', x, drawn('logNormal_', x, 'randn', given.generator).mul(std).add(mean).exp())
}

export function cauchy(x: Tensor, args: readonly unknown[]): void {
  const { median, sigma, ...given } = takeArguments(method('cauchy_'), signatures.cauchy_, [x, ...args])
  check('cauchy_', 'sigma', sigma, sigma > 0, 'use a number above 0')
  const angle = drawn('cauchy_', x, 'rand', given.generator).sub(0.5).mul(Math.PI)
  write('cauchy_', x, angle.tan().mul(sigma).add(median))
}

/** −ln(1 − u): u is never 1. */
const waited = (u: Tensor): Tensor => u.neg().log1p().neg()

export function exponential(x: Tensor, args: readonly unknown[]): void {
  const { lambd, ...given } = takeArguments(method('exponential_'), signatures.exponential_, [x, ...args])
  check('exponential_', 'lambd', lambd, lambd > 0, 'use a number above 0')
  write('exponential_', x, waited(drawn('exponential_', x, 'rand', given.generator)).div(lambd))
}

export function geometric(x: Tensor, args: readonly unknown[]): void {
  const { p, ...given } = takeArguments(method('geometric_'), signatures.geometric_, [x, ...args])
  check('geometric_', 'p', p, p > 0 && p < 1, 'use a probability above 0 and below 1')
  const trials = waited(drawn('geometric_', x, 'rand', given.generator))
    .div(-Math.log1p(-p))
    .ceil()
    .clamp(1)
  write('geometric_', x, trials.to(x.dtype as TensorDtype))
}

export function bernoulli(x: Tensor, args: readonly unknown[]): void {
  const { p, ...given } = takeArguments(method('bernoulli_'), signatures.bernoulli_, [x, ...args])
  if (typeof p === 'number') check('bernoulli_', 'p', p, p >= 0 && p <= 1, 'use a probability, 0 to 1')
  if (p instanceof TensorHandle) withSizes(() => broadcastShapes('bernoulli_', [x.sizes, p.sizes]))
  const hits = applyOp(recordTable.lt, [drawn('bernoulli_', x, 'rand', given.generator), p])[0]!
  write('bernoulli_', x, hits.to(x.dtype as TensorDtype))
}

/** Where the whole numbers end that a dtype holds without gaps; of i64 those that can be drawn. PyTorch's `random_` draws below that. */
const ends: Partial<Record<Dtype, number>> = {
  ...{ bool: 2, u8: 2 ** 8, i8: 2 ** 7, i16: 2 ** 15, i32: 2 ** 31, i64: 2 ** 53 },
  ...{ bf16: 2 ** 8 + 1, f16: 2 ** 11 + 1, f32: 2 ** 24 + 1, f64: 2 ** 53 },
}

export function random(x: Tensor, args: readonly unknown[]): void {
  const taken = takeArguments(method('random_'), signatures.random_, [x, ...args])
  const isUpper = taken.to === null && args.length > 0 && typeof args[0] === 'number'
  const [from, to] = isUpper ? [0, taken.from] : [taken.from, taken.to ?? ends[x.dtype] ?? 1]
  check('random_', 'to', to, from < to && to - from <= 2 ** 53, `use an integer above from, ${from}, by at most 2^53`)
  const state = drawnState('random_', countersUsed('randint', x.sizes), taken.generator)
  const [value] = applyOp(recordTable.randint, [...state, from, to, x.sizes, { dtype: 'i64' }], x.device)
  write('random_', x, value!.to(x.dtype as TensorDtype))
}
