/**
 * Kernels around a matmul, or around several that share an operand and a loop. Rows, columns and the depth of a product may each be several axes of the tensors behind it,
 * as in a convolution, whose depth runs over channels and taps and whose columns over the places of an image: a program
 * takes a block of these axes, and what it reads becomes matrices in the cache, never in memory.
 */
import { InternalError } from '../base/errors.js'
import { cudaMatmulTiles, type MatmulOperand, operandBits } from '../kernels/cuda-matmul-tiles.js'
import {
  depthBlock,
  type MatmulChoices,
  type MatmulDepth,
  type MatmulSizes,
  type MatmulTiles,
  matmulLoop,
  matmulTiles,
  thinMatmulTiles,
} from '../kernels/matmul.js'
import { mulSizes, productOf, type Size, sameSize } from '../scalar/size.js'
import type { CudaTarget } from '../target/cuda.js'
import type { CpuTarget, Target } from '../target/target.js'
import type { TileValue } from '../tile/language.js'
import { type Dtype, itemBytes, type TensorDtype } from '../types/dtype.js'
import { type Axis, collapse } from './axes.js'
import { type Access, type Body, type Expr, exprsOf, type MatmulAnchor, type MatmulOperands } from './body.js'
import { Evaluator } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import { bindGroup, placeRows, type RaggedPlace, rowsPerGroup } from './ragged.js'
import { type CudaLimits, isWhole, plannedProduct, plannedSize, type Tiling, type TilingLimits } from './tiling.js'
import type { KernelWriter } from './writer.js'

/** Outermost first. k is never empty: it has an axis whatever its size. Whatever else there is counts as batch. */
interface MatmulAxes {
  readonly batch: readonly Axis[]
  readonly m: readonly Axis[]
  readonly n: readonly Axis[]
  readonly k: readonly Axis[]
}

const known = (size: Size): number | null => (typeof size === 'number' ? size : null)
const sizeOf = (axes: readonly Axis[]): number | null => known(productOf(axes.map(axis => axis.size)))
/** The size that blocks are chosen for. */
const planned = (axes: readonly Axis[]): number | null => known(plannedProduct(axes.map(axis => axis.size)))

export function writeMatmul(
  body: Body,
  anchor: MatmulAnchor,
  writer: KernelWriter,
  target: Target,
  limits: TilingLimits,
): Grid {
  const axes = matmulAxes(anchor, writer, limits.matmul, target)
  const { tiles, tiling } = matmulTiling(anchor, axes, writer, target, limits)
  // Lengths that only the launch knows are taken from the operands' own views.
  if (writer.axes.all.some(axis => known(axis.size) === null)) {
    const operands = exprsOf(anchor.products.flatMap(({ a, b }) => [a, b]))
    for (const expr of operands) if (expr.kind === 'load') writer.view(expr.access)
  }
  const { grid, offsets, ends, rows } = placeOf(anchor, axes, writer, tiling)
  const evaluator = new Evaluator(writer, tiling, offsets, ends)
  const blocks = new Blocks(
    anchor,
    axes,
    tiles,
    evaluator,
    anchor.codes === null ? operandDtype(anchor.products[0]!, anchor.accumulate, target) : 'u8',
  )
  const sums = matmulLoop(writer.t, {
    m: tiles.m,
    n: tiles.n,
    depth: axes.k.map((axis, i): MatmulDepth => {
      const length = writer.axisSize(axis)
      return { length: i === 0 && rows !== null ? rows.depth(length) : length, block: evaluator.extent(axis) }
    }),
    accumulate: anchor.accumulate,
    products: anchor.products.length,
    form: anchor.codes === null ? { precision: anchor.precision } : { codes: anchor.codes },
    factors: starts => blocks.at(starts, target),
  })
  const batch = rows === null ? axes.batch : []
  bindResults(body, evaluator, sums, evaluator.sorted([...batch, ...axes.m, ...axes.n]))
  if (rows !== null) bindGroup(body, evaluator, rows.group)
  for (const store of body.stores) evaluator.store(store.access, evaluator.value(store.expr))
  return grid
}

interface Place {
  readonly grid: Grid
  readonly offsets: Map<Axis, TileValue>
  readonly ends: ReadonlyMap<Axis, TileValue>
  readonly rows: RaggedPlace | null
}

/** The tile of the program: from its number, or for rows in groups from where the groups end. */
function placeOf({ ragged }: MatmulAnchor, axes: MatmulAxes, writer: KernelWriter, { extents }: Tiling): Place {
  const n = axes.n.toReversed()
  if (ragged === null) {
    const innerFirst = [...n, ...axes.m.toReversed(), ...axes.batch.toReversed()]
    return { ...assignGrid(writer, innerFirst, extents), ends: new Map(), rows: null }
  }
  const columns = assignGrid(writer, n, extents)
  const rows = placeRows(writer, ragged, { rows: axes.m[0] ?? null, groups: axes.batch[0]! }, extents)
  return {
    grid: [columns.grid[0], rows.tiles, 1],
    offsets: new Map([...columns.offsets, ...rows.offsets]),
    ends: rows.ends,
    rows,
  }
}

/** The blocks of the products' operands, each made once. */
class Blocks {
  readonly #operands: Operands
  readonly #turned: Operands

  constructor(
    readonly anchor: MatmulAnchor,
    readonly axes: MatmulAxes,
    readonly tiles: MatmulTiles,
    evaluator: Evaluator,
    dtype: Dtype,
  ) {
    this.#operands = new Operands(evaluator, dtype, axes.k)
    this.#turned = new Operands(turnedEvaluator(evaluator, axes), dtype, axes.k)
  }

  at(starts: readonly TileValue[], target: Target): readonly (readonly [TileValue, TileValue])[] {
    const { m, n, k } = this.axes
    const { tiles } = this
    const left = (a: Expr): TileValue => this.#operands.matrix(a, m, k, [tiles.m, tiles.k], starts)
    const right = (b: Expr): TileValue =>
      turnsDecoded(b, this.axes, target)
        ? this.#turned.matrix(b, n, k, [tiles.n, tiles.k], starts).transpose([1, 0])
        : this.#operands.matrix(b, k, n, [tiles.k, tiles.n], starts)
    const [lefts, rights] = [new Map<Expr, TileValue>(), new Map<Expr, TileValue>()]
    const once = (made: Map<Expr, TileValue>, expr: Expr, make: (expr: Expr) => TileValue): TileValue => {
      const tile = made.get(expr) ?? make(expr)
      made.set(expr, tile)
      return tile
    }
    return this.anchor.products.map(({ a, b }) => [once(lefts, a, left), once(rights, b, right)])
  }
}

/** On a CPU what is decoded from bytes along k is decoded along k, and turned when it is packed. */
function turnsDecoded(b: Expr, { k }: MatmulAxes, target: Target): boolean {
  if (target.kind !== 'cpu' || k.length === 1 || plainAccess(b) !== null) return false
  return exprsOf([b]).some(expr => expr.kind === 'load' && itemBytes(expr.dtype) === 1)
}

function turnedEvaluator({ writer, tiling, offsets }: Evaluator, { batch, m, n, k }: MatmulAxes): Evaluator {
  return new Evaluator(writer, { ...tiling, order: [...batch, ...m, ...n, ...k] }, offsets)
}

/** The template's results, in the graph's dtype, for the expressions that come after it. */
export function bindResults(
  body: Body,
  evaluator: Evaluator,
  results: readonly TileValue[],
  axes: readonly Axis[],
): void {
  for (const expr of exprsOf(body.stores.map(store => store.expr))) {
    if (expr.kind !== 'anchor') continue
    const result = results[expr.product]!.to(expr.dtype as TensorDtype)
    evaluator.bind(expr, { tile: result.reshape(evaluator.shape(axes)), axes })
  }
}

// --- axes and blocks -------------------------------------------------------------------------------------------------

function matmulAxes(
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

function matmulTiling(
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

interface BlockTiling {
  readonly tiles: MatmulTiles
  readonly tiling: Tiling
}

const sizesOf = (anchor: MatmulAnchor, { batch, m, n, k }: MatmulAxes): MatmulSizes => {
  const [count, rows] = [planned(batch), planned(m)]
  // Rows in groups: products of the size that a group has when all have the same.
  const each = anchor.ragged === null ? rows : rowsPerGroup(rows, count)
  return { batch: count, m: each, n: planned(n), k: planned(k), ...operandCounts(anchor) }
}

function operandOf({ products, accumulate, codes, precision }: MatmulAnchor, target: Target): MatmulOperand {
  if (codes !== null) return 'codes'
  return precision === 'tf32' ? 'tf32' : operandDtype(products[0]!, accumulate, target)
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
    [axes.k, wanted.k],
  ] as const) {
    // Several axes share the block, the inner ones whole; one axis may be cut anywhere.
    if (group.length === 1) extents.set(group[0]!, extent)
    else addExtents(extents, group, extent)
  }
  return blockTiling(axes, extents)
}

/** The dtype in which products are computed: what the operands are, where the target multiplies such; else the sum's. */
export function operandDtype({ a, b }: MatmulOperands, accumulate: MatmulAnchor['accumulate'], target: Target): Dtype {
  if (target.kind === 'cpu' || a.dtype !== b.dtype) return accumulate
  return a.dtype === 'f16' || a.dtype === 'bf16' || a.dtype === 'i8' ? a.dtype : accumulate
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

/** Stepping an axis is running through the one inside it. */
const areOne = (factors: ReadonlyMap<Axis, Size>, group: readonly Axis[]): boolean =>
  group.every((axis, i) => {
    const [outer, factor] = [group[i - 1], factors.get(axis)]
    if (factor === undefined) return false
    return outer === undefined || sameSize(factors.get(outer) ?? 0, mulSizes(factor, axis.size))
  })

/** Every large access of the operand is contiguous along n. */
function liesInRows(b: Expr, n: Axis | undefined, { axes }: KernelWriter): boolean {
  if (n === undefined) return false
  return exprsOf([b]).every(expr => {
    if (expr.kind !== 'load') return expr.kind !== 'gather'
    const factors = axes.factors(expr.access.index)
    return factors.size < 2 || factors.get(n) === 1
  })
}

// --- operands --------------------------------------------------------------------------------------------------------

/** Makes the operands' blocks as matrices; each is 0 past the end of `k`. */
export class Operands {
  constructor(
    readonly evaluator: Evaluator,
    readonly dtype: Dtype,
    readonly k: readonly Axis[],
  ) {}

  /** The block of `expr` at `starts` along k: its `rows` × `columns`, in the dtype that is multiplied. */
  matrix(
    expr: Expr,
    rows: readonly Axis[],
    columns: readonly Axis[],
    shape: readonly [number, number],
    starts: readonly TileValue[],
  ): TileValue {
    const { evaluator } = this
    const dtype = this.dtype as TensorDtype
    return evaluator.scoped(() => {
      this.k.forEach((axis, i) => void evaluator.offsets.set(axis, starts[i]!))
      return evaluator.writer.t.emitter.builder.withOrigin(expr.origin, () => {
        const flat = this.#flat(expr, rows, columns)
        if (flat !== null) return flat.to(dtype).reshape(shape)
        const axes = evaluator.sorted([...rows, ...columns])
        const value = evaluator.value(expr)
        const full = evaluator.spread(value, evaluator.sorted([...value.axes, ...axes]))
        const wide = full.to(dtype).reshape(evaluator.shape(axes))
        // A choice of 16-bit floats is made in f32.
        return this.#maskDepth(expr, axes, wide).to(dtype).reshape(shape)
      })
    })
  }

  /** A plain operand whose several axes lie in memory like one is read as a matrix; null: it is anything else. */
  #flat(expr: Expr, rows: readonly Axis[], columns: readonly Axis[]): TileValue | null {
    if (rows.length <= 1 && columns.length <= 1) return null
    const access = plainAccess(expr)
    if (access === null || access.windows !== undefined) return null
    const { evaluator } = this
    const { writer } = evaluator
    const merged = [rows, columns].filter(axes => axes.length > 1)
    if (!merged.every(axes => this.#liesAsOne(access, axes))) return null
    const { view, axes } = writer.mergedView(access, merged)
    const groups = axes.map(axis => merged.find(group => group.at(-1) === axis) ?? [axis])
    const tile = writer.t.load(
      view,
      groups.map(group => this.#start(group)),
      groups.map(group => group.reduce((all, axis) => all * evaluator.extent(axis), 1)),
    )
    const place = (group: readonly Axis[]): number => evaluator.tiling.order.indexOf(group[0]!)
    const order = groups.map((_, d) => d).toSorted((a, b) => place(groups[a]!) - place(groups[b]!))
    const all = evaluator.sorted([...rows, ...columns])
    // Axes that the operand does not depend on would have to be repeated.
    return all.every(axis => groups.some(group => group.includes(axis))) ? tile.transpose(order) : null
  }

  /** All but the outermost are whole, and stepping an axis is running through the one inside it. */
  #liesAsOne(access: Access, axes: readonly Axis[]): boolean {
    const factors = this.evaluator.writer.axes.factors(access.index)
    return areOne(factors, axes) && axes.slice(1).every(axis => isWhole(axis, this.evaluator.extent(axis)))
  }

  /** Where a block of merged axes starts: all but the outermost start at 0. */
  #start([outer, ...inner]: readonly Axis[]): TileValue {
    const offset = this.evaluator.offset(outer!)
    const step = inner.reduce((all, axis) => all * known(axis.size)!, 1)
    return step === 1 ? offset : offset.mul(step)
  }

  /**
   * Past the end of k a plain load along it reads 0. An operand that is computed, or that does not lie along k, may be
   * anything there, also infinite, which the other's 0 would turn into NaN; and the other may not be 0. It is masked.
   */
  #maskDepth(expr: Expr, axes: readonly Axis[], tile: TileValue): TileValue {
    const { evaluator } = this
    const { t } = evaluator.writer
    const access = plainAccess(expr)
    const read = access === null ? new Map<Axis, Size>() : evaluator.writer.axes.factors(access.index)
    return this.k.reduce((masked, axis) => {
      const extent = evaluator.extent(axis)
      if (read.has(axis)) return masked
      if (typeof axis.size === 'number' && axis.size % extent === 0) return masked
      const inside = t.iota(extent).add(evaluator.offset(axis)).lt(evaluator.writer.axisSize(axis))
      const mask = evaluator.spread({ tile: inside, axes: [axis] }, axes)
      return t.where(mask, masked, t.zeros(masked.shape, masked.dtype))
    }, tile)
  }
}

/** What an operand that is read from memory, perhaps as another dtype, reads. */
function plainAccess(expr: Expr): Access | null {
  if (expr.kind === 'load') return expr.access
  return expr.kind === 'cast' ? plainAccess(expr.inputs[0]!) : null
}
