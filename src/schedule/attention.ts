/** Kernels around attention: which axes are queries, keys, depth and columns, and how much of each a program takes. */
import { type AttentionTiles, attentionLoop } from '../kernels/attention.js'
import type { Target } from '../target/target.js'
import type { TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'
import type { Axis } from './axes.js'
import { type Anchor, type Body, exprsOf } from './body.js'
import { bindResult, Operands, operandDtype } from './contraction.js'
import { Evaluator } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import { plannedSize, type TilingLimits } from './tiling.js'
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
  const tiles = limits.attention ?? tilesFor(axes, target)
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
  const dtype = operandDtype({ a: anchor.q, b: anchor.k, accumulate }, target)
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
    scale,
    length: writer.axisSize(keys),
    causalFrom: causal ? (rows[0] === undefined ? first : evaluator.offset(rows[0])) : null,
    unseeing,
    q: () =>
      new Operands(evaluator, dtype, [depth]).matrix(anchor.q, rows, [depth], [sizes.rows, sizes.depth], [first]),
    k: start => transposed(deep.matrix(anchor.k, [keys], [depth], [sizes.keys, sizes.depth], [start, first])),
    v: start => flat.matrix(anchor.v, [keys], columns, [sizes.keys, sizes.columns], [start]),
    mask: mask === null ? null : start => scores.matrix(mask, rows, [keys], [sizes.rows, sizes.keys], [start]),
  })
  bindResult(body, evaluator, acc, evaluator.sorted([...batch, ...rows, ...columns]))
  for (const store of body.stores) evaluator.store(store.access, evaluator.value(store.expr))
  return grid
}

const transposed = (tile: TileValue): TileValue => tile.transpose([1, 0])

function axesOf(anchor: AttentionAnchor, { axes }: KernelWriter): AttentionAxes {
  const [rows, columns] = [axes.spanning(anchor.rows), axes.spanning(anchor.columns)]
  const [keys, depth] = [axes.spanning(anchor.keys)[0]!, axes.spanning(anchor.depth)[0]!]
  const own = new Set([...rows, ...columns, keys, depth])
  return { batch: axes.all.filter(axis => !own.has(axis)), rows, columns, keys, depth }
}

// --- blocks --------------------------------------------------------------------------------------------------------------

const sizeOf = (axis: Axis | undefined): number | null => {
  if (axis === undefined) return 1
  const size = plannedSize(axis.size)
  return typeof size === 'number' ? size : null
}

/** A block of scores and one of keys and values lie in the second cache; more queries read keys and values less often. */
const cpuTiles: AttentionTiles = { queries: 128, keys: 256 }

function tilesFor(axes: AttentionAxes, target: Target): AttentionTiles {
  const [queries, keys] = [sizeOf(axes.rows[0]), sizeOf(axes.keys)]
  if (target.kind === 'cpu')
    return { queries: evenBlock(queries, cpuTiles.queries), keys: evenBlock(keys, cpuTiles.keys) }
  const wide = Math.max(sizeOf(axes.depth) ?? 0, sizeOf(axes.columns[0]) ?? 0) > 128
  return { queries: Math.min(powerAbove(queries ?? 64), 64), keys: Math.min(powerAbove(keys ?? 64), wide ? 32 : 64) }
}

/** Equal blocks of at most `most`. */
const evenBlock = (size: number | null, most: number): number =>
  size === null ? most : Math.max(1, Math.ceil(size / Math.max(1, Math.ceil(size / most))))

const powerAbove = (x: number): number => 2 ** Math.ceil(Math.log2(Math.max(16, x)))

function extentsOf(axes: AttentionAxes, tiles: AttentionTiles, target: Target): Map<Axis, number> {
  const extents = new Map<Axis, number>(axes.batch.map(axis => [axis, 1]))
  // Depth and columns are known, and whole; matrix units take powers of two.
  const whole = (axis: Axis): number =>
    target.kind === 'cpu' ? (axis.size as number) : powerAbove(axis.size as number)
  for (const axis of axes.rows) extents.set(axis, tiles.queries)
  for (const axis of axes.columns) extents.set(axis, whole(axis))
  return extents.set(axes.keys, tiles.keys).set(axes.depth, whole(axes.depth))
}
