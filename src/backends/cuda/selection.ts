/** How the k first of a row are found on a GPU. */
import { boundOf } from '../../scalar/size.js'
import type { Bounding } from '../../schedule/policy.js'
import type { Axes } from '../../schedule/tiling/axes.js'
import { clamp, plannedProduct } from '../../schedule/tiling/tiling.js'
import type { CudaTarget } from '../../target/cuda.js'
import type { CudaLimits } from './limits.js'
import { powerBelow } from './tiling.js'

/** CTAs per multiprocessor that look for the bests of their parts of rows, and tiles that each has at least. */
const partsPerMultiprocessor = 8
const fewestTiles = 2
/** Parts of rows where the number of rows, or their length, is not known. */
const symbolicParts = 64
/** Groups per element that is wanted: with fewer, more elements reach the bound, but many take long to rank. */
const groupsPerElement = 4
const fewGroups = 2048
const fewestGroups = 64
/** Rows of fewer than k² / this elements are sorted, because ranking takes k² steps. */
const stepsPerElement = 32
/** The largest k where the length of rows is not known. */
const symbolicFirst = 1024
/** Tiles that a CTA compares with the bound. */
const filteredTiles = 2
/** CTAs per multiprocessor that rank, and elements that each ranks at least. */
const rankingBlocks = 2
const fewestRanked = 8

/** Null: rows are sorted, where one CTA sorts a row or k is large. */
export function cudaSelection(
  k: number,
  axes: Axes,
  { multiprocessors }: CudaTarget,
  { sortBlock, cuda: { selectTile, rankBlock } }: CudaLimits,
): Bounding | null {
  const length = boundOf(axes.reduced[0]!.size)
  if (length === null ? k > symbolicFirst : length <= sortBlock || k * k > stepsPerElement * length) return null
  const rows = plannedProduct(axes.kept.map(axis => axis.size))
  const parts =
    length === null || typeof rows !== 'number'
      ? symbolicParts
      : clamp(
          Math.ceil((multiprocessors * partsPerMultiprocessor) / rows),
          1,
          Math.ceil(length / (fewestTiles * selectTile)),
        )
  const wanted = Math.max(fewestGroups, Math.min(groupsPerElement * k, Math.max(fewGroups, 2 * k)))
  const groups = 2 ** Math.max(0, Math.round(Math.log2(wanted / parts)))
  const ranks = typeof rows === 'number' ? powerBelow((rows * 2 * k) / (multiprocessors * rankingBlocks)) : rankBlock
  const block = clamp(ranks, Math.min(fewestRanked, rankBlock), rankBlock)
  return {
    by: 'bound',
    parts,
    groups,
    tile: Math.max(selectTile, groups),
    filtered: filteredTiles * selectTile,
    block,
    others: rankBlock ** 2 / block,
    ranked: groupsPerElement * k + selectTile,
  }
}
