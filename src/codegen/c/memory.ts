/**
 * Prelude pieces for memory accesses other than whole vectors: partial loads and stores, gathers, scatters and atomics. A
 * piece is found by its name (load_part_f32x16); `memoryPieces` writes the pieces that a text uses. Partial accesses do not
 * touch memory beyond `count` (AVX-512 masks them in hardware); lanes that are not loaded are 0.
 */
import { InternalError } from '../../base/errors.js'
import { byInstruction } from './gathers.js'
import { type Elem, elemBytes, fill, indent, typeName } from './prelude/piece.js'

type Format = 'f16' | 'bf16' | 'b32' | Elem

const pattern =
  /\b(load_part|store_part|gather|gather_masked|scatter|scatter_masked|atomic_add|atomic_mul|atomic_min|atomic_max|atomic_exchange|atomic_compareExchange|atomic_load)_(f64|f32|f16|bf16|i64|i32|i16|i8|u16|u8|b32)(?:x(\d+))?\b/g

/** Whether a piece of this file has the name. */
export const isMemoryPiece = (name: string): boolean =>
  new RegExp(`^(?:${pattern.source})$`).test(name) || name === 'first_lanes'

interface Piece {
  readonly family: string
  readonly format: Format
  readonly width: number
}

/** The definitions of all memory pieces that `text` uses, each before the pieces that need it. */
export function memoryPieces(text: string, vectorBytes: number): string {
  const written = new Map<string, string>()
  const visit = (source: string): void => {
    for (const [name, family, format, width] of source.matchAll(pattern)) {
      if (written.has(name) || pending.has(name)) continue
      pending.add(name)
      const definition = define(
        { family: family!, format: format as Format, width: Number(width ?? 1) },
        name,
        vectorBytes,
      )
      visit(definition)
      written.set(
        name,
        `// ${docs[family!.replace(/_(add|mul|min|max|exchange|compareExchange|load)$/, '')]}\n${definition}`,
      )
    }
    if (/\bfirst_lanes\b/.test(source)) written.set('first_lanes', firstLanes)
  }
  const pending = new Set<string>()
  visit(text)
  return [...written.values()].sort((a, b) => Number(b === firstLanes) - Number(a === firstLanes)).join('\n\n')
}

const docs: Readonly<Record<string, string>> = {
  load_part: 'Reads only the first count elements; the other lanes are 0.',
  store_part: 'Writes only the first count lanes.',
  gather: 'One element per lane.',
  gather_masked: 'One element per lane; masked-out lanes are 0, and their memory is not accessed.',
  scatter: 'One element per lane; the last of equal indices wins.',
  scatter_masked: 'One element per lane; masked-out lanes write nothing; the last of equal indices wins.',
  atomic: 'Atomic; returns the old value.',
}

const firstLanes = `// Bits of the first count lanes.
FN u64 first_lanes(i64 count) { return count <= 0 ? 0 : count >= 64 ? ~(u64)0 : ~(~(u64)0 << count); }`

/** The C definition of one memory access function, for a vector width and a format in memory. */
function define({ family, format, width }: Piece, name: string, vectorBytes: number): string {
  // Formats whose memory representation differs from registers: an access to the codes, and a conversion.
  const codes: Elem = format === 'b32' ? 'u8' : format === 'f16' || format === 'bf16' ? 'u16' : format
  const register: Elem = format === 'f16' || format === 'bf16' ? 'f32' : format
  const at = { elem: register, width, vectorBytes: vectorBytes as 16 | 32 | 64 }
  const converts = register !== codes
  const x = width === 1 ? '' : `x${width}`
  const decode = (codesText: string): string =>
    !converts ? codesText : format === 'b32' ? `u8_to_b32${x}(${codesText})` : `unpack_${format}${x}(${codesText})`
  const encode = (text: string): string =>
    !converts ? text : format === 'b32' ? `b32_to_u8${x}(${text})` : `pack_${format}${x}(${text})`
  if (family.startsWith('atomic_')) return fill(atomic(family.slice(7), name, codes, decode, encode), at)
  const [access, masked] = family.split('_')
  if ((access === 'gather' || access === 'scatter') && !converts) {
    const found = byInstruction({ name, family: access, isMasked: masked === 'masked', elem: codes, width })
    if (found !== null) return found
  }
  const plain = `${family}_${typeName(codes, width)}`
  switch (family) {
    case 'load_part':
      return converts
        ? fill(`FN $T ${name}(const ${codes} *p, i64 count) { return ${decode(`${plain}(p, count)`)}; }`, at)
        : loadPart(name, at)
    case 'store_part':
      return converts
        ? fill(`FN void ${name}(${codes} *p, $T v, i64 count) { ${plain}(p, ${encode('v')}, count); }`, at)
        : storePart(name, at)
    case 'gather':
      return fill(
        `FN $T ${name}(const ${codes} *p, $i64 i) {\n${indent(decoded(width, codes, decode, gatherLoop(width, false)))}\n}`,
        at,
      )
    case 'gather_masked':
      return fill(
        `FN $T ${name}(const ${codes} *p, $i64 i, $b32 m) {\n${indent(decoded(width, codes, decode, gatherLoop(width, true)))}\n}`,
        at,
      )
    case 'scatter':
      return fill(
        `FN void ${name}(${codes} *p, $i64 i, $T v) {\n${indent(scatterLoop(width, codes, encode, false))}\n}`,
        at,
      )
    case 'scatter_masked':
      return fill(
        `FN void ${name}(${codes} *p, $i64 i, $T v, $b32 m) {\n${indent(scatterLoop(width, codes, encode, true))}\n}`,
        at,
      )
    default:
      throw new InternalError(`C: no memory piece ${name}`)
  }
}

interface At {
  readonly elem: Elem
  readonly width: number
  readonly vectorBytes: 16 | 32 | 64
}

const decoded = (width: number, codes: Elem, decode: (text: string) => string, loop: string): string =>
  `${typeName(codes, width)} r${width === 1 ? ' = 0' : ' = {0}'};\n${loop}\nreturn ${decode('r')};`

function gatherLoop(width: number, masked: boolean): string {
  if (width === 1) return masked ? 'if (m) r = p[i];' : 'r = p[i];'
  return `for (int lane = 0; lane < $W; lane++)${masked ? '\n  if (m[lane]) r[lane] = p[i[lane]];' : ' r[lane] = p[i[lane]];'}`
}

function scatterLoop(width: number, codes: Elem, encode: (text: string) => string, masked: boolean): string {
  const head = `${typeName(codes, width)} c = ${encode('v')};`
  if (width === 1) return `${head}\n${masked ? 'if (m) ' : ''}p[i] = c;`
  return `${head}\nfor (int lane = 0; lane < $W; lane++)${masked ? '\n  if (m[lane]) p[i[lane]] = c[lane];' : ' p[i[lane]] = c[lane];'}`
}

/** x86's masked moves by element bytes: the suffix of GCC's builtin, its pointer, vector element and mask types. */
const maskedMoves: Readonly<Record<number, { readonly suffix: string; readonly type: string }>> = {
  1: { suffix: 'qi', type: 'char' },
  2: { suffix: 'hi', type: 'short' },
  4: { suffix: 'si', type: 'int' },
  8: { suffix: 'di', type: 'long long' },
}

function maskedMove(
  direction: 'load' | 'store',
  at: At,
): { readonly builtin: string; readonly type: string; readonly mask: string; readonly bytes: number } | null {
  const bytes = elemBytes[at.elem] * at.width
  if (bytes !== 16 && bytes !== 32 && bytes !== 64) return null
  const { suffix, type } = maskedMoves[elemBytes[at.elem]]!
  const mask = at.width > 32 ? 'u64' : at.width > 16 ? 'u32' : at.width > 8 ? 'u16' : 'u8'
  return { builtin: `__builtin_ia32_${direction}dqu${suffix}${bytes * 8}_mask`, type, mask, bytes }
}

const tooLong = (at: At): boolean => at.width > 1 && elemBytes[at.elem] * at.width > at.vectorBytes

/** The definition of a load of the first `count` lanes; the others are 0. */
function loadPart(name: string, at: At): string {
  const head = `FN $T ${name}(const $S *p, i64 count) {`
  if (at.width === 1) return fill(`${head} return count > 0 ? *p : 0; }`, at)
  const half = typeName(at.elem, at.width / 2)
  if (tooLong(at)) {
    const rest = `load_part_${half}(p + ${at.width / 2}, count - ${at.width / 2})`
    return fill(`${head} return join_$T(load_part_${half}(p, count), ${rest}); }`, at)
  }
  const loop = 'for (i64 lane = 0; lane < count && lane < $W; lane++) v[lane] = p[lane];'
  const move = maskedMove('load', at)
  if (move === null) return fill(`${head}\n  $T v = {0};\n  ${loop}\n  return v;\n}`, at)
  return fill(
    `${head}
#if GCC_AVX512
  typedef ${move.type} moved __attribute__((vector_size(${move.bytes})));
  return ($T)${move.builtin}((const ${move.type} *)p, (moved){0}, (${move.mask})first_lanes(count));
#else
  $T v = {0};
  ${loop}
  return v;
#endif
}`,
    at,
  )
}

/** The definition of a store of the first `count` lanes. */
function storePart(name: string, at: At): string {
  const head = `FN void ${name}($S *p, $T v, i64 count) {`
  if (at.width === 1) return fill(`${head} if (count > 0) *p = v; }`, at)
  const half = typeName(at.elem, at.width / 2)
  if (tooLong(at)) {
    const rest = `store_part_${half}(p + ${at.width / 2}, hi_$T(v), count - ${at.width / 2})`
    return fill(`${head}\n  store_part_${half}(p, lo_$T(v), count);\n  ${rest};\n}`, at)
  }
  const loop = 'for (i64 lane = 0; lane < count && lane < $W; lane++) p[lane] = v[lane];'
  const move = maskedMove('store', at)
  if (move === null) return fill(`${head}\n  ${loop}\n}`, at)
  return fill(
    `${head}
#if GCC_AVX512
  typedef ${move.type} moved __attribute__((vector_size(${move.bytes})));
  ${move.builtin}((${move.type} *)p, (moved)v, (${move.mask})first_lanes(count));
#else
  ${loop}
#endif
}`,
    at,
  )
}

/** Ordered with all other accesses of the thread; a compare-and-swap loop, but for loads. */
function atomic(
  fn: string,
  name: string,
  codes: Elem,
  decode: (text: string) => string,
  encode: (text: string) => string,
): string {
  if (fn === 'load') {
    return `FN $T ${name}(${codes} *p) {
  ${codes} old;
  __atomic_load(p, &old, __ATOMIC_ACQUIRE);
  return ${decode('old')};
}`
  }
  if (fn === 'compareExchange') {
    return `FN $T ${name}(${codes} *p, $T expected, $T v) {
  __atomic_compare_exchange(p, &expected, &v, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}`
  }
  const next = fn === 'exchange' ? 'v' : `${fn}_$T(before, v)`
  return `FN $T ${name}(${codes} *p, $T v) {
  ${codes} old;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  for (;;) {
    $T before = ${decode('old')};
    ${codes} next = ${encode(next)};
    if (__atomic_compare_exchange(p, &old, &next, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return before;
  }
}`
}
