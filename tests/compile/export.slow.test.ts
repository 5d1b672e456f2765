import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentHash } from '../../src/base/canonical.js'
import {
  ArgumentError,
  ArtifactError,
  compile,
  exportCompiled,
  Generator,
  loadCompiled,
  manualSeed,
  RecompileError,
  rand,
  type Tensor,
  tensor,
  zeros,
} from '../../src/index.js'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tegula-test-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const options = { scale: -0, flag: undefined, big: 3n, name: 'a' }

/** The file with its description changed and its digest made right again. */
function edited(bytes: Uint8Array, from: string | RegExp, to: string): Uint8Array {
  const whole = Buffer.from(bytes)
  const payload = whole.subarray(whole.indexOf(10) + 1)
  const lineEnd = payload.indexOf(10)
  const jsonEnd = lineEnd + 1 + Number(payload.subarray(0, lineEnd).toString())
  const json = payload
    .subarray(lineEnd + 1, jsonEnd)
    .toString()
    .replace(from, to)
  const fresh = Buffer.concat([Buffer.from(`${Buffer.byteLength(json)}\n${json}`), payload.subarray(jsonEnd)])
  return Buffer.concat([Buffer.from(`tegula-compiled 5 ${contentHash([fresh])} ${fresh.length}\n`), fresh])
}

describe('exportCompiled and loadCompiled', () => {
  it('move a function to a process without compiler, cache or source', () => {
    const w = tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
    const row = w.get(1)
    const f = compile(
      (x: Tensor, given: typeof options) => {
        x.add_(1)
        return {
          y: x
            .matmul(w)
            .add(row)
            .mul(given.name === 'a' ? 2 : 3),
          noise: rand([2]),
        }
      },
      { name: 'layer', dynamic: true },
    )
    const input = (rows: number): Tensor => tensor(Array.from({ length: rows }, (_, i) => [i, i + 1, i + 2]))
    f(input(2), options)
    const file = join(root, 'layer.tegula')
    exportCompiled(f, file)
    const child = spawnSync(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL('fixtures/load-compiled.ts', import.meta.url)), file, '7'],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          PATH: root,
          TEGULA_CC: join(root, 'no-compiler'),
          TEGULA_CACHE_DIR: join(root, 'cache'),
        },
      },
    )
    expect(child.stderr).toBe('')
    const said = JSON.parse(child.stdout)
    const x = input(7)
    manualSeed(5)
    const { y, noise } = f(x, options)
    expect(said.y).toEqual(y.toArray())
    expect(said.noise).toEqual(noise.toArray())
    expect(said.again).toEqual(f(x, options).y.toArray())
    expect(said.x).toEqual(x.toArray())
    expect(said.stats).toEqual({ compiled: 0, loaded: 0, compileMs: 0 })
    expect(said.guards).toBe(3)
  })

  it('all versions are exported; arguments that fit none give an error that says why', () => {
    const f = compile((x: Tensor, k: number) => x.mul(k), { dynamic: false, name: 'scale' })
    f(zeros([2]), 3)
    f(zeros([4]), 3)
    const g = loadCompiled<typeof f>(exportCompiled(f))
    expect(g(tensor([1, 2]), 3).toArray()).toEqual([3, 6])
    expect(g(tensor([1, 2, 3, 4]), 3).toArray()).toEqual([3, 6, 9, 12])
    expect(() => g(zeros([3]), 3)).toThrow(RecompileError)
    expect(() => g(zeros([3]), 3)).toThrow(/scale: no loaded version fits.*version 1: .*now 3; version 2: .*fix: call/)
    expect(() => g(zeros([2]), 4)).toThrow(/args\[1\] was 3, now 4/)
  })

  it('the loaded function has its own copy of closed-over tensors, and writes to it', () => {
    const total = zeros([2])
    const f = compile((x: Tensor) => total.add_(x))
    f(tensor([1, 1]))
    const g = loadCompiled<typeof f>(exportCompiled(f))
    total.zero_()
    expect(g(tensor([1, 2])).toArray()).toEqual([2, 3])
    expect(g(tensor([1, 2])).toArray()).toEqual([3, 5])
    expect(total.toArray()).toEqual([0, 0])
  })

  it('what cannot be exported is an error', () => {
    const fails = (f: unknown, message: RegExp): void => {
      expect(() => exportCompiled(f)).toThrow(ArgumentError)
      expect(() => exportCompiled(f)).toThrow(message)
    }
    fails((x: Tensor) => x, /the function .* was not made by compile\(\).*fix: pass what compile/)
    fails(
      compile((x: Tensor) => x.neg(), { name: 'cold' }),
      /cold has no compiled version yet.*fix: call it, or await/,
    )
    const breaking = compile((x: Tensor) => (x.sum().itemSync() > 0 ? x : x.neg()), { name: 'branch' })
    breaking(tensor([1]))
    fails(breaking, /branch reads values inside.*fix: return what it reads/)
    const keyed = compile((x: Tensor, key: (v: Tensor) => Tensor) => key(x), { name: 'keyed' })
    keyed(tensor([1]), v => v.neg())
    fails(keyed, /args\[1\] of keyed is the function .*guarded by identity.*fix: pass tensors, numbers/)
    const own = new Generator(1)
    const random = compile(() => rand([2], { generator: own }), { name: 'random' })
    random()
    fails(random, /random draws from a generator that is not the default one.*fix: draw from the default/)
  })
})

describe('an artifact that cannot be loaded', () => {
  const exported = (): Uint8Array => {
    const f = compile((x: Tensor) => x.add(41), { name: 'plus' })
    f(zeros([2]))
    return exportCompiled(f)
  }
  const refuses = (bytes: Uint8Array | string, message: RegExp): void => {
    expect(() => loadCompiled(bytes)).toThrow(ArtifactError)
    expect(() => loadCompiled(bytes)).toThrow(message)
  }

  it('is damaged, cut off, or something else', () => {
    const bytes = exported()
    const flipped = Buffer.from(bytes)
    flipped[flipped.length - 10]! ^= 1
    refuses(flipped, /is damaged: its digest differs.*fix: copy the file again/)
    refuses(bytes.subarray(0, bytes.length - 1), /holds \d+ of \d+ bytes/)
    refuses(Buffer.from('hello\n'), /is no compiled function of Tegula.*fix: pass what exportCompiled/)
    refuses(new Uint8Array(0), /is no compiled function/)
    refuses(Buffer.from(`tegula-compiled 9 ${'0'.repeat(64)} 0\n`), /has format 9, not 5/)
    refuses(join(root, 'nowhere'), /nowhere cannot be read .*ENOENT/)
    const file = join(root, 'damaged')
    writeFileSync(file, flipped)
    refuses(file, /damaged is damaged/)
    expect(readFileSync(file)).toEqual(flipped)
  })

  it('is for another version, system, architecture or CPU', () => {
    const bytes = exported()
    expect(loadCompiled(edited(bytes, 'nothing', ''))(...([tensor([1, 2])] as never[]))).toBeDefined()
    refuses(
      edited(bytes, /"version":"[^"]*"/, '"version":"9.9.9"'),
      /plus .*exported by Tegula 9\.9\.9, this is 0\.1\.0.*fix:/,
    )
    refuses(
      edited(bytes, /"platform":"[^"]*"/, '"platform":"win32"'),
      /compiled for win32 on .*this is .*fix: export it/,
    )
    refuses(edited(bytes, /"arch":"[^"]*"/, '"arch":"mips"'), /compiled for .* on mips/)
    refuses(edited(bytes, /"runtime":"[^"]*"/, '"runtime":"other"'), /another build of this version/)
    refuses(edited(bytes, /"flags":"/, '"flags":"avx4096 '), /this CPU, .*, lacks avx4096.*fix: export it on a CPU/)
  })
})
