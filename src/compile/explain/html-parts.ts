/** What the sections of an explanation's page share. */
import { formatBytes, formatTime } from '../../base/units.js'
import { type Content, html } from '../../report/html.js'
import type { KernelExplanation } from './explain-kernel.js'

/** Measured nanoseconds of a kernel's launch by its name; null: not measured. */
export type KernelTimes = (name: string) => number | null

/** What a kernel is ranked by: its measured time, else its time at the limit, else its bytes. */
export function costOf({ name, limitNanoseconds, bytes }: KernelExplanation, times: KernelTimes) {
  const measured = times(name)
  if (measured !== null) return { amount: measured, text: formatTime(measured), what: 'measured time' }
  if (limitNanoseconds !== null)
    return { amount: limitNanoseconds, text: formatTime(limitNanoseconds), what: 'time at the limit' }
  return { amount: bytes, text: formatBytes(bytes), what: 'bytes' }
}

/** `Part 2 of 3`, of functions with graph breaks. */
export const partHeading = (i: number, count: number): Content =>
  count === 1 ? null : html`<h3>Part ${i + 1} of ${count}</h3>`
