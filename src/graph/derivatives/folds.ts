/** Derivatives of elementwise ops, reductions and scans. */
import type { ReductionName } from '../../scalar/ops.js'
import { mulSizes, productOf } from '../../scalar/size.js'
import { dtypeOf, expandTo, full, keptShape, map, permuteTo, reduce, reshapeTo, shapeOf, sliceTo } from '../build.js'
import type { GraphBuilder, GraphNode, GraphOps, Shape } from '../ir.js'
import { emitter } from '../ops/elementwise.js'
import type { Rule, Slope } from './rule.js'
import { sumOrNull } from './rule.js'
import { scalarDerivatives } from './scalars.js'

// --- elementwise -----------------------------------------------------------------------------------------------------------

export const mapRule: Rule<'map'> = {
  reverse: ({ b, node, cotangents: [g], needs }) => {
    const derivative = scalarDerivatives[node.attrs.fn]
    return node.inputs.map((_, i): Slope => {
      const times = derivative === 'none' ? 'zero' : derivative[i]!
      return needs[i] && times !== 'zero' ? times(emitter(b), g!, node.inputs, node) : null
    })
  },
  forward: ({ b, node, tangents }) => {
    const derivative = scalarDerivatives[node.attrs.fn]
    if (derivative === 'none') return [null]
    const parts = tangents.map((t, i): Slope => {
      const times = derivative[i]!
      return t === null || times === 'zero' ? null : times(emitter(b), t, node.inputs, node)
    })
    return [sumOrNull(b, parts)]
  },
}

// --- reductions ------------------------------------------------------------------------------------------------------------

type ReduceAttrs = GraphOps['reduce']

/** Repeats a reduced tensor along the dims that were reduced. */
const restore = (b: GraphBuilder, node: GraphNode, shape: Shape, dims: readonly number[]): GraphNode =>
  expandTo(b, reshapeTo(b, node, keptShape(shape, dims)), shape)

/** The product of all elements that stand before (after) each one along the last dim. */
function productBeside(b: GraphBuilder, x: GraphNode, side: 'before' | 'after'): GraphNode {
  const shape = shapeOf(x)
  const last = shape.length - 1
  const at = (count: number): number[] => shape.map((_, d) => (d === last ? count : 0))
  const isBefore = side === 'before'
  const padded = b.node('pad', [x], { before: at(isBefore ? 1 : 0), after: at(isBefore ? 0 : 1), value: 1 })
  const products = b.node('scan', [padded], { fn: 'mul', dim: last, reverse: !isBefore })
  return sliceTo(b, products, { starts: at(isBefore ? 0 : 1), steps: shape.map(() => 1), sizes: shape })
}

/** For each element the product of the others, which a zero leaves intact. */
function productOfOthers(b: GraphBuilder, x: GraphNode, dims: readonly number[]): GraphNode {
  const shape = shapeOf(x)
  const order = [...shape.keys()].filter(d => !dims.includes(d)).concat(dims)
  const kept = order.slice(0, shape.length - dims.length).map(d => shape[d]!)
  const rows = reshapeTo(b, permuteTo(b, x, order), [...kept, productOf(dims.map(d => shape[d]!))])
  const others = map(b, 'mul', productBeside(b, rows, 'before'), productBeside(b, rows, 'after'))
  const back = reshapeTo(
    b,
    others,
    order.map(d => shape[d]!),
  )
  return permuteTo(
    b,
    back,
    order.map((_, d) => order.indexOf(d)),
  )
}

/**
 * What an element's slope is multiplied by: in reverse mode the gradient of the sum that it went into, in forward mode its
 * tangent. null: none flows.
 */
type Weigh = (v: GraphNode) => GraphNode

const weights: {
  readonly [Fn in ReductionName]: ((b: GraphBuilder, x: GraphNode, y: GraphNode, attrs: ReduceAttrs) => Weigh) | null
} = {
  add: () => v => v,
  mul: (b, x, _, { dims }) => {
    const others = productOfOthers(b, x, dims)
    return v => map(b, 'mul', v, others)
  },
  min: sharedByExtremes,
  max: sharedByExtremes,
  fmax: sharedByExtremes,
  logaddexp: (b, x, y, { dims }) => {
    const e = emitter(b)
    // Of nothing but −∞ every share is 0.
    const total = e('where', e('eq', y, Number.NEGATIVE_INFINITY), 0, y)
    const share = e('exp', e('sub', x, restore(b, total, shapeOf(x), dims)))
    return v => e('mul', v, share)
  },
  and: null,
  or: null,
  argmin: null,
  argmax: null,
}

/** Equal extremes share evenly; where none is equal, after a NaN, the shares are NaN. */
function sharedByExtremes(b: GraphBuilder, x: GraphNode, y: GraphNode, { dims }: ReduceAttrs): Weigh {
  const e = emitter(b)
  const [shape, dtype] = [shapeOf(x), dtypeOf(x)]
  const isExtreme = e('eq', x, restore(b, y, shape, dims))
  const count = reduce(b, 'add', b.node('cast', [isExtreme], { to: dtype }), dims)
  return v => e('div', e('where', isExtreme, v, 0), restore(b, count, shape, dims))
}

export const reduceRule: Rule<'reduce'> = {
  reverse: ({ b, node, cotangents: [g] }) => {
    const [x] = node.inputs as readonly [GraphNode]
    const weigh = weights[node.attrs.fn]?.(b, x, node, node.attrs)
    return [weigh === undefined ? null : weigh(restore(b, g!, shapeOf(x), node.attrs.dims))]
  },
  forward: ({ b, node, tangents: [t] }) => {
    const weigh = weights[node.attrs.fn]?.(b, node.inputs[0]!, node, node.attrs)
    return [weigh === undefined ? null : reduce(b, 'add', weigh(t!), node.attrs.dims)]
  },
}

// --- scans -----------------------------------------------------------------------------------------------------------------

type ScanAttrs = GraphOps['scan']

const scan = (b: GraphBuilder, x: GraphNode, fn: ScanAttrs['fn'], { dim, reverse }: ScanAttrs): GraphNode =>
  b.node('scan', [x], { fn, dim, reverse })
const scanBack = (b: GraphBuilder, x: GraphNode, fn: ScanAttrs['fn'], attrs: ScanAttrs): GraphNode =>
  scan(b, x, fn, { ...attrs, reverse: !attrs.reverse })

/** How many zeros there are up to each element, the elements with 1 in place of 0, and their running products. */
function aroundZeros(b: GraphBuilder, x: GraphNode, attrs: ScanAttrs) {
  const e = emitter(b)
  const isZero = e('eq', x, 0)
  const zeros = scan(b, b.node('cast', [isZero], { to: dtypeOf(x) }), 'add', attrs)
  const products = scan(b, e('where', isZero, 1, x), 'mul', attrs)
  return { e, isZero, hasNone: e('eq', zeros, 0), hasOne: e('eq', zeros, 1), products }
}

/**
 * Running products. Before the first zero an element's slope is the sum of g · y from it on, divided by it. The first
 * zero's is the sum up to the second zero of g times the products of the other elements. Behind it all products are 0.
 */
function reverseProducts(b: GraphBuilder, g: GraphNode, x: GraphNode, y: GraphNode, attrs: ScanAttrs): GraphNode {
  const { e, isZero, hasNone, hasOne, products } = aroundZeros(b, x, attrs)
  const before = scanBack(b, e('where', hasNone, e('mul', g, y), 0), 'add', attrs)
  const at = scanBack(b, e('where', hasOne, e('mul', g, products), 0), 'add', attrs)
  const ofZero = e('where', hasOne, at, 0)
  return e('where', isZero, ofZero, e('where', hasNone, e('div', before, e('where', isZero, 1, x)), 0))
}

function forwardProducts(b: GraphBuilder, t: GraphNode, x: GraphNode, y: GraphNode, attrs: ScanAttrs): GraphNode {
  const { e, isZero, hasNone, hasOne, products } = aroundZeros(b, x, attrs)
  const before = e('mul', y, scan(b, e('where', isZero, 0, e('div', t, e('where', isZero, 1, x))), 'add', attrs))
  const behind = e('mul', products, scan(b, e('where', isZero, t, 0), 'add', attrs))
  return e('where', hasNone, before, e('where', hasOne, behind, 0))
}

/** What `productSlope` gives: gradients of elements from those of running products, or the other way round tangents. */
type ProductAttrs = ScanAttrs & { readonly mode: 'reverse' | 'forward' }

/** The region of slopes of running products. */
export const productSlopeName = 'productSlope'

/**
 * The gradients of x (mode reverse: `v` are those of its running products y), or the tangents of y (forward: `v` are those of x). It is
 * differentiated as `slopesByProducts`: what counts zeros and divides by elements has the wrong slopes at zeros.
 */
function productSlope(b: GraphBuilder, v: GraphNode, x: GraphNode, y: GraphNode, attrs: ProductAttrs): GraphNode {
  const slope = attrs.mode === 'reverse' ? reverseProducts(b, v, x, y, attrs) : forwardProducts(b, v, x, y, attrs)
  return b.node('region', [v, x, slope], { name: productSlopeName, attrs, operands: 2 })
}

/**
 * The same slopes from the whole matrix ∂y[j] / ∂x[i] = (Π x[k] before i) · (Π x[k] behind i, up to j). Nothing is divided, so that its
 * own slopes hold for all x.
 */
export function slopesByProducts(
  b: GraphBuilder,
  [v, x]: readonly GraphNode[],
  { dim, reverse, mode }: ProductAttrs,
): GraphNode {
  const e = emitter(b)
  const rank = shapeOf(x!).length
  const order = [...shapeOf(x!).keys()].filter(d => d !== dim).concat(dim)
  const [values, rows] = [v!, x!].map(node => permuteTo(b, node, order)) as [GraphNode, GraphNode]
  const shape = shapeOf(rows)
  const square = [...shape, shape.at(-1)!]
  /** Elements as i, and as j. */
  const [down, across] = [
    (node: GraphNode) => expandTo(b, reshapeTo(b, node, [...shapeOf(node), 1]), square),
    (node: GraphNode) => expandTo(b, reshapeTo(b, node, [...shapeOf(node).slice(0, -1), 1, shape.at(-1)!]), square),
  ]
  const index = b.node('iota', [], { length: shape.at(-1)!, dtype: 'i64' })
  const isPast = e(reverse ? 'gt' : 'lt', across(index), down(index))
  const behind = e(reverse ? 'lt' : 'gt', across(index), down(index))
  const products = scan(b, e('where', behind, across(rows), 1), 'mul', { fn: 'mul', dim: rank, reverse })
  const slopes = e('where', isPast, 0, e('mul', down(productBeside(b, rows, reverse ? 'after' : 'before')), products))
  const isReverse = mode === 'reverse'
  const sums = reduce(b, 'add', e('mul', slopes, (isReverse ? across : down)(values)), [isReverse ? rank : rank - 1])
  return permuteTo(
    b,
    sums,
    order.map((_, d) => order.indexOf(d)),
  )
}

/** Where each running extreme stands: at the last of equal ones so far, as in PyTorch. */
function extremeIndex(b: GraphBuilder, x: GraphNode, y: GraphNode, attrs: ScanAttrs): GraphNode {
  const e = emitter(b)
  const shape = shapeOf(x)
  const length = shape[attrs.dim]!
  const index = b.node('iota', [], { length, dtype: 'i64' })
  const places = expandTo(
    b,
    reshapeTo(
      b,
      index,
      shape.map((size, d) => (d === attrs.dim ? size : 1)),
    ),
    shape,
  )
  const isNew = e('or', e('eq', x, y), e('isnan', x))
  // A NaN stays, so the running maximum of places must not move away from it by equal values: none equals NaN.
  const outside = attrs.reverse ? expandTo(b, sizeNode(b, length), shape) : full(b, 'i64', shape, -1n)
  return scan(b, map(b, 'where', isNew, places, outside), attrs.reverse ? 'min' : 'max', attrs)
}

const sizeNode = (b: GraphBuilder, size: Shape[number]): GraphNode =>
  typeof size === 'number'
    ? b.node('constant', [], { dtype: 'i64', value: BigInt(size) })
    : b.node('size', [], { size: mulSizes(size, 1) })

/** Σ over what is before (`back`: behind) of v · e^(from − to), in logarithms: of positive and of negative v apart. */
function weighedSums(b: GraphBuilder, v: GraphNode, sum: (logarithms: GraphNode) => GraphNode): GraphNode {
  const e = emitter(b)
  const half = (part: GraphNode): GraphNode => {
    const isPart = e('gt', part, 0)
    const logarithm = e('where', isPart, e('log', e('where', isPart, part, 1)), Number.NEGATIVE_INFINITY)
    return e('exp', sum(logarithm))
  }
  return e('sub', half(v), half(e('neg', v)))
}

/** a − y, and −∞ where y is: no sum there has terms. */
function lessTotal(b: GraphBuilder, a: GraphNode, y: GraphNode): GraphNode {
  const e = emitter(b)
  const isEmpty = e('eq', y, Number.NEGATIVE_INFINITY)
  return e('where', isEmpty, Number.NEGATIVE_INFINITY, e('sub', a, e('where', isEmpty, 0, y)))
}

export const scanRule: Rule<'scan'> = {
  reverse: ({ b, node, cotangents: [g] }) => {
    const { attrs } = node
    const [x] = node.inputs as readonly [GraphNode]
    switch (attrs.fn) {
      case 'add':
        return [scanBack(b, g!, 'add', attrs)]
      case 'mul':
        return [productSlope(b, g!, x, node, { ...attrs, mode: 'reverse' })]
      case 'min':
      case 'max': {
        const index = extremeIndex(b, x, node, attrs)
        const zeros = full(b, dtypeOf(x), shapeOf(x), 0)
        return [b.node('scatter', [zeros, index, g!], { dim: attrs.dim, fold: 'add' })]
      }
      case 'logaddexp':
        return [
          weighedSums(b, g!, logarithms =>
            map(b, 'add', x, scanBack(b, lessTotal(b, logarithms, node), 'logaddexp', attrs)),
          ),
        ]
      default:
        return attrs.fn satisfies never
    }
  },
  forward: ({ b, node, tangents: [t] }) => {
    const { attrs } = node
    const [x] = node.inputs as readonly [GraphNode]
    switch (attrs.fn) {
      case 'add':
        return [scan(b, t!, 'add', attrs)]
      case 'mul':
        return [productSlope(b, t!, x, node, { ...attrs, mode: 'forward' })]
      case 'min':
      case 'max':
        return [b.node('gather', [t!, extremeIndex(b, x, node, attrs)], { dim: attrs.dim })]
      case 'logaddexp':
        return [
          weighedSums(b, t!, logarithms =>
            lessTotal(b, scan(b, map(b, 'add', x, logarithms), 'logaddexp', attrs), node),
          ),
        ]
      default:
        return attrs.fn satisfies never
    }
  },
}
