/** Groups of products, each of its own size: experts, or layers that run side by side. */
import { ArgumentError, DeviceError, DtypeError, ShapeError } from '../base/errors.js'
import { buildGraph } from '../graph/apply.js'
import { type GroupStrategy, groupStrategies, typeOf } from '../graph/ir.js'
import { checkOptions } from '../graph/ops/arguments.js'
import { type GroupedMatmulCall, quantRecords } from '../graph/ops/quantised.js'
import { printShape, requireEqual } from '../graph/sizes.js'
import { applyInto, requireTensor } from '../tensor/dispatch.js'
import { type Layout, overlapsItself, reachOf } from '../tensor/layout.js'
import type { Tensor } from '../tensor/tensor.js'
import { isFloat, itemBytes, type TensorDtype } from '../types/dtype.js'
import { outDtypeOf } from './products.js'
import { isQuantized, operandOf, type QuantizedTensor } from './quantized-tensor.js'

export { type GroupStrategy, groupStrategies } from '../graph/ir.js'

/** One product: out = a · bᵀ. */
export interface MatmulGroup {
  /** [… , M, K]; M may be 0. */
  readonly a: Tensor | QuantizedTensor
  /** [N, K], or [… , N, K] with a's batch dims. */
  readonly b: Tensor | QuantizedTensor
  /** [… , M, N], written in place. Left out: the product is a new tensor. */
  readonly out?: Tensor
}

export interface GroupedMatmulOptions {
  /**
   * How the products are run; results are the same to the bit. `sequential`: one kernel after another. `streams`: each on a
   * stream of its own. `graph`: those as a CUDA graph. `persistent`: one kernel, whose blocks claim tiles of all products.
   * Default: `auto`, as a cost model finds best. The CPU has no streams: it runs them one after another.
   */
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
  const { strategy = 'auto' } = options
  if (!groupStrategies.includes(strategy))
    throw new ArgumentError(`groupedMatmul: strategy '${String(strategy)}'`, {
      fix: `use ${groupStrategies.map(name => `'${name}'`).join(', ')}`,
    })
  if (!Array.isArray(groups) || groups.length === 0)
    throw new ArgumentError('groupedMatmul: no groups', { fix: 'give a list of { a, b, out }' })
  const outDtype = outDtypeOf('groupedMatmul', options.outDtype)
  const calls = groups.map((group, i) => checkGroup(group, i, outDtype))
  if (!groups.every(fitsPlainly)) checkOuts(groups, calls, strategy)
  checkMemory(groups)
  const outs = groups.map(({ out }) => out ?? null)
  return [...applyInto(quantRecords.groupedMatmul, [calls, strategy], outs)]
}

// --- checks ----------------------------------------------------------------------------------------------------------------

function checkGroup(group: MatmulGroup, index: number, outDtype: TensorDtype | null): GroupedMatmulCall {
  const name = `groupedMatmul: group ${index}`
  if (typeof group !== 'object' || group === null)
    throw new ArgumentError(`${name} is no object`, { fix: 'give { a, b, out }' })
  checkOptions(name, group, ['a', 'b', 'out'])
  const out = group.out === undefined ? null : requireTensor(name, group.out, 'out')
  if (out !== null && !isFloat(out.dtype))
    throw new DtypeError(`${name}: out is ${out.dtype}, not a float`, { fix: 'make it f32, f16 or bf16' })
  const [a, b] = [operandOf(name, 'a', group.a), operandOf(name, 'b', group.b)]
  return { a, b, outDtype: out === null ? outDtype : (out.dtype as TensorDtype) }
}

const partOf = (operand: Tensor | QuantizedTensor): Tensor => (isQuantized(operand) ? operand.values : operand)

/**
 * Whether out is [… , M, N] of b [N, K] and a [… , M, K], all of known sizes. Then what is left to check is the op's own to
 * say when it is first built for such operands; building it at each call took most of an eager call's time.
 */
function fitsPlainly({ a, b, out }: MatmulGroup): boolean {
  const [left, right] = [partOf(a), partOf(b)]
  if (out === undefined) return true
  const wanted = [...left.sizes.slice(0, -1), right.sizes[0]]
  return (
    left.ndim >= 2 &&
    right.ndim === 2 &&
    out.ndim === wanted.length &&
    out.device === left.device &&
    out.sizes.every((size, d) => typeof size === 'number' && size === wanted[d])
  )
}

/** Builds the op without running it, so that its checks come before anything is written, and looks at the outs. */
function checkOuts(groups: readonly MatmulGroup[], calls: readonly GroupedMatmulCall[], strategy: GroupStrategy): void {
  const { groupedMatmul: record } = quantRecords
  const { inputs, attrs } = record.call(calls, strategy)
  const tensors = inputs as unknown as readonly Tensor[]
  const { body } = buildGraph(
    tensors.map(({ dtype, sizes }) => ({ dtype, shape: sizes })),
    [],
    (b, nodes) =>
      record.build(
        b,
        nodes.map(node => ({ node, isNumber: false })),
        attrs,
      ),
  )
  for (const [i, { out }] of groups.entries()) {
    if (out === undefined) continue
    const wanted = typeOf(body.results[i]!).shape
    const what = (): string =>
      `groupedMatmul: group ${i}: out is ${printShape(out.sizes)}, the product ${printShape(wanted)}`
    const fix = `make it ${printShape(wanted)}`
    if (out.ndim !== wanted.length) throw new ShapeError(what(), { fix })
    wanted.forEach((size, d) => {
      requireEqual(out.sizes[d]!, size, what, fix)
    })
    if (out.device !== tensors[0]!.device)
      throw new DeviceError(`groupedMatmul: group ${i}: out is on ${out.device}, a on ${tensors[0]!.device}`, {
        fix: `move it: out.to('${tensors[0]!.device}')`,
      })
  }
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

const tensorsOf = (operand: Tensor | QuantizedTensor): Tensor[] => {
  if (!isQuantized(operand)) return [operand]
  const { values, scales, tensorScale } = operand
  return tensorScale === null ? [values, scales] : [values, scales, tensorScale]
}

/** What is written shares memory with nothing else: groups may run in any order, or at once. */
function checkMemory(groups: readonly MatmulGroup[]): void {
  const outs = groups.map(({ out }) => (out === undefined ? null : reachedBy(out)))
  const reads = groups.flatMap(({ a, b }) => [a, b].flatMap(tensorsOf).map(reachedBy))
  for (const [i, out] of outs.entries()) {
    if (out === null) continue
    if (overlapsItself(out.layout))
      throw new ArgumentError(`groupedMatmul: elements of out ${i} share memory`, {
        fix: 'write into a tensor of its own',
      })
    const other = outs.findIndex((each, j) => j > i && each !== null && overlap(out, each))
    if (other >= 0)
      throw new ArgumentError(`groupedMatmul: outs ${i} and ${other} share memory`, { fix: 'give each its own' })
    if (reads.some(read => read !== null && overlap(out, read)))
      throw new ArgumentError(`groupedMatmul: out ${i} shares memory with an operand`, {
        fix: 'write into a tensor of its own',
      })
  }
}
