/** Philox-4x32-10 as tile operations; the contract of counters and bits is that of scalar/philox.ts. */
import type { TileValue } from '../tile/language.js'

const multipliers = [0xd2511f53n, 0xcd9e8d57n] as const
const weyl = [0x9e3779b9n, 0xbb67ae85n] as const
const mask = 0xffffffffn
const rounds = 10

/** 32-bit words are held in i64, so that a product of two fits: it may wrap, but its 64 bits are right. */
const low = (x: TileValue): TileValue => x.and(mask)
const high = (x: TileValue): TileValue => x.shrLogical(32n)

/**
 * Uniforms in [0, 1) at the counters (i64 tile of any shape) of the stream `seed` (i64 scalar), in the counters' shape:
 * f32 with 24 random bits, f64 with 53.
 */
export function philoxUniform(seed: TileValue, counter: TileValue, dtype: 'f32' | 'f64'): TileValue {
  const zero = counter.mul(0n)
  let [c0, c1, c2, c3] = [low(counter), high(counter), zero, zero]
  let [k0, k1] = [low(seed), high(seed)]
  // Ten rounds. c2 and c3 of the last round are words 2 and 3, which draws do not use.
  for (let round = 0; round < rounds; round++) {
    const product0 = c0.mul(multipliers[0])
    const product1 = c2.mul(multipliers[1])
    ;[c0, c1, c2, c3] = [high(product1).xor(c1).xor(k0), low(product1), high(product0).xor(c3).xor(k1), low(product0)]
    k0 = low(k0.add(weyl[0]))
    k1 = low(k1.add(weyl[1]))
  }
  if (dtype === 'f32')
    return c0
      .shr(8n)
      .to('i32')
      .to('f32')
      .mul(2 ** -24)
  return c0
    .shr(5n)
    .mul(2n ** 26n)
    .add(c1.shr(6n))
    .to('f64')
    .mul(2 ** -53)
}
