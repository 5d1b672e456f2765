/**
 * GEMM kernels, of one matmul or of several that share an operand and the K loop. M, N and K may each be several axes of the
 * tensors, as in a convolution (implicit GEMM): K runs over channels and taps, N over the pixels of an image. A program
 * takes a block of these axes (contraction-tiling.ts) and forms matrices of what it loads (contraction-operands.ts), which
 * are never stored.
 */
import { InternalError } from '../../base/errors.js'
import type { GraphNode } from '../../graph/ir.js'
import { type MatmulDepth, type MatmulTiles, matmulLoop } from '../../kernels/matmul.js'
import { dtypeOf, type LoopNode, nodesBehind, storesOf } from '../../loop/ir.js'
import type { TileBuilder, TileValue } from '../../tile/language.js'
import { type Dtype, type Float8, itemBytes } from '../../types/dtype.js'
import { type Affine, coordsOf, type IndexMap } from '../groups/affine.js'
import { addLoops, foldedCoords, type Group, type GroupOfNode, keepWhole, type MatmulNode } from '../groups/group.js'
import { shapeOf } from '../groups/layout.js'
import { endsOf, groupAt } from '../groups/values.js'
import type { DotPolicy, MatmulAxes, Matmuls } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { Operands, operandDtype, plainAccess } from '../tiling/contraction-operands.js'
import { matmulAxes, matmulSizes } from '../tiling/contraction-tiling.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import { type MatmulParams, type MatmulTemplate, matmulsOf, type Ragged } from '../tiling/matmul-template.js'
import { bindGroup, locateDepth, locateRows, type RaggedTile } from '../tiling/ragged.js'
import type { Tiling } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { coordsAt, cutsDepth, isPlainIndex, keepWholeRowsAndColumns, keptCoordsExcept } from './contraction.js'
import { rangeOfPart, splitMatmul } from './matmul-parts.js'
import { bindResults } from './results.js'
import { alone, type ContractionTemplate, type KernelContext, type TemplateContext } from './template.js'

type DepthPart = NonNullable<MatmulDepth['part']>
type MatmulOf<Op extends MatmulNode['op']> = Extract<MatmulNode, { op: Op }>

export const matmul: ContractionTemplate<MatmulOf<'matmul'>, MatmulParams> = {
  operands(_, map, [k]) {
    const batch = map.slice(0, -2)
    const [row, column] = map.slice(-2) as [Affine, Affine]
    return [
      [...batch, row, k!],
      [...batch, k!, column],
    ]
  },
  reads: () => [],
  join: addDepth,
  build: (program, node, map) => buildMatmul(program, node, matmul.operands(node, map, indicesOf(program)), map, null),
  stages: alone(writeMatmul),
  split: splitMatmul,
}

export const raggedMatmul: ContractionTemplate<MatmulOf<'raggedMatmul'>, MatmulParams> = {
  operands({ attrs }, map, [k, group]) {
    const [row, column] = map.slice(-2) as [Affine, Affine]
    return [[row, k!], attrs.along === 'depth' ? [k!, column] : [group!, k!, column]]
  },
  // The ends of its groups.
  reads: ({ inputs }) => [inputs[2]!.inputs[0]!],
  join(group, node, map, inMemory) {
    const kept = keepWholeRowsAndColumns(group, map)
    if (kept === null) return null
    if (node.attrs.along === 'depth') return joinRaggedDepth(kept, node, map, inMemory)
    const deep = addDepth(kept, node, map, inMemory)
    // The group that a program finds for its rows: it indexes the matrices, and nothing is summed along it.
    const count = shapeOf(node.inputs[1]!)[0]!
    const { group: looped, map: matrices } = addLoops(deep, [count])
    const { indices, sizes } = deep.folded!
    const folded = { indices: [...indices, ...matrices], sizes: [...sizes, count] }
    return keepWhole({ ...looped, folded }, coordsOf(matrices))
  },
  build(program, node, map) {
    const { along = 'rows' } = node.attrs
    const groups = along === 'depth' ? map[0]! : indicesOf(program)[1]!
    const ragged: Ragged = { along, ...endsOf(program, node.inputs[2] as GroupOfNode), group: coordsAt(groups) }
    return buildMatmul(program, node, raggedMatmul.operands(node, map, indicesOf(program)), map, ragged)
  },
  stages: alone(writeMatmul),
}

/** Each group has its own result and its own range of k, which stays one axis. */
function joinRaggedDepth(
  group: Group,
  node: MatmulOf<'raggedMatmul'>,
  map: IndexMap,
  inMemory: (node: GraphNode) => boolean,
): Group | null {
  const [result] = map as [Affine]
  if (!isPlainIndex(result)) return null
  const deep = addDepth(group, node, map, inMemory)
  return keepWhole(deep, coordsOf([result, ...deep.folded!.indices]))
}

const indicesOf = ({ group }: TemplateContext): readonly Affine[] => group.folded!.indices

/** A group that covers a matmul's result with the K loop. */
function addDepth(group: Group, node: MatmulNode, map: IndexMap, inMemory: (node: GraphNode) => boolean): Group {
  const depth = shapeOf(node.inputs[0]!).at(-1)!
  const { group: looped, map: indices } = addLoops(group, [depth])
  const deep = { ...looped, anchors: [node], anchorMap: map, folded: { indices, sizes: [depth] } }
  return cutsDepth(node, inMemory) ? deep : keepWhole(deep, coordsOf(indices))
}

/** The template node of a matmul. `maps`: the index at which each operand is read; `map`: the result's. */
function buildMatmul(
  program: TemplateContext,
  node: MatmulNode,
  maps: readonly IndexMap[],
  map: IndexMap,
  ragged: Ragged | null,
): LoopNode {
  const { accumulate, codes = null, precision = 'f32' } = node.attrs
  if (accumulate === 'i64') throw new InternalError('schedule: an i64 matmul reached the template')
  const operands = maps.map((own, i) => program.value(node.inputs[i]!, own))
  const [m, n] = map.slice(-2).map(coordsAt) as [number[], number[]]
  const group = ragged?.group ?? []
  const depth = indicesOf(program)[0]!
  // The group determines the range of k, so it is an index of its own.
  const results = ragged?.along === 'depth' ? group : []
  const [kept, folded] = [keptCoordsExcept(program, []), foldedCoords(program.group)]
  const last = [...program.group.coords.keys()].filter(coord => folded.has(coord))
  const batch = kept.filter(coord => ![...m, ...n, ...results].includes(coord))
  const axes = [
    results,
    [...batch, ...kept.filter(coord => m.includes(coord))],
    kept.filter(coord => n.includes(coord)),
    last.filter(coord => !group.includes(coord)),
    last.filter(coord => group.includes(coord)),
  ]
  // The group of each row, or of each k.
  const groups = ragged === null ? [] : [[ragged.along === 'depth' ? depth : map[0]!]]
  return program.template(node, {
    inputs: [...operands, ...groups.map(index => groupAt(program, node.inputs[2] as GroupOfNode, index))],
    operands: [...maps, ...groups],
    axes,
    // Each row is multiplied by the matrix of one group, and each k contributes to one result.
    work: [{ over: [...batch, ...m, ...n, ...coordsAt(depth)], each: 2 }],
    params: { accumulate, codes, precision, m, n, ragged, part: null },
  })
}

/** Writes the tile program of a matmul, or of several that share a K loop. */
function writeMatmul({ program, writer, policy }: KernelContext, first: MatmulTemplate): Grid {
  const matmuls: Matmuls = [first, ...matmulsOf(program).slice(1)]
  const { dots } = policy
  const { accumulate, codes, precision, ragged, part: parts } = first.attrs.params
  const loops = writer.axes
  const axes = matmulAxes(matmuls, loops, policy)
  const { tiles, tiling } = policy.matmulTiling({ matmuls, axes, sizes: matmulSizes(matmuls, axes), loops })
  // Sizes known only at the launch are taken from the operands' views.
  if (writer.axes.all.some(axis => typeof axis.size !== 'number')) {
    writer.viewLoads(nodesBehind(matmuls.flatMap(({ inputs }) => inputs)))
  }
  const { grid, offsets, ends, rows, part } = tileOf(ragged, axes, writer, tiling)
  writer.hints = policy.hints([grid]) ?? writer.hints
  const evaluator = new Evaluator(writer, tiling, offsets, ends)
  const own = parts === null ? null : rangeOfPart(writer, axes.k, tiling, loops.of(parts), evaluator)
  const dtype = codes === null ? operandDtype(matmuls[0], dots) : 'u8'
  const blocks = new Blocks(matmuls, axes, tiles, evaluator, dtype, dots)
  const sums = matmulLoop(writer.t, {
    m: tiles.m,
    n: tiles.n,
    depth: axes.k.map((axis, i): MatmulDepth => {
      const length = writer.axisSize(axis)
      return {
        length: i === 0 && rows !== null ? rows.depth(length) : length,
        block: evaluator.extent(axis),
        part,
        range: own?.axis === axis ? own : null,
      }
    }),
    accumulate,
    products: matmuls.length,
    form: { precision },
    factors: (starts, isCut) =>
      blocks
        .at(starts)
        .map(pair => (isCut && part !== null ? maskedToPart(writer.t, pair, starts[0]!, part) : pair))
        .map(([a, b]) => asFloats(codes, a, b)),
  })
  const batch = rows === null ? axes.batch : []
  bindResults(evaluator, matmuls, sums, evaluator.sorted([...batch, ...axes.m, ...axes.n]))
  if (rows !== null) bindGroup(program, evaluator, rows.group)
  evaluator.storeAll(storesOf(program))
  return grid
}

/** Blocks of both operands, masked to a group's range of k: values outside of it may be infinite, or NaN. */
function maskedToPart(
  t: TileBuilder,
  [a, b]: readonly [TileValue, TileValue],
  from: TileValue,
  { start, end }: DepthPart,
): readonly [TileValue, TileValue] {
  const k = a.shape[1]!
  const index = t.iota(k).add(from)
  const isOwn = index.ge(start).and(index.lt(end))
  const masked = (tile: TileValue, shape: readonly number[]): TileValue =>
    t.where(isOwn.reshape(shape).broadcastTo(tile.shape), tile, t.zeros(tile.shape, tile.dtype)).to(tile.dtype)
  return [masked(a, [1, k]), masked(b, [k, 1])]
}

/** Bitcasts codes to the floats that they encode. */
const asFloats = (
  codes: readonly [Float8, Float8] | null,
  a: TileValue,
  b: TileValue,
): readonly [TileValue, TileValue] => (codes === null ? [a, b] : [a.bitcast(codes[0]), b.bitcast(codes[1])])

interface ProgramTile {
  readonly grid: Grid
  readonly offsets: Map<Axis, TileValue>
  readonly ends: ReadonlyMap<Axis, TileValue>
  readonly rows: RaggedTile | null
  readonly part: DepthPart | null
}

/** The tile of a program: by its program id, or for ragged rows by the groups' ends. */
function tileOf(ragged: Ragged | null, axes: MatmulAxes, writer: KernelWriter, { extents }: Tiling): ProgramTile {
  const n = axes.n.toReversed()
  if (ragged === null || ragged.along === 'depth') {
    const innerFirst = [...n, ...axes.m.toReversed(), ...axes.batch.toReversed()]
    const assigned = assignGrid(writer, innerFirst, extents)
    const part = ragged === null ? null : partOf(ragged, axes, writer, assigned.offsets)
    return { ...assigned, ends: new Map(), rows: null, part }
  }
  const columns = assignGrid(writer, n, extents)
  const rows = locateRows(writer, ragged, { rows: axes.m[0] ?? null, groups: axes.batch[0]! }, extents)
  return {
    grid: [columns.grid[0], rows.tiles, 1],
    offsets: new Map([...columns.offsets, ...rows.offsets]),
    ends: rows.ends,
    rows,
    part: null,
  }
}

/** The range of k of the program's group. */
function partOf(
  ragged: Ragged,
  { k }: MatmulAxes,
  writer: KernelWriter,
  offsets: ReadonlyMap<Axis, TileValue>,
): DepthPart {
  const [group] = writer.axes.spanning(ragged.group)
  return locateDepth(writer, ragged, group === undefined ? null : offsets.get(group)!, writer.axisSize(k[0]!))
}

/** The operands' blocks, each loaded once. */
class Blocks {
  readonly #operands: Operands
  /** Right operands as [n, k], and left ones as [k, m]. */
  readonly #columns: Operands
  readonly #rows: Operands

  constructor(
    readonly matmuls: Matmuls,
    readonly axes: MatmulAxes,
    readonly tiles: MatmulTiles,
    readonly evaluator: Evaluator,
    dtype: Dtype,
    readonly dots: DotPolicy,
  ) {
    this.#operands = new Operands(evaluator, dtype, axes.k, dots.mergesDepth)
    const ordered = (order: readonly Axis[]): Operands =>
      new Operands(reordered(evaluator, order), dtype, axes.k, dots.mergesDepth)
    this.#columns = ordered([...axes.batch, ...axes.m, ...axes.n, ...axes.k])
    this.#rows = ordered([...axes.batch, ...axes.k, ...axes.m, ...axes.n])
  }

  /** The tiles of each matmul's operands at K offset `starts`; operands that matmuls share are evaluated once. */
  at(starts: readonly TileValue[]): readonly (readonly [TileValue, TileValue])[] {
    const { m, n, k } = this.axes
    const { tiles } = this
    const left = (a: LoopNode): TileValue =>
      this.#isAlong(a, m, k)
        ? this.#rows.matrix(a, k, m, [tiles.k, tiles.m], starts).transpose([1, 0])
        : this.#operands.matrix(a, m, k, [tiles.m, tiles.k], starts)
    const right = (b: LoopNode): TileValue =>
      decodesTransposed(b, this.axes, this.dots) || this.#isAlong(b, k, n)
        ? this.#columns.matrix(b, n, k, [tiles.n, tiles.k], starts).transpose([1, 0])
        : this.#operands.matrix(b, k, n, [tiles.k, tiles.n], starts)
    const [lefts, rights] = [new Map<LoopNode, TileValue>(), new Map<LoopNode, TileValue>()]
    const once = (made: Map<LoopNode, TileValue>, node: LoopNode, make: (node: LoopNode) => TileValue): TileValue => {
      const tile = made.get(node) ?? make(node)
      made.set(node, tile)
      return tile
    }
    return this.matmuls.map(({ inputs: [a, b] }) => [once(lefts, a!, left), once(rights, b!, right)])
  }

  /** Whether an operand of several axes is contiguous along its rows in memory, and not along its columns. */
  #isAlong(node: LoopNode, rows: readonly Axis[], columns: readonly Axis[]): boolean {
    if (!this.dots.inMemoryOrder || (rows.length <= 1 && columns.length <= 1)) return false
    const access = plainAccess(node)
    if (access === null) return false
    const factors = this.evaluator.writer.axes.factors(access.index)
    const isContiguous = (axes: readonly Axis[]): boolean => axes.some(axis => factors.get(axis) === 1)
    return isContiguous(rows) && !isContiguous(columns)
  }
}

/** True for an operand decoded from bytes along k, where the target decodes in that order and transposes the tile. */
function decodesTransposed(b: LoopNode, { k }: MatmulAxes, { decodesAlongDepth }: DotPolicy): boolean {
  if (!decodesAlongDepth || k.length === 1 || plainAccess(b) !== null) return false
  return nodesBehind([b]).some(node => node.op === 'load' && itemBytes(dtypeOf(node)) === 1)
}

/** An evaluator whose tiles have their axes in another order. */
const reordered = ({ writer, tiling, offsets }: Evaluator, order: readonly Axis[]): Evaluator =>
  new Evaluator(writer, { ...tiling, order }, offsets)
