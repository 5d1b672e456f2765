/**
 * Convolutions in the form that the target's kernels take. Where it has kernels for channels that are last in memory, images
 * between convolutions are computed in that order: a convolution's result is a permuted view of it, and the permutation moves
 * past elementwise ops, views, padding, windows and reductions, until it meets the next convolution's. Only arguments and results
 * are copied to and from the order of their dims. Elsewhere convolutions are matmuls of windows.
 */
import { castTo, expandTo, map, permuteTo, reduce, reshapeTo, shapeOf, sliceTo, wholeSlice } from '../../graph/build.js'
import { type Graph, type GraphBuilder, type GraphNode, isView, type Shape, typeOf } from '../../graph/ir.js'
import { padConstant, windowsOf } from '../../graph/ops/rearrange.js'
import { paddedWindows } from '../../graph/ops/spatial.js'
import { expandConvolutions } from '../../graph/passes/convolutions.js'
import { expandMaxPools } from '../../graph/passes/max-pools.js'
import { isElementwise, rebuild, remake } from '../../graph/passes/pass.js'
import { simplify } from '../../graph/passes/simplify.js'
import { liftReshapes, sinkViews } from '../../graph/passes/views.js'
import { nodesOf } from '../../ir/walk.js'
import { addSizes, exactQuotient, mulSizes, productOf, rangeOf, type Size, sameSize } from '../../scalar/size.js'
import { ownMemory } from '../groups/cost.js'
import { type BufferLayout, contiguousLayout, viewLayout } from '../groups/layout.js'
import type { ConvPolicy, FoldPolicy, SchedulePolicy } from '../policy.js'
import { indicesOf } from '../templates/window-dim.js'
import { copyResults } from './normalize.js'
import {
  depthwiseConv,
  depthwiseFold,
  foldedWindows,
  narrow,
  placedPools,
  pooledItem,
  stored,
  withFolds,
} from './window-folds.js'

type ConvNode = Extract<GraphNode, { op: 'conv' }>

/** Requires: a verified graph. Guarantees: no conv or maxPool; the same values, results in the order of their dims. */
export function lowerConvolutions(graph: Graph, { conv, folds }: Pick<SchedulePolicy, 'conv' | 'folds'>): Graph {
  const concerned = conv === null && folds === null ? ['conv', 'maxPool'] : ['conv', 'maxPool', 'affine']
  if (!nodesOf<GraphNode>(graph.body).some(({ op }) => concerned.includes(op))) return graph
  const kernels =
    folds === null ? graph : conv === null ? withFolds(graph, folds) : withChannelsLast(graph, conv, folds)
  const lowered = expandMaxPools.run(expandConvolutions.run(kernels))
  return [sinkViews, liftReshapes, simplify].reduce((current, pass) => pass.run(current), lowered)
}

function withChannelsLast(graph: Graph, policy: ConvPolicy, folds: FoldPolicy): Graph {
  const order = new DimOrder(folds, placedPools(graph))
  const isTf32 = graph.float32Matmul === 'tf32'
  const lowered = rebuild(graph, 'channels last', (b, node, inputs) => {
    if (node.op !== 'conv') return order.moved(b, node, inputs)
    return (
      b.withOrigin(node.origin, () => new Lowering(b, node, policy, order, folds, isTf32).lower(inputs)) ??
      remake(b, node, inputs)
    )
  })
  return copyResults(lowered, (node, i) => (i < graph.outputs && order.of(node) !== null ? {} : null))
}

// --- the order of dims ---------------------------------------------------------------------------------------------------

const inverse = (dims: readonly number[]): readonly number[] => dims.map((_, d) => dims.indexOf(d))

/** Values that are computed in another order of dims than they are seen in. */
class DimOrder {
  /** The views through which they are seen. */
  readonly #views = new Set<GraphNode>()

  constructor(
    readonly folds: FoldPolicy,
    /** The max poolings of which the numbers of the elements are used. */
    readonly placed: ReadonlySet<GraphNode>,
  ) {}

  /** The dims of the value that a view shows; null: it is seen in its own order. */
  of(node: GraphNode): readonly number[] | null {
    return node.op === 'permute' && this.#views.has(node) ? node.attrs.dims : null
  }

  /** `inner` seen through a permutation. */
  view(b: GraphBuilder, inner: GraphNode, dims: readonly number[]): GraphNode {
    const made = permuteTo(b, inner, dims)
    if (made.op === 'permute') this.#views.add(made)
    return made
  }

  /** The node on new inputs; computed in the order of an input that has its own, where it can be. */
  moved(b: GraphBuilder, node: GraphNode, inputs: readonly GraphNode[]): GraphNode {
    const [only] = inputs
    if (node.op === 'item' && only?.op === 'maxPool') return this.#pooled(b, node, only) ?? remake(b, node, inputs)
    const first = inputs.find(input => this.of(input) !== null)
    const dims = first === undefined ? null : this.of(first)
    if (first === undefined || dims === null)
      return (
        (node.op === 'reduce' ? foldedWindows(b, this.folds, node.attrs.fn, inputs[0]!, node.attrs.dims) : null) ??
        remake(b, node, inputs)
      )
    const inner = first.inputs[0]!
    const back = inverse(dims)
    if (isElementwise(node) || node.op === 'bitcast') {
      const seen = inputs.map(input => permuteTo(b, input, back))
      return this.view(b, remake(b, node, seen), dims)
    }
    switch (node.op) {
      case 'pad': {
        const { before, after, value } = node.attrs
        const attrs = { before: back.map(d => before[d]!), after: back.map(d => after[d]!), value }
        // Zeros and infinities are exact in every dtype.
        const from = Number(value) === 0 || !Number.isFinite(Number(value)) ? narrow(inner) : inner
        return this.view(b, castTo(b, b.node('pad', [stored(b, from)], attrs), typeOf(inner).dtype), dims)
      }
      case 'slice': {
        const { starts, steps, sizes } = node.attrs
        const attrs = {
          starts: back.map(d => starts[d]!),
          steps: back.map(d => steps[d]!),
          sizes: back.map(d => sizes[d]!),
        }
        return this.view(b, sliceTo(b, inner, attrs), dims)
      }
      case 'reduce':
        return this.#reduced(b, node, inner, dims)
      case 'affine':
        return this.#windows(b, node, inner, dims)
      case 'fence':
        return first === inputs[0]
          ? this.view(b, remake(b, node, [inner, ...inputs.slice(1)]), dims)
          : remake(b, node, inputs)
      case 'permute':
        return this.view(
          b,
          inner,
          node.attrs.dims.map(d => dims[d]!),
        )
      case 'expand': {
        const { shape } = node.attrs
        const lead = [...shape.keys()].slice(0, shape.length - dims.length)
        const own = shape.slice(lead.length)
        const wide = expandTo(b, inner, [...lead.map(d => shape[d]!), ...back.map(d => own[d]!)])
        return this.view(b, wide, [...lead, ...dims.map(d => lead.length + d)])
      }
      case 'reshape':
        return this.#reshaped(b, node, inner, dims)
      case 'cat': {
        const seen = inputs.map(input => permuteTo(b, input, back))
        return this.view(b, b.node('cat', seen, { dim: dims[node.attrs.dim]! }), dims)
      }
      default:
        return remake(b, node, inputs)
    }
  }

  #pooled(
    b: GraphBuilder,
    { attrs: { index }, inputs }: Extract<GraphNode, { op: 'item' }>,
    pool: Extract<GraphNode, { op: 'maxPool' }>,
  ): GraphNode | null {
    const wanted = { index, hasPlaces: this.placed.has(inputs[0]!) }
    const image = pool.inputs[0]!
    const dims = this.of(image)
    if (dims === null) return b.withOrigin(pool.origin, () => pooledItem(b, this.folds, pool, wanted, image))
    const found = pooledItem(b, this.folds, pool, wanted, image.inputs[0]!, inverse(dims))
    return found && this.view(b, found, dims)
  }

  /** Dims that are joined or split are next to each other, in the order of the innermost ones; those of size 1 are outermost. */
  #reshaped(
    b: GraphBuilder,
    node: Extract<GraphNode, { op: 'reshape' }>,
    inner: GraphNode,
    dims: readonly number[],
  ): GraphNode {
    const { shape } = node.attrs
    const seen = dims.map(d => shapeOf(inner)[d]!)
    const blocks = sameBlocks(seen, shape)
    if (blocks === null) return remake(b, node, [this.view(b, inner, dims)])
    const place = ({ from }: { readonly from: readonly number[] }): number => Math.max(...from.map(d => dims[d]!))
    const ordered = blocks.toSorted((p, q) => place(p) - place(q))
    const ones = (sizes: Shape): number[] => [...sizes.keys()].filter(d => sizes[d] === 1)
    const before = [...ones(seen), ...ordered.flatMap(({ from }) => from)].map(d => dims[d]!)
    const after = [...ones(shape), ...ordered.flatMap(({ to }) => to)]
    const sizes = after.map(d => shape[d]!)
    return this.view(b, reshapeTo(b, permuteTo(b, inner, before), sizes), inverse(after))
  }

  #reduced(
    b: GraphBuilder,
    { attrs }: Extract<GraphNode, { op: 'reduce' }>,
    inner: GraphNode,
    dims: readonly number[],
  ): GraphNode {
    const own = attrs.dims.map(d => dims[d]!).toSorted((a, c) => a - c)
    const left = [...shapeOf(inner).keys()].filter(d => !own.includes(d))
    const kept = dims.filter(d => !own.includes(d)).map(d => left.indexOf(d))
    return this.view(b, foldedWindows(b, this.folds, attrs.fn, inner, own) ?? reduce(b, attrs.fn, inner, own), kept)
  }

  /** Dims of the view in the order of those that they step along. */
  #windows(
    b: GraphBuilder,
    { attrs }: Extract<GraphNode, { op: 'affine' }>,
    inner: GraphNode,
    dims: readonly number[],
  ): GraphNode {
    const { shape, starts, factors } = attrs
    const back = inverse(dims)
    const rows = back.map(d => factors[d]!)
    const along = (o: number): number => {
      const found = rows.findIndex(row => row[o] !== 0)
      return found < 0 ? rows.length : found
    }
    const order = [...shape.keys()].toSorted((a, c) => along(a) - along(c))
    const view = b.node('affine', [inner], {
      shape: order.map(o => shape[o]!),
      starts: back.map(d => starts[d]!),
      factors: rows.map(row => order.map(o => row[o]!)),
    })
    return this.view(b, view, inverse(order))
  }
}

/** The least runs of dims of two shapes that have as many elements, without those of size 1; null: not known. */
function sameBlocks(
  from: Shape,
  to: Shape,
): readonly { readonly from: readonly number[]; readonly to: readonly number[] }[] | null {
  const [left, right] = [from, to].map(shape => [...shape.keys()].filter(d => shape[d] !== 1)) as [number[], number[]]
  const blocks: { from: number[]; to: number[] }[] = []
  while (left.length > 0 && right.length > 0) {
    const block = { from: [left.shift()!], to: [right.shift()!] }
    const count = (shape: Shape, dims: readonly number[]): Size => productOf(dims.map(d => shape[d]!))
    for (;;) {
      const [p, q] = [count(from, block.from), count(to, block.to)]
      if (sameSize(p, q)) break
      if (typeof p !== 'number' || typeof q !== 'number') return null
      const [dims, own] = p < q ? [left, block.from] : [right, block.to]
      if (dims.length === 0) return null
      own.push(dims.shift()!)
    }
    blocks.push(block)
  }
  return left.length + right.length === 0 ? blocks : null
}

// --- convolutions --------------------------------------------------------------------------------------------------------

/** Groups of fewer channels are summed by loops: they would fill little of an instruction. */
const fewChannels = 4
/** Steps of K that are taken at once. */
const usualDepth = 64
/** Cost of a step besides its elements. */
const stepElements = 8

class Lowering {
  readonly #kernel: readonly number[]
  readonly #groups: number
  readonly #outputs: Size
  readonly #channels: Size

  constructor(
    readonly b: GraphBuilder,
    readonly node: ConvNode,
    readonly policy: ConvPolicy,
    readonly order: DimOrder,
    readonly folds: FoldPolicy,
    readonly isTf32: boolean,
  ) {
    const [outputs, channels, ...kernel] = shapeOf(node.inputs[1]!) as [Size, Size, ...Size[]]
    this.#kernel = kernel.every(size => typeof size === 'number') ? kernel : []
    this.#groups = node.attrs.groups
    this.#outputs = exactQuotient(outputs, this.#groups)!
    this.#channels = channels
  }

  /** The convolution as seen in the order of its dims; null: it stays. `isPart`: of another one, whose parts are all alike. */
  lower(inputs: readonly GraphNode[], isPart = false): GraphNode | null {
    const { b, node } = this
    const [x, weight, bias] = inputs as [GraphNode, GraphNode, GraphNode?]
    const { inputDilation, padding, accumulate, to } = node.attrs
    const rank = shapeOf(node).length
    const areKnown = padding.flat().every(size => typeof size === 'number') && this.#kernel.length === rank - 2
    if (accumulate !== 'f32' || !areKnown || typeof this.#channels !== 'number') return null
    if (productOf(shapeOf(node)) === 0 || this.#channels === 0 || !(isPart || this.#pays())) return null
    if (inputDilation.some(dilation => dilation !== 1)) return this.#transposed(inputs)
    const isPointwise = this.#kernel.every(size => size === 1) && this.#groups === 1
    const isWhole = padding.flat().every(size => size === 0) && node.attrs.stride.every(step => step === 1)
    if (isPointwise && isWhole && this.order.of(x) === null && !isPart) return null
    const last = [0, ...this.#kernel.map((_, d) => 2 + d), 1]
    const isDepthwise = this.#isDepthwise
    if (isDepthwise && this.order.of(x) === null) return depthwiseConv(b, this.folds, node, inputs)
    if (this.policy.kernels === null && !isDepthwise && !(isPointwise && isWhole)) return this.#product(x, weight, bias)
    const gradient = this.#ofWeight(x, weight, bias)
    if (gradient !== null) return gradient
    const image = permuteTo(b, x, last)
    const sums =
      isPointwise && isWhole
        ? this.#matmul(image, weight)
        : isDepthwise
          ? depthwiseFold(b, this.folds, node, image, weight, last)
          : this.#channels < fewChannels && this.#groups > 1
            ? this.#sums(image, weight)
            : this.#convolved(image, weight)
    if (sums === null) return null
    const shape = [...shapeOf(sums).slice(0, rank - 1), mulSizes(this.#outputs, this.#groups)]
    const flat = reshapeTo(b, sums, shape)
    const whole = bias === undefined ? flat : map(b, 'add', flat, expandTo(b, bias, shape))
    return this.order.view(b, castTo(b, whole, to), inverse(last))
  }

  #pays(): boolean {
    if (this.policy.kernels !== null || this.#isDepthwise) return true
    const work = productOf([...shapeOf(this.node), this.#channels, ...this.#kernel])
    return typeof work === 'number' && typeof this.#outputs === 'number' && this.policy.pays(this.#outputs, work)
  }

  get #isDepthwise(): boolean {
    return this.#channels === 1 && this.#groups > 1 && this.#outputs === 1
  }

  /**
   * Of x with zeros between its elements: places that are equal modulo the dilation see elements of x through the same taps,
   * so they are a convolution of x by part of the weight. Null unless there are equally many of each.
   */
  #transposed([x, weight, bias]: readonly GraphNode[]): GraphNode | null {
    const { b, node } = this
    const { inputDilation: steps, stride, dilation } = node.attrs
    const sizes = shapeOf(node).slice(2)
    const each = sizes.map((size, d) => exactQuotient(size, steps[d]!))
    const isPlain = [...stride, ...dilation].every(step => step === 1) && sizes.every(size => typeof size === 'number')
    if (!isPlain || each.some(size => size === null)) return null
    const last = [0, ...sizes.map((_, d) => 2 + d), 1]
    const residues = indicesOf(steps)
    const seen = residues.filter(residue => this.#isSeen(residue))
    const parts = seen.map(residue => {
      const part = this.#residue(x!, weight!, bias, residue)
      return part && permuteTo(b, part, last)
    })
    if (!parts.every(part => part !== null)) return null
    const whole =
      seen.length === residues.length
        ? this.#interleaved(parts, each as Size[])
        : seen.length === 1 && bias === undefined
          ? this.#spread(parts[0]!, seen[0]!)
          : null
    const shape = last.map(d => shapeOf(node)[d]!)
    return whole && this.order.view(b, reshapeTo(b, whole, shape), inverse(last))
  }

  /** Places of each residue: [N, Y / s…, s · s…, O] as [N, Y / s, s, …, O]. */
  #interleaved(parts: readonly GraphNode[], each: readonly Size[]): GraphNode {
    const { b, node } = this
    const { inputDilation: steps } = node.attrs
    const count = each.length
    const inner = parts.map(part => reshapeTo(b, part, [...shapeOf(part).slice(0, -1), 1, shapeOf(part).at(-1)!]))
    const cat = b.node('cat', inner, { dim: 1 + count })
    const split = reshapeTo(b, cat, [shapeOf(node)[0]!, ...each, ...steps, shapeOf(node)[1]!])
    const pairs = steps.flatMap((_, d) => [1 + d, 1 + count + d])
    return permuteTo(b, split, [0, ...pairs, 1 + 2 * count])
  }

  /** Places of the only residue that taps reach, as with a kernel of size 1, among zeros: [N, Y / s, s, …, O]. */
  #spread(part: GraphNode, residue: readonly number[]): GraphNode {
    const { b, node } = this
    const shape = shapeOf(part)
    const apart = reshapeTo(b, part, [shape[0]!, ...shape.slice(1, -1).flatMap(size => [size, 1]), shape.at(-1)!])
    const none = [0, 0] as const
    const sides = residue.flatMap((at, d) => [none, [at, node.attrs.inputDilation[d]! - 1 - at] as const])
    return padConstant(b, apart, [none, ...sides, none], 0)
  }

  /** The places of one residue per dim, as a convolution of the elements of x that they see. */
  #residue(x: GraphNode, weight: GraphNode, bias: GraphNode | undefined, residue: readonly number[]): GraphNode | null {
    const { b, node } = this
    const { inputDilation: steps, padding } = node.attrs
    const [taps, sides] = [wholeSlice(shapeOf(weight)), [] as [number, number][]]
    for (const [d, step] of steps.entries()) {
      const before = padding[d]![0] as number
      const first = (((before - residue[d]!) % step) + step) % step
      const count = Math.ceil((this.#kernel[d]! - first) / step)
      const places = (shapeOf(node)[2 + d] as number) / step
      const ahead = (before - residue[d]! - first) / step
      taps.starts[2 + d] = first
      taps.steps[2 + d] = step
      taps.sizes[2 + d] = count
      sides.push([ahead, places + count - 1 - (shapeOf(x)[2 + d] as number) - ahead])
    }
    const inputs = [x, sliceTo(b, weight, taps), ...(bias === undefined ? [] : [bias])]
    const attrs = { ...node.attrs, inputDilation: steps.map(() => 1), padding: sides }
    const part = b.node('conv', inputs, attrs) as ConvNode
    return new Lowering(b, part, this.policy, this.order, this.folds, this.isTf32).lower(inputs, true)
  }

  /** Whether taps reach the places of a residue. */
  #isSeen(residue: readonly number[]): boolean {
    const { inputDilation: steps, padding } = this.node.attrs
    return steps.every((step, d) => {
      const before = padding[d]![0] as number
      return (((before - residue[d]!) % step) + step) % step < this.#kernel[d]!
    })
  }

  /**
   * Windows times the weight, as a product of matrices. With fewer windows than taps, as in the gradient of a weight, images are
   * contiguous along the batch, elsewhere along channels: along rows of the left matrix, or its columns.
   */
  #product(x: GraphNode, weight: GraphNode, bias: GraphNode | undefined): GraphNode {
    const { b, node } = this
    const { stride, dilation, accumulate, to } = node.attrs
    const [groups, outputs, channels, kernel] = [this.#groups, this.#outputs, this.#channels, this.#kernel]
    const [batch, , ...places] = shapeOf(node) as [Size, Size, ...Size[]]
    const count = kernel.length
    const spatial = (from: number): number[] => kernel.map((_, d) => from + d)
    const areFew = rangeOf(productOf(places)).max < kernel.reduce((all, size) => all * size, 1)
    // [N, X…, G, C], or [C, X…, G, N].
    const [first, last] = areFew ? [2, 0] : [0, 2]
    const split = reshapeTo(b, x, [batch, groups, channels, ...shapeOf(x).slice(2)])
    const padded = this.#padded(stored(b, permuteTo(b, split, [first, ...spatial(3), 1, last])), 0)
    const image = permuteTo(b, inOrder(b, padded, 1, false), inverse([first, ...spatial(3), 1, last]))
    const windows = kernel.map((size, d) => ({ size, step: stride[d]!, dilation: dilation[d]! }))
    const view = windowsOf(b, image, 3, ...windows)
    // [N, G, C, Y…, K…]: rows, then K.
    const [y, k] = [spatial(3), spatial(3 + count)]
    const rows = areFew ? [...y, 0] : [0, ...y]
    const depth = areFew ? [2, ...k] : [...k, 2]
    const sizes = shapeOf(view)
    const sizeOf = (dims: readonly number[]): Size => productOf(dims.map(d => sizes[d]!))
    const [height, deep] = [sizeOf(rows), sizeOf(depth)]
    const lead = groups === 1 ? [] : [groups]
    const left = reshapeTo(b, permuteTo(b, view, [1, ...rows, ...depth]), [...lead, height, deep])
    const taps = reshapeTo(b, weight, [groups, outputs, channels, ...kernel])
    const ordered = permuteTo(b, taps, [0, ...(areFew ? [2, ...spatial(3)] : [...spatial(3), 2]), 1])
    const right = reshapeTo(b, inOrder(b, ordered, 1, !areFew), [...lead, deep, outputs])
    const product = b.node('matmul', [left, right], { accumulate, to: accumulate })
    // [G, rows…, O] in the order of memory: rows…, G, O.
    const apart = reshapeTo(b, product, [groups, ...rows.map(d => sizes[d]!), outputs])
    const channelsLast = permuteTo(b, apart, [...rows.map((_, i) => 1 + i), 0, 2 + count])
    const flat = reshapeTo(b, channelsLast, [...rows.map(d => sizes[d]!), mulSizes(groups, outputs)])
    const whole = bias === undefined ? flat : map(b, 'add', flat, expandTo(b, bias, shapeOf(flat)))
    const dims = areFew ? [1 + count - 1, 1 + count, ...spatial(0)] : [0, 1 + count, ...spatial(1)]
    return this.order.view(b, castTo(b, whole, to), dims)
  }

  /**
   * The gradient of a weight is a convolution with fewer windows than taps: its images are the channels [C, G · N, X…], its
   * weight the gradients of results [G · O, N, Y…]. Both are read with these channels last. Null: it is none, or the target
   * has no kernels for it.
   */
  #ofWeight(x: GraphNode, g: GraphNode, bias: GraphNode | undefined): GraphNode | null {
    const { b, node } = this
    const { stride, dilation, padding, accumulate, to } = node.attrs
    const [channels, , ...kernel] = shapeOf(node)
    const sizes = [...shapeOf(x), ...shapeOf(g), ...kernel]
    const { kernels } = this.policy
    const taps = kernel as readonly number[]
    const isPlain = kernels !== null && bias === undefined && sizes.every(size => typeof size === 'number')
    if (!isPlain || taps.reduce((p, q) => p * q, 1) >= this.#kernel.reduce((p, q) => p * q, 1)) return null
    const [groups, perGroup, images] = [this.#groups, this.#outputs as number, this.#channels as number]
    const { dtype } = typeOf(x)
    const operand = this.isTf32 && dtype === 'f32' ? 'tf32' : dtype
    const places = [images, ...this.#kernel]
    const tiles = { places, groups, outputs: perGroup, channels: channels as number, taps, operand } as const
    if (kernels.weightTiles(tiles) === null) return null
    const spatial = taps.map((_, d) => 3 + d)
    const split = reshapeTo(b, x, [channels!, groups, images, ...shapeOf(x).slice(2)])
    const image = permuteTo(b, split, [2, ...spatial, 1, 0])
    const given = permuteTo(b, reshapeTo(b, g, [groups, perGroup, images, ...this.#kernel]), [2, ...spatial, 0, 1])
    const sides = padding as readonly (readonly [number, number])[]
    const isPadded = sides.some(
      ([before, after], d) =>
        before < 0 || after < 0 || (before + after > 0 && exactQuotient(shapeOf(x)[2 + d]!, dilation[d]!) === null),
    )
    const wide = kernels.channels(dtype)
    const sums = b.node(
      'convWeight',
      [inOrder(b, isPadded ? this.#padded(stored(b, image), 0) : image, wide, false), inOrder(b, given, wide, false)],
      {
        kernel: taps,
        stride: dilation,
        padding: isPadded ? sides.map(() => [0, 0] as const) : sides,
        dilation: stride,
        accumulate: accumulate as 'f32',
        to: accumulate,
      },
    )
    // [G, O, K…, C] as [C, G · O, K…].
    const whole = reshapeTo(b, sums, [mulSizes(groups, perGroup), ...taps, channels!])
    return this.order.view(b, castTo(b, whole, to), [taps.length + 1, 0, ...taps.map((_, d) => 1 + d)])
  }

  /** [N, X…, C] times [O, C]: a product of rows. */
  #matmul(image: GraphNode, weight: GraphNode): GraphNode {
    const { b, node } = this
    const shape = shapeOf(image)
    const rows = reshapeTo(b, image, [productOf(shape.slice(0, -1)), shape.at(-1)!])
    const matrix = permuteTo(b, reshapeTo(b, weight, [this.#outputs, this.#channels]), [1, 0])
    const { accumulate } = node.attrs
    const product = b.node('matmul', [rows, matrix], { accumulate, to: accumulate })
    return reshapeTo(b, product, [...shape.slice(0, -1), this.#outputs])
  }

  /** Windows times the weight, summed in loops: [N, Y…, G, O]. */
  #sums(image: GraphNode, weight: GraphNode): GraphNode {
    const { b, node } = this
    const count = this.#kernel.length
    const [channels, outputs] = [this.#channels, this.#outputs]
    const first = [0, count + 1, ...this.#kernel.map((_, d) => 1 + d)]
    // Padded in the order of memory.
    const padded = inOrder(b, this.#padded(stored(b, image), 0), 1, false)
    const windows = paddedWindows(
      b,
      permuteTo(b, padded, first),
      { ...node.attrs, padding: node.attrs.padding.map(() => [0, 0] as const), kernel: this.#kernel },
      0,
    )
    // [N, C, Y…, K…] as [N, Y…, K…, G, 1, C / G].
    const places = [...Array(2 * count).keys()].map(d => 2 + d)
    const view = permuteTo(b, windows, [0, ...places, 1])
    const lead = shapeOf(view).slice(0, -1)
    const split = reshapeTo(b, view, [...lead, this.#groups, 1, channels])
    const taps = reshapeTo(b, this.#grouped(weight), [...this.#kernel, this.#groups, outputs, channels])
    const full: Shape = [...lead, this.#groups, outputs, channels]
    const { accumulate } = node.attrs
    const [left, right] = [expandTo(b, split, full), expandTo(b, taps, full)].map(each => castTo(b, each, accumulate))
    const reduced = [...this.#kernel.map((_, d) => 1 + count + d), full.length - 1]
    return reduce(b, 'add', map(b, 'mul', left!, right!), reduced)
  }

  /** The weight as [K…, G, O, C / groups]. */
  #grouped(weight: GraphNode): GraphNode {
    const { b } = this
    const count = this.#kernel.length
    const split = reshapeTo(b, weight, [this.#groups, this.#outputs, this.#channels, ...this.#kernel])
    return permuteTo(b, split, [...this.#kernel.map((_, d) => 3 + d), 0, 1, 2].slice(0, count + 3))
  }

  /**
   * The image with the convolution's padding and crops, so many channels more, and, so that rows start at whole vectors,
   * columns.
   */
  #padded(image: GraphNode, channels: number, wide = 1): GraphNode {
    const none = [0, 0] as const
    const sides = this.node.attrs.padding as readonly (readonly [number, number])[]
    const shape = shapeOf(image)
    const rest = Array.from({ length: shape.length - sides.length - 2 }, () => none)
    const [before, after] = sides.at(-1)!
    const [columns, deep] = [shape[sides.length], shape.at(-1)]
    const row = (more: number): number => (Number(columns) + before + after + more) * (Number(deep) + channels)
    let more = 0
    while (typeof columns === 'number' && rest.length === 1 && row(more) % wide !== 0) more++
    const wider: readonly (readonly [number, number])[] = sides.with(-1, [before, after + more])
    const padded = padConstant(this.b, image, [none, ...wider, ...rest, [0, channels]], 0)
    if (more === 0) return padded
    const attrs = wholeSlice(shapeOf(padded))
    attrs.sizes[sides.length] = addSizes(attrs.sizes[sides.length]!, -more)
    return sliceTo(this.b, padded, attrs)
  }

  /** [N, Y…, G, O]. */
  #convolved(image: GraphNode, weight: GraphNode): GraphNode {
    const { b, node } = this
    const { stride, padding, dilation, accumulate } = node.attrs
    const [groups, outputs, channels] = [this.#groups, this.#outputs, this.#channels as number]
    const wide = this.policy.kernels!.channels(typeOf(image).dtype)
    const unit = this.#channelUnit(wide, shapeOf(image))
    const more = (unit - (channels % unit)) % unit
    const split = reshapeTo(b, image, [...shapeOf(image).slice(0, -1), groups, channels])
    const isPadded = more > 0 || this.#needsPadding(shapeOf(image).slice(1, -1), channels)
    const x = isPadded ? this.#padded(stored(b, split), more, wide) : split
    const taps = reshapeTo(b, weight, [groups, outputs, channels, ...this.#kernel])
    const last = permuteTo(b, taps, [0, 1, ...this.#kernel.map((_, d) => 3 + d), 2])
    const none = [0, 0] as const
    const matrix = padConstant(
      b,
      last,
      [
        ...shapeOf(last)
          .slice(1)
          .map(() => none),
        [0, more],
      ],
      0,
    )
    const sides = padding.map(each => (isPadded ? none : (each as readonly [number, number])))
    const attrs = { stride, padding: sides, dilation, accumulate: accumulate as 'f32', to: accumulate }
    return b.node('convLast', [inOrder(b, x, unit, false), inOrder(b, matrix, wide, true)], attrs)
  }

  /**
   * Channels are a multiple of this. Where runs cover the taps of a row, and windows start at whole vectors, pixels may be
   * narrower than vectors.
   */
  #channelUnit(wide: number, shape: Shape): number {
    const { stride, dilation } = this.node.attrs
    const areRuns = this.#groups === 1 && dilation.at(-1) === 1 && typeof shape.at(-2) === 'number'
    const step = stride.at(-1)!
    return areRuns && (this.#channels as number) < fewChannels && wide % step === 0 ? wide / step : wide
  }

  /** Whether padded memory is needed, or worth its copy: then several taps are one run. */
  #needsPadding(sizes: Shape, channels: number): boolean {
    const { stride, padding, dilation } = this.node.attrs
    const sides = padding.flat() as number[]
    if (sides.every(size => size === 0)) return false
    const isUneven = (d: number): boolean =>
      padding[d]!.some(size => size !== 0) && exactQuotient(sizes[d]!, stride[d]!) === null
    if (sides.some(size => size < 0) || stride.some((_, d) => isUneven(d))) return true
    const width = this.#kernel.at(-1)!
    if (dilation.at(-1) !== 1 || this.#groups > 1) return false
    return stepsCost(channels) * width > 1.2 * stepsCost(channels * width)
  }
}

/** The least cost of a run in equal steps. */
function stepsCost(run: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let depth = usualDepth; depth >= 16; depth /= 2)
    least = Math.min(least, Math.ceil(run / depth) * (depth + stepElements))
  return least
}

/** The node, or a copy of it, such that its last dim (`whole`: all but the first two) is contiguous in memory. */
function inOrder(b: GraphBuilder, node: GraphNode, wide: number, whole: boolean): GraphNode {
  if (!isView(node) && node.op !== 'input') return node
  const layout = layoutOf(node)
  if (layout !== null && (whole ? isDense(layout) : isContiguousLast(layout)) && isAligned(layout, wide)) return node
  return b.node('copy', [node], { memory: ownMemory })
}

/** Where a node's elements will be, if what is no view is stored on its own. */
function layoutOf(node: GraphNode): BufferLayout | null {
  if (node.op === 'input') return { offset: 0, shape: node.attrs.shape, strides: node.attrs.strides }
  if (!isView(node)) return contiguousLayout(shapeOf(node))
  const from = layoutOf(node.inputs[0]!)
  return from === null ? null : viewLayout(node, from)
}

const isContiguousLast = ({ shape, strides }: BufferLayout): boolean => shape.at(-1) === 1 || strides.at(-1) === 1

const isDense = ({ shape, strides }: BufferLayout): boolean =>
  shape.slice(2).every((size, d) => size === 1 || sameSize(strides[2 + d]!, productOf(shape.slice(3 + d))))

const isAligned = ({ offset, shape, strides }: BufferLayout, wide: number): boolean =>
  [offset, ...strides.slice(0, -1).filter((_, d) => shape[d] !== 1)].every(size => exactQuotient(size, wide) !== null)
