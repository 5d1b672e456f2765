/**
 * Further names of ops, all PyTorch's: aliases of one op, and names that stand for several ops. Methods, functions, their
 * types and hover texts and docs/ops.md derive from these tables and the records.
 */

import { splitArguments } from '../bind.js'
import type { IsTensor } from '../kinds.js'
import type { RecordName } from './index.js'

/** Other names of ops: each with the op that it is. */
export const aliases = {
  absolute: 'abs',
  arccos: 'acos',
  arccosh: 'acosh',
  arcsin: 'asin',
  arcsinh: 'asinh',
  arctan: 'atan',
  arctan2: 'atan2',
  arctanh: 'atanh',
  chainMatmul: 'multiDot',
  clip: 'clamp',
  concat: 'cat',
  concatenate: 'cat',
  divide: 'div',
  fix: 'trunc',
  ger: 'outer',
  greater: 'gt',
  greaterEqual: 'ge',
  less: 'lt',
  lessEqual: 'le',
  logsigmoid: 'logSigmoid',
  moveaxis: 'movedim',
  multiply: 'mul',
  negative: 'neg',
  notEqual: 'ne',
  sgn: 'sign',
  subtract: 'sub',
  swapaxes: 'transpose',
  swapdims: 'transpose',
  trapz: 'trapezoid',
  vdot: 'dot',
} as const satisfies Readonly<Record<string, RecordName>>

/**
 * Overloaded names: on the whole tensor the op of that name, `along` a dim another, and `between` two tensors a third.
 * Those have no method or function of their own.
 */
export const overloads = {
  max: { along: 'maxWithIndices', between: 'maximum' },
  min: { along: 'minWithIndices', between: 'minimum' },
  median: { along: 'medianWithIndices', between: null },
  nanmedian: { along: 'nanmedianWithIndices', between: null },
} as const satisfies Readonly<Record<string, { readonly along: RecordName; readonly between: RecordName | null }>>

export type AliasName = keyof typeof aliases
/** What a method or function may be called. */
export type PublicName = RecordName | AliasName

const isAlias = (name: PublicName): name is AliasName => Object.hasOwn(aliases, name)
/** Whether a name stands for several ops, of which the arguments select one. */
export const isOverloaded = (name: string): name is keyof typeof overloads => Object.hasOwn(overloads, name)

/** The other names of an op. */
export const aliasesOf = (name: RecordName): readonly AliasName[] =>
  (Object.keys(aliases) as AliasName[]).filter(alias => aliases[alias] === name)

/** All ops that a name stands for. */
export function opsOf(name: RecordName): readonly RecordName[] {
  if (!isOverloaded(name)) return [name]
  const { along, between } = overloads[name]
  return between === null ? [name, along] : [name, along, between]
}

/** The ops that are reachable only through an overloaded name. */
export const overloadParts: readonly RecordName[] = Object.values(overloads).map(({ along }) => along)

/** The op that a call resolves to. `args`: with the tensor first. */
export function opOfCall(name: PublicName, args: readonly unknown[], isTensor: IsTensor): RecordName {
  if (isAlias(name)) return aliases[name]
  if (!isOverloaded(name)) return name
  const { along, between } = overloads[name]
  const { positional, options } = splitArguments(args, isTensor)
  const named = Object.keys(options ?? {}).filter(key => key !== 'input')
  if (between !== null && (isTensor(positional[1]) || named.includes('other'))) return between
  return positional.length > 1 || named.length > 0 ? along : name
}
