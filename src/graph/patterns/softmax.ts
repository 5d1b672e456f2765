/** Softmax, log-softmax and log-sum-exp, written out with or without subtracting the maximum. */
import { add, any, div, exp, log, map, max, mul, named, oneOf, type Pattern, sub, sum } from './pattern.js'
import type { Match, PatternRule } from './rule.js'

const x = any('x')
const shifted = sub(x, max(x, 'd'))

/** The maximum where it is finite, which logsumexp subtracts. */
const finiteMax: Pattern = map('where', map('isfinite', max(x, 'd')), max(x, 'd'), mul(0))

/**
 * Once recognised, the second and third form subtract another maximum, so their exponentials cannot be shared with other
 * users.
 */
const logsumexpOf: Pattern = oneOf(
  add(finiteMax, log(sum(exp(sub(x, finiteMax)), 'd'))),
  add(max(x, 'd'), log(named('sum', sum(named('powers', exp(shifted)), 'd')))),
  log(named('sum', sum(named('powers', exp(x)), 'd'))),
)

/** Builds the record on x, along the one dim that the pattern reduces. */
const alongOneDim = (op: 'softmax' | 'logSoftmax') => (found: Match) => {
  const dims = found.axes('d')
  const input = found.tensor('x')
  return input === null || dims?.length !== 1 ? null : found.build(op, [input], { dim: dims[0]!, dtype: null })
}

const infinite = 'a row with +∞ is all NaN, as in softmax'

export const softmaxRules: readonly PatternRule[] = [
  {
    name: 'softmax',
    pattern: div(exp(shifted), sum(exp(shifted), 'd')),
    note: 'the same values',
    op: 'softmax',
    replace: alongOneDim('softmax'),
  },
  {
    name: 'softmax (without maximum)',
    pattern: div(named('powers', exp(x)), named('total', sum(exp(x), 'd'))),
    note: `no overflow where e^x has one; ${infinite}`,
    only: ['powers', 'total'],
    op: 'softmax',
    replace: alongOneDim('softmax'),
  },
  {
    name: 'logSoftmax',
    pattern: oneOf(
      sub(shifted, log(sum(exp(shifted), 'd'))),
      log(named('softmax', div(exp(shifted), sum(exp(shifted), 'd')))),
      sub(x, named('total', logsumexpOf)),
    ),
    note: `finite where softmax is too small to be written; ${infinite}`,
    only: ['softmax', 'total', 'powers', 'sum'],
    op: 'logSoftmax',
    replace: alongOneDim('logSoftmax'),
  },
  {
    name: 'logsumexp',
    pattern: logsumexpOf,
    note: 'no overflow where e^x has one; a row of −∞ gives −∞, one with +∞ gives +∞',
    only: ['powers', 'sum'],
    op: 'logsumexp',
    // An x with its maximum already subtracted does not overflow, and is often part of a larger pattern.
    when: found => !found.is('x', sub(any('y'), max(any('y'), 'e'))),
    replace: found => {
      const dims = found.baseDims('x', 'd')
      if (dims === null) return null
      return found.shaped(found.build('logsumexp', [found.base('x')], { dims, dtype: null, keepdim: false }))
    },
  },
]
