/**
 * f32 powers, by way of f64: |x|^y = 2^(y·log2|x|). The logarithm is good to 2^-44 and the exponential to 2^-34, so the
 * exponent, at most 150, has an error below 2^-34 and the result is nearly always correctly rounded.
 */
import { type Families, horner, lanes } from './piece.js'

/** log2((1+s)/(1-s)) / s in s² */
const log2Tail = [
  '0x1.71547652b824ep+1',
  '0x1.ec709dc541daap-1',
  '0x1.2776c28cc2c2bp-1',
  '0x1.a61a341f6a54ep-2',
  '0x1.4794731637cbfp-2',
  '0x1.21be081fb39bfp-2',
]
/** (2^r - 1) / r */
const exp2Tail = [
  '0x1.62e42fef7ae67p-1',
  '0x1.ebfbe07c19631p-3',
  '0x1.c6b08df5bfbfep-5',
  '0x1.3b29ef8b94df7p-7',
  '0x1.5d87221049ed1p-10',
  '0x1.445fb043e9387p-13',
  '0x1.00f23254a36cap-16',
]

export const powFamilies: Families = {
  pow: lanes({
    doc: 'x to the power y, with the special cases of C.',
    elems: ['f32'],
    params: ['$T x', '$T y'],
    widest: 8,
    long: true,
    body: `$f64 dx = abs_$f64(f32_to_$f64(x)), dy = f32_to_$f64(y);
// log2 |x|: no f32 is subnormal in f64. |x| = 2^k m with m in [sqrt 1/2, sqrt 2)
$i64 ix = bits_$f64(dx);
$i64 k = (ix - 0x3fe6a09e667f3bcd) >> 52;
$f64 m = from_bits_$f64(ix - (k << 52));
$f64 s = (m - 1) / (m + 1), z = s * s;
${horner('l', 'z', log2Tail, '$f64')}
l = fma_$f64(l, s, i64_to_$f64(k));
l = where_$f64(eq_$f64(dx, splat_$f64(0)), splat_$f64(-__builtin_inf()), l);
l = where_$f64(eq_$f64(dx, splat_$f64(__builtin_inf())), dx, l);
l = where_$f64(ne_$f64(dx, dx), dx, l);
// 2^(y log2 |x|)
$f64 e = at_least_$f64(at_most_$f64(dy * l, 200.0), -200.0);
$f64 t = e + 0x1.8p52;
$f64 r = e - (t - 0x1.8p52);
${horner('p', 'r', ['1.0', ...exp2Tail], '$f64')}
p = p * from_bits_$f64(($i64)(((bits_$f64(t) & 0xfff) + 1023) << 52));
$T result = f64_to_$T(p);
// negative x: the sign of an odd power, no value at a fraction
$f64 half_y = dy * 0.5;
$b32 whole = eq_$f64(floor_$f64(dy), dy), odd = and_$b32(whole, ne_$f64(floor_$f64(half_y), half_y));
$b32 negative = lt_$i32(bits_$T(x), splat_$i32(0));
result = where_$T(and_$b32(negative, odd), -result, result);
$b32 finite_negative = and_$b32(lt_$T(x, splat_$T(0.0f)), gt_$T(x, splat_$T(-__builtin_inff())));
result = where_$T(and_$b32(finite_negative, not_$b32(whole)), splat_$T(__builtin_nanf("")), result);
// exactly 1, even where the other is NaN: 1^y, x^0 and (-1)^±inf
$b32 one = or_$b32(eq_$T(x, splat_$T(1.0f)), eq_$T(y, splat_$T(0.0f)));
one = or_$b32(one, and_$b32(eq_$T(x, splat_$T(-1.0f)), isinf_$T(y)));
return where_$T(one, splat_$T(1.0f), result);`,
  }),
}
