/** The grid of a launch: kept axes that are more than one block, the innermost fastest; more than three share the last. */
import { ceilDivSizes, mulSizes, type Size } from '../scalar/size.js'
import type { TileValue } from '../tile/language.js'
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
  const start = (id: TileValue, extent: number): TileValue => (extent === 1 ? id : id.mul(extent))
  const direct = blocks.length <= 3 ? blocks : blocks.slice(0, 2)
  direct.forEach(({ axis, extent }, i) => void offsets.set(axis, start(t.programId(i as 0 | 1 | 2), extent)))
  const shared = blocks.slice(direct.length)
  let rest = shared.length > 0 ? t.programId(2) : null
  for (const [i, { axis, extent, count }] of shared.entries()) {
    const last = i === shared.length - 1
    const divisor = writer.size(count)
    offsets.set(axis, start(last ? rest! : rest!.mod(divisor), extent))
    if (!last) rest = rest!.floorDiv(divisor)
  }
  const z =
    shared.length > 0 ? shared.reduce<Size>((all, { count }) => mulSizes(all, count), 1) : (direct[2]?.count ?? 1)
  return { grid: [direct[0]?.count ?? 1, direct[1]?.count ?? 1, z], offsets }
}
