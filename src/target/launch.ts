/**
 * Facts that a kernel may assume about each launch, beyond its types: kernels are generated for them, and the launcher
 * checks them. They allow wide memory accesses and narrow index arithmetic.
 */
export interface LaunchFacts {
  /**
   * For each argument of the binary interface (tile/abi.ts order), a power of two up to 16 that divides it: bytes for
   * a pointer, elements for a size or stride, 1 for a scalar.
   */
  readonly divisors: readonly number[]
  /** The dtype of index arithmetic: i32 where every size, stride and offset within a view is proved to fit it. */
  readonly indices: 'i32' | 'i64'
}
