/** Philox-4x32-10 as tile operations; the contract of counters and bits is that of scalar/philox.ts. */
import { drawsPerBlock } from '../scalar/philox.js'
import type { TileBuilder, TileValue } from '../tile/language.js'

const multipliers = [0xd2511f53n, 0xcd9e8d57n] as const
const weyl = [0x9e3779b9n, 0xbb67ae85n] as const
const mask = 0xffffffffn
const rounds = 10

/** 32-bit words are held in i64, so that a product of two fits: it may wrap, but its 64 bits are right. */
const low = (x: TileValue): TileValue => x.and(mask)
const high = (x: TileValue): TileValue => x.shrLogical(32n)

/** The words of the blocks at the counters (i64 tile of any shape) of the stream `seed` (i64 scalar), in the counters' shape. */
function philoxWords(seed: TileValue, counter: TileValue): readonly [TileValue, TileValue, TileValue, TileValue] {
  const zero = counter.and(0n)
  let [c0, c1, c2, c3] = [low(counter), high(counter), zero, zero]
  let [k0, k1] = [low(seed), high(seed)]
  for (let round = 0; round < rounds; round++) {
    const product0 = c0.mul(multipliers[0])
    const product1 = c2.mul(multipliers[1])
    ;[c0, c1, c2, c3] = [high(product1).xor(c1).xor(k0), low(product1), high(product0).xor(c3).xor(k1), low(product0)]
    k0 = low(k0.add(weyl[0]))
    k1 = low(k1.add(weyl[1]))
  }
  return [c0, c1, c2, c3]
}

/** The uniforms that each block gives: f32 with 24 random bits, f64 with 53. */
function philoxUniforms(seed: TileValue, counter: TileValue, dtype: 'f32' | 'f64'): readonly TileValue[] {
  const words = philoxWords(seed, counter)
  if (dtype === 'f32')
    return words.map(word =>
      word
        .shr(8n)
        .to('i32')
        .to('f32')
        .mul(2 ** -24),
    )
  return [words.slice(0, 2), words.slice(2)].map(([upper, lower]) =>
    upper!
      .shr(5n)
      .mul(2n ** 26n)
      .add(lower!.shr(6n))
      .to('f64')
      .mul(2 ** -53),
  )
}

/** The tile of the list at `place`, a tile of integers from 0. */
const chosen = (tiles: readonly TileValue[], place: TileValue): TileValue =>
  tiles.reduce((rest, tile, i) => place.eq(i).where(tile, rest), tiles[0]!)

/** Uniforms in [0, 1) of the elements `index` (i64 tile of any shape) of a draw with `seed` and `offset`, i64 scalars. */
export function philoxUniform(seed: TileValue, offset: TileValue, index: TileValue, dtype: 'f32' | 'f64'): TileValue {
  const count = drawsPerBlock[dtype]
  const uniforms = philoxUniforms(seed, index.shr(BigInt(Math.log2(count))).add(offset), dtype)
  return chosen(uniforms, index.and(BigInt(count - 1)))
}

/**
 * As `philoxUniform`, for runs of elements that share their blocks: `block`, [..., n], are the elements' indices divided by the
 * number per block; gives [..., n · that number].
 */
export function philoxRuns(
  t: TileBuilder,
  seed: TileValue,
  offset: TileValue,
  block: TileValue,
  dtype: 'f32' | 'f64',
): TileValue {
  const count = drawsPerBlock[dtype]
  const shape = [...block.shape, count]
  const spread = philoxUniforms(seed, block.add(offset), dtype).map(tile => tile.expandDims(-1).broadcastTo(shape))
  return chosen(spread, t.iota(count).broadcastTo(shape)).reshape([
    ...block.shape.slice(0, -1),
    block.shape.at(-1)! * count,
  ])
}
