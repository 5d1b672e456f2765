/** The results of a benchmark case, and how they are printed. */

export interface Bar {
  readonly what: string
  /** Null: not measured, for the case's reason. */
  readonly value: number | null
  readonly unit: '×' | 'µs' | 's' | 'GB' | ''
  readonly bound: '≥' | '≤'
  readonly limit: number
}

export interface CaseResult {
  readonly name: string
  /** Nanoseconds per call of all contenders: ours, peers, limits. */
  readonly nanoseconds: Readonly<Record<string, number>>
  /** The same for each contender's best round: the time when nothing else runs. */
  readonly best: Readonly<Record<string, number>>
  /** Additional figures: rates with their units. */
  readonly figures: Readonly<Record<string, string>>
  readonly bars: readonly Bar[]
  /** The reason why a value is missing. */
  readonly notes: readonly string[]
}

export const holds = ({ value, bound, limit }: Bar): boolean | null =>
  value === null ? null : bound === '≥' ? value >= limit : value <= limit

export function humanTime(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toPrecision(3)} ns`
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toPrecision(3)} µs`
  if (nanoseconds < 1e9) return `${(nanoseconds / 1e6).toPrecision(3)} ms`
  return `${(nanoseconds / 1e9).toPrecision(3)} s`
}

/** A comparison with its pass limit, and whether it is met. */
export function barLine(bar: Bar): string {
  const { what, value, unit, bound, limit } = bar
  const verdict = { true: 'met', false: 'MISSED', null: 'not measured' }[String(holds(bar))]
  const shown = value === null ? '–' : `${value.toPrecision(3)}${unit && ` ${unit}`}`
  return `  ${what.padEnd(46)} ${shown.padStart(10)}   bar ${bound} ${limit}${unit && ` ${unit}`}`.padEnd(82) + verdict
}

/** The case as a few lines of text. */
export function caseText({ name, nanoseconds, best, figures, bars, notes }: CaseResult): string {
  const line = (times: CaseResult['best']): string[] =>
    Object.entries(times).map(([who, time]) => `${who} ${humanTime(time)}`)
  const times = line(nanoseconds)
  const bests = times.length === 0 ? [] : [`best rounds: ${line(best).join('  ·  ')}`]
  const rates = Object.entries(figures).map(([what, value]) => `${what} ${value}`)
  return [name, ...[times, bests, rates].filter(line => line.length > 0).map(line => `  ${line.join('  ·  ')}`)]
    .concat(bars.map(barLine))
    .concat(notes.map(note => `  note: ${note}`))
    .join('\n')
}
