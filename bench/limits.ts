/** The machine's limits; they are part of the product (`tegula devices`), which benchmarks share. */
export * from '../src/profile/limits.js'
