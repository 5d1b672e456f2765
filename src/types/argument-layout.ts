/**
 * How a kernel's arguments are packed for a launch. Pointers, sizes and scalars take one 8-byte word each; structures that
 * the hardware reads have their own sizes and alignments (a tensor map: 128 bytes, aligned to 64).
 */
export interface ArgumentLayout {
  /** A multiple of 8. */
  readonly bytes: number
  /** A power of two, at least 8. */
  readonly alignment: number
}

export const wordBytes = 8
const word: ArgumentLayout = { bytes: wordBytes, alignment: wordBytes }

/** Layouts of `count` arguments of 8 bytes each. */
export const wordArguments = (count: number): readonly ArgumentLayout[] => new Array<ArgumentLayout>(count).fill(word)

/** The offset of each argument in words, by the rules of C structures, and the total number of words. */
export function packArguments(layouts: readonly ArgumentLayout[]): {
  readonly at: readonly number[]
  readonly words: number
} {
  let bytes = 0
  const at = layouts.map(layout => {
    const start = Math.ceil(bytes / layout.alignment) * layout.alignment
    bytes = start + layout.bytes
    return start / wordBytes
  })
  return { at, words: bytes / wordBytes }
}
