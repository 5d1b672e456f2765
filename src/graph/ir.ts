/**
 * The graph IR: a function on whole tensors as a DAG of primitives. User-level ops (ops/) are records that build themselves
 * from these. Shapes may be symbolic. Everything is pure: in-place ops become write-backs of the graph. Control flow
 * (`cond`, `loop`) is pure too, but is listed in its block's body, as any node with blocks.
 */
import { VerifyError } from '../base/errors.js'
import { Builder } from '../ir/builder.js'
import type { Attrs, Block, Dialect, NodeOf, OpRule } from '../ir/node.js'
import {
  accepts,
  isArgReduction,
  type ReductionName,
  resultDtype,
  type ScalarOpName,
  type ScanName,
  scalarOp,
} from '../scalar/ops.js'
import { addSizes, exactQuotient, mulSizes, productOf, rangeOf, type Size, sameSize, subSizes } from '../scalar/size.js'
import { computeDtype, type Dtype, type Float8 } from '../types/dtype.js'
import type { GraphKernel, LaunchArguments } from './kernel.js'
import { dilatedSize, type Windows, windowsIn } from './windows.js'

export type Shape = readonly Size[]

export interface TensorType {
  readonly kind: 'tensor'
  readonly dtype: Dtype
  readonly shape: Shape
}
export interface TupleType {
  readonly kind: 'tuple'
  readonly items: readonly TensorType[]
}
export type Type = TensorType | TupleType

/** What `scatter` does to the element that is there. */
export type ScatterFold = 'set' | 'add' | 'mul' | 'min' | 'max'

/** How independent matmuls of one call are launched; `auto`: as a cost model chooses. */
export const groupStrategies = ['auto', 'sequential', 'streams', 'graph', 'persistent'] as const
/** How the matmuls of a group are launched: see `GroupedMatmulOptions.strategy`. */
export type GroupStrategy = (typeof groupStrategies)[number]

/** Marks a matmul as part of a `groupedMatmul`: members share `id`. It affects how they are launched, never their values. */
export type GroupMember = { readonly id: string; readonly member: number; readonly strategy: GroupStrategy }

/** How attention weighs its values: see `attention` in GraphOps. */
type ScoreAttrs = {
  readonly causal: boolean
  readonly scale: number
  readonly fullyMasked: 'zero' | 'nan'
  readonly accumulate: 'f32' | 'f64'
  readonly to: Dtype
  readonly precision?: 'tf32'
  readonly dropout?: number
}

export interface GraphOps {
  /** An argument with its strides in elements; its buffer and offset are given at each call. */
  input: {
    readonly index: number
    readonly name: string
    readonly dtype: Dtype
    readonly shape: Shape
    readonly strides: readonly Size[]
  }
  /** A 0-d value given at each call: a number argument, a random seed. */
  scalarInput: { readonly index: number; readonly name: string; readonly dtype: Dtype }
  /** A 0-d constant (bigint for i64). */
  constant: { readonly dtype: Dtype; readonly value: number | bigint }
  /** A run-time size as a 0-d i64. */
  size: { readonly size: Size }
  /** 0, 1, … length−1. */
  iota: { readonly length: Size; readonly dtype: Dtype }
  /** A scalar op elementwise on tensors of one dtype and one shape (`where`: a bool condition first). */
  map: { readonly fn: ScalarOpName }
  /** As scalar/ops `castValue`: floats to integers truncate, anything to bool is `!= 0`. */
  cast: { readonly to: Dtype }
  /** Same bits, another dtype of the same width. */
  bitcast: { readonly to: Dtype }
  /**
   * The same values in memory of their own: a result that is a copy never aliases an input or another result. Copies of
   * one value with different `memory` are different memory.
   */
  copy: { readonly memory?: number }
  permute: { readonly dims: readonly number[] }
  /** Dims of size 1 expand; missing leading dims are added. */
  expand: { readonly shape: Shape }
  /** Same elements in row-major order. */
  reshape: { readonly shape: Shape }
  /** Per dim: element starts[d] + i·steps[d] for i < sizes[d]. A negative step walks back (flip). All inside bounds. */
  slice: { readonly starts: readonly Size[]; readonly steps: readonly number[]; readonly sizes: Shape }
  /**
   * Any view that maps indices linearly: input index d is starts[d] + Σ factors[d][o] · index[o] over the result's dims o.
   * For overlapping windows and diagonals. All in bounds; no factor is negative.
   */
  affine: {
    readonly shape: Shape
    readonly starts: readonly number[]
    readonly factors: readonly (readonly number[])[]
  }
  /** Pads dim d with before[d] and after[d] elements of `value`; neither is negative. */
  pad: { readonly before: readonly number[]; readonly after: readonly number[]; readonly value: number | bigint }
  /**
   * Reduces over the dims (ascending, distinct; none: the identity) and drops them. argmin/argmax: exactly one dim, gives
   * i64; NaN wins.
   */
  reduce: { readonly fn: ReductionName; readonly dims: readonly number[] }
  /** Running fold along a dim, inclusive. */
  scan: { readonly fn: ScanName; readonly dim: number; readonly reverse: boolean }
  /**
   * [B…, M, K] · [B…, K, N] → [B…, M, N], equal batch dims; accumulated in `accumulate`, rounded once to `to`. `codes`: the
   * operands are u8 codes of these 8-bit floats, accumulated in f32. `precision`: f32 operands may be rounded to tf32.
   */
  matmul: {
    readonly accumulate: 'f32' | 'f64' | 'i32' | 'i64'
    readonly to: Dtype
    readonly codes?: readonly [Float8, Float8]
    readonly precision?: 'tf32'
    readonly grouped?: GroupMember
  }
  /**
   * (x [N, C, X…], weight [O, C / groups, K…], maybe bias [O] of `accumulate`), 1 to 3 spatial dims: the cross-correlation
   * [N, O, Y…]. Accumulated in `accumulate` with the bias, rounded once to `to`. Per spatial dim: x is dilated by
   * inputDilation (zeros inserted between its elements), then padded with zeros (negative `padding` crops). Windows start
   * every `stride` elements; their taps are `dilation` apart. Inserted zeros are multiplied like other elements.
   */
  conv: {
    readonly stride: readonly number[]
    readonly padding: readonly (readonly [before: Size, after: Size])[]
    readonly dilation: readonly number[]
    readonly inputDilation: readonly number[]
    readonly groups: number
    readonly accumulate: 'f32' | 'f64'
    readonly to: Dtype
  }
  /**
   * (x [N, X…, G, C], weight [G, O, K…, C]), 1 to 3 spatial dims: the cross-correlation of G groups of channels, which are
   * last, [N, Y…, G, O]. As `conv`, without dilation of x.
   */
  convLast: {
    readonly stride: readonly number[]
    readonly padding: readonly (readonly [before: number, after: number])[]
    readonly dilation: readonly number[]
    readonly accumulate: 'f32'
    readonly to: Dtype
    readonly precision?: 'tf32'
  }
  /**
   * (x [N, X…, G, C], g [N, Y…, G, O]): what gradients of `convLast`'s result mean for its weight, [G, O, K…, C]: the
   * sums, over images and places, of g times the element of x that the tap of that place is on. The last windows of x may
   * have no gradient.
   */
  convWeight: GraphOps['convLast'] & { readonly kernel: readonly number[] }
  /**
   * (x [N, C, X…]), 1 to 3 spatial dims: the largest elements of windows, and where each is, as a tuple: values [N, C, Y…] of
   * x's dtype, and the number of the element in its window, in row-major order (u8; i32 in windows of more than 256). The
   * first of equal ones; NaN is the largest. Padding never counts. Windows as of `conv`. Of a window without elements: −∞, or the
   * least integer, and any number.
   */
  maxPool: Windows
  /**
   * (x, maybe weight): folds windows of x, in each of its dims `kernel[d]` elements, `dilation[d]` apart; windows start every
   * `stride[d]` elements. Elements outside, of which there are `padding[d]` on each side, count as `value`. The weight, by
   * which elements are multiplied first, has the kernel's shape, but for x's size in the dim `channel`, along which each
   * element has its own. Folded in `accumulate`. `places` (without weight; fn is max, value −∞): gives the tuple of `maxPool`; the
   * first `places[d]` elements of dim d are padding, which never counts.
   */
  foldWindows: {
    readonly fn: 'add' | 'max' | 'min'
    readonly kernel: readonly number[]
    readonly stride: readonly number[]
    readonly padding: readonly (readonly [before: number, after: number])[]
    readonly dilation: readonly number[]
    readonly value: number
    readonly channel: number | null
    readonly accumulate: 'f32'
    readonly places?: readonly number[]
  }
  /**
   * (ends [E] i32 or i64, group [T] i64): gives `group` unchanged. It asserts that group[t] is the number of ends ≤ t
   * (after a running maximum over the ends), minus `skip`, so that a kernel can read the few ends instead of a group per
   * row.
   */
  groupOf: { readonly skip: 0 | 1 }
  /**
   * (a [T, K], b [G, K, N], groupOf [T]): grouped GEMM: row t times matrix groupOf[t] of b; 0 where there is no such
   * matrix. `along` depth: (a [M, K], b [K, N], groupOf [K] of G ends) gives [G, M, N]: result g sums over the k of group
   * g; 0 for an empty group. Other attributes as for matmul.
   */
  raggedMatmul: {
    readonly along?: 'depth'
    readonly accumulate: 'f32'
    readonly to: Dtype
    readonly codes?: readonly [Float8, Float8]
    readonly precision?: 'tf32'
  }
  /**
   * (q [B…, L, E], k [B…, S, E], v [B…, S, V], maybe mask [B…, L, S], with `dropout` seed and offset): softmax(scale ·
   * q·kᵀ) · v, [B…, L, V] in `to`. A bool mask hides the keys where it is false; a mask of dtype `accumulate` is added to
   * the scores. `causal`: row i sees keys 0 … i. `fullyMasked`: the result of a row that sees no key, also where all its
   * scores are −∞. Whether a hidden key's value is multiplied by 0 or skipped is unspecified. `precision`: as for matmul.
   * `dropout`: after the softmax each weight becomes 0 with this probability, and the others are divided by 1 − dropout;
   * seed and offset (0-d i64) give the draws of `random` in f32 of the scores' shape [B…, L, S]. `lse`: gives a tuple,
   * whose second item is the log-sum-exp of each row's scores (scale and mask included), [B…, L] in `accumulate`; −∞ for
   * fully masked rows.
   */
  attention: ScoreAttrs & { readonly lse?: true }
  /**
   * (q, k, v as of `attention`, lse [B…, L], g [B…, L, V] of q's dtype, inner [B…, L], maybe mask, with `dropout` seed and
   * offset): with the weights P = e^(scores − lse) and dS = P ∘ (dropped(g · vᵀ) − inner), which are never stored, the
   * gradient of an attention's query, scale · dS · k [B…, L, E], or (`keys`) the tuple of its key's, scale · dSᵀ · q
   * [B…, S, E], and its value's, dropped(P)ᵀ · g [B…, S, V]. `dropped` zeroes and scales as `dropout` does the weights. lse
   * and inner are of `accumulate`. A row whose lse is −∞ has weights of 0, or NaN, as `fullyMasked` says. Other attributes
   * as for attention.
   */
  attentionGradient: ScoreAttrs & { readonly wrt: 'query' | 'keys' }
  /** Concatenates along a dim; all other dims are equal. */
  cat: { readonly dim: number }
  /** (source, index): source's element at index[i…] along dim; shapes equal but for dim. Negative or too large: 0. */
  gather: { readonly dim: number }
  /**
   * (self, index, source): self with source's elements written at index[i…] along dim, in order: replacing what is there
   * (`set`) or folded into it. index and source have one shape, self's but for dim. Outside: dropped. `inOrder`: also where
   * another order would change a sum's last bits only. `distinct`: no two elements are for the same place; assumed: if some are,
   * any of them may be written where results may depend on an order. (The scheduler sets the others.)
   */
  scatter: {
    readonly dim: number
    readonly fold: ScatterFold
    readonly inOrder?: true
    readonly distinct?: true | 'assumed'
  }
  /** Stable sort along a dim: (values, i64 indices). NaN counts as largest. */
  sort: { readonly dim: number; readonly descending: boolean }
  /** The k largest (smallest) along a dim, best first, first occurrence first: (values, i64 indices). */
  topk: { readonly dim: number; readonly k: number; readonly largest: boolean }
  /**
   * (self, i64 positions inside the rows, `positions` of them along dim): the elements at these positions of each row's stable
   * ascending order: (values, i64 indices). NaN counts as largest.
   */
  nth: { readonly dim: number; readonly positions: number }
  /**
   * (seed, offset: 0-d i64): Philox-4x32-10 uniforms in [0, 1), f32 (24 bits) or f64 (53 bits); element i uses counter
   * offset + i (scalar/philox.ts).
   */
  random: { readonly shape: Shape; readonly dtype: 'f32' | 'f64' }
  /**
   * A user's kernel on its inputs, none of which alias: gives the tuple of the new values of the inputs in `writes`
   * (indices, ascending). One input may be several arguments: the very same view. Inputs in `overwritten` are written
   * completely and never read, so their old contents do not matter.
   */
  launch: LaunchArguments & {
    readonly kernel: GraphKernel
    readonly grid: readonly [Size, Size, Size]
  }
  /**
   * (operands…, results…): the results, computed from the operands by a composed op; several as a tuple. Marks the nodes
   * between the two as a call of the op `name` with `attrs`, so that what is known of the op as a whole, such as its
   * gradient, can be used. Inlined before any rewriting.
   */
  region: { readonly name: string; readonly attrs: Attrs; readonly operands: number }
  /** Its input, through which no gradient flows. Removed once gradients are expanded. */
  detach: Record<never, never>
  /**
   * (x, after…): x, as a value of its own: what is computed from it is never merged with what is computed from x. It is computed
   * when `after` is, not before. What is recomputed for a gradient reads fences of what was kept, after the gradient of the
   * result. With nothing to wait for it goes once gradients are expanded.
   */
  fence: Record<never, never>
  /**
   * Its input, as a value of its own: derivatives by it are none by the input, which other values may use as well. Gradients
   * flow on to the input. Removed once gradients are expanded.
   */
  variable: {
    /**
     * What it stands for, so that numbers of one kind need not avoid those of another: a tensor of the traced function by which
     * gradients are asked for · a result of one of several calls alike · the gradient that a backward pass starts from · what a
     * derivative's rule puts other values for.
     */
    readonly of: 'function' | 'result' | 'seed' | 'standIn'
    /** Tells variables of one value apart. */
    readonly index: number
  }
  /**
   * (operands…, results…, values…, cotangents…, gradients…): the results, several as a tuple, whose gradients are given:
   * those of the operands where `given` says so, none elsewhere. They are formulas in which variables stand for the results
   * (`values`) and for their gradients (`cotangents`), one each. Removed once gradients are expanded.
   */
  custom: {
    readonly name: string
    readonly results: number
    /** One per operand. */
    readonly given: readonly boolean[]
  }
  /**
   * (roots…, cotangents…, wrt…): the tuple of the gradients of Σ roots · cotangents with respect to the last inputs, each of
   * its input's type; zeros where none flows. There are as many cotangents as roots, of their types. Expanded to primitives
   * by the derivatives of what stands between (derivatives/).
   */
  gradient: { readonly roots: number }
  /**
   * (predicate: 0-d bool, operands…): the results, as a tuple, of the first of two blocks if the predicate holds, else of
   * the second. Only the chosen block runs. Blocks are closed: their params are `input` nodes, one per operand in row-major
   * memory, and they use nothing else from outside. Both give tensors of the same types.
   */
  cond: Record<never, never>
  /**
   * (carried…, invariants…): two closed blocks on these operands. While the first (the condition: a 0-d bool) holds, the
   * second (the body) computes new carried values of the same types; gives the last ones as a tuple.
   */
  loop: { readonly carried: number }
  /**
   * (carried…, sequences…, invariants…): a closed block, repeated for each index along dim 0 of the sequences, the last one
   * first if `reverse`. It gets the carried values, the elements of the sequences at that index, and the invariants, and gives
   * the next carried values and elements of results. Gives the last carried values, and the results along a new dim 0, as a
   * tuple. Of nodes of the same inputs, one whose `body` begins with another's gives the same and more.
   */
  steps: StepsAttrs & { readonly body: string }
  /** One of a tuple's tensors. */
  item: { readonly index: number }
}

/** The inputs of a loop over the elements of sequences. */
export interface StepsAttrs {
  readonly carried: number
  readonly sequences: number
  readonly reverse: boolean
}

export type GraphNode = NodeOf<GraphOps, Type>
export type GraphBlock = Block<GraphNode>
export type GraphOpName = keyof GraphOps

/** Where a write-back goes: the argument whose memory an in-place op changed, and the part of it. */
export interface WriteBack {
  /** Index among the graph's inputs. */
  readonly input: number
  /** Index among the block's results. */
  readonly result: number
  /** The part written, in elements relative to the input's first element. */
  readonly offset: Size
  readonly shape: Shape
  readonly strides: readonly Size[]
}

/**
 * A run-time size, read at each call: a dim's size or stride of tensor input `input`, or (`value`) the scalar input of
 * that index itself.
 */
export interface SizeSymbol {
  readonly name: string
  readonly input: number
  readonly kind: 'size' | 'stride' | 'value'
  readonly dim: number
  /** The sizes that the graph is valid for (both included); absent: all above 1. */
  readonly bucket?: { readonly min: number; readonly max: number }
  /**
   * The dim's size is `divisor` · symbol + `rest` in every call that the graph is valid for. Absent: it is the symbol
   * itself.
   */
  readonly unit?: { readonly divisor: number; readonly rest: number }
}

/** The symbol's value for a dim of size `size`; NaN: the graph is not valid for that size. */
export function symbolValue({ unit }: Pick<SizeSymbol, 'unit'>, size: number): number {
  if (unit === undefined) return size
  const value = (size - unit.rest) / unit.divisor
  return Number.isInteger(value) ? value : Number.NaN
}

/**
 * A function on tensors. `body.params` are its `input` nodes in order of index, then its `scalarInput` nodes in order of
 * index; results: outputs first, then write-backs' values.
 */
export interface Graph {
  readonly body: GraphBlock
  readonly outputs: number
  readonly writeBacks: readonly WriteBack[]
  readonly symbols: readonly SizeSymbol[]
  /** Matmuls of f32 may round their operands to tf32 where that is faster on the device. Absent: no rounding. */
  readonly float32Matmul?: 'tf32'
  /** Results are the same bits in every run. Absent: where a device adds faster in any order, float sums may differ. */
  readonly deterministic?: true
}

/** Copies the shape: users can see it, and may change the array that they passed. */
export const tensorType = (dtype: Dtype, shape: Shape): TensorType => ({
  kind: 'tensor',
  dtype,
  shape: Object.isFrozen(shape) ? shape : Object.freeze(shape.slice()),
})

export function typeOf(node: GraphNode): TensorType {
  if (node.type.kind === 'tensor') return node.type
  throw new VerifyError(`graph: ${node.op} gives ${printType(node.type)} where one tensor is needed`, {
    at: node.origin.at,
  })
}

export function printType(type: Type): string {
  return type.kind === 'tensor'
    ? `${type.dtype}[${type.shape.join(', ')}]`
    : `(${type.items.map(printType).join(', ')})`
}

function need(condition: boolean, problem: () => string): void {
  if (!condition) throw new VerifyError(`graph: ${problem()}`)
}

/** Whether two sizes agree: equal numbers, or the same symbolic formula. */
const agree = (a: Size, b: Size): boolean => (typeof a === 'number' && typeof b === 'number' ? a === b : sameSize(a, b))
const agreeing = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((size, d) => agree(size, b[d]!))

type Infer<Op extends GraphOpName> = (
  inputs: readonly TensorType[],
  attrs: GraphOps[Op],
  nodes: readonly GraphNode[],
) => Type
/**
 * What a primitive is to those who compute it:
 *
 * input        memory that exists already
 * scalar       a 0-d value
 * view         its input's elements under another index
 * pointwise    one scalar op per element of its inputs, at the same index
 * computed     any other value that loops compute element by element
 * contraction  a template's; elementwise work on its result may fuse with it
 * rows         a template's that processes rows along a dim
 * update       its first input in memory of its own, elements of which are then changed
 * parts        tensors concatenated in memory
 * launch       a user's kernel
 * control      control flow: its blocks are graphs of their own
 * expanded     replaced by other primitives before scheduling (passes/)
 * item         one result of several
 */
export type PrimitiveRole = Primitives[GraphOpName]['role']

type PrimitiveRule<Role extends string> = OpRule<GraphNode> & { readonly role: Role }

const ruleOf =
  <Role extends string>(role: Role) =>
  <Op extends GraphOpName>(infer: Infer<Op>): PrimitiveRule<Role> => ({
    role,
    effect: 'pure',
    infer: (inputs, attrs) => infer(inputs.map(typeOf), attrs as unknown as GraphOps[Op], inputs),
  })

const scalar = ruleOf('scalar')
const view = ruleOf('view')
const pointwise = ruleOf('pointwise')
const computed = ruleOf('computed')
const contraction = ruleOf('contraction')
const rows = ruleOf('rows')
const expanded = ruleOf('expanded')

/** The type of an elementwise op. Throws VerifyError when operands differ or the op does not take their dtype. */
function inferMap(types: readonly TensorType[], fn: ScalarOpName): TensorType {
  need(types.length === scalarOp(fn).arity, () => `${fn} takes ${scalarOp(fn).arity} operands, not ${types.length}`)
  const operands = fn === 'where' ? types.slice(1) : types
  const [first] = operands as [TensorType]
  if (fn === 'where') need(types[0]!.dtype === 'bool', () => `where: the condition is ${types[0]!.dtype}, not bool`)
  for (const type of types)
    need(agreeing(type.shape, first.shape), () => `${fn}: shapes ${types.map(printType).join(' and ')} differ`)
  for (const type of operands)
    need(type.dtype === first.dtype, () => `${fn}: dtypes ${types.map(printType).join(' and ')} differ`)
  need(accepts(fn, first.dtype), () => `${fn} is not defined on ${first.dtype}`)
  need(
    computeDtype(first.dtype) === first.dtype,
    () => `${fn}: ${first.dtype} is a storage format; cast to ${computeDtype(first.dtype)} first`,
  )
  return tensorType(resultDtype(fn, first.dtype), first.shape)
}

function inferExpand(from: TensorType, shape: Shape): TensorType {
  const lead = shape.length - from.shape.length
  need(
    lead >= 0 && from.shape.every((size, d) => size === 1 || agree(size, shape[lead + d]!)),
    () => `expand: ${printType(from)} to [${shape.join(', ')}]`,
  )
  return tensorType(from.dtype, shape)
}

function inferReshape(from: TensorType, shape: Shape): TensorType {
  const [before, after] = [productOf(from.shape), productOf(shape)]
  need(
    typeof before !== 'number' || typeof after !== 'number' || before === after,
    () => `reshape: ${printType(from)} to [${shape.join(', ')}]`,
  )
  return tensorType(from.dtype, shape)
}

function inferAffine(from: TensorType, { shape, starts, factors }: GraphOps['affine']): TensorType {
  const rank = from.shape.length
  const fits =
    starts.length === rank &&
    factors.length === rank &&
    factors.every(row => row.length === shape.length && row.every(factor => Number.isInteger(factor) && factor >= 0))
  need(fits, () => `affine: ${printType(from)} to [${shape.join(', ')}]`)
  return tensorType(from.dtype, shape)
}

/** The type of a padding. */
function inferPad(from: TensorType, { before, after }: GraphOps['pad']): TensorType {
  const rank = from.shape.length
  const counts = [...before, ...after]
  const fits = before.length === rank && after.length === rank
  need(
    fits && counts.every(count => Number.isInteger(count) && count >= 0),
    () => `pad: ${printType(from)} by [${before.join(', ')}] and [${after.join(', ')}]`,
  )
  return tensorType(
    from.dtype,
    from.shape.map((size, d) => addSizes(size, before[d]! + after[d]!)),
  )
}

/** The type of a matmul [… , M, K] · [… , K, N]. */
function inferMatmul([a, b]: readonly TensorType[], { accumulate, to, codes }: GraphOps['matmul']): TensorType {
  const rank = a!.shape.length
  const fits =
    rank >= 2 &&
    b!.shape.length === rank &&
    a!.shape.slice(0, -2).every((size, d) => agree(size, b!.shape[d]!)) &&
    agree(a!.shape[rank - 1]!, b!.shape[rank - 2]!)
  need(fits, () => `matmul: ${printType(a!)} · ${printType(b!)}`)
  need(a!.dtype === b!.dtype, () => `matmul: dtypes ${a!.dtype} and ${b!.dtype} differ`)
  const isCodes = a!.dtype === 'u8' && accumulate === 'f32'
  need(
    codes === undefined || isCodes,
    () => `matmul: codes are u8 with sums in f32, not ${printType(a!)}, ${accumulate}`,
  )
  return tensorType(to, [...a!.shape.slice(0, -1), b!.shape[rank - 1]!])
}

const isPositive = (value: number): boolean => Number.isInteger(value) && value >= 1
/** Padding must have a known sign: it either adds zeros or crops. */
const isSigned = (size: Size): boolean => rangeOf(size).min >= 0 || rangeOf(size).max <= 0

/** The type of a convolution with one to three spatial dims. */
function inferConv(types: readonly TensorType[], attrs: GraphOps['conv']): TensorType {
  const [x, weight, bias] = types as [TensorType, TensorType, TensorType?]
  const { stride, padding, dilation, inputDilation, groups, accumulate, to } = attrs
  const refuse = (problem: string) => (): string => `conv: ${types.map(printType).join(', ')}: ${problem}`
  const count = stride.length
  need([1, 2, 3].includes(count), refuse(`${count} spatial dims, not 1 to 3`))
  need(x.shape.length === count + 2 && weight.shape.length === count + 2, refuse(`not of ${count} spatial dims`))
  for (const list of [stride, dilation, inputDilation])
    need(list.length === count && list.every(isPositive), refuse(`strides or dilations [${list.join(', ')}]`))
  const areSides = padding.length === count && padding.every(sides => sides.length === 2 && sides.every(isSigned))
  need(areSides, refuse(`padding [${padding.map(sides => `[${sides.join(', ')}]`).join(', ')}]`))
  need(isPositive(groups), refuse(`${groups} groups`))
  need(x.dtype === weight.dtype && computeDtype(x.dtype) === accumulate, refuse(`dtypes, with sums in ${accumulate}`))
  const [outputs, inner, ...kernel] = weight.shape as [Size, Size, ...Size[]]
  need(agree(x.shape[1]!, mulSizes(inner, groups)), refuse(`${x.shape[1]} channels for ${inner} · ${groups} groups`))
  need(exactQuotient(outputs, groups) !== null, refuse(`${outputs} output channels in ${groups} groups`))
  if (bias !== undefined) need(agreeing(bias.shape, [outputs]) && bias.dtype === accumulate, refuse('the bias'))
  const places = kernel.map((size, d) => {
    const padded = addSizes(dilatedSize(x.shape[2 + d]!, inputDilation[d]!), addSizes(...padding[d]!))
    const windows = windowsIn(padded, { size, step: stride[d]!, dilation: dilation[d]! })
    need(typeof windows !== 'number' || windows >= 1, refuse(`no window fits spatial dim ${d}`))
    return windows
  })
  return tensorType(to, [x.shape[0]!, outputs, ...places])
}

/** The type of a convolution whose channels are last. */
function inferConvLast([x, weight]: readonly TensorType[], attrs: GraphOps['convLast']): TensorType {
  const { stride, padding, dilation, accumulate, to } = attrs
  const refuse = (problem: string) => (): string => `convLast: ${printType(x!)}, ${printType(weight!)}: ${problem}`
  const count = stride.length
  need(x!.shape.length === count + 3 && weight!.shape.length === count + 3, refuse(`not of ${count} spatial dims`))
  for (const list of [stride, dilation])
    need(list.every(isPositive), refuse(`strides or dilations [${list.join(', ')}]`))
  need(
    x!.dtype === weight!.dtype && computeDtype(x!.dtype) === accumulate,
    refuse(`dtypes, with sums in ${accumulate}`),
  )
  const [groups, outputs, ...taps] = weight!.shape as [Size, Size, ...Size[]]
  need(agreeing(x!.shape.slice(-2), [groups, taps.at(-1)!]), refuse('groups or channels'))
  const places = padding.map((sides, d) => {
    need(
      sides.every(size => size >= 0),
      refuse(`padding [${sides.join(', ')}]`),
    )
    const padded = addSizes(x!.shape[1 + d]!, sides[0] + sides[1])
    return windowsIn(padded, { size: taps[d]!, step: stride[d]!, dilation: dilation[d]! })
  })
  return tensorType(to, [x!.shape[0]!, ...places, groups, outputs])
}

/** The type of the gradient of a weight whose channels are last. */
function inferConvWeight([x, g]: readonly TensorType[], attrs: GraphOps['convWeight']): TensorType {
  const { kernel, stride, padding, dilation, accumulate, to } = attrs
  const refuse = (problem: string) => (): string => `convWeight: ${printType(x!)}, ${printType(g!)}: ${problem}`
  const count = kernel.length
  need(x!.shape.length === count + 3 && g!.shape.length === count + 3, refuse(`not of ${count} spatial dims`))
  for (const list of [kernel, stride, dilation])
    need(list.length === count && list.every(isPositive), refuse(`kernel, strides or dilations [${list.join(', ')}]`))
  need(x!.dtype === g!.dtype && computeDtype(x!.dtype) === accumulate, refuse(`dtypes, with sums in ${accumulate}`))
  for (const [d, sides] of padding.entries()) {
    need(
      sides.every(size => size >= 0),
      refuse(`padding [${sides.join(', ')}]`),
    )
    const padded = addSizes(x!.shape[1 + d]!, sides[0] + sides[1])
    const windows = windowsIn(padded, { size: kernel[d]!, step: stride[d]!, dilation: dilation[d]! })
    need(rangeOf(subSizes(windows, g!.shape[1 + d]!)).min >= 0, refuse(`${windows} windows`))
  }
  const areAlike = agree(x!.shape[0]!, g!.shape[0]!) && agree(x!.shape.at(-2)!, g!.shape.at(-2)!)
  need(areAlike, refuse('images or groups'))
  return tensorType(to, [x!.shape.at(-2)!, g!.shape.at(-1)!, ...kernel, x!.shape.at(-1)!])
}

/** The dtype of numbers of elements in windows of this kernel. */
export const placeDtype = (kernel: readonly number[]): 'u8' | 'i32' =>
  kernel.reduce((a, b) => a * b, 1) > 256 ? 'i32' : 'u8'

function inferMaxPool(x: TensorType, { kernel, stride, padding, dilation }: GraphOps['maxPool']): TupleType {
  const refuse = (): string => `maxPool: ${printType(x)}: windows of [${kernel.join(', ')}]`
  const lists: readonly (readonly number[])[] = [kernel, stride, dilation]
  need(
    lists.every(list => list.length === x.shape.length - 2 && list.every(isPositive)) &&
      padding.every((sides, d) => sides.every(size => size >= 0 && size <= (kernel[d]! - 1) * dilation[d]!)),
    refuse,
  )
  const sizes = x.shape.slice(2).map((size, d) => {
    const [before, after] = padding[d]!
    return windowsIn(addSizes(size, before + after), { size: kernel[d]!, step: stride[d]!, dilation: dilation[d]! })
  })
  const shape = [...x.shape.slice(0, 2), ...sizes]
  return { kind: 'tuple', items: [tensorType(x.dtype, shape), tensorType(placeDtype(kernel), shape)] }
}

function inferFoldWindows([x, weight]: readonly TensorType[], attrs: GraphOps['foldWindows']): Type {
  const { kernel, stride, padding, dilation, channel, accumulate } = attrs
  const { shape, dtype } = x!
  const refuse = (problem: string) => (): string => `foldWindows: ${printType(x!)}: ${problem}`
  for (const list of [kernel, stride, dilation])
    need(list.length === shape.length && list.every(isPositive), refuse(`windows of [${list.join(', ')}]`))
  need(computeDtype(dtype) === accumulate, refuse(`folded in ${accumulate}`))
  if (weight !== undefined) {
    const expected = kernel.map((size, d) => (d === channel ? shape[d]! : size))
    need(agreeing(weight.shape, expected) && weight.dtype === dtype, refuse(`weight ${printType(weight)}`))
  }
  const places = shape.map((size, d) =>
    windowsIn(addSizes(size, padding[d]![0] + padding[d]![1]), {
      size: kernel[d]!,
      step: stride[d]!,
      dilation: dilation[d]!,
    }),
  )
  if (attrs.places === undefined) return tensorType(accumulate, places)
  need(weight === undefined && attrs.fn === 'max', refuse(`places of ${attrs.fn}`))
  return { kind: 'tuple', items: [tensorType(dtype, places), tensorType(placeDtype(kernel), places)] }
}

function inferGroupOf([ends, group]: readonly TensorType[]): TensorType {
  const areEnds = ends!.shape.length === 1 && (ends!.dtype === 'i32' || ends!.dtype === 'i64')
  need(
    areEnds && group!.shape.length === 1 && group!.dtype === 'i64',
    () => `groupOf: ends ${printType(ends!)}, groups ${printType(group!)}`,
  )
  return group!
}

/** The type of a ragged matmul over rows, or over K (`along`: 'depth'). */
function inferRagged(
  [a, b, group]: readonly TensorType[],
  { to, codes, along }: GraphOps['raggedMatmul'],
  nodes: readonly GraphNode[],
): TensorType {
  const [, , groups] = nodes as [GraphNode, GraphNode, GraphNode]
  const text = (): string => `raggedMatmul: ${[a!, b!, group!].map(printType).join(', ')}`
  need(a!.dtype === b!.dtype && (codes === undefined || a!.dtype === 'u8'), text)
  if (groups.op !== 'groupOf') throw new VerifyError(`graph: ${text()}: no groups`)
  if (along === 'depth') {
    need(a!.shape.length === 2 && b!.shape.length === 2 && agree(a!.shape[1]!, b!.shape[0]!), text)
    need(groups.attrs.skip === 0 && agree(a!.shape[1]!, group!.shape[0]!), text)
    return tensorType(to, [typeOf(groups.inputs[0]!).shape[0]!, a!.shape[0]!, b!.shape[1]!])
  }
  need(a!.shape.length === 2 && b!.shape.length === 3 && agree(a!.shape[1]!, b!.shape[1]!), text)
  need(agree(a!.shape[0]!, group!.shape[0]!), text)
  return tensorType(to, [a!.shape[0]!, b!.shape[2]!])
}

/** The inputs of attention by role. */
export function attentionInputs<T>(
  inputs: readonly T[],
  { dropout }: Pick<GraphOps['attention'], 'dropout'>,
): {
  readonly operands: readonly [q: T, k: T, v: T]
  readonly mask: T | null
  readonly random: readonly [T, T] | null
} {
  const [q, k, v, ...rest] = inputs as readonly [T, T, T, ...T[]]
  const random = dropout === undefined ? null : (rest.splice(-2) as [T, T])
  return { operands: [q, k, v], mask: rest[0] ?? null, random }
}

/** The type of an attention, with the log-sum-exp as a second result if `lse`. */
function inferAttention(inputs: readonly TensorType[], attrs: GraphOps['attention']): Type {
  const { accumulate, to, lse } = attrs
  const { operands, mask, random } = attentionInputs(inputs, attrs)
  const [q, k, v] = operands
  const types = mask === null ? operands : [...operands, mask]
  const text = (): string => `attention: ${inputs.map(printType).join(', ')}`
  const isState = ({ dtype, shape }: TensorType): boolean => dtype === 'i64' && shape.length === 0
  need(inputs.length === types.length + (random?.length ?? 0) && (random ?? []).every(isState), text)
  const lead = (type: TensorType): Shape => type.shape.slice(0, -2)
  const fits =
    q.shape.length >= 2 &&
    types.every(type => agreeing(lead(type), lead(q))) &&
    agree(q.shape.at(-1)!, k.shape.at(-1)!) &&
    agree(k.shape.at(-2)!, v.shape.at(-2)!)
  need(fits && q.dtype === k.dtype && k.dtype === v.dtype, text)
  const shape = [...q.shape.slice(0, -1), v.shape.at(-1)!]
  if (mask !== null) {
    const own = mask.shape.slice(-2)
    need(agree(own[0]!, q.shape.at(-2)!) && agree(own[1]!, k.shape.at(-2)!), text)
    need(mask.dtype === 'bool' || mask.dtype === accumulate, text)
  }
  const result = tensorType(to, shape)
  return lse ? { kind: 'tuple', items: [result, tensorType(accumulate, shape.slice(0, -1))] } : result
}

/** The inputs of attentionGradient by role. */
export function attentionGradientInputs<T>(
  inputs: readonly T[],
  attrs: Pick<GraphOps['attentionGradient'], 'dropout'>,
): {
  readonly operands: readonly [q: T, k: T, v: T]
  readonly lse: T
  readonly g: T
  readonly inner: T
  readonly mask: T | null
  readonly random: readonly [T, T] | null
} {
  const [q, k, v, lse, g, inner, ...rest] = inputs as readonly [T, T, T, T, T, T, ...T[]]
  const { mask, random } = attentionInputs([q, k, v, ...rest], attrs)
  return { operands: [q, k, v], lse, g, inner, mask, random }
}

/** The type of an attention's gradient: of the query, or of key and value. */
function inferAttentionGradient(inputs: readonly TensorType[], attrs: GraphOps['attentionGradient']): Type {
  const { wrt, accumulate, to } = attrs
  const [q, k, v, lse, g, inner, ...rest] = inputs
  const text = (): string => `attentionGradient: ${inputs.map(printType).join(', ')}`
  need(q !== undefined && k !== undefined && v !== undefined && lse !== undefined, text)
  const result = inferAttention([q!, k!, v!, ...rest], { ...attrs, lse: true }) as TupleType
  const fits = (own: TensorType | undefined, shape: Shape, dtype: Dtype): boolean =>
    own !== undefined && own.dtype === dtype && agreeing(own.shape, shape)
  const [out, rows] = result.items as readonly [TensorType, TensorType]
  need(fits(lse, rows.shape, accumulate) && fits(inner, rows.shape, accumulate) && fits(g, out.shape, q!.dtype), text)
  if (wrt === 'query') return tensorType(to, q!.shape)
  return { kind: 'tuple', items: [tensorType(to, k!.shape), tensorType(to, v!.shape)] }
}

function inferGradient(types: readonly TensorType[], { roots }: GraphOps['gradient']): Type {
  const [outputs, cotangents] = [types.slice(0, roots), types.slice(roots, 2 * roots)]
  const items = types.slice(2 * roots)
  need(
    roots > 0 && items.length > 0 && agreeingTypes(outputs, cotangents),
    () => `gradient: ${printTypes(types)} of ${roots}`,
  )
  return { kind: 'tuple', items }
}

/** The type of a concatenation. */
function inferCat(types: readonly TensorType[], dim: number): TensorType {
  const [first] = types as [TensorType]
  for (const type of types) {
    const fits =
      type.dtype === first.dtype &&
      type.shape.length === first.shape.length &&
      type.shape.every((size, d) => d === dim || agree(size, first.shape[d]!))
    need(fits, () => `cat: ${types.map(printType).join(', ')} along ${dim}`)
  }
  const total = types.map(type => type.shape[dim]!).reduce(addSizes)
  return tensorType(
    first.dtype,
    first.shape.map((size, d) => (d === dim ? total : size)),
  )
}

/** The type of a reduction; the dims are dropped. */
function inferReduce(from: TensorType, fn: ReductionName, dims: readonly number[]): TensorType {
  need(
    dims.every((dim, i) => dim >= 0 && dim < from.shape.length && (i === 0 || dim > dims[i - 1]!)),
    () => `reduce: dims ${dims.join(', ')} of ${printType(from)}`,
  )
  need(!isArgReduction(fn) || dims.length === 1, () => `${fn}: one dim, not ${dims.length}`)
  need(
    computeDtype(from.dtype) === from.dtype,
    () => `${fn}: ${from.dtype} is a storage format; cast to ${computeDtype(from.dtype)} first`,
  )
  return tensorType(
    isArgReduction(fn) ? 'i64' : from.dtype,
    from.shape.filter((_, d) => !dims.includes(d)),
  )
}

const agreeingTypes = (a: readonly TensorType[], b: readonly TensorType[]): boolean =>
  a.length === b.length && a.every((type, i) => type.dtype === b[i]!.dtype && agreeing(type.shape, b[i]!.shape))
const printTypes = (types: readonly TensorType[]): string => types.map(printType).join(', ')

/** The result types of blocks for operands of these types. */
function resultsOf(
  op: string,
  blocks: readonly GraphBlock[],
  operands: readonly TensorType[],
  count = 2,
): TensorType[][] {
  need(blocks.length === count, () => `${op}: ${blocks.length} blocks, not ${count}`)
  for (const { params } of blocks) {
    const types = params.map(typeOf)
    need(agreeingTypes(types, operands), () => `${op}: a block of ${printTypes(types)} gets ${printTypes(operands)}`)
  }
  return blocks.map(({ results }) => results.map(typeOf))
}

const isPredicate = ({ dtype, shape }: TensorType): boolean => dtype === 'bool' && shape.length === 0

function inferCond([predicate, ...operands]: readonly TensorType[], blocks: readonly GraphBlock[]): Type {
  need(isPredicate(predicate!), () => `cond: the predicate is ${printType(predicate!)}, not bool[]`)
  const [first, second] = resultsOf('cond', blocks, operands) as [TensorType[], TensorType[]]
  need(agreeingTypes(first, second), () => `cond: its blocks give ${printTypes(first)} and ${printTypes(second)}`)
  return { kind: 'tuple', items: first }
}

function inferLoop(operands: readonly TensorType[], carried: number, blocks: readonly GraphBlock[]): Type {
  const [condition, next] = resultsOf('loop', blocks, operands) as [TensorType[], TensorType[]]
  const given = operands.slice(0, carried)
  const isOne = condition.length === 1 && isPredicate(condition[0]!)
  need(isOne, () => `loop: the condition is ${printTypes(condition)}, not bool[]`)
  need(agreeingTypes(next, given), () => `loop: carries ${printTypes(given)}, and its body gives ${printTypes(next)}`)
  return { kind: 'tuple', items: given }
}

function inferSteps(
  operands: readonly TensorType[],
  { carried, sequences }: StepsAttrs,
  blocks: readonly GraphBlock[],
): Type {
  const whole = operands.slice(carried, carried + sequences)
  const length = whole[0]?.shape[0]
  const isOne = length !== undefined && whole.every(({ shape }) => agreeing(shape.slice(0, 1), [length]))
  need(isOne, () => `steps: sequences ${printTypes(whole)}`)
  const elements = whole.map(({ dtype, shape }) => tensorType(dtype, shape.slice(1)))
  const given = operands.slice(0, carried)
  const [results] = resultsOf('steps', blocks, [...given, ...elements, ...operands.slice(carried + sequences)], 1)
  const next = results!.slice(0, carried)
  need(agreeingTypes(next, given), () => `steps: carries ${printTypes(given)}, and its body gives ${printTypes(next)}`)
  const stacked = results!.slice(carried).map(({ dtype, shape }) => tensorType(dtype, [length!, ...shape]))
  return { kind: 'tuple', items: [...given, ...stacked] }
}

const controlRule = (
  infer: (types: readonly TensorType[], attrs: GraphNode['attrs'], blocks: readonly GraphBlock[]) => Type,
): PrimitiveRule<'control'> => ({
  role: 'control',
  effect: 'effect',
  isControl: true,
  infer: (inputs, attrs, blocks) => infer(inputs.map(typeOf), attrs, blocks),
})

const primitives = {
  input: { ...ruleOf('input')<'input'>((_, { dtype, shape }) => tensorType(dtype, shape)), effect: 'unique' },
  scalarInput: { ...scalar<'scalarInput'>((_, { dtype }) => tensorType(dtype, [])), effect: 'unique' },
  constant: scalar<'constant'>((_, { dtype }) => tensorType(dtype, [])),
  size: scalar<'size'>(() => tensorType('i64', [])),
  iota: computed<'iota'>((_, { length, dtype }) => tensorType(dtype, [length])),
  map: pointwise<'map'>((types, { fn }) => inferMap(types, fn)),
  cast: pointwise<'cast'>(([from], { to }) => tensorType(to, from!.shape)),
  bitcast: pointwise<'bitcast'>(([from], { to }) => tensorType(to, from!.shape)),
  copy: pointwise<'copy'>(([from]) => from!),
  permute: view<'permute'>(([from], { dims }) =>
    tensorType(
      from!.dtype,
      dims.map(d => from!.shape[d]!),
    ),
  ),
  expand: view<'expand'>(([from], { shape }) => inferExpand(from!, shape)),
  reshape: view<'reshape'>(([from], { shape }) => inferReshape(from!, shape)),
  slice: view<'slice'>(([from], { starts, steps, sizes }) => {
    const rank = from!.shape.length
    need(
      starts.length === rank && steps.length === rank && sizes.length === rank,
      () => `slice: ${printType(from!)} with ${starts.length} starts`,
    )
    return tensorType(from!.dtype, sizes)
  }),
  affine: view<'affine'>(([from], attrs) => inferAffine(from!, attrs)),
  pad: computed<'pad'>(([from], attrs) => inferPad(from!, attrs)),
  reduce: computed<'reduce'>(([from], { fn, dims }) => inferReduce(from!, fn, dims)),
  scan: rows<'scan'>(([from]) => from!),
  matmul: contraction<'matmul'>(inferMatmul),
  conv: expanded<'conv'>((types, attrs) => inferConv(types, attrs)),
  convLast: contraction<'convLast'>((types, attrs) => inferConvLast(types, attrs)),
  convWeight: contraction<'convWeight'>((types, attrs) => inferConvWeight(types, attrs)),
  maxPool: expanded<'maxPool'>(([x], attrs) => inferMaxPool(x!, attrs)),
  foldWindows: contraction<'foldWindows'>((types, attrs) => inferFoldWindows(types, attrs)),
  groupOf: computed<'groupOf'>(types => inferGroupOf(types)),
  raggedMatmul: contraction<'raggedMatmul'>(inferRagged),
  attention: contraction<'attention'>((types, attrs) => inferAttention(types, attrs)),
  attentionGradient: contraction<'attentionGradient'>((types, attrs) => inferAttentionGradient(types, attrs)),
  cat: ruleOf('parts')<'cat'>((types, { dim }) => inferCat(types, dim)),
  gather: computed<'gather'>(([source, index], { dim }) => {
    const fits =
      index!.dtype === 'i64' &&
      source!.shape.length === index!.shape.length &&
      index!.shape.every((size, d) => d === dim || agree(size, source!.shape[d]!))
    need(fits, () => `gather: ${printType(source!)} by ${printType(index!)} along ${dim}`)
    return tensorType(source!.dtype, index!.shape)
  }),
  scatter: ruleOf('update')<'scatter'>(([self, index, source], { dim }) => {
    const fits =
      index!.dtype === 'i64' &&
      source!.dtype === self!.dtype &&
      self!.shape.length === index!.shape.length &&
      index!.shape.every((size, d) => d === dim || agree(size, self!.shape[d]!)) &&
      agreeing(index!.shape, source!.shape)
    need(fits, () => `scatter: ${printType(source!)} by ${printType(index!)} into ${printType(self!)} along ${dim}`)
    return self!
  }),
  sort: rows<'sort'>(([from]) => ({ kind: 'tuple', items: [from!, tensorType('i64', from!.shape)] })),
  topk: rows<'topk'>(([from], { dim, k }) => {
    const shape = from!.shape.map((size, d) => (d === dim ? k : size))
    return { kind: 'tuple', items: [tensorType(from!.dtype, shape), tensorType('i64', shape)] }
  }),
  nth: rows<'nth'>(([from, wanted], { dim, positions }) => {
    const shape = from!.shape.map((size, d) => (d === dim ? positions : size))
    const fits = wanted!.dtype === 'i64' && agreeing(wanted!.shape, shape)
    need(fits, () => `nth: ${printType(wanted!)} of ${printType(from!)} along ${dim}`)
    return { kind: 'tuple', items: [tensorType(from!.dtype, shape), tensorType('i64', shape)] }
  }),
  random: computed<'random'>((_, { shape, dtype }) => tensorType(dtype, shape)),
  launch: ruleOf('launch')<'launch'>((types, { args, writes }) => {
    const used = new Set(args.flatMap(arg => ('input' in arg ? [arg.input] : [])))
    need(
      used.size === types.length && [...used, ...writes].every(input => types[input] !== undefined),
      () => `launch: ${types.length} inputs for arguments ${[...used].join(', ')}, writes ${writes.join(', ')}`,
    )
    return { kind: 'tuple', items: writes.map(input => types[input]!) }
  }),
  region: expanded<'region'>((types, { operands }) => {
    const items = types.slice(operands)
    need(items.length > 0, () => 'region: no results')
    return items.length === 1 ? items[0]! : { kind: 'tuple', items }
  }),
  detach: expanded<'detach'>(([from]) => from!),
  fence: view<'fence'>(([from]) => from!),
  variable: expanded<'variable'>(([from]) => from!),
  custom: expanded<'custom'>((types, { name, results, given }) => {
    const items = types.slice(given.length, given.length + results)
    const gradients = given.filter(Boolean).length
    need(types.length === given.length + 3 * results + gradients, () => `custom ${name}: ${types.length} inputs`)
    return items.length === 1 ? items[0]! : { kind: 'tuple', items }
  }),
  gradient: expanded<'gradient'>((types, attrs) => inferGradient(types, attrs)),
  cond: controlRule((types, _, blocks) => inferCond(types, blocks)),
  loop: controlRule((types, attrs, blocks) => inferLoop(types, (attrs as GraphOps['loop']).carried, blocks)),
  steps: controlRule((types, attrs, blocks) => inferSteps(types, attrs as GraphOps['steps'], blocks)),
  item: {
    role: 'item',
    effect: 'pure',
    infer: ([input], attrs) => {
      const { index } = attrs as GraphOps['item']
      if (input!.type.kind !== 'tuple' || input!.type.items[index] === undefined)
        throw new VerifyError(`graph: item ${index} of ${printType(input!.type)}`)
      return input!.type.items[index]
    },
  },
} as const satisfies { readonly [Op in GraphOpName]: PrimitiveRule<string> }

export const graphDialect: Dialect<GraphNode> = { name: 'graph', printType, typeKey: printType, ops: primitives }

type Primitives = typeof primitives

/** The nodes of the given roles. */
export type NodeOfRole<Role extends PrimitiveRole> = Extract<
  GraphNode,
  { op: { [Op in GraphOpName]: Primitives[Op]['role'] extends Role ? Op : never }[GraphOpName] }
>

export function hasRole<Role extends PrimitiveRole>(
  node: GraphNode,
  ...wanted: readonly Role[]
): node is NodeOfRole<Role> {
  return (wanted as readonly PrimitiveRole[]).includes(primitives[node.op].role)
}

export const opsOfRole = (wanted: PrimitiveRole): readonly GraphOpName[] =>
  (Object.keys(primitives) as GraphOpName[]).filter(op => primitives[op].role === wanted)

/** The inputs that a node's values are made of: a fence only waits for its others. */
export const sourcesOf = ({ op, inputs }: GraphNode): readonly GraphNode[] =>
  op === 'fence' ? inputs.slice(0, 1) : inputs

export type ViewNode = NodeOfRole<'view'>
export const isView = (node: GraphNode): node is ViewNode => hasRole(node, 'view')
export const isPointwise = (node: GraphNode): node is NodeOfRole<'pointwise'> => hasRole(node, 'pointwise')
export const isScalarSource = (node: GraphNode): node is NodeOfRole<'scalar'> => hasRole(node, 'scalar')
export const isContraction = (node: GraphNode): node is NodeOfRole<'contraction'> => hasRole(node, 'contraction')

export type GraphBuilder = Builder<GraphNode>
export const graphBuilder = (): GraphBuilder => new Builder(graphDialect)
