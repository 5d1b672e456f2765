/** Makes the compiler the executor of tensor ops, on each device when it is first used. */

import { computeDevice } from '../backends/index.js'
import type { Device } from '../tensor/device.js'
import { setExecutors } from '../tensor/dispatch.js'
import { EagerExecutor } from './eager.js'
import { logFromEnvironment } from './logs.js'

const executorsOfProcess = eagerExecutors()

/** Called by index.ts, and by code that makes tensors without importing that. Opens no device. Throws ArgumentError for a wrong TEGULA_LOG. */
export function installExecutors(): void {
  logFromEnvironment()
  setExecutors(executorsOfProcess)
}

/** An executor for each device, made when the device is first asked for. */
export function eagerExecutors(): (device: Device) => EagerExecutor {
  const executors = new Map<Device, EagerExecutor>()
  return device => {
    const known = executors.get(device)
    if (known !== undefined) return known
    const made = new EagerExecutor(computeDevice(device))
    executors.set(device, made)
    return made
  }
}
