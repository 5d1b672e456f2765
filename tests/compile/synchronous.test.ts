/** Functions that must be done when they return: what comes later is refused once, and ends nowhere else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ArgumentError, CaptureError, compile, scope, type Tensor, tensor } from '../../src/index.js'
import { kernel, view } from '../../src/kernel.js'

const x = (): Tensor => tensor([1, 2, 3])

const later: { readonly [what: string]: (x: Tensor) => unknown } = {
  'an async function': async y => y.mul(2),
  'an async function that goes on with tensors after an await': async y => {
    await Promise.resolve()
    return y.mul(2)
  },
  'an async function that throws': async () => {
    throw new Error('later')
  },
  'a rejected promise': () => Promise.reject(new Error('later')),
  'a thenable that rejects': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the case
    then: (_: unknown, reject: (error: Error) => void) => reject(new Error('later')),
  }),
  'a generator': function* (y) {
    yield y
  },
  'an async generator': async function* (y) {
    yield y
  },
}

describe('functions with asynchronous results', () => {
  const unheard: unknown[] = []
  const listen = (reason: unknown): void => void unheard.push(reason)
  beforeEach(() => void process.on('unhandledRejection', listen))
  afterEach(() => void process.off('unhandledRejection', listen))
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
    expect(unheard.splice(0)).toEqual([])
  }

  it.each(Object.keys(later))('compile refuses %s', async name => {
    const f = compile(later[name]!, { name: 'f' })
    const said = /compile: f returned a (promise|generator).*fix: compile the synchronous part/
    expect(() => f(x())).toThrow(CaptureError)
    expect(() => f(x())).toThrow(said)
    expect(() => f.explain(x())).toThrow(said)
    await expect(f.warmup(x())).rejects.toThrow(said)
    await settled()
  })

  it.each(Object.keys(later))('scope refuses %s', async name => {
    expect(() => scope(() => later[name]!(x()))).toThrow(ArgumentError)
    await settled()
  })

  it.each(Object.keys(later))('a scope inside a compiled function refuses %s', async name => {
    const f = compile((y: Tensor) => {
      scope(() => later[name]!(y))
      return y.mul(2)
    })
    expect(() => f(x())).toThrow(/scope: the function returned a/)
    await settled()
  })

  it.each(Object.keys(later))('a kernel refuses %s as its body', async name => {
    const broken = kernel({
      name: 'broken',
      params: { out: view('f32', 1) },
      body: () => later[name]!(x()) as undefined,
      grid: () => [1],
    })
    expect(() => broken.interpret({ out: x() })).toThrow(/kernel 'broken': the body returned a/)
    await settled()
  })
})
