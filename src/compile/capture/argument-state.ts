/**
 * The objects of a call's arguments while the function is traced. The function gets the very objects that it was passed,
 * with traced tensors in place of tensors, so that methods, private state and identity work as usual; afterwards the
 * objects are restored. What the function wrote into them is found by comparing contents before and after, and is written
 * at each call of the compiled code.
 */
import { CaptureError } from '../../base/errors.js'
import type { SymbolicNumber } from '../../tensor/symbolic-number.js'
import type { Tensor } from '../../tensor/tensor.js'
import { type ArgumentTree, type DescribedArguments, isSameGuardState } from './argument-tree.js'
import { isBytes, type Key, sameBytes, viewBytes } from './objects.js'
import {
  childrenOf,
  describeTree,
  describeValue,
  objectOf,
  rebuildTree,
  setOwn,
  type Tree,
  type TreeContext,
  type TreeParts,
} from './tree.js'

/** What an object holds. */
export type Content =
  | { readonly kind: 'array' | 'set'; readonly items: readonly unknown[] }
  | { readonly kind: 'record' | 'map'; readonly keys: readonly unknown[]; readonly items: readonly unknown[] }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'date'; readonly time: number }

/** An object's whole content after the function changed it, in order. `items`: null where an item is unchanged. */
export interface Change {
  /** The object, by its index among the arguments' objects; −1, −2, …: a watched one. */
  readonly object: number
  readonly path: string
  readonly kind: 'array' | 'record' | 'map' | 'set'
  readonly keys: readonly (Tree | Key)[]
  readonly items: readonly (Tree | null)[]
}

/** The traced stand-ins for the tensors and boxed numbers among the arguments. */
export interface LiftedArguments {
  readonly leaves: readonly Tensor[]
  readonly boxes: readonly SymbolicNumber[]
}

export class ArgumentState {
  readonly #objects: readonly object[]
  readonly #trees: ReadonlyMap<number, ArgumentTree>
  readonly #before: readonly Content[]
  /** The objects' contents with traced tensors in place. */
  #traced: readonly Content[] = []
  /** Copies that replace frozen objects, which cannot be changed. */
  readonly #copies = new Map<number, object>()

  constructor({ tree, slots }: DescribedArguments) {
    this.#objects = slots.objects
    this.#trees = new Map(walkedTrees(tree))
    this.#before = this.#objects.map(contentOf)
  }

  /** Replaces the tensors by `lifted`; returns the arguments to call the function with. */
  substitute(lifted: LiftedArguments): readonly never[] {
    const args = this.#replace(this.#trees.get(0)!, this.#objects[0]!, lifted) as readonly never[]
    this.#traced = this.#objects.map((object, i) => contentOf(this.#copies.get(i) ?? object))
    return args
  }

  /** Restores the content of every object. */
  restore(): void {
    for (const [i, object] of this.#objects.entries()) {
      if (!this.#copies.has(i) && !sameContent(contentOf(object), this.#before[i]!))
        setContent(object, this.#before[i]!)
    }
  }

  /** Throws CaptureError when the function changed what a guard method returns: compiled calls would not change it. */
  checkGuardStates(name: string): void {
    for (const tree of this.#trees.values()) {
      if (tree.kind !== 'record' || tree.guarded === null || isSameGuardState(tree.guarded)) continue
      throw new CaptureError(`compile: ${name} changes what the guard method of ${tree.path} returns`, {
        fix: 'keep what the function changes in public fields, as tensors or plain values, or change it outside',
      })
    }
  }

  /** The index of the argument object that a value in the results is; null: none. */
  known(value: object): number | null {
    const found = this.#objects.indexOf(value)
    if (found > 0) return found
    for (const [i, copy] of this.#copies) if (copy === value) return i
    return null
  }

  /**
   * What the function wrote into the objects; its tensors are appended to `results`. `context`: how values are described.
   * Throws CaptureError for a change that cannot be made at each call.
   */
  changes(results: Tensor[], context: TreeContext): Change[] {
    return this.#objects.flatMap((object, i) => {
      const path = this.#trees.get(i)!.path
      const [before, now] = [this.#traced[i]!, contentOf(this.#copies.get(i) ?? object)]
      if (i === 0 || sameContent(before, now)) return []
      return [changeOf(i, path, before, now, (value, at) => describeTree(value, results, at, context))]
    })
  }

  /**
   * A value of the arguments with its tensors and boxed numbers replaced by traced ones; containers are copied if they
   * change.
   */
  #replace(tree: ArgumentTree, value: unknown, lifted: LiftedArguments): unknown {
    if (tree.kind === 'tensor') return lifted.leaves[tree.index]
    if (tree.kind === 'box') return lifted.boxes[tree.index]
    const children = childrenOf(tree)
    if (children.length === 0 || !('object' in tree)) {
      return tree.kind === 'seen' ? (this.#copies.get(tree.object) ?? value) : value
    }
    const content = this.#before[tree.object]!
    const keys = 'keys' in content && content.kind === 'map' ? content.keys : []
    const items = 'items' in content ? content.items : []
    const replaced = [...keys, ...items].map((item, i) => this.#replace(children[i]!, item, lifted))
    if (replaced.every((item, i) => item === [...keys, ...items][i])) return value
    const made: Content =
      content.kind === 'map'
        ? { kind: 'map', keys: replaced.slice(0, keys.length), items: replaced.slice(keys.length) }
        : ({ ...content, items: replaced } as Content)
    const target = value as object
    if (isChangeable(target)) {
      setContent(target, made)
      return target
    }
    const copy = emptyCopy(target)
    setContent(copy, made)
    this.#copies.set(tree.object, copy)
    return Object.freeze(copy)
  }
}

function* walkedTrees(tree: ArgumentTree): Generator<[number, ArgumentTree]> {
  if ('object' in tree && tree.kind !== 'seen') yield [tree.object, tree]
  for (const child of childrenOf(tree)) yield* walkedTrees(child)
}

const emptyCopy = (value: object): object =>
  Array.isArray(value) ? [] : (Object.create(Object.getPrototypeOf(value) as object | null) as object)

/** Maps and Sets always are; an array or an object when each of its fields can be assigned. */
function isChangeable(value: object): boolean {
  if (value instanceof Map || value instanceof Set) return true
  return !Object.isFrozen(value) && Reflect.ownKeys(value).every(key => isWritable(value, key))
}

const isWritable = (value: object, key: Key): boolean => Object.getOwnPropertyDescriptor(value, key)?.writable === true

// --- contents ----------------------------------------------------------------------------------------------------------

/** What a container holds now, to compare with later. */
export function contentOf(value: object): Content {
  if (Array.isArray(value)) return { kind: 'array', items: [...(value as unknown[])] }
  if (value instanceof Map) return { kind: 'map', keys: [...value.keys()], items: [...value.values()] }
  if (value instanceof Set) return { kind: 'set', items: [...value] }
  if (value instanceof Date) return { kind: 'date', time: value.getTime() }
  if (isBytes(value)) return { kind: 'bytes', bytes: viewBytes(value).slice() }
  // In the order of a walk: enumerable text keys, then the others.
  const texts = Object.keys(value)
  const keys = [...texts, ...Reflect.ownKeys(value).filter(key => typeof key === 'symbol' || !texts.includes(key))]
  return { kind: 'record', keys, items: keys.map(key => (value as Readonly<Record<Key, unknown>>)[key]) }
}

function sameContent(a: Content, b: Content): boolean {
  if (a.kind === 'bytes') return b.kind === 'bytes' && sameBytes(a.bytes, b.bytes)
  if (a.kind === 'date') return b.kind === 'date' && Object.is(a.time, b.time)
  if (b.kind === 'bytes' || b.kind === 'date') return false
  return a.kind === b.kind && sameItems(keysOf(a), keysOf(b)) && sameItems(a.items, b.items)
}

/** Whether an object holds that content now. Allocates little. */
export function holdsContent(value: object, content: Content): boolean {
  switch (content.kind) {
    case 'array':
      return Array.isArray(value) && sameItems(value, content.items)
    case 'record': {
      if (Reflect.ownKeys(value).length !== content.keys.length) return false
      const record = value as Readonly<Record<Key, unknown>>
      return content.keys.every(
        (key, i) => Object.hasOwn(value, key as Key) && Object.is(record[key as Key], content.items[i]),
      )
    }
    case 'map': {
      if (!(value instanceof Map) || value.size !== content.keys.length) return false
      let i = 0
      for (const [key, item] of value) {
        if (!Object.is(key, content.keys[i]) || !Object.is(item, content.items[i])) return false
        i++
      }
      return true
    }
    case 'set': {
      if (!(value instanceof Set) || value.size !== content.items.length) return false
      let i = 0
      for (const item of value) if (!Object.is(item, content.items[i++])) return false
      return true
    }
    case 'bytes':
      return isBytes(value) && sameBytes(viewBytes(value), content.bytes)
    case 'date':
      return value instanceof Date && Object.is(value.getTime(), content.time)
    default:
      return content satisfies never
  }
}

const keysOf = (content: Content): readonly unknown[] => ('keys' in content ? content.keys : [])

const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, i) => Object.is(item, b[i]))

/** Makes a container hold `content` again. */
export function setContent(value: object, content: Content): void {
  switch (content.kind) {
    case 'array':
      setArray(value as unknown[], content.items)
      return
    case 'record':
      setRecord(value as Record<Key, unknown>, content.keys as readonly Key[], content.items)
      return
    case 'map':
      setMap(value as Map<unknown, unknown>, content.keys, content.items)
      return
    case 'set':
      setSet(value as Set<unknown>, content.items)
      return
    case 'bytes':
      viewBytes(value as ArrayBufferView).set(content.bytes)
      return
    case 'date':
      ;(value as Date).setTime(content.time)
      return
    default:
      content satisfies never
  }
}

function setArray(array: unknown[], items: readonly unknown[]): void {
  array.length = items.length
  for (let i = 0; i < items.length; i++) if (!(i in array) || !Object.is(array[i], items[i])) array[i] = items[i]
}

/** Keys come in their order: where the kept ones would not, all are set anew. */
function setRecord(record: Record<Key, unknown>, keys: readonly Key[], items: readonly unknown[]): void {
  const present = Reflect.ownKeys(record)
  const kept = present.filter(key => keys.includes(key))
  const inOrder = kept.every((key, i) => key === keys[i])
  for (const key of present) if (!inOrder || !keys.includes(key)) delete record[key]
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (!Object.hasOwn(record, key) || !Object.is(record[key], items[i])) setOwn(record, key, items[i])
  }
}

function setMap(map: Map<unknown, unknown>, keys: readonly unknown[], items: readonly unknown[]): void {
  const inOrder = [...map.keys()].every((key, i) => Object.is(key, keys[i]))
  if (!inOrder) map.clear()
  for (let i = 0; i < keys.length; i++) map.set(keys[i], items[i])
}

function setSet(set: Set<unknown>, items: readonly unknown[]): void {
  set.clear()
  for (const item of items) set.add(item)
}

// --- changes -----------------------------------------------------------------------------------------------------------

/** What the function changed in one object. Throws CaptureError for a change that cannot be replayed. */
export function changeOf(
  object: number,
  path: string,
  before: Content,
  now: Content,
  describe: (value: unknown, path: string) => Tree,
): Change {
  if (now.kind === 'bytes' || now.kind === 'date' || before.kind === 'bytes' || before.kind === 'date') {
    throw new CaptureError(`compile: the function changes ${path} (${now.kind === 'date' ? 'a date' : 'its bytes'})`, {
      fix: 'only tensors and plain values can be assigned inside: hold the data in a tensor, or change it outside',
    })
  }
  const [old, keys] = [keysOf(before), keysOf(now)]
  const placeOf = (i: number): string => {
    if (now.kind === 'array' || now.kind === 'set') return `${path}[${i}]`
    return now.kind === 'map' ? `${path}.get(${describeValue(keys[i])})` : `${path}.${String(keys[i])}`
  }
  const described = now.kind === 'map' ? keys.map((key, i) => describe(key, `${placeOf(i)} (its key)`)) : keys
  const items = now.items.map((item, i) => {
    const was = now.kind === 'array' || now.kind === 'set' ? i : old.indexOf(keys[i])
    const isKept = was >= 0 && was < before.items.length && Object.is(before.items[was], item)
    return isKept && now.kind !== 'set' ? null : describe(item, placeOf(i))
  })
  return { object, path, kind: now.kind, keys: described as Change['keys'], items }
}

/** Makes a change in the call's own object. */
export function applyChange({ object, kind, keys, items }: Change, parts: TreeParts): void {
  const target = objectOf(parts, object)
  switch (kind) {
    case 'array': {
      const array = target as unknown[]
      setArray(
        array,
        items.map((item, i) => (item === null ? array[i] : rebuildTree(item, parts))),
      )
      return
    }
    case 'record': {
      const record = target as Record<Key, unknown>
      const names = keys as readonly Key[]
      setRecord(
        record,
        names,
        items.map((item, i) => (item === null ? record[names[i]!] : rebuildTree(item, parts))),
      )
      return
    }
    case 'map': {
      const map = target as Map<unknown, unknown>
      const made = keys.map(key => rebuildTree(key as Tree, parts))
      setMap(
        map,
        made,
        items.map((item, i) => (item === null ? map.get(made[i]) : rebuildTree(item, parts))),
      )
      return
    }
    case 'set':
      setSet(
        target as Set<unknown>,
        items.map(item => rebuildTree(item!, parts)),
      )
      return
    default:
      kind satisfies never
  }
}
