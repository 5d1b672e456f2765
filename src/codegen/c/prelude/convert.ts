/**
 * Conversions. f16 and bf16 are f32 in registers (their exact values) and 16-bit codes in memory.
 * Float to integer truncates. Values that do not fit, NaN included, become the minimum of i32 (of i64 for i64 results), whose
 * low bits give narrower integers: the behaviour of x86 and PyTorch, spelled out so that machines and optimisers agree.
 * Integers wrap. All other conversions round to nearest even, once.
 */
import {
  type Elem,
  elemBytes,
  type Families,
  type Family,
  fill,
  floats,
  type Instance,
  integers,
  lanes,
  machine,
  numbers,
} from './piece.js'

type Float = 'f32' | 'f64'
const isFloat = (elem: Elem): elem is Float => elem === 'f32' || elem === 'f64'

const least = { i32: '(-0x7fffffff - 1)', i64: '(-0x7fffffffffffffff - 1)' } as const

/** Bounds between which truncation fits. Some f64 below -2^31 truncate to it; no f32 does. */
function bounds(from: Float, to: 'i32' | 'i64'): { readonly low: string; readonly high: string } {
  if (from === 'f64' && to === 'i32') return { low: 'x > -0x1.00000002p31', high: 'x < 0x1p31' }
  const [power, suffix] = [to === 'i32' ? 31 : 63, from === 'f32' ? 'f' : '']
  return { low: `x >= -0x1p${power}${suffix}`, high: `x < 0x1p${power}${suffix}` }
}

function floatToInteger(from: Float, to: Elem): string {
  if (to !== 'i32' && to !== 'i64') return `return i32_to_$T(${from}_to_i32$x(x));`
  if (from === 'f32' && to === 'i64') return 'return f64_to_$T(f32_to_f64$x(x));'
  const { low, high } = bounds(from, to)
  const mask = from === 'f32' ? '$i32' : '$i64'
  const narrowed = from === 'f64' && to === 'i32' ? 'i64_to_$T(ok)' : 'ok'
  return `${mask} ok = (${mask})(${low}) & (${mask})(${high});
$T r = __builtin_convertvector(($${from})((${mask})x & ok), $T); // 0 where it does not fit
return r | (${least[to]} & ~${narrowed});`
}

function scalarToInteger(from: Float, to: Elem): string {
  if (to !== 'i32' && to !== 'i64') return `return i32_to_${to}(${from}_to_i32(x));`
  const { low, high } = bounds(from, to)
  return `return ${low} && ${high} ? ($T)x : ${least[to]};`
}

type Integer = Exclude<Elem, Float>
const integerOfBytes = { signed: { 2: 'i16', 4: 'i32' }, unsigned: { 2: 'u16', 4: 'u32' } } as const

/** Intermediate types from one integer type to another, doubling or halving the size: gcc scalarises larger steps. */
function resizeSteps(from: Integer, to: Elem): readonly Elem[] {
  const sign = from.startsWith('u') ? 'unsigned' : 'signed'
  const [start, end] = [elemBytes[from], elemBytes[to]]
  const between = ([2, 4] as const).filter(bytes => (bytes > start && bytes < end) || (bytes < start && bytes > end))
  const steps = between.map(bytes => integerOfBytes[sign][bytes])
  return [...(start < end ? steps : steps.toReversed()), to]
}

/** AVX-512's single instructions for whole registers, by `from_to`. */
const resizeBuiltins: Readonly<Record<string, { readonly width: number; readonly builtin: string }>> = {
  i8_i32: { width: 16, builtin: 'pmovsxbd512' },
  u8_i32: { width: 16, builtin: 'pmovzxbd512' },
  i16_i32: { width: 16, builtin: 'pmovsxwd512' },
  u16_i32: { width: 16, builtin: 'pmovzxwd512' },
  i32_i64: { width: 8, builtin: 'pmovsxdq512' },
  i32_i8: { width: 16, builtin: 'pmovdb512' },
  i32_u8: { width: 16, builtin: 'pmovdb512' },
  i32_i16: { width: 16, builtin: 'pmovdw512' },
  i32_u16: { width: 16, builtin: 'pmovdw512' },
  i64_i32: { width: 8, builtin: 'pmovqd512' },
}
/** The element types of those builtins: C's own, because char is distinct from signed and unsigned char. */
const builtinType = (elem: Elem, width: number): string => {
  const names = { 1: 'char', 2: 'short', 4: 'int', 8: 'long long' }
  return `(${names[elemBytes[elem]]} __attribute__((vector_size(${elemBytes[elem] * width}))))`
}

/** Eight bytes are half a register, which GCC would scalarise: they are put into a whole register first. */
function widenHalf(from: Integer, steps: string): string {
  const builtin = from === 'i8' ? 'pmovsxbw128' : 'pmovzxbw128'
  const half = 'long long word; __builtin_memcpy(&word, &x, sizeof word);'
  const whole = '(long long __attribute__((vector_size(16)))){word, 0}'
  const call = `__builtin_ia32_${builtin}((char __attribute__((vector_size(16))))${whole})`
  return `#if GCC_SSE4\n${half}\nreturn ($T)${call};\n#else\nreturn ${steps};\n#endif`
}

function resize(from: Integer, to: Elem, width: number): string {
  const steps = resizeSteps(from, to).reduce((x, step) => `__builtin_convertvector(${x}, $${step})`, 'x')
  if (width === 8 && elemBytes[from] === 1 && elemBytes[to] === 2) return widenHalf(from, steps)
  const machine = resizeBuiltins[`${from}_${to}`]
  if (machine?.width !== width) return `return ${steps};`
  const [source, result] = [builtinType(from, width), builtinType(to, width)]
  const call = `__builtin_ia32_${machine.builtin}_mask(${source}x, ${result}($${to}){0}, -1)`
  return `#if GCC_AVX512\nreturn ($${to})${call};\n#else\nreturn ${steps};\n#endif`
}

/** A family of conversions is named after its source; its element type is the target. */
const fromFloat = (from: Float): Family =>
  lanes({
    doc: `From ${from}.`,
    elems: [...numbers, 'b32' as const].filter(to => to !== from),
    params: [`$${from} x`],
    widest: elemBytes[from],
    body: ({ elem: to }) => {
      if (to === 'b32') return `return ne_$${from}(x, splat_$${from}(0));`
      return isFloat(to) ? 'return __builtin_convertvector(x, $T);' : floatToInteger(from, to)
    },
    scalar: ({ elem: to }) => {
      if (to === 'b32') return 'return -(x != 0);'
      return isFloat(to) ? 'return ($T)x;' : scalarToInteger(from, to)
    },
  })

const fromInteger = (from: (typeof integers)[number]): Family =>
  lanes({
    doc: `From ${from}.`,
    elems: [...numbers, 'b32' as const].filter(to => to !== from),
    params: [`$${from} x`],
    widest: elemBytes[from],
    body: ({ elem: to, width }) => {
      if (to === 'b32') return `return ne_$${from}(x, splat_$${from}(0));`
      if (!isFloat(to)) return resize(from, to, width)
      return elemBytes[from] < 4 ? `return i32_to_$T(${from}_to_i32$x(x));` : 'return __builtin_convertvector(x, $T);'
    },
    scalar: ({ elem: to }) => (to === 'b32' ? 'return -(x != 0);' : 'return ($T)x;'),
  })

const fromBool = lanes({
  doc: 'From a bool: 0 or 1.',
  elems: numbers,
  params: ['$b32 x'],
  widest: 4,
  body: ({ elem: to }) => {
    if (to === 'f32') return 'return ($T)(x & 0x3f800000);'
    return to === 'i32' ? 'return x & 1;' : 'return i32_to_$T(x & 1);'
  },
  scalar: 'return ($T)(x & 1);',
})

const reinterpret = (from: Elem, to: Elem): Family =>
  lanes({
    doc: `The bits of ${from}, read as ${to}.`,
    elems: [to],
    params: [`$${from} x`],
    body: 'return ($T)x;',
    scalar: '$T r;\n__builtin_memcpy(&r, &x, sizeof r);\nreturn r;',
  })

export const conversionFamilies: Families = {
  ...Object.fromEntries(floats.map(from => [`${from}_to`, fromFloat(from)])),
  ...Object.fromEntries(integers.map(from => [`${from}_to`, fromInteger(from)])),
  b32_to: fromBool,
  f32_as: reinterpret('f32', 'i32'),
  i32_as: reinterpret('i32', 'f32'),
  f64_as: reinterpret('f64', 'i64'),
  i64_as: reinterpret('i64', 'f64'),
  i8_as: reinterpret('i8', 'u8'),
  u8_as: reinterpret('u8', 'i8'),
}

// ---------------------------------------------------------------------------------------------- 16-bit floats

const packF16 = (at: Instance): string =>
  machine(at, {
    x86: {
      64: { guard: 'GCC_AVX512', value: '($u16)__builtin_ia32_vcvtps2ph512_mask(x, 0, ($i16){0}, -1)' },
      32: { guard: 'GCC_F16C', value: '($u16)__builtin_ia32_vcvtps2ph256(x, 0)' },
    },
    otherwise: `$i32 sign = bits_$T(x) & ~0x7fffffff, a = bits_$T(x) & 0x7fffffff;
$i32 normal = (a - 0x38000000 + 0xfff + ((a >> 13) & 1)) >> 13;                  // rebiased, rounded to even
$i32 small = bits_$T(from_bits_$T(a) + 0.5f) - 0x3f000000;                       // below 2^-14: steps of 2^-24
$i32 code = where_$i32(lt_$i32(a, splat_$i32(0x38800000)), small, normal);
code = where_$i32(lt_$i32(a, splat_$i32(0x477ff000)), code, splat_$i32(0x7c00)); // 65520 and up: infinity
code = where_$i32(gt_$i32(a, splat_$i32(0x7f800000)), splat_$i32(0x7e00), code); // NaN
return i32_to_$u16(code | ((sign >> 16) & 0x8000));`,
  })

const unpackF16 = (at: Instance): string =>
  machine(at, {
    x86: {
      64: { guard: 'GCC_AVX512', value: '__builtin_ia32_vcvtph2ps512_mask(($i16)x, ($T){0}, -1, 4)' },
      32: { guard: 'GCC_F16C', value: '__builtin_ia32_vcvtph2ps256(($i16)x)' },
    },
    otherwise: `$i32 code = u16_to_$i32(x);
$i32 a = bits_$T(from_bits_$T((code & 0x7fff) << 13) * 0x1p112f); // the product rebiases subnormals too
a = where_$i32(ge_$i32(code & 0x7fff, splat_$i32(0x7c00)), a | 0x7f800000, a);
return from_bits_$T(a | -(code & 0x8000) << 16);`,
  })

const packBf16 = `$i32 b = bits_$T(x), top = b >> 16;
$i32 code = ($i32)(($U)b + 0x7fff + ($U)(top & 1)) >> 16;
return i32_to_$u16(where_$i32(ne_$T(x, x), top | 0x40, code)); // NaNs become quiet`

const unpackBf16 = 'return from_bits_$T(($i32)(($U)u16_to_$i32(x) << 16));'

type Half = 'f16' | 'bf16'

const raw = (doc: string, text: string): Family => ({ doc, elems: ['f32'], write: (_, at) => fill(text, at) })

const halfFamilies = (half: Half, pack: (at: Instance) => string, unpack: (at: Instance) => string): Families => ({
  [`pack_${half}`]: lanes({
    doc: `The ${half} codes of f32 values, rounded to nearest even.`,
    elems: ['f32'],
    result: '$u16',
    params: ['$T x'],
    body: pack,
  }),
  [`unpack_${half}`]: lanes({
    doc: `The values of ${half} codes, exact in f32.`,
    elems: ['f32'],
    params: ['$u16 x'],
    body: unpack,
  }),
  [`load_${half}`]: raw(
    `Reads ${half} as f32.`,
    `FN $T load_${half}$x(const u16 *p) { return unpack_${half}$x(load_$u16(p)); }`,
  ),
  [`store_${half}`]: raw(
    `Writes f32, rounded to ${half}.`,
    `FN void store_${half}$x(u16 *p, $T v) { store_$u16(p, pack_${half}$x(v)); }`,
  ),
  [`f32_to_${half}`]: raw(
    `Rounds to the nearest ${half}; the result is f32.`,
    `FN $T f32_to_${half}$x($T x) { return unpack_${half}$x(pack_${half}$x(x)); }`,
  ),
  [`f64_to_${half}`]: raw(
    `Rounds f64 to the nearest ${half}; the result is f32.`,
    `FN $T f64_to_${half}$x($f64 x) { return f32_to_${half}$x(f64_to_odd_$T(x)); }`,
  ),
  [`${half}_as_i16`]: raw(
    `The codes of ${half} values, as i16.`,
    `FN $i16 ${half}_as_i16$x($T x) { return ($i16)pack_${half}$x(x); }`,
  ),
  [`i16_as_${half}`]: raw(
    `The ${half} values with the codes in i16.`,
    `FN $T i16_as_${half}$x($i16 x) { return unpack_${half}$x(($u16)x); }`,
  ),
})

const codes = (doc: string, from: 'u16' | 'i32', to: 'u16' | 'i32'): Family =>
  lanes({
    doc,
    elems: ['f32'],
    result: `$${to}`,
    params: [`$${from} x`],
    body: ({ width }) => resize(from, to, width),
    scalar: `return (${to})x;`,
  })

/** By full name without the width, since the names end in a type that is not a register type; the element type is f32. */
export const halfPrecisionFamilies: Families = {
  ...halfFamilies('f16', packF16, unpackF16),
  ...halfFamilies(
    'bf16',
    () => packBf16,
    () => unpackBf16,
  ),
  i32_to_u16: codes('The low 16 bits.', 'i32', 'u16'),
  u16_to_i32: codes('From u16.', 'u16', 'i32'),
  f64_to_odd_f32: lanes({
    doc: 'To f32, rounded to odd, so that a second rounding to 16 bits gives the same as a single one.',
    elems: ['f32'],
    params: ['$f64 x'],
    widest: 8,
    body: `$T r = f64_to_$T(x);
$f64 back = f32_to_$f64(r);
$b32 inexact = or_$b32(lt_$f64(back, x), gt_$f64(back, x));
$b32 away = gt_$f64(abs_$f64(back), abs_$f64(x));
return from_bits_$T((bits_$T(r) + ($i32)away) | (inexact & 1));`,
  }),
}

/** Bools in memory are one byte, 0 or 1; any other nonzero byte reads as true. */
export const boolMemoryFamilies: Families = {
  load: {
    doc: 'Reads bools from bytes.',
    elems: ['b32'],
    write: (_, at) => fill('FN $T load_$T(const u8 *p) { return u8_to_$T(load_$u8(p)); }', at),
  },
  store: {
    doc: 'Writes bools as bytes, 0 or 1.',
    elems: ['b32'],
    write: (_, at) => fill('FN void store_$T(u8 *p, $T v) { store_$u8(p, b32_to_$u8(v)); }', at),
  },
}
