/** How PTX registers hold values. */
import { InternalError } from '../../base/errors.js'
import type { ValueType } from '../../lane/ir.js'
import { type Dtype, dtypeInfo } from '../../types/dtype.js'
import type { RegisterKind } from './registers.js'

/**
 * The register of one element: integers below 64 bits are in 32-bit registers, sign- or zero-extended; f16 and bf16 in
 * 16-bit registers; bool in predicates; 8-bit floats as their codes.
 */
export function kindOf(dtype: Dtype): RegisterKind {
  switch (dtype) {
    case 'bool':
      return 'pred'
    case 'f16':
    case 'bf16':
      return 'b16'
    case 'f64':
    case 'i64':
      return 'b64'
    case 'f4e2m1':
      throw new InternalError('PTX: no registers of f4e2m1; unpack it first')
    default:
      return 'b32'
  }
}

/** Type suffix of arithmetic instructions on registers of `dtype`. */
export const arithmetic = (dtype: Dtype): string =>
  dtype === 'f32' || dtype === 'f64' ? dtype : dtype === 'i64' ? 's64' : 's32'

/** True when a vector's elements fill whole 32-bit words, the form that memory and matrix instructions take. */
export const isPackable = ({ dtype, lanes }: ValueType): boolean => {
  const { bits } = dtypeInfo(dtype)
  return dtype !== 'bool' && bits < 32 && (lanes * bits) % 32 === 0
}

/** Elements per word. */
export const perWord = (dtype: Dtype): number => 32 / dtypeInfo(dtype).bits

/** Bytes of an element in memory. */
export const bytesOf = (dtype: Dtype): number => dtypeInfo(dtype).bits / 8
