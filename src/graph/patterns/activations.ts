/** Activation functions written out in elementary ops. */
import { computeDtype } from '../../types/dtype.js'
import { dtypeOf, map as mapNode } from '../build.js'
import type { RecordName } from '../ops/index.js'
import {
  add,
  any,
  div,
  erf,
  exp,
  log,
  log1p,
  map,
  mul,
  named,
  neg,
  oneOf,
  type Pattern,
  pow,
  sigmoid,
  sub,
  tanh,
} from './pattern.js'
import type { Match, PatternRule } from './rule.js'

const x = any('x')

/** Builds the record on x, broadcast to the root. */
const record =
  (op: RecordName, attrs: object = {}) =>
  (found: Match) => {
    const input = found.tensor('x')
    return input === null ? null : found.build(op, [input], attrs)
  }

const rootTwoOverPi = Math.sqrt(2 / Math.PI)
const cubic = 0.044715

const cubeOf = (u: Pattern): Pattern => mul(u, u, u)

/** √(2/π)·(u + 0.044715·u³), in its usual spellings. */
const geluInner = (u: Pattern): Pattern =>
  oneOf(
    mul(rootTwoOverPi, add(u, mul(cubic, cubeOf(u)))),
    mul(rootTwoOverPi, u, add(1, mul(cubic, u, u))),
    add(mul(rootTwoOverPi, u), mul(rootTwoOverPi * cubic, cubeOf(u))),
  )

/** ½·u·(1 + y) and u·(½ + ½·y). */
const halfGated = (u: Pattern, y: Pattern): Pattern => oneOf(mul(0.5, u, add(1, y)), mul(u, add(0.5, mul(0.5, y))))

/** gelu of a pattern: by the error function, and the tanh approximation of its paper. */
export const geluOf = (u: Pattern): Pattern => halfGated(u, erf(mul(Math.SQRT1_2, u)))
export const geluTanhOf = (u: Pattern): Pattern => halfGated(u, tanh(geluInner(u)))

const log1pOf = (y: Pattern): Pattern => oneOf(log1p(y), log(add(1, y)))

export const activationRules: readonly PatternRule[] = [
  {
    name: 'sigmoid',
    pattern: oneOf(div(1, add(1, exp(neg(x)))), div(exp(x), add(1, exp(x)))),
    note: 'does not overflow: where e^x / (1 + e^x) was ∞ / ∞ = NaN it is 1',
    op: 'sigmoid',
    replace: record('sigmoid'),
  },
  {
    name: 'silu',
    pattern: oneOf(mul(x, sigmoid(x)), div(x, add(1, exp(neg(x))))),
    note: 'the same values, without overflow of e^−x',
    op: 'silu',
    replace: record('silu'),
  },
  {
    name: 'gelu',
    pattern: geluOf(x),
    note: 'the same formula; ½·x·erfc(−x/√2) is left alone, being more exact for x below 0',
    op: 'gelu',
    replace: record('gelu', { approximate: 'none' }),
  },
  {
    name: 'gelu (tanh)',
    pattern: geluTanhOf(x),
    note: 'the same formula; x·sigmoid(2u) is left alone, being more exact for x below 0',
    op: 'gelu',
    replace: record('gelu', { approximate: 'tanh' }),
  },
  {
    name: 'logSigmoid',
    pattern: log(sigmoid(x)),
    note: 'exact where sigmoid(x) is too small to be written, and near 1',
    op: 'logSigmoid',
    replace: record('logSigmoid'),
  },
  {
    name: 'softplus',
    pattern: log1pOf(exp(x)),
    note: 'where e^x overflows, x instead of ∞; exact where 1 + e^x rounds to 1',
    op: 'softplus',
    // Past 20 the record gives x itself: that is exact to f32's rounding, not to f64's.
    when: ({ root }) => computeDtype(dtypeOf(root)) === 'f32',
    replace: record('softplus', { beta: 1, threshold: 20 }),
  },
  {
    name: 'choice within the same choice',
    pattern: map('where', any('c'), any('a'), named('inner', map('where', any('c'), any('a'), any('b')))),
    note: 'the same values: where F.softplus is written out, its log(1 + e^x) has become a whole softplus already',
    replace: found => {
      const inner = found.part('inner')
      return dtypeOf(inner) === dtypeOf(found.root) ? found.inPlaceOf('inner', inner) : null
    },
  },
  {
    name: 'log1p',
    pattern: log(add(1, x)),
    note: 'exact near 0; log(1 − 0) is 0, log1p(−0) is −0',
    op: 'log1p',
    replace: record('log1p'),
  },
  {
    name: 'expm1',
    pattern: sub(exp(x), 1),
    note: 'exact near 0; e^−0 − 1 is 0, expm1(−0) is −0',
    op: 'expm1',
    replace: record('expm1'),
  },
  {
    name: 'cube',
    pattern: pow(x, 3),
    note: 'two products, each rounded once',
    replace: found => {
      const input = found.tensor('x')
      return input === null ? null : mapNode(found.builder, 'mul', mapNode(found.builder, 'mul', input, input), input)
    },
  },
  {
    name: 'reciprocal',
    pattern: pow(x, -1),
    note: 'the same values, rounded once',
    replace: record('reciprocal'),
  },
  {
    name: 'rsqrt',
    pattern: div(1, map('sqrt', x)),
    note: 'the same values',
    op: 'rsqrt',
    replace: record('rsqrt'),
  },
]
