/** Compilers that fail in every way that a program can: each is named, nothing is kept, and nothing of it lives on. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArgumentError, CompilerError } from '../../src/base/errors.js'
import { CpuDevice } from '../../src/runtime/cpu/device.js'
import { runtimeFlags, runtimeSource } from '../../src/runtime/cpu/native-runtime.js'
import { whyNotLoadable } from '../../src/runtime/cpu/shared-object.js'
import { Toolchain } from '../../src/runtime/cpu/toolchain.js'
import { hasCompiler } from '../support/compiler.js'
import { compilerWrapper, kernelSource, testCache, testFolder } from './support.js'

const source = `#include <stdint.h>
typedef union { void *ptr; int64_t i; double f; } tg_arg;
${kernelSource('one', '')}${kernelSource('two', '')}`

let folder = ''
beforeEach(() => {
  folder = testFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** A compiler that answers questions truly and does `fault` instead of (or before) compiling. */
const faulty = (fault: string): string =>
  compilerWrapper(folder, `case "$1" in -o) ;; *) exec cc "$@" ;; esac\nT=${folder}\n${fault}`)

/** What a device with this compiler says, either way of compiling; the cache must hold nothing loadable afterwards. */
async function failures(compiler: string): Promise<string[]> {
  vi.stubEnv('TEGULA_CC', compiler)
  const device = new CpuDevice({ cache: testCache(folder) })
  const said: string[] = []
  for (const load of [async () => device.loadModule(source), () => device.loadModuleAsync(source)]) {
    const error: unknown = await load().then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(CompilerError)
    said.push((error as CompilerError).message)
    const left = readdirSync(device.cache.folder).filter(name => /^\.|\.so$|\.ref$/.test(name))
    expect(left).toEqual([])
  }
  return said
}

describe.skipIf(!hasCompiler || process.platform !== 'linux')('a compiler that', () => {
  const faults: readonly (readonly [what: string, script: string, message: RegExp])[] = [
    ['ends with 0 and writes nothing', 'exit 0', /exit status 0 but wrote no output file.*TEGULA_CC/s],
    ['removes its folder', 'rm -rf "$PWD"; exit 0', /exit status 0 but wrote no output file/],
    ['writes an empty file', ': > kernel.out; exit 0', /cannot be loaded: it is empty \(0 bytes\)/],
    ['writes text', 'echo all is well > kernel.out; exit 0', /cannot be loaded: it is no ELF file/],
    ['makes a folder', 'mkdir kernel.out; exit 0', /wrote no output file/],
    ['is cut off', 'cc "$@"; head -c 5000 kernel.out > t; mv t kernel.out; exit 0', /cannot be loaded: it is cut off/],
    [
      'compiles for another machine',
      `cc "$@"; printf '\\025' | dd of=kernel.out bs=1 seek=18 conv=notrunc 2> /dev/null; exit 0`,
      /cannot be loaded: it is not for /,
    ],
    ['makes an object file', 'shift 3; cc -c -o kernel.out kernel.c; exit 0', /it is no shared object/],
    [
      'makes another library',
      'echo "int other;" > other.c; cc -shared -fPIC -o kernel.out other.c; exit 0',
      /has no one, which its source defines.*TEGULA_CC/s,
    ],
    [
      'needs a library that is not there',
      'cc "$@" -shared -Wl,-soname,gone.so; mv kernel.out gone.so; cc -shared -fPIC -o kernel.out kernel.c -Wl,--no-as-needed -L. -l:gone.so; exit 0',
      /cannot be loaded \(.*gone\.so/s,
    ],
    ['fails without a word', 'exit 3', /failed \(exit status 3\)/],
    ['is killed', 'kill -9 $$', /failed \(killed by SIGKILL\).*lack of memory/s],
    ['prints megabytes and fails', 'head -c 3000000 /dev/zero | tr "\\0" "x" >&2; exit 1', /exit status 1/],
    ['prints without end', 'yes >&2', /it printed more than 16 MiB and was killed/],
  ]

  it.each(faults)('%s', async (_, script, message) => {
    for (const said of await failures(faulty(script))) {
      expect(said).toMatch(message)
      expect(said.length).toBeLessThan(4000)
    }
  })

  it('hangs: is killed with all its children, and the error says what ran for how long', async () => {
    vi.stubEnv('TEGULA_COMPILE_TIMEOUT', '1')
    const said = await failures(faulty('sleep 600 & echo $! >> $T/children; wait'))
    for (const message of said) {
      expect(message).toMatch(/wrapped-cc -o kernel.out kernel.c .*, on 2 kernels failed \(it did not end within 1 s/)
      expect(message).toContain('fix: set TEGULA_COMPILE_TIMEOUT to more seconds')
    }
    const children = readFileSync(join(folder, 'children'), 'utf8').trim().split('\n')
    expect(children).toHaveLength(2)
    // A signal takes effect when the scheduler next looks at the process.
    await vi.waitFor(() => expect(children.filter(isRunning)).toEqual([]), { timeout: 60_000 })
  })

  it('leaves a child behind that holds its output open', async () => {
    vi.stubEnv('TEGULA_COMPILE_TIMEOUT', '1')
    for (const said of await failures(faulty('sleep 600 & exit 0'))) expect(said).toMatch(/did not end within 1 s/)
  })

  it.each([
    ['hangs when it is asked for its version', 'sleep 600', /wrapped-cc does not run \(it did not end within 1 s/],
    ['answers nothing to anything', 'exit 0', /no C compiler that Tegula can use/],
    ['cannot start', 'kill -SEGV $$', /does not run \(killed by SIGSEGV\)/],
  ])('%s', async (_, script, message) => {
    vi.stubEnv('TEGULA_COMPILE_TIMEOUT', '1')
    for (const said of await failures(compilerWrapper(folder, script))) expect(said).toMatch(message)
    expect(readdirSync(join(folder, 'cache'), { recursive: true })).not.toContain(expect.stringContaining('.entry'))
  })

  it('is not a program', async () => {
    const path = join(folder, 'not-executable')
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o644 })
    for (const said of await failures(path)) expect(said).toMatch(/that is no program which this user may run/)
    chmodSync(path, 0o755)
    writeFileSync(path, '#!/nowhere/sh\n')
    for (const said of await failures(path)) expect(said).toMatch(/does not run \(it cannot be started: ENOENT\)/)
  })

  it('is repaired: the next call compiles', () => {
    vi.stubEnv('TEGULA_CC', faulty(`test -e ${folder}/mended || exit 0`))
    const device = new CpuDevice({ cache: testCache(folder) })
    expect(() => device.loadModule(source)).toThrow(CompilerError)
    writeFileSync(join(folder, 'mended'), '')
    expect(device.loadModule(source).address('two')).toBeGreaterThan(0)
  })
})

it.skipIf(!hasCompiler)('a library of the cache that does not load any more is made again', () => {
  const device = new CpuDevice({ cache: testCache(folder) })
  const { key } = device.toolchain.compile(source)
  device.cache.putFile(key, 'so', Buffer.from('what another system could load'))
  const module = device.loadModule(source)
  expect(module.address('one')).toBeGreaterThan(0)
  expect(new Toolchain(device.cache).compile(source)).toMatchObject({ cached: true, path: module.path })
})

it.each(['soon', '0', '-1', 'Infinity', '1e30'])('TEGULA_COMPILE_TIMEOUT=%s is refused', text => {
  vi.stubEnv('TEGULA_COMPILE_TIMEOUT', text)
  const compile = (): unknown => new Toolchain(testCache(folder)).compile(source)
  expect(compile).toThrow(ArgumentError)
  expect(compile).toThrow(/TEGULA_COMPILE_TIMEOUT is .*no number of seconds.*fix: set it/s)
})

it.skipIf(!hasCompiler || process.platform !== 'linux')('a library that is cut off anywhere is seen to be', () => {
  const { path } = new Toolchain(testCache(folder)).compile(runtimeSource, { flags: runtimeFlags })
  const whole = readFileSync(path)
  expect(whyNotLoadable(whole)).toBeNull()
  for (const bytes of [0, 3, 20, 63, 64, 200, 4000]) expect(whyNotLoadable(whole.subarray(0, bytes))).not.toBeNull()
  expect(existsSync(path)).toBe(true)
})

function isRunning(pid: string): boolean {
  try {
    // A zombie is dead, though nobody has asked for its status yet.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
