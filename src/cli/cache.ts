/** `tegula cache ls | path | clear`. */
import { extname } from 'node:path'
import { flag } from '../base/env.js'
import { formatBytes, plural } from '../base/units.js'
import { type CacheEntry, defaultCache } from '../cache/disk-cache.js'
import type { Leftover } from '../cache/leftovers.js'
import { alignedText } from '../profile/table.js'
import type { Report } from './output.js'

/** Kinds of cache files, by extension. */
const kinds: Readonly<Record<string, string>> = {
  '.entry': 'artifact',
  '.ref': 'reference',
  '.c': 'source',
  '.so': 'library',
  '.dylib': 'library',
}

const off: Report = {
  data: { enabled: false, folder: null, files: [], bytes: 0, leftovers: [], removed: 0 },
  text: 'the cache is off (TEGULA_CACHE=0)',
}
const isOff = (): boolean => !flag('cache')

const kindOf = ({ path }: CacheEntry): string => kinds[extname(path)] ?? extname(path).slice(1)
const totalBytes = (entries: readonly CacheEntry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0)

const leftoverText = (leftovers: readonly Leftover[]): string => {
  const bytes = leftovers.reduce((sum, leftover) => sum + leftover.bytes, 0)
  return `${plural(leftovers.length, 'leftover')} of killed processes or other versions, ${formatBytes(bytes)}`
}

/** Throws CacheError when the folder cannot be used or listed. */
export function cacheList(): Report {
  if (isOff()) return off
  const { folder } = defaultCache()
  const entries = defaultCache()
    .entries()
    .sort((a, b) => b.modified - a.modified)
  const files = entries.map(entry => ({
    kind: kindOf(entry),
    bytes: entry.bytes,
    modified: new Date(entry.modified).toISOString(),
    path: entry.path,
  }))
  const rows = files.map(({ kind, bytes, modified, path }) => [
    kind,
    formatBytes(bytes),
    modified.slice(0, 19).replace('T', ' '),
    path,
  ])
  const bytes = totalBytes(entries)
  const leftovers = defaultCache().leftovers()
  const left = leftovers.length === 0 ? '' : `\n${leftoverText(leftovers)}; tegula cache clear removes them`
  const summary = `${plural(files.length, 'file')}, ${formatBytes(bytes)} in ${folder}${left}`
  return {
    data: { enabled: true, folder, files, bytes, leftovers },
    text: rows.length === 0 ? summary : `${alignedText(rows)}\n${summary}`,
  }
}

/** Throws CacheError when the folder cannot be used. */
export function cachePath(): Report {
  if (isOff()) return off
  const { folder } = defaultCache()
  return { data: { enabled: true, folder }, text: folder }
}

/** Throws CacheError when the folder cannot be used or listed. */
export function cacheClear(): Report {
  if (isOff()) return off
  const { folder } = defaultCache()
  const bytes = totalBytes(defaultCache().entries())
  const leftovers = defaultCache().leftovers()
  const { entries: removed } = defaultCache().clear()
  const left = leftovers.length === 0 ? '' : `, and ${leftoverText(leftovers)}`
  return {
    data: { enabled: true, folder, removed, bytes, leftovers },
    text: `removed ${plural(removed, 'file')}, ${formatBytes(bytes)} from ${folder}${left}`,
  }
}
