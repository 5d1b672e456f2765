/**
 * The 8-bit floats as the OCP specification draws them (OFP8, tables 1 and 2), and the nearest code by searching the table:
 * nothing here is shared with the library.
 */
export const float8s = ['f8e4m3', 'f8e5m2'] as const
type Float8 = (typeof float8s)[number]

const bitsOf = { f8e4m3: { fraction: 3, bias: 7 }, f8e5m2: { fraction: 2, bias: 15 } } as const

export function float8Value(dtype: Float8, code: number): number {
  const { fraction, bias } = bitsOf[dtype]
  const text = code.toString(2).padStart(8, '0')
  const exponent = Number.parseInt(text.slice(1, 8 - fraction), 2)
  const tail = Number.parseInt(text.slice(8 - fraction), 2)
  const sign = text.startsWith('1') ? -1 : 1
  if (dtype === 'f8e4m3' && (code & 0x7f) === 0x7f) return Number.NaN
  if (dtype === 'f8e5m2' && exponent === 31) return tail === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  const scaled = exponent === 0 ? tail * 2 : tail + 2 ** fraction
  return sign * scaled * 2 ** ((exponent === 0 ? 0 : exponent) - bias - fraction)
}

const ladders = new Map(
  float8s.map(dtype => {
    const codes = Array.from({ length: 128 }, (_, code) => code).filter(code =>
      Number.isFinite(float8Value(dtype, code)),
    )
    return [dtype, codes.map(code => ({ code, value: float8Value(dtype, code) }))]
  }),
)

/** As PyTorch converts f32: to the nearest value, halves to even codes; beyond the last one's upper half, infinity or NaN. */
export function nearestCode(dtype: Float8, value: number): number {
  const over = dtype === 'f8e4m3' ? 0x7f : 0x7c
  if (Number.isNaN(value)) return 0x7f
  const sign = value < 0 || Object.is(value, -0) ? 0x80 : 0
  const magnitude = Math.abs(value)
  const ladder = ladders.get(dtype)!
  const last = ladder.at(-1)!
  const limit = last.value + (last.value - ladder.at(-2)!.value) / 2
  // The step after the last would be odd or even as codes go on: e4m3's last is even, e5m2's odd.
  if (magnitude > limit || (magnitude === limit && last.code % 2 === 1)) return sign | over
  let best = ladder[0]!
  for (const each of ladder) {
    const [d, least] = [Math.abs(each.value - magnitude), Math.abs(best.value - magnitude)]
    if (d < least || (d === least && each.code % 2 === 0)) best = each
  }
  return sign | best.code
}
