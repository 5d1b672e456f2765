/** Float ops with (almost) a machine instruction, with the special cases of IEEE 754 and PyTorch. */
import { type Families, type Family, floats, type Instance, lanes, type MachineText, machine } from './piece.js'

const suffixOf = (at: Instance): 's' | 'd' => (at.elem === 'f32' ? 's' : 'd')
/** libm's name for this element type: floorf, floor. */
const libm = (name: string, at: Instance): string => `__builtin_${name}${at.elem === 'f32' ? 'f' : ''}`
const signMask = (at: Instance): string => (at.elem === 'f32' ? '0x7fffffff' : '0x7fffffffffffffff')

const operator = (doc: string, symbol: string): Family =>
  lanes({ doc, elems: floats, params: ['$T a', '$T b'], body: `return a ${symbol} b;` })

const expression = (doc: string, params: readonly string[], body: string, result = '$T'): Family =>
  lanes({ doc, elems: floats, params, result, body: `return ${body};` })

const loop = (call: string): string => `$T r = {0};\nUNROLL\nfor (int i = 0; i < $W; i++) r[i] = ${call};\nreturn r;`

const instruction = (
  doc: string,
  params: readonly string[],
  scalar: string,
  text: (at: Instance) => Omit<MachineText, 'otherwise'>,
): Family =>
  lanes({
    doc,
    elems: floats,
    params: params.map(name => `$T ${name}`),
    scalar: at => `return ${libm(scalar, at)}(${params.join(', ')});`,
    body: at =>
      machine(at, { ...text(at), otherwise: loop(`${libm(scalar, at)}(${params.map(p => `${p}[i]`).join(', ')})`) }),
  })

/** `mode` is the rounding field of roundps/vrndscaleps: 8 (no exceptions) + 0 nearest even, 1 down, 2 up, 3 toward zero. */
const rounding = (doc: string, name: string, mode: number, clang: string): Family =>
  instruction(doc, ['x'], name, at => {
    const p = `p${suffixOf(at)}`
    return {
      x86: {
        64: { guard: 'GCC_AVX512', value: `__builtin_ia32_rndscale${p}_mask(x, ${mode}, x, -1, 4)` },
        32: { guard: 'GCC_AVX', value: `__builtin_ia32_round${p}256(x, ${mode})` },
        16: { guard: 'GCC_SSE4', value: `__builtin_ia32_round${p}(x, ${mode})` },
      },
      clang: { builtin: `__builtin_elementwise_${clang}`, args: 'x' },
    }
  })

const fma = instruction('a * b + c with one rounding.', ['a', 'b', 'c'], 'fma', at => {
  const p = `vfmaddp${suffixOf(at)}`
  return {
    x86: {
      64: { guard: 'GCC_AVX512', value: `__builtin_ia32_${p}512_mask(a, b, c, -1, 4)` },
      32: { guard: 'GCC_FMA', value: `__builtin_ia32_${p}256(a, b, c)` },
      16: { guard: 'GCC_FMA', value: `__builtin_ia32_${p}(a, b, c)` },
    },
    clang: { builtin: '__builtin_elementwise_fma', args: 'a, b, c' },
  }
})

const sqrt = instruction('Square root, correctly rounded; NaN below zero.', ['x'], 'sqrt', at => {
  const p = `sqrtp${suffixOf(at)}`
  return {
    x86: {
      64: { guard: 'GCC_AVX512', value: `__builtin_ia32_${p}512_mask(x, x, -1, 4)` },
      32: { guard: 'GCC_AVX', value: `__builtin_ia32_${p}256(x)` },
      16: { guard: 'GCC_SSE4', value: `__builtin_ia32_${p}(x)` },
    },
    clang: { builtin: '__builtin_elementwise_sqrt', args: 'x' },
  }
})

/** min or max of a and b by one vrange instruction, wrapped by `value`. */
function rangeOf(at: Instance, mode: number, value = (range: string): string => range): MachineText['x86'] {
  const range = (bits: number, tail = ''): { guard: string; value: string } => ({
    guard: 'GCC_AVX512',
    value: value(`__builtin_ia32_rangep${suffixOf(at)}${bits}_mask(a, b, ${mode}, a, -1${tail})`),
  })
  return { 64: range(512, ', 4'), 32: range(256), 16: range(128) }
}

/** PyTorch's minimum and maximum: NaN if either operand is NaN, and -0 < +0 (vrange orders zeros but drops NaNs). */
const extreme = (doc: string, less: string, mode: number, zeros: string): Family =>
  lanes({
    doc,
    elems: floats,
    params: ['$T a', '$T b'],
    // One branch, which is rarely taken: random data mispredicts one that looks for the greater.
    scalar: `if (!(a < b || a > b)) return a == b ? from_bits_$T(bits_$T(a) ${zeros} bits_$T(b)) : a + b;\nreturn a ${less} b ? a : b;`,
    body: at =>
      machine(at, {
        x86: rangeOf(at, mode, range => `where_$T(unordered_$T(a, b), a + b, ${range})`),
        otherwise: `$T r = where_$T(${less === '<' ? 'lt' : 'gt'}_$T(a, b), a, b);
r = where_$T(eq_$T(a, b), from_bits_$T(bits_$T(a) ${zeros} bits_$T(b)), r);
return where_$T(unordered_$T(a, b), a + b, r);`,
      }),
    widest: 4,
  })

/** fmin and fmax: ignore a NaN operand, as vrange does (a signalling NaN stays one). */
const extremeNumber = (doc: string, less: '<' | '>', mode: number, zeros: string): Family =>
  lanes({
    doc,
    elems: floats,
    params: ['$T a', '$T b'],
    scalar: `if (a == b) return from_bits_$T(bits_$T(a) ${zeros} bits_$T(b));\nreturn b != b || a ${less} b ? a : b;`,
    body: at =>
      machine(at, {
        x86: rangeOf(at, mode),
        otherwise: `$T r = where_$T(or_$b32(ne_$T(b, b), ${less === '<' ? 'lt' : 'gt'}_$T(a, b)), a, b);
return where_$T(eq_$T(a, b), from_bits_$T(bits_$T(a) ${zeros} bits_$T(b)), r);`,
      }),
    widest: 4,
  })

/** Clamps to a bound and keeps NaN: minps and maxps return their second operand when either is NaN. */
const bound = (doc: string, name: 'min' | 'max', test: string): Family =>
  lanes({
    doc,
    elems: floats,
    params: ['$T x', '$S limit'],
    scalar: `return ${test === 'gt' ? 'x > limit' : 'x < limit'} ? limit : x;`,
    body: at => {
      const p = `${name}p${suffixOf(at)}`
      return machine(at, {
        x86: {
          64: { guard: 'GCC_AVX512', value: `__builtin_ia32_${p}512_mask(splat_$T(limit), x, x, -1, 4)` },
          32: { guard: 'GCC_AVX', value: `__builtin_ia32_${p}256(splat_$T(limit), x)` },
          16: { guard: 'GCC_SSE4', value: `__builtin_ia32_${p}(splat_$T(limit), x)` },
        },
        otherwise: `return where_$T(${test}_$T(x, splat_$T(limit)), splat_$T(limit), x);`,
      })
    },
    widest: 4,
  })

export const floatFamilies: Families = {
  add: operator('a + b', '+'),
  sub: operator('a - b', '-'),
  mul: operator('a * b', '*'),
  div: operator('a / b', '/'),
  fma,
  sqrt,
  floor: rounding('Rounds down to an integer.', 'floor', 9, 'floor'),
  ceil: rounding('Rounds up to an integer.', 'ceil', 10, 'ceil'),
  trunc: rounding('Rounds toward zero to an integer.', 'trunc', 11, 'trunc'),
  round: rounding('Rounds to the nearest integer, halves to even.', 'rint', 8, 'rint'),
  neg: expression('-x; flips the sign of zero and NaN too.', ['$T x'], '-x'),
  abs: lanes({
    doc: '|x|',
    elems: floats,
    params: ['$T x'],
    body: at => `return from_bits_$T(bits_$T(x) & ${signMask(at)});`,
  }),
  copysign: lanes({
    doc: 'The magnitude of the first operand with the sign of the second.',
    elems: floats,
    params: ['$T x', '$T sign'],
    body: at => `return from_bits_$T((bits_$T(x) & ${signMask(at)}) | (bits_$T(sign) & ~${signMask(at)}));`,
  }),
  min: extreme('Minimum; NaN if either is NaN; -0 < +0.', '<', 4, '|'),
  max: extreme('Maximum; NaN if either is NaN; -0 < +0.', '>', 5, '&'),
  fmin: extremeNumber('Minimum; the other operand if one is NaN; -0 < +0.', '<', 4, '|'),
  fmax: extremeNumber('Maximum; the other operand if one is NaN; -0 < +0.', '>', 5, '&'),
  at_most: bound('min(x, limit); NaN stays NaN.', 'min', 'gt'),
  at_least: bound('max(x, limit); NaN stays NaN.', 'max', 'lt'),
  unordered: expression('True if either is NaN.', ['$T a', '$T b'], 'or_$b32(ne_$T(a, a), ne_$T(b, b))', '$b32'),
}
