/** Validation of options objects, for functions that are not op records (op records validate by their signature). */
import { describeAny } from './describe.js'
import { ArgumentError } from './errors.js'

/** Throws ArgumentError when `options` is not a plain object or has an unknown option. */
export function checkOptionsObject(name: string, options: unknown, known: readonly string[]): void {
  const fix = `there are ${known.join(', ')}`
  if (!isPlainObject(options))
    throw new ArgumentError(`${name}: the options are ${describeAny(options)}, not an object`, {
      fix: known.length > 0 ? fix : 'pass them by name, in one object',
    })
  const unknown = Object.keys(options).find(key => !known.includes(key))
  if (unknown !== undefined) throw new ArgumentError(`${name}: no option '${unknown}'`, { fix })
}

/** True for an object literal, false for an instance of a class. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
