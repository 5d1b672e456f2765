import { describe, expect, it } from 'vitest'
import { compareCalls } from '../../src/profile/call-times.js'
import { middle, timingOf } from '../../src/profile/timing.js'

describe('timing', () => {
  it('returns median and quartiles', () => {
    expect(middle([5, 1, 3])).toBe(3)
    expect(timingOf([8, 1, 7, 2, 6, 3, 5, 4])).toEqual({
      median: 5,
      lowerQuartile: 3,
      upperQuartile: 7,
      min: 1,
      samples: 8,
    })
  })

  it('repeats short calls, takes at least five samples each, and respects the requested number', async () => {
    const calls = [0, 0]
    const contenders = [0, 1].map(i => ({ name: `${i}`, call: () => calls[i]!++ }))
    const timings = await compareCalls(contenders, { samples: 7, seconds: 5, gpu: null })
    expect(timings.map(({ call, device }) => [call.samples, device])).toEqual([
      [7, null],
      [7, null],
    ])
    expect(Math.min(...calls)).toBeGreaterThan(7 * 10)
    const [few] = await compareCalls([{ name: 'any', call: () => {} }], { samples: 100, seconds: 1e-9, gpu: null })
    expect(few!.call.samples).toBe(5)
  })
})
