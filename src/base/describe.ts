/** What was given in place of what was wanted, for messages. No tensor is read: its values may not be there yet. */

export function describeAny(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'string')
    return `the string ${JSON.stringify(value.length > 30 ? `${value.slice(0, 30)}…` : value)}`
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object') return `an object of class ${value.constructor?.name ?? 'null'}`
  return `the ${typeof value} ${String(value)}`
}
