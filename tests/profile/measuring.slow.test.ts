/** `tegula/profile` with its clocks: the order of measurements, peaks, and sweeps. Times are not asserted. */
import { compile, ones, type Tensor } from 'tegula'
import { benchmark, compare, MeasurementError, sweep } from 'tegula/profile'
import { describe, expect, it } from 'vitest'
import { cacheBytes } from '../../src/profile/cache-flusher.js'
import { bf16DotRate } from '../../src/profile/limits.js'
import { limitOfWork } from '../../src/profile/work.js'
import { cpuDevice } from '../../src/runtime/cpu/device.js'
import { cpuTarget } from '../../src/target/cpu.js'
import { hasCompiler } from '../support/compiler.js'

const quick = { samples: 5, seconds: 0.001, peak: false } as const

describe.skipIf(!hasCompiler)('measuring (needs a C compiler)', () => {
  it('measures each function in the given order, against the first', async () => {
    const { rows, device, flushed } = await compare(
      { sub: (x: Tensor) => x.sub(-1), add: (x: Tensor) => x.add(1) },
      [ones([4])],
      { ...quick, flush: true },
    )
    expect(rows.map(({ name, error, call }) => [name, error, call.samples])).toEqual([
      ['sub', null, 5],
      ['add', 0, 5],
    ])
    expect([device, flushed]).toEqual(['cpu', true])
  })

  it('a rate above the peak is an error that says what is wrong', async () => {
    const f = compile((t: Tensor) => t.add(1))
    const claim = (work: object) => benchmark(f, [ones([16])], { ...quick, peak: true, work })
    await expect(claim({ flops: 1e15 })).rejects.toThrow(MeasurementError)
    await expect(claim({ flops: 1e15 })).rejects.toThrow(/for 1.00 PFLOP \(f32\), \d+ % of the device's measured peak/)
    await expect(claim({ bytes: 4 * cacheBytes(null) })).rejects.toThrow("of the device's measured peak")
    // Bytes that fit in the cache have no share: the peak is of memory.
    const { share, bytesPerSecond } = await claim({ bytes: cacheBytes(null) })
    expect(share).toBeNull()
    expect(bytesPerSecond).toBeGreaterThan(0)
  })

  it('the peak of bf16 products is that of the instructions that multiply them', async () => {
    const { dotBf16, arch } = cpuTarget(cpuDevice().facts)
    const rate = bf16DotRate(1, 3)
    if (!dotBf16 || arch !== 'x64') return expect(rate).toBe(0)
    expect(rate).toBeGreaterThan(0)
    const limits = { flopsPerNanosecond: 100, matrixFlopsPerNanosecond: 400, copyBytesPerNanosecond: 10 }
    const limit = limitOfWork({ flops: 800, arithmetic: '16-bit' }, { ...limits, readBytesPerNanosecond: 10 })
    expect(limit).toEqual({ nanoseconds: 2, bound: 'arithmetic' })
    const x = ones([256, 256], { dtype: 'bf16' })
    const { flopsPerSecond } = await benchmark(
      compile((a: Tensor) => a.matmul(a)),
      [x],
      quick,
    )
    expect(flopsPerSecond).toBeGreaterThan(0)
  })

  it('a sweep compares at each point, the last parameter fastest', async () => {
    const make = ({ n, by }: { readonly n: number; readonly by: number }) => ({
      functions: { add: (x: Tensor) => x.add(by), sub: (x: Tensor) => x.sub(-by) },
      args: [ones([n])],
      work: { bytes: 8 * n },
    })
    const result = await sweep({ n: [4, 16, 64], by: [1, 2] }, make, quick)
    const right = ({ n }: { readonly n: number }) => ({ ...make({ n, by: 1 }), expected: ones([n]).add(1) })
    const checked = await sweep({ n: [4, 16] }, right, quick)
    expect(checked.points.map(({ comparison }) => comparison.rows.map(({ error }) => error))).toEqual([
      [0, 0],
      [0, 0],
    ])
    await expect(sweep({ n: [4] }, point => ({ ...right(point), expected: ones([4]) }), quick)).rejects.toThrow('add')
    expect(result.points.map(({ parameters: { n, by } }) => `${n} ${by}`)).toEqual([
      '4 1',
      '4 2',
      '16 1',
      '16 2',
      '64 1',
      '64 2',
    ])
  })
})
