/** Times several functions against each other: batches for short calls, interleaved samples, within a time budget. */
import { synchronize } from '../compile/execute/streams.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import { scope } from '../tensor/scope.js'
import { CacheFlusher } from './cache-flusher.js'
import { EventTimer } from './event-timer.js'
import { nanoseconds, type Timing, timingOf } from './timing.js'

export interface Contender {
  readonly name: string
  /** One call; its result is discarded. */
  readonly call: () => unknown
}

export interface CompareOptions {
  /** Samples of each contender; fewer, but at least 5, when the budget does not allow them. */
  readonly samples: number
  /** Time budget in seconds for all contenders. */
  readonly seconds: number
  /** The GPU that runs the calls, for times on its clock; null: the CPU. */
  readonly gpu: CudaDevice | null
  /**
   * Overwrites the caches before each call that is timed on the device: on a GPU by its own clock (default true), on the CPU each call
   * alone, by the host's (default false).
   */
  readonly flush?: boolean
}

export interface CallTimes {
  /** On the host's clock, for many calls in a row until the work is done: the time that a program sees. */
  readonly call: Timing
  /** On the GPU's clock, one call at a time, with a cold L2 cache unless `flush` is false; null on the CPU. */
  readonly device: Timing | null
}

/** Minimum duration of a sample, reached by repeating the call: a shorter sample is dominated by the clock's resolution. */
const minSampleNanoseconds = 1e6
const maxBatch = 20_000
const minSamples = 5
const warmupSamples = 3
/**
 * Calls before the first sample take at least so long, and those of short calls until there were so many: the engine compiles the
 * code around a kernel only once it has run often.
 */
const warmupNanoseconds = 1e7
const warmupCalls = 2000
/** They go on, but no longer than this, until two times in a row are within this share of the one before. */
const longestWarmupNanoseconds = 2e8
const steady = 0.05

interface Timed {
  readonly call: () => unknown
  readonly batch: number
  readonly sampleNanoseconds: number
  readonly times: number[]
  readonly deviceTimes: number[]
}

/** Times per contender, in order. Awaits between samples, so that finalizers run, but never inside a sample. */
export async function compareCalls(contenders: readonly Contender[], options: CompareOptions): Promise<CallTimes[]> {
  const { gpu, flush = gpu !== null } = options
  const flusher = flush ? new CacheFlusher(gpu) : null
  const timer = gpu === null ? null : new EventTimer(gpu)
  try {
    const timed = contenders.map(({ call }) => prepare(call, gpu === null && flush))
    const samples = affordableSamples(timed, options)
    for (let i = -warmupSamples; i < samples; i++) {
      for (const each of timed) takeSample(each, timer, flusher, i >= 0)
      await new Promise(resolve => setImmediate(resolve))
    }
    return timed.map(({ times, deviceTimes }) => ({
      call: timingOf(times),
      device: timer === null ? null : timingOf(deviceTimes),
    }))
  } finally {
    flusher?.dispose()
  }
}

/** Warms a call up until its time is steady, and finds how many calls make a sample long enough to time; `alone`: a sample is one call. */
function prepare(call: () => unknown, alone: boolean): Timed {
  sample(call, 1) // may compile, or capture a graph
  let [once, last, spent, alike] = [Number.POSITIVE_INFINITY, Number.NaN, 0, 0]
  let calls = 1
  const isCold = (): boolean =>
    spent < warmupNanoseconds || alike < 2 || (calls <= warmupCalls && spent < 6 * warmupNanoseconds)
  while (spent < longestWarmupNanoseconds && isCold()) {
    const each = Math.max(1, sample(call, calls))
    alike = Math.abs(each - last) <= steady * last ? alike + 1 : 0
    once = Math.min(once, each)
    last = each
    spent += each * calls
    if (each * calls < warmupNanoseconds) calls = Math.min(maxBatch, calls * 2)
  }
  const batch = alone ? 1 : Math.min(maxBatch, Math.max(1, Math.ceil(minSampleNanoseconds / once)))
  return { batch, sampleNanoseconds: once * batch, call, times: [], deviceTimes: [] }
}

function affordableSamples(timed: readonly Timed[], { samples, seconds, gpu }: CompareOptions): number {
  const sampleOfAll = timed.reduce((sum, { sampleNanoseconds }) => sum + sampleNanoseconds * (gpu === null ? 1 : 2), 0)
  return Math.max(minSamples, Math.min(samples, Math.floor((seconds * 1e9) / sampleOfAll)))
}

function takeSample(
  { call, batch, times, deviceTimes }: Timed,
  timer: EventTimer | null,
  flusher: CacheFlusher | null,
  counts: boolean,
): void {
  if (timer === null) flusher?.flush()
  const time = sample(call, batch)
  if (counts) times.push(time)
  if (timer === null) return
  const { onDevice } = scope(() => ({ onDevice: timer.sample(call, flusher) }))
  if (counts) deviceTimes.push(onDevice)
}

/** Nanoseconds per call until GPUs have finished the work. Results are freed after the clock has stopped. */
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
