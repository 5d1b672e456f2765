/**
 * A folder that only its user may write: its contents are loaded as code, so it is checked before anything is read.
 * The cache's own subfolder is 0700; the folder around it must be the user's (or root's) and closed to other writers.
 */
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, type Stats, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CacheError } from '../base/errors.js'
import { sweep, temporaryPrefix } from './leftovers.js'

const writableByOthers = 0o022
const accessibleByOthers = 0o077

/** Why a folder cannot be written, as the operating system says it (`EACCES`, `EROFS`, …). */
export class Unwritable {
  constructor(
    readonly folder: string,
    readonly reason: string,
  ) {}
}

/**
 * Makes `folder` (0700) and its subfolder `inner` (0700) where they are missing, and checks both.
 * Returns the path of `inner`, or `Unwritable` when this user cannot write to it.
 * Throws CacheError when another user owns either folder or could write into it.
 */
export function openPrivateFolder(folder: string, inner: string): string | Unwritable {
  const path = join(folder, inner)
  try {
    makeFolder(folder)
    checkPrivate(folder, statSync(folder), writableByOthers)
    makeFolder(path)
    checkPrivate(path, statSync(path), accessibleByOthers)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return path
  } catch (error) {
    if (error instanceof CacheError) throw error
    return new Unwritable(folder, errorCode(error))
  }
}

/**
 * Creates a folder (0700) and its missing parents; throws the system's error. Does not use node's `recursive` option, which
 * never returns on a file system that answers ENOENT to mkdir itself (/proc).
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return
    const parent = dirname(folder)
    if (code !== 'ENOENT' || existsSync(parent)) throw error
    makeFolder(parent)
    makeFolder(folder)
  }
}

const temporaryKind = 'tegula'

/** A folder for this process only, removed when the process exits, or by a later process if it is killed. */
export function temporaryFolder(): string {
  try {
    sweep(tmpdir(), [temporaryKind])
    const folder = mkdtempSync(join(tmpdir(), temporaryPrefix(temporaryKind)))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch (error) {
    throw new CacheError(`cache: no temporary folder can be made in ${tmpdir()} (${errorCode(error)})`, {
      fix: 'set TMPDIR or TEGULA_CACHE_DIR to a folder that you can write',
      cause: error,
    })
  }
}

/** Throws CacheError unless `path` belongs to this user (or to root) and has none of the `forbidden` mode bits. */
function checkPrivate(path: string, stats: Stats, forbidden: number): void {
  const user = process.getuid?.()
  if (user === undefined) return
  if (!stats.isDirectory()) throw new CacheError(`cache: ${path} is not a folder`, { fix: 'remove it' })
  if (!isTrustedOwner(stats)) {
    throw new CacheError(`cache: ${path} belongs to user ${stats.uid}, this process runs as user ${user}`, {
      fix: `chown -R ${user} ${path}, or set TEGULA_CACHE_DIR to a folder of your own`,
    })
  }
  if ((stats.mode & forbidden) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
    throw new CacheError(`cache: ${path} has mode ${mode}, so other users could put code into it or read it`, {
      fix: `chmod 700 ${path}, or set TEGULA_CACHE_DIR to a private folder`,
    })
  }
}

/** Files of this user and of root are trusted: root could change the program itself. */
export function isTrustedOwner(stats: Stats): boolean {
  const user = process.getuid?.()
  return user === undefined || stats.uid === user || stats.uid === 0
}

export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : String(error)
}
