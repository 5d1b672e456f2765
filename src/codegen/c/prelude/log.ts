/**
 * Logarithms of f32. x = 2^e · (1 + f) with 1 + f in [2/3, 4/3); log(1 + f) = f + f²·L(f) with a minimax polynomial L
 * (Remez, relative error 4.5e-9); over all 2^32 arguments log errs by at most 0.97 ulp. Other bases multiply f and f²·L by a constant in two parts.
 */
import { type Families, horner, lanes } from './piece.js'

const tail = [
  '-0x1p-1f',
  '0x1.555502p-2f',
  '-0x1.fffe84p-3f',
  '0x1.99d202p-3f',
  '-0x1.55a76ep-3f',
  '0x1.1ebd3cp-3f',
  '-0x1.f25ac0p-4f',
  '0x1.1ed7acp-3f',
  '-0x1.09392cp-3f',
]

const split = `$b32 small = lt_$T(x, splat_$T(0x1p-126f)); // subnormals are scaled into range (and all that has no logarithm)
$i32 ix = bits_$T(where_$T(small, x * 0x1p23f, x));
$i32 k = ($i32)(($U)ix - 0x3f2aaaab) >> 23;
$T f = from_bits_$T(($i32)(($U)ix - (($U)k << 23))) - 1.0f;
$T e = i32_to_$T(k - (small & 23));
${horner('l', 'f', tail)}
l = f * f * l;`

const special = 'return log_special_$T(x, y);'

const f32 = ['f32'] as const
const x = ['$T x'] as const

/** log_b x = e·E + f·F + l·F with the constants E = log_b 2 and F = log_b e in two parts each. */
const otherBase = (doc: string, y: string) => lanes({ doc, elems: f32, params: x, body: `${split}\n${y}\n${special}` })

export const logFamilies: Families = {
  log_special: lanes({
    doc: "y, but a logarithm's value at 0, below, at infinity and NaN.",
    elems: f32,
    params: ['$T x', '$T y'],
    body: `y = where_$T(lt_$T(x, splat_$T(__builtin_inff())), y, x);
y = where_$T(lt_$T(x, splat_$T(0.0f)), splat_$T(__builtin_nanf("")), y);
return where_$T(eq_$T(x, splat_$T(0.0f)), splat_$T(-__builtin_inff()), y);`,
  }),
  log: lanes({
    doc: 'Natural logarithm.',
    elems: f32,
    params: x,
    body: `${split}
$T y = fma_$T(e, splat_$T(0x1.62e43p-1f), f + fma_$T(e, splat_$T(-0x1.05c61p-29f), l));
${special}`,
  }),
  log2: otherBase(
    'Logarithm to base 2.',
    `$T y = fma_$T(l, splat_$T(0x1.715476p+0f), f * 0x1.4ae0cp-26f);
y = e + fma_$T(f, splat_$T(0x1.715476p+0f), y);`,
  ),
  log10: otherBase(
    'Logarithm to base 10.',
    `$T y = fma_$T(e, splat_$T(-0x1.ec10cp-27f), f * -0x1.5b235ep-27f);
y = fma_$T(f, splat_$T(0x1.bcb7b2p-2f), fma_$T(l, splat_$T(0x1.bcb7b2p-2f), y));
y = fma_$T(e, splat_$T(0x1.344136p-2f), y);`,
  ),
  log1p: lanes({
    doc: 'log(1 + x), accurate near 0.',
    elems: f32,
    params: x,
    body: `// 1 + x = 2^k (1 + f): f is put together from x and 1 scaled apart, for 1 + x may have lost bits of x.
$i32 k = ($i32)((($U)bits_$T(1.0f + x)) - 0x3f2aaaab) >> 23;
$U down = ($U)k << 23;
$T f = from_bits_$T(($i32)(($U)bits_$T(x) - down));
f = f + fma_$T(splat_$T(0.25f), from_bits_$T(($i32)(0x40800000 - down)), splat_$T(-1.0f));
$T e = i32_to_$T(k);
${horner('l', 'f', tail)}
l = f * f * l;
$T y = fma_$T(e, splat_$T(0x1.62e43p-1f), f + fma_$T(e, splat_$T(-0x1.05c61p-29f), l));
y = log_special_$T(1.0f + x, y);
return where_$T(lt_$T(abs_$T(x), splat_$T(0x1p-25f)), x, y); // -0 too`,
  }),
}
