/** Linear layers: forms of x·wᵀ + b that keep the product from being one large one with the bias as its epilogue. */
import { productOf, type Size } from '../../scalar/size.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import { dtypeOf, map, permuteTo, rankOf, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { add, any, matmul, named, permuted } from './pattern.js'
import type { Match, PatternRule } from './rule.js'

type Product = Extract<GraphNode, { op: 'matmul' }>
const isProduct = (node: GraphNode): node is Product => node.op === 'matmul'

const isNarrow = (dtype: Dtype): boolean => computeDtype(dtype) !== dtype

/** A batch of matrices that are all the same one: the matrix. */
function sharedMatrix(b: GraphBuilder, batch: GraphNode): GraphNode | null {
  if (batch.op !== 'expand') return null
  const inner = batch.inputs[0]!
  const own = shapeOf(inner)
  const matrix = shapeOf(batch).slice(-2)
  const isShared = own.slice(0, -2).every(size => size === 1) && own.slice(-2).length === 2
  if (!isShared || own.slice(-2).some((size, d) => size === 1 && matrix[d] !== 1)) return null
  return reshapeTo(b, inner, matrix)
}

/** Rows that lie one after another whatever they are: flattening them copies nothing that would not be computed anyway. */
const flattensFreely = (node: GraphNode): boolean =>
  node.op === 'input' || node.op === 'map' || node.op === 'cast' || node.op === 'reshape' || node.op === 'matmul'

function flatProduct(b: GraphBuilder, root: Product): GraphNode | null {
  const [left, right] = root.inputs as [GraphNode, GraphNode]
  const matrix = rankOf(left) > 2 && flattensFreely(left) ? sharedMatrix(b, right) : null
  if (matrix === null) return null
  const shape = shapeOf(left)
  const rows: Size = productOf(shape.slice(0, -1))
  const flat = b.node('matmul', [reshapeTo(b, left, [rows, shape.at(-1)!]), matrix], root.attrs)
  return reshapeTo(b, flat, shapeOf(root))
}

/** x·w + bias with the product in the dtype of its sums: rounded once, after the bias. */
function wideSum(found: Match): GraphNode | null {
  const { builder: b, root } = found
  const [bias, product] = [found.tensor('bias'), found.part('product')]
  if (bias === null || !isProduct(product) || !isNarrow(product.attrs.to)) return null
  const wide = b.node('matmul', product.inputs, { ...product.attrs, to: dtypeOf(root) })
  return map(b, 'add', reshapeTo(b, wide, shapeOf(root)), bias)
}

/** (A · B)ᵀ with B itself turned: Bᵀ · Aᵀ reads both, and writes its result, row by row. */
function turnedProduct(b: GraphBuilder, root: GraphNode): GraphNode | null {
  const product = root.inputs[0]!
  if (root.op !== 'permute' || !isProduct(product)) return null
  const [left, right] = product.inputs as [GraphNode, GraphNode]
  const rank = rankOf(product)
  const swap = Array.from({ length: rank }, (_, d) => (d < rank - 2 ? d : 2 * rank - 3 - d))
  const isSwap = (dims: readonly number[]): boolean => dims.every((dim, d) => dim === swap[d])
  if (!isSwap(root.attrs.dims) || right.op !== 'permute' || !isSwap(right.attrs.dims)) return null
  return b.node('matmul', [permuteTo(b, right, swap), permuteTo(b, left, swap)], product.attrs)
}

export const linearRules: readonly PatternRule[] = [
  {
    name: 'one matrix for a batch',
    pattern: matmul(any('x'), any('w')),
    note: 'the same sums: rows of all batches in one product',
    replace: ({ root, builder }) => (isProduct(root) ? flatProduct(builder, root) : null),
  },
  {
    name: 'turned product',
    pattern: permuted(named('product', matmul(any('x'), any('w')))),
    note: 'the same sums: (w·xᵀ)ᵀ is x·wᵀ',
    only: ['product'],
    replace: ({ root, builder }) => turnedProduct(builder, root),
  },
  {
    name: 'linear',
    pattern: add(named('product', matmul(any('x'), any('w'))), any('bias')),
    note: 'f16, bf16: rounded once, after the bias',
    only: ['product'],
    op: 'linear',
    when: found => found.variesOnlyAlong('bias', [rankOf(found.root) - 1]),
    replace: wideSum,
  },
]
