/** Order along a dim. NaN counts as largest, equal elements keep their order. */
import { ShapeError } from '../../base/errors.js'
import type { Value as Element } from '../../scalar/ops.js'
import { rangeOf, type Size, SizeExpr } from '../../scalar/size.js'
import { normalizeDim, rankOf, shapeOf, sliceTo, wholeSlice, withDim } from '../build.js'
import { forEachIndex, hostFrom } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import type { Bound } from '../signature.js'
import { decideAtLeast, printShape } from '../sizes.js'
import { call } from './arguments.js'
import { asInput } from './texts.js'

type SortAttrs = { readonly dim: number; readonly descending: boolean }

/** Sorting is always stable; the parameter exists for compatibility. */
const sortSignature = 'self, dim: dim = -1, descending: bool = false, stable: bool = false'
const sortCall = ({ self, dim, descending }: Bound<typeof sortSignature>) => call([self], { dim, descending })

function buildSort(name: string, b: GraphBuilder, input: GraphNode, attrs: SortAttrs): readonly GraphNode[] {
  return withDim(b, input, node => {
    const dim = normalizeDim(name, attrs.dim, rankOf(node))
    const sorted = b.node('sort', [node], { dim, descending: attrs.descending })
    return [b.node('item', [sorted], { index: 0 }), b.node('item', [sorted], { index: 1 })]
  })
}

const rank = (value: Element): number => (typeof value === 'number' && Number.isNaN(value) ? 1 : 0)
const ascending = (a: Element, b: Element): number => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0)

/** The first `count` sorted values and their indices along `dim`. */
export function hostOrder(
  input: HostTensor,
  asked: number,
  descending: boolean,
  count?: number,
): readonly [HostTensor, HostTensor] {
  const shape = input.shape.length === 0 ? [1] : input.shape
  const dim = asked < 0 ? asked + shape.length : asked
  const size = shape[dim]!
  const taken = shape.with(dim, count ?? size)
  const rows = new Map<string, { readonly values: Element[]; readonly order: number[] }>()
  const rowKey = (index: readonly number[]): string => index.with(dim, 0).join()
  forEachIndex(shape, (index, flat) => {
    const row = rows.get(rowKey(index)) ?? { values: [], order: [] }
    row.order.push(row.values.length)
    row.values.push(input.data[flat]!)
    rows.set(rowKey(index), row)
  })
  for (const { values, order } of rows.values())
    order.sort((i, j) => (descending ? ascending(values[j]!, values[i]!) : ascending(values[i]!, values[j]!)))
  const outShape = input.shape.length === 0 ? [] : taken
  const at = (index: readonly number[]) => {
    const row = rows.get(rowKey(index))!
    const position = row.order[index[dim]!]!
    return { position, value: row.values[position]! }
  }
  const values = hostFrom(input.dtype, taken, index => at(index).value)
  const indices = hostFrom('i64', taken, index => BigInt(at(index).position))
  return [
    { ...values, shape: outShape },
    { ...indices, shape: outShape },
  ]
}

type TopkAttrs = { readonly k: Size; readonly dim: number; readonly largest: boolean; readonly sorted: boolean }

function buildTopk(b: GraphBuilder, input: GraphNode, { k, dim: asked, largest }: TopkAttrs): readonly GraphNode[] {
  return withDim(b, input, node => {
    const shape = shapeOf(node)
    const dim = normalizeDim('topk', asked, shape.length)
    const size = shape[dim]!
    const what = (): string => `topk: k is ${k}, dim ${dim} of ${printShape(shape)} has only ${size} elements`
    if (!decideAtLeast(size, k, what)) throw new ShapeError(what(), { fix: `use a k of at most ${rangeOf(size).max}` })
    if (k instanceof SizeExpr) return firstSorted(b, node, dim, k, largest)
    const best = b.node('topk', [node], { dim, k, largest })
    return [b.node('item', [best], { index: 0 }), b.node('item', [best], { index: 1 })]
  })
}

/** A `topk` kernel is specialised to k; for a run-time k, sorts the whole row and slices. */
function firstSorted(b: GraphBuilder, node: GraphNode, dim: number, k: Size, largest: boolean): readonly GraphNode[] {
  const sorted = b.node('sort', [node], { dim, descending: largest })
  const taken = wholeSlice(shapeOf(node))
  taken.sizes[dim] = k
  // Copied, so that the rest of the sorted row is freed.
  return [0, 1].map(index => b.node('copy', [sliceTo(b, b.node('item', [sorted], { index }), taken)], {}))
}

const orderDetails = { descending: 'the largest first', stable: 'equals keep their order; they do either way' }

export const sortingRecords = {
  sort: op({
    name: 'sort',
    summary:
      'The values in ascending (descending) order along a dim, and their indices in self; stable; NaN comes last (first).',
    category: 'sorting',
    signature: sortSignature,
    shape: { values: asInput, indices: asInput },
    dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
    details: orderDetails,
    call: sortCall,
    results: ['values', 'indices'],
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: SortAttrs) => buildSort('sort', b, input!.node, attrs),
    reference: ([input]: readonly HostTensor[], attrs: SortAttrs) => hostOrder(input!, attrs.dim, attrs.descending),
  }),
  argsort: op({
    name: 'argsort',
    summary: 'The indices that sort a tensor along a dim; stable.',
    category: 'sorting',
    signature: sortSignature,
    shape: asInput,
    dtypes: { takes: 'any', gives: 'i64' },
    details: orderDetails,
    call: sortCall,
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: SortAttrs) =>
      buildSort('argsort', b, input!.node, attrs).slice(1),
    reference: ([input]: readonly HostTensor[], attrs: SortAttrs) => [
      hostOrder(input!, attrs.dim, attrs.descending)[1],
    ],
    gradient: 'none',
  }),
  topk: op({
    name: 'topk',
    summary:
      'The k largest (smallest) values along a dim, best first, and their indices; of equal values the first ones.',
    category: 'sorting',
    signature: 'self, k: size, dim: dim = -1, largest: bool = true, sorted: bool = true',
    shape: { values: 'the shape of self with k at dim', indices: 'the shape of self with k at dim' },
    dtypes: { takes: 'any', gives: { values: 'same', indices: 'i64' } },
    details: {
      k: 'how many',
      largest: 'the largest, not the smallest',
      sorted: 'whether their order matters; they come best first either way',
    },
    errors: { ShapeError: 'when dim has fewer than k elements' },
    note: 'NaN counts as largest. At a tie PyTorch may give any index.',
    results: ['values', 'indices'],
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: TopkAttrs) => buildTopk(b, input!.node, attrs),
    reference: ([input]: readonly HostTensor[], { k, dim, largest }: TopkAttrs) =>
      hostOrder(input!, dim, largest, Number(k)),
  }),
}
