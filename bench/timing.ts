/** Timing for benchmarks: medians of many runs after a warm-up. */

/** Median nanoseconds of one call. */
export function median(call: () => void, runs: number, warmup = 3): number {
  for (let i = 0; i < warmup; i++) call()
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const start = process.hrtime.bigint()
    call()
    times.push(Number(process.hrtime.bigint() - start))
  }
  return middle(times)
}

/** Medians of two calls taken in turn, so that a machine that drifts drifts for both. */
export function interleaved(a: () => void, b: () => void, runs: number): readonly [number, number] {
  const times: [number[], number[]] = [[], []]
  for (let i = 0; i < runs + 3; i++) {
    for (const [which, call] of [a, b].entries()) {
      const start = process.hrtime.bigint()
      call()
      if (i >= 3) times[which]!.push(Number(process.hrtime.bigint() - start))
    }
  }
  return [middle(times[0]), middle(times[1])]
}

export function middle(values: number[]): number {
  values.sort((a, b) => a - b)
  return values[values.length >> 1]!
}
