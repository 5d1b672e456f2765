/**
 * Scatters on a CPU. Programs own columns of the result, or ranges of its rows, and look at all elements in order: no
 * atomics, and the same result for any number of threads.
 */
import type { LoopProgram, UpdateNode } from '../../loop/ir.js'
import type { Axes } from '../../schedule/tiling/axes.js'
import { blockExtent, clamp, plannedProduct, plannedSize, tileOrder } from '../../schedule/tiling/tiling.js'
import type { UpdateTiling } from '../../schedule/tiling/updates.js'
import type { CpuTarget } from '../../target/cpu.js'
import { itemBytes } from '../../types/dtype.js'
import type { CpuLimits } from './limits.js'

/** Bytes of a row that a program processes at most, and at least where there are enough columns. */
const [longRow, shortRow] = [16384, 256]
/** Looking at an element costs as much as processing so many bytes. */
const lookBytes = 32
/** Elements below which one program is enough. */
const fewElements = 4096

export function cpuUpdateTiling(
  program: LoopProgram,
  axes: Axes,
  { attrs: { access, along } }: UpdateNode,
  { cores }: CpuTarget,
  limits: CpuLimits,
): UpdateTiling {
  const row = axes.of(along)
  const kept = tileOrder(program, axes).filter(axis => axis !== row)
  const columns = kept.at(-1)
  const bytes = itemBytes(access.dtype)
  const elements = plannedProduct(axes.all.map(axis => axis.size))
  const others = plannedProduct(kept.slice(0, -1).map(axis => axis.size))
  const width = columns === undefined ? 1 : plannedSize(columns.size)
  const isSmall = typeof elements === 'number' && elements < fewElements
  // Programs that are still wanted once those of the outer axes are counted; of unknown sizes all are.
  const wanted = isSmall ? 1 : Math.ceil((2 * cores) / (typeof others === 'number' ? Math.max(1, others) : 1))
  const even = typeof width === 'number' ? Math.ceil(width / wanted) : longRow
  const extent =
    columns === undefined ? 1 : blockExtent(columns.size, clamp(even, shortRow / bytes, longRow / bytes), limits)
  const blocks = typeof width === 'number' ? Math.ceil(width / extent) : 1
  const parts = extent * bytes >= 4 * lookBytes ? Math.ceil(wanted / blocks) : 1
  const extents = new Map(axes.all.map(axis => [axis, axis === columns ? extent : 1]))
  return { kind: 'ordered', tiling: { order: [...kept, row], extents }, parts }
}
