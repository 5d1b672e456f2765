/**
 * Pointwise ops as table rows: a row says what an op computes on one element, and this file derives the record. Operands
 * are promoted as in PyTorch and broadcast; arithmetic on f16 and bf16 is done in f32 and rounded once at the end.
 * References apply the row's JavaScript functions in float64 (integers: exact bigints) and round to the result.
 */
import { DtypeError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import { castValue, type ScalarOpName } from '../../scalar/ops.js'
import { computeDtype, type Dtype, dtypes, isFloat, isInteger } from '../../types/dtype.js'
import { type PromotionOperand, promote } from '../../types/promotion.js'
import { castTo, constant, defaultFloat, dtypeOf, expandTo, map, promotedDtype, shapeOf } from '../build.js'
import { elementAt, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import {
  type DtypeRule,
  type Gradient,
  type HostTensor,
  type OpCall,
  type OpInput,
  type OpTexts,
  type SignedRecord,
  signed,
  type WithReference,
} from '../record.js'
import type { AttrsOf, Bound } from '../signature.js'
import { broadcastShapes } from '../sizes.js'
import type { NoAttrs } from './arguments.js'
import { asBroadcast } from './texts.js'

/** Applies a scalar op; plain numbers become constants of the other operands' dtype and shape. */
export type Emit = (fn: ScalarOpName, ...operands: readonly (GraphNode | number)[]) => GraphNode

export interface Row<A extends Attrs> extends Pick<OpTexts, 'details' | 'errors' | 'note'> {
  readonly name: string
  readonly summary: string
  /**
   * Accepted dtypes after promotion. float: integers and bool become f32 · number: all but bool · any: every dtype ·
   * counted: every dtype, bool as i64 · integer: no float, no bool · bits: integers and bool · truth: every dtype, each
   * operand separately as `!= 0`.
   */
  readonly takes: 'float' | 'number' | 'counted' | 'any' | 'integer' | 'bits' | 'truth'
  /** bool: a predicate on operands of the promoted dtype. Default: the promoted dtype. */
  readonly gives?: 'bool'
  /** The predicate's result on every integer and bool, which are then not read. */
  readonly onIntegers?: boolean
  /** Computed in f64 and rounded once: for series whose terms cancel. */
  readonly wide?: true
  /** A scalar op, or a function that builds it from scalar ops on operands of one compute dtype and shape. */
  readonly build: ScalarOpName | ((e: Emit, inputs: readonly GraphNode[], attrs: A) => GraphNode)
  /** Meaning on floats, in float64. */
  readonly float?: (inputs: readonly number[], attrs: A) => number | boolean
  /** Meaning on integers and bool; the result is wrapped to the dtype. */
  readonly integer?: (inputs: readonly bigint[], attrs: A) => bigint | boolean
  readonly gradient?: Gradient<A>
  /** Throws for attributes that do not fit the promoted dtype. */
  readonly check?: (dtype: Dtype, attrs: A) => void
}

const accepts: Record<Row<Attrs>['takes'], (dtype: Dtype) => boolean> = {
  float: () => true,
  counted: () => true,
  any: () => true,
  truth: () => true,
  number: dtype => dtype !== 'bool',
  integer: isInteger,
  bits: dtype => !isFloat(dtype),
}
const remedies: Record<Row<Attrs>['takes'], string> = {
  float: '',
  counted: '',
  any: '',
  truth: '',
  number: "cast to a number first: x.to('i32')",
  integer: "cast to an integer dtype first: x.to('i32')",
  bits: "cast to an integer dtype or bool first: x.to('i32')",
}

const computedIn = <A extends Attrs>({ wide }: Row<A>, dtype: Dtype): Dtype =>
  wide && isFloat(dtype) ? 'f64' : computeDtype(dtype)

const seenAs = <A extends Attrs>({ takes, gives }: Row<A>, promoted: Dtype): Dtype => {
  if (takes === 'truth') return 'bool'
  if (takes === 'counted' && promoted === 'bool') return 'i64'
  // Predicates must distinguish integers that f32 would round together.
  return takes === 'float' && !isFloat(promoted) ? (gives === 'bool' ? 'f64' : defaultFloat) : promoted
}

/** The dtype operands are converted to. Throws DtypeError when the op does not take it. */
function operandDtype<A extends Attrs>(row: Row<A>, promoted: Dtype, given: readonly Dtype[], attrs: A): Dtype {
  if (!accepts[row.takes](promoted)) {
    throw new DtypeError(`${row.name}: not defined on ${given.join(' and ')}`, { fix: remedies[row.takes] })
  }
  row.check?.(promoted, attrs)
  return seenAs(row, promoted)
}

/** Emits on nodes of one shape and compute dtype. */
export function emitter(b: GraphBuilder): Emit {
  return (fn, ...operands) => {
    // A constant takes its dtype from the other operands, not from where's condition.
    const nodes = operands.filter(operand => typeof operand !== 'number')
    const model = fn === 'where' && nodes.length > 1 ? nodes[1]! : nodes[0]!
    const lifted = operands.map(operand =>
      typeof operand === 'number' ? expandTo(b, constant(b, dtypeOf(model), operand), shapeOf(model)) : operand,
    )
    return map(b, fn, ...lifted)
  }
}

/** The graph of an elementwise record: operands cast and broadcast, then its `build`. */
function buildRow<A extends Attrs>(row: Row<A>, b: GraphBuilder, inputs: readonly OpInput[], attrs: A): GraphNode {
  const given = inputs.map(({ node }) => dtypeOf(node))
  const dtype = operandDtype(row, promotedDtype(inputs), given, attrs)
  const shape = broadcastShapes(
    row.name,
    inputs.map(({ node }) => shapeOf(node)),
  )
  if (row.onIntegers !== undefined && given.every(from => !isFloat(from))) {
    return expandTo(b, constant(b, 'bool', Number(row.onIntegers)), shape)
  }
  const operands = inputs.map(({ node }) => {
    // Predicates see operands rounded to the common dtype, as in PyTorch. Arithmetic keeps f32 precision.
    const common = row.gives === 'bool' ? castTo(b, node, dtype) : node
    return expandTo(b, castTo(b, common, computedIn(row, dtype)), shape)
  })
  const result = typeof row.build === 'string' ? map(b, row.build, ...operands) : row.build(emitter(b), operands, attrs)
  return castTo(b, result, row.gives ?? dtype)
}

// --- references ----------------------------------------------------------------------------------------------------

function promotionOf(tensor: HostTensor): PromotionOperand {
  if (tensor.isNumber) return { dtype: tensor.dtype === 'f64' ? defaultFloat : tensor.dtype, rank: 'number' }
  return { dtype: tensor.dtype, rank: tensor.shape.length === 0 ? 'zeroDim' : 'dimensioned' }
}

export const hostPromoted = (tensors: readonly HostTensor[]): Dtype => promote(tensors.map(promotionOf))

/** The broadcast shape of host tensors. */
export const hostBroadcast = (tensors: readonly HostTensor[]): readonly number[] =>
  broadcastShapes(
    'reference',
    tensors.map(tensor => tensor.shape),
  ) as readonly number[]

/** The record's reference on host tensors. */
function referenceRow<A extends Attrs>(row: Row<A>, inputs: readonly HostTensor[], attrs: A): HostTensor {
  const dtype = seenAs(row, hostPromoted(inputs))
  const operandDtypes = row.gives === 'bool' ? dtype : computedIn(row, dtype)
  const isFloats = dtypes[dtype].kind === 'float'
  const result = row.gives ?? dtype
  return hostFrom(result, hostBroadcast(inputs), index => {
    const values = inputs.map(input => castValue(input.dtype, operandDtypes, elementAt(input, index)))
    if (isFloats) return hostValue(result, row.float!(values.map(Number), attrs))
    const exact = row.integer!(values.map(BigInt), attrs)
    // A bit operation on bool works on its one bit; ~1 is −2, and that bit is 0.
    return hostValue(result, row.takes === 'bits' && dtype === 'bool' ? BigInt(exact) & 1n : exact)
  })
}

// --- texts ---------------------------------------------------------------------------------------------------------

/** The dtype rule that follows from a record's `takes` and `gives`. */
function dtypeRule<A extends Attrs>({ takes, gives }: Row<A>): DtypeRule {
  switch (takes) {
    case 'float':
      return { takes: 'any', gives: gives ?? 'floated' }
    case 'counted':
      return { takes: 'any', gives: gives ?? 'counted' }
    case 'truth':
      return { takes: 'any', gives: gives ?? 'promoted' }
    case 'any':
    case 'number':
    case 'integer':
    case 'bits':
      return { takes, gives: gives ?? 'promoted' }
    default:
      return takes satisfies never
  }
}

/** The texts of a row's record. */
function textsOf<A extends Attrs>(row: Row<A>): OpTexts {
  const { details, errors, note } = row
  return {
    ...(details && { details }),
    shape: asBroadcast,
    dtypes: dtypeRule(row),
    ...(errors && { errors }),
    ...(note && { note }),
  }
}

// --- records -------------------------------------------------------------------------------------------------------

/** The record of a row, with its signature (and `call` where inputs and attributes are not the arguments as they are). */
export function elementwise<const Text extends string, A extends Attrs = AttrsOf<Text>>(
  row: Row<A>,
  signature: Text,
  call?: (args: Bound<Text>) => OpCall<A>,
): WithReference<SignedRecord<Text, A>> {
  const columns = {
    name: row.name,
    summary: row.summary,
    ...textsOf(row),
    category: 'pointwise',
    results: null,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: A) => [buildRow(row, b, inputs, attrs)],
    reference: (inputs: readonly HostTensor[], attrs: A) => [referenceRow(row, inputs, attrs)],
    ...(row.gradient && { gradient: onFloats(row.gradient) }),
  } as const
  return { ...signed(columns, signature, call), reference: columns.reference }
}

/** A gradient by ops of floats: integers and plain numbers among the operands are seen in the dtype of the result. */
export function onFloats<A extends Attrs>(gradient: Gradient<A>): Gradient<A> {
  if (typeof gradient === 'string') return gradient
  return context => {
    const { inputs, outputs, op, dtypeOf: dtype } = context
    const own = dtype(outputs[0]!)
    return gradient({ ...context, inputs: inputs.map(x => (dtype(x) === own ? x : op('to', x, own))) })
  }
}

type UnaryRow = Omit<Row<NoAttrs>, 'name' | 'summary' | 'float' | 'integer' | 'build'> & {
  readonly build: ScalarOpName | ((e: Emit, x: GraphNode) => GraphNode)
  readonly float?: (x: number) => number | boolean
  readonly integer?: (x: bigint) => bigint | boolean
}

/** An op of one tensor. */
export function unary(name: string, summary: string, row: UnaryRow): WithReference<SignedRecord<'self', NoAttrs>> {
  const { build, float, integer, ...rest } = row
  return elementwise<'self', NoAttrs>(
    {
      ...rest,
      name,
      summary,
      build: typeof build === 'string' ? build : (e, [x]) => build(e, x!),
      ...(float && { float: ([x]) => float(x!) }),
      ...(integer && { integer: ([x]) => integer(x!) }),
    },
    'self',
  )
}

type BinaryRow = Omit<Row<NoAttrs>, 'name' | 'summary' | 'float' | 'integer' | 'build'> & {
  readonly build: ScalarOpName | ((e: Emit, x: GraphNode, y: GraphNode) => GraphNode)
  readonly float?: (x: number, y: number) => number | boolean
  readonly integer?: (x: bigint, y: bigint) => bigint | boolean
}

/** An op of a tensor and a tensor or number. */
export function binary(
  name: string,
  summary: string,
  row: BinaryRow,
): WithReference<SignedRecord<BinarySignature, NoAttrs>> {
  return elementwise<BinarySignature, NoAttrs>(binaryRow(name, summary, row), 'self, other: operand')
}
type BinarySignature = 'self, other: operand'

export function binaryRow(name: string, summary: string, row: BinaryRow): Row<NoAttrs> {
  const { build, float, integer, ...rest } = row
  return {
    ...rest,
    name,
    summary,
    build: typeof build === 'string' ? build : (e, [x, y]) => build(e, x!, y!),
    ...(float && { float: ([x, y]) => float(x!, y!) }),
    ...(integer && { integer: ([x, y]) => integer(x!, y!) }),
  }
}
