/** What a machine can do at best, for reports that say how close a kernel may come; measured by `profile/`. */
export interface MachineLimits {
  /** f32 operations per nanosecond of fused multiply-adds in registers, on all threads: GFLOP/s. */
  readonly flopsPerNanosecond: number
  /** Bytes read plus bytes written per nanosecond of a copy that no cache holds: GB/s. */
  readonly copyBytesPerNanosecond: number
  /** Bytes per nanosecond of a read that no cache holds: GB/s. */
  readonly readBytesPerNanosecond: number
  /** 16-bit operations per nanosecond of matrix instructions; absent where there are none. */
  readonly matrixFlopsPerNanosecond?: number
}
