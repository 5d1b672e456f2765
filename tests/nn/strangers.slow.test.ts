/** A dozen programs as users of PyTorch write them: its losses of six steps, eagerly and compiled (scripts/torch/strangers.py). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { programs, wraps } from './strangers.js'

const reference = JSON.parse(readFileSync(new URL('strangers.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly (readonly number[])[]>
>

describe.each(Object.entries(programs))('%s', (name, program) => {
  it.each(Object.entries(wraps))("has PyTorch's losses %s", (_, wrap) => {
    const found = program(wrap).map(losses => losses.map(loss => loss.itemSync()))
    for (const [t, losses] of reference[name]!.entries())
      for (const [i, loss] of losses.entries()) expect(found[t]![i]! - loss, `${i} of step ${t}`).toBeCloseTo(0, 10)
  })
})
