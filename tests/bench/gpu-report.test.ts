/** The benchmark of a GPU: which of the peer's figures count, and when a bar is met. */
import { describe, expect, it } from 'vitest'
import type { GpuCase, Measured } from '../../bench/gpu/case.js'
import { barsOf, barsText, bestPeer, parsePeers, rowOf, rowText, startBars } from '../../bench/gpu/report.js'
import { holds } from '../../bench/report.js'

const limits = {
  copyBytesPerNanosecond: 4000,
  readBytesPerNanosecond: 4000,
  flopsPerNanosecond: 60_000,
  matrixFlopsPerNanosecond: 600_000,
  launchNanoseconds: 2000,
  graphNodeNanoseconds: 700,
}

const peers = parsePeers(
  [
    'a line of a library',
    '{"gpu": "any"}',
    '{"case": "a", "variant": "compile", "us": 30}',
    '{"case": "a", "variant": "default_first_call", "us": 1}',
    '{"case": "a", "variant": "eager", "us": 40}',
    '{"case": "b", "error": "not built"}',
  ].join('\n'),
)

const rowsOf = (each: Omit<GpuCase, 'run'>, measured: readonly Measured[]) =>
  measured.map(one =>
    rowOf({ ...each, run: () => [] }, one, {
      peers,
      limits,
      copyTime: bytes => bytes / limits.copyBytesPerNanosecond / 1000,
    }),
  )

describe('peers', () => {
  it('count with their best time, without first calls, and only for the named variants', () => {
    expect(bestPeer(peers, { case: 'a' })).toEqual({ case: 'a', variant: 'compile', us: 30 })
    expect(bestPeer(peers, { case: 'a', variants: ['eag'] })?.us).toBe(40)
    expect(bestPeer(peers, { case: 'b' })).toBeNull()
    expect(bestPeer(peers, { case: 'c' })).toBeNull()
  })
})

describe('bars', () => {
  it('are judged by the best variant of a case, ignoring variants that are only shown', () => {
    const measured: readonly Measured[] = [
      { case: 'a', variant: 'slow', us: 60 },
      { case: 'a', variant: 'fast', us: 20 },
      { case: 'a', variant: 'other work', us: 1, aside: true },
    ]
    const bars = barsOf(rowsOf({ name: 'a', bar: 2 }, measured))
    expect(bars).toMatchObject([{ case: 'a', variant: 'fast', value: 1.5, limit: 2 }])
    expect(bars.map(holds)).toEqual([false])
    expect(barsText(bars)).toMatch(/a fast, against compile +1\.50 × +bar ≥ 2 × +MISSED/)
  })

  it('are separate for variants with their own peers, and not measured without figures', () => {
    const bars = barsOf(
      rowsOf({ name: 'x' }, [
        { case: 'x', variant: 'one', us: 10, bar: 1, peer: { case: 'a' } },
        { case: 'x', variant: 'two', us: 10, bar: 1, peer: { case: 'b' } },
      ]),
    )
    expect(bars.map(({ variant }) => variant)).toEqual(['one', 'two'])
    expect(bars.map(holds)).toEqual([true, null])
  })

  it('state shares of the rate of a copy of as many bytes', () => {
    const [row] = rowsOf({ name: 'a', share: 0.8 }, [{ case: 'a', variant: 'v', us: 25, bytes: 80e6 }])
    expect(row!.copyShare).toBeCloseTo(0.8)
    expect(barsOf([row!]).map(holds)).toEqual([true])
    expect(rowText(row!)).toMatch(/^a +v +25\.00 µs +3200 GB\/s +80\.0 % of a copy +1\.20× compile 30\.0 µs$/)
  })

  it('of matmuls state the share of the matrix rate', () => {
    const [row] = rowsOf({ name: 'm' }, [{ case: 'm', variant: 'v', us: 100, flops: 30e9, bytes: 1e6 }])
    expect([row!.copyShare, row!.matrixShare]).toEqual([null, 0.5])
    expect(rowText(row!)).toMatch(/300 TFLOPS +50\.0 % of mma$/)
  })

  it('of first calls are in seconds', () => {
    expect(startBars(1500, 400).map(holds)).toEqual([true, false])
    expect(startBars(null, null).map(holds)).toEqual([null, null])
  })
})
