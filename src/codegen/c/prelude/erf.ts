/** The error functions of f32; all polynomials are minimax (Remez). Over all 2^32 arguments erf errs by at most 1.23 ulp. */
import { type Families, horner, lanes } from './piece.js'

/** erf(x)/x - 1 in x², for |x| ≤ 0.9375 */
const nearZero = [
  '0x1.06eba6p-3f',
  '-0x1.8126dep-2f',
  '0x1.ce1902p-4f',
  '-0x1.b67438p-6f',
  '0x1.46a802p-8f',
  '-0x1.37978cp-11f',
]
/** log(erfc(a)) for 0.9375 ≤ a ≤ 4 */
const logErfc = [
  '-0x1.d17aeap-13f',
  '-0x1.20a844p+0f',
  '-0x1.46547ap-1f',
  '-0x1.a90e56p-4f',
  '0x1.6aec0ep-6f',
  '-0x1.8c64eap-9f',
  '0x1.96de84p-13f',
]
/** (1 + 2a) e^(a²) erfc(a) - 1 in (a - 4)/(a + 4), for 0 ≤ a ≤ 10.1 */
const scaledErfc = [
  '0x1.dd2c8ep-3f',
  '-0x1.1df1a8p-3f',
  '0x1.f7e2cap-7f',
  '0x1.16e974p-4f',
  '-0x1.9da874p-4f',
  '0x1.804698p-4f',
  '-0x1.10f372p-4f',
  '0x1.2a6336p-5f',
  '-0x1.04502p-6f',
  '0x1.cc746ep-8f',
  '0x1.d00adap-11f',
]

export const erfFamilies: Families = {
  erf: lanes({
    doc: 'Error function: an odd polynomial near 0, 1 - e^P(|x|) elsewhere.',
    elems: ['f32'],
    params: ['$T x'],
    body: `$T a = at_most_$T(abs_$T(x), 4.0f), s = x * x; // the result is 1 from 3.92 on
${horner('near', 's', nearZero)}
near = fma_$T(near, x, x);
${horner('p', 'a', logErfc)}
$T far = copysign_$T(expm1_bounded_$T(p), x);
return where_$T(lt_$T(a, splat_$T(0.9375f)), near, far);`,
  }),
  erfc: lanes({
    doc: '1 - erf(x), accurate where that is small.',
    elems: ['f32'],
    params: ['$T x'],
    body: `$T a = at_most_$T(abs_$T(x), 10.5f); // the result is 0 (or 2) beyond
$T s = a * a;
${horner('near', 's', nearZero)}
near = 1.0f - fma_$T(near, x, x);
$T q = (a - 4.0f) / (a + 4.0f);
${horner('p', 'q', scaledErfc)}
// (1 + p) / (1 + 2a), and its residual once more, for the roundings add up
$T inverse = 1.0f / fma_$T(a, splat_$T(2.0f), splat_$T(1.0f));
$T y = fma_$T(p, inverse, inverse);
$T rest = fma_$T(fma_$T(y, -a, splat_$T(0.5f)), splat_$T(2.0f), p - y);
y = fma_$T(rest, inverse, y);
// times e^(-a²) · 2^24, for the result may be subnormal; the rounding error of a² is put back
$T e = exp_scaled_$T(-s, -24.0f);
y = y * fma_$T(fma_$T(-a, a, s), e, e) * 0x1p-24f;
y = where_$T(lt_$T(x, splat_$T(0.0f)), 2.0f - y, y);
return where_$T(lt_$T(a, splat_$T(0.5f)), near, y);`,
    long: true,
  }),
}
