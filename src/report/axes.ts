/** Axes of plots: from values to pixels, and ticks at round values. */

/** How values are spread over an axis, and where its ticks are: at powers of 2 or of 10 on logarithmic ones. */
export type Scale = 'linear' | 'log2' | 'log10'

/** Told apart by people with any colour vision (Okabe and Ito 2008). */
export const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7f7f7f']
const wantedTicks = 6

/** Maps values to pixels. */
export interface Axis {
  at(value: number): number
  readonly ticks: readonly number[]
}

/**
 * @param range the pixels of the smallest and the largest value
 * @param scale logarithmic ones take positive values only
 */
export function axisOf(values: readonly number[], { from, to }: { from: number; to: number }, scale: Scale): Axis {
  const log = scale !== 'linear'
  const finite = values.filter(value => Number.isFinite(value) && (!log || value > 0))
  const [low, high] = finite.length === 0 ? [1, 2] : [Math.min(...finite), Math.max(...finite)]
  const [first, last] = low === high ? [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2] : [low, high]
  const position = log ? Math.log2 : (value: number): number => value
  const [start, end] = [position(first), position(last)]
  return {
    at: value => round(from + ((position(value) - start) / (end - start)) * (to - from)),
    ticks: ticksBetween[scale](first, last),
  }
}

/** Ticks of an axis by its scale. */
const ticksBetween = {
  linear: (low: number, high: number) => roundBetween(low, high),
  log2: (low: number, high: number) => powersBetween(low, high),
  log10: (low: number, high: number) => decadesBetween(low, high),
} as const satisfies { readonly [S in Scale]: (low: number, high: number) => readonly number[] }

/** Multiples of 1, 2 or 5 times a power of ten. */
function roundBetween(low: number, high: number): number[] {
  const raw = (high - low) / wantedTicks
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = power * ([1, 2, 5].find(factor => factor * power >= raw) ?? 10)
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** Powers of two, every second or fourth of them when there are many. */
function powersBetween(low: number, high: number): number[] {
  const [first, last] = [Math.ceil(Math.log2(low) - 1e-9), Math.floor(Math.log2(high) + 1e-9)]
  const step = Math.max(1, Math.ceil((last - first) / (2 * wantedTicks)))
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 2 ** (first + i * step))
}

/** Powers of ten. */
function decadesBetween(low: number, high: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i))
}

/** 4096 → '4k' where it is a whole number of 1024s, else at most four digits. */
export function tickText(value: number): string {
  if (value >= 2 ** 20 && value % 2 ** 20 === 0) return `${value / 2 ** 20}M`
  if (value >= 2 ** 10 && value % 2 ** 10 === 0) return `${value / 2 ** 10}k`
  return String(Number(value.toPrecision(4)))
}

/** To tenths of a pixel. */
export const round = (value: number): number => Math.round(value * 10) / 10
