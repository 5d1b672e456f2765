/** Kernels that overlap, side by side in drawings. */
import { groupBy } from '../base/group-by.js'
import type { SpanRecord } from './records.js'

/** Of each kernel on a GPU the first lane of its stream in which it overlaps none that began before it; 0 of all other spans. */
export function deviceLanes(spans: readonly SpanRecord[]): number[] {
  const lanes = new Array<number>(spans.length).fill(0)
  const onDevice = spans.flatMap((span, i) => (span.onDevice === null ? [] : [{ i, ...span.onDevice }]))
  for (const each of groupBy(onDevice, ({ device, stream }) => `${device} ${stream}`).values()) {
    const ends: number[] = []
    for (const { i, start, duration } of each.sort((a, b) => a.start - b.start)) {
      const free = ends.findIndex(end => end <= start)
      lanes[i] = free === -1 ? ends.length : free
      ends[lanes[i]] = start + duration
    }
  }
  return lanes
}
