/** What the fields of a module hold, also in arrays, Maps and plain objects, under the names that PyTorch would give it. */

/**
 * The name of a field in a state dict: camelCase becomes snake_case, as in Python (`inProjWeight`: 'in_proj_weight',
 * `weightIhL0`: 'weight_ih_l0'). A name with a capital first or with an underscore is no camelCase, and stays as it is.
 */
export const nameOfField = (field: string): string =>
  /^[A-Z]|_/.test(field)
    ? field
    : field.replace(/(?<=[a-z0-9])[A-Z]|[A-Z](?=[a-z])/g, capital => `_${capital.toLowerCase()}`).toLowerCase()

/** A class whose fields' names are keys that users chose: they stay as they are. */
export const verbatimNames: unique symbol = Symbol('verbatim names')

/** The values in a module's fields that are members, in order, with their names: 'weight', 'layers.0'. */
export function membersOf<T>(module: object, isMember: (value: unknown) => value is T): [name: string, member: T][] {
  const name = verbatimNames in module ? (field: string): string => field : nameOfField
  return Object.keys(module).flatMap(field => found((module as Fields)[field], name(field), isMember, []))
}

type Fields = Record<string, unknown>

function found<T>(
  value: unknown,
  name: string,
  isMember: (value: unknown) => value is T,
  above: readonly unknown[],
): [string, T][] {
  if (isMember(value)) return [[name, value]]
  if (above.includes(value)) return []
  return entriesOf(value).flatMap(([key, item]) => found(item, `${name}.${key}`, isMember, [...above, value]))
}

/** What a container holds, by key; [] for anything else. */
function entriesOf(value: unknown): [key: string, item: unknown][] {
  if (Array.isArray(value)) return value.map((item: unknown, i) => [String(i), item])
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item as unknown])
  return isPlain(value) ? Object.entries(value) : []
}

function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Replaces values in a module's fields; `isMember` gets the field that holds them. Frozen containers are copied. */
export function replaceMembers<T>(
  module: object,
  isMember: (value: unknown, field: string) => value is T,
  replace: (value: T) => T,
): void {
  for (const field of Object.keys(module)) {
    const value = (module as Fields)[field]
    const replaced = replacedIn(value, item => (isMember(item, field) ? replace(item) : item), [])
    if (replaced !== value) (module as Fields)[field] = replaced
  }
}

/** The value with its members replaced, in place unless it is frozen. */
function replacedIn(value: unknown, replace: (value: unknown) => unknown, above: readonly unknown[]): unknown {
  const own = replace(value)
  if (own !== value || above.includes(value)) return own
  const changed = entriesOf(value).flatMap(([key, item]): [string, unknown][] => {
    const now = replacedIn(item, replace, [...above, value])
    return now === item ? [] : [[key, now]]
  })
  if (changed.length === 0) return value
  const target = Object.isFrozen(value) ? copyOf(value) : value
  for (const [key, item] of changed) setEntry(target, key, item)
  return Object.isFrozen(value) ? Object.freeze(target) : target
}

const copyOf = (value: unknown): unknown =>
  Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Fields) }

function setEntry(container: unknown, key: string, item: unknown): void {
  if (container instanceof Map) {
    for (const own of container.keys()) if (String(own) === key) container.set(own, item)
  } else (container as Fields)[key] = item
}

/** An array, a Map or a plain object with each item replaced by `clone` of it; anything else as it is. */
export function clonedContainer(value: unknown, clone: (item: unknown) => unknown): unknown {
  const copy = Array.isArray(value)
    ? value.map(clone)
    : value instanceof Map
      ? new Map([...value].map(([key, item]) => [key, clone(item)]))
      : isPlain(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clone(item)]))
        : value
  return Object.isFrozen(value) ? Object.freeze(copy) : copy
}
