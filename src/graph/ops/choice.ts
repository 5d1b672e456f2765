/** Elements chosen by a condition, or by their position in a matrix. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { castValue } from '../../scalar/ops.js'
import type { Size } from '../../scalar/size.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  map,
  promotedDtype,
  rankOf,
  reshapeTo,
  shapeOf,
} from '../build.js'
import { elementAt, hostFrom } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import { broadcastShapes, printShape } from '../sizes.js'
import { hostBroadcast, hostPromoted } from './elementwise.js'
import { anyKept, asBroadcast, asInput } from './texts.js'

function requireBool(name: string, what: string, dtype: Dtype): void {
  if (dtype !== 'bool')
    throw new DtypeError(`${name}: the ${what} is ${dtype}, not bool`, { fix: `compare it: ${what}.ne(0)` })
}

/** condition ? a : b in `dtype`, broadcast to one shape. */
function choose(b: GraphBuilder, name: string, dtype: Dtype, inputs: readonly GraphNode[]): GraphNode {
  const shape = broadcastShapes(name, inputs.map(shapeOf))
  const compute = computeDtype(dtype)
  const [condition, ...branches] = inputs as [GraphNode, ...GraphNode[]]
  const chosen = map(
    b,
    'where',
    expandTo(b, condition, shape),
    ...branches.map(node => expandTo(b, castTo(b, castTo(b, node, dtype), compute), shape)),
  )
  return castTo(b, chosen, dtype)
}

const where = op({
  name: 'where',
  summary: 'input where condition (bool) is true, other elsewhere.',
  category: 'pointwise',
  signature: 'condition, input: operand, other: operand',
  shape: asBroadcast,
  dtypes: { takes: 'any', gives: { words: 'the promoted dtype of input and other' } },
  details: { condition: 'a bool tensor', input: 'the values where it is true', other: 'the values elsewhere' },
  errors: { DtypeError: 'when condition is not bool' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    const nodes = inputs.map(({ node }) => node)
    requireBool('where', 'condition', dtypeOf(nodes[0]!))
    return [choose(b, 'where', promotedDtype(inputs.slice(1)), nodes)]
  },
  reference: (inputs: readonly HostTensor[]) => {
    const dtype = hostPromoted(inputs.slice(1))
    return [
      hostFrom(dtype, hostBroadcast(inputs), index => {
        const chosen = inputs[elementAt(inputs[0]!, index) ? 1 : 2]!
        return castValue(chosen.dtype, dtype, elementAt(chosen, index))
      }),
    ]
  },
})

const maskedFill = op({
  name: 'maskedFill',
  summary: 'value where mask (bool) is true, self elsewhere; keeps the dtype of self.',
  category: 'pointwise',
  signature: 'self, mask, value: operand',
  shape: 'the shape that self and mask broadcast to',
  dtypes: anyKept,
  details: { mask: 'bool, broadcasts with self', value: 'a number or a 0-d tensor, cast to the dtype of self' },
  errors: {
    DtypeError: 'when mask is not bool',
    ShapeError: 'when self and mask do not broadcast, or value has more than one element',
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    const [self, mask, value] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode]
    requireBool('maskedFill', 'mask', dtypeOf(mask))
    if (rankOf(value) > 0) {
      throw new ShapeError(`maskedFill: value has shape ${printShape(shapeOf(value))}, not one element`, {
        fix: 'use where(mask, value, self)',
      })
    }
    return [choose(b, 'maskedFill', dtypeOf(self), [mask, value, self])]
  },
})

type DiagonalAttrs = { readonly diagonal: Size }

/** tril and triu: keep where column − row ≤ (≥) diagonal. */
const triangle = (name: 'tril' | 'triu', summary: string) =>
  op({
    name,
    summary,
    category: 'index',
    signature: 'self, diagonal: index = 0',
    shape: asInput,
    dtypes: anyKept,
    details: { diagonal: 'which diagonal is the limit: 0 the main one, positive above it, negative below' },
    errors: { ShapeError: 'when self has fewer than two dims' },
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], { diagonal }: DiagonalAttrs) => {
      const { node } = input!
      const shape = shapeOf(node)
      const rank = shape.length
      if (rank < 2)
        throw new ShapeError(`${name}: needs a matrix, got ${printShape(shape)}`, {
          fix: 'give it at least two dims: x.unsqueeze(0)',
        })
      const [rows, columns] = [shape[rank - 2]!, shape[rank - 1]!]
      const row = b.node('iota', [], { length: rows, dtype: 'i64' })
      const limit = map(b, 'add', row, expandTo(b, countOf(b, diagonal, 'i64'), [rows]))
      const grid = [rows, columns]
      const column = expandTo(b, b.node('iota', [], { length: columns, dtype: 'i64' }), grid)
      const keep = map(b, name === 'tril' ? 'le' : 'ge', column, expandTo(b, reshapeTo(b, limit, [rows, 1]), grid))
      return [choose(b, name, dtypeOf(node), [keep, node, constant(b, dtypeOf(node), 0)])]
    },
  })

export const choiceRecords = {
  where,
  maskedFill,
  tril: triangle('tril', 'self below and on a diagonal of its matrices, 0 above.'),
  triu: triangle('triu', 'self above and on a diagonal of its matrices, 0 below.'),
}
