/**
 * GEMM tiles for a GPU. Large tiles reread operands less; small ones occupy every multiprocessor. The cost model picks the
 * tile with the least total time, wave quantisation included.
 */

import type { MatmulSizes, MatmulTiles } from '../../kernels/matmul.js'
import type { CudaTarget } from '../../target/cuda.js'
import { type Dtype, dtypeInfo } from '../../types/dtype.js'

/** A tile that may be chosen. */
export interface MatmulTile extends MatmulTiles {
  /** Fraction of a multiprocessor's peak rate that these tiles reach. */
  readonly efficiency: number
}

/** 16- and 8-bit operands use tensor cores. */
const matrixUnit: readonly MatmulTile[] = [
  { m: 128, n: 256, k: 64, efficiency: 1 },
  { m: 256, n: 128, k: 64, efficiency: 1 },
  { m: 128, n: 128, k: 64, efficiency: 0.9 },
  { m: 128, n: 64, k: 64, efficiency: 0.7 },
  { m: 64, n: 128, k: 64, efficiency: 0.7 },
  { m: 64, n: 64, k: 64, efficiency: 0.5 },
  { m: 32, n: 64, k: 64, efficiency: 0.3 },
  { m: 16, n: 128, k: 64, efficiency: 0.25 },
  { m: 16, n: 64, k: 128, efficiency: 0.18 },
  { m: 16, n: 32, k: 128, efficiency: 0.1 },
  // M ≤ 8 is computed transposed (swap A/B): the weights' rows fill the instruction's M.
  { m: 8, n: 128, k: 64, efficiency: 0.14 },
  { m: 8, n: 64, k: 128, efficiency: 0.1 },
  { m: 8, n: 32, k: 128, efficiency: 0.055 },
]

/**
 * Operands that are dequantised before wgmma: each iteration also costs fences and barriers, so K per iteration is large.
 * The left operand goes to wgmma from registers, of which 256 rows take too many; dequantising takes longer than the dots,
 * so 64 rows pay off even where most of them are padding.
 */
const decoded: readonly MatmulTile[] = [
  { m: 128, n: 256, k: 128, efficiency: 1 },
  { m: 128, n: 128, k: 128, efficiency: 0.83 },
  { m: 128, n: 64, k: 128, efficiency: 0.5 },
  { m: 64, n: 128, k: 128, efficiency: 0.5 },
  { m: 64, n: 64, k: 128, efficiency: 0.38 },
  { m: 64, n: 32, k: 128, efficiency: 0.26 },
]

/** One operand dequantised, the other copied: for small M, padding to wgmma's 64 rows beats dequantising in few threads. */
const halfDecoded: readonly MatmulTile[] = [
  ...matrixUnit.filter(({ m, n }) => m >= 64 && m * n > 64 * 64),
  { m: 64, n: 64, k: 128, efficiency: 0.53 },
  { m: 64, n: 32, k: 128, efficiency: 0.36 },
]

/** Dots of 8-bit floats keep partial sums over 128 of K, which takes registers. */
const float8: readonly MatmulTile[] = matrixUnit
  .filter(({ m, n }) => m * n <= 128 * 128)
  .map(tile => ({ ...tile, k: 128 }))

const fused: readonly MatmulTile[] = [
  { m: 128, n: 128, k: 16, efficiency: 1 },
  { m: 128, n: 64, k: 16, efficiency: 0.8 },
  { m: 64, n: 64, k: 16, efficiency: 0.65 },
  { m: 32, n: 64, k: 32, efficiency: 0.4 },
  { m: 32, n: 32, k: 32, efficiency: 0.3 },
  { m: 16, n: 32, k: 32, efficiency: 0.18 },
  { m: 8, n: 32, k: 64, efficiency: 0.1 },
]

/** f64 takes twice the registers. */
const double: readonly MatmulTile[] = fused.filter(({ m, n }) => m * n <= 64 * 64)

/** Overhead of one K step besides its arithmetic, in accumulator elements. */
const stepCost = 2048

/** Rows of the same number of bytes as those of 16-bit operands. */
const tf32: readonly MatmulTile[] = matrixUnit.map(tile => ({ ...tile, k: tile.k / 2 }))

/** Operand kind of a GEMM: a dtype, f32 rounded to tf32, 8-bit float codes, or 16-bit floats dequantised from both or one. */
export type MatmulOperand = Dtype | 'tf32' | 'codes' | 'decoded' | 'half decoded'

export function operandBits(operand: MatmulOperand): number {
  if (operand === 'codes') return 8
  if (operand === 'decoded' || operand === 'half decoded') return 16
  return operand === 'tf32' ? 32 : dtypeInfo(operand).bits
}

export function matmulCandidates(operand: MatmulOperand): readonly MatmulTile[] {
  if (operand === 'codes') return float8
  if (operand === 'tf32') return tf32
  if (operand === 'decoded') return decoded
  if (operand === 'half decoded') return halfDecoded
  const bits = operandBits(operand)
  return bits <= 16 ? matrixUnit : bits === 64 ? double : fused
}

/**
 * Tiles for one GEMM, or for independent GEMMs that run at the same time. Null sizes are taken as large.
 * `rank`: 0 for the tiles that the cost model ranks best, 1 for the next, …
 */
export function cudaMatmulTiles(
  gemms: readonly MatmulSizes[],
  operand: MatmulOperand,
  target: CudaTarget,
  rank = 0,
): MatmulTiles {
  const candidates = matmulCandidates(operand)
  const cost = (tile: MatmulTile): number => {
    const shares = gemms.map(sizes => {
      const { batch, m, n, k } = sizes
      const share = tileShare(tile, sizes)
      const programs = (batch ?? 1) * Math.ceil((m ?? 1024) / share.m) * Math.ceil((n ?? 1024) / share.n)
      return { programs, k: k ?? 1024 }
    })
    const programs = shares.reduce((sum, share) => sum + share.programs, 0)
    const depth = shares.reduce((sum, share) => sum + share.programs * share.k, 0) / Math.max(1, programs)
    const waves = Math.ceil(programs / target.multiprocessors)
    return waves * ((tile.m * tile.n) / tile.efficiency + (stepCost * 16) / tile.k) * depth
  }
  const ranked = candidates.toSorted((a, b) => cost(a) - cost(b))
  const lefts = Math.max(...gemms.map(sizes => sizes.lefts))
  const rights = Math.max(...gemms.map(sizes => sizes.rights))
  return tileShare(ranked[Math.min(rank, ranked.length - 1)]!, { lefts, rights })
}

/** GEMMs that share an operand share one wider tile: each gets its part of the columns, or of the rows. */
function tileShare({ m, n, k }: MatmulTile, { lefts, rights }: Pick<MatmulSizes, 'lefts' | 'rights'>): MatmulTiles {
  return { m: m / powerAbove(lefts), n: n / powerAbove(rights), k }
}

const powerAbove = (count: number): number => 2 ** Math.ceil(Math.log2(count))
