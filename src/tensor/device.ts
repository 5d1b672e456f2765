/** Names of devices, and the default device for new tensors. Which devices exist is up to the executors. */
import { describeAny } from '../base/describe.js'
import { DeviceError } from '../base/errors.js'

/** Where a tensor is stored. */
export type Device = 'cpu' | `cuda:${number}`

/** A device as users name it; a missing device is an error, never silently another one. */
export type DeviceName = Device | 'cuda'

let defaultDevice: Device = 'cpu'

export const isDeviceName = (name: unknown): name is DeviceName =>
  typeof name === 'string' && /^(cpu|cuda(:\d+)?)$/.test(name)

/** The device that `name` means; `cuda` is `cuda:0`. Throws DeviceError when it names none. */
export function deviceOfName(name: string, context: string): Device {
  if (!isDeviceName(name)) {
    throw new DeviceError(`${context}: no device ${typeof name === 'string' ? `'${name}'` : describeAny(name)}`, {
      fix: "use 'cpu', 'cuda', or 'cuda:1' for the second GPU",
    })
  }
  return name === 'cuda' ? 'cuda:0' : name
}

/** Used by `setDefaultDevice`, which has checked that the device exists. */
export function changeDefaultDevice(device: Device): void {
  defaultDevice = device
}

/**
 * The device on which creation functions make tensors when they are given none; 'cpu' unless `setDefaultDevice` said otherwise.
 */
export function getDefaultDevice(): Device {
  return defaultDevice
}
