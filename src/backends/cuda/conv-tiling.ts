/** Tiles of convolutions on a GPU: as for matmuls, with M divided among images and spatial dims. */
import type {
  ConvPolicy,
  ConvSizes,
  ConvTiles,
  ConvWeightSizes,
  ConvWeightTiles,
  FoldPolicy,
} from '../../schedule/policy.js'
import type { CudaTarget } from '../../target/cuda.js'
import { itemBytes } from '../../types/dtype.js'
import { type MatmulTile, matmulCandidates, operandBits } from './matmul-tiles.js'

/** Bytes of the widest access. */
const wideBytes = 16

export const convPolicy = (target: CudaTarget): ConvPolicy => ({
  kernels: {
    channels: dtype => wideBytes / itemBytes(dtype),
    tiles: sizes => cudaConvTiles(sizes, target),
    weightTiles: sizes => cudaWeightTiles(sizes, target),
  },
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

/** Multiply-adds per nanosecond of one multiprocessor, in exact f32 with tiles of efficiency 1. */
const plainRate = 200
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
/** Steps of a part: with fewer, filling the pipeline takes as long as the loop. */
const leastSteps = 4
/** A part fills so many waves at most. */
const mostWaves = 4
/** A place of unknown size counts as so many. */
const manyPlaces = 64

/** Bytes per nanosecond that one multiprocessor's shared memory takes from copies and gives to matrix instructions. */
const sharedRate = 150
/** Rows of a matrix instruction, which reads both of its operands. */
const instructionRows = 64
/** Tiles of so many sums have a multiprocessor for themselves: nothing hides the start and end of a CTA, and its barriers. */
const aloneSums = 128 * 128
const aloneStep = 130
/** Nanoseconds of a step besides, where another CTA runs meanwhile. */
const sharedStep = 30

/** K of a tile, in `count` steps, over `programs` tiles, each computing `dots` products that share their left operand. */
interface Loop {
  readonly m: number
  readonly n: number
  readonly k: number
  readonly dots: number
  readonly steps: number
  readonly bytes: number
}

/** Nanoseconds of all waves of loops on matrix units, which wait for shared memory. */
function timeOf({ m, n, k, dots, steps, bytes }: Loop, waves: number): number {
  const copied = m + n * dots
  const isAlone = m * n * dots >= aloneSums
  // Two warpgroups split the rows, or else the columns: both then read all rows.
  const groups = Math.max(m / instructionRows, isAlone ? 2 : 1)
  const read = dots * (groups * instructionRows + (m / instructionRows) * n)
  const step = (bytes * k * (copied + read)) / sharedRate
  return isAlone ? waves * (steps * (step + aloneStep) + filling) : waves * steps * (step + sharedStep) + filling
}

/** Numbers of parts that K may be split into: 1, and those whose CTAs fill one wave, two, …; each part has `leastSteps` at least. */
function partsOf(programs: number, steps: number, { multiprocessors }: CudaTarget): readonly number[] {
  const most = Math.floor(steps / leastSteps)
  const counts = Array.from({ length: mostWaves }, (_, i) => Math.floor(((i + 1) * multiprocessors) / programs))
  return [1, ...counts.map(count => Math.min(count, most)).filter(count => count > 1)]
}

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
    for (const parts of partsOf(programs, steps, target)) {
      const each = Math.ceil(steps / parts)
      const waves = Math.ceil((programs * parts) / target.multiprocessors)
      const time = sumsTime(parts, results) + timeOfTile(tile, operand, each, depth, waves)
      if (time >= least) continue
      least = time
      best = { places: spread, outputs: tile.n, depth, parts: Math.ceil(steps / each) }
    }
  }
  return best!
}

/** Nanoseconds that adding the parts takes. */
const sumsTime = (parts: number, results: number): number =>
  parts === 1 ? 0 : secondKernel + (8 * parts * results) / sumRate

/** Nanoseconds of all waves of tiles, of so many steps each. */
function timeOfTile(tile: MatmulTile, operand: ConvSizes['operand'], steps: number, k: number, waves: number): number {
  const { m, n, efficiency } = tile
  if (operand !== 'f32' && m >= instructionRows)
    return timeOf({ m, n, k, dots: 1, steps, bytes: operandBits(operand) / 8 }, waves)
  const rate = operand === 'f32' ? plainRateOf(tile, waves) : matrixRates[operand === 'tf32' ? 'tf32' : 'half']
  return (waves * ((m * n) / efficiency + (stepCost * 16) / k) * steps * k) / rate + filling
}

/** Multiply-adds per nanosecond of one multiprocessor with tiles of efficiency 1, of fewer rows than its instructions have. */
const matrixRates = { half: 2500, tf32: 1200 }

/** Of exact f32: longer steps hide more of the latency of shared memory. */
const leastDepth = 32

function plainRateOf({ m, n }: MatmulTile, waves: number): number {
  const resident = Math.min(waves, m * n > largeTile ? fewResident : shared.length)
  return plainRate * shared[resident - 1]!
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

// --- gradients of weights ------------------------------------------------------------------------------------------------

/** Tiles of outputs × channels, of as many taps as their sums have registers for, and places per step. */
interface WeightTile {
  readonly m: number
  readonly n: number
  readonly k: number
}

const halfWeights: readonly WeightTile[] = [64, 128].flatMap(m => [32, 64, 128, 256].map(n => ({ m, n, k: 64 })))
const fullWeights = halfWeights.filter(({ n }) => n <= 128).map(tile => ({ ...tile, k: 32 }))

/** The most accumulators per thread that do not spill. In exact f32 a thread holds the operands of its multiply-adds in registers too. */
const mostSums = { half: 144, full: 96 }
/** Narrower tiles than this are for fewer channels. */
const usualWidth = 64
/** Fewer outputs or channels are mostly padding. */
const leastChannels = 16
/** Places of a block along one spatial dim: more do not make it less work. */
const mostInRow = 8

/** The tiles with the least time by the model; null: a convolution whose channels are the images takes less. */
export function cudaWeightTiles(sizes: ConvWeightSizes, target: CudaTarget): ConvWeightTiles | null {
  const { places, groups, outputs, channels, operand } = sizes
  const bytes = operandBits(operand) / 8
  const isNarrow = Math.min(outputs, channels) < leastChannels
  if (bytes > 4 || isNarrow || [outputs, channels].some(size => (size * bytes) % wideBytes !== 0)) return null
  const all = sizes.taps.reduce((a, b) => a * b, 1)
  const results = groups * outputs * all * channels
  let best: ConvWeightTiles | null = null
  let least = Number.POSITIVE_INFINITY
  for (const { m, n, k } of bytes === 2 ? halfWeights : fullWeights) {
    if (n < Math.min(channels, usualWidth) || n >= 2 * Math.max(channels, usualWidth / 2)) continue
    const block = placesOf(places, k)
    const steps = blocksOf(places, block)
    for (const extents of tapsOf(sizes.taps)) {
      const taps = extents.reduce((a, b) => a * b, 1)
      const sums = m * n * taps
      if (taps > 1 && sums / (sums >= aloneSums ? 256 : 128) > mostSums[bytes === 2 ? 'half' : 'full']) continue
      const programs = groups * Math.ceil(outputs / m) * Math.ceil(channels / n) * (all / taps)
      for (const parts of partsOf(programs, steps, target)) {
        const each = Math.ceil(steps / parts)
        const waves = Math.ceil((programs * parts) / target.multiprocessors)
        const time =
          sumsTime(parts, results) + timeOfWeights({ m, n, k, dots: taps, steps: each, bytes }, operand, waves)
        if (time >= least) continue
        least = time
        best = { places: block, outputs: m, channels: n, taps: extents, parts: Math.ceil(steps / each) }
      }
    }
  }
  return best
}

/**
 * f32 operands lie across K, which warpgroup instructions do not take. Multiply-adds per nanosecond, bytes per nanosecond of
 * copies, and nanoseconds of a step besides.
 */
const acrossDepth = { tf32: { rate: 1130, copies: 63, step: 0 }, f32: { rate: 160, copies: 1000, step: 300 } }

function timeOfWeights(loop: Loop, operand: ConvWeightSizes['operand'], waves: number): number {
  if (operand !== 'tf32' && operand !== 'f32') return timeOf(loop, waves)
  const { m, n, k, dots, steps, bytes } = loop
  const { rate, copies, step } = acrossDepth[operand]
  const alone = operand === 'tf32' && m * n * dots >= aloneSums ? 2 * aloneStep : 0
  const each = (m * n * dots * k) / rate + (bytes * k * (m + n * dots)) / copies + step + alone
  return waves * steps * each + filling
}

/** One tap, and those of the inner dims, from one dim to all. */
const tapsOf = (kernel: readonly number[]): readonly (readonly number[])[] =>
  [...kernel, 1].map((_, whole) => kernel.map((size, d) => (d < kernel.length - whole ? 1 : size)))

/** Powers of two whose product is `total`: those that divide the sizes of places, innermost first; the rest are images. */
function placesOf([, ...spatial]: readonly number[], total: number): readonly number[] {
  let rest = total
  const extents = spatial.toReversed().map(size => {
    let extent = 1
    while (size % (2 * extent) === 0 && 2 * extent <= Math.min(rest, mostInRow)) extent *= 2
    rest /= extent
    return extent
  })
  return [rest, ...extents.toReversed()]
}
