/** Times contenders in turn, and takes the ratios of their times round by round. */
import { middle } from '../src/profile/timing.js'

/** A contender: a function to run once, or one that returns its time (a limit, in nanoseconds). */
export type Contender = { readonly call: () => unknown; readonly batch?: number } | { readonly measure: () => number }

export interface RaceOptions {
  readonly rounds: number
  /** Timed calls per contender and round, after a warm-up. */
  readonly calls: number
}

/** A contender's turn begins when this process has used less than a fifth of a core for this long. */
const quietMilliseconds = 15
const longestWait = 1000
/** Long enough for threads to wake and clocks to rise. */
const warmupNanoseconds = 10_000_000n

/**
 * Nanoseconds per call of each contender in each round. Contenders alternate, so that drift of the machine's speed affects all
 * alike; compare them round by round with `medianRatio`.
 */
export async function race(contenders: readonly Contender[], { rounds, calls }: RaceOptions): Promise<number[][]> {
  const times = contenders.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, contender] of contenders.entries()) {
      await quiet()
      times[i]!.push('measure' in contender ? contender.measure() : await timeCalls(contender, calls))
    }
  }
  return times
}

/** Waits until the previous contender's threads stop spinning; onnxruntime's spin for tens of milliseconds. */
async function quiet(): Promise<void> {
  for (let waited = 0; waited < longestWait; waited += quietMilliseconds) {
    const before = process.cpuUsage()
    await new Promise(resolve => setTimeout(resolve, quietMilliseconds))
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1000 < quietMilliseconds / 5) return
  }
}

async function timeCalls({ call, batch = 1 }: Extract<Contender, { call: unknown }>, calls: number): Promise<number> {
  const times: number[] = []
  const warm = process.hrtime.bigint() + warmupNanoseconds
  for (let left = calls; left > 0; ) {
    const start = process.hrtime.bigint()
    for (let j = 0; j < batch; j++) {
      const result = call()
      if (result instanceof Promise) await result
    }
    if (start < warm) continue
    times.push(Number(process.hrtime.bigint() - start) / batch)
    left--
  }
  return middle(times)
}

/** Each contender's median and best round, by name. */
export function summarise(
  names: readonly string[],
  rounds: readonly (readonly number[])[],
): { nanoseconds: Record<string, number>; best: Record<string, number> } {
  const each = (of: (times: readonly number[]) => number): Record<string, number> =>
    Object.fromEntries(names.map((name, i) => [name, of(rounds[i]!)]))
  return { nanoseconds: each(times => middle([...times])), best: each(times => Math.min(...times)) }
}

/** The median over the rounds of `above / below`. */
export const medianRatio = (above: readonly number[], below: readonly number[]): number =>
  middle(above.map((value, round) => value / below[round]!))
