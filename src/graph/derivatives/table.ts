/** The derivatives of all graph primitives. A primitive without a row fails the type checker. */
import type { GraphOpName } from '../ir.js'
import { attentionGradientRule, attentionRule } from './attention.js'
import { condRule, launchRule, loopRule } from './control.js'
import { customRule, variableRule } from './custom.js'
import { mapRule, reduceRule, scanRule } from './folds.js'
import { gatherRule, nthRule, scatterRule, sortRule, topkRule } from './indexed.js'
import { maxPoolRule } from './pooling.js'
import { convRule, matmulRule, raggedRule } from './products.js'
import type { Rule } from './rule.js'
import { stepsRule } from './steps.js'
import { affine, cast, cat, copy, expand, fence, pad, permute, reshape, slice } from './views.js'

/**
 * none: results depend on no input, or on none that has derivatives · engine: its derivative is in modes.ts · late: passes
 * make it once gradients are expanded.
 */
export const derivatives: { readonly [Op in GraphOpName]: Rule<Op> | 'none' | 'engine' | 'late' } = {
  input: 'none',
  scalarInput: 'none',
  constant: 'none',
  size: 'none',
  iota: 'none',
  map: mapRule,
  cast,
  bitcast: 'none',
  copy,
  permute,
  expand,
  reshape,
  slice,
  affine,
  pad,
  reduce: reduceRule,
  scan: scanRule,
  matmul: matmulRule,
  conv: convRule,
  convLast: 'late',
  convWeight: 'late',
  maxPool: maxPoolRule,
  foldWindows: 'late',
  groupOf: 'none',
  raggedMatmul: raggedRule,
  attention: attentionRule,
  attentionGradient: attentionGradientRule,
  cat,
  gather: gatherRule,
  scatter: scatterRule,
  sort: sortRule,
  topk: topkRule,
  nth: nthRule,
  random: 'none',
  launch: launchRule,
  region: 'engine',
  detach: 'none',
  fence,
  variable: variableRule,
  custom: customRule,
  gradient: 'late',
  cond: condRule,
  loop: loopRule,
  steps: stepsRule,
  item: 'engine',
}
