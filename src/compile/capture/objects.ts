/**
 * Which objects `compile` can walk: their content can be read, compared at each call and written back. Objects with hidden
 * state (private fields, native objects) are refused, unless they have a guard method (base/guard-key.ts).
 */
import { CaptureError } from '../../base/errors.js'
import { describeValue } from './tree.js'

export type Key = string | symbol

/** Typed arrays and buffers are guarded by their bytes, up to this many. */
const byteLimit = 1 << 16

export const isBytes = (value: object): value is ArrayBufferView | ArrayBuffer =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer

/** The bytes themselves, not a copy. */
export const viewBytes = (value: ArrayBufferView | ArrayBuffer): Uint8Array =>
  value instanceof ArrayBuffer
    ? new Uint8Array(value)
    : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)

/** A copy of the bytes. Throws CaptureError for more than are compared at each call. */
export function guardedBytes(value: ArrayBufferView | ArrayBuffer, path: string): Uint8Array {
  const bytes = viewBytes(value)
  if (bytes.length <= byteLimit) return bytes.slice()
  throw new CaptureError(
    `compile: ${path} is ${describeValue(value)} of ${bytes.length} bytes, and at most ${byteLimit} are guarded`,
    { fix: 'pass it as a tensor: tensor(…) is read at each call and is no guard' },
  )
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** An object's own keys: enumerable string keys in their order, then all others. */
export interface Fields {
  readonly keys: readonly string[]
  readonly hidden: readonly Key[]
}

/** The fields of a plain object or a class instance. Throws CaptureError for a getter among them. */
export function fieldsOf(value: object, path: string): Fields {
  const keys = Object.keys(value)
  const hidden = Reflect.ownKeys(value).filter(key => typeof key === 'symbol' || !keys.includes(key))
  for (const key of [...keys, ...hidden]) {
    if (Object.getOwnPropertyDescriptor(value, key)?.get === undefined) continue
    throw new CaptureError(
      `compile: ${path}.${String(key)} is a getter on the object itself, which hides what it reads`,
      {
        fix: 'pass its value, or make it a getter of the class, which reads fields',
      },
    )
  }
  return { keys, hidden }
}

/** True when `value` has the fields, in that order. Allocates nothing where there are no hidden ones. */
export function hasFields(value: object, { keys, hidden }: Fields): boolean {
  let next = 0
  for (const key in value) {
    if (key === keys[next]) next++
    else if (Object.hasOwn(value, key)) return false
  }
  if (next !== keys.length) return false
  for (let i = 0; i < hidden.length; i++) if (!Object.hasOwn(value, hidden[i]!)) return false
  return true
}

/**
 * Throws CaptureError when an array, a Map, a Set, a date or bytes have extra fields besides their content: guards would
 * not compare those.
 */
export function refuseFields(value: object, path: string): void {
  const field = extraField(value)
  if (field === undefined) return
  throw new CaptureError(`compile: ${path} is ${describeValue(value)} with a field of its own, ${String(field)}`, {
    fix: 'keep both in a plain object or in fields of a class',
  })
}

/** Whether an instance of a subclass of those has extra fields. For the built-in classes the check is skipped, as it costs time. */
export const subclassHasFields = (value: object, prototype: object | null): boolean =>
  prototype !== null && !builtIn.has(prototype) && extraField(value) !== undefined

const builtIn: ReadonlySet<object> = new Set([Array.prototype, Map.prototype, Set.prototype, Date.prototype])

function extraField(value: object): Key | undefined {
  const isItem = (key: Key): boolean => typeof key === 'string' && /^(0|[1-9]\d*|length)$/.test(key)
  const holdsItems = Array.isArray(value) || ArrayBuffer.isView(value)
  return Reflect.ownKeys(value).find(key => !(holdsItems && isItem(key)))
}

/** Whether an object's whole state is in its own fields: plain objects, and instances of classes without private fields. */
export function isWalkable(value: object): boolean {
  let prototype: unknown = Object.getPrototypeOf(value)
  while (prototype !== null && prototype !== Object.prototype) {
    if (prototype === iterators || prototype === asyncIterators || !hasOpenState(prototype as object)) return false
    prototype = Object.getPrototypeOf(prototype)
  }
  return true
}

/** Prototypes of generators and built-in iterators: their position is hidden state. */
const iterators: unknown = Object.getPrototypeOf(Object.getPrototypeOf([].values()))
const asyncIterators: unknown = Object.getPrototypeOf(
  Object.getPrototypeOf(async function* () {}.prototype as object) as object,
)

const known = new WeakMap<object, boolean>()

/** Decided by the class's source text, as only that shows private fields; false for built-in classes. */
function hasOpenState(prototype: object): boolean {
  const found = known.get(prototype)
  if (found !== undefined) return found
  const open = isOpenClass(Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value)
  known.set(prototype, open)
  return open
}

function isOpenClass(made: unknown): boolean {
  if (typeof made !== 'function') return true // an object used as a prototype
  const source = Function.prototype.toString.call(made)
  if (/\{\s*\[native code\]\s*\}\s*$/.test(source)) return false
  return !hasPrivateFields(source.replace(commentsAndTexts, ''))
}

/** Private methods hold no state: their names stand before a parenthesis where they are declared, those of fields do not. */
function hasPrivateFields(source: string): boolean {
  const names = [...source.matchAll(/(\.\s*)?#([\p{ID_Start}$_][\p{ID_Continue}$]*)(\s*\()?/gu)]
  const declared = names.filter(([, dot]) => dot === undefined)
  const methods = new Set(declared.map(([, , name]) => name))
  return declared.some(([, , , call]) => call === undefined) || names.some(([, , name]) => !methods.has(name))
}

const commentsAndTexts = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g

/** Throws the error for an object that cannot be looked into. */
export function refuseOpaque(value: object, path: string): never {
  throw new CaptureError(
    `compile: ${path} is ${describeValue(value)}, whose state cannot be seen (private fields, or built in), so it cannot be guarded`,
    {
      fix: 'pass the tensors and values that the function needs, close over the object, or give its class a method [guardKey]() that returns what the function depends on',
    },
  )
}
