/** How variables vary together: covariances and correlations of rows. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import type { Size } from '../../scalar/size.js'
import { computeDtype, type Dtype, isFloat, isInteger } from '../../types/dtype.js'
import { promotePair } from '../../types/promotion.js'
import {
  castTo,
  constant,
  countOf,
  defaultFloat,
  dtypeOf,
  expandTo,
  full,
  map,
  reduce,
  reduceKeepdim,
  reshapeTo,
  shapeOf,
  swapDims,
} from '../build.js'
import { hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import { decideEqual, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'

type CovAttrs = { readonly correction: number; readonly hasCounts: boolean; readonly hasWeights: boolean }

/** The inputs by what they are. */
const parted = <T>([self, ...rest]: readonly T[], { hasCounts, hasWeights }: CovAttrs) => ({
  self: self!,
  counts: hasCounts ? rest[0]! : null,
  weights: hasWeights ? rest.at(-1)! : null,
})

const covDtype = (self: Dtype, weights: Dtype | null): Dtype => {
  const dtype = weights === null ? self : promotePair(self, weights)
  return isFloat(dtype) ? dtype : defaultFloat
}

/** [variables, observations]; a line is one variable. */
function tableOf(name: string, shape: Shape): readonly [Size, Size] {
  if (shape.length <= 2) return [shape.length === 2 ? shape[0]! : 1, shape.at(-1) ?? 1]
  throw new ShapeError(`${name}: the input ${printShape(shape)} has more than two dims`, {
    fix: 'give variables as rows and observations as columns',
  })
}

function weightLine(b: GraphBuilder, node: GraphNode, role: string, count: Size, dtype: Dtype): GraphNode {
  const own = dtypeOf(node)
  if (role === 'fweights' ? !isInteger(own) : !isFloat(own))
    throw new DtypeError(`cov: ${role} are ${own}`, { fix: `give ${role === 'fweights' ? 'integers' : 'floats'}` })
  const shape = shapeOf(node)
  const what = (): string => `cov: ${role} ${printShape(shape)} for ${count} observations`
  const fix = 'give one weight for each column'
  if (shape.length > 1) throw new ShapeError(what(), { fix })
  requireEqual(shape[0] ?? 1, count, what, fix)
  return castTo(b, reshapeTo(b, node, [count]), dtype)
}

/** The sums that covariances are made of, in the compute dtype: [variables, variables]. */
function covariances(b: GraphBuilder, name: string, inputs: readonly GraphNode[], attrs: CovAttrs): GraphNode {
  const { self, counts, weights } = parted(inputs, attrs)
  const dtype = computeDtype(covDtype(dtypeOf(self), weights && dtypeOf(weights)))
  const table = tableOf(name, shapeOf(self))
  const [variables, count] = table
  const x = castTo(b, reshapeTo(b, self, table), dtype)
  const own = weights && weightLine(b, weights, 'aweights', count, dtype)
  const each = [counts && weightLine(b, counts, 'fweights', count, dtype), own].filter(line => line !== null)
  const line = each.length === 0 ? null : each.reduce((a, c) => map(b, 'mul', a, c))
  const weighted = (node: GraphNode): GraphNode =>
    line === null ? node : map(b, 'mul', node, expandTo(b, line, shapeOf(node)))
  const total = line === null ? countOf(b, count, dtype) : reduce(b, 'add', line, [0])
  const column = expandTo(b, total, [variables, 1])
  const centre = (node: GraphNode): GraphNode => {
    const mean = map(b, 'div', reduceKeepdim(b, 'add', weighted(node), [1]), column)
    return map(b, 'sub', node, expandTo(b, mean, shapeOf(node)))
  }
  // Twice: a mean far from 0 is itself rounded, by as much as the spread around it.
  const centred = centre(centre(x))
  const lost = full(b, dtype, [], attrs.correction)
  const share = own && map(b, 'div', reduce(b, 'add', map(b, 'mul', line!, own), [0]), total)
  const free = map(b, 'sub', total, share === null ? lost : map(b, 'mul', lost, share))
  const accumulate = dtype as 'f32' | 'f64'
  const sums = b.node('matmul', [weighted(centred), swapDims(b, centred, 0, 1)], { accumulate, to: dtype })
  return map(b, 'div', sums, expandTo(b, map(b, 'max', free, constant(b, dtype, 0)), shapeOf(sums)))
}

/** A single variable has one number. */
function squeezed(b: GraphBuilder, name: string, table: GraphNode): GraphNode {
  const what = (): string => `${name}: a table of ${shapeOf(table)[0]} variables`
  return decideEqual(shapeOf(table)[0]!, 1, what) ? reshapeTo(b, table, []) : table
}

function hostCovariances(inputs: readonly HostTensor[], attrs: CovAttrs): number[][] {
  const { self, counts, weights } = parted(inputs, attrs)
  const [variables, count] = tableOf('cov', self.shape) as readonly [number, number]
  const one = (i: number, tensor: HostTensor | null): number => (tensor === null ? 1 : Number(tensor.data[i]))
  const range = Array.from({ length: count }, (_, i) => i)
  const w = range.map(i => one(i, counts) * one(i, weights))
  const sum = (at: (i: number) => number): number => range.reduce((total, i) => total + at(i), 0)
  const total = sum(i => w[i]!)
  const share = weights === null ? 1 : sum(i => w[i]! * one(i, weights)) / total
  const rows = Array.from({ length: variables }, (_, v) => range.map(i => Number(self.data[v * count + i])))
  const around = rows.map(row => {
    const mean = sum(i => row[i]! * w[i]!) / total
    return row.map(value => value - mean)
  })
  const free = Math.max(total - attrs.correction * share, 0)
  return around.map(a => around.map(c => sum(i => a[i]! * c[i]! * w[i]!) / free))
}

const hostTable = (dtype: Dtype, rows: readonly (readonly number[])[]): HostTensor => {
  const shape = rows.length === 1 ? [] : [rows.length, rows.length]
  return hostFrom(dtype, shape, (_, flat) => hostValue(dtype, rows.flat()[flat]!))
}

const nodesOf = (inputs: readonly OpInput[]): GraphNode[] => inputs.map(({ node }) => node)

const cov = op({
  name: 'cov',
  summary:
    'The covariances of the rows of [variables, observations]; of a vector its variance. Divided by the observations less correction.',
  category: 'reduction',
  signature: 'self, *, correction: int = 1, fweights: tensor | null = null, aweights: tensor | null = null',
  details: {
    correction: 'what is taken off the number of observations',
    fweights: 'how often each observation counts: integers, [observations]',
    aweights: 'how much each observation counts: floats, [observations]',
  },
  shape: '[n, n] of n variables; 0-d of one',
  dtypes: { takes: 'any', gives: { words: 'the dtype of self, f32 for integers and bool' } },
  call: ({ self, correction, fweights, aweights }) =>
    call(
      [self, fweights, aweights].filter(each => each !== null),
      { correction, hasCounts: fweights !== null, hasWeights: aweights !== null },
    ),
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: CovAttrs) => {
    const nodes = nodesOf(inputs)
    const { self, weights } = parted(nodes, attrs)
    const dtype = covDtype(dtypeOf(self), weights && dtypeOf(weights))
    return [castTo(b, squeezed(b, 'cov', covariances(b, 'cov', nodes, attrs)), dtype)]
  },
  reference: (inputs: readonly HostTensor[], attrs: CovAttrs) => {
    const { self, weights } = parted(inputs, attrs)
    return [hostTable(covDtype(self.dtype, weights?.dtype ?? null), hostCovariances(inputs, attrs))]
  },
  gradient: 'later',
})

const plain: CovAttrs = { correction: 1, hasCounts: false, hasWeights: false }

const corrcoef = op({
  name: 'corrcoef',
  summary: 'The correlations of the rows of [variables, observations], between −1 and 1: cov over both deviations.',
  category: 'reduction',
  signature: 'self',
  shape: '[n, n] of n variables; 0-d of one',
  dtypes: { takes: 'any', gives: 'floated' },
  call: ({ self }) => call([self], plain),
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: CovAttrs) => {
    const table = covariances(b, 'corrcoef', nodesOf(inputs), attrs)
    const shape = shapeOf(table)
    const [n] = shape as [Size]
    const view = { shape: [n], starts: [0, 0], factors: [[1], [1]] }
    const deviation = map(b, 'sqrt', b.node('affine', [table], view))
    const over = (node: GraphNode, line: Shape): GraphNode =>
      map(b, 'div', node, expandTo(b, reshapeTo(b, deviation, line), shape))
    const number = (value: number): GraphNode => full(b, dtypeOf(table), shape, value)
    const limited = map(b, 'min', map(b, 'max', over(over(table, [n, 1]), [1, n]), number(-1)), number(1))
    return [castTo(b, squeezed(b, 'corrcoef', limited), covDtype(dtypeOf(inputs[0]!.node), null))]
  },
  reference: (inputs: readonly HostTensor[], attrs: CovAttrs) => {
    const rows = hostCovariances(inputs, attrs)
    const scaled = rows.map((row, i) => row.map((value, j) => value / Math.sqrt(rows[i]![i]! * rows[j]![j]!)))
    const limited = scaled.map(row => row.map(value => Math.min(Math.max(value, -1), 1)))
    return [hostTable(covDtype(inputs[0]!.dtype, null), limited)]
  },
  gradient: 'later',
})

export const covarianceRecords = { cov, corrcoef }
