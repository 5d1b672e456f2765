/** What the device can do at best, measured beside the cases: its peak rates, and the time of a copy of each size. */
import { type Device, scope } from 'tegula'
import type { MachineLimits } from '../../src/compile/limits.js'
import { CacheFlusher } from '../../src/profile/cache-flusher.js'
import { gpuOfDevice, limitsOfDevice } from '../../src/profile/device-limits.js'
import { EventTimer } from '../../src/profile/event-timer.js'
import { copyBandwidth } from '../../src/profile/limits.js'
import { middle } from '../../src/profile/timing.js'

export interface SurveyLimits extends MachineLimits {
  readonly device: string
  /** Bytes that a copy reads and writes in total, and its microseconds; ascending. On a GPU with a cold L2 cache. */
  readonly copies: readonly (readonly [bytes: number, us: number])[]
}

const copySamples = 9

const gpuCopy = (timer: EventTimer, flusher: CacheFlusher, bytes: number): number =>
  timer.ofCopy(bytes, copy => {
    copy()
    return middle(Array.from({ length: copySamples }, () => timer.sample(copy, flusher))) / 1000
  })

export function measureSurveyLimits(device: Device): SurveyLimits {
  const gpu = gpuOfDevice(device)
  const sizes = Array.from({ length: gpu === null ? 16 : 20 }, (_, i) => 2 ** (12 + i))
  const timer = gpu === null ? null : new EventTimer(gpu)
  const flusher = gpu === null ? null : new CacheFlusher(gpu)
  const copies = sizes.map(bytes => {
    const us = gpu === null ? bytes / copyBandwidth(bytes / 8, copySamples) / 1000 : gpuCopy(timer!, flusher!, bytes)
    return [bytes, us] as const
  })
  flusher?.dispose()
  return { device: gpu?.facts.name ?? 'cpu', copies, ...scope(() => ({ ...limitsOfDevice(device) })) }
}

/** Microseconds of a copy that moves so many bytes: between the two sizes measured beside it, along a line. */
export function copyMicroseconds({ copies }: SurveyLimits, bytes: number): number {
  const above = copies.findIndex(([size]) => size >= bytes)
  if (above === 0) return copies[0]![1]
  const [[lowBytes, low], [highBytes, high]] =
    above < 0 ? [copies.at(-2)!, copies.at(-1)!] : [copies[above - 1]!, copies[above]!]
  return low + ((high - low) * (bytes - lowBytes)) / (highBytes - lowBytes)
}
