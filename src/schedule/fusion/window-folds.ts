/** Folds of windows, for targets that have kernels for them: pooling, and convolutions of single channels. */
import { castKeepsValues, castTo, constant, expandTo, map, permuteTo, reshapeTo, shapeOf } from '../../graph/build.js'
import { type Graph, type GraphBuilder, type GraphNode, type GraphOps, typeOf } from '../../graph/ir.js'
import { padConstant } from '../../graph/ops/rearrange.js'
import { isElementwise, rebuild, remake } from '../../graph/passes/pass.js'
import { onAllDims, windowsIn } from '../../graph/windows.js'
import { nodesOf } from '../../ir/walk.js'
import type { ReductionName } from '../../scalar/ops.js'
import { addSizes, exactQuotient, productOf, sameSize } from '../../scalar/size.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import { ownMemory } from '../groups/cost.js'
import type { FoldPolicy } from '../policy.js'

type ConvNode = Extract<GraphNode, { op: 'conv' }>

type Fold = GraphOps['foldWindows']['fn']
const isFold = (fn: ReductionName): fn is Fold => fn === 'add' || fn === 'max' || fn === 'min'

type Windows = Omit<GraphOps['foldWindows'], 'accumulate' | 'fn' | 'places'>

/** The fold of a view of windows, if `view` is one whose dims `dims` are its windows'; else null. */
export function foldedWindows(
  b: GraphBuilder,
  policy: FoldPolicy,
  fn: ReductionName,
  values: GraphNode,
  dims: readonly number[],
): GraphNode | null {
  const view = narrow(values)
  if (view.op !== 'affine' || typeOf(values).dtype !== 'f32' || !isFold(fn)) return null
  const { base, ...indices } = composed(view)
  const windows = windowsOf(base, indices, dims)
  if (windows === null) return null
  if (base.op !== 'pad') return paddedFold(b, policy, fn, [narrow(base)], windows)
  const { before, after, value } = base.attrs
  const padding = before.map((size, d) => [size, after[d]!] as const)
  return paddedFold(b, policy, fn, [narrow(base.inputs[0]!)], { ...windows, padding, value: Number(value) })
}

/** The node, or what it widens to f32. */
export function narrow(node: GraphNode): GraphNode {
  const value = node.op === 'copy' && node.attrs.memory === ownMemory ? node.inputs[0]! : node
  if (value.op !== 'cast' || typeOf(value).dtype !== 'f32') return value
  const from = typeOf(value.inputs[0]!).dtype
  return isFloat(from) && castKeepsValues(from, 'f32') ? value.inputs[0]! : value
}

/**
 * A fold whose padding the kernel masks, or which is in memory where it cannot; null: the target has no kernel for it.
 * `places`: with the numbers of the elements.
 */
function paddedFold(
  b: GraphBuilder,
  policy: FoldPolicy,
  fn: Fold,
  [x, ...weight]: readonly [GraphNode, ...GraphNode[]],
  windows: Windows,
  places = false,
): GraphNode | null {
  const { padding, kernel, stride, dilation, value } = windows
  const sizes = shapeOf(x)
  const [size, step, [before, after]] = [sizes.at(-1)!, stride.at(-1)!, padding.at(-1)!]
  const taps = { size: kernel.at(-1)!, step, dilation: dilation.at(-1)! }
  const form = policy.form({ size, stride: step, places: windowsIn(addSizes(size, before + after), taps) })
  if (form === null) return null
  const isUnpadded = (d: number): boolean => padding[d]!.every(each => each === 0)
  const isMasked = (d: number): boolean =>
    isUnpadded(d) || (form === 'masked' && exactQuotient(sizes[d]!, stride[d]!) !== null)
  const padded = (elements: readonly number[]) =>
    ({ ...windows, fn, accumulate: 'f32', ...(places ? { places: elements } : {}) }) as const
  if (padding.every((_, d) => isMasked(d))) return b.node('foldWindows', [x, ...weight], padded(padding.map(() => 0)))
  const attrs = { ...padded(padding.map(([first]) => first)), padding: padding.map(() => [0, 0] as const) }
  return b.node('foldWindows', [padConstant(b, stored(b, x), padding, value), ...weight], attrs)
}

type MaxPoolNode = Extract<GraphNode, { op: 'maxPool' }>

/** A result of a node of several. */
const itemOf = (b: GraphBuilder, node: GraphNode, index: number): GraphNode => b.node('item', [node], { index })

/** The max poolings of which the graph uses the numbers of the elements. */
export const placedPools = (graph: Graph): ReadonlySet<GraphNode> =>
  new Set(
    nodesOf<GraphNode>(graph.body).flatMap(node =>
      node.op === 'item' && node.attrs.index === 1 && node.inputs[0]!.op === 'maxPool' ? [node.inputs[0]] : [],
    ),
  )

/**
 * A result of max pooling, of an image with its dims permuted by `dims`; null: no fold takes it. The numbers of the elements are
 * found with the maxima, `hasPlaces` where they are used.
 */
export function pooledItem(
  b: GraphBuilder,
  policy: FoldPolicy,
  pool: MaxPoolNode,
  { index, hasPlaces }: { readonly index: number; readonly hasPlaces: boolean },
  image: GraphNode,
  dims?: readonly number[],
): GraphNode | null {
  const x = narrow(image)
  const { dtype } = typeOf(x)
  if (!isFloat(dtype) || computeDtype(dtype) !== 'f32' || productOf(shapeOf(x)) === 0) return null
  const { kernel, stride, padding, dilation } = onAllDims(pool.attrs, dims)
  const windows = { kernel, stride, padding, dilation, value: Number.NEGATIVE_INFINITY, channel: null }
  const fold = paddedFold(b, policy, 'max', [x], windows, hasPlaces)
  if (fold === null) return null
  const found = hasPlaces ? itemOf(b, fold, index) : fold
  return index === 0 ? castTo(b, found, typeOf(image).dtype) : found
}

/** A chain of views as one of its base. */
function composed(view: Extract<GraphNode, { op: 'affine' }>): GraphOps['affine'] & { readonly base: GraphNode } {
  const [input] = view.inputs as [GraphNode]
  if (input.op !== 'affine') return { ...view.attrs, base: input }
  const { base, starts, factors } = composed(input)
  const { shape, starts: first, factors: own } = view.attrs
  const along = (row: readonly number[], weights: readonly number[]): number =>
    row.reduce((sum, factor, i) => sum + factor * weights[i]!, 0)
  return {
    base,
    shape,
    starts: starts.map((start, d) => start + along(factors[d]!, first)),
    factors: factors.map(row =>
      shape.map((_, o) =>
        along(
          row,
          own.map(each => each[o]!),
        ),
      ),
    ),
  }
}

/** The windows that a view of `base` shows: each dim has a place, and a tap where it is one of `dims`. */
function windowsOf(
  base: GraphNode,
  { shape, starts, factors }: GraphOps['affine'],
  dims: readonly number[],
): Windows | null {
  const kept = [...shape.keys()].filter(o => !dims.includes(o))
  if (starts.some(start => start !== 0) || kept.length !== factors.length) return null
  const found = factors.map((row, d) => {
    const outs = [...row.keys()].filter(o => row[o] !== 0)
    const taps = outs.filter(o => dims.includes(o))
    const isPlace = outs.length - taps.length === 1 && outs.includes(kept[d]!)
    const size = taps.length === 0 ? 1 : shape[taps[0]!]!
    if (!isPlace || taps.length > 1 || typeof size !== 'number') return null
    return { size, step: row[kept[d]!]!, dilation: taps.length === 0 ? 1 : row[taps[0]!]! }
  })
  const used = factors.flatMap(row => [...row.keys()].filter(o => row[o] !== 0))
  if (!found.every(each => each !== null) || new Set(used).size !== used.length || used.length !== shape.length)
    return null
  // The result covers as many places as there are.
  const isWhole = found.every(({ size, step, dilation }, d) =>
    sameSize(windowsIn(shapeOf(base)[d]!, { size, step, dilation }), shape[kept[d]!]!),
  )
  if (!isWhole) return null
  return {
    kernel: found.map(({ size }) => size),
    stride: found.map(({ step }) => step),
    dilation: found.map(({ dilation }) => dilation),
    padding: found.map(() => [0, 0]),
    value: 0,
    channel: null,
  }
}

/** A computed value in memory, so that what follows is no part of the kernel that computes it: it would store sums. */
export const stored = (b: GraphBuilder, node: GraphNode): GraphNode =>
  isElementwise(node) ? b.node('copy', [node], { memory: ownMemory }) : node

/** Channels with a kernel each, as [N, C, X…] permuted by `dims`: windows times weights, summed tap by tap; null: as `FoldPolicy.form`. */
export function depthwiseFold(
  b: GraphBuilder,
  policy: FoldPolicy,
  { attrs: { stride, padding, dilation } }: ConvNode,
  image: GraphNode,
  weight: GraphNode,
  dims: readonly number[],
): GraphNode | null {
  const [groups, , ...kernel] = shapeOf(weight) as [number, number, ...number[]]
  const ordered = <T>(one: T, each: readonly T[]): T[] => dims.map(d => [one, one, ...each][d]!)
  const sides = padding as readonly (readonly [number, number])[]
  const none = [0, 0] as const
  const taps = permuteTo(b, reshapeTo(b, weight, [1, groups, ...kernel]), dims)
  const crops = sides.map(each => each.map(size => Math.min(size, 0)) as [number, number])
  const x = padConstant(b, image, ordered<readonly [number, number]>(none, crops), 0)
  const sums = paddedFold(b, policy, 'add', [x, taps], {
    kernel: ordered(1, kernel),
    stride: ordered(1, stride),
    dilation: ordered(1, dilation),
    padding: ordered<readonly [number, number]>(
      none,
      sides.map(each => each.map(size => Math.max(size, 0)) as [number, number]),
    ),
    value: 0,
    channel: dims.indexOf(1),
  })
  // Sums start from 0: none is −0.
  return sums && map(b, 'add', sums, expandTo(b, constant(b, 'f32', 0), shapeOf(sums)))
}

/** A depthwise convolution with one result per channel, in the order of its dims; null: it is none, or sizes are not known. */
export function depthwiseConv(
  b: GraphBuilder,
  policy: FoldPolicy,
  node: ConvNode,
  inputs: readonly GraphNode[],
): GraphNode | null {
  const [x, weight, bias] = inputs as [GraphNode, GraphNode, GraphNode?]
  const { groups, padding, inputDilation, accumulate, to } = node.attrs
  const [outputs, channels, ...kernel] = shapeOf(weight)
  const isKnown = [...kernel, ...padding.flat()].every(size => typeof size === 'number')
  if (groups === 1 || channels !== 1 || outputs !== groups || !isKnown || accumulate !== 'f32') return null
  if (inputDilation.some(dilation => dilation !== 1) || productOf(shapeOf(node)) === 0) return null
  const sums = depthwiseFold(b, policy, node, x, weight, [...shapeOf(node).keys()])
  if (sums === null) return null
  const wide = bias && expandTo(b, reshapeTo(b, bias, [groups, ...kernel.map(() => 1)]), shapeOf(sums))
  return castTo(b, wide === undefined ? sums : map(b, 'add', sums, wide), to)
}

/** Depthwise convolutions, max pooling, and reductions over windows, as folds of windows. */
export function withFolds(graph: Graph, policy: FoldPolicy): Graph {
  const placed = placedPools(graph)
  return rebuild(graph, 'folds of windows', (b, node, inputs) => {
    const made = b.withOrigin(node.origin, () => {
      const [pool] = inputs
      if (node.op === 'item' && pool?.op === 'maxPool') {
        const wanted = { index: node.attrs.index, hasPlaces: placed.has(node.inputs[0]!) }
        return pooledItem(b, policy, pool, wanted, pool.inputs[0]!)
      }
      if (node.op === 'conv') return depthwiseConv(b, policy, node, inputs)
      return node.op === 'reduce' ? foldedWindows(b, policy, node.attrs.fn, inputs[0]!, node.attrs.dims) : null
    })
    return made ?? remake(b, node, inputs)
  })
}
