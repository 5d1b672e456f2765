import { describe, expect, it } from 'vitest'
import { type PatternResult, patternRules } from '../../../src/graph/patterns/index.js'
import { printRule } from '../../../src/graph/patterns/rule.js'
import { quickly } from '../../support/sample-choice.js'
import { lookalikes } from './lookalikes.js'
import { type FloatDtype, graphOf, optimised, symbolicGraphOf, textOf } from './support.js'
import { type Written, written } from './written.js'

const allDtypes: readonly FloatDtype[] = ['f32', 'f64', 'f16', 'bf16']

const made = new Map<string, PatternResult>()

/** What is made of something written out; the same for all who ask. */
function optimisedOnce(each: Written, dtype: FloatDtype): PatternResult {
  const key = `${written.indexOf(each)} ${dtype}`
  const known = made.get(key) ?? optimised(graphOf(each.write, dtype, each.shapes))
  made.set(key, known)
  return known
}

describe('hand-written compositions become the built-in op', () => {
  for (const each of written) {
    const { rule, name, same, shapes, dtypes = allDtypes } = each
    for (const dtype of quickly(dtypes, 3)) {
      it(`${rule}: ${name}, ${dtype}`, () => {
        const { graph, fired } = optimisedOnce(each, dtype)
        expect(fired.map(found => found.rule)).toContain(rule)
        if (same !== undefined) expect(textOf(graph)).toBe(textOf(optimised(graphOf(same, dtype, shapes)).graph))
      })
    }
  }

  for (const { rule, name, write, same, shapes } of written.filter(
    ({ fixed, dtypes = allDtypes }) => fixed !== true && dtypes.includes('f32'),
  )) {
    it(`${rule}: ${name}, of run-time sizes`, () => {
      const { graph, fired } = optimised(symbolicGraphOf(write, 'f32', shapes))
      expect(fired.map(each => each.rule)).toContain(rule)
      if (same !== undefined) expect(textOf(graph)).toBe(textOf(optimised(symbolicGraphOf(same, 'f32', shapes)).graph))
    })
  }

  it('for every rule', () => {
    const fired = new Set(
      written.flatMap(each =>
        quickly(each.dtypes ?? allDtypes, 3).flatMap(dtype => optimisedOnce(each, dtype).fired.map(({ rule }) => rule)),
      ),
    )
    expect(patternRules.map(({ name }) => name).filter(name => !fired.has(name))).toEqual([])
  })
})

describe('similar compositions without the same meaning stay', () => {
  for (const { not, name, write, shapes } of lookalikes) {
    it(`${not.join(', ')}: ${name}`, () => {
      for (const dtype of quickly(allDtypes, 3)) {
        const { fired } = optimised(graphOf(write, dtype, shapes))
        expect(fired.map(each => each.rule).filter(rule => not.includes(rule))).toEqual([])
      }
    })
  }

  it('for every rule', () => {
    const covered = new Set(lookalikes.flatMap(({ not }) => not))
    expect(patternRules.map(({ name }) => name).filter(name => !covered.has(name))).toEqual([])
  })
})

describe('rules', () => {
  it('have unique names, and print as formulas', () => {
    expect(new Set(patternRules.map(({ name }) => name)).size).toBe(patternRules.length)
    const text = patternRules.map(printRule)
    expect(text).toContain('gelu: 0.5·x·(1 + erf(0.707107·x))')
    expect(text).toContain('softmax (without maximum): exp(x) / sum(exp(x), d)')
    expect(text).toContain('rmsNorm: x·rsqrt(mean(x·x, d) + eps)')
  })
})
