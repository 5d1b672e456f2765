/** Names of devices, and the default on which tensors are made. This build computes on the CPU. */
import { DeviceError } from '../base/errors.js'

/** Where a tensor's memory lies. */
export type Device = 'cpu'

/** What people may ask for; a device that is not there is an error, never another device in its place. */
export type DeviceName = Device | 'cuda' | `cuda:${number}`

let defaultDevice: Device = 'cpu'

/** The device called `name`. Throws DeviceError when this build or this machine has none of that name. */
export function checkDevice(name: string, context: string): Device {
  if (name === 'cpu') return name
  throw new DeviceError(`${context}: no device '${name}': this build of Tegula computes on 'cpu' only`, {
    fix: "use { device: 'cpu' }, or leave the device out",
  })
}

/** Sets where creation functions make tensors when they are given no `device`. Throws DeviceError as `checkDevice`. */
export function setDefaultDevice(name: DeviceName): void {
  defaultDevice = checkDevice(name, 'setDefaultDevice')
}

export function getDefaultDevice(): Device {
  return defaultDevice
}
