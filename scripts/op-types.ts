/**
 * Generates the types and hover texts of methods and functions from the records' signatures: `npx tsx scripts/op-types.ts`
 * writes src/tensor/op-methods.ts and src/tensor/functions.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type RecordName, recordTable } from '../src/graph/ops/index.js'
import { aliases, opsOf, type PublicName } from '../src/graph/ops/names.js'
import type { OpRecord } from '../src/graph/record.js'
import { type KindName, type Param, publicName } from '../src/graph/signature.js'
import { functionNames, inPlaceMethodNames, methodNames } from '../src/tensor/method-names.js'
import { type Signed, summaryOf, textLines } from './op-texts.js'

const header = (what: string): string =>
  `/** ${what}\n *\n * Written by \`npx tsx scripts/op-types.ts\` from the records' signatures: change those.\n */\n`

// --- types -------------------------------------------------------------------------------------------------------------

const kindTypes: Readonly<Record<KindName, string>> = {
  tensor: 'Tensor',
  tensors: 'readonly Tensor[]',
  operand: 'Operand',
  scalar: 'Scalar',
  number: 'number',
  numbers: 'readonly number[]',
  int: 'number',
  ints: 'readonly number[]',
  intsOrNull: 'readonly (number | null)[]',
  count: 'number',
  positive: 'number',
  dim: 'number',
  dims: 'number | readonly number[]',
  dimLists: 'readonly (readonly number[])[]',
  size: 'SizeLike',
  sizes: 'readonly SizeLike[]',
  shape: 'readonly SizeLike[]',
  index: 'IndexLike',
  indices: 'readonly IndexLike[]',
  position: 'IndexLike | Tensor',
  range: 'Range',
  bool: 'boolean',
  dtype: 'TensorDtype',
  string: 'string',
  value: 'unknown',
  object: 'object',
  null: 'null',
}

function typeOf({ kinds }: Param): string {
  const names = kinds.map(kind => (kind.startsWith("'") ? kind : kindTypes[kind as KindName]))
  return [...new Set(names.flatMap(name => name.split(' | ')))].join(' | ')
}

/** The element type of a list, for parameters that can also be passed element by element. */
const elementOf = (param: Param): string => {
  const list = typeOf(param)
    .split(' | ')
    .find(type => type.startsWith('readonly '))
  return list === undefined ? typeOf(param) : list.slice('readonly '.length, -'[]'.length)
}

const isOptional = ({ fallback }: Param): boolean => fallback !== undefined
const field = (param: Param): string =>
  `readonly ${publicName(param.name)}${isOptional(param) ? '?' : ''}: ${namedType(param)}${isOptional(param) ? ' | undefined' : ''}`
/** By name, a spread parameter is passed as a list. */
const namedType = (param: Param): string =>
  param.isSpread && typeOf(param) === elementOf(param) ? `readonly (${elementOf(param)})[]` : typeOf(param)
const optionsType = (params: readonly Param[]): string => `{ ${params.map(field).join('; ')} }`
const optionsParam = (params: readonly Param[]): string =>
  `options${params.every(isOptional) ? '?' : ''}: ${optionsType(params)}`

const positional = (param: Param, rest: readonly Param[]): string => {
  // A parameter with a default before one without is passed as undefined.
  const leaves = isOptional(param) && rest.every(isOptional)
  const type = isOptional(param) && !leaves ? `${typeOf(param)} | undefined` : typeOf(param)
  return `${publicName(param.name)}${leaves ? '?' : ''}: ${type}`
}

/** The parameter lists of all forms; the first is the positional one. */
function forms(params: readonly Param[]): readonly string[] {
  const ordered = params.filter(param => !param.isNamedOnly)
  const named = params.filter(param => param.isNamedOnly)
  const tail = named.length === 0 ? [] : [optionsParam(named)]
  const list = ordered.map((param, i) => positional(param, ordered.slice(i + 1)))
  const spread = ordered.at(-1)?.isSpread ? ordered.at(-1)! : null
  const byElement =
    spread === null ? [] : [...list.slice(0, -1), `...${publicName(spread.name)}: readonly (${elementOf(spread)})[]`]
  const first = spread !== null && typeOf(spread) === elementOf(spread) ? [] : [[...list, ...tail].join(', ')]
  const elements =
    spread === null
      ? []
      : tail.length === 0
        ? [byElement.join(', ')]
        : [`...args: [${[...byElement, ...tail].join(', ')}]`]
  const splits = ordered.map((_, i) => ordered.length - 1 - i)
  const tuples = splits.map(split => {
    const required = list.slice(0, split).map(text => text.replace(/^(\w+)\?: (.*)$/, '$1: $2 | undefined'))
    return `[${[...required, optionsParam([...ordered.slice(split), ...named])].join(', ')}]`
  })
  return [...first, ...elements, ...(tuples.length === 0 ? [] : [`...args: ${tuples.join(' | ')}`])]
}

const resultOf = ({ results }: OpRecord): string =>
  results === null ? 'Tensor' : `{ ${results.map(name => `readonly ${name}: Tensor`).join('; ')} }`

// --- texts -------------------------------------------------------------------------------------------------------------

/** The hover text. `params`: the parameters shown. */
function docs(record: Signed, params: readonly Param[], summary: string, indent: string, result?: string): string {
  const lines = textLines(record, params, summary, result)
  return `${indent}/**\n${lines.map(line => `${indent} *${line === '' ? '' : ` ${line}`}`).join('\n')}\n${indent} */\n`
}

/**
 * The forms of an op with its hover text. Where it is the first (or only) op of its name, the text stands above its first form
 * alone: hovering over a call in a form without one shows the first text of the name.
 */
const documented = (text: string, isFirst: boolean, all: readonly string[]): string =>
  all.map((form, i) => (isFirst && i > 0 ? form : `${text}${form}`)).join('')

/** The record of a public op. */
const signed = (name: RecordName): Signed => recordTable[name] as Signed

const isAlias = (name: PublicName): name is keyof typeof aliases => Object.hasOwn(aliases, name)
const aliasText = (of: RecordName): string => `As \`${of}\`: ${summaryOf(signed(of))}`

// --- files -------------------------------------------------------------------------------------------------------------

const methods = (names: readonly PublicName[], inPlace: boolean): string =>
  names.map(name => (isAlias(name) ? aliasMethod(name, inPlace) : method(name, inPlace))).join('\n')

function aliasMethod(name: keyof typeof aliases, inPlace: boolean): string {
  const end = inPlace ? '_' : ''
  return `  /** ${aliasText(aliases[name])} */\n  ${name}${end}: this['${aliases[name]}${end}']\n`
}

function method(name: RecordName, inPlace: boolean): string {
  return opsOf(name)
    .map(of => {
      const record = signed(of)
      const params = record.signature.params.slice(1)
      const summary = inPlace
        ? `As ${name}, written into this tensor (cast to its dtype): ${summaryOf(record)}`
        : summaryOf(record)
      const text = docs(record, params, summary, '  ', inPlace ? 'this tensor' : undefined)
      const result = inPlace ? 'this' : resultOf(record)
      const all = params.length === 0 ? [''] : forms(params)
      return documented(
        text,
        of === name,
        all.map(form => `  ${name}${inPlace ? '_' : ''}(${form}): ${result}\n`),
      )
    })
    .join('')
}

const typeImports = (body: string): string => {
  const used = ['IndexLike', 'Operand', 'Range', 'Scalar', 'SizeLike'].filter(name =>
    new RegExp(`\\b${name}\\b`).test(body),
  )
  const dtype = /\bTensorDtype\b/.test(body) ? "import type { TensorDtype } from '../types/dtype.js'\n" : ''
  return `${dtype}import type { ${used.join(', ')} } from './parameters.js'\nimport type { Tensor } from './tensor-type.js'\n`
}

export function methodsFile(): string {
  const body = `/** The methods of ops. */
export interface OpMethods {
${methods(methodNames, false)}}

/**
 * The methods that write into their tensor and return it. Each throws ShapeError when the result is larger than the tensor, or
 * when the tensor's elements share memory (expand), and DtypeError when a float result would go into an integer tensor, or a
 * number into a bool one.
 */
export interface InPlaceMethods {
${methods(inPlaceMethodNames, true)}}
`
  return `${header('The methods of ops, and those that write in place.')}${typeImports(body)}\n${body}`
}

function functionText(name: PublicName): string {
  if (isAlias(name)) {
    const of = aliases[name]
    return `/** ${aliasText(of)} */\nexport const ${name}: typeof ${of} = (...args: readonly unknown[]) => callOp('${name}', args) as never\n`
  }
  const overloads = opsOf(name).map(of => {
    const record = signed(of)
    const { params } = record.signature
    const text = docs(record, params, summaryOf(record), '')
    const all = forms(params).map(form => `export function ${name}(${form}): ${resultOf(record)}\n`)
    return documented(text, of === name, all)
  })
  return `${overloads.join('')}export function ${name}(...args: readonly unknown[]): unknown {\n  return callOp('${name}', args)\n}\n`
}

export function functionsFile(): string {
  const body = functionNames.map(functionText).join('\n')
  return `${header('The free functions of ops.')}import { callOp } from './methods.js'\n${typeImports(body)}\n${body}`
}

const files = { 'op-methods.ts': methodsFile, 'functions.ts': functionsFile }
const path = (name: string): URL => new URL(`../src/tensor/${name}`, import.meta.url)
if (process.argv[1]?.endsWith('op-types.ts'))
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text())

/** The generated files: as in the repository, and as the records require. */
export const generated = (): readonly { readonly name: string; readonly current: string; readonly wanted: string }[] =>
  Object.entries(files).map(([name, text]) => ({ name, current: readFileSync(path(name), 'utf8'), wanted: text() }))
