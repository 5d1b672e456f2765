/** Names of devices, and the default on which tensors are made. What devices there are is the executors' to say. */
import { describeAny } from '../base/describe.js'
import { DeviceError } from '../base/errors.js'

/** Where a tensor's memory lies. */
export type Device = 'cpu' | `cuda:${number}`

/** What people may ask for; a device that is not there is an error, never another device in its place. */
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

/** Used by `setDefaultDevice`, which has made sure that the device is there. */
export function changeDefaultDevice(device: Device): void {
  defaultDevice = device
}

/**
 * The device on which creation functions make tensors when they are given none; 'cpu' unless `setDefaultDevice` said otherwise.
 */
export function getDefaultDevice(): Device {
  return defaultDevice
}
