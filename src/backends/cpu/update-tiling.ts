/**
 * Scatters on a CPU. Programs own columns of the result, or ranges of its rows, and look at all elements in order: no
 * atomics, and the same result for any number of threads. Where no two elements are for one place, programs own elements.
 */
import type { LoopProgram, UpdateNode } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { Axes } from '../../schedule/tiling/axes.js'
import { blockExtent, clamp, plannedProduct, plannedSize, tileOrder } from '../../schedule/tiling/tiling.js'
import type { UpdateTiling } from '../../schedule/tiling/updates.js'
import type { CpuTarget } from '../../target/cpu.js'
import { itemBytes } from '../../types/dtype.js'
import type { CpuLimits } from './limits.js'
import { cpuTiling } from './tiling.js'

/** Bytes of a row that a program processes at most, and at least where there are enough columns. */
const [longRow, shortRow] = [16384, 256]
/** Rows of so many bytes cost enough that programs look at all of them to find their own. */
const wideRow = 128
/** Elements below which one program is enough. */
const fewElements = 4096

export function cpuUpdateTiling(
  program: LoopProgram,
  axes: Axes,
  { attrs: { access, along, fold, distinct } }: UpdateNode,
  target: CpuTarget,
  limits: CpuLimits,
): UpdateTiling {
  // Nothing is put twice: any program may put any elements.
  if (fold === 'set' && distinct) return { kind: 'atomic', tiling: cpuTiling(program, axes, target, limits) }
  const { cores } = target
  const row = axes.of(along)
  const kept = tileOrder(program, axes).filter(axis => axis !== row)
  const inner = kept.at(-1)
  const columns = inner !== undefined && axes.factors(access.index).get(inner) === 1 ? inner : null
  const bytes = itemBytes(access.dtype)
  const elements = plannedProduct(axes.all.map(axis => axis.size))
  const others = plannedProduct(kept.filter(axis => axis !== columns).map(axis => axis.size))
  const width = columns === null ? 1 : plannedSize(columns.size)
  const isSmall = typeof elements === 'number' && elements < fewElements
  // Programs that are still wanted once those of the other axes are counted; of unknown sizes all are.
  const wanted = isSmall ? 1 : Math.ceil((2 * cores) / (typeof others === 'number' ? Math.max(1, others) : 1))
  const even = typeof width === 'number' ? Math.ceil(width / wanted) : longRow
  const limit = clamp(even, shortRow / bytes, longRow / bytes)
  const extent = columns === null ? 1 : blockExtent(columns.size, limit, limits)
  const blocks = typeof width === 'number' ? Math.ceil(width / extent) : 1
  const parts = extent * bytes >= wideRow ? Math.ceil(wanted / blocks) : 1
  const extents = new Map(axes.all.map(axis => [axis, axis === columns ? extent : 1]))
  return { kind: 'ordered', tiling: { order: [...kept, row], extents }, parts }
}

/** Parts of a scatter whose elements one program would put in order, and elements that are worth dividing. */
const [mostParts, manyElements] = [16, 65536]

/** The parts of a scatter: the same for any number of cores. Copies of the result cost as much as elements that are put. */
export function scatterParts(places: Size, elements: Size, length: number): number {
  if (typeof places !== 'number' || typeof elements !== 'number') return 1
  const isDivided = elements / length >= mostParts / 2
  if (isDivided || elements < manyElements) return 1
  const most = Math.min(mostParts, Math.floor(elements / (4 * Math.max(1, places))))
  for (let parts = most; parts > 1; parts--) if (length % parts === 0) return parts
  return 1
}
