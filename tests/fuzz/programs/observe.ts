/** What a program's variables hold, as data that can be compared whoever computed it. */
import { Tensor } from '../../../src/index.js'
import { writeValues } from '../../../src/tensor/host.js'
import { forEachRun } from '../../../src/tensor/layout.js'
import { checkTensorDtype } from '../../../src/types/dtype.js'
import { updateStorage } from '../../support/tensors.js'
import { type PlainDtype, slack } from '../plain/dtypes.js'
import { PlainTensor } from '../plain/index.js'

export type Seen =
  | {
      readonly kind: 'tensor'
      /** In the order of being seen: the same tensor twice has one number. */
      readonly id: number
      readonly type: string
      readonly values: readonly number[]
      /** How far another's values may be. */
      readonly tolerance: number
    }
  | { readonly kind: 'object'; readonly id: number; readonly name: string; readonly entries: readonly Entry[] }
  | { readonly kind: 'value'; readonly text: string }
type Entry = readonly [key: string, value: Seen]

type AnyTensor = Tensor | PlainTensor

/** Looks at values; objects that it meets again are the same ones. */
export class Observer {
  readonly #ids = new Map<object, number>()
  /** In the order of being seen, each as often as it stands somewhere. */
  readonly tensors: AnyTensor[] = []

  see(value: unknown): Seen {
    if (typeof value === 'function') return { kind: 'value', text: 'a function' }
    if (typeof value !== 'object' || value === null) return { kind: 'value', text: printed(value) }
    const known = this.#ids.get(value)
    const id = known ?? this.#ids.size
    if (value instanceof Tensor || value instanceof PlainTensor) {
      this.tensors.push(value)
      this.#ids.set(value, id)
      return value.disposed ? { kind: 'value', text: 'disposed' } : { kind: 'tensor', id, ...contents(value) }
    }
    if (known !== undefined) return { kind: 'object', id, name: 'as before', entries: [] }
    this.#ids.set(value, id)
    return { kind: 'object', id, name: value.constructor?.name ?? 'null', entries: this.#entries(value) }
  }

  #entries(value: object): Entry[] {
    if (value instanceof Map) return Array.from(value, ([key, item]) => [printed(key), this.see(item)])
    if (value instanceof Set) return Array.from(value, (item, i) => [String(i), this.see(item)])
    if (value instanceof Date) return [['time', this.see(value.getTime())]]
    return Object.entries(value).map(([key, item]) => [key, this.see(item)])
  }
}

const printed = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))

function contents(tensor: AnyTensor): { type: string; values: number[]; tolerance: number } {
  const type = `${tensor.dtype}[${tensor.shape.join(', ')}]`
  if (tensor instanceof Tensor) {
    return { type, values: Array.from(tensor.dataSync() as ArrayLike<number | bigint>, Number), tolerance: 0 }
  }
  const { slack, scale } = tensor.memory
  return { type, values: tensor.values(), tolerance: slack * scale }
}

/** Puts a number into every element, straight in memory: no op takes part. */
export function overwrite(tensor: AnyTensor, value: number): void {
  if (tensor.disposed) return
  const number = tensor.dtype === 'bool' ? value % 2 : value
  if (tensor instanceof PlainTensor) {
    for (const place of tensor.places()) tensor.memory.data[place] = number
    return
  }
  const dtype = checkTensorDtype(tensor.dtype, 'overwrite')
  updateStorage(tensor.storage('overwrite'), dtype, stored => {
    forEachRun(tensor.layout, (start, stride, count) => {
      for (let i = 0; i < count; i++) {
        writeValues(stored.subarray(start + i * stride), dtype, [dtype === 'i64' ? BigInt(number) : number])
      }
    })
  })
}

export interface Comparing {
  /** Whether one tensor seen twice must be one tensor. */
  readonly identity: boolean
  /** Whether the expected values were computed in floating point too. */
  readonly rounded: boolean
}

/** The first difference, with where it is; null: none. */
export function difference(expected: Seen, actual: Seen, path: string, options: Comparing): string | null {
  if (expected.kind !== actual.kind) return `${path}: expected ${said(expected)}, got ${said(actual)}`
  if (expected.kind === 'value') {
    const { text } = actual as typeof expected
    return expected.text === text ? null : `${path}: expected ${expected.text}, got ${text}`
  }
  if (expected.kind === 'tensor') return tensorDifference(expected, actual as typeof expected, path, options)
  return objectDifference(expected, actual as typeof expected, path, options)
}

type Kind<K extends Seen['kind']> = Extract<Seen, { kind: K }>

function tensorDifference(
  expected: Kind<'tensor'>,
  actual: Kind<'tensor'>,
  path: string,
  { identity, rounded }: Comparing,
): string | null {
  if (expected.type !== actual.type) return `${path}: expected ${expected.type}, got ${actual.type}`
  const largest = rounded ? expected.values.reduce((max, value) => Math.max(max, Math.abs(value)), 1) : 0
  const tolerance = Math.max(expected.tolerance, largest * slack(expected.type.replace(/\[.*/, '') as PlainDtype))
  const near = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= tolerance
  if (!expected.values.every((value, i) => near(value, actual.values[i]!)))
    return `${path}: expected ${said(expected)}, got ${said(actual)}`
  if (identity && expected.id !== actual.id) return `${path}: expected tensor number ${expected.id}, got ${actual.id}`
  return null
}

function objectDifference(
  expected: Kind<'object'>,
  actual: Kind<'object'>,
  path: string,
  options: Comparing,
): string | null {
  const keys = ({ name, entries }: Kind<'object'>): string => `${name} { ${entries.map(([key]) => key).join(', ')} }`
  if (keys(expected) !== keys(actual)) return `${path}: expected ${keys(expected)}, got ${keys(actual)}`
  for (const [i, [key, value]] of expected.entries.entries()) {
    const found = difference(value, actual.entries[i]![1], `${path}.${key}`, options)
    if (found !== null) return found
  }
  return null
}

function said(seen: Seen): string {
  if (seen.kind === 'value') return seen.text
  if (seen.kind === 'object') return `an object of class ${seen.name}`
  return `${seen.type} ${seen.values.slice(0, 24).join(' ')}`
}
