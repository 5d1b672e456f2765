/** Tensors of data that lies in JavaScript: nested arrays, typed arrays, raw bytes. */

import { describeAny } from '../base/describe.js'
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import type { HostBytes } from '../runtime/device.js'
import { checkTensorDtype, itemBytes, type TensorDtype } from '../types/dtype.js'
import { type DeviceName, getDefaultDevice } from './device.js'
import { checkDevice, executor } from './dispatch.js'
import { TensorHandle } from './handle.js'
import { fillStorage, writeValues } from './host.js'
import { contiguousLayout, elementCount } from './layout.js'
import { flatten, type NestedArray, type Scalar } from './nested.js'
import { outsideScopes, Storage } from './storage.js'
import { Tensor } from './tensor.js'
import { currentTracer } from './tracer.js'

export interface TensorOptions {
  readonly dtype?: TensorDtype | undefined
  readonly device?: DeviceName | undefined
}

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
 * Throws ShapeError for ragged arrays, ArgumentError for what is no number, DtypeError for a value that the dtype does
 * not hold, DeviceError.
 *
 * @example tensor([[1, 2], [3, 4]]); tensor([1, 2], { dtype: 'i64' }); tensor(new Float32Array(8)).reshape([2, 4])
 */
export function tensor(data: NestedArray | TypedArray, options: TensorOptions = {}): Tensor {
  if ((data as unknown) instanceof TensorHandle) {
    throw new ArgumentError('tensor: the data is a tensor already', { fix: 'use x.clone(), or x.to(dtype)' })
  }
  if (ArrayBuffer.isView(data)) return fromTypedArray(data, options)
  if (typeof data === 'object' ? !Array.isArray(data) : !['number', 'boolean', 'bigint'].includes(typeof data)) {
    throw new ArgumentError(`tensor: the data is ${describeAny(data)}, not a number or nested arrays of numbers`, {
      fix: 'pass numbers, booleans or bigints, nested arrays of them, or a typed array',
    })
  }
  const { shape, values } = flatten(data)
  return fromValues(values, shape, options.dtype ?? commonDtype(values), options)
}

function fromTypedArray(data: TypedArray, options: TensorOptions): Tensor {
  const { name } = data.constructor
  const dtype = options.dtype ?? (Buffer.isBuffer(data) ? 'u8' : dtypeOfArray[name])
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
  options: TensorOptions,
): Tensor {
  return hostTensor(options.device, () => {
    const made = allocate(shape, checkTensorDtype(dtype, 'tensor'), options.device, 'tensor')
    fillStorage(made.storage('tensor'), dtype, stored => writeValues(stored, dtype, values))
    return made
  })
}

/** Booleans alone are bool, bigints (and booleans) i64; a number among them makes it f32. */
function commonDtype(values: readonly Scalar[]): TensorDtype {
  const kinds = new Set(values.map(value => typeof value))
  if (kinds.has('number') || kinds.size === 0) return 'f32'
  return kinds.has('bigint') ? 'i64' : 'bool'
}

export interface FromBufferOptions extends TensorOptions {
  readonly dtype: TensorDtype
  /** Default: one dim with all the elements. */
  readonly shape?: readonly number[] | undefined
}

/**
 * A tensor of raw bytes in the machine's (little-endian) order, copied: for f16 and bf16, 16-bit codes. Throws ShapeError
 * when the bytes are not the shape's elements exactly.
 */
export function fromBuffer(data: ArrayBuffer | ArrayBufferView, options: FromBufferOptions): Tensor {
  const bytes: HostBytes = ArrayBuffer.isView(data)
    ? data
    : { buffer: data, byteOffset: 0, byteLength: data.byteLength }
  const size = itemBytes(checkTensorDtype(options.dtype, 'fromBuffer'))
  const shape = options.shape ?? [Math.floor(bytes.byteLength / size)]
  if (elementCount(shape) * size !== bytes.byteLength) {
    throw new ShapeError(
      `fromBuffer: ${bytes.byteLength} bytes are not ${options.dtype}[${shape.join(', ')}] of ${elementCount(shape) * size}`,
      { fix: 'pass a part of the buffer with subarray(), or another shape' },
    )
  }
  return hostTensor(options.device, () => {
    const made = allocate(shape, options.dtype, options.device, 'fromBuffer')
    const { block, memory } = made.storage('fromBuffer')
    memory.write(block, 0, bytes)
    return made
  })
}

/** A tensor of memory that nobody has written yet; `label` names its maker in `memorySummary()`. */
export function allocate(
  shape: readonly number[],
  dtype: TensorDtype,
  device: DeviceName | undefined,
  label: string,
): Tensor {
  const place = device === undefined ? getDefaultDevice() : checkDevice(device, label)
  const bytes = elementCount(shape) * itemBytes(dtype)
  const { memory } = executor(place)
  const storage = new Storage(memory.allocate(bytes), bytes, place, memory)
  storage.label = label
  return new Tensor(storage, dtype, contiguousLayout(shape))
}

/**
 * In a capture, host data is a constant of the graph, which outlives the scope that the capture happens in, and a capture of
 * a stream's work that may go on around it.
 */
function hostTensor(device: DeviceName | undefined, make: () => Tensor): Tensor {
  const tracer = currentTracer()
  if (tracer === null) return make()
  const { memory } = executor(device === undefined ? getDefaultDevice() : checkDevice(device, 'tensor'))
  return tracer.constant(memory.lasting(() => outsideScopes(make)))
}
