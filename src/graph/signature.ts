/**
 * The signature of an op: its parameters in PyTorch's order, as one line of text. All user-visible forms derive from it:
 * what is accepted by position and by name (bind.ts), the types and hover texts of methods and functions
 * (scripts/op-types.ts), docs/ops.md and error messages.
 *
 *     'self, k: size, dim: dim = -1, *, largest: bool = true'
 *
 * Parameters are separated by `, `. A parameter without a kind is a tensor. Kinds are those of `Kinds` below, words in
 * quotes ('mean'), or several joined by ` | `. A parameter with a default may be left out. Those after `*` are named-only.
 * `...shape: shape` takes a list, or its elements one by one. A default contains no space.
 */
import { InternalError } from '../base/errors.js'
import type { Attrs } from '../ir/node.js'
import type { Size } from '../scalar/size.js'
import type { Dtype } from '../types/dtype.js'
import type { OperandValue, SliceRange, Value } from './value.js'

/** The kinds of parameters, and the type that a record receives for each. What users may pass: kinds.ts. */
export interface Kinds {
  tensor: Value
  tensors: readonly Value[]
  operand: OperandValue
  /** A plain number of any type; NaN too. */
  scalar: number | boolean | bigint
  /** A float attribute: any number but NaN. */
  number: number
  numbers: readonly number[]
  int: number
  ints: readonly number[]
  /** Integers, or null where the op chooses. */
  intsOrNull: readonly (number | null)[]
  /** An integer of at least 0. */
  count: number
  /** An integer of at least 1. */
  positive: number
  dim: number
  /** One dim or a list; the record gets a list. */
  dims: readonly number[]
  /** One list of dims per tensor. */
  dimLists: readonly (readonly number[])[]
  /** An integer of at least 0, or a run-time size. */
  size: Size
  sizes: readonly Size[]
  /** Sizes of which one may be −1. */
  shape: readonly Size[]
  /** An integer of any sign, or a run-time size. */
  index: Size
  indices: readonly Size[]
  /** As `index`. A user may also pass a 0-d integer tensor, which is read first. */
  position: Size
  range: SliceRange
  bool: boolean
  dtype: Dtype
  string: string
  /** Anything; the function itself checks it. */
  value: unknown
  /** An instance of a class that the function itself checks. */
  object: object
  null: null
}
export type KindName = keyof Kinds

// --- types -------------------------------------------------------------------------------------------------------------

type Split<Text extends string> = Text extends `${infer First}, ${infer Rest}` ? First | Split<Rest> : Text
type KindType<Text extends string> = Text extends KindName ? Kinds[Text] : Text extends `'${infer Word}'` ? Word : never
type UnionType<Text extends string> = Text extends `${infer First} | ${infer Rest}`
  ? KindType<First> | UnionType<Rest>
  : KindType<Text>
type WithoutDefault<Text extends string> = Text extends `${infer Kind} = ${string}` ? Kind : Text

type NameOf<Param extends string> = Param extends '*'
  ? never
  : Param extends `...${infer Name}: ${string}`
    ? Name
    : Param extends `${infer Name}: ${string}`
      ? Name
      : Param
type TypeOf<Param extends string> = Param extends `...${string}: range${string}`
  ? readonly SliceRange[]
  : Param extends `${string}: ${infer Rest}`
    ? UnionType<WithoutDefault<Rest>>
    : Value

/** A call's arguments by parameter name, checked and with defaults filled in. */
export type Bound<Text extends string> = string extends Text
  ? Readonly<Record<string, unknown>>
  : { readonly [Param in Split<Text> as NameOf<Param>]: TypeOf<Param> }

type InputKind = 'tensor' | 'tensors' | 'operand'
type IsInput<Param extends string> = Param extends `${string}: ${infer Rest}`
  ? WithoutDefault<Rest> extends InputKind | `${InputKind} | null`
    ? true
    : false
  : true

type IsList<Param extends string> = Param extends `${string}: tensors${string}` ? true : false
type SeenInput<Param extends string, T> =
  IsInput<Param> extends true
    ? IsList<Param> extends true
      ? readonly T[]
      : null extends TypeOf<Param>
        ? T | null
        : T
    : TypeOf<Param>

/** As `Bound`, with T in place of tensors and operands. */
export type BoundAs<Text extends string, T> = { readonly [Param in Split<Text> as NameOf<Param>]: SeenInput<Param, T> }

type Optional<Text extends string> = { readonly [Param in Split<Text> as NameOf<Param>]?: Accepted<Param> }
/** Tensor arguments of methods are `unknown` here: the graph layer knows no Tensor type. */
type Accepted<Param extends string> = IsInput<Param> extends true ? unknown : TypeOf<Param>
type ByPlace<Text extends string, Options> = Text extends '' | `*${string}`
  ? []
  : Text extends `${infer First}, ${infer Rest}`
    ? First extends `${string} = ${string}`
      ? [value?: Accepted<First> | Options, ...ByPlace<Rest, Options>]
      : [value: Accepted<First>, ...ByPlace<Rest, Options>]
    : Text extends `${string} = ${string}`
      ? [value?: Accepted<Text> | Options]
      : [value: Accepted<Text>]
/**
 * The arguments of a method with this signature, without the first parameter: positional, the last one optionally an
 * options object.
 */
export type MethodArgs<Text extends string> = Text extends `${string}, ${infer Rest}`
  ? readonly [...ByPlace<Rest, Optional<Rest>>, options?: Optional<Rest>]
  : readonly []

type Rest<Text extends string> = {
  readonly [Param in Split<Text> as IsInput<Param> extends true ? never : NameOf<Param>]: TypeOf<Param>
}
/** The arguments that are neither tensors nor operands. */
export type AttrsOf<Text extends string> = Rest<Text> extends infer A extends Attrs ? A : never

// --- text --------------------------------------------------------------------------------------------------------------

export interface Param {
  readonly name: string
  /** Names of kinds, and words in quotes. */
  readonly kinds: readonly string[]
  /** undefined: it must be given. */
  readonly fallback: unknown
  readonly isNamedOnly: boolean
  /** Takes a list, or its elements one by one. */
  readonly isSpread: boolean
  /** An input of the op (a tensor or number that may differ per call), not an attribute. */
  readonly isInput: boolean
}

/** A signature, parsed on first use. */
export class Signature<Text extends string = string> {
  #params: readonly Param[] | null = null

  /** `hint`: appended to errors of wrong calls. */
  constructor(
    readonly text: Text,
    readonly hint?: string,
  ) {}

  get params(): readonly Param[] {
    this.#params ??= parseParams(this.text)
    return this.#params
  }
}

const inputKinds: readonly string[] = ['tensor', 'tensors', 'operand'] satisfies readonly InputKind[]

function parseParams(text: string): readonly Param[] {
  const params: Param[] = []
  let isNamedOnly = false
  for (const part of text === '' ? [] : text.split(', ')) {
    if (part === '*') isNamedOnly = true
    else params.push(parseParam(part, isNamedOnly))
  }
  return params
}

function parseParam(part: string, isNamedOnly: boolean): Param {
  const found = /^(\.\.\.)?(\w+)(?:: (.+?))?(?: = (\S+))?$/.exec(part)
  if (found === null) throw new InternalError(`signature: '${part}' is no parameter`)
  const [, spread, name, kinds = 'tensor', fallback] = found
  const list = kinds.split(' | ')
  return {
    name: name!,
    kinds: list,
    fallback: fallback === undefined ? undefined : parseDefault(fallback),
    isNamedOnly,
    isSpread: spread !== undefined,
    isInput: list.every(kind => inputKinds.includes(kind) || kind === 'null'),
  }
}

function parseDefault(text: string): unknown {
  if (text === 'Infinity') return Number.POSITIVE_INFINITY
  return JSON.parse(text.replaceAll("'", '"'))
}

/**
 * As errors and docs show it: `topk(k, dim = -1)`. A method's receiver is not shown; a function's first tensor is `input`.
 */
export function printSignature(name: string, { params }: Signature, isMethod: boolean): string {
  const shown = params.slice(isMethod ? 1 : 0)
  const positional = shown.filter(param => !param.isNamedOnly).map(printParam)
  const named = shown.filter(param => param.isNamedOnly).map(printParam)
  return `${name}(${[...positional, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])].join(', ')})`
}

function printParam({ name, fallback, isSpread }: Param): string {
  return `${isSpread ? '...' : ''}${publicName(name)}${fallback === undefined ? '' : ` = ${printValue(fallback)}`}`
}

/** Records call an op's first tensor `self`; users know it as PyTorch's `input`. */
export const publicName = (name: string): string => (name === 'self' ? 'input' : name)

export const printValue = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value}'`
    : Array.isArray(value)
      ? `[${value.map(printValue).join(', ')}]`
      : typeof value === 'number' && value !== 0 && Math.abs(value) < 1e-3
        ? value.toExponential()
        : String(value)
