/**
 * Temporary files and folders, and their removal after their process was killed. A temporary name contains the id of the
 * process that created it; once that process is dead, the file is unneeded.
 */
import { lstatSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { contentHash } from '../base/canonical.js'

/** Age at which a file is abandoned if its process cannot be checked (another machine or container on the same disk). */
const abandonedAfterMs = 3_600_000
/** Age at which a file is abandoned even if its process seems to run: the process id must have been reused. */
const surelyAbandonedAfterMs = 24 * abandonedAfterMs

const namePattern = /^([.a-z]+)-([0-9a-f]{8})-(\d+)-\w+$/

let hostId: string | null = null

/** Identifies the scope of process ids: this machine, and this container on it. */
function thisHost(): string {
  hostId ??= contentHash([hostname(), processNamespace()]).slice(0, 8)
  return hostId
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return '' // not Linux: only the machine's name is known
  }
}

/** The prefix of this process's temporary names; six or more letters and digits must follow. */
export const temporaryPrefix = (kind: string): string => `${kind}-${thisHost()}-${process.pid}-`

export interface Leftover {
  readonly path: string
  readonly bytes: number
}

/** Leftovers of dead processes in a folder, under names of these kinds. Throws the system's error. */
export function leftoversIn(folder: string, kinds: readonly string[]): Leftover[] {
  return readdirSync(folder).flatMap(name => {
    const [, kind = '', host = '', pid = ''] = namePattern.exec(name) ?? []
    if (!kinds.includes(kind)) return []
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return [] // its process just ended
    const age = Date.now() - stats.mtimeMs
    const isDead = host === thisHost() && !isRunning(Number(pid))
    if (!isDead && age < (host === thisHost() ? surelyAbandonedAfterMs : abandonedAfterMs)) return []
    return [{ path, bytes: bytesIn(path) }]
  })
}

/** Removes leftovers; returns how many. Leftovers of other users stay. */
export function sweep(folder: string, kinds: readonly string[]): number {
  let swept = 0
  try {
    for (const { path } of leftoversIn(folder, kinds)) {
      rmSync(path, { recursive: true, force: true })
      swept++
    }
  } catch {
    // owned by another user, or the folder is gone: the remaining files do no harm
  }
  return swept
}

/** Bytes of all files at a path and below it. */
export function bytesIn(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
