/** Linear layers: rewrites forms of x·wᵀ + b into one large GEMM with the bias in its epilogue. */
import { productOf, type Size, sameShape } from '../../scalar/size.js'
import { computeDtype, type Dtype } from '../../types/dtype.js'
import { dtypeOf, map, permuteTo, rankOf, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { add, any, matmul, named, permuted } from './pattern.js'
import type { Match, PatternRule } from './rule.js'

type MatmulNode = Extract<GraphNode, { op: 'matmul' }>
const isMatmul = (node: GraphNode): node is MatmulNode => node.op === 'matmul'

const isNarrow = (dtype: Dtype): boolean => computeDtype(dtype) !== dtype

/** Whether flattening the rows needs no extra copy: the node is contiguous, or computed anyway. */
const flattensFreely = (node: GraphNode): boolean =>
  node.op === 'input' || node.op === 'map' || node.op === 'cast' || node.op === 'reshape' || node.op === 'matmul'

/** A batch times one matrix as a single GEMM over all rows. */
function flatMatmul(found: Match): GraphNode | null {
  const { builder: b, root } = found
  if (!isMatmul(root) || rankOf(root) < 3 || !flattensFreely(root.inputs[0]!)) return null
  const [left, right] = root.inputs as [GraphNode, GraphNode]
  const matrix = found.along('w', [...found.reducedAxes('k'), rankOf(root) - 1])
  const [depth, columns] = shapeOf(right).slice(-2) as [Size, Size]
  if (matrix === null || !sameShape(shapeOf(matrix), [depth, columns])) return null
  const rows: Size = productOf(shapeOf(left).slice(0, -1))
  const flat = b.node('matmul', [reshapeTo(b, left, [rows, depth]), matrix], root.attrs)
  return reshapeTo(b, flat, shapeOf(root))
}

/** x·w + bias with the matmul in its accumulator dtype: rounded once, after the bias. */
function wideSum(found: Match): GraphNode | null {
  const { builder: b, root } = found
  const [bias, node] = [found.tensor('bias'), found.part('matmul')]
  if (bias === null || !isMatmul(node) || !isNarrow(node.attrs.to)) return null
  const wide = b.node('matmul', node.inputs, { ...node.attrs, to: dtypeOf(root) })
  const sum = found.inPlaceOf('matmul', wide)
  return sum === null ? null : map(b, 'add', sum, bias)
}

/** (A · B)ᵀ where B is itself transposed: Bᵀ · Aᵀ reads and writes in row-major order. */
function transposedMatmul(b: GraphBuilder, root: GraphNode): GraphNode | null {
  const node = root.inputs[0]!
  if (root.op !== 'permute' || !isMatmul(node)) return null
  const [left, right] = node.inputs as [GraphNode, GraphNode]
  const rank = rankOf(node)
  const swap = Array.from({ length: rank }, (_, d) => (d < rank - 2 ? d : 2 * rank - 3 - d))
  const isSwap = (dims: readonly number[]): boolean => dims.every((dim, d) => dim === swap[d])
  if (!isSwap(root.attrs.dims) || right.op !== 'permute' || !isSwap(right.attrs.dims)) return null
  return b.node('matmul', [permuteTo(b, right, swap), permuteTo(b, left, swap)], node.attrs)
}

export const linearRules: readonly PatternRule[] = [
  {
    name: 'one matrix for a batch',
    pattern: matmul(any('x'), any('w'), 'k'),
    note: 'the same sums: rows of all batches in one matmul',
    replace: flatMatmul,
  },
  {
    name: 'transposed matmul',
    pattern: permuted(named('matmul', matmul(any('x'), any('w')))),
    note: 'the same sums: (w·xᵀ)ᵀ is x·wᵀ',
    only: ['matmul'],
    replace: ({ root, builder }) => transposedMatmul(builder, root),
  },
  {
    name: 'linear',
    pattern: add(named('matmul', matmul(any('x'), any('w'))), any('bias')),
    note: 'f16, bf16: rounded once, after the bias',
    only: ['matmul'],
    op: 'linear',
    when: found => found.variesOnlyAlong('bias', [rankOf(found.root) - 1]),
    replace: wideSum,
  },
]
