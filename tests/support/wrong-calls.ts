/**
 * Wrong JavaScript calls, derived from valid ones: every argument replaced by other values that plain JavaScript lets users
 * pass; arguments omitted, extra, given twice, or misspelt. Such a call must either work, or throw one of Tegula's errors
 * that names the called function.
 */
import { InternalError, TegulaError, VerifyError } from '../../src/base/errors.js'
import { isListKind } from '../../src/graph/kinds.js'
import { type Param, publicName, type Signature } from '../../src/graph/signature.js'
import { tensor, zeros } from '../../src/index.js'

/** The replacement values. Created anew for each call, so that calls cannot affect each other. */
export const junk: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  NaN: () => Number.NaN,
  '1.5': () => 1.5,
  '-1': () => -1,
  '-9': () => -9,
  '1e20': () => 1e20,
  Infinity: () => Number.POSITIVE_INFINITY,
  bigint: () => 10n,
  true: () => true,
  "''": () => '',
  "'x'": () => 'x',
  '{}': () => ({}),
  '{ foo }': () => ({ foo: 1 }),
  'null prototype': () => Object.create(null),
  '[]': () => [],
  '[null]': () => [null],
  '[undefined]': () => [undefined],
  '[NaN]': () => [Number.NaN],
  '[1.5]': () => [1.5],
  '[[1]]': () => [[1]],
  '[9, 9, 9, 1, 1, 1]': () => [9, 9, 9, 1, 1, 1],
  "['x']": () => ['x'],
  'a hole': () => new Array(2),
  'a tensor of bool': () => tensor([true, false]),
  'a tensor of i8': () => zeros([2, 3], { dtype: 'i8' }),
  'a 0-d tensor': () => tensor(1),
  'an empty tensor': () => zeros([0]),
  'tensors in a list': () => [tensor(1), zeros([2])],
  'a function': () => () => 1,
  'a symbol': () => Symbol('s'),
  'a date': () => new Date(0),
  'a map': () => new Map(),
  'a typed array': () => new Float32Array(2),
  'no text': () => ({
    toString() {
      throw new Error('asked for text')
    },
  }),
  'a promise': () => Promise.resolve(1),
}

/** The way in which a function is called. */
export interface Target {
  readonly name: string
  readonly isMethod: boolean
  readonly signature: Signature
  readonly call: (args: readonly unknown[]) => unknown
}

/** A call of a target: the mistake, and its arguments (for a method, its tensor first). */
export interface WrongCall {
  readonly what: string
  readonly args: readonly unknown[]
  /** The call must be rejected; otherwise it may happen to be valid. */
  readonly refused: boolean
}

/** Valid arguments by parameter, complete; undefined for omitted ones. */
export type Right = Readonly<Record<string, unknown>>

/** Each parameter by position up to the one at `split`, the others by name. */
export function argumentsAt(params: readonly Param[], right: Right, split: number): readonly unknown[] {
  const named = params.slice(split).filter(({ name }) => right[name] !== undefined)
  // Parameters without a list form are passed one by one.
  const positional = params.slice(0, split).flatMap(({ name, isSpread, kinds }) => {
    const value = right[name]
    return isSpread && !isListKind(kinds[0]!) && Array.isArray(value) ? value : [value]
  })
  if (named.length === 0) return positional
  return [...positional, Object.fromEntries(named.map(({ name }) => [publicName(name), right[name]]))]
}

/** The number of parameters that can be passed by position. */
export const positionalCount = (params: readonly Param[]): number =>
  params.filter(({ isNamedOnly }) => !isNamedOnly).length

export function* wrongCalls({ signature, isMethod }: Target, right: Right): Generator<WrongCall> {
  const { params } = signature
  const own = isMethod ? 1 : 0
  const count = positionalCount(params)
  const hasSpread = params.some(({ isSpread }) => isSpread)
  for (const [at, { name, isNamedOnly, fallback }] of params.entries()) {
    if (at < own) continue
    for (const [what, make] of Object.entries(junk)) {
      const value = make()
      const wrong = { ...right, [name]: value }
      if (!isNamedOnly) yield { what: `${name} ${what}`, args: argumentsAt(params, wrong, at + 1), refused: false }
      yield { what: `{ ${name}: ${what} }`, args: argumentsAt(params, wrong, own), refused: false }
    }
    const missing = argumentsAt(params, { ...right, [name]: undefined }, own)
    yield { what: `without ${name}`, args: missing, refused: fallback === undefined }
    const twice = [...argumentsAt(params, right, count), { [publicName(name)]: right[name] ?? null }]
    if (!isNamedOnly && right[name] !== undefined && right[name] !== null && count === params.length)
      yield { what: `${name} twice`, args: twice, refused: true }
  }
  const [positional, misspelt] = [argumentsAt(params, right, params.length), { keepDimension: true }]
  yield { what: 'no arguments', args: positional.slice(0, own), refused: false }
  yield { what: 'a misspelt name', args: [...positional.slice(0, count), misspelt], refused: true }
  if (hasSpread) return
  for (const [what, make] of Object.entries(junk)) {
    const extra = make()
    // An empty object passes no parameter by name, which is not a mistake.
    const isNothing = what === '{}' || what === 'null prototype'
    if (count === params.length) yield { what: `${what} too many`, args: [...positional, extra], refused: !isNothing }
  }
}

/** Texts that must not appear in messages: JavaScript's own, and compiler internals. */
const foreign: readonly RegExp[] = [
  /\[object \w+\]/,
  /undefined is not|is not a function|is not iterable|Cannot read properties|Cannot convert/,
  /\bs\d+\b/,
  /outside of the bucket/,
]

/** The problem with the way in which a call failed, or null. */
export function complaint(name: string, error: unknown): string | null {
  if (!(error instanceof TegulaError)) return `threw ${String(error instanceof Error ? error.stack : typeof error)}`
  if (error instanceof InternalError || error instanceof VerifyError) return `threw ${error.name}: ${error.message}`
  // A mismatch with the op is reported as the op's, also for in-place methods.
  if (![name, name.replace(/_$/, '')].some(said => error.what.startsWith(`${said}: `)))
    return `does not name ${name}: ${error.what}`
  const text = `${error.what} ${error.fix ?? ''}`
  const found = foreign.find(pattern => pattern.test(text))
  return found === undefined ? null : `says ${found}: ${text}`
}
