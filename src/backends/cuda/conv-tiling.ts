/** Tiles of convolutions on a GPU: as for matmuls, with M divided among images and spatial dims. */
import type { ConvPolicy, ConvSizes, ConvTiles, FoldPolicy } from '../../schedule/policy.js'
import type { CudaTarget } from '../../target/cuda.js'
import { itemBytes } from '../../types/dtype.js'
import { type MatmulTile, matmulCandidates } from './matmul-tiles.js'

/** Bytes of the widest access. */
const wideBytes = 16

export const convPolicy = (target: CudaTarget): ConvPolicy => ({
  kernels: { channels: dtype => wideBytes / itemBytes(dtype), tiles: sizes => cudaConvTiles(sizes, target) },
})

export const cudaFolds: FoldPolicy = { form: () => 'masked', tiles: cudaFoldTiles, mostUnrolled: 16 }

/** Results that a CTA folds, and most of them that are contiguous. */
const foldResults = 2048
const foldRun = 64

function cudaFoldTiles(sizes: readonly (number | null)[], inner: number): readonly number[] {
  let rest = foldResults
  const take = (size: number | null, most: number): number => {
    const extent = Math.min(2 ** Math.ceil(Math.log2(size ?? most)), most, rest)
    rest /= extent
    return extent
  }
  const run = take(sizes[inner]!, foldRun)
  return sizes
    .toReversed()
    .map((size, d) => (sizes.length - 1 - d === inner ? run : take(size, rest)))
    .toReversed()
}

/** Multiply-adds per nanosecond of one multiprocessor with tiles of efficiency 1. */
const rates = { half: 2500, tf32: 1200, f32: 200 }
/** The share of the rate that so many CTAs of multiply-adds reach on a multiprocessor: few warps wait for their operands. */
const shared = [0.4, 0.7, 0.9, 1]
/** CTAs of multiply-adds with larger tiles have registers for fewer of them on a multiprocessor. */
const largeTile = 64 * 64
const fewResident = 2
/** Nanoseconds until the first operands are there. */
const filling = 1500
/** Nanoseconds of the second kernel of a convolution in parts, and bytes per nanosecond of their sums. */
const secondKernel = 2500
const sumRate = 3000
/** Overhead of one K step besides its arithmetic, in accumulator elements. */
const stepCost = 2048
const partCounts = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64]
/** Steps of a part: with fewer, filling the pipeline takes as long as the loop. */
const leastSteps = 4
/** A place of unknown size counts as so many. */
const manyPlaces = 64

/** The tiles, and parts of K, with the least time by the model. */
export function cudaConvTiles(sizes: ConvSizes, target: CudaTarget): ConvTiles {
  const { places, groups, outputs, run, runs, operand } = sizes
  const count = places.map(size => size ?? manyPlaces)
  const results = count.reduce((a, b) => a * b, groups * outputs)
  let best: ConvTiles | null = null
  let least = Number.POSITIVE_INFINITY
  for (const tile of matmulCandidates(operand)) {
    const spread = spreadOver(count, tile.m)
    const depth = depthOf(run, operand === 'f32' ? Math.max(tile.k, leastDepth) : tile.k)
    const steps = runs * Math.ceil(run / depth)
    const programs = groups * Math.ceil(outputs / tile.n) * blocksOf(count, spread)
    for (const parts of partCounts) {
      if (parts > 1 && steps < parts * leastSteps) break
      const each = Math.ceil(steps / parts)
      const waves = Math.ceil((programs * parts) / target.multiprocessors)
      const multiplied = waves * ((tile.m * tile.n) / tile.efficiency + (stepCost * 16) / depth) * each * depth
      const sums = parts === 1 ? 0 : secondKernel + (8 * parts * results) / sumRate
      const time = multiplied / rateOf(operand, tile, waves) + sums + filling
      if (time >= least) continue
      least = time
      best = { places: spread, outputs: tile.n, depth, parts: Math.ceil(steps / each) }
    }
  }
  return best!
}

/** Of exact f32: longer steps hide more of the latency of shared memory. */
const leastDepth = 32

function rateOf(operand: ConvSizes['operand'], { m, n }: MatmulTile, waves: number): number {
  if (operand === 'tf32') return rates.tf32
  if (operand !== 'f32') return rates.half
  const resident = Math.min(waves, m * n > largeTile ? fewResident : shared.length)
  return rates.f32 * shared[resident - 1]!
}

/** Elements of a run per step: whole instructions, and little beyond its end. */
function depthOf(run: number, k: number): number {
  const cost = (depth: number): number => Math.ceil(run / depth) * (depth + k / 8)
  let best = k
  for (let depth = k / 2; depth >= 16; depth /= 2) if (cost(depth) < cost(best)) best = depth
  return best
}

const blocksOf = (sizes: readonly number[], extents: readonly number[]): number =>
  sizes.reduce((all, size, d) => all * Math.ceil(size / extents[d]!), 1)

/** Powers of two whose product is `total`, with the fewest blocks; of equals, those that extend most along inner dims. */
function spreadOver(sizes: readonly number[], total: number): readonly number[] {
  const [first, ...rest] = sizes as readonly [number, ...number[]]
  if (rest.length === 0) return [total]
  let best: readonly number[] = []
  for (let own = 1; own <= total; own *= 2) {
    const extents = [own, ...spreadOver(rest, total / own)]
    if (best.length === 0 || blocksOf([first, ...rest], extents) < blocksOf(sizes, best)) best = extents
  }
  return best
}
