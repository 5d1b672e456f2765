/**
 * View ops on memory: the op's record is built for the tensor's shape, and if the result consists only of views of the
 * input, following them gives its layout. So there is no second definition of an op's effect on strides.
 */
import { copyPlain } from '../base/canonical.js'
import { ShapeError } from '../base/errors.js'
import { scalarNode } from '../graph/build.js'
import { type GraphNode, graphBuilder, typeOf } from '../graph/ir.js'
import type { OpInput, OpRecord } from '../graph/record.js'
import type { Attrs } from '../ir/node.js'
import type { Dtype } from '../types/dtype.js'
import { rememberView } from './autograd/views.js'
import { TensorHandle } from './handle.js'
import { type Layout, makeLayout, reshapedStrides, type TensorLayout } from './layout.js'
import { RecentCalls } from './recent-calls.js'
import type { Tensor } from './tensor-type.js'
import type { OpArgument } from './tracer.js'

/**
 * What a view op does for an input and all inputs of the same dtype, sizes and strides: the tensor on their memory. Null:
 * the op (or its layout) takes a copy.
 */
export function viewOf(
  record: OpRecord,
  inputs: readonly OpArgument[],
  attrs: Attrs,
): ((input: Tensor) => Tensor) | null {
  if (record.category !== 'view') return null
  const [first] = inputs
  if (inputs.length !== 1 || !(first instanceof TensorHandle)) return null
  const layout = viewLayout(record, first.dtype, first.layout, attrs)
  if (layout === null) return null
  const moved = layout.offset - first.layout.offset
  // Only bitcast has a dtype.
  const dtype = (attrs.dtype as Dtype | undefined) ?? first.dtype
  const own = copyPlain(attrs) as Attrs
  return input => {
    const view = input.withLayout(layout.startingAt(moved + input.layout.offset), dtype)
    rememberView(view, record, input, own)
    return view
  }
}

/** A result that consists of elements of an input, laid out in that input's memory. */
interface InputView {
  readonly input: number
  readonly layout: TensorLayout
  readonly from: number
}

/** A network calls an op with many shapes in turn, and building a gradient takes as long as many look-ups. */
const knownParts = new RecentCalls<readonly (InputView | null)[]>(64)

/**
 * The results of any op that are views of its inputs from `first` on, as tensors on their memory; null: the others. They keep no
 * record of how they were made.
 */
export function viewsOfInputs(
  record: OpRecord,
  inputs: readonly OpArgument[],
  attrs: Attrs,
  first: number,
): readonly (Tensor | null)[] {
  const views = knownParts.find(record, inputs, attrs) ?? rememberParts(record, inputs, attrs, first)
  return views.map(view => {
    if (view === null) return null
    const input = inputs[view.input] as Tensor
    return input.withLayout(view.layout.startingAt(view.layout.offset + input.layout.offset - view.from))
  })
}

function rememberParts(
  record: OpRecord,
  inputs: readonly OpArgument[],
  attrs: Attrs,
  first: number,
): readonly (InputView | null)[] {
  const b = graphBuilder()
  const given = inputs.map((input, index): OpInput => {
    // Calls alike may have other numbers.
    if (!(input instanceof TensorHandle)) return { node: scalarNode(b, index, input), isNumber: true }
    const { shape, strides } = input.layout
    return {
      node: b.node('input', [], { index, name: `x${index}`, dtype: input.dtype, shape, strides }),
      isNumber: false,
    }
  })
  const views = record.build(b, given, attrs).map((result): InputView | null => {
    for (let i = first; i < inputs.length; i++) {
      const { dtype, layout } = inputs[i] as Tensor
      const found = typeOf(result).dtype === dtype ? layoutOf(result, given[i]!.node, layout) : null
      if (found !== null)
        return { input: i, layout: makeLayout(found.shape, found.strides, found.offset), from: layout.offset }
    }
    return null
  })
  knownParts.add(record, inputs, attrs, views)
  return views
}

/**
 * The layout of a view op's result in its input's memory; null when the op copies for this layout. Throws what the record
 * throws, and ShapeError for a `view` that would have to copy.
 */
export function viewLayout(record: OpRecord, dtype: Dtype, layout: Layout, attrs: Attrs): TensorLayout | null {
  const b = graphBuilder()
  const { shape, strides } = layout
  const node = b.node('input', [], { index: 0, name: 'x', dtype, shape, strides })
  const results = record.build(b, [{ node, isNumber: false }], attrs)
  if (results.length !== 1) return null
  const viewed = layoutOf(results[0]!, node, layout)
  if (viewed !== null) return makeLayout(viewed.shape, viewed.strides, viewed.offset)
  if (record.name !== 'view') return null
  const described = `${dtype}[${shape.join(', ')}]`
  throw new ShapeError(`view: ${described} with strides [${strides.join(', ')}] is not viewable so`, {
    fix: 'use reshape, which copies where it must',
  })
}

/** The layout of `node`'s elements in the memory of `source`, or null when they are not all stored there. */
function layoutOf(node: GraphNode, source: GraphNode, layout: Layout): Layout | null {
  if (node === source) return layout
  const from =
    node.inputs[0] === undefined || node.type.kind === 'tuple' ? null : layoutOf(node.inputs[0], source, layout)
  if (from === null) return null
  const shape = typeOf(node).shape as readonly number[]
  switch (node.op) {
    case 'permute':
      return { shape, strides: node.attrs.dims.map(dim => from.strides[dim]!), offset: from.offset }
    case 'expand':
      return { shape, strides: expandedStrides(from, shape), offset: from.offset }
    case 'bitcast':
      return from
    case 'reshape': {
      const strides = reshapedStrides(from, shape)
      return strides === null ? null : { shape, strides, offset: from.offset }
    }
    case 'slice':
      return sliced(from, node.attrs.starts as readonly number[], node.attrs.steps, shape)
    case 'affine': {
      const { starts, factors } = node.attrs
      const along = (weights: readonly number[]): number =>
        weights.reduce((sum, weight, d) => sum + weight * from.strides[d]!, 0)
      const offset = shape.includes(0) ? from.offset : from.offset + along(starts)
      return { shape, strides: shape.map((_, o) => along(factors.map(row => row[o]!))), offset }
    }
    default:
      return null
  }
}

function expandedStrides(from: Layout, shape: readonly number[]): number[] {
  const lead = shape.length - from.shape.length
  return shape.map((size, d) => (d < lead || from.shape[d - lead] !== size ? 0 : from.strides[d - lead]!))
}

/** Backward steps take a copy: strides of tensors are never negative. */
function sliced(
  from: Layout,
  starts: readonly number[],
  steps: readonly number[],
  shape: readonly number[],
): Layout | null {
  if (steps.some(step => step < 0)) return null
  const empty = shape.includes(0)
  const offset = empty ? from.offset : starts.reduce((sum, start, d) => sum + start * from.strides[d]!, from.offset)
  return { shape, strides: from.strides.map((stride, d) => stride * steps[d]!), offset }
}
