/** Scheduling policy for a CPU: threads that loop over tiles with vector instructions, each core with its own caches. */

import { narrowDots } from '../../lower/cpu/dots.js'
import type { AttentionPolicy, DotPolicy, GroupRates, SchedulePolicy } from '../../schedule/policy.js'
import type { Axes } from '../../schedule/tiling/axes.js'
import type { CpuTarget } from '../../target/cpu.js'
import { cpuAttentionTiles, cpuGradientTiles } from './attention-tiles.js'
import { cpuFolds } from './fold-tiling.js'
import { type CpuLimits, cpuLimits } from './limits.js'
import { cpuMatmulParts } from './matmul-tiles.js'
import { cpuMatmulTiling } from './matmul-tiling.js'
import { cpuScanTiling } from './scan-tiling.js'
import { cpuTiling } from './tiling.js'
import { cpuUpdateTiling, scatterParts } from './update-tiling.js'

/** GEMVs with at least this many results use the matmul template, which reads the matrix in place. */
const longVector = 256

const dotsOf = (target: CpuTarget): DotPolicy => ({
  tf32: false,
  multiplied: narrowDots(target),
  codes: false,
  decodesTo: 'f32',
  thin: { below: longVector, decoded: true, grouped: true, streamed: new Set(), small: 1 },
  aligned: null,
  converted: null,
  depthOrder: 'right',
  decodesAlongDepth: true,
  inMemoryOrder: true,
  mergesDepth: false,
})

/** Elements whose largest is compared with the k first so far: few enough that most have none of them. */
const insertedTile = 512

/** Elements from which fewer passes by more bits are faster: the bins are cleared and summed once per pass. */
const manyDigits = 4096

/** A row that is one block is sorted in one kernel, which writes only results. */
function sortBlockOf(axes: Axes, { sortBlock }: CpuLimits): number {
  const { size } = axes.reduced[0]!
  return typeof size === 'number' && size <= 4 * sortBlock ? 4 * sortBlock : sortBlock
}

const partsPerCore = 4
const launch = 5000

/** A CPU has no streams: launches run one after another. */
const ratesOf = ({ cores }: CpuTarget): GroupRates => ({
  units: cores,
  flopsPerNanosecond: 50,
  bytesPerNanosecond: 10,
  launch,
  node: launch,
  fork: launch,
  graph: 0,
  claiming: 1,
  persistentLaunches: 1,
  concurrent: false,
})

const attentionOf = (target: CpuTarget): AttentionPolicy => ({
  multiplied: new Set(),
  tiles: sizes => cpuAttentionTiles(sizes, target),
  parts: sizes => ({ tiles: cpuAttentionTiles(sizes, target), concurrent: target.cores }),
  gradientTiles: (sizes, wrt) => cpuGradientTiles(sizes, wrt, target),
  headExtent: size => size,
  queryExtent: size => size,
  form: () => ({ parts: null, flush: false, isLooped: true }),
})

/** The scheduling decisions for a CPU. `limits`: block sizes, which max-autotune varies. */
export function cpuPolicy(target: CpuTarget, limits: CpuLimits = cpuLimits): SchedulePolicy {
  return {
    limits,
    parallelism: target.cores,
    partsPerSlot: partsPerCore,
    conv: { kernels: null, pays: (outputs, work) => outputs >= limits.conv.outputs && work >= limits.conv.work },
    folds: cpuFolds(target, limits),
    rows: {
      enough: 2 * target.cores,
      long: 1 << 16,
      columns: 1,
      storesParts: false,
      scanned: 2,
      computesTwice: true,
      readsAgain: false,
    },
    dots: dotsOf(target),
    attention: attentionOf(target),
    rates: ratesOf(target),
    batches: null,
    movesBits: true,
    tiling: (program, axes) => cpuTiling(program, axes, target, limits),
    matmulTiling: matmul => cpuMatmulTiling(matmul, target, limits.matmul),
    matmulParts: ({ sizes }) => cpuMatmulParts(sizes, target, limits.matmul),
    groupPolicy: () => null,
    hints: () => null,
    updateTiling: (program, axes, update) => cpuUpdateTiling(program, axes, update, target, limits),
    scatter: { atomics: new Set(), copies: () => 1, counts: () => false, parts: scatterParts },
    scanning: (program, axes) => [cpuScanTiling(program, axes, target, limits)],
    sorting: axes => ({
      ranking: { longest: limits.maxRanked, block: limits.maxRanked, others: limits.maxRanked },
      block: sortBlockOf(axes, limits),
      digit: elements => (elements < manyDigits ? 8 : 11),
      narrows: true,
      warps: null,
      counts: { blocks: 16, bins: 256 },
    }),
    findsNth: length => typeof length !== 'number' || length > limits.maxRanked,
    selection: k => {
      if (k <= limits.maxInserted) return { by: 'rounds', block: 4 * limits.sortBlock, tile: insertedTile }
      return 4 * k > limits.sortBlock ? null : { by: 'rounds', block: limits.sortBlock, tile: null }
    },
  }
}
