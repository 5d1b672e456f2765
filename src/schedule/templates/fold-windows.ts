/**
 * Folds of windows: pooling, and convolutions of single channels. A program folds the windows of a block of results, tap by
 * tap: each tap's elements are a block of memory, loaded as it lies there, and padding is what is outside of its view.
 */
import { InternalError } from '../../base/errors.js'
import type { GraphNode, GraphOps } from '../../graph/ir.js'
import { storesOf, type TemplateNode, type WholeAt } from '../../loop/ir.js'
import type { TileOperand, TileValue, ViewValue } from '../../tile/language.js'
import { coordsOf } from '../groups/affine.js'
import { addLoops, type ContractionNode, keepWhole } from '../groups/group.js'
import type { Axis } from '../tiling/axes.js'
import { known } from '../tiling/contraction-tiling.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import { plannedSize } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { coordsAt, isPlainIndex } from './contraction.js'
import { bindResults } from './results.js'
import { alone, type ContractionTemplate, type KernelContext } from './template.js'
import { digitsOf, WindowDim } from './window-dim.js'

type FoldGraphNode = Extract<ContractionNode, { op: 'foldWindows' }>
type FoldParams = Omit<GraphOps['foldWindows'], 'accumulate'> & {
  /** The coordinates of each dim of the result. Empty: the dim is of size 1. */
  readonly dims: readonly (readonly number[])[]
}
type FoldNode = TemplateNode<FoldParams>

export const foldWindows: ContractionTemplate<FoldGraphNode, FoldParams> = {
  operands: () => [],
  reads: ({ inputs }) => inputs as readonly GraphNode[],
  join(group, node, map) {
    if (!map.every(isPlainIndex)) return null
    const taps = node.attrs.kernel.reduce((a, b) => a * b, 1)
    const { group: looped, map: indices } = addLoops(keepWhole(group, coordsOf(map)), [taps])
    return keepWhole(
      { ...looped, anchors: [node], anchorMap: map, folded: { indices, sizes: [taps] } },
      coordsOf(indices),
    )
  },
  build(program, node, map) {
    const { accumulate: _, ...attrs } = node.attrs
    const dims = map.map(coordsAt)
    const taps = coordsAt(program.group.folded!.indices[0]!)
    return program.template(node, {
      inputs: [],
      operands: [],
      whole: [...node.inputs.keys()],
      axes: [...dims.filter(coords => coords.length > 0), taps],
      work: [{ over: [...dims.flat(), ...taps], each: node.inputs.length }],
      params: { ...attrs, dims },
    })
  },
  stages: alone(writeFold),
}

function writeFold({ program, writer, policy }: KernelContext, node: FoldNode): Grid {
  const { t, axes } = writer
  const { dims, kernel, fn } = node.attrs.params
  if (policy.folds === null) throw new InternalError('schedule: folded windows, for a target without them')
  const { mostUnrolled } = policy.folds
  const axisOf = (coords: readonly number[]): Axis | null => axes.spanning(coords)[0] ?? null
  const sizes = node.attrs.results[0]!.shape.map(size => known(plannedSize(size)))
  const tiles = policy.folds.tiles(sizes, innerDim(node, sizes))
  const kept = dims.map(axisOf).filter(axis => axis !== null)
  const extents = new Map<Axis, number>(axes.all.map(axis => [axis, 1]))
  for (const [d, coords] of dims.entries()) {
    const axis = axisOf(coords)
    if (axis !== null) extents.set(axis, tiles[d]!)
  }
  const { grid, offsets } = assignGrid(writer, kept.toReversed(), extents)
  const evaluator = new Evaluator(writer, { order: kept, extents }, offsets)
  const places = dims.map((coords): Place => {
    const axis = axisOf(coords)
    return axis === null ? { offset: 0n, extent: 1 } : { offset: evaluator.offset(axis), extent: extents.get(axis)! }
  })
  const taps = new Taps(writer, node, places)
  const fold = (a: TileValue, b: TileValue): TileValue => (fn === 'add' ? a.add(b) : fn === 'max' ? a.max(b) : a.min(b))
  // The last dims' taps are unrolled, as far as they are few; the others are looped over.
  let unrolled = kernel.length
  while (unrolled > 0 && kernel.slice(unrolled - 1).reduce((a, b) => a * b, 1) <= mostUnrolled) unrolled--
  const inner = indices(kernel.slice(unrolled))
  const outer = kernel.slice(0, unrolled)
  const some = (at: readonly TileOperand[]): TileValue =>
    inner.map(tap => taps.at([...at, ...tap.map(BigInt)])).reduce(fold)
  const first = some(outer.map(() => 0n))
  const count = outer.reduce((a, b) => a * b, 1)
  const whole =
    count === 1
      ? first
      : t.range(1, count, 1, { folded: first }, (index, carried) => ({
          folded: fold(carried.folded, some(digitsOf(t, index, outer))),
        })).folded
  bindResults(evaluator, [node], [whole], kept)
  evaluator.storeAll(storesOf(program))
  return grid
}

/** The dim along which x is contiguous, and so most likely the results. */
function innerDim(node: FoldNode, sizes: readonly (number | null)[]): number {
  const [x] = node.attrs.whole as unknown as readonly [WholeAt]
  const found = x.strides.findLastIndex((stride, d) => stride === 1 && sizes[d] !== 1)
  return found < 0 ? sizes.length - 1 : found
}

/** All indices of a shape, row by row. */
const indices = (shape: readonly number[]): readonly (readonly number[])[] =>
  shape.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap(index => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  )

interface Place {
  readonly offset: TileOperand
  readonly extent: number
}

/** The elements, times their weights, that a tap of each window of the block is on. */
class Taps {
  readonly #dims: readonly WindowDim[]
  readonly #x: ViewValue
  readonly #weight: ViewValue | null

  constructor(
    readonly writer: KernelWriter,
    readonly node: FoldNode,
    readonly places: readonly Place[],
  ) {
    const { params, results, whole } = node.attrs
    const [x, weight] = whole as unknown as readonly [WholeAt, WholeAt?]
    this.#dims = x.shape.map((size, d) => {
      const [memory, places, taps] = [x.strides[d]!, results[0]!.shape[d]!, params.kernel[d]!]
      const [stride, dilation, padding] = [params.stride[d]!, params.dilation[d]!, params.padding[d]!]
      return new WindowDim(writer.t, { size, memory, places, taps, stride, dilation, padding })
    })
    this.#x = writer.tensorView(
      x.access,
      this.#dims.flatMap(({ dims }) => dims),
    )
    this.#weight =
      weight === undefined
        ? null
        : writer.tensorView(
            weight.access,
            weight.shape.map((size, d) => ({ size, stride: weight.strides[d]! })),
          )
  }

  at(taps: readonly TileOperand[]): TileValue {
    const { t } = this.writer
    const { value, channel } = this.node.attrs.params
    const offsets = this.#dims.flatMap((dim, d) => dim.at(this.places[d]!.offset, taps[d]!))
    const shape = this.#dims.flatMap((dim, d) => dim.shape(this.places[d]!.extent))
    const block = this.places.map(({ extent }) => extent)
    const padding = value === 0 ? {} : { padding: value }
    const elements = t.load(this.#x, offsets, shape, padding).reshape(block).to('f32')
    if (this.#weight === null) return elements
    const own = this.places.map(({ extent }, d) => (d === channel ? extent : 1))
    const at = this.places.map(({ offset }, d) => (d === channel ? offset : taps[d]!))
    return elements.mul(t.load(this.#weight, at, own).to('f32').broadcastTo(block))
  }
}
