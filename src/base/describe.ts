/** What was given in place of what was wanted, for messages. No tensor is read: its values may not be there yet. */

/**
 * The key under which an object that is often given in place of a tensor says what to do instead: the fix of the error that
 * refuses it.
 */
export const fixWhenRefused = Symbol('tegula.fixWhenRefused')

/** A longer list is named, not shown. */
const shownElements = 8

export function describeAny(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'string')
    return `the string ${JSON.stringify(value.length > 30 ? `${value.slice(0, 30)}…` : value)}`
  if (Array.isArray(value)) return describeList(value)
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value === 'object') return describeObject(value)
  return `the ${typeof value} ${String(value)}`
}

function describeList(list: readonly unknown[]): string {
  const isPlain = list.every(one => one === null || one === undefined || !['object', 'function'].includes(typeof one))
  if (!isPlain || list.length > shownElements) return `an array of ${list.length}`
  const texts = list.map(one => (typeof one === 'string' ? JSON.stringify(one.slice(0, 30)) : String(one)))
  return `[${texts.join(', ')}]`
}

function describeObject(value: object): string {
  const name: unknown = value.constructor?.name
  if (name === undefined || name === 'Object') {
    const keys = Object.keys(value)
    return keys.length === 0 ? 'an empty object' : `an object of ${keys.slice(0, shownElements).join(', ')}`
  }
  return `an object of class ${String(name)}`
}
