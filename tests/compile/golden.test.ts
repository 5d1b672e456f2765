/**
 * The C that whole graphs become, for a fixed target, as golden files: every change to generated code is seen in a diff.
 * Update with `npx vitest run tests/compile/golden.test.ts -u`, and read the diff.
 */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { printPlan } from '../../src/schedule/plan/print.js'
import { goldenGraphs, goldenTarget } from '../support/golden-graphs.js'

describe('generated C', () => {
  for (const [name, graph] of goldenGraphs()) {
    it(name, async () => {
      const { plan, source } = runPipeline(graph, goldenTarget)
      await expect(`/*\n${printPlan(plan)}*/\n${source}`).toMatchFileSnapshot(`golden/${name}.c`)
    })
  }
})
