/** Kernels around attention: which axes are queries, keys, depth and columns, and how much of each a program takes. */
import { InternalError } from '../base/errors.js'
import { type AttentionSizes, type AttentionTiles, attentionLoop } from '../kernels/attention.js'
import type { TileValue } from '../tile/language.js'
import { dtypeInfo, type TensorDtype } from '../types/dtype.js'
import type { Axis } from './axes.js'
import { type Anchor, type Body, exprsOf } from './body.js'
import { bindResults } from './contraction.js'
import { Operands, operandDtype } from './contraction-operands.js'
import { Evaluator } from './evaluate.js'
import { assignGrid, type Grid } from './grid.js'
import type { AttentionPolicy, SchedulePolicy, WarpTiles } from './policy.js'
import { plannedProduct } from './tiling.js'
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
  { attention, limits, products }: SchedulePolicy,
): Grid {
  const { t } = writer
  const axes = axesOf(anchor, writer)
  const dtype = operandDtype({ a: anchor.q, b: anchor.k }, anchor.attrs.accumulate, products)
  const { bits } = dtypeInfo(dtype)
  const tiles: WarpTiles = limits.attention ?? attention.tiles(sizesOf(anchor, axes, attention), bits)
  if (tiles.warps !== undefined) writer.hints = { warps: tiles.warps }
  const extents = extentsOf(axes, tiles, attention)
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
    ...attention.form(sizes, { bits, accumulate }),
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

const transposed = (tile: TileValue): TileValue => tile.transpose([1, 0])

function axesOf(anchor: AttentionAnchor, { axes }: KernelWriter): AttentionAxes {
  const [rows, columns] = [axes.spanning(anchor.rows), axes.spanning(anchor.columns)]
  const [keys, depth] = [axes.spanning(anchor.keys)[0]!, axes.spanning(anchor.depth)[0]!]
  const own = new Set([...rows, ...columns, keys, depth])
  return { batch: axes.all.filter(axis => !own.has(axis)), rows, columns, keys, depth }
}

// --- blocks --------------------------------------------------------------------------------------------------------------

/** null: known only at run time, with no bound. */
const plannedOf = (axes: readonly Axis[]): number | null => {
  const size = plannedProduct(axes.map(axis => axis.size))
  return typeof size === 'number' ? size : null
}

const sizesOf = (anchor: AttentionAnchor, axes: AttentionAxes, policy: AttentionPolicy): AttentionSizes => ({
  batch: plannedOf(axes.batch),
  queries: plannedOf(axes.rows),
  keys: plannedOf([axes.keys]),
  depth: wholeSize(axes.depth, policy),
  columns: axes.columns.reduce((size, axis) => size * wholeSize(axis, policy), 1),
  causal: anchor.attrs.causal,
})

/** Depth and columns are known, and one block each. */
function wholeSize({ size }: Axis, policy: AttentionPolicy): number {
  if (typeof size !== 'number') throw new InternalError(`schedule: attention with heads of ${size}`)
  return policy.headExtent(size)
}

function extentsOf(axes: AttentionAxes, tiles: AttentionTiles, policy: AttentionPolicy): Map<Axis, number> {
  const extents = new Map<Axis, number>(axes.batch.map(axis => [axis, 1]))
  for (const axis of axes.rows) extents.set(axis, tiles.queries)
  for (const axis of [...axes.columns, axes.depth]) extents.set(axis, wholeSize(axis, policy))
  return extents.set(axes.keys, tiles.keys)
}
