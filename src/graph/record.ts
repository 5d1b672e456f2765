/**
 * The record of a user-level op: everything that Tegula knows of it, in one place. Tensor methods and their types, eager
 * execution, capture, gradients, the docs table and the conformance suite all derive from it. A record builds itself from
 * the graph's primitives; its `reference` says independently, in plain JavaScript, what the result must be. Ops composed of
 * other ops have none: they are tested against PyTorch's results (tests/torch).
 */
import type { Attrs } from '../ir/node.js'
import type { Size } from '../scalar/size.js'
import { type Dtype, isFloat } from '../types/dtype.js'
import type { GraphBuilder, GraphNode } from './ir.js'
import { type AttrsOf, type Bound, Signature } from './signature.js'
import { type HostTensor, isTensor, type OperandValue, type SliceRange, type Value } from './value.js'

export { type HostTensor, isTensor, type OperandValue, type SliceRange, type Value }

/** A parsed call: `inputs` are data (tensors and plain numbers, which may differ per call), `attrs` are part of the op. */
export interface OpCall<A extends Attrs> {
  readonly inputs: readonly OperandValue[]
  readonly attrs: A
}

/** An input as `build` sees it. A plain number's node is 0-d: bool, i64 (integers, bigints) or f64 (other numbers). */
export interface OpInput {
  readonly node: GraphNode
  /** It was a plain number, and is promoted as one (types/promotion.ts; a fraction counts as f32). */
  readonly isNumber: boolean
}

/**
 * The gradient column. Absent: derived from the op's formula by the derivatives of its primitives (derivatives/). `none`: the
 * derivative is zero or does not exist. A function: gradients of the op as a whole, where the derived one is unstable or
 * slow, or differs from PyTorch's where there are several; the op is then a `region` until gradients are expanded.
 */
export type Gradient<A extends Attrs> = 'none' | GradientFunction<A>

/**
 * One gradient per input (null: none flows there). It may have the broadcast shape and the compute dtype: it is summed and
 * cast to the input's. Declared as a method, so that a record of any attributes is an `OpRecord` (method parameters are
 * bivariant).
 */
type GradientFunction<A extends Attrs> = {
  method(context: GradientContext<A>): readonly (Value | null)[]
}['method']

export interface GradientContext<A extends Attrs> {
  readonly b: GraphBuilder
  /** Narrow floats among them in their compute dtype, as in `outputs`. Plain numbers are 0-d tensors. */
  readonly inputs: readonly Value[]
  readonly outputs: readonly Value[]
  /** Zeros for a result that nothing depends on. */
  readonly outputGradients: readonly Value[]
  /** Which inputs' gradients are used. */
  readonly needs: readonly boolean[]
  readonly attrs: A
  /** Applies another record's op that gives one tensor: `op('mul', a, b)`. */
  op(name: string, ...args: readonly unknown[]): Value
  shapeOf(value: Value): readonly Size[]
  dtypeOf(value: Value): Dtype
}

/**
 * The dtype of a result. `same`: the first tensor's · `promoted`: promoted from the tensors and numbers · `floated`:
 * promoted, or f32 if that is no float · `summed`: i64 for integers and bool · `counted`: i64 for bool · a fixed dtype ·
 * described in words.
 */
export type ResultDtype = 'same' | 'promoted' | 'floated' | 'summed' | 'counted' | Dtype | { readonly words: string }

/** The dtypes that inputs may have, and the result's. tests/graph/op-texts.test.ts checks them against what records build. */
export interface DtypeRule {
  /**
   * number: all but bool · float: floats only · cast: others too, if the parameter dtype is a float · integer: no float, no
   * bool · bits: integers and bool.
   */
  readonly takes: 'any' | 'number' | 'float' | 'cast' | 'integer' | 'bits'
  /** For several results, each one's by its name. */
  readonly gives: ResultDtype | Readonly<Record<string, ResultDtype>>
}

/**
 * The rest of an op's hover text and its entry in docs/ops.md, beside summary and signature (written by
 * scripts/op-texts.ts). A record with a signature must have `shape`, `dtypes` and a meaning for every parameter:
 * tests/graph/op-texts.test.ts.
 */
export interface OpTexts {
  /** Meaning and shape of parameters whose names do not say it. */
  readonly details?: Readonly<Record<string, string>>
  /** The shape of the result in terms of the parameters; for several results, each one's by its name. */
  readonly shape?: string | Readonly<Record<string, string>>
  readonly dtypes?: DtypeRule
  /** When it throws, beyond what follows from `dtypes` and from dims out of range. */
  readonly errors?: Partial<Readonly<Record<'ArgumentError' | 'DtypeError' | 'ShapeError' | 'DeviceError', string>>>
  /** Source of the formula, special values, differences from PyTorch. */
  readonly note?: string
}

export interface OpRecord<
  Params extends readonly unknown[] = readonly never[],
  A extends Attrs = Attrs,
  Results extends readonly string[] | null = readonly string[] | null,
> extends OpTexts {
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
  /**
   * The parameters (signature.ts). Absent: the op is called through functions that bind their arguments themselves
   * (tegula/quant), and `call` takes what they pass.
   */
  readonly signature?: Signature
  /** Appended to the errors of wrong calls: what the caller was probably looking for. */
  readonly hint?: string
  /** Splits the bound arguments into inputs and attributes; checks what the kinds in the signature cannot express. */
  readonly call: (...params: Params) => OpCall<A>
  /**
   * `call` gives tensors and operands as inputs in the order of the parameters, without those that are null, whatever the
   * values of plain numbers among them; attributes depend on no operand. So it is with records without a `call` of their own.
   */
  readonly passesOperands?: boolean
  /** null: one tensor. Names: an object of tensors with these keys. */
  readonly results: Results
  /**
   * Indices of the inputs that the op changes in place; absent: none. `build` and `reference` return their new values after
   * the results, in this order.
   */
  changes?(attrs: A): readonly number[]
  /** Builds the op from primitives; throws ShapeError, DtypeError, … with the op's name and values. One node per result. */
  build(b: GraphBuilder, inputs: readonly OpInput[], attrs: A): readonly GraphNode[]
  /**
   * An independent implementation of what `build` must compute: in float64 on whole arrays, rounded once to the result's
   * dtype. Absent: the op is composed of others, and its reference is `build` itself in float64 (reference.ts).
   */
  reference?(inputs: readonly HostTensor[], attrs: A): readonly HostTensor[]
  /** So many of the last results are not for users: they are what the gradient reads, and no gradient flows from them. */
  readonly hidden?: number
  /**
   * The op of the same inputs and attributes that is run instead where gradients are recorded eagerly: its first results are
   * this op's, and the others are what the gradient would compute again.
   */
  readonly recordedAs?: string
  readonly gradient?: Gradient<A>
}

type Columns<Params extends readonly unknown[], A extends Attrs, Results extends readonly string[] | null> = Omit<
  OpRecord<Params, A, Results>,
  'signature' | 'call'
>

/** A record with a signature. */
export type SignedRecord<
  Text extends string,
  A extends Attrs,
  Results extends readonly string[] | null = null,
> = OpRecord<[args: Bound<Text>], A, Results> & { readonly signature: Signature<Text> }

/** A record with a reference of its own. */
export type WithReference<R extends { readonly reference?: unknown }> = R & Required<Pick<R, 'reference'>>

/** Declares a record; the types of its fields check each other. */
export function op<const Text extends string, A extends Attrs, const Results extends readonly string[] | null>(
  record: Columns<[args: Bound<Text>], A, Results> & {
    readonly signature: Text
    readonly call: (args: Bound<Text>) => OpCall<A>
  },
): SignedRecord<Text, A, Results>
/** Without `call`: tensors and operands are the inputs (null ones are dropped), the other arguments the attributes. */
export function op<const Text extends string, const Results extends readonly string[] | null>(
  record: Columns<[args: Bound<Text>], AttrsOf<Text>, Results> & { readonly signature: Text; readonly call?: never },
): SignedRecord<Text, AttrsOf<Text>, Results>
export function op<Params extends readonly unknown[], A extends Attrs, const Results extends readonly string[] | null>(
  record: Omit<OpRecord<Params, A, Results>, 'signature'> & { readonly signature?: never },
): OpRecord<Params, A, Results>
export function op(
  record: Columns<readonly never[], Attrs, readonly string[] | null> & {
    readonly signature?: string
    readonly call?: (args: Bound<string>) => OpCall<Attrs>
  },
): unknown {
  const { signature, call, ...columns } = record
  return signature === undefined ? record : signed(columns, signature, call)
}

/** As `op`, for functions that declare many similar records. */
export function signed<Text extends string, A extends Attrs, Results extends readonly string[] | null>(
  columns: Columns<[args: Bound<Text>], A, Results>,
  text: Text,
  call?: (args: Bound<Text>) => OpCall<A>,
): SignedRecord<Text, A, Results> {
  const signature = new Signature(text, columns.hint)
  const split = (args: Bound<Text>): OpCall<A> => splitCall(signature, args) as OpCall<A>
  const { name, gradient } = columns
  const build: typeof columns.build =
    typeof gradient === 'function'
      ? (b, inputs, attrs) => keptTogether(b, name, attrs, inputs, columns.build(b, inputs, attrs))
      : columns.build
  return { passesOperands: call === undefined, ...columns, build, signature, call: call ?? split }
}

/** The results as those of one op, so that its own gradient can be used. */
export function keptTogether(
  b: GraphBuilder,
  name: string,
  attrs: Attrs,
  inputs: readonly OpInput[],
  results: readonly GraphNode[],
): readonly GraphNode[] {
  const isSmooth = ({ type }: GraphNode): boolean => type.kind === 'tensor' && isFloat(type.dtype)
  if (!inputs.some(({ node }) => isSmooth(node)) || !results.some(isSmooth)) return results
  const operands = inputs.map(({ node }) => node)
  const region = b.node('region', [...operands, ...results], { name, attrs, operands: operands.length })
  return results.length === 1 ? [region] : results.map((_, index) => b.node('item', [region], { index }))
}

/** Tensors and operands are inputs, the rest attributes. */
function splitCall(signature: Signature, args: Bound<string>): OpCall<Attrs> {
  const inputs: OperandValue[] = []
  const attrs: Record<string, unknown> = {}
  for (const { name, isInput } of signature.params) {
    const value = args[name]
    if (!isInput) attrs[name] = value
    else if (Array.isArray(value)) inputs.push(...(value as readonly OperandValue[]))
    else if (value !== null) inputs.push(value as OperandValue)
  }
  return { inputs, attrs: attrs as Attrs }
}
