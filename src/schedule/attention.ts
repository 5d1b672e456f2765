/** Kernels around attention: which axes are queries, keys, depth and columns, and how much of each a program takes. */
import { InternalError } from '../base/errors.js'
import { type AttentionTiles, attentionLoop } from '../kernels/attention.js'
import { type AttentionSizes, cpuAttentionTiles, cudaAttentionTiles } from '../kernels/attention-tiles.js'
import type { Target } from '../target/target.js'
import type { TileValue } from '../tile/language.js'
import { type Dtype, dtypeInfo, type TensorDtype } from '../types/dtype.js'
import type { Axis } from './axes.js'
import { type Anchor, type Body, exprsOf } from './body.js'
import { bindResults } from './contraction.js'
import { Operands, operandDtype } from './contraction-operands.js'
import { Evaluator } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import { plannedProduct, type TilingLimits } from './tiling.js'
import type { KernelWriter } from './writer.js'

type AttentionAnchor = Extract<Anchor, { kind: 'attention' }>

/** Rows and columns are none where there is one only. */
interface AttentionAxes {
  readonly batch: readonly Axis[]
  readonly rows: readonly Axis[]
  readonly columns: readonly Axis[]
  readonly keys: Axis
  readonly depth: Axis
}

export function writeAttention(
  body: Body,
  anchor: AttentionAnchor,
  writer: KernelWriter,
  target: Target,
  limits: TilingLimits,
): Grid {
  const { t } = writer
  const axes = axesOf(anchor, writer)
  const tiles: WarpTiles = limits.attention ?? tilesFor(anchor, axes, target)
  if (tiles.warps !== undefined) writer.hints = { warps: tiles.warps }
  const extents = extentsOf(axes, tiles, target)
  const { batch, rows, columns, keys, depth } = axes
  const { grid, offsets } = assignGrid(writer, [...columns, ...rows, ...batch.toReversed()], extents)
  const order = [...batch, ...rows, keys, depth, ...columns]
  const evaluator = new Evaluator(writer, { order, extents }, offsets)
  // Lengths that only the launch knows are taken from the operands' own views.
  const all = [anchor.q, anchor.k, anchor.v, ...(anchor.mask === null ? [] : [anchor.mask])]
  for (const expr of exprsOf(all)) if (expr.kind === 'load') writer.view(expr.access)
  const extent = (of: readonly Axis[]): number => of.reduce((count, axis) => count * evaluator.extent(axis), 1)
  const sizes = { rows: extent(rows), keys: extent([keys]), depth: extent([depth]), columns: extent(columns) }
  const { accumulate, causal, scale, unseeing } = anchor.attrs
  const dtype = dtypeOf(anchor, target)
  const first = t.const(0n, 'i64')
  const deep = new Operands(evaluator, dtype, [keys, depth])
  const flat = new Operands(evaluator, dtype, [keys])
  const scores = new Operands(evaluator, anchor.mask?.dtype ?? accumulate, [keys])
  const { mask } = anchor
  const acc = attentionLoop(t, {
    tiles: { queries: sizes.rows, keys: sizes.keys },
    columns: sizes.columns,
    accumulate,
    dtype: dtype as TensorDtype,
    precision: anchor.attrs.precision ?? 'f32',
    scale,
    parts: target.kind === 'cuda' && dtypeInfo(dtype).bits === 16 ? partsFor(sizes) : null,
    flush: target.kind === 'cuda' && accumulate === 'f32',
    isLooped: target.kind === 'cpu',
    length: writer.axisSize(keys),
    causalFrom: causal ? (rows[0] === undefined ? first : evaluator.offset(rows[0])) : null,
    unseeing,
    q: () =>
      new Operands(evaluator, dtype, [depth]).matrix(anchor.q, rows, [depth], [sizes.rows, sizes.depth], [first]),
    k: start => transposed(deep.matrix(anchor.k, [keys], [depth], [sizes.keys, sizes.depth], [start, first])),
    v: start => flat.matrix(anchor.v, [keys], columns, [sizes.keys, sizes.columns], [start]),
    mask: mask === null ? null : start => scores.matrix(mask, rows, [keys], [sizes.rows, sizes.keys], [start]),
  })
  bindResults(body, evaluator, [acc], evaluator.sorted([...batch, ...rows, ...columns]))
  for (const store of body.stores) evaluator.store(store.access, evaluator.value(store.expr))
  return grid
}

/** Threads that share a row of the matrix unit's sums, a pair of columns in turn. */
const fragmentParts = 4
/** Values of more columns leave no register for parts of sums, and products enough to hide what meeting costs. */
const narrow = 64
const partsFor = ({ keys, columns }: { readonly keys: number; readonly columns: number }): number | null =>
  columns <= narrow && keys % (2 * fragmentParts) === 0 ? fragmentParts : null

const transposed = (tile: TileValue): TileValue => tile.transpose([1, 0])

function axesOf(anchor: AttentionAnchor, { axes }: KernelWriter): AttentionAxes {
  const [rows, columns] = [axes.spanning(anchor.rows), axes.spanning(anchor.columns)]
  const [keys, depth] = [axes.spanning(anchor.keys)[0]!, axes.spanning(anchor.depth)[0]!]
  const own = new Set([...rows, ...columns, keys, depth])
  return { batch: axes.all.filter(axis => !own.has(axis)), rows, columns, keys, depth }
}

// --- blocks --------------------------------------------------------------------------------------------------------------

type WarpTiles = AttentionTiles & { readonly warps?: number }

/** null: known only at run time, with no bound. */
const plannedOf = (axes: readonly Axis[]): number | null => {
  const size = plannedProduct(axes.map(axis => axis.size))
  return typeof size === 'number' ? size : null
}

function tilesFor(anchor: AttentionAnchor, axes: AttentionAxes, target: Target): WarpTiles {
  const sizes: AttentionSizes = {
    batch: plannedOf(axes.batch),
    queries: plannedOf(axes.rows),
    keys: plannedOf([axes.keys]),
    depth: wholeSize(axes.depth, target),
    columns: axes.columns.reduce((size, axis) => size * wholeSize(axis, target), 1),
    causal: anchor.attrs.causal,
  }
  if (target.kind === 'cpu') return cpuAttentionTiles(sizes, target)
  return cudaAttentionTiles(sizes, dtypeInfo(dtypeOf(anchor, target)).bits, target)
}

/** What products are taken of. */
const dtypeOf = ({ q, k, attrs }: AttentionAnchor, target: Target): Dtype =>
  operandDtype({ a: q, b: k }, attrs.accumulate, target)

/** Depth and columns are known, and one block each; tiles of threads are powers of two, of at least a matrix unit's. */
function wholeSize({ size }: Axis, target: Target): number {
  if (typeof size !== 'number') throw new InternalError(`schedule: attention with heads of ${size}`)
  return target.kind === 'cpu' ? size : 2 ** Math.ceil(Math.log2(Math.max(16, size)))
}

function extentsOf(axes: AttentionAxes, tiles: AttentionTiles, target: Target): Map<Axis, number> {
  const extents = new Map<Axis, number>(axes.batch.map(axis => [axis, 1]))
  for (const axis of axes.rows) extents.set(axis, tiles.queries)
  for (const axis of [...axes.columns, axes.depth]) extents.set(axis, wholeSize(axis, target))
  return extents.set(axes.keys, tiles.keys)
}
