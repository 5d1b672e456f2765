/** Functions whose work must be done when they return. */
import type { TegulaError } from './errors.js'

/**
 * `result`, unless it comes later: a promise or another thenable, or a generator, whose body has not run. Then it throws
 * what `refuse` makes of what it is. Whatever a refused promise rejects with goes unheard: the caller has this error.
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
