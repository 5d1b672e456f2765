/**
 * Matmuls. Operands have one dtype, as in PyTorch; f16, bf16 and f32 accumulate in f32, small integers in i32. A batch
 * times one matrix becomes a single larger GEMM, so that its rows fill the tiles.
 */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { wrapValue } from '../../scalar/ops.js'
import { productOf, type Size } from '../../scalar/size.js'
import { computeDtype, type Dtype, isFloat, isFloat8 } from '../../types/dtype.js'
import { bitcastTo, castTo, dtypeOf, expandTo, map, rankOf, reshapeTo, shapeOf, swapDims, toCompute } from '../build.js'
import { elementAt, hostFrom } from '../host.js'
import type { GraphBuilder, GraphNode, GraphOps, Shape } from '../ir.js'
import { type HostTensor, type OpInput, type OpTexts, op, signed } from '../record.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import type { NoAttrs } from './arguments.js'
import { numberKept } from './texts.js'

// --- shared ----------------------------------------------------------------------------------------------------------

function requireOneDtype(name: string, a: Dtype, b: Dtype): void {
  if (a !== b && !(isFloat8(a) && isFloat8(b)))
    throw new DtypeError(`${name}: dtypes ${a} and ${b} differ`, { fix: `cast one: x.to('${a}')` })
  if (a === 'bool') throw new DtypeError(`${name}: not defined on bool`, { fix: "cast both: x.to('f32')" })
}

/** What sums of products of a dtype are kept in. */
export function accumulator(dtype: Dtype): GraphOps['matmul']['accumulate'] {
  if (dtype === 'f64' || dtype === 'i64') return dtype
  return isFloat(dtype) ? 'f32' : 'i32'
}

/** [B…, M, K] · [B…, K, N], batch dims already equal. */
function matmulNode(b: GraphBuilder, left: GraphNode, right: GraphNode, to = outputDtype(dtypeOf(left))): GraphNode {
  const [x, y] = [dtypeOf(left), dtypeOf(right)]
  if (!isFloat8(x) || !isFloat8(y)) return b.node('matmul', [left, right], { accumulate: accumulator(x), to })
  const codes = [left, right].map(operand => bitcastTo(b, operand, 'u8'))
  return b.node('matmul', codes, { accumulate: 'f32', to, codes: [x, y] })
}

/** The result dtype for operands of a dtype; f32 for 8-bit floats, which could hardly hold any sum. */
const outputDtype = (dtype: Dtype): Dtype => (isFloat8(dtype) ? 'f32' : dtype)

function requireInner(name: string, a: Shape, c: Shape, inner: Size, other: Size): void {
  requireEqual(
    inner,
    other,
    () => `${name}: inner sizes differ, ${printShape(a)} @ ${printShape(c)}`,
    'the last size of the left must be the inner size of the right: transpose one, or check what it was made from',
  )
}

function requireRank(name: string, what: string, shape: Shape, rank: number): void {
  if (shape.length !== rank) {
    const fix = name === 'matmul' ? undefined : 'use matmul for other numbers of dims'
    throw new ShapeError(`${name}: ${what} ${printShape(shape)} has ${shape.length} dims, not ${rank}`, { fix })
  }
}

const transposeLast = (b: GraphBuilder, node: GraphNode): GraphNode =>
  swapDims(b, node, rankOf(node) - 2, rankOf(node) - 1)

/** Any ranks from 1: vectors become rows or columns, batch dims broadcast. */
function buildMatmul(name: string, b: GraphBuilder, left: GraphNode, right: GraphNode): GraphNode {
  const [a, c] = [shapeOf(left), shapeOf(right)]
  if (a.length === 0 || c.length === 0) {
    throw new ShapeError(`${name}: both operands need at least one dim, got ${printShape(a)} @ ${printShape(c)}`, {
      fix: 'use mul for 0-d tensors',
    })
  }
  requireOneDtype(name, dtypeOf(left), dtypeOf(right))
  requireInner(name, a, c, a.at(-1)!, c.at(Math.max(c.length - 2, 0) - c.length)!)
  const rows = a.length === 1 ? reshapeTo(b, left, [1, a[0]!]) : left
  const columns = c.length === 1 ? reshapeTo(b, right, [c[0]!, 1]) : right
  const result = rankOf(columns) === 2 ? flatMatmul(b, rows, columns) : batchMatmul(name, b, rows, columns)
  const shape = shapeOf(result)
  const kept = shape.filter(
    (_, d) => !(a.length === 1 && d === shape.length - 2) && !(c.length === 1 && d === shape.length - 1),
  )
  return reshapeTo(b, result, kept)
}

/** [B…, M, K] · [K, N] as one GEMM of B·M rows. */
function flatMatmul(b: GraphBuilder, left: GraphNode, right: GraphNode): GraphNode {
  const shape = shapeOf(left)
  if (shape.length === 2) return matmulNode(b, left, right)
  const rows = productOf(shape.slice(0, -1))
  const flat = matmulNode(b, reshapeTo(b, left, [rows, shape.at(-1)!]), right)
  return reshapeTo(b, flat, [...shape.slice(0, -1), shapeOf(right)[1]!])
}

function batchMatmul(name: string, b: GraphBuilder, left: GraphNode, right: GraphNode): GraphNode {
  const batch = broadcastShapes(name, [shapeOf(left).slice(0, -2), shapeOf(right).slice(0, -2)])
  const expand = (node: GraphNode): GraphNode => expandTo(b, node, [...batch, ...shapeOf(node).slice(-2)])
  return matmulNode(b, expand(left), expand(right))
}

// --- references ----------------------------------------------------------------------------------------------------------

/** One sum of products, floats in float64 and integers exactly, rounded or wrapped once. */
function dotProduct(dtype: Dtype, length: number, at: (k: number) => readonly [number | bigint, number | bigint]) {
  if (isFloat(dtype)) {
    let sum = 0
    for (let k = 0; k < length; k++) {
      const [x, y] = at(k)
      sum += Number(x) * Number(y)
    }
    return wrapValue(dtype, sum)
  }
  let sum = 0n
  for (let k = 0; k < length; k++) {
    const [x, y] = at(k)
    sum += BigInt(x) * BigInt(y)
  }
  return wrapValue(dtype, sum)
}

/** The reference of matmul. */
function referenceMatmul(left: HostTensor, right: HostTensor): HostTensor {
  const vectorLeft = left.shape.length === 1
  const vectorRight = right.shape.length === 1
  const a = { ...left, shape: vectorLeft ? [1, ...left.shape] : left.shape }
  const c = { ...right, shape: vectorRight ? [...right.shape, 1] : right.shape }
  const batch = broadcastShapes('reference', [a.shape.slice(0, -2), c.shape.slice(0, -2)]) as readonly number[]
  const [rows, inner, columns] = [a.shape.at(-2)!, a.shape.at(-1)!, c.shape.at(-1)!]
  // elementAt repeats sizes of 1, which is right for batch dims only; here the inner sizes are equal anyway.
  const dtype = outputDtype(left.dtype)
  const result = hostFrom(dtype, [...batch, rows, columns], index => {
    const [lead, m, n] = [index.slice(0, -2), index.at(-2)!, index.at(-1)!]
    return dotProduct(dtype, inner, k => [elementAt(a, [...lead, m, k]), elementAt(c, [...lead, k, n])])
  })
  const shape = [...batch, ...(vectorLeft ? [] : [rows]), ...(vectorRight ? [] : [columns])]
  return { ...result, shape }
}

// --- records ---------------------------------------------------------------------------------------------------------------

/** The ranks that the operands must have. */
const fixedRanks = { mm: [2, 2], bmm: [3, 3], mv: [2, 1], dot: [1, 1] } as const
type FixedRankName = keyof typeof fixedRanks

/** `kind` for the op `callee`, with operands called `roles`. Throws ShapeError and DtypeError. */
export function fixedRankMatmul(
  kind: FixedRankName,
  callee: string,
  roles: readonly [string, string],
  b: GraphBuilder,
  [left, right]: readonly [GraphNode, GraphNode],
): GraphNode {
  const [a, c] = [shapeOf(left), shapeOf(right)]
  requireRank(callee, roles[0], a, fixedRanks[kind][0])
  requireRank(callee, roles[1], c, fixedRanks[kind][1])
  const what = (): string => `${callee}: batch sizes differ, ${printShape(a)} @ ${printShape(c)}`
  if (kind === 'bmm') requireEqual(a[0]!, c[0]!, what)
  return buildMatmul(callee, b, left, right)
}

/** Dtypes and errors that matmuls share. */
export const matmulTexts: OpTexts = {
  dtypes: numberKept,
  errors: {
    DtypeError: 'when the dtypes differ: matmuls do not promote',
    ShapeError: 'when the inner sizes differ, or an operand has a different number of dims',
  },
  note: 'Summed in f32 (f64 of f64, integers of integers, which wrap) and rounded once.',
}

/** A matmul of operands of fixed ranks. */
const fixedRank = <const Text extends string>(
  name: FixedRankName,
  signature: Text,
  summary: string,
  texts: Required<Pick<OpTexts, 'shape' | 'details'>>,
) =>
  signed<Text, NoAttrs, null>(
    {
      name,
      summary,
      ...texts,
      ...matmulTexts,
      category: 'matmul',
      results: null,
      build: (b: GraphBuilder, [left, right]: readonly OpInput[]) => {
        const second = name === 'dot' ? 'other' : name === 'mv' ? 'vec' : 'mat2'
        return [fixedRankMatmul(name, name, ['self', second], b, [left!.node, right!.node])]
      },
      reference: ([left, right]: readonly HostTensor[]) => [referenceMatmul(left!, right!)],
    },
    signature,
  )

/** x · weightᵀ + bias. */
function buildLinear(b: GraphBuilder, inputs: readonly OpInput[]): GraphNode {
  const [x, weight, bias] = inputs.map(({ node }) => node) as [GraphNode, GraphNode, GraphNode?]
  const [from, size] = [shapeOf(x), shapeOf(weight)]
  if (size.length !== 2)
    throw new ShapeError(`linear: the weight ${printShape(size)} is no matrix [out, in]`, {
      fix: 'give a matrix of [out features, in features]',
    })
  if (from.length === 0)
    throw new ShapeError('linear: the input is 0-d, it needs the features as its last dim', {
      fix: 'give it a dim: x.unsqueeze(0)',
    })
  requireOneDtype('linear', dtypeOf(x), dtypeOf(weight))
  const what = (): string =>
    `linear: the input ${printShape(from)} does not fit the weight [out, in] = ${printShape(size)}`
  requireEqual(from.at(-1)!, size[1]!, what)
  const rows = reshapeTo(b, x, [productOf(from.slice(0, -1)), from.at(-1)!])
  // The bias is added to the flat GEMM, before the rows get their dims back and before rounding, so that it fuses as
  // epilogue.
  const flat = matmulNode(b, rows, transposeLast(b, weight), computeDtype(dtypeOf(x)))
  const result = bias === undefined ? flat : addBias(b, flat, bias, dtypeOf(x))
  return reshapeTo(b, castTo(b, result, dtypeOf(x)), [...from.slice(0, -1), size[0]!])
}

function addBias(b: GraphBuilder, flat: GraphNode, bias: GraphNode, dtype: Dtype): GraphNode {
  const [shape, features] = [shapeOf(bias), shapeOf(flat)[1]!]
  const what = (): string => `linear: the bias ${printShape(shape)} does not fit ${features} output features`
  if (shape.length !== 1) throw new ShapeError(what(), { fix: 'give a bias of shape [out]' })
  requireEqual(shape[0]!, features, what)
  if (dtypeOf(bias) !== dtype)
    throw new DtypeError(`linear: the bias is ${dtypeOf(bias)}, the input ${dtype}`, { fix: `bias.to('${dtype}')` })
  return map(b, 'add', flat, expandTo(b, toCompute(b, bias), shapeOf(flat)))
}

function referenceLinear([x, weight, bias]: readonly HostTensor[]): HostTensor {
  const [outputs, inner] = weight!.shape as readonly [number, number]
  return hostFrom(x!.dtype, [...x!.shape.slice(0, -1), outputs], (_, flat) => {
    const [row, n] = [Math.floor(flat / outputs), flat % outputs]
    return dotProduct(x!.dtype, inner + 1, k => {
      if (k === inner) return bias === undefined ? [isFloat(x!.dtype) ? -0 : 0, 1] : [bias.data[n]!, 1]
      return [x!.data[row * inner + k]!, weight!.data[n * inner + k]!]
    })
  })
}

export const matmulRecords = {
  mm: fixedRank('mm', 'self, mat2', 'The product of two matrices.', {
    shape: '[N, P]',
    details: { self: '[N, M]', mat2: '[M, P]' },
  }),
  bmm: fixedRank('bmm', 'self, mat2', 'The products of two batches of matrices.', {
    shape: '[B, N, P]',
    details: { self: '[B, N, M]', mat2: '[B, M, P]' },
  }),
  mv: fixedRank('mv', 'self, vec', 'The product of a matrix and a vector.', {
    shape: '[N]',
    details: { self: '[N, M]', vec: '[M]' },
  }),
  dot: fixedRank('dot', 'self, other', 'Σ self · other of two vectors.', {
    shape: '0-d',
    details: { self: '[N]', other: '[N]' },
  }),
  matmul: op({
    name: 'matmul',
    summary: 'The matrix product; vectors are rows on the left and columns on the right, batch dims broadcast.',
    category: 'matmul',
    signature: 'self, other',
    ...matmulTexts,
    shape: '[*, N, P]; without N or P where that side is a vector; 0-d of two vectors',
    details: { self: '[*, N, M], or a vector [M]', other: '[*, M, P], or a vector [M]; the leading dims broadcast' },
    results: null,
    build: (b: GraphBuilder, [left, right]: readonly OpInput[]) => [buildMatmul('matmul', b, left!.node, right!.node)],
    reference: ([left, right]: readonly HostTensor[]) => [referenceMatmul(left!, right!)],
  }),
  linear: op({
    name: 'linear',
    summary: 'self · weightᵀ + bias on the last dim; weight [out, in], bias [out].',
    category: 'matmul',
    signature: 'self, weight, bias: tensor | null = null',
    shape: '[*, out]',
    dtypes: numberKept,
    details: { self: '[*, in]', weight: '[out, in]', bias: '[out]' },
    errors: {
      DtypeError: 'when the dtypes differ',
      ShapeError: 'when the last dim of self is not in, weight is no matrix, or bias is not [out]',
    },
    note: 'The bias is added before the sums are rounded.',
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[]) => [buildLinear(b, inputs)],
    reference: (inputs: readonly HostTensor[]) => [referenceLinear(inputs)],
  }),
}
