/** Creation functions: shapes, dtypes, options, random state, devices. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ArgumentError, DeviceError } from '../../src/base/errors.js'
import {
  arange,
  empty,
  emptyLike,
  eye,
  full,
  fullLike,
  Generator,
  getDefaultDevice,
  linspace,
  manualSeed,
  ones,
  onesLike,
  rand,
  randint,
  randLike,
  randn,
  randnLike,
  setDefaultDevice,
  tensor,
  zeros,
  zerosLike,
} from '../../src/tensor/index.js'
import { useReferenceExecutor } from '../support/reference-executor.js'

beforeEach(() => {
  useReferenceExecutor()
})

describe('filled and counted tensors', () => {
  it('have the values and dtypes of PyTorch', () => {
    expect(zeros([2, 2]).toArray()).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(ones([2], { dtype: 'i8' }).dtype).toBe('i8')
    expect([full([], 2).dtype, full([], 2n).dtype, full([1], true).dtype]).toEqual(['f32', 'i64', 'bool'])
    expect(empty([3, 0], { dtype: 'f16' }).shape).toEqual([3, 0])
    expect([arange(3).toArray(), arange(3).dtype]).toEqual([[0, 1, 2], 'i64'])
    expect(arange(1, 2, 0.25).toArray()).toEqual([1, 1.25, 1.5, 1.75])
    expect(arange(5, 2, -2, { dtype: 'f32' }).toArray()).toEqual([5, 3])
    expect(arange(3, { dtype: 'f64' }).dtype).toBe('f64')
    expect(linspace(0, 1, 5).toArray()).toEqual([0, 0.25, 0.5, 0.75, 1])
    expect(eye(2, 3).toArray()).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ])
    expect(eye(2, { dtype: 'i64' }).toArray()).toEqual([
      [1, 0],
      [0, 1],
    ])
  })

  it('can be like another tensor', () => {
    const x = tensor([[1, 2]], { dtype: 'f16' })
    for (const made of [zerosLike(x), onesLike(x), emptyLike(x), fullLike(x, 7), randLike(x), randnLike(x)]) {
      expect([made.shape, made.dtype, made.device]).toEqual([[1, 2], 'f16', 'cpu'])
    }
    expect(zerosLike(x, { dtype: 'i32' }).dtype).toBe('i32')
    expect(fullLike(x, 7).toArray()).toEqual([[7, 7]])
    expect(() => zerosLike([1] as never)).toThrow(/zerosLike|fullLike: an array is no tensor/)
  })

  it('reject invalid arguments', () => {
    expect(zeros(3).shape).toEqual([3])
    expect(() => zeros('3' as never)).toThrow(ArgumentError)
    expect(() => zeros([-1])).toThrow(/size is \[-1\], not a list of integers of at least 0/)
    expect(() => empty([1.5])).toThrow(/empty: size is \[1\.5\], not a list of integers/)
    expect(() => arange(0, 1, 0)).toThrow(/step is 0/)
    expect(() => arange('3' as never)).toThrow(/arange: end is "3", not a number/)
    expect(() => zeros([1], { dtyp: 'f32' } as never)).toThrow(/no parameter 'dtyp'/)
    expect(() => zeros([1], 'f32' as never)).toThrow(
      /takes at most 1 argument by position, got 2.*dtype is given by name/,
    )
    expect(() => zeros([1], { dtype: 'float' as never })).toThrow(/dtype is "float"/)
    expect(() => ones([1], { device: 'cuda:1' })).toThrow(DeviceError)
  })
})

describe('random tensors', () => {
  it('repeat after manualSeed and differ from call to call', () => {
    const draw = (): unknown[] => [rand([4]), randn([4]), randint(0, 1000, [4])].map(x => x.toArray())
    manualSeed(7)
    const first = draw()
    const second = draw()
    manualSeed(7)
    expect(draw()).toEqual(first)
    expect(second).not.toEqual(first)
    manualSeed(8)
    expect(draw()).not.toEqual(first)
  })

  it('draw from their own generator without touching the default one', () => {
    manualSeed(1)
    const expected = rand([3]).toArray()
    manualSeed(1)
    const own = new Generator(5)
    const fromOwn = rand([3], { generator: own }).toArray()
    expect(rand([3]).toArray()).toEqual(expected)
    expect(own.offset).toBe(3n)
    expect(rand([3], { generator: new Generator(5) }).toArray()).toEqual(fromOwn)
  })

  it('have the documented distribution', () => {
    manualSeed(3)
    const uniform = rand([4000]).dataSync('f32')
    expect(Math.min(...uniform)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...uniform)).toBeLessThan(1)
    expect(uniform.reduce((a, b) => a + b) / 4000).toBeCloseTo(0.5, 1)
    const normal = randn([4000], { dtype: 'f64' }).dataSync('f64')
    expect(Math.abs(normal.reduce((a, b) => a + b) / 4000)).toBeLessThan(0.06)
    expect(normal.reduce((a, b) => a + b * b) / 4000).toBeCloseTo(1, 1)
    expect(new Set(randint(-1, 2, [200]).dataSync('i64'))).toEqual(new Set([-1n, 0n, 1n]))
  })

  it('reject a seed that is not an integer', () => {
    expect(() => manualSeed(0.5)).toThrow(/0\.5 is no integer/)
    expect(() => rand([1], { generator: 3 as never })).toThrow(/rand: generator is 3, not an object/)
    expect(() => rand([1], { dtype: 'i32' })).toThrow(/gives floats, not i32/)
  })
})

describe('the default device', () => {
  it('is cpu, and rejects unknown devices', () => {
    expect(getDefaultDevice()).toBe('cpu')
    setDefaultDevice('cpu')
    expect(() => setDefaultDevice('cuda')).toThrow(/setDefaultDevice: no device 'cuda:0'/)
    expect(zeros([1]).device).toBe('cpu')
  })
})
