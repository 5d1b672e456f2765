import { describe, expect, it } from 'vitest'
import { locationInStack, locationOf, takeTrace, userLocation } from '../../src/base/source.js'

/** The line of this file that the caller's caller stands on, read from an ordinary stack. */
const here = (): number => Number(/source\.test\.ts:(\d+)/.exec(new Error().stack!.split('\n')[2]!)![1])

describe('userLocation', () => {
  it('is the line of the caller outside Tegula', () => {
    const [line, found] = [here(), userLocation()]
    expect(found).toMatchObject({ line })
    expect(found!.file).toMatch(/tests\/base\/source\.test\.ts$/)
  })

  it("leaves the program's stack traces unchanged", () => {
    const before = [Error.stackTraceLimit, Error.prepareStackTrace]
    userLocation()
    expect([Error.stackTraceLimit, Error.prepareStackTrace]).toEqual(before)
  })

  it('works where the program formats stack traces in its own way', () => {
    const before = Error.prepareStackTrace
    try {
      const fails = (): never => {
        throw new Error('a formatter that fails')
      }
      for (const own of [(_: Error, sites: unknown) => sites, (error: Error) => `${error}`, () => 7, fails]) {
        Error.prepareStackTrace = own
        expect(userLocation()?.file).toMatch(/source\.test\.ts$/)
      }
    } finally {
      Error.prepareStackTrace = before
    }
  })

  it.each([0, 1, 2, undefined, 'many', Number.NaN])('works where stackTraceLimit is %s, and leaves it so', limit => {
    const before = Error.stackTraceLimit
    try {
      Error.stackTraceLimit = limit as number
      expect(userLocation()?.file).toMatch(/source\.test\.ts$/)
      expect(Error.stackTraceLimit).toBe(limit)
    } finally {
      Error.stackTraceLimit = before
    }
  })

  it('works where Error has no stackTraceLimit, or one that cannot be set', () => {
    const before = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')!
    try {
      Reflect.deleteProperty(Error, 'stackTraceLimit')
      expect(userLocation()?.file).toMatch(/source\.test\.ts$/)
      expect('stackTraceLimit' in Error).toBe(false)
      Object.defineProperty(Error, 'stackTraceLimit', { value: 20, writable: false, configurable: true })
      expect(userLocation()?.file).toMatch(/source\.test\.ts$/)
      expect(Error.stackTraceLimit).toBe(20)
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', before)
    }
  })

  it('is the line that called the evaluated code', () => {
    const evaluated = new Function('find', 'return find()') as (
      find: typeof userLocation,
    ) => ReturnType<typeof userLocation>
    expect(evaluated(userLocation)?.file).toMatch(/source\.test\.ts$/)
  })

  it('skips our own frames, node and packages', () => {
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

describe('locationInStack reads the frames of', () => {
  const model = (file: string) => ({ file, line: 41, column: 7 })
  it.each([
    ['node: a method', '    at Model.step [as call] (/app/model.ts:41:7)', '/app/model.ts'],
    ['node: async', '    at async step (/app/model.ts:41:7)', '/app/model.ts'],
    ['node: a module', '    at file:///app/model.ts:41:7', '/app/model.ts'],
    ['node: an async module', '    at async file:///app/model.ts:41:7', '/app/model.ts'],
    ['node: new', '    at new Model (/app/model.ts:41:7)', '/app/model.ts'],
    [
      'spaces and parentheses',
      '    at step (/home/me/my app (copy)/model (2).ts:41:7)',
      '/home/me/my app (copy)/model (2).ts',
    ],
    ['parentheses without a name', '    at /home/me/app (copy)/model.ts:41:7', '/home/me/app (copy)/model.ts'],
    ['a name with parentheses', '    at Object.step (fast) (/app/model.ts:41:7)', '/app/model.ts'],
    ['escapes in an address', '    at step (file:///home/my%20app/%C3%A4%20(2).ts:41:7)', '/home/my app/ä (2).ts'],
    ['a percent sign', '    at step (/data/100%/model.ts:41:7)', '/data/100%/model.ts'],
    ['a query', '    at step (file:///app/model.ts?t=17:41:7)', '/app/model.ts'],
    ['Windows', '    at Object.<anonymous> (C:\\Users\\me\\my app\\model.ts:41:7)', 'C:\\Users\\me\\my app\\model.ts'],
    ['Windows, a module', '    at async file:///C:/Users/me/my%20app/model.ts:41:7', 'C:/Users/me/my app/model.ts'],
    ['the prompt', '    at REPL3:41:7', 'REPL3'],
    ['node -e', '    at [eval]:41:7', '[eval]'],
    ['Deno', '    at Model.step (file:///app/model.ts:41:7)', '/app/model.ts'],
    ['Deno, remote', '    at step (https://example.com/model.ts:41:7)', 'https://example.com/model.ts'],
    ['Bun', '      at step (/app/model.ts:41:7)', '/app/model.ts'],
    ['JavaScriptCore', 'step@/app/model.ts:41:7', '/app/model.ts'],
    ['JavaScriptCore, async', 'async step@file:///app/model.ts:41:7', '/app/model.ts'],
    ['JavaScriptCore, a module', 'module code@/app/@me/model.ts:41:7', '/app/@me/model.ts'],
    ['JavaScriptCore, no name', '@/app/model.ts:41:7', '/app/model.ts'],
  ])('%s', (_, frame, file) => {
    const isCore = !frame.startsWith(' ')
    // What stands before it in such a stack, which is nobody's line.
    const above = isCore
      ? ['map@[native code]', 'step@/app/node_modules/@me/other/index.js:3:4', 'link@node:module:1:2']
      : [
          'Error: at a place (like /this.ts:1:2)',
          '    at eval (eval at run (/app/other.ts:9:9), <anonymous>:1:1)',
          '    at Array.map (<anonymous>)',
          '    at async Promise.all (index 0)',
          '    at processTicksAndRejections (native:7:39)',
          '    at node:internal/process/task_queues:95:5',
          '    at ext:core/01_core.js:1:2',
          '    at run (C:\\app\\node_modules\\other\\index.js:3:4)',
          '    at wasm://wasm/0004:1:2',
        ]
    expect(locationInStack([...above, frame, '    at last (/app/last.ts:1:1)'].join('\n'))).toEqual(model(file))
  })

  it('evaluated code: the line that evaluated it', () => {
    const stack = [
      'Error',
      '    at eval (eval at <anonymous> (file:///app/a.ts:1:2), <anonymous>:3:4)',
      '    at step (file:///app/model.ts:41:7)',
    ]
    expect(locationInStack(stack.join('\n'))).toEqual(model('/app/model.ts'))
  })
})

it('a trace that is read later is found however the program formats stacks by then', () => {
  const before = Error.prepareStackTrace
  try {
    for (const own of [(_: Error, sites: unknown) => sites, () => 7, () => undefined]) {
      const trace = takeTrace(10)
      Error.prepareStackTrace = own
      const found = locationOf(trace)
      if (own.length === 2) expect(found?.file).toMatch(/source\.test\.ts$/)
      Error.prepareStackTrace = before
    }
    Error.stackTraceLimit = 0
    expect(locationOf(takeTrace(10))?.file).toMatch(/source\.test\.ts$/)
  } finally {
    Error.prepareStackTrace = before
    Error.stackTraceLimit = 10
  }
})
