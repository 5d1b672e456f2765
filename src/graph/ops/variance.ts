/** Variance and standard deviation from squared deviations, corrected for the rounding error of the mean. */

import { ArgumentError } from '../../base/errors.js'
import type { Size } from '../../scalar/size.js'
import { asValue } from '../apply.js'
import {
  castTo,
  constant,
  countOf,
  dtypeOf,
  expandTo,
  map,
  normalizeDims,
  rankOf,
  requireFloat,
  shapeOf,
  toCompute,
} from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { type GradientContext, type OpCall, type OpInput, op, type Value } from '../record.js'
import type { Bound } from '../signature.js'
import { call, type ReduceAttrs } from './arguments.js'
import { finish, powerAroundMean, reduceCall, reducedCount, spread } from './reduce.js'
import { floatKept, withoutDims } from './texts.js'

/** What the parameters of variances mean. */
export const varianceDetails = {
  dim: 'the dims to reduce; by default all',
  unbiased: 'true is correction 1, false is correction 0',
  correction:
    'n − correction divides: 1 (the default) estimates a population from a sample, 0 is for a whole population',
}

type VarAttrs = ReduceAttrs & { readonly correction: number }
export const varSignature =
  'self, dim: dims | null = null, unbiased: bool | null = null, keepdim: bool = false, *, correction: number | null = null'

export const varCall = ({ unbiased, correction, ...rest }: Bound<typeof varSignature>): OpCall<VarAttrs> => {
  if (unbiased !== null && correction !== null)
    throw new ArgumentError('var: unbiased and correction are both given', {
      fix: 'give one: unbiased true is correction 1, false is correction 0',
    })
  const { inputs, attrs } = reduceCall(rest)
  return call(inputs, { ...attrs, correction: correction ?? (unbiased === false ? 0 : 1) })
}

/** The mean squared deviation, divided by n − correction instead of n. */
export function corrected(b: GraphBuilder, power: GraphNode, size: Size, correction: number): GraphNode {
  const count = countOf(b, size, 'f64')
  const divisor = map(b, 'max', map(b, 'sub', count, constant(b, 'f64', correction)), constant(b, 'f64', 0))
  const expanded = (node: GraphNode): GraphNode => expandTo(b, castTo(b, node, dtypeOf(power)), shapeOf(power))
  return map(b, 'div', map(b, 'mul', power, expanded(count)), expanded(divisor))
}

function buildVariance(name: string, b: GraphBuilder, node: GraphNode, attrs: VarAttrs, root: boolean): GraphNode {
  const dtype = dtypeOf(node)
  requireFloat(name, dtype, "cast first: x.to('f32')")
  const dims = normalizeDims(name, attrs.dims, rankOf(node))
  const x = toCompute(b, node)
  const power = powerAroundMean(b, x, dims)
  const variance =
    attrs.correction === 0 ? power : corrected(b, power, reducedCount(shapeOf(x), dims), attrs.correction)
  return finish(b, castTo(b, root ? map(b, 'sqrt', variance) : variance, dtype), dims, attrs.keepdim)
}

/** d var = 2 (x − mean) / (n − correction); d std = d var / (2 std). */
function varianceGradient(name: 'var' | 'std', context: GradientContext<VarAttrs>): readonly Value[] {
  const { b, inputs, outputs, outputGradients, attrs, op, shapeOf: shape } = context
  const [x] = inputs as [Value]
  const dims = normalizeDims(name, attrs.dims, shape(x).length)
  const centred = op('sub', x, op('mean', x, dims, { keepdim: true }))
  const count = op('sub', asValue(countOf(b, reducedCount(shape(x), dims), 'f64')), attrs.correction)
  const slope = op('div', op('mul', centred, 2), count)
  if (name === 'var') return [op('mul', slope, spread(context, outputGradients[0]!))]
  const ofVariance = op('div', outputGradients[0], op('mul', outputs[0], 2))
  // Equal values: 0, as in PyTorch, where the root has no slope.
  return [op('mul', slope, spread(context, op('where', op('eq', outputs[0], 0), 0, ofVariance)))]
}

const variance = (name: 'var' | 'std', summary: string) =>
  op({
    name,
    summary,
    category: 'reduction',
    signature: varSignature,
    shape: withoutDims,
    dtypes: floatKept,
    details: varianceDetails,
    note: 'Of too few elements (n ≤ correction): ∞, or NaN for a single one.',
    errors: { ArgumentError: 'when unbiased and correction are both given' },
    call: varCall,
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: VarAttrs) => [
      buildVariance(name, b, input!.node, attrs, name === 'std'),
    ],
    gradient: context => varianceGradient(name, context),
  })

export const varianceRecords = {
  var: variance('var', 'Σ (self − mean)² / (n − correction) over the dims.'),
  std: variance('std', 'The square root of var.'),
}
