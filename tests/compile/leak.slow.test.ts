/** Results that nobody disposes of, in one synchronous loop: memory stays bounded, and the last answer is right. */
import { describe, expect, it } from 'vitest'
import { hasCompiler } from '../support/compiler.js'
import { jsonOf, runScript } from './run-script.js'

/** Megabytes. */
interface Report {
  readonly last: readonly number[]
  /** What is held after the calls and a collection, above what was held after a tenth as many. */
  readonly heapGrowth: number
  readonly buffersGrowth: number
  readonly rssGrowth: number
  /** The process's largest resident size during the calls. */
  readonly peak: number
}

const reportOf = (how: string, calls: number): Promise<Report> =>
  jsonOf(runScript('leak.ts', [how, String(calls)], {}, ['--expose-gc']))

describe.skipIf(!hasCompiler)('calls that drop their results (needs a C compiler)', () => {
  // 100,000 results of 8 elements that stayed would be 6 MB of elements, and over 30 MB with their objects.
  it.each([
    ['compiled', 100_000],
    ['eager', 100_000],
    ['recorded', 50_000],
    ['backward', 50_000],
    ['gradientOfGradient', 20_000],
    ['views', 20_000],
    ['trainingStep', 100_000],
    ['eagerTrainingStep', 100_000],
  ])('%s: %d calls on small tensors leak nothing', { timeout: 600_000 }, async (how, calls) => {
    const report = await reportOf(how, calls)
    expect(report.last).toEqual([4, 0, 8, 0, 12, 0, 16, 0])
    expect(report.heapGrowth).toBeLessThanOrEqual(4)
    expect(report.buffersGrowth).toBeLessThanOrEqual(4)
    expect(report.rssGrowth).toBeLessThan(64)
    expect(report.peak).toBeLessThan(400)
  })

  // 16 GB in all. Without dispose the collector decides when a result's memory goes; with it, the next call has it.
  it.each([
    ['large', 1000],
    ['disposed', 250],
  ])('2,000 calls that make 8 MB each (%s) hold less than %d MB', { timeout: 120_000 }, async (how, most) => {
    const report = await reportOf(how, 2000)
    expect(report.last).toEqual([4, 4, 4, 4, 4, 4, 4, 4])
    expect(report.heapGrowth).toBeLessThanOrEqual(4)
    expect(report.buffersGrowth).toBeLessThanOrEqual(32)
    expect(report.rssGrowth).toBeLessThan(128)
    expect(report.peak).toBeLessThan(most)
  })

  it("keep none of their arguments' memory", { timeout: 120_000 }, async () => {
    expect(await jsonOf(runScript('kept.ts', [], {}, ['--expose-gc']))).toEqual([])
  })
})
