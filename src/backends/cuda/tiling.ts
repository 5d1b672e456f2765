/**
 * Tiles on a GPU. A CTA keeps its tile in registers: about 16 elements per thread, so that many wide loads are in flight;
 * small tensors are cut finer, so that every multiprocessor has work. Extents are powers of two where that wastes little,
 * since layouts distribute index bits.
 */

import { nodesOf } from '../../ir/walk.js'
import { accessesOf, isPerElement, isPlainReduction, isSplittable } from '../../loop/analysis.js'
import { type LoopNode, type LoopProgram, storesOf, type UpdateNode } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { Axes, Axis } from '../../schedule/tiling/axes.js'
import {
  clamp,
  isStridedAlong,
  plannedProduct,
  plannedSize,
  type Tiling,
  tileOrder,
} from '../../schedule/tiling/tiling.js'
import type { UpdateTiling } from '../../schedule/tiling/updates.js'
import type { CudaTarget } from '../../target/cuda.js'
import { itemBytes } from '../../types/dtype.js'
import type { BlockLimits } from './limits.js'

const maxWarps = 16
/** Maximum threads per multiprocessor. */
const residentThreads = 2048
/** Bytes of a typical element, and elements per vector access. */
const usualBytes = 4
const accessElements = 4
const accessBytes = 16
/** Bytes of contiguous memory that one access should cover at least: a sector. */
const sectorBytes = 32

export function cudaTiling(program: LoopProgram, axes: Axes, target: CudaTarget, limits: BlockLimits): Tiling {
  const order = tileOrder(program, axes)
  if (axes.reduced.length > 0) {
    const budget = elementsPerBlock(axes, target, limits, limits.maxPointwise)
    return (
      crossTiling(program, axes, target) ??
      reductionTiling(program, axes, order, { budget, tile: tileOf(program, axes, target, limits) }, target, limits)
    )
  }
  const budget = elementsPerBlock(axes, target, limits, limits.maxPointwise * narrowness(program))
  const tiling = pointwiseTiling(program, axes, order, budget, limits)
  return { ...tiling, ...warpsFor(axes, tiling, target), wide: true }
}

/** Sides of a block of pairs. */
const crossSides = [64, 32, 16]
/** CTAs per multiprocessor that blocks of pairs should be enough for. */
const crossBlocks = 2
/** Pairs of a thread. */
const crossElements = 16
/** Elements of the rows that are loaded at once. */
const crossSteps = 4

/**
 * Rows of one operand met with rows of another, as for distances of all pairs: a CTA has a square of pairs and goes along their
 * rows, so that what it loads is used once for each row of the other operand. Null for other reductions.
 */
function crossTiling(program: LoopProgram, axes: Axes, { arch, multiprocessors }: CudaTarget): Tiling | null {
  const [row, ...others] = axes.reduced.filter(({ size }) => size !== 1)
  const nodes = nodesOf<LoopNode>(program.body)
  if (row === undefined || others.length > 0 || !isPlainReduction(program)) return null
  if (nodes.some(({ op }) => op === 'gather' || op === 'random')) return null
  const loads = nodes.flatMap(node => (node.op === 'load' ? [axes.factors(node.attrs.access.index)] : []))
  const along = loads.filter(load => load.has(row))
  const kept = axes.kept.filter(({ size }) => size !== 1)
  const second = kept.at(-1)
  const first = kept.at(-2)
  if (first === undefined || second === undefined) return null
  const isOf = (axis: Axis, other: Axis): boolean => along.some(load => load.has(axis) && !load.has(other))
  const isCross = isOf(first, second) && isOf(second, first)
  if (!isCross || along.some(load => load.has(first) && load.has(second))) return null
  const sizes = kept.map(({ size }) => plannedSize(size))
  const programs = (side: number): number =>
    sizes.reduce<number>((all, size, i) => {
      const extent = i < kept.length - 2 ? 1 : side
      return all * (typeof size === 'number' ? Math.ceil(size / extent) : multiprocessors)
    }, 1)
  const side = crossSides.find(each => programs(each) >= crossBlocks * multiprocessors)
  if (side === undefined) return null
  const extents = new Map<Axis, number>(axes.all.map(axis => [axis, axis === first || axis === second ? side : 1]))
  const rest = axes.all.filter(axis => axis !== first && axis !== second)
  const warps = clamp(side ** 2 / (arch.warpSize * crossElements), 1, maxWarps)
  return { order: [...rest, first, second], extents, foldsTiles: true, unroll: crossSteps, warps }
}

/** Columns that a program puts in order. */
const orderedColumns = 64

/** Counters of a program, elements that it counts at once, and warps that do. */
const [mostCounted, countedBlock, countingWarps] = [1024, 8192, 8]
/** Programs per multiprocessor that count, and elements per counter that each has at least: it adds its counters at the end. */
const [countingBlocks, countedElements] = [4, 8]

export const countsPlaces = (places: Size, elements: Size): boolean =>
  typeof places === 'number' &&
  places <= mostCounted &&
  (typeof elements !== 'number' || elements >= Math.max(countedBlock, places * countedElements))

/** Null: the elements differ, or there are too many places or too few elements. */
function countTiling(
  axes: Axes,
  { inputs: [value], attrs: { fold, size } }: UpdateNode,
  { multiprocessors }: CudaTarget,
): UpdateTiling | null {
  const [axis, ...others] = axes.all
  const isCount =
    fold === 'add' && value!.op === 'constant' && (value!.attrs.dtype === 'i32' || value!.attrs.dtype === 'i64')
  if (axis === undefined || others.length > 0 || !isCount || !countsPlaces(size, axis.size)) return null
  const bins = powerAbove(Math.max(size as number, 2))
  const length = plannedSize(axis.size)
  const most = multiprocessors * countingBlocks
  const programs =
    typeof length === 'number'
      ? clamp(Math.floor(length / (countedElements * bins)), 1, Math.min(most, Math.ceil(length / countedBlock)))
      : most
  const tiling = { order: [axis], extents: new Map([[axis, countedBlock]]), warps: countingWarps }
  return { kind: 'counted', tiling, bins, programs }
}

/** By atomics, but for sums and products of floats whose order matters. */
export function cudaUpdateTiling(
  program: LoopProgram,
  axes: Axes,
  update: UpdateNode,
  target: CudaTarget,
  limits: BlockLimits,
): UpdateTiling {
  const { fold, inOrder, distinct, along } = update.attrs
  const counted = countTiling(axes, update, target)
  if (counted !== null) return counted
  if (fold === 'set' ? distinct : !inOrder) return { kind: 'atomic', tiling: cudaTiling(program, axes, target, limits) }
  const row = axes.of(along)
  const kept = axes.all.filter(axis => axis !== row)
  const columns = kept.at(-1)
  const extents = new Map(axes.all.map(axis => [axis, axis === columns ? blockOf(axis.size, orderedColumns) : 1]))
  return { kind: 'ordered', tiling: { order: [...kept, row], extents }, parts: 1 }
}

/** When all threads fit on the device at once, one access per thread is fastest; else each has two in flight. */
function warpsFor(axes: Axes, { extents }: Tiling, { arch, multiprocessors }: CudaTarget): { readonly warps?: number } {
  const total = plannedProduct(axes.all.map(axis => axis.size))
  if (typeof total !== 'number' || total > multiprocessors * residentThreads * accessElements) return {}
  const elements = [...extents.values()].reduce((all, extent) => all * powerAbove(extent), 1)
  return { warps: clamp(elements / (arch.warpSize * accessElements), 1, 8) }
}

/** `max`: elements per block when there is plenty of work. */
function elementsPerBlock(axes: Axes, target: CudaTarget, { minPointwise }: BlockLimits, max: number): number {
  const total = plannedProduct(axes.all.map(axis => axis.size))
  if (typeof total !== 'number') return max
  return clamp(powerBelow(total / target.multiprocessors), minPointwise, max)
}

/** CTAs per multiprocessor that a reduction has at least, where it has the elements for them. */
const reducingBlocks = 4

const isAlone = ({ alone }: LoopProgram, coords: readonly number[]): boolean => alone !== null && coords.includes(alone)

/** Elements of a tile in a loop over the reduced axis, or of many columns: fewer where that leaves multiprocessors idle. */
function tileOf(program: LoopProgram, axes: Axes, { multiprocessors }: CudaTarget, limits: BlockLimits): number {
  const { maxReduction, maxPointwise } = limits
  const elements = plannedProduct(axes.all.filter(({ coords }) => !isAlone(program, coords)).map(axis => axis.size))
  if (typeof elements !== 'number') return maxReduction
  return clamp(
    powerBelow(elements / (multiprocessors * reducingBlocks)),
    Math.min(maxPointwise, maxReduction),
    maxReduction,
  )
}

/** How many times smaller than typical the elements are. */
function narrowness(program: LoopProgram): number {
  return clamp(usualBytes / widestOf(program), 1, usualBytes)
}

export const powerBelow = (x: number): number => 2 ** Math.floor(Math.log2(Math.max(1, x)))
export const powerAbove = (x: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, x)))

/** Extents that use less than this share of a block are rejected. */
const usefulShare = 0.85

/** At most `limit` elements of an axis: all of it, or a power of two, whichever leaves fewer threads idle. */
function blockOf(axisSize: Size, limit: number): number {
  const max = powerBelow(limit)
  const size = plannedSize(axisSize)
  if (typeof size !== 'number') return max
  if (size <= max && size / powerAbove(size) >= usefulShare) return Math.max(1, size)
  for (let extent = Math.min(max, powerAbove(size)); extent * 4 > max && extent >= 32; extent /= 2) {
    if (size / (Math.ceil(size / extent) * extent) >= usefulShare) return extent
  }
  return Math.max(1, size <= max ? size : max)
}

/** Assigns extents to axes, innermost first, within the budget. */
function fill(extents: Map<Axis, number>, innerFirst: readonly Axis[], budget: number): void {
  let left = budget
  for (const axis of innerFirst) {
    const extent = extents.get(axis) ?? blockOf(axis.size, Math.max(1, left))
    extents.set(axis, extent)
    left = Math.floor(left / powerAbove(extent))
  }
}

/** Tiles for elementwise loops: contiguous blocks, or squares where an access crosses the memory order. */
function pointwiseTiling(
  program: LoopProgram,
  axes: Axes,
  order: readonly Axis[],
  budget: number,
  { transposeSide }: BlockLimits,
): Tiling {
  const extents = new Map<Axis, number>()
  const innerFirst = order.toReversed()
  const [inner] = innerFirst
  const crossing = innerFirst.slice(1).find(axis => isStridedAlong(program, axes, axis, inner!))
  if (crossing !== undefined && inner !== undefined) {
    // Where one side is short, the other is longer, up to the elements of a square.
    const sideBeside = (other: Axis): number =>
      Math.max(transposeSide, Math.min(budget, transposeSide ** 2) / powerAbove(blockOf(other.size, transposeSide)))
    extents.set(inner, blockOf(inner.size, sideBeside(crossing)))
    // 1-byte dtypes: loads cover a whole cache line of 128 bytes (57 % → 80 % of copy bandwidth for a u8 transpose on an H200).
    const longer = widestOf(program) === 1 ? 2 * transposeSide : transposeSide
    extents.set(crossing, blockOf(crossing.size, Math.max(longer, sideBeside(inner))))
    const used = powerAbove(extents.get(inner)!) * powerAbove(extents.get(crossing)!)
    const others = innerFirst.filter(axis => axis !== inner && axis !== crossing)
    fill(extents, others, budget / used)
  } else fill(extents, innerFirst, budget)
  return { order, extents }
}

/** Tiles for reductions: whole rows in one tile where they fit, else blocks of a row. */
function reductionTiling(
  program: LoopProgram,
  axes: Axes,
  order: readonly Axis[],
  { budget, tile }: { readonly budget: number; readonly tile: number },
  target: CudaTarget,
  limits: BlockLimits,
): Tiling {
  const { maxRow, columnBytes, rowElements } = limits
  const blocks =
    rowTiling(program, order, target, limits) ??
    shortColumnTiling(program, order, target, limits) ??
    longColumnTiling(program, axes, order, target, limits)
  if (blocks !== null) return blocks
  const extents = new Map<Axis, number>()
  const innerFirst = order.toReversed()
  const inner = innerFirst[0]!
  const reduced = innerFirst.filter(axis => axis.reduced)
  const kept = innerFirst.filter(axis => !axis.reduced)
  const length = plannedProduct(reduced.map(axis => axis.size))
  const lengths = reduced.map(({ size }) => plannedSize(size))
  const padded = lengths.reduce<number>(
    (all, size) => (typeof size === 'number' ? all * powerAbove(size) : Infinity),
    1,
  )
  const isShort = !inner.reduced && padded <= warpColumn
  const columns = inner.reduced
    ? 1
    : columnsOf(
        program,
        inner,
        plannedProduct(kept.filter(({ coords }) => !isAlone(program, coords)).map(axis => axis.size)),
        target,
        isShort ? warpColumns(program, padded, target) : columnBytes / widestOf(program),
      )
  if (!inner.reduced) extents.set(inner, columns)
  const oneTile = typeof length === 'number' && length > 0 && padded * columns <= maxRow
  if (oneTile) reduced.forEach((axis, i) => void extents.set(axis, lengths[i] as number))
  else fill(extents, reduced, tile / columns)
  const rows = oneTile ? Math.max(1, budget / (columns * padded)) : 1
  const others = kept.filter(axis => axis !== inner)
  fill(extents, others, rows)
  if (oneTile && isShort) return { order, extents, foldsTiles: true, warps: 1 }
  if (!oneTile || !inner.reduced) return { order, extents, foldsTiles: true }
  const warps = clamp(padded / (target.arch.warpSize * rowElements), 1, maxWarps)
  return { order, extents, foldsTiles: true, warps }
}

/** Columns of at most so many elements are summed by one thread each. */
const shortColumn = 32

/** Columns of few elements, such as the parts of a split product: a thread has whole ones, and loads them at once. */
function shortColumnTiling(
  program: LoopProgram,
  order: readonly Axis[],
  { arch, multiprocessors }: CudaTarget,
  { minPointwise, maxPointwise }: BlockLimits,
): Tiling | null {
  const inner = order.at(-1)!
  const length = plannedProduct(order.filter(axis => axis.reduced).map(axis => axis.size))
  const width = plannedSize(inner.size)
  if (inner.reduced || typeof length !== 'number' || typeof width !== 'number') return null
  if (length < 2 || length > shortColumn || width < minPointwise || !isPlainReduction(program)) return null
  const extents = new Map<Axis, number>(order.map(axis => [axis, 1]))
  const columns = blockOf(width, clamp(powerAbove(width / multiprocessors), minPointwise / 2, maxPointwise))
  const warps = clamp(columns / (arch.warpSize * accessElements), 1, maxWarps)
  return { order, extents: extents.set(inner, columns), foldsTiles: true, unroll: length, warps: powerAbove(warps) }
}

/** Bytes of the loads that a thread issues together. */
const loadedBytes = 64
/** Blocks of an iteration at most. */
const mostUnrolled = 8
/** Elements that an access stores along a reduced axis: a cache line of 16-bit elements. */
const crossingElements = 64

/**
 * Long columns that are split among CTAs: a thread has a few adjacent columns, and in each block an element of them, or, where
 * an access is contiguous along the columns, as many as its side of a square has. Few elements leave registers for the values per
 * column and for the loads of several blocks.
 */
function longColumnTiling(
  program: LoopProgram,
  axes: Axes,
  order: readonly Axis[],
  { arch }: CudaTarget,
  { maxRow, columnBytes, longColumns, columnWarps }: BlockLimits,
): Tiling | null {
  const inner = order.at(-1)!
  const reduced = order.filter(axis => axis.reduced).toReversed()
  const length = plannedProduct(reduced.map(axis => axis.size))
  const width = plannedSize(inner.size)
  if (inner.reduced || typeof length !== 'number' || typeof width !== 'number' || !isSplittable(program)) return null
  const columns = blockOf(width, columnBytes / usualBytes)
  const across = powerAbove(columns)
  if (length * across <= maxRow || width * length < longColumns) return null
  const moving = accessesOf(program).filter(({ index }) => reduced.some(axis => axes.factors(index).has(axis)))
  const widest = Math.max(1, ...moving.map(({ dtype }) => itemBytes(dtype)))
  const crossing = reduced.find(axis => isStridedAlong(program, axes, axis, inner))
  const warps = crossing === undefined ? columnWarps : Math.max(1, columnWarps / 2)
  const vector = Math.min(accessElements, accessBytes / widest)
  const rows = Math.max(1, (warps * arch.warpSize * vector) / across)
  const extents = new Map<Axis, number>([...order.map((axis): [Axis, number] => [axis, 1]), [inner, columns]])
  if (crossing === undefined) for (const axis of reduced) extents.delete(axis)
  else extents.set(crossing, blockOf(crossing.size, Math.max(rows, crossingElements)))
  fill(extents, reduced, rows)
  const block = reduced.reduce((all, axis) => all * powerAbove(extents.get(axis)!), across)
  const along = moving.filter(({ index }) => axes.factors(index).has(inner))
  const bytes = along.reduce((all, { dtype }) => all + itemBytes(dtype), 0) * (block / (warps * arch.warpSize))
  return { order, extents, foldsTiles: true, unroll: clamp(powerBelow(loadedBytes / bytes), 1, mostUnrolled), warps }
}

/** Other columns of at most so many elements are reduced by one thread each, a few per thread. */
const warpColumn = 16
/** Elements of them that a thread has at most. */
const threadElements = 64

/** Short columns that a warp reduces: whole accesses of the narrowest elements. */
function warpColumns(program: LoopProgram, padded: number, { arch }: CudaTarget): number {
  const narrowest = Math.min(...accessesOf(program).map(({ dtype }) => itemBytes(dtype)))
  return arch.warpSize * clamp(threadElements / padded, 1, accessBytes / narrowest)
}

const widestOf = (program: LoopProgram): number =>
  Math.max(1, ...accessesOf(program).map(({ dtype }) => itemBytes(dtype)))

/** Blocks of a row that a CTA keeps in registers. */
const maxBlocks = 24
const registersPerMultiprocessor = 65_536
/** The code of a program is repeated for each element of a thread; from so many nodes on there are fewer. */
const manyNodes = 100
/** Where a thread has fewer elements than usual, or more, that costs as much as so many idle threads for each factor of two. */
const unusual = 0.06
/** What one large CTA costs, which leaves no other to read while it reduces. */
const alone = 0.1

/** How a row is divided: `blocks` blocks of `threads` · `each` elements. */
interface RowShape {
  readonly threads: number
  readonly each: number
  readonly blocks: number
}

/**
 * Rows that are contiguous in memory, as blocks that all threads of a row share. The blocks of a row stay in registers, so that
 * it is read once; of a longer row, a few at a time.
 */
function rowTiling(
  program: LoopProgram,
  order: readonly Axis[],
  target: CudaTarget,
  limits: BlockLimits,
): Tiling | null {
  const inner = order.at(-1)!
  const outer = order.filter(axis => axis.reduced && axis !== inner)
  const kept = order.filter(axis => !axis.reduced)
  const around = plannedProduct(outer.map(axis => axis.size))
  const { size } = inner
  if (!inner.reduced || typeof around !== 'number') return null
  const own = { ...limits, rowElements: rowElementsOf(program, limits) }
  if (typeof size !== 'number') return around === 1 ? openRowTiling(program, order, own, target) : null
  if (size < limits.minBlocks) return null
  const vector = Math.min(accessElementsAlong(program, inner), size & -size)
  const rows = plannedProduct(kept.map(axis => axis.size))
  const isSmall = typeof rows === 'number' && rows <= target.multiprocessors
  // A row that is read again should still be in the L2 cache, so few are in work at once.
  const readsAgain = vector > 2 && storesOf(program).some(store => isPerElement(store, program))
  const isAlone = !isPlainReduction(program) && (isSmall || readsAgain)
  const shape = rowShape(size, around, vector, own) ?? (around === 1 ? longRowShape(vector, isAlone, own) : null)
  if (shape === null) return null
  const { threads, each, blocks } = shape
  const extents = new Map<Axis, number>(outer.map(axis => [axis, 1]))
  extents.set(inner, Math.min(size, threads * each))
  fill(extents, kept.toReversed(), Math.max(1, (4 * limits.rowThreads[0]) / threads))
  const together = kept.reduce((all, axis) => all * powerAbove(extents.get(axis)!), 1)
  const warps = clamp((threads * together) / target.arch.warpSize, 1, 2 * maxWarps)
  const tiling = { order, extents, foldsTiles: true, unroll: blocks, warps }
  const isKept = blocks * threads * each >= size * around
  return isKept ? { ...tiling, ...residentsOf(blocks * each, vector, threads * together) } : tiling
}

/** How many CTAs a multiprocessor should hold, by the registers that a thread needs. */
function residentsOf(elements: number, vector: number, threads: number): { readonly residents?: number } {
  // Narrow accesses need more addresses at once.
  const others = vector <= 2 ? 48 : vector < 8 || elements > 32 ? 40 : 32
  const registers = Math.ceil((elements + others) / 8) * 8
  const residents = Math.floor(registersPerMultiprocessor / (Math.max(32, threads) * registers))
  return residents < 2 ? {} : { residents }
}

/** Elements per thread: fewer where they take more registers, addresses of their own, or much code. */
function rowElementsOf(program: LoopProgram, { rowElements }: BlockLimits): number {
  const widest = Math.max(usualBytes, ...accessesOf(program).map(({ dtype }) => itemBytes(dtype)))
  const nodes = nodesOf<LoopNode>(program.body)
  const gathers = nodes.some(({ op }) => op === 'gather' || op === 'random')
  return (((rowElements * usualBytes) / widest) * Math.min(1, manyNodes / nodes.length)) / (gathers ? 2 : 1)
}

/** Rows of any length: an iteration takes several blocks, but one at a time at the end of a row. */
function openRowTiling(
  program: LoopProgram,
  order: readonly Axis[],
  { rowThreads: [, most], rowElements }: BlockLimits,
  { arch }: CudaTarget,
): Tiling {
  const inner = order.at(-1)!
  const each = accessElementsAlong(program, inner)
  const threads = most / 4
  const extents = new Map<Axis, number>(order.map(axis => [axis, 1]))
  extents.set(inner, threads * each)
  const unroll = Math.max(1, Math.floor(((4 / 3) * rowElements) / each))
  return { order, extents, foldsTiles: true, unroll, warps: Math.max(1, threads / arch.warpSize) }
}

/** Elements of the widest access along an axis. */
function accessElementsAlong(program: LoopProgram, inner: Axis): number {
  const along = accessesOf(program).filter(({ index }) => inner.coords.some(coord => index.terms.has(coord)))
  const bytes = Math.max(1, ...along.map(({ dtype }) => itemBytes(dtype)))
  return accessBytes / bytes
}

/** The shape of rows that are kept: the one that leaves the fewest threads idle, among those of about the usual size. */
function rowShape(size: number, around: number, vector: number, limits: BlockLimits): RowShape | null {
  const {
    rowThreads: [least, most],
    rowElements,
  } = limits
  let best: (RowShape & { readonly cost: number }) | null = null
  for (let threads = least; threads <= most; threads *= 2) {
    for (const each of vector > 2 ? [vector] : [1, 2, 4]) {
      const blocks = Math.ceil(size / (threads * each)) * around
      const elements = blocks * each
      const isAlone = threads === most
      if (blocks > maxBlocks || elements > rowElements * (isAlone ? 4 / 3 : 2)) continue
      const idle = (elements * threads) / (size * around)
      const cost = idle * (1 + unusual * Math.abs(Math.log2(elements / rowElements)) + (isAlone ? alone : 0))
      if (best === null || cost < best.cost) best = { threads, each, blocks, cost }
    }
  }
  return best
}

/** The shape of an iteration over rows that are too long to be kept. `isAlone`: no other CTA shares the multiprocessor. */
function longRowShape(vector: number, isAlone: boolean, { rowThreads: [, most], rowElements }: BlockLimits): RowShape {
  const each = Math.max(4, vector)
  const elements = (isAlone ? 2 / 3 : 4 / 3) * rowElements
  return { threads: isAlone ? most : most / 2, each, blocks: Math.max(1, Math.floor(elements / each)) }
}

/**
 * Adjacent columns that a CTA reduces: `most` (whole cache lines) where that leaves enough CTAs, at least whole sectors.
 */
function columnsOf(program: LoopProgram, inner: Axis, rows: Size, target: CudaTarget, most: number): number {
  const [few, many] = [Math.max(1, sectorBytes / widestOf(program)), Math.max(1, most)]
  const width = plannedSize(inner.size)
  if (typeof width !== 'number') return many
  const all = typeof rows === 'number' ? rows : width
  return blockOf(width, clamp(powerAbove(all / target.multiprocessors), few, many))
}
