/** Pointwise ops beyond the elementary functions: Γ and its kin, divisors, and products safe at 0, infinity or NaN. */

import { digamma, erfinv, gcd, lgamma } from '../../scalar/special.js'
import { computeDtype, dtypes, isFloat } from '../../types/dtype.js'
import { castTo, constant, dtypeOf, expandTo, map, shapeOf } from '../build.js'
import { hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import { broadcastShapes } from '../sizes.js'
import { arithmeticRecords } from './arithmetic.js'
import { binary, type Emit, elementwise, unary } from './elementwise.js'
import { anyKept, asBroadcast, asInput } from './texts.js'

const infinity = Number.POSITIVE_INFINITY
const { PI } = Math

// --- what replaces infinities and NaN ------------------------------------------------------------------------------------

type NanAttrs = { readonly nan: number; readonly posinf: number | null; readonly neginf: number | null }

const nanToNum = op({
  name: 'nanToNum',
  summary: 'self with NaN replaced by nan (0), ∞ by posinf and −∞ by neginf (the largest and smallest numbers).',
  category: 'pointwise',
  signature: 'self, nan: number = 0, posinf: number | null = null, neginf: number | null = null',
  shape: asInput,
  dtypes: anyKept,
  details: {
    nan: 'what replaces NaN',
    posinf: 'what replaces ∞; by default the largest number of the dtype',
    neginf: 'what replaces −∞; by default the smallest number of the dtype',
  },
  note: 'Integers and bool stay as they are.',
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], { nan, posinf, neginf }: NanAttrs) => {
    const { node } = input!
    const dtype = dtypeOf(node)
    if (!isFloat(dtype)) return [node]
    const x = castTo(b, node, computeDtype(dtype))
    const number = (value: number): GraphNode => expandTo(b, constant(b, dtypeOf(x), value), shapeOf(x))
    const replaced = (result: GraphNode, from: number, to: number): GraphNode =>
      map(b, 'where', map(b, 'eq', x, number(from)), number(to), result)
    const finite = replaced(replaced(x, infinity, posinf ?? dtypes[dtype].max), -infinity, neginf ?? dtypes[dtype].min)
    return [castTo(b, map(b, 'where', map(b, 'isnan', x), number(nan), finite), dtype)]
  },
  reference: ([input]: readonly HostTensor[], { nan, posinf, neginf }: NanAttrs) => {
    const { dtype, shape, data: values } = input!
    const of = (x: number): number =>
      Number.isNaN(x)
        ? nan
        : x === infinity
          ? (posinf ?? dtypes[dtype].max)
          : x === -infinity
            ? (neginf ?? dtypes[dtype].min)
            : x
    return [isFloat(dtype) ? hostFrom(dtype, shape, (_, i) => hostValue(dtype, of(Number(values[i])))) : input!]
  },
})

// --- divisors ------------------------------------------------------------------------------------------------------------

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x)

// --- others ----------------------------------------------------------------------------------------------------------------

/** sin πx / πx, with x reduced to half a period first. */
function sincOf(e: Emit, x: GraphNode): GraphNode {
  const rest = e('sub', x, e('mul', e('round', e('mul', x, 0.5)), 2))
  return e('where', e('eq', x, 0), 1, e('div', e('sin', e('mul', rest, PI)), e('mul', x, PI)))
}
function sinc(x: number): number {
  const rest = x - 2 * Math.round(x / 2)
  return x === 0 ? 1 : Math.sin(PI * rest) / (PI * x)
}

const logaddexp2Of = (e: Emit, x: GraphNode, y: GraphNode): GraphNode => {
  const distance = e('where', e('eq', x, y), 0, e('abs', e('sub', x, y)))
  return e('add', e('max', x, y), e('mul', e('log1p', e('exp2', e('neg', distance))), Math.LOG2E))
}

/** The other value where one is NaN. */
const ignoringNaN = (name: 'fmax' | 'fmin', fn: 'max' | 'min', summary: string) =>
  binary(name, summary, {
    takes: 'any',
    build: (e, x, y) => e(isFloat(dtypeOf(x)) ? name : fn, x, y),
    float: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math[fn](x, y)),
    integer: (x, y) => (x < y === (fn === 'min') ? x : y),
  })

const logit = elementwise(
  {
    name: 'logit',
    summary: 'ln(self / (1 − self)); with eps, self is first clamped to [eps, 1 − eps].',
    details: { eps: 'self is moved into [eps, 1 − eps] first; without it ±∞ at 0 and 1, NaN beyond' },
    takes: 'float',
    build: (e, [x], { eps }) => {
      const inside = eps === null ? x! : e('min', e('max', x!, eps), 1 - eps)
      return e('log', e('div', inside, e('sub', 1, inside)))
    },
    float: ([x], { eps }) => {
      const inside = eps === null || Number.isNaN(x) ? x! : Math.min(Math.max(x!, eps), 1 - eps)
      return Math.log(inside / (1 - inside))
    },
    gradient: ({ inputs: [x], outputGradients: [g], attrs: { eps }, op: apply }) => {
      const slope = apply('div', g!, apply('mul', x, apply('sub', 1, x)))
      if (eps === null) {
        const isOutside = apply('logicalOr', apply('lt', x, 0), apply('gt', x, 1))
        return [apply('where', isOutside, Number.NaN, slope)]
      }
      const isMoved = apply('logicalOr', apply('lt', x, eps), apply('gt', x, 1 - eps))
      return [apply('where', isMoved, 0, slope)]
    },
  },
  'self, eps: number | null = null',
)

const floatPower = op({
  name: 'floatPower',
  summary: 'self to the power of exponent, both as f64.',
  category: 'pointwise',
  signature: 'self, exponent: operand',
  shape: asBroadcast,
  dtypes: { takes: 'any', gives: 'f64' },
  details: { exponent: 'the power' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    broadcastShapes(
      'floatPower',
      inputs.map(({ node }) => shapeOf(node)),
    )
    const wide = inputs.map(({ node }) => ({ node: castTo(b, node, 'f64'), isNumber: false }))
    return arithmeticRecords.pow.build(b, wide, { negativeInteger: false })
  },
})

export const specialRecords = {
  nanToNum,
  lgamma: unary('lgamma', 'ln |Γ(self)|.', {
    takes: 'float',
    build: 'lgamma',
    float: lgamma,
  }),
  digamma: unary('digamma', 'The derivative of ln Γ(self); NaN at negative integers, ∓∞ at ±0.', {
    takes: 'float',
    build: 'digamma',
    float: digamma,
  }),
  erfinv: unary('erfinv', 'The number in (−∞, ∞) whose erf is self; NaN beyond ±1.', {
    takes: 'float',
    build: 'erfinv',
    float: erfinv,
  }),
  logit,
  sinc: unary('sinc', 'sin(π · self) / (π · self); 1 at 0.', {
    takes: 'float',
    build: sincOf,
    float: sinc,
    gradient: ({ inputs: [x], outputs: [y], outputGradients: [g], op: apply }) => {
      const slope = apply('div', apply('sub', apply('cos', apply('mul', x, PI)), y), x)
      return [apply('mul', g!, apply('where', apply('eq', x, 0), 0, slope))]
    },
  }),
  entr: unary('entr', '−self · ln(self); 0 at 0, −∞ below.', {
    takes: 'float',
    build: (e, x) => {
      const inside = e('where', e('eq', x, 0), 0, e('neg', e('mul', x, e('log', x))))
      return e('where', e('lt', x, 0), -infinity, inside)
    },
    float: x => (x < 0 ? -infinity : x === 0 ? 0 : -x * Math.log(x)),
    gradient: ({ inputs: [x], outputGradients: [g], op: apply }) => [
      apply('mul', g!, apply('neg', apply('add', apply('log', x), 1))),
    ],
  }),
  xlog1py: binary('xlog1py', 'self · ln(1 + other); 0 where self is 0, unless other is NaN.', {
    takes: 'float',
    build: (e, x, y) => e('where', e('isnan', y), y, e('where', e('eq', x, 0), 0, e('mul', x, e('log1p', y)))),
    float: (x, y) => (Number.isNaN(y) ? y : x === 0 ? 0 : x * Math.log1p(y)),
    gradient: ({ inputs: [x, y], outputGradients: [g], op: apply }) => [
      apply(
        'where',
        apply('logicalAnd', apply('eq', x, 0), apply('le', y, -1)),
        0,
        apply('mul', g!, apply('log1p', y)),
      ),
      apply('mul', g!, apply('div', x, apply('add', y, 1))),
    ],
  }),
  logaddexp2: binary('logaddexp2', 'log₂(2^self + 2^other), without overflow.', {
    takes: 'float',
    build: logaddexp2Of,
    float: (x, y) => Math.max(x, y) + Math.log1p(2 ** (x === y ? 0 : -Math.abs(x - y))) * Math.LOG2E,
    gradient: ({ inputs: [x, y], outputGradients: [g], op: apply }) => {
      const distance = apply('where', apply('eq', x, y), 0, apply('mul', apply('sub', x, y), Math.LN2))
      return [apply('mul', g!, apply('sigmoid', distance)), apply('mul', g!, apply('sigmoid', apply('neg', distance)))]
    },
  }),
  ldexp: binary('ldexp', 'self · 2^other.', {
    takes: 'float',
    wide: true,
    build: (e, x, y) => e('mul', x, e('exp2', y)),
    float: (x, y) => x * 2 ** y,
    gradient: ({ inputs: [x, y], outputs: [out], outputGradients: [g], op: apply }) => [
      typeof x === 'object' ? apply('mul', g!, apply('exp2', y)) : null,
      apply('mul', apply('mul', g!, out!), Math.LN2),
    ],
  }),
  heaviside: binary('heaviside', '0 where self is negative or NaN, 1 where it is positive, other where it is 0.', {
    takes: 'any',
    build: (e, x, y) => {
      const positive = e('gt', x, 0)
      return e('where', e('or', positive, e('eq', x, 0)), e('where', positive, 1, y), 0)
    },
    float: (x, y) => (x === 0 ? y : Number(x > 0)),
    integer: (x, y) => (x === 0n ? y : BigInt(x > 0n)),
    gradient: 'none',
  }),
  fmax: ignoringNaN('fmax', 'max', 'The larger of the two; where one is NaN, the one that is not.'),
  fmin: ignoringNaN('fmin', 'min', 'The smaller of the two; where one is NaN, the one that is not.'),
  floatPower,
  gcd: binary('gcd', 'The greatest common divisor, at least 0; gcd(0, 0) is 0.', {
    takes: 'integer',
    build: 'gcd',
    integer: gcd,
    gradient: 'none',
  }),
  lcm: binary('lcm', 'The least common multiple, at least 0; 0 if either is 0.', {
    takes: 'integer',
    build: (e, x, y) => {
      const size = (node: GraphNode): GraphNode => (dtypes[dtypeOf(node)].kind === 'uint' ? node : e('abs', node))
      return e('mul', size(e('truncDiv', x, e('gcd', x, y))), size(y))
    },
    integer: (x, y) => (x === 0n || y === 0n ? 0n : magnitude((x / gcd(x, y)) * y)),
    gradient: 'none',
  }),
}
