/** Batches in random graphs: what is launched, joined, gives the graph interpreter's results. */
import { expect, it } from 'vitest'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { weakestVariant } from '../../src/compile/execute/variant.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { difference } from '../support/compare.js'
import { inBlocks, runLaunched } from '../support/launched.js'
import { programGraph, programInputs, randomProgram } from '../support/random-graph.js'
import { programTolerance } from '../support/random-program.js'
import { gpu, gpuFacts, smallLimits } from './run.js'

const batches = { bytes: 1 << 20 }

it('random graphs give the same results', () => {
  const policy = { ...cudaPolicy(gpuFacts, smallLimits), batches }
  const count = Number(process.env.TEGULA_TEST_SEEDS ?? 150)
  let found = 0
  for (let seed = 1; seed <= count; seed++) {
    const program = randomProgram(seed)
    const graph = programGraph(program)
    const stages = runPipeline(graph, gpu, { policy, variant: weakestVariant })
    found += stages.plan.batches.length
    const specs = program.inputs.map(({ spec }) => spec)
    const { results } = runLaunched(stages, specs, inBlocks)
    for (const [i, expected] of interpretGraph(graph, programInputs(program)).entries())
      expect(
        difference(results[i]!, expected, programTolerance(program, expected)),
        `seed ${seed}, result ${i}`,
      ).toBeNull()
  }
  expect(found).toBeGreaterThan(count / 15)
})
