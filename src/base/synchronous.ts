/** Checks that a user's function is synchronous. */
import type { TegulaError } from './errors.js'

/**
 * Returns `result` unless it is a promise (or another thenable) or a generator, whose body has not run: then throws
 * `refuse('a promise')` or `refuse('a generator')`. Later rejections of the promise are ignored: the caller gets this error.
 */
export function requireSynchronous<R>(result: R, refuse: (what: string) => TegulaError): R {
  if (typeof result !== 'object' || result === null) return result
  if (isGenerator(result)) throw refuse('a generator')
  if (!('then' in result) || typeof result.then !== 'function') return result
  const ignore = (): void => {}
  result.then(ignore, ignore)
  throw refuse('a promise')
}

const isGenerator = (value: object): boolean =>
  'next' in value && typeof value.next === 'function' && (Symbol.iterator in value || Symbol.asyncIterator in value)
