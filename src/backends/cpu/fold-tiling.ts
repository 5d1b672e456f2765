/** Folds of windows on a CPU: whole rows of results where they are contiguous, as many as the L1 cache holds. */
import { shortDistance } from '../../lane/ir.js'
import type { FoldedRow, FoldForm, FoldPolicy } from '../../schedule/policy.js'
import { blockExtent, clamp } from '../../schedule/tiling/tiling.js'
import type { CpuTarget } from '../../target/cpu.js'
import type { CpuLimits } from './limits.js'

const programsPerCore = 4
const floatBytes = 4
/** Results of a program at most: with their images they stay in the L1 cache while taps are added. */
const mostResults = 2048
/** Rows of fewer vectors of results are mostly ends, where all loads are masked; padding them costs less. */
const maskedVectors = 6

export const cpuFolds = (target: CpuTarget, limits: CpuLimits): FoldPolicy => {
  const lanes = target.vectorBytes / floatBytes
  return {
    form: row => formOf(row, lanes),
    mostUnrolled: 32,
    tiles(sizes, inner) {
      const total = sizes.reduce<number | null>((all, size) => (all === null || size === null ? null : all * size), 1)
      const share = Math.ceil((total ?? Number.POSITIVE_INFINITY) / (target.cores * programsPerCore))
      let left = clamp(share, mostResults / 2, mostResults)
      const extents = sizes.map(() => 1)
      const outer = [...sizes.keys()].filter(d => d !== inner).reverse()
      for (const d of [inner, ...outer]) {
        const extent = blockExtent(sizes[d] ?? limits.symbolic, left, limits)
        // Carried sums are read as whole vectors, which must not overlap the part of a vector that ends another row.
        extents[d] = d === inner ? Math.ceil(extent / lanes) * lanes : extent
        left = Math.max(1, Math.floor(left / extents[d]))
      }
      return extents
    },
  }
}

function formOf({ size, stride, places }: FoldedRow, lanes: number): FoldForm | null {
  const isFew = typeof places === 'number' && 4 * places < lanes
  // Vectors of elements that are further apart would be loaded one by one.
  if (isFew || (stride !== 1 && shortDistance(stride) === null)) return null
  const isLong = typeof size === 'number' && size >= maskedVectors * lanes
  return stride === 1 && isLong ? 'masked' : 'padded'
}
