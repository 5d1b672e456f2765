/**
 * The cases of the survey: each op at sizes of every class, in the dtypes that it takes, dense, transposed and sliced; then
 * gradients (`--only '^∇'`). The order is fixed by hashes, and each prefix of both is a sample of all ops, classes and dtypes.
 */
import { type RecordName, recordNames } from '../../src/graph/ops/index.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import {
  elementsOf,
  type FunctionName,
  functionNames,
  type Layout,
  replaceTensors,
  type SizeClass,
  type SurveyCase,
  type TensorArgument,
  tensorsIn,
} from './case.js'
import { type Form, formOf, functionForms, type LeftOut, Maker } from './forms.js'
import { gradientFormOf, gradientOps, variablesOf } from './gradients.js'
import { attentionSizes, imageSizes, matrixSizes, productSizes } from './sizes.js'

/** The largest cases of a device. */
export interface Caps {
  /** Of one tensor. */
  readonly elements: number
  readonly flops: number
}

export const capsOf = (device: 'cpu' | 'cuda', large = false): Caps =>
  device === 'cpu'
    ? { elements: 2 ** (large ? 26 : 24), flops: large ? 2e11 : 2e10 }
    : { elements: 2 ** (large ? 28 : 26), flops: 2e12 }

/** f32 is every second dtype; what programs use most comes first. */
const dtypesOf: Record<NonNullable<Form['takes']>, readonly TensorDtype[]> = {
  any: ['f32', 'bf16', 'f32', 'i64', 'f32', 'f16', 'i32', 'f64', 'bool', 'f32'],
  number: ['f32', 'bf16', 'f32', 'i64', 'f32', 'f16', 'i32', 'f64'],
  float: ['f32', 'bf16', 'f32', 'f16', 'f32', 'f64'],
  integer: ['i64', 'i32', 'i64', 'u8'],
  bits: ['i64', 'i32', 'bool', 'u8'],
}
const layouts: readonly Layout[] = ['dense', 'transposed', 'dense', 'sliced']

/** Cases of one op. Elementwise ops are many and alike. */
const perOp = { elementwise: 8, matrix: 12, image: 9, product: 16, attention: 13 }

const sizesOf = { matrix: matrixSizes, image: imageSizes, product: productSizes, attention: attentionSizes }
const classes: readonly (readonly [SizeClass, number])[] = [
  ['tiny', 2 ** 12],
  ['small', 2 ** 17],
  ['medium', 2 ** 22],
  ['large', Number.POSITIVE_INFINITY],
]

export const isLeftOut = (form: Form | LeftOut): form is LeftOut => 'because' in form

/** Ops and functions that are measured. */
const measured: readonly (RecordName | FunctionName)[] = [
  ...recordNames.filter(name => !isLeftOut(formOf(name))),
  ...functionNames,
]

const formFor = (name: RecordName | FunctionName): Form =>
  (functionForms as Partial<Record<string, Form>>)[name] ?? (formOf(name as RecordName) as Form)

/** All cases that a device runs, in their order. */
export const surveyCases = (caps: Caps): readonly SurveyCase[] => [
  ...inOrder(measured.map(name => casesOf(name, formFor(name), caps))),
  ...inOrder(gradientOps.map(name => gradientCasesOf(name, caps))),
]

/** The cases of all ops, mixed. */
function inOrder(all: readonly (readonly SurveyCase[])[]): SurveyCase[] {
  const keyed = all.flatMap(cases => cases.map((each, i) => ({ each, key: (i + shareOf(each.op)) / cases.length })))
  return keyed.sort((a, b) => a.key - b.key || (a.each.id < b.each.id ? -1 : 1)).map(({ each }) => each)
}

/** A backward pass does the work of the forward pass once per operand. */
const passes = 3

/** Half as many as of the op itself. */
function gradientCasesOf(op: RecordName, caps: Caps): SurveyCase[] {
  const cases = casesOf(op, gradientFormOf(op), { ...caps, flops: caps.flops / passes })
  return cases.slice(0, Math.ceil(cases.length / 2)).map(each => ({
    ...each,
    id: `∇${each.id}`,
    flops: passes * each.flops,
    variables: variablesOf(op, each.args),
  }))
}

interface Candidate {
  readonly size: object
  readonly sizeClass: SizeClass
  readonly elements: number
}

function casesOf(op: RecordName | FunctionName, form: Form, caps: Caps): SurveyCase[] {
  const flopsOf = form.flops as ((size: object) => number) | undefined
  const calls = form.calls as readonly ((make: Maker, size: object) => readonly unknown[])[]
  const candidates = interleaved(
    op,
    candidatesOf(form).filter(
      ({ elements, size }) => elements <= caps.elements && (flopsOf?.(size) ?? 0) <= caps.flops,
    ),
  )
  const dtypes = dtypesOf[form.takes ?? 'any']
  const start = hashOf(op)
  const wanted = isElementwise(op, form) ? perOp.elementwise : perOp[form.family]
  const seen = new Set<string>()
  return candidates.flatMap(({ size, sizeClass }, i): SurveyCase[] => {
    if (seen.size >= wanted) return []
    const make = new Maker(dtypes[(start + i) % dtypes.length]!, layouts[((start >>> 8) + i) % layouts.length]!)
    const args = calls[((start >>> 4) + i) % calls.length]!(make, size)
    const id = idOf(op, args)
    if (seen.has(id)) return []
    seen.add(id)
    const flops = flopsOf?.(size) ?? 0
    const { dtype } = make
    const { family, unordered = false } = form
    return [{ id, op, family, sizeClass, dtype, args, variables: null, flops, unordered }]
  })
}

const isElementwise = (op: string, form: Form): boolean =>
  form.family === 'matrix' &&
  form.calls.length <= 2 &&
  !op.startsWith('index') &&
  form.flops === undefined &&
  form.elements === undefined

function candidatesOf(form: Form): Candidate[] {
  const takes = form.takesSize as ((size: object) => boolean) | undefined
  const elementsIn = form.elements as ((size: object) => number) | undefined
  const sizes: readonly object[] = sizesOf[form.family]
  return sizes
    .filter(size => takes?.(size) ?? true)
    .map(size => {
      const elements = elementsIn?.(size) ?? elementsOf(Object.values(size))
      return { size, elements, sizeClass: classes.find(([, most]) => elements <= most)![0] }
    })
}

/** One of each class in turn, in an order that differs from op to op. */
function interleaved(op: string, candidates: readonly Candidate[]): Candidate[] {
  const key = ({ size }: Candidate): number => hashOf(`${op} ${JSON.stringify(size)}`)
  const groups = classes.map(([name]) =>
    candidates.filter(({ sizeClass }) => sizeClass === name).sort((a, b) => key(a) - key(b)),
  )
  const turn = hashOf(`${op} class`) % groups.length
  const rotated = [...groups.slice(turn), ...groups.slice(0, turn)]
  const most = Math.max(...groups.map(({ length }) => length))
  return Array.from({ length: most }, (_, i) => rotated.flatMap(group => group.slice(i, i + 1))).flat()
}

const textOf = ({ dtype, shape, layout, values }: TensorArgument): string => {
  const mark = { dense: '', transposed: 'ᵀ', sliced: '/2' }[layout]
  const index = typeof values === 'object' && 'below' in values && dtype === 'i64' ? `<${values.below}` : ''
  return `${dtype}[${shape.join('×')}]${mark}${index}`
}

const idOf = (op: string, args: readonly unknown[]): string =>
  `${op}(${JSON.stringify(replaceTensors(args, textOf), (_, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
    .slice(1, -1)
    .replaceAll('"', '')})`

/** FNV-1a, mixed. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 13)) >>> 0
}
const shareOf = (text: string): number => hashOf(text) / 2 ** 32

/** Which of all cases to run. */
export interface Selection {
  /** [i, n]: every n-th case from the i-th on. */
  readonly shard: readonly [number, number]
  /** Part of the ids. */
  readonly only: RegExp
  /** At most so many, of the shard, after the first `from`. */
  readonly from: number
  readonly count: number
}

export const selected = (
  cases: readonly SurveyCase[],
  { shard: [i, n], only, from, count }: Selection,
): readonly SurveyCase[] =>
  cases
    .filter(({ id }) => only.test(id))
    .filter((_, at) => at % n === i)
    .slice(from, from + count)

/** Bytes that must be read: of every tensor among the arguments that is read as a whole. */
export const bytesRead = (args: readonly unknown[], itemBytes: (dtype: TensorDtype) => number): number =>
  [...new Set(tensorsIn(args))]
    .filter(({ picked }) => !picked)
    .reduce((sum, { dtype, shape }) => sum + elementsOf(shape) * itemBytes(dtype), 0)
