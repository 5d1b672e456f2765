/** Data that tries to become HTML, and a made-up profile. */
import type { ProfileRecord, SpanRecord } from 'tegula/profile'

/** Ends a script, an attribute and an element, and runs code if any of that works. */
export const attack = `</script><img src=x onerror="document.title='attacked'"><script>document.title='attacked'</script>"'>`

/** The same data with the attack at the end of each text that is not one of a closed set. Functions stay. */
export function attacked<T>(data: T): T {
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return fixed.has(key) ? value : `${value}${attack}`
    if (Array.isArray(value)) return value.map(each => walk(each, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name)]))
  }
  return walk(data, '') as T
}

/** Texts of closed sets, which no user chooses. */
const fixed: ReadonlySet<string> = new Set([
  'kind',
  'bound',
  'arithmetic',
  'device',
  'asked',
  'strategy',
  'from',
  'to',
  'severity',
])

const span = (kind: SpanRecord['kind'], name: string, parent: number, start: number, duration: number): SpanRecord => ({
  kind,
  name,
  start,
  duration,
  parent,
  shapes: [],
  module: '',
  line: null,
  ops: [],
  work: null,
  onDevice: null,
  memory: 0,
})

/** A call of two kernels, one of which a GPU ran. */
export const exampleRecord: ProfileRecord = {
  nanoseconds: 100_000,
  devices: [
    { name: 'cpu', model: 'a processor' },
    { name: 'cuda:0', model: 'a GPU' },
  ],
  spans: [
    span('label', 'profile', -1, 0, 100_000),
    span('call', 'step', 0, 1_000, 90_000),
    { ...span('kernel', 'matmul_relu', 1, 5_000, 40_000), work: { bytes: 4_000, flops: 80_000, arithmetic: 'f32' } },
    {
      ...span('kernel', 'sum', 1, 50_000, 2_000),
      work: { bytes: 4_000, flops: 1_000, arithmetic: 'f32' },
      onDevice: { device: 'cuda:0', stream: 0, start: 52_000, duration: 9_000, alone: 9_000 },
    },
  ],
  memory: [0, 1, 2, 3, 4].map(i => ({
    time: i * 20_000,
    device: 'cpu',
    allocatedBytes: 3_000 + i,
    byOwner: [
      { owner: 'tensors', bytes: 2_000 },
      { owner: 'temporaries', bytes: 1_000 + i },
    ],
  })),
  compilations: [
    { name: 'step', start: 0, duration: 50_000, phases: [{ name: 'capture', nanoseconds: 20_000 }], cached: true },
    { name: 'full', start: 0, duration: 10_000, phases: [{ name: 'capture', nanoseconds: 1_000 }], cached: false },
  ],
  untraced: 0,
  limits: {
    cpu: { flopsPerNanosecond: 100, copyBytesPerNanosecond: 10, readBytesPerNanosecond: 12 },
    'cuda:0': {
      flopsPerNanosecond: 1_000,
      copyBytesPerNanosecond: 100,
      readBytesPerNanosecond: 120,
      matrixFlopsPerNanosecond: 9_000,
    },
  },
}
