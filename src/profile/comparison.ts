/** What `benchmark` and `compare` give: records, with texts of them. */
import { formatCount, formatTime, plural, threeDigits } from '../base/units.js'
import type { MachineLimits } from '../compile/limits.js'
import type { Device } from '../tensor/device.js'
import { inspectCustom } from '../tensor/inspect.js'
import type { ComparisonRecord, MeasurementRecord } from './records.js'
import { type Column, csvTable, markdownTable, textTable } from './table.js'
import type { Timing } from './timing.js'

const percent = (share: number): string => `${threeDigits(share * 100)} %`

const spread = ({ lowerQuartile, upperQuartile }: Timing): string =>
  `${formatTime(lowerQuartile)} … ${formatTime(upperQuartile)}`

/** The columns of a measurement; times in CSV are nanoseconds. */
export const measurementColumns: readonly Column<MeasurementRecord>[] = [
  { head: '', left: true, text: ({ name }) => name, data: { name: 'name', value: ({ name }) => name } },
  {
    head: 'call',
    text: ({ call }) => formatTime(call.median),
    data: { name: 'call_ns', value: ({ call }) => call.median },
  },
  { head: 'quartiles', text: ({ call }) => spread(call) },
  {
    head: 'on the GPU',
    text: ({ device }) => (device === null ? '' : formatTime(device.median)),
    data: { name: 'device_ns', value: ({ device }) => device?.median ?? null },
  },
  {
    head: 'speed',
    text: ({ speedup }) => `${threeDigits(speedup)}×`,
    data: { name: 'speedup', value: ({ speedup }) => speedup },
  },
  {
    head: 'error',
    text: ({ error }) => (error === null ? '' : error === 0 ? '0' : error.toPrecision(1)),
    data: { name: 'error', value: ({ error }) => error },
  },
  {
    head: 'memory',
    text: ({ bytesPerSecond }) => (bytesPerSecond === null ? '' : formatCount(bytesPerSecond, 'B/s')),
    data: { name: 'bytes_per_s', value: ({ bytesPerSecond }) => bytesPerSecond },
  },
  {
    head: 'arithmetic',
    text: ({ flopsPerSecond }) => (flopsPerSecond === null ? '' : formatCount(flopsPerSecond, 'FLOP/s')),
    data: { name: 'flop_per_s', value: ({ flopsPerSecond }) => flopsPerSecond },
  },
  {
    head: 'of the peak',
    text: ({ share, limit }) => (share === null || limit === null ? '' : `${percent(share)} (${limit.bound})`),
    data: { name: 'share_of_peak', value: ({ share }) => share },
  },
]

/** Measured functions. Printed, it is a table with a line about the device above it. */
export class Comparison implements ComparisonRecord {
  /** Where the calls ran. */
  readonly device: Device
  /** The device's model name. */
  readonly model: string
  /** Threads of the CPU's pool; null on a GPU. */
  readonly threads: number | null
  /** The tensors among the arguments. */
  readonly inputs: readonly string[]
  /** Whether caches were flushed before the calls that were timed on the device. */
  readonly flushed: boolean
  /** The measured peak rates; null: not asked for. */
  readonly limits: MachineLimits | null
  /** The functions, in order. */
  readonly rows: readonly MeasurementRecord[]
  /** Everything as plain data. */
  readonly record: ComparisonRecord

  /** @param record what was measured */
  constructor(record: ComparisonRecord) {
    this.record = record
    this.device = record.device
    this.model = record.model
    this.threads = record.threads
    this.inputs = record.inputs
    this.flushed = record.flushed
    this.limits = record.limits
    this.rows = record.rows
  }

  /** A line about device and arguments, and a table with a row per function. */
  toText(): string {
    return `${heading(this)}\n\n${textTable(measurementColumns, this.rows)}`
  }

  /** As `toText`, as a table of GitHub's Markdown. */
  toMarkdown(): string {
    return `${heading(this)}\n\n${markdownTable(measurementColumns, this.rows)}\n`
  }

  /** Comma-separated values, a line per function; times in nanoseconds, rates per second. */
  toCsv(): string {
    return csvTable(measurementColumns, this.rows)
  }

  /** Plain data for `JSON.stringify`. */
  toJSON(): ComparisonRecord {
    return this.record
  }

  /** As `toText`. */
  toString(): string {
    return this.toText()
  }

  [inspectCustom](): string {
    return this.toText()
  }
}

/** One measured function. */
export class SingleBenchmark extends Comparison {
  /** Time of a call on the host's clock, in nanoseconds. */
  get call(): Timing {
    return this.rows[0]!.call
  }

  /** On the GPU's clock, in nanoseconds; null on the CPU. */
  get deviceTime(): Timing | null {
    return this.rows[0]!.device
  }

  /** Bytes per second of its plans, or of the given work; null: unknown. */
  get bytesPerSecond(): number | null {
    return this.rows[0]!.bytesPerSecond
  }

  /** Operations per second; null: unknown. */
  get flopsPerSecond(): number | null {
    return this.rows[0]!.flopsPerSecond
  }

  /** Share of the device's measured peak, 0 to 1; null: unknown, or data that stays in the caches exceeds it. */
  get share(): number | null {
    return this.rows[0]!.share
  }
}

/** Longer lists of inputs end with their number. */
const shownInputs = 4

/** Device, threads, inputs and what the numbers are. */
function heading({ model, threads, inputs, flushed, rows }: ComparisonRecord): string {
  const more = inputs.length > shownInputs ? [`… of ${plural(inputs.length, 'tensor')}`] : []
  const parts = [
    model,
    ...(threads === null ? [] : [plural(threads, 'thread')]),
    [...inputs.slice(0, shownInputs), ...more].join(', '),
    `medians of ${plural(rows[0]!.call.samples, 'sample')}${flushed ? ', caches flushed' : ''}`,
  ]
  return parts.filter(part => part !== '').join('; ')
}
