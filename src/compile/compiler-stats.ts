/** What compilers did in this process: to see that a warm start compiles nothing. */
import { cpuDevice } from '../runtime/cpu/device.js'
import { openCudaDevices } from '../runtime/cuda/device.js'

export interface CompilerStats {
  /** Libraries that the C compiler, and modules that GPUs' assemblers made in this process. */
  readonly compiled: number
  /** Those found in the disk cache. */
  readonly loaded: number
  /** Milliseconds spent in them. */
  readonly compileMs: number
}

export function compilerStats(): CompilerStats {
  const all = [cpuDevice().toolchain.stats, ...openCudaDevices().map(({ assemblerStats }) => assemblerStats)]
  const sum = (key: keyof CompilerStats): number => all.reduce((total, stats) => total + stats[key], 0)
  return { compiled: sum('compiled'), loaded: sum('loaded'), compileMs: sum('compileMs') }
}
