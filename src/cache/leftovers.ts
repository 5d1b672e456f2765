/**
 * Temporary files and folders, and what becomes of them when their process is killed. Names say which process made them:
 * one that is dead leaves nothing that anyone still needs.
 */
import { lstatSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { contentHash } from '../base/canonical.js'

/** Of a process that cannot be asked about (another machine or container on the same disk). */
const abandonedAfterMs = 3_600_000
/** Even of a process that seems to run: its number has been given to another one since. */
const surelyAbandonedAfterMs = 24 * abandonedAfterMs

const namePattern = /^([.a-z]+)-([0-9a-f]{8})-(\d+)-\w+$/

let place: string | null = null

/** Where process numbers mean the same: this machine, and this container of it. */
function thisPlace(): string {
  place ??= contentHash([hostname(), processNamespace()]).slice(0, 8)
  return place
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return '' // no Linux: the machine's name has to do
  }
}

/** The beginning of a temporary name of this process; six or more letters and digits must follow. */
export const temporaryPrefix = (kind: string): string => `${kind}-${thisPlace()}-${process.pid}-`

export interface Leftover {
  readonly path: string
  readonly bytes: number
}

/** What dead processes left in a folder under names of these kinds. Throws the system's error. */
export function leftoversIn(folder: string, kinds: readonly string[]): Leftover[] {
  return readdirSync(folder).flatMap(name => {
    const [, kind = '', where = '', pid = ''] = namePattern.exec(name) ?? []
    if (!kinds.includes(kind)) return []
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return [] // its process just ended
    const age = Date.now() - stats.mtimeMs
    const isDead = where === thisPlace() && !isRunning(Number(pid))
    if (!isDead && age < (where === thisPlace() ? surelyAbandonedAfterMs : abandonedAfterMs)) return []
    return [{ path, bytes: bytesIn(path) }]
  })
}

/** Removes them; returns how many went. One that another user owns stays. */
export function sweep(folder: string, kinds: readonly string[]): number {
  let swept = 0
  try {
    for (const { path } of leftoversIn(folder, kinds)) {
      rmSync(path, { recursive: true, force: true })
      swept++
    }
  } catch {
    // not ours to remove, or the folder went: what is left does no harm
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
