/**
 * How a dot is computed: by which micro-kernel, in which blocks, for a target's registers. The scheduler chooses tiles by it
 * too.
 */
import type { CpuTarget } from '../../target/cpu.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'

/** With up to this many rows (of the smaller side) a dot reads its large operand in place instead of packing it. */
const thinRows = 8

export interface DotBlock {
  readonly rows: number
  readonly columns: number
}

export type DotForm =
  | { readonly kind: 'thin'; readonly large: 'a' | 'b' }
  | { readonly kind: 'blocked'; readonly block: DotBlock }

/** Registers for a micro-kernel's accumulators: those that are not needed for vectors of b and one of a. */
function accumulators(target: CpuTarget, columnVectors: number): number {
  return target.vectorRegisters - columnVectors - 1
}

/**
 * The accumulator block of the micro-kernel for an [m, n] tile: `rows` × `columns` elements of `dtype` in registers.
 * A tile whose sides are multiples of these wastes nothing.
 */
export function dotBlock(target: CpuTarget, dtype: Dtype, m: number, n: number): DotBlock {
  const lanes = target.vectorBytes / itemBytes(dtype)
  const wanted = Math.ceil(n / lanes)
  let best = { rows: 1, columns: lanes, cost: Number.POSITIVE_INFINITY }
  for (let vectors = 1; vectors <= Math.min(4, wanted); vectors++) {
    const most = Math.floor(accumulators(target, vectors) / vectors)
    for (let rows = Math.min(most, m); rows >= Math.min(4, m); rows--) {
      // Per step of k: multiply-adds on two ports, loads on two ports; and at least the latency of one multiply-add.
      const step = Math.max((rows * vectors) / 2, (rows + vectors) / 2, 4)
      const blocks = Math.ceil(m / rows) * Math.ceil(wanted / vectors)
      const cost = blocks * step
      if (cost < best.cost * 0.999) best = { rows, columns: vectors * lanes, cost }
    }
  }
  return { rows: best.rows, columns: best.columns }
}

/** Twice as many when K is so short that packing would hardly be reused. */
const shortDepth = 16

export function dotForm(target: CpuTarget, dtype: Dtype, m: number, n: number, k: number): DotForm {
  const thin = m <= thinRows || (m <= 2 * thinRows && k <= shortDepth)
  if (thin && m <= n) return { kind: 'thin', large: 'b' }
  if (n <= thinRows) return { kind: 'thin', large: 'a' }
  return { kind: 'blocked', block: dotBlock(target, dtype, m, n) }
}
