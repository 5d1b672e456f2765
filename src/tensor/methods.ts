/**
 * Tensor's methods and the free functions, derived from the op records: a record's `call` gives the parameters (with
 * Tensor for Value), its `results` the result. Nothing here names an op's parameters a second time.
 */
import { type RecordName, recordNames, recordTable } from '../graph/ops/index.js'
import type { OpRecord } from '../graph/record.js'
import { applyOp, assignInPlace } from './dispatch.js'
import { inPlaceNames, withoutMethod } from './method-names.js'
import type { Tensor } from './tensor-type.js'

export { type RecordName, recordNames }

/** What a call of an op gives the user. */
function packResults(record: OpRecord, results: readonly Tensor[]): Tensor | Readonly<Record<string, Tensor>> {
  if (record.results === null) return results[0]!
  return Object.fromEntries(record.results.map((name, i) => [name, results[i]!]))
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
