/** Random programs as data: the text of a TypeScript file, in pieces that can be left out. */
import type { CompileOptions } from '../../../src/index.js'
import { type Feature, printFeatures } from './features.js'

/** A statement of the compiled function. */
export type Statement =
  | string
  | {
      readonly head: string
      readonly body: readonly Statement[]
      readonly otherwise?: readonly Statement[]
      /** Of a `try`. */
      readonly handler?: readonly Statement[]
    }

/** What the function returns: the text of a value, or a structure of such. */
export type Result =
  | string
  | { readonly items: readonly Result[] }
  | { readonly fields: readonly (readonly [string, Result])[] }

/** A line outside of the function, and the name that it declares, whose value is then looked at after each line. */
export interface Line {
  readonly text: string
  readonly defines?: string | undefined
}

export interface Script {
  readonly seed: number
  /** State that the function closes over, and declarations of classes. */
  readonly setup: readonly Line[]
  readonly params: readonly string[]
  readonly body: readonly Statement[]
  readonly result: Result
  /** Arguments, calls, and what happens between calls. */
  readonly driver: readonly Line[]
  /** Only sizes change between the calls. */
  readonly steady: boolean
  /** Parts of the language that it uses. */
  readonly features: ReadonlySet<Feature>
}

/** Where the arguments come from: small whole numbers in any layout. */
const prelude = `
const count = shape => shape.reduce((product, size) => product * size, 1)
/** Small whole numbers. */
const numbers = (dtype, shape, seed) => {
  const value = i => ((i * 7 + seed * 3) % 11) - 5
  const fitting = i => (dtype === 'bool' ? value(i) > 0 : dtype === 'u8' ? Math.abs(value(i)) : value(i))
  return tensor(Array.from({ length: count(shape) }, (_, i) => fitting(i)), { dtype }).reshape(shape)
}
const make = (dtype, shape, layout, seed) => {
  const rank = shape.length
  switch (rank === 0 ? 'dense' : layout) {
    case 'transposed': return numbers(dtype, shape.toReversed(), seed).permute(shape.map((_, d) => rank - 1 - d))
    case 'strided': return numbers(dtype, shape.with(-1, 2 * shape.at(-1)), seed).slice(...shape.slice(1).map(() => null), [0, null, 2])
    case 'offset': return numbers(dtype, shape.with(0, shape[0] + 1), seed).narrow(0, 1, shape[0])
    case 'expanded': return numbers(dtype, shape.with(0, 1), seed).expand(shape)
    default: return numbers(dtype, shape, seed)
  }
}
`

/** Names that programs import. */
export const imported = [
  'arange cat compile dropout full linear manualSeed matmul ones onesLike rand randint stack tensor Tensor where zeros',
  'zerosLike accumulate evens scale',
]
  .join(' ')
  .split(' ')

export const printStatements = (statements: readonly Statement[], indent = '  '): string =>
  statements.map(statement => printStatement(statement, indent)).join('')

function printStatement(statement: Statement, indent: string): string {
  if (typeof statement === 'string') return `${indent}${statement}\n`
  const { head, body, otherwise, handler } = statement
  const block = (key: string, inside: readonly Statement[] | undefined): string =>
    inside === undefined ? '' : ` ${key} {\n${printStatements(inside, `${indent}  `)}${indent}}`
  const end = block('else', otherwise) + block('catch', handler)
  return `${indent}${head} {\n${printStatements(body, `${indent}  `)}${indent}}${end}\n`
}

export function printResult(result: Result): string {
  if (typeof result === 'string') return result
  if ('items' in result) return `[${result.items.map(printResult).join(', ')}]`
  return `{ ${result.fields.map(([key, value]) => `${key}: ${printResult(value)}`).join(', ')} }`
}

/** The function alone. */
export const printFunction = ({ params, body, result }: Script, atEnd = ''): string =>
  `function f(${params.join(', ')}) {\n${printStatements(body)}${atEnd}  return ${printResult(result)}\n}`

/**
 * The script as a function's text: it takes the names it imports and the hooks `at(line)` (called before each line),
 * `look(values)` (after each line) and `probe(values)` (at the end of each call of the function, with its locals).
 */
export function scriptSource(script: Script, probed: readonly string[] | null = null): string {
  const probe = probed === null ? '' : `  probe({ ${probed.join(', ')} })\n`
  const known: string[] = []
  const lines = [...script.setup, { text: `const f = compile(${printFunction(script, probe)})` }, ...script.driver]
  const body = lines.map(({ text, defines }: Line, i) => {
    if (defines !== undefined && !known.includes(defines)) known.push(defines)
    return `at(${i})\n${text}\nlook(() => ({ ${known.join(', ')} }))\n`
  })
  return `'use strict'\nconst { ${imported.join(', ')} } = api\n${prelude}${body.join('')}`
}

/** The script as a file that one can run. */
export function printScript(script: Script, options: CompileOptions): string {
  const f = printFunction(script)
  const fromKernels = ['accumulate', 'evens', 'scale'].filter(name => new RegExp(`\\b${name}\\b`).test(f))
  const used = imported.filter(name => new RegExp(`\\b${name}\\b`).test(`compile tensor ${linesOf(script)} ${f}`))
  return [
    `// seed ${script.seed}; ${printFeatures(script.features)}`,
    `import { ${used.filter(name => !fromKernels.includes(name)).join(', ')} } from 'tegula'`,
    ...(fromKernels.length > 0 ? [`import { ${fromKernels.join(', ')} } from 'tests/support/kernels'`] : []),
    ...(linesOf(script).includes('make(') ? [prelude.trim()] : []),
    ...script.setup.map(({ text }) => text),
    `const f = compile(${f}, ${JSON.stringify(options)})`,
    ...script.driver.map(({ text }) => text),
  ].join('\n')
}

const linesOf = ({ setup, driver }: Script): string => [...setup, ...driver].map(({ text }) => text).join('\n')

/** Scripts that are one step smaller, the largest steps first. */
export function* smaller(script: Script): Generator<Script> {
  for (let size = script.driver.length >> 1; size >= 1; size >>= 1) {
    for (let i = script.driver.length - size; i >= 0; i -= size)
      yield { ...script, driver: script.driver.toSpliced(i, size) }
  }
  for (const body of smallerStatements(script.body)) yield { ...script, body }
  for (const result of smallerResults(script.result)) yield { ...script, result }
  for (let i = script.setup.length - 1; i >= 0; i--) yield { ...script, setup: script.setup.toSpliced(i, 1) }
}

function* smallerStatements(statements: readonly Statement[]): Generator<readonly Statement[]> {
  for (let i = statements.length - 1; i >= 0; i--) yield statements.toSpliced(i, 1)
  for (const [i, statement] of statements.entries()) {
    if (typeof statement === 'string') continue
    const { head, body, otherwise, handler } = statement
    yield statements.toSpliced(i, 1, ...body)
    if (handler !== undefined) yield statements.toSpliced(i, 1, ...handler)
    if (otherwise !== undefined) {
      yield statements.toSpliced(i, 1, ...otherwise)
      yield statements.with(i, { head, body })
      for (const fewer of smallerStatements(otherwise)) yield statements.with(i, { head, body, otherwise: fewer })
    }
    for (const fewer of smallerStatements(body)) yield statements.with(i, { ...statement, body: fewer })
  }
}

function* smallerResults(result: Result): Generator<Result> {
  if (typeof result === 'string') return
  const parts = 'items' in result ? result.items : result.fields.map(([, value]) => value)
  yield* parts
  for (const i of parts.keys()) {
    if ('items' in result) yield { items: result.items.toSpliced(i, 1) }
    else yield { fields: result.fields.toSpliced(i, 1) }
  }
  for (const [i, part] of parts.entries()) {
    for (const one of smallerResults(part)) {
      if ('items' in result) yield { items: result.items.with(i, one) }
      else yield { fields: result.fields.with(i, [result.fields[i]![0], one]) }
    }
  }
}
