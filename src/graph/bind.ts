/**
 * Binds a call's arguments to a signature: each by position, or by name in one plain object at the end. Records receive
 * complete arguments of the right kinds; anything else is an ArgumentError that names the parameter and shows the
 * signature.
 */
import { describeAny, isQuantisedParts } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { fixFor, type IsTensor, isListKind, refused, takeValue, wantedText } from './kinds.js'
import { type Bound, type Param, printSignature, publicName, type Signature } from './signature.js'

/** How the call was written, for messages: `x.add_(…)` is { name: 'add_', isMethod: true }. */
export interface Callee {
  readonly name: string
  readonly isMethod: boolean
}

/** A call's positional arguments, and the object of named ones. */
export function splitArguments(
  args: readonly unknown[],
  isTensor: IsTensor,
): { readonly positional: readonly unknown[]; readonly options: Readonly<Record<string, unknown>> | null } {
  const count = countGiven(args)
  const last = args[count - 1]
  return isOptions(last, isTensor)
    ? { positional: args.slice(0, count - 1), options: last }
    : { positional: args.slice(0, count), options: null }
}

/** The arguments of a call by parameter. Undefined means absent. Throws ArgumentError. */
export function bindArguments<Text extends string>(
  callee: Callee,
  signature: Signature<Text>,
  args: readonly unknown[],
  isTensor: IsTensor,
): Bound<Text> {
  const { params } = signature
  const given = new Array<unknown>(params.length).fill(undefined)
  const count = countGiven(args)
  const last = args[count - 1]
  const options = isOptions(last, isTensor) ? last : null
  placePositional(callee, signature, args, options === null ? count : count - 1, given)
  if (options !== null) placeNamed(callee, signature, options, given)
  const bound: Record<string, unknown> = {}
  for (let i = 0; i < params.length; i++)
    bound[params[i]!.name] = argumentOf(callee, signature, params[i]!, given[i], isTensor)
  return bound as Bound<Text>
}

/** Without those at the end that are undefined. */
function countGiven(args: readonly unknown[]): number {
  let count = args.length
  while (count > 0 && args[count - 1] === undefined) count--
  return count
}

const shown = (callee: Callee, signature: Signature): string =>
  `${printSignature(callee.name, signature, callee.isMethod)}${signature.hint === undefined ? '' : `; ${signature.hint}`}`

/** A plain options object: no class instance, no tensor, no quantised tensor. */
function isOptions(value: unknown, isTensor: IsTensor): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isTensor(value)) return false
  if (isQuantisedParts(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Places the first `count` arguments. */
function placePositional(
  callee: Callee,
  signature: Signature,
  args: readonly unknown[],
  count: number,
  given: unknown[],
): void {
  const { params } = signature
  for (let i = 0; i < count; i++) {
    const param = params[i]
    if (param === undefined || param.isNamedOnly) throw tooMany(callee, signature, count)
    if (param.isSpread && !(Array.isArray(args[i]) && isListKind(param.kinds[0]!))) {
      given[i] = args.slice(i, count)
      return
    }
    given[i] = args[i]
  }
}

function tooMany(callee: Callee, signature: Signature, count: number): ArgumentError {
  // A method's receiver does not count as an argument, nor does the tensor in its place when called as a function.
  const own = signature.params[0]?.name === 'self' ? 1 : 0
  const most = signature.params.filter(param => !param.isNamedOnly).length - own
  const next = signature.params.find(param => param.isNamedOnly)
  const hint = next === undefined ? '' : `; ${next.name} is given by name: { ${next.name}: … }`
  const takes = most === 0 ? 'no arguments' : `at most ${most} ${most === 1 ? 'argument' : 'arguments'} by position`
  const after = own === 1 && !callee.isMethod ? ' after its input' : ''
  return new ArgumentError(`${callee.name}: takes ${takes}${after}, got ${count - own}`, {
    fix: `${shown(callee, signature)}${hint}`,
  })
}

/** Puts named arguments at the positions of their parameters. Throws ArgumentError for unknown and doubled ones. */
function placeNamed(
  callee: Callee,
  signature: Signature,
  options: Readonly<Record<string, unknown>>,
  given: unknown[],
): void {
  const { params } = signature
  for (const [name, value] of Object.entries(options)) {
    const at = params.findIndex(param => publicName(param.name) === name)
    if (at < 0) throw noParameter(callee, signature, name)
    if (value === undefined) continue
    if (given[at] !== undefined)
      throw new ArgumentError(`${callee.name}: ${name} is given twice`, {
        fix: `give it by position or by name: ${shown(callee, signature)}`,
      })
    given[at] = value
  }
}

function noParameter(callee: Callee, signature: Signature, name: string): ArgumentError {
  const names = signature.params.slice(callee.isMethod ? 1 : 0).map(param => publicName(param.name))
  const near = nearest(name, names)
  return new ArgumentError(`${callee.name}: no parameter '${name}'`, {
    fix: `${near === null ? '' : `did you mean '${near}'? `}${shown(callee, signature)}`,
  })
}

/** An argument, checked and converted to its parameter's kind; an omitted one is the default. */
function argumentOf(callee: Callee, signature: Signature, param: Param, value: unknown, isTensor: IsTensor): unknown {
  if (value === undefined) {
    if (param.fallback !== undefined) return param.fallback
    throw new ArgumentError(`${callee.name}: ${publicName(param.name)} is missing`, { fix: shown(callee, signature) })
  }
  const taken =
    param.isSpread && !isListKind(param.kinds[0]!)
      ? takeEach(param, value, isTensor)
      : takeValue(param.kinds, value, isTensor)
  if (taken !== refused) return taken
  const what = `${callee.name}: ${publicName(param.name)} is ${shownValue(value)}, not ${wantedText(param.kinds)}`
  throw new ArgumentError(what, { fix: fixFor(param.kinds, value, isTensor) ?? shown(callee, signature) })
}

function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  return typeof value === 'number' ? String(value) : describeAny(value)
}

function takeEach(param: Param, values: unknown, isTensor: IsTensor): unknown {
  if (!Array.isArray(values)) return refused
  const taken = Array.from(values, value => takeValue(param.kinds, value, isTensor))
  return taken.includes(refused) ? refused : taken
}

// --- names that were meant ---------------------------------------------------------------------------------------------

/** What other libraries call the parameter. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  axis: ['dim'],
  axis0: ['dim0'],
  axis1: ['dim1'],
  axes: ['dims', 'dim'],
  keepdims: ['keepdim'],
  dims: ['dim'],
  size: ['shape', 'outputSize'],
  shape: ['size'],
  x: ['input'],
  self: ['input'],
  y: ['other'],
}

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** The closest of `names`, for "did you mean"; null if none is close. */
export function nearest(name: string, names: readonly string[]): string | null {
  const alias = Object.hasOwn(aliases, name) ? aliases[name]!.find(other => names.includes(other)) : undefined
  if (alias !== undefined) return alias
  const scored = names.map(other => ({ other, distance: editDistance(plain(name), plain(other)) }))
  const best = scored.sort((a, b) => a.distance - b.distance)[0]
  return best !== undefined && best.distance <= Math.min(2, best.other.length / 3) ? best.other : null
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
