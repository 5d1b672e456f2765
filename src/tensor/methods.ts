/**
 * Tensor's methods and the free functions, derived from the op records: a record's `call` gives the parameters (with
 * Tensor for Value), its `results` the result. Nothing here names an op's parameters a second time.
 */
import { calledAs } from '../base/errors.js'
import type { Callee } from '../graph/bind.js'
import { type RecordName, recordNames, recordTable } from '../graph/ops/index.js'
import { isOverloaded, opOfCall, type PublicName } from '../graph/ops/names.js'
import type { OpRecord } from '../graph/record.js'
import { applyOp, assignInPlace, isTensor } from './dispatch.js'
import { inPlaceMethodNames, methodNames } from './method-names.js'
import type { Tensor } from './tensor-type.js'

export { type RecordName, recordNames }

/** An op's results as the user receives them. */
function packResults(record: OpRecord, results: readonly Tensor[]): Tensor | Readonly<Record<string, Tensor>> {
  if (record.results === null) return results[0]!
  return Object.fromEntries(record.results.map((name, i) => [name, results[i]!]))
}

/** Applies an op by the name that the user called: an alias, an overloaded one, or that of the in-place method. */
function apply(record: OpRecord, args: readonly unknown[], callee: Callee): readonly Tensor[] {
  try {
    return applyOp(record, args, undefined, callee)
  } catch (error) {
    throw calledAs(callee.name, error)
  }
}

/** Calls the op as a free function. */
export function callOp(name: PublicName, args: readonly unknown[]): unknown {
  const record = recordTable[opOfCall(name, args, isTensor)]
  return packResults(record, apply(record, args, { name, isMethod: false }))
}

/** Defines all methods and in-place methods on `prototype`. */
export function installMethods(prototype: Tensor): void {
  for (const name of methodNames) {
    const callee = { name, isMethod: true }
    const only = isOverloaded(name) ? null : recordTable[opOfCall(name, [], isTensor)]
    define(prototype, name, function (this: Tensor, ...rest: readonly unknown[]) {
      const args = [this, ...rest]
      const record = only ?? recordTable[opOfCall(name, args, isTensor)]
      return packResults(record, apply(record, args, callee))
    })
  }
  for (const name of inPlaceMethodNames) {
    const callee = { name: `${name}_`, isMethod: true }
    define(prototype, callee.name, function (this: Tensor, ...rest: readonly unknown[]) {
      const args = [this, ...rest]
      const [value] = apply(recordTable[opOfCall(name, args, isTensor)], args, callee)
      assignInPlace(callee.name, this, value!)
      return this
    })
  }
}

function define(prototype: object, name: string, method: (...args: never[]) => unknown): void {
  Object.defineProperty(method, 'name', { value: name })
  Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true })
}
