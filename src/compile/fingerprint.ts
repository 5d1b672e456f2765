/**
 * Identifies this build of Tegula for cache keys: artifacts depend on the compiler's code, and the version number does not
 * change during development.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentHash } from '../base/canonical.js'

let known: string | null = null

/** A hash over name, size and modification time of every file of Tegula's own code. */
export function codeFingerprint(): string {
  known ??= contentHash([...describeFolder(fileURLToPath(new URL('..', import.meta.url)))])
  return known
}

function* describeFolder(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* describeFolder(path)
    else if (/\.(ts|js)$/.test(entry.name)) {
      const { size, mtimeMs } = statSync(path)
      yield `${entry.name}:${size}:${mtimeMs}`
    }
  }
}
