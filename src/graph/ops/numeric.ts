/** Pointwise ops of signs, safe products and distances: what the plain formula gets wrong at 0, infinity or overflow. */
import { ArgumentError } from '../../base/errors.js'
import { scalarOps } from '../../scalar/ops.js'
import { isFloat } from '../../types/dtype.js'
import { dtypeOf } from '../build.js'
import { call } from './arguments.js'
import { binary, elementwise, unary } from './elementwise.js'

const infinity = Number.POSITIVE_INFINITY
const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0)

const addcmul = elementwise(
  {
    name: 'addcmul',
    summary: 'self + value · tensor1 · tensor2.',
    details: { tensor1: 'one factor', tensor2: 'the other factor', value: 'a factor on the product; 1 unless given' },
    takes: 'number',
    build: (e, [x, a, c, value]) => e('add', x!, e('mul', value === undefined ? a! : e('mul', value, a!), c!)),
    float: ([x, a, c, value = 1]) => x! + value * a! * c!,
    integer: ([x, a, c, value = 1n]) => x! + value * a! * c!,
  },
  'self, tensor1, tensor2, *, value: operand | null = null',
)

const addcdiv = elementwise(
  {
    name: 'addcdiv',
    summary: 'self + value · tensor1 / tensor2.',
    details: { tensor1: 'what is divided', tensor2: 'the divisor', value: 'a factor on the quotient; 1 unless given' },
    takes: 'float',
    build: (e, [x, a, c, value]) => e('add', x!, e('div', value === undefined ? a! : e('mul', value, a!), c!)),
    float: ([x, a, c, value = 1]) => x! + (value * a!) / c!,
  },
  'self, tensor1, tensor2, *, value: operand | null = null',
)

const isclose = elementwise(
  {
    name: 'isclose',
    summary: '|self − other| ≤ atol + rtol · |other|, as bool; equal infinities are close, NaNs with equalNan.',
    details: {
      rtol: 'the relative tolerance: a factor on |other|',
      atol: 'the absolute tolerance',
      equalNan: 'NaN is close to NaN',
    },
    errors: { ArgumentError: 'when rtol or atol is negative' },
    takes: 'float',
    gives: 'bool',
    build: (e, [x, y], { rtol, atol, equalNan }) => {
      const distance = e('abs', e('sub', x!, y!))
      const limit = e('add', e('mul', e('abs', y!), rtol), atol)
      const near = e('and', e('isfinite', distance), e('le', distance, limit))
      const close = e('or', e('eq', x!, y!), near)
      return equalNan ? e('or', close, e('and', e('isnan', x!), e('isnan', y!))) : close
    },
    float: ([x, y], { rtol, atol, equalNan }) => {
      if (x === y || (equalNan && Number.isNaN(x) && Number.isNaN(y))) return true
      const distance = Math.abs(x! - y!)
      return distance < infinity && distance <= atol + rtol * Math.abs(y!)
    },
    gradient: 'none',
  },
  'self, other: operand, rtol: number = 1e-5, atol: number = 1e-8, equalNan: bool = false',
  ({ self, other, ...attrs }) => {
    for (const [key, value] of Object.entries({ rtol: attrs.rtol, atol: attrs.atol }))
      if (value < 0) throw new ArgumentError(`isclose: ${key} is ${value}`, { fix: 'use a number ≥ 0' })
    return call([self, other], attrs)
  },
)

export const numericRecords = {
  signbit: unary('signbit', 'True where self is negative; of floats the sign bit, which −0 has too.', {
    takes: 'any',
    gives: 'bool',
    build: (e, x) => (isFloat(dtypeOf(x)) ? e('lt', e('copysign', 1, x), 0) : e('lt', x, 0)),
    float: isNegative,
    integer: x => x < 0n,
    gradient: 'none',
  }),
  copysign: binary('copysign', '|self| with the sign of other.', {
    takes: 'float',
    build: 'copysign',
    float: (x, y) => (isNegative(y) ? -Math.abs(x) : Math.abs(x)),
  }),
  hypot: binary('hypot', '√(self² + other²) without overflow; infinite if either is.', {
    takes: 'float',
    build: (e, x, y) => {
      const [a, c] = [e('abs', x), e('abs', y)]
      const [large, small] = [e('max', a, c), e('min', a, c)]
      const ratio = e('div', small, large)
      const length = e('mul', large, e('sqrt', e('add', e('mul', ratio, ratio), 1)))
      // Only for 0 / 0 and ∞ / ∞ is the ratio undefined; ∞ wins over NaN.
      const either = e('or', e('isinf', a), e('isinf', c))
      return e(
        'where',
        either,
        e('max', e('where', e('isinf', a), a, c), 0),
        e('where', e('eq', large, 0), large, length),
      )
    },
    float: (x, y) => Math.hypot(x, y),
    gradient: ({ inputs: [x, y], outputs: [out], outputGradients: [g], op }) => [
      op('mul', g!, op('div', x, out)),
      op('mul', g!, op('div', y, out)),
    ],
  }),
  xlogy: binary('xlogy', 'self · ln(other); 0 where self is 0, unless other is NaN.', {
    takes: 'float',
    build: (e, x, y) => e('where', e('isnan', y), y, e('where', e('eq', x, 0), 0, e('mul', x, e('log', y)))),
    float: (x, y) => (Number.isNaN(y) ? y : x === 0 ? 0 : x * Math.log(y)),
    gradient: ({ inputs: [x, y], outputGradients: [g], op }) => [
      op('where', op('logicalAnd', op('eq', x, 0), op('le', y, 0)), 0, op('mul', g!, op('log', y))),
      op('mul', g!, op('div', x, y)),
    ],
  }),
  logaddexp: binary('logaddexp', 'ln(e^self + e^other), without overflow.', {
    takes: 'float',
    build: (e, x, y) => e('logaddexp', x, y),
    float: scalarOps.logaddexp.float,
  }),
  frac: unary('frac', 'self − trunc(self).', {
    takes: 'float',
    build: (e, x) => e('sub', x, e('trunc', x)),
    float: x => x - Math.trunc(x),
  }),
  isposinf: unary('isposinf', 'True where self is +∞.', {
    takes: 'float',
    gives: 'bool',
    onIntegers: false,
    build: (e, x) => e('eq', x, infinity),
    float: x => x === infinity,
    gradient: 'none',
  }),
  isneginf: unary('isneginf', 'True where self is −∞.', {
    takes: 'float',
    gives: 'bool',
    onIntegers: false,
    build: (e, x) => e('eq', x, -infinity),
    float: x => x === -infinity,
    gradient: 'none',
  }),
  deg2rad: unary('deg2rad', 'self · π / 180.', {
    takes: 'float',
    build: (e, x) => e('mul', x, Math.PI / 180),
    float: x => x * (Math.PI / 180),
  }),
  rad2deg: unary('rad2deg', 'self · 180 / π.', {
    takes: 'float',
    build: (e, x) => e('mul', x, 180 / Math.PI),
    float: x => x * (180 / Math.PI),
  }),
  addcmul,
  addcdiv,
  isclose,
}
