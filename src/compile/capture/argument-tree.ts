/**
 * The structure of a call's arguments, as `compile` guards it. Tensors and numbers are leaves, which may differ at each
 * call; objects whose content is visible are walked (arrays, plain objects, fields of class instances, Maps, Sets, the
 * bytes of typed arrays); the rest is guarded by value. The structure is recorded once, at capture; later calls match their
 * arguments against it without allocating.
 */
import { CaptureError } from '../../base/errors.js'
import { type Guarded, guardKey, isGuarded } from '../../base/guard-key.js'
import { TensorHandle } from '../../tensor/handle.js'
import { SymbolicNumber } from '../../tensor/symbolic-number.js'
import { Tensor } from '../../tensor/tensor.js'
import {
  type Fields,
  fieldsOf,
  guardedBytes,
  hasFields,
  isBytes,
  isWalkable,
  type Key,
  refuseFields,
  refuseOpaque,
  sameBytes,
  subclassHasFields,
  viewBytes,
} from './objects.js'
import { childrenOf, describeValue } from './tree.js'

interface Located {
  /** `args[0].w`, for messages. */
  readonly path: string
}

/** An object that was walked; `object`: its index among the walked objects, in the order of the walk. */
interface Walked extends Located {
  readonly object: number
  /** What it is an instance of. */
  readonly prototype: object | null
}

/** An object with a guard method is guarded by its fields, its identity and what the method returned. */
export interface GuardedState {
  readonly value: Guarded
  readonly state: unknown
}

export type ArgumentTree =
  | (Located & { readonly kind: 'tensor'; readonly index: number })
  /** A number: `index` among the numbers; `value`: in the captured call. */
  | (Located & { readonly kind: 'number'; readonly index: number; readonly value: number })
  /** A boxed number: `index` among the boxed numbers. Its value is an input. */
  | (Located & { readonly kind: 'box'; readonly index: number })
  /** Guarded by `Object.is`. */
  | (Located & { readonly kind: 'value'; readonly value: unknown })
  | (Walked & { readonly kind: 'array' | 'set'; readonly items: readonly ArgumentTree[] })
  /** A plain object or a class instance. `items`: values of `keys`, then of `hidden`. */
  | (Walked &
      Fields & {
        readonly kind: 'record'
        readonly items: readonly ArgumentTree[]
        readonly guarded: GuardedState | null
      })
  | (Walked & { readonly kind: 'map'; readonly keys: readonly ArgumentTree[]; readonly items: readonly ArgumentTree[] })
  | (Walked & { readonly kind: 'bytes'; readonly content: Uint8Array })
  | (Walked & { readonly kind: 'date'; readonly time: number })
  /** An object that the walk has seen before. */
  | (Located & { readonly kind: 'seen'; readonly object: number })

/** What a walk or a match finds in the arguments: tensors, numbers, boxed numbers and objects, by their indices. */
export interface ArgumentSlots {
  readonly leaves: Tensor[]
  readonly numbers: number[]
  readonly boxes: SymbolicNumber[]
  readonly objects: object[]
}

export const emptySlots = (): ArgumentSlots => ({ leaves: [], numbers: [], boxes: [], objects: [] })

/** At most so many values are walked, since guards compare them at each call. */
const walkLimit = 10_000

export interface DescribedArguments {
  readonly tree: ArgumentTree
  readonly slots: ArgumentSlots
}

/** The structure of a call's arguments, and the values in its slots. Throws CaptureError for what cannot be guarded. */
export function describeArguments(args: readonly unknown[]): DescribedArguments {
  const walk = new Walk()
  return { tree: walk.describe(args, 'args'), slots: walk.slots }
}

class Walk {
  readonly slots = emptySlots()
  readonly #seen = new Map<object, number>()
  #count = 0

  /** The structure of an argument; tensors, numbers and boxed numbers are added to the slots. */
  describe(value: unknown, path: string): ArgumentTree {
    if (value instanceof Tensor) {
      value.requireInCapture(path)
      return { kind: 'tensor', index: this.slots.leaves.push(value) - 1, path }
    }
    if (++this.#count > walkLimit) {
      throw new CaptureError(`compile: the arguments hold more than ${walkLimit} values (up to ${path})`, {
        fix: 'guards compare each of them at each call: pass many numbers as a tensor',
      })
    }
    if (typeof value === 'number') return { kind: 'number', index: this.slots.numbers.push(value) - 1, value, path }
    if (typeof value !== 'object' || value === null) return { kind: 'value', value, path }
    if (value instanceof SymbolicNumber) return { kind: 'box', index: this.slots.boxes.push(value) - 1, path }
    const seen = this.#seen.get(value)
    if (seen !== undefined) return { kind: 'seen', object: seen, path }
    const object = this.slots.objects.push(value) - 1
    this.#seen.set(value, object)
    return this.#walk(value, { object, prototype: Object.getPrototypeOf(value) as object | null, path })
  }

  /** The structure of an object, and of what it holds. */
  #walk(value: object, walked: Walked): ArgumentTree {
    const { path } = walked
    if (
      Array.isArray(value) ||
      value instanceof Map ||
      value instanceof Set ||
      value instanceof Date ||
      isBytes(value)
    ) {
      refuseFields(value, path)
    }
    if (Array.isArray(value)) {
      const items = Array.from(value, (item: unknown, i) => this.describe(item, `${path}[${i}]`))
      return { kind: 'array', ...walked, items }
    }
    if (value instanceof Map) {
      const keys = [...value.keys()].map(key => this.#key(key, path))
      const items = [...value].map(([key, item]) => this.describe(item, `${path}.get(${describeValue(key)})`))
      return { kind: 'map', ...walked, keys, items }
    }
    if (value instanceof Set) {
      return { kind: 'set', ...walked, items: [...value].map((item, i) => this.describe(item, `${path} (item ${i})`)) }
    }
    if (value instanceof Date) return { kind: 'date', ...walked, time: value.getTime() }
    if (isBytes(value)) return { kind: 'bytes', ...walked, content: guardedBytes(value, path) }
    const guarded = isGuarded(value) ? guardedState(value, path) : null
    if (guarded === null && !isWalkable(value)) refuseOpaque(value, path)
    const fields = fieldsOf(value, path)
    const items = [...fields.keys, ...fields.hidden].map(key =>
      this.describe((value as Record<Key, unknown>)[key], `${path}.${String(key)}`),
    )
    return { kind: 'record', ...walked, ...fields, items, guarded }
  }

  /** A number as a key is guarded by value: it names an entry and is not computed with. */
  #key(key: unknown, path: string): ArgumentTree {
    return typeof key === 'number' ? { kind: 'value', value: key, path } : this.describe(key, `${path} (a key)`)
  }
}

/** True when `value` has the structure; fills `slots`. Allocates nothing, except in objects' guard methods. */
export function matchArguments(tree: ArgumentTree, value: unknown, slots: ArgumentSlots): boolean {
  switch (tree.kind) {
    case 'tensor':
      // TensorHandle is Tensor's base class: V8 is slow at `instanceof` of a derived class.
      if (!(value instanceof TensorHandle)) return false
      slots.leaves[tree.index] = value as Tensor
      return true
    case 'number':
      if (typeof value !== 'number') return false
      slots.numbers[tree.index] = value
      return true
    case 'box':
      if (!(value instanceof SymbolicNumber)) return false
      slots.boxes[tree.index] = value
      return true
    case 'value':
      return Object.is(tree.value, value)
    case 'seen':
      return slots.objects[tree.object] === value
    default:
      if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== tree.prototype) return false
      slots.objects[tree.object] = value
      if (tree.kind !== 'record' && tree.kind !== 'bytes' && subclassHasFields(value, tree.prototype)) return false
      return matchObject(tree, value, slots)
  }
}

type WalkedTree = Extract<ArgumentTree, Walked>

/** True when an object has the recorded structure; fills the slots with its tensors and numbers. */
function matchObject(tree: WalkedTree, value: object, slots: ArgumentSlots): boolean {
  switch (tree.kind) {
    case 'array':
      return Array.isArray(value) && matchItems(tree.items, value, slots)
    case 'record':
      return (
        (tree.guarded === null || (tree.guarded.value === value && isSameGuardState(tree.guarded))) &&
        hasFields(value, tree) &&
        matchFields(tree, value as Readonly<Record<Key, unknown>>, slots)
      )
    case 'map':
      return value instanceof Map && matchMap(tree.keys, tree.items, value, slots)
    case 'set':
      return value instanceof Set && matchSet(tree.items, value, slots)
    case 'bytes':
      return isBytes(value) && sameBytes(tree.content, viewBytes(value))
    case 'date':
      return value instanceof Date && Object.is(value.getTime(), tree.time)
    default:
      return tree satisfies never
  }
}

function matchItems(items: readonly ArgumentTree[], values: readonly unknown[], slots: ArgumentSlots): boolean {
  if (values.length !== items.length) return false
  for (let i = 0; i < items.length; i++) if (!matchArguments(items[i]!, values[i], slots)) return false
  return true
}

function matchFields(
  { keys, hidden, items }: Extract<ArgumentTree, { kind: 'record' }>,
  value: Readonly<Record<Key, unknown>>,
  slots: ArgumentSlots,
): boolean {
  for (let i = 0; i < keys.length; i++) if (!matchArguments(items[i]!, value[keys[i]!], slots)) return false
  for (let i = 0; i < hidden.length; i++) {
    if (!matchArguments(items[keys.length + i]!, value[hidden[i]!], slots)) return false
  }
  return true
}

/** True when a map has the recorded keys and items, in the same order. */
function matchMap(
  keys: readonly ArgumentTree[],
  items: readonly ArgumentTree[],
  value: ReadonlyMap<unknown, unknown>,
  slots: ArgumentSlots,
): boolean {
  if (value.size !== keys.length) return false
  let i = 0
  for (const [key, item] of value) {
    if (!matchArguments(keys[i]!, key, slots) || !matchArguments(items[i]!, item, slots)) return false
    i++
  }
  return true
}

function matchSet(items: readonly ArgumentTree[], value: ReadonlySet<unknown>, slots: ArgumentSlots): boolean {
  if (value.size !== items.length) return false
  let i = 0
  for (const item of value) if (!matchArguments(items[i++]!, item, slots)) return false
  return true
}

/** Why `value` does not match, for `explain()` and recompile warnings; null when it does. `seen`: objects walked so far. */
export function explainMismatch(tree: ArgumentTree, value: unknown, seen: object[] = []): string | null {
  const was = (what: string): string => `${tree.path} was ${what}, now ${describeValue(value)}`
  switch (tree.kind) {
    case 'tensor':
      return value instanceof Tensor ? null : was('a tensor')
    case 'number':
      return typeof value === 'number' ? null : was(String(tree.value))
    case 'box':
      return value instanceof SymbolicNumber ? null : was('a boxed number')
    case 'value':
      return Object.is(tree.value, value) ? null : was(describeValue(tree.value))
    case 'seen':
      return seen[tree.object] === value ? null : `${tree.path} was the same object as another one in the arguments`
    default:
      if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== tree.prototype) {
        return was(className(tree))
      }
      seen[tree.object] = value
      return explainObject(tree, value, seen)
  }
}

function className({ kind, prototype }: WalkedTree): string {
  if (kind === 'array') return 'an array'
  if (prototype === Object.prototype || prototype === null) return 'an object'
  return `an object of class ${prototype.constructor.name}`
}

/** The first difference between an object and the recorded structure; null: there is none. */
function explainObject(tree: WalkedTree, value: object, seen: object[]): string | null {
  const { path } = tree
  switch (tree.kind) {
    case 'array': {
      const values = value as readonly unknown[]
      if (values.length !== tree.items.length) return `${path} had ${tree.items.length} items, now ${values.length}`
      return firstMismatch(tree.items, values, seen)
    }
    case 'record': {
      if (tree.guarded !== null && tree.guarded.value !== value) return `${path} was another object of its class`
      if (tree.guarded !== null && !isSameGuardState(tree.guarded))
        return `the guard method of ${path} returns another state than before`
      if (!hasFields(value, tree)) {
        return `${path} had the keys ${tree.keys.join(', ')} in this order, now ${Object.keys(value).join(', ')}`
      }
      const fields = value as Readonly<Record<Key, unknown>>
      return firstMismatch(
        tree.items,
        [...tree.keys, ...tree.hidden].map(key => fields[key]),
        seen,
      )
    }
    case 'map': {
      const entries = [...(value as ReadonlyMap<unknown, unknown>)]
      if (entries.length !== tree.items.length) return `${path} had ${tree.items.length} entries, now ${entries.length}`
      const keys = entries.map(([key]) => key)
      return (
        firstMismatch(tree.keys, keys, seen) ??
        firstMismatch(
          tree.items,
          entries.map(([, item]) => item),
          seen,
        )
      )
    }
    case 'set': {
      const items = [...(value as ReadonlySet<unknown>)]
      if (items.length !== tree.items.length) return `${path} had ${tree.items.length} items, now ${items.length}`
      return firstMismatch(tree.items, items, seen)
    }
    case 'bytes':
      return isBytes(value) && sameBytes(tree.content, viewBytes(value)) ? null : `${path} holds other bytes`
    case 'date':
      return Object.is((value as Date).getTime(), tree.time) ? null : `${path} was another date`
    default:
      return tree satisfies never
  }
}

function firstMismatch(items: readonly ArgumentTree[], values: readonly unknown[], seen: object[]): string | null {
  for (const [i, item] of items.entries()) {
    const mismatch = explainMismatch(item, values[i], seen)
    if (mismatch !== null) return mismatch
  }
  return null
}

/** The paths of a tree's tensors, numbers or boxed numbers, by index. */
export function slotPaths(tree: ArgumentTree, kind: 'tensor' | 'number' | 'box', paths: string[] = []): string[] {
  if (tree.kind === kind) paths[tree.index] = tree.path
  for (const child of childrenOf(tree)) slotPaths(child, kind, paths)
  return paths
}

// --- guard methods -----------------------------------------------------------------------------------------------------

/** What an object's guard method returns now. */
export const guardedState = (value: Guarded, path: string): GuardedState => ({
  value,
  state: copyState(value[guardKey](), path),
})

/** Whether an object's guard method returns the same state as at capture. */
export const isSameGuardState = ({ value, state }: GuardedState): boolean => sameState(state, value[guardKey]())

/** A copy, so that in-place changes are detected. Arrays and plain objects of values that `Object.is` compares. */
function copyState(state: unknown, path: string): unknown {
  if (typeof state !== 'object' || state === null || state instanceof Tensor) return state
  if (Array.isArray(state)) return state.map((item: unknown) => copyState(item, path))
  const prototype: unknown = Object.getPrototypeOf(state)
  if (prototype === Object.prototype || prototype === null) {
    return Object.fromEntries(Object.entries(state).map(([key, item]) => [key, copyState(item, path)]))
  }
  throw new CaptureError(`compile: the guard method of ${path} returns ${describeValue(state)}`, {
    fix: 'return numbers, texts, flags, tensors, and arrays and plain objects of them',
  })
}

function sameState(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || a instanceof Tensor) return Object.is(a, b)
  if (typeof b !== 'object' || b === null || Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), Object.entries(b)]
  return (
    left.length === right.length &&
    left.every(([key, item], i) => key === right[i]![0] && sameState(item, (right[i] as [string, unknown])[1]))
  )
}
