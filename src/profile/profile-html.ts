/** A profile as a page (report/page.ts): what takes the time, on a timeline, and over memory; with the explanation of what was profiled, if given. */
import { groupBy } from '../base/group-by.js'
import { formatBytes, formatTime, plural, threeDigits } from '../base/units.js'
import { explanationLead, explanationSections, overviewSection, roofsOf } from '../compile/explain/explain-html.js'
import type { Explanation } from '../compile/explain/explanation.js'
import { adviceSection } from '../compile/explain/html-advice.js'
import { areaHtml } from '../report/area.js'
import { type Content, html } from '../report/html.js'
import { pageText, type Section } from '../report/page.js'
import { rooflineHtml } from '../report/roofline.js'
import { barHtml, type PageColumn, tableHtml, tilesHtml } from '../report/table.js'
import { timelineHtml } from '../report/timeline.js'
import { deviceLanes } from './lanes.js'
import type { CompilationRecord, ProfileRecord, ProfileRow, SpanRecord } from './records.js'
import { type ProfileGroup, rowsOf } from './rows.js'

/** What else a profile's page shows. */
export interface ProfilePageOptions {
  /** What the report is of. Default 'Profile'. */
  readonly title?: string
  /** Of the compiled function that was profiled, `f.explain(…)`: adds its graph, its kernels with their code, guards and so on. */
  readonly explanation?: Explanation
  /** A profile of its first call: what was compiled then. Default: what this profile compiled. */
  readonly first?: ProfileRecord
}

/** The page of `Profile.toHtml`. */
export function profilePage(record: ProfileRecord, { title, explanation, first = record }: ProfilePageOptions): string {
  const times = kernelTimes(record)
  const compilations = compilationSection(first.compilations)
  const explained =
    explanation === undefined
      ? rooflineSection(record)
      : [
          { ...overviewSection(explanation, times), title: 'What was compiled' },
          ...explanationSections(explanation, times),
        ]
  return pageText({
    title: title ?? explanation?.name ?? 'Profile',
    lead: html`${leadOf(record)} ${explanation === undefined ? null : explanationLead(explanation)}`,
    sections: [
      ...adviceSection(explanation?.advice ?? []),
      timeSection(record),
      timelineSection(record),
      ...memorySection(record),
      ...explained,
      ...compilations,
    ],
  })
}

const kernelsOf = ({ spans }: ProfileRecord): SpanRecord[] => spans.filter(({ kind }) => kind === 'kernel')
const timeOf = ({ onDevice, duration }: SpanRecord): number => onDevice?.alone ?? duration

function leadOf(record: ProfileRecord): Content {
  const kernels = kernelsOf(record)
  const busy = sum(kernels.map(timeOf))
  const share = record.nanoseconds === 0 ? 0 : busy / record.nanoseconds
  const where = record.devices.map(({ name, model }) => `${name} (${model})`).join(', ')
  const calls = outerCalls(record)
  const each = calls > 1 ? ` for ${calls} calls, ${formatTime(record.nanoseconds / calls)} each,` : ''
  return `${formatTime(record.nanoseconds)}${each} on ${where || 'the host'}; ${kernels.length} ${kernels.length === 1 ? 'launch' : 'launches'} of kernels took ${Math.round(share * 100)}\u00a0% of it.`
}

/** Calls of compiled functions that lie in no other. */
function outerCalls({ spans }: ProfileRecord): number {
  const inCall: boolean[] = []
  return spans.filter(({ kind, parent }, i) => {
    const around = parent >= 0 && inCall[parent]!
    inCall[i] = around || kind === 'call'
    return kind === 'call' && !around
  }).length
}

/** The mean time of the launches of each kernel, by name. */
function kernelTimes(record: ProfileRecord): (name: string) => number | null {
  const all = new Map<string, { count: number; time: number }>()
  for (const span of kernelsOf(record)) {
    const known = all.get(span.name) ?? { count: 0, time: 0 }
    all.set(span.name, { count: known.count + 1, time: known.time + timeOf(span) })
  }
  return name => {
    const found = all.get(name)
    return found === undefined ? null : found.time / found.count
  }
}

const groups: readonly { readonly group: ProfileGroup; readonly title: string }[] = [
  { group: 'kernel', title: 'by kernel' },
  { group: 'op', title: 'by op and call' },
  { group: 'module', title: 'by module' },
  { group: 'line', title: 'by line' },
]

/** Tables by group; those that tell nothing apart are left out. */
function timeSection(record: ProfileRecord): Section {
  const kernels = kernelsOf(record)
  const flops = sum(kernels.map(({ work }) => work?.flops ?? 0))
  const busy = sum(kernels.map(timeOf))
  const tiles = [
    { value: formatTime(record.nanoseconds), label: 'wall clock' },
    { value: formatTime(busy), label: 'in kernels' },
    { value: String(kernels.length), label: 'kernel launches' },
    ...(flops === 0 || busy === 0 ? [] : [{ value: `${threeDigits(flops / busy)} GFLOP/s`, label: 'in kernels' }]),
  ]
  const tables = groups
    .map(each => ({ ...each, rows: rowsOf(record, each.group).sort((a, b) => ownTime(b) - ownTime(a)) }))
    .filter(({ rows, group }) => rows.length > 1 || (group === 'op' && rows.length > 0))
  return {
    id: 'time',
    title: 'Time',
    body: html`${tilesHtml(tiles)}<div class="tabs" role="tablist" aria-label="Group">${tables.map(
      ({ group, title }, i) =>
        html`<button type="button" role="tab" id="tab-${group}" aria-controls="panel-${group}" aria-selected="${String(i === 0)}"${i === 0 ? null : html` tabindex="-1"`}>${title}</button>`,
    )}</div>${tables.map(
      ({ group, rows }, i) =>
        html`<div role="tabpanel" id="panel-${group}" aria-labelledby="tab-${group}"${i === 0 ? null : html` hidden`}>${tableHtml(rowColumns(rows), rows, 12)}</div>`,
    )}`,
  }
}

const ownTime = ({ selfDevice, selfCpu }: ProfileRow): number => (selfDevice > 0 ? selfDevice : selfCpu)

function rowColumns(rows: readonly ProfileRow[]): PageColumn<ProfileRow>[] {
  const all = sum(rows.map(ownTime))
  const rate = (row: ProfileRow, of: 'bytes' | 'flops'): string => {
    const amount = row.work?.[of] ?? 0
    return amount === 0 || ownTime(row) <= 0 ? '' : threeDigits(amount / ownTime(row))
  }
  return [
    { head: 'name', cell: ({ name }) => html`<code>${name}</code>` },
    {
      head: 'share',
      number: true,
      cell: row => (all === 0 ? '' : `${((ownTime(row) / all) * 100).toFixed(1)}\u00a0%`),
    },
    {
      head: '',
      cell: row =>
        html`<span style="display:block;width:80px;padding-top:7px">${barHtml(all === 0 ? 0 : ownTime(row) / all)}</span>`,
    },
    { head: 'self', number: true, cell: row => formatTime(ownTime(row)) },
    { head: 'calls', number: true, cell: ({ calls }) => calls },
    { head: 'each', number: true, cell: row => (row.calls === 0 ? '' : formatTime(ownTime(row) / row.calls)) },
    { head: 'GB/s', number: true, cell: row => rate(row, 'bytes') },
    { head: 'GFLOP/s', number: true, cell: row => rate(row, 'flops') },
    {
      head: 'of the roofline',
      number: true,
      cell: ({ share }) => (share === null ? '' : `${threeDigits(share * 100)}\u00a0%`),
    },
  ]
}

/** Host and streams as tracks; spans inside others, and kernels that overlap earlier ones, below them. */
function timelineSection({ spans, nanoseconds, devices }: ProfileRecord): Section {
  const models = new Map<string, string>(devices.map(({ name, model }) => [name, model]))
  const depths: number[] = []
  const lanes = deviceLanes(spans)
  const shown = spans.map((span, i) => {
    depths[i] = span.parent < 0 ? 0 : depths[span.parent]! + 1
    const { onDevice, kind, name } = span
    return onDevice === null
      ? { track: 'host', depth: depths[i], start: span.start, duration: span.duration, kind, name }
      : {
          track: `${onDevice.device} ${models.get(onDevice.device) ?? ''}, stream ${onDevice.stream}`,
          depth: lanes[i]!,
          start: onDevice.start,
          duration: onDevice.duration,
          kind,
          name,
        }
  })
  return { id: 'timeline', title: 'Timeline', ...timelineHtml('profile-spans', shown, nanoseconds) }
}

/** Samples that make a plot worth while. */
const fewestSamples = 4

function memorySection({ memory, nanoseconds }: ProfileRecord): Section[] {
  const devices = [...new Set(memory.map(({ device }) => device))]
  const plots = devices.map(device => {
    const samples = memory.filter(sample => sample.device === device)
    const owners = [...new Set(samples.flatMap(({ byOwner }) => byOwner.map(({ owner }) => owner)))]
    const names = owners.length === 0 ? ['in use'] : owners
    const most = samples.reduce((largest, { allocatedBytes }) => Math.max(largest, allocatedBytes), 0)
    const plot = areaHtml({
      label: `Memory of ${device} over time`,
      xLabel: 'milliseconds',
      yLabel: `memory of ${device}`,
      names,
      samples: samples.map(({ time, allocatedBytes, byOwner }) => ({
        x: time / 1e6,
        bytes:
          owners.length === 0
            ? [allocatedBytes]
            : owners.map(owner => byOwner.find(each => each.owner === owner)?.bytes ?? 0),
      })),
      end: nanoseconds / 1e6,
    })
    return html`<p>${device}: at most ${formatBytes(most)} in use, after ${plural(samples.length, 'run')} of kernels.</p>${samples.length < fewestSamples ? null : plot}`
  })
  if (plots.length === 0) return []
  return [{ id: 'memory-over-time', title: 'Memory over time', body: html`${plots}` }]
}

function rooflineSection(record: ProfileRecord): Section[] {
  const plots = Object.entries(record.limits ?? {}).flatMap(([device, limits]) => {
    if (limits === undefined) return []
    const kernels = kernelsOf(record).filter(({ onDevice }) => (onDevice?.device ?? 'cpu') === device)
    const points = [...groupBy(kernels, ({ name }) => name)].map(([name, launches]) => ({
      name,
      bytes: sum(launches.map(({ work }) => work?.bytes ?? 0)),
      flops: sum(launches.map(({ work }) => work?.flops ?? 0)),
      nanoseconds: sum(launches.map(timeOf)),
      href: null,
    }))
    return rooflineHtml(roofsOf(limits), points) ?? []
  })
  if (plots.length === 0) return []
  const note =
    'Each point is a kernel, at its measured rate; its area is its time. Data in a cache may be above the slope.'
  return [{ id: 'roofline', title: 'Roofline', body: html`<p class="note">${note}</p>${plots}` }]
}

function compilationSection(compilations: readonly CompilationRecord[]): Section[] {
  if (compilations.length === 0) return []
  const names = [...new Set(compilations.flatMap(({ phases }) => phases.map(({ name }) => name)))]
  const hits = compilations.filter(({ cached }) => cached).length
  const columns: PageColumn<CompilationRecord>[] = [
    { head: 'compiled', cell: ({ name }) => html`<code>${name}</code>` },
    { head: 'time', number: true, cell: ({ duration }) => formatTime(duration) },
    { head: 'from', cell: ({ cached }) => (cached ? 'cache' : 'source') },
    ...names.map(phase => ({
      head: phase,
      number: true,
      cell: ({ phases }: CompilationRecord): string => {
        const found = phases.find(({ name }) => name === phase)
        return found === undefined || found.nanoseconds === 0 ? '' : formatTime(found.nanoseconds)
      },
    })),
  ]
  const longestFirst = compilations.toSorted((a, b) => b.duration - a.duration)
  return [
    {
      id: 'compilations',
      title: 'Compilations',
      count: compilations.length,
      body: html`<p class="note">${plural(compilations.length, 'compilation')}, ${hits} from the disk cache: what first calls cost, by phase.</p>${tableHtml(columns, longestFirst, 12)}`,
    },
  ]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
