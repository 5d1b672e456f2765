import { describe, expect, it } from 'vitest'
import { interpretGraph } from '../../src/graph/interpret.js'
import { difference } from '../support/compare.js'
import { programGraph, programInputs, randomProgram } from '../support/random-graph.js'
import { planOf, runPlan } from './run.js'

/** Units in the last place that two right evaluations of a few fused ops may differ by. */
const tolerance = {
  f64: { relative: 1e-10, absolute: 1e-10, anyZero: true },
  f32: { relative: 1e-3, absolute: 1e-3, anyZero: true },
  f16: { relative: 0.02, absolute: 0.05, anyZero: true },
  bf16: { relative: 0.1, absolute: 0.3, anyZero: true },
}
const exact = { relative: 0, absolute: 0, anyZero: true }

function check(seed: number): void {
  const program = randomProgram(seed)
  const graph = programGraph(program)
  const expected = interpretGraph(graph, programInputs(program))
  for (const optimise of [false, true]) {
    const plan = planOf(graph, optimise)
    const results = runPlan(
      plan,
      program.inputs.map(({ spec }) => spec),
    )
    expected.forEach((tensor, i) => {
      const allowed = tolerance[tensor.dtype as keyof typeof tolerance] ?? exact
      const problem = difference(results[i]!, tensor, allowed)
      expect(problem, `seed ${seed}${optimise ? ', optimised' : ''}, result ${i}`).toBeNull()
    })
  }
}

describe('random graphs: the interpreted plan gives what the graph interpreter gives', () => {
  const first = Number(process.env.TEGULA_TEST_SEED ?? 1)
  const count = Number(process.env.TEGULA_TEST_SEEDS ?? 200)
  for (let seed = first; seed < first + count; seed += 25) {
    it(`seeds ${seed} to ${seed + 24}`, () => {
      for (let i = 0; i < 25; i++) check(seed + i)
    })
  }
})
