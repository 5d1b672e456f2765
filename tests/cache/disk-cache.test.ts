import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CacheError } from '../../src/base/errors.js'
import { DiskCache, defaultCache, defaultCacheFolder } from '../../src/cache/disk-cache.js'
import { temporaryPrefix } from '../../src/cache/leftovers.js'
import { builtScript } from '../support/built.js'

let root = ''
let warnings: string[] = []

const open = (folder = join(root, 'cache')) => DiskCache.open({ folder, warn: message => warnings.push(message) })
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const text = (content: Uint8Array | null) => (content === null ? null : Buffer.from(content).toString())

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tegula-test-'))
  vi.stubEnv('TMPDIR', root) // what a test without a cache folder makes goes with its root
  warnings = []
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

describe('entries', () => {
  it('are read back as they were written, in this process and in the next', () => {
    const cache = open()
    expect(cache.get('a')).toBeNull()
    cache.put('a', bytes('first'))
    cache.put('empty', bytes(''))
    expect(text(cache.get('a'))).toBe('first')
    expect(text(open().get('a'))).toBe('first')
    expect(text(open().get('empty'))).toBe('')
    expect(cache.stats).toEqual({ hits: 1, misses: 1, written: 2, damaged: 0, swept: 0 })
    expect(warnings).toEqual([])
  })

  it('of files are real files with readable companions', () => {
    const path = open().putFile('k', 'so', bytes('machine code'), { c: 'int x;' })
    expect(readFileSync(path, 'utf8')).toBe('machine code')
    expect(readFileSync(path.replace(/so$/, 'c'), 'utf8')).toBe('int x;')
    expect(open().getFile('k')).toBe(path)
    expect(open().getFile('other')).toBeNull()
  })

  it('are listed and cleared; nothing else in the folder is touched', () => {
    const cache = open()
    cache.put('a', bytes('first'))
    cache.putFile('b', 'so', bytes('second'))
    const foreign = join(root, 'cache', 'notes.txt')
    writeFileSync(foreign, 'mine')
    const busy = cache.createWorkFolder()
    const abandoned = cache.createWorkFolder()
    utimesSync(abandoned, 0, 0)
    expect(
      cache
        .entries()
        .map(entry => entry.key.slice(0, 1))
        .sort(),
    ).toEqual(['a', 'b', 'b'])
    expect(cache.leftovers().map(({ path }) => path)).toEqual([abandoned])
    expect(cache.clear()).toEqual({ entries: 3, leftovers: 1 })
    expect(cache.entries()).toEqual([])
    expect([existsSync(foreign), existsSync(busy), existsSync(abandoned)]).toEqual([true, true, false])
    expect(cache.get('a')).toBeNull()
  })

  it('survive the removal of the folder while the process runs', () => {
    const cache = open()
    rmSync(join(root, 'cache'), { recursive: true })
    expect(cache.get('a')).toBeNull()
    expect(cache.entries()).toEqual([])
    cache.put('a', bytes('again'))
    expect(text(cache.get('a'))).toBe('again')
    expect(cache.persistent).toBe(true)
  })

  it('reject a key that could escape the folder', () => {
    expect(() => open().put('../../etc/passwd', bytes(''))).toThrow(CacheError)
    expect(() => open().getFile('a/b')).toThrow(CacheError)
  })

  it('leave no temporary files behind', () => {
    const cache = open()
    cache.put('a', bytes('first'))
    expect(readdirSync(cache.folder)).toEqual(['a.entry'])
  })
})

describe('an entry belongs to its key', () => {
  it('bytes under the name of another key are rejected and rebuilt', () => {
    const cache = open()
    cache.put('a', bytes('of a'))
    copyFileSync(join(cache.folder, 'a.entry'), join(cache.folder, 'b.entry'))
    expect(cache.get('b')).toBeNull()
    expect(warnings[0]).toMatch(/b\.entry is damaged \(it was written for another key, a\)/)
    renameSync(join(cache.folder, 'a.entry'), join(cache.folder, 'c.entry'))
    expect([cache.get('c'), cache.get('a')]).toEqual([null, null])
    cache.put('b', bytes('of b'))
    expect(text(cache.get('b'))).toBe('of b')
  })

  it('a key written into the header of another entry does not make it that entry', () => {
    const cache = open()
    cache.put('a', bytes('of a'))
    const forged = readFileSync(join(cache.folder, 'a.entry'), 'latin1').replace(' a ', ' b ')
    writeFileSync(join(cache.folder, 'b.entry'), forged, 'latin1')
    expect(cache.get('b')).toBeNull()
    expect(warnings[0]).toContain('its digest differs')
  })

  it('files under the name of another key are rejected, with or without their references', () => {
    const cache = open()
    const [a, b] = [cache.putFile('a', 'so', bytes('of a')), cache.putFile('b', 'so', bytes('of b'))]
    copyFileSync(join(cache.folder, 'a.ref'), join(cache.folder, 'c.ref'))
    expect(cache.getFile('c')).toBeNull()
    copyFileSync(a, b)
    expect(cache.getFile('b')).toBeNull()
    expect(warnings.map(warning => /\((.*)\)/.exec(warning)?.[1])).toEqual([
      'it was written for another key, a',
      'its digest differs',
    ])
    expect(cache.getFile('a')).toBe(a)
  })

  it('an entry in another version of the format is rejected', () => {
    const cache = open()
    cache.put('a', bytes('of a'))
    const path = join(cache.folder, 'a.entry')
    writeFileSync(path, readFileSync(path, 'latin1').replace('tegula-cache 2', 'tegula-cache 1'), 'latin1')
    expect(cache.get('a')).toBeNull()
    expect(warnings[0]).toContain('its header is not a cache header')
  })

  it('a folder in place of an entry is removed', () => {
    const cache = open()
    mkdirSync(join(cache.folder, 'a.entry', 'inside'), { recursive: true })
    expect(cache.get('a')).toBeNull()
    cache.put('a', bytes('of a'))
    expect([text(cache.get('a')), cache.persistent]).toEqual(['of a', true])
  })
})

describe('leftovers', () => {
  /** A temporary name as the process of that number would have made it. */
  const nameOf = (kind: string, pid: number): string =>
    `${temporaryPrefix(kind).replace(`-${process.pid}-`, `-${pid}-`)}abcdef`

  it('of killed processes are removed with the next entry; those of running processes stay', () => {
    const { pid: dead } = spawnSync('true')
    const { folder } = open()
    const [torn, work] = [join(folder, nameOf('.write', dead)), join(folder, nameOf('.work', dead))]
    const busy = join(folder, nameOf('.work', process.ppid))
    writeFileSync(torn, 'half of it')
    for (const made of [work, busy]) mkdirSync(made)
    writeFileSync(join(work, 'kernel.c'), 'int x;')
    const cache = open()
    expect(cache.leftovers().map(({ path, bytes: size }) => [path, size])).toEqual(
      expect.arrayContaining([
        [torn, 10],
        [work, 6],
      ]),
    )
    cache.put('a', bytes('first'))
    expect([torn, work, busy].map(path => existsSync(path))).toEqual([false, false, true])
    expect([cache.stats.swept, cache.leftovers()]).toEqual([2, []])
  })

  it('of another machine on the same disk are removed after an hour, those with a reused process id after a day', () => {
    const cache = open()
    const elsewhere = join(cache.folder, '.work-00000000-1-abcdef')
    const reused = join(cache.folder, nameOf('.work', process.ppid))
    for (const path of [elsewhere, reused]) mkdirSync(path)
    const ages: (readonly [hours: number, count: number])[] = [
      [0, 0],
      [2, 1],
      [25, 2],
    ]
    for (const [hours, count] of ages) {
      for (const path of [elsewhere, reused])
        utimesSync(path, Date.now() / 1000 - hours * 3600, Date.now() / 1000 - hours * 3600)
      expect(cache.leftovers()).toHaveLength(count)
    }
  })

  it('of other formats are counted, and only removed by clear', () => {
    const cache = open()
    const old = join(root, 'cache', 'v1')
    mkdirSync(old)
    writeFileSync(join(old, 'a.entry'), 'x'.repeat(7))
    expect(cache.leftovers()).toEqual([{ path: old, bytes: 7 }])
    cache.put('a', bytes('first'))
    expect(existsSync(old)).toBe(true)
    expect(cache.clear()).toEqual({ entries: 1, leftovers: 1 })
    expect(existsSync(old)).toBe(false)
  })

  it('of a cache that is off are in the temporary folder, and removed by the next such cache', () => {
    const { pid: dead } = spawnSync('true')
    const left = join(root, nameOf('tegula', dead))
    mkdirSync(left)
    vi.stubEnv('TEGULA_CACHE', '0')
    const { folder } = DiskCache.open()
    expect([existsSync(left), existsSync(folder)]).toEqual([false, true])
  })
})

describe('damage', () => {
  const cases: [string, (path: string) => void][] = [
    ['truncated', path => truncateSync(path, statSync(path).size - 1)],
    ['emptied', path => truncateSync(path, 0)],
    ['a flipped bit', path => flipLastBit(path)],
    ['foreign content', path => writeFileSync(path, 'hello\nworld')],
    ['longer than it says', path => writeFileSync(path, `${readFileSync(path, 'latin1')}x`, 'latin1')],
  ]

  it.each(cases)('of bytes (%s) is reported, discarded, and rebuilt', (_, damage) => {
    const cache = open()
    cache.put('a', bytes('content'))
    const path = join(cache.folder, 'a.entry')
    damage(path)
    expect(cache.get('a')).toBeNull()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(path)
    expect(existsSync(path)).toBe(false)
    cache.put('a', bytes('content'))
    expect(text(cache.get('a'))).toBe('content')
    expect(cache.stats.damaged).toBe(1)
  })

  it.each(cases)('of a file (%s) is reported, discarded, and rebuilt', (_, damage) => {
    const cache = open()
    const path = cache.putFile('k', 'so', bytes('machine code'))
    damage(path)
    expect(cache.getFile('k')).toBeNull()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(path)
    expect(existsSync(path)).toBe(false)
    expect(cache.putFile('k', 'so', bytes('machine code'))).toBe(path)
    expect(cache.getFile('k')).toBe(path)
  })

  it.each(cases)('of the reference to a file (%s) is reported, discarded, and rebuilt', (_, damage) => {
    const cache = open()
    const path = cache.putFile('k', 'so', bytes('machine code'))
    damage(join(cache.folder, 'k.ref'))
    expect(cache.getFile('k')).toBeNull()
    expect(warnings[0]).toContain('k.ref')
    cache.putFile('k', 'so', bytes('machine code'))
    expect(cache.getFile('k')).toBe(path)
  })

  it('of a file that vanished is a miss', () => {
    const cache = open()
    rmSync(cache.putFile('k', 'so', bytes('machine code')))
    expect(cache.getFile('k')).toBeNull()
    expect(warnings[0]).toContain('missing')
  })
})

describe('the folder', () => {
  it('is made private, with the entries in a subfolder of mode 0700', () => {
    const cache = open(join(root, 'deep', 'cache'))
    expect(statSync(cache.folder).mode & 0o777).toBe(0o700)
    expect(statSync(dirname(cache.folder)).mode & 0o777).toBe(0o700)
  })

  it.each([0o777, 0o770, 0o722])('is rejected when others may write to it (mode %i)', mode => {
    const folder = join(root, 'cache')
    mkdirSync(folder)
    chmodSync(folder, mode)
    expect(() => open(folder)).toThrow(CacheError)
    expect(() => open(folder)).toThrow(`chmod 700 ${folder}`)
  })

  it('is rejected when its inner folder was opened to others', () => {
    const { folder } = open()
    chmodSync(folder, 0o755)
    expect(() => open()).toThrow(`chmod 700 ${folder}`)
  })

  it.skipIf(process.getuid?.() !== 0)('is refused when another user owns it (needs root to make one)', () => {
    const folder = join(root, 'cache')
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, 12345, 12345)
    expect(() => open(folder)).toThrow(CacheError)
    expect(() => open(folder)).toThrow(/belongs to user 12345.*fix: chown -R 0 .*TEGULA_CACHE_DIR/s)
  })

  it.skipIf(process.getuid?.() !== 0)('loads no file that another user owns (needs root to make one)', () => {
    const cache = open()
    chownSync(cache.putFile('k', 'so', bytes('machine code')), 12345, 12345)
    expect(cache.getFile('k')).toBeNull()
    expect(warnings[0]).toContain('another user owns it')
    cache.put('a', bytes('entry'))
    chownSync(join(cache.folder, 'a.entry'), 12345, 12345)
    expect(cache.get('a')).toBeNull()
    expect(warnings[1]).toMatch(/a\.entry is damaged \(another user owns it\)/)
  })

  it.each([
    ['a file stands in its place', () => join(root, 'file')],
    ['a file stands above it', () => join(root, 'file', 'cache')],
    ['the file system refuses', () => '/proc/tegula/cache'],
  ])('gives one warning and a cache of this process when %s', (_, place) => {
    writeFileSync(join(root, 'file'), '')
    const cache = open(place())
    cache.put('a', bytes('works'))
    expect(text(cache.get('a'))).toBe('works')
    expect(cache.getFile('k')).toBeNull()
    expect(readFileSync(cache.putFile('k', 'so', bytes('x')), 'utf8')).toBe('x')
    expect(cache.persistent).toBe(false)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(place())
    expect(warnings[0]).toContain('TEGULA_CACHE_DIR')
    expect(statSync(cache.folder).mode & 0o777).toBe(0o700)
  })

  it('of one process is removed with the process', async () => {
    const script = fileURLToPath(new URL('fixtures/uncached.ts', import.meta.url))
    const { status, output } = await runScript(script, ['/proc/tegula'])
    expect(status).toBe(0)
    expect(output).toContain(root)
    expect(existsSync(output)).toBe(false)
  })

  it('that becomes read-only later costs a warning, not the work', () => {
    const cache = open()
    const before = cache.folder
    rmSync(before, { recursive: true })
    writeFileSync(before, 'in the way')
    cache.put('a', bytes('works'))
    expect(text(cache.get('a'))).toBe('works')
    expect(cache.folder).not.toBe(before)
    expect([cache.persistent, warnings.length]).toEqual([false, 1])
  })
})

describe('the environment', () => {
  it('determines the folder: TEGULA_CACHE_DIR, else XDG_CACHE_HOME, else the home folder', () => {
    vi.stubEnv('TEGULA_CACHE_DIR', join(root, 'own'))
    expect(defaultCacheFolder()).toBe(join(root, 'own'))
    vi.stubEnv('TEGULA_CACHE_DIR', '')
    vi.stubEnv('XDG_CACHE_HOME', join(root, 'xdg'))
    expect(defaultCacheFolder()).toBe(join(root, 'xdg', 'tegula'))
    vi.stubEnv('XDG_CACHE_HOME', '')
    vi.stubEnv('HOME', root)
    expect(defaultCacheFolder()).toBe(join(root, '.cache', 'tegula'))
  })

  it('gives one cache per folder', () => {
    vi.stubEnv('TEGULA_CACHE_DIR', join(root, 'one'))
    const one = defaultCache()
    expect(defaultCache()).toBe(one)
    vi.stubEnv('TEGULA_CACHE_DIR', join(root, 'two'))
    expect(defaultCache()).not.toBe(one)
  })

  it('turns the cache off', () => {
    vi.stubEnv('TEGULA_CACHE_DIR', join(root, 'unused'))
    vi.stubEnv('TEGULA_CACHE', '0')
    const cache = DiskCache.open()
    cache.put('a', bytes('works'))
    expect(text(cache.get('a'))).toBe('works')
    expect(existsSync(join(root, 'unused'))).toBe(false)
    expect(cache.persistent).toBe(false)
  })
})

it('eight processes that write and read the same keys see only whole entries', async () => {
  const script = fileURLToPath(new URL('fixtures/hammer.ts', import.meta.url))
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, index) => runScript(script, [join(root, 'cache'), `${index}`])),
  )
  for (const result of results) expect(result).toEqual({ status: 0, output: 'ok' })
  const names = readdirSync(join(root, 'cache', 'v2'))
  expect(names.filter(name => name.startsWith('.'))).toEqual([])
})

function runScript(script: string, args: string[]): Promise<{ status: number | null; output: string }> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [builtScript(script), ...args])
    let output = ''
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (output += chunk))
    child.once('close', status => resolve({ status, output: output.trim() }))
  })
}

function flipLastBit(path: string): void {
  const content = readFileSync(path)
  content[content.length - 1]! ^= 1
  writeFileSync(path, content)
}
