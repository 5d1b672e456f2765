/** A profile in the trace event format, which Perfetto (ui.perfetto.dev) and chrome://tracing show. */
import { deviceLanes } from './lanes.js'
import type { ProfileRecord, SpanRecord } from './records.js'

/** The host's spans are process 1; each GPU is a process of its own, its streams are threads. */
const host = 1
/** The format requires the slices of a track to nest: kernels that overlap earlier ones of their stream go to further tracks, with ids this far apart. */
const laneStep = 1000
const threadOf = (stream: number, lane: number): number => stream + lane * laneStep

/** Times are microseconds, as the format has them. */
interface TraceEvent {
  readonly ph: 'X' | 'M' | 'C'
  readonly pid: number
  readonly tid: number
  readonly name: string
  readonly cat?: string
  readonly ts?: number
  readonly dur?: number
  readonly args?: Readonly<Record<string, unknown>>
}

/** The trace as JSON text. */
export function traceOf({ spans, memory, devices }: ProfileRecord): string {
  const gpus = devices.map(({ name }) => name).filter(name => name !== 'cpu')
  const processOf = (device: string): number => (device === 'cpu' ? host : host + 1 + gpus.indexOf(device as never))
  const named = (pid: number, name: string): TraceEvent => ({
    ph: 'M',
    pid,
    tid: 0,
    name: 'process_name',
    args: { name },
  })
  const streams = new Map<string, TraceEvent>()
  const lanes = deviceLanes(spans)
  for (const [i, { onDevice }] of spans.entries()) {
    if (onDevice === null) continue
    const [pid, tid] = [processOf(onDevice.device), threadOf(onDevice.stream, lanes[i]!)]
    const name = `stream ${onDevice.stream}${lanes[i] === 0 ? '' : ', overlapping'}`
    streams.set(`${pid} ${tid}`, { ph: 'M', pid, tid, name: 'thread_name', args: { name } })
  }
  const events: TraceEvent[] = [
    named(host, 'host'),
    { ph: 'M', pid: host, tid: 0, name: 'thread_name', args: { name: 'main thread' } },
    ...devices
      .filter(({ name }) => name !== 'cpu')
      .map(({ name, model }) => named(processOf(name), `${name} ${model}`)),
    ...streams.values(),
    ...spans.map((each, i) => spanEvent(each, lanes[i]!, processOf)),
    ...memory.map(
      ({ time, device, allocatedBytes, byOwner }): TraceEvent => ({
        ph: 'C',
        pid: processOf(device),
        tid: 0,
        name: `memory of ${device}`,
        ts: time / 1e3,
        args:
          byOwner.length === 0
            ? { bytes: allocatedBytes }
            : Object.fromEntries(byOwner.map(({ owner, bytes }) => [owner, bytes])),
      }),
    ),
  ]
  return JSON.stringify({ displayTimeUnit: 'ms', traceEvents: events })
}

function spanEvent(span: SpanRecord, lane: number, processOf: (device: string) => number): TraceEvent {
  const { kind, name, start, duration, onDevice, shapes, module, line, ops, work } = span
  const args = {
    ...(shapes.length === 0 ? {} : { shapes }),
    ...(module === '' ? {} : { module }),
    ...(line === null ? {} : { line: `${line.file}:${line.line}` }),
    ...(ops.length === 0 ? {} : { ops: ops.join(', ') }),
    ...(work === null ? {} : { bytes: work.bytes, flops: work.flops }),
  }
  const [pid, tid] = onDevice === null ? [host, 0] : [processOf(onDevice.device), threadOf(onDevice.stream, lane)]
  const [from, length] = onDevice === null ? [start, duration] : [onDevice.start, onDevice.duration]
  return { ph: 'X', pid, tid, name, cat: kind, ts: from / 1e3, dur: length / 1e3, args }
}
