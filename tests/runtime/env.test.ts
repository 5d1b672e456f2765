import { afterEach, describe, expect, it, vi } from 'vitest'
import { flag, switches } from '../../src/base/env.js'
import { ArgumentError, TegulaError } from '../../src/base/errors.js'
import { cacheLimitBytes } from '../../src/cache/size-limit.js'
import { backend } from '../../src/compile/execute/runner.js'
import { threadCount } from '../../src/runtime/cpu/native-runtime.js'
import { compileSeconds } from '../../src/runtime/time-limit.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('an environment switch', () => {
  it.each(['cache', 'cudaSync', 'cudaCache', 'patterns', 'recheck'] as const)('that is on or off: %s', name => {
    const variable = switches[name].name
    vi.stubEnv(variable, '')
    const unset = flag(name)
    vi.stubEnv(variable, '0')
    expect(flag(name)).toBe(false)
    vi.stubEnv(variable, '1')
    expect(flag(name)).toBe(true)
    for (const wrong of ['false', 'on', 'yes', '2', ' 1']) {
      vi.stubEnv(variable, wrong)
      expect(() => flag(name)).toThrow(ArgumentError)
      expect(() => flag(name)).toThrow(`${variable} is "${wrong}", which is neither 0 nor 1  fix: set it to 0 or 1`)
      expect(() => flag(name)).toThrow(`unset it for ${unset ? 1 : 0}`)
    }
  })

  it.each([
    ['TEGULA_BACKEND', backend],
    ['TEGULA_THREADS', threadCount],
    ['TEGULA_CACHE_LIMIT', cacheLimitBytes],
    ['TEGULA_COMPILE_TIMEOUT', compileSeconds],
  ] as const)('of another kind is named when its value is wrong: %s', (variable, read) => {
    for (const wrong of ['nonsense', '-3', '0']) {
      vi.stubEnv(variable, wrong)
      expect(read).toThrow(TegulaError)
      expect(read).toThrow(new RegExp(`${variable} is ["']${wrong}["'].*fix: `))
    }
  })
})
