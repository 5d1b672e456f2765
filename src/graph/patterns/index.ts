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

/** A pass of pattern rules; with `count`, of so many of them, the first ones. */
export interface PatternPass {
  readonly name: string
  readonly rules: readonly string[]
  run(graph: Graph, count?: number): PatternResult
}

export const patternPass = (
  name: string,
  rules: readonly PatternRule[],
  apply: (graph: Graph, rules: readonly PatternRule[]) => PatternResult,
): PatternPass => ({
  name,
  rules: rules.map(rule => rule.name),
  run: (graph, count) => apply(graph, count === undefined ? rules : rules.slice(0, count)), // rules are indexed by their list
})

/** Requires: a verified, simplified graph. Guarantees: ops written out by the user have the form that the records build. */
export const recognise = patternPass('patterns', patternRules, applyPatterns)

/** The same for a graph of which gradients are still to be taken: see `recogniseForward`. */
export const recogniseOps = patternPass('patterns before gradients', opRules, recogniseForward)
