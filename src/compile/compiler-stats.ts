/** What compilers did in this process: to see that a warm start compiles nothing. */
import type { CompilerStats } from '../backends/device.js'
import { openDevices } from '../backends/index.js'

/** What compilers did in this process so far: a warm start compiles nothing and loads all. */
export function compilerStats(): CompilerStats {
  const all = openDevices().map(device => device.compilerStats)
  const sum = (key: keyof CompilerStats): number => all.reduce((total, stats) => total + stats[key], 0)
  return { compiled: sum('compiled'), loaded: sum('loaded'), compileMs: sum('compileMs') }
}
