/** Types of the lane IR: values in registers, pointers, and results of control flow. */
import { VerifyError } from '../base/errors.js'
import type { AnyNode } from '../ir/node.js'
import type { ArgumentLayout } from '../types/argument-layout.js'
import type { Dtype } from '../types/dtype.js'

export interface ValueType {
  readonly kind: 'value'
  readonly dtype: Dtype
  /** 1 for a scalar. */
  readonly lanes: number
}
export interface PointerType {
  readonly kind: 'pointer'
  readonly dtype: Dtype
  /** global: the kernel's arguments; local: this thread's scratch memory; shared: the block's memory on a GPU. */
  readonly space: 'global' | 'local' | 'shared'
}
/** A structure that only special instructions use, never code: a GPU kernel argument such as a tensor map. */
export interface OpaqueType {
  readonly kind: 'opaque'
  readonly layout: ArgumentLayout
}
export interface TupleType {
  readonly kind: 'tuple'
  readonly items: readonly ValueType[]
}
export interface NothingType {
  readonly kind: 'nothing'
}
/** Types of kernel arguments. */
export type ArgumentType = ValueType | PointerType | OpaqueType
export type Type = ArgumentType | TupleType | NothingType

/** A node of the lane IR as type rules see it, defined before its ops (ir.ts). */
export type Typed = Pick<AnyNode, 'op' | 'origin'> & { readonly type: Type }

export const value = (dtype: Dtype, lanes = 1): ValueType => ({ kind: 'value', dtype, lanes })
export const pointer = (dtype: Dtype, space: PointerType['space'] = 'global'): PointerType => ({
  kind: 'pointer',
  dtype,
  space,
})
export const nothing: NothingType = { kind: 'nothing' }

export function valueType(node: Typed): ValueType {
  if (node.type.kind === 'value') return node.type
  throw new VerifyError(`lane: ${node.op} gives ${printType(node.type)} where a value is needed`, {
    at: node.origin.at,
  })
}

export function pointerType(node: Typed): PointerType {
  if (node.type.kind === 'pointer') return node.type
  throw new VerifyError(`lane: ${node.op} gives ${printType(node.type)} where a pointer is needed`, {
    at: node.origin.at,
  })
}

/** A type as text: `f32x8`, `global f32*`. */
export function printType(type: Type): string {
  switch (type.kind) {
    case 'value':
      return type.lanes === 1 ? type.dtype : `${type.dtype}x${type.lanes}`
    case 'pointer':
      return `${type.space} ${type.dtype}*`
    case 'opaque':
      return `${type.layout.bytes} bytes aligned to ${type.layout.alignment}`
    case 'tuple':
      return `(${type.items.map(printType).join(', ')})`
    case 'nothing':
      return 'nothing'
  }
}

export function need(condition: boolean, problem: () => string): void {
  if (!condition) throw new VerifyError(`lane: ${problem()}`)
}

export const same = (a: ValueType, b: ValueType): boolean => a.dtype === b.dtype && a.lanes === b.lanes
export const isScalar = (type: ValueType, dtype: Dtype): boolean => same(type, value(dtype))
export const isIndex = ({ dtype, lanes }: ValueType): boolean => lanes === 1 && (dtype === 'i64' || dtype === 'i32')
