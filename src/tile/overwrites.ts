/**
 * Whether a kernel overwrites a view: it stores every element and reads none, so the view's old contents do not matter.
 * Recognised for the usual grids: one block per program along each axis, or blocks in rows and columns that one axis
 * enumerates. False means that it could not be proved.
 */
import { nodesOf } from '../ir/walk.js'
import {
  addSizes,
  ceilDivSizes,
  floorDivSizes,
  mulSizes,
  rangeOf,
  type Size,
  sameSize,
  subSizes,
} from '../scalar/size.js'
import { storeEnds, type TileNode, type TileProgram, tileType } from './ir.js'

export interface LaunchSizes {
  /** The shapes of the views by parameter; null for scalars. */
  readonly shapes: readonly (readonly Size[] | null)[]
  readonly grid: readonly [Size, Size, Size]
}

/** True when a kernel certainly writes every element of a view parameter, and reads none. */
export function overwrites({ body }: TileProgram, param: number, sizes: LaunchSizes): boolean {
  for (const node of nodesOf<TileNode>(body)) {
    const reads = node.op === 'load' || node.op === 'gather' || node.op === 'atomic'
    if (reads && isParam(node.inputs[0]!, param)) return false
  }
  // Stores inside loops and branches may not be executed.
  return body.body.some(node => node.op === 'store' && isParam(node.inputs[0]!, param) && storesAll(node, param, sizes))
}

const isParam = (view: TileNode, param: number): boolean => view.op === 'view' && view.attrs.index === param

/** A dim's first index in a program: `step` times the program's index in a row, in a column, or along a whole axis. */
type BlockStart =
  | { readonly kind: 'fixed' }
  | {
      readonly kind: 'whole' | 'row' | 'column'
      readonly axis: 0 | 1 | 2
      readonly columns: Size
      readonly step: number
    }

function storesAll(store: TileNode, param: number, { shapes, grid }: LaunchSizes): boolean {
  if (storeEnds(store) !== null) return false
  const shape = shapes[param]!
  const block = tileType(store.inputs.at(-1)!).shape
  const starts = shape.map((_, d) => startOf(store.inputs[1 + d]!, shapes))
  const isCovered = (start: BlockStart | null, d: number): boolean => {
    if (start === null) return false
    if (start.kind === 'fixed') return isAtLeast(block[d]!, shape[d]!)
    const others = starts.filter(
      other => other !== start && other !== null && other.kind !== 'fixed' && other.axis === start.axis,
    )
    if (start.step > block[d]!) return false
    const programs = grid[start.axis]!
    if (start.kind === 'whole') return others.length === 0 && covers(programs, start.step, shape[d]!)
    if (start.kind === 'column')
      return isPair('row', others, start.columns) && covers(start.columns, start.step, shape[d]!)
    const rows = ceilDivSizes(shape[d]!, start.step)
    return isPair('column', others, start.columns) && isAtLeast(programs, mulSizes(rows, start.columns))
  }
  return starts.every(isCovered) && grid.every(programs => rangeOf(programs).min >= 1)
}

/** True when the only other dim along the axis is the column that complements this row (or vice versa). */
function isPair(kind: 'row' | 'column', others: readonly (BlockStart | null)[], columns: Size): boolean {
  const [other, ...more] = others
  return more.length === 0 && other?.kind === kind && sameSize(other.columns, columns)
}

/** True when `count` blocks at intervals of `step` cover `size` elements. */
const covers = (count: Size, step: number, size: Size): boolean => isAtLeast(count, ceilDivSizes(size, step))

const isAtLeast = (a: Size, b: Size): boolean => sameSize(a, b) || rangeOf(subSizes(a, b)).min >= 0

function startOf(offset: TileNode, shapes: LaunchSizes['shapes']): BlockStart | null {
  if (offset.op === 'const') return offset.attrs.value === 0n ? { kind: 'fixed' } : null
  if (offset.op !== 'map' || offset.attrs.fn !== 'mul') return blockStart(offset, 1, shapes)
  const [a, b] = offset.inputs as [TileNode, TileNode]
  const [index, step] = a.op === 'const' ? [b, a] : [a, b]
  return step.op === 'const' && step.attrs.value >= 1n ? blockStart(index, Number(step.attrs.value), shapes) : null
}

/** How a block's start follows from the program id; null: it has no such form. */
function blockStart(index: TileNode, step: number, shapes: LaunchSizes['shapes']): BlockStart | null {
  if (index.op === 'programId') return { kind: 'whole', axis: index.attrs.axis, columns: 1, step }
  if (index.op !== 'map' || (index.attrs.fn !== 'floorDiv' && index.attrs.fn !== 'mod')) return null
  const [id, divisor] = index.inputs as [TileNode, TileNode]
  const columns = sizeOf(divisor, shapes)
  if (id.op !== 'programId' || columns === null || rangeOf(columns).min < 1) return null
  return { kind: index.attrs.fn === 'mod' ? 'column' : 'row', axis: id.attrs.axis, columns, step }
}

/** An i64 scalar as a size, if it is made of constants and sizes of views. */
function sizeOf(node: TileNode, shapes: LaunchSizes['shapes']): Size | null {
  if (node.op === 'const') return Number(node.attrs.value)
  if (node.op === 'size') {
    const view = node.inputs[0]!
    return view.op === 'view' ? (shapes[view.attrs.index]?.[node.attrs.dim] ?? null) : null
  }
  if (node.op !== 'map' || node.inputs.length !== 2) return null
  const [a, b] = node.inputs.map(input => sizeOf(input, shapes)) as [Size | null, Size | null]
  if (a === null || b === null) return null
  switch (node.attrs.fn) {
    case 'add':
      return addSizes(a, b)
    case 'sub':
      return subSizes(a, b)
    case 'mul':
      return mulSizes(a, b)
    case 'floorDiv':
      return rangeOf(b).min >= 1 ? floorDivSizes(a, b) : null
    default:
      return null
  }
}
