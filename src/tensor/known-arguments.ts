/**
 * Arguments that PyTorch takes from tensor data but the op needs as a number: an index given as a 0-d tensor, the number of
 * classes, the output size of a repeat by a tensor. They are read before the op: immediately outside of a capture; inside,
 * the read is a graph break.
 */
import { ArgumentError, DtypeError } from '../base/errors.js'
import { splitArguments } from '../graph/bind.js'
import type { IsTensor } from '../graph/kinds.js'
import type { OpRecord } from '../graph/record.js'
import { type Param, publicName } from '../graph/signature.js'
import { isInteger } from '../types/dtype.js'
import type { Tensor } from './tensor-type.js'

/** How values are read; `reader` names the reason in messages. */
export interface Values {
  readonly isTensor: IsTensor
  /** The values of a tensor of integers. Throws CaptureError under `fullgraph`. */
  read(tensor: Tensor, reader: string): readonly (number | bigint)[]
  /** The largest value, 0-d. */
  max(tensor: Tensor): Tensor
  /** A mask over the dims of `x` from `dim` on as integer indices, one tensor per dim. Throws CaptureError in a capture. */
  columns(name: string, x: Tensor, dim: number, mask: Tensor): readonly Tensor[]
  /** Whether reading needs no synchronisation: on a CPU, outside of a capture. */
  isCheap(tensor: Tensor): boolean
}

/** A call's arguments as they were given. */
class Given {
  readonly #params: readonly Param[]
  readonly #positional: readonly unknown[]
  readonly #options: Readonly<Record<string, unknown>> | null

  constructor(record: OpRecord, args: readonly unknown[], isTensor: IsTensor) {
    this.#params = record.signature?.params ?? []
    const { positional, options } = splitArguments(args, isTensor)
    this.#positional = positional
    this.#options = options
  }

  #indexOf(name: string): number {
    return this.#params.findIndex(param => param.name === name && !param.isNamedOnly)
  }

  get(name: string): unknown {
    return this.#positional[this.#indexOf(name)] ?? this.#options?.[publicName(name)] ?? undefined
  }

  with(name: string, value: unknown): readonly unknown[] {
    const index = this.#indexOf(name)
    const { length } = this.#positional
    const positional = index >= 0 && index < length ? this.#positional.with(index, value) : this.#positional
    if (positional !== this.#positional) return this.#options === null ? positional : [...positional, this.#options]
    return [...positional, { ...this.#options, [publicName(name)]: value }]
  }
}

type Reading = (name: string, given: Given, values: Values) => readonly unknown[] | null

function requireIntegers(name: string, role: string, tensor: Tensor): void {
  if (!isInteger(tensor.dtype))
    throw new DtypeError(`${name}: ${role} is a tensor of ${tensor.dtype}, which holds no integers`, {
      fix: "cast it: x.to('i64')",
    })
}

/** Reads an index given as a tensor of one integer. */
const positionArgument =
  (role: string): Reading =>
  (name, given, values) => {
    const value = given.get(role)
    if (!values.isTensor(value)) return null
    const tensor = value as Tensor
    requireIntegers(name, role, tensor)
    if (!tensor.sizes.every(size => size === 1))
      throw new ArgumentError(`${name}: ${role} is a tensor of more or less than one integer`, {
        fix: 'give a number or a 0-d tensor; indexSelect takes a vector of positions',
      })
    return given.with(role, Number(values.read(tensor, `${name}: ${role} is a tensor`)[0]))
  }

/** oneHot without `numClasses`: the largest index + 1. */
const classes: Reading = (name, given, values) => {
  const [value, count] = [given.get('tensor'), given.get('numClasses') ?? -1]
  if (count !== -1 || !values.isTensor(value)) return null
  const tensor = value as Tensor
  requireIntegers(name, 'the index', tensor)
  if (tensor.sizes.includes(0))
    throw new ArgumentError(`${name}: numClasses is not given, and the tensor has no elements to find it from`, {
      fix: 'oneHot(x, numClasses)',
    })
  const largest = Number(values.read(values.max(tensor), `${name}: numClasses is not given`)[0])
  if (largest < 0)
    throw new ArgumentError(`${name}: index ${largest} is negative`, { fix: 'give class indices of at least 0' })
  return given.with('numClasses', largest + 1)
}

const repeated: Reading = (name, given, values) => {
  const value = given.get('repeats') ?? given.get('self')
  if (!values.isTensor(value)) return null
  const [repeats, outputSize] = [value as Tensor, given.get('outputSize')]
  requireIntegers(name, 'repeats', repeats)
  const isOne = given.get('repeats') !== undefined && repeats.sizes.every(size => size === 1)
  if (outputSize !== undefined && !isOne && !values.isCheap(repeats)) return null
  const counts = values.read(repeats, `${name}: the length follows from repeats`)
  const negative = counts.find(count => count < 0)
  if (negative !== undefined)
    throw new ArgumentError(`${name}: repeats holds ${negative}`, { fix: 'give counts of at least 0' })
  if (isOne) return given.with('repeats', Number(counts[0]))
  const sum = counts.reduce<number>((total, count) => total + Number(count), 0)
  if (typeof outputSize === 'number' && outputSize !== sum)
    throw new ArgumentError(`${name}: outputSize is ${outputSize}, the repeats add up to ${sum}`, {
      fix: 'give their sum, or leave it out',
    })
  return outputSize === undefined ? given.with('outputSize', sum) : null
}

/** Converts masks among indices to integers. */
const masks: Reading = (name, given, values) => {
  const [x, indices] = [given.get('self'), given.get('indices')]
  const isMask = (index: unknown): index is Tensor => values.isTensor(index) && (index as Tensor).dtype === 'bool'
  if (!values.isTensor(x) || !Array.isArray(indices) || !indices.some(isMask)) return null
  const all: unknown[] = []
  for (const index of indices)
    all.push(...(isMask(index) ? values.columns(name, x as Tensor, all.length, index) : [index]))
  return given.with('indices', all)
}

const readings: Readonly<Record<string, Reading>> = {
  narrow: positionArgument('start'),
  select: positionArgument('index'),
  oneHot: classes,
  indexPut: masks,
  repeatInterleave: repeated,
}

/**
 * The arguments of a call with tensors replaced by numbers where the op needs these. Throws ArgumentError, DtypeError,
 * CaptureError.
 */
export function knownArguments(
  record: OpRecord,
  args: readonly unknown[],
  name: string,
  values: Values,
): readonly unknown[] {
  const reading = Object.hasOwn(readings, record.name) ? readings[record.name] : undefined
  return reading?.(name, new Given(record, args, values.isTensor), values) ?? args
}

/** Whether `knownArguments` reads tensors even when it returns the arguments as they are: to check them. */
export const checksArguments = (record: OpRecord): boolean => record.name === 'repeatInterleave'
