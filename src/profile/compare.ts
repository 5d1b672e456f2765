/** Times ways to call one function side by side: batches for short calls, samples taken in turn, within a time budget. */
import { synchronize } from '../compile/streams.js'
import { scope } from '../tensor/scope.js'
import { nanoseconds, type Timing, timingOf } from './timing.js'

export interface Contender {
  readonly name: string
  /** One call; its result is let go. */
  readonly call: () => unknown
}

export interface CompareOptions {
  /** Samples of each contender; fewer, but at least 5, when the budget does not allow them. */
  readonly samples: number
  /** Seconds for all contenders together. */
  readonly seconds: number
}

/** A sample lasts at least so long, by repeating the call: shorter ones measure the clock. */
const leastSampleNanoseconds = 1e6
const maxBatch = 20_000
const leastSamples = 5
const warmupSamples = 3

/** One Timing per contender, in order. Awaits between samples, so that finalizers run; never inside one. */
export async function compareCalls(contenders: readonly Contender[], options: CompareOptions): Promise<Timing[]> {
  const batches = contenders.map(({ call }) => {
    const once = Math.max(1, sample(call, 1), sample(call, 1))
    const batch = Math.min(maxBatch, Math.max(1, Math.ceil(leastSampleNanoseconds / once)))
    return { batch, sampleNanoseconds: once * batch, call, times: [] as number[] }
  })
  const round = batches.reduce((sum, { sampleNanoseconds }) => sum + sampleNanoseconds, 0)
  const affordable = Math.floor((options.seconds * 1e9) / round)
  const samples = Math.max(leastSamples, Math.min(options.samples, affordable))
  for (let i = -warmupSamples; i < samples; i++) {
    for (const { batch, call, times } of batches) {
      const time = sample(call, batch)
      if (i >= 0) times.push(time)
    }
    await new Promise(resolve => setImmediate(resolve))
  }
  return batches.map(({ times }) => timingOf(times))
}

/** Nanoseconds per call, until GPUs have done the work. What the calls make is freed after the clock has stopped. */
function sample(call: () => unknown, batch: number): number {
  return (
    scope(() => {
      synchronize()
      const time = nanoseconds(() => {
        for (let i = 0; i < batch; i++) call()
        synchronize()
      })
      return { time }
    }).time / batch
  )
}
