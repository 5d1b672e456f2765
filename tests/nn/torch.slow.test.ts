/** Layers against PyTorch in float64: names of state dicts, results after eval() and in training, running statistics. */
import { describe, expect, test } from 'vitest'
import { compile, manualSeed } from '../../src/index.js'
import type { Module } from '../../src/nn/index.js'
import * as nn from '../../src/nn/index.js'
import { caseName, checkLayer, reference } from './layer-cases.js'

describe(`as PyTorch ${reference.torch}`, () => {
  test.each(reference.cases.map(each => [caseName(each), each] as const))('%s', (_, layer) => {
    checkLayer(layer, module => module, 1e-12)
    checkLayer(layer, compile, 1e-12)
  })
})

describe('initial values are distributed as in PyTorch', () => {
  test.each(reference.initial.map(each => [each.layer, each] as const))('%s', (layer, { args, parameters }) => {
    manualSeed(1)
    const module = new (nn as unknown as Record<string, new (...args: readonly number[]) => Module>)[layer]!(...args)
    const own = module.namedParameters()
    expect(own.map(([name, { shape }]) => [name, shape])).toEqual(
      Object.entries(parameters).map(([name, [shape]]) => [name, shape]),
    )
    for (const [name, parameter] of own) {
      const [, mean, std, largest] = parameters[name]!
      const count = parameter.numel()
      const [ourMean, ourStd, ourLargest] = [
        parameter.mean(),
        parameter.std({ correction: 0 }),
        parameter.abs().max(),
      ].map(value => value.itemSync() as number)
      // Of draws of so many numbers, six standard deviations.
      const error = (6 * (std + 1e-12)) / Math.sqrt(count)
      expect(Math.abs(ourMean! - mean), `${name}: mean`).toBeLessThan(2 * error)
      expect(Math.abs(ourStd! - std), `${name}: std`).toBeLessThan(2 * error)
      expect(Math.abs(ourLargest! - largest), `${name}: largest`).toBeLessThan(0.35 * largest + 1e-12)
    }
  })
})
