/**
 * Rewrites a graph into the form that fusion works on:
 * - tensors of 8-bit floats become tensors of their codes (stored-floats.ts)
 * - f32 matmuls use tf32 where the graph allows it
 * - matmuls of 8-bit codes decode them to floats where the target does not multiply codes
 * - a matmul with M, N or K of 1 becomes a fused multiply and sum (it is bound by memory, not arithmetic)
 * - scatters take the form that suits atomics (scatters.ts)
 * - elements at positions of an order are picked from sorted rows where the target does not search for them (nth.ts)
 * - a result that is a written argument becomes a copy; so does an argument that is reshaped as strides cannot express
 */

import { permuteTo, shapeOf, sliceTo, wholeSlice } from '../../graph/build.js'
import {
  type Graph,
  type GraphBuilder,
  type GraphNode,
  graphBuilder,
  graphDialect,
  hasRole,
  isContraction,
  isPointwise,
  isView,
  opsOfRole,
  type Shape,
  sourcesOf,
  typeOf,
} from '../../graph/ir.js'
import { padConstant } from '../../graph/ops/rearrange.js'
import { decodeFloat8 } from '../../graph/quant/decode.js'
import { type Rule, rewrite } from '../../ir/rewrite.js'
import { ownNodesOf } from '../../ir/walk.js'
import { exactQuotient, productOf } from '../../scalar/size.js'
import { itemBytes, type TensorDtype } from '../../types/dtype.js'
import { closureOf, isDecoded, isOwnCopy, ownMemory } from '../groups/cost.js'
import { isMatmul } from '../groups/group.js'
import { type BufferLayout, baseOf, contiguousLayout, isRowMajor, viewLayout } from '../groups/layout.js'
import type { DotPolicy, SchedulePolicy } from '../policy.js'
import { nthRule } from './nth.js'
import { scatterRule } from './scatters.js'
import { storedFloats } from './stored-floats.js'

type MatmulNode = Extract<GraphNode, { op: 'matmul' }>

export function normalize(
  graph: Graph,
  { dots, scatter, findsNth }: Pick<SchedulePolicy, 'dots' | 'scatter' | 'findsNth'>,
): Graph {
  const kept = storedFloats(keepWrittenInputs(graph))
  const scatters = scatterRule(scatter, graph.deterministic ?? false)
  const rules = [
    ...rulesFor(dots),
    scatters,
    nthRule(findsNth),
    ownOperands,
    ...(dots.tf32 && graph.float32Matmul === 'tf32' ? [inTf32] : []),
  ]
  return keepSeparate(kept, { ...kept, body: rewrite(graphDialect, kept.body, rules, 'schedule').root })
}

/** Outputs that were different values get different memory, even if rewriting made them equal: the later ones become copies. */
function keepSeparate(before: Graph, after: Graph): Graph {
  const bases = ({ body, outputs }: Graph): readonly GraphNode[] => body.results.slice(0, outputs).map(baseOf)
  const [old, now] = [bases(before), bases(after)]
  const isShared = (i: number): boolean => old.some((base, j) => j < i && base !== old[i] && now[j] === now[i])
  return copyResults(after, (_, i) => (i < old.length && isShared(i) ? { memory: i } : null))
}

/** A result that is itself a written argument means its old value: it becomes a copy. */
function keepWrittenInputs(graph: Graph): Graph {
  const written = new Set(graph.writeBacks.map(({ input }) => input))
  return copyResults(graph, node => (node.op === 'input' && written.has(node.attrs.index) ? {} : null))
}

/** The graph with copies of results. `copyOf`: the attributes of a copy; null: no copy. */
export function copyResults(
  graph: Graph,
  copyOf: (node: GraphNode, i: number) => { readonly memory?: number } | null,
): Graph {
  const copies = graph.body.results.map(copyOf)
  if (copies.every(attrs => attrs === null)) return graph
  const b = graphBuilder()
  const renamed = new Map<GraphNode, GraphNode>()
  const rename = (node: GraphNode): GraphNode => renamed.get(node)!
  for (const node of ownNodesOf<GraphNode>(graph.body)) {
    const make = (): GraphNode => b.node(node.op, node.inputs.map(rename), node.attrs as never, node.blocks)
    renamed.set(node, b.withOrigin(node.origin, make))
  }
  const results = graph.body.results.map((node, i) => {
    const attrs = copies[i] ?? null
    return attrs === null ? rename(node) : b.node('copy', [rename(node)], attrs)
  })
  return { ...graph, body: b.finish(results, graph.body.params.map(rename)) }
}

const sameOrigin =
  (make: (node: GraphNode, b: GraphBuilder) => GraphNode | null) =>
  (node: GraphNode, b: GraphBuilder): GraphNode | null =>
    b.withOrigin(node.origin, () => make(node, b))

function isThin(node: MatmulNode, thin: DotPolicy['thin']): boolean {
  if (node.attrs.grouped !== undefined && !thin.grouped) return false
  const [m, n] = typeOf(node).shape.slice(-2)
  const k = typeOf(node.inputs[0]!).shape.at(-1)
  const isShort = (size: Shape[number] | undefined): boolean => typeof size === 'number' && size < thin.below
  const short = (m === 1 && isShort(n)) || (n === 1 && isShort(m))
  const isInput = (other: GraphNode): boolean => other.op === 'input'
  const decoded = thin.decoded && m === 1 && isDecoded(node.inputs[1]!, isInput)
  const isSmall = [m, n, k].every(size => typeof size === 'number' && size <= thin.small)
  return (short && !isStreamed(node, thin, isInput)) || k === 1 || node.attrs.accumulate === 'i64' || decoded || isSmall
}

/** With more results than this, each of a row of at most so many elements, rows of a matrix are many and short. */
const manyResults = 1 << 14
const shortRow = 1 << 11
/** Matrices of fewer elements are read fast enough in any order. */
const largeMatrix = 1 << 20

/** True for the product of a vector and a large matrix that dots load faster. */
function isStreamed(
  node: MatmulNode,
  { streamed }: DotPolicy['thin'],
  inMemory: (node: GraphNode) => boolean,
): boolean {
  const { dtype, shape } = typeOf(node)
  const isRow = shape.at(-2) === 1
  const k = typeOf(node.inputs[0]!).shape.at(-1)
  const matrix = node.inputs[isRow ? 1 : 0]!
  const results = productOf(shape)
  const elements = productOf(typeOf(matrix).shape)
  if (!streamed.has(typeOf(matrix).dtype) || !streamed.has(dtype) || isDecoded(matrix, inMemory)) return false
  if (typeof elements !== 'number' || elements < largeMatrix) return false
  const isShort = typeof k === 'number' && k <= shortRow && typeof results === 'number' && results >= manyResults
  return isShort || !isContiguousAlong(matrix, isRow ? 2 : 1)
}

/** Whether a matrix in memory is contiguous along its last dim but `fromEnd` − 1. */
function isContiguousAlong(node: GraphNode, fromEnd: 1 | 2): boolean {
  const strides = layoutOf(node)?.strides ?? []
  return strides.at(-fromEnd) === 1
}

/** The layout of a value: of an argument, a view, or a value that is computed and row-major. */
function layoutOf(node: GraphNode): BufferLayout | null {
  if (node.op === 'input') return { offset: 0, shape: node.attrs.shape, strides: node.attrs.strides }
  if (!isView(node)) return contiguousLayout(typeOf(node).shape)
  const from = layoutOf(node.inputs[0]!)
  return from === null ? null : viewLayout(node, from)
}

/** a[…, m, k] · b[…, k, n] as the sum over k of a[…, m, 1, k] · b[…, 1, n, k]. */
function multiplyAndSum(node: MatmulNode, b: GraphBuilder): GraphNode {
  const [x, y] = node.inputs as [GraphNode, GraphNode]
  const { shape } = typeOf(node)
  const batch = shape.slice(0, -2)
  const [m, n] = shape.slice(-2) as [Shape[number], Shape[number]]
  const k = typeOf(x).shape.at(-1)!
  const wide = (operand: GraphNode): GraphNode => cast(b, operand, node.attrs.accumulate)
  const vector = m === 1 && isPaired(y) ? swappedPairs(b, x) : x
  const rank = shape.length
  const swapped = [...batch.keys(), rank - 1, rank - 2]
  const full = [...batch, m, n, k]
  const left = b.node('expand', [b.node('reshape', [wide(vector)], { shape: [...batch, m, 1, k] })], { shape: full })
  const transposed = b.node('permute', [wide(y)], { dims: swapped })
  const right = b.node('expand', [b.node('reshape', [transposed], { shape: [...batch, 1, n, k] })], { shape: full })
  const sum = b.node('reduce', [b.node('map', [left, right], { fn: 'mul' })], { fn: 'add', dims: [rank] })
  return cast(b, sum, node.attrs.to)
}

/** True for values unpacked from bytes that hold two each. */
function isPaired(node: GraphNode): boolean {
  const stack = [node]
  const seen = new Set<GraphNode>()
  while (stack.length > 0) {
    const top = stack.pop()!
    if (seen.has(top) || top.type.kind !== 'tensor') continue
    seen.add(top)
    const input = top.inputs[0]
    if (top.op === 'reshape' && isUnpacking(top, input!)) return true
    if (top.op !== 'copy' && hasRole(top, 'pointwise', 'view')) stack.push(...sourcesOf(top))
  }
  return false
}

/** [… , n, 2] as [… , 2n]. */
function isUnpacking(node: GraphNode, input: GraphNode): boolean {
  const [from, to] = [typeOf(input).shape, typeOf(node).shape]
  return from.length === to.length + 1 && from.at(-1) === 2
}

/**
 * The same vectors, but in memory all even elements precede all odd ones: the elements that multiply the low, or the high,
 * halves of consecutive bytes are then contiguous.
 */
function swappedPairs(b: GraphBuilder, x: GraphNode): GraphNode {
  const { shape } = typeOf(x)
  const half = exactQuotient(shape.at(-1)!, 2)
  if (half === null) return x
  const rank = shape.length
  const dims = [...Array(rank - 1).keys(), rank, rank - 1]
  const pairs = b.node('reshape', [x], { shape: [...shape.slice(0, -1), half, 2] })
  const transposed = b.node('copy', [b.node('permute', [pairs], { dims })], { memory: ownMemory })
  return b.node('reshape', [b.node('permute', [transposed], { dims })], { shape })
}

/**
 * Operands whose rows do not begin at whole accesses are copied to rows that do, and k becomes a multiple of an access: what is
 * added multiplies 0 by 0.
 */
function alignedMatmul(
  node: MatmulNode,
  b: GraphBuilder,
  { bytes, leastUses, leastWork }: NonNullable<DotPolicy['aligned']>,
): GraphNode | null {
  const [x, y] = node.inputs as [GraphNode, GraphNode]
  const [m, n] = typeOf(node).shape.slice(-2)
  const k = typeOf(x).shape.at(-1)
  const work = productOf([...typeOf(node).shape, k!])
  if (typeof m !== 'number' || typeof n !== 'number' || typeof k !== 'number' || typeof work !== 'number') return null
  if (Math.min(m, n) < leastUses || work < leastWork || node.attrs.codes !== undefined) return null
  const isShifted = [x, y].map(operand => hasShiftedRows(operand, bytes))
  if (!isShifted.includes(true)) return null
  const depth = isShifted.every(Boolean) ? roundUp(k, bytes / itemBytes(typeOf(x).dtype as TensorDtype)) : k
  const inputs = [
    isShifted[0] ? inAlignedRows(b, x, [m, depth], bytes) : x,
    isShifted[1] ? inAlignedRows(b, y, [depth, n], bytes) : y,
  ]
  return b.node('matmul', inputs, node.attrs)
}

/** Rows of 16-bit values that do not begin at multiples of `bytes`. */
function hasShiftedRows(node: GraphNode, bytes: number): boolean {
  const layout = layoutOf(node)
  if (layout === null || itemBytes(typeOf(node).dtype as TensorDtype) !== 2) return false
  // A copy of overlapping or repeated elements would be larger than what is read.
  const [own, base] = [node, baseOf(node)].map(each => productOf(typeOf(each).shape))
  if (typeof own !== 'number' || typeof base !== 'number' || own > base) return false
  const isTurned = layout.strides.at(-1) !== 1
  if (isTurned && layout.strides.at(-2) !== 1) return false
  const pitch = layout.strides.at(isTurned ? -1 : -2)
  return typeof pitch === 'number' && (pitch * 2) % bytes !== 0
}

/** A copy of matrices, padded to `sizes` with 0, whose rows begin at multiples of `bytes`. */
function inAlignedRows(b: GraphBuilder, node: GraphNode, sizes: readonly [number, number], bytes: number): GraphNode {
  const { shape, dtype } = typeOf(node)
  const { strides } = layoutOf(node)!
  const rank = shape.length
  const lead = [...shape.keys()].slice(0, -2)
  const isTurned = strides.at(-1) !== 1
  const dims = isTurned ? [...lead, rank - 1, rank - 2] : [...shape.keys()]
  const turn = (matrix: GraphNode): GraphNode => (isTurned ? permuteTo(b, matrix, dims) : matrix)
  const wanted = isTurned ? sizes.toReversed() : sizes
  const rows = turn(node)
  const own = shapeOf(rows).slice(-2) as number[]
  const pitch = roundUp(wanted[1]!, bytes / itemBytes(dtype as TensorDtype))
  const sides = [...lead.map(() => [0, 0] as const), [0, wanted[0]! - own[0]!] as const, [0, pitch - own[1]!] as const]
  const copied = b.node('copy', [padConstant(b, rows, sides, 0)], { memory: ownMemory })
  const whole = wholeSlice(shapeOf(copied))
  whole.sizes[rank - 1] = wanted[1]!
  return turn(sliceTo(b, copied, whole))
}

/** Operands that would be converted in each tile that reads them are converted once. Those of less memory are decoded on the fly. */
function convertedMatmul(
  node: MatmulNode,
  b: GraphBuilder,
  { leastUses, leastWork }: NonNullable<DotPolicy['converted']>,
): GraphNode | null {
  const [x, y] = node.inputs as [GraphNode, GraphNode]
  const [m, n] = typeOf(node).shape.slice(-2)
  const work = productOf([...typeOf(node).shape, typeOf(x).shape.at(-1)!])
  if (typeof m !== 'number' || typeof n !== 'number' || typeof work !== 'number') return null
  if (work < leastWork || node.attrs.codes !== undefined) return null
  const isConverted = (operand: GraphNode, uses: number): boolean =>
    uses >= leastUses && itemBytes(typeOf(operand).dtype as TensorDtype) === 2 && isOfArguments(baseOf(operand))
  const convert = [isConverted(x, n), isConverted(y, m)]
  if (!convert.includes(true)) return null
  return b.node('matmul', [convert[0] ? storedBase(b, x) : x, convert[1] ? storedBase(b, y) : y], node.attrs)
}

const isArgument = (node: GraphNode): boolean => node.op === 'input'

/** True for a value that is computed of arguments of as much memory at least. */
const isOfArguments = (node: GraphNode): boolean =>
  isPointwise(node) && node.op !== 'copy' && closureOf(node, isArgument) !== null && !isDecoded(node, isArgument)

/** The same value in memory; what is cast keeps the order of its dims there. */
function storedBase(b: GraphBuilder, node: GraphNode): GraphNode {
  const [source] = node.inputs as readonly [GraphNode]
  if (isView(node)) return b.node(node.op, [storedBase(b, source), ...node.inputs.slice(1)], node.attrs as never)
  if (node.op === 'cast' && source.op === 'permute')
    return permuteTo(b, storedBase(b, cast(b, source.inputs[0]!, node.attrs.to as never)), source.attrs.dims)
  return b.node('copy', [node], { memory: ownMemory })
}

const roundUp = (size: number, multiple: number): number => Math.ceil(size / multiple) * multiple

const cast = (b: GraphBuilder, node: GraphNode, to: MatmulNode['attrs']['to']): GraphNode =>
  typeOf(node).dtype === to ? node : b.node('cast', [node], { to })

function copyFirst(node: Extract<GraphNode, { op: 'reshape' }>, b: GraphBuilder): GraphNode | null {
  const input = node.inputs[0]!
  if (input.op !== 'input') return null
  const { shape, strides } = input.attrs
  if (viewLayout(node, { offset: 0, shape, strides }) !== null) return null
  return b.node('reshape', [b.node('copy', [input], {})], node.attrs)
}

/** Codes are decoded where no instruction multiplies them. */
function decodedMatmul(node: GraphNode, b: GraphBuilder, dots: DotPolicy): GraphNode | null {
  if (!isMatmul(node) || node.attrs.codes === undefined) return null
  const [m, n] = typeOf(node).shape.slice(-2)
  // A thin matmul becomes a sum of decoded values.
  const isThin = node.op === 'matmul' && (m === 1 || n === 1)
  if (dots.codes && !isThin) return null
  const { codes, ...attrs } = node.attrs
  const operands = codes.map((code, i) => cast(b, decodeFloat8(b, code, node.inputs[i]!), dots.decodesTo))
  return b.node(node.op, [...operands, ...node.inputs.slice(2)], attrs as never)
}

/**
 * Operands of control flow must be row-major. A loop's initial values get memory of their own, since they become its results
 * if it runs no iteration.
 */
const ownOperands: Rule<GraphNode> = {
  name: 'operands of control flow',
  ops: ['cond', 'loop', 'steps'],
  apply: sameOrigin((node, b) => {
    const carried = node.op === 'loop' || node.op === 'steps' ? node.attrs.carried : 0
    const needsCopy = (operand: GraphNode, i: number): boolean =>
      !isOwnCopy(operand) && (i < carried || isPlacedElsewhere(operand))
    if (!node.inputs.some(needsCopy)) return null
    const inputs = node.inputs.map((operand, i) =>
      needsCopy(operand, i) ? b.node('copy', [operand], { memory: ownMemory - i }) : operand,
    )
    return b.node(node.op, inputs, node.attrs as never, node.blocks)
  }),
}

/** True when its values may be stored in part of a larger buffer, or in an argument that is not row-major. */
function isPlacedElsewhere(node: GraphNode): boolean {
  const base = baseOf(node)
  if (base.op === 'input') return !isRowMajor(base.attrs)
  return base.op === 'cat' || (base.op === 'item' && base.inputs[0]!.op === 'launch')
}

/** A block's results get row-major memory of their own; those from `rows` on are no results of control flow in it. */
export function denseResults(graph: Graph, rows = Number.POSITIVE_INFINITY): Graph {
  const isStrided = (node: GraphNode): boolean => isView(node) && !(node.op === 'reshape' && !isView(node.inputs[0]!))
  return copyResults(graph, (node, i) =>
    isStrided(node) || (i >= rows && node.op === 'item') ? { memory: ownMemory } : null,
  )
}

/** Copies the graph's precision for f32 matmuls to each of them. */
const inTf32: Rule<GraphNode> = {
  name: 'tf32',
  ops: opsOfRole('contraction'),
  apply: sameOrigin((node, b) => {
    if (!isContraction(node) || node.op === 'foldWindows' || node.attrs.precision !== undefined) return null
    const isF32 = node.inputs.slice(0, 2).every(input => typeOf(input).dtype === 'f32')
    if (!isF32 || node.attrs.accumulate !== 'f32') return null
    return b.node(node.op, node.inputs, { ...node.attrs, precision: 'tf32' } as never)
  }),
}

const rulesFor = (dots: DotPolicy): readonly Rule<GraphNode>[] => [
  {
    name: '8-bit floats',
    ops: ['matmul', 'raggedMatmul'],
    apply: sameOrigin((node, b) => decodedMatmul(node, b, dots)),
  },
  {
    name: 'thin matmul',
    ops: ['matmul'],
    apply: sameOrigin((node, b) =>
      node.op === 'matmul' && node.attrs.codes === undefined && isThin(node, dots.thin)
        ? multiplyAndSum(node, b)
        : null,
    ),
  },
  ...(dots.converted === null
    ? []
    : [
        {
          name: 'conversion of operands',
          ops: ['matmul'],
          apply: sameOrigin((node, b) => (node.op === 'matmul' ? convertedMatmul(node, b, dots.converted!) : null)),
        } as const,
      ]),
  ...(dots.aligned === null
    ? []
    : [
        {
          name: 'rows of operands begin at whole accesses',
          ops: ['matmul'],
          apply: sameOrigin((node, b) => (node.op === 'matmul' ? alignedMatmul(node, b, dots.aligned!) : null)),
        } as const,
      ]),
  {
    name: 'reshape of a strided argument',
    ops: ['reshape'],
    apply: sameOrigin((node, b) => (node.op === 'reshape' ? copyFirst(node, b) : null)),
  },
]
