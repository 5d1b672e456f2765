/**
 * The record of a user-level op: everything that Tegula knows of it, in one place. Tensor methods and their types, eager
 * execution, capture, gradients, the docs table and the conformance suite all derive from it. A record builds itself
 * from the graph's primitives; its `reference` says independently, in plain JavaScript, what the result must be.
 */
import type { Attrs } from '../ir/node.js'
import { type Size, SizeExpr } from '../scalar/size.js'
import type { Dtype } from '../types/dtype.js'
import type { GraphBuilder, GraphNode } from './ir.js'

declare const valueBrand: unique symbol

/** Stands for a tensor in records' signatures: the graph layer knows no Tensor. `Methods` (tensor/) puts Tensor here. */
export interface Value {
  readonly [valueBrand]: true
}

/**
 * What arithmetic accepts beside tensors; a plain number never raises a tensor's dtype within its category. A size that is
 * not known is a plain number.
 */
export type Operand = Value | number | boolean | bigint | SizeExpr

export const isTensor = (operand: Operand): operand is Value =>
  typeof operand === 'object' && !(operand instanceof SizeExpr)

/** A call taken apart: what is data (tensors and plain numbers, both may differ per call) and what is part of the op. */
export interface OpCall<A extends Attrs> {
  readonly inputs: readonly Operand[]
  readonly attrs: A
}

/** An input as `build` sees it. A plain number's node is 0-d: bool, i64 (integers, bigints) or f64 (other numbers). */
export interface OpInput {
  readonly node: GraphNode
  /** It was a plain number: it takes part in promotion as one (types/promotion.ts; a fraction counts as f32). */
  readonly isNumber: boolean
}

/** A tensor on the host for references: row-major values (bigint for i64, 0/1 for bool). */
export interface HostTensor {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly data: readonly (number | bigint)[]
  /** It stands for a plain number of the call, as `OpInput.isNumber`. */
  readonly isNumber?: true
}

/**
 * The gradient column: how to compute input gradients with ops, one per input (null: none flows there). A gradient may
 * have the broadcast shape and the promoted dtype: `inputGradients` (gradient.ts) sums and casts it to the input's. It is
 * only asked for gradients of float results.
 * `none`: the derivative is zero or does not exist; `later`: not filled yet.
 */
export type Gradient<A extends Attrs> = 'none' | 'later' | GradientFunction<A>

/** Taken from a method, so that a record of any attributes is an `OpRecord` (parameters of methods are bivariant). */
type GradientFunction<A extends Attrs> = {
  method(context: GradientContext<A>): readonly (Value | null)[]
}['method']

export interface GradientContext<A extends Attrs> {
  readonly inputs: readonly Operand[]
  readonly outputs: readonly Value[]
  readonly outputGradients: readonly Value[]
  readonly attrs: A
  /** Applies another record's op that gives one tensor: `op('mul', a, b)`. */
  op(name: string, ...args: readonly unknown[]): Value
  /** [] for a plain number. */
  shapeOf(value: Operand): readonly Size[]
  dtypeOf(value: Value): Dtype
  /** A size as an operand: a number where it is known. */
  sizeOperand(size: Size): Operand
}

export interface OpRecord<
  Params extends readonly unknown[] = readonly never[],
  A extends Attrs = Attrs,
  Results extends readonly string[] | null = readonly string[] | null,
> {
  /** PyTorch's name in camelCase. */
  readonly name: string
  /** One sentence with the formula, for docs. */
  readonly summary: string
  readonly category:
    | 'pointwise'
    | 'reduction'
    | 'view'
    | 'index'
    | 'matmul'
    | 'normalisation'
    | 'sorting'
    | 'random'
    | 'creation'
  /** Takes the user's arguments apart and checks what can be checked without shapes. The first is the method's `this`. */
  readonly call: (...params: Params) => OpCall<A>
  /** null: gives one tensor. Names: gives an object of tensors with these keys. */
  readonly results: Results
  /** Builds the op from primitives; throws ShapeError, DtypeError, … with the op's name and values. One node per result. */
  build(b: GraphBuilder, inputs: readonly OpInput[], attrs: A): readonly GraphNode[]
  /** What `build` must compute, said independently: in float64 on whole arrays, rounded once to the result's dtype. */
  reference(inputs: readonly HostTensor[], attrs: A): readonly HostTensor[]
  readonly gradient: Gradient<A>
}

/** Declares a record; the types of its columns check each other. */
export function op<Params extends readonly unknown[], A extends Attrs, const Results extends readonly string[] | null>(
  record: OpRecord<Params, A, Results>,
): OpRecord<Params, A, Results> {
  return record
}
