/** The kinds of parameters at run time: what users may pass for each, and how it is converted for the record. */
import { isQuantisedParts } from '../base/describe.js'
import { SizeExpr } from '../scalar/size.js'
import { tensorDtypes } from '../types/dtype.js'
import type { KindName } from './signature.js'

/** Recognises a tensor in a call's arguments: a Tensor, or a node of a graph. */
export type IsTensor = (value: unknown) => boolean

/** Returned by a kind for a value that it does not accept. */
export const refused = Symbol('refused')

interface Kind {
  /** 'dim is 1.5, not an integer'. */
  readonly wanted: string
  /** The value as the record gets it, or `refused`. */
  readonly take: (value: unknown, isTensor: IsTensor) => unknown
}

const when = (wanted: string, accepts: (value: unknown, isTensor: IsTensor) => boolean): Kind => ({
  wanted,
  take: (value, isTensor) => (accepts(value, isTensor) ? value : refused),
})

/** The one place where a run-time size that a user passes becomes the compiler's; null: it is no such size. */
const sizeOf = (value: unknown): SizeExpr | null => (value instanceof SizeExpr ? value : null)

/** −0 becomes 0, so that the two do not compile separately. */
const integer = (value: unknown, min = Number.NEGATIVE_INFINITY): unknown =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= min ? value + 0 : refused

const size = (value: unknown, min?: number): unknown => sizeOf(value) ?? integer(value, min)

const whole = (wanted: string, min?: number): Kind => ({ wanted, take: value => integer(value, min) })

function list(wanted: string, take: (value: unknown) => unknown): Kind {
  return {
    wanted,
    take: value => {
      if (!Array.isArray(value)) return refused
      const taken: unknown[] = []
      // Not map, which skips holes, nor Array.from, which is ten times as slow.
      for (let i = 0; i < value.length; i++) {
        const item = take(value[i])
        if (item === refused) return refused
        taken.push(item)
      }
      return taken
    },
  }
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
const isNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isNaN(value)

/** A range of `slice` and `get`: null or 'all', an index, or [start, end, step]; or `refused`. */
function takeRange(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (value === 'all') return value
  if (!Array.isArray(value)) return size(value)
  if (value.length > 3) return refused
  const [start = null, end = null, step = 1]: readonly unknown[] = value
  const taken = [start === null ? null : size(start), end === null ? null : size(end), integer(step)]
  return taken.includes(refused) ? refused : taken
}

const kinds: Readonly<Record<KindName, Kind>> = {
  tensor: when('a tensor', (value, isTensor) => isTensor(value)),
  tensors: when('a list of tensors', (value, isTensor) => Array.isArray(value) && Array.from(value).every(isTensor)),
  operand: {
    wanted: 'a tensor or a number',
    take: (value, isTensor) => sizeOf(value) ?? (isScalar(value) || isTensor(value) ? value : refused),
  },
  scalar: when('a number', isScalar),
  number: when('a number', isNumber),
  numbers: list('a list of numbers', value => (isNumber(value) ? value : refused)),
  int: whole('an integer'),
  ints: list('a list of integers', value => integer(value)),
  intsOrNull: list('a list of integers or nulls', value => (value === null ? value : integer(value))),
  count: whole('an integer of at least 0', 0),
  positive: whole('an integer of at least 1', 1),
  dim: whole('an integer'),
  dims: {
    wanted: 'an integer or a list of integers',
    take: value => kinds.ints.take(Array.isArray(value) ? value : [value], () => false),
  },
  dimLists: list('a list of lists of integers', value => kinds.ints.take(value, () => false)),
  size: { wanted: 'an integer of at least 0', take: value => size(value, 0) },
  sizes: list('a list of integers of at least 0', value => size(value, 0)),
  shape: list('a list of integers of at least 0, or −1 for one that follows from the others', value => size(value, -1)),
  index: { wanted: 'an integer', take: value => size(value) },
  indices: list('a list of integers', value => size(value)),
  position: { wanted: 'an integer, or a 0-d tensor of one', take: value => size(value) },
  range: { wanted: "an index, [start, end, step], null or 'all'", take: takeRange },
  bool: when('true or false', value => typeof value === 'boolean'),
  dtype: when(`one of ${tensorDtypes.join(', ')}`, value => (tensorDtypes as readonly unknown[]).includes(value)),
  string: when('a string', value => typeof value === 'string'),
  value: when('a value', () => true),
  object: when('an object', value => typeof value === 'object' && value !== null),
  null: when('null', value => value === null),
}

/** The value converted for the record by the first of these kinds that accepts it, or `refused`. */
export function takeValue(names: readonly string[], value: unknown, isTensor: IsTensor): unknown {
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    const taken = name.startsWith("'") ? takeWord(name, value) : kinds[name as KindName].take(value, isTensor)
    if (taken !== refused) return taken
  }
  return refused
}

const takeWord = (name: string, value: unknown): unknown => (value === name.slice(1, -1) ? value : refused)

/** Whether a rest parameter of this kind also accepts one list. */
export const isListKind = (name: string): boolean => name !== 'range'

/** What a parameter takes, for messages. */
export function wantedText(names: readonly string[]): string {
  const given = names.filter(name => name !== 'null')
  const texts = (given.length > 0 ? given : names).map(name =>
    name.startsWith("'") ? name : kinds[name as KindName].wanted,
  )
  const unique = [...new Set(texts)]
  return unique.length < 2 ? (unique[0] ?? '') : `${unique.slice(0, -1).join(', ')} or ${unique.at(-1)}`
}

/** How to fix a value that no kind accepts; undefined: the signature suffices. */
export function fixFor(names: readonly string[], value: unknown, isTensor: IsTensor): string | undefined {
  if (typeof value === 'object' && value !== null && isQuantisedParts(value))
    return "use scaledMatmul(x, q, { bias }) of 'tegula/quant': x · qᵀ + bias, as linear(x, weight, bias); or dequantize(q) first"
  const wantsTensor = names.some(name => name === 'tensor' || name === 'operand')
  if (wantsTensor && Array.isArray(value)) return 'make a tensor of it: tensor([…])'
  if (typeof value === 'object' && isTensor(value) && names.includes('tensors')) return 'put it into a list: [x]'
  if (typeof value === 'object' && isTensor(value) && !wantsTensor)
    return 'it is part of the op, so its value must be known: pass a plain number, or read it first with await x.item()'
  if (wantsTensor && isScalar(value)) return `make a tensor of it: tensor(${String(value)})`
  return undefined
}
