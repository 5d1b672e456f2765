/**
 * Philox-4x32-10, the counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
 * A draw is a pure function of seed and counter, so any element of a tensor can be computed anywhere, in any order.
 *
 * The contract of random tensors: each counter block gives the f32 uniforms of four consecutive elements, or the f64 uniforms of
 * two. Element i of a draw with (seed, offset) uses the block (low 32 bits of c, high 32 bits, 0, 0) of the counter
 * c = offset + floor(i / n), n = 4 or 2, with the key (low 32 bits of seed, high 32 bits). An f32 uniform is the upper 24 bits
 * of word i mod 4; an f64 uniform the upper 27 bits of word 2 (i mod 2) followed by the upper 26 of the next word. A draw of
 * n elements takes n counters, more than it uses, so the next draw starts at offset + n.
 */

export type PhiloxBlock = readonly [number, number, number, number]

const multiplier0 = 0xd2511f53
const multiplier1 = 0xcd9e8d57
/** Added to the key after each round: the golden ratio and √3 − 1, in 32 bits. */
const weyl0 = 0x9e3779b9
const weyl1 = 0xbb67ae85
const rounds = 10

/** The upper and lower half of the 64-bit product of two unsigned 32-bit numbers. */
function multiplyWide(a: number, b: number): readonly [high: number, low: number] {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff]
  const low = aLow * bLow
  const middle1 = aHigh * bLow + (low >>> 16)
  const middle2 = aLow * bHigh + (middle1 % 0x10000)
  const high = aHigh * bHigh + Math.floor(middle1 / 0x10000) + Math.floor(middle2 / 0x10000)
  return [high >>> 0, Math.imul(a, b) >>> 0]
}

/** Four unsigned 32-bit words from a counter of four words and a key of two. */
export function philox4x32(counter: PhiloxBlock, key: readonly [number, number]): PhiloxBlock {
  let [c0, c1, c2, c3] = counter
  let [k0, k1] = key
  for (let round = 0; round < rounds; round++) {
    const [high0, low0] = multiplyWide(multiplier0, c0)
    const [high1, low1] = multiplyWide(multiplier1, c2)
    ;[c0, c1, c2, c3] = [(high1 ^ c1 ^ k0) >>> 0, low1, (high0 ^ c3 ^ k1) >>> 0, low0]
    k0 = (k0 + weyl0) >>> 0
    k1 = (k1 + weyl1) >>> 0
  }
  return [c0, c1, c2, c3]
}

const lowWord = (value: bigint): number => Number(BigInt.asUintN(32, value))
const highWord = (value: bigint): number => Number(BigInt.asUintN(32, value >> 32n))

/** The elements of a draw that share a counter block. */
export const drawsPerBlock = { f32: 4, f64: 2 } as const

/** The uniform in [0, 1) of element `index` of a draw with (seed, offset), i64s. */
export function philoxUniform(dtype: 'f32' | 'f64', seed: bigint, offset: bigint, index: number): number {
  const count = drawsPerBlock[dtype]
  const counter = offset + BigInt(Math.floor(index / count))
  const words = philox4x32([lowWord(counter), highWord(counter), 0, 0], [lowWord(seed), highWord(seed)])
  const place = index % count
  if (dtype === 'f32') return (words[place]! >>> 8) * 2 ** -24
  return ((words[2 * place]! >>> 5) * 2 ** 26 + (words[2 * place + 1]! >>> 6)) * 2 ** -53
}
