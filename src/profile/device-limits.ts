/** The limits of whichever device a call runs on. */
import type { MachineLimits } from '../compile/limits.js'
import { cudaDevice } from '../runtime/cuda/device.js'
import type { Device } from '../tensor/device.js'
import type { Tensor } from '../tensor/tensor.js'
import { measureCudaLimits } from './cuda-limits.js'
import { measureLimits } from './limits.js'

/** Where a call with these tensors runs. */
export const deviceOf = (tensors: readonly Tensor[]): Device => tensors[0]?.device ?? 'cpu'

/** Takes about a second. Throws CompilerError on the CPU, DeviceError on a GPU. */
export const limitsOfDevice = (device: Device, runs?: number): MachineLimits =>
  device === 'cpu' ? measureLimits(runs) : measureCudaLimits(cudaDevice(Number(device.slice('cuda:'.length))), runs)
