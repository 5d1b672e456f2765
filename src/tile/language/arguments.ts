/** Checks for mistakes that JavaScript lets pass: unknown options, extra arguments, arguments that are not functions. */
import { describeAny } from '../../base/describe.js'
import type { Emitter } from './emitter.js'

/** An options object, checked. Throws KernelError when it is not an object, or has an option that is not in `names`. */
export function optionsOf<T extends object>(
  emitter: Emitter,
  op: string,
  options: T | undefined,
  names: readonly (keyof T & string)[],
): Partial<T> {
  if (options === undefined) return {}
  const known =
    names.length === 0 ? 'leave them out' : `there ${names.length > 1 ? 'are' : 'is'} ${names.join(' and ')}`
  const given: unknown = options
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return emitter.fail(`${op}: the options are ${describeAny(given)}, not an object`, known)
  const unknown = Object.keys(given).find(name => !(names as readonly string[]).includes(name))
  if (unknown !== undefined) emitter.fail(`${op}: no option '${unknown}'`, known)
  return options
}

/** A boolean option. Throws KernelError for anything else. */
export function flagOf(emitter: Emitter, op: string, name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false
  return emitter.fail(`${op}: ${name} is ${describeAny(value)}`, 'pass true or false')
}

/** Throws KernelError when `value` is not a function that can be called. */
export function checkFunction(emitter: Emitter, op: string, what: string, value: unknown): void {
  const isClass = typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
  if (typeof value === 'function' && !isClass) return
  emitter.fail(`${op}: ${what} is ${isClass ? 'a class' : describeAny(value)}`, 'pass a function')
}

type Method = (this: object, ...args: never[]) => unknown

/** Makes methods reject more arguments than they have parameters, which JavaScript would ignore. */
export function limitArguments<T extends { readonly emitter: Emitter }>(
  prototype: T,
  most: { readonly [K in Exclude<keyof T & string, 'toString'>]?: number },
): void {
  for (const [name, limit] of Object.entries(most) as [string, number][]) {
    const method = (prototype as unknown as Record<string, Method>)[name] as Method
    const limited = function (this: T, ...args: never[]): unknown {
      if (args.length > limit) {
        this.emitter.fail(
          `${name}: ${args.length} arguments, the last of them ${describeAny(args.at(-1))}`,
          `it takes ${limit === 0 ? 'none' : `at most ${limit}`}`,
        )
      }
      return method.apply(this, args)
    }
    Object.defineProperty(prototype, name, { value: limited, configurable: true, writable: true })
  }
}
