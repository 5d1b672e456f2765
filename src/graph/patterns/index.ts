/**
 * The rules in order: at each node the first that matches is applied. A rule must precede a larger one only if both can
 * have the same root: otherwise parts are rewritten before their users anyway.
 */
import type { Graph } from '../ir.js'
import { activationRules } from './activations.js'
import { applyPatterns, type PatternResult } from './apply.js'
import { attentionRules } from './attention.js'
import { recogniseForward } from './forward.js'
import { gatedRules } from './gated.js'
import { linearRules } from './linear.js'
import { normRules } from './norms.js'
import type { PatternRule } from './rule.js'
import { softmaxRules } from './softmax.js'

export type { FiredRule, PatternResult } from './apply.js'

/** Those that give ops with better gradients than what they replace. The others write products in cheaper ways. */
const opRules: readonly PatternRule[] = [...softmaxRules, ...normRules, ...activationRules, ...attentionRules]

export const patternRules: readonly PatternRule[] = [...opRules, ...linearRules, ...gatedRules]

/** Requires: a verified, simplified graph. Guarantees: ops written out by the user have the form that the records build. */
export const recognise = (graph: Graph): PatternResult => applyPatterns(graph, patternRules)

/** The same for a graph of which gradients are still to be taken: see `recogniseForward`. */
export const recogniseOps = (graph: Graph): PatternResult => recogniseForward(graph, opRules)
