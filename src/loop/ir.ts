/**
 * The loop IR: what one kernel computes, free of the graph. A program has loops (coordinates, each from 0 up to its size)
 * and a straight list of stores; between the memory it reads and what it stores stand pure expressions, each a value for
 * every combination of the coordinates it depends on. A chain of views has become the index of an access. What takes more
 * than expressions (a matrix product, a sorted row) is a template: a statement before the stores, which are made of its
 * result. How loops are tiled and run is decided when tile programs are made of this.
 */
import { VerifyError } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import { Builder } from '../ir/builder.js'
import type { Block, Dialect, NodeOf, OpRule } from '../ir/node.js'
import { nodesOf } from '../ir/walk.js'
import { accepts, isArgReduction, type ReductionName, resultDtype, type ScalarOpName, scalarOp } from '../scalar/ops.js'
import type { Size } from '../scalar/size.js'
import { computeDtype, type Dtype, type Float8 } from '../types/dtype.js'
import type { Access, Index, RowAccess, RowResult } from './access.js'

export interface ValueType {
  readonly kind: 'value'
  readonly dtype: Dtype
  /** The coordinates it depends on. */
  readonly coords: ReadonlySet<number>
}
export interface NothingType {
  readonly kind: 'nothing'
}
export type Type = ValueType | NothingType

/** Coordinates, in the order in which they count. */
type Coords = readonly number[]

/**
 * Rows in groups, each with a matrix of its own: where the groups end, and the coordinate of the matrices. Or depth in groups,
 * each with a result of its own: the coordinate of the results, which sums over the depth of its group.
 */
export type Ragged = {
  readonly along: 'rows' | 'depth'
  readonly ends: RowAccess
  /** So many of the first ends end no group. */
  readonly skip: 0 | 1
  readonly group: Coords
}

export interface LoopOps {
  load: { readonly access: Access }
  /** (bigint for i64) */
  constant: { readonly dtype: Dtype; readonly value: number | bigint }
  /** A run-time size as an i64. */
  size: { readonly size: Size }
  scalarInput: { readonly index: number; readonly name: string; readonly dtype: Dtype }
  /** An affine index as a number. */
  index: { readonly index: Index; readonly dtype: Dtype }
  /** A scalar op on operands of one dtype (`where`: a bool condition first). */
  map: { readonly fn: ScalarOpName }
  cast: { readonly to: Dtype }
  /** Same bits, another dtype of the same width. */
  bitcast: { readonly to: Dtype }
  /** (index): one element more: `access` plus index · stride for 0 ≤ index < size, else 0. */
  gather: { readonly access: Access; readonly stride: Size; readonly size: Size }
  /** (seed, offset): the uniform number at counter offset + index. */
  random: { readonly index: Index; readonly dtype: 'f32' | 'f64' }
  /** Folds all reduced coordinates, `over`. argmin/argmax: over exactly one; give i64. */
  reduce: { readonly fn: ReductionName; readonly over: Coords }
  /** The group of the program's rows, in a ragged matmul's program: its number as the ends say, less `skip`. */
  group: { readonly row: Index; readonly ends: RowAccess; readonly skip: 0 | 1 }

  /** (attention): the logarithm of the sum of the exponentials of each row's scores, over batch, rows in `accumulate`. */
  logSumExp: Record<never, never>

  // Templates. Several matmuls of one program are one loop: all have the same left, or the same right operand.

  /** (a over batch, m, k; b over batch, k, n): over batch, m, n the sum over k in `accumulate`, in the dtype `to`. */
  matmul: {
    readonly accumulate: 'f32' | 'f64' | 'i32'
    readonly to: Dtype
    /** The operands are codes of these. */
    readonly codes: readonly [Float8, Float8] | null
    readonly precision: 'f32' | 'tf32'
    readonly batch: Coords
    readonly m: Coords
    readonly n: Coords
    readonly k: Coords
    /** null: one matrix for all rows, and one result. */
    readonly ragged: Ragged | null
  }
  /**
   * (q over batch, rows, depth; k over batch, keys, depth; v over batch, keys, columns; maybe a mask over batch, rows, keys;
   * with `dropout` which weights are kept, bool over batch, rows, keys): over batch, rows, columns. The kept weights are
   * divided by 1 − dropout.
   */
  attention: {
    readonly causal: boolean
    readonly scale: number
    readonly fullyMasked: 'zero' | 'nan'
    readonly accumulate: 'f32' | 'f64'
    readonly to: Dtype
    readonly precision: 'f32' | 'tf32'
    readonly batch: Coords
    readonly rows: Coords
    readonly columns: Coords
    readonly keys: Coords
    readonly depth: Coords
    readonly dropout: number | null
  }
  /** Running fold along the row's coordinate, inclusive. */
  scan: { readonly fn: 'add' | 'mul' | 'min' | 'max'; readonly reverse: boolean; readonly row: number }
  /** Stores the k largest (smallest) of each row, best first, first occurrence first. */
  topk: { readonly k: number; readonly largest: boolean; readonly row: number; readonly results: readonly RowResult[] }
  /** Stores each row sorted: stable, NaN as the largest. */
  sort: { readonly descending: boolean; readonly row: number; readonly results: readonly RowResult[] }
  /** (what the result holds at first): stores it, then puts source's elements in at index along the row, in order. */
  scatter: {
    readonly fold: 'set' | 'add' | 'mul' | 'min' | 'max'
    readonly row: number
    readonly index: RowAccess
    readonly source: RowAccess
    readonly result: RowAccess
  }
  /** (value): stored once for every combination of the coordinates that it or the access depends on. */
  store: { readonly access: Access }
}

export type LoopNode = NodeOf<LoopOps, Type>
export type LoopBlock = Block<LoopNode>
export type LoopBuilder = Builder<LoopNode>
export type LoopOpName = keyof LoopOps
export type LoopNodeOf<Op extends LoopOpName> = Extract<LoopNode, { op: Op }>

const templateOps = ['matmul', 'attention', 'scan', 'topk', 'sort', 'scatter'] as const
export type TemplateOp = (typeof templateOps)[number]
export type TemplateNode = LoopNodeOf<TemplateOp>
export type MatmulNode = LoopNodeOf<'matmul'>
export type StoreNode = LoopNodeOf<'store'>

export interface LoopProgram {
  /** The loops' sizes. */
  readonly coords: ReadonlyMap<number, Size>
  /** Those that reductions fold, or that a template sums, sorts or walks along. */
  readonly reduced: ReadonlySet<number>
  /** Templates in their order, then stores. */
  readonly body: LoopBlock
  /** A coordinate that must stay an axis of its own: the parts of a split reduction. */
  readonly alone: number | null
  /** The ops behind it in order, for its name, and the lines that asked for them. */
  readonly ops: readonly string[]
  readonly lines: readonly SourceLocation[]
}

// --- reading programs ----------------------------------------------------------------------------------------------------

export const isTemplate = (node: LoopNode): node is TemplateNode =>
  (templateOps as readonly LoopOpName[]).includes(node.op)

/** What the program's template computes, in order: several matmuls, or one of anything; none: loops alone. */
export const templatesOf = ({ body }: LoopProgram): readonly TemplateNode[] => body.body.filter(isTemplate)

export const matmulsOf = (program: LoopProgram): readonly MatmulNode[] =>
  templatesOf(program).filter(node => node.op === 'matmul')

export const storesOf = ({ body }: LoopProgram): readonly StoreNode[] => body.body.filter(node => node.op === 'store')

/** Every node that `roots` need, and they, inputs before users. */
export const nodesBehind = (roots: readonly LoopNode[]): readonly LoopNode[] =>
  nodesOf<LoopNode>({ params: [], body: [], results: roots })

/** The type of a node that is a value. */
export function valueType(node: LoopNode): ValueType {
  if (node.type.kind === 'value') return node.type
  throw new VerifyError(`loop: ${node.op} gives nothing where a value is needed`, { at: node.origin.at })
}
export const dtypeOf = (node: LoopNode): Dtype => valueType(node).dtype
export const coordsOf = (node: LoopNode): ReadonlySet<number> => valueType(node).coords

// --- types ---------------------------------------------------------------------------------------------------------------

const value = (dtype: Dtype, ...coords: readonly Iterable<number>[]): ValueType => ({
  kind: 'value',
  dtype,
  coords: new Set(coords.flatMap(each => [...each])),
})
const nothing: NothingType = { kind: 'nothing' }

export function printType(type: Type): string {
  if (type.kind === 'nothing') return 'nothing'
  return `${type.dtype}[${[...type.coords].sort((a, b) => a - b).map(coord => `c${coord}`)}]`
}

function need(condition: boolean, problem: () => string): void {
  if (!condition) throw new VerifyError(`loop: ${problem()}`)
}

const unionOf = (inputs: readonly LoopNode[]): Set<number> => new Set(inputs.flatMap(input => [...coordsOf(input)]))
const without = (coords: Iterable<number>, gone: Coords): number[] => [...coords].filter(coord => !gone.includes(coord))

function inferMap(inputs: readonly LoopNode[], fn: ScalarOpName): ValueType {
  const found = inputs.map(dtypeOf)
  need(found.length === scalarOp(fn).arity, () => `${fn} takes ${scalarOp(fn).arity} operands, not ${found.length}`)
  const operands = fn === 'where' ? found.slice(1) : found
  const [dtype] = operands as [Dtype]
  if (fn === 'where') need(found[0] === 'bool', () => `where: the condition is ${found[0]}, not bool`)
  need(
    operands.every(each => each === dtype),
    () => `${fn}: dtypes ${found.join(' and ')} differ`,
  )
  need(accepts(fn, dtype), () => `${fn} is not defined on ${dtype}`)
  need(computeDtype(dtype) === dtype, () => `${fn}: ${dtype} is a storage format; cast to ${computeDtype(dtype)} first`)
  return value(resultDtype(fn, dtype), unionOf(inputs))
}

function inferReduce([input]: readonly LoopNode[], { fn, over }: LoopOps['reduce']): ValueType {
  const isArg = isArgReduction(fn)
  need(!isArg || over.length === 1, () => `${fn} over ${over.length} coordinates`)
  return value(isArg ? 'i64' : dtypeOf(input!), without(coordsOf(input!), over))
}

function inferMatmul(inputs: readonly LoopNode[], { to, codes, batch, m, n, k, ragged }: LoopOps['matmul']): ValueType {
  const [a, b] = inputs.map(dtypeOf)
  need(inputs.length === 2 && a === b, () => `matmul: operands of ${inputs.map(dtypeOf).join(', ')}`)
  need(codes === null || a === 'u8', () => `matmul: codes are u8, not ${a}`)
  const groups = ragged?.group ?? []
  const sides: readonly Coords[] = [
    [...batch, ...m, ...k],
    [...batch, ...groups, ...k, ...n],
  ]
  for (const [side, allowed] of sides.entries()) checkCoords('matmul', inputs[side]!, allowed)
  return value(to, batch, m, n)
}

function checkCoords(op: string, operand: LoopNode, allowed: Coords): void {
  const others = without(coordsOf(operand), allowed)
  need(others.length === 0, () => `${op}: an operand depends on ${others.map(coord => `c${coord}`)}`)
}

/** The operands of attention by what they are. */
export function attentionOperands({ inputs, attrs }: LoopNodeOf<'attention'>): {
  readonly factors: readonly [q: LoopNode, k: LoopNode, v: LoopNode]
  readonly mask: LoopNode | null
  readonly kept: LoopNode | null
} {
  const [q, k, v, ...rest] = inputs as readonly [LoopNode, LoopNode, LoopNode, ...LoopNode[]]
  const kept = attrs.dropout === null ? null : rest.pop()!
  return { factors: [q, k, v], mask: rest[0] ?? null, kept }
}

function inferAttention(inputs: readonly LoopNode[], attrs: LoopOps['attention']): ValueType {
  const { to, batch, rows, columns, keys, depth, dropout } = attrs
  const least = dropout === null ? 3 : 4
  need(inputs.length === least || inputs.length === least + 1, () => `attention: ${inputs.length} operands`)
  need(dropout === null || dtypeOf(inputs.at(-1)!) === 'bool', () => 'attention: which weights are kept is no bool')
  const sides = [
    [...rows, ...depth],
    [...keys, ...depth],
    [...keys, ...columns],
    [...rows, ...keys],
    [...rows, ...keys],
  ]
  for (const [i, input] of inputs.entries()) checkCoords('attention', input, [...batch, ...sides[i]!])
  return value(to, batch, rows, columns)
}

function inferLogSumExp([template]: readonly LoopNode[]): ValueType {
  if (template?.op !== 'attention') throw new VerifyError(`loop: logSumExp of ${template?.op}, not of attention`)
  const { accumulate, batch, rows } = template.attrs
  return value(accumulate, batch, rows)
}

function inferRows(op: string, [input]: readonly LoopNode[], row: number, results: readonly RowResult[]): NothingType {
  for (const { item, access } of results) {
    const dtype = item === 0 ? dtypeOf(input!) : 'i64'
    need(access.dtype === dtype, () => `${op}: result ${item} is ${dtype}, its memory holds ${access.dtype}`)
    need(!access.index.terms.has(row), () => `${op}: a result's access steps along the row`)
  }
  return nothing
}

function inferStore([stored]: readonly LoopNode[], { access }: LoopOps['store']): NothingType {
  const dtype = dtypeOf(stored!)
  need(dtype === access.dtype, () => `store: the value is ${dtype}, the memory holds ${access.dtype}; cast it`)
  return nothing
}

type Infer<Op extends LoopOpName> = (attrs: LoopOps[Op], inputs: readonly LoopNode[]) => Type
const rule = <Op extends LoopOpName>(effect: OpRule<LoopNode>['effect'], infer: Infer<Op>): OpRule<LoopNode> => ({
  effect,
  infer: (inputs, attrs) => infer(attrs as unknown as LoopOps[Op], inputs),
})
const pure = <Op extends LoopOpName>(infer: Infer<Op>): OpRule<LoopNode> => rule('pure', infer)
const statement = <Op extends LoopOpName>(infer: Infer<Op>): OpRule<LoopNode> => rule('effect', infer)

export const loopDialect: Dialect<LoopNode> = {
  name: 'loop',
  printType,
  typeKey: printType,
  ops: {
    load: pure<'load'>(({ access }) => value(access.dtype, access.index.terms.keys())),
    constant: pure<'constant'>(({ dtype }) => value(dtype)),
    size: pure<'size'>(() => value('i64')),
    scalarInput: pure<'scalarInput'>(({ dtype }) => value(dtype)),
    index: pure<'index'>(({ index, dtype }) => value(dtype, index.terms.keys())),
    map: pure<'map'>(({ fn }, inputs) => inferMap(inputs, fn)),
    cast: pure<'cast'>(({ to }, inputs) => value(to, unionOf(inputs))),
    bitcast: pure<'bitcast'>(({ to }, inputs) => value(to, unionOf(inputs))),
    gather: pure<'gather'>(({ access }, inputs) => value(access.dtype, access.index.terms.keys(), unionOf(inputs))),
    random: pure<'random'>(({ index, dtype }, inputs) => value(dtype, index.terms.keys(), unionOf(inputs))),
    reduce: pure<'reduce'>((attrs, inputs) => inferReduce(inputs, attrs)),
    group: pure<'group'>(({ row }) => value('i64', row.terms.keys())),
    logSumExp: pure<'logSumExp'>((_, inputs) => inferLogSumExp(inputs)),
    matmul: statement<'matmul'>((attrs, inputs) => inferMatmul(inputs, attrs)),
    attention: statement<'attention'>((attrs, inputs) => inferAttention(inputs, attrs)),
    scan: statement<'scan'>(({ row }, inputs) => value(dtypeOf(inputs[0]!), unionOf(inputs), [row])),
    topk: statement<'topk'>(({ row, results }, inputs) => inferRows('topk', inputs, row, results)),
    sort: statement<'sort'>(({ row, results }, inputs) => inferRows('sort', inputs, row, results)),
    scatter: statement<'scatter'>(({ result }, inputs) => inferStore(inputs, { access: result.access })),
    store: statement<'store'>((attrs, inputs) => inferStore(inputs, attrs)),
  },
}

export const loopBuilder = (): LoopBuilder => new Builder<LoopNode>(loopDialect)
