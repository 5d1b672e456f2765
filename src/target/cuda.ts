/**
 * Facts of NVIDIA GPUs, as data. The compute capability determines the available instructions; the driver reports the size and
 * speed of the device. A new generation is a row here.
 */

import type { SimtArch, SimtTarget } from './simt.js'

/** The driver's report about a device. */
export interface CudaProbe {
  readonly name: string
  /** Compute capability: 9.0 is 90. */
  readonly capability: number
  readonly multiprocessors: number
  readonly l2Bytes: number
  /** Maximum bytes of shared memory per block, after opting in. */
  readonly sharedBytesPerBlock: number
  readonly sharedBytesPerMultiprocessor: number
  readonly memoryBytes: number
  /** The CUDA version that the driver supports: 13.0 is 13000. */
  readonly driverVersion: number
}

/** The instructions of a generation. */
export interface CudaArch extends SimtArch {
  /** The PTX target: 'sm_80', 'sm_90a'. */
  readonly name: string
  /** Capability of the devices that run it: exactly this one (`sm_90a`), or this and all later ones (`sm_80`). */
  readonly capability: number
  readonly exact: boolean
  /** The minimum PTX `.version` for the target: 8.0 is 80. */
  readonly ptx: number
}

const kib = 1024
/** Warp size of all generations. */
const warpSize = 32

export const cudaArchs = {
  sm_80: {
    name: 'sm_80',
    capability: 80,
    exact: false,
    ptx: 70,
    warpSize,
    mmaF8: false,
    warpgroup: false,
    sharedBytesPerBlock: 163 * kib,
    sharedBytesPerMultiprocessor: 164 * kib,
  },
  sm_89: {
    name: 'sm_89',
    capability: 89,
    exact: false,
    ptx: 78,
    warpSize,
    mmaF8: true,
    warpgroup: false,
    sharedBytesPerBlock: 99 * kib,
    sharedBytesPerMultiprocessor: 100 * kib,
  },
  sm_90a: {
    name: 'sm_90a',
    capability: 90,
    exact: true,
    ptx: 80,
    warpSize,
    mmaF8: true,
    warpgroup: true,
    sharedBytesPerBlock: 227 * kib,
    sharedBytesPerMultiprocessor: 228 * kib,
  },
} as const satisfies Record<string, CudaArch>

export interface CudaTarget extends SimtTarget {
  readonly kind: 'cuda'
  readonly arch: CudaArch
  readonly multiprocessors: number
  readonly l2Bytes: number
}

/** The best architecture that a device runs; null when it is older than all of them. */
export function archOf(capability: number): CudaArch | null {
  const fits = (arch: CudaArch): boolean =>
    arch.exact ? arch.capability === capability : arch.capability <= capability
  const candidates: CudaArch[] = Object.values(cudaArchs).filter(fits)
  return candidates.sort((a, b) => b.capability - a.capability)[0] ?? null
}

/** A target without a device, for assembling and simulating without a GPU: an arch with typical sizes. */
export const genericCudaTarget = (arch: CudaArch): CudaTarget => ({
  kind: 'cuda',
  arch,
  multiprocessors: 132,
  l2Bytes: 50 * 1024 * kib,
})
