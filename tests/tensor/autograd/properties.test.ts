/** What tensors tell about gradients, and the modes in which ops are recorded. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ArgumentError,
  arange,
  DtypeError,
  empty,
  enableGrad,
  eye,
  fromBuffer,
  full,
  GradientError,
  inferenceMode,
  isGradEnabled,
  linspace,
  logspace,
  noGrad,
  onesLike,
  rand,
  randnLike,
  ShapeError,
  setGradEnabled,
  type Tensor,
  tensor,
  zeros,
} from '../../../src/index.js'
import { useInterpreter } from '../../support/reference-executor.js'

beforeAll(() => {
  useInterpreter()
})

describe('requiresGrad', () => {
  it('is false unless asked for', () => {
    const x = tensor([1, 2])
    expect([x.requiresGrad, x.isLeaf, x.grad]).toEqual([false, true, null])
  })

  it('is an option of everything that makes tensors', () => {
    const on = { requiresGrad: true } as const
    const like = zeros([2])
    const made: Tensor[] = [
      tensor([1, 2], on),
      tensor(new Float64Array(2), on),
      fromBuffer(new Float32Array(2), { dtype: 'f32', ...on }),
      zeros([2], on),
      zeros({ size: [2, 3], ...on }),
      full([2], 3, on),
      empty([2], on),
      arange(3, { dtype: 'f32', ...on }),
      arange(0, 1, 0.5, on),
      linspace(0, 1, 3, on),
      logspace(0, 1, 3, on),
      eye(2, on),
      rand([2], on),
      onesLike(like, on),
      randnLike(like, on),
    ]
    for (const x of made) expect([x.requiresGrad, x.isLeaf]).toEqual([true, true])
    expect(zeros([2], { requiresGrad: false }).requiresGrad).toBe(false)
  })

  it('is set by assigning and by requiresGrad_', () => {
    const x = tensor([1, 2])
    expect(x.requiresGrad_()).toBe(x)
    expect(x.requiresGrad).toBe(true)
    x.requiresGrad = false
    expect(x.requiresGrad).toBe(false)
    expect(x.requiresGrad_({ requiresGrad: true }).requiresGrad).toBe(true)
    expect(x.requiresGrad_(false).requiresGrad).toBe(false)
  })

  it('is refused to integers and to what is no boolean', () => {
    expect(() => tensor([1], { dtype: 'i64' }).requiresGrad_()).toThrow(DtypeError)
    expect(() => tensor([1], { dtype: 'i64' }).requiresGrad_()).toThrow(
      /requiresGrad_: i64\[1\] cannot require a gradient: i64 has no derivatives .*fix: cast it first/,
    )
    expect(() => zeros([2], { dtype: 'bool', requiresGrad: true })).toThrow('zeros: bool[2] cannot require a gradient')
    expect(() => arange(3, { requiresGrad: true })).toThrow('arange: i64[3] cannot')
    expect(() => tensor([1]).requiresGrad_(1 as unknown as boolean)).toThrow(ArgumentError)
    expect(tensor([1], { dtype: 'i64' }).requiresGrad_(false).requiresGrad).toBe(false)
  })
})

describe('grad', () => {
  it('may be assigned what is a gradient of the tensor', () => {
    const x = zeros([2], { requiresGrad: true })
    const g = tensor([1, 2])
    x.grad = g
    expect(x.grad).toBe(g)
    x.grad = null
    expect(x.grad).toBeNull()
  })

  it('is refused another shape, dtype, and what is no tensor', () => {
    const x = zeros([2], { requiresGrad: true })
    const assign = (grad: unknown) => () => {
      x.grad = grad as Tensor
    }
    expect(assign(zeros([3]))).toThrow(ShapeError)
    expect(assign(zeros([2], { dtype: 'f64' }))).toThrow('the assigned gradient is f64[2], of a tensor f32[2]')
    expect(assign([0, 0])).toThrow(ArgumentError)
    expect(assign(x)).toThrow('its own gradient')
    expect(x.grad).toBeNull()
  })
})

describe('what no gradient flows through', () => {
  it('keeps no history', () => {
    const [x, leaf] = [zeros([2]), zeros([2], { requiresGrad: true })]
    const made = [x.add(1), x.add_(1), x.exp(), noGrad(() => leaf.mul(2)), leaf.gt(0), leaf.argmax(), leaf.to('i64')]
    expect(made.map(each => each.history)).toEqual(made.map(() => null))
    expect(inferenceMode(() => x.reshape([1, 2])).history).toBeNull()
  })
})

describe('detach', () => {
  it('shares the memory and requires no gradient', () => {
    const x = tensor([1, 2], { requiresGrad: true })
    const y = x.detach()
    expect([y.requiresGrad, y.isLeaf, y.grad]).toEqual([false, true, null])
    noGrad(() => y.mul_(2))
    expect(x.toArray()).toEqual([2, 4])
  })
})

describe('modes', () => {
  it('hold for a call, nest, and end with an error', () => {
    expect(isGradEnabled()).toBe(true)
    expect(noGrad(() => [isGradEnabled(), enableGrad(() => isGradEnabled()), isGradEnabled()])).toEqual([
      false,
      true,
      false,
    ])
    expect(() =>
      noGrad(() => {
        throw new Error('mine')
      }),
    ).toThrow('mine')
    expect(isGradEnabled()).toBe(true)
  })

  it('setGradEnabled lasts until the end of the call around it', () => {
    noGrad(() => {
      setGradEnabled(true)
      expect(isGradEnabled()).toBe(true)
    })
    expect(isGradEnabled()).toBe(true)
    setGradEnabled(false)
    expect(isGradEnabled()).toBe(false)
    setGradEnabled(true)
    expect(() => setGradEnabled(undefined as unknown as boolean)).toThrow(ArgumentError)
  })

  it('take a synchronous function', () => {
    expect(() => noGrad(async () => 1)).toThrow('noGrad: the function returned a promise')
    expect(() => enableGrad(3 as never)).toThrow('enableGrad: the body is the number 3, not a function')
    expect(isGradEnabled()).toBe(true)
  })

  it('inference mode makes tensors that stay without gradients', () => {
    const x = inferenceMode(() => zeros([2]))
    expect(inferenceMode(isGradEnabled)).toBe(false)
    expect(() => x.requiresGrad_()).toThrow(GradientError)
    expect(x.clone().requiresGrad_().requiresGrad).toBe(true)
  })
})
