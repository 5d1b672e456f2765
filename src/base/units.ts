/** Human-readable quantities: sizes in bytes, counts, rates and times, with three significant digits. */

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
const decimalPrefixes = ['', 'k', 'M', 'G', 'T', 'P']

/** A number of `bytes` as text: 1536 → '1.5 KiB'. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(binaryUnits.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${binaryUnits[power]}`
}

/** A `count` with a decimal prefix of its `unit`: 2.1e9, 'FLOP' → '2.10 GFLOP'. */
export function formatCount(count: number, unit: string): string {
  const power =
    Math.abs(count) < 1000 ? 0 : Math.min(decimalPrefixes.length - 1, Math.floor(Math.log10(Math.abs(count)) / 3))
  const scaled = count / 1000 ** power
  return `${power === 0 && Number.isInteger(count) ? count : threeDigits(scaled)} ${decimalPrefixes[power]}${unit}`.trimEnd()
}

/** A time in `nanoseconds` as text: '850 ns', '1.25 µs', '13.0 ms', '2.50 s'. */
export function formatTime(nanoseconds: number): string {
  const units = ['ns', 'µs', 'ms', 's']
  const power = nanoseconds < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(nanoseconds) / 3))
  return `${threeDigits(nanoseconds / 1000 ** power)} ${units[power]}`
}

/** Three significant digits without an exponent: '1.25', '12.5', '1250'. */
export function threeDigits(value: number): string {
  const magnitude = Math.abs(value)
  if (magnitude >= 100 || !Number.isFinite(value)) return value.toFixed(0)
  if (magnitude >= 10) return value.toFixed(1)
  return magnitude >= 0.01 || value === 0 ? value.toFixed(2) : value.toPrecision(2)
}

/** 1 kernel, 2 kernels. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
