import { describe, expect, it } from 'vitest'
import { type FloatDtype, graphOf, optimised, textOf } from './support.js'
import { written } from './written.js'

const allDtypes: readonly FloatDtype[] = ['f32', 'f64', 'f16', 'bf16']

describe('what is written out becomes what the built-in op is', () => {
  for (const { rule, name, write, same, shapes, dtypes = allDtypes } of written) {
    for (const dtype of dtypes) {
      it(`${rule}: ${name}, ${dtype}`, () => {
        const { graph, fired } = optimised(graphOf(write, dtype, shapes))
        expect(fired.map(each => each.rule)).toContain(rule)
        if (same !== undefined) expect(textOf(graph)).toBe(textOf(optimised(graphOf(same, dtype, shapes)).graph))
      })
    }
  }
})
