/**
 * Wrong JavaScript calls of functions without a record, derived from valid ones: everything in the arguments, also inside
 * lists and objects, is replaced by other values that plain JavaScript lets users pass; arguments are omitted, extra, or misspelt.
 */
import { junk } from './wrong-calls.js'

export interface FunctionCall {
  readonly what: string
  readonly args: readonly unknown[]
  /** The call must be rejected; otherwise it may happen to be valid. */
  readonly refused: boolean
}

type Place = readonly (string | number)[]

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Deeper than any options: everything below is data. */
const deepest = 4

/** The paths of everything in a tree, except the tree itself. */
function* placesIn(tree: unknown, place: Place = []): Generator<readonly [Place, unknown]> {
  if (place.length > 0) yield [place, tree]
  if (place.length === deepest || (!Array.isArray(tree) && !isPlainObject(tree))) return
  const keys = Array.isArray(tree) ? tree.keys() : Object.keys(tree)
  for (const key of keys) yield* placesIn((tree as Readonly<Record<string | number, unknown>>)[key], [...place, key])
}

/** The tree with another value at a path. */
function replaced(tree: unknown, [first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value
  if (Array.isArray(tree)) return tree.map((each, i) => (i === first ? replaced(each, rest, value) : each))
  const fields = tree as Readonly<Record<string, unknown>>
  return { ...fields, [first]: replaced(fields[first], rest, value) }
}

/** Objects returned to users, who may add properties, and a kernel's constants, whose names users choose. */
const isRecord = (value: object): boolean => ['format', 'kind', 'seed', 'BLOCK'].some(key => Object.hasOwn(value, key))

/** Lists with more elements than this are data; the first element stands for all. */
const fewElements = 4
const isData = (place: Place, tree: unknown): boolean => {
  const lists = place.map((_, i) => place.slice(0, i).reduce((at: unknown, key) => (at as never)[key], tree))
  return lists.some((list, i) => Array.isArray(list) && list.length > fewElements && Number(place[i]) > 0)
}

/** `make`: valid arguments, created anew for each call. */
export function* wrongFunctionCalls(make: () => readonly unknown[]): Generator<FunctionCall> {
  const args = make()
  for (const [place, value] of placesIn(args)) {
    if (isData(place, args)) continue
    const shown = place.join('.')
    for (const [what, wrong] of Object.entries(junk))
      yield { what: `${shown} = ${what}`, args: replaced(make(), place, wrong()) as readonly unknown[], refused: false }
    yield { what: `${shown} left out`, args: replaced(make(), place, undefined) as readonly unknown[], refused: false }
    if (!isPlainObject(value) || isRecord(value)) continue
    const misspelt = { ...value, keepDimension: true }
    yield { what: `${shown} misspelt`, args: replaced(make(), place, misspelt) as readonly unknown[], refused: true }
  }
  for (let count = 0; count < args.length; count++)
    yield { what: `${count} arguments`, args: make().slice(0, count), refused: false }
  for (const [what, wrong] of Object.entries(junk))
    yield { what: `${what} too many`, args: [...make(), wrong()], refused: false }
}
