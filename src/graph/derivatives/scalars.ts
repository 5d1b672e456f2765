/**
 * The derivative column over the scalar ops: for each operand, ∂f/∂operand · v, elementwise. In reverse mode v is the
 * gradient of the result, in forward mode the tangent of the operand. `zero`: the derivative is 0 wherever there is one, as
 * PyTorch counts it; `none`: results are no numbers that depend on the operands continuously (bits, comparisons).
 */
import type { ScalarOpName } from '../../scalar/ops.js'
import type { GraphNode } from '../ir.js'
import type { Emit } from '../ops/elementwise.js'

/** `v` times the derivative at the operands, whose result is `y`. */
type Times = (e: Emit, v: GraphNode, operands: readonly GraphNode[], y: GraphNode) => GraphNode
export type ScalarDerivative = 'none' | readonly (Times | 'zero')[]

const twoOverRootPi = 2 / Math.sqrt(Math.PI)

const unary = (times: (e: Emit, v: GraphNode, x: GraphNode, y: GraphNode) => GraphNode): ScalarDerivative => [
  (e, v, [x], y) => times(e, v, x!, y),
]
const binary = (
  first: (e: Emit, v: GraphNode, x: GraphNode, y: GraphNode, result: GraphNode) => GraphNode,
  second: (e: Emit, v: GraphNode, x: GraphNode, y: GraphNode, result: GraphNode) => GraphNode,
): ScalarDerivative => [(e, v, [x, y], z) => first(e, v, x!, y!, z), (e, v, [x, y], z) => second(e, v, x!, y!, z)]

const same = (_: Emit, v: GraphNode): GraphNode => v
const flat = ['zero'] as const
const bothFlat = ['zero', 'zero'] as const

/** At a tie half to each; a NaN that either operand causes reaches both, as in PyTorch. */
const choice = (losesWhen: 'lt' | 'gt'): ScalarDerivative => {
  const share = (e: Emit, v: GraphNode, own: GraphNode, other: GraphNode): GraphNode =>
    e('where', e('eq', own, other), e('mul', v, 0.5), e('where', e(losesWhen, own, other), 0, v))
  return binary(
    (e, v, x, y) => share(e, v, x, y),
    (e, v, x, y) => share(e, v, y, x),
  )
}

/** All to the operand that is chosen, the first one at a tie. */
const choiceIgnoringNaN = (winsWhen: 'ge' | 'le'): ScalarDerivative => {
  const isFirst = (e: Emit, x: GraphNode, y: GraphNode): GraphNode => e('or', e(winsWhen, x, y), e('isnan', y))
  return binary(
    (e, v, x, y) => e('where', isFirst(e, x, y), v, 0),
    (e, v, x, y) => e('where', isFirst(e, x, y), 0, v),
  )
}

const rootOfOneMinusSquare = (e: Emit, x: GraphNode): GraphNode => e('rsqrt', e('sub', 1, e('mul', x, x)))

/** The terms of the asymptotic series of ψ′(x) − 1/x − 1/2x², divided by x: Abramowitz & Stegun 6.4.12. */
const trigammaSeries = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6]
/** Above, the series is exact to float64. */
const trigammaLimit = 10

/** ψ′(x): reflected to x ≥ ½, raised by the recurrence ψ′(x) = ψ′(x + 1) + 1/x², then the asymptotic series. */
function trigamma(e: Emit, x: GraphNode): GraphNode {
  const isLow = e('lt', x, 0.5)
  const inverseSquare = (at: GraphNode): GraphNode => e('div', 1, e('mul', at, at))
  let at = e('where', isLow, e('sub', 1, x), x)
  let sum = inverseSquare(at)
  for (let i = 1; i < trigammaLimit; i++) {
    at = e('add', at, 1)
    sum = e('add', sum, inverseSquare(at))
  }
  at = e('add', at, 1)
  const step = inverseSquare(at)
  const [last, ...terms] = trigammaSeries.toReversed() as [number, number, ...number[]]
  const [start, ...rest] = terms as [number, ...number[]]
  const series = rest.reduce(
    (inner, term) => e('add', e('mul', inner, step), term),
    e('add', e('mul', step, last), start),
  )
  const tail = e('div', e('add', e('add', e('div', 0.5, at), 1), e('mul', series, step)), at)
  const value = e('add', sum, tail)
  const sine = e('sin', e('mul', e('sub', x, e('round', x)), Math.PI))
  return e('where', isLow, e('sub', e('div', Math.PI ** 2, e('mul', sine, sine)), value), value)
}

export const scalarDerivatives: { readonly [Fn in ScalarOpName]: ScalarDerivative } = {
  neg: unary((e, v) => e('neg', v)),
  abs: unary((e, v, x) => e('mul', v, e('sign', x))),
  sign: flat,
  add: [same, same],
  sub: [same, (e, v) => e('neg', v)],
  mul: binary(
    (e, v, _, y) => e('mul', v, y),
    (e, v, x) => e('mul', v, x),
  ),
  div: binary(
    (e, v, _, y) => e('div', v, y),
    (e, v, _, y, quotient) => e('neg', e('mul', v, e('div', quotient, y))),
  ),
  floorDiv: bothFlat,
  truncDiv: bothFlat,
  mod: binary(same, (e, v, x, y) => e('neg', e('mul', v, e('floorDiv', x, y)))),
  fmod: binary(same, (e, v, x, y) => e('neg', e('mul', v, e('trunc', e('div', x, y))))),
  pow: binary(
    (e, v, x, y) => e('where', e('eq', y, 0), 0, e('mul', v, e('mul', y, e('pow', x, e('sub', y, 1))))),
    (e, v, x, y, power) => {
      const isZero = e('and', e('eq', x, 0), e('ge', y, 0))
      return e('where', isZero, 0, e('mul', v, e('mul', power, e('log', e('where', isZero, 1, x)))))
    },
  ),
  gcd: 'none',
  fma: [(e, v, [, y]) => e('mul', v, y!), (e, v, [x]) => e('mul', v, x!), same],
  min: choice('gt'),
  max: choice('lt'),
  fmin: choiceIgnoringNaN('le'),
  fmax: choiceIgnoringNaN('ge'),
  floor: flat,
  ceil: flat,
  trunc: flat,
  round: flat,
  copysign: [(e, v, [x, y]) => e('mul', v, e('mul', e('sign', x!), e('copysign', 1, y!))), 'zero'],
  sqrt: unary((e, v, _, y) => e('div', v, e('mul', y, 2))),
  rsqrt: unary((e, v, _, y) => e('mul', e('mul', v, -0.5), e('mul', e('mul', y, y), y))),
  exp: unary((e, v, _, y) => e('mul', v, y)),
  exp2: unary((e, v, _, y) => e('mul', v, e('mul', y, Math.LN2))),
  expm1: unary((e, v, _, y) => e('mul', v, e('add', y, 1))),
  log: unary((e, v, x) => e('div', v, x)),
  log2: unary((e, v, x) => e('div', v, e('mul', x, Math.LN2))),
  log10: unary((e, v, x) => e('div', v, e('mul', x, Math.LN10))),
  log1p: unary((e, v, x) => e('div', v, e('add', x, 1))),
  logaddexp: [(e, v, [x, y]) => e('mul', v, shareOf(e, x!, y!)), (e, v, [x, y]) => e('mul', v, shareOf(e, y!, x!))],
  sin: unary((e, v, x) => e('mul', v, e('cos', x))),
  cos: unary((e, v, x) => e('neg', e('mul', v, e('sin', x)))),
  tan: unary((e, v, _, y) => e('mul', v, e('add', e('mul', y, y), 1))),
  asin: unary((e, v, x) => e('mul', v, rootOfOneMinusSquare(e, x))),
  acos: unary((e, v, x) => e('neg', e('mul', v, rootOfOneMinusSquare(e, x)))),
  atan: unary((e, v, x) => e('div', v, e('add', e('mul', x, x), 1))),
  atan2: binary(
    (e, v, y, x) => e('mul', v, e('div', x, e('add', e('mul', x, x), e('mul', y, y)))),
    (e, v, y, x) => e('neg', e('mul', v, e('div', y, e('add', e('mul', x, x), e('mul', y, y))))),
  ),
  sinh: unary((e, v, x) => e('mul', v, e('cosh', x))),
  cosh: unary((e, v, x) => e('mul', v, e('sinh', x))),
  tanh: unary((e, v, _, y) => e('mul', v, e('sub', 1, e('mul', y, y)))),
  asinh: unary((e, v, x) => e('mul', v, e('rsqrt', e('add', e('mul', x, x), 1)))),
  acosh: unary((e, v, x) => e('mul', v, e('rsqrt', e('sub', e('mul', x, x), 1)))),
  atanh: unary((e, v, x) => e('div', v, e('sub', 1, e('mul', x, x)))),
  erf: unary((e, v, x) => e('mul', v, e('mul', e('exp', e('neg', e('mul', x, x))), twoOverRootPi))),
  erfc: unary((e, v, x) => e('mul', v, e('mul', e('exp', e('neg', e('mul', x, x))), -twoOverRootPi))),
  erfinv: unary((e, v, _, y) => e('mul', v, e('mul', e('exp', e('mul', y, y)), 1 / twoOverRootPi))),
  lgamma: unary((e, v, x) => e('mul', v, e('digamma', x))),
  digamma: unary((e, v, x) => e('mul', v, trigamma(e, x))),
  sigmoid: unary((e, v, _, y) => e('mul', v, e('mul', y, e('sub', 1, y)))),
  isnan: 'none',
  isinf: 'none',
  isfinite: 'none',
  eq: 'none',
  ne: 'none',
  lt: 'none',
  le: 'none',
  gt: 'none',
  ge: 'none',
  not: 'none',
  and: 'none',
  or: 'none',
  xor: 'none',
  shl: 'none',
  shr: 'none',
  shrLogical: 'none',
  where: [
    'zero',
    (e, v, [condition]) => e('where', condition!, v, 0),
    (e, v, [condition]) => e('where', condition!, 0, v),
  ],
}

/** e^own / (e^own + e^other); half for equal infinities. */
const shareOf = (e: Emit, own: GraphNode, other: GraphNode): GraphNode =>
  e('sigmoid', e('where', e('eq', own, other), 0, e('sub', own, other)))
