/** Type rules of the lane IR's ops, beyond the table in ir.ts. */
import type { Block } from '../ir/node.js'
import { accepts, resultDtype, type ScalarOpName, scalarOp } from '../scalar/ops.js'
import { computeDtype, type Dtype, dtypeInfo, isFloat8 } from '../types/dtype.js'
import { columnsOf, type SharedMatrix, type WarpgroupOperands, warpgroupForm } from './shared-matrix.js'
import {
  isIndex,
  isScalar,
  type NothingType,
  need,
  nothing,
  type PointerType,
  pointerType,
  printType,
  same,
  type TupleType,
  type Typed,
  type ValueType,
  value,
  valueType,
} from './types.js'

/** The type of an elementwise op. Throws VerifyError when operands differ or the op does not take their dtype. */
export function inferMap(inputs: readonly Typed[], fn: ScalarOpName): ValueType {
  const types = inputs.map(valueType)
  need(types.length === scalarOp(fn).arity, () => `${fn} takes ${scalarOp(fn).arity} operands, not ${types.length}`)
  const operands = fn === 'where' ? types.slice(1) : types
  const [first] = operands as [ValueType]
  if (fn === 'where')
    need(same(types[0]!, value('bool', first.lanes)), () => `where: the condition is ${printType(types[0]!)}`)
  for (const type of operands)
    need(same(type, first), () => `${fn}: operands ${types.map(printType).join(' and ')} differ`)
  need(accepts(fn, first.dtype), () => `${fn} is not defined on ${first.dtype}`)
  need(
    computeDtype(first.dtype) === first.dtype,
    () => `${fn}: ${first.dtype} is a storage format; cast to ${computeDtype(first.dtype)} first`,
  )
  return value(resultDtype(fn, first.dtype), first.lanes)
}

export function inferBitcast(from: ValueType, to: Dtype): ValueType {
  const lanes = (from.lanes * dtypeInfo(from.dtype).bits) / dtypeInfo(to).bits
  need(Number.isInteger(lanes), () => `bitcast: the bits of ${printType(from)} are not a multiple of the size of ${to}`)
  return value(to, lanes)
}

export function inferFold(from: ValueType, fn: ScalarOpName): ValueType {
  need(accepts(fn, from.dtype), () => `fold: ${fn} is not defined on ${from.dtype}`)
  need(computeDtype(from.dtype) === from.dtype, () => `fold: ${from.dtype} is a storage format; cast it first`)
  return value(from.dtype)
}

export function checkLoad(inputs: readonly Typed[]): PointerType {
  need(isIndex(valueType(inputs[1]!)), () => `load/store: the index is ${printType(inputs[1]!.type)}, not i64 or i32`)
  return pointerType(inputs[0]!)
}

export function checkIndexed(inputs: readonly Typed[]): ValueType {
  const { dtype } = pointerType(inputs[0]!)
  const indices = valueType(inputs[1]!)
  const fits = indices.dtype === 'i64' || indices.dtype === 'i32'
  need(fits, () => `gather/scatter: indices are ${printType(indices)}, not i64 or i32`)
  return value(dtype, indices.lanes)
}

export function checkStored(op: string, stored: ValueType, expected: ValueType): NothingType {
  need(same(stored, expected), () => `${op}: stores ${printType(stored)} where ${printType(expected)} belongs`)
  return nothing
}

/** The type of a loop's carried values, which params and results must repeat. */
export function carried(
  op: string,
  inits: readonly Typed[],
  params: readonly Typed[],
  results: readonly Typed[],
): TupleType {
  const items = inits.map(valueType)
  const fits = (nodes: readonly Typed[]): boolean =>
    nodes.length === items.length && nodes.every((node, i) => same(valueType(node), items[i]!))
  need(
    fits(params) && fits(results),
    () =>
      `${op}: carried values change type: ${items.map(printType).join(', ')} → ${results.map(n => printType(n.type)).join(', ')}`,
  )
  return { kind: 'tuple', items }
}

export function inferIf(inputs: readonly Typed[], [then, otherwise]: readonly Block<Typed>[]): TupleType {
  need(isScalar(valueType(inputs[0]!), 'bool'), () => `if: the condition is ${printType(inputs[0]!.type)}, not bool`)
  return carried('if', then!.results, then!.results, otherwise!.results)
}

/** Lanes of the operands of `mma`, which determine its K: a has 16·K/32 per thread, b 8·K/32. */
const mmaLanes: Partial<Record<Dtype, { readonly a: number; readonly b: number; readonly c: Dtype }>> = {
  f64: { a: 2, b: 1, c: 'f64' },
  f32: { a: 4, b: 2, c: 'f32' },
  f16: { a: 8, b: 4, c: 'f32' },
  bf16: { a: 8, b: 4, c: 'f32' },
  i8: { a: 16, b: 8, c: 'i32' },
  u8: { a: 16, b: 8, c: 'i32' },
  f8e4m3: { a: 16, b: 8, c: 'f32' },
  f8e5m2: { a: 16, b: 8, c: 'f32' },
}

export function inferMma([a, b, c]: readonly [ValueType, ValueType, ValueType]): ValueType {
  const form = mmaLanes[a.dtype]
  // The two 8-bit float formats may be combined.
  const isPair = a.dtype === b.dtype || (isFloat8(a.dtype) && isFloat8(b.dtype))
  const fits = form !== undefined && isPair && a.lanes === form.a && b.lanes === form.b && same(c, value(form.c, 4))
  need(fits, () => `mma: no instruction takes ${printType(a)} · ${printType(b)} + ${printType(c)}`)
  return c
}

/** The type of a wgmma: that of its accumulator. */
export function inferWgmma(
  [acc, bPointer, bIndex, ...left]: readonly Typed[],
  { a, b, codes }: WarpgroupOperands,
): ValueType {
  const type = valueType(acc!)
  need(acc!.op === 'wgmmaFence' || acc!.op === 'wgmma', () => `wgmma: the accumulator comes from ${acc!.op}`)
  const { dtype } = sharedMatrix([bPointer!, bIndex!], b)
  const form = warpgroupForm(codes?.[1] ?? dtype)!
  const columns = columnsOf(type.lanes)
  const fits = type.dtype === form.accumulator && columns % 8 === 0 && columns >= 8 && columns <= 256
  need(fits, () => `wgmma: no instruction adds ${dtype} to ${printType(type)}`)
  need(a !== null || dtype !== 'f32', () => 'wgmma: a left operand of tf32 in registers')
  const leftType = a === null ? valueType(left[0]!) : value(sharedMatrix(left, a).dtype, form.depth / 2)
  need(same(leftType, value(dtype, form.depth / 2)), () => `wgmma: ${printType(leftType)} · ${dtype}`)
  need(codes === undefined || dtype === 'u8', () => `wgmma: codes in ${dtype}`)
  return type
}

function sharedMatrix(inputs: readonly Typed[], { major }: SharedMatrix): PointerType {
  const from = checkLoad(inputs)
  need(from.space === 'shared', () => `wgmma: an operand in ${from.space} memory`)
  const fits = warpgroupForm(from.dtype) !== null && (major === 'k' || dtypeInfo(from.dtype).bits === 16)
  need(fits, () => `wgmma: no instruction takes ${from.dtype} with rows along ${major}`)
  return from
}
