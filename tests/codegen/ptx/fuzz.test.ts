/** Random lane programs: the simulator and the PTX machine must leave the same memory, and `ptxas` must take the text. */
import { describe, expect, it } from 'vitest'
import { emitPtx, ptxSymbolOf } from '../../../src/codegen/ptx/emit.js'
import { print } from '../../../src/ir/print.js'
import { type LaneProgram, laneDialect } from '../../../src/lane/ir.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { isQuick } from '../../support/sample-choice.js'
import { argumentsFor, randomProgram } from '../random-lanes.js'
import { archs, assemble, noAssembler } from './assemble.js'
import { machineDifferences } from './machine-compare.js'

const batches = isQuick ? 2 : 4
const perBatch = 12

function failure(program: LaneProgram, seed: number): string[] {
  const text = emitPtx([program], genericCudaTarget(cudaArchs.sm_80))
  const report = (problem: string): string[] => [
    `seed ${seed} (${ptxSymbolOf(program)}): ${problem}\n${text}\n${print(laneDialect, program.body)}`,
  ]
  try {
    const found = machineDifferences(program, text, argumentsFor(seed), [2, 1, 1], { aligned: false })
    return found.length === 0 ? [] : report(found.slice(0, 3).join('; '))
  } catch (error) {
    return report((error as Error).message)
  }
}

describe('random lane programs as PTX', () => {
  const start = Number(process.env.TEGULA_FUZZ_SEED ?? 5040)
  for (let batch = 0; batch < Number(process.env.TEGULA_FUZZ_BATCHES ?? batches); batch++) {
    const seeds = Array.from({ length: perBatch }, (_, i) => start + batch * perBatch + i)
    const programs = seeds.map(randomProgram)
    it(`seeds ${seeds[0]} to ${seeds.at(-1)}: the machine agrees with the simulator`, () => {
      expect(
        programs
          .flatMap((program, i) => failure(program, seeds[i]!))
          .slice(0, 2)
          .join('\n\n'),
      ).toBe('')
    })
    const arch = archs[batch % archs.length]!
    it.skipIf(noAssembler !== null)(`seeds ${seeds[0]} to ${seeds.at(-1)} assemble for ${arch.name}`, () => {
      assemble(emitPtx(programs, genericCudaTarget(arch)), arch)
    })
  }
})
