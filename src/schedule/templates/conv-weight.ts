/**
 * Gradients of convolutions' weights (implicit GEMM): M runs over the outputs of a group, N over its channels, K over images
 * and places. A program computes a tile of outputs × channels for several taps: they share the block of the result's
 * gradients, and each loads the block of the image that it is on. Channels are last, so both operands are read as they lie
 * in memory, across K.
 */
import { InternalError } from '../../base/errors.js'
import type { GraphNode, GraphOps } from '../../graph/ir.js'
import { storesOf, type TemplateNode, type WholeAt } from '../../loop/ir.js'
import { productOf } from '../../scalar/size.js'
import type { TileValue, ViewValue } from '../../tile/language.js'
import type { ContractionNode } from '../groups/group.js'
import { shapeOf } from '../groups/layout.js'
import type { ConvWeightSizes, ConvWeightTiles, SchedulePolicy } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'
import { coordsAt, joinWholeDims } from './contraction.js'
import { blocksOfPart } from './conv.js'
import { inParts } from './depth-parts.js'
import { bindResults } from './results.js'
import { alone, type ContractionTemplate, type KernelContext } from './template.js'
import { digitsOf, indicesOf, WindowDim } from './window-dim.js'

type WeightGraphNode = Extract<ContractionNode, { op: 'convWeight' }>

type WeightParams = Pick<GraphOps['convWeight'], 'kernel' | 'stride' | 'padding' | 'dilation' | 'accumulate'> & {
  readonly precision: 'f32' | 'tf32'
  /** The coordinates of each dim of the result: groups, outputs, taps per spatial dim, channels. Empty: the dim is of size 1. */
  readonly dims: readonly (readonly number[])[]
  /** The coordinate of the parts of K, of which a program sums one; null: it sums all. */
  readonly part: number | null
}
type WeightNode = TemplateNode<WeightParams>

export const convWeight: ContractionTemplate<WeightGraphNode, WeightParams> = {
  operands: () => [],
  reads: ({ inputs }) => inputs as readonly GraphNode[],
  join: (group, node, map) => joinWholeDims(group, node, map, productOf(shapeOf(node.inputs[1]!).slice(0, -2))),
  build(program, node, map) {
    const { kernel, stride, padding, dilation, accumulate, precision = 'f32' } = node.attrs
    const dims = map.map(coordsAt)
    const depth = coordsAt(program.group.folded!.indices[0]!)
    return program.template(node, {
      inputs: [],
      operands: [],
      whole: [0, 1],
      axes: [...dims.filter(coords => coords.length > 0), depth],
      work: [{ over: [...dims.flat(), ...depth], each: 2 }],
      params: { kernel, stride, padding, dilation, accumulate, precision, dims, part: null },
    })
  },
  stages: alone(writeWeight),
  split(program, node, policy, buffers) {
    const { parts } = tilesOf(node, policy)
    return parts === 1 ? null : inParts(program, [node], parts, buffers)
  },
}

const tensorsOf = ({ attrs }: WeightNode): readonly [x: WholeAt, g: WholeAt] =>
  attrs.whole as unknown as readonly [WholeAt, WholeAt]

function sizesOf(node: WeightNode): ConvWeightSizes {
  const [x, g] = tensorsOf(node)
  const { params } = node.attrs
  const sizes = [...g.shape, x.shape.at(-1)!]
  if (!sizes.every(size => typeof size === 'number'))
    throw new InternalError(`schedule: the gradient of a weight by images of [${x.shape.join(', ')}]`)
  const [groups, outputs, channels] = sizes.slice(-3) as [number, number, number]
  const operand = params.precision === 'tf32' ? 'tf32' : x.dtype
  return { places: sizes.slice(0, -3), groups, outputs, channels, taps: params.kernel, operand }
}

function tilesOf(node: WeightNode, { conv }: Pick<SchedulePolicy, 'conv'>): ConvWeightTiles {
  const tiles = conv?.kernels?.weightTiles(sizesOf(node)) ?? null
  if (tiles === null) throw new InternalError('schedule: the gradient of a weight, for a target without kernels for it')
  return tiles
}

function writeWeight({ program, writer, policy }: KernelContext, node: WeightNode): Grid {
  const { t, axes } = writer
  const { dims, accumulate, precision, part } = node.attrs.params
  const tiles = tilesOf(node, policy)
  const each = [1, tiles.outputs, ...tiles.taps, tiles.channels]
  const own = dims.map(coords => axes.spanning(coords)[0] ?? null)
  const parts = part === null ? null : axes.of(part)
  const kept = [...(parts === null ? [] : [parts]), ...own.filter(axis => axis !== null)]
  const extents = new Map<Axis, number>(axes.all.map(axis => [axis, 1]))
  for (const [d, axis] of own.entries()) if (axis !== null) extents.set(axis, each[d]!)
  const { grid, offsets } = assignGrid(writer, kept.toReversed(), extents)
  writer.hints = policy.hints([grid]) ?? writer.hints
  // Each tap's sums are stored on their own.
  const spatial = own.slice(2, -1)
  const one = new Map([...extents].map(([axis, extent]) => [axis, spatial.includes(axis) ? 1 : extent]))
  const evaluator = new Evaluator(writer, { order: kept, extents: one }, offsets)
  const at = own.map(axis => (axis === null ? t.const(0n, 'i64') : evaluator.offset(axis)))
  const taps = indicesOf(tiles.taps).map(index => index.map((i, d) => at[2 + d]!.add(i)))
  const [group, output, channel] = [at[0]!, at[1]!, at.at(-1)!]
  const [rows, columns] = [own[1], own.at(-1)].map(axis => (axis ? extents.get(axis)! : 1)) as [number, number]
  const blocks = new Blocks(writer, node, { tiles, group, output, channel, taps, rows, columns })
  const { from, to } = blocksOfPart(blocks.count, parts, evaluator)
  const names = taps.map((_, i) => `tap${i}`)
  const zeros = Object.fromEntries(names.map(name => [name, t.zeros([rows, columns], accumulate)]))
  const sums = t.range(from, to, 1, zeros, (index, carried) => {
    const { g, images } = blocks.at(index)
    return Object.fromEntries(names.map((name, i) => [name, t.dot(g, images[i]!, carried[name]!, { precision })]))
  })
  for (const [i, name] of names.entries())
    evaluator.scoped(() => {
      for (const [d, axis] of spatial.entries()) if (axis !== null) evaluator.offsets.set(axis, taps[i]![d]!)
      bindResults(evaluator, [node], [sums[name]!], kept)
      evaluator.storeAll(storesOf(program))
    })
  return grid
}

/** What a program computes: outputs × channels of a group, of several taps. */
interface WeightBlock {
  readonly tiles: ConvWeightTiles
  readonly group: TileValue
  readonly output: TileValue
  readonly channel: TileValue
  readonly taps: readonly (readonly TileValue[])[]
  readonly rows: number
  readonly columns: number
}

/** The blocks of both operands along K. */
class Blocks {
  /** How many. */
  readonly count: number
  readonly #depth: number
  /** Blocks of images, and along each spatial dim. */
  readonly #counts: readonly number[]
  readonly #spatial: readonly WindowDim[]
  readonly #x: ViewValue
  readonly #g: ViewValue

  constructor(
    readonly writer: KernelWriter,
    node: WeightNode,
    readonly block: WeightBlock,
  ) {
    const { places } = sizesOf(node)
    const { tiles } = block
    this.#counts = places.map((size, d) => Math.ceil(size / tiles.places[d]!))
    this.count = this.#counts.reduce((a, b) => a * b, 1)
    this.#depth = tiles.places.reduce((a, b) => a * b, 1)
    const [x, g] = tensorsOf(node)
    const { kernel, stride, padding, dilation } = node.attrs.params
    this.#spatial = kernel.map(
      (taps, d) =>
        new WindowDim(writer.t, {
          size: x.shape[1 + d]!,
          memory: x.strides[1 + d]!,
          places: g.shape[1 + d]!,
          taps,
          stride: stride[d]!,
          dilation: dilation[d]!,
          padding: padding[d]!,
        }),
    )
    const dimsOf = ({
      shape,
      strides,
    }: WholeAt): { size: (typeof shape)[number]; stride: (typeof strides)[number] }[] =>
      shape.map((size, d) => ({ size, stride: strides[d]! }))
    const [images, ...rest] = dimsOf(x)
    this.#x = writer.tensorView(x.access, [images!, ...this.#spatial.flatMap(({ dims }) => dims), ...rest.slice(-2)])
    this.#g = writer.tensorView(g.access, dimsOf(g))
  }

  /** The tiles [outputs, depth] and, per tap, [depth, channels] of block `index`. */
  at(index: TileValue): { readonly g: TileValue; readonly images: readonly TileValue[] } {
    const { t } = this.writer
    const { tiles, group, output, channel, taps, rows, columns } = this.block
    const { places } = tiles
    const [image, ...first] = digitsOf(t, index, this.#counts).map((digit, d) =>
      t.const(0n, 'i64').add(digit).mul(places[d]!),
    )
    const g = t
      .load(this.#g, [image!, ...first, group, output], [...places, 1, rows])
      .reshape([this.#depth, rows])
      .transpose([1, 0])
    const images = taps.map(tap => {
      const at = this.#spatial.flatMap((dim, d) => dim.at(first[d]!, tap[d]!))
      const shape = this.#spatial.flatMap((dim, d) => dim.shape(places[1 + d]!))
      return t
        .load(this.#x, [image!, ...at, group, channel], [places[0]!, ...shape, 1, columns])
        .reshape([this.#depth, columns])
    })
    return { g, images }
  }
}
