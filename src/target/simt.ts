/** The facts of a target that `lower/simt` needs: any target on which a block of threads runs a program instance. */

/** The instructions and memory of a hardware generation. */
export interface SimtArch {
  /** Threads per warp: a power of two. */
  readonly warpSize: number
  /** Matrix instructions on 8-bit floats. */
  readonly mmaF8: boolean
  /** Warpgroup matrix instructions, bulk tensor copies, memory barriers with transaction counts. */
  readonly warpgroup: boolean
  readonly sharedBytesPerBlock: number
  readonly sharedBytesPerMultiprocessor: number
}

export interface SimtTarget {
  readonly arch: SimtArch
}
