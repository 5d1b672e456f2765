/**
 * Exponentials of f32. x = n·ln 2 + r with an integer n and |r| ≤ ln(2)/2, so that e^x = 2^n · e^r; e^r is a minimax
 * polynomial (Remez, relative error 1.5e-8). Adding 1.5·2^23 to x/ln 2 rounds it to an integer and leaves that integer
 * in the low bits of the sum: no conversion is needed. Over all 2^32 arguments exp errs by at most 0.93 ulp, sigmoid by 2.41.
 */
import { elemBytes, type Families, horner, type Instance, lanes, machine } from './piece.js'

/** ln 2 in two parts: n times the first, in a fused multiply-add, loses nothing that matters. */
const reduce = `$T t = fma_$T(x, splat_$T(0x1.715476p+0f), splat_$T(0x1.8p23f));
$T n = t - 0x1.8p23f;
$T r = fma_$T(n, splat_$T(-0x1.62e43p-1f), x);
r = fma_$T(n, splat_$T(0x1.05c61p-29f), r);`

/** (e^r - 1 - r) / r² */
const expTail = ['0x1p-1f', '0x1.5554a8p-3f', '0x1.55547ep-5f', '0x1.122d72p-7f', '0x1.6da098p-10f']
/** (2^r - 1) / r on |r| ≤ 1/2 */
const exp2Tail = [
  '0x1.62e43p-1f',
  '0x1.ebfbep-3f',
  '0x1.c6aebep-5f',
  '0x1.3b29ap-7f',
  '0x1.5f5076p-10f',
  '0x1.449782p-13f',
]

/** 2^n for the n in the low bits of t, times 2^power: for n so bounded that the result is a normal number. */
const powerOfTwo = (power: number): string =>
  `from_bits_$T(($i32)((($U)bits_$T(t) << 23) + 0x${((127 + power) << 23).toString(16)}))`

const scale = (at: Instance): string =>
  machine(at, {
    x86: {
      64: { guard: 'GCC_AVX512', value: '__builtin_ia32_scalefps512_mask(p, n, p, -1, 4)' },
      32: { guard: 'GCC_AVX512', value: '__builtin_ia32_scalefps256_mask(p, n, p, -1)' },
      16: { guard: 'GCC_AVX512', value: '__builtin_ia32_scalefps128_mask(p, n, p, -1)' },
    },
    otherwise: `// In two steps, for 2^n itself may be out of range; only the second can round.
$i32 k = bits_$T(n + 0x1.8p23f) - 0x4b400000, half = k >> 1;
return p * from_bits_$T((half + 127) << 23) * from_bits_$T((k - half + 127) << 23);`,
  })

/**
 * x = n + r with a whole n and |r| ≤ 1/2. AVX-512 has an instruction for each, of infinities too (∞ and 0), and one that
 * raises 2 to any n: no bounds are needed there.
 */
function wholeAndRest(at: Instance): string {
  const bits = 8 * elemBytes[at.elem] * at.width
  const bounded = `x = at_least_$T(at_most_$T(x, 129.0f), -151.0f); // all beyond is infinite or zero anyhow
$T t = x + 0x1.8p23f;
$T n = t - 0x1.8p23f;
$T r = x - n;`
  if (at.width === 1 || bits < 128 || bits > 512) return bounded
  const [whole, rest, end] = bits === 512 ? ['', '_round', ', 4'] : [`_${bits}`, '', '']
  return `#if GCC_AVX512 && __GNUC__ > 9
$T n = __builtin_ia32_rndscaleps${whole}_mask(x, 8, x, -1${end});
$T r = __builtin_ia32_reduceps${bits}_mask${rest}(x, 8, x, -1${end});
#else
${bounded}
#endif`
}

const f32 = ['f32'] as const
const x = ['$T x'] as const

export const expFamilies: Families = {
  ldexp: lanes({
    doc: 'p * 2^n for whole n, |n| < 250, and 0.5 < p < 2, rounded once.',
    elems: f32,
    params: ['$T p', '$T n'],
    body: scale,
  }),
  exp_scaled: lanes({
    doc: 'e^x * 2^-down: lets callers pass through results beyond the range of f32.',
    elems: f32,
    params: ['$T x', 'f32 down'],
    body: `x = at_least_$T(at_most_$T(x, 91.0f), -105.0f); // all beyond is infinite or zero anyhow
${reduce}
${horner('p', 'r', ['1.0f', '1.0f', ...expTail])}
return ldexp_$T(p, n - down);`,
  }),
  exp: lanes({ doc: 'e^x', elems: f32, params: x, body: 'return exp_scaled_$T(x, 0.0f);' }),
  exp2: lanes({
    doc: '2^x',
    elems: f32,
    params: x,
    body: at => `${wholeAndRest(at)}
${horner('p', 'r', ['1.0f', ...exp2Tail])}
return ldexp_$T(p, n);`,
  }),
  expm1_bounded: lanes({
    doc: 'e^x - 1 for -20 < x < 88.',
    elems: f32,
    params: x,
    body: `${reduce}
${horner('p', 'r', expTail)}
p = fma_$T(p * r, r, r);         // e^r - 1
$T s = ${powerOfTwo(0)}; // 2^n
return fma_$T(p, s, s - 1.0f);`,
  }),
  expm1: lanes({
    doc: 'e^x - 1, accurate near 0.',
    elems: f32,
    params: x,
    body: `$T tiny = x; // below 2^-25 the result is x, -0 included
$b32 is_tiny = lt_$T(abs_$T(x), splat_$T(0x1p-25f));
x = at_least_$T(at_most_$T(x, 89.0f), -20.0f); // all beyond is infinite or -1
${reduce}
${horner('p', 'r', expTail)}
p = fma_$T(p * r, r, r);         // e^r - 1
$T s = ${powerOfTwo(-1)}; // 2^n / 2, which is finite
return where_$T(is_tiny, tiny, fma_$T(p, s, s - 0.5f) * 2.0f);`,
  }),
  sigmoid: lanes({
    doc: '1 / (1 + e^-x); e^-|x| cannot overflow.',
    elems: f32,
    params: x,
    body: `$T e = exp_scaled_$T(-abs_$T(x), 0.0f);
return where_$T(lt_$T(x, splat_$T(0.0f)), e, splat_$T(1.0f)) / (1.0f + e);`,
  }),
}
