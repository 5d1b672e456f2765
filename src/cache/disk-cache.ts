/**
 * The content-addressed store on disk. A key is the hash of everything a result depends on, so an entry never goes
 * stale. It can only be damaged; damage is reported, and the entry is discarded and rebuilt. Writers do not conflict: each
 * writes a temporary file and renames it, so a reader sees a whole entry or none.
 *
 * Two kinds of entries: bytes (`get`, `put`), and real files that a loader needs by path (`getFile`, `putFile`). The
 * name of a file holds its own digest, and a small entry refers to it: two processes that build the same key
 * with different results cannot mix one's file with the other's digest.
 */
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { contentHash } from '../base/canonical.js'
import { env, flag, systemVariable } from '../base/env.js'
import { CacheError } from '../base/errors.js'
import { decodeEntry, decodeReference, encodeEntry, encodeReference } from './entry-format.js'
import { bytesIn, type Leftover, leftoversIn, sweep, temporaryPrefix } from './leftovers.js'
import {
  errorCode,
  isTrustedOwner,
  makeFolder,
  openPrivateFolder,
  temporaryFolder,
  Unwritable,
} from './private-folder.js'
import { cacheLimitBytes, evict, hold, markUsed } from './size-limit.js'

/** The subfolder that holds the entries; a new number starts an empty cache when the format changes. */
const formatFolder = 'v2'
const formatFolders = /^v\d+$/
const keyPattern = /^[0-9a-z][0-9a-z_-]{0,127}$/
const ourFiles = /^[0-9a-z][0-9a-z_-]*\.[0-9a-z]+$/
const workKind = '.work'
const writeKind = '.write'
const temporaryKinds = [workKind, writeKind]

/** Maximum number of warnings, for a folder full of damaged entries. */
const maxWarnings = 100

export interface CacheStats {
  hits: number
  misses: number
  written: number
  damaged: number
  /** Leftovers of killed processes that this one removed. */
  swept: number
}

export interface CacheEntry {
  readonly key: string
  readonly path: string
  readonly bytes: number
  /** Milliseconds since 1970 of its last use, to the hour. */
  readonly modified: number
}

export interface CacheOptions {
  /** Default: `TEGULA_CACHE_DIR`, else `$XDG_CACHE_HOME/tegula`, else `~/.cache/tegula`. */
  readonly folder?: string
  /** Default: `TEGULA_CACHE_LIMIT`, else 2 GB. */
  readonly limitBytes?: number
  /** Receives each warning once. Default: a process warning (printed by node, seen by `process.on('warning')`). */
  readonly warn?: (message: string) => void
}

export class DiskCache {
  readonly stats: CacheStats = { hits: 0, misses: 0, written: 0, damaged: 0, swept: 0 }
  readonly #warn: (message: string) => void
  readonly #warned = new Set<string>()
  #folder: string
  #persistent: boolean
  readonly #limitBytes: number
  /** Bytes in the folder as far as this process knows; null: not measured yet. */
  #knownBytes: number | null = null

  private constructor(folder: string, persistent: boolean, options: Required<Omit<CacheOptions, 'folder'>>) {
    this.#folder = folder
    this.#persistent = persistent
    this.#warn = options.warn
    this.#limitBytes = options.limitBytes
  }

  /**
   * Opens the cache, and creates its folder (mode 0700) if needed. If the folder is not writable, warns once and uses a
   * temporary folder for this process. Throws CacheError when TEGULA_CACHE_LIMIT is not a size, when another user owns the
   * folder or may write to it, or when no folder can be created at all.
   */
  static open(options: CacheOptions = {}): DiskCache {
    const given = { warn: options.warn ?? processWarning, limitBytes: options.limitBytes ?? cacheLimitBytes() }
    if (options.folder === undefined && !flag('cache')) return new DiskCache(temporaryFolder(), false, given)
    const folder = resolve(options.folder ?? defaultCacheFolder())
    const opened = openPrivateFolder(folder, formatFolder)
    if (!(opened instanceof Unwritable)) return new DiskCache(opened, true, given)
    const cache = new DiskCache(temporaryFolder(), false, given)
    cache.#warnOnce(uncachedMessage(folder, opened.reason))
    return cache
  }

  /** The folder that holds the entries now. */
  get folder(): string {
    return this.#folder
  }

  /** False when nothing outlives this process: the cache is off, or its folder cannot be written. */
  get persistent(): boolean {
    return this.#persistent
  }

  /** The bytes under `key`, or null when the entry is missing or damaged (a damaged one is reported and discarded). */
  get(key: string): Uint8Array | null {
    const path = this.#path(key, 'entry')
    const bytes = this.#read(path)
    if (bytes === null) return this.#miss()
    const payload = typeof bytes === 'string' ? bytes : decodeEntry(key, bytes)
    if (typeof payload === 'string') return this.#damaged(path, payload, [path])
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined) markUsed(path, stats)
    this.stats.hits++
    return payload
  }

  put(key: string, payload: Uint8Array): void {
    this.#write(this.#name(key, 'entry'), encodeEntry(key, payload))
    this.#keepSize(key)
  }

  /**
   * The path of the file under `key`, whose content was just verified, or null (as `get`). The file is not evicted for at
   * least half a minute, so that a loader can open it.
   */
  getFile(key: string): string | null {
    const path = this.#path(key, 'ref')
    const bytes = this.#read(path)
    if (bytes === null) return this.#miss()
    const reference = typeof bytes === 'string' ? bytes : decodeReference(key, bytes)
    if (typeof reference === 'string') return this.#damaged(path, reference, [path])
    const file = join(this.#folder, reference.name)
    const content = this.#read(file)
    const stats = statSync(file, { throwIfNoEntry: false })
    if (content === null || stats === undefined) {
      // If another process is evicting the entry, the reference is gone already, and this is an ordinary miss.
      return existsSync(path) ? this.#damaged(file, 'it is missing', [path]) : this.#miss()
    }
    if (typeof content === 'string') return this.#damaged(file, content, [path, file])
    if (contentHash([content]) !== reference.digest) return this.#damaged(file, 'its digest differs', [path, file])
    for (const used of [path, file]) hold(used, stats)
    this.stats.hits++
    return file
  }

  /**
   * Stores a file that a loader opens by path; returns the path. It is not evicted for a minute. `companions` (extension →
   * text) are stored under the same stem, for users to read; they are never read back.
   */
  putFile(
    key: string,
    extension: string,
    content: Uint8Array,
    companions: Readonly<Record<string, string>> = {},
  ): string {
    const digest = contentHash([content])
    const stem = `${key}-${digest.slice(0, 16)}`
    for (const [other, text] of Object.entries(companions)) this.#write(`${stem}.${other}`, Buffer.from(text))
    const name = `${stem}.${extension}`
    this.#write(name, content)
    this.#write(this.#name(key, 'ref'), encodeReference(key, { name, digest }))
    this.#keepSize(key)
    return join(this.#folder, name)
  }

  /** Keeps a text under `key` for users to read (such as the source of a failed build); returns its path. */
  putText(key: string, extension: string, text: string): string {
    const name = this.#name(key, extension)
    this.#write(name, Buffer.from(text))
    return join(this.#folder, name)
  }

  /** Removes both kinds of entries under `key`. */
  discard(key: string): void {
    for (const kind of ['entry', 'ref']) remove(this.#path(key, kind))
  }

  /** A new empty folder on the cache's disk, for a tool's temporary files; the caller removes it. */
  createWorkFolder(): string {
    try {
      makeFolder(this.#folder)
      return mkdtempSync(join(this.#folder, temporaryPrefix(workKind)))
    } catch (error) {
      this.#leaveDisk(errorCode(error))
      return mkdtempSync(join(this.#folder, temporaryPrefix(workKind)))
    }
  }

  /** Every file of the cache, except temporary ones. */
  entries(): CacheEntry[] {
    const found: CacheEntry[] = []
    for (const name of this.#names()) {
      if (!ourFiles.test(name)) continue
      const path = join(this.#folder, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats === undefined) continue // another process removed it meanwhile
      found.push({ key: name.slice(0, name.indexOf('.')), path, bytes: stats.size, modified: stats.mtimeMs })
    }
    return found
  }

  /**
   * Unneeded files: temporary files of killed processes, which the next writing process removes, and folders of other
   * versions' formats. `clear` removes both.
   */
  leftovers(): Leftover[] {
    const temporary = existsSync(this.#folder) ? leftoversIn(this.#folder, temporaryKinds) : []
    return [...temporary, ...this.#otherFormats()]
  }

  #otherFormats(): Leftover[] {
    const parent = dirname(this.#folder)
    if (!this.#persistent || !existsSync(parent)) return []
    return readdirSync(parent)
      .filter(name => formatFolders.test(name) && name !== formatFolder)
      .map(name => join(parent, name))
      .map(path => ({ path, bytes: bytesIn(path) }))
  }

  /** Removes all entries and leftovers; returns how many of each were removed. */
  clear(): { readonly entries: number; readonly leftovers: number } {
    const [entries, leftovers] = [this.entries(), this.leftovers()]
    for (const { path } of [...entries, ...leftovers]) remove(path)
    this.#knownBytes = null
    return { entries: entries.length, leftovers: leftovers.length }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return []
      throw new CacheError(`cache: ${this.#folder} cannot be listed (${errorCode(error)})`, { cause: error })
    }
  }

  #name(key: string, extension: string): string {
    if (!keyPattern.test(key)) throw new CacheError(`cache: ${JSON.stringify(key)} is not a key (want ${keyPattern})`)
    return `${key}.${extension}`
  }

  #path(key: string, extension: string): string {
    return join(this.#folder, this.#name(key, extension))
  }

  /** The content; null: the entry does not exist; a text: the reason why it must not be used. */
  #read(path: string): Uint8Array | string | null {
    try {
      const stats = statSync(path)
      if (!isTrustedOwner(stats)) return 'another user owns it'
      return stats.isFile() ? readFileSync(path) : 'it is not a file'
    } catch (error) {
      const code = errorCode(error)
      if (code !== 'ENOENT') this.#warnOnce(`cache: ${path} cannot be read (${code}) and is made again`)
      return null
    }
  }

  #miss(): null {
    this.stats.misses++
    return null
  }

  #damaged(path: string, reason: string, remains: readonly string[]): null {
    this.stats.damaged++
    this.#warnOnce(`cache: entry ${path} is damaged (${reason}); it is discarded and made again`)
    for (const file of remains) remove(file)
    return this.#miss()
  }

  /** Evicts the least recently used entries when the cache exceeds its limit, except files that may be about to be loaded. */
  #keepSize(written: string): void {
    if (!this.#persistent) return
    if (this.#knownBytes === null) {
      this.stats.swept += sweep(this.#folder, temporaryKinds)
      this.#knownBytes = this.entries().reduce((sum, { bytes }) => sum + bytes, 0)
    }
    if (this.#knownBytes > this.#limitBytes) this.#knownBytes = evict(this.entries(), this.#limitBytes, written)
  }

  /**
   * Called by a tool that found the disk full: switches to a temporary folder, with one warning. Returns false when the cache
   * already uses one.
   */
  leaveFullDisk(): boolean {
    if (!this.#persistent) return false
    this.#leaveDisk('ENOSPC')
    return true
  }

  /** Writes a temporary file and renames it. If the disk refuses, the cache becomes temporary and the program continues. */
  #write(name: string, content: Uint8Array): void {
    try {
      writeAndRename(this.#folder, name, content)
    } catch (error) {
      this.#leaveDisk(errorCode(error))
      writeAndRename(this.#folder, name, content)
    }
    this.stats.written++
    if (this.#knownBytes !== null) this.#knownBytes += content.length
  }

  /** Falls back to a temporary folder, and warns once. Throws CacheError when that folder cannot be written either. */
  #leaveDisk(reason: string): void {
    if (!this.#persistent) {
      throw new CacheError(`cache: nothing can be written to ${this.#folder} (${reason})`, {
        fix: 'free disk space, or set TEGULA_CACHE_DIR to a folder on another disk',
      })
    }
    this.#warnOnce(uncachedMessage(this.#folder, reason))
    this.#folder = temporaryFolder()
    this.#persistent = false
  }

  #warnOnce(message: string): void {
    if (this.#warned.has(message) || this.#warned.size >= maxWarnings) return
    this.#warned.add(message)
    this.#warn(message)
  }
}

/** `TEGULA_CACHE_DIR`, else `$XDG_CACHE_HOME/tegula`, else `~/.cache/tegula`. */
export function defaultCacheFolder(): string {
  const base = systemVariable('XDG_CACHE_HOME') ?? join(homedir(), '.cache')
  return env('cacheDir') ?? join(base, 'tegula')
}

const openCaches = new Map<string, DiskCache>()

/** The cache of the current environment. Opened once per folder, so that each warning is given once and counts add up. */
export function defaultCache(): DiskCache {
  const folder = !flag('cache') ? '' : resolve(defaultCacheFolder())
  let cache = openCaches.get(folder)
  if (cache === undefined) {
    cache = DiskCache.open()
    openCaches.set(folder, cache)
  }
  return cache
}

/** Writes a file under a temporary name, then renames it, so that no process sees half of it. */
function writeAndRename(folder: string, name: string, content: Uint8Array): void {
  const temporary = join(folder, `${temporaryPrefix(writeKind)}${randomBytes(9).toString('hex')}`)
  makeFolder(folder) // someone may have cleared the cache with rm -r
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 })
    renameSync(temporary, join(folder, name))
  } catch (error) {
    remove(temporary)
    throw error
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

function uncachedMessage(folder: string, reason: string): string {
  const [why, fix] =
    reason === 'ENOSPC' || reason === 'EDQUOT'
      ? [`its disk is full (${reason})`, 'free space, or set TEGULA_CACHE_DIR to a folder on another disk']
      : [`it cannot be written (${reason})`, 'set TEGULA_CACHE_DIR to a folder that you can write']
  return `cache: ${folder} is not used, ${why}, so every process compiles anew; ${fix}`
}

function processWarning(message: string): void {
  process.emitWarning(message, { type: 'TegulaWarning', code: 'TEGULA_CACHE' })
}
