/** The text of `tegula bench`: a table per case, with the share of the limit as a bar. */
import { formatCount, formatTime, plural, threeDigits } from '../base/units.js'
import type { MachineLimits } from '../compile/limits.js'
import type { FirstCall } from '../profile/records.js'
import { alignedText } from '../profile/table.js'
import type { CaseReport, WayReport } from './bench-case.js'

/** Maximum number of inputs in a heading; the number of further ones is added. */
const maxInputs = 6

/** A column; omitted when it is empty in all rows. */
interface Column {
  readonly head: string
  cell(row: WayReport): string
}

const columns: readonly Column[] = [
  { head: '', cell: ({ variant }) => variant },
  { head: '', cell: ({ way }) => way },
  { head: 'call', cell: ({ call }) => formatTime(call.median) },
  {
    head: 'quartiles',
    cell: ({ call }) => `${formatTime(call.lowerQuartile)} … ${formatTime(call.upperQuartile)}`,
  },
  { head: 'on the GPU', cell: ({ device }) => (device === null ? '' : formatTime(device.median)) },
  { head: 'speed', cell: ({ speedup }) => `${threeDigits(speedup)}×` },
  { head: 'error', cell: ({ error }) => (error === null ? '' : error.toPrecision(1)) },
  { head: 'of the limit', cell: ({ share }) => (share === null ? '' : `${percent(share)} ${bar(share)}`) },
  { head: 'first call cold', cell: ({ firstCall }) => (firstCall === null ? '' : printFirst(firstCall.cold)) },
  { head: 'warm', cell: ({ firstCall }) => (firstCall === null ? '' : printFirst(firstCall.warm)) },
  {
    head: 'break-even cold',
    cell: row => (row.breakEven === null ? '' : printCalls(row.breakEven.cold)),
  },
  { head: 'warm', cell: row => (row.breakEven === null ? '' : printCalls(row.breakEven.warm)) },
]

const barCells = 20
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of 20 cells for a share of 1, accurate to an eighth of a cell; shares above 1 are cut off. */
export function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barCells * 8)
  return '█'.repeat(filled >> 3) + eighths[filled & 7]!
}

const percent = (share: number): string => `${threeDigits(share * 100)} %`.padStart(6)

const printFirst = ({ nanoseconds, compiled }: FirstCall): string => `${formatTime(nanoseconds)} (${compiled} compiled)`

const printCalls = (calls: number | null): string => (calls === null ? 'never' : plural(calls, 'call'))

/** Heading, limit and table. */
export function caseText(report: CaseReport): string {
  const { name, inputs, ways } = report
  const more = inputs.length > maxInputs ? `, … of ${plural(inputs.length, 'tensor')}` : ''
  const used = columns.filter(({ cell }) => ways.some(row => cell(row) !== ''))
  return [
    `${name} (${inputs.slice(0, maxInputs).join(', ')}${more})`,
    limitText(report),
    `medians of ${plural(ways[0]!.call.samples, 'sample')}${report.expected ? ', checked against expected numbers' : ''}`,
    '',
    alignedText([used.map(({ head }) => head), ...ways.map(row => used.map(({ cell }) => cell(row)))]),
  ]
    .filter(line => line !== null)
    .join('\n')
}

function limitText({ work, limit }: CaseReport): string | null {
  if (work === null || limit === null) return null
  const parts = [
    ...(work.bytes === undefined ? [] : [formatCount(work.bytes, 'B')]),
    ...(work.flops === undefined ? [] : [formatCount(work.flops, 'FLOP')]),
  ]
  return `${parts.join(', ')}: at least ${formatTime(limit.nanoseconds)}, ${limit.bound === 'memory' ? 'memory' : 'compute'}-bound`
}

/** The peak rates from which limits are computed. */
export function limitsText(limits: MachineLimits): string {
  const { flopsPerNanosecond, matrixFlopsPerNanosecond, copyBytesPerNanosecond } = limits
  const rates = [
    `copy ${formatCount(copyBytesPerNanosecond * 1e9, 'B/s')}`,
    `f32 ${formatCount(flopsPerNanosecond * 1e9, 'FLOP/s')}`,
    ...(matrixFlopsPerNanosecond === undefined
      ? []
      : [`16-bit matrix instructions ${formatCount(matrixFlopsPerNanosecond * 1e9, 'FLOP/s')}`]),
  ]
  return `limits measured now: ${rates.join(', ')}`
}
