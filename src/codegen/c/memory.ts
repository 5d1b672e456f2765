/**
 * Prelude pieces for memory accesses other than whole vectors: partial loads and stores, gathers, scatters and atomics. A
 * piece is found by its name (load_part_f32x16); `memoryPieces` writes the pieces that a text uses. Partial accesses do not
 * touch memory beyond `count` (AVX-512 masks them in hardware); lanes that are not loaded are 0.
 */
import { InternalError } from '../../base/errors.js'
import { byInstruction, byShortIndices, reversedLoad } from './gathers.js'
import { type Elem, elemBytes, fill, indent, laneLoop, typeName } from './prelude/piece.js'

type Format = 'f16' | 'bf16' | 'b32' | Elem

const pattern =
  /\b(load_part|load_span|load_apart[234]|load_apart[234]_part|store_part|stream|gather|gather_masked|gather_short|gather_short_masked|gather_reversed|scatter|scatter_masked|atomic_add|atomic_mul|atomic_min|atomic_max|atomic_exchange|atomic_compareExchange|atomic_load)_(f64|f32|f16|bf16|i64|i32|i16|i8|u16|u8|b32)(?:x(\d+))?\b/g

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
        `// ${docs[family!.replace(/_(add|mul|min|max|exchange|compareExchange|load)$/, '').replace(/\d/, '')]}\n${definition}`,
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
  load_span: 'Reads only elements from skip on and below count; the other lanes are 0.',
  load_apart: 'Elements that are so far apart.',
  load_apart_part: 'The first count of elements that are so far apart; the other lanes are 0.',
  store_part: 'Writes only the first count lanes.',
  stream: 'Writes past the caches if that is wanted and the line is whole.',
  gather: 'One element per lane.',
  gather_reversed: "One element per lane, each before the last lane's in memory.",
  gather_short: 'One element per lane, by i32 indices.',
  gather_short_masked:
    'One element per lane, by i32 indices; masked-out lanes are 0, and their memory is not accessed.',
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
  if (family === 'gather_reversed') return fill(reversedLoad(name, format, at), at)
  const isShort = family.startsWith('gather_short')
  if (isShort && !converts) {
    const found = byShortIndices(name, codes, width, family.endsWith('_masked'))
    if (found !== null) return found
  }
  const [access, masked] = isShort ? [] : family.split('_')
  if ((access === 'gather' || access === 'scatter') && !converts) {
    const found = byInstruction({ name, family: access, isMasked: masked === 'masked', elem: codes, width })
    if (found !== null) return found
  }
  const plain = `${family}_${typeName(codes, width)}`
  const apart = /^load_apart(\d)(_part)?$/.exec(family)
  if (apart !== null) {
    const [params, args] = apart[2] === undefined ? ['', ''] : [', i64 count', ', count']
    return converts
      ? fill(`FN $T ${name}(const ${codes} *p${params}) { return ${decode(`${plain}(p${args})`)}; }`, at)
      : loadApart(name, at, Number(apart[1]), apart[2] !== undefined)
  }
  const index = isShort ? '$i32' : '$i64'
  switch (family) {
    case 'load_span':
      return converts
        ? fill(
            `FN $T ${name}(const ${codes} *p, i64 skip, i64 count) { return ${decode(`${plain}(p, skip, count)`)}; }`,
            at,
          )
        : loadPart(name, at, 'skip')
    case 'load_part':
      return converts
        ? fill(`FN $T ${name}(const ${codes} *p, i64 count) { return ${decode(`${plain}(p, count)`)}; }`, at)
        : loadPart(name, at)
    case 'store_part':
      return converts
        ? fill(`FN void ${name}(${codes} *p, $T v, i64 count) { ${plain}(p, ${encode('v')}, count); }`, at)
        : storePart(name, at)
    case 'stream':
      return streamed(name, at)
    case 'gather':
    case 'gather_short':
      return fill(
        `FN $T ${name}(const ${codes} *p, ${index} i) {\n${indent(decoded(width, codes, decode, gatherLoop(width, false)))}\n}`,
        at,
      )
    case 'gather_masked':
    case 'gather_short_masked':
      return fill(
        `FN $T ${name}(const ${codes} *p, ${index} i, $b32 m) {\n${indent(decoded(width, codes, decode, gatherLoop(width, true)))}\n}`,
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

/** Few masks leave lanes out, so a loop is unrolled for all lanes, and one with branches is not. */
function gatherLoop(width: number, masked: boolean): string {
  if (width === 1) return masked ? 'if (m) r = p[i];' : 'r = p[i];'
  const all = `${laneLoop(width, 'lane')} r[lane] = p[i[lane]];`
  if (!masked) return all
  const some = 'for (int lane = 0; lane < $W; lane++)\n    if (m[lane]) r[lane] = p[i[lane]];'
  return `if (any_$b32(~m)) {\n  ${some}\n} else {\n${indent(all)}\n}`
}

function scatterLoop(width: number, codes: Elem, encode: (text: string) => string, masked: boolean): string {
  const head = `${typeName(codes, width)} c = ${encode('v')};`
  if (width === 1) return `${head}\n${masked ? 'if (m) ' : ''}p[i] = c;`
  return `${head}\n${laneLoop(width, 'lane')}${masked ? '\n  if (m[lane]) p[i[lane]] = c[lane];' : ' p[i[lane]] = c[lane];'}`
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

/** The definition of a load of the lanes below `count`, and from `skip` on if there is one; the others are 0. */
function loadPart(name: string, at: At, skip: 'skip' | null = null): string {
  const head = `FN $T ${name}(const $S *p${skip === null ? '' : ', i64 skip'}, i64 count) {`
  if (at.width === 1) return fill(`${head} return ${skip === null ? '' : 'skip <= 0 && '}count > 0 ? *p : 0; }`, at)
  const half = typeName(at.elem, at.width / 2)
  if (tooLong(at)) {
    const [family, skipped] = skip === null ? ['load_part', ''] : ['load_span', 'skip, ']
    const fewer = skip === null ? '' : `skip - ${at.width / 2}, `
    const rest = `${family}_${half}(p + ${at.width / 2}, ${fewer}count - ${at.width / 2})`
    return fill(`${head} return join_$T(${family}_${half}(p, ${skipped}count), ${rest}); }`, at)
  }
  const from = skip === null ? '0' : 'skip > 0 ? skip : 0'
  const loop = `for (i64 lane = ${from}; lane < count && lane < $W; lane++) v[lane] = p[lane];`
  const bits = skip === null ? 'first_lanes(count)' : 'first_lanes(count) & ~first_lanes(skip)'
  const move = maskedMove('load', at)
  if (move === null) return fill(`${head}\n  $T v = {0};\n  ${loop}\n  return v;\n}`, at)
  return fill(
    `${head}
#if GCC_AVX512
  typedef ${move.type} moved __attribute__((vector_size(${move.bytes})));
  return ($T)${move.builtin}((const ${move.type} *)p, (moved){0}, (${move.mask})(${bits}));
#else
  $T v = {0};
  ${loop}
  return v;
#endif
}`,
    at,
  )
}

/** The definition of a load of elements `apart` elements apart; `isPart`: of the first `count`. */
function loadApart(name: string, at: At, apart: number, isPart: boolean): string {
  const { elem, width } = at
  const head = `FN $T ${name}(const $S *p${isPart ? ', i64 count' : ''}) {`
  if (width === 1) return fill(`${head} return ${isPart ? 'count > 0 ? *p : 0' : '*p'}; }`, at)
  if (tooLong(at)) {
    const half = width / 2
    const part = (from: number): string =>
      `${name.replace(/\d+$/, String(half)).replace(/x1$/, '')}(p + ${from * apart}${isPart ? `, count - ${from}` : ''})`
    return fill(`${head} return join_$T(${part(0)}, ${part(half)}); }`, at)
  }
  const loop = isPart
    ? `$T v = {0};\n  for (i64 lane = 0; lane < count && lane < $W; lane++) v[lane] = p[lane * ${apart}];\n  return v;`
    : `$T v = {0};\n${indent(`${laneLoop(width, 'lane')} v[lane] = p[lane * ${apart}];`)}\n  return v;`
  const narrow = elemBytes[elem] < 4
  if (narrow && isPart) return fill(`${head}\n  ${loop}\n}`, at)
  const shuffled = `${shuffles(at, apart, isPart).join('\n  ')}\n  return v;`
  // Instructions that shuffle the lanes of two vectors have at least 4 bytes but for these extensions.
  const needed = isPart ? 'GCC_AVX512' : elemBytes[elem] === 1 ? '__AVX512VBMI__' : '__AVX512BW__'
  const guarded = isPart || narrow ? `\n#if ${needed}\n  ${shuffled}\n#else\n  ${loop}\n#endif\n` : `\n  ${shuffled}\n`
  return fill(`${head}${guarded}}`, at)
}

/** Statements that load vectors, each from the last element of the one before on, and pick every `apart`-th lane of them all. */
function shuffles(at: At, apart: number, isPart: boolean): readonly string[] {
  const { width } = at
  const lanes = Array.from({ length: width }, (_, lane) => lane)
  const read = (i: number): string => {
    const [from, at] = [i * (width - 1), i === 0 ? 'p' : `p + ${i * (width - 1)}`]
    if (!isPart) return `load_$T(${at})`
    return `load_part_$T(${at}, ${apart} * count - ${apart - 1 + from})`
  }
  const sourceOf = (lane: number): number => Math.max(0, Math.ceil((apart * lane) / (width - 1)) - 1)
  const statements = [`$T v = ${read(0)};`]
  for (let i = 1; i < apart; i++) {
    const picked = lanes.map(lane => {
      if (sourceOf(lane) === i) return width + apart * lane - i * (width - 1)
      return i === 1 && sourceOf(lane) === 0 ? apart * lane : lane
    })
    statements.push(
      `#if __has_builtin(__builtin_shufflevector)`,
      `v = __builtin_shufflevector(v, ${read(i)}, ${picked.join(', ')});`,
      '#else',
      `v = __builtin_shuffle(v, ${read(i)}, ($I){${picked.join(', ')}});`,
      '#endif',
    )
  }
  return statements
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

/** Bytes that one instruction stores past the caches: a whole line, of which nothing has to be read first. */
export const streamBytes = 64

/** The definition of a store that goes past the caches when `far` is true. */
const streamed = (name: string, at: At): string =>
  fill(
    `FN void ${name}($S *p, $T v, int far) {
#if GCC_AVX512
  typedef long long line __attribute__((vector_size(${streamBytes})));
  if (far && (u64)p % ${streamBytes} == 0) {
    __builtin_ia32_movntdq512((line *)p, (line)v);
    return;
  }
#endif
  store_$T(p, v);
}`,
    at,
  )

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
