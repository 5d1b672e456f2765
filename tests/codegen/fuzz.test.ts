/** Random lane programs: the simulator and compiled C must leave the same memory. A failure prints its seed. */
import { describe, expect, it } from 'vitest'
import { emitC } from '../../src/codegen/c/emit.js'
import { print } from '../../src/ir/print.js'
import { laneDialect } from '../../src/lane/ir.js'
import { isQuick } from '../support/sample-choice.js'
import { differences } from './compare.js'
import { compileNative, exactFlags, noCompiler, olderMachines } from './native.js'
import { argumentsFor, randomProgram } from './random-lanes.js'

const batches = isQuick ? 1 : 6
const perBatch = isQuick ? 4 : 20

/** Runs the seeds in one compiled unit; gives a report of each that differs. */
function failures(seeds: readonly number[], vectorBytes: 16 | 32 | 64 = 64, flags: readonly string[] = []): string[] {
  const programs = seeds.map(randomProgram)
  const library = compileNative(emitC(programs, { vectorBytes }), [...exactFlags, ...flags])
  return programs.flatMap((program, i) => {
    const found = differences(program, library, argumentsFor(seeds[i]!), [2, 1, 1])
    if (found.length === 0) return []
    const first = found
      .slice(0, 3)
      .map(d => `argument ${d.argument}[${d.index}]: ${d.simulated} simulated, ${d.native} in C`)
    return [`seed ${seeds[i]}: ${first.join('; ')}\n${library.source}\n${print(laneDialect, program.body)}`]
  })
}

describe.skipIf(noCompiler !== null)('random lane programs (need a C compiler)', () => {
  const start = Number(process.env.TEGULA_FUZZ_SEED ?? 1)
  for (let batch = 0; batch < Number(process.env.TEGULA_FUZZ_BATCHES ?? batches); batch++) {
    const first = start + batch * perBatch
    it(`seeds ${first} to ${first + perBatch - 1}`, () => {
      expect(failures(Array.from({ length: perBatch }, (_, i) => first + i)).join('\n\n')).toBe('')
    })
  }
  for (const { name, vectorBytes, flags } of isQuick ? [] : olderMachines()) {
    it(`${name}: seeds ${start + 200} to ${start + 199 + perBatch}`, () => {
      const seeds = Array.from({ length: perBatch }, (_, i) => start + 200 + i)
      expect(failures(seeds, vectorBytes, flags).join('\n\n')).toBe('')
    })
  }
})
