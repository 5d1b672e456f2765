import { describe, expect, it } from 'vitest'
import { locationInStack, userLocation } from '../../src/base/source.js'

/** The line of this file that the caller's caller stands on, read from an ordinary stack. */
const here = (): number => Number(/source\.test\.ts:(\d+)/.exec(new Error().stack!.split('\n')[2]!)![1])

describe('userLocation', () => {
  it('is the line of the caller outside Tegula', () => {
    const [line, found] = [here(), userLocation()]
    expect(found).toMatchObject({ line })
    expect(found!.file).toMatch(/tests\/base\/source\.test\.ts$/)
  })

  it('leaves stack traces as they were', () => {
    const before = [Error.stackTraceLimit, Error.prepareStackTrace]
    userLocation()
    expect([Error.stackTraceLimit, Error.prepareStackTrace]).toEqual(before)
  })

  it('works where the program formats stack traces in its own way', () => {
    const before = Error.prepareStackTrace
    try {
      for (const own of [(_: Error, sites: unknown) => sites, (error: Error) => `${error}`]) {
        Error.prepareStackTrace = own
        const found = userLocation()
        if (own.length === 2) expect(found?.file).toMatch(/source\.test\.ts$/)
        else expect(found).toBeNull()
      }
    } finally {
      Error.prepareStackTrace = before
    }
  })

  it('looks past our own frames, node and packages', () => {
    const stack = [
      'Error',
      '    at build (node:internal/modules/run_main:1:2)',
      '    at wrap (/app/node_modules/other/index.js:3:4)',
      '    at step (file:///app/model.ts:41:7)',
    ].join('\n')
    expect(locationInStack(stack)).toEqual({ file: '/app/model.ts', line: 41, column: 7 })
    expect(locationInStack('Error')).toBeNull()
  })
})
