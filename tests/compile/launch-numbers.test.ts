/** Numbers that kernels are launched with: one version for all of them, whether they are sizes, boxed, or read. */
import { describe, expect, it } from 'vitest'
import { arange, compile, ones, type ScalarVariable, scalar, type Tensor, zeros } from '../../src/index.js'
import { cdiv, f32, kernel, view } from '../../src/kernel.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const values = (t: Tensor): number[] => Array.from(t.dataSync() as Float32Array, Number)

const scale = kernel({
  name: 'scale_by',
  params: { x: view(f32, 1), y: view(f32, 1), rate: 'f32', shift: 'i32' },
  constants: { BLOCK: 16 },
  grid: ({ x }, { BLOCK }) => [cdiv(x.size(0), BLOCK)],
  body: (t, { x, y, rate, shift }, { BLOCK }) => {
    const at = t.programId(0).mul(BLOCK)
    t.store(y, [at], t.load(x, [at], [BLOCK]).mul(rate).add(shift.to('f32')))
  },
})

const first = kernel({
  name: 'fill_first',
  params: { y: view(f32, 1), count: 'i32', value: 'f32' },
  constants: { BLOCK: 4 },
  grid: ({ count }, { BLOCK }) => [cdiv(count, BLOCK)],
  body: (t, { y, value }, { BLOCK }) => {
    t.store(y, [t.programId(0).mul(BLOCK)], t.full([BLOCK], 0, 'f32').add(value))
  },
})

const scaled = (x: Tensor, rate: number | ScalarVariable, shift: number | ScalarVariable): Tensor => {
  const y = zeros([x.dim(0)])
  scale.launch({ x, y, rate, shift })
  return y
}
const wanted = (x: Tensor, rate: number, shift: number): number[] => values(x.mul(rate).add(shift))

describe('numbers of a launch', () => {
  const x = arange(40).to('f32')

  it('boxed: one version', () => {
    const f = compile(scaled)
    for (const [rate, shift] of [
      [0.5, 1],
      [0.25, 3],
      [1.5, 2],
      [0.125, 100],
    ] as const)
      expect(values(f(x, scalar(rate), scalar(shift)))).toEqual(wanted(x, rate, shift))
    expect(f.stats()).toMatchObject({ compiles: 1, recompiles: [] })
  })

  it('plain: a second value makes one version for all values', () => {
    const f = compile(scaled)
    for (const [rate, shift] of [
      [0.5, 1],
      [0.25, 3],
      [1, 2],
      [3, -7],
      [0.125, 100],
      [2, 5],
    ] as const)
      expect(values(f(x, rate, shift))).toEqual(wanted(x, rate, shift))
    // One more for shifts below 0.
    expect(f.stats().compiles, f.stats().recompiles.join('\n')).toBeLessThanOrEqual(3)
  })

  it('as the step of a loop, changing with sizes', () => {
    const f = compile((t: Tensor, rate: number) => scaled(t, rate, t.shape[0]!))
    for (const [n, rate] of [
      [20, 0.5],
      [33, 0.25],
      [40, 0.75],
      [7, 0.5],
      [64, 0.1],
    ] as const) {
      const t = arange(n).to('f32')
      expect(values(f(t, rate))).toEqual(values(compile(scaled, { dynamic: false })(t, rate, n)))
    }
    expect(f.stats().compiles, f.stats().recompiles.join('\n')).toBeLessThanOrEqual(2)
  })

  it('x.dim(0) as a number', () => {
    const f = compile((t: Tensor) => scaled(t, 0.5, t.dim(0) as unknown as ScalarVariable), { dynamic: true })
    for (const n of [20, 33, 40]) expect(values(f(ones([n])))).toEqual(new Array(n).fill(0.5 + n))
    expect(f.stats().compiles).toBe(1)
  })

  it('that determine the grid', () => {
    const filled = (t: Tensor, count: number | ScalarVariable, value: number | ScalarVariable): Tensor => {
      const y = t.clone()
      first.launch({ y, count, value })
      return y
    }
    const expected = (count: number, value: number): number[] =>
      values(x).map((was, i) => (i < Math.ceil(count / 4) * 4 ? value : was))
    const [boxed, plain] = [compile(filled), compile(filled)]
    for (const [count, value] of [
      [3, 0.5],
      [5, 1.5],
      [17, 2.5],
      [12, 0.25],
      [40, 0.75],
    ] as const) {
      expect(values(boxed(x, scalar(count), scalar(value)))).toEqual(expected(count, value))
      expect(values(plain(x, count, value))).toEqual(expected(count, value))
    }
    expect(boxed.stats().compiles, boxed.stats().recompiles.join('\n')).toBe(1)
    expect(plain.stats().compiles, plain.stats().recompiles.join('\n')).toBeLessThanOrEqual(3)
  })

  it('a grid computed from a fraction: its value is read', () => {
    const odd = kernel({
      name: 'fill_by_rate',
      params: { y: view(f32, 1), rate: 'f32' },
      grid: ({ rate }) => [rate > 1 ? 2 : 1],
      body: (t, { y, rate }) => t.store(y, [t.programId(0)], t.full([1], 0, 'f32').add(rate)),
    })
    const f = compile((rate: ScalarVariable) => {
      const y = zeros([2])
      odd.launch({ y, rate })
      return y
    })
    for (const rate of [0.5, 1.5, 0.25, 2.5]) expect(values(f(scalar(rate)))).toEqual([rate, rate > 1 ? rate : 0])
  })

  it('too large for the parameter: the same error as for a number', () => {
    const f = compile(scaled)
    expect(values(f(x, scalar(0.5), scalar(1)))).toEqual(wanted(x, 0.5, 1))
    expect(() => f(x, scalar(0.5), scalar(2 ** 40))).toThrow(
      /argument 'shift' is 1099511627776, which i32 cannot represent/,
    )
    expect(() => f(x, scalar(0.5), scalar(1.5))).toThrow(/argument 'shift' is 1.5/)
    expect(() => scale.launch({ x, y: zeros([40]), rate: scalar(0.5), shift: scalar(1.5) })).toThrow(/'shift' is 1.5/)
  })

  it('eagerly too', () => {
    const y = zeros([40])
    scale.launch({ x, y, rate: scalar(0.5), shift: scalar(3) })
    expect(values(y)).toEqual(wanted(x, 0.5, 3))
  })
})
