/**
 * The last calls of each op by their arguments as they were given: what was found out about one holds for every call like it.
 * So a call like one of them is neither bound to parameters nor checked again. Programs call an op with few layouts and
 * options, in loops; comparing them costs less than reading them.
 */
import type { OpRecord } from '../graph/record.js'
import { type Param, publicName } from '../graph/signature.js'
import type { Dtype } from '../types/dtype.js'
import { numberDtype } from '../types/promotion.js'
import { type Device, getDefaultDevice } from './device.js'
import { TensorHandle } from './handle.js'
import type { TensorLayout } from './layout.js'
import type { OpArgument } from './tracer.js'

/** Calls remembered of each op. */
const callsPerOp = 8

/** What an argument must be. Tensors and operands are leaves, numbered in the order of the arguments. */
type Pattern =
  /** `first`: the number of the first leaf that was the same tensor. */
  | {
      readonly kind: 'tensor'
      readonly dtype: Dtype
      readonly device: Device
      readonly layout: TensorLayout
      readonly first: number
    }
  /** A plain number that a kernel takes as this dtype. */
  | { readonly kind: 'operand'; readonly dtype: Dtype }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'list'; readonly items: readonly Pattern[] }
  | { readonly kind: 'options'; readonly keys: readonly string[]; readonly items: readonly Pattern[] }

interface Call<V> {
  readonly args: readonly Pattern[]
  /** Where it runs: of a call without tensors. */
  readonly device: Device | null
  /** The leaf of each input; −1: the value in `constants`. */
  readonly leafOf: readonly number[]
  readonly constants: readonly OpArgument[]
  /** The inputs are the leaves in their order. */
  readonly areLeaves: boolean
  readonly value: V
}

/** A call like one of the last ones. */
export interface Recalled<V> {
  readonly inputs: readonly OpArgument[]
  readonly value: V
}

/** How an op was called: `device` is where it runs if it gets no tensor; undefined: the default device. */
export interface GivenCall {
  readonly record: OpRecord
  readonly args: readonly unknown[]
  readonly device: Device | undefined
}

export class RecentArguments<V> {
  #calls = new Map<OpRecord, Call<V>[]>()

  clear(): void {
    this.#calls = new Map()
  }

  /**
   * What was added for a call with equal options, and tensors of the same dtypes, sizes, strides and devices; offsets, and
   * the values of operands, may differ. Null: none of the last ones was like it, or a tensor was freed.
   */
  find(record: OpRecord, args: readonly unknown[], device: Device | undefined): Recalled<V> | null {
    const calls = this.#calls.get(record)
    if (calls === undefined) return null
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i]!
      if (call.args.length !== args.length) continue
      if (call.device !== null && call.device !== (device ?? getDefaultDevice())) continue
      const leaves: OpArgument[] = []
      if (matchAll(call.args, args, leaves))
        return { inputs: call.areLeaves ? leaves : inputsOf(call, leaves), value: call.value }
    }
    return null
  }

  /** `inputs`: what the arguments were split into. Calls whose arguments cannot be compared are not remembered. */
  add({ record, args, device }: GivenCall, inputs: readonly OpArgument[], value: V): void {
    const leaves: Leaves = []
    const patterns = patternsOf(args, record, leaves)
    if (patterns === null) return
    const leafOf = leavesOfInputs(record, inputs, leaves)
    if (leafOf === null) return
    const call: Call<V> = {
      args: patterns,
      device: leaves.some(({ value: leaf }) => leaf instanceof TensorHandle) ? null : (device ?? getDefaultDevice()),
      leafOf,
      constants: inputs.map((input, i) => (leafOf[i]! < 0 ? input : 0)),
      areLeaves: leafOf.length === leaves.length && leafOf.every((leaf, i) => leaf === i),
      value,
    }
    const calls = this.#calls.get(record) ?? []
    if (calls.length === callsPerOp) calls.pop()
    calls.unshift(call)
    this.#calls.set(record, calls)
  }
}

// --- comparing ---------------------------------------------------------------------------------------------------------

function inputsOf({ leafOf, constants }: Call<unknown>, leaves: readonly OpArgument[]): readonly OpArgument[] {
  const inputs: OpArgument[] = []
  for (let i = 0; i < leafOf.length; i++) inputs.push(leafOf[i]! < 0 ? constants[i]! : leaves[leafOf[i]!]!)
  return inputs
}

function matchAll(patterns: readonly Pattern[], values: readonly unknown[], leaves: OpArgument[]): boolean {
  for (let i = 0; i < patterns.length; i++) if (!matches(patterns[i]!, values[i], leaves)) return false
  return true
}

function matches(pattern: Pattern, value: unknown, leaves: OpArgument[]): boolean {
  switch (pattern.kind) {
    case 'tensor':
      if (!(value instanceof TensorHandle) || !isLike(pattern, value)) return false
      if (leaves.push(value as OpArgument) - 1 !== pattern.first && leaves[pattern.first] !== value) return false
      return true
    case 'operand':
      if (!isPlainNumber(value) || numberDtype(value, 'f64') !== pattern.dtype) return false
      leaves.push(value)
      return true
    case 'value':
      return Object.is(pattern.value, value)
    case 'list':
      return Array.isArray(value) && value.length === pattern.items.length && matchAll(pattern.items, value, leaves)
    case 'options':
      return isPlainObject(value) && matchOptions(pattern.keys, pattern.items, value, leaves)
    default:
      return pattern satisfies never
  }
}

const isLike = ({ dtype, device, layout }: Pattern & { readonly kind: 'tensor' }, tensor: TensorHandle): boolean =>
  tensor.freed === null &&
  tensor.source.kind === 'storage' &&
  tensor.source.device === device &&
  tensor.dtype === dtype &&
  tensor.layout.isLike(layout)

function matchOptions(
  keys: readonly string[],
  items: readonly Pattern[],
  value: Readonly<Record<string, unknown>>,
  leaves: OpArgument[],
): boolean {
  let count = 0
  for (const key in value) {
    if (keys[count] !== key || !matches(items[count]!, value[key], leaves)) return false
    count++
  }
  return count === keys.length
}

const isPlainNumber = (value: unknown): value is number | boolean | bigint =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

// --- remembering -------------------------------------------------------------------------------------------------------

/** Tensors and operands of a call, with the parameter of each (its index; −1: not known). */
type Leaves = { readonly value: OpArgument; readonly param: number }[]

/** Null: there is something among the arguments whose equality says too little. */
function patternsOf(args: readonly unknown[], record: OpRecord, leaves: Leaves): readonly Pattern[] | null {
  const spread = record.signature?.params.findIndex(({ isSpread }) => isSpread) ?? -1
  const patterns: Pattern[] = []
  for (const [i, arg] of args.entries()) {
    const isOptions = i === args.length - 1 && isPlainObject(arg)
    const pattern = isOptions
      ? optionsPattern(arg, record, leaves)
      : patternOf(arg, spread >= 0 && i > spread ? spread : i, record, leaves)
    if (pattern === null) return null
    patterns.push(pattern)
  }
  return patterns
}

function optionsPattern(options: Readonly<Record<string, unknown>>, record: OpRecord, leaves: Leaves): Pattern | null {
  const items: Pattern[] = []
  const keys: string[] = []
  for (const key in options) {
    const param = record.signature?.params.findIndex(({ name }) => publicName(name) === key) ?? -1
    const pattern = patternOf(options[key], param, record, leaves)
    if (pattern === null) return null
    keys.push(key)
    items.push(pattern)
  }
  return { kind: 'options', keys, items }
}

function patternOf(value: unknown, param: number, record: OpRecord, leaves: Leaves): Pattern | null {
  if (value instanceof TensorHandle) {
    const first = leaves.findIndex(leaf => leaf.value === value)
    const count = leaves.push({ value: value as OpArgument, param })
    const { dtype, device, layout } = value
    return { kind: 'tensor', dtype, device, layout, first: first < 0 ? count - 1 : first }
  }
  if (isPlainNumber(value) && isFree(record, record.signature?.params[param])) {
    leaves.push({ value, param })
    return { kind: 'operand', dtype: numberDtype(value, 'f64') }
  }
  if (Array.isArray(value)) {
    const items = Array.from(value, item => patternOf(item, param, record, leaves))
    return items.includes(null) ? null : { kind: 'list', items: items as Pattern[] }
  }
  return typeof value === 'function' || typeof value === 'symbol' || (typeof value === 'object' && value !== null)
    ? null
    : { kind: 'value', value }
}

/** A number of which only the dtype matters to the call. */
const isFree = (record: OpRecord, param: Param | undefined): boolean =>
  record.passesOperands === true && param !== undefined && param.isInput

/**
 * The leaf that each input is; −1: none, so it follows from what is compared. Where operands are passed as given, inputs
 * are in the order of the parameters; null: these are not.
 */
function leavesOfInputs(record: OpRecord, inputs: readonly OpArgument[], leaves: Leaves): readonly number[] | null {
  if (record.passesOperands === true) {
    const order = [...leaves.keys()].sort((a, b) => leaves[a]!.param - leaves[b]!.param || a - b)
    const areInputs =
      order.length === inputs.length && order.every((leaf, i) => Object.is(leaves[leaf]!.value, inputs[i]))
    return areInputs ? order : null
  }
  const found = inputs.map(input => leaves.findIndex(({ value }) => Object.is(value, input)))
  return inputs.some((input, i) => input instanceof TensorHandle && found[i]! < 0) ? null : found
}
