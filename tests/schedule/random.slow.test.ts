import { describe, expect, it } from 'vitest'
import { interpretGraph } from '../../src/graph/interpret.js'
import { difference } from '../support/compare.js'
import { programGraph, programInputs, randomProgram } from '../support/random-graph.js'
import { programTolerance } from '../support/random-program.js'
import { gpu, planOf, runPlan, small, target } from './run.js'

function check(seed: number): void {
  const program = randomProgram(seed)
  const graph = programGraph(program)
  const expected = interpretGraph(graph, programInputs(program))
  for (const [optimise, options, on] of [
    [false, {}, target],
    [true, {}, target],
    [true, small(target), target],
    [true, {}, gpu],
    [true, small(gpu), gpu],
  ] as const) {
    const plan = planOf(graph, optimise, options, on)
    const results = runPlan(
      plan,
      program.inputs.map(({ spec }) => spec),
    )
    expected.forEach((tensor, i) => {
      const problem = difference(results[i]!, tensor, programTolerance(program, tensor))
      expect(
        problem,
        `seed ${seed}${optimise ? ', optimised' : ''}${'policy' in options ? ', small blocks' : ''}, ${on.name}, result ${i}`,
      ).toBeNull()
    })
  }
}

describe("random graphs: the interpreted plan gives the graph interpreter's results", () => {
  const first = Number(process.env.TEGULA_TEST_SEED ?? 1)
  const count = Number(process.env.TEGULA_TEST_SEEDS ?? 200)
  for (let seed = first; seed < first + count; seed += 25) {
    it(`seeds ${seed} to ${seed + 24}`, () => {
      for (let i = 0; i < 25; i++) check(seed + i)
    })
  }
})
