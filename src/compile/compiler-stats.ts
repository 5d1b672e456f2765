/** Counts of what compilers did in this process. */
import type { CompilerStats } from '../backends/device.js'
import { openDevices } from '../backends/index.js'

/** Compiler activity of this process so far. After a warm start `compiled` is 0: all code comes from the disk cache. */
export function compilerStats(): CompilerStats {
  const all = openDevices().map(device => device.compilerStats)
  const sum = (key: keyof CompilerStats): number => all.reduce((total, stats) => total + stats[key], 0)
  return { compiled: sum('compiled'), loaded: sum('loaded'), compileMs: sum('compileMs') }
}
