/**
 * Canonical text of plain data: two texts are equal exactly when the data are equal. Used for interning, cache keys and
 * guards. JSON does not suffice: it does not distinguish 0 from -0 or NaN from null, and lacks Infinity, undefined, bigint
 * and typed arrays.
 */
import { createHash } from 'node:crypto'
import { InternalError } from './errors.js'

export type Plain =
  | string
  | number
  | boolean
  | bigint
  | null
  | undefined
  | readonly Plain[]
  | Uint8Array
  | CanonicalText
  | { readonly [key: string]: Plain }

/** An immutable object with a text that identifies its value, such as a symbolic size. */
export interface CanonicalText {
  readonly canonicalText: string
}

export function canonical(value: Plain): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return `${value}n`
    case 'undefined':
      return 'undefined'
    case 'object':
      return canonicalObject(value)
    default:
      throw new InternalError(`canonical: a ${typeof value} is not plain data`)
  }
}

function canonicalObject(value: Exclude<Plain, string | number | boolean | bigint | undefined>): string {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (isCanonicalText(value)) return `<${value.canonicalText}>`
  const record = value as { readonly [key: string]: Plain }
  const keys = Object.keys(record)
  if (keys.length > 1) keys.sort()
  let text = '{'
  for (const key of keys) text += `${text === '{' ? '' : ','}${quoted(key)}:${canonical(record[key])}`
  return `${text}}`
}

/** Whether the data are equal, without their texts. False for objects whose keys are in another order, too. */
export function samePlain(a: Plain, b: Plain): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameLists(a, b)
  if (Array.isArray(b) || !isRecord(a) || !isRecord(b)) return canonical(a) === canonical(b)
  return sameRecords(a, b)
}

function sameLists(a: readonly Plain[], b: readonly Plain[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!samePlain(a[i], b[i])) return false
  return true
}

type PlainRecord = { readonly [key: string]: Plain }

/** A plain object, unlike bytes and values that have a text of their own. */
const isRecord = (value: object): value is PlainRecord => Object.getPrototypeOf(value) === Object.prototype

function sameRecords(a: PlainRecord, b: PlainRecord): boolean {
  const keys = Object.keys(a)
  const others = Object.keys(b)
  if (keys.length !== others.length) return false
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (key !== others[i] || !samePlain(a[key], b[key])) return false
  }
  return true
}

/** A deep copy: lists and plain objects are copied, immutable values are shared. */
export function copyPlain(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(copyPlain)
  if (typeof value !== 'object' || value === null || !isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyPlain(item)]))
}

/** The text as a JSON string. Nearly all strings are names without escapes, and the test is faster than `JSON.stringify`. */
const quoted = (text: string): string => (/^[\w.:-]*$/.test(text) ? `"${text}"` : JSON.stringify(text))

/** SHA-256 of the parts, each preceded by its length so that no two lists of parts collide; hex, 64 characters. */
export function contentHash(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest('hex')
}

export function isCanonicalText(value: object): value is CanonicalText {
  return 'canonicalText' in value && typeof value.canonicalText === 'string'
}
