/** Kernels that fuse many ops: tile interpreter, lane simulator and C agree on those of random programs. */
import { describe, expect, it } from 'vitest'
import { noCompiler } from '../codegen/native.js'
import { exactnessOf, memoryDifference } from '../support/launches.js'
import { isQuick } from '../support/sample-choice.js'
import { expectNative, expectSimulated, opLaunches, randomLaunches } from './agreement.js'

const perUnit = isQuick ? 4 : 25
const programs = isQuick ? perUnit : 100

describe('interpreter, simulator and C (where there is a compiler) agree on the kernels of random programs', () => {
  for (let first = 1; first <= programs; first += perUnit) {
    it(`from seed ${first}`, () => {
      const all = Array.from({ length: perUnit }, (_, i) => randomLaunches(first + i)).flat()
      expectSimulated(all)
      if (noCompiler === null) expectNative(all)
    })
  }
})

describe('the comparison', () => {
  it('requires bitwise equality if nothing is rounded, and tolerates only necessary differences', () => {
    const kinds = (name: Parameters<typeof opLaunches>[0]): string[] => [
      ...new Set(opLaunches(name).usual.map(({ program }) => exactnessOf(program))),
    ]
    expect(kinds('add')).toEqual(['exact'])
    expect(kinds('sort')).toEqual(['exact'])
    expect(kinds('exp')).toEqual(['rounded'])
    expect(kinds('sum')).toContain('summed')
    expect(kinds('amax')).toEqual(['exact'])
  })

  it('detects a single bit', () => {
    const isFloats = (value: unknown): boolean =>
      typeof value === 'object' && (value as { data: unknown }).data instanceof Float32Array
    const launch = opLaunches('add').usual.find(({ after }) => after.some(isFloats))
    const at = launch!.after.findLastIndex(isFloats)
    const out = launch!.after[at] as { data: Float32Array }
    expect(memoryDifference(launch!, launch!.after, false)).toBeNull()
    const changed = { ...out, data: out.data.slice() }
    new Int32Array(changed.data.buffer)[0]! ^= 1
    const args = launch!.after.with(at, changed as never)
    expect(memoryDifference(launch!, args, false)).toMatch(/'.*' element 0 is .*, not/)
  })
})
