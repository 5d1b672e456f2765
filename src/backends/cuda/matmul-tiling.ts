/** GEMM tiling on a GPU: the extent of each axis per CTA. */
import type { MatmulSizes, MatmulTiles } from '../../kernels/matmul.js'
import type { LoopProgram } from '../../loop/ir.js'
import { floorDivSizes, maxSizes, minSizes, productOf, type Size } from '../../scalar/size.js'
import type { DotPolicy, Matmul, Matmuls, MatmulTiling, SchedulePolicy } from '../../schedule/policy.js'
import { type Axis, collapse } from '../../schedule/tiling/axes.js'
import { operandDtype, plainAccess } from '../../schedule/tiling/contraction-operands.js'
import {
  addExtents,
  blockTiling,
  knownSizeOf,
  matmulAxes,
  matmulSizes,
  operandsOf,
} from '../../schedule/tiling/contraction-tiling.js'
import { matmulsOf } from '../../schedule/tiling/matmul-template.js'
import type { CudaTarget } from '../../target/cuda.js'
import type { BlockLimits } from './limits.js'
import { cudaMatmulParts, cudaMatmulTiles, type MatmulOperand, operandBits } from './matmul-tiles.js'

/** Tiles for a matmul: those given (by max-autotune or a group), else those that the cost model chooses. */
export function cudaMatmulTiling(
  { matmuls, axes, sizes }: Matmul,
  target: CudaTarget,
  dots: DotPolicy,
  { matmul: given, matmulRank }: BlockLimits,
): MatmulTiling {
  const wanted = given ?? cudaMatmulTiles([sizes], operandOf(matmuls, target, dots), target, matmulRank)
  const extents = new Map<Axis, number>(axes.batch.map(axis => [axis, 1]))
  for (const [group, extent] of [
    [axes.m, wanted.m],
    [axes.n, wanted.n],
    [axes.k, wholeBlock(axes.k, wanted.k)],
  ] as const) {
    // Of several axes of one side the inner ones are taken whole; a single axis may be split anywhere.
    if (group.length === 1) extents.set(group[0]!, extent)
    else addExtents(extents, group, extent)
  }
  return {
    ...blockTiling(axes, extents),
    rowsFirst: isWide(sizes, operandBits(operandOf(matmuls, target, dots)), target),
  }
}

/** A right operand of more than this share of the L2 cache is read from memory again for each row of tiles. */
const cachedShare = 1 / 3

/** True where the right operand does not stay in the L2 cache, but the left one does. */
function isWide({ m, n, k }: MatmulSizes, bits: number, { l2Bytes }: CudaTarget): boolean {
  if (m === null || n === null || k === null) return false
  const kept = cachedShare * l2Bytes
  return (n * k * bits) / 8 > kept && (m * k * bits) / 8 <= kept
}

/** Parts of k: those of known sizes that the cost model chooses. An unbounded k of few tiles is split by its length. */
export function cudaMatmulSplit({ matmuls, axes, sizes }: Matmul, target: CudaTarget, dots: DotPolicy): Size {
  const operand = operandOf(matmuls, target, dots)
  const long = sizes.k === null
  const count = cudaMatmulParts({ ...sizes, k: sizes.k ?? longDepth }, operand, target)
  const depth = productOf(axes.k.map(axis => axis.size))
  return long && count > 1 ? minSizes(count, maxSizes(1, floorDivSizes(depth, leastDepth))) : count
}

/** Where k is not known: what it is taken for, and how much of it is a part at least. */
const longDepth = 1 << 16
const leastDepth = 1024

/**
 * K per block: `wanted`, or twice that when the inner axes are then whole, such as blocks that share a scale: a nested loop
 * of two iterations would hardly overlap with memory.
 */
function wholeBlock([, ...inner]: readonly Axis[], wanted: number): number {
  const whole = knownSizeOf(inner)
  return whole === 2 * wanted ? whole : wanted
}

function operandOf(matmuls: Matmuls, { arch }: CudaTarget, dots: DotPolicy): MatmulOperand {
  const { codes, precision } = matmuls[0].attrs.params
  if (codes !== null) return 'codes'
  if (precision === 'tf32') return 'tf32'
  const dtype = operandDtype(matmuls[0], dots)
  const byWarpgroups = arch.warpgroup && (dtype === 'f16' || dtype === 'bf16')
  const isDecoded = operandsOf(matmuls).map(each => plainAccess(each) === null)
  if (!byWarpgroups || !isDecoded.includes(true)) return dtype
  return isDecoded.includes(false) ? 'half decoded' : 'decoded'
}

/** Tiles for the GEMMs of several programs that run at the same time. */
export function groupTiles(
  programs: readonly LoopProgram[],
  target: CudaTarget,
  policy: Pick<SchedulePolicy, 'limits' | 'dots'>,
  rank: number,
): MatmulTiles {
  const gemms = programs.flatMap(program => {
    const [first, ...others] = matmulsOf(program)
    if (first === undefined) return []
    const matmuls: Matmuls = [first, ...others]
    const axes = matmulAxes(matmuls, collapse(program), policy)
    return [{ sizes: matmulSizes(matmuls, axes), operand: operandOf(matmuls, target, policy.dots) }]
  })
  const widest = gemms.reduce((a, b) => (operandBits(b.operand) > operandBits(a.operand) ? b : a))
  return cudaMatmulTiles(
    gemms.map(({ sizes }) => sizes),
    widest.operand,
    target,
    rank,
  )
}
