/**
 * Products against float64: every pair of what a side may be, over sizes that divide nothing, batches, views and blocked
 * scales, on every way that an op can take.
 */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { noCompiler } from '../codegen/native.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { gpu, runPlan, target } from '../schedule/run.js'
import { type Launch, launchesOf, nativeDifferences } from '../support/launches.js'
import { graphOf, interpretSample } from '../support/record-graph.js'
import { allSamples } from '../support/sample-choice.js'
import { outOfBound, outOfHalf } from './operands.js'
import { type Case, duals, pairs } from './product-cases.js'

function check({ sample, want, isHalf }: Case, [got]: readonly HostTensor[], how: string): void {
  expect(outOfBound(got!, want), `${sample.name}, ${how}`).toBeNull()
  if (isHalf) expect(outOfHalf(got!, want), `${sample.name}, ${how}`).toBeNull()
}

/** The launches of a case whose plan, interpreted, is within its bound. */
function launches(record: OpRecord, each: Case, on: typeof target | typeof gpu): Launch[] {
  const { plan, lanes } = runPipeline(graphOf(record, each.sample), on)
  check(each, runPlan(plan, each.sample.inputs), `kernels for ${on.name}`)
  const absolute = Math.max(...each.want.bound)
  return launchesOf(each.sample.name, plan, lanes, each.sample.inputs, dtype =>
    dtype === each.want.dtype
      ? { relative: 0, absolute, anyZero: true }
      : { relative: 2 ** -8, absolute: 1e-3, anyZero: true },
  )
}

const some = <T>(list: readonly T[], every: number, first: number): readonly T[] =>
  allSamples ? list : list.filter((_, i) => i % every === first)

describe.each([
  ['scaledMatmul', pairs],
  ['dualMatmul', duals],
] as const)('%s against float64', (name, cases) => {
  const record = quantRecords[name] as OpRecord

  it('graph interpreter', { timeout: 300_000 }, () => {
    for (const each of cases)
      check(each, interpretSample(graphOf(record, each.sample), each.sample), 'graph interpreter')
  })

  it('kernels for the CPU, and their C', { timeout: 300_000 }, () => {
    const list = some(cases, 3, 1).flatMap(each => launches(record, each, target))
    if (noCompiler !== null) return
    for (const [launch, problem] of nativeDifferences(list)) expect(problem, `${launch.name}, C`).toBeNull()
  })

  it('kernels for a GPU', { timeout: 300_000 }, () => {
    expectBlocks(some(cases, 9, 2).flatMap(each => launches(record, each, gpu)))
  })
})
