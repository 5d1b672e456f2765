/**
 * The hover texts and docs/ops.md of ops. The record's own texts (`OpTexts`) come first; the rest is derived from its
 * signature and its dtype rule: the types and defaults of parameters, the result's dtype, the errors of dtypes and dims.
 */
import { wantedText } from '../src/graph/kinds.js'
import type { RecordName } from '../src/graph/ops/index.js'
import { aliasesOf, overloads } from '../src/graph/ops/names.js'
import { asBroadcast } from '../src/graph/ops/texts.js'
import type { DtypeRule, OpRecord, ResultDtype } from '../src/graph/record.js'
import { type Param, printSignature, printValue, publicName, type Signature } from '../src/graph/signature.js'
import { isMethod } from '../src/tensor/method-names.js'

export type Signed = OpRecord & { readonly signature: Signature }

/** The meaning of parameter names that many ops share. */
const common: Readonly<Record<string, string>> = {
  self: 'the input',
  other: 'the other operand',
  dim: 'the dim; negative ones count from the end',
  keepdim: 'keep the reduced dims, with size 1',
  dims: 'the dims; negative ones count from the end',
  dim0: 'one dim; negative ones count from the end',
  dim1: 'one dim; negative ones count from the end',
  dim2: 'the other dim; negative ones count from the end',
  startDim: 'the first of the dims',
  endDim: 'the last of the dims',
  shape: 'the shape of the result; one size may be −1: it follows from the others',
  size: 'the shape of the result',
  sizes: 'the sizes; −1 stands for one that follows',
  ranges: 'one per dim, from the first on',
  repeats: 'how often along each dim',
  mask: 'bool, broadcasts to self',
  tensors: 'the tensors',
  eps: 'a small number that keeps what is divided by from 0',
  seed: 'the seed of the random numbers',
  offset: 'the first counter of the random numbers',
}

/** A record calls the first tensor `self`; users know it as `input`. */
const inPublic = (text: string): string => text.replaceAll(/\bself\b/g, 'input')

/** The meaning of a parameter, without its type; undefined: not documented. */
export function meaningOf(param: Param, record: OpRecord): string | undefined {
  const { name } = param
  if (record.details?.[name] !== undefined) return inPublic(record.details[name])
  if (name === 'dtype')
    return record.dtypes?.takes === 'float' ? 'the dtype of the result, a float' : 'the dtype of the result'
  return common[name] === undefined ? undefined : inPublic(common[name])
}

/** One parameter: its meaning, type and default. */
export function paramText(param: Param, record: OpRecord): string {
  const own = meaningOf(param, record)
  const takes = param.name === 'dtype' ? 'a dtype' : wantedText(param.kinds.filter(kind => kind !== 'null'))
  const said = own === undefined || own === inPublic(common.self!) ? takes : `${takes}: ${own}`
  if (param.fallback === undefined) return said
  return param.fallback === null ? `${said} (optional)` : `${said} (default ${printValue(param.fallback)})`
}

// --- dtypes ------------------------------------------------------------------------------------------------------------

const taken: Readonly<Record<DtypeRule['takes'], string>> = {
  any: 'any dtype',
  number: 'any dtype but bool',
  float: 'floats',
  cast: 'floats; with a float as dtype any',
  integer: 'integers',
  bits: 'integers and bool',
}
const refusal: Readonly<Record<Exclude<DtypeRule['takes'], 'any'>, string>> = {
  number: 'for bool',
  float: 'for integers and bool',
  cast: 'for integers and bool, unless dtype is a float',
  integer: 'for floats and bool',
  bits: 'for floats',
}

/** The dtypes that the op takes, in words. */
export const takenText = ({ dtypes, category }: OpRecord): string =>
  dtypes === undefined || category === 'creation' ? '' : taken[dtypes.takes]

export const operandsOf = ({ signature }: Signed): readonly Param[] => signature.params.filter(param => param.isInput)

function dtypeText(gives: ResultDtype, record: Signed): string {
  const [first, ...others] = operandsOf(record)
  const own =
    others.length === 0 && first?.kinds[0] !== 'tensors'
      ? `the dtype of ${publicName(first?.name ?? 'self')}`
      : 'the promoted dtype'
  if (typeof gives === 'object') return inPublic(gives.words)
  switch (gives) {
    case 'same':
      return `the dtype of ${first?.kinds[0] === 'tensors' ? 'the tensors' : publicName(first?.name ?? 'self')}`
    case 'promoted':
      return own
    case 'floated':
      return `${own}, f32 for integers and bool`
    case 'summed':
      return `${own}, i64 for integers and bool`
    case 'counted':
      return `${own}, i64 for bool`
    default:
      return gives
  }
}

const isEach = (gives: DtypeRule['gives']): gives is Readonly<Record<string, ResultDtype>> =>
  typeof gives === 'object' && !('words' in gives)

/** The dtype of the result called `name` (null: of the only one), by the rule. */
export const givenDtype = ({ gives }: DtypeRule, name: string | null): ResultDtype | undefined =>
  isEach(gives) ? gives[name ?? ''] : (gives as ResultDtype)

/** The shape of the result called `name` (null: of the only one), or undefined if the record does not give it. */
export function shapeText(record: Signed, name: string | null): string | undefined {
  const text = typeof record.shape === 'object' ? record.shape[name ?? ''] : record.shape
  if (text === undefined) return undefined
  return inPublic(text === asBroadcast && operandsOf(record).length === 1 ? 'the shape of self' : text)
}

function dtypeOfResult(record: Signed, name: string | null): string | undefined {
  const gives = record.dtypes === undefined ? undefined : givenDtype(record.dtypes, name)
  if (gives === undefined) return undefined
  const isAsked = record.signature.params.some(param => param.name === 'dtype' && param.fallback === null)
  return dtypeText(gives, record) + (isAsked ? ' unless dtype is given' : '')
}

const joined = (parts: readonly (string | undefined)[], by: string): string =>
  parts.filter(part => part !== undefined).join(by)

/** Shape and dtype of the result, or of each of several: `values, indices: […]; the dtype of input, i64`. */
export function resultText(record: Signed): string {
  const { results } = record
  if (results === null) return joined([shapeText(record, null), dtypeOfResult(record, null)], '; ')
  const shapes = new Set(results.map(name => shapeText(record, name)))
  const dtypes = new Set(results.map(name => dtypeOfResult(record, name)))
  if (shapes.size > 1)
    return results
      .map(name => `${name}: ${joined([shapeText(record, name), dtypeOfResult(record, name)], '; ')}`)
      .join(' · ')
  const types = dtypes.size === 1 ? [...dtypes] : results.map(name => `${name} ${dtypeOfResult(record, name)}`)
  return `${results.join(', ')}: ${joined([...shapes, joined(types, ', ')], '; ')}`
}

// --- the whole text ----------------------------------------------------------------------------------------------------

const dimKinds: readonly string[] = ['dim', 'dims']

function errorLines(record: Signed): readonly string[] {
  const { dtypes, errors = {}, signature, shape } = record
  const lines: string[] = []
  const add = (name: keyof typeof errors, ...derived: readonly (string | false | undefined)[]): void => {
    const all = [...derived, errors[name]].filter(text => typeof text === 'string')
    if (all.length > 0) lines.push(`@throws ${name} ${inPublic(all.join(', or '))}`)
  }
  add('ArgumentError')
  add('DtypeError', dtypes !== undefined && dtypes.takes !== 'any' && refusal[dtypes.takes])
  add(
    'ShapeError',
    signature.params.some(param => param.kinds.some(kind => dimKinds.includes(kind))) && 'when a dim is out of range',
    shape === asBroadcast && operandsOf(record).length > 1 && 'when the shapes do not broadcast',
  )
  add('DeviceError')
  return lines
}

export const summaryOf = ({ summary }: OpRecord): string => inPublic(summary)

/** The lines of the hover text; `params`: the parameters shown; `result`: replaces the record's own text. */
export function textLines(
  record: Signed,
  params: readonly Param[],
  summary: string,
  result?: string,
): readonly string[] {
  const { note } = record
  const about = [
    ...(note === undefined ? [] : [inPublic(note)]),
    ...(takenText(record) === '' ? [] : [`Takes ${takenText(record)}.`]),
  ]
  return [
    summary,
    ...(about.length === 0 ? [] : ['', ...about]),
    '',
    ...params.map(param => `@param ${publicName(param.name)} ${paramText(param, record)}`),
    `@returns ${result ?? resultText(record)}`,
    ...errorLines(record),
  ]
}

/** The name under which users call an overload. */
export const nameOf = (name: RecordName): RecordName =>
  (Object.keys(overloads) as (keyof typeof overloads)[]).find(each => overloads[each].along === name) ?? name

/** The call syntax, as a method where the op is one. */
export const called = ({ name, signature }: Signed): string =>
  printSignature(nameOf(name as RecordName), signature, isMethod(nameOf(name as RecordName)))

/** Its aliases. */
export function otherNames(name: RecordName): string {
  const between = (Object.keys(overloads) as (keyof typeof overloads)[]).find(each => overloads[each].between === name)
  const names = [...(between === undefined ? [] : [`${between}(other)`]), ...aliasesOf(name)]
  return names.length === 0 ? '' : `, also ${names.map(each => `\`${each}\``).join(', ')}`
}
