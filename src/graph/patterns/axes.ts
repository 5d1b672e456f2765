/**
 * Tracks which axes each dim of a node runs along, relative to the root of a match. The root's dims are axes 0, 1, …; every
 * reduction adds new ones. Views only relabel: expand drops an axis, permute reorders, reshape merges axes into one dim,
 * splits merged ones, and inserts or drops dims of size 1. So "the same x, summed over the same axis" is a comparison of
 * lists, whatever reshapes and broadcasts are in between.
 */
import { productOf, type Size, sameSize } from '../../scalar/size.js'
import { expandTo, permuteTo, rankOf, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'

/** The axes that one dim runs along, outermost first: several when dims were flattened, none when it is broadcast. */
export type Dim = readonly number[]

/** A node, and the axes that its dims run along. */
export interface Seen {
  readonly node: GraphNode
  readonly dims: readonly Dim[]
}

/** Sizes of the axes by number. */
export type AxisSizes = readonly Size[]

/** The view's input with the axes of its dims; null: no view, or one that axes cannot express. */
export function throughView({ node, dims }: Seen, sizes: AxisSizes): Seen | null {
  const input = node.inputs[0]
  switch (node.op) {
    case 'expand': {
      const [from, lead] = [shapeOf(input!), node.attrs.shape.length - rankOf(input!)]
      return { node: input!, dims: from.map((size, d) => (size === 1 ? [] : dims[lead + d]!)) }
    }
    case 'permute': {
      const { dims: order } = node.attrs
      return { node: input!, dims: order.map((_, d) => dims[order.indexOf(d)]!) }
    }
    case 'reshape': {
      const inner = regroup(dims, shapeOf(node), shapeOf(input!), sizes)
      return inner === null ? null : { node: input!, dims: inner }
    }
    default:
      return null
  }
}

/**
 * The axes of the dims of `from`, which was reshaped to `to` (with axes `dims`); null if a dim would hold part of an axis.
 */
function regroup(dims: readonly Dim[], to: Shape, from: Shape, sizes: AxisSizes): Dim[] | null {
  const axes = dims.flat()
  if (!sameSize(productOf(axes.map(axis => sizes[axis]!)), productOf(to))) return null
  let next = 0
  const result: Dim[] = []
  for (const size of from) {
    if (size === 1) {
      result.push([])
      continue
    }
    const dim: number[] = []
    while (next < axes.length && !(dim.length > 0 && sameSize(productOf(dim.map(axis => sizes[axis]!)), size)))
      if (sizes[axes[next]!] === 1 && dim.length === 0) next++
      else dim.push(axes[next++]!)
    if (!sameSize(productOf(dim.map(axis => sizes[axis]!)), size)) return null
    result.push(dim)
  }
  return axes.slice(next).every(axis => sizes[axis] === 1) ? result : null
}

/** The node below all views. */
export function behindViews(seen: Seen, sizes: AxisSizes): Seen {
  let current = seen
  for (;;) {
    const inner = throughView(current, sizes)
    if (inner === null) return current
    current = inner
  }
}

/**
 * The node as a tensor over `axes`, one dim each (size 1 where it is broadcast and `expand` is false); null when it has
 * other axes, or one of them twice.
 */
export function alongAxes(
  b: GraphBuilder,
  { node, dims }: Seen,
  axes: readonly number[],
  sizes: AxisSizes,
  expand: boolean,
): GraphNode | null {
  const isTrivial = (d: number): boolean => shapeOf(node)[d] === 1 || dims[d]!.length === 0
  const kept = dims.map((_, d) => d).filter(d => !isTrivial(d))
  if (!kept.every(d => dims[d]!.every(axis => axes.includes(axis)))) return null
  const order = kept.toSorted((a, c) => axes.indexOf(dims[a]![0]!) - axes.indexOf(dims[c]![0]!))
  const flat = order.flatMap(d => dims[d]!)
  const wanted = axes.filter(axis => flat.includes(axis))
  if (flat.length !== wanted.length) return null
  if (flat.some((axis, i) => axis !== wanted[i])) {
    // The axes of one dim are not adjacent in the wanted order: split that dim first.
    const cut = kept.flatMap(d => dims[d]!)
    const parts = reshapeTo(
      b,
      node,
      cut.map(axis => sizes[axis]!),
    )
    return alongAxes(b, { node: parts, dims: cut.map(axis => [axis]) }, axes, sizes, expand)
  }
  const isOrdered = order.every((d, i) => d === kept[i])
  const trivial = dims.map((_, d) => d).filter(isTrivial)
  const ordered = isOrdered ? node : permuteTo(b, node, [...trivial, ...order])
  const shape = axes.map((axis): Size => (flat.includes(axis) ? sizes[axis]! : 1))
  if (!expand) return reshapeTo(b, ordered, shape)
  // Leading dims are added by expand.
  const first = axes.findIndex(axis => flat.includes(axis))
  const lifted = reshapeTo(b, ordered, first < 0 ? [] : shape.slice(first))
  const whole = axes.map(axis => sizes[axis]!)
  return expandTo(b, lifted, whole)
}
