/**
 * Folds of windows: pooling, and convolutions of single channels. A program folds the windows of a block of results, tap by
 * tap: each tap's elements are a block of memory, loaded as it lies there, and padding is what is outside of its view.
 */
import { InternalError } from '../../base/errors.js'
import type { GraphNode, GraphOps } from '../../graph/ir.js'
import { nodesOf } from '../../ir/walk.js'
import { type LoopNode, storesOf, type TemplateNode, type WholeAt } from '../../loop/ir.js'
import type { TileBuilder, TileOperand, TileValue, ViewValue } from '../../tile/language.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'
import type { ContractionNode } from '../groups/group.js'
import type { Axis } from '../tiling/axes.js'
import { known } from '../tiling/contraction-tiling.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import { plannedSize } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { coordsAt, joinWholeDims } from './contraction.js'
import { bindResults } from './results.js'
import { alone, type ContractionTemplate, type KernelContext } from './template.js'
import { digitsOf, indicesOf, WindowDim } from './window-dim.js'

type FoldGraphNode = Extract<ContractionNode, { op: 'foldWindows' }>
type FoldParams = Omit<GraphOps['foldWindows'], 'accumulate'> & {
  /** The coordinates of each dim of the result. Empty: the dim is of size 1. */
  readonly dims: readonly (readonly number[])[]
}
type FoldNode = TemplateNode<FoldParams>

export const foldWindows: ContractionTemplate<FoldGraphNode, FoldParams> = {
  operands: () => [],
  reads: ({ inputs }) => inputs as readonly GraphNode[],
  join: (group, node, map) => joinWholeDims(group, node, map, countOf(node.attrs.kernel)),
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
  // The last dims' taps are unrolled, as far as they are few; the others are looped over.
  let unrolled = kernel.length
  while (unrolled > 0 && kernel.slice(unrolled - 1).reduce((a, b) => a * b, 1) <= mostUnrolled) unrolled--
  const walk = { inner: indicesOf(kernel.slice(unrolled)), outer: kernel.slice(0, unrolled) }
  if (node.attrs.params.places === undefined) bindResults(evaluator, [node], [folded(t, fn, taps, walk)], kept)
  else {
    const { best, number } = largest(t, taps, walk)
    writer.hints = { warps: warpsOf(countOf(taps.block), node.attrs.results[0]!.dtype) }
    bindResults(evaluator, [node], [best], kept)
    for (const each of nodesOf<LoopNode>(program.body))
      if (each.op === 'result') bindResults(evaluator, [each], [number], kept)
  }
  evaluator.storeAll(storesOf(program))
  return grid
}

/** So many that each thread stores 16 bytes of values: it then has the same results whether it stores values or numbers. */
const warpsOf = (results: number, dtype: Dtype): number =>
  Math.max(1, Math.min(16, (results * itemBytes(dtype)) / (16 * 32)))

/** The taps of a window: for each of `outer`, which are looped over, all of `inner`. */
interface Walk {
  readonly outer: readonly number[]
  readonly inner: readonly (readonly number[])[]
}

const countOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

function folded(t: TileBuilder, fn: FoldParams['fn'], taps: Taps, { outer, inner }: Walk): TileValue {
  const fold = (a: TileValue, b: TileValue): TileValue => (fn === 'add' ? a.add(b) : fn === 'max' ? a.max(b) : a.min(b))
  const some = (at: readonly TileOperand[]): TileValue =>
    inner.map(tap => taps.at([...at, ...tap.map(BigInt)])).reduce(fold)
  const first = some(outer.map(() => 0n))
  const count = countOf(outer)
  if (count === 1) return first
  return t.range(1, count, 1, { folded: first }, (index, carried) => ({
    folded: fold(carried.folded, some(digitsOf(t, index, outer))),
  })).folded
}

/** The largest elements, and their numbers. None is smaller than −∞, so that numbers start at the first element that counts. */
type Largest = { readonly best: TileValue; readonly number: TileValue }

function largest(t: TileBuilder, taps: Taps, { outer, inner }: Walk): Largest {
  const some = (at: readonly TileOperand[], number: TileOperand, before: Largest): Largest =>
    inner.reduce<Largest>(({ best, number: from }, tap, i) => {
      const element = taps.at([...at, ...tap.map(BigInt)])
      // More than the best, or the first NaN.
      const isBetter = element.le(best).not().and(best.isnan().not())
      const own = t.const(0, 'i32').add(number).add(i)
      return { best: t.where(isBetter, element, best), number: t.where(isBetter, own, from) }
    }, before)
  const none = { best: t.full(taps.block, Number.NEGATIVE_INFINITY, 'f32'), number: taps.firstNumbers() }
  const count = countOf(outer)
  if (count === 1)
    return some(
      outer.map(() => 0n),
      0,
      none,
    )
  return t.range(0, count, 1, none, (index, carried) =>
    some(digitsOf(t, index, outer), index.to('i32').mul(inner.length), carried),
  )
}

/** The dim along which x is contiguous, and so most likely the results. */
function innerDim(node: FoldNode, sizes: readonly (number | null)[]): number {
  const [x] = node.attrs.whole as unknown as readonly [WholeAt]
  const found = x.strides.findLastIndex((stride, d) => stride === 1 && sizes[d] !== 1)
  return found < 0 ? sizes.length - 1 : found
}

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

  /** The shape of the block. */
  get block(): readonly number[] {
    return this.places.map(({ extent }) => extent)
  }

  /** The numbers of the first elements of the windows that are no padding, i32. */
  firstNumbers(): TileValue {
    const { t } = this.writer
    const { kernel, stride, dilation, padding, places = [] } = this.node.attrs.params
    return this.places.reduce<TileValue>(
      (sum, { offset, extent }, d) => {
        const before = padding[d]![0] + places[d]!
        if (before === 0) return sum
        const starts = t.iota(extent).add(offset).mul(stride[d]!)
        const ahead = starts
          .neg()
          .add(before + dilation[d]! - 1)
          .max(0)
          .floorDiv(dilation[d]!)
          .min(kernel[d]! - 1)
        const numbers = ahead.to('i32').mul(countOf(kernel.slice(d + 1)))
        return sum.add(numbers.reshape(this.block.map((size, o) => (o === d ? size : 1))))
      },
      t.full(this.block, 0, 'i32'),
    )
  }

  at(taps: readonly TileOperand[]): TileValue {
    const { t } = this.writer
    const { value, channel } = this.node.attrs.params
    const offsets = this.#dims.flatMap((dim, d) => dim.at(this.places[d]!.offset, taps[d]!))
    const shape = this.#dims.flatMap((dim, d) => dim.shape(this.places[d]!.extent))
    const { block } = this
    const padding = value === 0 ? {} : { padding: value }
    const elements = t.load(this.#x, offsets, shape, padding).reshape(block).to('f32')
    if (this.#weight === null) return elements
    const own = this.places.map(({ extent }, d) => (d === channel ? extent : 1))
    const at = this.places.map(({ offset }, d) => (d === channel ? offset : taps[d]!))
    return elements.mul(t.load(this.#weight, at, own).to('f32').broadcastTo(block))
  }
}
