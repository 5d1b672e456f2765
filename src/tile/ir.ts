/**
 * The tile IR: what one program instance of a kernel does. Values are tiles (static shape, dtype; a scalar is a tile of
 * shape []). Memory is accessed through views (pointer, sizes, strides) whose bounds mask every access. Index arithmetic
 * is i64. Loads and stores are ordered in their block; only passes that prove it safe reorder them.
 */
import { VerifyError } from '../base/errors.js'
import type { Block, Dialect, NodeOf, OpRule } from '../ir/node.js'
import { type AtomicAttrs, atomicOperands, isAtomic } from '../scalar/atomic.js'
import {
  accepts,
  isArgReduction,
  type ReductionName,
  resultDtype,
  type ScalarOpName,
  type ScanName,
  scalarOp,
} from '../scalar/ops.js'
import { computeDtype, type Dtype, dtypes, type Float8 } from '../types/dtype.js'

/** A view's size or stride in elements: a number is part of the kernel; null is passed at each launch. */
export type ViewDim = number | null

export interface TileType {
  readonly kind: 'tile'
  readonly dtype: Dtype
  readonly shape: readonly number[]
}
export interface ViewType {
  readonly kind: 'view'
  readonly dtype: Dtype
  readonly sizes: readonly ViewDim[]
  readonly strides: readonly ViewDim[]
}
export interface TupleType {
  readonly kind: 'tuple'
  readonly items: readonly TileType[]
}
export interface NothingType {
  readonly kind: 'nothing'
}
export type Type = TileType | ViewType | TupleType | NothingType

export type DotAttrs = {
  readonly codes?: readonly [a: Float8, b: Float8]
  readonly precision?: 'tf32'
}

export interface TileOps {
  /** A view parameter, by its index in the kernel's parameter list. */
  view: { readonly index: number; readonly name: string; readonly type: ViewType }
  /** A scalar parameter. */
  scalar: { readonly index: number; readonly name: string; readonly dtype: Dtype }
  /** A block's parameter: a loop's counter or a carried value. */
  param: { readonly type: TileType }
  /** A scalar constant (bigint for i64). */
  const: { readonly dtype: Dtype; readonly value: number | bigint }
  /** i64 scalars: a view's size or stride. */
  size: { readonly dim: number }
  stride: { readonly dim: number }
  /** i64 scalars: this instance's index in the grid, and the grid's size: below 2^31 along each axis. */
  programId: { readonly axis: 0 | 1 | 2 }
  numPrograms: { readonly axis: 0 | 1 | 2 }
  /** A scalar op, elementwise on tiles of one shape (broadcast is explicit). */
  map: { readonly fn: ScalarOpName }
  cast: { readonly to: Dtype }
  /** Same bits, another dtype of the same width. */
  bitcast: { readonly to: Dtype }
  /** 0, 1, … n−1. */
  iota: { readonly length: number; readonly dtype: Dtype }
  /** Dims of size 1 expand; missing leading dims are added, as in PyTorch. */
  broadcast: { readonly shape: readonly number[] }
  reshape: { readonly shape: readonly number[] }
  transpose: { readonly permutation: readonly number[] }
  /**
   * Reduces one axis, starting from the reduction's identity; argmin/argmax return the i64 index of the first occurrence (of
   * NaN, if there is one). Not on storage formats: f16 and bf16 are cast first.
   */
  reduce: { readonly fn: ReductionName; readonly axis: number }
  /** Inclusive scan along an axis. */
  scan: { readonly fn: ScanName; readonly axis: number; readonly reverse: boolean }
  /** How many elements of an i32 tile [B] have each of the values 0 … bins − 1: i32 [bins]. Others are not counted. */
  histogram: { readonly bins: number }
  /**
   * The indices of an i32 tile [B] in the order of its values, equal ones in the tile's order: i32 [B]. Values are bins from 0 to
   * `bins` − 1; those outside count as the nearest.
   */
  binOrder: { readonly bins: number }
  /** (table [N], indices [B] of i32): the table's element at each index; 0 outside. */
  take: Record<string, never>
  /**
   * acc + a·b for a [M,K], b [K,N], acc [M,N], computed in acc's dtype: f32 or f64 for floats of at most that
   * width (f16 and bf16 too), i32 for integers of at most 32 bits. `codes`: a and b are u8, the codes of these floats,
   * and sums are f32. `precision`: f32 operands may be rounded to tf32.
   */
  dot: DotAttrs
  /** (view, offset per dim, [padding]): the block of `shape` at the offsets; elements out of bounds are `padding` or 0. */
  load: { readonly shape: readonly number[] }
  /**
   * (view, offset per dim, [end per dim], value): elements out of bounds are dropped, as are those from `end` on
   * (which may be anywhere). The value's dtype is the view's.
   */
  store: Record<string, never>
  /** (view, index tile per dim, mask): elements by index; masked-out and out-of-bounds elements are 0. */
  gather: Record<string, never>
  /** (view, index tile per dim, value, mask). */
  scatter: Record<string, never>
  /** (view, index tile per dim, value…, mask): changes elements atomically (scalar/atomic.ts); returns the old values. */
  atomic: AtomicAttrs
  /**
   * (from, to, step, carried…): one block (counter, carried…) → carried…; returns the tuple of the last values. Runs while
   * counter < to; the step must be positive, which the program's builder guarantees.
   */
  range: Record<string, never>
  /** (condition): two blocks without params whose results have the same types; returns the tuple of the taken block's results. */
  if: Record<string, never>
  /** (carried…): blocks (carried…) → bool and (carried…) → carried…; runs the second while the first returns true. */
  while: Record<string, never>
  /** One value of a tuple. */
  item: { readonly index: number }
}

export type TileNode = NodeOf<TileOps, Type>
export type TileBlock = Block<TileNode>

/** Hints change speed, never results. */
export interface Hints {
  readonly warps?: number
  readonly stages?: number
}

/** Hints of a generated kernel. */
export interface ProgramHints extends Hints {
  /** CTAs that a multiprocessor should hold at once: a limit on registers. */
  readonly residents?: number
}

export interface Parameter {
  readonly name: string
  readonly type: ViewType | { readonly kind: 'scalar'; readonly dtype: Dtype }
}

/** A dim of a view parameter, by the parameter's index. */
export interface ViewDimOf {
  readonly param: number
  readonly dim: number
}

/** A kernel: the code of each instance of its grid. The grid itself is an argument of the launch. */
export interface TileProgram {
  readonly name: string
  readonly params: readonly Parameter[]
  /** Groups of dims that have the same size at each launch, among those whose sizes are arguments. Absent: none are known. */
  readonly equalSizes?: readonly (readonly ViewDimOf[])[]
  readonly body: TileBlock
  readonly hints: ProgramHints
}

/** A copy of the type's shape: users see it, and may modify the arrays that they passed. */
export const tile = (dtype: Dtype, shape: readonly number[] = []): TileType => ({
  kind: 'tile',
  dtype,
  shape: Object.isFrozen(shape) ? shape : Object.freeze(shape.slice()),
})
export const nothing: NothingType = { kind: 'nothing' }

/** The type of a tile-valued node. Throws VerifyError when the node is a view or has no value. */
export function tileType(node: TileNode): TileType {
  if (node.type.kind === 'tile') return node.type
  throw new VerifyError(`tile: ${node.op} gives ${printType(node.type)} where a tile is needed`, { at: node.origin.at })
}

export function viewType(node: TileNode): ViewType {
  if (node.type.kind === 'view') return node.type
  throw new VerifyError(`tile: ${node.op} gives ${printType(node.type)} where a view is needed`, { at: node.origin.at })
}

/** The index per dim of the view from which on a store writes nothing; null: the view's end. */
export function storeEnds(node: TileNode): readonly TileNode[] | null {
  const rank = viewType(node.inputs[0]!).sizes.length
  return node.op === 'store' && node.inputs.length > rank + 2 ? node.inputs.slice(1 + rank, 1 + 2 * rank) : null
}

/** A type as text: `f32[64, 32]`, `view<f32>[?:1]` (size:stride; ?: not known). */
export function printType(type: Type): string {
  switch (type.kind) {
    case 'tile':
      return type.shape.length === 0 ? type.dtype : `${type.dtype}[${type.shape.join(', ')}]`
    case 'view':
      return `view<${type.dtype}>[${type.sizes.map((size, d) => `${size ?? '?'}:${type.strides[d] ?? '?'}`).join(', ')}]`
    case 'tuple':
      return `(${type.items.map(printType).join(', ')})`
    case 'nothing':
      return 'nothing'
  }
}

const sameTile = (a: TileType, b: TileType): boolean => printType(a) === printType(b)

function need(condition: boolean, problem: () => string): void {
  if (!condition) throw new VerifyError(`tile: ${problem()}`)
}

type Infer = OpRule<TileNode>['infer']
const pure = (infer: Infer): OpRule<TileNode> => ({ effect: 'pure', infer })
const effect = (infer: Infer): OpRule<TileNode> => ({ effect: 'effect', infer })
const control = (infer: Infer): OpRule<TileNode> => ({ effect: 'effect', isControl: true, infer })
const index = (infer: (attrs: never) => void = () => {}): OpRule<TileNode> =>
  pure((_, attrs) => {
    infer(attrs as never)
    return tile('i64')
  })

/** The type of an elementwise op. Throws VerifyError when operands differ or the op does not take their dtype. */
function inferMap(inputs: readonly TileNode[], fn: ScalarOpName): TileType {
  const types = inputs.map(tileType)
  need(types.length === scalarOp(fn).arity, () => `${fn} takes ${scalarOp(fn).arity} operands, not ${types.length}`)
  const operands = fn === 'where' ? types.slice(1) : types
  const [first] = operands as [TileType]
  if (fn === 'where') {
    need(types[0]!.dtype === 'bool', () => `where: the condition is ${types[0]!.dtype}, not bool`)
    need(
      sameTile(tile('bool', first.shape), types[0]!),
      () => `where: condition ${printType(types[0]!)}, branches ${printType(first)}`,
    )
  }
  for (const type of operands)
    need(sameTile(type, first), () => `${fn}: operands ${types.map(printType).join(' and ')} differ`)
  need(accepts(fn, first.dtype), () => `${fn} is not defined on ${first.dtype}`)
  need(
    computeDtype(first.dtype) === first.dtype,
    () => `${fn}: ${first.dtype} is a storage format; cast to ${computeDtype(first.dtype)} first`,
  )
  return tile(resultDtype(fn, first.dtype), first.shape)
}

function inferBroadcast(from: TileType, shape: readonly number[]): TileType {
  const lead = shape.length - from.shape.length
  need(
    lead >= 0 && from.shape.every((size, d) => size === 1 || size === shape[lead + d]),
    () => `broadcast: ${printType(from)} does not broadcast to [${shape.join(', ')}]`,
  )
  return tile(from.dtype, shape)
}

/** True when a dot of these operands may accumulate in `acc`. */
function accumulates(operand: Dtype, acc: Dtype): boolean {
  const [from, to] = [dtypes[operand], dtypes[acc]]
  if (from.kind === 'float') return (acc === 'f32' || acc === 'f64') && from.bits <= to.bits
  return acc === 'i32' && from.bits <= 32 && (from.kind === 'int' || from.kind === 'uint')
}

/** The type of a dot [M, K] · [K, N] + [M, N]. */
function inferDot([a, b, acc]: readonly TileType[], { codes, precision }: DotAttrs): TileType {
  const fits =
    a!.shape.length === 2 &&
    b!.shape.length === 2 &&
    acc!.shape.length === 2 &&
    a!.shape[1] === b!.shape[0] &&
    acc!.shape[0] === a!.shape[0] &&
    acc!.shape[1] === b!.shape[1]
  need(fits, () => `dot: ${printType(a!)} · ${printType(b!)} + ${printType(acc!)}: need [M,K] · [K,N] + [M,N]`)
  need(a!.dtype === b!.dtype, () => `dot: operands are ${a!.dtype} and ${b!.dtype}; cast one`)
  const isF32 = a!.dtype === 'f32' && acc!.dtype === 'f32'
  need(precision === undefined || isF32, () => `dot: tf32 products of ${a!.dtype} in ${acc!.dtype}; both must be f32`)
  if (codes !== undefined) {
    const fitsCodes = a!.dtype === 'u8' && acc!.dtype === 'f32'
    need(
      fitsCodes,
      () => `dot: codes of ${codes.join(' and ')} are u8 and sum in f32, not ${a!.dtype} in ${acc!.dtype}`,
    )
    return acc!
  }
  need(accumulates(a!.dtype, acc!.dtype), () => `dot: operands of ${a!.dtype} do not accumulate in ${acc!.dtype}`)
  return acc!
}

function checkFold(op: string, fn: ReductionName, axis: number, from: TileType): void {
  const { dtype } = from
  need(axis >= 0 && axis < from.shape.length, () => `${op}: axis ${axis} of ${printType(from)}`)
  need(isArgReduction(fn) || accepts(fn, dtype), () => `${op}: ${fn} is not defined on ${dtype}`)
  need(computeDtype(dtype) === dtype, () => `${op}: ${dtype} is a storage format; cast to ${computeDtype(dtype)} first`)
}

/** Bins are counted per warp, so tiles have at least one element per lane. */
export const minBinned = 32
export const maxBins = 2048

function checkBins(op: string, { dtype, shape }: TileType, bins: number): void {
  const fits = dtype === 'i32' && shape.length === 1 && shape[0]! >= minBinned
  need(fits, () => `${op}: ${printType(tile(dtype, shape))}; it takes i32[B], B ≥ ${minBinned}`)
  const isPower = Number.isInteger(Math.log2(bins))
  need(bins >= 2 && bins <= maxBins && isPower, () => `${op}: ${bins} bins; it takes a power of two, 2 to ${maxBins}`)
}

function inferTake([table, index]: readonly TileType[]): TileType {
  const isLine = ({ shape }: TileType): boolean => shape.length === 1 && shape[0]! > 1
  const fits = isLine(table!) && isLine(index!) && index!.dtype === 'i32'
  need(fits, () => `take: ${printType(table!)} at ${printType(index!)}; it takes [N] at i32[B], both longer than 1`)
  return tile(table!.dtype, index!.shape)
}

/** Checks (view, index per dim, …): returns the view's type and the operands after the indices. */
function access(op: string, inputs: readonly TileNode[]): { view: ViewType; indices: TileType[]; rest: TileType[] } {
  const view = viewType(inputs[0]!)
  const rank = view.sizes.length
  const types = inputs.slice(1).map(tileType)
  need(types.length >= rank, () => `${op}: a view of rank ${rank} needs ${rank} indices, got ${types.length}`)
  const indices = types.slice(0, rank)
  for (const type of indices)
    need(type.dtype === 'i64', () => `${op}: an index is ${type.dtype}; index arithmetic is i64`)
  return { view, indices, rest: types.slice(rank) }
}

/** The type of a load of a block. */
function inferLoad(inputs: readonly TileNode[], shape: readonly number[]): TileType {
  const { view, rest } = access('load', inputs)
  need(
    shape.length === view.sizes.length,
    () => `load: a block of rank ${shape.length} from a view of rank ${view.sizes.length}`,
  )
  for (const padding of rest)
    need(
      sameTile(padding, tile(view.dtype)),
      () => `load: padding is ${printType(padding)}, the view holds ${view.dtype}`,
    )
  return tile(view.dtype, shape)
}

/** Checks a store: (view, offsets, ends?, value). */
function inferStore(inputs: readonly TileNode[]): NothingType {
  const { view, rest } = access('store', inputs)
  need(rest.length > 0, () => 'store: no value')
  const value = rest.at(-1)!
  const ends = rest.slice(0, -1)
  need(
    ends.length === 0 || ends.length === view.sizes.length,
    () => `store: ${ends.length} ends for a view of rank ${view.sizes.length}`,
  )
  for (const end of ends)
    need(sameTile(end, tile('i64')), () => `store: an end is ${printType(end)}, not an i64 scalar`)
  need(value.dtype === view.dtype, () => `store: the value is ${value.dtype}, the view holds ${view.dtype}; cast it`)
  need(
    value.shape.length === view.sizes.length,
    () => `store: a block of rank ${value.shape.length} into a view of rank ${view.sizes.length}`,
  )
  return nothing
}

/** gather, scatter and atomic: index tiles, value and mask share one shape. */
/** `values`: how many operands have the view's dtype. */
function inferIndexed(op: string, inputs: readonly TileNode[], values: number): TileType {
  const { view, indices, rest } = access(op, inputs)
  need(rest.length === values + 1, () => `${op}: ${rest.length} operands after the indices`)
  const mask = rest.at(-1)!
  const shape = mask.shape
  need(mask.dtype === 'bool', () => `${op}: the mask is ${mask.dtype}, not bool`)
  for (const type of [...indices, ...rest])
    need(
      sameTile(type, tile(type.dtype, shape)),
      () => `${op}: indices, value and mask differ in shape: ${[...indices, ...rest].map(printType).join(', ')}`,
    )
  for (const { dtype } of rest.slice(0, -1))
    need(dtype === view.dtype, () => `${op}: the value is ${dtype}, the view holds ${view.dtype}; cast it`)
  return tile(view.dtype, shape)
}

function sameTypes(what: string, a: readonly TileNode[], b: readonly TileNode[]): TileType[] {
  const [left, right] = [a.map(tileType), b.map(tileType)]
  need(
    left.length === right.length && left.every((type, i) => sameTile(type, right[i]!)),
    () => `${what}: types ${left.map(printType).join(', ')} and ${right.map(printType).join(', ')} differ`,
  )
  return right
}

/** The type of a counted loop: (from, to, step, carried values) → the carried values. */
function inferRange(inputs: readonly TileNode[], blocks: readonly TileBlock[]): TupleType {
  for (const bound of inputs.slice(0, 3))
    need(
      sameTile(tileType(bound), tile('i64')),
      () => `range: bounds and step are i64 scalars, not ${printType(bound.type)}`,
    )
  const [block] = blocks as [TileBlock]
  need(
    inputs.length >= 3 && block.params.length === inputs.length - 2,
    () => `range: ${inputs.length} inputs, ${block.params.length} params`,
  )
  need(sameTile(tileType(block.params[0]!), tile('i64')), () => 'range: the counter is an i64 scalar')
  sameTypes('range: carried values', inputs.slice(3), block.params.slice(1))
  return { kind: 'tuple', items: sameTypes('range: carried values', inputs.slice(3), block.results) }
}

export const tileDialect: Dialect<TileNode> = {
  name: 'tile',
  printType,
  typeKey: printType,
  ops: {
    view: { effect: 'unique', infer: (_, attrs) => (attrs as TileOps['view']).type },
    scalar: { effect: 'unique', infer: (_, attrs) => tile((attrs as TileOps['scalar']).dtype) },
    param: { effect: 'unique', infer: (_, attrs) => (attrs as TileOps['param']).type },
    const: pure((_, attrs) => tile((attrs as TileOps['const']).dtype)),
    size: index(),
    stride: index(),
    programId: index(),
    numPrograms: index(),
    map: pure((inputs, attrs) => inferMap(inputs, (attrs as TileOps['map']).fn)),
    cast: pure((inputs, attrs) => tile((attrs as TileOps['cast']).to, tileType(inputs[0]!).shape)),
    bitcast: pure((inputs, attrs) => {
      const from = tileType(inputs[0]!)
      const { to } = attrs as TileOps['bitcast']
      need(dtypes[from.dtype].bits === dtypes[to].bits, () => `bitcast: ${printType(from)} to ${to}: widths differ`)
      return tile(to, from.shape)
    }),
    iota: pure((_, attrs) => tile((attrs as TileOps['iota']).dtype, [(attrs as TileOps['iota']).length])),
    broadcast: pure((inputs, attrs) => inferBroadcast(tileType(inputs[0]!), (attrs as TileOps['broadcast']).shape)),
    reshape: pure((inputs, attrs) => {
      const from = tileType(inputs[0]!)
      const { shape } = attrs as TileOps['reshape']
      const count = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1)
      need(count(from.shape) === count(shape), () => `reshape: ${printType(from)} to [${shape.join(', ')}]`)
      return tile(from.dtype, shape)
    }),
    transpose: pure((inputs, attrs) => {
      const from = tileType(inputs[0]!)
      const { permutation } = attrs as TileOps['transpose']
      const isPermutation =
        permutation.length === from.shape.length && from.shape.every((_, d) => permutation.includes(d))
      need(isPermutation, () => `transpose: [${permutation.join(', ')}] of ${printType(from)}`)
      return tile(
        from.dtype,
        permutation.map(d => from.shape[d]!),
      )
    }),
    reduce: pure((inputs, attrs) => {
      const from = tileType(inputs[0]!)
      const { fn, axis } = attrs as TileOps['reduce']
      checkFold('reduce', fn, axis, from)
      return tile(
        isArgReduction(fn) ? 'i64' : from.dtype,
        from.shape.filter((_, d) => d !== axis),
      )
    }),
    scan: pure((inputs, attrs) => {
      const from = tileType(inputs[0]!)
      const { fn, axis } = attrs as TileOps['scan']
      checkFold('scan', fn, axis, from)
      return from
    }),
    histogram: pure((inputs, attrs) => {
      const { bins } = attrs as TileOps['histogram']
      checkBins('histogram', tileType(inputs[0]!), bins)
      return tile('i32', [bins])
    }),
    binOrder: pure((inputs, attrs) => {
      const from = tileType(inputs[0]!)
      checkBins('binOrder', from, (attrs as TileOps['binOrder']).bins)
      return from
    }),
    take: pure(inputs => inferTake(inputs.map(tileType))),
    dot: pure((inputs, attrs) => inferDot(inputs.map(tileType), attrs as DotAttrs)),
    load: { effect: 'read', infer: (inputs, attrs) => inferLoad(inputs, (attrs as TileOps['load']).shape) },
    store: effect(inferStore),
    gather: { effect: 'read', infer: inputs => inferIndexed('gather', inputs, 0) },
    scatter: effect(inputs => {
      inferIndexed('scatter', inputs, 1)
      return nothing
    }),
    atomic: effect((inputs, attrs) => {
      const { fn } = attrs as TileOps['atomic']
      const { dtype } = viewType(inputs[0]!)
      need(isAtomic(fn, dtype), () => `atomic: no ${fn} of ${dtype}`)
      return inferIndexed('atomic', inputs, atomicOperands(fn))
    }),
    range: control((inputs, _, blocks) => inferRange(inputs, blocks)),
    if: control((inputs, _, blocks) => {
      need(
        sameTile(tileType(inputs[0]!), tile('bool')),
        () => `if: the condition is ${printType(inputs[0]!.type)}, not a bool scalar`,
      )
      return { kind: 'tuple', items: sameTypes('if: results', blocks[0]!.results, blocks[1]!.results) }
    }),
    while: control((inputs, _, blocks) => {
      need(sameTile(tileType(blocks[0]!.results[0]!), tile('bool')), () => 'while: the condition must be a bool scalar')
      for (const block of blocks) sameTypes('while: carried values', inputs, block.params)
      return { kind: 'tuple', items: sameTypes('while: carried values', inputs, blocks[1]!.results) }
    }),
    item: pure((inputs, attrs) => {
      const { type } = inputs[0]!
      const { index: at } = attrs as TileOps['item']
      if (type.kind !== 'tuple' || type.items[at] === undefined)
        throw new VerifyError(`tile: item ${at} of ${printType(type)}`)
      return type.items[at]
    }),
  },
}

/** Nodes whose blocks may run more than once. */
export const isLoop = (node: TileNode): boolean => node.op === 'range' || node.op === 'while'
