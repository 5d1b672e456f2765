/**
 * Convolution kernels (implicit GEMM): M runs over images and output positions, N over the output channels of a group, K
 * over taps and input channels. A program computes a tile of output positions × channels. The left operand's tile is loaded
 * from the image itself, channels innermost, at an offset that depends on the tap, so no im2col matrix is stored.
 */
import { InternalError } from '../../base/errors.js'
import type { GraphNode } from '../../graph/ir.js'
import { storesOf, type WholeAt } from '../../loop/ir.js'
import { productOf, sameSize } from '../../scalar/size.js'
import type { TileOperand, TileValue, ViewValue } from '../../tile/language.js'
import type { ContractionNode } from '../groups/group.js'
import { shapeOf } from '../groups/layout.js'
import type { ConvSizes, ConvTiles, SchedulePolicy } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { known } from '../tiling/contraction-tiling.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import { plannedSize } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { coordsAt, joinWholeDims } from './contraction.js'
import type { ConvNode, ConvParams } from './conv-node.js'
import { inParts } from './depth-parts.js'
import { bindResults } from './results.js'
import { alone, type ContractionTemplate, type KernelContext } from './template.js'
import { digitsOf, divided, WindowDim } from './window-dim.js'

type ConvGraphNode = Extract<ContractionNode, { op: 'convLast' }>

export const convLast: ContractionTemplate<ConvGraphNode, ConvParams> = {
  operands: () => [],
  reads: ({ inputs }) => inputs as readonly GraphNode[],
  join: (group, node, map) => joinWholeDims(group, node, map, productOf(shapeOf(node.inputs[1]!).slice(2))),
  build(program, node, map) {
    const { stride, padding, dilation, accumulate, precision = 'f32' } = node.attrs
    const dims = map.map(coordsAt)
    const depth = coordsAt(program.group.folded!.indices[0]!)
    return program.template(node, {
      inputs: [],
      operands: [],
      whole: [0, 1],
      axes: [...dims.filter(coords => coords.length > 0), depth],
      work: [{ over: [...dims.flat(), ...depth], each: 2 }],
      params: { stride, padding, dilation, accumulate, precision, dims, part: null },
    })
  },
  stages: alone(writeConv),
  split(program, node, policy, buffers) {
    const { parts } = tilesOf(node, policy)
    return parts === 1 ? null : inParts(program, [node], parts, buffers)
  },
}

// --- K -------------------------------------------------------------------------------------------------------------------

/** K of a convolution: runs that are contiguous in x and in the weight, one for each combination of the other taps. */
interface Depth {
  /** Elements of a run. */
  readonly run: number
  /** Taps per spatial dim of which each has its run: 1 where the run covers them. */
  readonly taps: readonly number[]
}

const tensorsOf = ({ attrs }: ConvNode): readonly [x: WholeAt, weight: WholeAt] =>
  attrs.whole as unknown as readonly [WholeAt, WholeAt]

const isPadded = ({ padding }: ConvParams, d: number): boolean => padding[d]!.some(size => size !== 0)

function depthOf(node: ConvNode): Depth {
  const [x, weight] = tensorsOf(node)
  const { params } = node.attrs
  const [kernel, channels] = [weight.shape.slice(2, -1), weight.shape.at(-1)!]
  const sizes = [...kernel, channels].map(size => known(size))
  if (sizes.some(size => size === null)) throw new InternalError('schedule: a convolution by a kernel of unknown size')
  const taps = sizes.slice(0, -1) as number[]
  const inner = sizes.at(-1)!
  const last = taps.length - 1
  const isRun =
    !isPadded(params, last) &&
    params.dilation[last] === 1 &&
    x.shape.at(-2) === 1 &&
    sameSize(x.strides[1 + last]!, inner) &&
    sameSize(x.strides.at(-1)!, 1)
  return isRun ? { run: inner * taps[last]!, taps: taps.with(last, 1) } : { run: inner, taps }
}

function sizesOf(node: ConvNode): ConvSizes {
  const { run, taps } = depthOf(node)
  const [, weight] = tensorsOf(node)
  const { params, results } = node.attrs
  const places = results[0]!.shape.slice(0, -2).map(size => known(plannedSize(size)))
  const [groups, outputs] = weight.shape.slice(0, 2).map(size => known(size) ?? 1) as [number, number]
  const operand = params.precision === 'tf32' ? 'tf32' : weight.dtype
  return { places, groups, outputs, run, runs: taps.reduce((a, b) => a * b, 1), operand }
}

function tilesOf(node: ConvNode, { conv }: Pick<SchedulePolicy, 'conv'>): ConvTiles {
  if (!conv?.kernels) throw new InternalError('schedule: a convolution with channels last, for a target without them')
  return conv.kernels.tiles(sizesOf(node))
}

// --- the kernel ----------------------------------------------------------------------------------------------------------

function writeConv({ program, writer, policy }: KernelContext, node: ConvNode): Grid {
  const { t, axes } = writer
  const { dims, accumulate, precision, part } = node.attrs.params
  const tiles = tilesOf(node, policy)
  const [places, [, outputs]] = [dims.slice(0, -2), dims.slice(-2)] as [number[][], [number[], number[]]]
  const axisOf = (coords: readonly number[]): Axis | null => axes.spanning(coords)[0] ?? null
  const parts = part === null ? null : axes.of(part)
  const kept = [...(parts === null ? [] : [parts]), ...dims.map(axisOf).filter(axis => axis !== null)]
  const extents = new Map<Axis, number>(axes.all.map(axis => [axis, 1]))
  for (const [i, coords] of places.entries()) {
    const axis = axisOf(coords)
    if (axis !== null) extents.set(axis, tiles.places[i]!)
  }
  const columns = axisOf(outputs)
  if (columns !== null) extents.set(columns, tiles.outputs)
  const { grid, offsets } = assignGrid(writer, kept.toReversed(), extents)
  writer.hints = policy.hints([grid]) ?? writer.hints
  const evaluator = new Evaluator(writer, { order: kept, extents }, offsets)
  const at = (coords: readonly number[]): TileOperand => {
    const axis = axisOf(coords)
    return axis === null ? 0n : evaluator.offset(axis)
  }
  const extent = (coords: readonly number[]): number => {
    const axis = axisOf(coords)
    return axis === null ? 1 : evaluator.extent(axis)
  }
  const blocks = new Blocks(writer, node, tiles.depth, dims.map(at), dims.map(extent))
  const { from, to } = blocksOfPart(blocks.count, parts, evaluator)
  const { m, n } = blocks
  const { sum } = t.range(from, to, 1, { sum: t.zeros([m, n], accumulate) }, (index, carried) => {
    const [a, b] = blocks.at(index)
    return { sum: t.dot(a, b, carried.sum, { precision }) }
  })
  bindResults(evaluator, [node], [sum], kept)
  evaluator.storeAll(storesOf(program))
  return grid
}

/** The blocks of K that a program sums. */
export function blocksOfPart(
  count: number,
  parts: Axis | null,
  evaluator: Evaluator,
): { readonly from: TileOperand; readonly to: TileOperand } {
  if (parts === null) return { from: 0, to: count }
  const each = Math.ceil(count / (parts.size as number))
  const from = evaluator.offset(parts).mul(each)
  return { from, to: from.add(each).min(count) }
}

/** The blocks of both operands along K. */
class Blocks {
  /** How many. */
  readonly count: number
  readonly m: number
  readonly n: number
  readonly #spatial: readonly WindowDim[]
  readonly #x: ViewValue
  readonly #weight: ViewValue
  readonly #depth: Depth
  readonly #runs: number
  readonly #perRun: number

  /** `offsets`, `extents`: of the program's block, per dim of the result. */
  constructor(
    readonly writer: KernelWriter,
    readonly node: ConvNode,
    /** Elements of a run per block. */
    readonly depth: number,
    readonly offsets: readonly TileOperand[],
    readonly extents: readonly number[],
  ) {
    this.#depth = depthOf(node)
    const { run, taps } = this.#depth
    this.#perRun = Math.ceil(run / depth)
    this.#runs = taps.reduce((a, b) => a * b, 1)
    this.count = this.#runs * this.#perRun
    this.m = extents.slice(0, -2).reduce((a, b) => a * b, 1)
    this.n = extents.at(-1)!
    const [x] = tensorsOf(node)
    const { params, results } = node.attrs
    this.#spatial = taps.map((count, d) => {
      const [size, memory, places] = [x.shape[1 + d]!, x.strides[1 + d]!, results[0]!.shape[1 + d]!]
      const [stride, dilation, padding] = [params.stride[d]!, params.dilation[d]!, params.padding[d]!]
      return new WindowDim(writer.t, { size, memory, places, taps: count, stride, dilation, padding })
    })
    this.#x = this.#viewOfX()
    this.#weight = this.#viewOfWeight()
  }

  /** [images, spatial dims, groups, run]. */
  #viewOfX(): ViewValue {
    const [x] = tensorsOf(this.node)
    const ends = [
      { size: x.shape.at(-2)!, stride: x.strides.at(-2)! },
      { size: this.#depth.run, stride: x.strides.at(-1)! },
    ]
    const spatial = this.#spatial.flatMap(({ dims }) => dims)
    return this.writer.tensorView(x.access, [{ size: x.shape[0]!, stride: x.strides[0]! }, ...spatial, ...ends])
  }

  /** [groups, outputs, runs, run]. */
  #viewOfWeight(): ViewValue {
    const [, { access, shape, strides }] = tensorsOf(this.node)
    const { run } = this.#depth
    const isDense = shape.slice(2).every((size, d) => {
      const dense = productOf(shape.slice(3 + d))
      return size === 1 || sameSize(strides[2 + d]!, dense)
    })
    if (!isDense) throw new InternalError('schedule: the taps of a convolution are not contiguous')
    return this.writer.tensorView(access, [
      { size: shape[0]!, stride: strides[0]! },
      { size: shape[1]!, stride: strides[1]! },
      { size: this.#runs, stride: run },
      { size: run, stride: 1 },
    ])
  }

  /** The tiles [m, depth] and [depth, n] of block `index`. */
  at(index: TileValue): readonly [TileValue, TileValue] {
    const { t } = this.writer
    const { depth, m, n } = this
    const { quotient: run, remainder } = divided(index, this.#perRun, this.count)
    const start: TileOperand = this.#perRun === 1 ? 0n : remainder.mul(depth)
    const [group, output] = this.offsets.slice(-2) as [TileOperand, TileOperand]
    const a = this.#blockOfX(run, group, start).reshape([m, depth])
    const b = t.load(this.#weight, [group, output, run, start], [1, n, 1, depth]).reshape([n, depth])
    return [a, b.transpose([1, 0])]
  }

  #blockOfX(run: TileValue, group: TileOperand, start: TileOperand): TileValue {
    const { t } = this.writer
    const taps = digitsOf(t, run, this.#depth.taps)
    const at = this.#spatial.flatMap((dim, d) => dim.at(this.offsets[1 + d]!, taps[d]!))
    const shape = this.#spatial.flatMap((dim, d) => dim.shape(this.extents[1 + d]!))
    return t.load(this.#x, [this.offsets[0]!, ...at, group, start], [this.extents[0]!, ...shape, 1, this.depth])
  }
}
