/** Functions beside layers that PyTorch programs call: affineGrid, padSequence, parametersToVector, newZeros and the like. */
import { describe, expect, it } from 'vitest'
import { allclose, cat, type Tensor, tensor } from '../../src/index.js'
import { functional as F, Linear, utils } from '../../src/nn/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const wave = (shape: number[], phase = 0): Tensor => {
  const count = shape.reduce((a, b) => a * b, 1)
  return tensor(Float64Array.from({ length: count }, (_, i) => Math.sin(1.3 * i + phase))).reshape(shape)
}
const expectClose = (found: Tensor, wanted: Tensor): void =>
  expect(allclose(found, wanted, { rtol: 1e-12, atol: 1e-13 })).toBe(true)

describe('affineGrid', () => {
  it.each([false, true])('brings elements to where the map says, with alignCorners %s', alignCorners => {
    const theta = wave([2, 2, 3])
    const grid = F.affineGrid(theta, [2, 1, 3, 4], { alignCorners })
    const at = (i: number, n: number): number => (alignCorners ? (2 * i) / (n - 1) - 1 : (2 * i + 1) / n - 1)
    const map = theta.toArray() as number[][][]
    const wanted = map.map(rows =>
      [0, 1, 2].map(y => [0, 1, 2, 3].map(x => rows.map(([a, b, c]) => a! * at(x, 4) + b! * at(y, 3) + c!))),
    )
    expectClose(grid, tensor(wanted, { dtype: 'f64' }))
  })

  it('of volumes, and of one element', () => {
    const identity = tensor([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]], { dtype: 'f64' }) // biome-ignore format: a matrix
    const x = wave([1, 2, 3, 1, 4])
    for (const alignCorners of [false, true])
      expectClose(F.gridSample(x, F.affineGrid(identity, x.size(), alignCorners), { alignCorners }), x)
    expect(() => F.affineGrid(identity, [1, 2, 3, 4])).toThrow('does not fit the size [1, 2, 3, 4]')
  })
})

describe('padSequence', () => {
  it('is as long as the longest', () => {
    const parts = [wave([2, 3]), wave([4, 3], 1)]
    const rows = utils.padSequence(parts, { batchFirst: true, paddingValue: -1 })
    expect([rows.shape, utils.padSequence(parts).shape]).toEqual([[2, 4, 3], [4, 2, 3]]) // biome-ignore format: two shapes
    expectClose(rows.get(0, [null, 2]), parts[0]!)
    expect(rows.get(0, [2, null]).eq(-1).all().itemSync()).toBe(1)
    expect(() => utils.padSequence([])).toThrow('no sequences')
    expect(() => utils.parametersToVector([])).toThrow('parametersToVector: there are no parameters')
  })
})

describe('parameters as one vector', () => {
  it('there and back', () => {
    const [net, other] = [new Linear(2, 3), new Linear(2, 3)]
    const vector = utils.parametersToVector(net.parameters())
    utils.vectorToParameters(vector, other.parameters())
    expect(other.weight.toArray()).toEqual(net.weight.toArray())
    vector.square().sum().backward()
    expectClose(net.bias!.grad!, net.bias!.detach().mul(2))
    expect(() => utils.vectorToParameters(cat([vector, vector]), net.parameters())).toThrow('for 9 elements')
  })
})

describe('tensors like another one', () => {
  it('in its shape and dtype', () => {
    const x = tensor([1, 2, 3, 4])
    const like = wave([2, 2])
    expect([x.viewAs(like).shape, x.reshapeAs(like).shape]).toEqual([[2, 2], [2, 2]]) // biome-ignore format: two shapes
    expect(tensor([1, 2]).expandAs(like).shape).toEqual([2, 2])
    expect(x.typeAs(like).dtype).toBe('f64')
    expect(() => x.viewAs(2 as never)).toThrow(/other/)
  })

  it('new ones', () => {
    const x = wave([2])
    expect([x.newZeros(2, 1), x.newOnes([1], { dtype: 'i64' }), x.newFull([2], 7)].map(String)).toEqual([
      String(tensor([[0], [0]], { dtype: 'f64' })),
      String(tensor([1n])),
      String(tensor([7, 7], { dtype: 'f64' })),
    ])
  })
})
