/** Covariances and correlations of rows. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import type { Size } from '../../scalar/size.js'
import { isFloat, isInteger } from '../../types/dtype.js'
import type { Shape } from '../ir.js'
import { decideEqual, printShape, requireEqual } from '../sizes.js'
import { compose } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'

/** [variables, observations]; a vector is one variable. */
function tableOf(name: string, shape: Shape): readonly [Size, Size] {
  if (shape.length <= 2) return [shape.length === 2 ? shape[0]! : 1, shape.at(-1) ?? 1]
  throw new ShapeError(`${name}: the input ${printShape(shape)} has more than two dims`, {
    fix: 'give variables as rows and observations as columns',
  })
}

function weightLine(weights: GraphTensor, role: 'fweights' | 'aweights', count: Size): GraphTensor {
  const { given, shape } = weights
  if (role === 'fweights' ? !isInteger(given) : !isFloat(given))
    throw new DtypeError(`cov: ${role} are ${given}`, { fix: `give ${role === 'fweights' ? 'integers' : 'floats'}` })
  const what = (): string => `cov: ${role} ${printShape(shape)} for ${count} observations`
  const fix = 'give one weight for each column'
  if (shape.length > 1) throw new ShapeError(what(), { fix })
  requireEqual(shape[0] ?? 1, count, what, fix)
  return weights.shaped([count])
}

interface Weights {
  readonly correction: number
  readonly fweights: GraphTensor | null
  readonly aweights: GraphTensor | null
}

/** [variables, variables]. */
function covariances(name: string, self: GraphTensor, { correction, fweights, aweights }: Weights): GraphTensor {
  const x = self.shaped(tableOf(name, self.shape))
  const count = x.size(1)
  const own = aweights && weightLine(aweights, 'aweights', count)
  const each = [fweights && weightLine(fweights.as(x.dtype), 'fweights', count), own].filter(line => line !== null)
  const line = each.length === 0 ? null : each.reduce((a, c) => a.mul(c))
  const weighted = (one: GraphTensor): GraphTensor => (line === null ? one : one.mul(line))
  const total = line === null ? x.number(count).as(x.dtype) : line.sum()
  const centre = (one: GraphTensor): GraphTensor => one.sub(weighted(one).sum([1], true).div(total))
  // Centred twice: a mean far from 0 has a rounding error that can be as large as the spread.
  const centred = centre(centre(x))
  const lost = x.number(correction).as(x.dtype)
  const free = total.sub(own === null ? lost : lost.mul(line!.mul(own).sum().div(total)))
  return weighted(centred).matmul(centred.t()).div(free.maximum(0))
}

/** A single variable gives a 0-d result. */
function squeezed(name: string, table: GraphTensor): GraphTensor {
  const what = (): string => `${name}: a table of ${table.size(0)} variables`
  return decideEqual(table.size(0), 1, what) ? table.shaped([]) : table
}

const cov = compose({
  name: 'cov',
  summary:
    'The covariances of the rows of [variables, observations]; of a vector its variance. Divided by the number of observations − correction.',
  category: 'reduction',
  signature: 'self, *, correction: int = 1, fweights: tensor | null = null, aweights: tensor | null = null',
  details: {
    correction: 'subtracted from the number of observations',
    fweights: 'how often each observation counts: integers, [observations]',
    aweights: 'how much each observation counts: floats, [observations]',
  },
  shape: '[n, n] of n variables; 0-d of one',
  dtypes: { takes: 'any', gives: 'floated' },
  keeps: ['fweights'],
  body: ({ self, ...weights }) => squeezed('cov', covariances('cov', self, weights)),
})

const corrcoef = compose({
  name: 'corrcoef',
  summary:
    'The correlations of the rows of [variables, observations], between −1 and 1: cov divided by both standard deviations.',
  category: 'reduction',
  signature: 'self',
  shape: '[n, n] of n variables; 0-d of one',
  dtypes: { takes: 'any', gives: 'floated' },
  body: ({ self }) => {
    const table = covariances('corrcoef', self, { correction: 1, fweights: null, aweights: null })
    const deviation = table
      .with(table.b.node('affine', [table.node], { shape: [table.size(0)], starts: [0, 0], factors: [[1], [1]] }))
      .sqrt()
    return squeezed('corrcoef', table.div(deviation.unsqueeze(1)).div(deviation).maximum(-1).minimum(1))
  },
})

export const covarianceRecords = { cov, corrcoef }
