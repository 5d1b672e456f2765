/** Pointwise ops beyond the elementary functions: Γ and its kin, divisors, and products safe at 0, infinity or NaN. */

import { erf, erfc } from '../../scalar/special.js'
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

/** c[0] + c[1] x + c[2] x² + …, from the highest power down. */
const polynomial = (e: Emit, x: GraphNode, coefficients: readonly number[]): GraphNode =>
  coefficients
    .slice(0, -1)
    .reduceRight<GraphNode>((sum, c) => e('add', e('mul', sum, x), c), e('add', e('mul', x, 0), coefficients.at(-1)!))

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
  gradient: ({ inputs: [x], outputGradients: [g], op: apply }) => [apply('where', apply('isfinite', x), g!, 0)],
})

// --- Γ -----------------------------------------------------------------------------------------------------------------

/** How far the argument is shifted up, to where the asymptotic series is accurate. */
const shift = 8
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]
const bernoulli = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12]

/** x reflected to at least 1/2, then shifted up to at least 8, and whether each was done. */
function moved(e: Emit, x: GraphNode) {
  const reflect = e('lt', x, 0.5)
  const z = e('where', reflect, e('sub', 1, x), x)
  const low = e('lt', z, shift)
  return { reflect, z, low, w: e('where', low, e('add', z, shift), z) }
}

function lgammaOf(e: Emit, x: GraphNode): GraphNode {
  const { reflect, z, low, w } = moved(e, x)
  const inverse = e('div', 1, w)
  const series = e('mul', inverse, polynomial(e, e('mul', inverse, inverse), stirling))
  const leading = e('sub', e('mul', e('sub', w, 0.5), e('log', w)), w)
  let product = z
  for (let k = 1; k < shift; k++) product = e('mul', product, e('add', z, k))
  const own = e(
    'sub',
    e('add', e('add', leading, Math.log(2 * PI) / 2), series),
    e('where', low, e('log', e('where', low, product, 1)), 0),
  )
  // ln π − ln |sin πx|, with x reduced first: it has period 1 and is even.
  const size = e('abs', x)
  const rest = e('sub', size, e('floor', size))
  const sine = e('sin', e('mul', e('min', rest, e('sub', 1, rest)), PI))
  const finite = e('sub', e('sub', Math.log(PI), e('log', sine)), own)
  const reflected = e('where', e('eq', sine, 0), infinity, finite)
  return e('where', e('isinf', x), infinity, e('where', reflect, reflected, own))
}

function digammaOf(e: Emit, x: GraphNode): GraphNode {
  const { reflect, z, low, w } = moved(e, x)
  const inverse = e('div', 1, w)
  const square = e('mul', inverse, inverse)
  const series = e('add', e('mul', inverse, 0.5), e('mul', square, polynomial(e, square, bernoulli)))
  let sum = e('div', 1, z)
  for (let k = 1; k < shift; k++) sum = e('add', sum, e('div', 1, e('add', z, k)))
  const own = e('sub', e('sub', e('log', w), series), e('where', low, sum, 0))
  const rest = e('sub', x, e('round', x))
  const reflected = e('sub', own, e('div', PI, e('tan', e('mul', rest, PI))))
  const pole = e('and', e('lt', x, 0), e('eq', x, e('floor', x)))
  const value = e('where', pole, Number.NaN, e('where', reflect, reflected, own))
  return e('where', e('eq', x, 0), e('copysign', infinity, e('neg', x)), value)
}

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** ln Γ by Lanczos' sum, independent of the series above. */
function lgamma(x: number): number {
  if (Math.abs(x) === infinity) return infinity
  if (x < 0.5) {
    const rest = Math.abs(x) - Math.floor(Math.abs(x))
    return Math.log(PI / Math.sin(PI * Math.min(rest, 1 - rest))) - lgamma(1 - x)
  }
  const t = x + 6.5
  const sum = lanczos.reduce((a, c, i) => a + c / (x + i), 0.9999999999998099)
  return Math.log(2 * PI) / 2 + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

/** The derivative of Lanczos' formula. */
function digamma(x: number): number {
  if (x === 0) return Object.is(x, -0) ? infinity : -infinity
  if (x === infinity) return infinity
  if (x < 0 && x === Math.floor(x)) return Number.NaN
  if (x < 0.5) return digamma(1 - x) - PI / Math.tan(PI * (x - Math.round(x)))
  const t = x + 6.5
  const sum = lanczos.reduce((a, c, i) => a + c / (x + i), 0.9999999999998099)
  const slope = lanczos.reduce((a, c, i) => a - c / (x + i) ** 2, 0)
  return Math.log(t) - 7 / t + slope / sum
}

// --- the inverse of erf --------------------------------------------------------------------------------------------------

/** Giles' polynomials in w = −ln(1 − x²), accurate to six digits: the start of Halley's iteration. */
const gilesNear = [
  1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087, -4.39150654e-6, -3.5233877e-6, 3.43273939e-7,
  2.81022636e-8,
]
const gilesFar = [
  2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773, -0.00367342844, 0.00134934322, 0.000100950558,
  -0.000200214257,
]

function erfinvOf(e: Emit, x: GraphNode): GraphNode {
  const a = e('abs', x)
  const w = e('neg', e('log', e('mul', e('sub', 1, a), e('add', 1, a))))
  const near = polynomial(e, e('sub', w, 2.5), gilesNear)
  const far = polynomial(e, e('sub', e('sqrt', w), 3), gilesFar)
  let y = e('mul', e('where', e('lt', w, 5), near, far), a)
  // Giles' polynomials are good to seven digits up to 1 − 2^−24, the last f32 before 1; of f64 they only start.
  const steps = dtypeOf(x) === 'f64' ? 3 : 1
  for (let step = 0; step < steps; step++) {
    // For x near 1, 1 − x is exact and erfc keeps the digits that erf loses.
    const miss = e('where', e('gt', a, 0.5), e('sub', e('sub', 1, a), e('erfc', y)), e('sub', e('erf', y), a))
    const newton = e('mul', miss, e('mul', e('exp', e('mul', y, y)), Math.sqrt(PI) / 2))
    y = e('sub', y, e('div', newton, e('add', 1, e('mul', y, newton))))
  }
  return e('copysign', e('where', e('eq', a, 1), infinity, y), x)
}

/** By bisection. */
function erfinv(x: number): number {
  const a = Math.abs(x)
  if (Number.isNaN(x) || a > 1) return Number.NaN
  if (a === 1) return x * infinity
  if (a < 1e-12) return (x * Math.sqrt(PI)) / 2
  let [low, high] = [0, 7]
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2
    const above = a > 0.5 ? erfc(middle) < 1 - a : erf(middle) > a
    if (above) high = middle
    else low = middle
  }
  return Math.sign(x) * ((low + high) / 2)
}

// --- divisors ------------------------------------------------------------------------------------------------------------

/** Euclid's algorithm takes at most as many iterations as there are Fibonacci numbers in the dtype's range. */
function euclid(e: Emit, x: GraphNode, y: GraphNode): GraphNode {
  let [a, c] = [x, y]
  const steps = Math.ceil(dtypes[dtypeOf(x)].bits / Math.log2((1 + Math.sqrt(5)) / 2)) + 1
  for (let i = 0; i < steps; i++) {
    const done = e('eq', c, 0)
    const rest = e('fmod', a, c)
    a = e('where', done, a, c)
    c = e('where', done, c, rest)
  }
  return dtypes[dtypeOf(x)].kind === 'uint' ? a : e('abs', a)
}
const magnitude = (x: bigint): bigint => (x < 0n ? -x : x)
const gcd = (x: bigint, y: bigint): bigint => (y === 0n ? magnitude(x) : gcd(y, x % y))

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
    gradient: ({ inputs: [x], outputs: [out], outputGradients: [g], op: apply }) => [
      apply('mul', g!, apply('eq', x, out)),
      apply('mul', g!, apply('ne', x, out)),
    ],
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
      if (eps === null) return [slope]
      const inside = apply('logicalAnd', apply('ge', x, eps), apply('le', x, 1 - eps))
      return [apply('where', inside, slope, 0)]
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
  gradient: 'later',
})

export const specialRecords = {
  nanToNum,
  lgamma: unary('lgamma', 'ln |Γ(self)|.', {
    takes: 'float',
    wide: true,
    build: lgammaOf,
    float: lgamma,
    gradient: ({ inputs: [x], outputGradients: [g], op: apply }) => [apply('mul', g!, apply('digamma', x))],
  }),
  digamma: unary('digamma', 'The derivative of ln Γ(self); NaN at negative integers, ∓∞ at ±0.', {
    takes: 'float',
    wide: true,
    build: digammaOf,
    float: digamma,
    gradient: 'later',
  }),
  erfinv: unary('erfinv', 'The number in (−∞, ∞) whose erf is self; NaN beyond ±1.', {
    takes: 'float',
    build: erfinvOf,
    float: erfinv,
    gradient: ({ outputs: [y], outputGradients: [g], op: apply }) => [
      apply('mul', g!, apply('mul', apply('exp', apply('square', y)), Math.sqrt(PI) / 2)),
    ],
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
      apply('mul', g!, apply('log1p', y)),
      apply('mul', g!, apply('div', x, apply('add', y, 1))),
    ],
  }),
  logaddexp2: binary('logaddexp2', 'log₂(2^self + 2^other), without overflow.', {
    takes: 'float',
    build: logaddexp2Of,
    float: (x, y) => Math.max(x, y) + Math.log1p(2 ** (x === y ? 0 : -Math.abs(x - y))) * Math.LOG2E,
    gradient: ({ inputs: [x, y], outputs: [out], outputGradients: [g], op: apply }) => [
      apply('mul', g!, apply('exp2', apply('sub', x, out))),
      apply('mul', g!, apply('exp2', apply('sub', y, out))),
    ],
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
    build: euclid,
    integer: gcd,
    gradient: 'none',
  }),
  lcm: binary('lcm', 'The least common multiple, at least 0; 0 if either is 0.', {
    takes: 'integer',
    build: (e, x, y) => {
      const size = (node: GraphNode): GraphNode => (dtypes[dtypeOf(node)].kind === 'uint' ? node : e('abs', node))
      return e('mul', size(e('truncDiv', x, euclid(e, x, y))), size(y))
    },
    integer: (x, y) => (x === 0n || y === 0n ? 0n : magnitude((x / gcd(x, y)) * y)),
    gradient: 'none',
  }),
}
