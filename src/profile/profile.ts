/** What a profiler saw: tables of it, and its trace. */
import { writeFileSync } from 'node:fs'
import { formatBytes, formatCount, formatTime, plural, threeDigits } from '../base/units.js'
import { inspectCustom } from '../tensor/inspect.js'
import { anything, checkOptions, count, type OptionRule, oneOf } from './options.js'
import { type ProfilePageOptions, profilePage } from './profile-html.js'
import type { CompilationRecord, ProfileRecord, ProfileRow } from './records.js'
import { type ProfileGroup, rowsOf } from './rows.js'
import { type Column, csvTable, markdownTable, textTable } from './table.js'
import { traceOf } from './trace.js'

/** What rows may be ordered by: the largest first, names in alphabetical order. */
export type ProfileSort =
  | 'selfCpu'
  | 'cpuTotal'
  | 'cpuAverage'
  | 'selfDevice'
  | 'deviceTotal'
  | 'calls'
  | 'memory'
  | 'name'

/** All orders. */
export const profileSorts: readonly ProfileSort[] = [
  'selfCpu',
  'cpuTotal',
  'cpuAverage',
  'selfDevice',
  'deviceTotal',
  'calls',
  'memory',
  'name',
]
/** All groups. */
export const profileGroups: readonly ProfileGroup[] = ['op', 'kernel', 'module', 'line']
const formats = ['text', 'markdown', 'csv'] as const
const tableRules: Readonly<Record<keyof ProfileTableOptions, OptionRule>> = {
  group: oneOf(profileGroups),
  sort: oneOf(profileSorts),
  limit: count,
  format: oneOf(formats),
}

/** Options of a profile's table. */
export interface ProfileTableOptions {
  /** What a row is of. Default 'op': functions, ops, modules, labels and kernels by name. */
  readonly group?: ProfileGroup
  /** Default: 'selfDevice' if a GPU ran kernels, else 'selfCpu'. */
  readonly sort?: ProfileSort
  /** Rows that are shown; the number of others is added. Default 30. */
  readonly limit?: number
  /** Default 'text': aligned. */
  readonly format?: (typeof formats)[number]
}

const time = (nanoseconds: number): string => (nanoseconds === 0 ? '' : formatTime(nanoseconds))
/** Names of generated kernels can be long. */
const longestName = 48
const shortened = (name: string): string => (name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`)
const signed = (bytes: number): string =>
  bytes === 0 ? '' : `${bytes < 0 ? '-' : ''}${formatBytes(Math.abs(Math.round(bytes)))}`

/** A column of times: as text, and in CSV in nanoseconds. */
const timeColumn = (
  head: string,
  name: keyof ProfileRow & string,
  of: (row: ProfileRow) => number,
): Column<ProfileRow> => ({
  head,
  text: row => time(of(row)),
  data: { name: `${name}_ns`, value: of },
})

/** Kernels of a row that overlap others by more are shown with it. */
const overlapFrom = 1.01

const columns: readonly Column<ProfileRow>[] = [
  { head: 'name', left: true, text: ({ name }) => shortened(name), data: { name: 'name', value: ({ name }) => name } },
  {
    head: 'self CPU %',
    text: ({ selfCpuShare }) => (selfCpuShare === 0 ? '' : `${(selfCpuShare * 100).toFixed(1)} %`),
  },
  timeColumn('self CPU', 'selfCpu', ({ selfCpu }) => selfCpu),
  timeColumn('CPU total', 'cpuTotal', ({ cpuTotal }) => cpuTotal),
  timeColumn('CPU average', 'cpuAverage', ({ cpuAverage }) => cpuAverage),
  timeColumn('self device', 'selfDevice', ({ selfDevice }) => selfDevice),
  {
    head: 'overlapping',
    text: ({ overlapping, selfDevice }) => (overlapping > overlapFrom * selfDevice ? time(overlapping) : ''),
    data: { name: 'overlapping_ns', value: ({ overlapping }) => overlapping },
  },
  timeColumn('device total', 'deviceTotal', ({ deviceTotal }) => deviceTotal),
  {
    head: 'calls',
    text: ({ calls }) => (calls === 0 ? '' : String(calls)),
    data: { name: 'calls', value: ({ calls }) => calls },
  },
  {
    head: 'memory',
    text: ({ memory }) => signed(memory),
    data: { name: 'memory_bytes', value: ({ memory }) => memory },
  },
  {
    head: 'GB/s',
    text: row => rate(row, 'bytes'),
    data: { name: 'bytes', value: ({ work }) => work?.bytes ?? null },
  },
  {
    head: 'GFLOP/s',
    text: row => rate(row, 'flops'),
    data: { name: 'flop', value: ({ work }) => work?.flops ?? null },
  },
  {
    head: 'roofline',
    text: ({ share }) => (share === null ? '' : `${threeDigits(share * 100)} %`),
    data: { name: 'share_of_roofline', value: ({ share }) => share },
  },
  { head: 'input shapes', left: true, text: ({ shapes }) => shapes.join(', ') },
]

/** Of planned work over the time of a row's kernels, per nanosecond. */
function rate({ work, selfDevice, selfCpu }: ProfileRow, of: 'bytes' | 'flops'): string {
  const amount = work?.[of] ?? 0
  const nanoseconds = selfDevice > 0 ? selfDevice : selfCpu
  return amount === 0 || nanoseconds <= 0 ? '' : threeDigits(amount / nanoseconds)
}

/** The phases of compilations in the order of a compilation; others follow. */
const phaseOrder = [
  'capture',
  'gradients',
  'cache',
  'passes',
  'scheduling',
  'lowering',
  'emission',
  'C compiler',
  'assembler',
]

/** All that a profiler saw between start and stop. Printed, it is a table. */
export class Profile {
  /** Everything as plain data: spans, memory, compilations. */
  readonly record: ProfileRecord

  /** @param record what was recorded */
  constructor(record: ProfileRecord) {
    this.record = record
  }

  /** Wall clock from start to stop in nanoseconds, with the devices' work done. */
  get nanoseconds(): number {
    return this.record.nanoseconds
  }

  /**
   * The rows of the table, largest first.
   * @param options as of `table`; there is no limit
   * @throws ArgumentError for an unknown option, group or order
   */
  rows(options: ProfileTableOptions = {}): ProfileRow[] {
    checkOptions('Profile.table', options, tableRules)
    const { group = 'op', sort = this.#hasDeviceTimes ? 'selfDevice' : 'selfCpu' } = options
    const rows = rowsOf(this.record, group)
    return sort === 'name'
      ? rows.sort((a, b) => (a.name < b.name ? -1 : 1))
      : rows.sort((a, b) => b[sort] - a[sort] || b.cpuTotal - a.cpuTotal)
  }

  /**
   * The table: time on the host's clock and on the GPU, calls, shapes of inputs, memory; of kernels, the rates of their planned bytes and
   * operations, and the share of the device's roofline that they reach.
   *
   * @param options `group`: 'op' (default), 'kernel', 'module', 'line'; `sort`; `limit` (default 30 rows); `format`: 'text' (default),
   *   'markdown', 'csv'
   * @throws ArgumentError for an unknown option, group, order or format
   */
  table(options: ProfileTableOptions = {}): string {
    const rows = this.rows(options)
    const { format = 'text', limit = 30 } = options
    if (format === 'csv') return csvTable(columns, rows)
    const shown = rows.slice(0, limit)
    const made = format === 'markdown' ? markdownTable(columns, shown) : textTable(columns, shown)
    const more = rows.length > shown.length ? [`… and ${plural(rows.length - shown.length, 'row')} more`] : []
    return [made, ...more, '', this.#totals(rows)].join('\n')
  }

  /** Compilations, the longest first: what first calls cost, by phase. Empty when nothing was compiled. */
  compileTable(): string {
    const { compilations } = this.record
    if (compilations.length === 0) return ''
    const names = new Set(compilations.flatMap(({ phases }) => phases.map(({ name }) => name)))
    const order = [...phaseOrder.filter(name => names.delete(name)), ...names]
    const phase =
      (name: string) =>
      (each: CompilationRecord): number | null =>
        each.phases.find(one => one.name === name)?.nanoseconds ?? null
    const compileColumns: readonly Column<CompilationRecord>[] = [
      { head: 'compiled', left: true, text: ({ name }) => shortened(name) },
      { head: 'time', text: ({ duration }) => formatTime(duration) },
      { head: 'from', text: ({ cached }) => (cached ? 'cache' : 'source') },
      ...order.map(name => ({ head: name, text: (each: CompilationRecord) => time(phase(name)(each) ?? 0) })),
    ]
    return textTable(
      compileColumns,
      compilations.toSorted((a, b) => b.duration - a.duration),
    )
  }

  /**
   * The trace as JSON in Chrome's trace event format, for ui.perfetto.dev: spans of the host, kernels by stream, memory by owner.
   * @param path a file that it is written to, too. Default: none
   */
  toTrace(path?: string): string {
    const text = traceOf(this.record)
    if (path !== undefined) writeFileSync(path, text)
    return text
  }

  /**
   * A report as one HTML page, which loads nothing: tables, timeline, memory over time, roofline, compilations and cache hits.
   *
   * @param path a file that it is written to, too. Default: none
   * @param options `title`; `explanation`, of the profiled function: adds its graph, and its kernels with their code; `first`: the record of
   *   a profile of its first call, for what was compiled
   * @throws ArgumentError for an unknown option
   */
  toHtml(path?: string, options: ProfilePageOptions = {}): string {
    checkOptions('Profile.toHtml', options, { title: anything, explanation: anything, first: anything })
    const page = profilePage(this.record, options)
    if (path !== undefined) writeFileSync(path, page)
    return page
  }

  /** Plain data for `JSON.stringify`. */
  toJSON(): ProfileRecord {
    return this.record
  }

  /** The table, and that of compilations if there were some. */
  toString(): string {
    const compiled = this.compileTable()
    return compiled === '' ? this.table() : `${this.table()}\n\n${compiled}`
  }

  [inspectCustom](): string {
    return this.toString()
  }

  get #hasDeviceTimes(): boolean {
    return this.record.spans.some(({ onDevice }) => onDevice !== null)
  }

  #totals(rows: readonly ProfileRow[]): string {
    const cpu = rows.reduce((sum, { selfCpu }) => sum + selfCpu, 0)
    const device = rows.reduce((sum, { selfDevice }) => sum + selfDevice, 0)
    const onDevice = device === 0 ? '' : `, self device ${formatTime(device)}`
    const kernels = this.record.spans.filter(({ kind }) => kind === 'kernel')
    const flops = kernels.reduce((sum, { work }) => sum + (work?.flops ?? 0), 0)
    const work = flops === 0 ? '' : `, ${formatCount(flops, 'FLOP')}`
    const { untraced } = this.record
    const missing = untraced === 0 ? '' : `; of ${plural(untraced, 'kernel')} no time was seen`
    return `self CPU ${formatTime(cpu)}${onDevice} of ${formatTime(this.nanoseconds)}; ${plural(kernels.length, 'kernel')}${work}${missing}`
  }
}
