/** Where a tensor's elements are within a buffer, and how the view primitives change that. */
import { InternalError } from '../../base/errors.js'
import { type GraphNode, isView, type Shape, typeOf, type ViewNode } from '../../graph/ir.js'
import { addSizes, mulSizes, productOf, type Size, sameShape, sameSize } from '../../scalar/size.js'
import {
  type Affine,
  addAffine,
  type CoordSplit,
  constantIndex,
  divideIndex,
  dotAffine,
  type IndexMap,
  rowMajorStrides,
  scaleAffine,
  zeroIndex,
} from './affine.js'

export interface BufferLayout {
  readonly offset: Size
  readonly shape: Shape
  readonly strides: readonly Size[]
}

export const shapeOf = (node: GraphNode): Shape => typeOf(node).shape

export const sameLayout = (a: BufferLayout, b: BufferLayout): boolean =>
  sameSize(a.offset, b.offset) && sameShape(a.shape, b.shape) && sameShape(a.strides, b.strides)

export const contiguousLayout = (shape: Shape): BufferLayout => ({ offset: 0, shape, strides: rowMajorStrides(shape) })

/** The layout of a view of a tensor laid out as `from`; null for a reshape that strides cannot express. */
export function viewLayout(node: ViewNode, from: BufferLayout): BufferLayout | null {
  const shape = shapeOf(node)
  switch (node.op) {
    case 'fence':
      return from
    case 'permute':
      return { offset: from.offset, shape, strides: node.attrs.dims.map(d => from.strides[d]!) }
    case 'expand': {
      const lead = shape.length - from.shape.length
      const stride = (size: Size, d: number): Size =>
        d < lead || (from.shape[d - lead] === 1 && size !== 1) ? 0 : from.strides[d - lead]!
      return { offset: from.offset, shape, strides: shape.map(stride) }
    }
    case 'slice': {
      const { starts, steps } = node.attrs
      const offset = starts.reduce<Size>(
        (sum, start, d) => addSizes(sum, mulSizes(start, from.strides[d]!)),
        from.offset,
      )
      return { offset, shape, strides: from.strides.map((stride, d) => mulSizes(stride, steps[d]!)) }
    }
    case 'reshape': {
      const strides = reshapeStrides(from, shape)
      return strides === null ? null : { offset: from.offset, shape, strides }
    }
    case 'affine': {
      const { starts, factors } = node.attrs
      const along = (weights: readonly Size[]): Size =>
        weights.reduce<Size>((sum, weight, d) => addSizes(sum, mulSizes(weight, from.strides[d]!)), 0)
      const strides = shape.map((_, o) => along(factors.map(row => row[o]!)))
      return { offset: addSizes(from.offset, along(starts)), shape, strides }
    }
    default:
      return node satisfies never
  }
}

interface Run {
  size: Size
  readonly stride: Size
}

/** Merges dims that are contiguous with each other; dims of size 1, and broadcast dims of equal stride 0, merge too. */
function runsOf({ shape, strides }: BufferLayout): Run[] {
  const runs: Run[] = []
  for (let d = shape.length - 1; d >= 0; d--) {
    const size = shape[d]!
    if (size === 1) continue
    const inner = runs.at(-1)
    if (inner !== undefined && sameSize(strides[d]!, mulSizes(inner.stride, inner.size))) {
      inner.size = mulSizes(inner.size, size)
    } else runs.push({ size, stride: strides[d]! })
  }
  return runs
}

/** Strides of `shape` over the same memory in row-major order of elements; null when there are none. */
function reshapeStrides(from: BufferLayout, shape: Shape): Size[] | null {
  if (productOf(shape) === 0) return rowMajorStrides(shape)
  const strides: Size[] = shape.map(() => 0)
  let d = shape.length - 1
  for (const run of runsOf(from)) {
    let covered: Size = 1
    while (!sameSize(covered, run.size)) {
      if (d < 0) return null
      if (shape[d] !== 1) strides[d] = mulSizes(run.stride, covered)
      covered = mulSizes(covered, shape[d]!)
      d--
    }
  }
  return shape.slice(0, Math.max(0, d + 1)).every(size => size === 1) ? strides : null
}

export type InputMap = { readonly map: IndexMap } | { readonly split: CoordSplit } | null

/**
 * The index into a view's input of the element at `map`. For a reshape whose index is not affine: the split of a coordinate
 * that would help, or null.
 */
export function viewInputMap(node: ViewNode, map: IndexMap, sizeOf: (coord: number) => Size): InputMap {
  const from = shapeOf(node.inputs[0]!)
  switch (node.op) {
    case 'fence':
      return { map }
    case 'permute': {
      const input: Affine[] = []
      node.attrs.dims.forEach((dim, d) => {
        input[dim] = map[d]!
      })
      return { map: input }
    }
    case 'expand': {
      const lead = map.length - from.length
      return { map: from.map((size, d) => (size === 1 ? zeroIndex : map[lead + d]!)) }
    }
    case 'slice': {
      const { starts, steps } = node.attrs
      const index = (d: number): Affine => {
        const scaled = scaleAffine(map[d]!, steps[d]!)
        return { offset: addSizes(scaled.offset, starts[d]!), terms: scaled.terms }
      }
      return { map: from.map((_, d) => index(d)) }
    }
    case 'reshape':
      return reshapeInputMap(from, shapeOf(node), map, sizeOf)
    case 'affine': {
      const { starts, factors } = node.attrs
      return { map: starts.map((start, d) => addAffine(constantIndex(start), dotAffine(map, factors[d]!))) }
    }
    default:
      return node satisfies never
  }
}

/** The input index of a reshape, from the output index: linearised, then divided by the input's sizes. */
function reshapeInputMap(from: Shape, to: Shape, map: IndexMap, sizeOf: (coord: number) => Size): InputMap {
  if (productOf(from) === 0) return { map: from.map(() => zeroIndex) }
  let linear = dotAffine(map, rowMajorStrides(to))
  const input: Affine[] = from.map(() => zeroIndex)
  const dims = from.flatMap((size, d) => (size === 1 ? [] : [d]))
  for (let i = dims.length - 1; i > 0; i--) {
    const division = divideIndex(linear, from[dims[i]!]!, sizeOf)
    if (division === null || 'split' in division) return division
    input[dims[i]!] = division.remainder
    linear = division.quotient
  }
  if (dims.length > 0) input[dims[0]!] = linear
  return { map: input }
}

export type PadNode = Extract<GraphNode, { op: 'pad' }>

/** The index into a pad's input; out of its bounds in the padding. Null when a padded dim is no loop of its own. */
export function padInputMap(node: PadNode, map: IndexMap): IndexMap | null {
  if (paddedCoords(node, map) === null) return null
  return map.map((index, d) => addAffine(index, constantIndex(-node.attrs.before[d]!)))
}

/**
 * The loops along padded dims, and where the input starts in their range; null when such a dim is no loop of its own. On a
 * diagonal one loop indexes two dims: a view bounded by one of them would reach beyond the other.
 */
export function paddedCoords(node: PadNode, map: IndexMap): Map<number, { start: number; size: Size }> | null {
  const { before, after } = node.attrs
  const found = new Map<number, { start: number; size: Size }>()
  for (const [d, index] of map.entries()) {
    if (before[d] === 0 && after[d] === 0) continue
    const [entry, ...others] = index.terms
    if (entry === undefined || others.length > 0 || entry[1] !== 1 || index.offset !== 0) return null
    if (map.some((other, e) => e !== d && other.terms.has(entry[0]))) return null
    found.set(entry[0], { start: before[d]!, size: typeOf(node.inputs[0]!).shape[d]! })
  }
  return found
}

/** Drops index `dim` of a map. */
export const withoutIndex = (map: IndexMap, dim: number): IndexMap => map.filter((_, d) => d !== dim)

/** The index into a reduction's input: its own index with the reduced dims' indices inserted. */
export function reduceInputMap(map: IndexMap, dims: readonly number[], reduced: readonly Affine[]): IndexMap {
  const rank = map.length + dims.length
  const kept = [...map]
  return Array.from({ length: rank }, (_, d) => {
    const at = dims.indexOf(d)
    const index = at < 0 ? kept.shift() : reduced[at]
    if (index === undefined) throw new InternalError(`reduce: dims ${dims.join(', ')} of a rank ${rank} tensor`)
    return index
  })
}

/** The base of a chain of views. */
export function baseOf(node: GraphNode): GraphNode {
  let base = node
  while (isView(base)) base = base.inputs[0]!
  return base
}

/** Row-major without gaps; strides of dims of size 1 address nothing. */
export function isRowMajor({ shape, strides }: Pick<BufferLayout, 'shape' | 'strides'>): boolean {
  const dense = contiguousLayout(shape).strides
  return shape.every((size, d) => size === 1 || sameSize(strides[d]!, dense[d]!))
}
