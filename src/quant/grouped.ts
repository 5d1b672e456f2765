/** Grouped matmuls of different sizes: experts, or independent layers. */
import { describeAny } from '../base/describe.js'
import { ArgumentError, DeviceError, DtypeError, ShapeError } from '../base/errors.js'
import type { GroupStrategy, Shape } from '../graph/ir.js'
import { checkOptions } from '../graph/ops/arguments.js'
import { type GroupedMatmulCall, quantRecords } from '../graph/ops/quantised.js'
import { raggedRecords } from '../graph/ops/ragged.js'
import { broadcastShapes, printShape, requireEqual } from '../graph/sizes.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { applyInto, applyOp, requireTensor } from '../tensor/dispatch.js'
import { type Layout, layoutsOverlap, overlapsItself, reachOf } from '../tensor/layout.js'
import { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import { isFloat, itemBytes, type TensorDtype } from '../types/dtype.js'
import { outDtypeOf } from './matmul.js'
import { isQuantized, operandOf, type QuantizedTensor } from './quantized-tensor.js'

export { type GroupStrategy, groupStrategies } from '../graph/ir.js'

/** One matmul: out = a · bᵀ. */
export interface MatmulGroup {
  /** [… , M, K]; M may be 0. */
  readonly a: Tensor | QuantizedTensor
  /** [N, K], or [… , N, K] with a's batch dims. */
  readonly b: Tensor | QuantizedTensor
  /** [… , M, N], written in place. Without it the result is a new tensor. */
  readonly out?: Tensor
}

/** Options of `groupedMatmul`. */
export interface GroupedMatmulOptions {
  /**
   * How the matmuls are launched; results are bitwise equal. `sequential`: one kernel after another. `streams`: each on its
   * own stream. `graph`: the same as a CUDA graph. `persistent`: one kernel, whose blocks claim tiles of all matmuls.
   * Default: `auto`, chosen by a cost model. The CPU has no streams: it runs them one after another.
   */
  readonly strategy?: GroupStrategy
  /** Dtype of new results; default as in `scaledMatmul`. */
  readonly outDtype?: TensorDtype
}

const groupedSignature = signature(
  "groups: value, *, strategy: 'auto' | 'sequential' | 'streams' | 'graph' | 'persistent' = 'auto', outDtype: dtype | null = null",
)

/**
 * a · bᵀ of every group: sizes, formats and dtypes may differ between groups. Returns the results in order; for groups with
 * `out`, that tensor. If the groups are row ranges of one tensor, given by a tensor on the device, use `raggedMatmul`.
 *
 * All groups are checked before the first is computed: ArgumentError for an empty list, unknown strategies, and outs that
 * share memory with each other or with an operand; ShapeError and DtypeError where a group does not fit.
 *
 * @example groupedMatmul([{ a: x0, b: w0, out: y0 }, { a: x1, b: w1, out: y1 }])
 */
export function groupedMatmul(groups: readonly MatmulGroup[], options?: GroupedMatmulOptions): Tensor[]
export function groupedMatmul(options: GroupedMatmulOptions & { readonly groups: readonly MatmulGroup[] }): Tensor[]
/**
 * a · b for each group along K: a [M, K] · b [K, N] with `offsets` [G] returns [G, M, N], whose matrix g sums over the k of
 * group g, in f32, rounded once. As PyTorch's `grouped_mm` of two matrices: the gradient of experts' weights. Both are f32,
 * f16 or bf16.
 *
 * `offsets` (i32 or i64, on the same device; the values are only read on the device) contains the ends of the groups: k is in
 * the first group whose end is greater than k. Equal ends mean an empty group, whose result is 0; elements behind the last end
 * are ignored. Throws ShapeError and DtypeError before anything is computed.
 *
 * @example groupedMatmul(gradient.t(), x, counts.cumsum(0))
 */
export function groupedMatmul(
  a: Tensor,
  b: Tensor,
  offsets: Tensor,
  options?: Pick<GroupedMatmulOptions, 'outDtype'>,
): Tensor
export function groupedMatmul(...args: readonly unknown[]): Tensor | Tensor[] {
  return args[0] instanceof Tensor ? raggedDepthMatmul(args) : matmulList(args)
}

const depthSignature = signature('a: value, b: value, offsets: value, *, outDtype: dtype | null = null')

/** The ragged form: the groups split K, so each is a product of some columns of a with some rows of b. */
function raggedDepthMatmul(args: readonly unknown[]): Tensor {
  const name = 'groupedMatmul'
  const { a, b, offsets, ...given } = takeArguments(name, depthSignature, args)
  const [left, right, ends] = [
    requireTensor(name, a, 'a'),
    requireTensor(name, b, 'b'),
    requireTensor(name, offsets, 'offsets'),
  ]
  return applyOp(raggedRecords.groupedDepthMatmul, [
    left,
    right,
    ends,
    { outDtype: outDtypeOf(name, given.outDtype) },
  ])[0]!
}

/** The list form: several independent matmuls in one launch. */
function matmulList(args: readonly unknown[]): Tensor[] {
  const { strategy, ...given } = takeArguments('groupedMatmul', groupedSignature, args)
  if (!Array.isArray(given.groups) || given.groups.length === 0)
    throw new ArgumentError('groupedMatmul: no groups', { fix: 'pass a list of { a, b, out }' })
  const groups = Array.from(given.groups as readonly MatmulGroup[]) // each element is checked below, holes too
  const outDtype = outDtypeOf('groupedMatmul', given.outDtype)
  const calls = groups.map((group, i) => checkGroup(group, i, outDtype))
  checkOuts(groups)
  checkMemory(groups)
  const outs = groups.map(({ out }) => out ?? null)
  return [...applyInto(quantRecords.groupedMatmul, [calls, strategy], outs)]
}

// --- checks ----------------------------------------------------------------------------------------------------------------

function checkGroup(group: MatmulGroup, index: number, outDtype: TensorDtype | null): GroupedMatmulCall {
  const name = `groupedMatmul: group ${index}`
  if (typeof group !== 'object' || group === null)
    throw new ArgumentError(`${name} is not an object: ${describeAny(group)}`, { fix: 'pass { a, b, out }' })
  checkOptions(name, group, ['a', 'b', 'out'])
  const out = group.out === undefined ? null : requireTensor(name, group.out, 'out')
  if (out !== null && !isFloat(out.dtype))
    throw new DtypeError(`${name}: out is ${out.dtype}, not a float`, { fix: 'make it f32, f16 or bf16' })
  const [a, b] = [operandOf(name, 'a', group.a), operandOf(name, 'b', group.b)]
  return { a, b, outDtype: out === null ? outDtype : (out.dtype as TensorDtype) }
}

/** Checks the outs. The op itself checks the operands, before anything is written. */
function checkOuts(groups: readonly MatmulGroup[]): void {
  for (const [i, { a, b, out }] of groups.entries()) {
    const name = `groupedMatmul: group ${i}`
    const wanted = matmulShape(name, sizesOf(a), sizesOf(b))
    if (out === undefined || wanted === null) continue
    const what = (): string => `${name}: out is ${printShape(out.sizes)}, the product ${printShape(wanted)}`
    const fix = `make it ${printShape(wanted)}`
    if (out.ndim !== wanted.length) throw new ShapeError(what(), { fix })
    wanted.forEach((size, d) => {
      requireEqual(out.sizes[d]!, size, what, fix)
    })
    const { device } = isQuantized(a) ? a.values : a
    if (out.device !== device)
      throw new DeviceError(`${name}: out is on ${out.device}, a on ${device}`, { fix: `move it: out.to('${device}')` })
  }
}

/** [… , rows, K] of an operand; K counts bytes if bytes hold several elements. */
const sizesOf = (operand: Tensor | QuantizedTensor): Shape =>
  isQuantized(operand) ? operand.values.sizes : operand.sizes

/** The shape of the product of a [… , M, K] and b [… , N, K]; null if they do not have these forms. */
function matmulShape(name: string, a: Shape, b: Shape): Shape | null {
  if (a.length === 0 || b.length < 2) return null
  const columns = b.at(-2)!
  if (b.length === 2) return [...a.slice(0, -1), columns]
  const batch = broadcastShapes(name, [a.slice(0, -2), b.slice(0, -2)])
  return a.length === 1 ? [...batch, columns] : [...batch, a.at(-2)!, columns]
}

/** The range of memory that a tensor spans (during a capture, in the captured call); null for an empty one. */
interface Reach {
  readonly storage: object
  readonly layout: Layout
  readonly item: number
}

function reachedBy(tensor: Tensor): Reach | null {
  const item = itemBytes(tensor.dtype)
  const tracer = currentTracer()
  const { owner, layout } = tracer === null ? { owner: tensor.source, layout: tensor.layout } : tracer.memoryOf(tensor)
  return layout.shape.includes(0) ? null : { storage: owner, layout, item }
}

/** Exact if both have elements of one size. */
function overlap(a: Reach, b: Reach): boolean {
  if (a.storage !== b.storage) return false
  if (a.item === b.item) return layoutsOverlap(a.layout, b.layout)
  const [from, to] = reachOf(a.layout).map(element => element * a.item) as [number, number]
  const [first, end] = reachOf(b.layout).map(element => element * b.item) as [number, number]
  return from < end && first < to
}

const tensorsOf = (operand: Tensor | QuantizedTensor): Tensor[] => {
  if (!isQuantized(operand)) return [operand]
  const { values, scales, tensorScale } = operand
  return [values, scales, tensorScale].filter(each => each instanceof Tensor)
}

/** Outputs must not alias anything else, because groups may run in any order or concurrently. */
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
