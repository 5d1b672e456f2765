/** What `lower/simt` asks of a target: any on which the threads of a block run a program instance together. */

/** What instructions and memory a generation has. */
export interface SimtArch {
  /** Threads that run in step: a power of two. */
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
