/** Attention kernels: which axes are queries, keys, head dim and value columns, and how much of each a program processes. */

import { attentionInputs } from '../../graph/ir.js'
import { nodesOf } from '../../ir/walk.js'
import { type AttentionLoop, type AttentionTiles, attentionLoop } from '../../kernels/attention.js'
import { dtypeOf, type LoopNode, nodesBehind, storesOf } from '../../loop/ir.js'
import { ceilDivSizes, type Size } from '../../scalar/size.js'
import type { TileOperand, TileValue } from '../../tile/language.js'
import { dtypeInfo, type TensorDtype } from '../../types/dtype.js'
import type { Affine } from '../groups/affine.js'
import type { ContractionNode } from '../groups/group.js'
import { shapeOf } from '../groups/layout.js'
import type { AttentionPolicy, WarpTiles } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { Operands, operandDtype } from '../tiling/contraction-operands.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import { plannedProduct } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import {
  type AttentionNode,
  type AttentionParams,
  attentionSizes,
  hintsOf,
  joinWhole,
  keptWeights,
  plannedOf,
  wholeSize,
} from './attention-node.js'
import { splitAttention } from './attention-parts.js'
import { rangeOfVisible, visibleKeys } from './attention-visible.js'
import { coordsAt, keptCoordsExcept } from './contraction.js'
import { bindResults } from './results.js'
import { alone, type ContractionTemplate, type KernelContext } from './template.js'

type AttentionGraphNode = Extract<ContractionNode, { op: 'attention' }>

/** Rows and columns are empty where there is only one. */
interface AttentionAxes {
  readonly part: Axis | null
  /** All others, the parts among them. */
  readonly batch: readonly Axis[]
  /** The queries of a tile: of one head, or of heads that share keys. */
  readonly rows: readonly Axis[]
  readonly columns: readonly Axis[]
  readonly keys: Axis
  readonly depth: Axis
}

export const attention: ContractionTemplate<AttentionGraphNode, AttentionParams> = {
  operands({ inputs, attrs }, map, reduced) {
    const batch = map.slice(0, -2)
    const [row, column] = map.slice(-2) as [Affine, Affine]
    const [key, depth] = reduced as [Affine, Affine]
    const { mask, random } = attentionInputs(inputs, attrs)
    return [
      [...batch, row, depth],
      [...batch, key, depth],
      [...batch, key, column],
      ...(mask === null ? [] : [[...batch, row, key]]),
      ...(random ?? []).map(() => []),
    ]
  },
  reads: () => [],
  join: (group, node, map) => joinWhole(group, node, map, shapeOf(node.inputs[1]!).slice(-2)),
  build(program, node, map) {
    const { indices } = program.group.folded!
    const operands = attention.operands(node, map, indices)
    const inputs = operands.map((at, i) => program.value(node.inputs[i]!, at))
    const { random } = attentionInputs(inputs, node.attrs)
    const [key] = indices as readonly [Affine]
    const kept = random === null ? [] : [keptWeights(program, node, random, [...map.slice(0, -1), key])]
    const [rows, columns] = map.slice(-2).map(coordsAt) as [number[], number[]]
    const [keys, depth] = indices.map(coordsAt) as [number[], number[]]
    const batch = keptCoordsExcept(program, [rows, columns])
    const { causal, scale, fullyMasked, accumulate, precision = 'f32', dropout = null } = node.attrs
    // Causal attention computes half of all pairs.
    const each = causal ? 1 : 2
    const work = [
      { over: [...batch, ...rows, ...keys, ...depth], each },
      { over: [...batch, ...rows, ...keys, ...columns], each },
      { over: [...batch, ...rows, ...keys], each: (each * softmaxWork) / 2 },
    ]
    const whole = { part: null, heads: [] }
    const params = { causal, scale, fullyMasked, accumulate, precision, dropout, ...whole, rows, columns, keys, depth }
    return program.template(node, {
      inputs: [...inputs, ...kept],
      operands,
      axes: [batch, rows, columns, keys, depth],
      work,
      params,
    })
  },
  stages: alone(writeAttention),
  split: splitAttention,
}

/** Per query and key. */
const softmaxWork = 16

function writeAttention({ program, writer, policy }: KernelContext, node: AttentionNode): Grid {
  const { attention: tiling, limits } = policy
  const { t } = writer
  const axes = axesOf(node, writer)
  const { accumulate, causal, scale, fullyMasked, precision, dropout } = node.attrs.params
  const [q, k, v, ...others] = node.inputs as readonly [LoopNode, LoopNode, LoopNode, ...LoopNode[]]
  const kept = dropout === null ? null : others.at(-1)!
  const mask = node.attrs.operands.length === (dropout === null ? 4 : 6) ? others[0]! : null
  const dtype = operandDtype(node, tiling)
  const { bits } = dtypeInfo(dtype)
  const { batch, rows, columns, keys, depth } = axes
  const tiles = limits.attention ?? tilesOf(node, writer, tiling, bits)
  writer.hints = hintsOf(tiles)
  const extents = extentsOf(axes, tiles, tiling)
  const { grid, offsets } = assignGrid(writer, [...columns, ...rows, ...batch.toReversed()], extents)
  const order = [...batch, ...rows, keys, depth, ...columns]
  const evaluator = new Evaluator(writer, { order, extents }, offsets)
  // Sizes known only at the launch are taken from the operands' views.
  writer.viewLoads(nodesBehind(node.inputs))
  const extent = (of: readonly Axis[]): number => of.reduce((count, axis) => count * evaluator.extent(axis), 1)
  const sizes = { rows: extent(rows), keys: extent([keys]), depth: extent([depth]), columns: extent(columns) }
  const first = t.const(0n, 'i64')
  const deep = new Operands(evaluator, dtype, [keys, depth])
  const flat = new Operands(evaluator, dtype, [keys])
  const perScore = (value: LoopNode) => {
    const operands = new Operands(evaluator, dtypeOf(value), [keys])
    return (start: TileValue): TileValue => operands.matrix(value, rows, [keys], [sizes.rows, sizes.keys], [start])
  }
  const query = writer.axes.spanning(node.attrs.params.rows).at(-1)
  const { part } = axes
  const looped = attentionLoop(t, {
    tiles: { queries: sizes.rows, keys: sizes.keys },
    columns: sizes.columns,
    accumulate,
    dtype: dtype as TensorDtype,
    precision,
    scale,
    ...tiling.form(sizes, { bits, accumulate }),
    length: writer.axisSize(keys),
    range: rangeOf(evaluator, node, axes, mask, sizes.keys),
    causalFrom: causal ? (query === undefined ? first : evaluator.offset(query)) : null,
    queriesPerHead: causal && rows.length > 1 ? evaluator.extent(query!) : null,
    fullyMasked,
    q: () => new Operands(evaluator, dtype, [depth]).matrix(q, rows, [depth], [sizes.rows, sizes.depth], [first]),
    k: start => transposed(deep.matrix(k, [keys], [depth], [sizes.keys, sizes.depth], [start, first])),
    v: start => flat.matrix(v, [keys], columns, [sizes.keys, sizes.columns], [start]),
    mask: mask === null ? null : perScore(mask),
    dropout: kept === null ? null : { probability: dropout!, kept: perScore(kept) },
  })
  const { partial } = looped
  const result = part === null ? looped.result : partial.acc
  bindResults(evaluator, [node], [result], evaluator.sorted([...batch, ...rows, ...columns]))
  const lines = evaluator.sorted([...batch, ...rows])
  for (const each of nodesOf<LoopNode>(program.body)) {
    if (each.op !== 'result') continue
    const tile = part === null ? looped.logSumExp() : each.attrs.index === 1 ? partial.rowMax : partial.total
    evaluator.bind(each, { tile: tile.reshape(evaluator.shape(lines)), axes: lines })
  }
  evaluator.storeAll(storesOf(program))
  return grid
}

/** The keys of a tile and part; null: all. A part has as many whole blocks as it takes of those that the mask can show. */
function rangeOf(
  evaluator: Evaluator,
  { attrs }: AttentionNode,
  { part, keys }: AttentionAxes,
  mask: LoopNode | null,
  block: number,
): AttentionLoop['range'] {
  const { writer } = evaluator
  const [key, ...more] = attrs.params.keys
  const visible = mask === null || more.length > 0 ? null : visibleKeys(evaluator, mask, key!)
  if (visible === null || (visible.from === null && visible.end === null))
    return part === null ? null : partOf(evaluator, part, keys, block)
  const length = writer.t.const(0n, 'i64').add(writer.axisSize(keys))
  const range = rangeOfVisible(writer.t, visible, block, length)
  if (part === null) return range
  const parts = writer.size(part.size)
  const blocks = ceilDiv(ceilDiv(range.to.sub(range.from), block), parts).max(0)
  const from = range.from.add(evaluator.offset(part).mul(blocks).mul(block))
  return { from, to: from.add(blocks.mul(block)).min(range.to) }
}

const ceilDiv = (a: TileValue, b: TileOperand): TileValue => a.add(b).sub(1).floorDiv(b)

/** The keys of a part of all. */
function partOf(evaluator: Evaluator, part: Axis, keys: Axis, block: number): NonNullable<AttentionLoop['range']> {
  const size = evaluator.writer.size(ceilDivSizes(ceilDivSizes(keys.size, block), part.size))
  // The maximum proves that offsets are not negative.
  const blocks = typeof size === 'number' ? size : size.max(0)
  const from = evaluator.offset(part).mul(blocks).mul(block)
  const length = typeof blocks === 'number' ? blocks * block : blocks.mul(block)
  return { from, to: from.add(length) }
}

const transposed = (tile: TileValue): TileValue => tile.transpose([1, 0])

function axesOf({ attrs }: AttentionNode, { axes }: KernelWriter): AttentionAxes {
  const { params } = attrs
  const [rows, columns] = [axes.spanning([...params.heads, ...params.rows]), axes.spanning(params.columns)]
  const [keys, depth] = [axes.spanning(params.keys)[0]!, axes.spanning(params.depth)[0]!]
  const own = new Set([...rows, ...columns, keys, depth])
  const part = params.part === null ? null : axes.of(params.part)
  return { part, batch: axes.all.filter(axis => !own.has(axis)), rows, columns, keys, depth }
}

// --- blocks --------------------------------------------------------------------------------------------------------------

function tilesOf({ attrs }: AttentionNode, { axes }: KernelWriter, policy: AttentionPolicy, bits: number): WarpTiles {
  const { params } = attrs
  const sizeOf = (coords: readonly number[]): Size => plannedProduct(axes.spanning(coords).map(axis => axis.size))
  const queries = [...params.heads, ...params.rows]
  const own = [params.part ?? [], queries, params.columns, params.keys, params.depth].flat()
  const batch = attrs.axes!.flat().filter(coord => !own.includes(coord))
  const sizes = attentionSizes(params, sizeOf, { batch, queries }, policy)
  const isWhole = params.part === null && params.heads.length === 0
  return isWhole ? policy.tiles(sizes, bits) : policy.parts(sizes, bits).tiles
}

function extentsOf(axes: AttentionAxes, tiles: AttentionTiles, policy: AttentionPolicy): Map<Axis, number> {
  const extents = new Map<Axis, number>(axes.batch.map(axis => [axis, 1]))
  let rest = tiles.queries
  for (const [i, axis] of axes.rows.toReversed().entries()) {
    // The queries of a head are whole, and the outermost axis of heads takes what is left.
    const isOuter = i === axes.rows.length - 1
    const extent = isOuter ? rest : Math.min(rest, policy.queryExtent(plannedOf(axis.size) ?? rest))
    extents.set(axis, extent)
    rest = Math.max(1, Math.floor(rest / extent))
  }
  for (const axis of [...axes.columns, axes.depth]) extents.set(axis, wholeSize(axis.size, policy))
  return extents.set(axes.keys, tiles.keys)
}
