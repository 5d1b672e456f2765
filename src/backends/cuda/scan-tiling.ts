/**
 * Scans on a GPU: a CTA holds a tile of the row, of several short rows, or of adjacent columns in registers. Where the extent
 * that decides the tile is not known, there is a kernel for each class of sizes, all but one of which have an empty grid.
 */
import { isChained } from '../../kernels/chained-scan.js'
import { dtypeOf, type LoopNode, type LoopProgram, templatesOf } from '../../loop/ir.js'
import { boundOf, mulSizes, productOf, subSizes } from '../../scalar/size.js'
import { isMoreThan } from '../../schedule/templates/sort.js'
import type { Axes, Axis } from '../../schedule/tiling/axes.js'
import { type ScanMemory, type ScanTiling, scanMemory } from '../../schedule/tiling/scan-tiling.js'
import { clamp, plannedProduct } from '../../schedule/tiling/tiling.js'
import type { CudaTarget } from '../../target/cuda.js'
import { itemBytes, type TensorDtype } from '../../types/dtype.js'
import type { CudaLimits } from './limits.js'
import { powerAbove, powerBelow } from './tiling.js'

/** Columns whose elements are whole cache lines. */
const lineColumns = 32
/** Sizes up to which an unknown row, or an unknown number of columns, has a kernel of its own. */
const shortRows = [32, 512, 4096]
const fewColumns = [4]
/** CTAs for each multiprocessor. */
const slotsPerMultiprocessor = 8
/** Parts whose sums take little time to combine. */
const fewParts = 64
const minElements = 1024
/** Of the usual size. */
const elementsPerThread = 16
const usualBytes = 4

export function cudaScanTilings(
  program: LoopProgram,
  axes: Axes,
  target: CudaTarget,
  limits: CudaLimits,
): ScanTiling[] {
  const memory = scanMemory(program, axes)
  const { row, columns, isRowContiguous } = memory
  const dtype = dtypeOf(templatesOf(program)[0]!.inputs[0] as LoopNode) as TensorDtype
  const registers = Math.max(1, itemBytes(dtype) / usualBytes)
  const tile = { most: powerBelow(limits.maxScan / registers), perThread: elementsPerThread / registers }
  const inner = columns !== null && !isRowContiguous ? columns : row
  const isOpen = boundOf(inner.size) === null && axes.kept.length > 0
  const classes = isOpen ? [...(inner === row ? shortRows : fewColumns), null] : [boundOf(inner.size)]
  const tilings = classes.map((most, i) => {
    const isLonger = i === 0 ? 1 : isMoreThan(inner.size, classes[i - 1]!)
    const isLongest = i === classes.length - 1
    const isUsed = isLongest ? isLonger : mulSizes(isLonger, subSizes(1, isMoreThan(inner.size, most!)))
    const name = isLongest ? '' : `to${most}`
    return { name, isUsed, ...tilingOf(axes, memory, { axis: inner, most }, target, tile) }
  })
  const last = tilings.at(-1)!
  if (columns !== null || !isChained(dtype) || last.isWhole) return tilings
  const isLong = isMoreThan(productOf(axes.all.map(axis => axis.size)), limits.cuda.minChained)
  const chained = chainedTiling(last, row, tile, target)
  if (isLong === 0) return tilings
  if (isLong === 1) return [...tilings.slice(0, -1), { ...chained, isUsed: last.isUsed }]
  return [
    ...tilings.slice(0, -1),
    { ...last, isUsed: mulSizes(last.isUsed, subSizes(1, isLong)) },
    { ...chained, isUsed: mulSizes(last.isUsed, isLong) },
  ]
}

/** One thread looks at one block of a group. */
function chainedTiling(tiling: ScanTiling, row: Axis, tile: TileLimits, { arch }: CudaTarget): ScanTiling {
  const extent = tile.most
  const warps = warpsFor(extent, tile, arch)
  return {
    ...tiling,
    extents: new Map(tiling.extents).set(row, extent),
    warps,
    chained: { group: warps * arch.warpSize },
  }
}

/** Elements of a dtype in a tile, and in a thread: wide ones take more registers. */
interface TileLimits {
  readonly most: number
  readonly perThread: number
}

/** `inner`: the axis that decides, and its largest size; null: any. */
function tilingOf(
  axes: Axes,
  { row, columns, isRowContiguous }: ScanMemory,
  inner: { readonly axis: Axis; readonly most: number | null },
  target: CudaTarget,
  tile: TileLimits,
): Omit<ScanTiling, 'name' | 'isUsed'> {
  const most = (axis: Axis): number =>
    (axis === inner.axis ? inner.most : boundOf(axis.size)) ?? Number.POSITIVE_INFINITY
  const budget = elementsPerCta(axes, target, tile.most)
  const extents = new Map<Axis, number>(axes.kept.map(axis => [axis, 1]))
  let used = 1
  const take = (axis: Axis, extent: number): void => {
    extents.set(axis, extent)
    used *= powerAbove(extent)
  }
  if (columns !== null) take(columns, Math.min(most(columns), Math.min(lineColumns, budget)))
  const length = most(row)
  const isWhole = powerAbove(length) * used <= 2 * tile.most
  take(row, isWhole ? Math.max(1, length) : Math.max(1, powerBelow(budget / used)))
  for (const axis of axes.kept.toReversed())
    if (axis !== columns && isWhole) take(axis, powerBelow(Math.max(1, Math.min(most(axis), budget / used))))
  const last = columns !== null && !isRowContiguous ? [row, columns] : columns !== null ? [columns, row] : [row]
  return {
    order: [...axes.kept.filter(axis => axis !== columns), ...last],
    extents,
    isWhole,
    chained: null,
    foldsTiles: true,
    warps: warpsFor(used, tile, target.arch),
    slots: powerBelow(target.multiprocessors * slotsPerMultiprocessor),
    leastParts: fewParts,
    partBlocks: 1,
  }
}

const warpsFor = (elements: number, { perThread }: TileLimits, { warpSize }: CudaTarget['arch']): number =>
  clamp(powerBelow(elements / (warpSize * perThread)), 1, 16)

/** Fewer where little is to be scanned, so that every multiprocessor has some. */
function elementsPerCta(axes: Axes, { multiprocessors }: CudaTarget, most: number): number {
  const total = plannedProduct(axes.all.map(axis => axis.size))
  if (typeof total !== 'number') return most
  return clamp(powerBelow(total / multiprocessors), Math.min(minElements, most), most)
}
