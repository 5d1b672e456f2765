/** Tensors on the host as plain arrays, which references and the interpreter work on. */
import { castValue, type Value, wrapValue } from '../scalar/ops.js'
import { type Dtype, dtypes } from '../types/dtype.js'
import type { HostTensor } from './record.js'

export const elementCount = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

/** Strides in elements of a row-major tensor. */
export function rowMajorStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length).fill(1)
  for (let d = shape.length - 2; d >= 0; d--) strides[d] = strides[d + 1]! * shape[d + 1]!
  return strides
}

/** Calls `visit` with the coordinates of every element in row-major order; the array is reused. */
export function forEachIndex(shape: readonly number[], visit: (index: readonly number[], flat: number) => void): void {
  const index = new Array<number>(shape.length).fill(0)
  const count = elementCount(shape)
  for (let flat = 0; flat < count; flat++) {
    visit(index, flat)
    for (let d = shape.length - 1; d >= 0; d--) {
      if (++index[d]! < shape[d]!) break
      index[d] = 0
    }
  }
}

/** A tensor from a function of the coordinates. */
export function hostFrom(
  dtype: Dtype,
  shape: readonly number[],
  at: (index: readonly number[], flat: number) => Value,
): HostTensor {
  const data = new Array<Value>(elementCount(shape))
  forEachIndex(shape, (index, flat) => {
    data[flat] = at(index, flat)
  })
  return { dtype, shape: [...shape], data }
}

/** The offset of the element at `index`, with broadcasting: dims of size 1 repeat and extra leading indices are ignored. */
export function offsetOf({ shape }: HostTensor, index: readonly number[]): number {
  const lead = index.length - shape.length
  let flat = 0
  for (let d = 0; d < shape.length; d++) {
    const size = shape[d]!
    flat = flat * size + (size === 1 ? 0 : index[lead + d]!)
  }
  return flat
}

/** The element at `index`, with broadcasting as `offsetOf`. */
export const elementAt = (tensor: HostTensor, index: readonly number[]): Value => tensor.data[offsetOf(tensor, index)]!

/** The elementwise conversion to another dtype. */
export function hostCast(tensor: HostTensor, to: Dtype): HostTensor {
  return { dtype: to, shape: tensor.shape, data: tensor.data.map(value => castValue(tensor.dtype, to, value)) }
}

/** A number as a value of the dtype: floats are rounded, i64 becomes a bigint. */
export function hostValue(dtype: Dtype, value: Value | boolean): Value {
  if (typeof value === 'boolean') return castValue('bool', dtype, Number(value))
  return dtypes[dtype].kind === 'float' || typeof value === 'bigint'
    ? wrapValue(dtype, value)
    : castValue('f64', dtype, value)
}
