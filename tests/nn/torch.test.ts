/** Layers against PyTorch in float64: names of state dicts, results after eval() and in training, running statistics. */
import { describe, expect, test } from 'vitest'
import { useReferenceExecutor } from '../support/reference-executor.js'
import { buildLayer, callArguments, caseName, distance, reference, tensorsIn } from './layer-cases.js'

useReferenceExecutor()

describe(`as PyTorch ${reference.torch}`, () => {
  test.each(reference.cases.map(each => [caseName(each), each] as const))('%s', (_, layer) => {
    const { module, fill } = buildLayer(layer)
    expect(Object.entries(module.stateDict()).map(([name, { shape }]) => [name, shape])).toEqual(
      layer.state.map(([name, shape]) => [name, shape]),
    )
    const check = (expected: readonly (readonly [readonly number[], readonly number[]])[]): void => {
      fill()
      const found = tensorsIn(module(...callArguments(layer)))
      expect(found.map(({ shape }) => shape)).toEqual(expected.map(([shape]) => shape))
      for (const [i, each] of found.entries()) expect(distance(each, expected[i]!)).toBeLessThan(1e-12)
    }
    module.eval()
    check(layer.eval)
    module.train()
    if (layer.train === false) return
    check(layer.train)
    const state = module.stateDict()
    for (const [name, expected] of Object.entries(layer.after ?? {})) {
      expect(distance(state[name]!, expected)).toBeLessThan(1e-12)
    }
  })
})
