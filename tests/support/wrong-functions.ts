/**
 * Wrong JavaScript calls of functions that have no record, made from right ones: everything in the arguments, also inside
 * lists and objects, replaced by what plain JavaScript lets people pass; arguments left out, too many, misspelt.
 */
import { junk } from './wrong-calls.js'

export interface FunctionCall {
  readonly what: string
  readonly args: readonly unknown[]
  /** It must be refused; else it may also be right by chance. */
  readonly refused: boolean
}

type Place = readonly (string | number)[]

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Deeper than any options: what is below is data. */
const deepest = 4

/** The places of everything in a tree, the tree itself left out. */
function* placesIn(tree: unknown, place: Place = []): Generator<readonly [Place, unknown]> {
  if (place.length > 0) yield [place, tree]
  if (place.length === deepest || (!Array.isArray(tree) && !isPlainObject(tree))) return
  const keys = Array.isArray(tree) ? tree.keys() : Object.keys(tree)
  for (const key of keys) yield* placesIn((tree as Readonly<Record<string | number, unknown>>)[key], [...place, key])
}

/** The tree with another value at a place. */
function replaced(tree: unknown, [first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value
  if (Array.isArray(tree)) return tree.map((each, i) => (i === first ? replaced(each, rest, value) : each))
  const fields = tree as Readonly<Record<string, unknown>>
  return { ...fields, [first]: replaced(fields[first], rest, value) }
}

/** Objects that functions give to people, who may keep more in them, and a kernel's constants, which people name. */
const isRecord = (value: object): boolean => ['format', 'kind', 'seed', 'BLOCK'].some(key => Object.hasOwn(value, key))

/** Lists of more elements than this are data, of which the first stands for all. */
const fewElements = 4
const isData = (place: Place, tree: unknown): boolean => {
  const lists = place.map((_, i) => place.slice(0, i).reduce((at: unknown, key) => (at as never)[key], tree))
  return lists.some((list, i) => Array.isArray(list) && list.length > fewElements && Number(place[i]) > 0)
}

/** `make`: right arguments, anew for each call. */
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
