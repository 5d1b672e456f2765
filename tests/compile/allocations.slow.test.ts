/** Guards and the call path allocate nothing in JavaScript beyond results: counted in bytes, in a process of its own. */
import { beforeAll, describe, expect, it } from 'vitest'
import { hasCompiler } from '../support/compiler.js'
import { jsonOf, runScript } from './run-script.js'

// 20,000 calls are counted: anything that is allocated at each call is at least 16 bytes per call, an object's header.
const nothing = 4
const flags = [
  '--expose-gc',
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
  '--no-concurrent-recompilation', // else code may still be the slow one, which allocates, when counting begins
]

describe.skipIf(!hasCompiler)('warm calls, in bytes per call (needs a C compiler)', () => {
  let bytes: Readonly<Record<string, number>> = {}
  beforeAll(async () => {
    bytes = await jsonOf(runScript('allocations.ts', [], {}, flags))
  }, 120_000)

  it.each([
    'nothing',
    'guards',
    'in place',
    'arguments in trees',
    'several kernels',
    'run-time sizes',
    'sizes in turn',
    'versions in turn',
    'five arguments',
  ])('%s: nothing is allocated', name => {
    expect(bytes[name]).toBeLessThan(nothing)
  })

  it('random numbers: no more than the position that they are drawn at', () => {
    // Bigints of 24 bytes, and the object that they come in where V8 does not do without it.
    expect(bytes['random numbers']).toBeLessThan(128)
  })

  it('results: the tensors, and the arrays that hold them', () => {
    const tensor = bytes['a tensor']!
    expect(tensor).toBeGreaterThan(100) // the count sees what is allocated
    const array = (items: number): number => 32 + 16 + 8 * items // the array and its elements
    expect(bytes['one result']).toBeLessThan(tensor + array(1) + nothing)
    expect(bytes['three results']).toBeLessThan(3 * tensor + 2 * array(3) + nothing)
  })
})
