/** Measures a training step in processes of its own, so that peak memory and first calls are those of a training program. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measured } from './case.js'

/** What training-start.ts prints. */
export interface StartedTraining {
  readonly firstCallMs: number
  /** Median of a step, on the device. */
  readonly us: number
  /** Per step of many in a row, on the host's clock. */
  readonly throughputUs: number
  readonly peakBytes: number
  readonly losses: readonly number[]
}

/** Upper limits: bytes, and seconds of the first call in a first and in a second process. */
export interface TrainingLimits {
  readonly peakBytes: number
  readonly cold: number
  readonly second: number
}

function startTraining(name: string, cache: string): StartedTraining {
  const script = fileURLToPath(new URL('training-start.ts', import.meta.url))
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', script, name], {
    encoding: 'utf8',
    env: { ...process.env, TEGULA_CACHE_DIR: cache },
  })
  if (status !== 0) throw new Error(`${name}: ${stderr.slice(-2000)}`)
  return JSON.parse(stdout) as StartedTraining
}

/** A case's row: the time of a step, with its memory and first calls beside their limits. */
export function startedTraining(name: string, limits: TrainingLimits): Measured {
  const cache = mkdtempSync(join(tmpdir(), 'tegula-training-'))
  try {
    const [cold, second] = [startTraining(name, cache), startTraining(name, cache)]
    const peak = Math.max(cold.peakBytes, second.peakBytes)
    return {
      case: name,
      variant: 'reduce-overhead',
      us: Math.min(cold.us, second.us),
      ceilings: [
        { what: 'peak memory', value: peak / 1e9, unit: 'GB', limit: limits.peakBytes / 1e9 },
        { what: 'first call', value: cold.firstCallMs / 1000, unit: 's', limit: limits.cold },
        { what: 'first call of a second process', value: second.firstCallMs / 1000, unit: 's', limit: limits.second },
      ],
    }
  } finally {
    rmSync(cache, { recursive: true })
  }
}
