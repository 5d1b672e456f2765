/** Layer norm and RMS norm written out, over any dims, with or without weight and bias; and the mean. */
import { map as mapNodes } from '../build.js'
import { standardized } from '../ops/formulas.js'
import { meanKeepdim } from '../ops/reduce.js'
import { add, any, map, mean, mul, named, number, oneOf, type Pattern, rsqrt, square, sub } from './pattern.js'
import type { Match, PatternRule } from './rule.js'

const x = any('x')
const eps = number('eps')
const weight = any('weight')
const bias = any('bias')
const centred = sub(x, mean(x, 'd'))

/** Two-pass variance, or the less accurate E[x²] − E[x]², which the two-pass form replaces. */
const onePass = named('one pass', sub(mean(square(x), 'd'), square(mean(x, 'd'))))

/** The built-in variance and norm subtract the rounding error of the mean. */
const offset = mean(centred, 'd')
const squares = mean(square(centred), 'd')
const builtIn = map('where', map('isfinite', squares), map('max', sub(squares, square(offset)), mul(0)), squares)
const variance: Pattern = oneOf(mean(square(centred), 'd'), onePass, builtIn)

/** The factors of the norm as a flat list, so that a weight may come between them. */
const layer = [oneOf(centred, sub(centred, offset)), rsqrt(add(variance, eps))]
const rms = [x, rsqrt(add(mean(square(x), 'd'), eps))]

function normal(found: Match, isCentred: boolean): ReturnType<PatternRule['replace']> {
  const { builder: b } = found
  const dims = found.axes('d')
  const input = found.tensor('x')
  if (input === null || dims === null || dims.length === 0) return null
  let result = found.kept(standardized(b, input, dims, found.number('eps'), isCentred))
  for (const [name, fn] of [
    ['weight', 'mul'],
    ['bias', 'add'],
  ] as const) {
    if (!found.has(name)) continue
    const operand = found.tensor(name)
    if (operand === null || !found.variesOnlyAlong(name, dims)) return null
    result = mapNodes(b, fn, result, operand)
  }
  return result
}

function norm(op: 'layerNorm' | 'rmsNorm', factors: readonly Pattern[], note: string): PatternRule[] {
  const rule = (name: string, pattern: Pattern): PatternRule => ({
    name,
    pattern,
    note,
    op,
    only: ['one pass'],
    when: found => found.number('eps') > 0,
    replace: found => normal(found, op === 'layerNorm'),
  })
  const weighted = mul(...factors, weight)
  return [
    rule(op, mul(...factors)),
    rule(`${op} with weight`, weighted),
    rule(`${op} with bias`, oneOf(add(weighted, bias), add(mul(...factors), bias))),
  ]
}

export const normRules: readonly PatternRule[] = [
  ...norm('layerNorm', layer, 'two passes: never a negative variance; f16 and bf16 are rounded once, at the end'),
  ...norm('rmsNorm', rms, 'the same formula; f16 and bf16 are rounded once, at the end'),
  {
    name: 'mean',
    pattern: mean(x, 'd'),
    note: 'divides by the count instead of multiplying with its rounded inverse',
    op: 'mean',
    replace: found => {
      const dims = found.baseDims('x', 'd')
      return dims === null ? null : found.shaped(meanKeepdim(found.builder, found.base('x'), dims))
    },
  },
]
