/** The peak rates of the device that a call runs on. */
import { CompilerError } from '../base/errors.js'
import type { MachineLimits } from '../compile/limits.js'
import { type CudaDevice, cudaDevice } from '../runtime/cuda/device.js'
import type { Device } from '../tensor/device.js'
import type { Tensor } from '../tensor/tensor.js'
import { measureCudaLimits } from './cuda-limits.js'
import { measureLimits } from './limits.js'

/** The device that a call with these tensors runs on. */
export const deviceOf = (tensors: readonly Tensor[]): Device => tensors[0]?.device ?? 'cpu'

/** The GPU of that name; null for the CPU. Throws DeviceError. */
export const gpuOfDevice = (device: Device): CudaDevice | null =>
  device === 'cpu' ? null : cudaDevice(Number(device.slice('cuda:'.length)))

/** Few samples suffice for a share. */
const knownRuns = 3
const measured = new Map<Device, MachineLimits | null>()

/** A device's limits, measured once per process; null where there is no C compiler to measure them with. */
export function knownLimits(device: Device): MachineLimits | null {
  let limits = measured.get(device)
  if (limits === undefined) {
    try {
      limits = limitsOfDevice(device, knownRuns)
    } catch (error) {
      if (!(error instanceof CompilerError)) throw error
      limits = null
    }
    measured.set(device, limits)
  }
  return limits
}

/** Measures a device's limits, in about a second. Throws CompilerError on the CPU, DeviceError on a GPU. */
export function limitsOfDevice(device: Device, runs?: number): MachineLimits {
  const gpu = gpuOfDevice(device)
  return gpu === null ? measureLimits(runs) : measureCudaLimits(gpu, runs)
}
