/** Tensors from JavaScript data: nested arrays, typed arrays, raw bytes. */

import { describeAny } from '../base/describe.js'
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import type { HostBytes } from '../runtime/device.js'
import { itemBytes, type TensorDtype } from '../types/dtype.js'
import { type Arguments, signature, takeArguments } from './arguments.js'
import { withRequiresGrad } from './autograd/properties.js'
import { type Device, type DeviceName, getDefaultDevice } from './device.js'
import { checkDevice, executor } from './dispatch.js'
import { TensorHandle } from './handle.js'
import { fillStorage, writeValues } from './host.js'
import { contiguousLayout, elementCount } from './layout.js'
import { flatten, type NestedArray, type Scalar } from './nested.js'
import { outsideScopes, Storage } from './storage.js'
import { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

/** What functions that make tensors take besides the shape or data. */
export interface TensorOptions {
  /** The dtype of the result. Default: as the function says. */
  readonly dtype?: TensorDtype | undefined
  /** The device that stores it. Default: the default device. */
  readonly device?: DeviceName | undefined
  /** Whether gradients flow to it: it is a leaf, whose `grad` is filled in by `backward`. Default: false. */
  readonly requiresGrad?: boolean | undefined
}

/**
 * The typed arrays that `tensor` takes: each gives the dtype of its name. Those without one (u16, u32, u64, f16) need `dtype`.
 */
export type TypedArray =
  | Float64Array
  | Float32Array
  | BigInt64Array
  | BigUint64Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray

/** The dtype of a typed array's elements; those that no dtype holds exactly are missing. */
const dtypeOfArray: Readonly<Record<string, TensorDtype>> = {
  Float64Array: 'f64',
  Float32Array: 'f32',
  BigInt64Array: 'i64',
  Int32Array: 'i32',
  Int16Array: 'i16',
  Int8Array: 'i8',
  Uint8Array: 'u8',
  Uint8ClampedArray: 'u8',
}

/**
 * A tensor of the data, copied. Numbers give f32 unless `dtype` says otherwise (JavaScript does not tell 1 from 1.0),
 * booleans bool, bigints i64; typed arrays keep their type. For an integer dtype fractions are cut, as in PyTorch.
 *
 * @param data a number, nested arrays of numbers, or a typed array
 * @param options `dtype`: as above by default; `device`: by default the default device
 * @returns the shape of the nested arrays: [] of a number, [length] of a typed array
 * @throws ShapeError for ragged arrays
 * @throws ArgumentError for what is no number
 * @throws DtypeError for a value that the dtype cannot represent
 * @throws DeviceError for a device that is not there
 * @example tensor([[1, 2], [3, 4]]); tensor([1, 2], { dtype: 'i64' }); tensor(new Float32Array(8)).reshape([2, 4])
 */
export function tensor(data: NestedArray | TypedArray, options?: TensorOptions): Tensor
export function tensor(options: TensorOptions & { readonly data: NestedArray | TypedArray }): Tensor
export function tensor(...args: readonly unknown[]): Tensor {
  const { data, ...options } = takeArguments('tensor', tensorSignature, args)
  if (data instanceof TensorHandle) {
    throw new ArgumentError('tensor: the data is a tensor already', { fix: 'use x.clone(), or x.to(dtype)' })
  }
  if (isTypedArray(data)) return fromTypedArray(data, options)
  if (!isNested(data)) {
    throw new ArgumentError(`tensor: the data is ${describeAny(data)}, not a number or nested arrays of numbers`, {
      fix: 'pass numbers, booleans or bigints, nested arrays of them, or a typed array',
    })
  }
  const { shape, values } = flatten(data)
  return fromValues(values, shape, (options.dtype ?? commonDtype(values)) as TensorDtype, options)
}

const tensorSignature = signature(
  'data: value, *, dtype: dtype | null = null, device: string | null = null, requiresGrad: bool = false',
)
type Options = Pick<Arguments<typeof tensorSignature.text>, 'dtype' | 'device' | 'requiresGrad'>

const isTypedArray = (data: unknown): data is TypedArray => ArrayBuffer.isView(data) && !(data instanceof DataView)
const isNested = (data: unknown): data is NestedArray =>
  Array.isArray(data) || ['number', 'boolean', 'bigint'].includes(typeof data)

/** A 1-D tensor of a typed array's elements. */
function fromTypedArray(data: TypedArray, options: Options): Tensor {
  const { name } = data.constructor
  const dtype = (options.dtype as TensorDtype | null) ?? (Buffer.isBuffer(data) ? 'u8' : dtypeOfArray[name])
  if (dtype === undefined) {
    throw new DtypeError(`tensor: no dtype holds the elements of a ${name}`, {
      fix: "say which to convert to, for example { dtype: 'i64' }; or read its bytes with fromBuffer",
    })
  }
  return fromValues(data, [data.length], dtype, options)
}

function fromValues(
  values: ArrayLike<Scalar>,
  shape: readonly number[],
  dtype: TensorDtype,
  { device, requiresGrad }: Options,
): Tensor {
  const made = hostTensor('tensor', device, target => {
    const own = allocate(shape, dtype, target, 'tensor')
    fillStorage(own.storage('tensor'), dtype, stored => writeValues(stored, dtype, values))
    return own
  })
  return withRequiresGrad('tensor', made, requiresGrad)
}

/** All booleans give bool; bigints, possibly with booleans, i64; any number f32. */
function commonDtype(values: readonly Scalar[]): TensorDtype {
  const kinds = new Set(values.map(value => typeof value))
  if (kinds.has('number') || kinds.size === 0) return 'f32'
  return kinds.has('bigint') ? 'i64' : 'bool'
}

/** Options of `fromBuffer`. */
export interface FromBufferOptions extends TensorOptions {
  /** What the bytes are. */
  readonly dtype: TensorDtype
  /** Default: one dim with all the elements. */
  readonly shape?: readonly number[] | undefined
}

/**
 * A tensor of raw bytes in the machine's (little-endian) order, copied: for f16 and bf16, 16-bit codes.
 *
 * @param data the bytes: an ArrayBuffer, a Buffer or a typed array
 * @param options `dtype`: what they are; `shape`: one dim by default; `device`: by default the default device
 * @returns `shape`; `dtype`
 * @throws ArgumentError for what is no bytes
 * @throws ShapeError when the bytes are not the shape's elements exactly
 * @throws DeviceError for a device that is not there
 */
export function fromBuffer(data: ArrayBuffer | ArrayBufferView, options: FromBufferOptions): Tensor
export function fromBuffer(...args: readonly unknown[]): Tensor {
  const { data, dtype: asked, shape: wanted, device, requiresGrad } = takeArguments('fromBuffer', bufferSignature, args)
  if (!(data instanceof ArrayBuffer) && !ArrayBuffer.isView(data))
    throw new ArgumentError(`fromBuffer: data is ${describeAny(data)}, not bytes`, {
      fix: 'pass an ArrayBuffer, a Buffer or a typed array; nested arrays of numbers go to tensor()',
    })
  const bytes: HostBytes = ArrayBuffer.isView(data)
    ? data
    : { buffer: data, byteOffset: 0, byteLength: data.byteLength }
  const dtype = asked as TensorDtype
  const size = itemBytes(dtype)
  const shape = wanted?.map(Number) ?? [Math.floor(bytes.byteLength / size)]
  if (elementCount(shape) * size !== bytes.byteLength) {
    throw new ShapeError(
      `fromBuffer: ${bytes.byteLength} bytes are not ${dtype}[${shape.join(', ')}] of ${elementCount(shape) * size}`,
      { fix: 'pass a part of the buffer with subarray(), or another shape' },
    )
  }
  const made = hostTensor('fromBuffer', device, target => {
    const own = allocate(shape, dtype, target, 'fromBuffer')
    const { block, memory } = own.storage('fromBuffer')
    memory.write(block, 0, bytes)
    return own
  })
  return withRequiresGrad('fromBuffer', made, requiresGrad)
}

const bufferSignature = signature(
  'data: value, *, dtype: dtype, shape: sizes | null = null, device: string | null = null, requiresGrad: bool = false',
)

/** A tensor with uninitialised memory; `label` names its maker in `memorySummary()`. */
export function allocate(
  shape: readonly number[],
  dtype: TensorDtype,
  device: DeviceName | undefined,
  label: string,
): Tensor {
  const target = device === undefined ? getDefaultDevice() : checkDevice(device, label)
  const bytes = elementCount(shape) * itemBytes(dtype)
  const { memory } = executor(target)
  const storage = new Storage(memory.allocate(bytes), bytes, target, memory)
  storage.label = label
  return new Tensor(storage, dtype, contiguousLayout(shape))
}

/**
 * In a capture, host data is a constant of the graph. It must outlive the scope around the capture, and a stream capture
 * that may be in progress.
 */
function hostTensor(callee: string, device: string | null, make: (target: Device | undefined) => Tensor): Tensor {
  const target = device === null ? undefined : checkDevice(device, callee)
  const tracer = currentTracer()
  if (tracer === null) return make(target)
  const { memory } = executor(target ?? getDefaultDevice())
  return tracer.constant(memory.lasting(() => outsideScopes(() => make(target))))
}
