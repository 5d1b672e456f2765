/**
 * Creation functions. Each is an op with a record, so that inside a compiled function it is part of the graph; the
 * functions here add what records do not handle: the device, and the random state.
 */
import { ArgumentError } from '../base/errors.js'
import { splitArguments } from '../graph/bind.js'
import { countersUsed, type RecordName, recordTable } from '../graph/ops/index.js'
import type { Size } from '../scalar/size.js'
import type { Dtype, TensorDtype } from '../types/dtype.js'
import { type Arguments, signature, takeArguments } from './arguments.js'
import { withRequiresGrad } from './autograd/properties.js'
import { getDefaultDevice } from './device.js'
import { applyOp, checkDevice, isTensor } from './dispatch.js'
import { drawnState } from './draws.js'
import type { Generator } from './generator.js'
import { allocate, type TensorOptions } from './host-data.js'
import type { Scalar, SizeLike } from './parameters.js'
import type { NumberLike } from './symbolic-number.js'
import type { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

/** Options of functions that draw random numbers. */
export interface RandomOptions extends TensorOptions {
  /** Default: the process's generator, which `manualSeed` seeds. */
  readonly generator?: Generator | null | undefined
}

interface Sized {
  readonly size: readonly SizeLike[]
}

const typed = '*, dtype: dtype | null = null, device: string | null = null, requiresGrad: bool = false'
const random = `${typed}, generator: object | null = null` as const

type Options = Arguments<typeof typed>

/** Applies a creation record as the options ask. `callee`: the function that was called, which errors name. */
function create(
  name: RecordName,
  args: readonly unknown[],
  { dtype, device, requiresGrad }: Options,
  callee: string = name,
): Tensor {
  const target = device === null ? getDefaultDevice() : checkDevice(device, callee)
  const [made] = applyOp(recordTable[name], [...args, { dtype }], target)
  return withRequiresGrad(callee, made!, requiresGrad)
}

// --- filled ------------------------------------------------------------------------------------------------------------

const sized = signature(`...size: sizes, ${typed}` as const)
const filled = signature(`size: sizes, fillValue: operand, ${typed}` as const)

/**
 * A tensor of `fillValue` everywhere, of shape `size`.
 *
 * @param size the shape; [] for one element
 * @param fillValue a number (f32), bigint (i64) or boolean (bool)
 * @param options `dtype`: another dtype, to which the value is converted; `device`: by default the default device
 * @returns shape `size`
 * @throws ArgumentError unless sizes are non-negative integers
 * @throws DeviceError for a device that is not there
 */
export function full(size: readonly SizeLike[], fillValue: Scalar, options?: TensorOptions): Tensor
export function full(options: TensorOptions & Sized & { readonly fillValue: Scalar }): Tensor
export function full(...args: readonly unknown[]): Tensor {
  const { size, fillValue, ...options } = takeArguments('full', filled, args)
  return create('full', [size, fillValue], options)
}

function constant(callee: string, value: number, args: readonly unknown[]): Tensor {
  const { size, ...options } = takeArguments(callee, sized, args)
  return create('full', [size, value], options, callee)
}

/**
 * Zeros of shape `size`: `zeros([2, 3])`, `zeros(2, 3)`.
 *
 * @param size the shape, as a list or one by one; [] for one element
 * @param options `dtype`: f32 by default; `device`: by default the default device
 * @returns shape `size`; f32 unless `dtype` is given
 * @throws ArgumentError unless sizes are non-negative integers
 * @throws DeviceError for a device that is not there
 */
export function zeros(size: readonly SizeLike[], options?: TensorOptions): Tensor
export function zeros(...size: readonly SizeLike[]): Tensor
export function zeros(...args: readonly [...size: SizeLike[], options: TensorOptions]): Tensor
export function zeros(options: TensorOptions & Sized): Tensor
export function zeros(...args: readonly unknown[]): Tensor {
  return constant('zeros', 0, args)
}

/**
 * Ones of shape `size`: `ones([2, 3])`, `ones(2, 3)`.
 *
 * @param size the shape, as a list or one by one; [] for one element
 * @param options `dtype`: f32 by default; `device`: by default the default device
 * @returns shape `size`; f32 unless `dtype` is given
 * @throws ArgumentError unless sizes are non-negative integers
 * @throws DeviceError for a device that is not there
 */
export function ones(size: readonly SizeLike[], options?: TensorOptions): Tensor
export function ones(...size: readonly SizeLike[]): Tensor
export function ones(...args: readonly [...size: SizeLike[], options: TensorOptions]): Tensor
export function ones(options: TensorOptions & Sized): Tensor
export function ones(...args: readonly unknown[]): Tensor {
  return constant('ones', 1, args)
}

/**
 * A tensor of shape `size` whose content is undefined until it is written (zeros inside a compiled function).
 *
 * @param size the shape, as a list or one by one; [] for one element
 * @param options `dtype`: f32 by default; `device`: by default the default device
 * @returns shape `size`; f32 unless `dtype` is given
 * @throws ArgumentError unless sizes are non-negative integers
 * @throws DeviceError for a device that is not there
 */
export function empty(size: readonly SizeLike[], options?: TensorOptions): Tensor
export function empty(...size: readonly SizeLike[]): Tensor
export function empty(...args: readonly [...size: SizeLike[], options: TensorOptions]): Tensor
export function empty(options: TensorOptions & Sized): Tensor
export function empty(...args: readonly unknown[]): Tensor {
  const { size, ...options } = takeArguments('empty', sized, args)
  return unwritten('empty', size, options)
}

function unwritten(callee: string, size: readonly Size[], options: Options): Tensor {
  if (currentTracer() !== null) return create('full', [size, 0], options, callee)
  const device = options.device === null ? undefined : checkDevice(options.device, callee)
  const made = allocate(size.map(Number), (options.dtype ?? 'f32') as TensorDtype, device, callee)
  return withRequiresGrad(callee, made, options.requiresGrad)
}

// --- counted -----------------------------------------------------------------------------------------------------------

const toEnd = signature(
  'end: number | index, *, step: number | index = 1, dtype: dtype | null = null, device: string | null = null, requiresGrad: bool = false',
)
const fromStart = signature(`start: number | index, end: number | index, step: number | index = 1, ${typed}` as const)

/**
 * start, start + step, … below end: `arange(end)`, `arange(start, end)`, `arange(start, end, step)`.
 *
 * @param start the first value; 0 by default
 * @param end exclusive
 * @param step from one to the next: 1 by default, negative counts down
 * @param options `step`; `dtype`: i64 when all are integers, else f32; `device`: by default the default device
 * @returns [n], n = ⌈(end − start) / step⌉, at least 0
 * @throws ArgumentError for a step of 0 and numbers that are not finite
 * @throws DeviceError for a device that is not there
 */
export function arange(end: NumberLike, options?: TensorOptions & { readonly step?: NumberLike | undefined }): Tensor
export function arange(start: NumberLike, end: NumberLike, options?: TensorOptions): Tensor
export function arange(start: NumberLike, end: NumberLike, step: NumberLike, options?: TensorOptions): Tensor
export function arange(
  options: TensorOptions & {
    readonly start?: NumberLike | undefined
    readonly end: NumberLike
    readonly step?: NumberLike | undefined
  },
): Tensor
export function arange(...args: readonly unknown[]): Tensor {
  const { positional, options: named } = splitArguments(args, isTensor)
  const isNamed = (name: string): boolean => named?.[name] !== undefined
  const starts = positional.length > 1 || isNamed('start') || (positional.length === 1 && isNamed('end'))
  if (!starts) {
    const { end, step, ...options } = takeArguments('arange', toEnd, args)
    return create('arange', [0, end, step], options)
  }
  const { start, end, step, ...options } = takeArguments('arange', fromStart, args)
  return create('arange', [start, end, step], options)
}

const spaced = signature(`start: number, end: number, steps: size, ${typed}` as const)

/**
 * `steps` values from start to end, both included, evenly spaced.
 *
 * @param start the first value
 * @param end the last value
 * @param steps an integer of at least 0
 * @param options `dtype`: f32 by default; `device`: by default the default device
 * @returns [steps]; f32 unless `dtype` is given
 * @throws ArgumentError for a start or end that is not finite
 * @throws DeviceError for a device that is not there
 */
export function linspace(start: number, end: number, steps: NumberLike, options?: TensorOptions): Tensor
export function linspace(
  ...args:
    | [start: number, end: number, options: TensorOptions & { readonly steps: NumberLike }]
    | [options: TensorOptions & { readonly start: number; readonly end: number; readonly steps: NumberLike }]
): Tensor
export function linspace(...args: readonly unknown[]): Tensor {
  const { start, end, steps, ...options } = takeArguments('linspace', spaced, args)
  return create('linspace', [start, end, steps], options)
}

/** Options of `logspace`. */
export interface LogspaceOptions extends TensorOptions {
  /** What the powers are of; 10 by default. */
  readonly base?: number | undefined
}

const powers = signature(`start: number, end: number, steps: size, base: number = 10, ${typed}` as const)

/**
 * `steps` powers of `base` with evenly spaced exponents from start to end, both included; computed in f64 and rounded once.
 *
 * @param start the first exponent
 * @param end the last exponent
 * @param steps an integer of at least 0
 * @param base what the powers are of; 10 by default
 * @param options `dtype`: f32 by default; `device`: by default the default device
 * @returns [steps]; f32 unless `dtype` is given
 * @throws ArgumentError for a start or end that is not finite
 * @throws DeviceError for a device that is not there
 */
export function logspace(
  start: number,
  end: number,
  steps: NumberLike,
  base?: number | LogspaceOptions,
  options?: TensorOptions,
): Tensor
export function logspace(
  ...args:
    | [start: number, end: number, options: LogspaceOptions & { readonly steps: NumberLike }]
    | [options: LogspaceOptions & { readonly start: number; readonly end: number; readonly steps: NumberLike }]
): Tensor
export function logspace(...args: readonly unknown[]): Tensor {
  const { start, end, steps, base, dtype, device, requiresGrad } = takeArguments('logspace', powers, args)
  for (const exponent of [start, end])
    if (!Number.isFinite(exponent))
      throw new ArgumentError(`logspace: ${exponent} is no finite number`, { fix: 'give finite exponents' })
  const exponents = create('linspace', [start, end, steps], { dtype: 'f64', device, requiresGrad: false }, 'logspace')
  const [made] = applyOp(recordTable.pow, [exponents.mul(0).add(base), exponents])
  return withRequiresGrad('logspace', made!.to((dtype ?? 'f32') as TensorDtype), requiresGrad)
}

const identity = signature(`n: size, m: size | null = null, ${typed}` as const)

/**
 * The identity matrix: 1 on the diagonal and 0 elsewhere.
 *
 * @param n rows
 * @param m columns; n by default
 * @param options `dtype`: f32 by default; `device`: by default the default device
 * @returns [n, m]; f32 unless `dtype` is given
 * @throws ArgumentError unless sizes are non-negative integers
 * @throws DeviceError for a device that is not there
 */
export function eye(n: NumberLike, m?: NumberLike | null, options?: TensorOptions): Tensor
export function eye(n: NumberLike, options?: TensorOptions & { readonly m?: NumberLike | null | undefined }): Tensor
export function eye(
  options: TensorOptions & { readonly n: NumberLike; readonly m?: NumberLike | null | undefined },
): Tensor
export function eye(...args: readonly unknown[]): Tensor {
  const { n, m, ...options } = takeArguments('eye', identity, args)
  return create('eye', [n, m], options)
}

// --- random ------------------------------------------------------------------------------------------------------------

type RandomName = Parameters<typeof countersUsed>[0]
type DrawOptions = Arguments<typeof random>

/** Draws random numbers of shape `size`, and advances the generator by as many counters. `callee`: named in errors. */
function draw(
  name: RandomName,
  size: readonly Size[],
  args: readonly unknown[],
  options: DrawOptions,
  callee: string = name,
): Tensor {
  if (options.device !== null) checkDevice(options.device, callee)
  const state = drawnState(callee, countersUsed(name, size), options.generator)
  return create(name, [...state, ...args, size], options, callee)
}

const randomSized = signature(`...size: sizes, ${random}` as const)

/**
 * Uniform numbers in [0, 1), of shape `size`: `rand([2, 3])`, `rand(2, 3)`. The same seed draws the same
 * numbers, compiled or not; they are not those of PyTorch.
 *
 * @param size the shape, as a list or one by one; [] for one element
 * @param options `dtype`: a float, f32 by default; `device`; `generator`: by default the process's, which `manualSeed` seeds
 * @returns shape `size`; f32 unless `dtype` is given
 * @throws ArgumentError for a dtype that is no float
 * @throws DeviceError for a device that is not there
 */
export function rand(size: readonly SizeLike[], options?: RandomOptions): Tensor
export function rand(...size: readonly SizeLike[]): Tensor
export function rand(...args: readonly [...size: SizeLike[], options: RandomOptions]): Tensor
export function rand(options: RandomOptions & Sized): Tensor
export function rand(...args: readonly unknown[]): Tensor {
  const { size, ...options } = takeArguments('rand', randomSized, args)
  return draw('rand', size, [], options)
}

/**
 * Normal numbers of mean 0 and variance 1, of shape `size`: `randn([2, 3])`, `randn(2, 3)`. The same seed draws the same
 * numbers, compiled or not; they are not those of PyTorch.
 *
 * @param size the shape, as a list or one by one; [] for one element
 * @param options `dtype`: a float, f32 by default; `device`; `generator`: by default the process's, which `manualSeed` seeds
 * @returns shape `size`; f32 unless `dtype` is given
 * @throws ArgumentError for a dtype that is no float
 * @throws DeviceError for a device that is not there
 */
export function randn(size: readonly SizeLike[], options?: RandomOptions): Tensor
export function randn(...size: readonly SizeLike[]): Tensor
export function randn(...args: readonly [...size: SizeLike[], options: RandomOptions]): Tensor
export function randn(options: RandomOptions & Sized): Tensor
export function randn(...args: readonly unknown[]): Tensor {
  const { size, ...options } = takeArguments('randn', randomSized, args)
  return draw('randn', size, [], options)
}

const ranged = signature(`low: int, high: int, size: sizes, ${random}` as const)
const fromZero = signature(`high: int, size: sizes, ${random}` as const)

/**
 * Uniform integers in [low, high), of shape `size`: `randint(10, [2, 3])`, `randint(-5, 5, [2, 3])`.
 *
 * @param low the smallest value; 0 by default
 * @param high exclusive
 * @param size the shape; [] for one element
 * @param options `dtype`: i64 by default; `device`; `generator`: by default the process's, which `manualSeed` seeds
 * @returns shape `size`; i64 unless `dtype` is given
 * @throws ArgumentError for an empty range or one of more than 2^53 values
 * @throws DeviceError for a device that is not there
 */
export function randint(low: number, high: number, size: readonly SizeLike[], options?: RandomOptions): Tensor
export function randint(high: number, size: readonly SizeLike[], options?: RandomOptions): Tensor
export function randint(
  ...args:
    | [low: number, high: number, options: RandomOptions & Sized]
    | [low: number, options: RandomOptions & Sized & { readonly high: number }]
    | [options: RandomOptions & Sized & { readonly high: number; readonly low?: number | undefined }]
): Tensor
export function randint(...args: readonly unknown[]): Tensor {
  const { positional, options: named } = splitArguments(args, isTensor)
  const isNamed = (name: string): boolean => named?.[name] !== undefined
  const starts = isNamed('low') || (positional.length === 1 && isNamed('high')) || positional.length > 2
  // Of two by position the second is the shape, or the upper end where the shape is given by name.
  if (!starts && !(positional.length === 2 && isNamed('size'))) {
    const { high, size, ...options } = takeArguments('randint', fromZero, args)
    return draw('randint', size, [0, high], options)
  }
  const { low, high, size, ...options } = takeArguments('randint', ranged, args)
  return draw('randint', size, [low, high], options)
}

// --- like another tensor -------------------------------------------------------------------------------------------------

const like = signature(`self, ${typed}` as const)
const filledLike = signature(`self, fillValue: operand, ${typed}` as const)
const randomLike = signature(`self, ${random}` as const)

interface Like {
  readonly input: Tensor
}

/** Fills in dtype and device from `self`. Shapes are taken from `sizes`, where they may stay symbolic. */
const optionsLike = <P extends Options>(
  self: Tensor,
  options: P,
): P & { readonly dtype: Dtype; readonly device: string } => ({
  ...options,
  dtype: options.dtype ?? self.dtype,
  device: options.device ?? self.device,
})

/**
 * As `full`, with the shape, dtype and device of `input`.
 *
 * @param input the model
 * @param fillValue a number, bigint or boolean, converted to the dtype
 * @param options `dtype`, `device`: others than those of `input`
 * @throws ArgumentError, DeviceError
 */
export function fullLike(input: Tensor, fillValue: Scalar, options?: TensorOptions): Tensor
export function fullLike(
  ...args:
    | [input: Tensor, options: TensorOptions & { readonly fillValue: Scalar }]
    | [options: TensorOptions & Like & { readonly fillValue: Scalar }]
): Tensor
export function fullLike(...args: readonly unknown[]): Tensor {
  const { self, fillValue, ...options } = takeArguments('fullLike', filledLike, args)
  return create('full', [self.sizes, fillValue], optionsLike(self, options), 'fullLike')
}

function constantLike(callee: string, value: number, args: readonly unknown[]): Tensor {
  const { self, ...options } = takeArguments(callee, like, args)
  return create('full', [self.sizes, value], optionsLike(self, options), callee)
}

/**
 * Zeros with the shape, dtype and device of `input`.
 *
 * @param input the model
 * @param options `dtype`, `device`: others than those of `input`
 * @throws ArgumentError, DeviceError
 */
export function zerosLike(input: Tensor, options?: TensorOptions): Tensor
export function zerosLike(options: TensorOptions & Like): Tensor
export function zerosLike(...args: readonly unknown[]): Tensor {
  return constantLike('zerosLike', 0, args)
}

/**
 * Ones with the shape, dtype and device of `input`.
 *
 * @param input the model
 * @param options `dtype`, `device`: others than those of `input`
 * @throws ArgumentError, DeviceError
 */
export function onesLike(input: Tensor, options?: TensorOptions): Tensor
export function onesLike(options: TensorOptions & Like): Tensor
export function onesLike(...args: readonly unknown[]): Tensor {
  return constantLike('onesLike', 1, args)
}

/**
 * As `empty`, with the shape, dtype and device of `input`.
 *
 * @param input the model
 * @param options `dtype`, `device`: others than those of `input`
 * @throws as `empty`
 */
export function emptyLike(input: Tensor, options?: TensorOptions): Tensor
export function emptyLike(options: TensorOptions & Like): Tensor
export function emptyLike(...args: readonly unknown[]): Tensor {
  const { self, ...options } = takeArguments('emptyLike', like, args)
  return unwritten('emptyLike', self.sizes, optionsLike(self, options))
}

function drawLike(name: 'rand' | 'randn', callee: string, args: readonly unknown[]): Tensor {
  const { self, ...options } = takeArguments(callee, randomLike, args)
  return draw(name, self.sizes, [], optionsLike(self, options), callee)
}

/**
 * As `rand`, with the shape, dtype and device of `input`, which holds floats unless `dtype` is given.
 *
 * @param input the model
 * @param options `dtype`, `device`: others than those of `input`; `generator`: by default the process's
 * @throws as `rand`
 */
export function randLike(input: Tensor, options?: RandomOptions): Tensor
export function randLike(options: RandomOptions & Like): Tensor
export function randLike(...args: readonly unknown[]): Tensor {
  return drawLike('rand', 'randLike', args)
}

/**
 * As `randn`, with the shape, dtype and device of `input`, which holds floats unless `dtype` is given.
 *
 * @param input the model
 * @param options `dtype`, `device`: others than those of `input`; `generator`: by default the process's
 * @throws as `randn`
 */
export function randnLike(input: Tensor, options?: RandomOptions): Tensor
export function randnLike(options: RandomOptions & Like): Tensor
export function randnLike(...args: readonly unknown[]): Tensor {
  return drawLike('randn', 'randnLike', args)
}
