/**
 * Definitions for prelude pieces. A piece is one C definition (a typedef or a function) for one element type and width;
 * a family is the recipe that writes it for any width. `$`-tokens in its text stand for types:
 *
 *   $T  the family's own type (f32x16, or f32 at width 1)      $S  its element type (f32)       $W  the width (16)
 *   $I  the signed integers of its size (i32x16)               $U  the unsigned ones (u32x16)
 *   $f32 $f64 $i32 $i64 $b32 …  that element type at the same width       $x  the width as a suffix (x16; empty at width 1)
 *
 * A piece's dependences are read off its text: every identifier that names a piece. So no dependence can be forgotten.
 */
import { InternalError } from '../../../base/errors.js'

/** Element types in registers. b32 is a bool: 32 bits, 0 or -1. Unsigned types except u8 are used inside the prelude only. */
export const elemBytes = {
  f64: 8,
  i64: 8,
  u64: 8,
  f32: 4,
  i32: 4,
  u32: 4,
  b32: 4,
  i16: 2,
  u16: 2,
  i8: 1,
  u8: 1,
} as const
export type Elem = keyof typeof elemBytes

export const widths = [1, 2, 4, 8, 16, 32, 64] as const
export type VectorBytes = 16 | 32 | 64

/** The element type and width for which a piece is written, and the machine. */
export interface Instance {
  readonly elem: Elem
  readonly width: number
  /** The machine's widest register: functions on longer vectors work on halves (gcc would scalarise them). */
  readonly vectorBytes: VectorBytes
}

export interface Family {
  /** A one-line comment in the generated code. */
  readonly doc: string
  readonly elems: readonly Elem[]
  /** Set when the family exists only at width 1, or only beyond. */
  readonly only?: 'scalar' | 'vector'
  /** The C text with its tokens filled in. */
  readonly write: (name: string, at: Instance) => string
}
export type Families = Readonly<Record<string, Family>>

export const floats = ['f32', 'f64'] as const satisfies readonly Elem[]
export const integers = ['i64', 'i32', 'i16', 'i8', 'u8'] as const satisfies readonly Elem[]
export const numbers = [...floats, ...integers] as const satisfies readonly Elem[]

export const typeName = (elem: Elem, width: number): string => (width === 1 ? elem : `${elem}x${width}`)

const signedOfBytes: Record<number, Elem> = { 1: 'i8', 2: 'i16', 4: 'i32', 8: 'i64' }
const unsignedOfBytes: Record<number, Elem> = { 1: 'u8', 2: 'u16', 4: 'u32', 8: 'u64' }

/** Unsigned arithmetic wraps. A scalar narrower than int would be promoted to (signed) int, so it uses u32. */
function unsignedOf(elem: Elem, width: number): Elem {
  const bytes = elemBytes[elem]
  return unsignedOfBytes[width === 1 ? Math.max(bytes, 4) : bytes]!
}

/** Replaces the `$`-tokens of a template. Throws InternalError for an unknown token. */
export function fill(template: string, { elem, width }: Instance): string {
  return template.replace(/\$([A-Za-z]\w*?)\b/g, (_, token: string) => {
    if (token === 'T') return typeName(elem, width)
    if (token === 'S') return elem
    if (token === 'W') return String(width)
    if (token === 'x') return width === 1 ? '' : `x${width}`
    if (token === 'I') return typeName(signedOfBytes[elemBytes[elem]]!, width)
    if (token === 'U') return typeName(unsignedOf(elem, width), width)
    if (token in elemBytes) return typeName(token as Elem, width)
    throw new InternalError(`prelude: unknown token $${token} in ${template}`)
  })
}

type Text = string | ((at: Instance) => string)
const textOf = (text: Text, at: Instance): string => (typeof text === 'string' ? text : text(at))

export interface LanesSpec {
  readonly doc: string
  readonly elems: readonly Elem[]
  /** '$T' by default. */
  readonly result?: string
  /** Declarations such as '$T a'; a parameter of type $S, or of a type without `$`, is one scalar for all lanes. */
  readonly params: readonly string[]
  readonly body: Text
  /** The body at width 1, if it differs. */
  readonly scalar?: Text
  /** Bytes of the widest element that the body computes with, when wider than the family's own. */
  readonly widest?: number
  /** The compiler decides whether to inline long functions. */
  readonly long?: boolean
}

/** An elementwise function. At widths beyond the machine's registers it is applied to both halves. */
export function lanes(spec: LanesSpec): Family {
  const result = spec.result ?? '$T'
  return {
    doc: spec.doc,
    elems: spec.elems,
    write(name, at) {
      const bytes = Math.max(elemBytes[at.elem], spec.widest ?? 0, result === '$b32' ? 4 : 0) * at.width
      const body =
        at.width > 1 && bytes > at.vectorBytes
          ? halves(name, result, spec.params)
          : textOf(at.width === 1 && spec.scalar !== undefined ? spec.scalar : spec.body, at)
      const storage = spec.long ? 'LONG_FN' : 'FN'
      return fill(`${storage} ${result} ${name}(${spec.params.join(', ')}) {\n${indent(body)}\n}`, at)
    },
  }
}

function halves(name: string, result: string, params: readonly string[]): string {
  const half = name.replace(/\d+$/, width => String(Number(width) / 2)).replace(/x1$/, '')
  const call = (part: 'lo' | 'hi'): string => {
    const args = params.map(param => {
      const [type, variable] = param.split(' ') as [string, string]
      return type.startsWith('$') && type !== '$S' ? `${part}_${type}(${variable})` : variable
    })
    return `${half}(${args.join(', ')})`
  }
  return `return join_${result}(${call('lo')}, ${call('hi')});`
}

/** Longer loops over lanes stay loops: unrolled, they are slow to compile. */
const mostUnrolled = 16

/** The head of a loop over a vector's lanes. Unrolled, it needs no memory for the vector. */
export const laneLoop = (width: number, lane: string): string =>
  `${width > mostUnrolled ? '' : 'UNROLL\n'}for (int ${lane} = 0; ${lane} < $W; ${lane}++)`

/** Applies a scalar function lane by lane, for ops without a vector form. */
export function perLane(spec: Omit<LanesSpec, 'body' | 'scalar'> & { readonly call: Text }): Family {
  const variables = spec.params.map(param => param.split(' ')[1]!)
  const result = spec.result ?? '$T'
  return lanes({
    ...spec,
    scalar: at => `return ${textOf(spec.call, at)};`,
    body: at => {
      const call = textOf(spec.call, at).replace(/\b[a-z]\w*\b/g, word =>
        variables.includes(word) ? `${word}[i]` : word,
      )
      return `${result} r = {0};\n${laneLoop(at.width, 'i')} r[i] = ${call};\nreturn r;`
    },
  })
}

/** Instructions of particular machines, and the fallback elsewhere. */
export interface MachineText {
  /** GCC's x86 builtins by register bytes; `guard`: the macro that tells whether they exist. */
  readonly x86: Readonly<Partial<Record<16 | 32 | 64, { readonly guard: string; readonly value: string }>>>
  /** A Clang builtin on whole vectors. */
  readonly clang?: { readonly builtin: string; readonly args: string }
  readonly otherwise: string
}

/** The body that picks the machine's instruction at the widths that have one. */
export function machine(at: Instance, text: MachineText): string {
  const bytes = elemBytes[at.elem] * at.width
  const x86 = bytes === 16 || bytes === 32 || bytes === 64 ? text.x86[bytes] : undefined
  const lines: string[] = []
  if (x86 !== undefined) lines.push(`#if ${x86.guard}`, `return ${x86.value};`)
  if (text.clang !== undefined) {
    lines.push(`#${lines.length > 0 ? 'elif' : 'if'} __has_builtin(${text.clang.builtin})`)
    lines.push(`return ${text.clang.builtin}(${text.clang.args});`)
  }
  return lines.length === 0 ? text.otherwise : [...lines, '#else', text.otherwise, '#endif'].join('\n')
}

/** Indents every line by two spaces, except preprocessor lines. */
export const indent = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map(line => (line.startsWith('#') || line.trim() === '' ? line : `  ${line}`))
    .join('\n')
