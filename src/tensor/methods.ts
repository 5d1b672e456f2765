/**
 * Tensor's methods and the free functions, derived from the op records: a record's `call` gives the parameters (with
 * Tensor for Value), its `results` the result. Nothing here names an op's parameters a second time.
 */
import { type RecordName, type Records, recordNames, recordTable } from '../graph/ops/index.js'
import type { OpRecord, Value } from '../graph/record.js'
import type { SizeExpr } from '../scalar/size.js'
import { applyOp, assignInPlace } from './dispatch.js'
import { inPlaceNames, withoutMethod } from './method-names.js'
import type { SignedInPlaceMethods, SignedMethods } from './op-methods.js'
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

type WithoutMethod = (typeof withoutMethod)[number]

type Unsigned<Name extends RecordName> = Name extends RecordName
  ? Records[Name] extends { readonly signature: object }
    ? never
    : Name
  : never
type MethodName = Unsigned<Exclude<RecordName, WithoutMethod>>

/** The methods: the first parameter of an op is `this`. */
export type OpMethods = SignedMethods & {
  [Name in MethodName]: (...args: AllWithTensors<RestOf<ParametersOf<Name>>>) => ResultOf<Name>
}

type InPlaceName = (typeof inPlaceNames)[number]

/**
 * The in-place methods: the result goes into `this`, cast to its dtype, and `this` is returned. Throws ShapeError when the
 * result is larger than the tensor, or the tensor's elements share memory (expand); DtypeError when a float result would
 * go into an integer tensor, or a number into a bool one.
 */
export type InPlaceMethods = SignedInPlaceMethods & {
  [Name in Unsigned<InPlaceName> as `${Name}_`]: (...args: AllWithTensors<RestOf<ParametersOf<Name>>>) => Tensor
}

/** What a call of an op gives the user. */
function packResults(record: OpRecord, results: readonly Tensor[]): Tensor | Readonly<Record<string, Tensor>> {
  if (record.results === null) return results[0]!
  return Object.fromEntries(record.results.map((name, i) => [name, results[i]!]))
}

/** The free function of a record. */
export function opFunction<Name extends RecordName>(name: Name): OpFunction<Name> {
  const run = (...args: readonly unknown[]): unknown => callOp(name, args)
  Object.defineProperty(run, 'name', { value: name })
  // The types of the arguments and of the result are the record's own, read off it by OpFunction.
  return run as OpFunction<Name>
}

/** Calls the op as a free function. */
export function callOp(name: RecordName, args: readonly unknown[]): unknown {
  const record = recordTable[name]
  return packResults(record, applyOp(record, args))
}

/** Gives `prototype` the method of every record that has one, and the in-place methods. */
export function installMethods(prototype: Tensor): void {
  for (const [name, record] of Object.entries(recordTable)) {
    if ((withoutMethod as readonly string[]).includes(name)) continue
    const said = { name, isMethod: true }
    define(prototype, name, function (this: Tensor, ...args: readonly unknown[]) {
      return packResults(record, applyOp(record, [this, ...args], undefined, said))
    })
  }
  for (const name of inPlaceNames) {
    const said = { name: `${name}_`, isMethod: true }
    define(prototype, said.name, function (this: Tensor, ...args: readonly unknown[]) {
      const [value] = applyOp(recordTable[name], [this, ...args], undefined, said)
      assignInPlace(said.name, this, value!)
      return this
    })
  }
}

function define(prototype: object, name: string, method: (...args: never[]) => unknown): void {
  Object.defineProperty(method, 'name', { value: name })
  Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true })
}
