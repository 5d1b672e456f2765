/** Where a program of a ragged product works: the grid, and its rows and their matrix, from the ends of the groups. */

import { nodesOf } from '../ir/walk.js'
import { raggedTile, raggedTiles } from '../kernels/ragged.js'
import type { LoopNode, LoopProgram, Ragged } from '../loop/ir.js'
import type { Size } from '../scalar/size.js'
import type { Operand, TileValue } from '../tile/language.js'
import type { Axis } from './axes.js'
import type { Evaluator } from './evaluate.js'
import type { KernelWriter } from './writer.js'

export interface RaggedPlace {
  /** Programs along the grid's second axis. */
  readonly tiles: Size
  readonly offsets: ReadonlyMap<Axis, TileValue>
  readonly ends: ReadonlyMap<Axis, TileValue>
  /** i64: the group of the rows; none of the matrices' for rows of no group. */
  readonly group: TileValue
  /** How far to sum: nothing where there is no matrix. */
  depth(length: Operand): TileValue
}

/** More ends than this are looked at in turns. */
const maxEnds = 256
/** Smaller tiles of rows only read the matrices more often. */
const leastRows = 16

/** `axes.rows`: null where there is one row only. */
export function placeRows(
  writer: KernelWriter,
  ragged: Ragged,
  axes: { readonly rows: Axis | null; readonly groups: Axis },
  extents: ReadonlyMap<Axis, number>,
): RaggedPlace {
  const { t } = writer
  const { access, length, stride } = ragged.ends
  const { view } = writer.view(access, { size: length, stride })
  const block = typeof length === 'number' ? Math.min(maxEnds, 2 ** Math.ceil(Math.log2(length + 1))) : maxEnds
  const tile = axes.rows === null ? 1 : extents.get(axes.rows)!
  const found = raggedTile(t, {
    rows: axes.rows === null ? 1 : writer.axisSize(axes.rows),
    count: writer.size(length),
    tile,
    block,
    ends: from => t.load(view, [from], [block]).to('i64'),
    program: t.programId(1),
  })
  const group = ragged.skip === 0 ? found.group : found.group.sub(ragged.skip)
  const count = writer.axisSize(axes.groups)
  const last = t.const(0n, 'i64').add(count).sub(1)
  const offsets = new Map([[axes.groups, group.min(last).max(0)]])
  const ends = new Map<Axis, TileValue>()
  if (axes.rows !== null) {
    offsets.set(axes.rows, found.start)
    ends.set(axes.rows, found.end)
  }
  const hasMatrix = group.ge(0).and(group.lt(count)).to('i64')
  const depth = (size: Operand): TileValue => hasMatrix.mul(size).min(size)
  const tiles = axes.rows === null ? 1 : raggedTiles(axes.rows.size, length, tile)
  return { tiles, offsets, ends, group, depth }
}

/** The group's number, for the expressions that ask for it. */
export function bindGroup({ body }: LoopProgram, evaluator: Evaluator, group: TileValue): void {
  for (const node of nodesOf<LoopNode>(body)) if (node.op === 'group') evaluator.bind(node, { tile: group, axes: [] })
}

/** Rows to choose tiles for: a power of two, so that groups of about as many are seldom cut; null: not known. */
export function rowsPerGroup(rows: number | null, groups: number | null): number | null {
  if (rows === null || groups === null) return rows
  const each = 2 ** Math.ceil(Math.log2(Math.max(1, rows / Math.max(1, groups))))
  return Math.min(rows, Math.max(leastRows, each))
}
