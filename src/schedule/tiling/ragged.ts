/** The tile of a program of a ragged matmul: its rows and their matrix, or its range of k, found from the groups' ends. */

import { nodesOf } from '../../ir/walk.js'
import { raggedDepth, raggedTile, raggedTiles } from '../../kernels/ragged.js'
import type { LoopNode, LoopProgram } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { TileOperand, TileValue } from '../../tile/language.js'
import type { Axis } from './axes.js'
import type { Evaluator } from './evaluate.js'
import type { Ragged } from './matmul-template.js'
import type { KernelWriter } from './writer.js'

export interface RaggedTile {
  /** Programs along the grid's second axis. */
  readonly tiles: Size
  readonly offsets: ReadonlyMap<Axis, TileValue>
  readonly ends: ReadonlyMap<Axis, TileValue>
  /** i64: the group of the rows; outside of the matrices' range for rows of no group. */
  readonly group: TileValue
  /** The trip count of the K loop: 0 where there is no matrix. */
  depth(length: TileOperand): TileValue
}

/** Above this count, group ends are searched in blocks. */
const maxEnds = 256
/** Smaller tiles only reread the other operand more often. */
const minSize = 16

/** `axes.rows`: null where there is one row only. */
export function locateRows(
  writer: KernelWriter,
  ragged: Ragged,
  axes: { readonly rows: Axis | null; readonly groups: Axis },
  extents: ReadonlyMap<Axis, number>,
): RaggedTile {
  const { t } = writer
  const { access, length, stride } = ragged.ends
  const { view } = writer.view(access, { size: length, stride })
  const block = endsBlock(length)
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
  const depth = (size: TileOperand): TileValue => hasMatrix.mul(size).min(size)
  const tiles = axes.rows === null ? 1 : raggedTiles(axes.rows.size, length, tile)
  return { tiles, offsets, ends, group, depth }
}

/** Binds the group's number for expressions that use it. */
export function bindGroup({ body }: LoopProgram, evaluator: Evaluator, group: TileValue): void {
  for (const node of nodesOf<LoopNode>(body)) if (node.op === 'group') evaluator.bind(node, { tile: group, axes: [] })
}

/** The range of k that belongs to a program's group. `group`: null if there is only one. */
export function locateDepth(
  writer: KernelWriter,
  { ends }: Ragged,
  group: TileValue | null,
  length: TileOperand,
): { readonly start: TileValue; readonly end: TileValue } {
  const { view } = writer.view(ends.access, { size: ends.length, stride: ends.stride })
  const block = endsBlock(ends.length)
  return raggedDepth(writer.t, {
    group: group ?? writer.t.const(0n, 'i64'),
    count: writer.size(ends.length),
    length,
    block,
    ends: from => writer.t.load(view, [from], [block]).to('i64'),
  })
}

const endsBlock = (length: Size): number =>
  typeof length === 'number' ? Math.min(maxEnds, 2 ** Math.ceil(Math.log2(length + 1))) : maxEnds

/**
 * The size that tiles are chosen for: the mean group, rounded up to a power of two so that most groups fit; null: not known.
 */
export function perGroup(size: number | null, groups: number | null): number | null {
  if (size === null || groups === null) return size
  const each = 2 ** Math.ceil(Math.log2(Math.max(1, size / Math.max(1, groups))))
  return Math.min(size, Math.max(minSize, each))
}
