/** What the survey found: the distribution of the ratios to the peer, by op family and by size, and the worst cases. */
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { middle } from '../../src/profile/timing.js'
import type { SurveyCase } from './case.js'
import { copyMicroseconds, type SurveyLimits } from './limits.js'
import { compareProbes, type Probe } from './probe.js'
import type { Line, Times } from './worker.js'

/** A line of torch_peer.py. */
export interface PeerLine {
  readonly id: string
  readonly error?: string
  readonly graphError?: string
  readonly first?: { readonly eager: number; readonly torchCompile?: number }
  readonly probe?: readonly Probe[]
  readonly eager?: Times
  readonly compiled?: Times
  readonly torchCompile?: Times
}

export interface Row extends Pick<SurveyCase, 'id' | 'op' | 'sizeClass' | 'flops'> {
  readonly category: string
  readonly bytes: number | null
  readonly error: string | null
  /** How the compiled function's numbers differ from the op's. */
  readonly wrong: string | null
  /** How they differ from the peer's. */
  readonly differs: string | null
  readonly eager: Times | null
  readonly compiled: Times | null
  readonly peer: Pick<PeerLine, 'eager' | 'compiled' | 'torchCompile' | 'error'> | null
  /** Microseconds that the device's limits allow. */
  readonly limit: number | null
  /** Milliseconds of the first calls with an empty cache. */
  readonly first: Line['first'] | null
}

export interface Survey {
  readonly device: 'cpu' | 'cuda'
  readonly limits: SurveyLimits
  readonly rows: readonly Row[]
}

interface Parts {
  readonly cases: readonly SurveyCase[]
  readonly lines: readonly Line[]
  readonly peers: readonly PeerLine[]
  /** First calls with an empty cache. */
  readonly firsts: readonly Line[]
  readonly limits: SurveyLimits
  readonly device: 'cpu' | 'cuda'
}

export function surveyOf({ cases, lines, peers, firsts, limits, device }: Parts): Survey {
  const peerOf = new Map(peers.map(line => [line.id, line]))
  const firstOf = new Map(firsts.map(line => [line.id, line.first]))
  const caseOf = new Map(cases.map(each => [each.id, each]))
  const rows = lines.map((line): Row => {
    const { id, op, sizeClass, flops, variables } = caseOf.get(line.id)!
    const peer = peerOf.get(id)
    return {
      id,
      op,
      sizeClass,
      flops,
      category: variables === null ? categoryOf(op) : 'gradient',
      bytes: line.bytes ?? null,
      error: line.error ?? null,
      wrong: line.wrong ?? null,
      differs: line.probe && peer?.probe ? differenceFrom(caseOf.get(id)!, line.probe, peer.probe) : null,
      eager: line.eager ?? null,
      compiled: line.compiled ?? null,
      peer: peer === undefined ? null : peer,
      limit: line.bytes === undefined ? null : limitOf(line.bytes, caseOf.get(line.id)!, limits),
      first: firstOf.get(id) ?? null,
    }
  })
  return { device, limits, rows: rows.map(({ peer, ...row }) => ({ ...row, peer: withoutProbe(peer) })) }
}

function withoutProbe(peer: Row['peer']): Row['peer'] {
  if (peer === null) return null
  const { eager, compiled, torchCompile, error } = peer
  return {
    ...(eager && { eager }),
    ...(compiled && { compiled }),
    ...(torchCompile && { torchCompile }),
    ...(error && { error }),
  }
}

const categoryOf = (op: string): string =>
  (recordTable as Partial<Record<string, { category: string }>>)[op]?.category ?? 'function'

/** Which of several equal elements an index names is free. */
const indexed = new Set(['argmax', 'argmin', 'argsort'])
function differenceFrom(
  { op, variables }: SurveyCase,
  got: readonly Probe[],
  expected: readonly Probe[],
): string | null {
  if (variables !== null) return compareProbes(got, expected)
  if (indexed.has(op)) return null
  const hasIndices = recordTable[op as RecordName]?.results?.includes('indices') ?? false
  return hasIndices ? compareProbes(got.slice(0, 1), expected.slice(0, 1)) : compareProbes(got, expected)
}

/** A roofline: 16-bit arithmetic runs on matrix units where the device has them. */
function limitOf(bytes: number, { flops, dtype }: SurveyCase, limits: SurveyLimits): number {
  const isWide = dtype !== 'f16' && dtype !== 'bf16'
  const { flopsPerNanosecond, matrixFlopsPerNanosecond = flopsPerNanosecond } = limits
  return Math.max(
    copyMicroseconds(limits, bytes),
    flops / (isWide ? flopsPerNanosecond : matrixFlopsPerNanosecond) / 1000,
  )
}

/** Ways of running that are compared, each with the peer's of the same kind. */
interface Way {
  readonly name: string
  readonly ours: (row: Row) => number | null | undefined
  readonly theirs: (row: Row) => number | null | undefined
}

const waysOf: Record<Survey['device'], readonly Way[]> = {
  cuda: [
    { name: 'in a graph, on the device', ours: row => row.compiled?.device, theirs: row => row.peer?.compiled?.device },
    { name: 'eager, on the device', ours: row => row.eager?.device, theirs: row => row.peer?.eager?.device },
    { name: 'eager, call after call', ours: row => row.eager?.call, theirs: row => row.peer?.eager?.call },
  ],
  cpu: [
    {
      name: 'compiled',
      ours: row => row.compiled?.call,
      theirs: row => row.peer?.torchCompile?.call ?? row.peer?.eager?.call,
    },
    { name: 'eager', ours: row => row.eager?.call, theirs: row => row.peer?.eager?.call },
  ],
}

interface Ratio {
  readonly row: Row
  readonly ratio: number
  readonly ours: number
  readonly theirs: number
}

const ratiosOf = ({ rows }: Survey, way: Way): Ratio[] =>
  rows.flatMap(row => {
    const [ours, theirs] = [way.ours(row), way.theirs(row)]
    return ours && theirs && row.wrong === null && row.differs === null
      ? [{ row, ratio: theirs / ours, ours, theirs }]
      : []
  })

const percent = (share: number): string => `${Math.round(100 * share)} %`
const share = (ratios: readonly Ratio[], least: number): string =>
  percent(ratios.filter(({ ratio }) => ratio >= least).length / Math.max(1, ratios.length))

const summary = (name: string, ratios: readonly Ratio[]): string =>
  `${name.padEnd(28)} ${String(ratios.length).padStart(5)} cases  median ${middle(ratios.map(({ ratio }) => ratio)).toFixed(2)}  ` +
  `≥ 0.9: ${share(ratios, 0.9)}  ≥ 0.5: ${share(ratios, 0.5)}`

function groupsText(ratios: readonly Ratio[], keyOf: (row: Row) => string): string {
  const keys = [...new Set(ratios.map(({ row }) => keyOf(row)))]
  return keys
    .map(key =>
      summary(
        `  ${key}`,
        ratios.filter(({ row }) => keyOf(row) === key),
      ),
    )
    .sort()
    .join('\n')
}

const bounds = [0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.1, 1.5, 2, 4, 10, Number.POSITIVE_INFINITY]

function histogram(ratios: readonly Ratio[]): string {
  const counts = bounds
    .slice(1)
    .map((high, i) => ratios.filter(({ ratio }) => ratio >= bounds[i]! && ratio < high).length)
  const most = Math.max(1, ...counts)
  return counts
    .map(
      (count, i) =>
        `  ${String(bounds[i]).padStart(5)} – ${String(bounds[i + 1]).padEnd(9)}${String(count).padStart(5)} ${'█'.repeat(Math.round((40 * count) / most))}`,
    )
    .join('\n')
}

const us = (value: number): string => (value >= 1000 ? `${(value / 1000).toFixed(2)} ms` : `${value.toFixed(2)} µs`)

const ratioLine = ({ row, ratio, ours, theirs }: Ratio): string =>
  `  ${ratio.toPrecision(2).padStart(8)}  ${us(ours).padStart(11)} beside ${us(theirs).padStart(11)}  limit ${row.limit === null ? '   –' : percent(row.limit / ours).padStart(6)}  ${row.id}`

const shown = 60

function wayText(survey: Survey, way: Way): string {
  const ratios = ratiosOf(survey, way).sort((a, b) => a.ratio - b.ratio)
  if (ratios.length === 0) return `${way.name}: nothing to compare`
  const below = ratios.filter(({ ratio }) => ratio < 0.9)
  return [
    `== ${way.name}`,
    summary('all', ratios),
    groupsText(ratios, row => row.category),
    groupsText(ratios, row => row.sizeClass),
    histogram(ratios),
    `  worst of ${below.length} below 0.9:`,
    ...below.slice(0, shown).map(ratioLine),
  ].join('\n')
}

/** Cases far from the limits of the device: these need no peer. */
function limitText({ rows, device }: Survey): string {
  const found = rows.flatMap(row => {
    const ours =
      device === 'cuda' ? (row.compiled?.device ?? row.eager?.device) : (row.compiled?.call ?? row.eager?.call)
    return ours && row.limit !== null && row.sizeClass !== 'tiny' ? [{ row, ours, share: row.limit / ours }] : []
  })
  const sorted = found.sort((a, b) => a.share - b.share)
  return [
    `== share of the device's limits (a copy of as many bytes; peak arithmetic), without tiny cases: median ${percent(middle(sorted.map(one => one.share)))}`,
    ...sorted
      .slice(0, 40)
      .map(({ row, ours, share: part }) => `  ${percent(part).padStart(6)}  ${us(ours).padStart(11)}  ${row.id}`),
  ].join('\n')
}

function failureText({ rows }: Survey): string {
  const failed = rows.filter(({ error }) => error !== null)
  const wrong = rows.filter(row => row.wrong !== null)
  const different = rows.filter(({ differs }) => differs !== null)
  const peers = rows.filter(({ peer }) => peer?.error !== undefined)
  const none = rows.filter(({ peer }) => peer === null)
  return [
    `== ${failed.length} failed`,
    ...failed.map(({ id, error }) => `  ${id}: ${error}`),
    `== ${wrong.length} wrong: compiled and eager differ`,
    ...wrong.map(row => `  ${row.id}: ${row.wrong}`),
    `== ${different.length} with other numbers than the peer's: one of the two is wrong, or less exact`,
    ...different.map(({ id, differs }) => `  ${id}: ${differs}`),
    `== ${peers.length} that the peer refused, ${none.length} that it has no function for`,
    ...peers.slice(0, 80).map(({ id, peer }) => `  ${id}: ${peer?.error?.slice(0, 120)}`),
  ].join('\n')
}

function firstText({ rows }: Survey): string {
  const found = rows.flatMap(({ id, first }) => (first == null ? [] : [{ id, ...first }]))
  const worst = (of: (one: (typeof found)[number]) => number | undefined, name: string): string[] => {
    const sorted = found.filter(one => of(one) !== undefined).sort((a, b) => of(b)! - of(a)!)
    if (sorted.length === 0) return []
    return [
      `== first use, ${name}, with an empty cache: ${sorted.length} cases, median ${middle(sorted.map(one => of(one)!)).toFixed(0)} ms`,
      ...sorted.slice(0, 15).map(one => `  ${of(one)!.toFixed(0).padStart(6)} ms  ${one.id}`),
    ]
  }
  return [...worst(one => one.eager, 'eager'), ...worst(one => one.compiled, 'compiled')].join('\n')
}

export const reportText = (survey: Survey): string =>
  [
    `${survey.limits.device}: copy ${survey.limits.copyBytesPerNanosecond.toFixed(0)} GB/s, ${survey.limits.flopsPerNanosecond.toFixed(0)} GFLOPS f32; ${survey.rows.length} cases`,
    ...waysOf[survey.device].map(way => wayText(survey, way)),
    limitText(survey),
    firstText(survey),
    failureText(survey),
  ].join('\n\n')

/** A case counts as changed when its time differs by more than this. */
const changeLimit = 0.1

/** What became slower or faster from one run to another, on the same device. */
export function comparisonText(before: Survey, after: Survey): string {
  const old = new Map(before.rows.map(row => [row.id, row]))
  return waysOf[after.device]
    .map(way => {
      const changes = after.rows.flatMap(row => {
        const known = old.get(row.id)
        const [was, is] = [known === undefined ? null : way.ours(known), way.ours(row)]
        return was && is ? [{ id: row.id, was, is, factor: is / was }] : []
      })
      const slower = changes.filter(({ factor }) => factor > 1 + changeLimit).sort((a, b) => b.factor - a.factor)
      const faster = changes.filter(({ factor }) => factor < 1 / (1 + changeLimit))
      return [
        `== ${way.name}: ${changes.length} cases in both; ${slower.length} slower by more than ${percent(changeLimit)}, ${faster.length} faster`,
        ...slower.map(({ id, was, is, factor }) => `  ${factor.toFixed(2)} ×  ${us(was)} → ${us(is)}  ${id}`),
      ].join('\n')
    })
    .join('\n\n')
}
