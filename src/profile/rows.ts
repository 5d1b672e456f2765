/** From spans to the rows of a profile's table. */
import { basename } from 'node:path'
import type { MachineLimits } from '../compile/limits.js'
import type { Device } from '../tensor/device.js'
import type { CompilationRecord, PhaseRecord, ProfileRecord, ProfileRow, SpanRecord } from './records.js'
import { limitOfWork } from './work.js'

/**
 * What a row is of. op: functions, ops, modules, labels and kernels by name. kernel: kernels only. module: all within the calls of an
 * nn.Module, by its path. line: the user's lines.
 */
export type ProfileGroup = 'op' | 'kernel' | 'module' | 'line'

/** A row's sums while it is made. */
interface Sums {
  calls: number
  selfCpu: number
  cpuTotal: number
  selfDevice: number
  overlapping: number
  deviceTotal: number
  memory: number
  shapes: ReadonlySet<string>
  work: { bytes: number; flops: number } | null
  limit: number
  measured: number
}

/** Of each span: time on the host's clock in no span inside it, and on GPUs in it and below. */
interface SpanTimes {
  readonly selfCpu: Float64Array
  readonly deviceTotal: Float64Array
}

function timesOf(spans: readonly SpanRecord[]): SpanTimes {
  const deviceTotal = Float64Array.from(spans, ({ onDevice }) => onDevice?.alone ?? 0)
  // Spans stand after the ones around them.
  for (let i = spans.length - 1; i >= 0; i--) {
    const { parent } = spans[i]!
    if (parent >= 0) deviceTotal[parent]! += deviceTotal[i]!
  }
  return { selfCpu: selfTimes(spans), deviceTotal }
}

/**
 * Each moment counts for the span that began last among those that it lies in: the innermost one, and of async functions that
 * wait side by side the last. So the sum is never more than the time of all.
 */
function selfTimes(spans: readonly SpanRecord[]): Float64Array {
  const self = new Float64Array(spans.length)
  const open: number[] = []
  let at = 0
  const advance = (until: number): void => {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const end = spans[last]!.start + spans[last]!.duration
      self[last]! += Math.max(0, Math.min(until, end) - at)
      at = Math.max(at, Math.min(until, end))
      if (end > until) return
      open.pop()
    }
    at = until
  }
  for (const [i, { start }] of spans.entries()) {
    advance(start)
    open.push(i)
  }
  advance(Number.POSITIVE_INFINITY)
  return self
}

/** Rows without an order. */
export function rowsOf({ spans, limits }: Pick<ProfileRecord, 'spans' | 'limits'>, group: ProfileGroup): ProfileRow[] {
  const { selfCpu, deviceTotal } = timesOf(spans)
  const keys = spans.map(span => keyOf(span, group))
  const rows = new Map<string, Sums>()
  for (const [i, span] of spans.entries()) {
    const key = keys[i]!
    if (key === null) continue
    const row = rows.get(key) ?? emptyRow()
    rows.set(key, row)
    row.selfCpu += selfCpu[i]!
    row.selfDevice += span.onDevice?.alone ?? 0
    row.overlapping += span.onDevice?.duration ?? 0
    addKernel(row, span, limits)
    if (isInside(spans, i, keys)) continue
    if (group !== 'module' || span.kind === 'module') row.calls++
    row.cpuTotal += span.duration
    row.deviceTotal += deviceTotal[i]!
    row.memory += span.memory
    if (group === 'op') row.shapes = new Set([...row.shapes, span.shapes.join(', ')])
  }
  const all = [...rows.values()].reduce((sum, row) => sum + row.selfCpu, 0)
  return [...rows].map(([name, row]) => finished(name, row, all))
}

const emptyRow = (): Sums => ({
  calls: 0,
  selfCpu: 0,
  cpuTotal: 0,
  selfDevice: 0,
  overlapping: 0,
  deviceTotal: 0,
  memory: 0,
  shapes: new Set(),
  work: null,
  limit: 0,
  measured: 0,
})

/** An op and a kernel, or a function and its compilation, may have one name. */
const rowPrefixes: Partial<Record<SpanRecord['kind'], string>> = {
  kernel: 'kernel ',
  compile: 'compile ',
  phase: 'compiling: ',
}

/** Null: the span is in no row. */
function keyOf({ kind, name, module, line }: SpanRecord, group: ProfileGroup): string | null {
  switch (group) {
    case 'op':
      return `${rowPrefixes[kind] ?? ''}${name}`
    case 'kernel':
      return kind === 'kernel' ? name : null
    case 'module':
      return module === '' ? '(no module)' : module
    case 'line':
      return line === null ? '(no line)' : `${basename(line.file)}:${line.line}`
    default:
      return group satisfies never
  }
}

/** Whether a span lies in another of its row, which counts its time already. */
function isInside(spans: readonly SpanRecord[], index: number, keys: readonly (string | null)[]): boolean {
  for (let at = spans[index]!.parent; at >= 0; at = spans[at]!.parent) if (keys[at] === keys[index]) return true
  return false
}

function addKernel(row: Sums, { kind, duration, onDevice, work }: SpanRecord, limits: ProfileRecord['limits']): void {
  if (kind !== 'kernel' || work === null) return
  row.work = { bytes: (row.work?.bytes ?? 0) + work.bytes, flops: (row.work?.flops ?? 0) + work.flops }
  const peak: MachineLimits | undefined = limits?.[onDevice?.device ?? ('cpu' as Device)]
  const limit = peak === undefined ? null : limitOfWork(work, peak)
  if (limit === null) return
  row.limit += limit.nanoseconds
  row.measured += onDevice?.alone ?? duration
}

function finished(name: string, row: Sums, all: number): ProfileRow {
  const { calls, selfCpu, cpuTotal, selfDevice, overlapping, deviceTotal, memory, shapes, work, limit, measured } = row
  return {
    name,
    calls,
    selfCpu,
    selfCpuShare: all === 0 ? 0 : selfCpu / all,
    cpuTotal,
    cpuAverage: calls === 0 ? 0 : cpuTotal / calls,
    selfDevice,
    overlapping,
    deviceTotal,
    shapes: shapes.size === 1 ? [...shapes].filter(text => text !== '') : [],
    memory,
    work,
    share: measured === 0 || limit === 0 ? null : limit / measured,
  }
}

/** The compilations among spans, each with the time of its phases without what lies inside them. */
export function compilationsOf(spans: readonly SpanRecord[]): CompilationRecord[] {
  const { selfCpu } = timesOf(spans)
  const found = new Map<number, { phases: Map<string, number> }>()
  for (const [i, { kind, name, parent }] of spans.entries()) {
    if (kind === 'compile') found.set(i, { phases: new Map([['other', selfCpu[i]!]]) })
    if (kind !== 'phase') continue
    const around = compilationAround(spans, parent)
    const phases = around < 0 ? undefined : found.get(around)!.phases
    phases?.set(name, (phases.get(name) ?? 0) + selfCpu[i]!)
  }
  return [...found].map(([i, { phases }]): CompilationRecord => {
    const { name, start, duration } = spans[i]!
    const [other, ...rest] = [...phases].map(([phase, nanoseconds]): PhaseRecord => ({ name: phase, nanoseconds }))
    return { name, start, duration, phases: [...rest, other!], cached: !phases.has('scheduling') }
  })
}

function compilationAround(spans: readonly SpanRecord[], from: number): number {
  let at = from
  while (at >= 0 && spans[at]!.kind !== 'compile') at = spans[at]!.parent
  return at
}
