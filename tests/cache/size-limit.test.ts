import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CacheError } from '../../src/base/errors.js'
import { DiskCache } from '../../src/cache/disk-cache.js'
import { cacheLimitBytes } from '../../src/cache/size-limit.js'
import { NativeModule } from '../../src/runtime/cpu/library.js'
import { Toolchain } from '../../src/runtime/cpu/toolchain.js'
import { hasCompiler } from '../support/compiler.js'

let root = ''
let warnings: string[] = []

const open = (limitBytes: number, folder = join(root, 'cache')): DiskCache =>
  DiskCache.open({ folder, limitBytes, warn: message => warnings.push(message) })
const filled = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(7)

/** Makes every file of a key look as if it had last been used `hours` ago. */
function age(cache: DiskCache, key: string, hours: number): void {
  const then = Date.now() / 1000 - hours * 3600
  for (const name of readdirSync(cache.folder))
    if (name.startsWith(key)) utimesSync(join(cache.folder, name), then, then)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tegula-test-'))
  vi.stubEnv('TMPDIR', root)
  warnings = []
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

describe('the size limit', () => {
  it('evicts the least recently used entries, whole, and keeps the rest', () => {
    const cache = open(10_000)
    cache.putFile('old', 'so', filled(2000), { c: 'x'.repeat(1000) })
    cache.put('used', filled(3000))
    cache.put('recent', filled(3000))
    age(cache, 'old', 30)
    age(cache, 'used', 40)
    age(cache, 'recent', 20)
    expect(cache.get('used')).not.toBeNull() // now the last used of the three
    cache.put('new', filled(3000))
    expect(readdirSync(cache.folder).sort()).toEqual(['new.entry', 'used.entry'])
    expect(cache.getFile('old')).toBeNull()
    expect(cache.get('used')).not.toBeNull()
    expect(cache.get('new')).not.toBeNull()
    expect(totalBytes(cache)).toBeLessThanOrEqual(10_000)
    expect(warnings).toEqual([])
  })

  it('counts entries of other processes, and never evicts the entry just written', () => {
    const one = open(5000)
    one.put('a', filled(3000))
    age(one, 'a', 5)
    const other = open(5000)
    other.put('b', filled(3000))
    expect([one.get('a'), one.get('b') === null]).toEqual([null, false])
    other.put('huge', filled(20_000))
    expect(other.get('huge')).not.toBeNull()
    expect(other.get('b')).toBeNull()
  })

  it('holds over many writes', () => {
    const cache = open(50_000)
    for (let i = 0; i < 100; i++) {
      cache.put(`key${i}`, filled(2000))
      age(cache, `key${i}.`, 100 - i)
      expect(totalBytes(cache)).toBeLessThanOrEqual(50_000)
    }
    expect(cache.get('key99')).not.toBeNull()
    expect(cache.get('key0')).toBeNull()
  })

  it('keeps a file that was stored or found in the last minute, for its loader', () => {
    const cache = open(1)
    const paths = ['a', 'b', 'c'].map(key => cache.putFile(key, 'so', filled(1000), { c: 'x' }))
    expect(paths.map(path => existsSync(path))).toEqual([true, true, true])
    for (const key of ['a', 'b', 'c']) age(cache, key, 0.05)
    expect(cache.getFile('b')).toBe(paths[1])
    open(1).put('d', filled(10)) // as another process would
    expect(paths.map(path => existsSync(path))).toEqual([false, true, false])
    age(cache, 'b', 0.05)
    cache.put('e', filled(10))
    expect(readdirSync(cache.folder)).toEqual(['e.entry'])
  })

  it.skipIf(!hasCompiler)('smaller than one library, each of a program loads after all were made', async () => {
    const toolchain = new Toolchain(open(1))
    const sources = [1, 2, 3, 4].map(i => `int answer${i}(void) { return ${i}; }`)
    const files = await Promise.all(sources.map(source => toolchain.compileAsync(source)))
    const modules = files.map(file => new NativeModule(file))
    expect(modules.map((module, i) => module.function(`int answer${i + 1}(void)`)())).toEqual([1, 2, 3, 4])
    expect(toolchain.stats).toMatchObject({ compiled: 4, loaded: 0 })
  })

  it('a hit marks an entry as used, at most once an hour', () => {
    const cache = open(10_000)
    cache.put('a', filled(10))
    age(cache, 'a', 0.5)
    const path = join(cache.folder, 'a.entry')
    const before = statSync(path).mtimeMs
    cache.get('a')
    expect(statSync(path).mtimeMs).toBe(before)
    age(cache, 'a', 2)
    cache.get('a')
    expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(600_000)
  })

  it.each([
    ['500MB', 5e8],
    ['2GB', 2e9],
    ['1.5 gb', 1.5e9],
    ['1000000', 1e6],
    ['10kb', 1e4],
    ['4096B', 4096],
  ])('TEGULA_CACHE_LIMIT=%s', (text, bytes) => {
    vi.stubEnv('TEGULA_CACHE_LIMIT', text)
    expect(cacheLimitBytes()).toBe(bytes)
  })

  it.each(['lots', '-1', '0', '2 GiB!'])('TEGULA_CACHE_LIMIT=%s is refused', text => {
    vi.stubEnv('TEGULA_CACHE_LIMIT', text)
    expect(() => cacheLimitBytes()).toThrow(CacheError)
    expect(() => cacheLimitBytes()).toThrow(
      /TEGULA_CACHE_LIMIT is .*which is not a size.*fix: set it to a size as '500MB'/,
    )
  })
})

const totalBytes = (cache: DiskCache): number => cache.entries().reduce((sum, { bytes }) => sum + bytes, 0)

/** A disk of 64 kB; null where this user may not mount one. */
function smallDisk(): string | null {
  const folder = join(root, 'disk')
  mkdirSync(folder, { mode: 0o700 })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', folder], {
    stdio: 'ignore',
  })
  return status === 0 ? folder : null
}

describe('a full disk', () => {
  it('costs one warning and disables the cache, but does not stop the work', context => {
    const disk = smallDisk()
    if (disk === null) return context.skip('mounting a small disk needs root on Linux')
    try {
      const cache = open(1e9, disk)
      cache.put('small', filled(100))
      cache.put('large', filled(100_000))
      expect(cache.get('large')).toEqual(Buffer.from(filled(100_000)))
      expect(readFileSync(cache.putFile('k', 'so', filled(90_000)))).toHaveLength(90_000)
      expect(cache.persistent).toBe(false)
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatch(
        /disk.* is not used, its disk is full \(ENOSPC\).*free space, or set TEGULA_CACHE_DIR/,
      )
      expect(readdirSync(join(disk, 'v2'))).toEqual(['small.entry'])
    } finally {
      execFileSync('umount', [disk])
    }
  })

  it.skipIf(!hasCompiler)('does not stop the C compiler', context => {
    const disk = smallDisk()
    if (disk === null) return context.skip('mounting a small disk needs root on Linux')
    try {
      const cache = open(1e9, disk)
      const toolchain = new Toolchain(cache)
      toolchain.compiler()
      cache.put('filler', filled(40_000))
      const { path } = toolchain.compile(`int table[] = {${'7,'.repeat(20_000)}};`)
      expect(path.startsWith(disk)).toBe(false)
      expect(readFileSync(path).length).toBeGreaterThan(80_000)
      expect(warnings).toHaveLength(1)
    } finally {
      execFileSync('umount', [disk])
    }
  })
})
