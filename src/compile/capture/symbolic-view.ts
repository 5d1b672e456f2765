/**
 * The layout of a traced tensor within the memory that it is a view of, as formulas of run-time sizes. What depends on the
 * sizes (a reshape is a view for some strides and a copy for others) is decided by the captured call; each decision becomes
 * a condition of the graph, so that calls that fail it are captured separately.
 */
import { denseStrides } from '../../graph/apply.js'
import { type GraphNode, graphBuilder, isView, type Shape, typeOf } from '../../graph/ir.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import { exactQuotient, floorDivSizes, modSizes, mulSizes, type Size, sameShape } from '../../scalar/size.js'
import { viewLayout } from '../../schedule/groups/layout.js'
import { TensorLayout } from '../../tensor/layout.js'
import type { Dtype } from '../../types/dtype.js'
import type { SymbolTable } from '../guards/layout.js'

/** In elements; `offset` is from the first element of the tensor that owns the memory. */
export interface SymbolicView {
  readonly shape: Shape
  readonly strides: readonly Size[]
  readonly offset: Size
}

/** The view of a row-major tensor that owns its memory. */
export const rowMajorView = (shape: Shape): SymbolicView => ({ shape, strides: denseStrides(shape), offset: 0 })

/** The view at the captured call's sizes; `first`: offset of the memory's first element. */
export const concreteLayout = (
  { shape, strides, offset }: SymbolicView,
  table: SymbolTable,
  first: number,
): TensorLayout =>
  new TensorLayout(
    shape.map(size => table.evaluate(size)),
    strides.map(stride => table.evaluate(stride)),
    first + table.evaluate(offset),
  )

/** A view op's result as a view of its input's memory; null when the op makes a copy. Throws what the record throws. */
export function viewOfOp(
  record: OpRecord,
  dtype: Dtype,
  from: SymbolicView,
  attrs: Attrs,
  table: SymbolTable,
): SymbolicView | null {
  const b = graphBuilder()
  const { shape, strides } = from
  const node = b.node('input', [], { index: 0, name: 'x', dtype, shape, strides })
  const results = record.build(b, [{ node, isNumber: false }], attrs)
  return results.length === 1 ? viewOfNode(results[0]!, node, from, table) : null
}

/** The shape and strides of a node that is made of views of `source`; null: it is not, or needs a copy. */
function viewOfNode(node: GraphNode, source: GraphNode, view: SymbolicView, table: SymbolTable): SymbolicView | null {
  if (node === source) return view
  if (!isView(node) && node.op !== 'bitcast') return null
  const from = viewOfNode(node.inputs[0]!, source, view, table)
  if (from === null || node.op === 'bitcast') return from
  const shape = typeOf(node).shape
  if (node.op === 'reshape') {
    const strides = reshapedStrides(from, shape, table)
    return strides === null ? null : { shape, strides, offset: from.offset }
  }
  // Backward steps take a copy: strides of tensors are never negative.
  if (node.op === 'slice' && node.attrs.steps.some(step => step < 0)) return null
  const viewed = viewLayout(node, from)
  // An empty view has no elements, so it may begin where its base does.
  return viewed !== null && isEmpty(shape, table) ? { ...viewed, offset: from.offset } : viewed
}

/** Whether a tensor has no elements. */
const isEmpty = (shape: Shape, table: SymbolTable): boolean => shape.some(size => table.decideEqual(size, 0))

/** As `isContiguous` of tensor/layout.ts, for symbolic views. */
export function isContiguousView({ shape, strides }: SymbolicView, table: SymbolTable): boolean {
  if (sameShape(strides, denseStrides(shape)) || isEmpty(shape, table)) return true
  let expected: Size = 1
  for (let d = shape.length - 1; d >= 0; d--) {
    if (!table.decideEqual(shape[d]!, 1) && !table.decideEqual(strides[d]!, expected)) return false
    expected = mulSizes(expected, shape[d]!)
  }
  return true
}

/** As `reshapedStrides` of tensor/layout.ts, which documents the algorithm, for symbolic views. */
function reshapedStrides(from: SymbolicView, shape: Shape, table: SymbolTable): readonly Size[] | null {
  if (sameShape(from.strides, denseStrides(from.shape)) || isEmpty(shape, table)) return denseStrides(shape)
  const strides = new Array<Size>(shape.length)
  const old = from.shape
    .map((size, d) => ({ size, stride: from.strides[d]! }))
    .filter(({ size }) => !table.decideEqual(size, 1))
  let dim = shape.length - 1
  for (let end = old.length - 1; end >= 0; ) {
    let begin = end
    let count = old[end]!.size
    while (begin > 0 && follows(old[begin - 1]!, old[begin]!, table)) count = mulSizes(count, old[--begin]!.size)
    let stride = old[end]!.stride
    while (dim >= 0 && (!table.decideEqual(count, 1) || table.decideEqual(shape[dim]!, 1))) {
      const size = shape[dim]!
      const rest = quotient(count, size, table)
      if (rest === null) return null
      strides[dim--] = stride
      stride = mulSizes(stride, size)
      count = rest
    }
    if (!table.decideEqual(count, 1)) return null
    end = begin - 1
  }
  for (; dim >= 0; dim--) strides[dim] = dim + 1 < shape.length ? mulSizes(strides[dim + 1]!, shape[dim + 1]!) : 1
  return strides
}

interface Dim {
  readonly size: Size
  readonly stride: Size
}

/** Whether the outer dim continues in memory where the inner one ends. */
const follows = (outer: Dim, inner: Dim, table: SymbolTable): boolean =>
  table.decideEqual(outer.stride, mulSizes(inner.size, inner.stride))

/** Null when there is a remainder. */
function quotient(count: Size, size: Size, table: SymbolTable): Size | null {
  const exact = exactQuotient(count, size)
  if (exact !== null) return exact
  return table.decideEqual(modSizes(count, size), 0) ? floorDivSizes(count, size) : null
}
