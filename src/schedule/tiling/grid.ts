/**
 * The grid of a launch: kept axes of more than one block, the innermost fastest; axes beyond the third share the last dim.
 */
import { ceilDivSizes, mulSizes, type Size } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { Axis } from './axes.js'
import type { KernelWriter } from './writer.js'

export type Grid = readonly [Size, Size, Size]

/** The grid, and each axis' first index in a program instance. Axes of one block start at 0 and are absent. */
export function assignGrid(
  writer: KernelWriter,
  innerFirst: readonly Axis[],
  extents: ReadonlyMap<Axis, number>,
): { readonly grid: Grid; readonly offsets: Map<Axis, TileValue> } {
  const { t } = writer
  const blocks = innerFirst
    .map(axis => ({ axis, extent: extents.get(axis)!, count: ceilDivSizes(axis.size, extents.get(axis)!) }))
    .filter(({ count }) => count !== 1)
  const offsets = new Map<Axis, TileValue>()
  // The grid bounds the program id already; the redundant min proves that blocks are inside an axis that they divide.
  const start = (id: TileValue, { axis, extent, count }: (typeof blocks)[number]): TileValue => {
    const divides = typeof axis.size === 'number' && typeof count === 'number' && axis.size % extent === 0
    const bounded = divides ? id.min(count - 1) : id
    return extent === 1 ? bounded : bounded.mul(extent)
  }
  const direct = blocks.length <= 3 ? blocks : blocks.slice(0, 2)
  direct.forEach((block, i) => void offsets.set(block.axis, start(t.programId(i as 0 | 1 | 2), block)))
  const shared = blocks.slice(direct.length)
  let rest = shared.length > 0 ? t.programId(2) : null
  for (const [i, block] of shared.entries()) {
    const last = i === shared.length - 1
    const divisor = writer.size(block.count)
    offsets.set(block.axis, start(last ? rest! : rest!.mod(divisor), block))
    if (!last) rest = rest!.floorDiv(divisor)
  }
  const z =
    shared.length > 0 ? shared.reduce<Size>((all, { count }) => mulSizes(all, count), 1) : (direct[2]?.count ?? 1)
  return { grid: [direct[0]?.count ?? 1, direct[1]?.count ?? 1, z], offsets }
}
