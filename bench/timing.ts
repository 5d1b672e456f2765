/** Timing for benchmarks, shared with `tegula bench`. */
export * from '../src/profile/timing.js'
