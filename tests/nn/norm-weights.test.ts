/** Weights by length and direction, and by their largest singular value; their training is a program of strangers.ts. */
import { describe, expect, it } from 'vitest'
import { allclose, noGrad, ones, type Tensor, tensor } from '../../src/index.js'
import { ConvTranspose1d, Linear, utils } from '../../src/nn/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const { removeSpectralNorm, removeWeightNorm, spectralNorm, weightNorm } = utils
const isClose = (a: Tensor, b: Tensor): boolean => allclose(a, b, { rtol: 1e-5, atol: 1e-6 })

describe('weightNorm', () => {
  it('is the weight at first, and when it is taken off again', () => {
    const layer = new Linear(3, 2)
    const before = layer.weight.detach().clone()
    expect(weightNorm(layer)).toBe(layer)
    expect(Object.keys(layer.stateDict())).toEqual(['bias', 'weight_g', 'weight_v'])
    expect(isClose(layer.weight, before)).toBe(true)
    noGrad(() => (layer as unknown as { weightG: Tensor }).weightG.mul_(2))
    const copy = layer.clone()
    for (const each of [layer, copy]) {
      removeWeightNorm(each)
      expect(Object.keys(each.stateDict())).toEqual(['bias', 'weight'])
      expect(each.weight.isLeaf && each.weight.requiresGrad).toBe(true)
      expect(isClose(each.weight, before.mul(2))).toBe(true)
    }
  })

  it('has a length for each slice of any dim, or one in all', () => {
    const lengthsOf = (dim: number | null): readonly number[] =>
      weightNorm(new Linear(3, 2), { dim }).stateDict().weight_g!.shape
    expect([0, 1, -1, null].map(lengthsOf)).toEqual([[2, 1], [1, 3], [1, 3], []]) // biome-ignore format: shapes
  })

  it('names what it cannot take', () => {
    expect(() => weightNorm(new Linear(3, 2), 'wait')).toThrow('weightNorm: the field wait of Linear is undefined')
    expect(() => weightNorm(weightNorm(new Linear(3, 2)))).toThrow('no parameter')
    expect(() => weightNorm(new Linear(3, 2), 'weight', 2)).toThrow('weightNorm: dim 2 of a weight f32[2, 3]')
    expect(() => weightNorm(null as never)).toThrow('weightNorm: null is no module')
    expect(() => spectralNorm(new Linear(3, 2), { dim: -3 })).toThrow('spectralNorm: dim -3 of a weight f32[2, 3]')
    expect(() => Object.assign(weightNorm(new Linear(3, 2)), { weight: ones([2, 3]) })).toThrow(
      'Linear.weight: it is computed, and cannot be assigned',
    )
    expect(() => removeWeightNorm(new Linear(3, 2))).toThrow('removeWeightNorm: weight of Linear is not computed so')
  })
})

describe('spectralNorm', () => {
  it('divides by the largest singular value, which it finds in training', () => {
    const layer = new Linear(2, 2, { bias: false })
    noGrad(() => layer.weight.copy_(tensor([[0, 3], [4, 0]]))) // biome-ignore format: a matrix
    spectralNorm(layer)
    expect(Object.keys(layer.stateDict())).toEqual(['weight_orig', 'weight_u', 'weight_v'])
    for (let i = 0; i < 40; i++) layer(ones([1, 2]))
    layer.eval()
    expect(isClose(layer.weight, tensor([[0, 0.75], [1, 0]]))).toBe(true) // biome-ignore format: a matrix
    const held = layer.stateDict().weight_u!.clone()
    layer(ones([1, 2]))
    expect(isClose(layer.stateDict().weight_u!, held)).toBe(true)
    expect(isClose(removeSpectralNorm(layer).weight, tensor([[0, 0.75], [1, 0]]))).toBe(true) // biome-ignore format: a matrix
  })

  it('takes dim 1 of transposed convolutions for outputs', () => {
    const layer = spectralNorm(new ConvTranspose1d(2, 5, 3))
    expect(layer.stateDict().weight_u!.shape).toEqual([5])
  })
})
