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
  /** The same where one CTA has the multiprocessor for itself, if that is less. */
  readonly alone?: number
  /** CTAs of one multiprocessor that wait for memory at the same time. Default 1. */
  readonly together?: number
}

/** 16- and 8-bit operands use tensor cores. */
const matrixUnit: readonly MatmulTile[] = [
  { m: 128, n: 256, k: 64, efficiency: 1 },
  { m: 256, n: 128, k: 64, efficiency: 1 },
  { m: 128, n: 128, k: 64, efficiency: 0.9, alone: 0.75 },
  { m: 128, n: 64, k: 64, efficiency: 0.7 },
  { m: 64, n: 128, k: 64, efficiency: 0.7 },
  { m: 64, n: 64, k: 64, efficiency: 0.5 },
  { m: 32, n: 64, k: 64, efficiency: 0.2 },
  { m: 16, n: 128, k: 64, efficiency: 0.2 },
  { m: 16, n: 64, k: 128, efficiency: 0.13 },
  { m: 16, n: 32, k: 128, efficiency: 0.044 },
  // M ≤ 8 is computed transposed (swap A/B): the weights' rows fill the instruction's M.
  { m: 8, n: 128, k: 64, efficiency: 0.11 },
  { m: 8, n: 64, k: 128, efficiency: 0.07 },
  { m: 8, n: 32, k: 128, efficiency: 0.024 },
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
  { m: 128, n: 128, k: 16, efficiency: 1, alone: 0.75 },
  { m: 128, n: 64, k: 16, efficiency: 0.8, alone: 0.66 },
  { m: 64, n: 64, k: 16, efficiency: 0.6 },
  { m: 32, n: 64, k: 32, efficiency: 0.3 },
  { m: 32, n: 32, k: 32, efficiency: 0.25 },
  { m: 16, n: 64, k: 32, efficiency: 0.18, together: 2 },
  { m: 16, n: 32, k: 32, efficiency: 0.13, together: 2 },
  { m: 8, n: 64, k: 64, efficiency: 0.14, together: 2 },
  { m: 8, n: 32, k: 64, efficiency: 0.07, together: 2 },
]

/** f64 uses tensor cores, and takes twice the registers. */
const double: readonly MatmulTile[] = [
  { m: 64, n: 64, k: 32, efficiency: 1 },
  { m: 32, n: 64, k: 32, efficiency: 0.6 },
  { m: 32, n: 32, k: 32, efficiency: 0.3 },
  { m: 16, n: 32, k: 32, efficiency: 0.15 },
  { m: 8, n: 32, k: 32, efficiency: 0.08 },
]

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
  const ranked = matmulCandidates(operand).toSorted((a, b) => costOf(a, gemms, target) - costOf(b, gemms, target))
  const lefts = Math.max(...gemms.map(sizes => sizes.lefts))
  const rights = Math.max(...gemms.map(sizes => sizes.rights))
  return tileShare(ranked[Math.min(rank, ranked.length - 1)]!, { lefts, rights })
}

/** The arithmetic of one multiprocessor, in multiply-adds at its peak rate. */
function costOf(tile: MatmulTile, gemms: readonly MatmulSizes[], target: CudaTarget): number {
  const shares = gemms.map(sizes => ({ programs: programsOf(tile, sizes), k: sizes.k ?? 1024 }))
  const programs = shares.reduce((sum, share) => sum + share.programs, 0)
  const depth = shares.reduce((sum, share) => sum + share.programs * share.k, 0) / Math.max(1, programs)
  const waves = Math.ceil(programs / (target.multiprocessors * (tile.together ?? 1)))
  const efficiency = waves === 1 ? (tile.alone ?? tile.efficiency) : tile.efficiency
  return waves * ((tile.m * tile.n) / efficiency + (stepCost * 16) / tile.k) * depth
}

function programsOf(tile: MatmulTile, sizes: MatmulSizes): number {
  const { batch, m, n } = sizes
  const share = tileShare(tile, sizes)
  return (batch ?? 1) * Math.ceil((m ?? 1024) / share.m) * Math.ceil((n ?? 1024) / share.n)
}

/** Multiply-adds per nanosecond of one multiprocessor with tiles of efficiency 1. */
function rateOf(operand: MatmulOperand): number {
  if (operand === 'codes' || operand === 'i8') return 4500
  if (operand === 'tf32') return 1200
  const bits = operandBits(operand)
  return bits <= 16 ? 2500 : 200
}

/** Bytes per nanosecond that reach one multiprocessor: from memory, which `shareToFill` of them use up, and from L2. */
const memoryRate = 40
const shareToFill = 3 / 4
const cacheRate = 90
/** Bytes per nanosecond at which partial sums are stored and loaded: most stay in the L2 cache. */
const partialRate = 2200
/** Nanoseconds that the second kernel of a split product takes besides. */
const secondKernel = 2000
/** How much of the shorter of arithmetic and loads is not hidden behind the longer. */
const exposed = 0.1
/** Blocks of k in a part: with fewer, filling the pipeline takes as long as the loop. */
const leastBlocks = 4
/** Share of the whole product's time that splitting may take at most: launches cost the host time too. */
const worthwhile = 0.9
const splits = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 192, 256]

/** Parts of k with which one GEMM takes the least time by the model; 1: its tiles fill the machine, or k is short. */
export function cudaMatmulParts(sizes: MatmulSizes, operand: MatmulOperand, target: CudaTarget): number {
  const { batch, m, n, k, lefts, rights } = sizes
  if (batch === null || m === null || n === null || k === null) return 1
  const partialBytes = 4 * Math.max(1, operandBits(operand) / 32) * batch * m * n * lefts * rights
  const bytesOf = (elements: number): number => (elements * operandBits(operand)) / 8
  const time = (parts: number): number => {
    const part = [{ ...sizes, batch: batch * parts, k: Math.ceil(k / parts) }]
    const best = matmulCandidates(operand).reduce((a, b) => (costOf(b, part, target) < costOf(a, part, target) ? b : a))
    const share = tileShare(best, sizes)
    const busy = Math.min(shareToFill * target.multiprocessors, programsOf(best, part[0]!))
    const waves = Math.ceil(programsOf(best, part[0]!) / target.multiprocessors)
    const tileBytes = bytesOf(share.m * lefts + share.n * rights) * waves * part[0]!.k
    const loads = Math.max(tileBytes / cacheRate, bytesOf(batch * (m * lefts + n * rights) * k) / (busy * memoryRate))
    const sums = parts === 1 ? 0 : secondKernel + (2 * parts * partialBytes) / partialRate
    const work = costOf(best, part, target) / rateOf(operand)
    return Math.max(loads, work) + exposed * Math.min(loads, work) + sums
  }
  const depth = Math.min(...matmulCandidates(operand).map(tile => tile.k))
  const counts = [1, ...splits.filter(count => count * leastBlocks * depth <= k)]
  const times = counts.map(time)
  const least = Math.min(...times)
  return least < worthwhile * times[0]! ? counts[times.indexOf(least)]! : 1
}

/** GEMMs that share an operand share one wider tile: each gets its part of the columns, or of the rows. */
function tileShare({ m, n, k }: MatmulTile, { lefts, rights }: Pick<MatmulSizes, 'lefts' | 'rights'>): MatmulTiles {
  return { m: m / powerAbove(lefts), n: n / powerAbove(rights), k }
}

const powerAbove = (count: number): number => 2 ** Math.ceil(Math.log2(count))
