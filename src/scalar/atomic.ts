/** Atomics: what they do to an element of memory, and which other accesses of a program they are ordered with. */
import type { Dtype } from '../types/dtype.js'
import type { ScalarOpName } from './ops.js'

/**
 * `add`, `mul`, `min`, `max` (value) · `exchange` (value): puts it there · `compareExchange` (expected, value): puts the value
 * there if it finds what is expected · `load` (): changes nothing. All give the old element.
 */
export const atomicFns = ['add', 'mul', 'min', 'max', 'exchange', 'compareExchange', 'load'] as const
export type AtomicFn = (typeof atomicFns)[number]

/**
 * On the whole device: `acquire`: what the program does later comes after it · `release`: what it has done before comes before
 * it · `acquireRelease`: both · `relaxed`: neither. A program that acquires what another released sees all of its writes.
 */
export const atomicOrders = ['relaxed', 'acquire', 'release', 'acquireRelease'] as const
export type AtomicOrder = (typeof atomicOrders)[number]

/** Absent: `relaxed`. */
export type AtomicAttrs = { readonly fn: AtomicFn; readonly order?: AtomicOrder }

/** How many values it takes. */
export const atomicOperands = (fn: AtomicFn): 0 | 1 | 2 => (fn === 'load' ? 0 : fn === 'compareExchange' ? 2 : 1)

/** The element afterwards. `add`, … : how values of the dtype are combined. */
export function updatedBy<V>(
  fn: AtomicFn,
  old: V,
  operands: readonly V[],
  combine: (fn: ScalarOpName, a: V, b: V) => V,
): V {
  switch (fn) {
    case 'load':
      return old
    case 'exchange':
      return operands[0]!
    case 'compareExchange':
      return old === operands[0] ? operands[1]! : old
    default:
      return combine(fn, old, operands[0]!)
  }
}

/** Whether it is defined on elements of a dtype: comparisons on integers, sums on 16-bit floats too. */
export function isAtomic(fn: AtomicFn, dtype: Dtype): boolean {
  if (fn === 'compareExchange') return dtype === 'i32' || dtype === 'i64'
  if (dtype === 'f16' || dtype === 'bf16') return fn === 'add'
  return dtype === 'f64' || dtype === 'f32' || dtype === 'i64' || dtype === 'i32'
}
