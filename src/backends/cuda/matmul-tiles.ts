/**
 * Tiles of a matrix product for a GPU. Large tiles read their operands seldom; small ones give every multiprocessor
 * something to do. The choice is the one whose last wave ends first.
 */

import type { MatmulSizes, MatmulTiles } from '../../kernels/matmul.js'
import type { CudaTarget } from '../../target/cuda.js'
import { type Dtype, dtypeInfo } from '../../types/dtype.js'

interface Candidate extends MatmulTiles {
  /** Share of the arithmetic rate that one multiprocessor reaches on such tiles. */
  readonly efficiency: number
}

/** 16- and 8-bit operands go to the matrix units. */
const matrixUnit: readonly Candidate[] = [
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
  // Up to 8 rows are computed as columns: the weights' rows fill the instruction.
  { m: 8, n: 128, k: 64, efficiency: 0.14 },
  { m: 8, n: 64, k: 128, efficiency: 0.1 },
  { m: 8, n: 32, k: 128, efficiency: 0.055 },
]

/**
 * Operands that warpgroups decode on their way: what a round costs beside that (fences, barriers) counts, so rounds are long.
 * The left one goes to the matrix unit from registers, of which 256 rows take too many; decoding takes longer than the
 * products, so 64 rows are worth their while even where most of them are padding.
 */
const decoded: readonly Candidate[] = [
  { m: 128, n: 256, k: 128, efficiency: 1 },
  { m: 128, n: 128, k: 128, efficiency: 0.83 },
  { m: 128, n: 64, k: 128, efficiency: 0.5 },
  { m: 64, n: 128, k: 128, efficiency: 0.5 },
  { m: 64, n: 64, k: 128, efficiency: 0.38 },
  { m: 64, n: 32, k: 128, efficiency: 0.26 },
]

/** One operand decoded, the other copied: few rows are better padded to what warpgroups multiply than decoded by few threads. */
const halfDecoded: readonly Candidate[] = [
  ...matrixUnit.filter(({ m, n }) => m >= 64 && m * n > 64 * 64),
  { m: 64, n: 64, k: 128, efficiency: 0.53 },
  { m: 64, n: 32, k: 128, efficiency: 0.36 },
]

/** Sums of 8-bit floats are made apart, a depth of 128 at a time: that takes registers. */
const float8: readonly Candidate[] = matrixUnit
  .filter(({ m, n }) => m * n <= 128 * 128)
  .map(tile => ({ ...tile, k: 128 }))

const fused: readonly Candidate[] = [
  { m: 128, n: 128, k: 16, efficiency: 1 },
  { m: 128, n: 64, k: 16, efficiency: 0.8 },
  { m: 64, n: 64, k: 16, efficiency: 0.65 },
  { m: 32, n: 64, k: 32, efficiency: 0.4 },
  { m: 32, n: 32, k: 32, efficiency: 0.3 },
  { m: 16, n: 32, k: 32, efficiency: 0.18 },
  { m: 8, n: 32, k: 64, efficiency: 0.1 },
]

/** f64 needs twice the registers. */
const double: readonly Candidate[] = fused.filter(({ m, n }) => m * n <= 64 * 64)

/** What a sum over one step of k costs beside its arithmetic, in elements of the accumulator. */
const stepCost = 2048

/** Rows of the same bytes as those of 16-bit operands. */
const tf32: readonly Candidate[] = matrixUnit.map(tile => ({ ...tile, k: tile.k / 2 }))

/** What is multiplied: a dtype, f32 rounded to tf32, the codes of 8-bit floats, or 16-bit floats that both or one are decoded to. */
export type MatmulOperand = Dtype | 'tf32' | 'codes' | 'decoded' | 'half decoded'

export function operandBits(operand: MatmulOperand): number {
  if (operand === 'codes') return 8
  if (operand === 'decoded' || operand === 'half decoded') return 16
  return operand === 'tf32' ? 32 : dtypeInfo(operand).bits
}

function candidatesFor(operand: MatmulOperand): readonly Candidate[] {
  if (operand === 'codes') return float8
  if (operand === 'tf32') return tf32
  if (operand === 'decoded') return decoded
  if (operand === 'half decoded') return halfDecoded
  const bits = operandBits(operand)
  return bits <= 16 ? matrixUnit : bits === 64 ? double : fused
}

/**
 * Tiles for products that run together: one, or several of which none waits for another. Null sizes are taken as large.
 * `rank`: 0 for the tiles that the model likes best, 1 for the next, …
 */
export function cudaMatmulTiles(
  products: readonly MatmulSizes[],
  operand: MatmulOperand,
  target: CudaTarget,
  rank = 0,
): MatmulTiles {
  const candidates = candidatesFor(operand)
  const cost = (tile: Candidate): number => {
    const shares = products.map(sizes => {
      const { batch, m, n, k } = sizes
      const own = ownTile(tile, sizes)
      const programs = (batch ?? 1) * Math.ceil((m ?? 1024) / own.m) * Math.ceil((n ?? 1024) / own.n)
      return { programs, k: k ?? 1024 }
    })
    const programs = shares.reduce((sum, share) => sum + share.programs, 0)
    const depth = shares.reduce((sum, share) => sum + share.programs * share.k, 0) / Math.max(1, programs)
    const waves = Math.ceil(programs / target.multiprocessors)
    return waves * ((tile.m * tile.n) / tile.efficiency + (stepCost * 16) / tile.k) * depth
  }
  const ranked = candidates.toSorted((a, b) => cost(a) - cost(b))
  const lefts = Math.max(...products.map(sizes => sizes.lefts))
  const rights = Math.max(...products.map(sizes => sizes.rights))
  return ownTile(ranked[Math.min(rank, ranked.length - 1)]!, { lefts, rights })
}

/** Products that share an operand are one product of a wider matrix: each has its part of the columns, or of the rows. */
function ownTile({ m, n, k }: Candidate, { lefts, rights }: Pick<MatmulSizes, 'lefts' | 'rights'>): MatmulTiles {
  return { m: m / powerAbove(lefts), n: n / powerAbove(rights), k }
}

const powerAbove = (count: number): number => 2 ** Math.ceil(Math.log2(count))
