/**
 * The result of the analyses, from which code is emitted: buffers in scratch memory, and roots in execution order. A root is
 * what a loop nest or control flow computes at one point of the program.
 */

import type { WordDtype } from '../../lane/word-dot.js'
import type { Value as ScalarValue } from '../../scalar/ops.js'
import type { TileNode } from '../../tile/ir.js'
import type { Dtype } from '../../types/dtype.js'
import type { IndexAnalysis } from '../shared/index-analysis.js'
import type { EarliestPoints, ProgramPoint, Scope, Structure } from '../shared/structure.js'
import type { AxisMap } from './axes.js'
import type { AxisRange } from './ranges.js'

type NodeOf<Op extends TileNode['op']> = Extract<TileNode, { op: Op }>

/** A tile in scratch memory. Strides are in elements. */
export interface Buffer {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly strides: readonly number[]
  readonly count: number
  /** Set when the last axis is split into panels of `width`, each `stride` elements long. */
  readonly panel: { readonly width: number; readonly stride: number } | null
  /** Set when rows of `length` elements are `pitch` apart. */
  readonly row: { readonly length: number; readonly pitch: number } | null
  /** The buffer that this one is a reshaped alias of. */
  readonly base: Buffer | null
}

/** An expression evaluated at each point of a nest: the node, and its axes mapped to the nest's. */
export interface Value {
  readonly node: TileNode
  readonly axes: AxisMap
}

interface RootBase {
  readonly point: ProgramPoint
  /** The index space of its nest; [] if it has none. */
  readonly space: readonly number[]
}

/** Stores that share a nest: consecutive in the program, over the same indices. */
export interface StoreRoot extends RootBase {
  readonly kind: 'store'
  readonly nodes: readonly NodeOf<'store'>[]
}
/** An elementwise value, a load or a gather written to scratch. */
export interface KeepRoot extends RootBase {
  readonly kind: 'keep'
  readonly node: TileNode
  readonly buffer: Buffer
}
/** A copy of a value to another buffer: a loop's or branch's result, or a dot's accumulator. */
export interface AssignRoot extends RootBase {
  readonly kind: 'assign'
  readonly value: TileNode
  readonly buffer: Buffer
  /** Copy from here instead of evaluating the value: a loop that swaps its carried tiles needs a temporary. */
  readonly source: Buffer | null
}
/** A dot's operand, packed in the layout and dtype of its micro-kernel. */
export interface PackRoot extends RootBase {
  readonly kind: 'pack'
  readonly value: Value
  readonly buffer: Buffer
  readonly side: 'rows' | 'panels'
  /** Set when the buffer holds words of several elements along K (lane/word-dot.ts), of this dtype. */
  readonly words: WordDtype | null
}
export interface ReduceRoot extends RootBase {
  readonly kind: 'reduce'
  readonly node: NodeOf<'reduce'>
  readonly buffer: Buffer | null
}
export interface ScanRoot extends RootBase {
  readonly kind: 'scan'
  readonly node: NodeOf<'scan'>
  readonly buffer: Buffer
}
/** acc += a·b by the blocked kernel; both operands are in scratch, b in panels or (without `panel`) row-major. */
export interface DotRoot extends RootBase {
  readonly kind: 'dot'
  readonly node: NodeOf<'dot'>
  readonly buffer: Buffer
  readonly rows: Buffer
  readonly panels: Buffer
  /** a is stored as [K, rows], row-major. */
  readonly isAcross: boolean
  /** The initial value of all sums, if it is a constant: `buffer` is then not read. */
  readonly start: ScalarValue | null
  /** Set when both operands are packed in words of this dtype. */
  readonly words: WordDtype | null
  readonly block: { readonly rows: number; readonly columns: number }
}
/** acc += a·b with few rows on one side: the large operand is read in place, once. */
export interface ThinDotRoot extends RootBase {
  readonly kind: 'thinDot'
  readonly node: NodeOf<'dot'>
  readonly buffer: Buffer
  /** The large operand over the nest's two axes; `axis` is the one along K. */
  readonly large: Value
  readonly axis: 0 | 1
  /** The small operand, [rows, K] in scratch. */
  readonly small: Buffer
  readonly side: 'a' | 'b'
}
/** A histogram, an order by bins or a look-up: serial loops over the whole of its inputs, which are in scratch. */
export interface BinsRoot extends RootBase {
  readonly kind: 'bins'
  readonly node: NodeOf<'histogram'> | NodeOf<'binOrder'> | NodeOf<'take'>
  /** null: an order that only the tables are put in. */
  readonly buffer: Buffer | null
  readonly inputs: readonly Buffer[]
  /** A counter per bin, and for histograms one for what is in none; null: for look-ups. */
  readonly counters: Buffer | null
  /** Tables that an order by bins leaves in that order, instead of look-ups that read it afterwards. */
  readonly placed: Placed[]
}
interface Placed {
  readonly node: NodeOf<'take'>
  readonly table: Buffer
  readonly buffer: Buffer
}
/** Scatter and atomic: elements in the tile's own order. */
export interface IndexedRoot extends RootBase {
  readonly kind: 'indexed'
  readonly node: NodeOf<'scatter'> | NodeOf<'atomic'>
  readonly buffer: Buffer | null
}
/** A load or gather of one element, into a register. */
export interface SingleRoot extends RootBase {
  readonly kind: 'single'
  readonly node: NodeOf<'load'> | NodeOf<'gather'>
}
export interface ControlRoot extends RootBase {
  readonly kind: 'control'
  readonly node: NodeOf<'range'> | NodeOf<'while'> | NodeOf<'if'>
}

export type Root =
  | StoreRoot
  | KeepRoot
  | AssignRoot
  | PackRoot
  | ReduceRoot
  | ScanRoot
  | DotRoot
  | ThinDotRoot
  | BinsRoot
  | IndexedRoot
  | SingleRoot
  | ControlRoot

/** Memory that a nest reads: a view through a load or gather, or a buffer. */
export interface Access extends Value {
  readonly kind: 'load' | 'gather' | 'buffer'
}

/** The reads of a root, through its elementwise expressions. */
export interface Cone {
  readonly accesses: readonly Access[]
  /** Single-element accesses, which run at their own point. */
  readonly singles: ReadonlySet<TileNode>
  /** Arithmetic per element, in the scalar table's units. */
  readonly cost: number
}

/** Facts about a program before its roots are listed. */
export interface Facts {
  readonly structure: Structure
  readonly index: IndexAnalysis
  readonly points: EarliestPoints
  /** The buffers of tiles with more than one element, if they are stored. */
  readonly buffers: ReadonlyMap<TileNode, Buffer>
}

export interface LoweringPlan extends Facts {
  /** Buffers that alias another: a loop's result updated in place. */
  readonly aliases: ReadonlyMap<Buffer, Buffer>
  /** The buffers of each control node's results; null for results in registers. */
  readonly slots: ReadonlyMap<TileNode, readonly (Buffer | null)[]>
  readonly roots: ReadonlyMap<Scope, readonly Root[]>
  readonly cones: ReadonlyMap<Root, Cone>
  /** The roots that read or write each memory. */
  readonly touching: ReadonlyMap<Buffer, readonly Root[]>
  /** The indices that each root visits; roots without an entry are dead. */
  readonly ranges: ReadonlyMap<Root, readonly AxisRange[]>
}

/** The buffer that owns the memory of this one. */
export function memoryOf(aliases: ReadonlyMap<Buffer, Buffer>, buffer: Buffer): Buffer {
  let memory = buffer
  for (;;) {
    const next = memory.base ?? aliases.get(memory)
    if (next === undefined) return memory
    memory = next
  }
}

export function denseStrides(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1)
  for (let d = shape.length - 2; d >= 0; d--) strides[d] = strides[d + 1]! * shape[d + 1]!
  return strides
}

export function denseBuffer(name: string, dtype: Dtype, shape: readonly number[]): Buffer {
  return {
    name,
    dtype,
    shape,
    strides: denseStrides(shape),
    count: shape.reduce((a, b) => a * b, 1),
    panel: null,
    row: null,
    base: null,
  }
}

/** The order of two points of one scope. */
export const comparePoints = (a: ProgramPoint, b: ProgramPoint): number => a.index - b.index || a.order - b.order
