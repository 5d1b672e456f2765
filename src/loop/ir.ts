/**
 * The loop IR: what one kernel computes, free of the graph. A program has loops (coordinates, each from 0 up to its size)
 * and a straight list of stores; between loads and stores are pure expressions, each with a value per combination of the
 * coordinates that it depends on. Chains of views have become indices of accesses. What expressions cannot describe (a
 * matmul, a sorted row) is a template: a statement before the stores, which use its result. Tiling and parallelisation are
 * decided by the translation to tile programs.
 */
import type { CanonicalText } from '../base/canonical.js'
import { VerifyError } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import { Builder } from '../ir/builder.js'
import type { Attrs, Block, Dialect, NodeOf, OpRule } from '../ir/node.js'
import { nodesOf } from '../ir/walk.js'
import {
  accepts,
  isArgReduction,
  type ReductionName,
  resultDtype,
  type ScalarOpName,
  scalarOp,
  type Value,
} from '../scalar/ops.js'
import type { Size } from '../scalar/size.js'
import { computeDtype, type Dtype } from '../types/dtype.js'
import type { Access, Index, RowAccess } from './access.js'

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

/** Coordinates, in order. */
type Coords = readonly number[]

/** A tensor as the values at the points of loops: the value at a point is the element at `index`. */
export type TensorAt = { readonly dtype: Dtype; readonly shape: readonly Size[]; readonly index: readonly Index[] }

/** A tensor, all but dim `dim` of which is indexed by loops; its rows along that dim are read or stored in memory. */
export type RowsAt = { readonly access: Access; readonly stride: Size; readonly dim: number }

/** A result's rows in memory. */
export type StoredRows = RowsAt & { readonly item: number }

/** A tensor that is read in memory at any index: `access` is its first element. */
export type WholeAt = {
  readonly dtype: Dtype
  readonly shape: readonly Size[]
  readonly strides: readonly Size[]
  readonly access: Access
}

/** A tensor of a call. */
export interface TensorValue {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** Row-major. */
  readonly data: readonly Value[]
}

/** What a template computes, on whole tensors. */
export interface Primitive extends CanonicalText {
  readonly name: string
  /** The node of the graph that it stands for; only an interpreter's caller knows what to do with it. */
  readonly node: object
}

/** How an element is put into memory: in place of what is there, or folded into it. */
export type UpdateFold = 'set' | 'add' | 'mul' | 'min' | 'max'

/** Operations of a template: `each` for every combination of the coordinates `over`. */
export type Work = { readonly over: Coords; readonly each: number }

/**
 * The primitive's operands are the inputs (as many as there are `operands`), then the tensors of `rows` and `whole`; further
 * inputs are values derived from them. `Params`: what tiling must know of it.
 */
export type TemplateAttrs<Params extends Attrs = Attrs> = {
  readonly primitive: Primitive
  readonly operands: readonly TensorAt[]
  readonly rows: readonly (TensorAt & RowsAt)[]
  readonly whole: readonly WholeAt[]
  readonly results: readonly TensorAt[]
  /** The coordinate of the rows that it works along; null: it works on no rows. */
  readonly row: number | null
  /** The results that it stores itself. Empty: its value is the first result. */
  readonly stored: readonly StoredRows[]
  /** Coordinates of one list may become one axis, in their order. null: all kept ones may, and all reduced ones. */
  readonly axes: readonly Coords[] | null
  readonly work: readonly Work[]
  readonly params: Params
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
  /** (index): the element at `access` plus index · stride for 0 ≤ index < size, else 0. */
  gather: { readonly access: Access; readonly stride: Size; readonly size: Size }
  /** (seed, offset): the uniform number at counter offset + index. */
  random: { readonly index: Index; readonly dtype: 'f32' | 'f64' }
  /** Reduces over all reduced coordinates, `over`. argmin/argmax: over exactly one; give i64. */
  reduce: { readonly fn: ReductionName; readonly over: Coords }
  /** The group of the rows in a ragged matmul's program: the number of ends before them, minus `skip`. */
  group: { readonly row: Index; readonly ends: RowAccess; readonly skip: 0 | 1 }

  /** (template): another of its results. */
  result: { readonly index: number }
  /**
   * What expressions cannot describe, such as a matmul or rows to sort. Several in one program are matmuls with one K loop:
   * all have the same left, or the same right operand.
   */
  template: TemplateAttrs
  /** (value): stored once per combination of the coordinates that it or the access depends on. */
  store: { readonly access: Access }
  /**
   * (value, index): folded into the element at `access` plus index · stride for 0 ≤ index < size, at every point of the
   * program's loops, in the order of the coordinate `along`. Unless `inOrder`, sums and products may be in any order.
   * `distinct`: no two elements are for the same place.
   */
  update: {
    readonly access: Access
    readonly stride: Size
    readonly size: Size
    readonly along: number
    readonly fold: UpdateFold
    readonly inOrder?: true
    readonly distinct?: true
  }
}

export type LoopNode = NodeOf<LoopOps, Type>
export type LoopBlock = Block<LoopNode>
export type LoopBuilder = Builder<LoopNode>
export type LoopOpName = keyof LoopOps
export type LoopNodeOf<Op extends LoopOpName> = Extract<LoopNode, { op: Op }>

export type TemplateNode<Params extends Attrs = Attrs> = LoopNodeOf<'template'> & {
  readonly attrs: TemplateAttrs<Params>
}
export type StoreNode = LoopNodeOf<'store'>
export type UpdateNode = LoopNodeOf<'update'>

export interface LoopProgram {
  /** The loops' sizes. */
  readonly coords: ReadonlyMap<number, Size>
  /** Coordinates that reductions or templates reduce, sort or scan along. */
  readonly reduced: ReadonlySet<number>
  /** Templates in their order, then stores. */
  readonly body: LoopBlock
  /** A coordinate that must not be merged with others: the parts of a split reduction. */
  readonly alone: number | null
  /** The ops that it implements in order, for its name, and their source lines. */
  readonly ops: readonly string[]
  readonly lines: readonly SourceLocation[]
}

// --- reading programs ----------------------------------------------------------------------------------------------------

/** The program's templates in order: several matmuls, or one of any kind; none: only loops. */
export const templatesOf = ({ body }: LoopProgram): readonly TemplateNode[] =>
  body.body.filter(node => node.op === 'template')

export const storesOf = ({ body }: LoopProgram): readonly StoreNode[] => body.body.filter(node => node.op === 'store')

/** A program that puts elements into memory at computed indices does nothing else. */
export const updateOf = ({ body }: LoopProgram): UpdateNode | undefined => body.body.find(node => node.op === 'update')

/** The roots and all nodes that they depend on, inputs before users. */
export const nodesBehind = (roots: readonly LoopNode[]): readonly LoopNode[] =>
  nodesOf<LoopNode>({ params: [], body: [], results: roots })

/** The coordinates that index a tensor. */
export const coordsIn = ({ index }: TensorAt): number[] => [...new Set(index.flatMap(({ terms }) => [...terms.keys()]))]

/** The type of a value node. */
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

/** The type of an elementwise op. */
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

/** The type of a template: of its first result, or nothing if it stores its results itself. */
function inferTemplate(
  inputs: readonly LoopNode[],
  { primitive, operands, results, row, stored }: TemplateAttrs,
): Type {
  const { name } = primitive
  for (const [i, operand] of operands.entries()) {
    const others = without(coordsOf(inputs[i]!), coordsIn(operand))
    need(others.length === 0, () => `${name}: an operand depends on ${others.map(coord => `c${coord}`)}`)
    need(dtypeOf(inputs[i]!) === operand.dtype, () => `${name}: operand ${i} is ${dtypeOf(inputs[i]!)}`)
  }
  for (const { item, access } of stored) {
    const { dtype } = results[item]!
    need(access.dtype === dtype, () => `${name}: result ${item} is ${dtype}, its memory holds ${access.dtype}`)
    need(row === null || !access.index.terms.has(row), () => `${name}: a result's access steps along the row`)
  }
  return stored.length > 0 ? nothing : value(results[0]!.dtype, coordsIn(results[0]!))
}

/** The type of another result of a template. */
function inferResult([template]: readonly LoopNode[], index: number): ValueType {
  const result = template?.op === 'template' ? template.attrs.results[index] : undefined
  if (result === undefined) throw new VerifyError(`loop: no result ${index} of ${template?.op}`)
  return value(result.dtype, coordsIn(result))
}

function inferStore([stored]: readonly LoopNode[], { access }: LoopOps['store']): NothingType {
  const dtype = dtypeOf(stored!)
  need(dtype === access.dtype, () => `store: the value is ${dtype}, the memory holds ${access.dtype}; cast it`)
  return nothing
}

function inferUpdate([put, index]: readonly LoopNode[], { access, fold }: LoopOps['update']): NothingType {
  need(dtypeOf(index!) === 'i64', () => `update: the index is ${dtypeOf(index!)}, not i64`)
  need(dtypeOf(put!) === access.dtype, () => `update: the value is ${dtypeOf(put!)}, the memory holds ${access.dtype}`)
  need(fold === 'set' || accepts(fold, access.dtype), () => `update: ${fold} is not defined on ${access.dtype}`)
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
    result: pure<'result'>(({ index }, inputs) => inferResult(inputs, index)),
    template: statement<'template'>((attrs, inputs) => inferTemplate(inputs, attrs)),
    store: statement<'store'>((attrs, inputs) => inferStore(inputs, attrs)),
    update: statement<'update'>((attrs, inputs) => inferUpdate(inputs, attrs)),
  },
}

export const loopBuilder = (): LoopBuilder => new Builder<LoopNode>(loopDialect)
