/**
 * Attention in parts (flash decoding): where few queries make fewer programs than run concurrently, the keys are split into
 * parts. One kernel computes each part's largest score, sum and weighted sum of values; a second one combines the parts and
 * does the rest. The query heads that share keys are rows of one tile, so keys and values are read once.
 */
import { transplant } from '../../ir/transplant.js'
import { type Access, accessOf, indexOf } from '../../loop/access.js'
import {
  coordsOf,
  dtypeOf,
  type LoopBuilder,
  type LoopNode,
  type LoopOps,
  type LoopProgram,
  loopBuilder,
  loopDialect,
  type StoreNode,
  storesOf,
  type TensorAt,
} from '../../loop/ir.js'
import type { ScalarOpName } from '../../scalar/ops.js'
import { floorDivSizes, maxSizes, minSizes, productOf, type Size } from '../../scalar/size.js'
import { type Dtype, dtypeInfo } from '../../types/dtype.js'
import { type Affine, coordIndex, rowMajorStrides } from '../groups/affine.js'
import type { Buffers } from '../memory/buffers.js'
import type { SchedulePolicy } from '../policy.js'
import { operandDtype } from '../tiling/contraction-operands.js'
import { plannedProduct, plannedSize } from '../tiling/tiling.js'
import { type AttentionNode, attentionSizes } from './attention-node.js'
import type { SplitTemplate } from './template.js'

/** Max queries per head for which the query heads of one key head form one tile. */
const fewQueries = 16
/** With a number of parts known only at the call: with more rows, calls of one part would store and load much for nothing. */
const mostRows = 64
/** A tile of more rows takes longer to multiply. */
const fewRows = 16

/** Attention in parts, or as one kernel whose programs each serve all heads that share keys; null: neither pays. */
export function splitAttention(
  program: LoopProgram,
  node: AttentionNode,
  policy: SchedulePolicy,
  buffers: Buffers,
): SplitTemplate | null {
  const coords = coordinatesOf(program, node)
  const count = partsOf(program, node, coords, policy)
  if (count === null) return null
  if (count === 1) return coords.heads.length === 0 ? null : { partial: sharing(program, node, coords), finals: [] }
  const sizes = new Map([[coords.part, count], ...coords.unit.map(coord => [coord, 1] as const), ...program.coords])
  const partial = loopBuilder()
  const parts = partial.withOrigin(node.origin, () => storeParts(partial, node, coords, sizes, buffers))
  const isPerColumn = (store: StoreNode): boolean => coords.columns.some(coord => coordsOf(store.inputs[0]!).has(coord))
  // A store of the log-sum-exp would be one of several that programs of different columns make.
  const isLse = (store: StoreNode): boolean => coords.columns.length > 0 && !isPerColumn(store)
  const kept = [...program.coords].filter(([coord]) => !program.reduced.has(coord))
  const final = (stores: readonly StoreNode[], without: readonly number[]): LoopProgram => ({
    ...program,
    coords: new Map([...kept.filter(([coord]) => !without.includes(coord)), [coords.part, count]]),
    reduced: new Set([coords.part]),
    body: combined(stores, node, parts),
  })
  const stores = storesOf(program)
  const lse = stores.filter(isLse)
  return {
    partial: { ...program, coords: sizes, body: partial.finish() },
    finals: [
      final(
        stores.filter(store => !isLse(store)),
        [],
      ),
      ...(lse.length === 0 ? [] : [final(lse, coords.columns)]),
    ],
  }
}

/** The same program, whose tiles are the queries of all heads that share keys. */
function sharing(program: LoopProgram, node: AttentionNode, coords: Coordinates): LoopProgram {
  const b = loopBuilder()
  transplant<LoopNode>(loopDialect, b, program.body, each => {
    if (each !== node) return null
    const { batch, columns } = coords
    const { keys, depth } = node.attrs.params
    const inputs = transplant<LoopNode>(loopDialect, b, { params: [], body: [], results: node.inputs }, () => null)
    return b.withOrigin(node.origin, () =>
      b.node('template', inputs, {
        ...node.attrs,
        axes: [batch, ...tileRows(node, coords), columns, keys, depth],
        params: { ...node.attrs.params, heads: coords.heads },
      }),
    )
  })
  return { ...program, body: b.finish() }
}

/** The coordinates of a tile's rows that may become one axis. Causal attention must tell queries from heads. */
const tileRows = ({ attrs }: AttentionNode, { heads, rows, unit, queries }: Coordinates): (readonly number[])[] =>
  attrs.params.causal ? [heads, [...rows, ...unit]] : [queries]

/** The body of the first kernel, which stores what the loop over a part carries. */
function storeParts(
  b: LoopBuilder,
  node: AttentionNode,
  coords: Coordinates,
  sizes: ReadonlyMap<number, Size>,
  buffers: Buffers,
): Parts {
  const store = (value: LoopNode, name: string, over: readonly number[]): Access => {
    const shape = over.map(coord => sizes.get(coord)!)
    const strides = rowMajorStrides(shape)
    const index: Affine = { offset: 0, terms: new Map(over.map((coord, i) => [coord, strides[i]!])) }
    const dtype = dtypeOf(value)
    const buffer = buffers.temp(dtype, productOf(shape), name)
    b.node('store', [value], { access: accessOf(buffer, dtype, index) })
    const terms = new Map([...index.terms].filter(([coord]) => !coords.unit.includes(coord)))
    return accessOf(buffer, dtype, { offset: 0, terms })
  }
  const template = partTemplate(b, node, coords)
  const result = (index: number): LoopNode => b.node('result', [template], { index })
  const lines = [coords.part, ...coords.batch, ...coords.queries]
  return {
    coord: coords.part,
    acc: store(template, 'partial', [...lines, ...coords.columns]),
    rowMax: store(result(1), 'largest', lines),
    total: store(result(2), 'sums', lines),
  }
}

/** The coordinates of attention in parts. */
interface Coordinates {
  readonly part: number
  /** A row's, where there is only one query; else empty. */
  readonly unit: readonly number[]
  readonly batch: readonly number[]
  /** Of the heads that share keys and values, then of their queries. */
  readonly heads: readonly number[]
  readonly rows: readonly number[]
  /** Both, or the unit: the rows of a tile. */
  readonly queries: readonly number[]
  readonly columns: readonly number[]
}

function coordinatesOf({ coords }: LoopProgram, { inputs, attrs }: AttentionNode): Coordinates {
  const { rows, columns, keys, depth } = attrs.params
  const own = [...rows, ...columns, ...keys, ...depth]
  const all = attrs.axes!.flat().filter(coord => !own.includes(coord))
  const each = plannedProduct(rows.map(coord => coords.get(coord)!))
  const [, k, v] = inputs as readonly [LoopNode, LoopNode, LoopNode]
  const isShared = (coord: number): boolean =>
    typeof each === 'number' && each <= fewQueries && !coordsOf(k).has(coord) && !coordsOf(v).has(coord)
  const heads = all.filter(isShared)
  const part = Math.max(-1, ...coords.keys()) + 1
  const unit = heads.length + rows.length === 0 ? [part + 1] : []
  const batch = all.filter(coord => !heads.includes(coord))
  return { part, unit, batch, heads, rows, queries: [...heads, ...rows, ...unit], columns }
}

/** The number of parts; null: there are few keys, or an unknown number of queries. */
function partsOf(
  { coords }: LoopProgram,
  node: AttentionNode,
  { batch, queries }: Coordinates,
  { attention, limits }: SchedulePolicy,
): Size | null {
  const { causal, keys: keyCoords, rows } = node.attrs.params
  const spanOf = (over: readonly number[]): Size => productOf(over.map(coord => coords.get(coord) ?? 1))
  const keys = causal ? minSizes(spanOf(keyCoords), spanOf(rows)) : spanOf(keyCoords)
  const lines = plannedSize(spanOf(queries))
  if (typeof lines !== 'number' || lines === 0) return null
  const planned = attentionSizes(node.attrs.params, over => spanOf(over), { batch, queries }, attention)
  const chosen = attention.parts(planned, dtypeInfo(operandDtype(node, attention)).bits)
  const tiles = limits.attention ?? chosen.tiles
  const width = planned.depth + planned.columns
  const bound = plannedSize(keys)
  if (typeof bound === 'number' && bound * width < limits.minAttention) return null
  const programs = maxSizes(1, productOf([...batch.map(coord => coords.get(coord)!), Math.ceil(lines / tiles.queries)]))
  // What a part saves must be worth its store, and the second kernel. More rows take longer, and store more.
  const together = Math.min(lines, tiles.queries)
  const least = Math.ceil((limits.minAttention / 4 / width) * Math.max(1, together / fewRows))
  const count = minSizes(
    maxSizes(1, floorDivSizes(chosen.concurrent, programs)),
    maxSizes(1, floorDivSizes(keys, least)),
  )
  if (typeof count !== 'number') return lines <= mostRows ? count : null
  // Without parts that the rounding to whole blocks leaves empty.
  return typeof keys === 'number' ? filled(keys, tiles.keys, count) : count
}

function filled(keys: number, block: number, count: number): number {
  const blocks = Math.ceil(keys / block)
  return Math.ceil(blocks / Math.ceil(blocks / count))
}

/** The template of one part, whose results are what its loop carries. */
function partTemplate(partial: LoopBuilder, node: AttentionNode, coords: Coordinates): LoopNode {
  const { attrs } = node
  const { accumulate, keys, depth } = attrs.params
  const [result] = attrs.results as readonly [TensorAt]
  const inputs = transplant<LoopNode>(loopDialect, partial, { params: [], body: [], results: node.inputs }, () => null)
  const over = (...own: readonly number[]): TensorAt => ({
    dtype: accumulate,
    shape: result.shape,
    index: own.map(coord => indexOf(coordIndex(coord))),
  })
  const { part, batch, heads, rows, unit, queries, columns } = coords
  const lines = over(part, ...batch, ...queries)
  return partial.node('template', inputs, {
    ...attrs,
    results: [over(part, ...batch, ...queries, ...columns), lines, lines],
    axes: [[part], batch, ...tileRows(node, coords), columns, keys, depth],
    params: { ...attrs.params, heads, rows: [...rows, ...unit], part },
  })
}

/** What each part stored. */
interface Parts {
  readonly coord: number
  readonly acc: Access
  readonly rowMax: Access
  readonly total: Access
}

/** The body of a kernel that combines the parts and does the rest. */
function combined(stores: readonly StoreNode[], node: AttentionNode, parts: Parts): LoopProgram['body'] {
  const { accumulate, fullyMasked, dropout } = node.attrs.params
  const b = loopBuilder()
  const map = (fn: ScalarOpName, ...inputs: readonly LoopNode[]): LoopNode => b.node('map', inputs, { fn })
  const number = (value: number): LoopNode => b.node('constant', [], { dtype: accumulate, value })
  const load = (access: Access): LoopNode => b.node('load', [], { access })
  const fold = (fn: LoopOps['reduce']['fn'], value: LoopNode): LoopNode =>
    b.node('reduce', [value], { fn, over: [parts.coord] })
  const cast = (value: LoopNode, to: Dtype): LoopNode =>
    dtypeOf(value) === to ? value : b.node('cast', [value], { to })
  const [result, lse] = b.withOrigin(node.origin, () => {
    const rowMax = load(parts.rowMax)
    const largest = fold('max', rowMax)
    // For rows that see no key: −∞ − 0 stays −∞, while −∞ − (−∞) would be NaN.
    const offset = map('where', map('eq', largest, number(Number.NEGATIVE_INFINITY)), number(0), largest)
    const share = map('exp2', map('sub', rowMax, offset))
    const total = fold('add', map('mul', load(parts.total), share))
    const acc = fold('add', map('mul', load(parts.acc), share))
    const divisor = fullyMasked === 'nan' ? total : map('where', map('eq', total, number(0)), number(1), total)
    const mean = map('div', acc, divisor)
    const kept = dropout === null || dropout === 1 ? mean : map('mul', mean, number(1 / (1 - dropout)))
    return [cast(kept, dtypeOf(node)), map('mul', map('add', largest, map('log2', total)), number(Math.LN2))] as const
  })
  const rest = { params: [], body: stores, results: [] }
  transplant<LoopNode>(loopDialect, b, rest, each => (each === node ? result : each.op === 'result' ? lse : null))
  return b.finish()
}
