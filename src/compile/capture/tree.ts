/**
 * Trees of results: tensors inside arrays, plain objects, Maps and Sets. What a compiled function returns and assigns to
 * objects among its arguments is recorded once as a tree, from which each call builds new objects.
 */
import { CaptureError } from '../../base/errors.js'
import { SymbolicNumber } from '../../tensor/symbolic-number.js'
import { Tensor } from '../../tensor/tensor.js'

/** An object that occurs in several places has a number in `made`, to which the other places refer by `again`. */
interface Made {
  made?: number
}

export type Tree =
  | { readonly kind: 'tensor'; readonly index: number; readonly path: string }
  /** A tensor or an object of the call's arguments (−1, −2, …: a watched object), by identity. */
  | { readonly kind: 'argument' | 'object'; readonly index: number; readonly path: string }
  | (Made & { readonly kind: 'array' | 'set'; readonly items: readonly Tree[]; readonly path: string })
  | (Made & {
      readonly kind: 'record'
      readonly keys: readonly string[]
      readonly items: readonly Tree[]
      readonly path: string
    })
  | (Made & {
      readonly kind: 'map'
      readonly keys: readonly Tree[]
      readonly items: readonly Tree[]
      readonly path: string
    })
  /** The same object as an earlier one, by its number. */
  | { readonly kind: 'again'; readonly index: number; readonly path: string }
  /** Anything else. */
  | { readonly kind: 'value'; readonly value: unknown; readonly path: string }
  /** A plain value that may differ at each call, by its index among those. */
  | { readonly kind: 'assigned'; readonly index: number; readonly path: string }

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The objects that a function made, in the order in which they are described and built. */
export class MadeObjects {
  readonly #trees = new Map<object, Tree & Made>()
  #shared = 0

  note<T extends Tree & Made>(value: object, tree: T): T {
    this.#trees.set(value, tree)
    return tree
  }

  /** A reference to an object that was described before; null: it was not. */
  again(value: object, path: string): Tree | null {
    const tree = this.#trees.get(value)
    if (tree === undefined) return null
    tree.made ??= this.#shared++
    return { kind: 'again', index: tree.made, path }
  }
}

/** What results can refer to, and how values without tensors are described. */
export interface TreeContext {
  readonly made: MadeObjects
  /** The tree of a tensor or an object of the arguments; null: the value is neither. */
  readonly known: (value: object, path: string) => Tree | null
  /** The tree of anything that is neither a tensor nor a container. */
  readonly other: (value: unknown, path: string) => Tree
}

const plainContext = (): TreeContext => ({
  made: new MadeObjects(),
  known: () => null,
  other: (value, path) => ({ kind: 'value', value, path }),
})

/**
 * The structure of `value`; its tensors are appended to `leaves` in order. `path` names it in messages: `result[0].w`.
 * Throws CaptureError for a structure that holds itself.
 */
export function describeTree(
  value: unknown,
  leaves: Tensor[],
  path: string,
  context: TreeContext = plainContext(),
  above: readonly object[] = [],
): Tree {
  if (typeof value !== 'object' || value === null) return context.other(value, path)
  const known = context.known(value, path)
  if (known !== null) return known
  if (value instanceof Tensor) {
    const known = leaves.indexOf(value) // the same tensor in two places stays one
    return { kind: 'tensor', index: known < 0 ? leaves.push(value) - 1 : known, path }
  }
  if (above.includes(value)) {
    throw new CaptureError(`compile: ${path} is an object that holds itself`, { fix: 'return it in parts' })
  }
  const again = context.made.again(value, path)
  if (again !== null) return again
  const inside = (item: unknown, at: string): Tree => describeTree(item, leaves, at, context, [...above, value])
  if (Array.isArray(value)) {
    const items = Array.from(value, (item: unknown, i) => inside(item, `${path}[${i}]`))
    return context.made.note(value, { kind: 'array', items, path })
  }
  if (value instanceof Map) {
    const keys = [...value.keys()].map(key => inside(key, `${path} (a key)`))
    const items = [...value].map(([key, item]) => inside(item, `${path}.get(${describeValue(key)})`))
    return context.made.note(value, { kind: 'map', keys, items, path })
  }
  if (value instanceof Set) {
    const items = [...value].map((item, i) => inside(item, `${path} (item ${i})`))
    return context.made.note(value, { kind: 'set', items, path })
  }
  if (isPlainObject(value)) {
    const keys = Object.keys(value)
    const items = keys.map(key => inside(value[key], `${path}.${key}`))
    return context.made.note(value, { kind: 'record', keys, items, path })
  }
  return context.other(value, path)
}

/** The direct children of a tree of results or arguments. */
export function childrenOf<T>(tree: {
  readonly kind: string
  readonly items?: readonly T[]
  readonly keys?: readonly unknown[]
}): readonly T[] {
  const { kind, items = [], keys = [] } = tree
  return kind === 'map' ? [...(keys as readonly T[]), ...items] : items // keys of records are strings, not trees
}

/** The path of each tensor of a tree, by its index. */
export function leafPaths(tree: Tree, paths: string[] = []): string[] {
  if (tree.kind === 'tensor') paths[tree.index] = tree.path
  for (const child of childrenOf(tree)) leafPaths(child, paths)
  return paths
}

/** A short description of any value for messages. */
export function describeValue(value: unknown): string {
  if (value instanceof Tensor) return `a tensor ${value.describe()}`
  if (value instanceof SymbolicNumber) return `a boxed number (${value.present})`
  if (typeof value === 'function') return `the function ${value.name || '(anonymous)'}`
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (typeof value === 'object' && value !== null) return `an object of class ${value.constructor?.name ?? 'null'}`
  return Object.is(value, -0) ? '-0' : String(value)
}

/** What a tree is built from: the call's results, arguments and plain values. */
export interface TreeParts {
  readonly results: readonly Tensor[]
  readonly leaves: readonly Tensor[]
  readonly objects: readonly object[]
  /** Objects with counted changes, and what they hold (watched-state.ts). */
  readonly watched: readonly object[]
  readonly assigned: readonly unknown[]
  /** Objects built so far from trees that have a number. */
  readonly made: unknown[]
}

export const resultsOnly = (results: readonly Tensor[]): TreeParts => ({
  results,
  leaves: [],
  objects: [],
  watched: [],
  assigned: [],
  made: [],
})

/** An object of the call: of its arguments, or (−1, −2, …) a watched one. */
export const objectOf = ({ objects, watched }: TreeParts, index: number): object =>
  index < 0 ? watched[-1 - index]! : objects[index]!

/** Builds a value of the structure. Allocates nothing else. */
export function rebuildTree(tree: Tree, parts: TreeParts): unknown {
  const value = buildTree(tree, parts)
  if ('made' in tree) parts.made[tree.made!] = value
  return value
}

/** The value that a recorded structure describes, built of this call's tensors. */
function buildTree(tree: Tree, parts: TreeParts): unknown {
  switch (tree.kind) {
    case 'again':
      return parts.made[tree.index]
    case 'tensor':
      return parts.results[tree.index]
    case 'argument':
      return parts.leaves[tree.index]
    case 'object':
      return objectOf(parts, tree.index)
    case 'assigned':
      return parts.assigned[tree.index]
    case 'array': {
      const items = new Array<unknown>(tree.items.length)
      for (let i = 0; i < items.length; i++) items[i] = rebuildTree(tree.items[i]!, parts)
      return items
    }
    case 'record': {
      const record: Record<string, unknown> = {}
      for (let i = 0; i < tree.keys.length; i++) setOwn(record, tree.keys[i]!, rebuildTree(tree.items[i]!, parts))
      return record
    }
    case 'map': {
      const keys = tree.keys.map(key => rebuildTree(key, parts))
      return new Map(tree.items.map((item, i) => [keys[i], rebuildTree(item, parts)]))
    }
    case 'set':
      return new Set(tree.items.map(item => rebuildTree(item, parts)))
    case 'value':
      return tree.value
    default:
      return tree satisfies never
  }
}

/** Assigning to `__proto__` would set the prototype. */
export function setOwn(record: Record<string | symbol, unknown>, key: string | symbol, value: unknown): void {
  if (key !== '__proto__') record[key] = value
  else Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}
