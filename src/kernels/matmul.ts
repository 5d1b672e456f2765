/**
 * The matmul template: the K loop, and the sizes that back ends choose tiles by. Operands are tile callbacks, so that casts
 * and scales fuse into loading them; the epilogue is the caller's. GEMMs that share an operand may share a loop, which
 * loads the shared operand once.
 */

import type { DotOptions, TileBuilder, TileOperand, TileValue } from '../tile/language.js'

/** null: known only at run time. */
export interface MatmulSizes {
  readonly batch: number | null
  readonly m: number | null
  readonly n: number | null
  readonly k: number | null
  /** Left and right operands of the GEMMs in one loop: one of the two is 1, as they share an operand. */
  readonly lefts: number
  readonly rights: number
}

export interface MatmulTiles {
  readonly m: number
  readonly n: number
  readonly k: number
}

/** Candidate tiles in increasing order, and the wanted K per block. */
export interface MatmulChoices {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  readonly depth: number
}

export const defaultMatmulChoices: MatmulChoices = {
  rows: [32, 64, 96, 128, 160, 192, 256],
  columns: [64, 128, 192, 256, 320, 384, 512],
  depth: 256,
}

/** One summed axis. */
export interface MatmulDepth {
  /** Elements: an i64 scalar, or a number. */
  readonly length: TileOperand
  readonly block: number
  /** The part that is summed, where that is not all: i64. */
  readonly part?: { readonly start: TileValue; readonly end: TileValue } | null
}

export interface MatmulLoop {
  readonly m: number
  readonly n: number
  /** Outermost first; K of a tile is the product of their blocks. */
  readonly depth: readonly MatmulDepth[]
  readonly accumulate: 'f32' | 'f64' | 'i32'
  readonly products: number
  /** Precision and format of the dots. */
  readonly form?: DotOptions
  /**
   * The operands of each dot at given offsets along K: tiles [m, k] and [k, n]. Past the end of K at least one of the two
   * is 0. `isCut`: so it is outside the part that is summed, and both are.
   */
  factors(starts: readonly TileValue[], isCut: boolean): readonly (readonly [TileValue, TileValue])[]
}

/** The accumulators, [m, n] each. */
export function matmulLoop(t: TileBuilder, loop: MatmulLoop): readonly TileValue[] {
  const { m, n, depth, accumulate, products, form = {}, factors } = loop
  const along = (starts: readonly TileValue[], sums: readonly TileValue[], isCut = false): readonly TileValue[] => {
    const next = depth[starts.length]
    if (next === undefined) return factors(starts, isCut).map(([a, b], i) => t.dot(a, b, sums[i]!, form))
    const { length, block, part = null } = next
    const loop = (
      from: TileOperand,
      to: TileOperand,
      before: readonly TileValue[],
      cuts: boolean,
    ): readonly TileValue[] => {
      const made = t.range(from, to, block, carried(before), (start, inner) =>
        carried(along([...starts, start], Object.values(inner), cuts)),
      )
      return Object.values(made)
    }
    if (part !== null)
      return partBlocks(part, block).reduce((all, { from, to, cuts }) => loop(from, to, all, cuts), sums)
    if (length === block) return along([...starts, t.const(0n, 'i64')], sums, isCut)
    return loop(0, length, sums, isCut)
  }
  return along(
    [],
    Array.from({ length: products }, () => t.zeros([m, n], accumulate)),
  )
}

/**
 * The blocks of a part. They start at multiples of the block, so that loads stay aligned: the first and the last are cut, and
 * those between them are not masked.
 */
function partBlocks({ start, end }: NonNullable<MatmulDepth['part']>, block: number) {
  const first = start.floorDiv(block).mul(block)
  const whole = start
    .add(block - 1)
    .floorDiv(block)
    .mul(block)
  const last = end.floorDiv(block).mul(block).max(whole)
  return [
    { from: first, to: whole.min(end), cuts: true },
    { from: whole, to: last.min(end), cuts: false },
    { from: last, to: end, cuts: true },
  ]
}

const carried = (sums: readonly TileValue[]): Record<string, TileValue> =>
  Object.fromEntries(sums.map((sum, i) => [`sum${i}`, sum]))
