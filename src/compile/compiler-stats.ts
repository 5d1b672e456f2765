/** What the system's compiler did in this process: to see that a warm start compiles nothing. */
import { cpuDevice } from '../runtime/cpu/device.js'

export interface CompilerStats {
  /** Libraries that the C compiler made in this process. */
  readonly compiled: number
  /** Libraries found in the disk cache. */
  readonly loaded: number
  /** Milliseconds spent in the C compiler. */
  readonly compileMs: number
}

export function compilerStats(): CompilerStats {
  return { ...cpuDevice().toolchain.stats }
}
