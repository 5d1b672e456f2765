/** Random programs, which are right: `bisect` finds no difference in them, and each stage of each agrees. */
import { describe, expect, it } from 'vitest'
import { computeDevice } from '../../src/backends/index.js'
import { caseOf } from '../../src/debug/case.js'
import { judgeOf } from '../../src/debug/differences.js'
import { stagesOf } from '../../src/debug/stages.js'
import type { Tensor } from '../../src/index.js'
import { randomCase, runCase } from '../support/random-case.js'
import { printProgram } from '../support/random-graph.js'
import { tensorOf, testDevice } from '../support/tensors.js'

const first = Number(process.env.FUZZ_SEED ?? 1)
const count = Number(process.env.FUZZ_CASES ?? 40)

describe('each stage of a random program agrees with the interpreter', () => {
  it.each(Array.from({ length: count }, (_, i) => first + i))('seed %i', seed => {
    const run = randomCase(seed)
    const inputs = run.program.inputs.map(({ spec }) => tensorOf(spec))
    const given = caseOf('program', (...tensors: Tensor[]) => runCase(run, tensors), inputs)
    const judge = judgeOf(given)
    for (const stage of stagesOf(computeDevice(testDevice === 'cpu' ? 'cpu' : 'cuda:0'), {}))
      expect(judge(stage.run(given)), `${stage.name}\n${printProgram(run.program)}`).toBeNull()
  })
})
