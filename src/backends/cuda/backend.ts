/** NVIDIA GPUs: PTX assembled and launched by the driver. */
import { DeviceError } from '../../base/errors.js'
import { type CudaDevice, cudaDevice, openCudaDevices } from '../../runtime/cuda/device.js'
import { cudaArchs, genericCudaTarget } from '../../target/cuda.js'
import type { Device } from '../../tensor/device.js'
import type { Backend, Refuse } from '../backend.js'
import type { ExportRequirements } from '../device.js'
import type { Target } from '../target.js'
import { CudaComputeDevice } from './device.js'
import { targetForCuda } from './target.js'

const devices = new WeakMap<CudaDevice, CudaComputeDevice>()

function computeDeviceOf(gpu: CudaDevice): CudaComputeDevice {
  const known = devices.get(gpu) ?? new CudaComputeDevice(gpu)
  devices.set(gpu, known)
  return known
}

const open = (name: Device): CudaDevice => cudaDevice(Number(name.slice('cuda:'.length)))

/** The target for printing the code of an architecture without such a GPU. */
const genericTarget = (arch: keyof typeof cudaArchs) => (): Target => targetForCuda(genericCudaTarget(cudaArchs[arch]))

/** The target of the first GPU; without one, or with one too old, the oldest supported architecture. */
function presentGpu(): Target {
  try {
    return computeDeviceOf(cudaDevice(0)).target
  } catch (error) {
    if (error instanceof DeviceError) return genericTarget('sm_80')()
    throw error
  }
}

export const cudaBackend = {
  name: 'cuda',
  owns: (name: Device) => name.startsWith('cuda:'),
  device: (name: Device) => computeDeviceOf(open(name)),
  opened: () => openCudaDevices().map(computeDeviceOf),
  shown: {
    cuda: presentGpu,
    ptx: presentGpu,
    sm_80: genericTarget('sm_80'),
    sm_89: genericTarget('sm_89'),
    sm_90a: genericTarget('sm_90a'),
  } satisfies Record<keyof typeof cudaArchs | 'cuda' | 'ptx', () => Target>,
  deviceForExport(
    name: Device,
    { needs: { model, capability } }: ExportRequirements,
    refuse: Refuse,
  ): CudaComputeDevice {
    const made = `compiled for ${model} (compute capability ${Number(capability) / 10})`
    let gpu: CudaDevice
    try {
      gpu = open(name)
    } catch (cause) {
      if (!(cause instanceof DeviceError)) throw cause
      return refuse(`${made}; ${cause.what}`, 'load it where such a GPU is', cause)
    }
    if (gpu.facts.capability === capability) return computeDeviceOf(gpu)
    return refuse(
      `${made}; ${gpu.name}, ${gpu.facts.name}, has ${gpu.facts.capability / 10}`,
      'export it on a GPU of this kind',
    )
  },
} satisfies Backend
