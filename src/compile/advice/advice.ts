/** Advice: what costs a program time, in which line, and what to change there. Plain data, serialisable with `JSON.stringify`. */
import type { SourceLocation } from '../../base/source.js'
import { formatBytes, formatCount, formatTime, threeDigits } from '../../base/units.js'

/** What a piece of advice is about. */
export const adviceKinds = [
  'refused',
  'graph-break',
  'round-trip',
  'recompiles',
  'no-grad',
  'eval',
  'f32-weights',
  'f32-products',
  'unaligned',
  'strided',
  'fallback',
  'few-calls',
  'eager',
  'one-kernel',
  'launch-bound',
  'memory-bound',
  'compute-bound',
  'fusion',
] as const

/** One of `adviceKinds`. */
export type AdviceKind = (typeof adviceKinds)[number]

/** A number that the advice follows from. */
export interface Evidence {
  /** What it counts or measures: `compilations`, `kept per call`. */
  readonly name: string
  /** In the unit. */
  readonly value: number
  /** `ns`: nanoseconds. `x`: a ratio. `count`: a plain number. */
  readonly unit: 'ns' | 'bytes' | 'flops' | 'count' | 'x'
}

/** One piece of advice. */
export interface Advice {
  /** What it is about. */
  readonly kind: AdviceKind
  /** problem: something to change. fact: how things are, so that nobody looks for a problem there. */
  readonly severity: 'problem' | 'fact'
  /** What was seen, with its values. */
  readonly message: string
  /** The user's line; null: it concerns the whole program. */
  readonly at: SourceLocation | null
  /** What to change; null: nothing. */
  readonly fix: string | null
  /** The numbers behind it. */
  readonly evidence: readonly Evidence[]
  /** What it costs per call, measured or estimated; null: unknown. */
  readonly nanoseconds: number | null
}

/** Advice without what most rules leave at its default: severity 'problem', no evidence, cost unknown. */
export function advise(
  given: Pick<Advice, 'kind' | 'message' | 'at' | 'fix'> &
    Partial<Pick<Advice, 'severity' | 'evidence' | 'nanoseconds'>>,
): Advice {
  return { severity: 'problem', evidence: [], nanoseconds: null, ...given }
}

/** Problems before facts, the most costly first; where a cost is unknown, in the order of `adviceKinds`. */
export function ranked(all: readonly Advice[]): Advice[] {
  const rank = ({ severity }: Advice): number => (severity === 'problem' ? 0 : 1)
  return all.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (b.nanoseconds ?? 0) - (a.nanoseconds ?? 0) ||
      adviceKinds.indexOf(a.kind) - adviceKinds.indexOf(b.kind),
  )
}

/** Two or three lines for each: kind, line of the user and message; the fix; with `evidence` the numbers, too. */
export function adviceLines(
  all: readonly Advice[],
  { evidence = false }: { readonly evidence?: boolean } = {},
): string[] {
  return all.flatMap(each => [
    `${each.kind}${each.at === null ? '' : ` at ${each.at.file}:${each.at.line}`}: ${each.message}${costText(each)}`,
    ...(each.fix === null ? [] : [`  fix: ${each.fix}`]),
    ...(evidence && each.evidence.length > 0 ? [`  ${each.evidence.map(evidenceText).join(', ')}`] : []),
  ])
}

const costText = ({ nanoseconds }: Advice): string =>
  nanoseconds === null ? '' : ` (about ${formatTime(nanoseconds)} a call)`

/** `compilations: 4`. */
export const evidenceText = ({ name, value, unit }: Evidence): string => `${name}: ${inUnit[unit](value)}`

const inUnit = {
  ns: formatTime,
  bytes: formatBytes,
  flops: value => formatCount(value, 'FLOP'),
  count: value => String(value),
  x: value => `${threeDigits(value)}×`,
} satisfies { readonly [Unit in Evidence['unit']]: (value: number) => string }
