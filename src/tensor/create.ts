/**
 * Tensors from nothing. Each is an op with a record, so that inside a compiled function it is part of the graph; the
 * functions here add what records do not know: the device, and the random state.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptions, parseDtype, parseShape } from '../graph/ops/arguments.js'
import { countersUsed, type RecordName, recordTable } from '../graph/ops/index.js'
import { type Size, SizeExpr } from '../scalar/size.js'
import type { TensorDtype } from '../types/dtype.js'
import { getDefaultDevice } from './device.js'
import { applyOp, checkDevice, numberArgument } from './dispatch.js'
import { defaultGenerator, Generator } from './generator.js'
import { TensorHandle } from './handle.js'
import { allocate, type TensorOptions } from './host-data.js'
import { holdsNumbers, type NumberLike, resolveNumbers, SymbolicNumber } from './symbolic-number.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

export interface RandomOptions extends TensorOptions {
  /** Default: the process's generator, which `manualSeed` seeds. */
  readonly generator?: Generator | undefined
}

/** Applies a creation record on the device asked for. `said`: what people called, which errors name. */
function create(name: RecordName, args: readonly unknown[], options: TensorOptions, said: string = name): Tensor {
  const { device, ...rest } = requireOptions(said, options)
  const place = device === undefined ? getDefaultDevice() : checkDevice(String(device), said)
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return applyOp(recordTable[name], [...args, given], place)[0]!
}

function requireOptions(name: string, options: unknown): { readonly [key: string]: unknown } {
  if (typeof options === 'object' && options !== null && Object.getPrototypeOf(options) === Object.prototype) {
    return options as { readonly [key: string]: unknown }
  }
  throw new ArgumentError(`${name}: the options are ${describeAny(options)}`, {
    fix: "pass one object last: { dtype: 'f32', device: 'cpu' }",
  })
}

type Filling = number | boolean | bigint

/** The record of `full` for everything that fills: what it would refuse under its own name is refused under `said`. */
function filled(
  said: string,
  given: readonly (NumberLike | Size)[],
  value: Filling | SymbolicNumber,
  options: TensorOptions,
): Tensor {
  const shape = sizesOf(said, given)
  const { dtype } = requireOptions(said, options) as TensorOptions
  checkOptions(said, options, ['dtype', 'device'])
  parseDtype(said, dtype)
  return create('full', [parseShape(said, shape, { minusOne: false }), value], options, said)
}

/** A tensor of `value` everywhere; f32 by default, or i64 for a bigint and bool for a boolean. */
export const full = (
  shape: readonly NumberLike[],
  value: Filling | SymbolicNumber,
  options: TensorOptions = {},
): Tensor => filled('full', shape, value, options)

/** Zeros; f32 by default. */
export const zeros = (shape: readonly NumberLike[], options: TensorOptions = {}): Tensor =>
  filled('zeros', shape, 0, options)

/** Ones; f32 by default. */
export const ones = (shape: readonly NumberLike[], options: TensorOptions = {}): Tensor =>
  filled('ones', shape, 1, options)

/** A tensor whose content is undefined until it is written (zeros inside a compiled function); f32 by default. */
export function empty(shape: readonly NumberLike[], options: TensorOptions = {}): Tensor {
  if (currentTracer() !== null) return zeros(shape, options)
  const sizes = requireShape('empty', shape) as readonly number[]
  return allocate(sizes, options.dtype ?? 'f32', options.device, 'empty')
}

/** Sizes as records take them: symbolic numbers are sizes that are not known, in a capture, and numbers outside. */
function sizesOf(name: string, shape: readonly (NumberLike | Size)[]): readonly Size[] {
  if (!Array.isArray(shape) || !holdsNumbers(shape)) return shape as readonly Size[]
  return resolveNumbers(shape, number => numberArgument(name, number)) as readonly Size[]
}

function requireShape(name: string, given: readonly (NumberLike | Size)[]): readonly Size[] {
  const shape = sizesOf(name, given)
  const fits =
    Array.isArray(shape) && shape.every(size => size instanceof SizeExpr || (Number.isSafeInteger(size) && size >= 0))
  if (fits) return shape
  throw new ArgumentError(`${name}: the shape [${String(shape)}] is no list of sizes`, { fix: `${name}([2, 3])` })
}

/**
 * start, start + step, … below end: `arange(end)`, `arange(start, end)`, `arange(start, end, step)`, each with options
 * last. i64 when all are integers, else f32. Throws ArgumentError for a step of 0.
 */
export function arange(end: NumberLike, options?: TensorOptions): Tensor
export function arange(start: NumberLike, end: NumberLike, options?: TensorOptions): Tensor
export function arange(start: NumberLike, end: NumberLike, step: NumberLike, options?: TensorOptions): Tensor
export function arange(...args: readonly (NumberLike | TensorOptions | undefined)[]): Tensor {
  const given = args.filter(arg => arg !== undefined)
  const last = given.at(-1)
  const isNumber = (value: unknown): boolean => typeof value === 'number' || value instanceof SymbolicNumber
  const options = typeof last === 'object' && !(last instanceof SymbolicNumber) ? last : {}
  const numbers = options === last ? given.slice(0, -1) : given
  const [start, end, step] = numbers
  if (numbers.length < 1 || numbers.length > 3 || !numbers.every(isNumber)) {
    throw new ArgumentError(
      `arange: takes one to three numbers, got ${numbers.map(describeAny).join(', ') || 'none'}`,
      {
        fix: 'arange(end), arange(start, end) or arange(start, end, step)',
      },
    )
  }
  return create('arange', [start, end, step], options)
}

/** `steps` values from start to end, both included, evenly spaced; f32 by default. */
export function linspace(start: NumberLike, end: NumberLike, steps: NumberLike, options: TensorOptions = {}): Tensor {
  return create('linspace', [start, end, steps], options)
}

/** The identity matrix of `n` rows and `m` (default n) columns; f32 by default. */
export function eye(n: NumberLike, m?: NumberLike | TensorOptions, options: TensorOptions = {}): Tensor {
  return typeof m === 'object' && !(m instanceof SymbolicNumber)
    ? create('eye', [n, n], m)
    : create('eye', [n, m ?? n], options)
}

// --- random ------------------------------------------------------------------------------------------------------------

type RandomName = Parameters<typeof countersUsed>[0]

function draw(name: RandomName, shape: readonly Size[], args: readonly unknown[], options: RandomOptions): Tensor {
  const { generator = defaultGenerator, ...rest } = options
  if (!(generator instanceof Generator))
    throw new ArgumentError(`${name}: the generator is ${describeAny(generator)}`, { fix: 'pass new Generator(seed)' })
  const counters = countersUsed(name, shape)
  const tracer = currentTracer()
  if (tracer !== null) return create(name, [...tracer.randomState(generator, counters), ...args, shape], rest)
  const { seed, offset } = generator.take(Number(counters))
  return create(name, [seed, offset, ...args, shape], rest)
}

/** Uniform numbers in [0, 1); a float dtype, f32 by default. */
export function rand(shape: readonly NumberLike[], options: RandomOptions = {}): Tensor {
  return draw('rand', requireShape('rand', shape), [], options)
}

/** Normal numbers of mean 0 and variance 1; a float dtype, f32 by default. */
export function randn(shape: readonly NumberLike[], options: RandomOptions = {}): Tensor {
  return draw('randn', requireShape('randn', shape), [], options)
}

/** Uniform integers in [low, high); i64 by default. Throws ArgumentError for an empty range. */
export function randint(low: number, high: number, shape: readonly NumberLike[], options: RandomOptions = {}): Tensor {
  return draw('randint', requireShape('randint', shape), [low, high], options)
}

// --- like another tensor -------------------------------------------------------------------------------------------------

/** dtype and device of `like` under the given options. Shapes are taken from `sizes`, where they may stay symbolic. */
function likeOptions<Options extends TensorOptions>(
  name: string,
  like: Tensor,
  options: Options,
): Options & TensorOptions {
  if (!((like as unknown) instanceof TensorHandle)) {
    throw new ArgumentError(`${name}: ${describeAny(like)} is no tensor`, { fix: `${name}(x)` })
  }
  like.requireAlive(name, 'the tensor')
  return { dtype: like.dtype as TensorDtype, device: like.device, ...options }
}

function filledLike(said: string, like: Tensor, value: Filling | SymbolicNumber, options: TensorOptions): Tensor {
  const own = likeOptions(said, like, options)
  return filled(said, like.sizes, value, own)
}

/** As `full`, with the shape, dtype and device of `like` unless `options` say otherwise. */
export const fullLike = (like: Tensor, value: Filling | SymbolicNumber, options: TensorOptions = {}): Tensor =>
  filledLike('fullLike', like, value, options)
/** Zeros with the shape, dtype and device of `like`. */
export const zerosLike = (like: Tensor, options: TensorOptions = {}): Tensor =>
  filledLike('zerosLike', like, 0, options)
/** Ones with the shape, dtype and device of `like`. */
export const onesLike = (like: Tensor, options: TensorOptions = {}): Tensor => filledLike('onesLike', like, 1, options)

/** As `empty`, with the shape, dtype and device of `like`. */
export function emptyLike(like: Tensor, options: TensorOptions = {}): Tensor {
  const own = likeOptions('emptyLike', like, options)
  return currentTracer() !== null ? filledLike('emptyLike', like, 0, options) : empty(like.shape, own)
}

/** As `rand`, with the shape, dtype and device of `like`. */
export function randLike(like: Tensor, options: RandomOptions = {}): Tensor {
  const own = likeOptions('randLike', like, options)
  return draw('rand', like.sizes, [], own)
}

/** As `randn`, with the shape, dtype and device of `like`. */
export function randnLike(like: Tensor, options: RandomOptions = {}): Tensor {
  const own = likeOptions('randnLike', like, options)
  return draw('randn', like.sizes, [], own)
}
