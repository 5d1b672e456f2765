/** Describes a wrong argument for error messages. Does not read tensors' values, which may not be computed yet. */

/** Longer lists are described by their length only. */
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

/** True for a quantised tensor of tegula/quant, which is a plain object of tensors. */
export const isQuantisedParts = (value: object): boolean => 'format' in value && 'values' in value && 'scales' in value

function describeObject(value: object): string {
  const name: unknown = value.constructor?.name
  if (name === undefined || name === 'Object') {
    const keys = Object.keys(value)
    if (isQuantisedParts(value)) return 'a quantised tensor'
    return keys.length === 0 ? 'an empty object' : `an object of ${keys.slice(0, shownElements).join(', ')}`
  }
  return `an object of class ${String(name)}`
}
