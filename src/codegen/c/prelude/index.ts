/**
 * The C prelude: the functions that generated C uses. A translation unit contains the pieces that it names and their dependences.
 *
 * **Types.** A value of W lanes has the C type `f64 f32 i64 i32 i16 i8 u8 b32` followed by `xW` when W > 1 (W: 1, 2, 4, …
 * 64; `f32x16`; `f32` alone is a scalar). f16 and bf16 values are held as f32. A **bool** is `b32`: 32 bits per lane, 0 or
 * -1 (scalars too), whatever the compared type; in memory it is one byte, 0 or 1. See `registerType` and `memoryType`.
 *
 * **Functions.** Every function is named `op_type` after the type it works in, and takes and returns whole vectors:
 *   - scalar ops by their name in scalar/ops.ts: `add_f32x16(a, b)`, `floorDiv_i64(a, b)`, `where_f32x8(m, a, b)`. Comparisons
 *     give `b32xW`; `and_b32xW`, `not_b32xW`, … combine bools. Floats may also use C's + - * / directly; integers must
 *     not (signed overflow is undefined in C; these wrap).
 *   - conversions `<from>_to_<to>xW`: `f32_to_i32x16(v)`, `b32_to_f32x16(m)`, `i64_to_b32x8(v)`. To round to f16:
 *     `f32_to_f16x16(v)` returns f32x16. f16 and bf16 values are f32 already. `conversion(from, to, W)` returns the calls.
 *   - bits: `bitcast(from, to, W)`: `f32_as_i32x16(v)`.
 *   - memory: `load_f32x16(const f32 *)`, `store_f32x16(f32 *, v)`, `load_f16x16(const u16 *)` (gives f32x16),
 *     `store_bf16x16(u16 *, v)`, `load_b32x16(const u8 *)`; element alignment suffices.
 *   - `splat_f32x16(s)`, `iota_i32x16()`, `lo_f32x16(v)`/`hi_f32x16(v)` (f32x8), `join_f32x16(lo, hi)`, `any_b32x16(m)` (a C condition).
 *   - folds to a scalar, lane i with lane i + W/2: `fold_add_f32x16(v)`, `fold_max_…`, `fold_or_b32x16(m)`.
 *   - running values: `prefix_add_f32x16(v)`, `prefix_max_from_end_i64x8(v)`.
 *
 * Scalar ops without a C function are written from their formulas in math/ (formulas.ts).
 *
 * Scalars and vectors of every width compute the same bits, so loop tails agree with loop bodies. The
 * transcendental functions stay within 4 ulp (f64: 5) over the whole range: tests/codegen/math.slow.test.ts measures them. Some
 * call libm for rare operands: link with -lm.
 */
import { InternalError } from '../../../base/errors.js'
import { halfPrecisionFamilies } from './convert.js'
import { formulaFamily } from './formulas.js'
import { handwritten } from './handwritten.js'
import { type Elem, elemBytes, type Family, type Instance, type VectorBytes, widths } from './piece.js'
import { preludeHead, typedefText } from './types.js'

export type { VectorBytes } from './piece.js'

/** Macros. The text includes no header, because parsing one takes longer than compiling most kernels. */
const macros: Readonly<Record<string, string>> = {
  INFINITY: '#define INFINITY __builtin_inff()',
  NAN: '#define NAN __builtin_nanf("")',
  INT32_MIN: '#define INT32_MIN (-0x7fffffff - 1)',
  INT64_MIN: '#define INT64_MIN (-0x7fffffffffffffffLL - 1)',
  SHUFFLE: `#if __has_builtin(__builtin_shufflevector)
#define SHUFFLE(indices, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(indices, a, b, ...) __builtin_shuffle(a, b, (indices){__VA_ARGS__})
#endif`,
  UNROLL: `#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 65534")
#endif`,
}

/** A piece to be written: its family, element type and width. */
interface Request {
  readonly name: string
  readonly isType: boolean
  readonly elem: Elem
  readonly width: number
  readonly family: Family | null
}

const elemPattern = Object.keys(elemBytes).join('|')
const namePattern = new RegExp(`^(?:(.+)_)?(${elemPattern}|f16|bf16)(?:x(\\d+))?$`)

/** The function or type that a name of the prelude asks for, such as `add_f32x8`; undefined when it names none. */
function parse(name: string): Request | undefined {
  const match = namePattern.exec(name)
  if (match === null) return undefined
  const [, op, suffix, widthText] = match as unknown as [string, string | undefined, string, string | undefined]
  const width = widthText === undefined ? 1 : Number(widthText)
  if (!(widths as readonly number[]).includes(width) || widthText === '1') return undefined
  const half = op === undefined ? undefined : halfPrecisionFamilies[`${op}_${suffix}`]
  if (half !== undefined) return { name, isType: false, elem: 'f32', width, family: half }
  if (!(suffix in elemBytes)) return undefined
  const elem = suffix as Elem
  if (op === undefined) return { name, isType: true, elem, width, family: null }
  const family = handwritten(op, elem) ?? formulaFamily(op, elem)
  if (family === undefined || family.only === (width === 1 ? 'vector' : 'scalar')) return undefined
  return { name, isType: false, elem, width, family }
}

function textOf(request: Request, vectorBytes: VectorBytes): string {
  const at: Instance = { elem: request.elem, width: request.width, vectorBytes }
  if (request.family === null) return typedefText(at)
  return `// ${request.family.doc}\n${request.family.write(request.name, at)}`
}

/** Identifiers in C text, except in comments. */
const identifiers = (text: string): readonly string[] => text.replaceAll(/\/\/.*/g, '').match(/[A-Za-z_]\w*/g) ?? []

/** Whether the prelude has a piece, or a macro, of this name. */
export const preludeHas = (name: string): boolean => name in macros || parse(name) !== undefined

/**
 * The text of the named pieces and their dependences, each before its first use: types first, then functions.
 * `vectorBytes`: the widest register of the target machine; longer vectors are processed in halves. The text is correct on
 * every machine, and fast on the target. Throws InternalError for a name that is not a piece.
 */
export function preludeFor(names: Iterable<string>, vectorBytes: VectorBytes = 64): string {
  const done = new Set<string>()
  const used: string[] = []
  const types: string[] = []
  const functions: string[] = []
  const visit = (request: Request): void => {
    if (done.has(request.name)) return
    done.add(request.name)
    const text = textOf(request, vectorBytes)
    for (const identifier of identifiers(text)) need(identifier)
    ;(request.isType ? types : functions).push(text)
  }
  /** False when there is no such piece. */
  const need = (name: string): boolean => {
    const macro = macros[name]
    if (macro !== undefined && !used.includes(macro)) used.push(macro)
    const request = parse(name)
    if (request !== undefined) visit(request)
    return macro !== undefined || request !== undefined
  }
  for (const name of names) if (!need(name)) throw new InternalError(`prelude: no piece is named ${name}`)
  return [[preludeHead.trim(), ...used, ''].join('\n'), types.join('\n'), '', functions.join('\n\n'), ''].join('\n')
}
