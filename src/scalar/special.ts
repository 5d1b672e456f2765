/**
 * erf and erfc in float64, which JavaScript lacks: the Maclaurin series near 0, the continued fraction of erfc elsewhere.
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
