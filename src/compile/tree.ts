/**
 * Trees of arguments and results: tensors inside arrays and plain objects. A structure is recorded once, at capture;
 * later calls only match their arguments against it, without allocating.
 */
import { CaptureError } from '../base/errors.js'
import { Tensor } from '../tensor/tensor.js'

export type Tree =
  | { readonly kind: 'tensor'; readonly index: number; readonly path: string }
  | { readonly kind: 'array'; readonly items: readonly Tree[]; readonly path: string }
  | {
      readonly kind: 'record'
      readonly keys: readonly string[]
      readonly items: readonly Tree[]
      readonly path: string
    }
  /** Anything else: guarded by identity (`Object.is`). */
  | { readonly kind: 'value'; readonly value: unknown; readonly path: string }

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The structure of `value`; its tensors are appended to `leaves` in order. `path` names it in messages: `args[0].w`. */
export function describeTree(value: unknown, leaves: Tensor[], path: string): Tree {
  if (value instanceof Tensor) {
    leaves.push(value)
    return { kind: 'tensor', index: leaves.length - 1, path }
  }
  if (Array.isArray(value)) {
    const items = value.map((item, i) => describeTree(item, leaves, `${path}[${i}]`))
    return { kind: 'array', items, path }
  }
  if (isPlainObject(value)) {
    const keys = Object.keys(value)
    return { kind: 'record', keys, items: keys.map(key => describeTree(value[key], leaves, `${path}.${key}`)), path }
  }
  return { kind: 'value', value, path }
}

/** True when `value` has the structure; then its tensors stand in `leaves` at their indices. Allocates nothing. */
export function matchTree(tree: Tree, value: unknown, leaves: Tensor[]): boolean {
  switch (tree.kind) {
    case 'tensor':
      if (!(value instanceof Tensor)) return false
      leaves[tree.index] = value
      return true
    case 'array': {
      if (!Array.isArray(value) || value.length !== tree.items.length) return false
      for (let i = 0; i < tree.items.length; i++) if (!matchTree(tree.items[i]!, value[i], leaves)) return false
      return true
    }
    case 'record': {
      if (!isPlainObject(value)) return false
      let count = 0
      for (const _ in value) count++
      if (count !== tree.keys.length) return false
      for (let i = 0; i < tree.keys.length; i++) {
        if (!matchTree(tree.items[i]!, value[tree.keys[i]!], leaves)) return false
      }
      return true
    }
    case 'value':
      return Object.is(tree.value, value)
    default:
      return tree satisfies never
  }
}

/** Why `value` does not match, for `explain()` and recompile warnings; null when it does. */
export function explainMismatch(tree: Tree, value: unknown): string | null {
  switch (tree.kind) {
    case 'tensor':
      return value instanceof Tensor ? null : `${tree.path} was a tensor, now ${describeValue(value)}`
    case 'array':
      if (!Array.isArray(value)) return `${tree.path} was an array, now ${describeValue(value)}`
      if (value.length !== tree.items.length) return `${tree.path} had ${tree.items.length} items, now ${value.length}`
      return firstMismatch(tree.items, value)
    case 'record': {
      if (!isPlainObject(value)) return `${tree.path} was an object, now ${describeValue(value)}`
      const keys = Object.keys(value)
      if (keys.length !== tree.keys.length || !tree.keys.every(key => key in value)) {
        return `${tree.path} had the keys ${tree.keys.join(', ')}, now ${keys.join(', ')}`
      }
      return firstMismatch(
        tree.items,
        tree.keys.map(key => value[key]),
      )
    }
    case 'value':
      return Object.is(tree.value, value)
        ? null
        : `${tree.path} was ${describeValue(tree.value)}, now ${describeValue(value)}`
    default:
      return tree satisfies never
  }
}

function firstMismatch(items: readonly Tree[], values: readonly unknown[]): string | null {
  for (const [i, item] of items.entries()) {
    const mismatch = explainMismatch(item, values[i])
    if (mismatch !== null) return mismatch
  }
  return null
}

/** A short text for any value: what it is, and what it says if that is short. */
export function describeValue(value: unknown): string {
  if (value instanceof Tensor) return `a tensor ${value.dtype}[${value.shape.join(', ')}]`
  if (typeof value === 'function') return `the function ${value.name || '(anonymous)'}`
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (typeof value === 'object' && value !== null) return `an object of class ${value.constructor?.name ?? 'null'}`
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Structure of a result, which may be nothing. Throws CaptureError when something in it is no tensor. */
export function describeResult(value: unknown, leaves: Tensor[]): Tree {
  const tree = describeTree(value, leaves, 'result')
  if (value === undefined) return tree
  const stray = strayValue(tree)
  if (stray !== null) {
    throw new CaptureError(`compile: ${stray.path} is ${describeValue(stray.value)}, not a tensor`, {
      fix: 'return a tensor, or arrays and plain objects of tensors; compute other values outside the compiled function',
    })
  }
  return tree
}

function strayValue(tree: Tree): Extract<Tree, { kind: 'value' }> | null {
  switch (tree.kind) {
    case 'tensor':
      return null
    case 'value':
      return tree
    default:
      for (const item of tree.items) {
        const stray = strayValue(item)
        if (stray !== null) return stray
      }
      return null
  }
}

/** Builds a value of the structure from its tensors. Allocates nothing else. */
export function rebuildTree(tree: Tree, leaves: readonly Tensor[]): unknown {
  switch (tree.kind) {
    case 'tensor':
      return leaves[tree.index]
    case 'array': {
      const items = new Array<unknown>(tree.items.length)
      for (let i = 0; i < items.length; i++) items[i] = rebuildTree(tree.items[i]!, leaves)
      return items
    }
    case 'record': {
      const record: Record<string, unknown> = {}
      for (let i = 0; i < tree.keys.length; i++) setOwn(record, tree.keys[i]!, rebuildTree(tree.items[i]!, leaves))
      return record
    }
    case 'value':
      return tree.value
    default:
      return tree satisfies never
  }
}

/** Assigning to `__proto__` would set the prototype. */
function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value
  else Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}
