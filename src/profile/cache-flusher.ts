/** Empties a device's caches before a call is timed, by overwriting other memory. */
import { cpuDevice } from '../runtime/cpu/device.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import { cpuTarget } from '../target/cpu.js'
import { empty } from '../tensor/create.js'
import { outsideScopes } from '../tensor/storage.js'
import type { Tensor } from '../tensor/tensor.js'

const maxBytes = 2 ** 29

export class CacheFlusher {
  readonly #memory: Tensor

  /** Takes memory of four times the cache, at most 512 MiB. `gpu`: whose L2 cache; null: the CPU's caches. */
  constructor(gpu: CudaDevice | null) {
    const elements = Math.min(maxBytes, 4 * cacheBytes(gpu)) / 4
    this.#memory = outsideScopes(() => empty([elements], { dtype: 'i32', device: gpu?.name ?? 'cpu' }))
  }

  /** Overwrites the memory, on all threads or multiprocessors. */
  flush(): void {
    this.#memory.zero_()
  }

  /** Frees the memory. */
  dispose(): void {
    this.#memory.dispose()
  }
}

/** Bytes of the device's largest cache: the L2 of a GPU, the L3 of the CPU (`gpu` is null), or what stands for it where it has none. */
export function cacheBytes(gpu: CudaDevice | null): number {
  if (gpu !== null) return gpu.facts.l2Bytes
  const { l2Bytes, l3Bytes } = cpuTarget(cpuDevice().facts)
  return Math.max(l2Bytes, l3Bytes, defaultCacheBytes)
}

/** For machines that do not tell. */
const defaultCacheBytes = 2 ** 24
