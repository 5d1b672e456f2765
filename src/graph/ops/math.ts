/** Exponentials, logarithms, roots, trigonometry and rounding. */
import { DtypeError } from '../../base/errors.js'
import { erf, erfc } from '../../scalar/special.js'
import { isFloat } from '../../types/dtype.js'
import { dtypeOf } from '../build.js'
import { binary, elementwise, unary } from './elementwise.js'

type FloatName = Parameters<typeof unary>[2]['build'] & string

const float = (name: FloatName, summary: string, reference: (x: number) => number) =>
  unary(name, summary, { takes: 'float', build: name, float: reference })

/** Integers are returned unchanged: the scalar ops for rounding are float-only. */
const rounding = (name: 'floor' | 'ceil' | 'trunc', summary: string, reference: (x: number) => number) =>
  unary(name, summary, {
    takes: 'number',
    build: (e, x) => (isFloat(dtypeOf(x)) ? e(name, x) : x),
    float: reference,
    integer: x => x,
    gradient: 'none',
  })

const roundHalfEven = (x: number): number => {
  // Adding and subtracting 2^52 leaves no fraction bits, and the addition rounds halves to even.
  const magnitude = Math.abs(x) < 2 ** 52 ? Math.abs(x) + 2 ** 52 - 2 ** 52 : Math.abs(x)
  return x < 0 || Object.is(x, -0) ? -magnitude : magnitude
}

/** round(self · 10^decimals) / 10^decimals, as PyTorch computes it: to tens, hundreds, … where decimals is negative. */
const round = elementwise(
  {
    name: 'round',
    summary: 'self rounded to an integer, or to the given number of decimals; halves are rounded to even.',
    details: { decimals: 'how many decimals stay; negative: to tens, hundreds, …' },
    errors: { DtypeError: 'for integers with decimals other than 0' },
    takes: 'number',
    build: (e, [x], { decimals }) => {
      if (!isFloat(dtypeOf(x!))) return x!
      if (decimals === 0) return e('round', x!)
      const scale = 10 ** Math.abs(decimals)
      return decimals > 0
        ? e('div', e('round', e('mul', x!, scale)), scale)
        : e('mul', e('round', e('div', x!, scale)), scale)
    },
    float: ([x], { decimals }) => {
      const scale = 10 ** Math.abs(decimals)
      return decimals < 0 ? roundHalfEven(x! / scale) * scale : roundHalfEven(x! * scale) / scale
    },
    integer: ([x]) => x!,
    check: (dtype, { decimals }) => {
      if (!isFloat(dtype) && decimals !== 0)
        throw new DtypeError(`round: decimals is ${decimals}, and ${dtype} has none`, {
          fix: "cast first: x.to('f32')",
        })
    },
    gradient: 'none',
  },
  'self, *, decimals: int = 0',
)

const sigmoid = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)))

export const mathRecords = {
  sqrt: float('sqrt', '√self.', Math.sqrt),
  rsqrt: float('rsqrt', '1 / √self.', x => 1 / Math.sqrt(x)),
  exp: float('exp', 'e^self.', Math.exp),
  exp2: float('exp2', '2^self.', x => 2 ** x),
  expm1: float('expm1', 'e^self − 1, exact near 0.', Math.expm1),
  log: float('log', 'The natural logarithm of self.', Math.log),
  log2: float('log2', 'The logarithm of self to base 2.', Math.log2),
  log10: float('log10', 'The logarithm of self to base 10.', Math.log10),
  log1p: float('log1p', 'ln(1 + self), exact near 0.', Math.log1p),
  sin: float('sin', 'The sine of self (radians).', Math.sin),
  cos: float('cos', 'The cosine of self (radians).', Math.cos),
  tan: float('tan', 'The tangent of self (radians).', Math.tan),
  asin: float('asin', 'The angle in [−π/2, π/2] whose sine is self.', Math.asin),
  acos: float('acos', 'The angle in [0, π] whose cosine is self.', Math.acos),
  atan: float('atan', 'The angle in (−π/2, π/2) whose tangent is self.', Math.atan),
  atan2: binary('atan2', 'The angle of the point (other, self), in [−π, π].', {
    takes: 'float',
    build: 'atan2',
    float: Math.atan2,
  }),
  sinh: float('sinh', 'The hyperbolic sine of self.', Math.sinh),
  cosh: float('cosh', 'The hyperbolic cosine of self.', Math.cosh),
  tanh: float('tanh', 'The hyperbolic tangent of self.', Math.tanh),
  asinh: float('asinh', 'The inverse of sinh.', Math.asinh),
  acosh: float('acosh', 'The inverse of cosh, at least 0.', Math.acosh),
  atanh: float('atanh', 'The inverse of tanh.', Math.atanh),
  erf: float('erf', 'The error function 2/√π · ∫₀^self e^(−t²) dt.', erf),
  erfc: float('erfc', '1 − erf(self), exact where erf is near 1.', erfc),
  floor: rounding('floor', 'The largest integer not above self.', Math.floor),
  ceil: rounding('ceil', 'The smallest integer not below self.', Math.ceil),
  trunc: rounding('trunc', 'self without its fraction.', Math.trunc),
  round,
  lerp: elementwise(
    {
      name: 'lerp',
      summary: 'self + weight · (end − self).',
      details: { end: 'what weight 1 gives', weight: 'the share of end' },
      takes: 'float',
      build: (e, [x, y, w]) => e('add', x!, e('mul', w!, e('sub', y!, x!))),
      float: ([x, y, w]) => x! + w! * (y! - x!),
    },
    'self, end, weight: operand',
  ),
  sigmoid: float('sigmoid', '1 / (1 + e^−self).', sigmoid),
}
