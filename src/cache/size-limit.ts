/**
 * The cache's size limit and LRU eviction. A hit records its use in the files' modification time, at most once an hour, so
 * that lookups hardly ever write.
 *
 * A loader opens a file by path a moment after it was stored or found, and no process must evict it in between. So files stay
 * for a minute after their last use, even beyond the limit.
 */
import { rmSync, type Stats, utimesSync } from 'node:fs'
import { env } from '../base/env.js'
import { CacheError } from '../base/errors.js'

const defaultLimitBytes = 2 * 1000 ** 3
const units: { readonly [unit: string]: number } = { '': 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 }
/** An eviction shrinks the cache to this share of its limit, so that the next write does not evict again. */
const evictedShare = 0.8
const markedAfterMs = 3_600_000
/** How long a file is kept after it was stored or found. A process that takes longer to load it rebuilds it. */
const heldMs = 60_000

/** The limit of `TEGULA_CACHE_LIMIT` in bytes; 2 GB by default. Throws CacheError when the switch is not a size. */
export function cacheLimitBytes(): number {
  const text = env('cacheLimit')
  if (text === undefined) return defaultLimitBytes
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?b)?$/i.exec(text.trim())
  const bytes = match === null ? 0 : Number(match[1]) * units[(match[2] ?? '').replace(/^b$/i, '').toLowerCase()]!
  if (bytes >= 1) return bytes
  throw new CacheError(`TEGULA_CACHE_LIMIT is ${JSON.stringify(text)}, which is not a size`, {
    fix: "set it to a size as '500MB' or '2GB'; TEGULA_CACHE=0 turns the cache off",
    at: null,
  })
}

/** A file of the cache. */
export interface SizedFile {
  readonly path: string
  readonly bytes: number
  /** Milliseconds since 1970 of its last use; accurate to an hour, for files opened by path to half a minute. */
  readonly modified: number
}

/** Marks an entry as used now, unless it was marked in the last hour. If marking fails, it only looks older than it is. */
export function markUsed(path: string, stats: Stats): void {
  mark(path, stats, markedAfterMs)
}

/** Marks a file as used now, so that it is held until it has been loaded. */
export function hold(path: string, stats: Stats): void {
  mark(path, stats, heldMs / 2)
}

function mark(path: string, { mtimeMs }: Stats, afterMs: number): void {
  const now = Date.now()
  if (now - mtimeMs < afterMs) return
  try {
    utimesSync(path, now / 1000, now / 1000)
  } catch {
    // another user's file, a read-only disk, or a missing file: it will be evicted too early
  }
}

/**
 * Removes the least recently used entries until the rest is well below the limit; returns the bytes that remain. All files
 * of a key are removed together, the reference first, so that a reader finds a whole entry or none. `kept`: the key that was
 * just written; files used in the last minute stay too.
 */
export function evict(files: readonly SizedFile[], limitBytes: number, kept: string): number {
  const entries = new Map<string, SizedFile[]>()
  for (const file of files) {
    const key = keyOf(file.path)
    entries.set(key, [...(entries.get(key) ?? []), file])
  }
  const lastUse = (group: readonly SizedFile[]): number => Math.max(...group.map(({ modified }) => modified))
  const now = Date.now()
  const isHeld = (group: readonly SizedFile[]): boolean =>
    group.some(({ path }) => !path.endsWith('.entry')) && Math.abs(now - lastUse(group)) < heldMs
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  for (const [key, group] of [...entries].sort(([, a], [, b]) => lastUse(a) - lastUse(b))) {
    if (bytes <= limitBytes * evictedShare) break
    if (key === kept || isHeld(group)) continue
    for (const { path } of group.sort((a, b) => Number(isReference(b)) - Number(isReference(a)))) {
      rmSync(path, { force: true })
    }
    bytes -= group.reduce((sum, file) => sum + file.bytes, 0)
  }
  return bytes
}

const isReference = ({ path }: SizedFile): boolean => path.endsWith('.ref')

/** The key in a file's name: `key.entry`, `key.ref`, or `key-digest.so` and its companions. */
function keyOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const stem = name.slice(0, name.indexOf('.'))
  return /\.(entry|ref)$/.test(name) ? stem : stem.replace(/-[0-9a-f]{16}$/, '')
}
