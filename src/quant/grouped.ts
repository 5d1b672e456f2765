/** Groups of products, each of its own size: experts, or layers that run side by side. */
import { ArgumentError, DeviceError, DtypeError, ShapeError } from '../base/errors.js'
import { buildGraph } from '../graph/apply.js'
import { type GraphNode, type Shape, typeOf } from '../graph/ir.js'
import { checkOptions } from '../graph/ops/arguments.js'
import { quantRecords } from '../graph/ops/quantised.js'
import { sameShape } from '../scalar/size.js'
import { assignInPlace, requireTensor } from '../tensor/dispatch.js'
import { type Layout, overlapsItself, reachOf } from '../tensor/layout.js'
import type { Tensor } from '../tensor/tensor.js'
import { isFloat, itemBytes, type TensorDtype } from '../types/dtype.js'
import { scaledMatmul } from './products.js'
import { isQuantized, operandOf, type QuantizedTensor } from './quantized-tensor.js'

/** One product: out = a · bᵀ. */
export interface MatmulGroup {
  /** [… , M, K]; M may be 0. */
  readonly a: Tensor | QuantizedTensor
  /** [N, K], or [… , N, K] with a's batch dims. */
  readonly b: Tensor | QuantizedTensor
  /** [… , M, N], written in place. Left out: the product is a new tensor. */
  readonly out?: Tensor
}

/** How the products are run: one after another. (What runs them side by side comes with streams and graphs.) */
export type GroupStrategy = 'auto' | 'sequential'

export interface GroupedMatmulOptions {
  readonly strategy?: GroupStrategy
  /** Of new results; default as `scaledMatmul`. */
  readonly outDtype?: TensorDtype
}

/**
 * Every group's a · bᵀ: sizes, formats and dtypes may differ from group to group. Gives the results in order, the outs
 * where they were given.
 *
 * All groups are checked before the first is computed: ArgumentError for an empty list, unknown strategies, and outs that
 * share memory with each other or with an operand; ShapeError and DtypeError where a group does not fit.
 *
 * @example groupedMatmul([{ a: x0, b: w0, out: y0 }, { a: x1, b: w1, out: y1 }])
 */
export function groupedMatmul(groups: readonly MatmulGroup[], options: GroupedMatmulOptions = {}): Tensor[] {
  checkOptions('groupedMatmul', options, ['strategy', 'outDtype'])
  const { strategy = 'auto', outDtype } = options
  if (strategy !== 'auto' && strategy !== 'sequential')
    throw new ArgumentError(`groupedMatmul: strategy '${String(strategy)}'`, { fix: "use 'auto' or 'sequential'" })
  if (!Array.isArray(groups) || groups.length === 0)
    throw new ArgumentError('groupedMatmul: no groups', { fix: 'give a list of { a, b, out }' })
  groups.forEach(checkGroup)
  checkMemory(groups)
  return groups.map(group => runGroup(group, outDtype))
}

function runGroup({ a, b, out }: MatmulGroup, outDtype: TensorDtype | undefined): Tensor {
  if (out === undefined) return scaledMatmul(a, b, outDtype === undefined ? {} : { outDtype })
  const product = scaledMatmul(a, b, { outDtype: out.dtype as TensorDtype })
  assignInPlace('groupedMatmul', out, product)
  return out
}

// --- checks ----------------------------------------------------------------------------------------------------------------

const shapeText = (shape: Shape): string => `[${shape.join(', ')}]`

/** Builds the group's op without running it, so that its checks come before anything is written. */
function checkGroup(group: MatmulGroup, index: number): void {
  const name = `groupedMatmul: group ${index}`
  if (typeof group !== 'object' || group === null) throw new ArgumentError(`${name} is no object { a, b, out }`)
  checkOptions(name, group, ['a', 'b', 'out'])
  const operands = [operandOf(name, 'a', group.a), operandOf(name, 'b', group.b)]
  const inputs = operands.flatMap(({ tensors }) => tensors) as unknown as readonly Tensor[]
  const quants = { a: operands[0]!.quant, b: operands[1]!.quant }
  let product: readonly GraphNode[] = []
  buildGraph(
    inputs.map(({ dtype, sizes }) => ({ dtype, shape: sizes })),
    [],
    (b, nodes) => {
      const given = nodes.map(node => ({ node, isNumber: false }))
      product = quantRecords.scaledMatmul.build(b, given, { ...quants, bias: false, outDtype: null })
      return product
    },
  )
  if (group.out === undefined) return
  const out = requireTensor(name, group.out, 'out')
  const wanted = typeOf(product[0]!).shape
  if (!sameShape(out.sizes, wanted))
    throw new ShapeError(`${name}: out is ${shapeText(out.sizes)}, the product ${shapeText(wanted)}`)
  if (!isFloat(out.dtype)) throw new DtypeError(`${name}: out is ${out.dtype}, not a float`)
  if (out.device !== inputs[0]!.device)
    throw new DeviceError(`${name}: out is on ${out.device}, a on ${inputs[0]!.device}`)
}

/** What a tensor reaches of its memory; null for an empty or a traced one, which has none yet. */
interface Reach {
  readonly storage: object
  readonly layout: Layout
  readonly item: number
}

function reachedBy(tensor: Tensor): Reach | null {
  if (tensor.source.kind !== 'storage' || tensor.shape.includes(0)) return null
  return { storage: tensor.source, layout: tensor.layout, item: itemBytes(tensor.dtype) }
}

function overlap(a: Reach, b: Reach): boolean {
  if (a.storage !== b.storage) return false
  const [from, to] = reachOf(a.layout).map(element => element * a.item) as [number, number]
  const [first, end] = reachOf(b.layout).map(element => element * b.item) as [number, number]
  return from < end && first < to && !areColumns(a, b)
}

/** Different columns of one matrix lie between each other and share nothing. */
function areColumns(a: Reach, b: Reach): boolean {
  const [stride, other] = [a.layout.strides.at(-2), b.layout.strides.at(-2)]
  const isRows = ({ layout: { shape, strides } }: Reach): boolean => shape.length === 2 && strides[1] === 1
  if (stride === undefined || stride <= 0 || stride !== other || a.item !== b.item || !isRows(a) || !isRows(b))
    return false
  const columns = ({ layout: { offset, shape } }: Reach): [number, number] => [
    offset % stride,
    (offset % stride) + shape[1]!,
  ]
  const [[from, to], [first, end]] = [columns(a), columns(b)]
  return to <= stride && end <= stride && (to <= first || end <= from)
}

/** What is written shares memory with nothing else: groups may run in any order, or at once. */
function checkMemory(groups: readonly MatmulGroup[]): void {
  const outs = groups.map(({ out }) => (out === undefined ? null : reachedBy(out)))
  const reads = groups.flatMap(({ a, b }) =>
    [a, b].flatMap(operand => (isQuantized(operand) ? [operand.values, operand.scales] : [operand])).map(reachedBy),
  )
  for (const [i, out] of outs.entries()) {
    if (out === null) continue
    if (overlapsItself(out.layout)) throw new ArgumentError(`groupedMatmul: elements of out ${i} share memory`)
    const other = outs.findIndex((each, j) => j > i && each !== null && overlap(out, each))
    if (other >= 0)
      throw new ArgumentError(`groupedMatmul: outs ${i} and ${other} share memory`, { fix: 'give each its own' })
    if (reads.some(read => read !== null && overlap(out, read)))
      throw new ArgumentError(`groupedMatmul: out ${i} shares memory with an operand`, {
        fix: 'write into a tensor of its own',
      })
  }
}
