/**
 * Functions in float64 that JavaScript lacks. erf and erfc: the Maclaurin series near 0, the continued fraction of erfc elsewhere.
 * Sources: Abramowitz & Stegun 7.1.6 and 7.1.14. They define the meaning of the ops, so accuracy (a few units in the last
 * place) matters and speed does not.
 */

/** Below, 1 − erf loses no digits and the series is short; above, the continued fraction converges. */
const seriesLimit = 0.5

/** erf(x) = 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (2n+1)!!  (A&S 7.1.6): all terms are positive, so there is no cancellation. */
function erfSeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return ((2 * sum) / Math.sqrt(Math.PI)) * Math.exp(-x * x)
}

/** e^(−x²) with x² split into an exact part and a remainder: the rounded square loses digits that the exponential magnifies. */
function expMinusSquare(x: number): number {
  const head = Math.fround(x)
  return Math.exp(-head * head) * Math.exp(-(x - head) * (x + head))
}

/**
 * √π · e^(x²) · erfc(x) = 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + …)))) for x > 0 (A&S 7.1.14), evaluated from the inside out. With n
 * levels the error is about e^(−2x√(2n)): n is chosen so that this is below 1e-17.
 */
function erfcFraction(x: number): number {
  let tail = x
  for (let n = Math.ceil(10 + 200 / (x * x)); n >= 1; n--) tail = x + n / 2 / tail
  return expMinusSquare(x) / (Math.sqrt(Math.PI) * tail)
}

export function erf(x: number): number {
  if (Number.isNaN(x) || x === 0) return x
  if (Math.abs(x) > 6) return Math.sign(x)
  if (Math.abs(x) <= seriesLimit) return erfSeries(x)
  return x > 0 ? 1 - erfcFraction(x) : erfcFraction(-x) - 1
}

export function erfc(x: number): number {
  if (Number.isNaN(x)) return x
  if (x > 28) return 0
  if (x < -6) return 2
  if (x > seriesLimit) return erfcFraction(x)
  return x < -seriesLimit ? 2 - erfcFraction(-x) : 1 - erfSeries(x)
}

/** The inverse of erf, by bisection. */
export function erfinv(x: number): number {
  const a = Math.abs(x)
  if (Number.isNaN(x) || a > 1) return Number.NaN
  if (a === 1) return x * Number.POSITIVE_INFINITY
  if (a < 1e-12) return (x * Math.sqrt(Math.PI)) / 2
  let [low, high] = [0, 7]
  for (;;) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break // neighbours
    const above = a > 0.5 ? erfc(middle) < 1 - a : erf(middle) > a
    if (above) high = middle
    else low = middle
  }
  return Math.sign(x) * ((low + high) / 2)
}

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** ln Γ by Lanczos' sum. */
export function lgamma(x: number): number {
  if (Math.abs(x) === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
  if (x === 1 || x === 2) return 0
  if (x < 0 && Number.isInteger(x)) return Number.POSITIVE_INFINITY
  // Γ(x) is 1/x there; π · x may be subnormal.
  if (Math.abs(x) < 1e-17) return -Math.log(Math.abs(x))
  if (x < 0.5) {
    const rest = Math.abs(x) - Math.floor(Math.abs(x))
    return Math.log(Math.PI / Math.sin(Math.PI * Math.min(rest, 1 - rest))) - lgamma(1 - x)
  }
  const t = x + 6.5
  const sum = lanczos.reduce((a, c, i) => a + c / (x + i), 0.9999999999998099)
  return Math.log(2 * Math.PI) / 2 + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

/** The derivative of Lanczos' formula. */
export function digamma(x: number): number {
  if (x === 0) return Object.is(x, -0) ? Number.POSITIVE_INFINITY : -Number.POSITIVE_INFINITY
  if (x === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
  if (x < 0 && x === Math.floor(x)) return Number.NaN
  if (Math.abs(x) < 1e-17) return -1 / x
  if (x < 0.5) return digamma(1 - x) - Math.PI / Math.tan(Math.PI * (x - Math.round(x)))
  const t = x + 6.5
  const sum = lanczos.reduce((a, c, i) => a + c / (x + i), 0.9999999999998099)
  const slope = lanczos.reduce((a, c, i) => a - c / (x + i) ** 2, 0)
  return Math.log(t) - 7 / t + slope / sum
}

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x)

/** The greatest common divisor, by Euclid's algorithm. */
export const gcd = (x: bigint, y: bigint): bigint => (y === 0n ? magnitude(x) : gcd(y, x % y))
