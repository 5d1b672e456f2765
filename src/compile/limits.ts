/** A machine's peak rates, for reports of how close a kernel comes (the roofline); measured by `profile/`. */
export interface MachineLimits {
  /** f32 FMA throughput in registers, on all threads: operations per nanosecond, that is GFLOP/s. */
  readonly flopsPerNanosecond: number
  /** Bytes read plus bytes written per nanosecond, of a copy larger than the caches: GB/s. */
  readonly copyBytesPerNanosecond: number
  /** Bytes per nanosecond, of a read larger than the caches: GB/s. */
  readonly readBytesPerNanosecond: number
  /** 16-bit operations per nanosecond of a GPU's tensor cores, or of a CPU's dot-product instructions; absent where there are none. */
  readonly matrixFlopsPerNanosecond?: number
}
