/**
 * The lane IR: what one thread does, with registers (scalars and short vectors), pointers and explicit loops. On a CPU
 * a thread runs whole program instances with vectors; on a GPU it will be one lane of many, with shared memory and
 * barriers. Index arithmetic is i64. A bool value is 0 or 1; a vector's mask is a bool vector.
 */
import { VerifyError } from '../base/errors.js'
import type { Block, Dialect, NodeOf, OpRule } from '../ir/node.js'
import { accepts, resultDtype, type ScalarOpName, scalarOp } from '../scalar/ops.js'
import { computeDtype, type Dtype, dtypeInfo } from '../types/dtype.js'

export interface ValueType {
  readonly kind: 'value'
  readonly dtype: Dtype
  /** 1: a scalar. */
  readonly lanes: number
}
export interface PointerType {
  readonly kind: 'pointer'
  readonly dtype: Dtype
  /** global: the kernel's arguments; local: this thread's own scratch memory. Shared memory joins with the GPU. */
  readonly space: 'global' | 'local'
}
export interface TupleType {
  readonly kind: 'tuple'
  readonly items: readonly ValueType[]
}
export interface NothingType {
  readonly kind: 'nothing'
}
export type Type = ValueType | PointerType | TupleType | NothingType

export interface LaneOps {
  /** A kernel argument: a pointer or a scalar. */
  arg: { readonly index: number; readonly name: string; readonly type: ValueType | PointerType }
  /** A block's parameter. */
  param: { readonly type: ValueType; readonly name: string }
  const: { readonly dtype: Dtype; readonly value: number | bigint; readonly lanes: number }
  programId: { readonly axis: 0 | 1 | 2 }
  numPrograms: { readonly axis: 0 | 1 | 2 }
  /** A scalar op on operands with equal lanes. */
  map: { readonly fn: ScalarOpName }
  cast: { readonly to: Dtype }
  bitcast: { readonly to: Dtype }
  /** The scalar in every lane. */
  splat: { readonly lanes: number }
  /** 0, 1, … lanes−1. */
  iota: { readonly dtype: Dtype; readonly lanes: number }
  /** One lane of a vector. */
  extract: { readonly lane: number }
  /** (a, b): the first (or second) halves of two vectors, lane by lane: a0, b0, a1, b1, … */
  interleave: { readonly half: 'low' | 'high' }
  /** All lanes folded to a scalar; floats pairwise (lane i with lane i + lanes/2), so every target rounds alike. */
  fold: { readonly fn: 'add' | 'mul' | 'min' | 'max' | 'and' | 'or' }
  /** `count` elements of this thread's scratch memory, 64-byte aligned, undefined until written. */
  alloc: { readonly dtype: Dtype; readonly count: number; readonly name: string }
  /** (pointer, index, [count]): `lanes` consecutive elements from index; with a count, lanes ≥ count are 0 and not touched. */
  load: { readonly lanes: number }
  /** (pointer, index, value, [count]). */
  store: Record<string, never>
  /** (pointer, indices, [mask]): one element per lane; lanes masked out are 0 and not touched. */
  gather: Record<string, never>
  /** (pointer, indices, value, [mask]): lanes in order, so the last of equal indices wins. */
  scatter: Record<string, never>
  /** (pointer, index, value): scalars; memory[index] = fn(memory[index], value) indivisibly, gives the old value. */
  atomic: { readonly fn: 'add' | 'min' | 'max' | 'exchange' }
  /** (from, to, step, carried…): one block (counter, carried…) → carried…; runs while counter < to (step > 0), > to (step < 0). `unroll`: fully, when bounds are constants. */
  for: { readonly unroll: boolean; readonly comment: string }
  /** (condition): two blocks. */
  if: { readonly comment: string }
  /** (carried…): (carried…) → bool, (carried…) → carried…. */
  while: { readonly comment: string }
  item: { readonly index: number }
}

export type LaneNode = NodeOf<LaneOps, Type>
export type LaneBlock = Block<LaneNode>

/** A compiled kernel before text: its arguments in the order of the binary interface (tile/abi.ts), and its code. */
export interface LaneProgram {
  readonly name: string
  readonly args: readonly { readonly name: string; readonly type: ValueType | PointerType }[]
  readonly body: LaneBlock
  /** Lines for people at the head of the generated text: ops, user lines, tile shapes. */
  readonly comment: readonly string[]
}

export const value = (dtype: Dtype, lanes = 1): ValueType => ({ kind: 'value', dtype, lanes })
export const pointer = (dtype: Dtype, space: PointerType['space'] = 'global'): PointerType => ({
  kind: 'pointer',
  dtype,
  space,
})
const nothing: NothingType = { kind: 'nothing' }

export function valueType(node: LaneNode): ValueType {
  if (node.type.kind === 'value') return node.type
  throw new VerifyError(`lane: ${node.op} gives ${printType(node.type)} where a value is needed`, {
    at: node.origin.at,
  })
}

export function pointerType(node: LaneNode): PointerType {
  if (node.type.kind === 'pointer') return node.type
  throw new VerifyError(`lane: ${node.op} gives ${printType(node.type)} where a pointer is needed`, {
    at: node.origin.at,
  })
}

export function printType(type: Type): string {
  switch (type.kind) {
    case 'value':
      return type.lanes === 1 ? type.dtype : `${type.dtype}x${type.lanes}`
    case 'pointer':
      return `${type.space} ${type.dtype}*`
    case 'tuple':
      return `(${type.items.map(printType).join(', ')})`
    case 'nothing':
      return 'nothing'
  }
}

function need(condition: boolean, problem: () => string): void {
  if (!condition) throw new VerifyError(`lane: ${problem()}`)
}

const same = (a: ValueType, b: ValueType): boolean => a.dtype === b.dtype && a.lanes === b.lanes
const isScalar = (type: ValueType, dtype: Dtype): boolean => same(type, value(dtype))

type Infer = OpRule<LaneNode>['infer']
const pure = (infer: Infer): OpRule<LaneNode> => ({ effect: 'pure', infer })
const effect = (infer: Infer): OpRule<LaneNode> => ({ effect: 'effect', infer })

function inferMap(inputs: readonly LaneNode[], fn: ScalarOpName): ValueType {
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

function inferBitcast(from: ValueType, to: Dtype): ValueType {
  need(
    dtypeInfo(from.dtype).bits === dtypeInfo(to).bits,
    () => `bitcast: ${printType(from)} to ${to}, which has another width`,
  )
  return value(to, from.lanes)
}

function inferFold(from: ValueType, fn: LaneOps['fold']['fn']): ValueType {
  need(accepts(fn, from.dtype), () => `fold: ${fn} is not defined on ${from.dtype}`)
  need(computeDtype(from.dtype) === from.dtype, () => `fold: ${from.dtype} is a storage format; cast it first`)
  return value(from.dtype)
}

function checkLoad(inputs: readonly LaneNode[]): PointerType {
  need(isScalar(valueType(inputs[1]!), 'i64'), () => `load/store: the index is ${printType(inputs[1]!.type)}, not i64`)
  return pointerType(inputs[0]!)
}

function checkIndexed(inputs: readonly LaneNode[]): ValueType {
  const { dtype } = pointerType(inputs[0]!)
  const indices = valueType(inputs[1]!)
  need(indices.dtype === 'i64', () => `gather/scatter: indices are ${printType(indices)}, not i64`)
  return value(dtype, indices.lanes)
}

function checkStored(op: string, stored: ValueType, expected: ValueType): NothingType {
  need(same(stored, expected), () => `${op}: stores ${printType(stored)} where ${printType(expected)} belongs`)
  return nothing
}

function carried(
  op: string,
  inits: readonly LaneNode[],
  params: readonly LaneNode[],
  results: readonly LaneNode[],
): TupleType {
  const items = inits.map(valueType)
  const fits = (nodes: readonly LaneNode[]): boolean =>
    nodes.length === items.length && nodes.every((node, i) => same(valueType(node), items[i]!))
  need(
    fits(params) && fits(results),
    () =>
      `${op}: carried values change type: ${items.map(printType).join(', ')} → ${results.map(n => printType(n.type)).join(', ')}`,
  )
  return { kind: 'tuple', items }
}

function inferIf(inputs: readonly LaneNode[], [then, otherwise]: readonly LaneBlock[]): TupleType {
  need(isScalar(valueType(inputs[0]!), 'bool'), () => `if: the condition is ${printType(inputs[0]!.type)}, not bool`)
  return carried('if', then!.results, then!.results, otherwise!.results)
}

export const laneDialect: Dialect<LaneNode> = {
  name: 'lane',
  printType,
  typeKey: printType,
  ops: {
    arg: { effect: 'unique', infer: (_, attrs) => (attrs as LaneOps['arg']).type },
    param: { effect: 'unique', infer: (_, attrs) => (attrs as LaneOps['param']).type },
    const: pure((_, attrs) => value((attrs as LaneOps['const']).dtype, (attrs as LaneOps['const']).lanes)),
    programId: pure(() => value('i64')),
    numPrograms: pure(() => value('i64')),
    map: pure((inputs, attrs) => inferMap(inputs, (attrs as LaneOps['map']).fn)),
    cast: pure((inputs, attrs) => value((attrs as LaneOps['cast']).to, valueType(inputs[0]!).lanes)),
    bitcast: pure((inputs, attrs) => inferBitcast(valueType(inputs[0]!), (attrs as LaneOps['bitcast']).to)),
    splat: pure((inputs, attrs) => value(valueType(inputs[0]!).dtype, (attrs as LaneOps['splat']).lanes)),
    iota: pure((_, attrs) => value((attrs as LaneOps['iota']).dtype, (attrs as LaneOps['iota']).lanes)),
    extract: pure((inputs, attrs) => {
      const { dtype, lanes } = valueType(inputs[0]!)
      const { lane } = attrs as LaneOps['extract']
      need(lane >= 0 && lane < lanes, () => `extract: lane ${lane} of ${printType(inputs[0]!.type)}`)
      return value(dtype)
    }),
    interleave: pure(inputs => {
      const [a, b] = inputs.map(valueType) as [ValueType, ValueType]
      need(same(a, b) && a.lanes > 1, () => `interleave: ${printType(a)} and ${printType(b)}: need two equal vectors`)
      return a
    }),
    fold: pure((inputs, attrs) => inferFold(valueType(inputs[0]!), (attrs as LaneOps['fold']).fn)),
    alloc: effect((_, attrs) => pointer((attrs as LaneOps['alloc']).dtype, 'local')),
    load: {
      effect: 'read',
      infer: (inputs, attrs) => value(checkLoad(inputs).dtype, (attrs as LaneOps['load']).lanes),
    },
    store: effect(inputs => {
      const stored = valueType(inputs[2]!)
      return checkStored('store', stored, value(checkLoad(inputs).dtype, stored.lanes))
    }),
    gather: { effect: 'read', infer: checkIndexed },
    scatter: effect(inputs => checkStored('scatter', valueType(inputs[2]!), checkIndexed(inputs))),
    atomic: effect(inputs => {
      const { dtype } = checkLoad(inputs)
      checkStored('atomic', valueType(inputs[2]!), value(dtype))
      return value(dtype)
    }),
    for: effect((inputs, _, [block]) => {
      for (const bound of inputs.slice(0, 3))
        need(isScalar(valueType(bound), 'i64'), () => `for: a bound is ${printType(bound.type)}, not i64`)
      return carried('for', inputs.slice(3), block!.params.slice(1), block!.results)
    }),
    if: effect((inputs, _, blocks) => inferIf(inputs, blocks)),
    while: effect((inputs, _, [condition, body]) => {
      need(isScalar(valueType(condition!.results[0]!), 'bool'), () => 'while: the condition must be a bool')
      return carried('while', inputs, body!.params, body!.results)
    }),
    item: pure((inputs, attrs) => {
      const { type } = inputs[0]!
      const { index } = attrs as LaneOps['item']
      if (type.kind !== 'tuple' || type.items[index] === undefined)
        throw new VerifyError(`lane: item ${index} of ${printType(type)}`)
      return type.items[index]
    }),
  },
}

/** Nodes whose blocks may run more than once. */
export const isLoop = (node: LaneNode): boolean => node.op === 'for' || node.op === 'while'
