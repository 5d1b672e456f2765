/**
 * The matmul template: the K loop, and the sizes from which back ends choose tiles. Operands are tile callbacks, so casts
 * and scales fuse into their loads; the caller supplies the epilogue. GEMMs that share an operand may share a K loop, which
 * loads the shared operand once.
 */

import type { DotOptions, TileBuilder, TileOperand, TileValue } from '../tile/language.js'

/** null: known only at run time. */
export interface MatmulSizes {
  readonly batch: number | null
  readonly m: number | null
  readonly n: number | null
  readonly k: number | null
  /** Left and right operands of the GEMMs in one loop: one of the two numbers is 1, as the GEMMs share that operand. */
  readonly lefts: number
  readonly rights: number
}

export interface MatmulTiles {
  readonly m: number
  readonly n: number
  readonly k: number
}

/** Candidate tile sizes in increasing order, and the preferred K per block. */
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
  /** The part that is summed, if not all of the axis: i64. */
  readonly part?: { readonly start: TileValue; readonly end: TileValue } | null
  /** As `part`, where both ends are multiples of the block, or the end of the axis. */
  readonly range?: { readonly from: TileValue; readonly to: TileValue } | null
}

export interface MatmulLoop {
  readonly m: number
  readonly n: number
  /** Summed axes, outermost first; K of a tile is the product of their blocks. */
  readonly depth: readonly MatmulDepth[]
  readonly accumulate: 'f32' | 'f64' | 'i32'
  readonly products: number
  /** Precision and format of the dots. */
  readonly form?: DotOptions
  /**
   * The operands of each dot at given offsets along K: tiles [m, k] and [k, n]. Past the end of K at least one of the two
   * is 0. `isCut`: outside the summed part too, both are.
   */
  factors(starts: readonly TileValue[], isCut: boolean): readonly (readonly [TileValue, TileValue])[]
}

/** The accumulators, [m, n] each. */
export function matmulLoop(t: TileBuilder, loop: MatmulLoop): readonly TileValue[] {
  const { m, n, depth, accumulate, products, form = {}, factors } = loop
  const along = (starts: readonly TileValue[], sums: readonly TileValue[], isCut = false): readonly TileValue[] => {
    const next = depth[starts.length]
    if (next === undefined) return factors(starts, isCut).map(([a, b], i) => t.dot(a, b, sums[i]!, form))
    const { length, block, part = null, range = null } = next
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
    if (range !== null) return loop(range.from, range.to, sums, isCut)
    if (length === block) return along([...starts, t.const(0n, 'i64')], sums, isCut)
    return loop(0, length, sums, isCut)
  }
  return along(
    [],
    Array.from({ length: products }, () => t.zeros([m, n], accumulate)),
  )
}

/**
 * The K blocks of one part of a split K: three ranges, of which `cuts` are masked. Blocks start at multiples of the block
 * size, so that loads stay aligned; so the part's first and last block may reach outside it.
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
