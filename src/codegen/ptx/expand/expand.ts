/** Scalar ops that PTX lacks, as formulas of those it has. */
import { InternalError } from '../../../base/errors.js'
import type { Builder } from '../../../ir/builder.js'
import { type LaneNode, valueType } from '../../../lane/ir.js'
import type { ScalarOpName } from '../../../scalar/ops.js'
import { type Dtype, isFloat } from '../../../types/dtype.js'
import { isNative } from '../scalar.js'
import { makeMap } from '../simplify.js'
import { floatExpansions, integerExpansions } from './arithmetic.js'
import * as circle from './circle.js'
import * as double from './double.js'
import * as doubleCircle from './double-circle.js'
import * as doublePow from './double-pow.js'
import * as error from './erf.js'
import * as exponential from './exp.js'
import { type Expand, Formula } from './formula.js'
import * as hyperbolic from './hyperbolic.js'
import * as logarithm from './log.js'
import * as narrow from './narrow.js'
import { pow } from './pow.js'

type Expansion = (f: Formula, a: LaneNode, b: LaneNode) => LaneNode
type Expansions = { readonly [Fn in ScalarOpName]?: Expansion }

const { exp, expm1, sigmoid, tanh, sinh, cosh } = exponential
const { log, log2, log10, log1p } = logarithm
const { sin, cos, tan, asin, acos, atan, atan2 } = circle
const { asinh, acosh, atanh } = hyperbolic
const { erf, erfc } = error

const f32Expansions: Expansions = {
  ...floatExpansions,
  ...{ exp, expm1, sigmoid, tanh, sinh, cosh, log, log2, log10, log1p },
  ...{ sin, cos, tan, asin, acos, atan, atan2, asinh, acosh, atanh, erf, erfc, pow },
}

const f64Expansions: Expansions = {
  ...floatExpansions,
  exp: double.exp,
  exp2: double.exp2,
  expm1: double.expm1,
  sigmoid: double.sigmoid,
  tanh: double.tanh,
  sinh: double.sinh,
  cosh: double.cosh,
  log: double.log,
  log2: double.log2,
  log10: double.log10,
  log1p: double.log1p,
  erf: double.erf,
  erfc: double.erfc,
  sin: doubleCircle.sin,
  cos: doubleCircle.cos,
  tan: doubleCircle.tan,
  asin: doubleCircle.asin,
  acos: doubleCircle.acos,
  atan: doubleCircle.atan,
  atan2: doubleCircle.atan2,
  pow: doublePow.pow,
  ...{ asinh, acosh, atanh },
}

const { exp: narrowExp, sigmoid: narrowSigmoid, div: narrowDiv } = narrow
const f16Expansions: Expansions = { ...f32Expansions, exp: narrowExp, sigmoid: narrowSigmoid, div: narrowDiv }
const bf16Expansions: Expansions = { ...f16Expansions, tanh: narrow.tanh }

/** For f32, by how the kernel's results are stored. */
const singleExpansions = { full: f32Expansions, f16: f16Expansions, bf16: bf16Expansions }

function expansionsOf(dtype: Dtype, results: narrow.Results): Expansions {
  if (dtype === 'f32') return singleExpansions[results]
  return isFloat(dtype) ? f64Expansions : integerExpansions
}

/** Makes ops of inputs in ops that PTX has, as exact as a kernel with such results needs. */
export function expander(results: narrow.Results): Expand {
  const expandMap = (b: Builder<LaneNode>, fn: ScalarOpName, inputs: readonly LaneNode[]): LaneNode => {
    const { dtype, lanes } = valueType(inputs.at(-1)!)
    if (isNative(fn, dtype)) return makeMap(b, fn, inputs)
    const expand = expansionsOf(dtype, results)[fn]
    if (expand === undefined) throw new InternalError(`PTX: ${fn} on ${dtype} is not expanded`)
    const [first, second] = inputs as [LaneNode, LaneNode?]
    return expand(new Formula(b, dtype, lanes, expandMap), first, second ?? first)
  }
  return expandMap
}
