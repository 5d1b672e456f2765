/**
 * Kernels of attention's gradients. With respect to the query a program has some queries and loops over keys, with respect
 * to key and value it has some keys and loops over queries.
 */
import { attentionGradientInputs } from '../../graph/ir.js'
import {
  type AttentionGradientLoop,
  attentionGradientLoop,
  type GradientTiles,
} from '../../kernels/attention-gradient.js'
import { dtypeOf, type LoopNode, nodesBehind, storesOf, type TemplateNode } from '../../loop/ir.js'
import type { Size } from '../../scalar/size.js'
import type { Hints } from '../../tile/ir.js'
import type { TileValue } from '../../tile/language.js'
import { dtypeInfo, type TensorDtype } from '../../types/dtype.js'
import type { Affine, IndexMap } from '../groups/affine.js'
import type { ContractionNode } from '../groups/group.js'
import { shapeOf } from '../groups/layout.js'
import type { SchedulePolicy } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { Operands, operandDtype } from '../tiling/contraction-operands.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import { plannedProduct } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { type AttentionParams, attentionSizes, hintsOf, joinWhole, keptWeights, wholeSize } from './attention-node.js'
import { rangeOfVisible, visibleKeys } from './attention-visible.js'
import { coordsAt, keptCoordsExcept } from './contraction.js'
import { bindResults } from './results.js'
import { alone, type ContractionTemplate, type KernelContext } from './template.js'

type GradientGraphNode = Extract<ContractionNode, { op: 'attentionGradient' }>

/** `rows` of the result meet `others`; the result's columns are `depth`; `columns` are the values', which are folded. */
type GradientParams = Omit<AttentionParams, 'part' | 'heads' | 'keys'> & {
  readonly wrt: 'query' | 'keys'
  readonly others: readonly number[]
}
type GradientNode = TemplateNode<GradientParams>

export const attentionGradient: ContractionTemplate<GradientGraphNode, GradientParams> = {
  operands({ inputs, attrs }, map, folded) {
    const { batch, query, key, depth, column } = indicesOf(attrs.wrt, map, folded)
    const { mask, random } = attentionGradientInputs(inputs, attrs)
    const [queries, keys] = [
      [...batch, query],
      [...batch, key],
    ] as const
    return [
      [...queries, depth],
      [...keys, depth],
      [...keys, column],
      queries,
      [...queries, column],
      queries,
      ...(mask === null ? [] : [[...queries, key]]),
      ...(random ?? []).map(() => []),
    ]
  },
  reads: () => [],
  /** The gradient of the value has its columns, which are folded, in place of those of the key. */
  results({ attrs }, map, [, column]) {
    return attrs.wrt === 'query' ? [map] : [map, [...map.slice(0, -1), column!]]
  },
  join(group, node, map) {
    const [q, , v] = node.inputs.map(shapeOf) as [ReturnType<typeof shapeOf>, unknown, ReturnType<typeof shapeOf>]
    return joinWhole(group, node, map, [node.attrs.wrt === 'query' ? v.at(-2)! : q.at(-2)!, v.at(-1)!])
  },
  build(program, node, map) {
    const { indices } = program.group.folded!
    const operands = attentionGradient.operands(node, map, indices)
    const inputs = operands.map((at, i) => program.value(node.inputs[i]!, at))
    const { random } = attentionGradientInputs(inputs, node.attrs)
    const { wrt, causal, scale, fullyMasked, accumulate, precision = 'f32', dropout = null } = node.attrs
    const { batch: lead, query, key } = indicesOf(wrt, map, indices)
    const kept = random === null ? [] : [keptWeights(program, node, random, [...lead, query, key])]
    const [rows, depth] = map.slice(-2).map(coordsAt) as [number[], number[]]
    const [others, columns] = indices.map(coordsAt) as [number[], number[]]
    const batch = keptCoordsExcept(program, [rows, depth])
    // Causal attention computes half of all pairs.
    const each = causal ? 1 : 2
    const pairs = [...batch, ...rows, ...others]
    const work = [
      { over: [...pairs, ...depth], each: 2 * each },
      { over: [...pairs, ...columns], each: wrt === 'query' ? each : 2 * each },
      { over: pairs, each: (each * softmaxWork) / 2 },
    ]
    const params = { wrt, causal, scale, fullyMasked, accumulate, precision, dropout, rows, others, depth, columns }
    const axes = [batch, rows, depth, others, columns]
    return program.template(node, { inputs: [...inputs, ...kept], operands, axes, work, params })
  },
  stages: alone(writeGradient),
}

/** Per query and key. */
const softmaxWork = 16

interface Indices {
  readonly batch: IndexMap
  readonly query: Affine
  readonly key: Affine
  readonly depth: Affine
  readonly column: Affine
}

function indicesOf(wrt: 'query' | 'keys', map: IndexMap, folded: readonly Affine[]): Indices {
  const [row, depth] = map.slice(-2) as [Affine, Affine]
  const [other, column] = folded as readonly [Affine, Affine]
  const [query, key] = wrt === 'query' ? [row, other] : [other, row]
  return { batch: map.slice(0, -2), query, key, depth, column }
}

function writeGradient({ program, writer, policy }: KernelContext, node: GradientNode): Grid {
  const { attention: tiling } = policy
  const { t } = writer
  const { wrt, accumulate, causal, scale, fullyMasked, precision, dropout } = node.attrs.params
  const { operands, lse, g, inner, mask, kept } = inputsOf(node)
  const [q, k, v] = operands
  const dtype = operandDtype(node, tiling)
  const { bits } = dtypeInfo(dtype)
  const axes = axesOf(node, writer)
  const { batch, rows, others, depth, columns } = axes
  const tiles = tilesOf(node, axes, policy, bits)
  writer.hints = hintsOf(tiles)
  const extents = new Map<Axis, number>([
    ...batch.map((axis): [Axis, number] => [axis, 1]),
    ...rows.map((axis): [Axis, number] => [axis, tiles.rows]),
    ...[...depth, columns].map((axis): [Axis, number] => [axis, wholeSize(axis.size, tiling)]),
    [others, tiles.others],
  ])
  const { grid, offsets } = assignGrid(writer, [...depth, ...rows, ...batch.toReversed()], extents)
  const evaluator = new Evaluator(writer, { order: [...batch, ...rows, others, ...depth, columns], extents }, offsets)
  // Sizes known only at the launch are taken from the operands' views.
  writer.viewLoads(nodesBehind(node.inputs))
  const extent = (of: readonly Axis[]): number => of.reduce((count, axis) => count * evaluator.extent(axis), 1)
  const sizes = { rows: extent(rows), others: tiles.others, depth: extent(depth), columns: extent([columns]) }
  const isQuery = wrt === 'query'
  const first = t.const(0n, 'i64')
  const flat = new Operands(evaluator, dtype, [others, columns])
  const ownPairs = (value: LoopNode) => (): TileValue =>
    new Operands(evaluator, dtype, []).matrix(value, rows, depth, [sizes.rows, sizes.depth], [])
  const ownValues = (value: LoopNode) => (): TileValue =>
    new Operands(evaluator, dtype, [columns]).matrix(value, rows, [columns], [sizes.rows, sizes.columns], [first])
  const metPairs = (value: LoopNode) => (start: TileValue) =>
    new Operands(evaluator, dtype, [others]).matrix(value, [others], depth, [sizes.others, sizes.depth], [start])
  const metValues = (value: LoopNode) => (start: TileValue) =>
    flat.matrix(value, [others], [columns], [sizes.others, sizes.columns], [start, first])
  const perScore = (value: LoopNode) => (start: TileValue) =>
    new Operands(evaluator, dtypeOf(value), [others]).matrix(value, rows, [others], [sizes.rows, sizes.others], [start])
  const perQuery = (value: LoopNode) => (start: TileValue) => {
    if (isQuery) return new Operands(evaluator, accumulate, []).matrix(value, rows, [], [sizes.rows, 1], [])
    return new Operands(evaluator, accumulate, [others]).matrix(value, [others], [], [sizes.others, 1], [start])
  }
  const [row] = rows
  const { flush, isLooped } = tiling.form({ keys: sizes.others, columns: sizes.columns }, { bits, accumulate })
  const { ofPairs, ofValues } = attentionGradientLoop(t, {
    wrt,
    tiles: { rows: sizes.rows, others: sizes.others },
    depth: sizes.depth,
    columns: sizes.columns,
    accumulate,
    dtype: dtype as TensorDtype,
    precision,
    scale,
    flush,
    isLooped,
    length: writer.axisSize(others),
    range: rangeOf(evaluator, node, mask, others),
    causalFrom: causal ? (row === undefined ? first : evaluator.offset(row)) : null,
    fullyMasked,
    own: { pairs: ownPairs(isQuery ? q : k), values: ownValues(isQuery ? g : v) },
    met: { pairs: metPairs(isQuery ? k : q), values: metValues(isQuery ? v : g) },
    perQuery: { lse: perQuery(lse), inner: perQuery(inner) },
    mask: mask === null ? null : perScore(mask),
    dropout: kept === null ? null : { probability: dropout!, kept: perScore(kept) },
  })
  bindResults(evaluator, [node], [ofPairs], evaluator.sorted([...batch, ...rows, ...depth]))
  for (const store of storesOf(program)) {
    const result = nodesBehind(store.inputs).find(each => each.op === 'result')
    if (result === undefined || ofValues === null) continue
    const own = evaluator.sorted([...batch, ...rows, columns])
    evaluator.bind(result, {
      tile: ofValues.to(dtypeOf(result) as TensorDtype).reshape(evaluator.shape(own)),
      axes: own,
    })
  }
  evaluator.storeAll(storesOf(program))
  return grid
}

/** The template's inputs by role; `kept`: of dropout, in place of its random state. */
function inputsOf({ inputs, attrs }: GradientNode) {
  const { dropout } = attrs.params
  const given = attentionGradientInputs(inputs.slice(0, attrs.operands.length), dropout === null ? {} : { dropout })
  return { ...given, kept: dropout === null ? null : inputs.at(-1)! }
}

/** The others that rows of a tile may see, where a mask computed from indices says so; null: all. */
function rangeOf(
  evaluator: Evaluator,
  { attrs }: GradientNode,
  mask: LoopNode | null,
  others: Axis,
): AttentionGradientLoop['range'] {
  const { writer } = evaluator
  const [other, ...more] = attrs.params.others
  const visible = mask === null || more.length > 0 ? null : visibleKeys(evaluator, mask, other!)
  if (visible === null || (visible.from === null && visible.end === null)) return null
  const length = writer.t.const(0n, 'i64').add(writer.axisSize(others))
  return rangeOfVisible(writer.t, visible, evaluator.extent(others), length)
}

/** Rows and depth are empty where there is only one. */
interface GradientAxes {
  readonly batch: readonly Axis[]
  readonly rows: readonly Axis[]
  readonly depth: readonly Axis[]
  readonly others: Axis
  readonly columns: Axis
}

function axesOf({ attrs }: GradientNode, { axes }: KernelWriter): GradientAxes {
  const { params } = attrs
  const [rows, depth] = [axes.spanning(params.rows), axes.spanning(params.depth)]
  const [others, columns] = [axes.spanning(params.others)[0]!, axes.spanning(params.columns)[0]!]
  const own = new Set([...rows, ...depth, others, columns])
  return { batch: axes.all.filter(axis => !own.has(axis)), rows, depth, others, columns }
}

function tilesOf(
  { attrs }: GradientNode,
  axes: GradientAxes,
  { attention, limits }: SchedulePolicy,
  bits: number,
): GradientTiles & Hints {
  const { params } = attrs
  const isQuery = params.wrt === 'query'
  if (limits.attention !== null) {
    const { queries, keys } = limits.attention
    return isQuery ? { rows: queries, others: keys } : { rows: keys, others: queries }
  }
  const [queries, keys] = isQuery ? [params.rows, params.others] : [params.others, params.rows]
  const all = [...axes.batch, ...axes.rows, ...axes.depth, axes.others, axes.columns]
  const sizeOf = (coords: readonly number[]): Size =>
    plannedProduct(all.filter(axis => axis.coords.some(coord => coords.includes(coord))).map(axis => axis.size))
  const batch = axes.batch.flatMap(axis => axis.coords)
  return attention.gradientTiles(
    attentionSizes({ ...params, keys }, sizeOf, { batch, queries }, attention),
    params.wrt,
    bits,
  )
}
