/** The devices that the compiler can generate code for, by the names that tensors know them by. */
import { type CpuDevice, cpuDevice } from '../runtime/cpu/device.js'
import { type CudaDevice, cudaDevice } from '../runtime/cuda/device.js'
import type { Device } from '../tensor/device.js'

export type ComputeDevice = CpuDevice | CudaDevice

/** The device called `name`. Throws DeviceError when this machine has none. */
export const computeDevice = (name: Device): ComputeDevice =>
  name === 'cpu' ? cpuDevice() : cudaDevice(Number(name.slice('cuda:'.length)))
