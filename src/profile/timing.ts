/**
 * Timing: medians of many samples after a warm-up. Samples of the compared functions are interleaved, so that drift of the
 * machine's speed affects all alike.
 */

/** Nanoseconds of one call: median and spread of the samples. */
export interface Timing {
  /** Half of the samples is below this. */
  readonly median: number
  /** A quarter of the samples is below this. */
  readonly lowerQuartile: number
  /** A quarter of the samples is above this. */
  readonly upperQuartile: number
  /** The fastest. */
  readonly min: number
  /** How many were taken. */
  readonly samples: number
}

const warmupCalls = 3

/** Median nanoseconds of one call. */
export function median(call: () => void, runs: number, warmup = warmupCalls): number {
  for (let i = 0; i < warmup; i++) call()
  return middle(Array.from({ length: runs }, () => nanoseconds(call)))
}

export function nanoseconds(call: () => void): number {
  const start = process.hrtime.bigint()
  call()
  return Number(process.hrtime.bigint() - start)
}

/** The median; sorts in place. */
export function middle(values: number[]): number {
  return quantile(
    values.sort((a, b) => a - b),
    0.5,
  )
}

/** Median, quartiles and minimum of samples. */
export function timingOf(samples: readonly number[]): Timing {
  const sorted = samples.toSorted((a, b) => a - b)
  return {
    median: quantile(sorted, 0.5),
    lowerQuartile: quantile(sorted, 0.25),
    upperQuartile: quantile(sorted, 0.75),
    min: sorted[0] ?? Number.NaN,
    samples: sorted.length,
  }
}

/** The quantile of sorted values at `share`; NaN when there are none. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
