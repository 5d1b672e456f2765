/** Exponentials, logarithms, roots, trigonometry and rounding. */
import { DtypeError } from '../../base/errors.js'
import { erf, erfc } from '../../scalar/special.js'
import { isFloat } from '../../types/dtype.js'
import { dtypeOf } from '../build.js'
import type { Value } from '../record.js'
import { binary, elementwise, unary } from './elementwise.js'

type FloatName = Parameters<typeof unary>[2]['build'] & string
type UnaryGradient = Parameters<typeof unary>[2]['gradient']
type Apply = (name: string, ...args: readonly unknown[]) => Value

/** The gradient g · d, with d given by the input and the output. */
const times = (derivative: (op: Apply, x: Value, y: Value) => Value): UnaryGradient =>
  (({ inputs: [x], outputs: [y], outputGradients: [g], op }) => [
    op('mul', g!, derivative(op, x as Value, y!)),
  ]) satisfies UnaryGradient

const float = (name: FloatName, summary: string, reference: (x: number) => number, gradient: UnaryGradient) =>
  unary(name, summary, { takes: 'float', build: name, float: reference, gradient })

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

const ln2 = Math.LN2
const twoOverRootPi = 2 / Math.sqrt(Math.PI)

const sigmoid = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)))

export const mathRecords = {
  sqrt: float('sqrt', '√self.', Math.sqrt, ({ outputs: [y], outputGradients: [g], op }) => [
    op('div', g!, op('mul', y!, 2)),
  ]),
  rsqrt: float(
    'rsqrt',
    '1 / √self.',
    x => 1 / Math.sqrt(x),
    times((op, _, y) => op('mul', op('mul', op('mul', y, y), y), -0.5)),
  ),
  exp: float(
    'exp',
    'e^self.',
    Math.exp,
    times((_op, _x, y) => y),
  ),
  exp2: float(
    'exp2',
    '2^self.',
    x => 2 ** x,
    times((op, _, y) => op('mul', y, ln2)),
  ),
  expm1: float(
    'expm1',
    'e^self − 1, exact near 0.',
    Math.expm1,
    times((op, _, y) => op('add', y, 1)),
  ),
  log: float('log', 'The natural logarithm of self.', Math.log, ({ inputs: [x], outputGradients: [g], op }) => [
    op('div', g!, x),
  ]),
  log2: float('log2', 'The logarithm of self to base 2.', Math.log2, ({ inputs: [x], outputGradients: [g], op }) => [
    op('div', g!, op('mul', x, ln2)),
  ]),
  log10: float(
    'log10',
    'The logarithm of self to base 10.',
    Math.log10,
    ({ inputs: [x], outputGradients: [g], op }) => [op('div', g!, op('mul', x, Math.LN10))],
  ),
  log1p: float('log1p', 'ln(1 + self), exact near 0.', Math.log1p, ({ inputs: [x], outputGradients: [g], op }) => [
    op('div', g!, op('add', x, 1)),
  ]),
  sin: float(
    'sin',
    'The sine of self (radians).',
    Math.sin,
    times((op, x) => op('cos', x)),
  ),
  cos: float(
    'cos',
    'The cosine of self (radians).',
    Math.cos,
    times((op, x) => op('neg', op('sin', x))),
  ),
  tan: float(
    'tan',
    'The tangent of self (radians).',
    Math.tan,
    times((op, _, y) => op('add', op('mul', y, y), 1)),
  ),
  asin: float(
    'asin',
    'The angle in [−π/2, π/2] whose sine is self.',
    Math.asin,
    times((op, x) => op('rsqrt', op('sub', 1, op('mul', x, x)))),
  ),
  acos: float(
    'acos',
    'The angle in [0, π] whose cosine is self.',
    Math.acos,
    times((op, x) => op('neg', op('rsqrt', op('sub', 1, op('mul', x, x))))),
  ),
  atan: float(
    'atan',
    'The angle in (−π/2, π/2) whose tangent is self.',
    Math.atan,
    times((op, x) => op('reciprocal', op('add', op('mul', x, x), 1))),
  ),
  atan2: binary('atan2', 'The angle of the point (other, self), in [−π, π].', {
    takes: 'float',
    build: 'atan2',
    float: Math.atan2,
    gradient: ({ inputs: [y, x], outputGradients: [g], op }) => {
      const scaled = op('div', g!, op('add', op('square', y), op('square', x)))
      return [op('mul', scaled, x), op('neg', op('mul', scaled, y))]
    },
  }),
  sinh: float(
    'sinh',
    'The hyperbolic sine of self.',
    Math.sinh,
    times((op, x) => op('cosh', x)),
  ),
  cosh: float(
    'cosh',
    'The hyperbolic cosine of self.',
    Math.cosh,
    times((op, x) => op('sinh', x)),
  ),
  tanh: float(
    'tanh',
    'The hyperbolic tangent of self.',
    Math.tanh,
    times((op, _, y) => op('sub', 1, op('mul', y, y))),
  ),
  asinh: float(
    'asinh',
    'The inverse of sinh.',
    Math.asinh,
    times((op, x) => op('rsqrt', op('add', op('mul', x, x), 1))),
  ),
  acosh: float(
    'acosh',
    'The inverse of cosh, at least 0.',
    Math.acosh,
    times((op, x) => op('rsqrt', op('sub', op('mul', x, x), 1))),
  ),
  atanh: float(
    'atanh',
    'The inverse of tanh.',
    Math.atanh,
    times((op, x) => op('reciprocal', op('sub', 1, op('mul', x, x)))),
  ),
  erf: float(
    'erf',
    'The error function 2/√π · ∫₀^self e^(−t²) dt.',
    erf,
    times((op, x) => op('mul', op('exp', op('neg', op('mul', x, x))), twoOverRootPi)),
  ),
  erfc: float(
    'erfc',
    '1 − erf(self), exact where erf is near 1.',
    erfc,
    times((op, x) => op('mul', op('exp', op('neg', op('mul', x, x))), -twoOverRootPi)),
  ),
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
      gradient: ({ inputs: [x, y, w], outputGradients: [g], op }) => [
        op('mul', g!, op('sub', 1, w)),
        op('mul', g!, w),
        op('mul', g!, op('sub', y, x)),
      ],
    },
    'self, end, weight: operand',
  ),
  sigmoid: float(
    'sigmoid',
    '1 / (1 + e^−self).',
    sigmoid,
    times((op, _, y) => op('mul', y, op('sub', 1, y))),
  ),
}
