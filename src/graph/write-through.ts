/**
 * Functionalisation of in-place writes: the new value of a tensor after a view of it is overwritten. The written values go
 * back through the inverse of each view step to the base tensor; elements outside the view keep their value.
 */
import { CaptureError, InternalError } from '../base/errors.js'
import { addSizes, type Size, sameSize, subSizes } from '../scalar/size.js'
import { denseStrides } from './apply.js'
import {
  bitcastTo,
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  map,
  permuteTo,
  reshapeTo,
  shapeOf,
  sliceTo,
  toCompute,
  wholeSlice,
} from './build.js'
import {
  type GraphBuilder,
  type GraphNode,
  type GraphOps,
  graphBuilder,
  isView,
  type Shape,
  type ViewNode,
} from './ir.js'
import { remake } from './passes/pass.js'
import { decideEqual, printShape, requireEqual, surelyEqual } from './sizes.js'

/** A view of the values, or of their bits. */
type Step = ViewNode | Extract<GraphNode, { op: 'bitcast' }>

/**
 * `base` with the elements that `view` shows replaced by `value`. `view` builds a view of the node that it is given from
 * view ops only; in this call no two of its elements are one element of the base. Throws CaptureError for views without a
 * known inverse, and SymbolicShapeError if run-time sizes decide whether it broadcasts; `op` names the writing op in the
 * message.
 */
export function writeThrough(
  op: string,
  b: GraphBuilder,
  base: GraphNode,
  view: (b: GraphBuilder, node: GraphNode) => GraphNode,
  value: GraphNode,
): GraphNode {
  return shapeOf(value).includes(0) ? base : undoAll(op, b, viewSteps(base, view), base, value)
}

/** The primitive views between base and view, starting at the base. Built on a placeholder, since views of views fold. */
function viewSteps(base: GraphNode, view: (b: GraphBuilder, node: GraphNode) => GraphNode): Step[] {
  const scratch = graphBuilder()
  const shape = shapeOf(base)
  const strides = denseStrides(shape)
  const standIn = scratch.node('input', [], { index: 0, name: 'base', dtype: dtypeOf(base), shape, strides })
  const steps: Step[] = []
  for (let node = view(scratch, standIn); node !== standIn; node = node.inputs[0]!) {
    if (!isView(node) && node.op !== 'bitcast') throw new InternalError(`write through a view: ${node.op} is no view`)
    steps.unshift(node)
  }
  return steps
}

function undoAll(op: string, b: GraphBuilder, steps: readonly Step[], base: GraphNode, value: GraphNode): GraphNode {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (step.op === 'expand' && showsNothing(op, step.attrs.shape, shapeOf(base))) return base
  const part = rest.length === 0 ? value : undoAll(op, b, rest, remake(b, step, [base]), value)
  switch (step.op) {
    case 'permute': {
      const { dims } = step.attrs
      return permuteTo(
        b,
        part,
        dims.map((_, dim) => dims.indexOf(dim)),
      )
    }
    case 'reshape':
    case 'expand': // adds dims of size 1 at most
      return reshapeTo(b, part, shapeOf(base))
    case 'slice':
      return insert(b, base, step.attrs, part)
    case 'bitcast':
      return bitcastTo(b, part, dtypeOf(base))
    case 'fence':
      return part
    case 'affine':
      throw new CaptureError(`${op}: a write through a diagonal or a window cannot be captured`, {
        fix: 'compute the whole new tensor with where() and a mask, and write that',
      })
    default:
      return step satisfies never
  }
}

/**
 * Whether a tensor that is expanded to `shape` without repeating elements is empty. If not, each added size must be 1.
 * Throws SymbolicShapeError where that depends on the sizes of the call.
 */
function showsNothing(op: string, shape: Shape, from: Shape): boolean {
  const lead = shape.length - from.length
  const expanded = shape.filter((_, d) => d < lead || surelyEqual(from[d - lead]!, 1))
  const what = (): string => `${op}: a write into ${printShape(from)}, expanded to ${printShape(shape)}`
  if (expanded.some(size => decideEqual(size, 0, what))) return true
  for (const size of expanded) requireEqual(size, 1, what)
  return false
}

/** `base` with a slice of it replaced, one dim at a time. */
function insert(
  b: GraphBuilder,
  base: GraphNode,
  { starts, steps, sizes }: GraphOps['slice'],
  part: GraphNode,
): GraphNode {
  const shape = shapeOf(base)
  const dim = shape.findIndex((size, d) => starts[d] !== 0 || steps[d] !== 1 || !sameSize(sizes[d]!, size))
  if (dim < 0) return part
  const only = wholeSlice(shape)
  only.starts[dim] = starts[dim]!
  only.steps[dim] = steps[dim]!
  only.sizes[dim] = sizes[dim]!
  const others = { starts: starts.with(dim, 0), steps: steps.with(dim, 1), sizes }
  const inner = insert(b, sliceTo(b, base, only), others, part)
  const region = { dim, start: starts[dim]!, step: steps[dim]!, size: sizes[dim]! }
  return region.step === 1 ? insertRange(b, base, region, inner) : insertSteps(b, base, region, inner)
}

interface Region {
  readonly dim: number
  readonly start: Size
  readonly step: number
  readonly size: Size
}

/** Concatenates the elements before the range, the new values, and the elements after it. */
function insertRange(b: GraphBuilder, base: GraphNode, { dim, start, size }: Region, inner: GraphNode): GraphNode {
  const end = addSizes(start, size)
  const range = (from: Size, length: Size): readonly GraphNode[] => {
    if (length === 0) return []
    const attrs = wholeSlice(shapeOf(base))
    attrs.starts[dim] = from
    attrs.sizes[dim] = length
    return [sliceTo(b, base, attrs)]
  }
  const behind = range(end, subSizes(shapeOf(base)[dim]!, end))
  const pieces = [...range(0, start), ...(size === 0 ? [] : [inner]), ...behind]
  return pieces.length === 1 ? pieces[0]! : b.node('cat', pieces, { dim })
}

/** For a step > 1: each element of the base tests whether it belongs to the slice, and which new value it takes. */
function insertSteps(
  b: GraphBuilder,
  base: GraphNode,
  { dim, start, step, size }: Region,
  inner: GraphNode,
): GraphNode {
  if (step < 1) throw new InternalError(`write through a view: step ${step}`)
  const shape = shapeOf(base)
  const length = shape[dim]!
  const whole = (value: Size): GraphNode => expandTo(b, countOf(b, value, 'i64'), [length])
  const from = map(b, 'sub', b.node('iota', [], { length, dtype: 'i64' }), whole(start))
  const index = map(b, 'floorDiv', from, whole(step))
  const inside = [
    map(b, 'ge', from, whole(0)),
    map(b, 'lt', index, whole(size)),
    map(b, 'eq', map(b, 'mod', from, whole(step)), whole(0)),
  ].reduce((all, condition) => map(b, 'and', all, condition))
  const place = map(b, 'where', inside, index, expandTo(b, constant(b, 'i64', -1n), [length]))
  const along = (node: GraphNode): GraphNode =>
    expandTo(
      b,
      reshapeTo(
        b,
        node,
        shape.map((_, d) => (d === dim ? length : 1)),
      ),
      shape,
    )
  const placed = b.node('gather', [inner, along(place)], { dim })
  return castTo(b, map(b, 'where', along(inside), toCompute(b, placed), toCompute(b, base)), dtypeOf(base))
}
