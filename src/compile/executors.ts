/** Makes the compiler the executor of tensor ops, on each device when it is first used. */

import { computeDevice } from '../backends/index.js'
import type { Device } from '../tensor/device.js'
import { setExecutors } from '../tensor/dispatch.js'
import { EagerExecutor } from './eager.js'

const executors = new Map<Device, EagerExecutor>()

/** Called by index.ts, and by code that makes tensors without importing that. Opens no device. */
export function installExecutors(): void {
  setExecutors(device => {
    const known = executors.get(device)
    if (known !== undefined) return known
    const made = new EagerExecutor(computeDevice(device))
    executors.set(device, made)
    return made
  })
}
