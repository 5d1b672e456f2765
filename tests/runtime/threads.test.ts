import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ArgumentError } from '../../src/base/errors.js'
import { threadCount } from '../../src/runtime/cpu/native-runtime.js'
import { runFixture } from './support.js'

/** The pool is the same C whatever its size: compiled once. */
const cache = mkdtempSync(join(tmpdir(), 'tegula-test-'))
afterAll(() => rmSync(cache, { recursive: true }))

it.each(['1', '2', '3', '16'])(
  'several JavaScript threads share a pool of %s threads; the process ends by itself',
  async threads => {
    const environment = { TEGULA_CACHE_DIR: join(cache, 'cache'), TEGULA_THREADS: threads }
    expect(await runFixture('many-js-threads.ts', [], environment)).toEqual({ status: 0, output: 'threads ok' })
  },
)

it.each(['0', '-1', '1.5', 'many'])('TEGULA_THREADS=%s is refused', text => {
  const before = process.env.TEGULA_THREADS
  process.env.TEGULA_THREADS = text
  try {
    expect(() => threadCount()).toThrow(ArgumentError)
    expect(() => threadCount()).toThrow(`TEGULA_THREADS is "${text}"`)
  } finally {
    if (before === undefined) delete process.env.TEGULA_THREADS
    else process.env.TEGULA_THREADS = before
  }
})
