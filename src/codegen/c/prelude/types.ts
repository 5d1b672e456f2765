/** Types, loads and stores, and lane shuffles: the basis of all other pieces. */
import { type Elem, elemBytes, type Families, type Family, fill, type Instance, lanes, typeName } from './piece.js'

const every = Object.keys(elemBytes) as Elem[]

/** Emitted once, first. The text includes no header: parsing one takes longer than compiling most kernels. */
export const preludeHead = `#ifndef __has_builtin
#define __has_builtin(x) 0
#endif
// Vectors wider than a register pass only between functions of this file: their ABI does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define GCC_AVX512 1
#if __GNUC__ > 9
#define GCC_SCALE 1
#endif
#endif
#if defined(__AVX__)
#define GCC_AVX 1
#endif
#if defined(__SSE4_1__)
#define GCC_SSE4 1
#endif
#if defined(__FMA__)
#define GCC_FMA 1
#endif
#if defined(__F16C__)
#define GCC_F16C 1
#endif
#endif
#define FN static inline __attribute__((always_inline, unused))
#define LONG_FN static inline __attribute__((unused))
`

const scalarType: Record<Elem, string> = {
  f64: 'double',
  f32: 'float',
  i64: '__INT64_TYPE__',
  u64: '__UINT64_TYPE__',
  i32: '__INT32_TYPE__',
  u32: '__UINT32_TYPE__',
  b32: '__INT32_TYPE__',
  i16: '__INT16_TYPE__',
  u16: '__UINT16_TYPE__',
  i8: '__INT8_TYPE__',
  u8: '__UINT8_TYPE__',
}

export function typedefText({ elem, width }: Instance): string {
  const name = typeName(elem, width)
  if (width === 1) return `typedef ${scalarType[elem]} ${name};${elem === 'b32' ? ' // a bool: 0 or -1' : ''}`
  return `typedef ${elem} ${name} __attribute__((vector_size(${elemBytes[elem] * width})));`
}

const raw = (doc: string, elems: readonly Elem[], text: (at: Instance) => string, only?: 'vector'): Family => ({
  doc,
  elems,
  ...(only === undefined ? {} : { only }),
  write: (_, at) => fill(text(at), at),
})

const range = (from: number, to: number): string => Array.from({ length: to - from }, (_, i) => from + i).join(', ')

const splitInMemory = ({ elem, width, vectorBytes }: Instance): boolean => elemBytes[elem] * width > vectorBytes

/**
 * One half of a vector. Vectors that fit a register are shuffled, where the compiler can (gcc before 12 cannot). Longer
 * vectors are split by address, which compilers optimise away; they would shuffle them lane by lane.
 */
function halfText(part: 'lo' | 'hi', at: Instance): string {
  const { elem, width } = at
  const [half, index] = [typeName(elem, width / 2), part === 'lo' ? 0 : 1]
  const head = `FN ${half} ${part}_$T($T v) {`
  if (width === 2) return `${head} return v[${index}]; }`
  const split = `union { $T whole; ${half} part[2]; } u = {v};\n  return u.part[${index}];`
  if (splitInMemory(at)) return `${head}\n  ${split}\n}`
  const picked = part === 'lo' ? range(0, width / 2) : range(width / 2, width)
  return `${head}
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, ${picked});
#else
  ${split}
#endif
}`
}

/** The definition of the function that joins two half vectors. */
function joinText(at: Instance): string {
  const { elem, width } = at
  const half = typeName(elem, width / 2)
  const head = `FN $T join_$T(${half} lo, ${half} hi) {`
  if (width === 2) return `${head} return ($T){lo, hi}; }`
  const joined = `union { ${half} part[2]; $T whole; } u = {{lo, hi}};\n  return u.whole;`
  if (splitInMemory(at)) return `${head}\n  ${joined}\n}`
  return `${head}
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(lo, hi, ${range(0, width)});
#else
  ${joined}
#endif
}`
}

/** Where the vector fits a register, one permutation interleaves the halves. */
function interleaveText(part: 'lo' | 'hi', at: Instance): string {
  const { elem, width } = at
  const start = part === 'lo' ? 0 : width / 2
  const picked = Array.from({ length: width }, (_, lane) => (lane % 2) * width + start + (lane >> 1))
  const name = `interleave_${part}_$T`
  const half = typeName(elem, width / 2)
  if (width > 2 && splitInMemory(at)) {
    const call = (which: 'lo' | 'hi'): string => `interleave_${which}_${half}(${part}_$T(a), ${part}_$T(b))`
    return `FN $T ${name}($T a, $T b) { return join_$T(${call('lo')}, ${call('hi')}); }`
  }
  return `FN $T ${name}($T a, $T b) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, ${picked.join(', ')});
#else
  return __builtin_shuffle(a, b, ($I){${picked.join(', ')}});
#endif
}`
}

/** gcc writes a splat that is longer than a register to memory lane by lane, so it is built from halves. */
function splatText({ elem, width, vectorBytes }: Instance): string {
  if (width === 1) return 'FN $T splat_$T($S x) { return x; }'
  if (elemBytes[elem] * width <= vectorBytes) return 'FN $T splat_$T($S x) { return x - ($T){0}; }'
  const half = typeName(elem, width / 2)
  return `FN $T splat_$T($S x) { ${half} half = splat_${half}(x); return join_$T(half, half); }`
}

export const typeFamilies: Families = {
  interleave_lo: raw('Interleaves the first halves.', every, at => interleaveText('lo', at), 'vector'),
  interleave_hi: raw('Interleaves the second halves.', every, at => interleaveText('hi', at), 'vector'),
  lo: raw('The first half of the lanes.', every, at => halfText('lo', at), 'vector'),
  hi: raw('The second half of the lanes.', every, at => halfText('hi', at), 'vector'),
  join: raw('Concatenates two halves.', every, joinText, 'vector'),
  splat: raw('Broadcasts the scalar to every lane.', every, splatText),
  iota: raw('0, 1, 2, …', ['f64', 'f32', 'i64', 'i32', 'i16', 'i8', 'u8'], ({ width }) =>
    width === 1 ? 'FN $T iota_$T(void) { return 0; }' : `FN $T iota_$T(void) { return ($T){${range(0, width)}}; }`,
  ),
  load: raw(
    'Reads consecutive elements, at any alignment.',
    every.filter(elem => elem !== 'b32'),
    ({ width }) =>
      width === 1
        ? 'FN $T load_$T(const $S *p) { return *p; }'
        : 'FN $T load_$T(const $S *p) { $T v; __builtin_memcpy(&v, p, sizeof v); return v; }',
  ),
  store: raw(
    'Writes consecutive elements, at any alignment.',
    every.filter(elem => elem !== 'b32'),
    ({ width }) =>
      width === 1
        ? 'FN void store_$T($S *p, $T v) { *p = v; }'
        : 'FN void store_$T($S *p, $T v) { __builtin_memcpy(p, &v, sizeof v); }',
  ),
  bits: lanes({
    doc: "The float's bits.",
    elems: ['f32', 'f64'],
    result: '$I',
    params: ['$T x'],
    body: 'return ($I)x;',
    scalar: '$I r;\n__builtin_memcpy(&r, &x, sizeof r);\nreturn r;',
  }),
  from_bits: lanes({
    doc: 'The float with the given bits.',
    elems: ['f32', 'f64'],
    params: ['$I x'],
    body: 'return ($T)x;',
    scalar: '$T r;\n__builtin_memcpy(&r, &x, sizeof r);\nreturn r;',
  }),
}
