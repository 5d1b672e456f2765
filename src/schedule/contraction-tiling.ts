/** The axes of a matrix product's kernel, and how much of each a program takes. */
import { InternalError } from '../base/errors.js'
import { cudaMatmulTiles, type MatmulOperand, operandBits } from '../kernels/cuda-matmul-tiles.js'
import {
  depthBlock,
  type MatmulChoices,
  type MatmulSizes,
  type MatmulTiles,
  matmulTiles,
  thinMatmulTiles,
} from '../kernels/matmul.js'
import { productOf, type Size } from '../scalar/size.js'
import type { CudaTarget } from '../target/cuda.js'
import type { CpuTarget, Target } from '../target/target.js'
import { type Axis, collapse } from './axes.js'
import { type Body, type Expr, exprsOf, type MatmulAnchor } from './body.js'
import { operandDtype, plainAccess } from './contraction-operands.js'
import { rowsPerGroup } from './ragged.js'
import { type CudaLimits, plannedProduct, plannedSize, type Tiling, type TilingLimits } from './tiling.js'
import type { KernelWriter } from './writer.js'

/** Outermost first. k is never empty: it has an axis whatever its size. Whatever else there is counts as batch. */
export interface MatmulAxes {
  readonly batch: readonly Axis[]
  readonly m: readonly Axis[]
  readonly n: readonly Axis[]
  readonly k: readonly Axis[]
}

const known = (size: Size): number | null => (typeof size === 'number' ? size : null)
const sizeOf = (axes: readonly Axis[]): number | null => known(productOf(axes.map(axis => axis.size)))
/** The size that blocks are chosen for. */
const planned = (axes: readonly Axis[]): number | null => known(plannedProduct(axes.map(axis => axis.size)))

export function matmulAxes(
  anchor: MatmulAnchor,
  { axes }: Pick<KernelWriter, 'axes'>,
  choices: MatmulChoices,
  target: Target,
): MatmulAxes {
  // Groups count as batch: one matrix after another.
  const groups = axes.spanning(anchor.ragged?.group ?? [])
  const k = axes.reduced.filter(axis => !groups.includes(axis))
  if (k.length === 0) throw new InternalError('schedule: a matmul without k')
  const depth = alongBytes(k, target.kind === 'cpu' ? rightsOf(anchor) : operandsOf(anchor), axes, target)
  const m = blockedAxes(axes.spanning(anchor.m), choices.rows)
  const n = blockedAxes(axes.spanning(anchor.n), choices.columns)
  const blocked = new Set([...m, ...n])
  return { batch: [...axes.kept.filter(axis => !blocked.has(axis)), ...groups], m, n, k: depth }
}

/**
 * The axes of k in an order of our own, as a sum allows: what the operands' largest access is contiguous along comes last.
 * Of packed bytes all first halves then come before the second ones, and a vector of bytes gives vectors of numbers. On a
 * CPU an operand that is read from memory as it is may be read in any order; on a GPU its copies go along it.
 */
function alongBytes(
  k: readonly Axis[],
  operands: readonly Expr[],
  axes: KernelWriter['axes'],
  target: Target,
): readonly Axis[] {
  const decoded = operands.filter(each => plainAccess(each) === null)
  const [first] = decoded
  if (k.length === 1 || first === undefined) return k
  const inner = innerAxis(k, first, axes)
  const isCommon = decoded.length === operands.length && decoded.every(each => innerAxis(k, each, axes) === inner)
  if (inner === undefined || (target.kind === 'cuda' && !isCommon)) return k
  return [...k.filter(axis => axis !== inner), inner]
}

/** The axis along which the operand's largest access is contiguous. */
function innerAxis(k: readonly Axis[], operand: Expr, axes: KernelWriter['axes']): Axis | undefined {
  const factors = exprsOf([operand]).flatMap(expr => (expr.kind === 'load' ? [axes.factors(expr.access.index)] : []))
  const most = Math.max(...factors.map(({ size }) => size))
  return k.find(axis => factors.some(each => each.size === most && each.get(axis) === 1))
}

const rightsOf = ({ products }: MatmulAnchor): readonly Expr[] => [...new Set(products.map(({ b }) => b))]
const leftsOf = ({ products }: MatmulAnchor): readonly Expr[] => [...new Set(products.map(({ a }) => a))]

const operandsOf = (anchor: MatmulAnchor): readonly Expr[] => [...leftsOf(anchor), ...rightsOf(anchor)]

/** How many operands the products of one loop have. */
const operandCounts = (anchor: MatmulAnchor): { readonly lefts: number; readonly rights: number } => ({
  lefts: leftsOf(anchor).length,
  rights: rightsOf(anchor).length,
})

/** The innermost axes that a block can take more than one index of: those inside the last one are taken whole. */
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

/** The sizes of blocks to choose among: of one axis as given, of several whole inner axes times some of the next. */
function blockChoices(axes: readonly Axis[], choices: readonly number[]): readonly number[] {
  const [outer, ...inner] = axes
  if (outer === undefined || inner.length === 0) return choices
  const most = choices.at(-1)!
  const found = new Set(choices.filter(choice => choice < (known(inner.at(-1)!.size) ?? 1)))
  let whole = 1
  for (const axis of axes.toReversed()) {
    const size = known(axis.size)!
    // Part of a block cannot be left out where several axes are one side of a matrix: blocks divide their axis.
    for (let count = 1; count <= size && count * whole <= most; count++)
      if (size % count === 0) found.add(count * whole)
    whole *= size
  }
  return [...found].sort((a, b) => a - b)
}

/** Cuts a block of `wanted` elements into extents of axes, the innermost first. */
function addExtents(extents: Map<Axis, number>, axes: readonly Axis[], wanted: number): void {
  let left = wanted
  for (const axis of axes.toReversed()) {
    const extent = axis === axes[0] ? left : Math.min(left, known(axis.size) ?? left)
    extents.set(axis, extent)
    left = Math.max(1, Math.floor(left / extent))
  }
}

/** Blocks along the depth: inner axes whole while they fit, divisors of those that do not. */
function addDepths(extents: Map<Axis, number>, axes: readonly Axis[], wanted: number): void {
  let left = wanted
  for (const axis of axes.toReversed()) {
    const extent = depthBlock(known(plannedSize(axis.size)), left)
    extents.set(axis, extent)
    left = Math.max(1, Math.floor(left / extent))
  }
}

export function matmulTiling(
  anchor: MatmulAnchor,
  axes: MatmulAxes,
  writer: KernelWriter,
  target: Target,
  limits: TilingLimits,
): BlockTiling {
  return target.kind === 'cpu'
    ? cpuMatmulTiling(anchor, axes, writer, target, limits.matmul)
    : cudaMatmulTiling(anchor, axes, target, limits.cuda)
}

export interface BlockTiling {
  readonly tiles: MatmulTiles
  readonly tiling: Tiling
}

const sizesOf = (anchor: MatmulAnchor, { batch, m, n, k }: MatmulAxes): MatmulSizes => {
  const [count, rows] = [planned(batch), planned(m)]
  // Rows in groups: products of the size that a group has when all have the same.
  const each = anchor.ragged === null ? rows : rowsPerGroup(rows, count)
  return { batch: count, m: each, n: planned(n), k: planned(k), ...operandCounts(anchor) }
}

function operandOf(anchor: MatmulAnchor, target: Target): MatmulOperand {
  const { products, accumulate, codes, precision } = anchor
  if (codes !== null) return 'codes'
  if (precision === 'tf32') return 'tf32'
  const dtype = operandDtype(products[0]!, accumulate, target)
  const byWarpgroups = target.kind === 'cuda' && target.arch.warpgroup && (dtype === 'f16' || dtype === 'bf16')
  const isDecoded = operandsOf(anchor).map(each => plainAccess(each) === null)
  if (!byWarpgroups || !isDecoded.includes(true)) return dtype
  return isDecoded.includes(false) ? 'half decoded' : 'decoded'
}

/** Tiles for the products of some bodies that run side by side on a GPU. */
export function tilesTogether(bodies: readonly Body[], target: CudaTarget, limits: TilingLimits): MatmulTiles {
  const products = bodies.flatMap(body => {
    if (body.anchor?.kind !== 'matmul') return []
    const axes = matmulAxes(body.anchor, { axes: collapse(body) }, limits.matmul, target)
    return [{ sizes: sizesOf(body.anchor, axes), operand: operandOf(body.anchor, target) }]
  })
  const widest = products.reduce((a, b) => (operandBits(b.operand) > operandBits(a.operand) ? b : a))
  return cudaMatmulTiles(
    products.map(({ sizes }) => sizes),
    widest.operand,
    target,
    limits.cuda.matmulRank,
  )
}

function cudaMatmulTiling(
  anchor: MatmulAnchor,
  axes: MatmulAxes,
  target: CudaTarget,
  { matmul: given, matmulRank }: CudaLimits,
): BlockTiling {
  const wanted = given ?? cudaMatmulTiles([sizesOf(anchor, axes)], operandOf(anchor, target), target, matmulRank)
  const extents = new Map<Axis, number>(axes.batch.map(axis => [axis, 1]))
  for (const [group, extent] of [
    [axes.m, wanted.m],
    [axes.n, wanted.n],
    [axes.k, wholeBlock(axes.k, wanted.k)],
  ] as const) {
    // Several axes share the block, the inner ones whole; one axis may be cut anywhere.
    if (group.length === 1) extents.set(group[0]!, extent)
    else addExtents(extents, group, extent)
  }
  return blockTiling(axes, extents)
}

/**
 * The depth of a block, or twice that where the inner axes then are whole, as blocks that share a scale are: a loop inside
 * of another, of two rounds, would hardly overlap with memory.
 */
function wholeBlock([, ...inner]: readonly Axis[], wanted: number): number {
  const whole = sizeOf(inner)
  return whole === 2 * wanted ? whole : wanted
}

function blockTiling(axes: MatmulAxes, extents: Map<Axis, number>): BlockTiling {
  const tiles = { m: product(extents, axes.m), n: product(extents, axes.n), k: product(extents, axes.k) }
  return { tiles, tiling: { order: [...axes.batch, ...axes.m, ...axes.k, ...axes.n], extents } }
}

function cpuMatmulTiling(
  anchor: MatmulAnchor,
  axes: MatmulAxes,
  writer: KernelWriter,
  target: CpuTarget,
  choices: MatmulChoices,
): BlockTiling {
  const extents = new Map<Axis, number>(axes.batch.map(axis => [axis, 1]))
  addDepths(extents, axes.k, choices.depth)
  const sizes = sizesOf(anchor, axes)
  const depth = product(extents, axes.k)
  const isSimple = axes.m.length <= 1 && axes.n.length <= 1 && axes.k.length === 1
  const thin =
    isSimple && rightsOf(anchor).every(b => liesInRows(b, axes.n[0], writer))
      ? thinMatmulTiles({ ...sizes, k: sizeOf(axes.k) }, target)
      : null
  const chosen =
    thin ??
    matmulTiles(
      sizes,
      target,
      { rows: blockChoices(axes.m, choices.rows), columns: blockChoices(axes.n, choices.columns) },
      depth,
    )
  if (thin !== null) extents.set(axes.k[0]!, thin.k)
  addExtents(extents, axes.m, chosen.m)
  addExtents(extents, axes.n, chosen.n)
  return blockTiling(axes, extents)
}

const product = (extents: ReadonlyMap<Axis, number>, axes: readonly Axis[]): number =>
  axes.reduce((all, axis) => all * extents.get(axis)!, 1)

/** Every large access of the operand is contiguous along n. */
function liesInRows(b: Expr, n: Axis | undefined, { axes }: KernelWriter): boolean {
  if (n === undefined) return false
  return exprsOf([b]).every(expr => {
    if (expr.kind !== 'load') return expr.kind !== 'gather'
    const factors = axes.factors(expr.access.index)
    return factors.size < 2 || factors.get(n) === 1
  })
}
