/**
 * Tensor's methods and the free functions, derived from the op records: a record's `call` gives the parameters (with
 * Tensor for Value), its `results` the result. Nothing here names an op's parameters a second time.
 */
import { activationRecords } from '../graph/ops/activation.js'
import { arithmeticRecords } from '../graph/ops/arithmetic.js'
import { type RecordName, type Records, recordNames, recordTable } from '../graph/ops/index.js'
import { mathRecords } from '../graph/ops/math.js'
import { numericRecords } from '../graph/ops/numeric.js'
import { specialRecords } from '../graph/ops/special.js'
import type { OpRecord, Value } from '../graph/record.js'
import type { SizeExpr } from '../scalar/size.js'
import { applyOp, assignInPlace } from './dispatch.js'
import type { SymbolicNumber } from './symbolic-number.js'
import type { Tensor } from './tensor.js'

export { type RecordName, recordNames }

type Primitive = string | number | boolean | bigint | symbol | null | undefined

/** A type from a record's signature with Tensor in place of Value, and SymbolicNumber in place of unknown sizes. */
export type WithTensors<T> = T extends Value
  ? Tensor
  : T extends SizeExpr
    ? SymbolicNumber
    : T extends Primitive
      ? T
      : { [Key in keyof T]: WithTensors<T[Key]> }

type AllWithTensors<Params extends readonly unknown[]> = { [Key in keyof Params]: WithTensors<Params[Key]> }

type ParametersOf<Name extends RecordName> = Parameters<Records[Name]['call']>
type RestOf<Params extends readonly unknown[]> = Params extends readonly [unknown, ...infer Rest] ? Rest : never

/** One tensor, or an object with one tensor per name. */
export type ResultOf<Name extends RecordName> = Records[Name]['results'] extends readonly (infer Key extends string)[]
  ? { readonly [K in Key]: Tensor }
  : Tensor

/** The free function of an op: `add(x, y)`. */
export type OpFunction<Name extends RecordName> = (...args: AllWithTensors<ParametersOf<Name>>) => ResultOf<Name>

/**
 * Ops without a derived method: those that take no tensor first, those that PyTorch has as functions only, and those whose
 * method `Tensor` declares itself because it is more than the op (`to` also moves, `contiguous` may need no op).
 */
const withoutMethod = [
  ...(['full', 'arange', 'linspace', 'eye', 'rand', 'randn', 'randint'] as const),
  ...(['bernoulli', 'dropout', 'randperm'] as const),
  ...(['cat', 'stack', 'embedding', 'linear', 'einsum', 'multiDot'] as const),
  ...(['to', 'contiguous', 'where'] as const),
] satisfies readonly RecordName[]
type WithoutMethod = (typeof withoutMethod)[number]

type MethodName = Exclude<RecordName, WithoutMethod>

/** The methods: the first parameter of an op is `this`. */
export type OpMethods = {
  [Name in MethodName]: (...args: AllWithTensors<RestOf<ParametersOf<Name>>>) => ResultOf<Name>
}

/** Ops with a method that writes into its tensor (`add_`): those that give one value for each of the tensor's. */
const inPlaceNames = [
  ...(Object.keys(arithmeticRecords) as (keyof typeof arithmeticRecords)[]),
  ...(Object.keys(mathRecords) as (keyof typeof mathRecords)[]),
  ...(Object.keys(numericRecords) as (keyof typeof numericRecords)[]),
  ...(Object.keys(specialRecords) as (keyof typeof specialRecords)[]),
  ...(Object.keys(activationRecords) as (keyof typeof activationRecords)[]),
  ...(['maskedFill'] as const),
  ...(['scatter', 'scatterAdd', 'scatterReduce', 'indexAdd', 'indexCopy', 'indexFill'] as const),
]
type InPlaceName = (typeof inPlaceNames)[number]

/**
 * The in-place methods: the result goes into `this`, cast to its dtype, and `this` is returned. Throws ShapeError when the
 * result is larger than the tensor, or the tensor's elements share memory (expand); DtypeError when a float result would
 * go into an integer tensor, or a number into a bool one.
 */
export type InPlaceMethods = {
  [Name in InPlaceName as `${Name}_`]: (...args: AllWithTensors<RestOf<ParametersOf<Name>>>) => Tensor
}

/** What a call of an op gives the user. */
function packResults(record: OpRecord, results: readonly Tensor[]): Tensor | Readonly<Record<string, Tensor>> {
  if (record.results === null) return results[0]!
  return Object.fromEntries(record.results.map((name, i) => [name, results[i]!]))
}

/** The free function of a record. */
export function opFunction<Name extends RecordName>(name: Name): OpFunction<Name> {
  const record = recordTable[name]
  const run = (...args: readonly unknown[]): unknown => packResults(record, applyOp(record, args))
  Object.defineProperty(run, 'name', { value: name })
  // The types of the arguments and of the result are the record's own, read off it by OpFunction.
  return run as OpFunction<Name>
}

/** Gives `prototype` the method of every record that has one, and the in-place methods. */
export function installMethods(prototype: Tensor): void {
  for (const [name, record] of Object.entries(recordTable)) {
    if ((withoutMethod as readonly string[]).includes(name)) continue
    define(prototype, name, function (this: Tensor, ...args: readonly unknown[]) {
      return packResults(record, applyOp(record, [this, ...args]))
    })
  }
  for (const name of inPlaceNames) {
    define(prototype, `${name}_`, function (this: Tensor, ...args: readonly unknown[]) {
      const [value] = applyOp(recordTable[name], [this, ...args])
      assignInPlace(`${name}_`, this, value!)
      return this
    })
  }
}

function define(prototype: object, name: string, method: (...args: never[]) => unknown): void {
  Object.defineProperty(method, 'name', { value: name })
  Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true })
}
