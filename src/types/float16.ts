/** f16 and bf16 codes, to and from numbers: round to nearest even, NaN stays NaN, overflow goes to infinity. */

const scratch = new DataView(new ArrayBuffer(4))

/** Rounds a float64 to float32 so that a second rounding to 16 bits is correct (round to odd). */
function f32BitsRoundedToOdd(value: number): number {
  const nearest = Math.fround(value)
  scratch.setFloat32(0, nearest)
  let bits = scratch.getUint32(0)
  if (nearest === value || Number.isNaN(value) || !Number.isFinite(nearest)) return bits
  // Step back towards zero when the rounding went away from it, then make the last bit odd: it was inexact.
  if (Math.abs(nearest) > Math.abs(value)) bits -= 1
  return (bits | 1) >>> 0
}

/** A number's bf16 code (16 bits). */
export function toBf16(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0
  if (Math.abs(value) > 3.5e38) return value > 0 ? 0x7f80 : 0xff80
  const bits = f32BitsRoundedToOdd(value)
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff
}

/** The number that a bf16 code stands for. */
export function fromBf16(code: number): number {
  scratch.setUint32(0, (code & 0xffff) << 16)
  return scratch.getFloat32(0)
}

/** A number's f16 code (16 bits, IEEE 754 binary16). */
export function toF16(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const magnitude = Math.abs(value)
  if (Number.isNaN(value)) return 0x7e00
  if (magnitude >= 65520) return sign | 0x7c00
  // Subnormals step by 2^-24; normals by 2^(exponent-10). Scaling by a power of two is exact, so one rounding happens.
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude || 2 ** -24)))
  const fixed =
    magnitude / 2 ** exponent >= 2
      ? exponent + 1
      : magnitude / 2 ** exponent < 1
        ? Math.max(-14, exponent - 1)
        : exponent
  const steps = roundHalfEven(magnitude / 2 ** (fixed - 10))
  return sign | (steps + (fixed + 14) * 1024)
}

/** The number that an f16 code stands for. */
export function fromF16(code: number): number {
  const sign = code & 0x8000 ? -1 : 1
  const exponent = (code >> 10) & 31
  const fraction = code & 1023
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25)
}

export function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest < 0.5) return floor
  if (rest > 0.5) return floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}
