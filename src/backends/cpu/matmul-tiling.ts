/** GEMM tiling on a CPU: the extent of each axis per program instance. */
import type { MatmulChoices } from '../../kernels/matmul.js'
import { type LoopNode, nodesBehind } from '../../loop/ir.js'
import { narrowDots } from '../../lower/cpu/dots.js'
import type { Matmul, MatmulTiling } from '../../schedule/policy.js'
import type { Axes, Axis } from '../../schedule/tiling/axes.js'
import { operandDtype } from '../../schedule/tiling/contraction-operands.js'
import {
  addExtents,
  blockSize,
  blockTiling,
  known,
  knownSizeOf,
  rightsOf,
} from '../../schedule/tiling/contraction-tiling.js'
import { plannedSize } from '../../schedule/tiling/tiling.js'
import type { CpuTarget } from '../../target/cpu.js'
import { itemBytes } from '../../types/dtype.js'
import { cpuMatmulTiles, depthBlock, thinMatmulTiles } from './matmul-tiles.js'

/** Tiles for a matmul: those for few rows where they suit, else those that the cost model chooses. */
export function cpuMatmulTiling(
  { matmuls, axes, sizes, loops }: Matmul,
  target: CpuTarget,
  choices: MatmulChoices,
): MatmulTiling {
  const extents = new Map<Axis, number>(axes.batch.map(axis => [axis, 1]))
  // Narrow elements take as much cache as fewer wide ones, and each block of K reads and writes all sums.
  const bytes = itemBytes(operandDtype(matmuls[0], { multiplied: narrowDots(target) }))
  addDepths(extents, axes.k, bytes < 4 ? (choices.depth * 4) / bytes : choices.depth)
  const depth = blockSize(extents, axes.k)
  const isSimple = axes.m.length <= 1 && axes.n.length <= 1 && axes.k.length === 1
  const thin =
    isSimple && rightsOf(matmuls).every(b => isRowMajorInMemory(b, axes.n[0], loops))
      ? thinMatmulTiles({ ...sizes, k: knownSizeOf(axes.k) }, target)
      : null
  const chosen =
    thin ??
    cpuMatmulTiles(
      sizes,
      target,
      { rows: blockChoices(axes.m, choices.rows), columns: blockChoices(axes.n, choices.columns) },
      depth,
    )
  if (thin !== null) extents.set(axes.k[0]!, thin.k)
  addExtents(extents, axes.m, chosen.m)
  addExtents(extents, axes.n, chosen.n)
  return blockTiling(axes, extents)
}

/** Columns that blocks of part of an axis may have more than the axis: the last one takes as long as the others. */
const mostWaste = 1.15

/** Candidate block sizes: as given for one axis; for several, parts of the innermost, or whole inner axes times some of the next. */
function blockChoices(axes: readonly Axis[], choices: readonly number[]): readonly number[] {
  const [outer, ...inner] = axes
  if (outer === undefined || inner.length === 0) return choices
  const max = choices.at(-1)!
  const length = known(inner.at(-1)!.size) ?? 1
  const found = new Set(
    choices.filter(choice => choice < length && Math.ceil(length / choice) * choice <= mostWaste * length),
  )
  let whole = 1
  for (const axis of axes.toReversed()) {
    const size = known(axis.size)!
    // With several axes on one side of the matrix a partial block cannot be masked: blocks divide their axis.
    for (let count = 1; count <= size && count * whole <= max; count++) if (size % count === 0) found.add(count * whole)
    whole *= size
  }
  return [...found].sort((a, b) => a - b)
}

/** Extents along K: inner axes whole while they fit, divisors of those that do not. */
function addDepths(extents: Map<Axis, number>, axes: readonly Axis[], wanted: number): void {
  let left = wanted
  for (const axis of axes.toReversed()) {
    const extent = depthBlock(known(plannedSize(axis.size)), left)
    extents.set(axis, extent)
    left = Math.max(1, Math.floor(left / extent))
  }
}

/** Every large access of the operand is contiguous along n. */
function isRowMajorInMemory(b: LoopNode, n: Axis | undefined, axes: Axes): boolean {
  if (n === undefined) return false
  return nodesBehind([b]).every(node => {
    if (node.op !== 'load') return node.op !== 'gather'
    const factors = axes.factors(node.attrs.access.index)
    return factors.size < 2 || factors.get(n) === 1
  })
}
