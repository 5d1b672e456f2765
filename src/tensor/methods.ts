/**
 * Tensor's methods and the free functions, derived from the op records: a record's `call` gives the parameters (with
 * Tensor for Value), its `results` the result. Nothing here names an op's parameters a second time.
 */
import { type Records, records } from '../graph/ops/index.js'
import type { OpRecord, Value } from '../graph/record.js'
import type { SizeExpr } from '../scalar/size.js'
import { applyOp, assignInPlace } from './dispatch.js'
import type { Tensor } from './tensor.js'

type Primitive = string | number | boolean | bigint | symbol | null | undefined

/** A type from a record's signature with Tensor in place of Value. */
export type WithTensors<T> = T extends Value
  ? Tensor
  : T extends SizeExpr
    ? never // users write numbers; symbolic sizes are the compiler's
    : T extends Primitive
      ? T
      : { [Key in keyof T]: WithTensors<T[Key]> }

type AllWithTensors<Params extends readonly unknown[]> = { [Key in keyof Params]: WithTensors<Params[Key]> }

export type RecordName = keyof Records & string
type ParametersOf<Name extends RecordName> = Parameters<Records[Name]['call']>
type RestOf<Params extends readonly unknown[]> = Params extends readonly [unknown, ...infer Rest] ? Rest : never

/** One tensor, or an object with one tensor per name. */
export type ResultOf<Name extends RecordName> = Records[Name]['results'] extends readonly (infer Key extends string)[]
  ? { readonly [K in Key]: Tensor }
  : Tensor

/** The free function of an op: `add(x, y)`. */
export type OpFunction<Name extends RecordName> = (...args: AllWithTensors<ParametersOf<Name>>) => ResultOf<Name>

/** Records whose ops are functions only, or whose methods `Tensor` declares itself (in another form). */
const notDerived = [] as const satisfies readonly RecordName[]
type NotDerived = (typeof notDerived)[number]

/** Ops whose first parameter is a tensor are methods. */
type MethodName = {
  [Name in RecordName]: Name extends NotDerived ? never : Value extends ParametersOf<Name>[0] ? Name : never
}[RecordName]

/** The methods: the first parameter of an op is `this`. */
export type OpMethods = {
  [Name in MethodName]: (...args: AllWithTensors<RestOf<ParametersOf<Name>>>) => ResultOf<Name>
}

/** Pointwise ops of one result; each has a method that writes into its tensor: `add_`. */
type PointwiseName = never

/**
 * The in-place methods: the result goes into `this`, cast to its dtype, and `this` is returned. Throws ShapeError when the
 * result is larger than the tensor, or the tensor's elements share memory (expand); DtypeError when a float result would
 * go into an integer tensor, or a number into a bool one.
 */
export type InPlaceMethods = {
  [Name in PointwiseName & MethodName as `${Name}_`]: (...args: AllWithTensors<RestOf<ParametersOf<Name>>>) => Tensor
}

/** The records under a type that forgets their signatures, for code that handles any op. */
export const anyRecords: Readonly<Record<RecordName, OpRecord>> = records

/** What a call of an op gives the user. */
function packResults(record: OpRecord, results: readonly Tensor[]): Tensor | Readonly<Record<string, Tensor>> {
  if (record.results === null) return results[0]!
  return Object.fromEntries(record.results.map((name, i) => [name, results[i]!]))
}

/** The free function of a record. */
export function opFunction<Name extends RecordName>(name: Name): OpFunction<Name> {
  const record = anyRecords[name]
  const run = (...args: readonly unknown[]): unknown => packResults(record, applyOp(record, args))
  Object.defineProperty(run, 'name', { value: name })
  // The types of the arguments and of the result are the record's own, read off it by OpFunction.
  return run as OpFunction<Name>
}

/** Gives `prototype` the method of every record, and the in-place methods of the pointwise ones. */
export function installMethods(prototype: Tensor): void {
  for (const [name, record] of Object.entries(anyRecords)) {
    if ((notDerived as readonly string[]).includes(name)) continue
    define(prototype, name, function (this: Tensor, ...args: readonly unknown[]) {
      return packResults(record, applyOp(record, [this, ...args]))
    })
    if (record.category !== 'pointwise' || record.results !== null) continue
    define(prototype, `${name}_`, function (this: Tensor, ...args: readonly unknown[]) {
      const [value] = applyOp(record, [this, ...args])
      assignInPlace(`${name}_`, this, value!)
      return this
    })
  }
}

function define(prototype: object, name: string, method: (...args: never[]) => unknown): void {
  Object.defineProperty(method, 'name', { value: name })
  Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true })
}
