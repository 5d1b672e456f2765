/** The axes of a GEMM kernel, and helpers with which back ends choose its blocks. */
import { InternalError } from '../../base/errors.js'
import type { MatmulSizes } from '../../kernels/matmul.js'
import { type LoopNode, nodesBehind } from '../../loop/ir.js'
import { productOf, type Size } from '../../scalar/size.js'
import type { DotPolicy, MatmulAxes, Matmuls, MatmulTiling, SchedulePolicy } from '../policy.js'
import type { Axes, Axis } from './axes.js'
import { plainAccess } from './contraction-operands.js'
import type { Ragged } from './matmul-template.js'
import { perGroup } from './ragged.js'
import { plannedProduct } from './tiling.js'

export const known = (size: Size): number | null => (typeof size === 'number' ? size : null)
/** null: known only at run time. */
export const knownSizeOf = (axes: readonly Axis[]): number | null => known(productOf(axes.map(axis => axis.size)))
/** The size that blocks are chosen for. */
const planned = (axes: readonly Axis[]): number | null => known(plannedProduct(axes.map(axis => axis.size)))

/** Sorts a matmul's axes into batch, m, n and k. */
export function matmulAxes(
  matmuls: Matmuls,
  axes: Axes,
  { limits, dots }: Pick<SchedulePolicy, 'limits' | 'dots'>,
): MatmulAxes {
  const { params } = matmuls[0].attrs
  // Groups of rows count as batch: a program loops over one matrix. Groups with results of their own are among the kept
  // axes.
  const groups = axes.spanning(params.ragged?.group ?? []).filter(axis => axis.reduced)
  const k = axes.reduced.filter(axis => !groups.includes(axis))
  if (k.length === 0) throw new InternalError('schedule: a matmul without k')
  const depth = alongBytes(k, matmuls, axes, dots.depthOrder)
  const ordered = (own: readonly Axis[], operand: LoopNode): readonly Axis[] =>
    dots.inMemoryOrder ? inOrderOf(own, operand, axes) : own
  const [left, right] = matmuls[0].inputs as readonly [LoopNode, LoopNode]
  const m = blockedAxes(ordered(axes.spanning(params.m), left), limits.matmul.rows)
  const n = blockedAxes(ordered(axes.spanning(params.n), right), limits.matmul.columns)
  const blocked = new Set([...m, ...n])
  return { batch: [...axes.kept.filter(axis => !blocked.has(axis)), ...groups], m, n, k: depth }
}

/** The axes in the order of the operand's memory, if its strides along all of them are known. */
function inOrderOf(own: readonly Axis[], operand: LoopNode, axes: Axes): readonly Axis[] {
  const access = plainAccess(operand)
  if (access === null || own.length <= 1) return own
  const factors = axes.factors(access.index)
  const strides = new Map(own.map(axis => [axis, known(factors.get(axis) ?? 0)]))
  if ([...strides.values()].some(stride => stride === null || stride <= 0)) return own
  return own.toSorted((p, q) => strides.get(q)! - strides.get(p)!)
}

/**
 * Reorders the axes of k, as a sum allows: the axis along which the operands' largest access is contiguous comes last.
 * Packed bytes then give all their low halves before their high ones, so that a vector of bytes unpacks to vectors of
 * numbers. If only the right operands decide, a plain left operand may be read in any order; else it is copied in that
 * order.
 */
function alongBytes(k: readonly Axis[], matmuls: Matmuls, axes: Axes, order: DotPolicy['depthOrder']): readonly Axis[] {
  const operands = order === 'right' ? rightsOf(matmuls) : operandsOf(matmuls)
  const decoded = operands.filter(each => plainAccess(each) === null)
  const [first] = decoded
  if (k.length === 1 || first === undefined) return k
  const inner = innerAxis(k, first, axes)
  const isCommon = decoded.length === operands.length && decoded.every(each => innerAxis(k, each, axes) === inner)
  if (inner === undefined || (order === 'all' && !isCommon)) return k
  return [...k.filter(axis => axis !== inner), inner]
}

/** The axis along which the operand's largest access is contiguous. */
function innerAxis(k: readonly Axis[], operand: LoopNode, axes: Axes): Axis | undefined {
  const factors = nodesBehind([operand]).flatMap(node =>
    node.op === 'load' ? [axes.factors(node.attrs.access.index)] : [],
  )
  const most = Math.max(...factors.map(({ size }) => size))
  return k.find(axis => factors.some(each => each.size === most && each.get(axis) === 1))
}

const sidesOf = (matmuls: Matmuls, side: 0 | 1): readonly LoopNode[] => [
  ...new Set(matmuls.map(({ inputs }) => inputs[side]!)),
]
const leftsOf = (matmuls: Matmuls): readonly LoopNode[] => sidesOf(matmuls, 0)
export const rightsOf = (matmuls: Matmuls): readonly LoopNode[] => sidesOf(matmuls, 1)
export const operandsOf = (matmuls: Matmuls): readonly LoopNode[] => [...leftsOf(matmuls), ...rightsOf(matmuls)]

/** The number of left and of right operands of the matmuls in one K loop. */
const operandCounts = (matmuls: Matmuls): { readonly lefts: number; readonly rights: number } => ({
  lefts: leftsOf(matmuls).length,
  rights: rightsOf(matmuls).length,
})

/** The innermost axes that a block spans: all but the first of them are taken whole. */
function blockedAxes(axes: readonly Axis[], choices: readonly number[]): readonly Axis[] {
  let inner = 1
  let first = axes.length
  while (first > 0 && inner * 2 <= choices.at(-1)!) {
    first--
    const size = known(axes[first]!.size)
    if (size === null) {
      if (first < axes.length - 1) first++
      break
    }
    inner *= size
  }
  return axes.slice(first)
}

/** Splits a block of `wanted` elements into extents of axes, innermost first. */
export function addExtents(extents: Map<Axis, number>, axes: readonly Axis[], wanted: number): void {
  let left = wanted
  for (const axis of axes.toReversed()) {
    const extent = axis === axes[0] ? left : Math.min(left, known(axis.size) ?? left)
    extents.set(axis, extent)
    left = Math.max(1, Math.floor(left / extent))
  }
}

export const matmulSizes = (matmuls: Matmuls, { batch, m, n, k }: MatmulAxes): MatmulSizes => {
  const count = planned(batch)
  const { ragged, part } = matmuls[0].attrs.params
  const parts = part === null ? 1 : (planned(batch.filter(axis => axis.coords.includes(part))) ?? 1)
  // Ragged rows or depth: the size of a group if all are equal.
  const size = (axes: readonly Axis[], along: Ragged['along']): number | null =>
    ragged?.along === along ? perGroup(planned(axes), count) : planned(axes)
  const depth = size(k, 'depth')
  return {
    batch: count,
    m: size(m, 'rows'),
    n: planned(n),
    k: depth === null ? null : Math.ceil(depth / parts),
    ...operandCounts(matmuls),
  }
}

/** The axis of k that parts share: the one of most blocks. An unknown size counts as long. */
export function splitAxis(k: readonly Axis[], extents: ReadonlyMap<Axis, number>): Axis {
  const blocks = (axis: Axis): number => (known(axis.size) ?? Number.POSITIVE_INFINITY) / extents.get(axis)!
  return k.reduce((best, axis) => (blocks(axis) > blocks(best) ? axis : best))
}

export function blockTiling(axes: MatmulAxes, extents: Map<Axis, number>): MatmulTiling {
  const tiles = { m: blockSize(extents, axes.m), n: blockSize(extents, axes.n), k: blockSize(extents, axes.k) }
  return { tiles, tiling: { order: [...axes.batch, ...axes.m, ...axes.k, ...axes.n], extents } }
}

/** The number of elements in a block of some axes. */
export const blockSize = (extents: ReadonlyMap<Axis, number>, axes: readonly Axis[]): number =>
  axes.reduce((all, axis) => all * extents.get(axis)!, 1)
