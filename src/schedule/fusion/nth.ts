/** Elements at positions of rows' order: rows are sorted for them, or are adjacent in memory where they are searched. */
import { permuteTo, sliceTo, wholeSlice } from '../../graph/build.js'
import { type GraphBuilder, type GraphNode, isView, typeOf } from '../../graph/ir.js'
import type { Rule } from '../../ir/rewrite.js'
import type { Size } from '../../scalar/size.js'
import { type BufferLayout, contiguousLayout, viewLayout } from '../groups/layout.js'
import type { SchedulePolicy } from '../policy.js'

type NthNode = Extract<GraphNode, { op: 'nth' }>

/** So many first elements of a row of so many times their number are found faster than the row is sorted. */
const [fewFirst, times] = [128, 8]

export const nthRule = (findsNth: SchedulePolicy['findsNth']): Rule<GraphNode> => ({
  name: 'nth',
  ops: ['item'],
  apply(node, b) {
    if (node.op !== 'item') return null
    const [from] = node.inputs as readonly [GraphNode]
    if (from.op !== 'nth') return null
    const isFound = findsNth(typeOf(from.inputs[0]!).shape[from.attrs.dim]!)
    if (isFound && !isAcross(from)) return null
    return b.withOrigin(from.origin, () => (isFound ? inRows : picked)(b, from, node.attrs.index))
  },
})

/** How a tensor is stored; null: not known before it is. */
function layoutOf(node: GraphNode): BufferLayout | null {
  if (node.op === 'input') return { offset: 0, ...node.attrs }
  if (!isView(node)) return contiguousLayout(typeOf(node).shape)
  const from = layoutOf(node.inputs[0]!)
  return from && viewLayout(node, from)
}

/** Fewer rows side by side are read as fast as they are copied. */
const minAcross = 8

/** True where elements of many rows are adjacent in memory, and those of one row are not. */
function isAcross({ inputs, attrs: { dim } }: NthNode): boolean {
  const layout = layoutOf(inputs[0]!)
  if (layout === null || layout.strides[dim] === 1) return false
  const { shape, strides } = layout
  return shape.some((size, d) => d !== dim && strides[d] === 1 && (typeof size !== 'number' || size >= minAcross))
}

/** One of the results, found in a copy of the rows. */
function inRows(b: GraphBuilder, node: NthNode, index: number): GraphNode {
  const [x, positions] = node.inputs as readonly [GraphNode, GraphNode]
  const { dim } = node.attrs
  const dims = [...typeOf(x).shape.keys()]
  const last = [...dims.filter(d => d !== dim), dim]
  const rows = b.node('copy', [permuteTo(b, x, last)], {})
  const attrs = { ...node.attrs, dim: dims.length - 1 }
  const found = b.node('nth', [rows, permuteTo(b, positions, last)], attrs)
  const back = dims.map(d => last.indexOf(d))
  return permuteTo(b, b.node('item', [found], { index }), back)
}

/** One of the results: a part of the sorted row, or elements of it. */
function picked(b: GraphBuilder, node: NthNode, index: number): GraphNode {
  const [x, positions] = node.inputs as readonly [GraphNode, GraphNode]
  const { dim } = node.attrs
  const { shape } = typeOf(x)
  const one = onlyPosition(positions)
  const length = shape[dim]!
  const isLong = typeof one === 'number' && (typeof length !== 'number' || length >= times * (one + 1))
  const isFirst = typeof one === 'number' && one < fewFirst && isLong
  const sorted = isFirst
    ? b.node('topk', [x], { dim, k: one + 1, largest: false })
    : b.node('sort', [x], { dim, descending: false })
  const item = b.node('item', [sorted], { index })
  if (one === null) return b.node('gather', [item, positions], { dim })
  const part = wholeSlice(isFirst ? shape.with(dim, one + 1) : shape)
  return sliceTo(b, item, { ...part, starts: part.starts.with(dim, one), sizes: part.sizes.with(dim, 1) })
}

/** The one position that is asked for everywhere, if the graph has it. */
function onlyPosition(node: GraphNode): Size | null {
  let at = node
  while (at.op === 'expand' || at.op === 'reshape') at = at.inputs[0]!
  if (at.op === 'constant') return Number(at.attrs.value)
  return at.op === 'size' ? at.attrs.size : null
}
