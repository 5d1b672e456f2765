import { existsSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CompilerError, InternalError } from '../../src/base/errors.js'
import { exportsOf, unitsOf } from '../../src/runtime/cpu/abi.js'
import { NativeModule } from '../../src/runtime/cpu/library.js'
import { runtimeFlags, runtimeSource } from '../../src/runtime/cpu/native-runtime.js'
import { Toolchain } from '../../src/runtime/cpu/toolchain.js'
import { compilerWrapper, runFixture, testCache, testFolder } from './support.js'

const answer = 'double answer(double x) { return x + 42; }\n'
const call = (path: string, sourcePath = '') =>
  new NativeModule({ path, sourcePath, key: '', cached: true }).function('double answer(double x)')(1)

let folder = ''
beforeEach(() => {
  folder = testFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('compile', () => {
  it('builds a library that runs, with its source beside it, once', () => {
    const toolchain = new Toolchain(testCache(folder))
    const first = toolchain.compile(answer)
    expect(call(first.path)).toBe(43)
    expect(readFileSync(first.sourcePath, 'utf8')).toBe(answer)
    expect(toolchain.compile(answer)).toEqual({ ...first, cached: true })
    expect(toolchain.stats).toMatchObject({ compiled: 1, loaded: 1 })
    expect(readdirSync(toolchain.cache.folder).filter(name => name.startsWith('.'))).toEqual([])
  })

  it('compiles many kernels by several processes, to one library that has all of them', () => {
    const kernel = (i: number): string =>
      `void kernel${i}(const tg_arg *args, char *scratch) {\n${`  args[0].ptr[${i}] += twice(${i});\n`.repeat(300)}}\n`
    const shared = `typedef union { double *ptr; } tg_arg;\nstatic inline double twice(double x) { return 2 * x; }\n`
    const kernels = Array.from({ length: 5 }, (_, i) => kernel(i))
    const source = [shared, ...kernels].join('\n')
    expect(unitsOf(source, 1)).toEqual([source])
    expect(unitsOf([shared, kernels[0]].join('\n'), 8)).toHaveLength(1)
    const units = unitsOf(source, 2)
    expect(units).toHaveLength(2)
    expect(units.every(unit => unit.startsWith(shared))).toBe(true)
    expect(units.flatMap(unit => exportsOf(unit).names).sort()).toEqual(exportsOf(source).names)
    const file = new Toolchain(testCache(folder)).compile(source)
    expect(() => new NativeModule(file).requireExports(source)).not.toThrow()
    const wrong = source.replace('twice(3)', 'thrice(3')
    expect(() => new Toolchain(testCache(folder)).compile(wrong)).toThrow(/exit status 1.*thrice/s)
  })

  it.skipIf(process.platform !== 'linux')('links no library unless the code calls one (Linux)', () => {
    const log = join(folder, 'log')
    vi.stubEnv('TEGULA_CC', compilerWrapper(folder, `echo "$@" >> ${log}`))
    const toolchain = new Toolchain(testCache(folder))
    const commandsFor = (source: string): string[] => {
      writeFileSync(log, '')
      expect(() => new NativeModule(toolchain.compile(source))).not.toThrow()
      return readFileSync(log, 'utf8')
        .split('\n')
        .filter(line => line.includes('kernel.out'))
    }
    expect(commandsFor(answer)).toEqual([expect.stringContaining('-nostdlib')])
    expect(commandsFor('double f(double x) { return __builtin_exp(x); }\n')).toEqual([expect.stringContaining('-lm')])
    // A call that the text does not show.
    const hidden = 'int puts(const char *); int f(int x) { return puts("") + x; }\n'
    expect(commandsFor(hidden)).toEqual([expect.stringContaining('-nostdlib'), expect.stringContaining('-lm')])
  })

  it('keys by source and flags', () => {
    const toolchain = new Toolchain(testCache(folder))
    const plain = toolchain.compile(answer)
    expect(toolchain.compile(`${answer}\n`).path).not.toBe(plain.path)
    expect(toolchain.compile(answer, { flags: ['-DX=1'] }).path).not.toBe(plain.path)
    expect(toolchain.stats.compiled).toBe(3)
  })

  it('preserves IEEE semantics: NaN, infinities, -0 and order survive the flags', () => {
    const source = `#include <math.h>
      double is_nan(double x) { return x != x; }
      double minus_zero(double x) { return 1 / (x * 0 - 0.0); }
      double ordered(double x) { return (x + 1e16) - 1e16; }
      double wraps(double x) { int y = (int)x; return y + 1 > y; }`
    const module = new NativeModule(new Toolchain(testCache(folder)).compile(source))
    expect(module.function('double is_nan(double x)')(Number.NaN)).toBe(1)
    expect(module.function('double minus_zero(double x)')(-1)).toBe(Number.NEGATIVE_INFINITY)
    expect(module.function('double ordered(double x)')(1)).toBe(0)
    expect(module.function('double wraps(double x)')(2 ** 31 - 1)).toBe(0)
  })

  it('rebuilds a damaged library, with a warning that names it', () => {
    const warnings: string[] = []
    const cache = testCache(folder, message => warnings.push(message))
    const toolchain = new Toolchain(cache)
    const { path } = toolchain.compile(answer)
    truncateSync(path, 100)
    expect(toolchain.compile(answer)).toMatchObject({ path, cached: false })
    expect(call(path)).toBe(43)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(path)
  })

  it('recompiles when the compiler is replaced', () => {
    const compiler = compilerWrapper(folder, '')
    vi.stubEnv('TEGULA_CC', compiler)
    const cache = testCache(folder)
    new Toolchain(cache).compile(answer)
    utimesSync(compiler, 1, 1)
    const after = new Toolchain(cache)
    after.compile(answer)
    expect(after.stats.compiled).toBe(1)
  })

  it('takes a compiler with arguments', () => {
    const compiler = compilerWrapper(folder, `test "$1" = first || exit 9; shift`)
    vi.stubEnv('TEGULA_CC', `${compiler} first`)
    expect(call(new Toolchain(testCache(folder)).compile(answer).path)).toBe(43)
  })
})

describe('compileAsync', () => {
  it('leaves the event loop free', async () => {
    vi.stubEnv('TEGULA_CC', compilerWrapper(folder, 'sleep 0.2'))
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    const { path } = await new Toolchain(testCache(folder)).compileAsync(answer)
    clearInterval(timer)
    expect(call(path)).toBe(43)
    expect(ticks).toBeGreaterThan(10)
  })

  it('compiles equal sources in flight once', async () => {
    const toolchain = new Toolchain(testCache(folder))
    const files = await Promise.all([answer, answer, answer].map(source => toolchain.compileAsync(source)))
    expect(new Set(files.map(file => file.path)).size).toBe(1)
    expect(toolchain.stats).toMatchObject({ compiled: 1, loaded: 0 })
  })

  it('rejects with the same error as compile, and can be retried', async () => {
    const toolchain = new Toolchain(testCache(folder))
    await expect(toolchain.compileAsync('int x = ;')).rejects.toThrow(CompilerError)
    await expect(toolchain.compileAsync(answer)).resolves.toMatchObject({ cached: false })
  })
})

describe('processes', () => {
  it('a second process starts no compiler at all', async () => {
    const log = join(folder, 'log')
    writeFileSync(log, '')
    const environment = {
      TEGULA_CC: compilerWrapper(folder, `echo run >> ${log}`),
      TEGULA_CACHE_DIR: join(folder, 'cache'),
    }
    const runs = () => readFileSync(log, 'utf8').split('\n').length - 1
    expect(await runFixture('add-one.ts', [], environment)).toEqual({ status: 0, output: 'compiled 2 loaded 0 ok' })
    const cold = runs()
    expect(cold).toBe(4) // version, macros, the runtime, the kernel
    expect(await runFixture('add-one.ts', [], environment)).toEqual({ status: 0, output: 'compiled 0 loaded 2 ok' })
    expect(runs()).toBe(cold)
  })

  it('eight processes that compile the same source at once all succeed and leave one library', async () => {
    const environment = { TEGULA_CACHE_DIR: join(folder, 'cache') }
    const results = await Promise.all(Array.from({ length: 8 }, () => runFixture('add-one.ts', [], environment)))
    for (const { status, output } of results) {
      expect(output).toMatch(/^compiled \d loaded \d ok$/)
      expect(status).toBe(0)
    }
    const names = readdirSync(join(folder, 'cache', 'v2'))
    expect(names.filter(name => name.endsWith('.so') || name.endsWith('.dylib'))).toHaveLength(2)
    expect(names.filter(name => name.startsWith('.'))).toEqual([])
    expect((await runFixture('add-one.ts', [], environment)).output).toBe('compiled 0 loaded 2 ok')
  })
})

describe('errors', () => {
  it('a missing compiler: what to install, and how to continue without', () => {
    vi.stubEnv('TEGULA_CC', '')
    vi.stubEnv('PATH', folder)
    const compile = () => new Toolchain(testCache(folder)).compile(answer)
    expect(compile).toThrow(CompilerError)
    expect(compile).toThrow(/none of cc, gcc, clang is on the PATH.*fix: .*install.*TEGULA_BACKEND=interpreter/s)
  })

  it('an invalid TEGULA_CC is named', () => {
    vi.stubEnv('TEGULA_CC', '/nowhere/icc')
    expect(() => new Toolchain(testCache(folder)).compile(answer)).toThrow(/TEGULA_CC is "\/nowhere\/icc".*unset it/s)
  })

  it('a compiler that does not run', () => {
    vi.stubEnv('TEGULA_CC', compilerWrapper(folder, 'echo license expired >&2; exit 3'))
    expect(() => new Toolchain(testCache(folder)).compile(answer)).toThrow(/exit status 3.*license expired/s)
  })

  it('a compiler that fails: its output, and the source it failed on', () => {
    const broken = 'int before;\nint broken = nonsense;\n'
    const toolchain = new Toolchain(testCache(folder))
    let message = ''
    try {
      toolchain.compile(broken)
    } catch (error) {
      if (!(error instanceof CompilerError)) throw error
      message = error.message
    }
    expect(message).toContain('nonsense')
    expect(message).toContain('exit status 1')
    const kept = / on (\S+failed-\S+\.c):/.exec(message)?.[1] ?? ''
    expect(readFileSync(kept, 'utf8')).toBe(broken)
    expect(toolchain.stats.compiled).toBe(0)
    expect(call(toolchain.compile(answer).path)).toBe(43)
  })

  it('a compiler that is killed', () => {
    vi.stubEnv('TEGULA_CC', compilerWrapper(folder, 'test "$1" = -o && kill -9 $$'))
    expect(() => new Toolchain(testCache(folder)).compile(answer)).toThrow(/SIGKILL.*lack of memory/s)
  })

  it('an undefined function fails the build, not the load', () => {
    const toolchain = new Toolchain(testCache(folder))
    expect(() => toolchain.compile('void nowhere(void); void f(void) { nowhere(); }')).toThrow(/nowhere/)
  })

  it('a library without the symbol, and a file that is not a library', () => {
    const file = new Toolchain(testCache(folder)).compile(answer)
    expect(() => new NativeModule(file).address('question')).toThrow(InternalError)
    const path = join(folder, 'text.so')
    writeFileSync(path, 'no library')
    expect(() => new NativeModule({ ...file, path })).toThrow(/text\.so cannot be loaded.*noexec/s)
    expect(existsSync(path)).toBe(true)
  })
})

it('our C runtime compiles without a warning', () => {
  const flags = [...runtimeFlags, '-Wall', '-Wextra', '-Werror']
  // Later flags do not undo -w: the source is compiled by hand, without it.
  const toolchain = new Toolchain(testCache(folder))
  const strict = { ...toolchain.compiler(), flags: toolchain.compiler().flags.filter(flag => flag !== '-w') }
  vi.spyOn(toolchain, 'compiler').mockReturnValue(strict)
  expect(() => toolchain.compile(`${runtimeSource}\nstatic int unused_thing;`, { flags })).toThrow(/unused_thing/)
  expect(toolchain.compile(runtimeSource, { flags }).cached).toBe(false)
})
