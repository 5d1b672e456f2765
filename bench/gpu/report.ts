/** Results against the peer and the machine's limits in the same run: rows to print, and which pass limits are met. */
import { threeDigits } from '../../src/base/units.js'
import type { CudaLimits } from '../../src/profile/cuda-limits.js'
import { type Bar, barLine } from '../report.js'
import type { GpuCase, Measured, PeerFigures } from './case.js'

/** One line of the peer's output. */
export interface PeerLine {
  readonly case?: string
  readonly variant?: string
  readonly us?: number
}

export interface PeerTime {
  readonly case: string
  readonly variant: string
  readonly us: number
}

export interface Row extends Measured {
  /** The peer's best time; null: it has no figures. */
  readonly peerTime: PeerTime | null
  /** The peer's time divided by ours. */
  readonly ratio: number | null
  /** The time of a copy of as many bytes divided by ours; null if the case states no bytes. */
  readonly copyShare: number | null
  /** The rate of the arithmetic divided by the peak rate of 16-bit matrix instructions; null without arithmetic. */
  readonly matrixShare: number | null
}

/** The JSON lines of a peer's output; other lines are skipped. */
export const parsePeers = (text: string): readonly PeerLine[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as PeerLine)

/** The peer's best time, without first calls. */
export function bestPeer(lines: readonly PeerLine[], { case: name, variants = [''] }: PeerFigures): PeerTime | null {
  const timed = lines.flatMap(({ case: of, variant = '', us }) =>
    of === name &&
    us !== undefined &&
    !variant.includes('first_call') &&
    variants.some(start => variant.startsWith(start))
      ? [{ case: name, variant, us }]
      : [],
  )
  return timed.toSorted((a, b) => a.us - b.us)[0] ?? null
}

/** @param copyTime microseconds of a copy that moves as many bytes */
export function rowOf(
  each: GpuCase,
  measured: Measured,
  { peers, limits, copyTime }: { peers: readonly PeerLine[]; limits: CudaLimits; copyTime: (bytes: number) => number },
): Row {
  const { name, run: _, ...bars } = each
  const row = { ...bars, ...measured }
  const { us, bytes, flops, peer = { case: name } } = row
  const peerTime = bestPeer(peers, peer)
  return {
    ...row,
    peerTime,
    ratio: peerTime === null ? null : peerTime.us / us,
    copyShare: bytes === undefined || (flops !== undefined && row.share === undefined) ? null : copyTime(bytes) / us,
    matrixShare: flops === undefined ? null : flops / (us * 1000) / limits.matrixFlopsPerNanosecond,
  }
}

const percent = (share: number, of: string): string => `${threeDigits(100 * share)} % of ${of}`

export function rowText({
  case: name,
  variant,
  us,
  bytes,
  flops,
  peerTime,
  ratio,
  copyShare,
  matrixShare,
  note = '',
}: Row): string {
  const rate =
    flops !== undefined
      ? `${threeDigits(flops / us / 1e6)} TFLOPS`
      : bytes !== undefined
        ? `${threeDigits(bytes / us / 1e3)} GB/s`
        : ''
  const shares = [
    ...(copyShare === null ? [] : [percent(copyShare, 'a copy')]),
    ...(matrixShare === null ? [] : [percent(matrixShare, 'mma')]),
  ].join(', ')
  const against = ratio === null ? '' : `${threeDigits(ratio)}× ${peerTime!.variant} ${threeDigits(peerTime!.us)} µs`
  const cells = [name.padEnd(26), variant.padEnd(24), `${us.toFixed(2)} µs`.padStart(12), rate.padStart(14)]
  return [...cells, shares.padEnd(18), against, note].join('  ').trimEnd()
}

export interface NamedBar extends Bar {
  readonly case: string
  /** The variant that came closest. */
  readonly variant: string | null
}

/** The pass limits of all rows. Variants of one case that share a limit are judged together: the best counts. */
export function barsOf(rows: readonly Row[]): NamedBar[] {
  const counted = rows.filter(({ aside }) => aside !== true)
  const ratios = counted.flatMap(row => (row.bar === undefined ? [] : [{ row, value: row.ratio, limit: row.bar }]))
  const shares = counted.flatMap(row =>
    row.share === undefined ? [] : [{ row, value: row.copyShare, limit: row.share }],
  )
  const peerOf = ({ peer, peerTime }: Row): string => peerTime?.variant ?? peer?.case ?? 'peer'
  return [
    ...bestOf(ratios, row => `against ${peerOf(row)}`, '×'),
    ...bestOf(shares, () => 'share of a copy', ''),
    ...counted.flatMap(ceilingBars),
  ]
}

const ceilingBars = ({ case: name, variant, ceilings = [] }: Row): readonly NamedBar[] =>
  ceilings.map(({ what, ...rest }) => ({ case: name, variant, what: `${name}, ${what}`, bound: '≤', ...rest }))

interface Held {
  readonly row: Row
  readonly value: number | null
  readonly limit: number
}

function bestOf(held: readonly Held[], what: (row: Row) => string, unit: Bar['unit']): NamedBar[] {
  const best = new Map<string, Held>()
  for (const each of held) {
    const key = `${each.row.case} ${each.row.peer?.case} ${each.limit}`
    const known = best.get(key)
    if (known === undefined || (each.value ?? 0) > (known.value ?? 0)) best.set(key, each)
  }
  return [...best.values()].map(({ row, value, limit }) => ({
    case: row.case,
    variant: row.variant,
    what: `${row.case} ${row.variant}, ${what(row)}`,
    value,
    unit,
    bound: '≥',
    limit,
  }))
}

/** Maximum seconds of the first call of the GPT-2 blocks in new processes. */
export function startBars(cold: number | null, second: number | null): NamedBar[] {
  const bar = (what: string, milliseconds: number | null, limit: number): NamedBar => ({
    case: 'gpt2 start',
    variant: null,
    what: `gpt2 first result, ${what}`,
    value: milliseconds === null ? null : milliseconds / 1000,
    unit: 's',
    bound: '≤',
    limit,
  })
  return [bar('cold', cold, 2), bar('second process', second, 0.3)]
}

export const barsText = (bars: readonly NamedBar[]): string => bars.map(barLine).join('\n')
