/** FP8 training: layers whose products multiply 8-bit floats, their gradients and scales. */
import { describe, expect, it } from 'vitest'
import { ArgumentError, DtypeError, jvp, randn, ShapeError, type Tensor, tensor, zeros } from '../../src/index.js'
import { functional as F, fp8, MultiheadAttention, ReLU, Sequential } from '../../src/nn/index.js'
import { fakeQuantize } from '../../src/quant/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'
import { expectClose, N, operands, product, rounded, rowsOf, small, transposed } from './float8-cases.js'

interpretedWhenQuick()

describe('fp8Linear', () => {
  it('both gradients are products of 8-bit floats', () => {
    const { x, weight, g } = operands()
    const bias = zeros([N], { requiresGrad: true })
    const y = F.fp8Linear(x, weight, { bias })
    const [a, b] = [rounded(rowsOf(x), 'e4m3'), rounded(rowsOf(weight), 'e4m3')]
    expectClose(y, product(a, b))
    y.backward({ gradient: g })
    const slope = rounded(rowsOf(g), 'e5m2')
    expectClose(x.grad, product(slope, transposed(b)))
    expectClose(weight.grad, product(transposed(slope), transposed(a)))
    expectClose(
      bias.grad!.reshape([1, N]),
      [transposed(rowsOf(g)).map(column => column.reduce((s, v) => s + v, 0))],
      1e-4,
    )
  })

  it('says what is wrong', () => {
    const { x, weight } = operands()
    expect(() => F.fp8Linear(x, weight.t())).toThrow(ShapeError)
    expect(() => F.fp8Linear(x.to('f64'), weight)).toThrow(DtypeError)
    expect(() => F.fp8Linear(x, weight, { bias: zeros([4]) })).toThrow(/the bias \[4\] does not fit 5 features/)
    expect(() => F.fp8Linear(x, weight, { scaling: 'row' as never })).toThrow(/scaling is 'row'/)
    expect(() => F.fp8Linear(x, weight, { scaling: { input: 1 } as never })).toThrow(ArgumentError)
    expect(() => F.fp8Linear(x, weight, { gradients: 'e3m4' as never })).toThrow(ArgumentError)
  })
})

describe('fakeQuantize', () => {
  it('rounds, and lets gradients and tangents pass', () => {
    const x = tensor([[0.1, -0.26, 0.5, 6]])
      .repeat([1, 4])
      .requiresGrad_()
    const y = fakeQuantize(x, 'nvfp4')
    expect(rowsOf(y)[0]!.slice(0, 4)).not.toEqual(rowsOf(x)[0]!.slice(0, 4))
    const g = randn([1, 16])
    y.backward({ gradient: g })
    expect(x.grad!.toArray()).toEqual(g.toArray())
    const [, tangent] = jvp((x: Tensor) => fakeQuantize(x, 'nvfp4'), [x.detach()], [g])
    expect((tangent as Tensor).toArray()).toEqual(g.toArray())
  })
})

describe('fp8', () => {
  it('changes layers in place: parameters and names stay', () => {
    const net = small()
    const before = net.namedParameters()
    const plain = net.stateDict()
    expect(fp8(net, { skip: name => name === '2' })).toBe(net)
    expect(net.namedParameters().every(([name, p], i) => name === before[i]![0] && p === before[i]![1])).toBe(true)
    expect(Object.keys(net.stateDict())).toEqual(Object.keys(plain))
    expect(String(net)).toMatch(/\(0\): Float8Linear\(.*scaling='current', gradients='e5m2'/)
    expect(String(net)).toMatch(/\(2\): Linear\(/)
    expect(() => fp8(net, { scaling: 'row' as never })).toThrow(/scaling is 'row'/)
    expect(() => fp8(net, { history: 3 } as never)).toThrow(/no option 'history'/)
    expect(() => fp8(new Sequential(new ReLU()))).toThrow(/no linear layer/)
    expect(() => fp8(net, { historyLength: 0 })).toThrow(ArgumentError)
    expect(String(fp8(new MultiheadAttention(8, 2)))).toMatch(/outProj\): Float8Linear|out_proj\): Float8Linear/)
  })
})
