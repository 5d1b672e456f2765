/**
 * The formulas that replace scalar ops where a target lacks them, one per op. `docs` are the functions' comments in
 * generated code.
 */
import { InternalError } from '../base/errors.js'
import type { Builder } from '../ir/builder.js'
import { type LaneNode, valueType } from '../lane/ir.js'
import type { ScalarOpName } from '../scalar/ops.js'
import { type Dtype, isFloat } from '../types/dtype.js'
import { floatExpansions, integerExpansions } from './arithmetic.js'
import * as circle from './circle.js'
import * as double from './double.js'
import * as doubleCircle from './double-circle.js'
import * as doublePow from './double-pow.js'
import * as error from './erf.js'
import * as exponential from './exp.js'
import { type Expand, Formula, type Machine } from './formula.js'
import { digamma, lgamma, wideLgamma } from './gamma.js'
import * as hyperbolic from './hyperbolic.js'
import * as logarithm from './log.js'
import { logaddexp } from './logaddexp.js'
import { pow } from './pow.js'

type Expansion = (f: Formula, a: LaneNode, b: LaneNode) => LaneNode
type Expansions = { readonly [Fn in ScalarOpName]?: Expansion }

const { exp, exp2, expm1, sigmoid, tanh, sinh, cosh } = exponential
const { log, log2, log10, log1p } = logarithm
const { sin, cos, tan, asin, acos, atan, atan2 } = circle
const { asinh, acosh, atanh } = hyperbolic
const { erf, erfc, erfinv } = error

const f32Expansions: Expansions = {
  ...floatExpansions,
  ...{ exp, exp2, expm1, sigmoid, tanh, sinh, cosh, log, log2, log10, log1p, logaddexp },
  ...{ sin, cos, tan, asin, acos, atan, atan2, asinh, acosh, atanh, erf, erfc, erfinv, pow },
  ...{ lgamma, digamma },
}

const f64Expansions: Expansions = {
  ...floatExpansions,
  exp: double.exp,
  exp2: double.exp2,
  expm1: double.expm1,
  tanh: double.tanh,
  sinh: double.sinh,
  cosh: double.cosh,
  log: double.log,
  log2: double.log2,
  log10: double.log10,
  log1p: double.log1p,
  erf: double.erf,
  erfc: double.erfc,
  erfinv: double.erfinv,
  lgamma: wideLgamma,
  digamma,
  sin: doubleCircle.sin,
  cos: doubleCircle.cos,
  tan: doubleCircle.tan,
  asin: doubleCircle.asin,
  acos: doubleCircle.acos,
  atan: doubleCircle.atan,
  atan2: doubleCircle.atan2,
  pow: doublePow.pow,
  ...{ sigmoid, asinh, acosh, atanh, logaddexp },
}

function expansionsOf(dtype: Dtype): Expansions {
  if (dtype === 'f32') return f32Expansions
  return isFloat(dtype) ? f64Expansions : integerExpansions
}

/** Whether the op has a formula on this dtype. */
export const hasFormula = (fn: ScalarOpName, dtype: Dtype): boolean => expansionsOf(dtype)[fn] !== undefined

/** Comments of the functions in generated code, for ops whose name does not say everything. */
export const docs: { readonly [Fn in ScalarOpName]?: string } = {
  exp: 'e^x',
  exp2: '2^x',
  expm1: 'e^x - 1, accurate near 0.',
  sigmoid: '1 / (1 + e^-x); e^-|x| cannot overflow.',
  tanh: 'Hyperbolic tangent: (e^2a - 1) / (e^2a + 1) of a = |x|.',
  sinh: 'Hyperbolic sine.',
  cosh: 'Hyperbolic cosine.',
  asinh: 'Inverse hyperbolic sine.',
  acosh: 'Inverse hyperbolic cosine; NaN below 1.',
  atanh: 'Inverse hyperbolic tangent; infinite at ±1, NaN beyond.',
  log: 'Natural logarithm.',
  log2: 'Logarithm to base 2.',
  log10: 'Logarithm to base 10.',
  log1p: 'log(1 + x), accurate near 0.',
  logaddexp: 'log(e^a + e^b), which cannot overflow.',
  sin: 'Sine.',
  cos: 'Cosine.',
  tan: 'Tangent.',
  asin: 'Arc sine; NaN beyond ±1.',
  acos: 'Arc cosine; NaN beyond ±1.',
  atan: 'Arc tangent.',
  atan2: 'Angle of the point (b, a), in [-π, π].',
  erf: 'Error function: an odd polynomial near 0, 1 - e^P(|x|) elsewhere.',
  erfc: '1 - erf(x), accurate where that is small.',
  erfinv: 'The number whose erf is x; NaN beyond ±1.',
  lgamma: 'ln |Γ(x)|',
  digamma: 'The derivative of ln Γ.',
  gcd: 'The greatest common divisor.',
  pow: 'a to the power b, with the special cases of C.',
  sign: '-1, 0 or 1; NaN stays NaN.',
  rsqrt: '1 / sqrt(x)',
  fmod: 'Remainder with the sign of a (torch.fmod); of integers by 0, 0.',
  mod: 'Remainder with the sign of b (torch.remainder); of integers by 0, 0.',
  floorDiv: 'a / b rounded down (torch.floor_divide); of integers by 0, 0.',
  truncDiv: 'a / b rounded toward zero.',
  isnan: 'Whether x is NaN.',
  isinf: 'Whether x is an infinity.',
  isfinite: 'Whether x is neither NaN nor an infinity.',
}

/** The op's formula for these inputs, in the machine's native ops. */
export function formulaOf(
  machine: Machine,
  b: Builder<LaneNode>,
  fn: ScalarOpName,
  inputs: readonly LaneNode[],
): LaneNode {
  const { dtype, lanes } = valueType(inputs.at(-1)!)
  const expand = expansionsOf(dtype)[fn]
  if (expand === undefined) throw new InternalError(`no formula for ${fn} on ${dtype}`)
  const [first, second] = inputs as [LaneNode, LaneNode?]
  return expand(new Formula(b, dtype, lanes, machine, expander(machine)), first, second ?? first)
}

/** Returns a function that builds an op from the machine's native ops. */
export const expander =
  (machine: Machine): Expand =>
  (b, fn, inputs) =>
    machine.isNative(fn, valueType(inputs.at(-1)!).dtype)
      ? machine.map(b, fn, inputs)
      : formulaOf(machine, b, fn, inputs)
