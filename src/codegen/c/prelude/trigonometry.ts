/**
 * Circular functions of f32. x = n·π/2 + r is reduced in f64 with π/2 in two parts (107 bits), which leaves r exact to
 * f32 for |x| < 2^40; the rare larger arguments go to libm lane by lane. Polynomials are minimax (Remez) in r².
 */
import { type Families, horner, type Instance, lanes } from './piece.js'
import { mendRest, restFamily } from './rest.js'

/** Below: r, and the quadrant n in the low bits of q. */
const reduce = `$f64 d = f32_to_$f64(x);
$f64 t = fma_$f64(d, splat_$f64(0x1.45f306dc9c883p-1), splat_$f64(0x1.8p52));
$f64 n = t - 0x1.8p52;
d = fma_$f64(n, splat_$f64(-0x1.921fb54442d18p+0), d);
d = fma_$f64(n, splat_$f64(-0x1.1a62633145c07p-54), d);
$T r = f64_to_$T(d);
$i32 q = i64_to_$i32(bits_$f64(t));
$T s = r * r;`

const sinTail = ['-0x1.555546p-3f', '0x1.11076p-7f', '-0x1.994e5cp-13f']
const cosTail = ['0x1.55554ap-5f', '-0x1.6c0c8ap-10f', '0x1.9a020ap-16f']
const tanTail = [
  '0x1.55556p-2f',
  '0x1.110d8cp-3f',
  '0x1.badc1cp-5f',
  '0x1.5cad52p-6f',
  '0x1.631f6ep-7f',
  '0x1.6e6e3ep-14f',
  '0x1.1ee016p-8f',
]
const asinTail = ['0x1.5555cap-3f', '0x1.330136p-4f', '0x1.748efep-5f', '0x1.8b86aap-6f', '0x1.59f3dcp-5f']
const atanTail = [
  '-0x1.55553ep-2f',
  '0x1.9991fep-3f',
  '-0x1.2421b6p-3f',
  '0x1.c09ap-4f',
  '-0x1.583494p-4f',
  '0x1.dac9fp-5f',
  '-0x1.fed178p-6f',
  '0x1.65a674p-7f',
  '-0x1.d63018p-10f',
]
const sinhTail = ['0x1.555556p-3f', '0x1.111136p-7f', '0x1.9ffe12p-13f', '0x1.7a267cp-19f']

/** Lanes too large for the reduction: libm's own, which carries as many bits of π as it takes. */
const hugeLanes = (libm: string) => mendRest(libm, 'not_$b32(lt_$T(abs_$T(x), splat_$T(0x1p40f)))', ['x'])

/** sin of x + quadrants·π/2: odd quadrants are ±cos r, and bit 1 is the sign. */
const sinCos =
  (quadrants: 0 | 1, libm: string) =>
  (at: Instance): string =>
    `${reduce}
${horner('sine', 's', sinTail)}
sine = fma_$T(sine * s, r, r);
${horner('cosine', 's', cosTail)}
cosine = fma_$T(cosine * s, s, fma_$T(s, splat_$T(-0.5f), splat_$T(1.0f)));
${quadrants === 0 ? '' : 'q = q + 1;\n'}$b32 odd = -(q & 1);
$T y = where_$T(odd, cosine, sine);
y = from_bits_$T(bits_$T(y) ^ ((q & 2) << 30));
${hugeLanes(libm)(at)}
${quadrants === 0 ? 'return where_$T(eq_$T(x, splat_$T(0.0f)), x, y); // -0' : 'return y;'}`

const f32 = ['f32'] as const
const x = ['$T x'] as const
/** π/2 = HALF_PI + HALF_PI_LOW */
const halfPi = '0x1.921fb6p+0f'
const halfPiLow = '-0x1.777a5cp-25f'

/** asin s for 0 ≤ s ≤ 1/2 and its square z */
const asinCore = `$b32 big = gt_$T(a, splat_$T(0.5f)); // then asin a = π/2 - 2 asin sqrt((1 - a)/2)
$T z = where_$T(big, fma_$T(a, splat_$T(-0.5f), splat_$T(0.5f)), a * a);
$T s = where_$T(big, sqrt_$T(z), a);
${horner('p', 'z', asinTail)}
p = fma_$T(p * z, s, s);`

/** atan q for 0 ≤ q ≤ 1 */
const atanCore = `$T s = q * q;
${horner('p', 's', atanTail)}
p = fma_$T(p * s, q, q);`

export const trigonometryFamilies: Families = {
  sin: lanes({ doc: 'Sine.', elems: f32, params: x, body: sinCos(0, 'sin'), widest: 8, long: true }),
  cos: lanes({ doc: 'Cosine.', elems: f32, params: x, body: sinCos(1, 'cos'), widest: 8, long: true }),
  sin_rest: restFamily('sin', 1),
  cos_rest: restFamily('cos', 1),
  tan_rest: restFamily('tan', 1),
  tan: lanes({
    doc: 'Tangent.',
    elems: f32,
    params: x,
    body: at => `${reduce}
${horner('p', 's', tanTail)}
p = fma_$T(p * s, r, r);
$b32 odd = -(q & 1); // then tan x = -1 / tan r
$T y = where_$T(odd, splat_$T(-1.0f), p) / where_$T(odd, p, splat_$T(1.0f));
${hugeLanes('tan')(at)}
return where_$T(eq_$T(x, splat_$T(0.0f)), x, y); // -0`,
    widest: 8,
    long: true,
  }),
  asin: lanes({
    doc: 'Arc sine; NaN beyond ±1.',
    elems: f32,
    params: x,
    body: `$T a = abs_$T(x);
${asinCore}
$T y = where_$T(big, fma_$T(p, splat_$T(-2.0f), splat_$T(${halfPiLow})) + ${halfPi}, p);
return copysign_$T(y, x);`,
    long: true,
  }),
  acos: lanes({
    doc: 'Arc cosine; NaN beyond ±1.',
    elems: f32,
    params: x,
    body: `$T a = abs_$T(x);
${asinCore}
$b32 negative = lt_$T(x, splat_$T(0.0f));
$T near = where_$T(negative, fma_$T(p, splat_$T(-2.0f), splat_$T(2 * ${halfPiLow})) + 2 * ${halfPi}, p * 2.0f); // |x| near 1
$T middle = ${halfPi} - (copysign_$T(p, x) - ${halfPiLow});
return where_$T(big, near, middle);`,
    long: true,
  }),
  atan: lanes({
    doc: 'Arc tangent.',
    elems: f32,
    params: x,
    body: `$T a = abs_$T(x);
$b32 big = gt_$T(a, splat_$T(1.0f)); // then atan a = π/2 - atan(1/a)
$T q = where_$T(big, splat_$T(1.0f), a) / where_$T(big, a, splat_$T(1.0f));
${atanCore}
return copysign_$T(where_$T(big, ${halfPi} - (p - ${halfPiLow}), p), x);`,
    long: true,
  }),
  atan2: lanes({
    doc: 'Angle of the point (x, y), in [-π, π].',
    elems: f32,
    params: ['$T y', '$T x'],
    body: `$T ax = abs_$T(x), ay = abs_$T(y);
$b32 steep = gt_$T(ay, ax);
$T low = where_$T(steep, ax, ay), high = where_$T(steep, ay, ax);
$T q = low / high;
q = where_$T(eq_$T(high, splat_$T(0.0f)), splat_$T(0.0f), q);           // 0/0 counts as 0
q = where_$T(eq_$T(low, splat_$T(__builtin_inff())), splat_$T(1.0f), q); // and inf/inf as 1
${atanCore}
p = where_$T(steep, ${halfPi} - (p - ${halfPiLow}), p);
p = where_$T(lt_$i32(bits_$T(x), splat_$i32(0)), 2 * ${halfPi} - (p - 2 * ${halfPiLow}), p);
return where_$T(unordered_$T(x, y), x + y, copysign_$T(p, y));`,
    long: true,
  }),
}

export const hyperbolicFamilies: Families = {
  tanh: lanes({
    doc: 'Hyperbolic tangent: (e^2a - 1) / (e^2a + 1) of a = |x|.',
    elems: f32,
    params: x,
    body: `$T t = expm1_bounded_$T(2.0f * at_most_$T(abs_$T(x), 10.0f)); // the result is 1 from 9.02 on
return copysign_$T(t / (t + 2.0f), x);`,
  }),
  sinh: lanes({
    doc: 'Hyperbolic sine.',
    elems: f32,
    params: x,
    body: `$T a = abs_$T(x), s = x * x;
$T h = exp_scaled_$T(a, 1.0f); // e^a / 2, finite where the result is
${horner('p', 's', sinhTail)}
p = fma_$T(p * s, x, x);
return where_$T(lt_$T(a, splat_$T(1.0f)), p, copysign_$T(h - 0.25f / h, x));`,
    long: true,
  }),
  cosh: lanes({
    doc: 'Hyperbolic cosine.',
    elems: f32,
    params: x,
    body: `$T h = exp_scaled_$T(abs_$T(x), 1.0f); // e^|x| / 2, finite where the result is
return h + 0.25f / h;`,
    long: true,
  }),
  asinh: lanes({
    doc: 'Inverse hyperbolic sine.',
    elems: f32,
    params: x,
    body: `$T a = abs_$T(x), s = a * a;
$b32 big = gt_$T(a, splat_$T(0x1p28f)); // then asinh a = log 2a
$T z = a + s / (1.0f + sqrt_$T(1.0f + s));
$T y = log1p_$T(where_$T(big, a, z)) + where_$T(big, splat_$T(0x1.62e43p-1f), splat_$T(0.0f));
return copysign_$T(y, x);`,
    long: true,
  }),
  acosh: lanes({
    doc: 'Inverse hyperbolic cosine; NaN below 1.',
    elems: f32,
    params: x,
    body: `$T t = x - 1.0f;
$b32 big = gt_$T(x, splat_$T(0x1p28f)); // then acosh x = log 2x
$T z = t + sqrt_$T(t * (t + 2.0f));
$T y = log1p_$T(where_$T(big, x, z)) + where_$T(big, splat_$T(0x1.62e43p-1f), splat_$T(0.0f));
return where_$T(lt_$T(x, splat_$T(1.0f)), splat_$T(__builtin_nanf("")), y);`,
    long: true,
  }),
  atanh: lanes({
    doc: 'Inverse hyperbolic tangent; infinite at ±1, NaN beyond.',
    elems: f32,
    params: x,
    body: `$T a = abs_$T(x);
return copysign_$T(0.5f * log1p_$T(2.0f * a / (1.0f - a)), x);`,
    long: true,
  }),
}
