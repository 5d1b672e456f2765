/**
 * Ops that are formulas of other ops: a signature and a body in tensor code. The body is traced into the graph like any
 * other record's primitives, so that one graph is built eagerly too. Float inputs are converted to the compute dtype of the
 * result's dtype, and the result is rounded once; written by a user, the formula would round 16-bit floats at every op.
 */
import { DtypeError, inCall, ShapeError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import { computeDtype, type Dtype, isFloat, isInteger } from '../../types/dtype.js'
import { castTo, dtypeOf, promotedDtype, requireFloat, shapeOf } from '../build.js'
import type { GraphBuilder, Shape } from '../ir.js'
import {
  type DtypeRule,
  type Gradient,
  type OpCall,
  type OperandValue,
  type OpInput,
  type OpRecord,
  type OpTexts,
  type ResultDtype,
  type SignedRecord,
  signed,
} from '../record.js'
import type { Bound, BoundAs, Param, Signature } from '../signature.js'
import { broadcastShapes, printShape, requireEqual } from '../sizes.js'
import { onFloats } from './elementwise.js'
import { GraphTensor } from './graph-tensor.js'
import { asBroadcast } from './texts.js'

const toF32 = "cast first: x.to('f32')"

/** The result, or several; new values of inputs changed in place follow them. */
type Result = GraphTensor | readonly GraphTensor[]

interface Composed<Text extends string, Results extends readonly string[] | null> extends OpTexts {
  readonly name: string
  readonly summary: string
  readonly category: OpRecord['category']
  readonly signature: Text
  readonly dtypes: DtypeRule
  readonly results?: Results
  readonly hint?: string
  /** Inputs that keep their dtype in the body: indices and masks; for ops that only move elements, the data too. */
  readonly keeps?: readonly string[]
  /** Broadcasts the inputs to one shape before the body. */
  readonly broadcasts?: true
  /** As `OpRecord.changes`: the body returns their new values after the results, in their own dtypes. */
  readonly changes?: OpRecord['changes']
  /** Throws ArgumentError for invalid arguments, before shapes and dtypes are known. */
  readonly check?: ((args: Bound<Text>) => void) | undefined
  readonly body: (args: BoundAs<Text, GraphTensor>) => Results extends null ? Result : readonly GraphTensor[]
  readonly gradient?: Gradient<Attrs>
}

/** Declares an op by its formula. */
export function compose<const Text extends string, const Results extends readonly string[] | null = null>(
  definition: Composed<Text, Results>,
): SignedRecord<Text, Attrs, Results> {
  const { body, keeps = [], broadcasts = false, check, signature, results, ...texts } = definition
  const formula = body as unknown as (args: Readonly<Record<string, unknown>>) => Result
  const columns = {
    ...texts,
    results: (results ?? null) as Results,
    build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: Attrs) => {
      const named = inputsByName(record.signature, inputs, attrs)
      const counted = named.flatMap(([{ name }, given]) =>
        keeps.includes(name) || given === null ? [] : [given].flat(),
      )
      const dtype = resultDtype(texts, counted.length > 0 ? counted : inputs, (attrs.dtype ?? null) as Dtype | null)
      const shape = broadcasts
        ? broadcastShapes(
            texts.name,
            inputs.map(({ node }) => shapeOf(node)),
          )
        : null
      const compute = computeDtype(dtype)
      const enter = ({ node, isNumber }: OpInput, kept: boolean): GraphTensor => {
        const own = dtypeOf(node)
        const seen = new GraphTensor(b, kept ? node : castTo(b, node, compute), own, kept && isNumber)
        return shape === null ? seen : seen.expandTo(shape)
      }
      const tensors = named.map(([{ name }, given]): [string, unknown] => {
        const kept = keeps.includes(name)
        return [
          name,
          Array.isArray(given) ? given.map(one => enter(one, kept)) : given && enter(given as OpInput, kept),
        ]
      })
      const made = inCall(texts.name, () => formula({ ...attrs, ...Object.fromEntries(tensors) }))
      return [made]
        .flat()
        .map(({ node }, i) =>
          isRounded(texts.dtypes, results ?? [''], i, dtypeOf(node) === compute) ? castTo(b, node, dtype) : node,
        )
    },
  }
  const record = signed<Text, Attrs, Results>(columns as never, signature, (args): OpCall<Attrs> => {
    check?.(args)
    return composedCall(record.signature, args)
  })
  return record
}

type Elementwise<Text extends string> = Pick<
  Composed<Text, null>,
  'name' | 'summary' | 'signature' | 'details' | 'shape' | 'errors' | 'note' | 'check' | 'body' | 'gradient'
>

/** An elementwise op by its formula, on operands that broadcast: integers and bool become f32, unless it takes numbers as they are. */
export const pointwise = <const Text extends string>(definition: Elementwise<Text> & { readonly takes?: 'number' }) => {
  const { takes, gradient, ...row } = definition
  return compose<Text>({
    shape: asBroadcast,
    ...row,
    ...(gradient && { gradient: onFloats(gradient) }),
    category: 'pointwise',
    dtypes: takes === 'number' ? { takes, gives: 'promoted' } : { takes: 'any', gives: 'floated' },
    broadcasts: true,
  })
}

/** Of one tensor. */
export const unaryFormula = (
  name: string,
  summary: string,
  body: (x: GraphTensor) => GraphTensor,
  gradient?: Gradient<Attrs>,
  row: { readonly takes?: 'number' } = {},
) =>
  pointwise({ ...row, name, summary, signature: 'self', body: ({ self }) => body(self), ...(gradient && { gradient }) })

/** Tensors are the inputs; which optional ones are present is an attribute. */
function composedCall(signature: Signature, args: Readonly<Record<string, unknown>>): OpCall<Attrs> {
  const inputs: OperandValue[] = []
  const present: string[] = []
  const attrs: Record<string, unknown> = {}
  for (const { name, isInput, kinds } of signature.params) {
    const value = args[name]
    if (!isInput) attrs[name] = value
    else if (Array.isArray(value)) inputs.push(...(value as readonly OperandValue[]))
    else if (value !== null) inputs.push(value as OperandValue)
    if (isInput && kinds.includes('null') && value !== null) present.push(name)
  }
  return { inputs, attrs: (present.length > 0 ? { ...attrs, present } : attrs) as Attrs }
}

type Named = readonly [Param, OpInput | readonly OpInput[] | null]

/** The inputs by parameter; null for omitted optional ones. */
function inputsByName(signature: Signature, inputs: readonly OpInput[], attrs: Attrs): readonly Named[] {
  const present = (attrs.present ?? []) as readonly string[]
  const params = signature.params.filter(({ isInput }) => isInput)
  const isThere = ({ name, kinds }: Param): boolean => !kinds.includes('null') || present.includes(name)
  const listed = inputs.length - params.filter(param => isThere(param) && !param.kinds.includes('tensors')).length
  let next = 0
  return params.map((param): Named => {
    if (!isThere(param)) return [param, null]
    if (!param.kinds.includes('tensors')) return [param, inputs[next++]!]
    next += listed
    return [param, inputs.slice(next - listed, next)]
  })
}

// --- dtypes --------------------------------------------------------------------------------------------------------------

/**
 * Whether a result of the body is rounded to the inputs' dtype; results of a fixed dtype already have it. One whose dtype is
 * described in words is where it is in the compute dtype.
 */
function isRounded({ gives }: DtypeRule, results: readonly string[], place: number, inCompute: boolean): boolean {
  const name = results[place]
  if (name === undefined) return false
  const own =
    typeof gives === 'object' && !('words' in gives) ? (gives as Readonly<Record<string, ResultDtype>>)[name] : gives
  if (typeof own === 'object') return inCompute
  return own === 'same' || own === 'promoted' || own === 'floated' || own === 'summed'
}

/** The dtype that the result is rounded to, `asked` where a parameter says it. Throws DtypeError when the op does not take it. */
function resultDtype(
  { name, dtypes: { takes, gives } }: { readonly name: string; readonly dtypes: DtypeRule },
  inputs: readonly OpInput[],
  asked: Dtype | null,
): Dtype {
  const isSame = gives === 'same' || (typeof gives === 'object' && Object.values(gives).includes('same'))
  const given = isSame ? dtypeOf(inputs[0]!.node) : promotedDtype(inputs)
  if (takes === 'float') requireFloat(name, given, toF32)
  if (takes === 'float' || takes === 'cast')
    requireFloat(name, asked ?? given, `give a float dtype: { dtype: 'f32' }, or ${toF32}`)
  if (takes === 'number' && given === 'bool')
    throw new DtypeError(`${name}: not defined on bool`, { fix: "cast: x.to('i32')" })
  if (asked !== null || isFloat(given)) return asked ?? given
  return gives === 'summed' ? 'i64' : gives === 'floated' ? 'f32' : given
}

/** Throws DtypeError unless it was passed as a float. */
export const requireFloats = (name: string, { given }: GraphTensor): void => requireFloat(name, given, toF32)

/** Throws DtypeError when `other` was passed as another float dtype than `x`. */
export function requireAlike(name: string, x: GraphTensor, other: GraphTensor, what: string): void {
  if (!isFloat(other.given) || other.given === x.given) return
  throw new DtypeError(`${name}: the input is ${x.given}, the ${what} ${other.given}`, {
    fix: `cast the ${what}: ${what}.to('${x.given}')`,
  })
}

/** Throws DtypeError unless the target holds class indices. */
export function requireClasses(name: string, target: GraphTensor): void {
  if (!isInteger(target.given))
    throw new DtypeError(`${name}: the target is ${target.given}, not class indices`, {
      fix: "cast it: target.to('i64')",
    })
}

// --- shapes --------------------------------------------------------------------------------------------------------------

/** Throws ShapeError(`what()`) unless the shapes are equal, size by size. */
export function requireShape(own: Shape, wanted: Shape, what: () => string, fix?: string): void {
  if (own.length !== wanted.length) throw new ShapeError(what(), { fix })
  for (const [d, size] of own.entries()) requireEqual(size, wanted[d]!, what, fix)
}

/** Broadcast to `shape`. Throws ShapeError, which names it `what`, when that is not possible. */
export function broadcastArgument(name: string, what: string, x: GraphTensor, shape: Shape): GraphTensor {
  const problem = (): string => `${name}: the ${what} ${printShape(x.shape)} does not broadcast to ${printShape(shape)}`
  const fix = 'its sizes must be 1 or those at the same places, counted from the last dim'
  if (x.rank > shape.length) throw new ShapeError(problem(), { fix })
  for (const [d, size] of x.shape.entries())
    if (size !== 1) requireEqual(size, shape[shape.length - x.rank + d]!, problem, fix)
  return x.expandTo(shape)
}
