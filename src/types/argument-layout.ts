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

/** Lays arguments out by the rules of C structs: the offset of each, and the total size, both in words. */
export function packArguments(layouts: readonly ArgumentLayout[]): {
  readonly offsets: readonly number[]
  readonly words: number
} {
  let bytes = 0
  const offsets = layouts.map(layout => {
    const start = Math.ceil(bytes / layout.alignment) * layout.alignment
    bytes = start + layout.bytes
    return start / wordBytes
  })
  return { offsets, words: bytes / wordBytes }
}
