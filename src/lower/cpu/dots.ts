/**
 * Chooses how a dot is computed: the micro-kernel and its block sizes, for a target's registers. The scheduler bases tile
 * sizes on it too.
 */
import { type WordDtype, wordSum } from '../../lane/word-dot.js'
import type { CpuTarget } from '../../target/cpu.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'

/** With at most this many rows (on the smaller side), a dot reads its large operand in place instead of packing it. */
const thinRows = 8

export interface DotBlock {
  readonly rows: number
  readonly columns: number
}

export type DotForm =
  | { readonly kind: 'thin'; readonly large: 'a' | 'b' }
  | { readonly kind: 'blocked'; readonly block: DotBlock; readonly words: WordDtype | null }

/** Time that a block of rows may take more than another, so that a tile has no rest of rows. */
const restCost = 0.03

/** Registers for a micro-kernel's accumulators: all except those for vectors of b and one of a. */
function accumulators(target: CpuTarget, columnVectors: number): number {
  return target.vectorRegisters - columnVectors - 1
}

/** Cycles per load: cores with two load ports finish hardly more than one vector of 512 bits at a time. */
const loadTime = ({ vectorBytes }: CpuTarget): number => (vectorBytes === 64 ? 1.1 : 0.5)

/**
 * Cycles of a step of k: multiply-adds on two ports, and at least the latency of one. Each vector of b and each element of a
 * is a load.
 */
const stepTime = (target: CpuTarget, rows: number, vectors: number): number =>
  Math.max((rows * vectors) / 2, (rows + vectors) * loadTime(target), 4)

/** Blocks of `extent` along a side, and what is left. */
const blocksAlong = (size: number, extent: number): readonly (readonly [extent: number, count: number])[] =>
  [[extent, Math.floor(size / extent)] as const, [size % extent, 1] as const].filter(([own, count]) => own * count > 0)

/**
 * The accumulator block of the micro-kernel for an [m, n] tile: `rows` × `columns` elements of `dtype` in registers.
 * Tile sizes that are multiples of the block waste nothing.
 */
export function dotBlock(target: CpuTarget, dtype: Dtype, m: number, n: number): DotBlock {
  const lanes = target.vectorBytes / itemBytes(dtype)
  const wanted = Math.ceil(n / lanes)
  let best = { rows: 1, columns: lanes, cost: Number.POSITIVE_INFINITY }
  for (let vectors = 1; vectors <= Math.min(4, wanted); vectors++) {
    const most = Math.floor(accumulators(target, vectors) / vectors)
    for (let rows = Math.min(most, m); rows >= Math.min(4, m); rows--) {
      let time = 0
      for (const [high, count] of blocksAlong(m, rows))
        for (const [wide, columns] of blocksAlong(wanted, vectors))
          time += count * columns * stepTime(target, high, wide)
      // A rest of rows is another micro-kernel: code to compile.
      const cost = time * (m % rows === 0 ? 1 : 1 + restCost)
      if (cost < best.cost * 0.999) best = { rows, columns: vectors * lanes, cost }
    }
  }
  return { rows: best.rows, columns: best.columns }
}

/** Up to this K, twice `thinRows` are allowed: a packed operand would hardly be reused. */
const shortDepth = 16

/** With fewer columns, or bytes of K, most of a panel or of a tile's depth would be padding. */
const leastColumns = 16
const leastDepth = 64

/** Whether the target multiplies pairs or fours of this dtype with an instruction that sums in `sum`. */
function wordDtype(target: CpuTarget, operand: Dtype, sum: Dtype): WordDtype | null {
  const has = { bf16: target.dotBf16, i8: target.dotI8 }
  const fits = (operand === 'bf16' || operand === 'i8') && target.vectorBytes === 64
  return fits && has[operand] && sum === wordSum[operand] ? operand : null
}

/** The dtypes of operands that the target multiplies without conversion. */
export const narrowDots = (target: CpuTarget): ReadonlySet<Dtype> =>
  new Set((['bf16', 'i8'] as const).filter(dtype => wordDtype(target, dtype, wordSum[dtype]) !== null))

/** `operand`: the dtype of a and b; `dtype`: that of the sums. */
export function dotForm(target: CpuTarget, operand: Dtype, dtype: Dtype, m: number, n: number, k: number): DotForm {
  const thin = m <= thinRows || (m <= 2 * thinRows && k <= shortDepth)
  if (thin && m <= n) return { kind: 'thin', large: 'b' }
  if (n <= thinRows) return { kind: 'thin', large: 'a' }
  const words = wordDtype(target, operand, dtype)
  if (words !== null && n >= leastColumns && k * itemBytes(words) >= leastDepth)
    return { kind: 'blocked', block: { rows: 1, columns: 1 }, words }
  return { kind: 'blocked', block: dotBlock(target, dtype, m, n), words: null }
}
