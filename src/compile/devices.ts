/** The devices that the compiler can generate code for, by the names that tensors know them by. */
import { DeviceError } from '../base/errors.js'
import { type CpuDevice, cpuDevice } from '../runtime/cpu/device.js'
import type { Device } from '../tensor/device.js'

export type ComputeDevice = CpuDevice

/** The device called `name`. Throws DeviceError when this machine has none. */
export function computeDevice(name: Device): ComputeDevice {
  if (name === 'cpu') return cpuDevice()
  throw new DeviceError(`no device '${name}': this build of Tegula computes on 'cpu' only`, {
    fix: "use { device: 'cpu' }, or leave the device out",
  })
}
